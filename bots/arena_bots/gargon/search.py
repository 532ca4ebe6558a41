"""The bot that imagines the hidden cards and tries out its moves.

It deals what it cannot see at random, as often as there is time, lets each of its moves be
followed by the rest of the round as a quick policy plays it, and asks learned weights how
likely it then places before each of the others. All moves are tried on the same deals, so
that luck does not tell them apart, and the worse half is dropped again and again: most time
goes to the moves between which it is hard to choose.
"""

from __future__ import annotations

from random import Random

from arena.games.gargon.game import Gargon
from arena.games.gargon.state import GargonState
from arena_bots.gargon.leaf import Leaf
from arena_bots.gargon.policy import Policy
from arena_bots.thinking import Thinking, iterations
from arena_sdk import Bot, Question, Start, run

TYPE_CHECKING = False  # as typing.TYPE_CHECKING, without the time that importing it takes
if TYPE_CHECKING:
    from typing import Any

    from arena.games.game import Action

GARGON = Gargon()
PLAYS = 16  # how many plays are tried, the best by the policy's rates
STAGES = 4  # how often the worse half is dropped
NOISE = 0.6  # how far others stray from what the policy finds best
DRAWING = 0.25  # of the time, for a draw or the next battle: they matter less
WORDS = {"play": "plays", "pass": "draws", "battle": "opens", "draw": "draws from"}


class SearchBot(Bot):
    """Tries out moves in imagined rounds."""

    name = "gargon-search"
    version = "1"
    wants_actions = False

    def __init__(self, thinking: Thinking) -> None:
        self.thinking = thinking

    def start(self, start: Start) -> None:
        self.random = Random(start.seed)
        self.rules = start.rules
        self.amulets = [0, *start.rules["amulets"], 0, 0, 0]
        self.leaf = Leaf(start.seats, self.amulets)
        self.events: list[dict[str, Any]] = []

    def choose(self, question: Question) -> Action:
        self.thinking.begin(question, 1.0 if question.kind == "play" else DRAWING)
        self.events += question.events
        sample = GARGON.sampler(question.view, self.events, self.rules)
        root = sample(self.random)
        assert isinstance(root, GargonState)
        policy = Policy(root, self.amulets)
        left = self.candidates(root, policy)
        shares = [0.0] * len(left)
        order = list(range(len(left)))
        deals = 0
        stage = 1
        while len(order) > 1:
            noise = [self.random.gauss(0, NOISE) for _ in range(96)]
            state = sample(self.random)
            assert isinstance(state, GargonState)
            for at in order:
                shares[at] += self.imagine(state.copy(), left[at], policy, noise)
            deals += 1
            self.thinking.done += len(order)
            spent = self.thinking.spent()
            if spent >= 1:
                break
            if spent >= stage / STAGES:
                stage += 1
                order.sort(key=shares.__getitem__, reverse=True)
                del order[max(2, (len(order) + 1) // 2) :]
        best = max(order, key=shares.__getitem__)
        share = f" for {shares[best] / deals:.2f} of the others" if deals else ""
        question.note = f"best of {len(left)}{share}, {self.thinking.done} rounds imagined"
        return left[best]

    def candidates(self, root: GargonState, policy: Policy) -> list[Action]:
        """The moves to try: all but plays that are rated low."""
        actions = root.actions()
        plays = [action for action in actions if action[0] == "play"]
        if len(plays) <= PLAYS:
            return actions
        rates = policy.rates(root, plays)
        ranked = sorted(range(len(plays)), key=rates.__getitem__, reverse=True)
        return [plays[at] for at in ranked[:PLAYS]] + actions[len(plays) :]

    def imagine(
        self, state: GargonState, action: Action, policy: Policy, noise: list[float]
    ) -> float:
        """How many of the others are beaten if the round goes on from this move by the policy."""
        seat = state.turn
        this_round = state.round
        state.apply(action)
        while state.round == this_round and state.turn >= 0:
            state.apply(policy.choose(state, noise))
        return self.leaf.share(state, seat)


if __name__ == "__main__":
    run(SearchBot(Thinking(iterations())))
