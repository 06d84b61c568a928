"""The results of a tournament for other programs: CSV, JSON and Parquet, by the name of the file."""

import csv
import importlib
import io
import json
from pathlib import Path
from typing import Any

from teamplay.api.tournaments import rows, standing_json
from teamplay.arena.standing import Standing
from teamplay.errors import BadSpec, TeamplayError
from teamplay.library import refuse_existing, save, whole


def check(name: str, results: Path, force: bool) -> None:
    """Refuse a file that could not be written, or would take the place of another, before anything is played."""
    if _kind(name) == "parquet":
        _arrow()
    file = whole(name)
    if not file.parent.is_dir():
        raise BadSpec(f"`{name[:80]}` can't be written: there is no such folder.")
    if file == whole(str(results)):
        raise BadSpec(f"`{name[:80]}` is where results are kept; export to another file.")
    refuse_existing(name, force)


def export(name: str, standing: Standing) -> None:
    """Write the pairings to a file, whole or not at all."""
    match _kind(name):
        case "csv":
            save(name, _csv(standing))
        case "json":
            save(name, json.dumps(standing_json(standing), indent=1) + "\n")
        case _:
            save(name, _parquet(standing))


def _kind(name: str) -> str:
    kind = name.rpartition(".")[2].lower()
    if kind not in ("csv", "json", "parquet"):
        raise BadSpec(f"`{name[:80]}` must end in .csv, .json or .parquet, which says how results are written.")
    return kind


def _csv(standing: Standing) -> str:
    text, made = io.StringIO(newline=""), rows(standing)
    writer = csv.DictWriter(text, made[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(made)
    return text.getvalue()


def _parquet(standing: Standing) -> bytes:
    arrow, parquet = _arrow()
    buffer = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(rows(standing)), buffer)
    return buffer.getvalue()


def _arrow() -> tuple[Any, Any]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise TeamplayError("Parquet needs pyarrow: `pip install 'teamplay[parquet]'`.") from None
