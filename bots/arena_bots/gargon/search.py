"""A bot that deals the hidden cards at random and tries its moves in simulated rounds.

It deals the hidden cards at random many times. After each move, a quick policy plays the rest
of the round, and learned weights predict how likely the bot then places before each of the
others. All moves are tried on the same deals, so that luck does not favour one of them. The
worse half of the moves is dropped repeatedly, so that most of the time is spent on the moves
between which it is hard to choose.
"""

from __future__ import annotations

from random import Random

from arena.games.gargon.game import Gargon
from arena.games.gargon.state import GargonState
from arena_bots.gargon.leaf import Leaf
from arena_bots.gargon.policy import Policy
from arena_bots.thinking import Thinking, thinking
from arena_sdk import Bot, Question, Start, run
from arena_sdk.gargon import Rules

TYPE_CHECKING = False  # like typing.TYPE_CHECKING, without importing typing, which is slow
if TYPE_CHECKING:
    from typing import Any

    from arena.games.game import Action

GARGON = Gargon()
ENOUGH = 300  # simulated rounds for a decision; more did not make the bot stronger
PLAYS = 16  # how many plays are tried: the best by the policy's rates
STAGES = 4  # how often the worse half is dropped
NOISE = 0.6  # standard deviation of the noise on the policy's rates
DRAWING = 0.25  # share of the iterations for draws and battles, which matter less
FEW = 12  # with fewer deals than this, the order of two moves is never clear
CLEAR = 3.0  # standard errors between two moves from which on their order is clear


class SearchBot(Bot):
    """Tries moves in simulated rounds."""

    name = "gargon-search"
    version = "1"
    wants_actions = False

    def __init__(self, thinking: Thinking) -> None:
        self.thinking = thinking

    def start(self, start: Start) -> None:
        self.random = Random(start.seed)
        self.noise = [self.random.gauss(0, NOISE) for _ in range(1000)]
        self.rules = start.rules
        self.amulets = [0, *Rules(start.rules).amulets, 0, 0, 0]
        self.leaf = Leaf(start.seats, self.amulets)
        self.events: list[dict[str, Any]] = []

    def choose(self, question: Question) -> Action:
        self.thinking.begin(question, 1.0 if question.kind == "play" else DRAWING)
        self.events += question.events
        sample = GARGON.sampler(question.view, self.events, self.rules)
        root = sample(self.random)
        assert isinstance(root, GargonState)
        policy = Policy(root, self.amulets)
        moves = self.candidates(root, policy)
        order = list(range(len(moves)))
        shares: list[list[float]] = [[] for _ in moves]
        stage = 1
        while len(order) > 1:
            first = int(self.random.random() * (len(self.noise) - 96))
            noise = self.noise[first : first + 96]
            state = sample(self.random)
            assert isinstance(state, GargonState)
            for at in order:
                shares[at].append(self.imagine(state.copy(), moves[at], policy, noise))
            self.thinking.done += len(order)
            spent = self.thinking.spent()
            if spent >= stage / STAGES:
                order.sort(key=lambda at: sum(shares[at]), reverse=True)
                if spent >= 1 or clear(shares[order[0]], shares[order[1]]):
                    break
                stage += 1
                del order[max(2, (len(order) + 1) // 2) :]
        best = order[0]
        found, next_best = mean(shares[best]), mean(shares[order[1]])
        question.note = (
            f"beats {found:.0%} of the others, the next best move {next_best:.0%}; "
            f"{len(moves)} moves in {self.thinking.done} imagined rounds"
        )
        return moves[best]

    def candidates(self, root: GargonState, policy: Policy) -> list[Action]:
        """Return the moves to try: all passes, battles and draws, and the best-rated plays."""
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
        """Play this move and the rest of the round; return the share of the others beaten."""
        seat = state.turn
        this_round = state.round
        state.apply(action)
        while state.round == this_round and state.turn >= 0:
            state.apply(policy.choose(state, noise))
        return self.leaf.share(state, seat)


def mean(shares: list[float]) -> float:
    """Return the mean of the shares."""
    return sum(shares) / len(shares)


def clear(best: list[float], next_best: list[float]) -> bool:
    """Return whether more deals are unlikely to reverse the order of two moves."""
    count = len(best)
    if count < FEW:
        return False
    differences = [a - b for a, b in zip(best, next_best, strict=True)]
    middle = sum(differences) / count
    spread = sum([(each - middle) ** 2 for each in differences]) / count
    return middle * middle * count > CLEAR * CLEAR * spread


if __name__ == "__main__":
    run(SearchBot(thinking(ENOUGH)))
