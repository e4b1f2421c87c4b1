"""A chat that a page of an earlier version took for part of a thread: decided in the review, and purged."""

from pathlib import Path

import pytest

from reel_cli.core.files.review_file import render_proposal
from reel_cli.core.values.talk import PURGED
from reel_cli.features.threads.naming.files import NamedThread
from reel_cli.features.threads.naming.proposal import propose_thread
from tests.features.threads.test_threads import threads
from tests.support.cli import Reel
from tests.support.pages import chat, page
from tests.support.past import commit

SESSION = "2026-02-28-1"
PROPOSAL = f"review/{SESSION}-thread.md"
SAID = "**Ruth:** Dara wants the pump room.\n\n**Meridian:** Then Dara has never seen it. Dara?\n"
YES, NO = NamedThread("Dara", members=(SESSION,)), NamedThread("Dara", others=(SESSION,))
RIG = NamedThread("Dara", "the rig", (SESSION,), source=SESSION)


def propose(reel: Reel, kit: Path, said: NamedThread) -> None:
    """Record the chat, and let its page's answer wait."""
    reel("record", "-", "--on", SESSION[:10], stdin=SAID).ok()
    (kit / "review").mkdir(exist_ok=True)
    waits = render_proposal(propose_thread(said, SESSION, f"{SESSION[:10]}T20:00:00Z"))
    (kit / PROPOSAL).write_text(waits, encoding="utf-8")
    commit(kit, "page: a thread", "2026-02-28T20:00:00+00:00")


def test_no_page_asks_about_a_thread(reel: Reel, meridian: Path) -> None:
    """“dog” came up again, after “not like a dog”: of eleven such questions one was right."""
    (meridian / "threads.yaml").write_text("Dara:\n  theme: the rig\n")
    reel("record", "-", "--on", SESSION[:10], stdin=SAID).ok()
    assert "came up again" not in reel("checkpoint", "--prompt").ok().out


def test_an_answer_to_an_earlier_prompt_is_no_part_of_the_one_above(reel: Reel, kit: Path) -> None:
    """Its “No.” was read as a line that must never fade."""
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--prompt").ok()
    told = page({"Never let fade": "none\n\n## Part of something longer\nNo."})
    shown = reel("checkpoint", "--reply", "-", "--yes", stdin=told).ok().err
    assert "“Part of something longer” was not asked for by this prompt, and is left out." in shown
    assert "never fade" not in shown


def test_a_no_takes_the_chat_out_of_the_thread(reel: Reel, meridian: Path) -> None:
    propose(reel, meridian, NO)
    assert SESSION in threads(reel, "Dara")[0]["sessions"]
    reel("review", "accept", f"{SESSION}-thread").ok()
    one = threads(reel, "Dara")[0]
    assert SESSION not in one["sessions"]
    assert one["named"] is True
    assert "named" not in threads(reel, "gate")[0]


def test_a_proposal_is_dropped_or_edited_like_any_other(reel: Reel, meridian: Path, tmp_path: Path) -> None:
    propose(reel, meridian, YES)
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nsed -i 's/^Dara:/Dara:\\n  theme: the sulking pump/' \"$1\"\n")
    editor.chmod(0o755)
    reel("review", tty=True, stdin="3\ne\ny\n\n", env={"EDITOR": str(editor)}).ok()
    told = (meridian / "threads.yaml").read_text()
    assert told == f"Dara:\n  theme: the sulking pump\n  members: [{SESSION}]\n"
    reel("undo", "--yes").ok()
    reel("review", "reject", f"{SESSION}-thread").ok()
    assert not (meridian / PROPOSAL).exists()
    assert not (meridian / "threads.yaml").exists()


def test_a_name_from_the_page_of_a_retracted_chat_does_not_count(reel: Reel, meridian: Path) -> None:
    propose(reel, meridian, RIG)
    reel("review", "accept", f"{SESSION}-thread").ok()
    assert threads(reel)[0]["name"] == "the rig"
    reel("tape", "retract", SESSION, "--yes").ok()
    assert (threads(reel)[0]["name"], threads(reel)[0]["named"]) == ("Dara", True)


def test_a_purged_chat_leaves_the_file_with_the_name_its_page_gave(reel: Reel, meridian: Path) -> None:
    propose(reel, meridian, RIG)
    reel("review", "accept", f"{SESSION}-thread").ok()
    path = meridian / "threads.yaml"
    path.write_text(f"# mine\n{path.read_text()}gate:\n  members: [M-003]\n  mine: 1\n")
    reel("review", "accept", "threads.yaml").ok()
    reel("purge", SESSION, "--confirm", "Meridian").ok()
    assert path.read_text() == "# mine\ngate:\n  members: [M-003]\n  mine: 1\n"
    reel("purge", "--match", "gate", "--confirm", "Meridian").ok()
    assert f"{PURGED}:" in path.read_text()
    reel("memory", "threads").ok()


@pytest.mark.usefixtures("meridian")
def test_a_purged_chat_takes_its_proposal_along(reel: Reel, meridian: Path) -> None:
    propose(reel, meridian, YES)
    reel("purge", SESSION, "--confirm", "Meridian").ok()
    assert not (meridian / PROPOSAL).exists()
