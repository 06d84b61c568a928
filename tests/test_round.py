"""One round of the manager, event by event: whom it asks, what it makes of answers, and how it ends."""

from collections.abc import Sequence
from random import Random

import pytest

from teamplay.team.messages import AgentClaim, AreaReport, Call, Cells, Choice, Sync
from teamplay.team.round import FARTHEST, MOST_REPEATS, Rounds, Terms

HERE = {"a": Cells([0, 1, 2]), "b": Cells([3, 4, 5])}
TRUTH = {0: 3, 1: 3, 2: 5, 3: 4, 4: 2, 5: 2}


def recompute(cells: Sequence[int]) -> list[AgentClaim]:
    best = min(TRUTH[cell] for cell in cells)
    return [AgentClaim(cell, 1, best) for cell in sorted(cells) if TRUTH[cell] == best]


def rounds(knows: bool = True, **terms: object) -> Rounds[str]:
    return Rounds(Terms(tie_break="first", **terms), recompute if knows else None)  # type: ignore[arg-type]


def opened(made: Rounds[str], now: float = 0.0) -> list[object]:
    return list(made.begin(HERE, {"a": "h", "b": "h"}, Random(1), Random(1), now))


def said(name: str, *claims: AgentClaim, number: int = 1, hash: str = "h") -> AreaReport:
    return AreaReport(name, 1, number, hash, claims or recompute(sorted(HERE[name])), 3)


def test_everybody_is_called_and_the_most_urgent_answer_wins() -> None:
    made = rounds()
    assert [call.to for call in opened(made) if isinstance(call, Call)] == ["a", "b"]
    assert made.hear(said("a")) == []
    (choice,) = made.hear(said("b"))
    assert isinstance(choice, Choice) and choice.said
    assert (choice.said.sender, choice.said.priority, choice.how) == (4, 2, "complete")
    assert made.asked == 6 and made.due == float("inf")


def test_the_order_of_arrival_changes_nothing() -> None:
    choices = set()
    for order in ("ab", "ba"):
        made = rounds()
        opened(made)
        for name in order:
            made.hear(said(name))
        choices.add(made.choice)
    assert len(choices) == 1


def test_at_the_deadline_the_missing_are_recomputed() -> None:
    made = rounds(deadline=2.0)
    opened(made, now=10.0)
    made.hear(said("a"), 11.0)
    assert made.tick(11.9) == [] and made.due == 12.0
    made.tick(12.0)
    assert made.choice and made.choice.said and (made.choice.said.sender, made.choice.how) == (4, "recomputed")
    assert made.away == {"b"}
    opened(made, now=13.0)
    made.hear(said("a", number=2), 13.1)
    assert made.choice and made.choice.number == 2, "who missed a deadline is not waited for again"
    made.hear(said("b", number=2), 13.2)
    assert made.away == set()


def test_nobody_can_be_missed_where_nothing_is_recomputed() -> None:
    made = rounds(knows=False, missing="abort")
    opened(made)
    made.hear(said("a"))
    made.tick(2.0)
    assert made.choice == Choice(None, "aborted", 1)


@pytest.mark.parametrize(("quorum", "how"), [(0.5, "quorum"), (0.51, "recomputed")])
def test_a_quorum_counts_agents(quorum: float, how: str) -> None:
    made = rounds(quorum=quorum)
    opened(made)
    made.hear(said("a"))
    made.tick(2.0)
    assert made.choice and made.choice.how == how


def test_an_extension_calls_again_and_ends() -> None:
    made = rounds(missing="extend")
    opened(made)
    made.hear(said("a"))
    (call,) = made.tick(2.0)
    assert isinstance(call, Call) and call.to == "b" and made.due == 4.0
    made.tick(4.0)
    assert made.choice and made.choice.how == "aborted"


def test_another_board_brings_a_sync_and_a_call() -> None:
    made = rounds()
    opened(made)
    sync, call = made.hear(said("b", hash="other"))
    assert sync == Sync("b") and isinstance(call, Call)
    assert made.faults["b", "other board"] == 1


def test_an_urgent_lie_is_recomputed_and_its_host_quarantined() -> None:
    made = rounds()
    opened(made)
    made.hear(said("a", AgentClaim(2, 1, 1)))
    made.hear(said("b"))
    assert made.choice and made.choice.said and (made.choice.said.sender, made.choice.how) == (4, "recomputed")
    assert made.quarantined == {"a"}
    assert [call.to for call in opened(made) if isinstance(call, Call)] == ["b"]


def test_a_lie_found_by_the_winner_check_and_by_an_audit_counts_once() -> None:
    made = rounds(audits=20)
    opened(made)
    made.hear(said("a", AgentClaim(2, 1, 1)))
    made.hear(said("b"))
    assert made.faults["a", "lie"] == 1


def test_a_new_epoch_repeats_the_round_a_few_times() -> None:
    made = rounds()
    opened(made)
    made.hear(said("a"))
    for repeat in range(MOST_REPEATS):
        assert len(made.renew(1.0)) == 4, "everybody is brought up to date and called"
        assert (made.epoch, made.number) == (2 + repeat, 1)
    assert made.renew(1.0) == [] and made.epoch == 1 + MOST_REPEATS
    made.hear(said("a"))
    assert made.faults["a", "older epoch"] == 1


def test_an_answer_holds_until_its_member_sees_a_change() -> None:
    made = rounds(holds=True)
    opened(made)
    made.hear(said("a"))
    made.hear(said("b"))
    assert [type(message) for message in opened(made)] == [Choice], "both answers still hold"
    made.affected("b")
    assert [call.to for call in opened(made) if isinstance(call, Call)] == ["b"]


def test_cells_that_nobody_seats_are_recomputed_at_once() -> None:
    made = rounds()
    made.begin({"a": HERE["a"], None: HERE["b"]}, {"a": "h"}, Random(1), Random(1))  # type: ignore[dict-item]
    made.hear(said("a"))
    assert made.choice and made.choice.said and (made.choice.said.sender, made.choice.how) == (4, "recomputed")


def test_many_claims_take_no_quadratic_time() -> None:
    """A host may send a million entries; whether two speak of one agent is found without comparing all with all."""
    made: Rounds[str] = Rounds(Terms(tie_break="first"))
    many = 20_000
    made.begin({"a": Cells(range(many))}, {"a": ""}, Random(1), Random(1))
    claims = [AgentClaim(cell, 1, 7) for cell in range(many)]
    made.hear(AreaReport("a", 1, 1, "", [*claims, AgentClaim(5, 2, 1)], many))
    assert made.choice and made.choice.said and made.choice.said.sender == 0
    assert made.faults["a", "contradiction"] == 1


def test_a_round_that_is_repeated_is_still_extended_only_once() -> None:
    """Found by a long simulation: with a new extension after every repeat a round lasted more than six deadlines."""
    made = rounds(missing="extend", deadline=1.0)
    opened(made)
    assert [call.to for call in made.tick(1.0) if isinstance(call, Call)] == ["a", "b"]
    made.renew(1.5)
    made.tick(made.due)
    assert made.choice == Choice(None, "aborted", 1)


def test_epochs_cannot_be_used_up() -> None:
    """Else one message of one host could use up all epochs, and no other host could be asked again."""
    made = rounds()
    opened(made)
    assert made.hear(said("a")._replace(epoch=1 << 52)) == []
    assert made.epoch == 1 and made.faults["a", "impossible epoch"] == 1
    made.hear(said("a")._replace(epoch=FARTHEST))
    assert made.epoch == FARTHEST + 1
