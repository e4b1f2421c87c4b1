"""Merge of two dreams, file by file: nothing of either is left out, and nothing is there twice."""

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.git.text_merge import merge_texts
from reel_cli.core.values.source import covers, union
from reel_cli.features.dream.cursor_file import CURSOR, parse_cursor, render_cursor
from reel_cli.features.dream.dream import (
    Amendment,
    Chapter,
    Cursor,
    DreamState,
    Mode,
    Status,
    Thread,
    ThreadWord,
)
from reel_cli.features.dream.story.files import HISTORY, add_chapter, amend, parse_chapters
from reel_cli.features.dream.story.join import join_dream
from reel_cli.features.dream.story.missed_file import MISSED, add_threads, parse_threads
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import add_facts, parse_facts
from reel_cli.features.facts.kit_files import join_facts

NAMES = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=4)
NUMBERS = st.lists(st.integers(1, 4), unique=True, max_size=3)


def chapters(text: str, names: list[str], batch: int = 0) -> str:
    for place, name in enumerate(names):
        chapter = Chapter(f"Of {name}", f"It was {name}.\n\nAnd late, {name}.")
        text = add_chapter(text, HISTORY, chapter, {"batch": batch + place, "on": name})
    return text


def threads(text: str, names: list[str], words: list[int]) -> str:
    there = {thread.number for thread in parse_threads(text)}
    told = [ThreadWord(n, Status.DONE, f"by {''.join(names)}") for n in words if n in there]
    new = [
        Thread(max(there, default=0) + n, Status.OPEN, "2026-01-03", "Bo", f"the {name}")
        for n, name in enumerate(names, 1)
    ]
    return add_threads(text, new, told, "2026-03-01") if new or told else text


@settings(max_examples=40, deadline=None)
@given(NAMES, NAMES, NAMES, NAMES, NAMES)
def test_chapters(
    old: list[str], here: list[str], there: list[str], put_right: list[str], also: list[str]
) -> None:
    base = chapters("", old)
    sides = []
    for who, names, about in (("here", here, put_right), ("there", there, also)):
        text, _ = amend(
            base, [Amendment(f"And late, {n}", f"as seen from {who}") for n in about if n in old], who
        )
        sides.append(chapters(text, [f"{name} {who}" for name in names], 10))
    ours, theirs = sides
    made = join_dream(HISTORY, ours, theirs, base, merge_texts)
    wanted = [f"Of {n}" for n in (*old, *(f"{n} there" for n in there), *(f"{n} here" for n in here))]
    assert [one.title for one in parse_chapters(made)] == wanted
    for text in sides:
        assert {line for line in text.splitlines() if line} <= set(made.splitlines())
    assert made.count("Amended") == sum(text.count("Amended") for text in sides)
    assert join_dream(HISTORY, made, theirs, theirs, merge_texts) == made


@settings(max_examples=40, deadline=None)
@given(NAMES, NAMES, NAMES, NUMBERS, NUMBERS)
def test_threads(old: list[str], here: list[str], there: list[str], done: list[int], also: list[int]) -> None:
    base = threads("", old, [])
    ours = threads(base, [f"{name} here" for name in here], done)
    theirs = threads(base, [f"{name} there" for name in there], also)
    made = parse_threads(join_dream(MISSED, ours, theirs, base, merge_texts))
    assert [one.number for one in made] == list(range(1, len(made) + 1))
    names = [*old, *(f"{n} there" for n in there), *(f"{n} here" for n in here)]
    assert [one.text for one in made] == [f"the {name}" for name in names]
    settled = {n for n in (*done, *also) if n <= len(old)}
    assert {one.number for one in made if one.status is Status.DONE} == settled


@settings(max_examples=40, deadline=None)
@given(NAMES, NAMES, NAMES)
def test_facts(old: list[str], here: list[str], there: list[str]) -> None:
    def facts(names: list[str]) -> list[Fact]:
        return [Fact("thing", name, f"- it is: {name}") for name in names]

    base = add_facts("", facts(old))
    ours, theirs = add_facts(base, facts(here)), add_facts(base, facts(there))
    made = parse_facts(join_facts(ours, theirs, base, merge_texts))
    assert made == facts([*old, *there, *(name for name in here if name not in there)])


RANGES = st.dictionaries(
    st.sampled_from(["2026-01-03-1", "2026-01-04-1"]),
    st.integers(1, 9).flatmap(lambda a: st.integers(a, 9).map(lambda b: ((a, b),))),
    max_size=2,
)


@settings(max_examples=40, deadline=None)
@given(RANGES, RANGES, RANGES)
def test_what_either_read_is_read(
    old: dict[str, tuple[tuple[int, int], ...]],
    here: dict[str, tuple[tuple[int, int], ...]],
    there: dict[str, tuple[tuple[int, int], ...]],
) -> None:
    def cursor(*read: dict[str, tuple[tuple[int, int], ...]]) -> str:
        whole: dict[str, tuple[tuple[int, int], ...]] = {}
        for one in read:
            whole |= {session: union(whole.get(session, ()), ranges) for session, ranges in one.items()}
        return render_cursor(Cursor(DreamState.RUNNING, Mode.FULL, "2026-03-01", 4096, "", len(read), whole))

    ours, theirs, both = cursor(old, here), cursor(old, there), cursor(old, here, there)
    made = parse_cursor(join_dream(CURSOR, ours, theirs, cursor(old), merge_texts))
    assert made.read == parse_cursor(both).read
    # one that began anew counts as unread what only the other had read before they parted
    anew = parse_cursor(join_dream(CURSOR, cursor({}), theirs, cursor(old), merge_texts))
    assert all(covers(parse_cursor(theirs).read[session], ranges) for session, ranges in anew.read.items())
    assert not any(covers(anew.read.get(s, ()), ranges) and s not in there for s, ranges in old.items())
