"""The error for an action that the rules do not allow, and checks that raise it."""

from __future__ import annotations

from arena.wording import brief

_ARRAYS = (list, tuple)


class IllegalAction(ValueError):
    """An action that cannot be played: where it is wrong, and what was expected.

    `at` is the index of the element that is wrong, None if it is the action as a whole.
    `text` is what follows the place: "expected a card in your hand, got 40".
    """

    def __init__(self, text: str, at: int | None = None) -> None:
        super().__init__(text)
        self.at = at
        self.text = text

    def __str__(self) -> str:
        return self.describe("action")

    def describe(self, name: str) -> str:
        """Return the message, with the action called `name`: "action[1]: expected ..."."""
        return f"{name}: {self.text}" if self.at is None else f"{name}[{self.at}]: {self.text}"


def expect_verb(action: object, kind: str, verbs: tuple[str, ...]) -> tuple[str, list[int]]:
    """Split an action from outside into its verb and its integers."""
    if not isinstance(action, _ARRAYS) or not action:
        raise IllegalAction(f"expected an array that starts with a verb, got {brief(action)}")
    verb, *numbers = action
    if type(verb) is not str or verb not in verbs:
        known = " or ".join(f'"{name}"' for name in verbs)
        raise IllegalAction(
            f"expected {known} at a decision of kind {kind!r}, got {brief(verb)}", 0
        )
    for number in numbers:
        if type(number) is not int:
            at = 1 + [type(n) is int for n in numbers].index(False)
            raise IllegalAction(f"expected an integer, got {brief(number)}", at)
    return verb, numbers


def expect_count(verb: str, numbers: list[int], count: int, what: str) -> None:
    """Require that exactly `count` integers follow the verb."""
    if len(numbers) != count:
        raise IllegalAction(f'expected ["{verb}"{what}], got {brief([verb, *numbers])}')


def expect_below(numbers: list[int], at: int, limit: int) -> int:
    """Return the integer at index `at` of the action, which must be from 0 to limit - 1."""
    number = numbers[at - 1]
    if not 0 <= number < limit:
        raise IllegalAction(f"expected 0..{limit - 1}, got {brief(number)}", at)
    return number
