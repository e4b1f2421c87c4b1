"""Ring 2 over its range: what the persona lets go of, on record, and back again with `reel restore`."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.files.state import State
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.features.fading.pass_file import last_pass
from tests.support.cli import Reel
from tests.support.faded_kit import Year, memory, of_every_age
from tests.support.kit_under_git import KitUnderGit

THREADS = (
    "The second draft of the last page, and whether the dot stays",
    "Pip wants the manuscript by the end of the month",
    "His mother moves to the house with the garden",
    "Lida reads the whole of it on Wednesdays",
    "The lamp on the north pier wants a new mantle",
)
LOOPS = (
    "Has he written to Magnus about the bannock recipe?",
    "Coffee with Morag, before a Friday",
    "Which of the three endings did he choose?",
)
FILLER = " and he asked me to keep an eye on it, for it will not keep by itself" * 6
NOTES = [f"{words}{FILLER}" for words in (*THREADS, *LOOPS)]
TEXT = (
    "---\nnote: a person's own\n---\n## Active threads\n\n"
    + "".join(f"- {note}\n" for note in NOTES[:5])
    + "\n## State\n\nHe is tired and nearly done.\n\n## Open loops\n\n"
    + "".join(f"* {note}\n  - and more of it\n" for note in NOTES[5:])
    + "\n## Calibration\n\nBrisk.\n"
)
ANSWER = """\
## My notes
1. still
2. closed: she has it
3. closed: she has moved
4. changed: Lida reads it on Wednesdays
5. still
6. closed: he has
7. still
8. still

Ada
"""


@pytest.fixture
def full(reel: Reel, tmp_path: Path) -> KitUnderGit:
    made = Year([memory(n, "L2", evening=23) for n in (1, 2)], settings="window: 8k\n").make(tmp_path / "ada")
    made.write("kit.yaml", b"name: Ada\nwindow: 8k\nmaintain:\n  loss_limit: 0.6\n")
    made.write(WORKING, TEXT.encode())
    made.git("add", "-A")
    made.git("commit", "-qm", "notes")
    reel.cwd = made.root
    return made


def answer(reel: Reel, text: str, *more: str, code: int = 0) -> dict[str, Any]:
    told = reel("maintain", "--reply", "-", "--yes", "--json", *more, stdin=text)
    assert told.code == code, told.err
    found: dict[str, Any] = json.loads(told.out)
    return found


def notes(kit: KitUnderGit) -> str:
    return kit.read(WORKING).decode()


def test_the_plan_tells_of_them_and_the_prompt_numbers_them(reel: Reel, full: KitUnderGit) -> None:
    told = reel("maintain", "--plan").ok()
    assert "The notes on where things stand take " in told.out
    assert told.err.endswith("Ask Ada:  reel maintain --prompt\n")
    plan = json.loads(reel("maintain", "--plan", "--json").ok().out)
    assert plan["notes"]["tokens"] > plan["notes"]["max"] == 819
    prompt = reel("maintain", "--prompt").ok().out
    assert prompt.startswith("Ada, your notes are to be gone through again")
    assert re.findall(r"(?m)^(\d+)\. ", prompt) == [str(n) for n in range(1, 9)]
    assert list(State(full.root).exchanges()) == ["maintain.tidying"]


def test_what_is_let_go_leaves_ring_2_and_is_in_the_ledger(reel: Reel, full: KitUnderGit) -> None:
    prompt = reel("maintain", "--prompt").ok().out
    found = answer(reel, ANSWER)
    (kept,) = found["kept"]
    assert (kept["id"], kept["closed"], kept["changed"]) == (WORKING, 3, 1)
    assert kept["tokens_before"] > kept["tokens_after"]
    assert full.subjects()[0] == "maintain: 3 notes let go"
    lines = notes(full).splitlines()
    assert [line for line in lines if line.startswith(("- ", "* "))] == [
        f"- {NOTES[0]}",
        "- Lida reads it on Wednesdays",
        f"- {NOTES[4]}",
        f"* {NOTES[6]}",
        f"* {NOTES[7]}",
    ]
    assert "He is tired and nearly done." in lines
    losses = json.loads(reel("log", "--forgotten", "--json").ok().out)[0]["forgot"]
    assert [(one["id"], one["from"], one["to"]) for one in losses] == [
        *[(WORKING, "note", "closed")] * 3,
        (WORKING, "note", "shorter"),
    ]
    assert [one["restore"] for one in losses[:3]] == [f"reel restore {WORKING}"] * 3
    way = losses[3]["restore"].split(" ")
    assert full.git(*way[1:]) == TEXT
    assert prompt != ANSWER
    assert reel("log", "--forgotten").ok().out.count(f"reel restore {WORKING}") == 3


def test_they_come_back_each_in_its_section_word_for_word_and_once(reel: Reel, full: KitUnderGit) -> None:
    reel("maintain", "--prompt").ok()
    answer(reel, ANSWER)
    looked = reel("restore", WORKING, "--dry-run").ok()
    assert looked.out.count("Would come back where things stand: ") == 3
    told = json.loads(reel("restore", WORKING, "--json").ok().out)
    assert [one["title"] for one in told["restored"]] == [NOTES[1], NOTES[2], f"{NOTES[5]} - and more of it"]
    assert (told["commit"], told["pinned"]) == (full.repo.head(), [])
    assert full.subjects()[0] == "restore: brought back 3 notes"
    now = notes(full)
    assert now.startswith("---\nnote: a person's own\n---\n")
    threads, loops = now.split("## State")[0], now.split("## Open loops")[1]
    assert threads.rstrip().endswith(f"- {NOTES[4]}\n- {NOTES[1]}\n- {NOTES[2]}")
    assert f"* {NOTES[7]}\n  - and more of it\n* {NOTES[5]}\n  - and more of it\n\n## Calibration" in loops
    (losses,) = [one["forgot"] for one in json.loads(reel("log", "--forgotten", "--json").ok().out)]
    assert [one["back"] for one in losses] == [full.repo.head()] * 3 + [None]
    again = reel("restore", WORKING)
    assert (again.code, again.err.splitlines()[0]) == (1, "Error: No note that was let go is missing.")


def test_what_is_there_again_by_hand_does_not_come_back_twice(reel: Reel, full: KitUnderGit) -> None:
    reel("maintain", "--prompt").ok()
    answer(reel, ANSWER)
    text = notes(full).replace("## State", f"- {NOTES[2]}\n\n## State")
    full.write(WORKING, text.encode())
    reel("restore", WORKING).ok()
    assert notes(full).count(NOTES[2]) == notes(full).count(NOTES[1]) == 1


def test_undo_brings_all_of_it_back_and_then_nothing_is_missing(reel: Reel, full: KitUnderGit) -> None:
    reel("maintain", "--prompt").ok()
    answer(reel, ANSWER)
    reel("undo").ok()
    assert notes(full) == TEXT
    assert reel("restore", WORKING).code == 1


@pytest.mark.parametrize("arguments", [("M-001",), ("--level", "L1")])
def test_notes_come_back_by_themselves(reel: Reel, full: KitUnderGit, arguments: tuple[str, ...]) -> None:
    assert reel("restore", WORKING, *arguments).code == 2


def test_nothing_to_restore_is_said(reel: Reel, full: KitUnderGit) -> None:
    told = reel("restore", WORKING)
    assert (told.code, told.err) == (
        1,
        "Error: No note that was let go is missing.\nHint: to see what was let go:  reel log --forgotten\n",
    )


def test_a_history_that_was_rewritten_is_told_of_and_nothing_changes(reel: Reel, full: KitUnderGit) -> None:
    reel("maintain", "--prompt").ok()
    answer(reel, ANSWER)
    message = full.git("log", "-1", "--format=%B").replace("was=", "was=0")
    full.git("commit", "-q", "--amend", "-m", message)
    before = notes(full)
    told = reel("restore", WORKING)
    assert told.code == 3
    assert told.err.startswith("Error: The history has other notes than those")
    assert notes(full) == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "## My notes\n" + "".join(f"{n}. still\n" for n in range(1, 9)),
            "Nothing changes in the notes.",
        ),
        (
            "## My notes\n4. changed: " + "more and more of it, " * 60 + "\n",
            "Nothing changes in the notes.",
        ),
    ],
    ids=["still", "longer"],
)
def test_a_good_reply_that_wants_nothing_changed_is_settled(
    reel: Reel, full: KitUnderGit, text: str, said: str
) -> None:
    reel("maintain", "--prompt").ok()
    head = full.repo.head()
    told = reel("maintain", "--reply", "-", "--yes", stdin=text).ok()
    assert said in told.err
    assert (full.repo.head(), list(State(full.root).exchanges())) == (head, [])


@pytest.mark.parametrize("text", ["I could not say, Bo.", "## My notes\n99. closed\nthe walrus: gone\n"])
def test_a_reply_that_is_none_is_refused(reel: Reel, full: KitUnderGit, text: str) -> None:
    prompt = reel("maintain", "--prompt").ok().out
    found = answer(reel, text, code=1)
    assert found["problems"][0] == {
        "field": "reply",
        "what": "That reply does not say clearly what becomes of the notes.",
    }
    assert found["repair"] == prompt
    assert answer(reel, prompt, code=1)["problems"][0]["what"].startswith("That is the prompt itself")


def test_notes_changed_meanwhile_are_matched_by_their_words(reel: Reel, full: KitUnderGit) -> None:
    reel("maintain", "--prompt").ok()
    text = TEXT.replace(f"- {NOTES[1]}\n", "").replace(f"- {NOTES[0]}\n", f"- A new one\n- {NOTES[0]}\n")
    full.write(WORKING, text.encode())
    found = answer(reel, ANSWER)
    assert found["kept"][0]["closed"] == 2
    assert "- A new one\n" in notes(full)
    assert NOTES[2] not in notes(full)


def test_more_than_the_limit_is_a_word_of_its_own(reel: Reel, full: KitUnderGit) -> None:
    full.write("kit.yaml", b"name: Ada\nwindow: 8k\n")
    reel("maintain", "--prompt").ok()
    head = full.repo.head()
    told = reel("maintain", "--reply", "-", "--yes", stdin=ANSWER)
    assert told.code == 1
    assert "With it, more than 25 % of the notes would go in one pass" in told.err
    assert (full.repo.head(), list(State(full.root).exchanges())) == (head, ["maintain.tidying"])
    assert answer(reel, ANSWER, "--beyond-limit")["kept"][0]["closed"] == 3


def test_what_was_let_go_of_the_notes_counts_for_no_other_ring(reel: Reel, full: KitUnderGit) -> None:
    reel("maintain", "--prompt").ok()
    answer(reel, ANSWER)
    plan = json.loads(reel("maintain", "--plan", "--json").ok().out)
    assert plan["limit"]["rings"]["3"]["lost"] == 0


def test_the_doctor_sees_notes_that_were_let_go_without_who_the_persona_is(
    reel: Reel, full: KitUnderGit
) -> None:
    def drift() -> list[str]:
        found = json.loads(reel("doctor", "--json").out)["findings"]
        return [one["evidence"] for one in found if one["kind"] == "identity-drift"]

    reel("maintain", "--prompt").ok()
    answer(reel, ANSWER)
    assert drift() == []
    message = re.sub(r"Reel-Ring0: .*\n", "", full.git("log", "-1", "--format=%B"))
    full.git("commit", "-q", "--amend", "-m", message)
    assert len(drift()) == 1


@pytest.mark.parametrize("tty", [False, True])
def test_notes_alone_are_no_pass(reel: Reel, tmp_path: Path, tty: bool) -> None:  # noqa: FBT001
    """REEL §6.7: notes that were gone through do not put off the pass through rings 3 and 4."""
    made = replace(of_every_age(), settings="window: 8k\nmaintain:\n  loss_limit: 0.6\n").make(
        tmp_path / "ada"
    )
    made.write(WORKING, TEXT.encode())
    made.git("commit", "-qam", "notes")
    reel.cwd = made.root
    reel("maintain", "--only", "notes", "--prompt").ok()
    (tmp_path / "a.md").write_text(ANSWER)
    if tty:
        reel("maintain", "--only", "notes", stdin=f"y\nf {tmp_path / 'a.md'}\ny\ny\n", tty=True).ok()
    else:
        reel("maintain", "--only", "notes", "--reply", "-", "--yes", "--beyond-limit", stdin=ANSWER).ok()
    assert made.subjects()[0] == "maintain: 3 notes let go"
    due = json.loads(reel("status", "--json").ok().out)["due"]
    assert any(one["what"] == "maintenance" for one in due)
    assert last_pass(State(made.root)) is None
