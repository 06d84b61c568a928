"""Do two players choose alike, and which of them plays better? The answer as a value."""

from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console

from teamplay.api.loading import as_player, game_for
from teamplay.api.progress import Report, Reporter
from teamplay.errors import BadSpec
from teamplay.game import SEATS, Game
from teamplay.players import OpenPlayer, Player
from teamplay.proof import compare as positions
from teamplay.proof.compare import ChoiceComparison
from teamplay.proof.duel import MARGIN, Duel
from teamplay.show.notebook import text_of
from teamplay.show.paste import put_options
from teamplay.show.picture import move_json
from teamplay.show.svg import board
from teamplay.show.terminal import game_board, plain, put, say
from teamplay.show.words import counted, listed, move_name
from teamplay.statistics import BOUND, normalized_elo, pair_elo
from teamplay.team import Team

GAMES = 2000
HALF_POINTS = ("0", "½", "1", "1½", "2")


@dataclass(frozen=True, repr=False)
class PlayerComparison:
    """Two players compared: in every position, where those can be enumerated, and by play, unless they are equivalent.

    At least one of `choices` and `duel` is known.
    """

    a: Player
    b: Player
    game: Game
    choices: ChoiceComparison | None  # None where positions are too many, or a player can't name its moves
    duel: Duel | None  # None where both choose alike, so that nobody can play better

    @property
    def equivalent(self) -> bool | None:
        """Whether both choose alike in every position; None if that is not known."""
        return None if self.choices is None else not self.choices.different

    @property
    def verdict(self) -> str:
        """`a` or `b` plays better, `equal`, or `undecided`."""
        if self.duel is None:
            return "equal"
        return {"first": "a", "second": "b"}.get(self.duel.verdict, self.duel.verdict)

    def __repr__(self) -> str:
        return " ".join(filter(None, [self._differences(), self._better()]))

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        shown = {"text/plain": text_of(self.show)}
        first = self.choices.first if self.choices else None
        return shown if first is None else {"image/svg+xml": board(self.game, first), **shown}

    def to_dict(self) -> dict[str, Any]:
        """What `teamplay compare --json` prints; null where positions were not enumerated, or nothing was played."""
        found = self.choices
        shown: dict[str, Any] = {"a": self.a.name, "b": self.b.name, "game": str(self.game)}
        shown |= {"method": "play" if found is None else "exact", "equivalent": self.equivalent}
        shown |= {"positions": found.positions if found else None, "different": found.different if found else None}
        return shown | {"first": self._first(), "verdict": self.verdict, **_duel_dict(self.duel)}

    def _first(self) -> dict[str, object] | None:
        """The first position in which they differ, and what each chooses there."""
        found, game = self.choices, self.game
        if found is None or found.first is None or found.choices is None:
            return None
        one, other = ([move_json(game, move) for move in moves] for moves in found.choices)
        return {"board": game.drawn(found.first), "seat": SEATS[found.first.seat], "a": one, "b": other}

    def _differences(self) -> str:
        """In how many positions they differ, in a sentence."""
        found, both = self.choices, f"{self.a.name} and {self.b.name}"
        if found is None:
            return ""
        if self.equivalent:
            same = f"they choose alike in all {counted(found.positions, 'position')} with a side to move"
            return f"{both} are equivalent at {self.game}: {same}."
        count = f"{found.different:,} of {counted(found.positions, 'position')} with a side to move"
        return f"{both} differ at {self.game} on {count}."

    def _better(self) -> str:
        """Who plays better, in a sentence."""
        if self.duel is None:
            return ""
        one, other, game = self.a.name, self.b.name, self.game
        equal = f"{one} and {other} play about equally well at {game}: neither is {MARGIN:g} normalized Elo better"
        found = {
            "a": f"{one} plays better than {other} at {game}",
            "b": f"{other} plays better than {one} at {game}",
            "equal": equal,
            "undecided": f"It is not decided whether {one} or {other} plays better at {game}",
        }
        return f"{found[self.verdict]}."

    def show(self, screen: Console) -> None:
        """What `teamplay compare` prints."""
        if self.choices:
            self._show_differences(screen)
        if self.choices and self.duel:
            say(screen)
        if self.duel:
            self._show_duel(screen, self.duel)

    def _show_differences(self, screen: Console) -> None:
        game, found = self.game, self.choices
        if found is None or found.first is None or found.choices is None:
            say(screen, self._differences(), "bold")
            return
        mark = "" if game.shared else f" ({game.own_mark(found.first.seat)})"
        where = f"the first, with the {SEATS[found.first.seat]} seat{mark} to move:"
        say(screen, f"{self._differences().removesuffix('.')}; {where}", "bold")
        say(screen)
        put(screen, game_board(game, found.first, None, screen.width, plain(screen)))
        put_options(screen, game, found.first)
        say(screen)
        for player, moves in zip((self.a, self.b), found.choices, strict=True):
            say(screen, f"{player.name} chooses {listed([move_name(game, move) for move in moves], joint='or')}.")

    def _show_duel(self, screen: Console, duel: Duel) -> None:
        one, other = self.a.name, self.b.name
        say(screen, self._better(), "bold")
        if self.choices is None:
            say(screen, f"{self._why_play()}, so they played.")
        if not duel.pairs:
            say(screen, f"No pair of games was finished{f' ({duel.stopped})' if duel.stopped else ''}.")
            return
        lost, drawn, won = duel.results
        pairs = f"{counted(duel.pairs, 'pair')} of games from random openings, seats swapped (seed {duel.seed})"
        points = ", ".join(f"{half}: {count:,}" for half, count in zip(HALF_POINTS, duel.counts, strict=True))
        say(screen, f"{pairs}: {one} won {won:,}, drew {drawn:,}, lost {lost:,}. Pairs by its points: {points}.")
        if duel.repeated:
            repeated = f"{counted(duel.repeated, 'pair')} had been played before and did not count"
            say(screen, f"{repeated}: neither player has luck there.")
        if duel.stopped:
            say(screen, f"Stopped: {duel.stopped}.")
        first, second = duel.llrs
        test = f"{one} by {MARGIN:g} normalized Elo: {first:+.2f}; {other} by as much: {second:+.2f}"
        say(screen, f"Log-likelihood ratios, sure at {BOUND:.2f} and -{BOUND:.2f}: {test}.")
        for name, found in (("Elo", pair_elo(duel.counts)), ("Normalized Elo", normalized_elo(duel.counts))):
            interval = f"(95%: {found.low:+.1f} to {found.high:+.1f})"
            value = round(found.value, 1) + 0.0  # never -0.0
            say(screen, f"{name} of {one} over {other}: {value:+.1f} {interval}.")

    def _why_play(self) -> str:
        """Why not every position was compared."""
        for player in (self.a, self.b):
            if not isinstance(player, OpenPlayer):
                return f"{player.name} can't name the moves that it might make"
        return "The positions are too many to compare them all"


def _duel_dict(duel: Duel | None) -> dict[str, Any]:
    """The games that two players played, for scripts; null where they did not play."""
    names = ("seed", "wins", "draws", "losses", "pairs", "repeated", "stopped", "llr", "elo", "normalized_elo")
    if duel is None:
        return dict.fromkeys(names)
    lost, drawn, won = duel.results
    told = {"seed": duel.seed, "wins": won, "draws": drawn, "losses": lost, "pairs": duel.counts}
    return told | {
        "repeated": duel.repeated,
        "stopped": duel.stopped or None,
        "llr": {"a": duel.llrs[0], "b": duel.llrs[1]},
        "elo": asdict(pair_elo(duel.counts)) if duel.pairs else None,
        "normalized_elo": asdict(normalized_elo(duel.counts)) if duel.pairs else None,
    }


def compare(
    a: Player | str,
    b: Player | str,
    game: Game | str | None = None,
    games: int = GAMES,
    seed: int = 0,
    progress: Report | None = None,
) -> PlayerComparison:
    """Whether two players choose alike in every position, where those can be enumerated; and who plays better.

    They play at most N games from random openings. Two players that choose alike need not play, unless chance weighs
    their moves.
    """
    if games < 2:
        raise BadSpec("A pair has two games, one with either seat, so at least 2 games are played.")
    rules = game_for(game, [a, b])
    one, other = as_player(a, rules), as_player(b, rules)
    reporter = Reporter(progress, "positions")

    def compared(count: int) -> None:
        if reporter.due():
            reporter.say(count, f"{count:,} positions compared")

    choices = positions.compare(one, other, rules, compared)
    if choices and not choices.different and all(map(_evenly, (one, other))):
        return PlayerComparison(one, other, rules, choices, None)
    counter = Reporter(progress, "games")

    def played(duel: Duel) -> None:
        if counter.due():
            llrs = " and ".join(f"{llr:+.2f}" for llr in duel.llrs)
            counter.say(2 * duel.pairs, f"{2 * duel.pairs:,} games, log-likelihood ratios {llrs}", games)

    duel = Duel(one, other, rules, seed)
    duel.play(games, played)
    return PlayerComparison(one, other, rules, choices, duel)


def _evenly(player: Player) -> bool:
    """Whether a player is known to make each of the moves that it names equally often: then they say how it plays."""
    if isinstance(player, Team):
        return not player.manager.restless
    return type(player).__module__.startswith("teamplay.players.")
