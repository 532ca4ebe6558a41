"""Definitions: every mistake is named with its key, all at once, before anything starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import Outcome, arena, arena_here, assert_refused
from ladder.fields import definition

pytestmark = pytest.mark.source_only


def given(folder: Path, text: str) -> Outcome:
    """What comes of a run with this definition."""
    (folder / "x.toml").write_text(text, encoding="utf-8")
    return arena_here("ladder", "run", "x.toml", cwd=folder)


def mistakes(outcome: Outcome) -> list[str]:
    """The lines of a refusal, without what comes before the key."""
    assert outcome.code == 2, outcome
    assert outcome.out == ""
    assert "Traceback" not in outcome.err
    return [line.partition("x.toml: ")[2] for line in outcome.err.splitlines()]


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    """Each has a line of its own: the key, what was expected, what came; nothing is played."""
    found = mistakes(
        given(
            tmp_path,
            """
name = "Friday Night"
game = "gargon"
tables = [3, 9]
contestants = ["random", "nobody", "random", "bots/*", { bot = 3 }]
seed = ""
sandbox = "jail"
fresh = "yes"
workers = 0
publish = "never"
colour = "blue"
sizesizesizesizesizesizesizesizesizesizesizesizesizesizesizesizesize = 1
anchor = "Mary!"
[rules]
open_winnings = "maybe"
[time]
decision = 0
patience = 3
[budget]
games = -1
each = { 3 = 100 }
width = 0
certain = 2
rounds = 4
""",
        )
    )
    begins = [
        "colour: unknown key; the keys are: name, game,",
        f"{'size' * 14}s...: unknown key; the keys are: name, game,",
        "contestants[1]: unknown bot 'nobody'",
        "contestants[2]: the name 'random' is taken by contestants[0]; give one of them another",
        "contestants[3]: expected a pattern of folders with a bot.toml, got 'bots/*': none here",
        "contestants[4]: expected a text in quotes, got 3",
        "tables[1]: expected numbers of players that gargon takes: 3, 4, 5, got 9",
        "name: expected lower-case letters and digits",
        "rules: ",
        "time.decision: expected 1 to 86400000 milliseconds, got 0",
        "time.patience: unknown key; the keys are: decision, bank, start",
        'sandbox: expected one of auto, bwrap, none, got "jail"',
        'fresh: expected true or false, got "yes"',
        'seed: expected a text in quotes, or no such key for a secret seed, got ""',
        "anchor: expected lower-case letters and digits",
        "budget.games: expected an integer from 1 to 1000000000, got -1",
        "budget.each: expected an integer from 1 to 1000000000, or one for each table size, as {",
        "budget.width: expected points, more than 0, got 0",
        "budget.certain: expected a probability above 0.5 and below 1, got 2",
        "budget.rounds: unknown key; the keys are: games, each, width, minutes, certain",
        "workers: expected an integer from 1 to 1024, got 0",
        'publish: expected one of at-once, after-close, got "never"',
    ]
    assert len(found) == len(begins), found
    for line, begin in zip(found, begins, strict=True):
        assert line.startswith(begin), line
    assert [path.name for path in tmp_path.iterdir()] == ["x.toml"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["game: expected one of gargon, castors, got no such key"]),
        ('name = "x"\ngame = ]', ["expected TOML", "line 2"]),
        ('game = "chess"\ncontestants = ["random"]', ["game: expected one of", '"chess"']),
        ('game = "gargon"', ['contestants: expected a list such as ["random"], got no such key']),
        ('game = "gargon"\ncontestants = []', ["contestants: expected a list", "[]"]),
        (
            'game = "gargon"\ntables = [3]\ncontestants = ["random"]',
            ["tables: a table of 3 needs 3 contestants, got 1"],
        ),
        (
            'game = "gargon"\ntables = [3, 3]\ncontestants = ["random"]',
            ["tables[1]: expected each size once, got 3 again"],
        ),
        ("name = " + "9" * 5000, ["expected TOML"]),
        ("name = " + "[" * 5000, ["expected TOML"]),
        (
            'game = "gargon"\ncontestants = ["python3 \\u0000", "' + "x/" * 3000 + '"]',
            ["contestants[0]: expected a text", "contestants[1]: bot 'x/x/", "which is not there"],
        ),
        (
            'game = "gargon"\ncontestants = ["random"]\n[limits]\nfiles = "' + "x" * 999 + '"',
            ['limits: files: expected 16 to 1048576, got "xxx'],
        ),
    ],
)
def test_a_definition_that_lacks_something_says_what(
    tmp_path: Path, text: str, parts: list[str]
) -> None:
    """What is missing or cannot be is named with what was expected."""
    found = "\n".join(mistakes(given(tmp_path, text)))
    for part in parts:
        assert part in found, found


def test_a_bot_that_does_not_play_the_game_is_refused(tmp_path: Path) -> None:
    """A contestant has to play what the ladder is about."""
    assert arena("bot", "new", "mine", "--game", "castors", cwd=tmp_path).code == 0
    path = definition(tmp_path, name="x", game="gargon", contestants=["mine"])
    found = mistakes(arena("ladder", "run", path.name, cwd=tmp_path))
    assert found == ["contestants[5]: bot 'mine' does not play gargon; it plays castors"]


def test_the_name_of_a_file_has_to_be_a_name_too(tmp_path: Path) -> None:
    """Where the file's name is the ladder's, it is checked before a store has it for ever."""
    path = definition(tmp_path, tables=(3,), games=3)
    text = path.read_text(encoding="utf-8")
    cup = tmp_path / "Friday Cup.toml"
    cup.write_text(text.replace('name = "test"\n', ""), encoding="utf-8")
    words = ("ladder", "run", cup.name)
    refused = arena(*words, cwd=tmp_path)
    assert_refused(refused, "name: expected lower-case", '"Friday Cup"', "give it a `name`")
    assert not list(tmp_path.glob("*.ladder"))
    cup.write_text(text, encoding="utf-8")
    assert arena(*words, cwd=tmp_path).code == 0
    assert arena("ladder", "show", "Friday Cup.ladder", cwd=tmp_path).code == 0


def test_limits_need_a_sandbox(tmp_path: Path) -> None:
    """Nobody is held to limits without one, so they are not taken in silence."""
    path = definition(tmp_path, name="x", more="[limits]\nmemory_mb = 100", games=None)
    found = mistakes(arena("ladder", "run", path.name, cwd=tmp_path))
    assert found == ['limits: a sandbox is needed: "none" holds nobody to limits']


def test_paths_are_meant_from_the_definition(tmp_path: Path) -> None:
    """Folders, patterns and command lines are looked up beside the file, wherever it is run."""
    field = tmp_path / "field"
    (field / "bots").mkdir(parents=True)
    for name in ("one", "two"):
        made = arena("bot", "new", f"bots/{name}", "--game", "castors", cwd=field)
        assert made.code == 0
    (field / "three.py").write_text("from arena_sdk import run\nrun(lambda question: 0)\n")
    path = definition(
        field, bots=(), tables=(3,), games=3, contestants=["bots/*", "python3 three.py"]
    )
    done = arena("ladder", "run", str(path), "--json", cwd=tmp_path)
    assert done.code == 0, done.err
    assert {row["bot"] for row in done.json["standings"]} == {"one", "two", "three"}
    assert (tmp_path / "test.ladder").is_dir()


def test_a_new_definition_has_tables_that_its_contestants_fill(tmp_path: Path) -> None:
    """Whoever names four contestants gets no table of five."""
    words = ("random", "castors-odds", "castors-hasty", "castors-reference")
    made = arena("ladder", "new", "x.toml", "--game", "castors", *words, cwd=tmp_path)
    assert made.code == 0, made.err
    planned = arena("ladder", "schedule", "x.toml", "--json", cwd=tmp_path)
    assert planned.code == 0, planned.err
    assert [table["size"] for table in planned.json["tables"]] == [3, 4]


def test_a_new_definition_runs_as_it_is_written(tmp_path: Path) -> None:
    """`arena ladder new` writes a definition for each game that needs only contestants."""
    for game in ("gargon", "castors"):
        made = arena("ladder", "new", f"{game}.toml", "--game", game, cwd=tmp_path)
        assert made.code == 0, made.err
        path = tmp_path / f"{game}.toml"
        more = "\n".join(f'    {{ bot = "random", name = "r{n}" }},' for n in range(5))
        text = path.read_text().replace("contestants = [\n", f"contestants = [\n{more}\n")
        path.write_text(text.replace('sandbox = "auto"', 'sandbox = "none"'))
        planned = arena("ladder", "schedule", path.name, "--json", cwd=tmp_path)
        assert planned.code == 0, planned.err
        assert [table["size"] for table in planned.json["tables"]] == [3, 4, 5]
        assert planned.json["games"] >= 1000
    again = arena("ladder", "new", "gargon.toml", "--game", "gargon", cwd=tmp_path)
    assert_refused(again, "gargon.toml: there is such a file")


def test_a_new_definition_has_only_bots_that_are_there(tmp_path: Path) -> None:
    """What the definition would be refused for is said at once, and no file is written."""
    assert arena("bot", "new", "other", "--game", "gargon", cwd=tmp_path).code == 0
    for bots, part in (
        (["nobody"], "contestants[0]: unknown bot 'nobody'"),
        (["random", "other"], "contestants[1]: bot 'other' does not play castors"),
        (["bots/*"], "contestants[0]: expected a pattern of folders"),
        (["python3 \udcff.py"], "expected UTF-8"),
        (["python3 \a.py"], "expected printable text"),
    ):
        refused = arena("ladder", "new", "x.toml", "--game", "castors", *bots, cwd=tmp_path)
        assert_refused(refused, part)
        assert not (tmp_path / "x.toml").exists()


def test_a_new_definition_elsewhere_finds_its_bots(tmp_path: Path) -> None:
    """Folders are named as seen from the file; it says how it is run from here."""
    (tmp_path / "cups").mkdir()
    for name in ("bots/one", "bots/two", "random"):
        assert arena("bot", "new", name, "--game", "castors", cwd=tmp_path).code == 0
    (tmp_path / "mine.py").write_text("")
    words = ("ladder", "new", "cups/x.toml", "--game", "castors")
    made = arena(*words, "bots/*", "random", "./random/bot.toml", cwd=tmp_path)
    assert_refused(made, "the name 'random' is taken")
    assert_refused(arena(*words, "python3 mine.py", cwd=tmp_path), "mine.py is not there")
    made = arena(*words, "bots/*", "random", "castors-odds", cwd=tmp_path)
    assert made.code == 0, made.err
    text = (tmp_path / "cups" / "x.toml").read_text(encoding="utf-8")
    assert '"../bots/*"' in text
    assert "`arena ladder run cups/x.toml`" in text
    planned = arena("ladder", "schedule", "cups/x.toml", "--json", cwd=tmp_path)
    assert planned.code == 0, planned.err
    names = [contestant["name"] for contestant in planned.json["contestants"]]
    assert names == ["one", "two", "random", "castors-odds"]
    arena("ladder", "new", "bots/y.toml", "--game", "castors", "bots/one", cwd=tmp_path)
    assert '"./one"' in (tmp_path / "bots" / "y.toml").read_text(encoding="utf-8")
