import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import StateError
from reel_cli.core.tape.blocks import verify_chain
from reel_cli.core.tape.session_file import (
    Front,
    append_entries,
    first_entries,
    parse_session,
    read_front,
    render_session,
)
from reel_cli.core.values.talk import Conversation, Entry, Kind, Message, Session

ID = "2026-02-10-1"
PATH = f"tape/2026/{ID}.md"

texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40)
messages = st.builds(
    Message,
    role=st.sampled_from(["user", "assistant", "system", "tool"]),
    text=texts | st.sampled_from(["<!-- {} -->\n", "\r\n", "\0", "\n\n<!-- ", "---\n", "a\n"]),
    kind=st.sampled_from(list(Kind)),
    name=st.none() | texts,
    time=st.none() | st.just("2026-02-10T21:14:00-05:00"),
    model=st.none() | texts,
)
CHAT = Conversation(
    format="lmstudio",
    key="lmstudio:1740513600000",
    title="lighthouse: ch. 4",
    started="2026-02-10T21:14:00+01:00",
    model="qwen2.5",
    messages=(
        Message("system", "You are Ada.", Kind.SYSTEM),
        Message("user", "hi", time="2026-02-10T21:14:05+01:00"),
        Message("assistant", "Hello.\n", model="qwen2.5", name="Ada"),
        Message("assistant", "thinking", Kind.REASONING),
    ),
)


def test_a_session_file_reads_as_markdown() -> None:
    data = render_session(ID, CHAT)
    digests = [entry.digest for entry in parse_session(data, PATH).entries]
    assert (
        data.decode()
        == f"""---
session: 2026-02-10-1
started: 2026-02-10T21:14:00+01:00
source: lmstudio:1740513600000
title: "lighthouse: ch. 4"
model: qwen2.5
---

<!-- {{"role": "system", "kind": "system", "bytes": 12, "hash": "{digests[0]}"}} -->
You are Ada.

<!-- {{"n": 1, "role": "user", "at": "2026-02-10T21:14:05+01:00", "kind": "said", "bytes": 2, "hash": "{digests[1]}"}} -->
hi

<!-- {{"n": 2, "role": "assistant", "name": "Ada", "kind": "said", "model": "qwen2.5", "bytes": 7, "hash": "{digests[2]}"}} -->
Hello.


<!-- {{"role": "assistant", "kind": "reasoning", "bytes": 8, "hash": "{digests[3]}"}} -->
thinking
"""  # noqa: E501
    )


@settings(max_examples=100, deadline=None)
@given(st.lists(messages, max_size=6), st.none() | texts, st.none() | texts)
def test_any_conversation_round_trips(chat: list[Message], title: str | None, model: str | None) -> None:
    conversation = Conversation("text", tuple(chat), title=title, model=model)
    data = render_session(ID, conversation)
    session = parse_session(data, PATH)
    assert [e.message for e in session.entries] == chat
    assert [e.number for e in session.entries] == [e.number for e in first_entries(conversation)]
    assert (session.title or None, session.model or None) == (title or None, model or None)
    assert verify_chain(data) is None


@settings(max_examples=100, deadline=None)
@given(st.lists(messages, max_size=5), st.integers(0, 5))
def test_appending_in_two_goes_gives_the_same_bytes(chat: list[Message], split: int) -> None:
    entries = first_entries(Conversation("text", tuple(chat)))
    empty = render_session(ID, Conversation("text", ()))
    first = append_entries(empty, entries[:split], PATH)
    whole = append_entries(first, entries[split:], PATH)
    assert whole.startswith(first)
    assert whole == append_entries(empty, entries, PATH)


def test_corrections_and_retractions_round_trip_and_show_what_was_seen_last() -> None:
    data = render_session(ID, CHAT)
    added = [
        Entry(3, Message("assistant", "Hello, you."), supersedes=(2,)),
        Entry(4, Message("user", "first of all"), after=0),
        Entry(None, Message("user", "", Kind.RETRACTION), supersedes=(1,)),
    ]
    session = parse_session(append_entries(data, added, PATH), PATH)
    assert [(e.number, e.after, e.supersedes, e.message) for e in session.entries[4:]] == [
        (e.number, e.after, e.supersedes, e.message) for e in added
    ]
    assert [e.message.text for e in session.shown()] == ["first of all", "Hello, you."]
    assert list(session.numbered()) == [1, 2, 3, 4]


def test_the_front_matter_is_read_without_the_rest() -> None:
    data = render_session(ID, CHAT)
    front = Front(ID, CHAT.started, "lmstudio:1740513600000", "lighthouse: ch. 4", "qwen2.5")
    assert read_front(data[:200], PATH) == front
    assert front.key == "lmstudio:1740513600000"
    assert Session(ID, None, "text").key is None


def test_a_conversation_that_does_not_know_when_it_began_takes_the_given_time() -> None:
    data = render_session(
        ID, Conversation("text", (Message("user", "hi"),)), started="2026-02-10T08:00:00+00:00"
    )
    assert read_front(data, PATH) == Front(ID, "2026-02-10T08:00:00+00:00", "text")


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (b'"n": 2', b'"n": 7', "line 15: message 2 should stand here"),
        (b'"n": 2, ', b"", "line 15: message 1 should stand here"),
        (b'"kind": "system"', b'"kind": "dreamt"', "line 9: a newer reel wrote this kind of message"),
        (b"You are Ada.", b"You are Ad\xff.", "line 9: what follows is not UTF-8 text"),
        (b"-10-1\n", b"-10-2\n", "line 2: the session's name is missing or not that of its file"),
    ],
)
def test_damage_names_the_file_and_the_line(old: bytes, new: bytes, what: str) -> None:
    damaged = render_session(ID, CHAT).replace(old, new)
    with pytest.raises(StateError) as error:
        parse_session(damaged, PATH)
    assert error.value.message == f"{PATH}, {what}."


def test_many_messages_are_read() -> None:
    chat = Conversation("text", tuple(Message("user", f"line {i}\n" * 5) for i in range(5000)))
    session = parse_session(render_session(ID, chat), PATH)
    assert len(session.shown()) == 5000
    assert session.entries[-1].number == 5000
