"""How does a verification become a certificate? What is claimed of each seat, with all that a recheck needs."""

from teamplay import players
from teamplay.api.verifying import Verification
from teamplay.errors import BadSpec
from teamplay.game import Game
from teamplay.game_file import parse_spec
from teamplay.language import load_source
from teamplay.players import Player
from teamplay.proof.certificate import Claim, Header, Writer, format_position, game_hash
from teamplay.proof.goals import ClaimTies, ProofGoal
from teamplay.team import Team


def header(spec: str, player: Player, game: Game, goal: ProofGoal) -> Header:
    """What the certificate is about; the game by a spec that finds it again, the table by its text."""
    name, _ = parse_spec(spec)
    text = None
    if players.file_of(spec):
        text = load_source(name).text
    elif name not in players.names():
        raise BadSpec(f"A certificate can't hold the code of `{name}`; it is for tables and for teamplay's players.")
    tie: ClaimTies = "first" if isinstance(player, Team) and player.tie_break == "first" else "all"
    return Header(game.spec, game_hash(game.spec), spec, tie, goal, text)


def certify(writer: Writer, found: Verification) -> None:
    """Add what was decided of each seat to the certificate."""
    game = found.game
    for verdict in found.verdicts:
        if verdict.verdict == "refuted":
            moves = [game.format_move(move) for move in verdict.game or ()]
            writer.add(Claim(verdict.seat, "refuted", game=moves))
        elif verdict.verdict == "proved":
            numbers = (verdict.positions, verdict.wins, verdict.draws, verdict.losses)
            claim = Claim(verdict.seat, "proved", *numbers, verdict.explorer.symmetric)
            writer.add(claim, (format_position(game, position) for position in verdict.explorer.met()))
