"""Which checks are there? Every file `tNNN.py` beside this one is a check, and its name is the code.

It has a `TITLE` and, unless it is about allows, `findings(inspection)`. With `DEAD = True` it reports rules that do
nothing: of a table for several games they count only if it is so in all of them.
"""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from types import ModuleType

from teamplay import check
from teamplay.check.findings import Finding
from teamplay.check.inspection import Inspection


def _modules() -> dict[str, ModuleType]:
    names = (module.name for module in pkgutil.iter_modules(check.__path__) if re.fullmatch(r"t\d{3}", module.name))
    return {name.upper(): importlib.import_module(f"teamplay.check.{name}") for name in sorted(names)}


CHECKS = _modules()
CODES: dict[str, str] = {code: module.TITLE for code, module in CHECKS.items()}
DEAD = tuple(code for code, module in CHECKS.items() if getattr(module, "DEAD", False))
UNUSED_ALLOW = "T111"


def findings(inspection: Inspection) -> Iterator[Finding]:
    """What all checks find in one table on one board."""
    for module in CHECKS.values():
        if hasattr(module, "findings"):
            yield from module.findings(inspection)
