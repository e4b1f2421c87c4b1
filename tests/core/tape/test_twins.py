"""One session under another name, and two that are one chat."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import StateError
from reel_cli.core.tape.blocks import verify_chain
from reel_cli.core.tape.session_file import parse_session, render_session
from reel_cli.core.tape.twins import extend_session, first_words, holds_session, rename_session
from reel_cli.core.values.source import NewNames, parse_renumbered
from reel_cli.core.values.talk import Conversation, Kind, Message
from tests.support.kits_at_random import SAID

OLD, NEW = "2026-02-10-1", "2026-02-10-12"
PATH, THERE = f"tape/2026/{OLD}.md", f"tape/2026/{NEW}.md"

MESSAGES = st.lists(
    st.builds(
        Message,
        role=st.sampled_from(["user", "assistant", "tool"]),
        text=SAID,
        kind=st.sampled_from([Kind.SAID, Kind.REASONING, Kind.VERSION]),
        name=st.sampled_from([None, "Bo", "--> \u2028"]),
        time=st.sampled_from([None, "2026-02-10T20:00:00+00:00"]),
    ),
    min_size=1,
    max_size=5,
)


def session(*messages: Message, name: str = OLD, key: str | None = None, title: str | None = None) -> bytes:
    return render_session(name, Conversation("messages", messages, key=key, title=title))


@settings(max_examples=80, deadline=None)
@given(MESSAGES, st.sampled_from([None, "session: 2026-02-10-1", '"quoted"']))
def test_a_renamed_session_is_the_same_one_but_for_its_name(
    messages: list[Message], title: str | None
) -> None:
    data = session(*messages, title=title)
    renamed = rename_session(data, PATH, NEW)
    before, after = parse_session(data, PATH), parse_session(renamed, THERE, proven=True)
    assert after.id == NEW
    assert [replace(e, digest="") for e in after.entries] == [replace(e, digest="") for e in before.entries]
    assert (after.title, after.source, after.started) == (before.title, before.source, before.started)
    assert rename_session(renamed, THERE, OLD) == data
    assert holds_session(renamed, data)
    assert holds_session(data, renamed)


@settings(max_examples=60, deadline=None)
@given(MESSAGES, MESSAGES)
def test_the_longer_holds_the_shorter_and_extends_it(first: list[Message], more: list[Message]) -> None:
    short, whole = session(*first), session(*first, *more, name=NEW)
    assert holds_session(whole, short)
    assert not holds_session(short, whole)
    grown = extend_session(short, whole, PATH)
    assert grown.startswith(short)
    assert verify_chain(grown, PATH) is None
    assert holds_session(grown, whole)
    assert first_words(short, PATH) == first_words(whole, THERE) == first[0].text.encode()


def test_what_keeps_two_sessions_apart() -> None:
    said = Message("user", "hello", time="2026-02-10T20:00:00+00:00")
    whole = session(said, key="lmstudio:1")
    assert holds_session(whole, session(said))
    assert holds_session(whole, session(replace(said, time=None)))
    for other in (
        session(said, key="lmstudio:2"),
        session(replace(said, text="hello!")),
        session(replace(said, role="assistant")),
        session(replace(said, time="2026-02-10T20:00:01+00:00")),
        session(replace(said, kind=Kind.SYSTEM)),
        session(),
    ):
        assert not holds_session(whole, other)
    assert not holds_session(session(said), whole)


def test_what_was_changed_by_hand_is_no_twin_and_gets_no_name() -> None:
    data = session(Message("user", "hello"))
    changed = data.replace(b"hello", b"jello")
    assert not holds_session(data, changed)
    assert not holds_session(changed, data)
    assert first_words(changed, PATH) is None
    with pytest.raises(StateError, match=r"2026-02-10-1.md, line 6"):
        rename_session(changed, PATH, NEW)


def test_names_may_swap_and_parts_of_longer_ones_stay() -> None:
    names = NewNames({OLD: "2026-02-10-2", "2026-02-10-2": OLD, "M-003": "M-005", "M-005": "M-003"})
    text = "2026-02-10-1#3-4 2026-02-10-2 2026-02-10-12 M-003, M-0031 M-005 x-M-003 2026-02-10-1.1"
    told = "2026-02-10-2#3-4 2026-02-10-1 2026-02-10-12 M-005, M-0031 M-003 x-M-003 2026-02-10-2.1"
    assert names.text(text) == told
    assert [parse_renumbered(value) for _, value in names.trailers()] == list(names.names.items())
    assert [parse_renumbered(v) for v in ("M-003 to 2026-02-10-1", "M-003", "M-3 to M-4")] == [None] * 3
