"""What the entry of a block has to have, whatever the rules of the game and the schedule say."""

from __future__ import annotations

from arena.records.difference import malformed
from arena.records.entries import BlockPlayed, Contest, Game
from arena.wording import brief


def check_block(entry: BlockPlayed, contest: Contest, playing: set[int]) -> None:
    """Raise `Difference` unless these can have played such a block."""
    seats = len(entry.contestants)
    if seats not in contest.tables:
        tables = ", ".join(map(str, contest.tables))
        raise malformed("contestants", f"{seats} of them", f"a table of {tables}")
    if len(set(entry.contestants)) < seats or not playing.issuperset(entry.contestants):
        wanted = "each once, of those who play"
        raise malformed("contestants", brief(list(entry.contestants)), wanted)
    if contest.kind == "ladder" and len(entry.games) != seats:
        wanted = f"{seats}, one for each rotation"
        raise malformed("games", f"{len(entry.games)} of them", wanted)
    if len(entry.games) > seats:
        raise malformed("games", f"{len(entry.games)} of them", f"{seats} at most")
    for at, game in enumerate(entry.games):
        _check_game(game, seats, f"games[{at}]")


def _check_game(game: Game, seats: int, place: str) -> None:
    """Raise `Difference` unless a game has what it should of each seat."""
    for key, values in (("scores", game.scores), ("places", game.places)):
        if len(values) != seats:
            raise malformed(f"{place}.{key}", f"{len(values)} of them", f"one for each of {seats}")
    for at, fault in enumerate(game.faults):
        if fault.seat >= seats:
            raise malformed(f"{place}.faults[{at}].seat", str(fault.seat), f"0..{seats - 1}")
    last = -1
    for at, (decision, _) in enumerate(game.notes):
        if decision <= last:
            raise malformed(f"{place}.notes[{at}]", f"a note at {decision}", f"more than {last}")
        last = decision
