"""Order in which chapters are checked: corrected ones, unchecked ones, those with most against them."""

import json
from collections.abc import Sequence

from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.tape.events_file import append_events
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.talk import Conversation, Event, Message, session_path
from reel_cli.features.dream.cursor_file import CURSOR, render_cursor
from reel_cli.features.dream.dream import Cursor, DreamState, Mode
from reel_cli.features.dream.story.choice import (
    FULLY,
    by_doubt,
    doubt_all,
    find_unsaid,
    parts_left,
    read_story,
)
from reel_cli.features.dream.story.files import HISTORY
from tests.features.dream.test_dream_tape import Files

AT = "2026-03-01T20:00:00+00:00"


def name(day: int) -> str:
    return f"2026-01-{day:02d}-1"


def kit_of(texts: Sequence[str], notes: dict[int, dict[str, object]] | None = None) -> Snapshot:
    """A kit whose nth chapter tells of its nth day; something was put right on the last."""
    files = {"kit.yaml": b"name: Ada\nuser: Bo\n"}
    story = "# History\n"
    for day, text in enumerate(texts, start=1):
        said = [Message("user", f"On day {day} Marta took the bus to Oslo."), Message("assistant", "I know.")]
        files[session_path(name(day))] = render_session(name(day), Conversation("messages", said))
        about = json.dumps({"batch": day, "read": [f"{name(day)}#1-2"], "on": "2026-02-01"})
        story += f"\n## Day {day}\n\n<!-- dream: {about} -->\n\n{text}\n"
        for note in [notes[day]] if notes and day in notes else []:
            story += f"\n<!-- dream: {json.dumps(note)} -->\n"
    last = name(len(texts))
    read = {name(day): ((1, 2),) for day in range(1, len(texts) + 1)}
    files[HISTORY] = story.encode()
    files[CURSOR] = render_cursor(Cursor(DreamState.DONE, Mode.FULL, AT, 8192, read=read)).encode()
    files[EVENTS] = append_events(None, [Event(0, "correction", AT, "It was Lena.", last)], EVENTS)
    return Snapshot(Files(files), "ada")


def test_the_order_in_which_chapters_are_held_against_the_tape() -> None:
    texts = [
        "Marta took the bus.",
        "Then Lena flew to Bergen.",
        'Marta said: "I know nothing of buses".',
        "It was Oslo, and Lena was there.",
        "All was well.",
        "She was well.",
        "We spoke of Oslo.",
        "Nothing.",
    ]
    held: dict[str, object] = {"again": "2026-02-20", "held": [f"{name(4)}#1-2"], "over": True}
    snapshot = kit_of(texts, {4: held})
    told: list[float] = []
    found = doubt_all(snapshot, read_story(snapshot), told.append)
    assert sum(told) == 2 * len(texts) > 2 * FULLY
    assert [one.chapter.number for one in by_doubt(found)] == [8, 3, 2, 1, 5, 6, 7, 4]
    assert [len(one.unsaid) for one in found] == [0, 0, 1, 0, 0, 0, 0, 0]
    assert [one.later[0].session for one in found if one.later] == [name(8)]
    assert [found[at].unborne for at in (0, 4, 7)] == [0, 0, 0]
    assert found[1].unborne == 2


def test_what_speaks_against_a_chapter_is_the_same_before_and_after_it_was_held() -> None:
    texts = ["Then Lena flew to Bergen.", *["Yes, Lisbon it is, I Think."] * (FULLY + 1), "Nothing."]
    held: dict[str, object] = {"again": "2026-02-20", "held": [f"{name(2)}#1-2"], "over": True}
    told = []
    for notes in ({}, {2: held}):
        snapshot = kit_of(texts, notes)
        found = doubt_all(snapshot, read_story(snapshot), fully=len(texts))
        told.append([one.unborne for one in found])
    assert told[0] == told[1] == [2, *[2] * (FULLY + 1), 0]


def test_a_detail_that_was_amended_is_no_open_doubt() -> None:
    """Dream Weaver §6.4."""
    amended = "> **Amended 1 March 2026.** “flew to Bergen”: she took the bus."
    snapshot = kit_of(["Then Lena flew to Bergen.", f"Then Lena flew to Bergen.\n\n{amended}", "Nothing."])
    for fully in (0, 3):
        found = doubt_all(snapshot, read_story(snapshot), fully=fully)
        assert [one.unborne for one in found] == [2, 1, 0]


def test_a_round_that_is_not_over_goes_on_and_one_that_is_begins_anew() -> None:
    texts = ["All was well."] * 3
    part: dict[str, object] = {"again": "2026-02-20", "held": [f"{name(1)}#1"]}
    whole: dict[str, object] = {"again": "2026-02-20", "held": [f"{name(2)}#2"], "over": True}
    odd: dict[str, object] = {"again": 7, "held": "all", "over": "yes"}
    snapshot = kit_of(texts, {1: part, 2: whole, 3: odd})
    chapters = read_story(snapshot)
    assert [parts_left(snapshot, one) for one in chapters] == [
        {name(1): ((2, 2),)},
        {name(2): ((1, 2),)},
        {name(3): ((1, 2),)},
    ]
    assert [one.again for one in chapters] == ["2026-02-20", "2026-02-20", ""]


def test_quotations_are_looked_for_everywhere_and_amended_ones_are_settled() -> None:
    snapshot = kit_of(
        [
            'He said "On day 2 Marta took the bus" and "on day 9 Marta took the bus".',
            'He said "the moon is a bowl".\n\n> **Amended 1 March 2026.** “the moon is a bowl”: he did not.',
            'He said "Marta took a _purged_ to Oslo".',
        ]
    )
    assert find_unsaid(snapshot, read_story(snapshot)) == {1: ["on day 9 Marta took the bus"], 2: [], 3: []}
