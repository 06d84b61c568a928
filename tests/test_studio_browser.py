"""The studio as a person uses it: a real browser drives the page, by clicks and keys.

A browser that is installed (Chromium, Chrome, Edge), or Playwright's own, is used. Without one these tests are skipped,
unless the environment says that there must be one (TEAMPLAY_BROWSER_TESTS=required, as .ci/run does).
"""

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from teamplay.cli import main
from teamplay.game_file import load_game
from teamplay.language import load_rulebook
from teamplay.luck import Luck
from teamplay.team.messages import AgentClaim
from tests.studio import MINE, README_BOARD, Running, alive, running

REQUIRED = os.environ.get("TEAMPLAY_BROWSER_TESTS") == "required"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
# No name resolves but this machine's: a request to anybody else fails even if it is not noticed otherwise.
FLAGS = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"]

if REQUIRED:
    from playwright.sync_api import Browser, Page, expect, sync_playwright
else:
    sync_api = pytest.importorskip("playwright.sync_api", reason="the studio's page is tested with Playwright")
    Browser, Page, expect, sync_playwright = (
        sync_api.Browser,
        sync_api.Page,
        sync_api.expect,
        sync_api.sync_playwright,
    )

WAIT = 60_000  # milliseconds; a machine may be busy, and what is there is found at once
expect.set_options(timeout=WAIT)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    path = os.environ.get("TEAMPLAY_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as driver:
        if path is None and not Path(driver.chromium.executable_path).exists():
            message = "No browser is installed, so the studio's page is not tested: install chromium."
            pytest.fail(message) if REQUIRED else pytest.skip(message)
        found = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("page")
    (folder / "mine.team").write_text(MINE)
    (folder / "mine.scene").write_text(SCENES)
    with running(folder, "mine.team") as started:
        yield started


SCENES = """table mine.team

scene "takes the win" in all symmetries
    x x *
    o o .
    . . .
expect 1 by win

scene "prefers the center"
    . . .
    . * .
    . . .
"""


class Visit:
    """A page, and all that went wrong on it."""

    def __init__(self, browser: Browser, studio: Running, **context: Any) -> None:
        self.studio, self.wrong = studio, []  # type: ignore[var-annotated]
        self.context = browser.new_context(**{"viewport": {"width": 1300, "height": 850}, **context})
        self.page = self.context.new_page()
        self.watch(self.page)

    def watch(self, page: Page) -> None:
        page.on("console", lambda said: self.wrong.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("request", lambda asked: self._check(asked.url))
        page.set_default_timeout(WAIT)

    def _check(self, url: str) -> None:
        if not url.startswith((f"http://{self.studio.host}/", "blob:", "data:", "file:")):
            self.wrong.append(f"a foreign request: {url}")

    def open(self, table: str = "mine.team") -> Page:
        self.page.goto(self.studio.address)
        expect(self.cell("a1")).to_be_visible()
        if table != "mine.team":
            self.page.locator(".table-picker select").select_option(table)
            expect(self.page.locator(".cm-content")).not_to_contain_text("n(bx) >= 2 then")
        return self.page

    def cell(self, name: str) -> Any:
        return self.page.locator(f"[data-name={name}]")

    def use(self, name: str, value: str) -> None:
        self.page.locator(f"input[name={name}][value='{value}']").check(force=True)

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).click()

    def write(self, text: str, instead_of: str) -> None:
        """Select a text in the editor by its own search, and type over it."""
        page = self.page
        page.locator(".cm-content").click()
        page.keyboard.press("Control+f")
        page.keyboard.type(instead_of)
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        page.keyboard.type(text)

    def pick(self, table: str) -> None:
        """Open another table, and wait until the page has it."""
        self.page.locator(".table-picker select").select_option(table)
        has_it = "name => JSON.parse(sessionStorage.getItem('teamplay-state') || '{}').name === name"
        self.page.wait_for_function(has_it, arg=table)

    def draw(self, drawing: str) -> None:
        page = self.page
        page.get_by_label("drawing").fill(drawing)
        page.keyboard.press("Enter")
        expect(page.get_by_label("drawing")).to_have_value(drawing)


@pytest.fixture
def visit(browser: Any, studio: Running, request: pytest.FixtureRequest) -> Iterator[Visit]:
    made = Visit(browser, studio, **getattr(request, "param", {}))
    yield made
    made.context.close()
    assert made.wrong == []


def shown(visit: Visit) -> list[str]:
    return visit.page.locator("[role=gridcell]").all_inner_texts()


def test_a_position_drawn_by_clicks_shows_the_readme(visit: Visit) -> None:
    visit.open()
    for mark, cells in (("x", ("a2", "b3")), ("o", ("b1", "c2"))):
        visit.use("tool", mark)
        for name in cells:
            visit.cell(name).click()
    expect(visit.page.get_by_label("drawing")).to_have_value(README_BOARD)
    expect(visit.cell("a3")).to_have_text("[3]")
    assert shown(visit) == ["4", "", "4", "", "4", "", "[3]", "", "4"]
    expect(visit.page.locator(".verdict").first).to_contain_text("the manager takes 7 (a3)")


def test_typing_in_the_table_repaints_the_board_without_saving(visit: Visit) -> None:
    visit.open()
    visit.draw(README_BOARD)
    visit.write("return 9", "return 4")
    expect(visit.cell("a1")).to_have_text("9")
    assert shown(visit) == ["9", "", "9", "", "9", "", "[3]", "", "9"]
    assert "return 4" in (visit.studio.folder / "mine.team").read_text()
    expect(visit.page.locator(".unsaved")).to_be_visible()


def test_nonsense_marks_one_line_and_keeps_the_board(visit: Visit) -> None:
    page = visit.open()
    visit.draw(README_BOARD)
    visit.write("retrun 4", "return 4")
    expect(page.locator(".cm-lint-marker-error")).to_have_count(1)
    expect(page.locator(".problems")).to_contain_text("line 7")
    expect(page.locator(".stale")).to_be_visible()
    assert shown(visit) == ["4", "", "4", "", "4", "", "[3]", "", "4"]
    for _ in range(12):
        page.keyboard.press("Control+z")
    expect(page.locator(".cm-lint-marker-error")).to_have_count(0)
    expect(page.locator(".stale")).to_have_count(0)


def test_a_fix_is_offered_and_works(visit: Visit) -> None:
    page = visit.open()
    visit.write("retrun 4", "return 4")
    expect(page.locator(".cm-lintRange-error")).to_have_count(1)
    page.locator(".cm-lintRange-error").hover()
    page.locator(".cm-diagnosticAction").first.click()
    expect(page.locator(".cm-content")).to_contain_text("return 4")
    expect(page.locator(".cm-lint-marker-error")).to_have_count(0)


def test_a_cell_explains_itself_and_marks_what_it_sees(visit: Visit) -> None:
    page = visit.open()
    visit.draw(README_BOARD)
    visit.cell("a3").click()
    why = page.get_by_label("why", exact=True)
    expect(why.locator(".fired")).to_contain_text("fork")
    expect(why.locator(".fired")).to_contain_text("n(bx)=2")
    expect(why.locator(".miss")).to_contain_text("win")
    expect(page.locator(".cm-answering")).to_contain_text("fork: if n(bx) >= 2 then return 3")
    visit.use("view", "sight")
    expect(page.locator("[role=gridcell].tp-seen")).to_have_count(6)
    seen = page.locator("[role=gridcell].tp-seen").evaluate_all("cells => cells.map(cell => cell.dataset.name)")
    assert seen == ["a1", "c1", "a2", "b2", "b3", "c3"]
    visit.cell("a1").click()
    expect(why).to_contain_text("To be as urgent it would have needed `fork`".replace("`", ""))


def test_a_rule_in_the_editor_marks_its_cells(visit: Visit) -> None:
    page = visit.open()
    visit.draw(README_BOARD)
    page.locator(".cm-line", has_text="fork").click()
    expect(page.locator("[role=gridcell].tp-marked")).to_have_count(1)
    page.locator(".cm-line", has_text="return 4").click()
    expect(page.locator("[role=gridcell].tp-marked")).to_have_count(4)


def test_ties_are_framed_and_the_seed_chooses_among_them(visit: Visit) -> None:
    page = visit.open()
    expect(page.locator("[role=gridcell].tp-best")).to_have_count(9)
    chosen = set()
    for seed in range(6):
        page.locator(".position").get_by_label("seed").fill(str(seed))
        expect(page.locator(".verdict").first).to_contain_text(f"with seed {seed}")
        (now,) = page.locator("[role=gridcell].tp-chosen").evaluate_all("cells => cells.map(cell => cell.dataset.name)")
        chosen.add(now)
    assert len(chosen) > 1


def test_a_drawing_is_pasted_onto_the_board(visit: Visit) -> None:
    page = visit.open()
    paste = """([selector, text]) => {
        const data = new DataTransfer();
        data.setData("text", text);
        const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
        document.querySelector(selector).dispatchEvent(event);
    }"""
    page.evaluate(paste, ["[data-name=a1]", ". o .\nx . o\n. x .\n"])
    expect(visit.cell("a3")).to_have_text("[3]")
    page.evaluate(paste, ["[data-name=a1]", "q"])
    expect(page.locator(".toast")).to_contain_text("`q` is not a mark of tic-tac-toe")
    expect(visit.cell("a3")).to_have_text("[3]")


def test_the_views_say_different_things(visit: Visit) -> None:
    visit.open()
    visit.draw(README_BOARD)
    visit.use("view", "rank")
    expect(visit.cell("a3")).to_have_text("[#1]")
    visit.use("view", "rule")
    expect(visit.cell("a3")).to_contain_text("fork")
    visit.use("view", "ties")
    expect(visit.cell("a1")).to_have_text("")
    assert [text for text in shown(visit) if text] == ["[3]"]


def test_of_two_tables_the_one_that_was_asked_for_last_is_opened(visit: Visit) -> None:
    """However long the answer about the first one takes."""
    page = visit.open()
    held: list[Any] = []
    page.route("**/api/open", lambda route: held.append(route))
    for name in ("tic-tac-toe/figure-6", "tic-tac-toe/figure-15"):
        with page.expect_request("**/api/open"):
            page.locator(".table-picker select").select_option(name)
    for route in reversed(held):
        with page.expect_response("**/api/open"):
            route.continue_()
    page.unroute("**/api/open")
    expect(page.locator(".cm-content")).to_contain_text("Figure 15")
    expect(page.locator(".table-picker select")).to_have_value("tic-tac-toe/figure-15")


def test_boards_of_other_games_are_drawn(visit: Visit) -> None:
    page = visit.open("tic-tac-toe-3d/basic")
    expect(page.get_by_role("grid")).to_have_count(3)
    page.locator(".table-picker select").select_option("mnk/generic")
    expect(page.locator(".cm-content")).to_contain_text("One table for every k")
    page.get_by_label("game", exact=True).select_option("mnk")
    page.get_by_label("m", exact=True).fill("4")
    page.get_by_label("m", exact=True).press("Enter")
    expect(page.get_by_role("gridcell")).to_have_count(20)
    page.locator(".table-picker select").select_option("sos/safe")
    expect(page.locator(".cm-content")).to_contain_text("game sos")
    expect(page.get_by_role("gridcell")).to_have_count(25)
    visit.cell("a1").click()
    page.keyboard.type("s")
    expect(visit.cell("a1")).to_have_text("S")


def test_a_refutation_is_stepped_through_to_its_end(visit: Visit) -> None:
    page = visit.open("tic-tac-toe/figure-15")
    visit.tab("Prove")
    visit.use("prove-seat", "second")
    page.get_by_role("button", name="Verify").click()
    card = page.locator(".verdict-card.refuted")
    expect(card).to_contain_text("a shortest game to show it has 5 moves")
    expect(card.locator(".ply")).to_have_text("0 of 5")
    expect(card.locator(".move-list .guilty")).to_have_count(1)
    for ply in range(1, 6):
        card.get_by_label("next position").click()
        expect(card.locator(".ply")).to_have_text(f"{ply} of 5")
    expect(card.locator(".outcome")).to_contain_text("the first player (x) wins")
    expect(card.locator("[role=gridcell].tp-line")).to_have_count(3)
    expect(card.locator(".blamed")).to_contain_text("To blame is move")
    blamed = int(card.locator(".guilty .ply-number").inner_text().rstrip("."))
    card.locator(".move-list button").nth(blamed - 1).click()
    card.get_by_label("previous position").click()
    expect(card.locator("[role=gridcell].tp-blame")).to_have_count(1)
    expect(card.locator("[role=gridcell].tp-best")).not_to_have_count(0)


def test_a_long_verify_can_be_cancelled_and_leaves_no_process(visit: Visit) -> None:
    page = visit.open("mnk/generic")
    expect(page.get_by_role("gridcell")).to_have_count(25)  # mnk(m=5,n=5,k=4), the table's own
    visit.tab("Prove")
    visit.use("prove-seat", "first")
    page.get_by_role("button", name="Verify").click()
    progress = page.locator(".progress")
    expect(progress).to_contain_text("positions")
    pid = int(progress.get_attribute("data-pid"))
    assert alive(pid)
    progress.get_by_role("button", name="Cancel").click()
    card = page.locator(".verdict-card.undecided")
    expect(card).to_contain_text("Not decided")
    assert int(card.locator("[data-fact=positions]").inner_text().replace(",", "")) > 0
    assert not alive(pid)


def test_a_proof_has_the_numbers_of_the_command(visit: Visit, capsys: pytest.CaptureFixture[str]) -> None:
    page = visit.open("tic-tac-toe/competent")
    visit.tab("Prove")
    page.get_by_role("button", name="Verify").click()
    expect(page.locator(".verdict-card.proved")).to_have_count(2)
    main(["verify", "tic-tac-toe/competent", "--json"])
    for seat, told in json.loads(capsys.readouterr().out)["seats"].items():
        card = page.locator(f".verdict-card[data-seat={seat}]")
        for name, key in (
            ("positions", "positions"),
            ("won ends", "wins"),
            ("drawn ends", "draws"),
            ("lost ends", "losses"),
        ):
            assert card.locator(f"[data-fact='{name}']").inner_text() == f"{told[key]:,}"
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the certificate").click()
    path = visit.studio.folder / "page.certificate"
    download.value.save_as(path)
    assert main(["recheck", str(path)]) == 0


def test_two_tables_are_compared_position_by_position(visit: Visit) -> None:
    page = visit.open("tic-tac-toe/figure-15")
    visit.tab("Prove")
    page.get_by_role("button", name="Compare", exact=True).click()
    compare = page.get_by_role("region", name="compare")
    expect(compare).to_contain_text("differ at tic-tac-toe on")
    expect(compare.locator(".ply")).to_contain_text("difference 1 of")
    compare.get_by_label("next difference").click()
    expect(compare.locator(".ply")).to_contain_text("difference 2 of")
    compare.get_by_role("button", name="Open on the board").click()
    expect(page.get_by_role("tab", name="Board")).to_have_attribute("aria-selected", "true")


def test_scenes_fail_with_a_drawing_and_coverage_shows_in_the_margin(visit: Visit) -> None:
    page = visit.open()
    visit.tab("Test")
    expect(page.locator(".tally")).to_have_text("1 passed, 1 failed")
    failed = page.locator(".scenes li.failed")
    expect(failed).to_contain_text("prefers the center")
    expect(failed.locator(".drawn")).to_contain_text(". . .")
    expect(failed).to_contain_text("expected: 5 (b2)")
    expect(page.locator(".cov-cold")).to_have_count(1)
    expect(page.get_by_label("coverage")).to_contain_text("75% of the rules answered")
    failed.get_by_role("button", name="Open on the board").click()
    expect(page.locator("[role=gridcell].tp-best")).to_have_count(9)


def test_a_position_becomes_a_scene_and_saving_runs_it(visit: Visit) -> None:
    page = visit.open()
    folder = visit.studio.folder
    (folder / "fresh.team").write_text(MINE)
    page.reload()
    visit.pick("fresh.team")
    visit.draw(README_BOARD)
    page.on("dialog", lambda dialog: dialog.accept("the double threat"))
    page.get_by_role("button", name="Make a scene of it").click()
    expect(page.locator(".toast")).to_contain_text("Added to fresh.scene")
    assert 'scene "the double threat" moving first' in (folder / "fresh.scene").read_text()
    visit.tab("Test")
    expect(page.locator(".tally")).to_have_text("1 passed")
    visit.write("if n(bx) >= 3", "if n(bx) >= 2")
    page.keyboard.press("Control+s")
    expect(page.locator(".toast")).to_contain_text("Saved fresh.team")
    assert "n(bx) >= 3" in (folder / "fresh.team").read_text()
    expect(page.locator(".tally")).to_contain_text("1 failed")


def test_a_table_that_changed_on_the_disk_is_asked_about(visit: Visit) -> None:
    page = visit.open()
    file = visit.studio.folder / "shared.team"
    file.write_text(MINE)
    page.reload()
    visit.pick("shared.team")
    visit.write("return 8", "return 4")
    expect(visit.cell("a1")).to_have_text("[8]")
    file.write_text("# another hand\n" + MINE)
    save = page.get_by_role("button", name="Save", exact=True)
    with page.expect_event("dialog") as asked:
        page.once("dialog", lambda dialog: dialog.dismiss())
        save.click()
    assert "changed on the disk" in asked.value.message and "another hand" in file.read_text()
    page.once("dialog", lambda dialog: dialog.accept())
    save.click()
    expect(page.locator(".toast")).to_contain_text("Saved shared.team")
    assert "another hand" not in file.read_text() and "return 8" in file.read_text()


def play_to_the_end(visit: Visit, most: int) -> None:
    """Take the first cell that is open, as a person would, until somebody has won or nobody can."""
    page = visit.page
    for _ in range(most):
        expect(page.locator(".turn")).to_contain_text(re.compile("Your move|The game is over"))
        if "over" in page.locator(".turn").inner_text():
            return
        before = page.locator(".move-list li").count()
        page.locator("[role=gridcell]:not(.tp-taken):not(.tp-closed)").first.click()
        expect(page.locator(".move-list li")).not_to_have_count(before)
    pytest.fail("the game has no end")


@pytest.mark.parametrize("game", ["tic-tac-toe", "sos", "connect-four"])
def test_a_game_against_minimax_with_undo(visit: Visit, game: str) -> None:
    page = visit.open()
    visit.tab("Play")
    form = page.locator(".play .form")
    form.get_by_label("game").select_option(game)
    if game == "sos":
        page.get_by_label("n", exact=True).fill("3")
        page.get_by_label("n", exact=True).press("Enter")
        expect(page.get_by_role("gridcell")).to_have_count(9)
    form.get_by_label("second").select_option("minimax")
    form.get_by_label("depth").fill("4")
    form.get_by_label("depth").press("Enter")
    page.get_by_role("button", name="New game").click()
    expect(page.locator(".turn")).to_contain_text("Your move")
    page.locator("[role=gridcell]:not(.tp-closed)").last.click()
    expect(page.locator(".move-list li")).not_to_have_count(1)
    expect(page.locator(".turn")).to_contain_text("Your move")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".move-list [aria-current=step]")).to_have_text("start")
    expect(page.locator(".turn")).to_contain_text("Your move")
    page.locator("[role=gridcell]:not(.tp-taken):not(.tp-closed)").first.click()
    expect(page.locator(".variation")).not_to_have_count(0)
    play_to_the_end(visit, 45)
    expect(page.locator(".outcome")).to_be_visible()


def test_an_illegal_move_is_explained(visit: Visit) -> None:
    page = visit.open()
    visit.tab("Play")
    page.get_by_role("button", name="New game").click()
    visit.cell("b2").click()
    expect(page.get_by_role("gridcell", name=re.compile("o, last move"))).to_be_visible()
    visit.cell("b2").click()
    expect(page.locator(".wrong")).to_have_text("Cell 5 is taken by x.")
    page.get_by_role("button", name="New game").click()
    expect(page.locator(".move-list li")).to_have_count(1)
    expect(page.locator(".turn")).to_contain_text("Your move")
    page.evaluate("for (const name of ['a1', 'c3']) document.querySelector(`[data-name=${name}]`).click()")
    expect(page.locator(".move-list li")).to_have_count(3)
    assert visit.cell("a1").locator(".tp-x").count() == 1, "the first of two clicks at once is the move"


def test_only_who_can_play_the_game_is_offered(visit: Visit) -> None:
    page = visit.open()
    visit.tab("Play")
    form = page.locator(".play .form")
    form.get_by_label("game").select_option("connect-four")
    expect(form.get_by_label("second")).to_have_value("connect-four/basic")
    offered = form.get_by_label("second").locator("option").all_inner_texts()
    assert "minimax" in offered and "connect-four/careful" in offered
    assert not {"posswin", "gtp", "human", "tic-tac-toe/figure-15", "mine.team (this table)"} & set(offered)


def test_two_players_are_watched_and_hints_shown(visit: Visit) -> None:
    page = visit.open()
    visit.tab("Play")
    form = page.locator(".play .form")
    form.get_by_label("first").select_option("random")
    page.get_by_role("button", name="New game").dblclick()  # the first reply is under way, and void
    expect(page.locator(".outcome")).to_be_visible()
    page.locator(".move-list button", has_text="start").click()
    page.get_by_label("hints").check()
    expect(page.locator("[role=gridcell].tp-best")).to_have_count(9)


def test_a_match_shows_its_games_and_a_replay_its_winner(visit: Visit, capsys: pytest.CaptureFixture[str]) -> None:
    page = visit.open()
    visit.tab("Arena")
    page.get_by_label("games", exact=True).fill("20")
    page.get_by_role("button", name="Play the match").click()
    expect(page.get_by_role("region", name="match")).to_contain_text("Elo of mine.team over random")
    expect(page.locator(".game-list li")).to_have_count(20)
    main(["match", str(visit.studio.folder / "mine.team"), "random", "--games", "20", "--json"])
    told = json.loads(capsys.readouterr().out)
    for key in ("wins", "draws", "losses"):
        assert page.locator(f"[data-count={key}]").inner_text() == str(told[key])
    page.locator(".game-list button", has_text="1–0").first.click()
    recorded = page.get_by_label("recorded game")
    expect(recorded.locator(".winner")).to_contain_text("wins: 3 in a row")
    recorded.get_by_label("last position").click()
    expect(recorded.locator(".outcome")).to_contain_text("the first player (x) wins")
    page.locator(".game-list button", has_text="0–1").first.click()  # another game begins at its start
    expect(recorded.locator(".ply")).to_contain_text("0 of")
    expect(page.locator(".toast")).to_have_count(0)


def test_records_and_results_of_the_folder_are_opened(visit: Visit, capsys: pytest.CaptureFixture[str]) -> None:
    folder = visit.studio.folder
    main(
        ["match", "tic-tac-toe/competent", "random", "--games", "4", "--record", str(folder / "games.jsonl"), "--json"]
    )
    main(
        [
            "tournament",
            "random",
            "tic-tac-toe/competent",
            "--games",
            "10",
            "--results",
            str(folder / "t.results"),
            "--json",
        ]
    )
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    page = visit.open()
    visit.tab("Arena")
    visit.tab("Results and records")
    page.get_by_label("file", exact=True).select_option("t.results")
    best = page.locator(".crosstable tbody tr").first
    expect(best).to_have_attribute("data-player", told["players"][0]["player"])
    page.get_by_label("file", exact=True).select_option("games.jsonl")
    expect(page.locator(".game-list li")).to_have_count(4)
    page.locator(".game-list button").first.click()
    winner = json.loads((folder / "games.jsonl").read_text().splitlines()[0])["winner"]
    expect(page.locator(".winner")).to_contain_text(f"({winner}) wins" if winner else "A draw")


def test_a_tournament_ends_with_the_table_of_the_command(visit: Visit, capsys: pytest.CaptureFixture[str]) -> None:
    page = visit.open("tic-tac-toe/figure-15")
    visit.tab("Arena")
    visit.tab("Tournament")
    page.get_by_label("games", exact=True).fill("30")
    page.get_by_role("button", name="Play the tournament").click()
    expect(page.locator(".crosstable caption")).to_contain_text("90 played")
    expect(page.locator(".crosstable caption")).not_to_contain_text("so far")
    players = ["tic-tac-toe/figure-15", "tic-tac-toe/competent", "random"]
    results = str(visit.studio.folder / "same.results")
    main(["tournament", *players, "--games", "30", "--results", results, "--json"])
    told = json.loads(capsys.readouterr().out)
    rows = page.locator(".crosstable tbody tr")
    assert rows.count() == 3
    for place, player in enumerate(told["players"]):
        row = rows.nth(place)
        assert row.get_attribute("data-player") == player["player"]
        assert row.locator("[data-elo]").inner_text() == f"{round(player['elo']['value']):+d}".replace("-", "−")
        points = f"{player['points']:g}".replace(".5", "½")
        assert row.locator("[data-points]").inner_text() == f"{points}/{player['games']}"


def test_the_keyboard_is_enough(visit: Visit) -> None:
    page = visit.open()
    page.keyboard.press("Escape")
    stops = []
    for _ in range(60):
        page.keyboard.press("Tab")
        role = page.evaluate("document.activeElement.getAttribute('role') || document.activeElement.tagName")
        stops.append(role)
        if role == "gridcell":
            break
        if "cm-content" in str(page.evaluate("document.activeElement.className")):
            page.keyboard.press("Escape")  # leaves the editor, where Tab is for the text
    assert stops[-1] == "gridcell" and stops.count("gridcell") == 1
    for keys in (
        "ArrowDown",
        "x",
        "ArrowDown",
        "ArrowRight",
        "x",
        "ArrowUp",
        "ArrowRight",
        "o",
        "ArrowUp",
        "ArrowLeft",
        "o",
    ):
        page.keyboard.press(keys)
    expect(visit.cell("a3")).to_have_text("[3]")
    expect(visit.cell("b1")).to_be_focused()
    page.keyboard.press("Home")
    expect(visit.cell("a1")).to_be_focused()
    for keys in ("ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(keys)
    expect(visit.cell("a3")).to_be_focused()
    expect(visit.cell("a3")).to_have_attribute("aria-selected", "true")
    expect(visit.cell("a3")).to_have_attribute(
        "aria-label", re.compile("^a3, blank, priority 3, by fork, the most urgent")
    )
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('role')") != "gridcell", "the board is one tab stop"


VIEWS = ["Board", "Test", "Prove", "Play", "Arena"]


@pytest.mark.parametrize("visit", [{"viewport": {"width": 360, "height": 740}}], indirect=True)
def test_nothing_scrolls_sideways_on_a_phone(visit: Visit) -> None:
    page = visit.open()
    wide = "document.documentElement.scrollWidth"
    for name in [*VIEWS, "Tournament", "Results and records"]:
        visit.tab(name)
        expect(page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")
        assert page.evaluate(wide) <= 360, name
    visit.tab("Board")
    page.locator("#share summary").click()
    menu = page.locator(".menu-body").bounding_box()
    assert menu["x"] >= 0 and menu["x"] + menu["width"] <= 360
    page.keyboard.press("Escape")
    for table, cell in (("sos/safe", "d4"), ("mnk/generic", "e5"), ("tic-tac-toe-3d/basic", "2,2,2")):
        visit.pick(table)
        page.locator(f"[data-name='{cell}']").click()
        expect(page.locator(".why h2")).to_contain_text(f"({cell})")
        assert page.evaluate(wide) <= 360, table


@pytest.mark.parametrize("visit", [{"color_scheme": "dark"}], indirect=True)
def test_the_dark_scheme_is_followed_and_can_be_changed(visit: Visit) -> None:
    page = visit.open()
    paper = "getComputedStyle(document.body).backgroundColor"
    heat = "getComputedStyle(document.querySelector('[role=gridcell].tp-tier-0')).backgroundColor"
    page.emulate_media(reduced_motion="reduce", color_scheme="dark")
    assert (page.evaluate(paper), page.evaluate(heat)) == ("rgb(19, 20, 23)", "rgb(255, 196, 107)")
    page.get_by_label("colours").click()
    assert (page.evaluate(paper), page.evaluate(heat)) == ("rgb(246, 244, 239)", "rgb(179, 88, 6)")


def test_a_link_holds_the_table_and_the_board(visit: Visit) -> None:
    page = visit.open()
    visit.draw(README_BOARD)
    visit.write("return 7", "return 4")
    expect(visit.cell("a1")).to_have_text("7")
    page.locator("#share summary").click()
    page.get_by_role("button", name="Copy the command line").click()
    expect(page.get_by_label("copied")).to_have_value(f"teamplay show mine.team --board {README_BOARD}")
    page.get_by_role("button", name="Copy a link").click()
    expect(page.get_by_label("copied")).to_have_value(re.compile("#state="))
    link = page.get_by_label("copied").input_value()
    other = visit.context.new_page()
    visit.watch(other)
    other.goto(link)
    expect(other.locator("[data-name=a1]")).to_have_text("7")
    expect(other.locator("[data-name=a3]")).to_have_text("[3]")
    assert visit.studio.token not in other.url + link


def test_an_exported_file_needs_nothing_else(visit: Visit) -> None:
    page = visit.open("tic-tac-toe/figure-15")
    visit.tab("Prove")
    visit.use("prove-seat", "second")
    page.get_by_role("button", name="Verify").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as HTML").click()
    path = visit.studio.folder / "game.html"
    download.value.save_as(path)
    page.close()  # it would go on asking for a live team
    visit.context.set_offline(True)
    alone = visit.context.new_page()
    visit.watch(alone)
    alone.goto(path.as_uri())
    expect(alone.get_by_role("gridcell")).to_have_count(9)
    alone.get_by_label("last position").click()
    expect(alone.locator(".tp-said")).to_contain_text("the first player (x) wins")
    expect(alone.locator(".tp-guilty")).to_contain_text("to blame")


def test_a_refresh_loses_nothing(visit: Visit) -> None:
    page = visit.open()
    visit.draw(README_BOARD)
    visit.use("view", "rule")
    visit.write("return 6", "return 4")
    expect(visit.cell("a1")).to_contain_text("6")
    page.reload()
    expect(visit.cell("a3")).to_contain_text("fork")
    expect(page.locator(".cm-content")).to_contain_text("return 6")
    expect(page.locator(".unsaved")).to_be_visible()


def test_hover_completion_and_folding(visit: Visit) -> None:
    page = visit.open()
    page.locator(".cm-line", has_text="fork").locator(".tk-function").hover()
    expect(page.locator(".hint")).to_contain_text("lines of 3 cells through my cell")
    page.locator(".cm-line", has_text="return 4").click()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type("ret")
    expect(page.locator(".cm-tooltip-autocomplete")).to_contain_text("return")
    page.keyboard.press("Escape")
    page.locator(".cm-foldGutter span[title='Fold line']").first.click()
    expect(page.locator(".cm-foldPlaceholder")).to_be_visible()


def test_without_the_token_the_page_says_what_to_do(visit: Visit) -> None:
    visit.page.goto(f"http://{visit.studio.host}/")
    expect(visit.page.locator(".failed-start")).to_contain_text("open the address that `teamplay studio` printed")
    visit.wrong.clear()  # the browser reports the refusal as an error of the network


def test_a_new_table_is_named_when_it_is_saved(visit: Visit) -> None:
    page = visit.open()
    page.get_by_role("button", name="New", exact=True).click()
    expect(page.locator(".cm-content")).to_contain_text("game tic-tac-toe")
    expect(visit.cell("a1")).to_have_text("[1]")
    page.once("dialog", lambda dialog: dialog.accept("fine"))
    page.get_by_role("button", name="Save as").click()
    expect(page.locator(".toast")).to_contain_text("Saved fine.team")
    assert "return 1" in (visit.studio.folder / "fine.team").read_text()


def test_a_live_team_is_shown_with_its_hosts_and_their_faults(browser: Any, tmp_path: Path) -> None:
    """Real hosts at a real broker; one of them lies, and is quarantined."""
    hosts_of = pytest.importorskip("tests.live_hosts", reason="live agents need teamplay[live]")
    book = load_rulebook("mnk/generic", load_game("mnk(m=4,n=3,k=3)"))
    with hosts_of.broker() as to, hosts_of.crew(book, to, 2) as crew, hosts_of.live(book, to) as team:
        crew.hosts["b"].twist = lambda report: [report._replace(claims=[AgentClaim(11, 1, -9)])]
        team.choose(book.game.start, Luck(0))
        with running(tmp_path, "--live", to.url) as studio:
            visit = Visit(browser, studio)
            page = visit.open()
            visit.tab("Live")
            shown = page.get_by_role("region", name="team mnk-generic_mnk-m-4-n-3-k-3")
            expect(shown.locator("[data-fact='cells seated']")).to_have_text("12 of 12")
            expect(shown.locator("tr[data-host=a]")).to_contain_text("1–6")
            expect(shown.locator("tr[data-host=a]")).to_contain_text(re.compile(r"here\s*\d+\.\d ms\s*none"))
            expect(shown.locator("tr[data-host=b]")).to_contain_text("quarantined")
            expect(shown.locator("tr[data-host=b]")).to_contain_text("1 lie")
            expect(shown.get_by_role("gridcell", name="d3, blank, b")).to_be_visible()
            crew.stop("a")
            expect(shown.locator("tr[data-host=a]")).to_contain_text("gone")
            visit.context.close()
            assert visit.wrong == []
