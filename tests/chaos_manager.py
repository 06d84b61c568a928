"""A manager for the chaos test: plays games of a live team against itself, and writes down every move before the next.

Whoever kills it may start it again: it goes on where the file ends.
"""

import json
import sys
from pathlib import Path

from teamplay.errors import TeamplayError
from teamplay.game import Game, Move, Position
from teamplay.game_file import load_game
from teamplay.language import Rulebook, load_rulebook
from teamplay.live.network import Broker
from teamplay.live.settings import USUAL, Settings
from teamplay.live.team import LiveTeam
from teamplay.luck import Luck
from tests.live_hosts import PATIENCE

TABLE, GAME = "mnk/generic", "mnk(m=5,n=5,k=4)"


def records(path: Path) -> list[dict[str, object]]:
    """The moves so far; a last line that was cut off is none."""
    lines = path.read_text("utf-8").split("\n")[:-1] if path.exists() else []
    return [json.loads(line) for line in lines]


def luck_of(game: int, ply: int) -> Luck:
    return Luck(1000 * game + ply)


def after(game: Game, moves: list[dict[str, object]]) -> Position:
    position = game.start
    for move in moves:
        position = game.after(position, Move(move["cell"], game.marks[position.seat]))  # type: ignore[arg-type]
    return position


def joined(book: Rulebook, url: str) -> LiveTeam:
    """The team, as soon as the broker is there; all hosts are waited for, because each is started again."""
    while True:
        try:
            return LiveTeam(book, Settings(Broker(url), terms=USUAL._replace(deadline=0.5), join=PATIENCE))
        except TeamplayError as error:
            print(f"chaos manager: {error}", file=sys.stderr)


def main(url: str, path: Path) -> None:
    rules = load_game(GAME)
    done = records(path)
    path.write_text("".join(f"{json.dumps(record)}\n" for record in done), "utf-8")
    number = int(done[-1]["game"]) if done else 0  # type: ignore[call-overload]
    position = after(rules, [record for record in done if record["game"] == number])
    team = joined(load_rulebook(TABLE, rules), url)
    with path.open("a", encoding="utf-8") as file:
        while True:
            if rules.outcome(position):
                if path.with_suffix(".stop").exists():
                    break
                number, position = number + 1, rules.start
            ply = sum(mark != "." for mark in position.marks)
            move = team.choose(position, luck_of(number, ply))
            assert team.last
            print(
                json.dumps({"game": number, "ply": ply, "cell": move.cell, "how": team.last.how}), file=file, flush=True
            )
            position = rules.after(position, move)
    team.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
