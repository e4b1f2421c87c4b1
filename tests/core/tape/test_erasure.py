from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reel_cli.core.tape.blocks import verify_chain
from reel_cli.core.tape.chain_proof import prove
from reel_cli.core.tape.erasure.target import PurgeTarget
from reel_cli.core.tape.erasure.tombstones import CutSpan, Tombstone, cut_file, find_tombstones
from reel_cli.core.tape.session_file import append_entries, parse_session, render_session
from reel_cli.core.values.talk import PURGED, Conversation, Entry, Kind, Message

SESSION = "2026-02-10-1"
PATH = f"tape/2026/{SESSION}.md"
TEXTS = st.text(alphabet=st.sampled_from('ab é-> \n漢"\\{}:01'), max_size=20)
MESSAGES = st.lists(
    st.builds(
        Message,
        role=st.sampled_from(["user", "assistant"]),
        text=TEXTS,
        kind=st.sampled_from([Kind.SAID, Kind.SAID, Kind.REASONING, Kind.VERSION]),
        name=st.none() | TEXTS,
    ),
    min_size=1,
    max_size=6,
)


def cut(text: str, purge: str = "2026-03-01-1", *, whole: bool = False) -> CutSpan:
    return CutSpan(purge, PurgeTarget((text,)), whole)


def session(*texts: str, title: str | None = None) -> bytes:
    messages = [Message("user", text) for text in texts]
    return render_session(SESSION, Conversation("messages", messages, title=title))


def texts(data: bytes) -> list[str]:
    return [entry.message.text for entry in parse_session(data, PATH, proven=True).entries]


def test_the_other_words_and_the_numbers_stay_and_the_chain_holds() -> None:
    data = session("one", "the pin is 4711, dear", "three")
    fresh, gone = cut_file(data, PATH, cut("4711"))
    assert texts(fresh) == ["one", f"the pin is {PURGED}, dear", "three"]
    assert gone == {2: 4}
    assert find_tombstones(fresh, PATH) == (
        Tombstone(2, fresh[: fresh.index(b'"n": 2')].count(b"\n") + 1, 2, "2026-03-01-1", 4),
    )
    assert fresh.startswith(data[: data.index(b'"n": 2')])


def test_what_does_not_hold_it_is_the_very_same() -> None:
    data = session("one", "two")
    assert cut_file(data, PATH, cut("4711")) == (data, {})


def test_a_title_is_written_so_that_it_reads_back() -> None:
    fresh, _ = cut_file(session("one", title="null"), PATH, cut("null"))
    assert parse_session(fresh, PATH, proven=True).title == PURGED
    fresh, _ = cut_file(session("one", title="x: é secret"), PATH, cut("secret"))
    assert parse_session(fresh, PATH, proven=True).title == f"x: é {PURGED}"


def test_all_of_a_session_goes_and_its_frame_stays() -> None:
    data = append_entries(
        session("one", "two", title="on it"),
        [
            Entry(None, Message("user", "", Kind.RETRACTION), supersedes=(2,)),
            Entry(3, Message("user", "three")),
        ],
        PATH,
    )
    fresh, gone = cut_file(data, PATH, cut("unused", whole=True))
    was, now = parse_session(data, PATH), parse_session(fresh, PATH, proven=True)
    assert texts(fresh) == [PURGED, PURGED, "", PURGED]
    assert gone == {1: 3, 2: 3, 4: 5}
    assert [(e.number, e.supersedes, e.message.kind) for e in was.entries] == [
        (e.number, e.supersedes, e.message.kind) for e in now.entries
    ]
    assert now.title == PURGED
    assert cut_file(fresh, PATH, cut("unused", "2026-03-01-2", whole=True)) == (fresh, {})


def test_a_second_purge_adds_to_what_is_gone() -> None:
    once, _ = cut_file(session("alpha beta"), PATH, cut("alpha"))
    twice, gone = cut_file(once, PATH, cut("beta", "2026-03-02-1"))
    (stone,) = find_tombstones(twice, PATH)
    assert (stone.purge, stone.gone, gone) == ("2026-03-02-1", 9, {1: 4})


def test_what_was_tampered_with_is_no_more_proven_afterwards() -> None:
    data = session("one", "alpha", "three").replace(b"three", b"THREE")
    fresh, _ = cut_file(data, PATH, cut("alpha"))
    line = verify_chain(fresh, PATH)
    assert line is not None
    assert fresh.splitlines()[line].endswith(b"THREE")


@settings(max_examples=100, deadline=None)
@given(first=MESSAGES, more=MESSAGES, wanted=TEXTS)
def test_every_version_of_a_file_becomes_the_beginning_of_what_the_file_becomes(
    first: list[Message], more: list[Message], wanted: str
) -> None:
    wanted = " ".join(wanted.split())
    assume(len(wanted) >= 2)
    assume(any(m.kind is Kind.SAID for m in first))
    before = render_session(SESSION, Conversation("messages", first))
    number = sum(m.kind is Kind.SAID for m in first)
    entries = []
    for message in more:
        number += message.kind is Kind.SAID
        entries.append(Entry(number if message.kind is Kind.SAID else None, message))
    after = append_entries(before, entries, PATH)
    fresh, grown = (cut_file(data, PATH, cut(wanted)) for data in (before, after))
    assert grown[0].startswith(fresh[0])
    assert prove(grown[0], PATH).line is None
    old, new = parse_session(after, PATH), parse_session(grown[0], PATH, proven=True)
    one = PurgeTarget((wanted,))
    for place, (was, now) in enumerate(zip(old.entries, new.entries, strict=True), start=1):
        assert now.number == was.number
        assert now.message.text == one.replace(was.message.text)[0]
        touched = one.stands_in(was.message.text) or one.stands_in(was.message.name or "")
        assert (place in grown[1]) == touched
    assert {s.place: s.gone for s in find_tombstones(grown[0], PATH)} == dict(grown[1])
