"""What holds when things go wrong, over a real broker: every row of the table in docs/live.md."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from teamplay.errors import TeamplayError
from teamplay.game import Position
from teamplay.live.host import Host
from teamplay.live.network import Broker
from teamplay.live.private import LOOPBACK, end_process, free_port, start_plain_server
from teamplay.live.team import LiveTeam
from teamplay.luck import Luck
from teamplay.players import Player
from teamplay.team import Team
from teamplay.team.messages import AgentClaim, AreaReport
from tests.everywhere import EVERYWHERE, game_of, rulebook
from tests.live_hosts import PATIENT, Crew, broker, crew, deadline, faults, kinds, live, wait_for

GAME = "mnk(m=5,n=5,k=4)"
BOOK = rulebook("mnk/generic", GAME)
PAGE = (Path(__file__).parents[1] / "docs" / "live.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def to() -> Iterator[Broker]:
    with broker() as found:
        yield found


def same_game(team: LiveTeam, seed: int = 1, hows: set[str] | None = None, moves: int = 99) -> list[str]:
    """Play a game in which every choice equals that of one process; how the choices came about."""
    reference, found = Team(team.book, team.tie_break), []
    players: tuple[Player, Player] = (reference, reference)
    for position in game_of(team.game, players, Luck(seed)):
        if team.game.outcome(position) or len(found) == moves:
            break
        assert team.choose(position, Luck(seed)) == reference.choose(position, Luck(seed))
        assert team.last
        found.append(team.last.how)
    assert set(found) <= (hows or {"complete"}), found
    return found


def start(team: LiveTeam) -> Position:
    return team.game.start


SOME = [pair for pair in EVERYWHERE if pair[0] in ("coins", "letter coins", "some coins", "neighbours", "whole board")]


@pytest.mark.parametrize(("table", "spec"), [*SOME[::3], *EVERYWHERE[::9], ("mnk/generic", "gomoku(n=9)")])
def test_hosts_choose_as_one_process_does(to: Broker, table: str, spec: str) -> None:
    book = rulebook(table, spec)
    with crew(book, to, 3), live(book, to) as team:
        same_game(team)
        # A host that is greeted twice while it joins may answer the first call twice.
        assert kinds(team) <= {"late", "duplicate"}


def test_a_missing_host_is_recomputed(to: Broker) -> None:
    with crew(BOOK, to, 3) as hosts, live(BOOK, to) as team:
        team.choose(start(team), Luck(1))
        hosts.stop("b")
        with deadline(team, "b", times=1):
            same_game(team, hows={"recomputed", "complete"})
        assert faults(team, "missing") == 1, "a host that missed a deadline is not waited for again"


def test_a_host_that_comes_back_is_asked_again(to: Broker) -> None:
    with crew(BOOK, to, 3) as hosts, live(BOOK, to) as team:
        same_game(team, moves=3)
        hosts.stop("b")
        with deadline(team, "b", times=1):
            same_game(team, hows={"recomputed", "complete"}, moves=4)
        hosts.start("b", "2/3")
        wait_for(lambda: "b" not in team.manager.rounds.away)
        same_game(team, moves=6)


def test_a_quorum_goes_on_without_the_missing(to: Broker) -> None:
    terms = PATIENT._replace(quorum=0.6, missing="abort")
    with crew(BOOK, to, 3) as hosts, live(BOOK, to, terms) as team, deadline(team, "c"):
        hosts.hosts["c"].holds_back = lambda: True
        team.choose(start(team), Luck(1))
        assert team.last and team.last.how == "quorum"


def test_without_a_quorum_the_round_is_extended_once(to: Broker) -> None:
    with crew(BOOK, to, 2) as hosts, live(BOOK, to, PATIENT._replace(missing="extend")) as team:
        hosts.hosts["a"].holds_back = lambda: faults(team, "missing") == 0
        with deadline(team, "a", times=1):
            same_game(team, moves=1)
        assert faults(team, "missing") == 1
        hosts.hosts["a"].holds_back = lambda: True
        with deadline(team, "a"), pytest.raises(TeamplayError, match="was aborted"):
            team.choose(team.game.after(start(team), team.game.moves(start(team))[0]), Luck(1))
        assert faults(team, "missing") == 3


def test_without_a_quorum_the_round_is_aborted(to: Broker) -> None:
    with crew(BOOK, to, 2) as hosts, live(BOOK, to, PATIENT._replace(missing="abort")) as team, deadline(team, "b"):
        hosts.hosts["b"].holds_back = lambda: True
        with pytest.raises(TeamplayError, match=r'Round 1 was aborted: too few .* `missing = "abort"`'):
            team.choose(start(team), Luck(1))


def test_late_answers_are_ignored_and_counted(to: Broker) -> None:
    with crew(BOOK, to, 2) as hosts, live(BOOK, to) as team, deadline(team, "b", times=1):
        hosts.hosts["b"].holds_back = lambda: team.manager.rounds.number < 4
        same_game(team, hows={"recomputed", "complete"}, moves=4)
        wait_for(lambda: faults(team, "late") >= 1)


def test_duplicates_are_ignored_and_counted(to: Broker) -> None:
    with crew(BOOK, to, 2) as hosts, live(BOOK, to) as team:
        hosts.hosts["a"].twist = lambda report: [report, report]
        same_game(team)
        assert faults(team, "duplicate") + faults(team, "late") >= 5


def test_answers_of_an_older_manager_are_ignored_and_counted(to: Broker) -> None:
    with crew(BOOK, to, 2) as hosts, live(BOOK, to) as team:
        hosts.hosts["a"].twist = lambda report: [report._replace(epoch=report.epoch - 1), report]
        same_game(team)
        assert faults(team, "older epoch") >= 5


def test_an_epoch_that_no_clock_shows_is_not_followed(to: Broker) -> None:
    with crew(BOOK, to, 2) as hosts, live(BOOK, to) as team:
        hosts.hosts["a"].twist = lambda report: [report._replace(epoch=(1 << 53) - 1), report]
        same_game(team)
        assert faults(team, "impossible epoch") >= 5


def test_the_first_of_two_different_answers_counts_and_is_held_against_the_host(to: Broker) -> None:
    def contradict(report: AreaReport) -> list[AreaReport]:
        return [report, report._replace(claims=[AgentClaim(0, 1, -7)])]

    with crew(BOOK, to, 2) as hosts, live(BOOK, to, PATIENT._replace(holds=False)) as team:
        hosts.hosts["a"].twist = contradict
        # The round stays open until the contradiction was heard.
        hosts.hosts["b"].holds_back = lambda: faults(team, "contradiction") < min(3, team.manager.rounds.number)
        same_game(team, hows={"complete", "recomputed"}, moves=12)
        assert faults(team, "contradiction") == 3
        assert team.manager.rounds.quarantined == {"a"}


def test_a_bad_entry_is_dropped_and_the_rest_counts(to: Broker) -> None:
    def spoil(report: AreaReport) -> list[AreaReport]:
        bad = [
            AgentClaim("0", 1, 0),  # type: ignore[arg-type]
            AgentClaim(0, 1, 0.5),  # type: ignore[arg-type]
            AgentClaim(0, 1, True),
            AgentClaim(24, 1, 0),  # a cell of another host
            AgentClaim(99, 1, 0),
            AgentClaim(0, 99, 0),
            AgentClaim(0, 1, 1 << 60),
            AgentClaim(0, 1, 0, "S"),
        ]
        return [report._replace(claims=[*bad, *report.claims])]

    with crew(BOOK, to, 2) as hosts, live(BOOK, to) as team:
        hosts.hosts["a"].twist = spoil
        rounds = len(same_game(team, moves=5))
        assert faults(team, "bad entry") == 8 * rounds


def test_a_message_that_cannot_be_read_is_counted(to: Broker) -> None:
    with crew(BOOK, to, 2) as hosts, live(BOOK, to) as team:
        same_game(team, moves=1)
        host = hosts.hosts["a"]
        rubbish = [b"", b"{", b"\xff" * 9, b'{"type":"report"}', b'{"type":"hello","v":2}', b"[" * 50_000]
        for data in rubbish:
            hosts.loop.run(host.say(data))
        wait_for(lambda: faults(team, "bad message") == len(rubbish))
        same_game(team, moves=3)


def test_an_answer_about_another_board_is_dropped_and_the_host_brought_up_to_date(to: Broker) -> None:
    with crew(BOOK, to, 2) as hosts, live(BOOK, to) as team:
        same_game(team, moves=2)
        hosts.hosts["a"].misses = 1
        same_game(team, moves=4)
        assert faults(team, "other board") >= 1


def lying(report: AreaReport) -> list[AreaReport]:
    """The host's last agent claims to be the most urgent of all."""
    last = report.claims[-1]
    return [report._replace(claims=[AgentClaim(last.first + last.length - 1, 1, -5)])]


@pytest.mark.parametrize("seed", range(4))
def test_an_urgent_lie_is_found_before_it_wins(to: Broker, seed: int) -> None:
    """The choice is the one without the lie, and ties are broken as if it had not been told."""
    book = rulebook("mnk/generic", "gomoku(n=6)")
    with crew(book, to, 3) as hosts, live(book, to) as team:
        hosts.hosts["b"].twist = lying
        same_game(team, seed, hows={"recomputed", "complete"})
        assert faults(team, "lie") == 1
        assert team.manager.rounds.quarantined == {"b"}


def test_after_a_lie_the_next_answer_is_taken(to: Broker) -> None:
    """Where answers are not recomputed for the missing, the most urgent of the others wins."""
    terms = PATIENT._replace(missing="abort", quorum=0.5)
    with crew(BOOK, to, 3) as hosts, live(BOOK, to, terms) as team:
        hosts.hosts["b"].twist = lying
        move = team.choose(start(team), Luck(1))
        assert team.last and team.last.how == "quorum"
        assert team.manager.rounds.quarantined == {"b"}
        assert not hosts.hosts["b"]._greeting.area[0][0] <= move.cell < sum(hosts.hosts["b"]._greeting.area[0])


def test_a_quiet_lie_is_found_by_audits(to: Broker) -> None:
    def keep_quiet(report: AreaReport) -> list[AreaReport]:
        return [report._replace(claims=[claim._replace(priority=999) for claim in report.claims])]

    with crew(BOOK, to, 3) as hosts, live(BOOK, to, PATIENT._replace(audits=20)) as team:
        hosts.hosts["c"].twist = keep_quiet
        same_game(team, hows={"recomputed", "complete"})
        assert team.manager.rounds.quarantined == {"c"}


def test_where_nobody_answers_the_lowest_cell_is_played_and_it_is_said(to: Broker) -> None:
    with crew(BOOK, to, 2) as hosts, live(BOOK, to, PATIENT._replace(quorum=0.0)) as team, deadline(team, "a", "b"):
        for host in hosts.hosts.values():
            host.holds_back = lambda: True
        position = team.game.after(start(team), team.game.moves(start(team))[0])
        assert team.choose(position, Luck(1)).cell == 1
        assert team.last and team.last.how == "fallback"


def test_a_broker_that_restarts_costs_a_round_and_a_new_epoch() -> None:
    port = free_port()
    server = start_plain_server(port)
    to = Broker(f"nats://{LOOPBACK}:{port}")
    try:
        with crew(BOOK, to, 2), live(BOOK, to) as team:
            same_game(team, moves=3)
            epoch = team.manager.rounds.epoch
            server.kill()
            server.wait()
            server = start_plain_server(port)
            same_game(team, moves=6)
            wait_for(lambda: team.manager.rounds.epoch > epoch)
    finally:
        end_process(server)


def test_a_second_manager_takes_over_and_the_first_can_come_back(to: Broker) -> None:
    with crew(BOOK, to, 2), live(BOOK, to) as one, live(BOOK, to) as other:
        for _ in range(3):
            same_game(one, moves=2)
            same_game(other, moves=2)
        assert faults(one, "newer epoch") >= 1


def test_a_host_with_another_table_or_with_cells_of_another_is_refused(to: Broker) -> None:
    with crew(BOOK, to, 2) as hosts, live(BOOK, to) as team:
        same_game(team, moves=1)
        hosts.start("c", "a1")
        wait_for(lambda: faults(team, "cells of another") == 1)
        other = Crew(rulebook("mnk/generic", GAME), to, 0)
        try:
            host = other.start("d", "a1")
            wait_for(lambda: host._connection is not None)
            host._greeting = host._greeting.__class__(
                v=1, host="d", team=host.team, area=[(0, 1)], table="another", epoch=0
            )
            other.loop.run(host.greet())
            wait_for(lambda: faults(team, "other table") >= 1)
        finally:
            other.close()
        same_game(team, moves=3)
        assert {one.name: one.state for one in team.manager.state().hosts}["c"] == "refused"


def test_many_answers_come_in_parts(to: Broker) -> None:
    with crew(BOOK, to, 2, batch=1), live(BOOK, to) as team:
        same_game(team)


def test_a_change_goes_only_to_hosts_that_can_see_it(to: Broker) -> None:
    book = rulebook("neighbours", "gomoku(n=6)")
    with crew(book, to, 3) as hosts, live(book, to) as team:
        position = start(team)
        team.choose(position, Luck(1))
        before = {name: host.host.hash for name, host in hosts.hosts.items()}
        team.choose(team.game.after(position, team.game.moves(position)[0]), Luck(1))
        after = {name: host.host.hash for name, host in hosts.hosts.items()}
        assert after["a"] != before["a"] and after["c"] == before["c"] == 0
        assert team.asked <= 3, "agents that saw no change are left in peace"


def test_a_late_call_of_an_older_epoch_is_no_answer() -> None:
    """The simulator found this: an answer to an older call looked like a contradiction in the new epoch."""

    class Nobody:
        def clear(self) -> None: ...
        def put(self, cell: int, mark: str) -> None: ...
        def answers(self, call: object) -> tuple[list[AgentClaim], int]:
            return [AgentClaim(0, 1, 1)], 1

    host = Host("a", Nobody())
    host.change(5, True, [])
    assert host.call(4, 9, "0000000000000000", None) == [AreaReport("a", 5, 0, "", ())]


def test_nobody_there_is_an_error_that_says_what_to_do(to: Broker) -> None:
    book = rulebook("mnk/generic", "mnk(m=4,n=3,k=3)")
    with live(book, to, join=0.2) as team, pytest.raises(TeamplayError, match=r"No host .* start one: `teamplay host"):
        team.choose(book.game.start, Luck(1))


def test_every_row_of_the_page_names_a_test_of_this_file() -> None:
    section = PAGE.partition("## What holds when things go wrong")[2].partition("\n## ")[0]
    named = re.findall(r"`(test_\w+)`", section)
    assert len(named) >= 12
    assert set(named) <= set(globals())


def test_no_task_is_left_behind(to: Broker) -> None:
    with crew(BOOK, to, 1), live(BOOK, to) as team:
        same_game(team, moves=1)
        loop = team._loop.loop
    assert loop.is_closed()
    assert not asyncio.all_tasks(loop)
