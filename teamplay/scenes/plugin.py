"""Plain `pytest` runs scene files: every scene, question and claim is a test. Nothing heavy is imported before one."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from teamplay.scenes.binder import Suite, Test
    from teamplay.scenes.findings import Failure


class SceneFailed(Exception):
    """A test that does not hold, and all that is known of it."""

    def __init__(self, failure: "Failure") -> None:
        super().__init__(" ".join(failure.problems))
        self.failure = failure


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "SceneFile | None":
    """Scene files, and no others."""
    return SceneFile.from_parent(parent, path=file_path) if file_path.suffix == ".scene" else None


class SceneFile(pytest.File):
    """All tests of one scene file."""

    def collect(self) -> "Iterator[SceneItem]":
        from teamplay.errors import TeamplayError
        from teamplay.scenes.binder import load_suite
        from teamplay.scenes.report import NOTHING

        try:
            suite = load_suite(self.path)
        except TeamplayError as error:
            raise self.CollectError(str(error)) from None
        if not suite.tests:
            raise self.CollectError(f"{self.path}: {NOTHING}")
        for test in suite.tests:
            yield SceneItem.from_parent(self, name=test.name, suite=suite, test=test)


class SceneItem(pytest.Item):
    """One scene, question or claim."""

    def __init__(self, *, suite: "Suite", test: "Test", **arguments: object) -> None:
        super().__init__(**arguments)  # type: ignore[arg-type]
        self.suite, self.scene = suite, test
        if test.mood == "skip":
            self.add_marker(pytest.mark.skip(reason="the scene file says so"))
        if test.mood == "todo":
            self.add_marker(pytest.mark.xfail(reason="still to do", raises=SceneFailed, strict=False))

    def runtest(self) -> None:
        from teamplay.scenes.runner import Runner

        result = Runner().run(self.suite, self.scene)
        if result.failure:
            raise SceneFailed(result.failure)
        if result.status == "todo":
            pytest.xfail(result.note)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> object:  # type: ignore[override]
        """The board and the reasons in place of a traceback."""
        from teamplay.scenes.report import failure_text

        if isinstance(excinfo.value, SceneFailed):
            return failure_text(excinfo.value.failure)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.scene.line - 1, self.name
