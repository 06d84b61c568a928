"""prove that a player never loses, or show a shortest game in which it does"""

import argparse
import os
from contextlib import ExitStack
from pathlib import Path

from teamplay import players
from teamplay.api.certifying import certify, header
from teamplay.api.verifying import Verification, verification
from teamplay.cli import _arguments
from teamplay.cli._files import writable, write
from teamplay.cli._progress import Progress
from teamplay.errors import BadSpec
from teamplay.game import SEATS, Game
from teamplay.game_file import parse_spec
from teamplay.library import whole
from teamplay.players import Player, load_player
from teamplay.proof.certificate import Writer
from teamplay.proof.goals import GOALS
from teamplay.proof.verify import SMALL_BOARD, Bounds
from teamplay.scenes.writing import scene_file
from teamplay.show.terminal import console, say
from teamplay.team import Team


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("player", metavar="PLAYER", help=f"a table such as {_arguments.A_TABLE}, or a player")
    _arguments.add_game(parser)
    parser.add_argument("--seat", choices=[*SEATS, "both"], default="both", help="the player's seat (default: both)")
    parser.add_argument("--goal", choices=GOALS, default=GOALS[0], help=f"what to prove (default: {GOALS[0]})")
    parser.add_argument(
        "--tie", choices=["all", "first"], help="cover every tie, or only the first among ties (default: all)"
    )
    parser.add_argument(
        "--max-positions",
        type=_arguments.whole_number,
        metavar="N",
        help="stop after N positions per seat (default: no limit)",
    )
    parser.add_argument(
        "--max-seconds", type=_arguments.seconds, metavar="S", help="stop after S seconds per seat (default: no limit)"
    )
    parser.add_argument(
        "--memory",
        type=_arguments.whole_number,
        metavar="MB",
        help="stop when MB megabytes are in use (default: half of the memory)",
    )
    parser.add_argument("--exhaust", action="store_true", help="go on after the first loss, to count all outcomes")
    parser.add_argument(
        "--certificate", metavar="FILE", help="write a certificate for `teamplay recheck`; .gz compresses it"
    )
    help = "write the choice that lost the game as a scene for `teamplay test`, which holds once the table is fixed"
    parser.add_argument("--save-scene", metavar="FILE", help=help)
    _arguments.add_force(parser)
    _arguments.add_json(parser)


def run(args: argparse.Namespace) -> int:
    game = _arguments.the_game_of(args, args.player)
    player = _player(args, game)
    if args.save_scene is not None:
        _check_scene(args, player)
    with ExitStack() as stack:
        writer = None
        if args.certificate is not None:
            path = writable(args.certificate, args.force)
            writer = stack.enter_context(Writer(path, header(args.player, player, game, args.goal)))
        found = _verification(args, player, game)
        if writer:
            certify(writer, found)
    certificate = args.certificate if writer and writer.claims else None
    scene = _save_scene(args, found)
    if args.json:
        _arguments.print_json(found.to_dict() | {"certificate": certificate, "scene": scene})
    else:
        _print(args, found, certificate)
    return 0 if found.proved else 1


def _check_scene(args: argparse.Namespace, player: Player) -> None:
    """Refuse a scene file that could not be written or would not be about a table."""
    if not isinstance(player, Team) or players.file_of(args.player) is None:
        raise BadSpec(f"{player.name} has no table; --save-scene writes scenes, which are about tables.")
    writable(args.save_scene, args.force, ".scene")


def _save_scene(args: argparse.Namespace, found: Verification) -> str | None:
    """Write the lost games as a scene file; its name, or None where there is none or it was not asked for."""
    lost = [replay for replay in found.replays if replay]
    if args.save_scene is None or not lost:
        return None
    folder = whole(args.save_scene).parent
    table = _beside(args.player, ".team", folder)
    if args.tie == "first" and "(" not in table:
        table += "(tie=first)"
    game = _beside(args.game, ".toml", folder) if args.game else None
    write(args.save_scene, scene_file(table, game, lost), args.force)
    name: str = args.save_scene
    return name


def _beside(spec: str, suffix: str, folder: Path) -> str:
    """A spec as it is written in a file of some folder: a path begins there."""
    name, _ = parse_spec(spec)
    if not name.endswith(suffix):
        return spec
    return spec.replace(name, Path(os.path.relpath(whole(name), folder)).as_posix(), 1)


def _print(args: argparse.Namespace, found: Verification, certificate: str | None) -> None:
    screen = console()
    found.show(screen)
    if args.save_scene:
        say(screen)
        lost = any(found.replays)
        said = f"Written to {args.save_scene}; `teamplay test {args.save_scene}` runs it."
        say(screen, said if lost else "No game was lost, so there is no scene to write.")
    if args.certificate:
        say(screen)
        said = f"Written to {certificate}; `teamplay recheck {certificate}` checks it."
        say(screen, said if certificate else "Nothing was decided, so there is nothing to certify.")


def _player(args: argparse.Namespace, game: Game) -> Player:
    """The player, its ties broken as wanted."""
    player = load_player(args.player, game)
    if args.tie and isinstance(player, Team):
        return Team(player.book, "first" if args.tie == "first" else "random")
    if args.tie == "first":
        raise BadSpec(f"{player.name} has no manager that could take the first among ties; --tie is for tables.")
    return player


def _verification(args: argparse.Namespace, player: Player, game: Game) -> Verification:
    given = {"positions": args.max_positions, "seconds": args.max_seconds, "memory": args.memory and args.memory << 20}
    bounds = Bounds(**{key: value for key, value in given.items() if value is not None})
    seats = [SEATS.index(seat) for seat in SEATS if args.seat in (seat, "both")]
    with Progress() as progress:
        if progress.watched and isinstance(player, Team) and game.grid.size > SMALL_BOARD:
            progress.say("getting ready …")
        return verification(player, game, seats, args.goal, bounds, args.exhaust, progress.report)
