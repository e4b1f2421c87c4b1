"""`reel undo`, whole commands."""

import json
import shutil
from pathlib import Path

from tests.support.cli import Reel, git
from tests.support.pages import chat, page


def head(kit: Path) -> str:
    return git(kit, "rev-parse", "HEAD").strip()


def test_a_page_is_taken_back_and_the_session_stays(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    tree = git(kit, "rev-parse", "HEAD^{tree}").strip()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    done = reel("undo").ok()
    assert done.out == f"Committed {head(kit)[:7]}. Took back: The letter that wasn't hers (2026-02-25-1)\n"
    assert done.err == (
        "ring2/working.md and ring4/index.md are as before.\n"
        "checkpoints/2026-02-25-1.1.yaml and ring3/M-001.md are out of the kit again.\n"
        f"It is all in the history still; to have it back:  git revert --no-edit {head(kit)[:7]}\n"
    )
    assert git(kit, "rev-parse", "HEAD^{tree}").strip() == tree
    assert git(kit, "status", "--porcelain") == ""
    (newest, *_) = json.loads(reel("log", "--json").ok().out)
    assert newest["op"] == "undo"


def test_asked_again_it_takes_back_the_one_before(reel: Reel, kit: Path) -> None:
    was = (kit / "ring1/active.yaml").read_bytes()
    reel("exemplar", "retire", "up-at-five").ok()
    reel("exemplar", "retire", "the-bus-window").ok()
    reel("undo").ok()
    reel("undo").ok()
    assert (kit / "ring1/active.yaml").read_bytes() == was
    done = reel("undo")
    assert done.code == 1
    assert done.err.startswith("Error: There is nothing left to undo.")


def test_a_dry_run_changes_nothing(reel: Reel, kit: Path) -> None:
    reel("exemplar", "retire", "up-at-five").ok()
    before = head(kit)
    done = reel("undo", "--dry-run").ok()
    assert done.out.startswith("This would take back: ")
    assert done.err.splitlines() == [
        "ring1/active.yaml is as before.",
        "Nothing was changed (--dry-run).",
    ]
    assert head(kit) == before


def test_a_recording_is_not_undone(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    before = head(kit)
    done = reel("undo")
    assert done.code == 1
    assert "reel tape retract 2026-02-25-1" in done.err
    assert head(kit) == before


def test_the_kits_making_is_not_undone(reel: Reel, kit: Path) -> None:
    done = reel("undo")
    assert done.code == 1
    assert (kit / "ring0/identity.md").exists()


def test_a_rejected_suggestion_comes_back(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page({"Who I am on paper": "Yes, softer."})).ok()
    reel("review", "reject", "2026-02-25-1.1-identity").ok()
    done = reel("undo").ok()
    assert "review/2026-02-25-1.1-identity.md is back." in done.err
    assert [one["item"] for one in json.loads(reel("review", "--json").ok().out)] == [
        "2026-02-25-1.1-identity"
    ]
    assert (kit / "review/2026-02-25-1.1-identity.md").exists()


def test_a_kit_that_is_not_under_git_has_nothing_to_undo(reel: Reel, kit: Path) -> None:
    shutil.rmtree(kit / ".git")
    done = reel("undo")
    assert done.code == 3
    assert "is not under git yet" in done.err


def test_it_can_be_taken_back_unasked(reel: Reel, kit: Path) -> None:
    reel("exemplar", "retire", "up-at-five").ok()
    assert "Nothing was changed." in reel("undo", stdin="n\n", tty=True).ok().err
    assert "Committed" in reel("undo", "--yes", tty=True).ok().out
