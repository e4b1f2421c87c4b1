"""`reel consolidate --again`: memories made anew from the tape, beside what they were, one by one."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.state import State
from reel_cli.core.values.memory import memory_path
from tests.support.cli import Reel
from tests.support.faded_kit import MARKER, SESSIONS, Year, memory
from tests.support.kit_under_git import KitUnderGit
from tests.support.rewrite_replies import whole

AGAIN = ("consolidate", "--again")
WORDS = f"{MARKER} The lamp went out again, and I was glad of him."


@pytest.fixture
def past(reel: Reel, tmp_path: Path) -> KitUnderGit:
    """Four evenings, remembered as a page, a digest, a marker and a tag."""
    levels = ("L1", "L2", "L3", "L4")
    made = Year([memory(n, level, evening=n) for n, level in enumerate(levels, start=1)]).make(
        tmp_path / "ada"
    )
    reel.cwd = made.root
    return made


def page(at: int, evening: int) -> str:
    """The page at a place of the prompt, as long as its memory's level wants it."""
    return whole(at, evening, f"{WORDS} {MARKER} {MARKER}" if evening == 1 else WORDS)


def pages_of(text: str) -> list[str]:
    shown = [line for line in text.splitlines() if line.startswith("=== Page ")]
    return [line.partition(": ")[2].partition(" (")[0] for line in shown]


def answered(reel: Reel, text: str, *more: str, code: int = 0) -> dict[str, Any]:
    told = reel(*AGAIN, "--reply", "-", "--yes", "--json", *more, stdin=text)
    assert told.code == code, told.err
    found: dict[str, Any] = json.loads(told.out)
    return found


def ids(found: Sequence[dict[str, Any]]) -> list[str]:
    return [one["id"] for one in found]


def level(kit: KitUnderGit, name: str) -> str:
    path = memory_path(name)
    return parse_memory(kit.read(path).decode(), path).level.value


def test_every_memory_is_asked_for_oldest_first_with_its_source(reel: Reel, past: KitUnderGit) -> None:
    told = reel(*AGAIN, "--prompt").ok()
    assert pages_of(told.out) == [f"Evening {n}" for n in (1, 2, 3, 4)]
    assert "You can hold more of that time at once" in told.out
    assert told.out.count("Still unopened.") == 4
    assert (told.err, past.changes) == ("", 1)
    assert list(State(past.root).exchanges()) == ["consolidate.wider"]


def test_a_model_that_declines_the_one_page_it_was_asked_for_has_answered_none(
    reel: Reel, past: KitUnderGit
) -> None:
    since = ("--since", SESSIONS[4][:10])
    reel(*AGAIN, *since, "--prompt").ok()
    declined = "I would rather not, Bo. Shall we talk of the lamp?"
    run = reel(*AGAIN, *since, "--reply", "-", "--yes", stdin=declined)
    assert (run.code, "The model declined to write the page." in run.err) == (1, True), run.err
    assert "Hint: ask again, or another model, or tomorrow\n" in run.err
    kept = re.search(r"To read it:\s+more\s+(\S+)", run.err)
    assert kept is not None
    assert (past.root / kept[1]).read_text() == declined


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (
            "Sure! What would you like to talk about tonight?",
            "That is no page: the model went on talking, or something else was copied.",
        ),
        ('{"memories": []}', "That is data for a program"),
        ("<think>Well, four evenings to go", "breaks off inside the model's own thoughts"),
    ],
)
def test_a_reply_without_any_page_is_told_for_what_it_is(
    reel: Reel, past: KitUnderGit, reply: str, said: str
) -> None:
    reel(*AGAIN, "--prompt").ok()
    run = reel(*AGAIN, "--reply", "-", "--yes", stdin=reply)
    assert (run.code, said in " ".join(run.err.split())) == (1, True), run.err
    assert past.changes == 1


@pytest.mark.parametrize(
    ("since", "asked"),
    [(SESSIONS[3], [3, 4]), (SESSIONS[4][:10], [4]), ("2025-01-01", [1, 2, 3, 4])],
    ids=["session", "day", "before"],
)
def test_since_begins_later(reel: Reel, past: KitUnderGit, since: str, asked: list[int]) -> None:
    told = reel(*AGAIN, "--since", since, "--prompt").ok()
    assert pages_of(told.out) == [f"Evening {n}" for n in asked]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("consolidate", "--since", "2025-01-01"), 2, "--since and --window go with --again."),
        (("consolidate", "--window", "8k"), 2, "--since and --window go with --again."),
        ((*AGAIN, SESSIONS[1]), 2, "--again makes memories anew, and takes no chat."),
        ((*AGAIN, "--since", "spring"), 1, "'spring' is neither a day nor a chat."),
        ((*AGAIN, "--since", "2030-01-01"), 1, "No memory is that new."),
        ((*AGAIN, "--window", "300"), 1, "None of these memories can be written again."),
    ],
    ids=range(6),
)
def test_what_makes_no_sense_is_refused(
    reel: Reel, past: KitUnderGit, arguments: tuple[str, ...], code: int, said: str
) -> None:
    told = reel(*arguments)
    assert (told.code, told.out) == (code, "")
    assert f"Error: {said}\n" in told.err
    assert list(State(past.root).exchanges()) == []


def test_each_stands_beside_what_it_was_and_loses_no_level(reel: Reel, past: KitUnderGit) -> None:
    """REEL §12.4: make memories again from the same tape when more of it fits."""
    reel(*AGAIN, "--prompt").ok()
    text = "".join(page(n, n) for n in (1, 2, 3, 4))
    looked = reel(*AGAIN, "--reply", "-", "--dry-run", stdin=text).ok()
    assert looked.err.count(f"  {MARKER} That was evening 2.\n") == 4
    assert looked.err.count(f"  {WORDS} That was evening 2.\n") == 3
    before = past.files()
    found = answered(reel, text)
    assert [(one["id"], one["from"], one["to"]) for one in found["kept"]][1:] == [
        ("M-002", "L2", "L2"),
        ("M-003", "L3", "L2"),
        ("M-004", "L4", "L2"),
    ]
    assert past.subjects()[0] == "consolidate: M-004, anew from what was said"
    trailers = past.git("log", "-1", "--format=%(trailers:only)")
    assert "Reel-Forgot" not in trailers
    assert f"Reel-Session: {SESSIONS[4]}\nReel-Memory: M-004 L2 " in trailers
    assert "Reel-Ring0: " in trailers
    assert [level(past, f"M-00{n}") for n in (2, 3, 4)] == ["L2", "L2", "L2"]
    told = reel("why", "M-003").ok().out
    assert "written again from what was said, as a shorter page of " in told
    row = reel("log", "--limit", "1").ok().out
    assert "remembered  Evening 4 (M-004), anew from what was said" in row
    for _ in found["kept"]:
        reel("undo").ok()
    # the tape only grows: it tells of each step
    assert {path for path, data in past.files().items() if before.get(path) != data} == {"tape/events.md"}


def test_what_does_not_fit_is_asked_for_next_and_all_of_it_comes_round_once(
    reel: Reel, past: KitUnderGit
) -> None:
    first = reel(*AGAIN, "--window", "4400", "--prompt").ok().out
    seen: list[str] = []
    while True:
        asked = pages_of(reel(*AGAIN, "--prompt").ok().out) if seen else pages_of(first)
        seen += asked
        text = "".join(page(at, int(title.split()[1])) for at, title in enumerate(asked, start=1))
        told = reel(*AGAIN, "--reply", "-", "--yes", stdin=text).ok()
        left = 4 - len(seen)
        if not left:
            break
        assert told.err.endswith(f"{left} more to go. Next:  reel consolidate --again --prompt\n")
    assert len(pages_of(first)) < 4
    assert seen == [f"Evening {n}" for n in (1, 2, 3, 4)]
    assert list(State(past.root).exchanges()) == []


def test_a_page_that_would_be_hardly_more_than_a_digest_is_left(reel: Reel, past: KitUnderGit) -> None:
    reel(*AGAIN, "--prompt").ok()
    found = answered(reel, whole(1, 1, WORDS) + page(2, 2))
    assert {one["id"]: one["why"] for one in found["left"]}["M-001"] == (
        "too little is left of it: 250 tokens of 677"
    )


def test_what_is_missing_is_asked_for_before_the_rest(reel: Reel, past: KitUnderGit) -> None:
    reel(*AGAIN, "--prompt").ok()
    found = answered(reel, page(1, 1) + page(3, 3) + page(4, 4))
    assert {one["id"]: one["why"] for one in found["left"]}["M-002"] == "it did not come back"
    assert pages_of(found["repair"])[0] == "Evening 2"
    asked = pages_of(reel(*AGAIN, "--prompt").ok().out)
    assert asked == pages_of(found["repair"])


def test_a_pin_does_not_keep_a_memory_from_being_understood_anew(reel: Reel, past: KitUnderGit) -> None:
    reel("memory", "pin", "M-002").ok()
    reel(*AGAIN, "--since", SESSIONS[2][:10], "--prompt").ok()
    assert ids(answered(reel, page(1, 2))["kept"]) == ["M-002"]


def test_a_person_goes_through_all_of_them(reel: Reel, past: KitUnderGit) -> None:
    (past.root / ".reel").mkdir(exist_ok=True)
    (past.root / ".reel" / "a.txt").write_text("".join(page(n, n) for n in (1, 2, 3, 4)))
    told = reel(*AGAIN, stdin="f .reel/a.txt\nn\ny\nn\nq\n", tty=True).ok()
    shown = "".join(text for _, text in told.screen)
    assert "Stays as it was: Evening 3 (M-003). You left it as it was.\n" in shown
    assert "Stays as it was: Evening 4 (M-004). Not decided yet.\n" in shown
    assert past.subjects()[0] == "consolidate: M-002, anew from what was said"
    assert list(State(past.root).exchanges()) == ["consolidate.wider"]


def test_a_plain_consolidate_is_not_confused_by_a_prompt_that_waits(reel: Reel, past: KitUnderGit) -> None:
    reel(*AGAIN, "--prompt").ok()
    reel("maintain", "--only", "whole", "--prompt")
    told = reel("consolidate", "--prompt")
    assert "===" in told.out
    assert pages_of(told.out) == []
    assert reel("checkpoint", "--prompt").code in (0, 1)
    assert reel("status").code == 0
    assert set(State(past.root).exchanges()) >= {"consolidate.wider"}


def test_a_kit_that_is_not_under_git_is_told_of(reel: Reel, past: KitUnderGit) -> None:
    (past.root / ".git").rename(past.root.parent / "git")
    told = reel(*AGAIN, "--prompt")
    assert (told.code, told.out) == (3, "")
