import pytest

from reel_cli.errors import StateError
from reel_cli.model.tape import Event
from reel_cli.tape.blocks import verify_chain
from reel_cli.tape.events_file import append_events, parse_events

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
