"""Replays in a real browser: what stands on the table is what the referee had, whoever looks."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from arena.pages.replay_data import ReplayData
from arena.pages.replay_page import data_page, loading_page
from plugins.test_page import example
from plugins.test_plugins import Site
from records.recorded import games

from .browsers import PATIENCE
from .recorded_pages import Recorded, ReplayFile, noting, play, program
from .referee_tables import tables
from .shut_out import SERIOUS, shut_out
from .test_replay_page import HOSTILE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.source_only

LAST = """
from arena_sdk import run

def choose(question):
    question.note = "took the last"
    return len(question.actions) - 1

run(choose, name="last")
"""
ROOT = Path(__file__).parents[2]
WIDE, NARROW = (1600, 900), (360, 780)
BOTS = {
    "gargon": ["gargon-majority", "gargon-backs", "random", "gargon-hand", "random"],
    "castors": ["castors-odds", "random", "castors-hasty", "castors-reference", "random", "random"],
}
ONE_SIZE = [("gargon", 4), ("castors", 3)]
OTHER_SIZES = [
    pytest.param(game, seats, marks=pytest.mark.wide)
    for game, few, many in (("gargon", 3, 5), ("castors", 2, 6))
    for seats in range(few, many + 1)
    if (game, seats) not in ONE_SIZE
]

# Steps through all of the game with the button that a reader presses, and reads the table.
READ_ALL = """
() => {
  const text = (found) => found ? found.textContent : "";
  const cards = (zone) => [...zone.querySelectorAll(".card")]
    .filter((card) => !card.matches(".won, .lost"))
    .map((card) => {
      const foot = card.parentElement.matches(".footed") ? text(card.nextElementSibling) : null;
      return foot === null ? card.title : [card.title, foot];
    });
  const cell = (whole) => text(whole.querySelector("b")) === "?" ? "hidden"
    : whole.matches(".none") ? "none" : text(whole.children[1]).replace("cards", "card");
  const read = () => {
    const table = {};
    document.querySelectorAll(".seat-row").forEach((row, seat) => {
      table[`${seat} points`] = text(row.querySelector(".points"));
    });
    for (const zone of document.querySelectorAll("[data-zone]"))
      table[zone.dataset.zone] = zone.matches(".cells")
        ? [...zone.querySelectorAll(".cell")].map(cell) : cards(zone);
    return table;
  };
  const found = [];
  document.getElementById("start").click();
  const last = Number(document.getElementById("slider").max);
  for (let step = 0; step <= last; step++) {
    found.push(read());
    document.getElementById("next").click();
  }
  return found;
}
"""
TOPS = """
() => [...document.querySelectorAll(".seat-row, .shared, #time")]
  .map((part) => Math.round(part.getBoundingClientRect().top))
"""


# Puts a script into the page, and returns the rule that kept it from running.
SMUGGLE = """
() => new Promise((done) => {
  addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
  const made = document.createElement("script");
  made.textContent = "window.stolen = 1";
  document.body.append(made);
})
"""


@contextmanager
def opened(
    browser: Browser,
    file: ReplayFile,
    link: str = "",
    *,
    size: tuple[int, int] = WIDE,
    dark: bool = False,
    script: bool = True,
) -> Iterator[Page]:
    """The page in a window; an error in its console or a question of its script is a failure."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        java_script_enabled=script,
        offline=True,
    )
    wrong: list[str] = []
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.goto(file.url(link))
    yield page
    context.close()
    assert wrong == []


@pytest.fixture(scope="module")
def gargon(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """A game of Gargon in which a bot crashes."""
    folder = tmp_path_factory.mktemp("gargon")
    return play(folder, "gargon", noting(folder, fails_at=9), "gargon-backs", "gargon-hand")


def look_as(page: Page, viewer: int) -> None:
    """Choose who looks: 0 is everybody, then come the seats."""
    page.select_option("#seen", str(viewer))


@pytest.mark.parametrize(("game", "seats"), [*ONE_SIZE, *OTHER_SIZES])
def test_the_table_is_the_referees(browser: Browser, tmp_path: Path, game: str, seats: int) -> None:
    """At every step and for everybody who looks, each zone has the cards that lay there."""
    played = play(tmp_path, game, *BOTS[game][:seats], seed=seats)
    wanted = tables(played.record, games()[game])
    with opened(browser, played.page()) as page:
        for viewer in range(seats + 1):
            look_as(page, viewer)
            shown = page.evaluate(READ_ALL)
            assert len(shown) == len(wanted)
            for step, (here, there) in enumerate(zip(shown, wanted, strict=True)):
                found = unordered(here) if game == "gargon" else here
                assert found == there[viewer], f"step {step}, viewer {viewer}"


def unordered(table: dict[str, Any]) -> dict[str, Any]:
    """A table of Gargon without the order in which a page shows what has none."""
    return {
        zone: found if zone in ("shared.0", "shared.1") or isinstance(found, str) else sorted(found)
        for zone, found in table.items()
        if not zone.endswith(".2") or zone == "shared.2"
    } | {zone: found for zone, found in table.items() if re.fullmatch(r"\d\.2", zone)}


def test_a_page_for_a_seat_shows_what_the_seat_saw(browser: Browser, gargon: Recorded) -> None:
    """A file that holds one seat's view alone draws the same table as the whole one."""
    seat = 1
    wanted = tables(gargon.record, games()["gargon"])
    with opened(browser, gargon.page("--seat", str(seat))) as page:
        assert page.locator("#seen option").count() == 1
        shown = page.evaluate(READ_ALL)
        assert list(map(unordered, shown)) == [there[seat + 1] for there in wanted]


def now(page: Page) -> int:
    """The step that is shown."""
    return int(page.locator("#slider").input_value())


def until(page: Page, step: int, *, back: bool = False) -> None:
    """Wait until the page has come to a step, however long that takes."""
    while now(page) > step if back else now(page) < step:
        page.wait_for_timeout(20)


def test_everything_can_be_reached_by_keyboard(browser: Browser, gargon: Recorded) -> None:
    """Steps, rounds, choices, faults, seats, playing and the keys themselves need no pointer."""
    file = gargon.page()
    steps = file.data["steps"]
    last = len(steps) - 1
    faults = [at for at, step in enumerate(steps) if "faults" in step]
    choices = [at for at, step in enumerate(steps) if step.get("s") == 1 and "d" in step]
    rounds = [at for at, step in enumerate(steps) if at and step["p"] != steps[at - 1]["p"]]
    with opened(browser, file) as page:
        press = page.keyboard.press
        for key, step in (
            ("ArrowRight", 1),
            ("ArrowRight", 2),
            ("ArrowLeft", 1),
            ("Shift+ArrowRight", rounds[0]),
            ("Shift+ArrowRight", rounds[1]),
            ("Shift+ArrowLeft", rounds[0]),
            ("End", last),
            ("ArrowRight", last),
            ("Home", 0),
            ("f", faults[0]),
            ("Home", 0),
        ):
            press(key)
            assert now(page) == step, key
        press("1")
        assert page.locator("#seen").input_value() == "2"
        press("c")
        press("c")
        assert now(page) == choices[1]
        press("Shift+C")
        assert now(page) == choices[0]
        press("a")
        assert page.locator("#seen").input_value() == "0"
        assert page.locator("#help").is_hidden()
        press("?")
        assert page.locator("#help").is_visible()
        page.select_option("#speed", "120")
        press("End")
        for _ in range(5):
            press("ArrowLeft")
        page.locator("#play").focus()
        press("Enter")
        until(page, last)
        assert page.get_by_role("button", name="Play").count() == 1
        page.locator("#decision").fill("5")
        press("Enter")
        assert now(page) == next(at for at, step in enumerate(steps) if step.get("d") == 5)


def test_a_link_leads_to_a_step_and_a_seat(browser: Browser, gargon: Recorded) -> None:
    """Whoever is sent a link sees what its sender saw, and the address follows the reader."""
    with opened(browser, gargon.page(), "step=7&seat=2") as page:
        assert (now(page), page.locator("#seen").input_value()) == (7, "3")
        page.keyboard.press("ArrowRight")
        assert page.url.endswith("#step=8&seat=2")
        page.evaluate("location.hash = 'step=3'")
        until(page, 3, back=True)


def test_readers_of_the_screen_are_told_each_step(browser: Browser, gargon: Recorded) -> None:
    """One polite status says what happened, without what a seat did not see; not while playing."""
    with opened(browser, gargon.page(), "step=1") as page:
        status = page.locator("[role=status]")
        everybody = status.text_content() or ""
        assert re.match(r"Step 1: seat 0 plays ", everybody)
        page.keyboard.press("1")
        hidden = status.text_content() or ""
        assert re.search(r"plays \d (white|blue|violet|red|yellow|green)", hidden)
        page.locator("#words summary").click()
        words = page.locator("#words").text_content() or ""
        assert "a " in words
        assert "hidden points" in words
        page.keyboard.press("a")
        page.select_option("#speed", "120")
        before = status.text_content()
        page.locator("#play").click()
        until(page, 4)
        assert status.text_content() == before
        page.locator("#play").click()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("game", ["gargon", "castors"])
def test_nobody_is_shut_out(
    browser: Browser, axe: str, tmp_path: Path, game: str, size: tuple[int, int], dark: bool
) -> None:
    """axe-core finds nothing serious, nothing is wider than the window, and nothing moves."""
    file = play(tmp_path, game, *BOTS[game][:4], seed=5).page()
    last = len(file.data["steps"]) - 1
    with opened(browser, file, size=size, dark=dark) as page:
        page.add_init_script(axe)
        page.reload()
        page.locator("#words summary").click()
        tops = set()
        for step in range(0, last + 1, max(1, last // 12)):
            page.evaluate(f"location.hash = 'step={step}'")
            until(page, step)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.evaluate("scrollTo(0, 0)")
            tops.add(tuple(page.evaluate(TOPS)))
        assert len(tops) == 1
        assert shut_out(page, SERIOUS) == []


def test_hostile_words_do_nothing(browser: Browser, tmp_path: Path) -> None:
    """Notes and output of a bot that attacks its readers are shown, and nothing else happens."""
    bots = ["gargon-backs", program(tmp_path, HOSTILE, "hostile"), "random"]
    file = play(tmp_path, "gargon", *bots).page()
    with opened(browser, file) as page:
        page.keyboard.press("f")
        page.locator(".fault details", has_text="stderr").locator("summary").click()
        assert "yyyy" in (page.locator(".fault pre").all_text_contents()[1])
        assert "<script>stolen=1</script>" in (page.locator("#story").text_content() or "")
        assert page.evaluate("typeof stolen") == "undefined"
        assert page.locator("script").count() == 2
        assert page.evaluate("document.querySelectorAll('img, b[onclick], i[onclick]').length") == 0


def test_no_other_script_can_run(browser: Browser, gargon: Recorded) -> None:
    """The browser holds a page to its policy: a script that gets in all the same is refused."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(gargon.page().url())
    assert page.evaluate(SMUGGLE) == "script-src-elem"
    assert page.evaluate("typeof stolen") == "undefined"
    page.close()


def test_the_story_can_be_read_without_script(browser: Browser, gargon: Recorded) -> None:
    """Whoever runs no script sees the result and all that happened."""
    with opened(browser, gargon.page(), script=False) as page:
        assert page.locator("#plain").is_visible()
        assert page.locator("#app").is_hidden()
        text = page.locator("#plain").inner_text()
        assert "The game ends" in text or "the game ends" in text


def test_one_page_shows_many_games(browser: Browser, gargon: Recorded, tmp_path: Path) -> None:
    """One page loads the game that its address names, and says if there is none."""
    rules = games()["gargon"]
    viewers = [None, *range(gargon.record.seats)]
    data = ReplayData(gargon.record, rules, viewers, gargon.times).as_map()
    (tmp_path / "replay.html").write_text(loading_page(rules, "data/"), "utf-8")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "12.html").write_text(data_page(data, "../replay.html?game=12"), "utf-8")
    handler = partial(Quiet, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/replay.html"
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(f"{address}?game=12#step=5")
        page.locator("#app").wait_for()
        loaded = page.evaluate(READ_ALL)
        page.goto(f"{address}?game=12&again#decision=5")
        page.locator("#app").wait_for()
        assert page.locator("#decision").input_value() == "5"
        page.goto(f"{address}?game=13")
        page.locator("#plain.failed").wait_for()
        assert "There is no game 13 here" in page.locator("#plain").inner_text()
        page.close()
        server.shutdown()
    with opened(browser, gargon.page()) as page:
        assert page.evaluate(READ_ALL) == loaded


class Quiet(SimpleHTTPRequestHandler):
    """A web server that prints nothing."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as its base has it
        """Say nothing."""


def test_a_page_works_within_another(browser: Browser, gargon: Recorded, tmp_path: Path) -> None:
    """In a frame that has no address of its own a replay plays as well."""
    frame = ReplayFile(tmp_path / "frame.html")
    source = gargon.page().path.as_uri()
    frame.path.write_text(f'<iframe sandbox="allow-scripts" src="{source}"></iframe>')
    with opened(browser, frame) as page:
        inner = page.frame_locator("iframe")
        inner.locator("#end").click()
        assert "the game ends" in (inner.locator("#said").text_content() or "")


def test_a_game_of_a_plugin_can_be_followed(browser: Browser, tmp_path: Path) -> None:
    """A game without a table of its own is told by its events, its views and their schemas."""
    site = Site(tmp_path)
    site.install("example", example("arena_games"))
    log, page_file = tmp_path / "games.jsonl", tmp_path / "page.html"
    bot = program(tmp_path, LAST, "last")
    played = site.run("play", "highest", *[bot] * 3, "--games", "1", "--record", str(log), "--json")
    assert played.code == 0, played.err
    made = site.run("replay", "html", str(log), "--output", str(page_file))
    assert made.code == 0, made.err
    scores = played.json and ReplayFile(page_file).data["seats"]
    with opened(browser, ReplayFile(page_file)) as page:
        said = page.locator("#said")
        assert "The game begins" in (said.inner_text() or "")
        for seat in range(3):
            page.keyboard.press("ArrowRight")
            text = said.inner_text()
            assert "swapped yes" in text
            assert "A seat has chosen; only itself sees its card." in text
            assert "took the last" in text
            changed = page.locator(".facts tr.new")
            assert changed.count() == 1
            assert f"seat {seat}: card" in changed.inner_text()
            assert "was " in changed.inner_text()
            assert "A card; the highest wins." in changed.inner_text()
        points = page.locator(".seat-row .points").all_inner_texts()
        assert points == [str(seat["points"]) for seat in scores]
        page.keyboard.press("1")
        assert page.locator(".facts tr").count() == 1
        page.keyboard.press("Home")
        assert page.locator(".seat-row .points").all_inner_texts()[::2] == ["?", "?"]


def test_the_picture_of_the_docs_is_taken(browser: Browser, gargon: Recorded) -> None:
    """The command that the page on contributing names makes a picture of a replay."""
    picture = gargon.path.with_name("replay.png")
    command = [sys.executable, str(ROOT / "docs" / "pictures" / "replay.py")]
    subprocess.run([*command, str(gargon.page().path), str(picture)], check=True, timeout=300)
    head = picture.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    assert struct.unpack(">II", head[16:]) == (1400, 880)
