import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import StateError
from reel_cli.core.tape.blocks import verify_chain
from reel_cli.core.tape.events_file import append_events, parse_events, read_so_far
from reel_cli.core.values.talk import Event

PATH = "tape/events.md"
FLAG = Event(1, "flag", "2026-02-10T21:14:00+00:00", "she named the coldness --> herself")
RETRACT = Event(2, "retract", "2026-02-11T08:00:00+00:00", "the wrong chat", "2026-02-10-1")


def plain(events: list[Event]) -> list[tuple[int, str, str, str, str | None]]:
    return [(e.number, e.kind, e.at, e.text, e.session) for e in events]


def test_events_are_appended_and_read_back() -> None:
    one = append_events(None, [FLAG], PATH)
    two = append_events(one, [RETRACT], PATH)
    assert two.startswith(one)
    assert plain(parse_events(two, PATH)) == plain([FLAG, RETRACT])
    assert two == append_events(b"", [FLAG, RETRACT], PATH)
    assert verify_chain(two) is None


def test_events_are_numbered_on_whatever_number_they_come_with() -> None:
    data = append_events(append_events(None, [FLAG], PATH), [FLAG, FLAG], PATH)
    assert [e.number for e in parse_events(data, PATH)] == [1, 2, 3]


def test_a_kind_of_a_newer_reel_is_kept() -> None:
    data = append_events(None, [Event(1, "ripened", "2026-02-10T21:14:00+00:00")], PATH)
    assert [e.kind for e in parse_events(data, PATH)] == ["ripened"]


def test_no_file_holds_no_events() -> None:
    assert parse_events(b"", PATH) == []


def test_a_changed_event_is_refused() -> None:
    data = append_events(None, [FLAG], PATH)
    with pytest.raises(StateError, match="line 5: what begins here is no longer what was recorded"):
        append_events(data.replace(b"coldness", b"kindness"), [RETRACT], PATH)
    with pytest.raises(StateError, match="line 5: event 1 should stand here"):
        parse_events(data.replace(b'"event": "flag"', b'"other": "flag"'), PATH)


EVENTS = st.builds(
    Event,
    number=st.just(0),
    kind=st.sampled_from(["flag", "title", "model", "retract", "reinstate", "correction"]),
    at=st.just("2026-02-10T21:14:00+00:00"),
    text=st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
    session=st.sampled_from([None, "2026-02-10-1", "2026-02-10-2"]),
    about=st.sampled_from([None, (1, 2)]),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.lists(EVENTS, max_size=3), st.booleans()), max_size=6))
def test_what_grows_in_memory_is_what_would_be_read_anew(steps: list[tuple[list[Event], bool]]) -> None:
    data = append_events(None, [FLAG], PATH)
    given: list[Event] = [FLAG]
    for events, looked in steps:
        if looked:
            read_so_far(data, PATH)
        before = data
        data = append_events(data, events, PATH)
        given += events
        assert data.startswith(before)
        found = read_so_far(data, PATH)
        assert found.events == parse_events(bytes(bytearray(data)), PATH)
        assert verify_chain(data) is None
    assert data == append_events(None, given, PATH)
    so_far = read_so_far(data, PATH)
    for session in ("2026-02-10-1", "2026-02-10-2"):
        mine = [event for event in parse_events(data, PATH) if event.session == session]
        assert so_far.told(session) == {event.kind: event.text for event in mine}
        assert so_far.of_kind("title").get(session) == so_far.told(session).get("title")
        verdicts = [event.kind for event in mine if event.kind in ("retract", "reinstate")]
        assert (session in so_far.gone) == (verdicts[-1:] == ["retract"])


def test_the_same_words_in_another_reading_are_proven_again() -> None:
    data = append_events(None, [FLAG], PATH)
    assert read_so_far(data, PATH).events == parse_events(data, PATH)
    with pytest.raises(StateError, match="line 5: what begins here is no longer what was recorded"):
        read_so_far(data.replace(b"coldness", b"kindness"), PATH)
