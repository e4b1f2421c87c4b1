"""Batches of the tape: whatever the window, every message is read exactly once and in order."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.kit.approved_rings import Ring0
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.source import Ranges, holds, to_ranges, union
from reel_cli.core.values.talk import Conversation, Message, session_order, session_path
from reel_cli.features.dream.batch import (
    Batch,
    make_batch,
    room_to_write,
    words_for,
)
from reel_cli.features.dream.cursor_file import parse_cursor, render_cursor
from reel_cli.features.dream.dream import Cursor, DreamState, Mode
from reel_cli.features.dream.estimate import PromptFrame, estimate
from reel_cli.features.dream.unread_tape import collect, find_left
from tests.support.cli import Reel
from tests.support.dreaming_persona import have_talk

RING0 = Ring0("I am Ada.", "", (), "0" * 40)
FRESH = Cursor(DreamState.RUNNING, Mode.FULL, "2026-03-01T20:00:00+00:00", 4096)
COUNTER = get_tokenizer("o200k_base")
Talk = Sequence[tuple[str, int]]


@dataclass
class Files:
    """A kit as a mapping."""

    files: Mapping[str, bytes]

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def list(self, folder: str) -> Sequence[str]:
        return sorted(path for path in self.files if path.startswith(f"{folder}/"))

    def stamp(self, _path: str) -> str | None:
        return None


def kit_of(talks: Mapping[str, Talk]) -> Snapshot:
    """A kit with these sessions: each message by its role and its length in words."""
    files = {"kit.yaml": b"name: Ada\nuser: Bo\n"}
    for session, talk in talks.items():
        said = [
            Message(role, f"{session} {n}; " + "word " * words) for n, (role, words) in enumerate(talk, 1)
        ]
        files[session_path(session)] = render_session(session, Conversation("messages", said))
    return Snapshot(Files(files), "ada")


ROLES = st.sampled_from(["user", "assistant"])
TALKS = st.dictionaries(
    st.builds(lambda day, n: f"2026-01-{day:02d}-{n}", st.integers(1, 28), st.integers(1, 2)),
    st.lists(st.tuples(ROLES, st.one_of(st.integers(0, 60), st.integers(60, 900))), min_size=1, max_size=14),
    min_size=1,
    max_size=6,
)


@settings(max_examples=20, deadline=None)
@given(TALKS, st.sampled_from([1200, 1500, 2048, 4096, 8192, 131072]))
def test_every_message_is_read_exactly_once(talks: Mapping[str, Talk], window: int) -> None:
    """Dream Weaver §3.2: read the transcripts themselves, in order."""
    snapshot = kit_of(talks)
    cursor = parse_cursor(render_cursor(Cursor(DreamState.RUNNING, Mode.FULL, "", window)))
    read: list[tuple[str, int]] = []
    while (batch := make_batch(snapshot, RING0, COUNTER, cursor, find_left(snapshot, cursor))) is not None:
        assert COUNTER.count(batch.prompt) <= window - room_to_write(window) or batch.shortened
        assert COUNTER.count(batch.prompt) <= window
        for session, ranges in batch.parts.items():
            for number in range(1, len(talks[session]) + 1):
                if holds(ranges, number):
                    read.append((session, number))
                    assert f"{session} {number};" in batch.prompt
        after = {s: union(cursor.read.get(s, ()), ranges) for s, ranges in batch.parts.items()}
        cursor = Cursor(
            cursor.state, cursor.mode, cursor.started, window, "", batch.number, {**cursor.read, **after}
        )
        cursor = parse_cursor(render_cursor(cursor))
        assert Batch.load(batch.stored) == batch
    wanted = [(s, n) for s in sorted(talks, key=session_order) for n in range(1, len(talks[s]) + 1)]
    assert read == wanted


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(1, 60)), st.sets(st.integers(1, 60)))
def test_ranges_are_sets(one: set[int], other: set[int]) -> None:
    def numbers(ranges: Ranges) -> set[int]:
        return {n for first, last in ranges for n in range(first, last + 1)}

    assert numbers(to_ranges(one)) == one
    assert union(to_ranges(one), to_ranges(other)) == to_ranges(one | other)


def test_whole_sessions_stay_together_and_a_long_one_is_split_before_somebody_speaks_anew() -> None:
    pair = [("user", 80), ("assistant", 80)]
    snapshot = kit_of({"2026-01-01-1": pair, "2026-01-02-1": pair * 2, "2026-01-03-1": pair * 9})
    left = find_left(snapshot, FRESH).sessions
    assert [t.numbers for t in collect(snapshot, left, 400, COUNTER)] == [((1, 2),)]
    assert [t.numbers for t in collect(snapshot, left, 700, COUNTER)] == [((1, 2),), ((1, 4),)]
    assert [t.numbers for t in collect(snapshot, left, 900, COUNTER)] == [((1, 2),), ((1, 4),), ((1, 2),)]
    only = {"2026-01-03-1": ((3, 18),)}
    assert [t.numbers for t in collect(snapshot, only, 500, COUNTER)] == [((3, 6),)]
    assert "(it goes on)" in collect(snapshot, only, 500, COUNTER)[0].text


def test_a_message_larger_than_the_room_is_told_by_its_ends() -> None:
    snapshot = kit_of({"2026-01-01-1": [("user", 3000), ("assistant", 5)]})
    told = collect(snapshot, find_left(snapshot, FRESH).sessions, 300, COUNTER)
    assert [(t.numbers, t.shortened) for t in told] == [(((1, 1),), 1)]
    assert "words left out here" in told[0].text
    assert COUNTER.count(told[0].text) < 340


def test_a_message_too_long_for_the_window_is_announced(reel: Reel, kit: Path) -> None:
    long = " ".join(f"word{n}" for n in range(4_000))
    have_talk(reel, kit, "2026-01-03", long, "That was long.")
    reel("dream", "start", "--window", "3k", "--yes").ok()
    asked = reel("dream", "next", "--prompt").ok()
    # Dream Weaver §3.2: nothing is skimmed without a word
    assert "1 message did not fit: the prompt has its beginning and its end." in asked.err
    assert "words left out here …]" in asked.out
    reel("dream", "stop").ok()
    reel("dream", "start", "--window", "32k", "--yes").ok()
    asked = reel("dream", "next", "--prompt").ok()
    assert ("did not fit" in asked.err, long in asked.out) == (False, True)


def test_the_estimate_is_near_the_truth() -> None:
    snapshot = kit_of({f"2026-01-{n:02d}-1": [("user", 90), ("assistant", 90)] * 6 for n in range(1, 20)})
    left = find_left(snapshot, FRESH)
    said = sum(COUNTER.count(t.text) for t in collect(snapshot, left.sessions, 10**6, COUNTER))
    assert abs(left.tokens - said) < said * 0.35
    found = estimate(left, PromptFrame(8192, 900), (2.0, 10.0))
    assert found.prompts >= left.tokens // 6144
    assert found.cost == (found.tokens_in * 2 + found.tokens_out * 10) / 1_000_000


def test_notes_take_half_the_window_at_most_and_the_newest_chapter_stands_whole() -> None:
    """Dream Weaver §4.4: make small batches on purpose, so that something has to be chosen."""
    chapters = "".join(
        f"## Chapter {n}\n\nIt began with the {n}th thing. " + f"And more of it, {n}. " * 120 + "\n\n"
        for n in range(1, 400)
    )
    kit = kit_of({"2026-01-01-1": [("user", 10), ("assistant", 10)]})
    files = {**kit.tree.files, "story/history.md": f"# History\n\n{chapters}".encode()}  # type: ignore[attr-defined]
    snapshot = Snapshot(Files(files), "ada")
    batch = make_batch(snapshot, RING0, COUNTER, FRESH, find_left(snapshot, FRESH))
    assert isinstance(batch, Batch)
    assert COUNTER.count(batch.prompt) <= 4096 * 3 // 4
    assert "## Chapter 399\n\nIt began with the 399th thing. And more of it, 399. And more" in batch.prompt
    assert "## Chapter 398 (in short)\n\nIt began with the 398th thing." in batch.prompt
    assert "older chapters are left out here]" in batch.prompt
    assert "word word" in batch.prompt


def test_nothing_older_than_since_is_left() -> None:
    kit = kit_of({"2026-01-01-1": [("user", 3)], "2026-01-01-2": [("user", 3)]})
    found = find_left(kit, Cursor(DreamState.RUNNING, Mode.FULL, "", 4096, "2026-01-01-2"))
    assert (dict(found.sessions), found.total, found.done) == ({"2026-01-01-2": ((1, 1),)}, 1, 0)


def test_the_words_and_facts_of_a_batch_grow_with_a_large_window() -> None:
    assert [words_for(size) for size in (8_192, 32_768, 65_536, 131_072, 1_000_000)] == [
        512,
        1_200,
        1_200,
        2_400,
        3_000,
    ]
    snapshot = kit_of({"2026-01-01-1": [("user", 80), ("assistant", 80)]})
    asked = []
    for window in (8_192, 131_072, 1_000_000):
        cursor = Cursor(DreamState.RUNNING, Mode.FULL, "", window)
        batch = make_batch(snapshot, RING0, COUNTER, cursor, find_left(snapshot, cursor))
        assert batch is not None
        asked += re.findall(r"About ([\d,]+) words at most|(\w+ dozen) at most", batch.prompt)
    told = ["".join(one) for one in asked]
    assert told == ["512", "two dozen", "2,400", "four dozen", "3,000", "five dozen"]
