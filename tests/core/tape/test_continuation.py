from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.tape.blocks import verify_chain
from reel_cli.core.tape.continuation import State, best_match, match, may_match
from reel_cli.core.tape.session_file import append_entries, parse_session, render_session
from reel_cli.core.values.talk import Conversation, Kind, Message, Session

ID = "2026-02-10-1"
PATH = f"tape/2026/{ID}.md"

TALK = ("the keeper finds a letter", "open it", "it isn't hers", "then let her wait", "ha. fair.")


def chat(
    *texts: str, key: str | None = "lmstudio:1", extras: dict[int, Message] | None = None
) -> Conversation:
    """A conversation whose sides take turns; an extra stands after the said message of its index."""
    messages: list[Message] = []
    for index, text in enumerate(texts):
        messages.append(Message("assistant" if index % 2 else "user", text))
        if extras and index in extras:
            messages.append(extras[index])
    return Conversation("lmstudio" if key else "text", tuple(messages), key=key)


def recorded(conversation: Conversation) -> bytes:
    return render_session(ID, conversation)


def record(
    data: bytes, conversation: Conversation, *, named: bool = False
) -> tuple[State, int, bytes, Session]:
    """Record onto a session file, as the flow does: state, messages added, new bytes, session."""
    found = match(parse_session(data, PATH), conversation, named=named)
    assert found is not None
    grown = append_entries(data, found.entries, PATH)
    assert grown.startswith(data)
    assert verify_chain(grown) is None
    return found.state, found.added, grown, parse_session(grown, PATH)


def shown(session: Session) -> list[str]:
    return [entry.message.text for entry in session.shown()]


@pytest.mark.parametrize("key", ["lmstudio:1", None])
def test_the_same_again_adds_nothing(key: str | None) -> None:
    data = recorded(chat(*TALK, key=key))
    state, added, grown, _ = record(data, chat(*TALK, key=key))
    assert (state, added, grown) == (State.KNOWN, 0, data)


@pytest.mark.parametrize("key", ["lmstudio:1", None])
def test_what_has_grown_gets_its_tail_only(key: str | None) -> None:
    state, added, _, session = record(recorded(chat(*TALK[:2], key=key)), chat(*TALK, key=key))
    assert (state, added) == (State.GROWN, 3)
    assert [(e.number, e.message.text) for e in session.entries] == list(enumerate(TALK, 1))


@pytest.mark.parametrize("key", ["lmstudio:1", None])
def test_an_edited_message_is_superseded_and_stays_where_it_was(key: str | None) -> None:
    edited = (TALK[0], "burn it", *TALK[2:], "goodnight")
    state, added, _, session = record(recorded(chat(*TALK, key=key)), chat(*edited, key=key))
    assert (state, added) == (State.CORRECTED, 2)
    assert [(e.number, e.after, e.supersedes) for e in session.entries[5:]] == [
        (6, None, (2,)),
        (7, None, ()),
    ]
    assert shown(session) == list(edited)


def test_a_removed_tail_is_retracted_where_the_app_says_so() -> None:
    state, added, _, session = record(recorded(chat(*TALK)), chat(*TALK[:3]))
    last = session.entries[-1]
    assert (state, added) == (State.CORRECTED, 0)
    assert (last.number, last.message.kind, last.supersedes) == (None, Kind.RETRACTION, (4, 5))
    assert shown(session) == list(TALK[:3])


def test_a_shorter_paste_takes_nothing_away() -> None:
    data = recorded(chat(*TALK, key=None))
    for part in (TALK[:3], TALK[1:4], TALK[2:]):
        state, _, grown, _ = record(data, chat(*part, key=None))
        assert (state, grown) == (State.KNOWN, data)


def test_pasted_text_is_the_same_whatever_its_spaces() -> None:
    data = recorded(chat("one  two", "three\nfour", key=None))
    state, added, _, session = record(data, chat("one two", "three four ", "five", key=None))
    assert (state, added) == (State.GROWN, 1)
    assert shown(session) == ["one  two", "three\nfour", "five"]


def test_one_common_beginning_makes_no_same_conversation() -> None:
    session = parse_session(recorded(chat("hi", "hello", "cats", "meow", key=None)), PATH)
    assert match(session, chat("hi", "good morning", key=None)) is None
    assert match(session, chat("hi", "hello", "dogs", "woof", key=None)) is None
    assert match(session, chat("hi", key=None)) is None


def test_a_chat_of_one_message_is_known_again() -> None:
    data = recorded(chat("hi", key=None))
    assert record(data, chat("hi", key=None))[0] is State.KNOWN


def test_two_keys_are_two_conversations() -> None:
    session = parse_session(recorded(chat(*TALK)), PATH)
    assert match(session, chat(*TALK, key="lmstudio:2")) is None


def test_a_paste_of_a_recorded_file_is_known_and_the_other_way_round() -> None:
    assert record(recorded(chat(*TALK)), chat(*TALK, key=None))[0] is State.KNOWN
    assert record(recorded(chat(*TALK, key=None)), chat(*TALK))[0] is State.KNOWN


def test_the_same_start_to_the_second_makes_an_edited_exchange_the_same() -> None:
    first = replace(chat("hi", "hello", key=None), started="2026-02-10T21:14:05+01:00")
    second = replace(chat("hi", "good evening", key=None), started="2026-02-10T21:14:05+01:00")
    assert record(recorded(first), second)[0] is State.CORRECTED
    day = "2026-02-10T00:00:00+01:00"
    session = parse_session(recorded(replace(first, started=day)), PATH)
    assert match(session, replace(second, started=day)) is None


def test_what_is_said_again_on_another_day_makes_another_chat() -> None:
    """Dream Weaver §4.1, §8: of two chats alike but for their beginnings, nothing is swallowed."""
    words = ["What is your sister called?", "Ines.", "Thank you."]

    def on(day: str, first: str) -> Conversation:
        said = [("user", first), ("assistant", words[0]), ("user", words[1]), ("assistant", words[2])]
        messages = [Message(role, text, time=f"{day}T18:00:0{n}Z") for n, (role, text) in enumerate(said)]
        return Conversation("text", tuple(messages), started=f"{day}T18:00:00Z")

    there = parse_session(recorded(on("2026-11-28", "Good evening.")), PATH)
    assert match(there, on("2026-11-29", "Me again.")) is None
    # the same evening with its first message edited is the same chat, and so is one named
    edited = match(there, on("2026-11-28", "Me again."))
    assert edited is not None
    assert edited.state is State.CORRECTED
    assert match(there, on("2026-11-29", "Me again."), named=True) is not None


def test_a_named_session_takes_what_continues_it() -> None:
    data = recorded(chat(*TALK, key=None))
    cases = {
        ("what now", "sleep"): (State.GROWN, 2),
        (TALK[3], TALK[4], "what now"): (State.GROWN, 1),
        (TALK[1], TALK[2]): (State.KNOWN, 0),
        (TALK[0], "burn it", *TALK[2:]): (State.CORRECTED, 1),
    }
    for texts, expected in cases.items():
        state, added, _, _ = record(data, chat(*texts, key="lmstudio:99"), named=True)
        assert (texts, state, added) == (texts, *expected)


def test_extras_are_written_once_and_late_ones_say_where_they_belong() -> None:
    thought = Message("assistant", "she hesitates", Kind.REASONING)
    data = recorded(chat(*TALK[:4]))
    conversation = chat(*TALK, extras={1: thought, 4: Message("user", "[image]", Kind.ATTACHMENT)})
    _, _, grown, session = record(data, conversation)
    assert [(e.number, e.message.kind, e.after) for e in session.entries[4:]] == [
        (None, Kind.REASONING, 2),
        (5, Kind.SAID, None),
        (None, Kind.ATTACHMENT, None),
    ]
    assert record(grown, conversation)[0] is State.KNOWN


def test_the_same_extra_twice_is_written_twice() -> None:
    image = Message("user", "[image]", Kind.ATTACHMENT)
    data = recorded(chat(*TALK, extras={0: image}))
    _, added, _, session = record(data, chat(*TALK, extras={0: image, 2: image}))
    assert added == 0
    assert [e.message.text for e in session.entries].count("[image]") == 2


def test_an_answer_that_is_no_longer_chosen_is_not_written_twice() -> None:
    data = recorded(chat("hi", "first answer"))
    other = chat("hi", "second answer", extras={1: Message("assistant", "first answer", Kind.VERSION)})
    state, _, grown, session = record(data, other)
    assert state is State.CORRECTED
    assert [(e.message.text, e.message.kind) for e in session.entries] == [
        ("hi", Kind.SAID),
        ("first answer", Kind.SAID),
        ("second answer", Kind.SAID),
    ]
    back = chat("hi", "first answer", extras={1: Message("assistant", "second answer", Kind.VERSION)})
    _, _, again, session = record(grown, back)
    assert shown(session) == ["hi", "first answer"]
    assert record(again, back)[0] is State.KNOWN


def test_what_turns_out_to_be_reels_own_is_retracted_as_said() -> None:
    data = recorded(chat("# the bundle", "Morning."))
    marked = Conversation(
        "lmstudio",
        (Message("user", "# the bundle", Kind.BUNDLE), Message("assistant", "Morning.")),
        key="lmstudio:1",
    )
    state, added, _, session = record(data, marked)
    assert (state, added) == (State.CORRECTED, 0)
    assert shown(session) == ["Morning."]


def test_the_session_with_the_key_is_found_before_any_likeness() -> None:
    keyed = parse_session(recorded(chat(*TALK[:2])), PATH)
    pasted = parse_session(recorded(chat(*TALK, key=None)), PATH)
    found = best_match([pasted, keyed], chat(*TALK))
    assert found is not None
    assert found[0] is keyed
    likelier = best_match(
        [parse_session(recorded(chat(*TALK[:2], key=None)), PATH), pasted], chat(*TALK, key=None)
    )
    assert likelier is not None
    assert likelier[0] is pasted
    assert best_match([keyed, pasted], chat("quite", "another", "talk", key=None)) is None


def test_files_that_cannot_hold_the_conversation_are_passed_over_unparsed() -> None:
    data = recorded(chat(*TALK, key=None))
    assert may_match(data, chat(*TALK, key=None))
    assert may_match(data, chat("the  keeper\nfinds a letter", "other", key=None))
    assert may_match(data, chat("edited", TALK[1], key=None))
    assert not may_match(data, chat("quite", "another", "talk", key=None))


TEXTS = st.sampled_from(["ok", "yes", "no", "a\nb", "", " ", "a", "b", "c", "d", "e", "f"])
MESSAGES = st.builds(
    Message,
    role=st.sampled_from(["user", "assistant"]),
    text=TEXTS,
    kind=st.sampled_from([Kind.SAID] * 5 + [Kind.REASONING, Kind.VERSION]),
)
CHATS = st.lists(MESSAGES, max_size=9)


@settings(max_examples=100, deadline=None)
@given(st.lists(CHATS, min_size=2, max_size=4))
def test_after_each_recording_the_tape_shows_what_the_app_showed(readings: list[list[Message]]) -> None:
    conversations = [Conversation("lmstudio", tuple(m), key="lmstudio:1") for m in readings]
    data = recorded(conversations[0])
    for conversation in conversations[1:]:
        before = parse_session(data, PATH)
        _, added, data, session = record(data, conversation)
        said = conversation.said()
        assert [(e.message.role, e.message.text) for e in session.shown()] == [(m.role, m.text) for m in said]
        assert list(session.entries[: len(before.entries)]) == list(before.entries)
        assert len(session.numbered()) == len(before.numbered()) + added
        assert record(data, conversation)[:3] == (State.KNOWN, 0, data)


@settings(max_examples=100, deadline=None)
@given(CHATS, CHATS, st.booleans())
def test_pasted_text_loses_nothing_that_was_said(old: list[Message], new: list[Message], named: bool) -> None:  # noqa: FBT001
    session = parse_session(recorded(Conversation("text", tuple(old))), PATH)
    conversation = Conversation("text", tuple(new))
    found = match(session, conversation, named=named)
    assert found is not None or not named
    if found is not None:
        data = append_entries(recorded(Conversation("text", tuple(old))), found.entries, PATH)
        texts = {" ".join(e.message.text.split()) for e in parse_session(data, PATH).numbered().values()}
        assert texts >= {" ".join(m.text.split()) for m in (*session_said(session), *conversation.said())}


def session_said(session: Session) -> list[Message]:
    return [entry.message for entry in session.shown()]


def test_thousands_of_messages_with_many_edits_are_no_trouble() -> None:
    texts = [f"message {i % 3000}" for i in range(5000)]
    edited = [f"{text}!" if i % 7 == 0 else text for i, text in enumerate(texts)]
    _, added, _, session = record(recorded(chat(*texts)), chat(*edited, "and more"))
    assert shown(session) == [*edited, "and more"]
    assert added >= 716
