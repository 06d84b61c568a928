"""tell whether two players choose alike in every position, or else which of them plays better"""

import argparse

from teamplay.cli import _arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from teamplay.game import Game
    from teamplay.players import Player
    from teamplay.proof.compare import Comparison
    from teamplay.proof.duel import Duel

GAMES = 2000


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("one", metavar="A", help=f"a table such as {_arguments.A_TABLE}, or a player")
    parser.add_argument("other", metavar="B", help="another")
    _arguments.add_game(parser)
    help = f"play at most so many where positions are too many to compare (default: {GAMES:,})"
    parser.add_argument("--games", type=_arguments.whole_number, default=GAMES, metavar="N", help=help)
    _arguments.add_seed(parser)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    from teamplay.cli._progress import Progress
    from teamplay.errors import BadSpec
    from teamplay.players import load_player
    from teamplay.proof.compare import compare
    from teamplay.proof.duel import Duel

    if args.games < 2:
        raise BadSpec("A pair has two games, one with either seat, so --games is at least 2.")
    game = _arguments.the_game_of_all(args, [args.one, args.other])
    players = load_player(args.one, game), load_player(args.other, game)
    with Progress() as progress:

        def compared(positions: int) -> None:
            if progress.due():
                progress.say(f"{positions:,} positions compared")

        def played(duel: Duel) -> None:
            if progress.due():
                llrs = " and ".join(f"{llr:+.2f}" for llr in duel.llrs)
                progress.say(f"{2 * duel.pairs:,} games, log-likelihood ratios {llrs}")

        comparison = compare(*players, game, compared)
        if comparison is None:
            duel = Duel(*players, game, args.seed)
            duel.play(args.games, played)
    if comparison is not None:
        _tell_comparison(args, game, players, comparison)
        return 1 if comparison.different else 0
    _tell_duel(args, game, duel)
    return 1 if duel.verdict in ("first", "second") else 0


def _tell_comparison(
    args: argparse.Namespace, game: "Game", players: "tuple[Player, Player]", found: "Comparison"
) -> None:
    from teamplay.game import SEATS
    from teamplay.show.picture import drawing, move_json

    first = None
    if found.first and found.choices:
        choices = [[move_json(game, move) for move in moves] for moves in found.choices]
        marks = game.seen(found.first).replace("b", ".")
        seat = SEATS[found.first.seat]
        first = {"board": drawing(marks, game.grid), "seat": seat, "a": choices[0], "b": choices[1]}
    if args.json:
        shown: dict[str, object] = {"a": players[0].name, "b": players[1].name, "game": str(game), "method": "exact"}
        shown |= {"equivalent": not found.different, "positions": found.positions, "different": found.different}
        _arguments.print_json({**shown, "first": first})
        return
    _print_comparison(game, players, found)


def _print_comparison(game: "Game", players: "tuple[Player, Player]", found: "Comparison") -> None:
    from teamplay.game import SEATS
    from teamplay.show.terminal import console, game_board, plain, put, say
    from teamplay.show.words import counted, listed, move_name

    screen = console()
    both = f"{players[0].name} and {players[1].name}"
    if not found.different:
        same = f"they choose alike in all {counted(found.positions, 'position')} with a side to move"
        say(screen, f"{both} are equivalent at {game}: {same}.", "bold")
        return
    assert found.first and found.choices
    mark = "" if game.shared else f" ({game.marks[found.first.seat]})"
    where = f"the first, with the {SEATS[found.first.seat]} seat{mark} to move:"
    count = f"{found.different:,} of {counted(found.positions, 'position')} with a side to move"
    say(screen, f"{both} differ at {game} on {count}; {where}", "bold")
    say(screen)
    put(screen, game_board(game, found.first, None, screen.width, plain(screen)))
    say(screen)
    for player, moves in zip(players, found.choices, strict=True):
        say(screen, f"{player.name} chooses {listed([move_name(game, move) for move in moves], joint='or')}.")


def _tell_duel(args: argparse.Namespace, game: "Game", duel: "Duel") -> None:
    if args.json:
        _arguments.print_json(_duel_json(game, duel))
    else:
        _print_duel(game, duel)


def _duel_json(game: "Game", duel: "Duel") -> "dict[str, object]":
    from dataclasses import asdict

    from teamplay.proof.sprt import elo, normalized_elo

    lost, drawn, won = duel.results
    return {
        "a": duel.one.name,
        "b": duel.other.name,
        "game": str(game),
        "method": "play",
        "verdict": {"first": "a", "second": "b"}.get(duel.verdict, duel.verdict),
        "seed": duel.seed,
        "wins": won,
        "draws": drawn,
        "losses": lost,
        "pairs": duel.counts,
        "repeated": duel.repeated,
        "stopped": duel.stopped or None,
        "llr": {"a": duel.llrs[0], "b": duel.llrs[1]},
        "elo": asdict(elo(duel.counts)) if duel.pairs else None,
        "normalized_elo": asdict(normalized_elo(duel.counts)) if duel.pairs else None,
    }


def _print_duel(game: "Game", duel: "Duel") -> None:
    from teamplay.proof.duel import MARGIN
    from teamplay.proof.sprt import BOUND, elo, normalized_elo
    from teamplay.show.terminal import console, say
    from teamplay.show.words import counted

    screen = console()
    one, other = duel.one.name, duel.other.name
    verdict = {
        "first": f"{one} plays better than {other} at {game}",
        "second": f"{other} plays better than {one} at {game}",
        "equal": f"{one} and {other} play about equally well at {game}: neither is {MARGIN:g} normalized Elo better",
        "undecided": f"It is not decided whether {one} or {other} plays better at {game}",
    }[duel.verdict]
    say(screen, f"{verdict}.", "bold")
    say(screen, f"{_why_play(duel)}, so they played.")
    if not duel.pairs:
        say(screen, f"No pair of games was finished{f' ({duel.stopped})' if duel.stopped else ''}.")
        return
    lost, drawn, won = duel.results
    pairs = f"{counted(duel.pairs, 'pair')} of games from random openings, seats swapped (seed {duel.seed})"
    say(screen, f"{pairs}: {one} won {won:,}, drew {drawn:,}, lost {lost:,}. Pairs by its points: {_points(duel)}.")
    if duel.repeated:
        say(screen, f"{counted(duel.repeated, 'pair')} had been played before, move by move, and did not count.")
    if duel.stopped:
        say(screen, f"Stopped: {duel.stopped}.")
    first, second = duel.llrs
    test = f"{one} by {MARGIN:g} normalized Elo: {first:+.2f}; {other} by as much: {second:+.2f}"
    say(screen, f"Log-likelihood ratios, sure at {BOUND:.2f} and -{BOUND:.2f}: {test}.")
    for name, found in (("Elo", elo(duel.counts)), ("Normalized Elo", normalized_elo(duel.counts))):
        say(screen, f"{name} of {one} over {other}: {found.value:+.1f} (95%: {found.low:+.1f} to {found.high:+.1f}).")


def _why_play(duel: "Duel") -> str:
    """Why not every position was compared."""
    from teamplay.players import OpenPlayer

    for player in (duel.one, duel.other):
        if not isinstance(player, OpenPlayer):
            return f"{player.name} can't name the moves that it might make"
    return "The positions are too many to compare them all"


def _points(duel: "Duel") -> str:
    return ", ".join(
        f"{points}: {count:,}" for points, count in zip(("0", "½", "1", "1½", "2"), duel.counts, strict=True)
    )
