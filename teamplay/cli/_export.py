"""The results of a tournament for other programs: CSV, JSON and Parquet, by the name of the file."""

import csv
import importlib
import io
import json
from pathlib import Path
from typing import Any

from teamplay.arena.estimate import wilson
from teamplay.arena.match import seat
from teamplay.arena.tournament import Tournament
from teamplay.cli._arena import estimate_json, way
from teamplay.errors import BadSpec, TeamplayError
from teamplay.library import save, whole


def check(name: str, results: Path) -> None:
    """Refuse a file that could not be written, or would take the place of the results, before anything is played."""
    if _kind(name) == "parquet":
        _arrow()
    file = whole(name)
    if not file.parent.is_dir():
        raise BadSpec(f"`{name[:80]}` can't be written: there is no such folder.")
    if file == whole(str(results)):
        raise BadSpec(f"`{name[:80]}` is where results are kept; export to another file.")


def export(name: str, tournament: Tournament) -> None:
    """Write the pairings to a file, whole or not at all."""
    match _kind(name):
        case "csv":
            save(name, _csv(tournament))
        case "json":
            save(name, json.dumps(tournament_json(tournament), indent=1) + "\n")
        case _:
            save(name, _parquet(tournament))


def tournament_json(tournament: Tournament) -> dict[str, object]:
    """The plan, the players from the best on with their ratings, and every pairing."""
    plan, ratings = tournament.plan, tournament.ratings()
    players = []
    for player in tournament.ranking():
        total = tournament.score(player)
        shown: dict[str, object] = {"player": plan.players[player], "elo": estimate_json(ratings[player])}
        shown |= {name: getattr(total, name) for name in ("games", "points", "wins", "draws", "losses")}
        players.append(shown)
    return {
        "game": str(tournament.game),
        "kind": plan.kind,
        "games": plan.games,
        "seed": plan.seed,
        "opening": plan.opening,
        "complete": tournament.played == tournament.games,
        "played": tournament.played,
        "resumed": tournament.resumed,
        "players": players,
        "pairings": rows(tournament),
    }


def rows(tournament: Tournament) -> list[dict[str, Any]]:
    """One row a pairing: results of `a`, in both seats and in each, and Wilson's interval of its wins."""
    made = []
    for match, tally in zip(tournament.matches, tournament.tallies, strict=True):
        share = wilson(tally.wins, tally.games)
        row: dict[str, Any] = {"a": match.a, "b": match.b, "game": str(tournament.game)}
        row |= {name: getattr(tally, name) for name in ("games", "wins", "draws", "losses")}
        row |= {"win_low": round(share.low, 6), "win_high": round(share.high, 6)}
        row |= {**tally._asdict(), "seed": match.seed, "engine": way(seat(match).compiled)}
        made.append(row)
    return made


def _kind(name: str) -> str:
    kind = name.rpartition(".")[2].lower()
    if kind not in ("csv", "json", "parquet"):
        raise BadSpec(f"`{name[:80]}` must end in .csv, .json or .parquet, which says how results are written.")
    return kind


def _csv(tournament: Tournament) -> str:
    text, made = io.StringIO(newline=""), rows(tournament)
    writer = csv.DictWriter(text, made[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(made)
    return text.getvalue()


def _parquet(tournament: Tournament) -> bytes:
    arrow, parquet = _arrow()
    buffer = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(rows(tournament)), buffer)
    return buffer.getvalue()


def _arrow() -> tuple[Any, Any]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise TeamplayError("Parquet needs pyarrow: `pip install 'teamplay[parquet]'`.") from None
