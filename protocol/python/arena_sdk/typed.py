"""What the modules of the games build on: messages' maps with typed attributes, and moves."""

from __future__ import annotations

TYPE_CHECKING = False  # like typing.TYPE_CHECKING, without importing typing, which is slow
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, ClassVar


class Fields:
    """A map of a message, with its keys as attributes.

    The map itself holds the attributes. Nothing is copied, so making one costs next to nothing.
    """

    def __init__(self, fields: dict[str, Any]) -> None:
        self.__dict__ = fields

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({inside})"


class Event(Fields):
    """Something that happened. One of a later version of the rules has no other type than this."""

    event: str


class Number:
    """A number of a move, by its place in the list."""

    def __init__(self, place: int) -> None:
        self._place = place

    def __get__(self, move: Move, owner: type[Move]) -> int:
        number: int = move[self._place]
        return number


class Move(list["Any"]):
    """An action in its type. It is the list that the protocol has: a verb, then numbers."""

    __slots__ = ()
    verb: ClassVar[str]

    def __init__(self, *numbers: int) -> None:
        self.extend((self.verb, *numbers))


def typed_events(
    types: Mapping[str, type[Event]], events: Iterable[dict[str, Any]]
) -> Iterator[Event]:
    """Yield events in their types."""
    find = types.get
    for fields in events:
        yield find(fields["event"], Event)(fields)


def typed_moves(types: Mapping[str, type[Move]], actions: Iterable[list[Any]]) -> Iterator[Move]:
    """Yield actions in their types; raise `ValueError` for one that has none."""
    for action in actions:
        kind = types.get(action[0])
        if kind is None:
            raise ValueError(f"{action} is no action of this game")
        move = kind.__new__(kind)
        move += action
        yield move
