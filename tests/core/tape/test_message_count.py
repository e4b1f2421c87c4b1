"""Counting what was said comes to the same as reading it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import StateError
from reel_cli.core.tape.session_file import append_entries, count_shown, parse_session, render_session
from reel_cli.core.values.talk import Conversation, Entry, Kind, Message

PATH = "tape/2026/2026-02-10-1.md"
TEXTS = st.one_of(
    st.text(max_size=30),
    st.sampled_from(['\n<!-- {"n": 9, "bytes": 3, "hash": "0"} -->\n', '", "after": 1', "---\n", "\n\n"]),
)
MESSAGES = st.builds(
    Message,
    st.sampled_from(["user", "assistant", "system"]),
    TEXTS,
    st.sampled_from([Kind.SAID, Kind.SAID, Kind.REASONING, Kind.BUNDLE]),
    st.one_of(st.none(), TEXTS),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(MESSAGES, max_size=8), st.booleans())
def test_any_session_counts_as_it_is_shown(messages: list[Message], corrected: bool) -> None:  # noqa: FBT001
    data = render_session("2026-02-10-1", Conversation("text", messages))
    said = sum(message.kind is Kind.SAID for message in messages)
    if corrected and said:
        entry = Entry(said + 1, Message("user", "no"), after=said, supersedes=(said,))
        data = append_entries(data, [entry], PATH)
    assert count_shown(data, PATH) == len(parse_session(data, PATH).shown())


def test_a_damaged_session_is_refused_as_reading_it_does() -> None:
    data = render_session(
        "2026-02-10-1", Conversation("text", [Message("user", "one"), Message("user", "two")])
    )
    for damaged in (data[:-2], data + b"more\n", data.replace(b'"n": 2', b'"n": 3'), data[10:]):
        with pytest.raises(StateError) as expected:
            parse_session(damaged, PATH)
        with pytest.raises(StateError) as actual:
            count_shown(damaged, PATH)
        assert actual.value.message == expected.value.message
