"""Verification: what it says of an honest ladder, of a forged one, and of what is no ladder.

Of each of the `forgeries` it is said which claims fail. Where none does, the claim that it breaks
is "not shown"; and with the head of the true log, which somebody else has kept, all are found.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.ladder.claims import (
    ATTEMPTS,
    DECISIONS,
    END,
    FAILS,
    FORM,
    HOLDS,
    KEYS,
    LABEL,
    NOT_SHOWN,
    RATINGS,
    RULES,
    STANDINGS,
    TABLES,
    WHOLE,
)
from arena.ladder.kept_head import Head
from arena.ladder.source import open_source
from arena.ladder.verification import Verified, verify_ladder
from arena.records.canonical import canonical_bytes
from command import arena, assert_refused
from ladder.fields import definition, run
from ladder.forgeries import (
    CASES,
    CONDITIONS,
    ENTRIES,
    FAULTS,
    IDENTITIES,
    MOVES,
    ONCE,
    SECRET,
    Case,
)
from ladder.forging import Forgery, Json, games, head_of, new_key, write

pytestmark = pytest.mark.source_only

CRASHING = """
from arena_sdk import run

asked = 0

def choose(question):
    global asked
    asked += 1
    if asked == 5:
        raise SystemExit(1)
    return 0

run(choose, name="eve")
"""
"""A bot that ends in the middle of every game."""


@dataclass(frozen=True)
class Ladder:
    """A closed ladder, as it is exported."""

    folder: Path
    lines: list[bytes]
    standings: bytes

    def forgery(self) -> Forgery:
        """A copy to forge."""
        return Forgery(self.lines, self.standings)

    @property
    def head(self) -> str:
        """Its head."""
        return head_of(self.lines)


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Ladder:
    """Two rounds of five bots at tables of three; the last one crashes in all of its games."""
    folder = tmp_path_factory.mktemp("honest")
    (folder / "eve.py").write_text(CRASHING)
    eve = {"bot": "python3 eve.py", "name": "eve"}
    path = definition(folder, tables=(3,), bots=("ada", "bob", "cid", "dot"), games=60, seed=None)
    text = path.read_text().replace('name = "dot" }', f'name = "dot" }}, {toml(eve)}')
    path.write_text(text)
    run(path)
    assert arena("ladder", "close", "--yes", cwd=folder).code == 0
    done = arena("ladder", "export", "--output", "x.jsonl", cwd=folder)
    assert done.code == 0, done.err
    lines = (folder / "x.jsonl").read_bytes().splitlines()
    return Ladder(folder, lines, (folder / "x.standings.json").read_bytes().strip())


def toml(table: Json) -> str:
    """A table of texts in one line."""
    return "{ " + ", ".join(f'{key} = "{value}"' for key, value in table.items()) + " }"


def verified(path: Path, head: str | None = None, workers: int = 1) -> Verified:
    """What verification finds."""
    kept = None
    if head is not None:
        size, _, root = head.partition(":")
        kept = Head(int(size), root)
    return verify_ladder(open_source(path), games(), workers, lambda _: None, kept)


def states(found: Verified) -> dict[str, str]:
    """The state of each claim."""
    return {claim.key: claim.state for claim in found.claims}


def detail(found: Verified, key: str) -> str:
    """What is said of a claim."""
    return next(claim.detail for claim in found.claims if claim.key == key)


SHOWN = (FORM, RULES, TABLES, KEYS, ATTEMPTS, DECISIONS, END, LABEL, RATINGS, STANDINGS)
ELSEWHERE = (WHOLE, ENTRIES, IDENTITIES, SECRET, MOVES, ONCE, FAULTS, CONDITIONS)


def test_an_honest_ladder_holds(honest: Ladder) -> None:
    """All that a log can show holds, all else is named, with as many workers as one likes."""
    for workers in (1, 2):
        found = verified(honest.folder / "x.jsonl", workers=workers)
        assert found.holds
        assert states(found) == dict.fromkeys(SHOWN, HOLDS) | dict.fromkeys(ELSEWHERE, NOT_SHOWN)
        assert f"{found.head.size}:{found.head.root}" == honest.head
        assert found.games == 60
        says = detail(found, STANDINGS)
        assert says.startswith("5 contestants, 5 rows by table size: ratings")
        assert "skills by places and margins with their intervals" in says


def test_the_table_of_claims(honest: Ladder) -> None:
    """The command prints each claim with what it would need, and ends with the head, code 0."""
    done = arena("ladder", "verify", "x.jsonl", "--head", honest.head, cwd=honest.folder)
    assert done.code == 0, done
    claims = re.findall(r"^(holds|fails|not shown) +\S", done.out, re.MULTILINE)
    assert claims == [HOLDS] * len(SHOWN) + [HOLDS] + [NOT_SHOWN] * (len(ELSEWHERE) - 1)
    assert done.out.count("\n           would need ") == len(ELSEWHERE) - 1
    assert done.out.endswith(f"x.jsonl: 60 games, nothing fails; the head is {honest.head}\n")


def test_a_claim_that_fails_is_said_with_its_entry(tmp_path: Path, honest: Ladder) -> None:
    """The command names entry, game and place, and ends with code 1, as text and as JSON."""
    forged = honest.forgery()
    forged.blocks[2]["games"][1]["scores"][0] += 1
    path = forged.write(tmp_path)
    entry = forged.entries.index(forged.blocks[2])
    done = arena("ladder", "verify", path.name, cwd=tmp_path)
    assert done.code == 1, done
    assert f"at entry {entry}: game 7: scores: the record says" in done.out
    assert done.out.endswith("x.jsonl: does not hold: 2 of 18 claims fail\n"), done.out
    as_json = arena("ladder", "verify", path.name, "--json", cwd=tmp_path)
    assert as_json.code == 1
    assert not as_json.json["holds"]
    failing = {claim["key"] for claim in as_json.json["claims"] if claim["state"] == FAILS}
    assert failing == {RULES, STANDINGS}


def test_the_page_has_the_table_of_claims(honest: Ladder) -> None:
    """Whoever reads the page finds every claim in the words of the command, and what it needs."""
    page = (Path(__file__).parents[2] / "ladders" / "README.md").read_text(encoding="utf-8")
    found = verified(honest.folder / "x.jsonl")
    for claim in found.claims:
        assert f"\n| {claim.text} | " in page
    rows = re.findall(r"^\| (.*\.) \| (.*) \|$", page, re.MULTILINE)
    texts = [text for text, _ in rows if any(text == claim.text for claim in found.claims)]
    assert texts == [claim.text for claim in found.claims]


# Forgeries

IN_LOG = [case for case in CASES if case.published]


def names(case: Case) -> str:
    """What a forgery is called."""
    return case.forge.__name__


def forge(honest: Ladder, case: Case) -> Forgery:
    """An honest ladder, forged."""
    forged = honest.forgery()
    case.forge(forged)
    if case.published:
        forged.publish()
    return forged


@pytest.mark.parametrize("case", CASES, ids=names)
def test_what_verification_says_of_a_forgery(tmp_path: Path, honest: Ladder, case: Case) -> None:
    """The claims that it breaks fail, or are not shown with what it would need; none holds."""
    found = verified(forge(honest, case).write(tmp_path))
    said = states(found)
    failing = {key for key, state in said.items() if state == FAILS}
    assert failing == case.fails, found.claims
    assert case.fails | case.not_shown
    for key in case.not_shown:
        assert said[key] == NOT_SHOWN, detail(found, key)
        assert "would need" in detail(found, key)


@pytest.mark.parametrize("case", IN_LOG, ids=names)
def test_a_kept_head_finds_every_forgery(tmp_path: Path, honest: Ladder, case: Case) -> None:
    """Who has the head of the true log is shown that this is another, whatever was rewritten."""
    found = verified(forge(honest, case).write(tmp_path), head=honest.head)
    assert not found.holds
    said = states(found)
    assert FAILS in (said[WHOLE], said[FORM], said[RULES])
    if said[FORM] != FAILS and found.games:
        assert said[WHOLE] == FAILS


def test_an_earlier_head_says_how_far_it_goes(tmp_path: Path, honest: Ladder) -> None:
    """A head of the first entries shows nothing of those after them, and says so."""
    forged = honest.forgery()
    part = head_of(honest.lines[:9])
    forged.blocks[-1]["games"][0]["notes"] = [[0, "forged"]]
    forged.publish()
    found = verified(forged.write(tmp_path), head=part)
    assert found.holds
    assert detail(found, WHOLE) == "up to entry 8; those after it would need a later head"
    forged = honest.forgery()
    forged.blocks[0]["games"][0]["notes"] = [[0, "forged"]]
    forged.publish()
    assert states(verified(forged.write(tmp_path), head=part))[WHOLE] == FAILS


def test_a_figure_may_differ_by_one_in_its_last_digit(tmp_path: Path, honest: Ladder) -> None:
    """Linear algebra differs from machine to machine, and the claim says no more than that."""
    forged = honest.forgery()
    forged.standings["standings"][-1]["skill"] += 1e-6
    found = verified(forged.write(tmp_path))
    assert found.holds
    claim = next(claim for claim in found.claims if claim.key == STANDINGS)
    assert "give or take one in the last digit" in claim.text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'{"contestants":', b'{"contestants":[0,1,2],"contestants":'),
        (b',"entry":"block"', b', "entry":"block"'),
        (b'"entry":"block"', b'"attempt":0,"entry":"block"'),
        (b'"entry":"block"', b'"\\u0065ntry":"block"'),
        (b'"number":', b'"lucky":1,"number":'),
        (b'"places":[', b'"places":[1.0,'),
        (b'"places":[', b'"places":[' + b"[" * 100_000),
        (b'"places":[', b'"places":[' + b"9" * 1_000_000 + b","),
        (b'"actions":[[', b'"actions":[[' + b"9" * 1_000_000 + b","),
        (b'"entry":"block"', b'"entry":"party"'),
        (b'"entry":"block"', b'"entry":"blo\xffck"'),
    ],
    ids=[
        "duplicate-key",
        "white-space",
        "default-written-out",
        "escaped",
        "unknown-key",
        "float",
        "deep",
        "long-number",
        "long-number-in-an-action",
        "unknown-entry",
        "not-text",
    ],
)
def test_an_entry_has_one_form_only(tmp_path: Path, honest: Ladder, old: bytes, new: bytes) -> None:
    """Whatever means the same, or nothing, in other bytes is named with its entry: exit code 1."""
    at = 5
    assert old in honest.lines[at]
    lines = [*honest.lines[:at], honest.lines[at].replace(old, new, 1), *honest.lines[at + 1 :]]
    write(tmp_path, lines)
    done = arena("ladder", "verify", "x.jsonl", "--json", cwd=tmp_path)
    assert done.code == 1, done
    assert done.err == ""
    claim = done.json["claims"][0]
    assert claim["key"] == FORM
    assert claim["state"] == FAILS
    assert claim["detail"].startswith(f"at entry {at}: ")
    assert "expected" in claim["detail"]
    assert len(claim["detail"].splitlines()) == 1
    assert len(claim["detail"]) < 400


def test_a_truncated_log(tmp_path: Path, honest: Ladder) -> None:
    """A last line without its end is said to be none: exit code 1."""
    write(tmp_path, honest.lines)
    path = tmp_path / "x.jsonl"
    path.write_bytes(path.read_bytes()[:-7])
    done = arena("ladder", "verify", "x.jsonl", cwd=tmp_path)
    assert done.code == 1, done
    assert "fails      The entries are whole" in done.out
    last = len(honest.lines) - 1
    assert re.search(rf"at entry {last}: line: .* without an end of line; expected", done.out)


OPENING = '{"commitment":"%s"' % ("0" * 64)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"{}\n",
        b"hello\n",
        bytes(range(256)) * 20,
        OPENING.encode(),
        OPENING.encode() + b"\n",
        b'{"commitment":' + b"[" * 100_000 + b"\n",
        b'{"commitment":' + b"9" * 1_000_000 + b"\n",
        b'{"commitment":"\xff\xfe',
    ],
    ids=["empty", "blank", "map", "text", "binary", "cut", "short", "deep", "number", "not-text"],
)
def test_a_file_that_is_no_ladder_is_refused(tmp_path: Path, data: bytes) -> None:
    """It is said in a line what was expected; exit code 2, not 1."""
    (tmp_path / "x").write_bytes(data)
    done = arena("ladder", "verify", "x", cwd=tmp_path)
    assert_refused(done, "x", "expected a store, or a log as `arena ladder export` writes it")


def test_a_later_format_is_refused(tmp_path: Path, honest: Ladder) -> None:
    """A log of a later arena is not called forged."""
    first = honest.lines[0].replace(b'"format":2', b'"format":3')
    write(tmp_path, [first, *honest.lines[1:]])
    done = arena("ladder", "verify", "x.jsonl", cwd=tmp_path)
    assert_refused(done, "x.jsonl, line 1", "in format 2", "format: the record says 3")


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """A directory, a pipe, and nothing at all: one line, exit code 2, and no waiting."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name, said in (
        ("pipe", "no regular file"),
        ("folder", "no regular file"),
        ("/dev/zero", "no regular file"),
        ("nothing", "No such file or directory"),
    ):
        assert_refused(arena("ladder", "verify", name, cwd=tmp_path), said)


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("skill", "high", "standings[1].skill: the record says str; expected float"),
        (
            "faults",
            {"asleep": 1},
            'standings[1].faults: the record says the key "asleep"; expected',
        ),
        ("medals", 3, "standings[1].medals: the record says this key; expected no such key"),
    ],
)
def test_a_row_of_another_form_is_named(
    tmp_path: Path, honest: Ladder, key: str, value: object, says: str
) -> None:
    """Of standings that somebody else's program has written, it says which figure is malformed."""
    forged = honest.forgery()
    forged.standings["standings"][1][key] = value
    assert detail(verified(forged.write(tmp_path)), STANDINGS).startswith(says)


def test_a_standings_file_that_is_none(tmp_path: Path, honest: Ladder) -> None:
    """Rubbish beside a log is standings that are not the log's; what cannot be read is refused."""
    path = write(tmp_path, honest.lines)
    beside = tmp_path / "x.standings.json"
    assert states(verified(path))[STANDINGS] == NOT_SHOWN
    for data in (b"", b"{}\n", b"\xff\xfe\n", honest.standings, honest.standings * 2 + b"\n{}\n"):
        beside.write_bytes(data)
        found = verified(path)
        assert states(found)[STANDINGS] == FAILS, data[:20]
        assert "expected" in detail(found, STANDINGS)
    beside.unlink()
    beside.mkdir()
    done = arena("ladder", "verify", "x.jsonl", cwd=tmp_path)
    assert_refused(done, "x.standings.json: cannot be read: Is a directory")


@pytest.mark.parametrize(
    "head",
    [
        "",
        "7",
        f"0:{'0' * 64}",
        f"-1:{'0' * 64}",
        "7:xyz",
        f"{'9' * 5000}:{'0' * 64}",
        "٧:" + "0" * 64,
    ],
)
def test_a_head_that_is_none_is_refused(honest: Ladder, head: str) -> None:
    """A head has a size above 0 and a root."""
    done = arena("ladder", "verify", "x.jsonl", "--head", head, cwd=honest.folder)
    assert_refused(done, "--head: expected SIZE:ROOT")


def test_matches_and_ladders_are_told_apart(tmp_path: Path, honest: Ladder) -> None:
    """Each command names the other one, in one line with exit code 2."""
    done = arena("play", "castors", "random", "random", "--record", "m.jsonl", cwd=tmp_path)
    assert done.code == 0, done.err
    refused = arena("ladder", "verify", "m.jsonl", cwd=tmp_path)
    assert_refused(refused, "m.jsonl", "that of a match", "`arena replay verify m.jsonl`")
    refused = arena("replay", "verify", "x.jsonl", cwd=honest.folder)
    assert_refused(refused, "x.jsonl", "ladder", "`arena ladder verify x.jsonl`")
    assert arena("replay", "verify", "m.jsonl", cwd=tmp_path).code == 0


def test_while_it_runs_deals_and_end_are_not_shown(tmp_path: Path) -> None:
    """The host can check all keys from the first block on; others once the secret is revealed."""
    run(definition(tmp_path, games=12, seed=None, tables=(3,)))
    assert arena("ladder", "export", "--output", "x.jsonl", cwd=tmp_path).code == 0
    public = verified(tmp_path / "x.jsonl")
    assert public.holds
    assert states(public)[KEYS] == NOT_SHOWN
    assert "the secret, which the entry `close` reveals" in detail(public, KEYS)
    assert states(public)[END] == NOT_SHOWN
    assert "still running" in detail(public, END)
    host = arena("ladder", "verify", "test.ladder", "--json", cwd=tmp_path).json
    assert {claim["key"]: claim["state"] for claim in host["claims"]}[KEYS] == HOLDS


def test_the_deals_of_a_public_seed_are_shown_while_it_runs(tmp_path: Path) -> None:
    """The seed is the secret, and stands in the log."""
    run(definition(tmp_path, games=12, seed="practice", tables=(3,)))
    assert arena("ladder", "export", "--output", "x.jsonl", cwd=tmp_path).code == 0
    found = verified(tmp_path / "x.jsonl")
    assert states(found)[KEYS] == HOLDS
    lines = (tmp_path / "x.jsonl").read_bytes().splitlines()
    at = next(at for at, line in enumerate(lines) if b'"entry":"block"' in line)
    entry = json.loads(lines[at])
    entry["key"] = new_key("another")
    lines[at] = canonical_bytes(entry)
    assert states(verified(write(tmp_path, lines)))[KEYS] == FAILS


def test_a_certain_order_ends_a_ladder_at_a_look_only(tmp_path: Path) -> None:
    """Where a run ended as its order was certain holds; a point where no look is due does not."""
    weak = {"bot": "python3 weak.py", "name": "weak"}
    (tmp_path / "weak.py").write_text(CRASHING)
    path = definition(tmp_path, tables=(2,), bots=("ada",), games=400, seed="certain")
    text = path.read_text().replace("games = 400", "games = 400\ncertain = 0.9")
    path.write_text(text.replace('name = "ada" }', f'name = "ada" }}, {toml(weak)}'))
    run(path)
    closed = arena("ladder", "close", "--yes", cwd=tmp_path)
    assert "(certain)" in closed.out, closed.out
    assert arena("ladder", "export", "--output", "x.jsonl", cwd=tmp_path).code == 0
    assert states(verified(tmp_path / "x.jsonl"))[END] == HOLDS
    lines = (tmp_path / "x.jsonl").read_bytes().splitlines()
    standings = (tmp_path / "x.standings.json").read_bytes()
    early = Forgery(lines, standings)
    early.cut(len(early.blocks) - 1)
    early.close("certain")
    assert states(verified(write(tmp_path, early.lines())))[END] == FAILS
    late = Forgery(lines, standings)
    block = {**late.blocks[-1], "number": len(late.blocks)}
    block["contestants"] = block["contestants"][::-1]
    late.insert(-1, block)
    late.deal_again(block)
    found = verified(write(tmp_path, late.lines()))
    assert states(found)[END] == NOT_SHOWN
    assert "and it went on" in detail(found, END)


# Interrupted
