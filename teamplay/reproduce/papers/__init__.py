"""The papers: one file each, with a `TITLE` and a generator `results` of findings and plots."""

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType

from teamplay.errors import BadSpec, did_you_mean
from teamplay.reproduce.lab import Lab
from teamplay.reproduce.replication import Plot, Replication


def names() -> list[str]:
    """The papers that can be reproduced."""
    return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__))


def paper(name: str) -> ModuleType:
    """The module of a paper."""
    if name not in names():
        raise BadSpec(
            f"There is no paper named `{name[:80]}`; choose {', '.join(names())}.{did_you_mean(name, names())}"
        )
    return importlib.import_module(f"{__name__}.{name.replace('-', '_')}")


def results(name: str, lab: Lab) -> Iterator[Replication | Plot]:
    """All that a paper says of numbers, tried again one after another."""
    found: Iterator[Replication | Plot] = paper(name).results(lab)
    return found
