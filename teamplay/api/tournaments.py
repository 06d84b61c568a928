"""What came of a tournament, for scripts and pages: the plan, the ratings, every pairing; also from a results file."""

import json
from pathlib import Path
from typing import Any

from teamplay.api.matches import estimate_dict
from teamplay.arena.results import read_results
from teamplay.arena.standing import Standing, check_plan, standing
from teamplay.errors import BadFile
from teamplay.statistics import wilson


def read_standing(path: Path) -> Standing:
    """How the players of a file of results stand now, also while another process writes it."""
    stored = read_results(path)
    try:
        plan: Any = json.loads(stored.plan or "null")
    except ValueError:
        plan = None
    if plan is None:
        raise BadFile(f"{path} does not say who plays; a tournament that has just begun says it in a moment.")
    check_plan(path, plan)
    return standing(plan, stored)


def standing_json(standing: Standing) -> dict[str, object]:
    """The plan, the players with their ratings, the best first, all pairings (null where none was played), forfeits."""
    ratings = standing.ratings()
    players = []
    for player in standing.ranking():
        total, rating = standing.score(player), ratings[player]
        elo = None if rating is None else estimate_dict(rating)
        shown: dict[str, object] = {"player": standing.players[player], "elo": elo, "games": total.games}
        shown |= {name: getattr(total, name) if total.games else None for name in ("points", "wins", "draws", "losses")}
        players.append(shown)
    return {
        "game": standing.game,
        "kind": standing.kind,
        "games": standing.games,
        "seed": standing.seed,
        "opening": standing.opening,
        "complete": standing.played == standing.total,
        "played": standing.played,
        "players": players,
        "pairings": rows(standing),
        "forfeits": [
            {"a": standing.players[each.one], "b": standing.players[each.other], "reason": reason, "games": games}
            for each in standing.meetings
            for reason, games in each.forfeits
        ],
    }


def rows(standing: Standing) -> list[dict[str, Any]]:
    """One row per pairing: results of `a`, in both seats and in each, and Wilson's interval of its wins."""
    made = []
    for meeting in standing.meetings:
        tally = meeting.tally
        share = wilson(tally.wins * meeting.weight, meeting.distinct)
        row: dict[str, Any] = {"wins": tally.wins, "draws": tally.draws, "losses": tally.losses}
        row |= {"win_low": round(share.low, 6), "win_high": round(share.high, 6), **tally._asdict()}
        if not tally.games:
            row = dict.fromkeys(row)  # nothing is known yet, which is not the same as 0
        names = {"a": standing.players[meeting.one], "b": standing.players[meeting.other], "game": standing.game}
        kept = {"seed": meeting.seed, "opening": meeting.opening, "engine": meeting.engine}
        made.append({**names, "games": tally.games, "distinct": meeting.distinct, **row, **kept})
    return made
