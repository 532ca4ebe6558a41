"""Verification of games: they are played again under the rules, on the cards of their block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from arena.games.game import Game
from arena.records.difference import Difference
from arena.records.entries import BlockPlayed, Closed, EndReason, Entered, Entry, Opened
from arena.records.game_record import GameRecord
from arena.records.ledger import Ledger, follow_logs
from arena.referee.deals import Deal, Deals, commitment
from arena.referee.replay import Replay, game_of
from arena.referee.table import places
from arena.wording import brief

BY = "expected"
"""What a difference says of who wants something else, where it is not the rules."""


def check_game(record: GameRecord, game: Game) -> None:
    """Raise `Difference` unless the rules lead to what the log says of a game."""
    try:
        replay = Replay(record, game)
        replay.run()
        scores = replay.state.scores()
        for key, says, found in (
            ("scores", record.game.scores, scores),
            ("places", record.game.places, places(game, scores, replay.faults)),
        ):
            if list(says) != found:
                raise Difference(key, brief(list(says)), brief(found))
    except Difference as difference:
        difference.number = record.number
        raise


@dataclass(frozen=True)
class VerifiedMatch:
    """A log of a file that holds."""

    games: int
    size: int
    root: str


def verify_file(lines: Iterable[bytes], games: Mapping[str, Game]) -> Iterator[VerifiedMatch]:
    """Yield every match of a file once it is verified; raise the first `Difference`.

    A log cannot tell whether it was cut off at its end: for that, compare its root with one that
    was published.
    """
    match: _Match | None = None
    number = 0
    for number, (ledger, entry) in enumerate(follow_logs(lines), 1):
        try:
            if isinstance(entry, Opened):
                if match is not None:
                    yield match.verified
                match = _Match(ledger, game_of(entry.contest, games))
                _check_opened(entry)
            assert match is not None
            match.check(entry)
        except Difference as difference:
            difference.line = number
            raise
    if match is not None:
        yield match.verified


def _check_opened(entry: Opened) -> None:
    """Raise `Difference` unless this is a match, on deals from its public seed if it has one."""
    contest = entry.contest
    if contest.kind != "match":
        wanted = "a match; `arena ladder verify` verifies the log of a ladder, in its own file"
        raise Difference("contest.kind", contest.kind, wanted, BY)
    if len(contest.tables) != 1:
        raise Difference("contest.tables", brief(list(contest.tables)), "one size", BY)
    seed = contest.seed
    if seed is not None and commitment(seed.encode()) != entry.commitment:
        raise Difference("contest.seed", brief(seed), "the text that the commitment is of", BY)


class _Match:
    """Checks the entries of one match, as they are followed."""

    def __init__(self, ledger: Ledger, game: Game) -> None:
        self._ledger = ledger
        self._game = game
        self._blocks: list[tuple[int, int, str]] = []

    @property
    def verified(self) -> VerifiedMatch:
        ledger = self._ledger
        return VerifiedMatch(ledger.games, ledger.tree.size, ledger.root)

    def check(self, entry: Entry) -> None:
        """Raise `Difference` unless an entry that was followed holds."""
        if isinstance(entry, BlockPlayed):
            self._check_rotations(entry)
            deal = Deal(bytes.fromhex(entry.key), 0, entry.attempt)
            if deal.order(len(entry.contestants)) != list(entry.contestants):
                wanted = brief(deal.order(len(entry.contestants)))
                says = brief(list(entry.contestants))
                raise Difference("contestants", says, wanted, "the key of the block draws")
            for record in self._ledger.records(entry):
                check_game(record, self._game)
            self._blocks.append((entry.number, entry.attempt, entry.key))
        elif isinstance(entry, Entered):
            self._check_entered()
        elif isinstance(entry, Closed):
            self._check_reason(entry.reason)
            self._check_keys(bytes.fromhex(entry.secret))

    def _check_entered(self) -> None:
        """Raise `Difference` unless everybody plays in every game."""
        playing = len(self._ledger.playing)
        (seats,) = self._ledger.contest.tables
        if playing != seats:
            raise Difference("contestants", f"{playing} who play", f"{seats}, one a seat", BY)

    def _check_rotations(self, entry: BlockPlayed) -> None:
        """Raise `Difference` if the block before this one has too few games."""
        before = self._ledger.games - len(entry.games)
        (seats,) = self._ledger.contest.tables
        if before < entry.number * seats:
            wanted = f"no block after one with fewer games than the {seats} rotations of its seats"
            raise Difference("number", str(entry.number), wanted, BY)

    def _check_reason(self, reason: EndReason) -> None:
        """Raise `Difference` unless a match may end here for this reason."""
        games, budget = self._ledger.games, self._ledger.budget.games
        if reason == "certain":
            raise Difference("reason", reason, "one for which a match can end", BY)
        if (reason == "budget") != (games == budget):
            wanted = f"budget if and only if all games are played, and it has {games} of {budget}"
            raise Difference("reason", reason, wanted, BY)

    def _check_keys(self, secret: bytes) -> None:
        """Raise `Difference` unless all keys come from the secret that was committed to."""
        opened = self._ledger.opened
        if commitment(secret) != opened.commitment:
            wanted = f"one whose SHA-256 is {opened.commitment}"
            raise Difference("secret", secret.hex(), wanted, BY)
        deals = Deals.of(secret, opened.contest.name)
        for number, attempt, key in self._blocks:
            found = deals.block(number).deal(0, attempt).key.hex()
            if found != key:
                raise Difference(f"key of block {number}", key, found, "the secret comes to")
