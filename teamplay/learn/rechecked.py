"""Do the reference agents agree with what the compiled engine proved of a learned table?"""

import numpy as np

from teamplay.api.verifying import Verification
from teamplay.engine.layers import Layers
from teamplay.proof.certificate import Certificate, Claim, Header, format_position, game_hash
from teamplay.proof.recheck import recheck
from teamplay.team import Team

FEW_POSITIONS = 3_000  # up to which the reference plays every game again; beyond it answers in a sample
SAMPLE = 200  # positions


def reference_agrees(proof: Verification, text: str) -> None:
    """Let the reference agents play every game again, or on a large board answer in a sample of the positions met."""
    for verdict in proof.verdicts:
        game, explorer = proof.game, verdict.explorer
        met = list(explorer.met())
        if len(met) <= FEW_POSITIONS:
            header = Header(game.spec, game_hash(game.spec), "learned", "all", proof.goal, text.rstrip("\n"))
            numbers = (verdict.positions, verdict.wins, verdict.draws, verdict.losses)
            listed_ = [format_position(game, position) for position in met]
            claim = Claim(verdict.seat, "proved", *numbers, explorer.symmetric, listed_)
            recheck(Certificate(header, (claim,)))
        elif isinstance(explorer, Layers) and isinstance(proof.player, Team):
            sample = [met[int(i)] for i in np.linspace(0, len(met) - 1, SAMPLE)]
            keys = np.array([explorer.key(position) for position in sample], dtype=np.int64)
            for position, chosen in zip(
                (explorer.position(int(key)) for key in keys), explorer.choices(keys), strict=True
            ):
                moves = {(move.cell, game.marks.index(move.mark) + 1) for move in proof.player.moves(position)}
                wanted = {(cell, mark) for cell in game.grid.cells for mark in (1, 2, 3) if chosen[cell] >> mark & 1}
                assert moves == wanted, f"the two engines differ in {position.marks}"
