"""A state of working memory that was so for long becomes part of a memory where it ends (REEL §4.3)."""

import json
from pathlib import Path

import pytest

from reel_cli.core.values.memory import Level
from reel_cli.features.fading.plain_step import carry_over
from tests.support.cli import Reel, git
from tests.support.pages import page, say
from tests.support.shelf import ready_made

DAYS = ("10", "13", "16", "19", "22")
RED = "Marta lives in the red house by the canal"
OPEN = "whether he buys the ticket"
STATE = "He sleeps badly and works at night."
NEW = "Marta lives in the blue house on the hill"
HEADING = "## What was so before"


def keep(reel: Reel, kit: Path, day: str, notes: str) -> str:
    """Record an evening and keep its page; what keeping it showed."""
    talk = [
        ("user", f"The kiln was warm again on evening {day}, and I swept the yard."),
        ("assistant", f"Then evening {day} had its broom and its fire."),
    ]
    say(reel, kit, talk, int(day))
    parts = {
        "In a few words": f"The kiln on evening {day}",
        "What happened": "The kiln was warm again, and he swept the yard.",
        "What changed": "nothing",
        "What's unresolved": "nothing",
        "Lines to find it by": f'"had its broom and its fire"\n"evening {day}"',
        "In one breath": "The kiln was warm and he swept the yard.",
        "What has shifted": "nothing\nsteady",
        "My notes": notes,
    }
    return reel("checkpoint", "--reply", "-", "--yes", stdin=page(parts), cwd=kit).ok().err


@pytest.fixture
def settled(reel: Reel, kit: Path) -> Path:
    """A kit in which some things have stood for five evenings."""

    def make() -> None:
        keep(reel, kit, DAYS[0], f"new: {RED}\nnew: {OPEN}\nstate: {STATE}")
        for day in DAYS[1:]:
            keep(reel, kit, day, f"{RED}: still\n{OPEN}: still")

    ready_made(kit, "what stood for five evenings", make)
    return kit


def assess(reel: Reel, kit: Path, notes: str) -> str:
    """Keep a checkpoint by itself; what keeping it showed."""
    parts = {"What has shifted": "nothing\nsteady", "My notes": notes}
    return (
        reel(*("checkpoint", "--only", "checkpoint", "--reply", "-", "--yes"), stdin=page(parts), cwd=kit)
        .ok()
        .err
    )


TALK = [("user", "They moved into the blue house today."), ("assistant", "Then the canal is behind them.")]
MEMORY = {
    "In a few words": "The move",
    "What happened": "They moved into the blue house.",
    "What changed": "nothing",
    "What's unresolved": "nothing",
    "Lines to find it by": '"moved into the blue house today"',
    "In one breath": "They moved into the blue house.",
}


def newest(kit: Path) -> str:
    return max((kit / "ring3").glob("M-*.md")).read_text()


def test_what_ends_after_long_is_in_the_memory_with_its_days(reel: Reel, settled: Path) -> None:
    keep(reel, settled, "26", f"{RED} → {NEW}\nstate: He sleeps like a stone since the move.")
    memory = newest(settled)
    assert f"{HEADING}\n\n" in memory
    assert f"- From 10 February 2026 to 26 February 2026 this went on: {RED}\n" in memory
    assert f"- From 10 February 2026 to 26 February 2026 this was so: {STATE}\n" in memory
    assert OPEN not in memory  # it goes on
    assert NEW in (settled / "ring2/working.md").read_text()
    trailers = git(settled, "log", "-1", "--format=%(trailers:key=Reel-Past-State,valueonly)").split("\n")
    assert '"ring2/working.md" Active threads 2026-02-10 to 2026-02-26' in trailers
    assert RED in reel("pack", "--window", "32k").ok().out


def test_its_words_are_no_false_memory_and_contradict_nothing(reel: Reel, settled: Path) -> None:
    keep(reel, settled, "26", f"{RED} → {NEW}")
    assert HEADING in newest(settled)
    assert "red house" not in reel("doctor").out
    assert not any("red house" in path.read_text() for path in settled.glob("review/*.md"))


@pytest.mark.parametrize(
    "notes",
    [
        f"{RED}: still\n{OPEN}: still",
        f"{RED} → {RED}, with her two cats",  # more words about the same go on
    ],
)
def test_what_goes_on_is_no_past(reel: Reel, settled: Path, notes: str) -> None:
    keep(reel, settled, "26", notes)
    assert HEADING not in newest(settled)


def test_what_stood_only_shortly_is_no_past(reel: Reel, settled: Path) -> None:
    keep(reel, settled, "23", "new: the cat is ill")
    keep(reel, settled, "26", "the cat is ill: closed")
    assert HEADING not in newest(settled)


def test_a_break_begins_anew(reel: Reel, settled: Path) -> None:
    keep(reel, settled, "23", f"{RED}: closed")
    keep(reel, settled, "24", f"new: {RED}")
    keep(reel, settled, "26", f"{RED}: closed")
    assert HEADING not in newest(settled)


def test_undoing_the_page_takes_it_back(reel: Reel, settled: Path) -> None:
    keep(reel, settled, "26", f"{RED} → {NEW}")
    reel("undo", "--yes").ok()
    assert HEADING not in newest(settled)
    told = json.loads(reel("memory", "list", "--json").ok().out)
    assert len(told) == len(DAYS)


def test_it_fades_with_its_memory(reel: Reel, settled: Path) -> None:
    keep(reel, settled, "26", f"{RED} → {NEW}")
    body = newest(settled).split("---\n", 2)[2]
    assert HEADING in carry_over("Shorter.", body, Level.L2)
    assert HEADING not in carry_over("One paragraph.", body, Level.L3)
    assert "red house" not in carry_over("A tag.", body, Level.L4)


def test_a_checkpoint_by_itself_puts_it_into_the_memory_that_its_chat_has(reel: Reel, settled: Path) -> None:
    """REEL §4.3: past states become part of history, whichever way they end."""
    say(reel, settled, TALK, 26)
    reel("consolidate", "--reply", "-", "--yes", stdin=page(MEMORY)).ok()
    assert HEADING not in newest(settled)

    told = assess(reel, settled, f"{RED} → {NEW}")

    line = f"- From 10 February 2026 to 26 February 2026 this went on: {RED}\n"
    assert line in newest(settled)
    assert f"+ {line[2:-1]}" in " ".join(told.split())
    reel("undo", "--yes").ok()
    assert HEADING not in newest(settled)


def test_where_the_memory_comes_after_the_checkpoint_it_takes_it_once(reel: Reel, settled: Path) -> None:
    """REEL §4.3: what a checkpoint ended is not lost where `consolidate` makes the memory later."""
    say(reel, settled, TALK, 26)
    assess(reel, settled, f"{RED} → {NEW}\n{OPEN}: still")

    reel("consolidate", "--reply", "-", "--yes", stdin=page(MEMORY)).ok()

    assert newest(settled).count(f"- From 10 February 2026 to 26 February 2026 this went on: {RED}\n") == 1
    assert OPEN not in newest(settled)
    later = [("user", "Good night, then."), ("assistant", "Good night, blue house, and good night, hill.")]
    say(reel, settled, [*TALK, *later], 26)
    again = MEMORY | {"In a few words": "Night", "Lines to find it by": '"Good night, blue house"'}
    reel("consolidate", "--reply", "-", "--yes", stdin=page(again)).ok()
    assert "title: Night" in newest(settled)
    assert HEADING not in newest(settled)


def test_a_note_with_more_words_goes_on_from_its_first_day(reel: Reel, settled: Path) -> None:
    """REEL §4.3: a state stays one state where a page only adds words to it."""
    keep(reel, settled, "24", f"{RED} → {RED}, with her two cats")
    keep(reel, settled, "26", f"{RED}, with her two cats → {NEW}")
    assert f"- From 10 February 2026 to 26 February 2026 this went on: {RED}\n" in newest(settled)


@pytest.mark.parametrize(
    ("section", "before", "after"),
    [
        ("state", "Rib 4 of the boat is next", "Rib 5 of the boat is next"),
        ("thread", "Rib 4 of the boat is next", "Rib 5 of the boat is next"),
        ("thread", "He is worried about Lida and sleeps badly", "He is worried about Jana and sleeps badly"),
        ("state", "He is happy with his work at night", "He is unhappy with his work at night"),
    ],
)
def test_a_state_that_differs_in_one_word_is_another_one(
    reel: Reel, kit: Path, section: str, before: str, after: str
) -> None:
    """REEL §4.3: no memory says that a state stood longer than it did."""

    def put(old: str, new: str) -> str:
        return f"state: {new}" if section == "state" else f"{old} → {new}"

    keep(reel, kit, DAYS[0], f"state: {before}" if section == "state" else f"new: {before}")
    keep(reel, kit, DAYS[1], put(before, after))
    for day in DAYS[2:]:
        keep(reel, kit, day, f"{after}: still")
    keep(reel, kit, "26", put(after, "The boat was sold and the shed stands empty"))
    # it stood from the 13th on: thirteen days
    assert HEADING not in newest(kit)
    keep(reel, kit, "28", "nothing")
    assert "10 February" not in "".join(path.read_text() for path in kit.glob("ring3/*.md"))
