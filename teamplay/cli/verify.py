"""prove that a player never loses, or show the shortest game in which it does"""

import argparse

from teamplay.cli import _arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from teamplay.cli._replay import Replay
    from teamplay.game import Game
    from teamplay.players import Player
    from teamplay.proof.certificate import Header, Writer
    from teamplay.proof.verify import Bounds, Verdict

MOST_FOR_BLAME = 2_000_000  # positions that it may cost to learn where a game was lost
SEATS = ("first", "second")
GOALS = ("never-loses", "always-wins", "wins-if-possible")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("player", metavar="PLAYER", help=f"a table such as {_arguments.A_TABLE}, or a player")
    _arguments.add_game(parser)
    parser.add_argument("--seat", choices=[*SEATS, "both"], default="both", help="the player's seat (default: both)")
    parser.add_argument("--goal", choices=GOALS, default=GOALS[0], help=f"what to prove (default: {GOALS[0]})")
    parser.add_argument("--tie", choices=["all", "first"], help="every tie, or the first of equals (default: all)")
    parser.add_argument(
        "--max-positions", type=_arguments.whole_number, metavar="N", help="give up after so many, each seat"
    )
    parser.add_argument("--max-seconds", type=_arguments.seconds, metavar="S", help="give up after so long, each seat")
    parser.add_argument(
        "--memory", type=_arguments.whole_number, metavar="MB", help="give up beyond (default: half of what is there)"
    )
    parser.add_argument("--exhaust", action="store_true", help="count all games even after a loss was found")
    parser.add_argument("--certificate", metavar="FILE", help="write what `teamplay recheck` needs; .gz packs it")
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    from contextlib import ExitStack
    from pathlib import Path

    from teamplay.players import OpenPlayer
    from teamplay.proof.certificate import Writer
    from teamplay.proof.verify import INTERRUPTED, not_begun

    game = _arguments.the_game_of(args, args.player)
    player = _player(args, game)
    seats = [SEATS.index(seat) for seat in SEATS if args.seat in (seat, "both")]
    verdicts: list[Verdict] = []
    with ExitStack() as stack:
        writer = None
        if args.certificate is not None:
            writer = stack.enter_context(Writer(Path(args.certificate), _header(args, game, player)))
        for seat in seats:
            if verdicts and verdicts[-1].bound == INTERRUPTED and isinstance(player, OpenPlayer):
                verdicts.append(not_begun(player, game, seat, args.goal))
                continue
            verdicts.append(_verdict(args, player, game, seat))
            if writer:
                _certify(writer, game, verdicts[-1])
    certificate = args.certificate if writer and writer.claims else None
    replays = [_replay(player, game, verdict) for verdict in verdicts]
    if args.json:
        _print_json(args, player, game, verdicts, replays, certificate)
    else:
        _print_text(args, player, game, verdicts, replays, certificate)
    return 0 if all(verdict.verdict == "proved" for verdict in verdicts) else 1


def _player(args: argparse.Namespace, game: "Game") -> "Player":
    """The player, its ties broken as wanted."""
    from teamplay.errors import BadSpec
    from teamplay.players import load_player
    from teamplay.team import Team

    player = load_player(args.player, game)
    if args.tie and isinstance(player, Team):
        return Team(player.book, "first" if args.tie == "first" else "random")
    if args.tie == "first":
        raise BadSpec(f"{player.name} has no manager that could take the first of equals; --tie is for tables.")
    return player


def _verdict(args: argparse.Namespace, player: "Player", game: "Game", seat: int) -> "Verdict":
    from teamplay.cli._progress import Progress, rate
    from teamplay.proof.verify import SMALL_BOARD, verify
    from teamplay.team import Team

    with Progress() as progress:

        def watched(plies: int, positions: int, seconds: float) -> None:
            if progress.due():
                progress.say(f"{SEATS[seat]} seat: {plies} plies, {positions:,} positions, {rate(positions, seconds)}")

        if progress.watched and isinstance(player, Team) and game.grid.size > SMALL_BOARD:
            progress.say("getting ready …")
        return verify(player, game, seat, args.goal, _bounds(args), watched, args.exhaust)


def _bounds(args: argparse.Namespace) -> "Bounds":
    from teamplay.proof.verify import Bounds

    given = {"positions": args.max_positions, "seconds": args.max_seconds, "memory": args.memory and args.memory << 20}
    return Bounds(**{key: value for key, value in given.items() if value is not None})


def _header(args: argparse.Namespace, game: "Game", player: "Player") -> "Header":
    """What the certificate is about; the game by a spec that finds it again, the table by its text."""
    from teamplay import players
    from teamplay.game_file import parse_spec
    from teamplay.language import load_table
    from teamplay.proof.certificate import Header, game_hash

    name, _ = parse_spec(args.player)
    text, spec = None, args.game or "tic-tac-toe"
    if name not in players.names():
        table, source = load_table(name)
        text = source.text
        spec = args.game or next(iter(table.games), spec)
    if not parse_spec(spec)[0].endswith(".toml"):
        spec = str(game)
    return Header(spec, game_hash(spec), args.player, _tie(player), args.goal, text)


def _tie(player: "Player") -> str:
    """Whether the claim is about every tie or about the first of equals, by `--tie` or by the player's own spec."""
    from teamplay.team import Team

    return "first" if isinstance(player, Team) and player.tie_break == "first" else "all"


def _certify(writer: "Writer", game: "Game", verdict: "Verdict") -> None:
    """Add what was decided of a seat to the certificate."""
    from teamplay.proof.certificate import Claim, format_position

    if verdict.verdict == "refuted":
        moves = [game.format_move(move) for move in verdict.game or ()]
        writer.add(Claim(verdict.seat, "refuted", game=moves))
    elif verdict.verdict == "proved":
        numbers = (verdict.positions, verdict.wins, verdict.draws, verdict.losses)
        claim = Claim(verdict.seat, "proved", *numbers, verdict.explorer.symmetric)
        writer.add(claim, (format_position(game, position) for position in verdict.explorer.met()))


def _replay(player: "Player", game: "Game", verdict: "Verdict") -> "Replay | None":
    from teamplay.cli._replay import Replay
    from teamplay.proof.blame import blame
    from teamplay.proof.oracle import oracle_for

    if verdict.game is None:
        return None
    found = blame(game, verdict.game, verdict.seat, verdict.goal, oracle_for(game, MOST_FOR_BLAME))
    return Replay(player, game, verdict.seat, verdict.goal, verdict.game, found)


def _print_json(
    args: argparse.Namespace,
    player: "Player",
    game: "Game",
    verdicts: "list[Verdict]",
    replays: "list[Replay | None]",
    certificate: "str | None",
) -> None:
    from teamplay.show.picture import move_json

    seats = {}
    for verdict, replay in zip(verdicts, replays, strict=True):
        seats[SEATS[verdict.seat]] = {
            "seat": SEATS[verdict.seat],
            "goal": verdict.goal,
            "verdict": verdict.verdict,
            "positions": verdict.positions,
            "wins": verdict.wins,
            "draws": verdict.draws,
            "losses": verdict.losses,
            "game": None if verdict.game is None else [move_json(game, move) for move in verdict.game],
            "blame": replay.blame_json() if replay else None,
            "bound": verdict.bound or None,
            "plies": verdict.plies,
            "whole": verdict.whole,
            "method": verdict.method,
            "seconds": round(verdict.seconds, 3),
        }
    shown = {"player": player.name, "game": str(game), "goal": args.goal, "tie": _tie(player), "seats": seats}
    _arguments.print_json(shown | {"certificate": certificate})


def _print_text(
    args: argparse.Namespace,
    player: "Player",
    game: "Game",
    verdicts: "list[Verdict]",
    replays: "list[Replay | None]",
    certificate: "str | None",
) -> None:
    from teamplay.show.terminal import console, say

    screen = console()
    for verdict, replay in zip(verdicts, replays, strict=True):
        if verdict is not verdicts[0]:
            say(screen)
        say(screen, _sentence(player, game, verdict), "bold")
        if replay:
            say(screen)
            replay.show(screen)
    if args.certificate:
        say(screen)
        said = f"Written to {certificate}; `teamplay recheck {certificate}` checks it."
        say(screen, said if certificate else "Nothing was decided, so there is nothing to certify.")


PROVED = {"never-loses": "never loses", "always-wins": "always wins", "wins-if-possible": "never lets a win go"}
REFUTED = {"never-loses": "can lose", "always-wins": "can fail to win", "wins-if-possible": "can let a win go"}
TIES = {"all": "", "first": " (always the first of equals)"}  # the second is a smaller claim


def _sentence(player: "Player", game: "Game", verdict: "Verdict") -> str:
    """The verdict on one seat."""
    from teamplay.proof.verify import INTERRUPTED
    from teamplay.show.words import counted

    claim = f"moving {SEATS[verdict.seat]} at {game}, {player.name}{TIES[_tie(player)]}"
    met = counted(verdict.positions, "position")
    ends = f"{verdict.wins:,} won, {verdict.draws:,} drawn and {verdict.losses:,} lost ends"
    seen = (
        f"{'All its games' if verdict.whole else 'The games seen so far'} meet {met} with its turn to move, and {ends}"
    )
    if verdict.verdict == "proved":
        return f"Proved: {claim} {PROVED[verdict.goal]}. {seen}."
    if verdict.verdict == "undecided":
        why = "stopped by Ctrl-C" if verdict.bound == INTERRUPTED else f"the bound was {verdict.bound}"
        undecided = f"Not decided whether, {claim} {PROVED[verdict.goal]}: {why}."
        if not verdict.plies:
            return f"{undecided} Nothing is known yet."
        known = f"Every game of up to {counted(verdict.plies, 'move')} was seen, and none of them breaks the claim"
        return f"{undecided} {known}. {seen}."
    length = counted(len(verdict.game or ()), "move")
    return f"Refuted: {claim} {REFUTED[verdict.goal]}; a shortest game to show it has {length}. {seen}."
