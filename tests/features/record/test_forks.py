"""Checkpoints and branches of SillyTavern: one session, whatever of them is recorded when, and nothing twice.

The files are as SillyTavern 1.19.0 wrote them when its own page made a branch and a checkpoint
(SillyTavern/SillyTavern `public/scripts/bookmarks.js`), with shorter texts: a copy of all messages up to one,
times included, under an `integrity` of its own and the parent's name as `main_chat`.
"""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.tape.tape_view import list_hidden, read_session
from reel_cli.core.values.talk import Conversation, Kind, Session
from reel_cli.features.record.plan import RecordPlan, plan_recording
from reel_cli.features.verify.sessions import list_roads, render_transcript
from tests.support.cli import Reel

NOW = datetime(2026, 11, 24, 21, 0, tzinfo=UTC)
SESSION = "2026-11-24-1"
GREETING = (0, "Seraphina", "*You wake with a start.*")
LAMP = [
    GREETING,
    (1, "Tomas", "Do you remember the lamp in the tower?"),
    (2, "Seraphina", "I do, and the stairs that were cold."),
    (3, "Tomas", "What did we find there?"),
    (4, "Seraphina", "A key of brass, wrapped in moss."),
]
KEY = [(10, "Tomas", "Where did we put the key?"), (11, "Seraphina", "Under the hearth stone.")]
OIL = [(20, "Tomas", "I went back to the lamp."), (21, "Seraphina", "Then the oil is low.")]

Line = tuple[int, str, str]


def tavern(name: str, said: Sequence[Line], *, main: str = "", hidden: Sequence[int] = ()) -> Conversation:
    """A chat file of SillyTavern's, read."""
    about = {"integrity": f"of {name}", "tainted": True, **({"main_chat": main} if main else {})}
    lines: list[dict[str, object]] = [
        {"chat_metadata": about, "user_name": "unused", "character_name": "unused"}
    ]
    lines += [
        {
            "name": who,
            "is_user": who == "Tomas",
            # what a slash command sends has an empty text there
            "is_system": True if minute in hidden else "" if minute % 2 else False,
            "send_date": f"2026-11-24T03:{minute:02}:44.787Z",
            "mes": text,
            "extra": {},
        }
        for minute, who, text in said
    ]
    data = "\n".join(map(json.dumps, lines)).encode()
    [read] = read_source(data, filename=f"{name}.jsonl")
    return read


class Tape:
    """A tape in memory, without git."""

    def __init__(self, root: Path) -> None:
        self.snapshot = Snapshot(WorkTree(root), "sera")

    def record(self, *talks: Conversation) -> list[RecordPlan]:
        found = []
        for talk in talks:
            plan = plan_recording(self.snapshot, talk, handed=(), now=NOW, zone=None)
            if plan.change is not None:
                self.snapshot = self.snapshot.after(plan.change)
            found.append(plan)
        return found

    @property
    def session(self) -> Session:
        return read_session(self.snapshot, SESSION)

    @property
    def shown(self) -> list[str]:
        return [entry.message.text for entry in self.session.shown()]


@pytest.fixture
def tape(tmp_path: Path) -> Tape:
    (tmp_path / "kit.yaml").write_text("name: Seraphina\nuser: Tomas\n", "utf-8")
    return Tape(tmp_path)


def texts(*parts: Sequence[Line]) -> list[str]:
    return [text for part in parts for _, _, text in part]


def test_a_checkpoint_and_a_branch_are_one_session_with_the_chat_they_came_from(tape: Tape) -> None:
    main = tavern("Lamp", LAMP)
    stairs = tavern("The stairs", LAMP[:3], main="Lamp")
    branch = tavern("Lamp - Branch #1", [*LAMP, *KEY], main="Lamp")
    states = [(plan.session, plan.state, plan.added) for plan in tape.record(main, stairs, branch)]
    assert states == [(SESSION, "new", 5), (SESSION, "known", 0), (SESSION, "grown", 2)]
    assert tape.snapshot.sessions == (SESSION,) or list(tape.snapshot.sessions) == [SESSION]
    assert tape.shown == texts(LAMP, KEY)
    assert tape.record(main, stairs, branch)[2].title == "Lamp"
    assert all(plan.change is None for plan in tape.record(branch, main, stairs))


def test_the_branch_that_was_left_is_kept_and_the_one_gone_on_with_is_shown(tape: Tape) -> None:
    branch = tavern("Lamp - Branch #1", [*LAMP, *KEY], main="Lamp")
    main = tavern("Lamp", [*LAMP, *OIL])
    [_, flipped] = tape.record(branch, main)
    assert (flipped.state, flipped.added, flipped.branched) == ("corrected", 2, True)
    assert tape.shown == texts(LAMP, OIL)
    [road] = list_roads(tape.snapshot, SESSION)
    assert (road.beside, [entry.message.text for entry in road.entries]) == (5, texts(KEY))
    assert all(plan.change is None for plan in tape.record(branch, main))


def test_an_older_branch_is_kept_beside_what_is_shown_and_grows_there(tape: Tape) -> None:
    main = tavern("Lamp", [*LAMP, *OIL])
    [_, first] = tape.record(main, tavern("B", [*LAMP, KEY[0]], main="Lamp"))
    [second] = tape.record(tavern("B", [*LAMP, *KEY], main="Lamp"))
    assert (first.beside, second.beside, first.added + second.added) == (1, 1, 0)
    assert tape.shown == texts(LAMP, OIL)
    [road] = list_roads(tape.snapshot, SESSION)
    assert [entry.message.text for entry in road.entries] == texts(KEY)


def test_a_branch_is_known_without_being_told_where_its_chat_is_named_nowhere(tape: Tape) -> None:
    # a renamed or imported copy has no main_chat; the same moment is in both
    tape.record(tavern("Lamp", LAMP), tavern("copy", [*LAMP, *KEY]))
    assert list(tape.snapshot.sessions) == [SESSION]


def test_two_chats_that_begin_with_the_same_greeting_are_two(tape: Tape) -> None:
    later = [(minute + 30, who, text) for minute, who, text in LAMP]
    other = [GREETING, (40, "Tomas", "Is there soup?"), (41, "Seraphina", "There is.")]
    tape.record(tavern("one", LAMP), tavern("two", other), tavern("three", later))
    assert len(tape.snapshot.sessions) == 3


def test_a_branch_of_another_chat_that_begins_with_the_same_words_is_not_of_this_one(tape: Tape) -> None:
    sea = [GREETING, (1, "Tomas", "hi"), (2, "Seraphina", "Hello."), (3, "Tomas", "Is it the sea?")]
    mill = [GREETING, (31, "Tomas", "hi"), (32, "Seraphina", "Who goes there?"), (33, "Tomas", "I do.")]
    found = tape.record(tavern("Sea", sea), tavern("Mill - Branch #1", mill, main="Mill"))
    assert [plan.session for plan in found] == [SESSION, "2026-11-24-2"]


def test_one_word_at_the_same_minute_makes_no_two_chats_one(tape: Tape) -> None:
    # older versions wrote times to the minute, and people nod a lot
    nod = (2, "Tomas", "*nods*")
    one = [GREETING, (1, "Tomas", "Is there soup?"), nod, (3, "Seraphina", "Good.")]
    two = [GREETING, (1, "Tomas", "Is there bread?"), nod, (3, "Seraphina", "Then eat.")]
    tape.record(tavern("one", one), tavern("two", two))
    assert len(tape.snapshot.sessions) == 2


def test_a_beginning_that_was_edited_after_the_branch_is_the_same_chat(tape: Tape) -> None:
    mended = [GREETING, (1, "Tomas", "Do you recall the lamp?"), *LAMP[2:], *KEY, *OIL]
    tape.record(tavern("Lamp", mended), tavern("copy", [*LAMP, *KEY, *OIL]))
    assert list(tape.snapshot.sessions) == [SESSION]


def test_what_only_an_older_copy_holds_beside_what_was_said_is_not_lost(tape: Tape) -> None:
    swiped = tavern("Lamp", LAMP)
    version = next(m for m in swiped.messages if m.text == LAMP[4][2])
    ring = type(version)("assistant", "A ring, nothing else.", Kind.VERSION, road=1)
    older = Conversation("sillytavern", (*swiped.messages, ring), swiped.key, swiped.title, swiped.started)
    tape.record(tavern("Lamp - Branch #1", [*LAMP, *KEY], main="Lamp"), older)
    assert [road.entries[0].message.text for road in list_roads(tape.snapshot, SESSION)] == [ring.text]


@pytest.mark.parametrize("before", [True, False])
def test_hidden_messages_are_said_in_order_and_marked(tape: Tape, *, before: bool) -> None:
    tape.record(tavern("Lamp", LAMP, hidden=[1, 2] if before else []))
    if not before:
        [plan] = tape.record(tavern("Lamp", LAMP, hidden=[1, 2]))
        assert (plan.state, plan.added) == ("known", 0)
    assert tape.shown == texts(LAMP)
    assert list_hidden(tape.snapshot, tape.session) == {2, 3}
    told = render_transcript(tape.snapshot, SESSION, numbers=True, everything=False)
    assert "2  Tomas (hidden in the app): Do you remember the lamp in the tower?\n" in told
    tape.record(tavern("Lamp", [*LAMP, *OIL]))
    assert not list_hidden(tape.snapshot, tape.session)
    assert "hidden" not in render_transcript(tape.snapshot, SESSION, numbers=True, everything=False)


def test_what_was_hidden_when_an_older_reel_recorded_it_comes_into_its_place(tape: Tape) -> None:
    hidden = [Kind.SYSTEM if m.text == LAMP[1][2] else m.kind for m in tavern("Lamp", LAMP).messages]
    talk = tavern("Lamp", LAMP)
    old = [
        type(m)(m.role, m.text, kind, m.name, m.time) for m, kind in zip(talk.messages, hidden, strict=True)
    ]
    tape.record(Conversation("sillytavern", tuple(old), talk.key, talk.title, talk.started))
    assert len(tape.shown) == 4
    tape.record(tavern("Lamp", LAMP, hidden=[1]))
    assert tape.shown == texts(LAMP)


def test_a_message_edited_or_deleted_there_goes_from_what_is_shown_and_stays_on_the_tape(tape: Tape) -> None:
    tape.record(tavern("Lamp", [*LAMP, *KEY]))
    mended = [(minute, who, text.replace("brass", "iron")) for minute, who, text in LAMP]
    [plan] = tape.record(tavern("Lamp", mended))
    assert (plan.state, tape.shown) == ("corrected", texts(mended))
    assert set(texts(LAMP, KEY)) <= {entry.message.text for entry in tape.session.entries}
    # with a checkpoint of it recorded meanwhile, what is deleted goes all the same
    tape.record(tavern("The stairs", mended[:3], main="Lamp"))
    tape.record(tavern("Lamp", mended[:3]))
    assert tape.shown == texts(mended[:3])


def test_another_swipe_takes_the_place_of_the_one_before_and_both_are_kept_once(tape: Tape) -> None:
    first = tavern("Lamp", LAMP)
    answers = ["A key of brass, wrapped in moss.", "A ring, nothing else."]
    for shown in (0, 1, 0):
        said = [*first.messages[:-1]]
        last = first.messages[-1]
        said.append(type(last)("assistant", answers[shown], name=last.name, time=last.time))
        said.append(type(last)("assistant", answers[1 - shown], Kind.VERSION, name=last.name, road=1))
        tape.record(Conversation("sillytavern", tuple(said), first.key, first.title, first.started))
        assert tape.shown == [*texts(LAMP[:4]), answers[shown]]
    kept = Counter(e.message.text for e in tape.session.entries if e.message.kind is Kind.VERSION)
    assert kept == {answers[1]: 1}


branches = st.lists(
    st.tuples(st.integers(2, 5), st.lists(st.sampled_from(["a", "b", "c"]), max_size=3)),
    min_size=1,
    max_size=3,
)


@settings(max_examples=40, deadline=None)
@given(branches, st.randoms(use_true_random=False))
def test_whatever_is_branched_and_recorded_in_whatever_order(
    tmp_path_factory: pytest.TempPathFactory, cut: list[tuple[int, list[str]]], order: object
) -> None:
    root = tmp_path_factory.mktemp("forks")
    (root / "kit.yaml").write_text("name: Seraphina\nuser: Tomas\n", "utf-8")
    tape = Tape(root)
    talks = [tavern("Lamp", LAMP)]
    minute = 20
    for number, (at, more) in enumerate(cut):
        said = list(LAMP[:at])
        for word in more:
            minute += 1
            said.append((minute, "Tomas" if minute % 2 else "Seraphina", f"{word} {minute}"))
        talks.append(tavern(f"Branch {number}", said, main="Lamp"))
    order.shuffle(talks)  # type: ignore[attr-defined]
    tape.record(*talks)
    assert list(tape.snapshot.sessions) == [SESSION]
    newest = max(talks, key=lambda talk: max(m.time or "" for m in talk.said()))
    assert tape.shown == [m.text for m in newest.said()]
    held = Counter(
        e.message.text for e in tape.session.entries if e.message.kind in (Kind.SAID, Kind.VERSION)
    )
    assert held.keys() == {m.text for talk in talks for m in talk.said()}
    assert all(plan.change is None for plan in tape.record(*talks))


def test_on_the_screen(reel: Reel, kit: Path) -> None:
    folder = kit.parent / "chats"
    folder.mkdir()
    for name, main, said in (("Lamp", "", [*LAMP, *OIL]), ("Lamp - Branch #1", "Lamp", [*LAMP, *KEY])):
        about = {"integrity": name, **({"main_chat": main} if main else {})}
        lines: list[dict[str, object]] = [{"chat_metadata": about, "user_name": "unused"}]
        lines += [
            {"name": who if who == "Tomas" else "Ada", "is_user": who == "Tomas", "mes": text}
            | {"send_date": f"2026-11-24T03:{minute:02}:44.787Z"}
            for minute, who, text in said
        ]
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    run = reel("record", folder).ok()
    assert f"Lamp has a branch that was left: 2 messages kept beside {SESSION}." in " ".join(run.out.split())
    assert f"reel tape show {SESSION} --roads" in run.err
    assert "Under the hearth stone." in reel("tape", "show", SESSION, "--roads").ok().out
    assert reel("recall", "hearth stone", "--json").out.count("Under the hearth stone") == 0
