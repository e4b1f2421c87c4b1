"""The local index: brought up to date for what changed, remade where it is damaged, and asked."""

import os
import sqlite3
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reel_cli.core.cache_file import PATIENCE
from reel_cli.core.tape.search.index import SearchIndex, open_index
from reel_cli.core.tape.session_file import append_entries, render_session
from reel_cli.core.values.search import Note, Question, SearchResult
from reel_cli.core.values.talk import Conversation, Entry, Event, Kind, Message, SourceRange, session_path

ONE, TWO, THREE = "2026-02-10-1", "2026-02-11-1", "2026-03-01-1"


def said(*texts: str, names: Sequence[str | None] = (None, None)) -> list[Message]:
    roles = ("user", "assistant")
    return [Message(roles[i % 2], text, name=names[i % 2]) for i, text in enumerate(texts)]


def session(name: str, *texts: str, names: Sequence[str | None] = (None, None)) -> bytes:
    return render_session(name, Conversation("messages", said(*texts, names=names)))


def grown(data: bytes, name: str, *entries: Entry) -> bytes:
    return append_entries(data, entries, session_path(name))


TAPE = {
    ONE: session(
        ONE,
        "I planted a quince tree by the pond",
        "What a lovely thing to do",
        "It should bear in four years",
    ),
    TWO: session(
        TWO, "The kettle broke this morning", "Tea from a saucepan, then", "We went to the market later"
    ),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".reel" / "cache" / "search.sqlite"


def stamps(tape: Mapping[str, bytes]) -> dict[str, str]:
    return {name: str(hash(data)) for name, data in tape.items()}


def fill(index: SearchIndex, tape: Mapping[str, bytes]) -> list[str]:
    return list(index.refresh(stamps(tape), tape.__getitem__).sessions)


def ask(index: SearchIndex, text: str, sessions: Sequence[str] | None = None) -> SearchResult:
    return index.find(Question(text, sessions=sessions), threshold=0.0)


def best(found: SearchResult) -> tuple[str | None, int | None]:
    return found.hits[0].session, found.hits[0].message


def test_a_moment_is_found_by_a_word_of_it_in_another_form(path: Path) -> None:
    with open_index(path) as index:
        fill(index, TAPE)
        assert best(ask(index, "planting quinces")) == (ONE, 1)
        assert best(ask(index, "when did we go to the market")) == (TWO, 3)


def test_a_hit_holds_its_turn_and_names_the_words_found(path: Path) -> None:
    with open_index(path) as index:
        fill(index, TAPE)
        hit = ask(index, "quince tree by the pond").hits[0]
    assert hit.span is not None
    assert hit.span[0] <= 1 <= hit.span[1]
    assert hit.messages == tuple(range(hit.span[0], hit.span[1] + 1))
    assert set(hit.terms) == {"quince", "tree", "pond"}


def test_only_what_changed_is_read_again(path: Path) -> None:
    with open_index(path) as index:
        assert fill(index, TAPE) == [ONE, TWO]
        assert fill(index, TAPE) == []
    more = {**TAPE, TWO: grown(TAPE[TWO], TWO, Entry(4, Message("assistant", "and bought a marrow")))}
    with open_index(path) as index:
        assert fill(index, more) == [TWO]
        assert best(ask(index, "marrow")) == (TWO, 4)
        assert best(ask(index, "kettle")) == (TWO, 1)


def test_a_session_that_is_gone_is_not_found(path: Path) -> None:
    with open_index(path) as index:
        fill(index, TAPE)
        done = index.refresh(stamps({ONE: TAPE[ONE]}), TAPE.__getitem__)
        assert (list(done.sessions), list(done.gone)) == ([], [TWO])
        assert list(ask(index, "kettle").hits) == []


def test_what_was_not_said_is_not_found(path: Path) -> None:
    kinds = [kind for kind in Kind if kind not in (Kind.SAID, Kind.RETRACTION)]
    messages = [Message("user", "hello"), *(Message("assistant", f"zebra {k}", k) for k in kinds)]
    tape = {ONE: render_session(ONE, Conversation("messages", messages))}
    with open_index(path) as index:
        fill(index, tape)
        assert list(ask(index, "zebra").hits) == []


def test_what_was_superseded_is_not_found_and_what_stands_in_its_place_is(path: Path) -> None:
    change = Entry(4, Message("user", "The toaster broke this morning"), supersedes=(1,))
    tape = {TWO: grown(TAPE[TWO], TWO, change)}
    with open_index(path) as index:
        fill(index, {TWO: TAPE[TWO]})
        fill(index, tape)
        assert list(ask(index, "kettle").hits) == []
        hit = ask(index, "toaster").hits[0]
        assert (hit.message, hit.messages[0]) == (4, 4)


def test_a_correction_finds_what_it_corrects(path: Path) -> None:
    event = Event(1, "correction", "2026-03-01T10:00:00+00:00", "it was a medlar", ONE, about=(3, 3))
    with open_index(path) as index:
        fill(index, TAPE)
        index.refresh(stamps(TAPE), TAPE.__getitem__, corrections={ONE: [event]})
        assert best(ask(index, "medlar")) == (ONE, 3)
        index.refresh(stamps(TAPE), TAPE.__getitem__)
        assert list(ask(index, "medlar").hits) == []


def test_only_the_sessions_asked_for_are_searched(path: Path) -> None:
    tape = {**TAPE, THREE: session(THREE, "Another kettle, a red one")}
    with open_index(path) as index:
        fill(index, tape)
        found = ask(index, "kettle", [TWO])
        assert {hit.session for hit in found.hits} == {TWO}
        assert list(ask(index, "kettle", []).hits) == []


def test_one_hit_a_session_where_that_is_asked_for(path: Path) -> None:
    tape = {
        ONE: session(
            ONE, *(f"kettle {word}" for word in ["one", "two", "three", "four", "five", "six", "seven"])
        ),
        TWO: TAPE[TWO],
    }
    with open_index(path) as index:
        fill(index, tape)
        found = index.find(Question("kettle"), threshold=0.0, one_per_session=True)
        assert sorted(hit.session or "" for hit in found.hits) == [ONE, TWO]


def test_whoever_is_named_is_heard_first(path: Path) -> None:
    words = "I walked along the canal", "I walked along the canal"
    tape = {
        ONE: session(ONE, *words, names=("Bo", "Ada")),
        TWO: session(TWO, "Nothing much", "Nothing at all", names=("Bo", "Ada")),
    }
    with open_index(path) as index:
        fill(index, tape)
        assert best(ask(index, "Where did Ada walk along?")) == (ONE, 2)
        assert best(ask(index, "Where did Bo walk along?")) == (ONE, 1)


def test_names_of_the_kit_stand_in_for_those_the_tape_lacks(path: Path) -> None:
    tape = {ONE: session(ONE, "I walked along the canal", "I walked along the canal")}
    names = {"user": "Bo", "assistant": "Ada"}
    with open_index(path) as index:
        fill(index, tape)
        for name, number in (("Ada", 2), ("Bo", 1)):
            found = index.find(Question(f"Where did {name} walk along?", names=names), threshold=0.0)
            assert found.hits[0].message == number


def test_a_key_in_the_question_leads_to_its_place_first(path: Path) -> None:
    note = Note("I-001", "the evening by the water", keys=["blue lantern"], where=[SourceRange(TWO, 2, 3)])
    silent = Note("M-002", "a promise about saucepans that has no place", keys=["no such words"])
    with open_index(path) as index:
        index.refresh(stamps(TAPE), TAPE.__getitem__, notes=[note, silent], notes_stamp="1")
        hit = index.find(Question("do you remember the blue lantern and the quince tree")).hits[0]
        assert (hit.session, hit.span, hit.note) == (TWO, (2, 3), "I-001")
        bare = next(h for h in ask(index, "a promise about saucepans").hits if h.note == "M-002")
        assert (bare.session, bare.message, bare.span) == (None, None, None)


def test_notes_are_read_only_where_their_stamp_has_changed(path: Path) -> None:
    asked: list[str] = []

    def notes() -> list[Note]:
        asked.append("read")
        return [Note("I-001", "a heron", keys=["heron"], where=[SourceRange(ONE, 1, 1)])]

    with open_index(path) as index:
        for stamp in ("1", "1", "2"):
            index.refresh(stamps(TAPE), TAPE.__getitem__, notes=notes, notes_stamp=stamp)
        assert asked == ["read", "read"]
        found = index.find(Question("heron", sessions=[TWO]))
        assert [hit.note for hit in found.hits] == []


def test_what_nobody_spoke_of_is_not_answered_and_the_nearest_is_kept(path: Path) -> None:
    with open_index(path) as index:
        fill(index, TAPE)
        found = index.find(Question("Which Antarctic expedition did the zoologist photograph this morning?"))
        assert list(found.hits) == []
        assert all(hit.confidence < found.threshold for hit in found.discarded)
        assert found.discarded
        assert index.find(Question("the quince tree by the pond")).hits


def test_words_of_scripts_without_spaces_are_found(path: Path) -> None:
    tape = {
        ONE: session(ONE, "昨日は友達と京都で抹茶を飲みました", "いいですね"),
        TWO: session(TWO, "เมื่อวานฉันไปตลาดน้ำกับแม่", "ດີຫຼາຍ"),
        THREE: session(THREE, "우리는 어제 바다에 갔다", "हिन्दी में बात करो"),
    }
    with open_index(path) as index:
        fill(index, tape)
        for text, place in {
            "抹茶": (ONE, 1), "京都で何を": (ONE, 1), "ตลาดน้ำ": (TWO, 1),
            "바다에": (THREE, 1), "हिन्दी": (THREE, 2),
        }.items():  # fmt: skip
            assert best(ask(index, text)) == place


def test_what_somebody_goes_by_is_kept_until_a_text_changes(path: Path) -> None:
    tape = {
        ONE: session(ONE, "My sister Jana is coming.", "Lovely."),
        TWO: session(TWO, "Jana plays the cello now.", "And well?"),
        THREE: session(THREE, "My sister Rosa swims.", "Far out?"),
    }
    two = {ONE: tape[ONE], TWO: tape[TWO]}

    def by_name(index: SearchIndex) -> bool:
        return any(
            hit.session == TWO and hit.terms for hit in ask(index, "which instrument has my sister").hits
        )

    with open_index(path) as index:
        index.refresh(stamps(two), tape.__getitem__, notes_stamp="1")
        assert by_name(index)
    with sqlite3.connect(path) as file:
        (kept,) = file.execute("SELECT others FROM aliases WHERE word = 'sister'").fetchone()
        assert kept.endswith(" jana")
        file.execute("UPDATE aliases SET others = 'nobody' WHERE word = 'sister'")
    file.close()
    with open_index(path) as index:
        index.refresh(stamps(two), tape.__getitem__, notes_stamp="1")
        assert not by_name(index)
        # with two of them it is nobody's name
        index.refresh(stamps(tape), tape.__getitem__, notes_stamp="1")
        assert not by_name(index)


def test_no_question_waits_to_keep_what_somebody_goes_by(path: Path) -> None:
    with open_index(path) as index:
        fill(index, TAPE)
        with sqlite3.connect(path, isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            began = time.monotonic()
            assert best(ask(index, "kettle")) == (TWO, 1)
            assert time.monotonic() - began < PATIENCE / 2
            other.execute("ROLLBACK")
        other.close()
        with sqlite3.connect(path) as file:
            assert file.execute("SELECT count(*) FROM aliases").fetchone() == (0,)
            assert best(ask(index, "kettle")) == (TWO, 1)
            assert file.execute("SELECT word FROM aliases").fetchall() == [("kettle",)]
        file.close()


def test_a_foreign_a_broken_and_an_old_file_are_made_anew_and_it_is_said(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"not a database at all, but long enough to be read as one" * 20)
    with open_index(path) as index:
        assert index.refresh(stamps(TAPE), TAPE.__getitem__).remade is not None
        assert best(ask(index, "kettle")) == (TWO, 1)
    for statement in ("PRAGMA application_id = 7", "PRAGMA user_version = 9999"):
        with sqlite3.connect(path) as file:
            file.execute(statement)
        file.close()
        with open_index(path) as index:
            assert index.refresh(stamps(TAPE), TAPE.__getitem__).remade is not None
    with open_index(path) as index:
        assert index.refresh(stamps(TAPE), TAPE.__getitem__).remade is None


@pytest.mark.parametrize("table", ["turns_data", "facts", "sessions"])
def test_damage_that_shows_late_is_mended(path: Path, table: str) -> None:
    with open_index(path) as index:
        fill(index, TAPE)
    with sqlite3.connect(path) as file:
        file.execute(
            f"DROP TABLE {table}"
            if table != "turns_data"
            else "UPDATE turns_data SET block = x'ffffffffffffffff'"
        )
    file.close()
    with open_index(path) as index:
        index.refresh(stamps(TAPE), TAPE.__getitem__)
        assert best(ask(index, "kettle")) == (TWO, 1)


def test_a_link_is_not_followed_and_only_its_owner_reads_the_file(path: Path, tmp_path: Path) -> None:
    with open_index(path) as index:
        fill(index, TAPE)
    assert path.stat().st_mode & 0o077 == 0
    path.unlink()
    target = tmp_path / "elsewhere"
    path.symlink_to(target)
    with open_index(path) as index:
        done = index.refresh(stamps(TAPE), TAPE.__getitem__)
        assert done.unkept is not None
        assert best(ask(index, "kettle")) == (TWO, 1)
    assert not os.path.lexists(target)


def test_a_damaged_session_is_named_and_the_others_are_found(path: Path) -> None:
    tape = {**TAPE, ONE: TAPE[ONE][:-20]}
    with open_index(path) as index:
        done = index.refresh(stamps(tape), tape.__getitem__)
        assert list(done.damaged) == [ONE]
        assert best(ask(index, "kettle")) == (TWO, 1)
        assert list(index.refresh(stamps(tape), tape.__getitem__).damaged) == [ONE]


HOSTILE = [
    "", " ", '"', "'", "* OR NEAR(", 'a" OR "b', "-kettle", "NOT", "\0", "\ud800", "\udfff kettle \0",
    "body:x",
    "^kettle",
    "()" * 500, "kettle " * 10_000, "%_", "; DROP TABLE turns; --", "\u202e\u0301", "🦆" * 50, "_ _",
    "京" * 3000, " ".join(f"w{n}" for n in range(10_000)), "x" * 1_000_000,
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_question_breaks_it(path: Path, text: str) -> None:
    with open_index(path) as index:
        fill(index, TAPE)
        found = ask(index, text)
    assert all(0.0 <= hit.confidence <= 1.0 for hit in found.hits)


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r"), min_size=1, max_size=60)
WORDS = st.lists(
    st.sampled_from(["pear", "plum", "quince", "medlar", "damson", "sloe", "apple"]), min_size=1, max_size=4
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=80))
def test_no_question_raises(text: str) -> None:
    with open_index(Path("/dev/null/none")) as index:
        fill(index, TAPE)
        ask(index, text)


@settings(max_examples=60, deadline=None)
@given(
    word=st.text(st.characters(categories=["Ll", "Lo"], max_codepoint=0xFFFF), min_size=3, max_size=12),
    around=st.tuples(TEXTS, TEXTS),
)
def test_any_text_is_found_by_its_own_rare_word(word: str, around: tuple[str, str]) -> None:
    tape = {**TAPE, THREE: session(THREE, "before", f"{around[0]} {word} {around[1]}", "after")}
    with open_index(Path("/dev/null/none")) as index:
        fill(index, tape)
        found = ask(index, f"the {word}")
    assert any(hit.session == THREE and 2 in hit.messages for hit in found.hits)


@settings(max_examples=40, deadline=None)
@given(
    tapes=st.lists(
        st.dictionaries(
            st.sampled_from([ONE, TWO, THREE]),
            st.lists(WORDS.map(" ".join), min_size=1, max_size=5),
            max_size=3,
        ),
        min_size=1,
        max_size=4,
    ),
    asked=WORDS.map(" ".join),
)
def test_an_index_kept_up_to_date_answers_as_one_built_anew(
    tapes: list[dict[str, list[str]]], asked: str
) -> None:
    with open_index(Path("/dev/null/none")) as kept:
        for texts in tapes:
            tape = {name: session(name, *said) for name, said in texts.items()}
            fill(kept, tape)
        with open_index(Path("/dev/null/none")) as anew:
            fill(anew, tape)
            first, second = ask(kept, asked), ask(anew, asked)
    assert {(h.session, h.message, round(h.score, 9)) for h in first.hits} == {
        (h.session, h.message, round(h.score, 9)) for h in second.hits
    }
    assert first.terms == second.terms


def test_words_said_nowhere_are_told_with_none(path: Path) -> None:
    with open_index(path) as index:
        fill(index, TAPE)
        assert ask(index, "kettle zeppelin").terms == {"kettle": 1, "zeppelin": 0}
