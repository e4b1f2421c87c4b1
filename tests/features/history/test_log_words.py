"""No commit's message holds what was said; the screen tells it all the same."""

import shutil
from pathlib import Path

import pytest

from reel_cli.core.files.commit_message import CORRECTED, MARKED
from reel_cli.core.values.change import Change, for_screen, titled
from tests.support.cli import Reel, git
from tests.support.pages import chat, page

SESSION = "2026-02-25-1"
TITLE = "Zbyněk owes the casino"
MEMORY = "Xenia hid the passport"
FLAG = "ask about the quokka"
CORRECTION = "it was the Malmö flat"
PLANTED = ("Zbyněk", "casino", "Xenia", "passport", "quokka", "Malmö")


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shelf")


@pytest.fixture
def told(reel: Reel, kit: Path, shelf: Path) -> Path:
    """A kit with telling titles, made once and copied: recorded, kept, corrected, flagged."""
    if not (shelf / "kit").exists():
        reel("record", "-", stdin=chat(title=TITLE)).ok()
        reel("checkpoint", "--reply", "-", "--yes", stdin=page({"In a few words": MEMORY})).ok()
        reel("tape", "flag", FLAG).ok()
        reel("tape", "correct", f"{SESSION}#2", CORRECTION).ok()
        shutil.copytree(kit, shelf / "kit", symlinks=True)
    else:
        shutil.rmtree(kit)
        shutil.copytree(shelf / "kit", kit, symlinks=True)
    return kit


def messages(kit: Path) -> str:
    return git(kit, "log", "--all", "--format=%B") + git(kit, "reflog", "--format=%gs")


def lines(reel: Reel) -> list[str]:
    return reel("log").ok().out.splitlines()


def test_no_message_holds_a_title_or_a_correction(reel: Reel, told: Path) -> None:
    reel("memory", "pin", "M-001").ok()
    reel("memory", "immune", "M-001").ok()
    reel("memory", "immune", "M-001", "--off").ok()
    reel("forget", "M-001", "--yes").ok()
    reel("undo", "--yes").ok()
    reel("forget", "M-001", "--yes").ok()
    reel("restore", "M-001").ok()
    reel("record", "-", stdin=chat(title=f"{TITLE}, again")).ok()
    found = messages(told)
    assert [word for word in PLANTED if word in found] == []
    assert f"record: {SESSION}, " in found
    assert "forget: let go of M-001" in found
    assert "undo: forget: M-001" in found


def test_the_log_tells_all_of_it(reel: Reel, told: Path) -> None:
    found = lines(reel)
    assert found[0].endswith(f"{CORRECTED}{SESSION}#2: {CORRECTION}")
    assert found[1].endswith(f"{MARKED}: {FLAG}")
    assert found[2].endswith(MEMORY)
    assert f"{TITLE}, " in found[3]


def test_what_is_gone_keeps_its_title_on_screen(reel: Reel, told: Path) -> None:
    done = reel("forget", "M-001", "--yes").ok()
    assert MEMORY in done.out + done.err
    reel("forget", "M-001", "--yes").ok()
    assert [line for line in lines(reel)[:3] if MEMORY not in line and CORRECTION not in line] == []
    life = reel("why", "M-001").ok().out
    assert MEMORY in life.splitlines()[0]
    # a change that is taken back is called as it was
    undone = reel("undo", "--yes").ok()
    assert MEMORY in undone.out + undone.err
    assert MEMORY in lines(reel)[0]
    assert MEMORY in reel("why", SESSION).ok().out


def test_of_two_corrections_each_has_its_own_words(reel: Reel, told: Path) -> None:
    reel(
        "tape", "correct", f"{SESSION}#2", "no, the Lund one", env={"REEL_NOW": "2026-03-02T09:00:00+00:00"}
    ).ok()
    found = lines(reel)
    assert found[0].endswith(": no, the Lund one")
    assert found[1].endswith(f": {CORRECTION}")


def test_subjects_of_before_are_shown_as_they_stand(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    for subject in (
        "tape: mark she named the boat",
        f"tape: put right {SESSION}#2: it was the 21st",
        "forget: let go of The letter (M-007)",
        'exemplar: "Weathered boat" into the pool',
    ):
        op, words = subject.split(": ", 1)
        git(kit, "commit", "-q", "--allow-empty", "-m", subject, "-m", f"Reel-Op: {op}")
        assert lines(reel)[0].endswith(words)


def test_marks_in_a_title_are_no_marks() -> None:
    change = Change(
        "record", f"{titled(chr(2) + 'a' + chr(31) + 'b' + chr(3), 'M-1')}, {for_screen('x', 'y')}", {}
    )
    assert change.subject == "record: M-1, y"
    assert change.told == "a b (M-1), x"


def test_a_proposal_that_was_refused_keeps_its_title_on_screen(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    shown = (
        "Which the Kraków letter was\n" + '"Fine. Chapter four: she should open a letter that isn\'t hers."'
    )
    reel("checkpoint", "--reply", "-", "--yes", stdin=page({"Worth showing again": shown})).ok()
    waiting = [one.stem for one in (kit / "review").glob("*exemplar*.md")]
    assert waiting
    done = reel("review", "reject", waiting[0]).ok()
    title = done.out.partition("Not taken: ")[2].splitlines()[0]
    assert title not in ("", waiting[0])
    assert git(kit, "log", "-1", "--format=%s") == f"review: not taken: {waiting[0]}\n"
    assert lines(reel)[0].endswith(f"not taken: {title}")


def test_an_undo_of_a_commit_that_is_not_there_is_told_all_the_same(reel: Reel, kit: Path) -> None:
    for wrong in ("x", "0" * 40, git(kit, "rev-parse", "HEAD^{tree}").strip()):
        message = f"undo: forget: M-001\n\nReel-Op: undo\nReel-Undoes: {wrong}"
        git(kit, "commit", "-q", "--allow-empty", "-m", message)
        assert lines(reel)[0].endswith("undone  M-001")
