import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.continuation import could_match, match
from reel_cli.core.tape.known_sessions import KnownSessions, print_of, sketch_bytes
from reel_cli.core.tape.session_file import parse_session, render_session
from reel_cli.core.values.talk import Conversation, Kind, Message, session_path
from reel_cli.features.record.plan import RecordPlan, plan_recording

NOW = datetime(2026, 2, 10, 21, 14, tzinfo=UTC)
WORDS = ("yes", "no", "the boat", "was it red?", "it was called Perhaps", "what then", "a b  c\nd", "")


def texts_and_spaces() -> st.SearchStrategy[str]:
    spaced = st.sampled_from(WORDS).flatmap(lambda t: st.sampled_from([t, f" {t}\n", t.replace(" ", "\n ")]))
    return spaced.filter(lambda t: bool(t.strip()))


talks = st.builds(
    lambda texts, key, started, form: Conversation(
        form,
        tuple(Message("user" if n % 2 == 0 else "assistant", text) for n, text in enumerate(texts)),
        key,
        None,
        started,
    ),
    st.lists(texts_and_spaces(), min_size=1, max_size=6),
    st.sampled_from([None, None, None, "chatgpt:1", "chatgpt:2"]),
    st.sampled_from([None, "2026-02-01T10:00:00+00:00", "2026-02-01T00:00:00+00:00"]),
    st.sampled_from(["text", "chatgpt"]),
)


class Kit:
    """A tape on the disk, written without git."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.tree = WorkTree(root)

    def snapshot(self) -> Snapshot:
        return Snapshot(WorkTree(self.root), "ada")

    def write(self, path: str, data: bytes) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(data)

    def known(self, cache: Path | None = None) -> KnownSessions:
        known = KnownSessions(cache)
        self.refresh(known)
        return known

    def refresh(self, known: KnownSessions) -> list[str]:
        read: list[str] = []

        def reading(path: str) -> bytes | None:
            read.append(path)
            return self.tree.read(path)

        known.refresh(self.snapshot().sessions, self.tree.stamp, reading)
        return read

    def record(self, talk: Conversation, known: KnownSessions | None = None) -> RecordPlan:
        found = plan(self.snapshot(), talk, known)
        for path, data in (found.change.writes if found.change else {}).items():
            self.write(path, data or b"")
        return found


def plan(snapshot: Snapshot, talk: Conversation, known: KnownSessions | None) -> RecordPlan:
    return plan_recording(snapshot, talk, handed=(), now=NOW, zone=UTC, known=known)


def outcome(snapshot: Snapshot, talk: Conversation, known: KnownSessions | None) -> object:
    try:
        return plan(snapshot, talk, known)
    except ReelError as error:
        return type(error), error.message


def talk(*texts: str, key: str | None = None, started: str | None = None) -> Conversation:
    messages = tuple(Message("user" if n % 2 == 0 else "assistant", text) for n, text in enumerate(texts))
    return Conversation("chatgpt" if key else "text", messages, key, None, started)


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    (tmp_path / "ada").mkdir()
    return Kit(tmp_path / "ada")


# -- the answer is the same with and without --------------------------------------------------------


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(talks, min_size=2, max_size=7), st.integers(0, 6), st.data())
def test_what_is_planned_is_the_same_with_and_without(
    tmp_path_factory: pytest.TempPathFactory,
    many: Sequence[Conversation],
    on_disk: int,
    data: st.DataObject,
) -> None:
    kit = Kit(tmp_path_factory.mktemp("ada"))
    for one in many[:on_disk]:
        kit.record(one)
    wanted = data.draw(st.booleans())
    if wanted and kit.snapshot().sessions:
        damage(kit, data)
    known = kit.known()
    plainly, quickly = kit.snapshot(), kit.snapshot()
    for one in many[on_disk // 2 :]:
        expected = outcome(plainly, one, None)
        assert outcome(quickly, one, known) == expected
        if isinstance(expected, RecordPlan) and expected.change is not None:
            plainly = plainly.after(expected.change)
            quickly = quickly.after(expected.change)
            assert plainly.sessions == Snapshot.sessions.func(plainly)  # type: ignore[attr-defined]


def damage(kit: Kit, data: st.DataObject) -> None:
    path = session_path(data.draw(st.sampled_from(list(kit.snapshot().sessions))))
    whole = kit.tree.read(path) or b""
    at = data.draw(st.integers(0, len(whole) - 1))
    kit.write(path, whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])


@settings(max_examples=100, deadline=None)
@given(talks, talks)
def test_whatever_matches_could_match(one: Conversation, other: Conversation) -> None:
    session = parse_session(render_session("2026-02-01-1", one), session_path("2026-02-01-1"))
    if session.key is not None and session.key == other.key:
        return
    old = [print_of(entry.message.text) for entry in session.shown()]
    new = [print_of(message.text) for message in other.said()]
    if match(session, other) is not None:
        assert could_match(session.source, session.started, other, old, new)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(["a", "bc", "dé", "\u2028", "x" * 50]), min_size=1, max_size=30), st.data())
def test_spaces_do_not_change_a_print(words: list[str], data: st.DataObject) -> None:
    spaces = st.sampled_from([" ", "\n", " \t ", "\u00a0"])
    spaced = "".join(word + data.draw(spaces) for word in words)
    assert print_of(spaced) == print_of(" ".join(words))


# -- what is read -----------------------------------------------------------------------------------


def test_only_what_may_be_the_same_chat_is_read(kit: Kit) -> None:
    for number in range(30):
        kit.record(
            talk(f"{number} begins", f"{number} goes on", key=f"chatgpt:{number}" if number % 2 else None)
        )
    known = kit.known()
    for new, read in (
        (talk("something", "else"), []),
        (talk("4 begins", "4 goes on", "and ends"), ["2026-02-10-5"]),
        (talk("5 begins", "x", key="chatgpt:5"), ["2026-02-10-6"]),
        (talk("5 begins", "5 goes on", key="chatgpt:new"), []),
    ):
        snapshot = kit.snapshot()
        plan(snapshot, new, known)
        tape = [
            Path(path).stem for path, data in snapshot.seen().items() if data and path.startswith("tape/")
        ]
        assert tape == read


def test_a_session_planned_in_this_run_is_known(kit: Kit) -> None:
    known, snapshot = kit.known(), kit.snapshot()
    first = plan(snapshot, talk("the same", "chat", "twice"), known)
    assert first.change is not None
    snapshot = snapshot.after(first.change)
    again = plan(snapshot, talk("the  same", "chat", "twice", "and more"), known)
    assert (again.session, again.state.value, again.added) == (first.session, "grown", 1)
    assert again.change is not None
    once_more = plan(snapshot.after(again.change), talk("the same", "chat", "twice", "and more"), known)
    assert (once_more.state.value, once_more.change) == ("known", None)
    assert snapshot.seen().keys().isdisjoint({session_path(first.session)}) or (
        snapshot.seen()[session_path(first.session)] is None
    )


# -- the file ---------------------------------------------------------------------------------------


def test_what_is_kept_is_not_read_again(kit: Kit, tmp_path: Path) -> None:
    cache = tmp_path / "tape.sqlite"
    for number in range(5):
        kit.record(talk(f"{number} begins", f"{number} goes on"))
    first = KnownSessions(cache)
    assert len(kit.refresh(first)) == 5
    first.save()
    second = KnownSessions(cache)
    assert kit.refresh(second) == []
    assert second.alike(talk("3 begins", "3 goes on")) == ["2026-02-10-4"]
    kit.record(talk("3 begins", "3 goes on", "and on"))
    (kit.root / session_path("2026-02-10-1")).unlink()
    third = KnownSessions(cache)
    assert kit.refresh(third) == [session_path("2026-02-10-4")]
    assert third.alike(talk("0 begins", "0 goes on")) == []
    third.save()
    assert kit.refresh(KnownSessions(cache)) == []


def test_what_was_planned_is_kept_once_it_is_on_the_disk(kit: Kit, tmp_path: Path) -> None:
    cache = tmp_path / "tape.sqlite"
    known = kit.known(cache)
    found = kit.record(talk("one", "two"), known)
    path = session_path(found.session)
    known.settle({found.session: len(kit.tree.read(path) or b"")}, kit.tree.stamp)
    assert kit.refresh(KnownSessions(cache)) == []
    later = plan(kit.snapshot(), talk("one", "two", "three"), known)
    assert later.change is not None
    known.settle({found.session: 7}, kit.tree.stamp)
    assert kit.refresh(KnownSessions(cache)) == [path]


def test_a_file_as_young_as_the_clock_is_not_trusted(
    kit: Kit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "tape.sqlite"
    kit.record(talk("one", "two"))
    known = kit.known(cache)
    monkeypatch.setattr("reel_cli.core.tape.known_sessions._clock", lambda _, youngest: youngest)
    known.save()
    assert len(kit.refresh(KnownSessions(cache))) == 1


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(b"not a database at all" * 100),
        lambda path: path.write_bytes(path.read_bytes()[:300]),
        lambda path: path.write_bytes(b""),
        lambda path: sqlite3.connect(path).execute("PRAGMA application_id = 5").close(),
        lambda path: sqlite3.connect(path).execute("PRAGMA user_version = 99").close(),
    ],
)
def test_a_foreign_or_broken_file_is_made_again(kit: Kit, tmp_path: Path, spoil: object) -> None:
    cache = tmp_path / "tape.sqlite"
    kit.record(talk("one", "two"))
    kit.known(cache).save()
    assert callable(spoil)
    spoil(cache)
    known = KnownSessions(cache)
    assert len(kit.refresh(known)) == 1
    assert known.alike(talk("one", "two")) == ["2026-02-10-1"]
    known.save()
    assert kit.refresh(KnownSessions(cache)) == []


def test_a_changed_row_is_noticed(kit: Kit, tmp_path: Path) -> None:
    cache = tmp_path / "tape.sqlite"
    kit.record(talk("one", "two"))
    kit.known(cache).save()
    connection = sqlite3.connect(cache, isolation_level=None)
    connection.execute("UPDATE sessions SET prints = x'0000000000000000'")
    connection.close()
    assert len(kit.refresh(KnownSessions(cache))) == 1


def test_a_link_is_neither_read_nor_written_through(kit: Kit, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"mine")
    cache = tmp_path / "tape.sqlite"
    cache.symlink_to(elsewhere)
    kit.record(talk("one", "two"))
    kit.known(cache).save()
    assert (elsewhere.read_bytes(), cache.is_symlink()) == (b"mine", True)


def test_a_damaged_session_may_hold_anything(kit: Kit) -> None:
    kit.record(talk("one", "two"))
    path = session_path("2026-02-10-1")
    whole = kit.tree.read(path) or b""
    for data in (whole.replace(b"one", b"One"), whole[:-4], b"", b"\xff" * 10):
        sketch = sketch_bytes("2026-02-10-1", data)
        assert sketch.damaged
    assert not sketch_bytes("2026-02-10-1", whole).damaged


def test_what_was_not_said_makes_no_print(kit: Kit) -> None:
    hidden = replace(
        talk("one", "two"), messages=(Message("system", "be kind", Kind.SYSTEM), *talk("one").messages)
    )
    kit.record(hidden)
    assert kit.known().alike(talk("be kind", "x", "y")) == []
