"""The conversation with one bot, message by message, without a process."""

from __future__ import annotations

from typing import Any

import pytest

from arena.games.deal import DealStream
from arena.games.game import State
from arena.records.entries import TimeControl
from arena.records.verdicts import CRASHED, ILLEGAL, PROTOCOL, START_FAILED, TIMEOUT
from arena.referee.clock import Clock
from arena.referee.faults import STALLED, Fault, HostStalled
from arena.referee.player import Player
from arena.wire import messages
from arena.wire.frames import frame

from .matches import GARGON
from .scripted import (
    HELLO,
    ClosesStdin,
    ClosesStdout,
    Says,
    Scripted,
    Step,
    StopsReading,
    chooses,
    hears,
    says,
)

PATIENT = TimeControl(decision=60_000, bank=60_000, start=60_000)
"""So long that no machine is too slow for what a test does not want to be late."""
HASTY = TimeControl(decision=1, bank=0, start=1)
OLD = "action.id: expected {}, the id of the last question, got {}"


def a_state() -> State:
    """A game of Gargon before its first decision."""
    return GARGON.start(3, GARGON.rules({}), DealStream.of("tests", 0))


def ask(player: Player, state: State, clock: Clock, **keys: Any) -> tuple[Any, str, float]:
    """Ask for a decision, with the list of actions."""
    return player.ask({"t": "act", "actions": state.actions(), **keys}, state, clock)


def fails(player: Player, clock: Clock | None = None) -> Fault:
    """The fault that the next question ends with."""
    with pytest.raises(Fault) as caught:
        ask(player, a_state(), clock or Clock(PATIENT))
    return caught.value


def asked(*steps: Step, control: TimeControl = PATIENT, **keys: Any) -> Fault:
    """The fault that a script ends with that begins with a question."""
    script = Scripted(hears("act", id=1), *steps, **keys)
    fault = fails(Player(script, control), Clock(control))
    script.assert_done()
    return fault


def greeted(*steps: Step, control: TimeControl = PATIENT, **keys: Any) -> Fault:
    """The fault that a script ends with that begins with a hello."""
    script = Scripted(hears("hello"), *steps, **keys)
    with pytest.raises(Fault) as caught:
        Player(script, control).greet("tests", {}, {})
    script.assert_done()
    assert caught.value.verdict == START_FAILED
    return caught.value


def test_hellos_are_exchanged_first() -> None:
    """A bot learns at once who asks, which games there are, and what it may send."""
    script = Scripted(
        hears("hello", protocol=[1, 0], arena="1.2", games={"gargon": "7"}, limits={"frame": 9}),
        says(HELLO | {"version": "3", "actions": True, "events": False, "hobby": "chess"}),
    )
    player = Player(script, PATIENT)
    hello = player.greet("1.2", {"gargon": "7"}, {"frame": 9})
    assert hello == player.hello == messages.Hello("scripted", "3", actions=True, events=False)
    script.assert_done()


def test_a_hello_may_be_short_and_of_a_later_minor_version() -> None:
    """A bot that only says who it is gets events but no lists; newer minor versions may play."""
    script = Scripted(hears("hello"), says(HELLO | {"protocol": [1, 99]}))
    hello = Player(script, PATIENT).greet("1", {}, {})
    assert hello == messages.Hello("scripted", "", actions=False, events=True)


def test_whatever_goes_wrong_before_hello_is_a_failed_start() -> None:
    """A bot that cannot be talked to is told so by one verdict, with the reason."""
    late = "no answer within the time for the decision and what was left of the bank"
    assert greeted(control=HASTY).text == f"no hello: {late}"
    assert greeted(ClosesStdout(), ending=1).text.endswith("exit code 1")
    assert greeted(says({"t": "error", "text": "no net"})).text == "the bot says: no net"
    assert greeted(chooses(0)).text == 't: expected "hello", got "action"'
    assert greeted(says({"t": "hello"})).text.startswith("hello.protocol: expected [1, minor]")
    assert greeted(Says(b"Hello!\n")).text.startswith("expected a frame, got text on stdout")


def test_an_action_is_taken_as_such_or_by_its_index() -> None:
    """Bots may name their action or point to it in the list; both are the same decision."""
    state = a_state()
    actions = state.actions()
    script = Scripted(
        hears("act", id=1, kind="play", actions=[list(action) for action in actions]),
        chooses(1, i=2),
        hears("act", id=2),
        chooses(2, a=list(actions[3]), note="why not"),
    )
    player = Player(script, PATIENT)
    clock = Clock(PATIENT)
    action, note, seconds = ask(player, state, clock, kind="play")
    assert (action, note) == (actions[2], "")
    assert seconds > 0
    assert ask(player, state, clock)[:2] == (actions[3], "why not")
    assert clock.limit == Clock(PATIENT).limit
    assert player.quiet
    script.assert_done()


def test_an_index_counts_in_the_list_that_the_bot_did_not_want() -> None:
    """A bot that knows the order of the actions need not be sent the list to point into it."""
    state = a_state()
    player = Player(Scripted(hears("act", id=1), chooses(1, i=5)), PATIENT)
    assert player.ask({"t": "act"}, state, Clock(PATIENT))[0] == state.actions()[5]


def test_unknown_keys_are_passed_over() -> None:
    """A bot written for a later minor version can play here."""
    state = a_state()
    player = Player(Scripted(hears("act"), chooses(1, mood="good", b=[1])), PATIENT)
    assert ask(player, state, Clock(PATIENT))[0] == state.actions()[0]


def test_an_answer_may_come_in_two_pieces_cut_anywhere() -> None:
    """Where a pipe happens to cut an answer makes no difference."""
    state = a_state()
    data = frame({"t": "action", "id": 1, "i": 4, "note": "é"})
    for cut in range(1, len(data)):
        script = Scripted(hears("act"), Says(data[:cut]), Says(data[cut:]))
        player = Player(script, PATIENT)
        assert ask(player, state, Clock(PATIENT))[:2] == (state.actions()[4], "é")
        script.assert_done()


def test_an_answer_may_come_byte_by_byte() -> None:
    """However small the pieces are."""
    state = a_state()
    pieces = [Says(bytes([byte])) for byte in frame({"t": "action", "id": 1, "i": 1})]
    player = Player(Scripted(hears("act"), *pieces), PATIENT)
    assert ask(player, state, Clock(PATIENT))[0] == state.actions()[1]


def test_a_second_answer_is_not_taken_for_the_next_one() -> None:
    """A bot that answers twice is told of the number that it repeated, in one read or two."""
    first, second = ({"t": "action", "id": 1, "i": index} for index in (0, 1))
    for answers in ([says(first, second)], [says(first), says(second)]):
        script = Scripted(hears("act"), answers[0])
        player = Player(script, PATIENT)
        ask(player, a_state(), Clock(PATIENT))
        later = Scripted(hears("act", id=2), *answers[1:], chooses(2))
        player.transport = later
        assert fails(player).text == OLD.format(2, 1)


def test_an_answer_that_came_early_is_there() -> None:
    """Whether a guess arrives with the answer before it or after it makes no difference."""
    script = Scripted(
        hears("act"),
        says({"t": "action", "id": 1, "i": 0}, {"t": "action", "id": 2, "i": 1}),
        hears("act"),
    )
    state = a_state()
    clock = Clock(TimeControl(decision=50, bank=0))
    player = Player(script, PATIENT)
    ask(player, state, Clock(PATIENT))
    assert ask(player, state, clock)[0] == state.actions()[1]


def test_what_was_not_asked_for_is_noticed_between_games() -> None:
    """A process that still has something to say is not trusted with another game."""
    two = says({"t": "action", "id": 1, "i": 0}, {"t": "action", "id": 1, "i": 0})
    player = Player(Scripted(hears("act"), two), PATIENT)
    ask(player, a_state(), Clock(PATIENT))
    assert not player.quiet
    assert not Player(Scripted(chooses(1)), PATIENT).quiet
    assert not Player(Scripted(ClosesStdout()), PATIENT).quiet
    assert Player(Scripted(), PATIENT).quiet


@pytest.mark.parametrize("number", [0, 2, -1, 1 << 63])
def test_only_the_last_question_can_be_answered(number: int) -> None:
    """Answers to old questions, and to questions nobody asked, are not taken."""
    fault = asked(chooses(number))
    assert (fault.verdict, fault.text) == (PROTOCOL, OLD.format(1, number))


def test_an_index_beyond_the_list_is_illegal() -> None:
    """The list ends where it ends, at both ends; the text says how long it was."""
    last = len(a_state().actions()) - 1
    for index in (-1, last + 1, (1 << 64) - 1, -(1 << 63)):
        fault = asked(chooses(1, i=index))
        assert fault.verdict == ILLEGAL
        expected = f"expected 0..{last}, an index into the list of legal actions, got {index}"
        assert fault.text == f"action.i: {expected}"


def test_an_action_outside_the_rules_is_illegal() -> None:
    """The text names the place in the action, so that an author can look it up."""
    fault = asked(chooses(1, a=["play", 1000]))
    assert (fault.verdict, fault.text) == (ILLEGAL, "action.a[1]: expected 0..95, got 1000")
    assert asked(chooses(1, a=None)).text.startswith("action.a: expected an array")


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ({"t": "action", "i": 0}, "action.id: expected the id of the question, got no such key"),
        ({"t": "action", "id": 1}, "action: expected a (the action) or i (its index), got neither"),
        ({"t": "action", "id": 1, "i": True}, "action.i: expected an index, got true"),
        ({"t": "action", "id": 1, "i": 0.0}, "action.i: expected an index, got 0.0"),
        (
            {"t": "action", "id": 1, "i": 0, "a": []},
            "action: expected either a (the action) or i (its index), got both",
        ),
        ({"t": "action", "id": 1, "i": 0, "note": 1}, "action.note: expected a text, got 1"),
        (HELLO, 't: expected "action", got "hello"'),
        ({"t": "move"}, 't: expected "hello", "action" or "error", got "move"'),
        ({}, 't: expected "hello", "action" or "error", got a message without t'),
    ],
)
def test_a_message_that_is_no_answer_is_a_fault(answer: dict[str, Any], text: str) -> None:
    """The author learns which key was wrong, what was expected there, and what came."""
    fault = asked(says(answer))
    assert (fault.verdict, fault.text) == (PROTOCOL, text)


@pytest.mark.parametrize(
    ("note", "kept"),
    [
        ("n" * 500, "n" * 500),
        ("n" * 501, "n" * 497 + "..."),
        ("é" * 250, "é" * 250),
        ("é" * 251, "é" * 248 + "..."),
        ("€" * 166, "€" * 166),
        ("€" * 167, "€" * 165 + "..."),
        ("🃏" * 125, "🃏" * 125),
        ("🃏" * 126, "🃏" * 124 + "..."),
        ("n🃏" * 100 + "n", "n🃏" * 99 + "n..."),
    ],
)
def test_a_note_is_cut_to_500_bytes(note: str, kept: str) -> None:
    """A talkative bot is not punished, but fills nobody's records; no character is cut in two."""
    assert len(kept.encode()) <= 500
    player = Player(Scripted(hears("act"), chooses(1, note=note)), PATIENT)
    assert ask(player, a_state(), Clock(PATIENT))[1] == kept


def test_a_bot_can_say_that_it_cannot_go_on() -> None:
    """Its own words reach its author, cut to a bearable length."""
    fault = asked(says({"t": "error", "text": "I lost count" + "!" * 1000}))
    assert fault.verdict == CRASHED
    assert fault.text == "the bot says: I lost count" + "!" * 485 + "..."


def test_names_and_versions_are_cut_as_notes_are() -> None:
    """What a bot calls itself has as many bytes as a note at most."""
    script = Scripted(hears("hello"), says(HELLO | {"name": "é" * 300, "version": "1" * 501}))
    hello = Player(script, PATIENT).greet("1", {}, {})
    assert (hello.name, hello.version) == ("é" * 248 + "...", "1" * 497 + "...")


def test_a_closed_pipe_is_told_apart_from_an_end() -> None:
    """A program that has crashed is told how; one that only closed a pipe is told which."""
    crash = "ended while the game went on: exit code 3"
    assert asked(ClosesStdout(), ending=3).text == crash
    fault = asked(ClosesStdout())
    assert fault.verdict == PROTOCOL
    assert fault.text == "closed its stdout while the game went on"
    for ending, verdict, text in [
        (3, CRASHED, crash),
        (None, PROTOCOL, "closed its stdin while the game went on"),
    ]:
        fault = fails(Player(Scripted(ClosesStdin(), ending=ending), PATIENT))
        assert (fault.verdict, fault.text) == (verdict, text)


def test_a_bot_that_does_not_read_is_out_of_time() -> None:
    """A message that does not fit into the pipe is not waited for without end."""
    fault = fails(Player(Scripted(StopsReading()), PATIENT))
    assert fault.verdict == TIMEOUT
    assert fault.text == "did not read its stdin: the pipe to it stayed full"
    with pytest.raises(Fault, match="did not read"):
        Player(Scripted(StopsReading()), PATIENT).tell({"t": "end"})


def test_what_needs_no_answer_gets_none() -> None:
    """Start, end and bye are only sent: the referee does not wait for anything."""
    script = Scripted(hears("start", number=4), hears("end"), hears("bye"))
    player = Player(script, PATIENT)
    player.tell({"t": "start", "number": 4})
    player.tell({"t": "end"})
    player.tell(messages.BYE)
    script.assert_done()
    player.close()
    assert script.closed


def test_a_late_answer_is_paid_from_the_bank() -> None:
    """What a decision takes beyond its time, and no more, is missing from the bank."""
    control = TimeControl(decision=10, bank=60_000)
    clock = Clock(control)
    player = Player(Scripted(hears("act"), chooses(1, after=0.05)), control)
    _, _, seconds = ask(player, a_state(), clock)
    assert seconds >= 0.05
    assert clock.bank == pytest.approx(60 - (seconds - 0.01))
    assert player.last_wait == 0


def test_a_late_answer_in_pieces_is_paid_from_the_bank_too() -> None:
    """The clock runs until the last byte has come."""
    control = TimeControl(decision=10, bank=60_000)
    clock = Clock(control)
    data = frame({"t": "action", "id": 1, "i": 0})
    script = Scripted(hears("act"), Says(data[:9]), Says(data[9:], after=0.05))
    _, _, seconds = ask(Player(script, control), a_state(), clock)
    assert seconds >= 0.05
    assert clock.bank == pytest.approx(60 - (seconds - 0.01))


def test_an_empty_bank_is_the_end() -> None:
    """A bot that does not answer in time is told how long it had."""
    clock = Clock(TimeControl(decision=20, bank=20))
    fault = fails(Player(Scripted(hears("act")), PATIENT), clock)
    assert fault.verdict == TIMEOUT
    assert "allowed 40 ms; 0 ms of the host's not counted" in fault.figures


def test_an_answer_after_the_time_is_none() -> None:
    """An answer that comes when the time is up is not taken, however good it is."""
    clock = Clock(TimeControl(decision=1, bank=0))
    script = Scripted(hears("act"), chooses(1), oversleep=0.02)
    fault = fails(Player(script, PATIENT), clock)
    assert fault.verdict == TIMEOUT
    assert "allowed 1 ms" in fault.figures


def test_the_time_of_the_host_is_taken_off() -> None:
    """A bot that could not run is charged for what is left, and the wait is kept."""
    control = TimeControl(decision=10, bank=1000)
    clock = Clock(control)
    player = Player(Scripted(hears("act"), chooses(1, after=0.06), host=0.05), control)
    _, _, seconds = ask(player, a_state(), clock)
    assert player.last_wait == 0.05
    assert clock.bank == pytest.approx(1 - max(0.0, seconds - 0.05 - 0.01))


def test_the_time_of_the_host_prolongs_the_wait() -> None:
    """A bot is waited for until its own time is up, not the wall clock's."""
    control = TimeControl(decision=10, bank=0)
    clock = Clock(control)
    player = Player(Scripted(hears("act"), chooses(1, after=0.1), host=9.0), control)
    _, _, seconds = ask(player, a_state(), clock)
    assert seconds >= 0.1
    assert clock.bank == 0


def test_a_wait_is_forgotten_with_the_next_question() -> None:
    """What the host took in one decision is not written down for another."""
    script = Scripted(hears("act"), chooses(1, after=0.03), hears("act"), chooses(2), host=5.0)
    control = TimeControl(decision=10, bank=60_000)
    player = Player(script, control)
    ask(player, a_state(), Clock(control))
    assert player.last_wait == 5.0
    ask(player, a_state(), Clock(PATIENT))
    assert player.last_wait == 0


def test_a_game_that_the_host_has_stalled_is_not_judged() -> None:
    """Nobody loses on time because a machine was put to sleep."""
    control = TimeControl(decision=10, bank=0)
    player = Player(Scripted(hears("act"), host=10.1), control)
    with pytest.raises(HostStalled, match=r"10\.1 s in one decision"):
        ask(player, a_state(), Clock(control))


def test_a_stall_that_is_not_tolerated_is_the_bots_fault() -> None:
    """A bot that keeps the referee waiting time and again is out; it cannot stop a ladder."""
    control = TimeControl(decision=10, bank=0)
    player = Player(Scripted(hears("act"), host=10.1), control)
    player.tolerated = False
    with pytest.raises(Fault, match="time and again") as fault:
        ask(player, a_state(), Clock(control))
    assert fault.value.verdict == TIMEOUT
    assert fault.value.code == STALLED


def test_a_stop_of_the_referee_is_nobodys_fault() -> None:
    """Not even of a bot whose stalls are not tolerated any more."""
    control = TimeControl(decision=10, bank=0)
    script = Scripted(hears("act"), host=10.1)
    script.stopped = 10.0
    player = Player(script, control)
    player.tolerated = False
    with pytest.raises(HostStalled):
        ask(player, a_state(), Clock(control))
