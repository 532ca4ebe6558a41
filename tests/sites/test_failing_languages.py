"""What fails in five languages is told in full to its author, wherever he looks."""

from __future__ import annotations

import html
import io
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from command import arena
from languages.toolchains import need, need_language

from .served import LADDER, Served, Visitor, token_of
from .test_handing_in import decided

pytestmark = pytest.mark.source_only


@dataclass(frozen=True)
class Failure:
    """What is changed in a starter, and what its author is told."""

    file: str
    old: str
    new: str
    words: tuple[str, ...]
    """Parts of what is told, each of which he needs."""


ILLEGAL = ("plays gargon", "illegal", "9999")
FAILURES = {
    ("python", "build"): Failure(
        "bot.py", "def choose(", "def choose((", ("SyntaxError", "bot.py", "exit code 1")
    ),
    ("python", "start"): Failure(
        "bot.py", "    run(choose", '    raise ValueError("no weights")\n    run(choose',
        ("ValueError: no weights", "./bot.py", "exit code 1", "Run it by hand in its folder"),
    ),
    ("python", "answer"): Failure(
        "bot.py", "    return max(moves", "    return 9999\n    return max(moves", ILLEGAL
    ),
    ("cpp", "build"): Failure(
        "bot.cpp", "int main()", "int main() { return weights; }\nint other()",
        ("bot.cpp:", "weights", "error", "exit code 2"),
    ),
    ("cpp", "start"): Failure(
        "bot.cpp", "int main() {", 'int main() { throw std::runtime_error("no weights");',
        ("no weights", "SIGABRT", "Nothing has caught an exception, std::runtime_error"),
    ),
    ("cpp", "answer"): Failure(
        "strategy.hpp", "    const Rating rating(question);",
        "    if (question.id >= 0) return 9999;\n    const Rating rating(question);", ILLEGAL,
    ),
    ("go", "build"): Failure(
        "bot.go", "func main() {", "func main() {\n\tweights()",
        ("undefined: weights", "bot.go:", "its output says why"),
    ),
    ("go", "start"): Failure(
        "bot.go", "func main() {", 'func main() {\n\tpanic("no weights")',
        ("last words on stderr are: panic: no weights", "bot.go:", "exit code 2"),
    ),
    ("go", "answer"): Failure(
        "bot.go", "best(question.Actions(), &view, &rules), nil", "sdk.Index(9999), nil", ILLEGAL
    ),
    ("rust", "build"): Failure(
        "src/main.rs", "fn main() -> Result {", "fn main() -> Result {\n    weights();",
        ("cannot find function `weights`", "src/main.rs"),
    ),
    ("rust", "start"): Failure(
        "src/main.rs", "fn main() -> Result {", 'fn main() -> Result {\n    panic!("no weights");',
        ("panicked at src/main.rs:17:5: no weights", "exit code 101"),
    ),
    ("rust", "answer"): Failure(
        "src/main.rs", "    Ok(action)\n", "    Ok(Action::Draw(9999))\n", ILLEGAL
    ),
    ("javascript", "build"): Failure(
        "package.json", '"arena-sdk": "file:./sdk"',
        '"arena-sdk": "file:./sdk", "is-odd": "^3.0.1"', ("npm", "no network", "arena bot pack"),
    ),
    ("javascript", "start"): Failure(
        "bot.js", "run(choose", 'throw new Error("no weights");\nrun(choose',
        ("Error: no weights", "bot.js", "exit code 1"),
    ),
    ("javascript", "answer"): Failure(
        "strategy.js", "  const rates =", "  return 9999;\n  const rates =", ILLEGAL
    ),
    ("none", "start"): Failure(
        "bot.pl", "use strict;", 'use strict;\ndie "no weights\\n";',
        ("no weights", "exit code 255"),
    ),
    ("none", "answer"): Failure(
        "bot.pl", "i => integer($index)", "i => integer(9999)", ILLEGAL
    ),
}  # fmt: skip
QUICK = {("cpp", "build"), ("none", "answer")}
"""Those that CI looks at each time."""


@pytest.fixture(scope="module")
def author(site: Served) -> Visitor:
    """An author on a site with a ladder that never plays enough to be in the way."""
    need("site", [] if Path("/usr/bin/bwrap").exists() else ["bwrap"])
    host = site.host()
    assert host.post("/new-ladder", name="friday", definition=LADDER).status == 303
    return site.invited(host, "ada")


@pytest.mark.parametrize(
    ("language", "what"),
    [
        pytest.param(*each, marks=[] if each in QUICK else pytest.mark.wide, id="-".join(each))
        for each in FAILURES
    ],
)
def test_a_failure_is_told_in_full(
    language: str,
    what: str,
    site: Served,
    author: Visitor,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The page, the interface and the commands have the same facts: message, place, remedy."""
    need_language(language)
    failure = FAILURES[language, what]
    folder = tmp_path / f"{language}-{what}"
    made = arena("bot", "new", str(folder), "--language", language, "--game", "gargon")
    assert made.code == 0, made.err
    source = folder / failure.file
    text = source.read_text()
    assert failure.old in text
    source.write_text(text.replace(failure.old, failure.new, 1))
    if (language, what) == ("python", "build"):
        manifest = (folder / "bot.toml").read_text()
        build = 'build = ["python3", "-m", "py_compile", "bot.py"]\n'
        (folder / "bot.toml").write_text(build + manifest)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    token = token_of(author)
    monkeypatch.setenv("ARENA_TOKEN", token)
    here = ("--ladder", "friday", "--site", site.address)
    if (language, what) == ("javascript", "build"):  # handed in without being packed
        handed = author.hand_in("friday", archive(folder))
        told = ""
    else:
        done = arena("submit", str(folder), *here, limit=300)
        assert done.code == 1, done.out + done.err
        told = done.out
    number = author.call("GET", "/submissions", token).json["submissions"][0]["number"]
    page = author.get(f"/submissions/{number}").text
    if not told:
        page = decided(author, handed)
    seen = unwrapped(html.unescape(re.sub(r"<[^>]+>", "", page)))
    report = author.call("GET", f"/submissions/{number}/report", token).text
    again = unwrapped(arena("remote", "submissions", str(number), "--site", site.address).out)
    for words in failure.words:
        assert words in seen, (words, seen)
        assert words in again, (words, again)
        assert words.replace('"', '\\"') in report, (words, report)
        assert words in (unwrapped(told) or words), (words, told)
    for text in (seen, report, again):
        assert str(site.folder) not in text
        assert str(Path(__file__).parents[2]) not in text


def unwrapped(text: str) -> str:
    """A text on one line, however it was broken to fit."""
    return " ".join(text.split())


def archive(folder: Path) -> bytes:
    """The folder as an author zips it by hand."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as made:
        for path in sorted(folder.rglob("*")):
            made.write(path, str(path.relative_to(folder)))
    return data.getvalue()
