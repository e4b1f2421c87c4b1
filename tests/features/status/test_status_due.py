"""`reel status --due`, whole commands: what is due, and nothing else."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.features.status.test_status import digest
from tests.support.cli import CHECKOUT, Reel, git
from tests.support.installed_features import is_installed
from tests.support.pages import chat, page

DUE = "page: chat 2026-02-25-1 has no page yet:  reel end\n"


def test_where_nothing_is_due_nothing_is_said(reel: Reel, kit: Path) -> None:
    done = reel("status", "--due")
    assert (done.code, done.out, done.err) == (0, "", "")
    done = reel("status", "--due", "--json")
    assert (done.code, json.loads(done.out), done.err) == (0, {"due": []}, "")


def test_what_is_due_is_said_one_line_each(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    done = reel("status", "--due")
    assert (done.code, done.out, done.err) == (1, DUE, "")
    done = reel("status", "--due", "--json")
    assert (done.code, done.err) == (1, "")
    assert json.loads(done.out) == {
        "due": [
            {"what": "checkpoint", "why": "chat 2026-02-25-1 has no page yet"},
        ]
    }
    assert json.loads(reel("status", "--json").ok().out)["due"] == json.loads(done.out)["due"]
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    assert reel("status", "--due").code == 0


def test_what_waits_for_a_word_is_not_what_is_due(reel: Reel, kit: Path) -> None:
    with (kit / "ring0/identity.md").open("a") as file:
        file.write("more\n")
    (kit / "notes.txt").write_text("mine\n")
    assert reel("status", "--due").code == 0


def test_no_line_is_folded_however_narrow_the_terminal(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    done = reel("status", "--due", tty=True, env={"COLUMNS": "30"})
    assert (done.code, done.out) == (1, DUE)


def test_it_writes_nothing(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    before = digest(kit)
    assert reel("status", "--due").code == 1
    assert digest(kit) == before


def test_a_kit_that_is_not_under_git(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    shutil.rmtree(kit / ".git")
    done = reel("status", "--due")
    assert (done.code, done.out, done.err) == (1, DUE, "")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_kit_in_a_read_only_folder(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    folders = [kit, *(path for path in kit.rglob("*") if path.is_dir() and ".git" not in path.parts)]
    try:
        for folder in folders:
            folder.chmod(0o500)
        done = reel("status", "--due")
    finally:
        for folder in folders:
            folder.chmod(0o700)
    assert (done.code, done.out, done.err) == (1, DUE, "")


def test_what_is_to_be_mended_is_due_first(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    (kit / "ring1/up-at-five.md").write_bytes(b"\xff")
    done = reel("status", "--due")
    assert done.code == 1
    assert done.out.splitlines()[0].startswith("fix: ring1/up-at-five.md, line 1: this is not UTF-8 text")
    assert done.out.endswith(DUE)


def test_what_was_due_then(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    recorded = git(kit, "rev-parse", "HEAD").strip()
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    done = reel("status", "--due", "--at", recorded)
    assert done.code == 1
    assert done.out == DUE.replace(":  reel end", "")
    assert reel("status", "--due", "--at", "HEAD").code == 0


def test_what_was_let_go_by_then_was_not_due_then(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    reel("forget", "M-001", "--yes").ok()
    reel("forget", "M-001", "--yes").ok()
    assert (kit / "ring3/M-001.md").exists() is False
    assert reel("status", "--due").code == 0
    assert reel("status", "--due", "--at", "HEAD").code == 0
    told = json.loads(reel("status", "--json", "--at", "HEAD~2").ok().out)
    assert told["due"] == []


@pytest.mark.needs("stream")
def test_the_example_kit_by_pressure_schedule_and_backup(reel: Reel, tmp_path: Path) -> None:
    reel("init", "ada", "--template", CHECKOUT / "kits/ada").ok()
    reel.cwd = kit = reel.cwd / "ada"

    def lines(now: str = "2026-03-01") -> list[str]:
        told = reel("status", "--due", env={"REEL_NOW": f"{now}T20:00:00+00:00"}).out.splitlines()
        dream = "dream: 11 chats and no story yet:  reel dream start"
        assert (dream in told) == is_installed("dream")
        return [line for line in told if not line.startswith(("identity", "memory", "dream"))]

    never = "never done, in 11 chats"
    assert lines() == [f"maintenance: {never}:  reel maintain"]
    settings = (kit / "kit.yaml").read_text()
    # an 8K bundle is sure of a page only as a marker: that they are long is no reason to shorten them
    (kit / "kit.yaml").write_text(settings.replace("window: 32k", "window: 8k"))
    assert lines() == [f"maintenance: {never}:  reel maintain"]
    assert json.loads(reel("maintain", "--plan", "--json").ok().out)["due"] == []
    tight = "window: 9k\nranges: {'3': [0.01, 0.15]}"
    (kit / "kit.yaml").write_text(settings.replace("window: 32k", tight))
    heavy = "memories take 2,622 tokens; their share is 1,382 at most; 3 are ready to fade"
    assert lines() == [f"maintenance: {heavy}; {never}:  reel maintain"]
    steps = json.loads(reel("maintain", "--plan", "--json").ok().out)["due"]
    # the page before the newest stands whole in a bundle of 9K, and stays
    assert [step["id"] for step in steps] == ["M-009", "M-012", "M-013"]
    (kit / "kit.yaml").write_text(settings + "maintain: {every: never}\n")
    assert lines() == []
    (kit / "kit.yaml").write_text(settings)
    reel("maintain", "--auto").ok()
    assert (lines(), lines("2026-03-30")) == ([], [])
    (told,) = lines("2026-03-31")
    assert told.startswith("maintenance: ")
    assert told.endswith("last done 30 days ago:  reel maintain")
    (kit / "kit.yaml").write_text(settings + "maintain: {every: never}\nranges: {'2': [0.001, 0.01]}\n")
    assert lines() == ["notes: the notes take 386 tokens; their share is 327 at most:  reel maintain"]
    (kit / "kit.yaml").write_text(settings + "maintain: {every: never}\n")
    reel("backup", tmp_path / "ada.bundle", env={"REEL_NOW": "2026-03-01T20:00:00+00:00"}).ok()
    assert lines("2026-04-01") == []
    reel("tape", "flag", "the coat").ok()
    (flagged,) = lines("2026-03-30")
    assert flagged.startswith("page: a moment was marked: the coat:  reel checkpoint --session 2026-")
    assert [one for one in lines("2026-04-01") if one.startswith("backup")] == [
        "backup: the last one is 31 days old, and there is more since:  reel backup FILE"
    ]
