"""The keys of a log's blocks, compared with those that come from its secret."""

from __future__ import annotations

from arena.ladder.claims import KEYS, Findings
from arena.records.difference import Difference, malformed
from arena.records.entries import BlockPlayed, Closed
from arena.records.ledger import Ledger
from arena.referee.deals import Deals, commitment
from arena.wording import brief


class Keys:
    """Follows a log with its secret, if that is known: from its store, its end, or as a seed."""

    def __init__(self, secret: bytes | None, ledger: Ledger, found: Findings) -> None:
        self.beacons = 0
        """How many beacons the log has so far."""
        self._ledger = ledger
        self._deals: tuple[str, Deals] | None = None
        """The deals since the last beacon, with the root up to it."""
        seed = ledger.contest.seed
        if secret is None and seed is not None:
            secret = seed.encode()
        self._secret = secret
        committed = ledger.opened.commitment
        if secret is not None and commitment(secret) != committed:
            found.fails(KEYS, None, _another(secret.hex(), committed))
        if seed is not None and commitment(seed.encode()) != committed:
            wanted = "the seed that the commitment is of"
            found.fails(KEYS, 0, malformed("contest.seed", brief(seed), wanted))

    def check(self, entry: BlockPlayed) -> None:
        """Raise `Difference` unless the block's key comes from the secret, if that is known."""
        if self._secret is None:
            return
        beacon = self._ledger.beacon
        if self._deals is None or self._deals[0] != beacon:
            self._deals = beacon, Deals.of(self._secret, self._ledger.contest.name, beacon)
        deal = self._deals[1].block(entry.number).deal(0, entry.attempt)
        if deal.key.hex() != entry.key:
            raise Difference("key", entry.key, deal.key.hex(), "the secret comes to")

    def check_end(self, entry: Closed) -> None:
        """Raise `Difference` unless the end reveals the secret that was committed to."""
        committed = self._ledger.opened.commitment
        if commitment(bytes.fromhex(entry.secret)) != committed:
            raise _another(entry.secret, committed)

    def decide(self, found: Findings) -> None:
        """Decide on the claim, at the end of the log."""
        if self._secret is None:
            found.not_shown(KEYS, "would need the secret, which the entry `close` reveals")
        elif self.beacons:
            says = f"they come from the secret and {self.beacons} beacons: would need their source"
            found.not_shown(KEYS, says)
        found.holds(KEYS)


def _another(secret: str, committed: str) -> Difference:
    return malformed("secret", brief(secret, 66), f"one whose SHA-256 is {committed}")
