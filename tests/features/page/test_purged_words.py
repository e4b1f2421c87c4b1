"""A page whose model still knows what was purged from the chat."""

import json
from pathlib import Path

import pytest

from tests.support.cli import Reel
from tests.support.pages import page, say

TALK = [
    ("user", "My colleague Danika Hruby says chapter four comes too early. Her number is 555 01 77."),
    ("assistant", "Then let Danika read it standing up, with her coat on."),
    ("user", "The residency wants forty pages by 30 April, and Ona Reyes helps."),
    ("assistant", "Forty pages by 30 April. Go and buy the ticket."),
]
HELP = "Ona Reyes helps with the forty pages by 30 April."
PAGE = page(
    {
        "What happened": "He said that his colleague Danika Hruby finds chapter four too early; "
        f"she is at 555 01 77. {HELP}",
        "Lines to find it by": '"My colleague Danika Hruby says"\n"forty pages by 30 April"',
        "In one breath": "We spoke of Danika and chapter four.",
        "What has shifted": "nothing",
        "My notes": "1. still\nnew: Danika Hruby wants to read chapter four.",
        "What I know for sure": "relationships | colleague | Danika Hruby | his colleague is Danika Hruby | "
        '"My colleague Danika Hruby says" | 0.9',
    }
)


@pytest.fixture
def kit(reel: Reel, kit: Path) -> Path:
    say(reel, kit, TALK)
    for text in ("Danika Hruby", "Danika", "555 01 77"):
        reel.given("purge", "--match", text, "--confirm", "Ada")
    reel.given("checkpoint", "--prompt")
    (kit.parent / "page.md").write_text(PAGE)
    return kit


def _all(kit: Path) -> str:
    files = (file for file in kit.rglob("*") if file.is_file() and ".git" not in file.parts)
    return "\n".join(file.read_bytes().decode("utf-8", "replace") for file in files)


def test_enter_leaves_it_out_and_no_says_that_it_is_right(reel: Reel, kit: Path) -> None:
    run = reel("checkpoint", "--reply", "../page.md", tty=True, stdin="\ny\n").ok()
    assert "“555 01 77”, “Danika”, “Hruby”, and the chat does not" in run.err
    assert "Leave them out of the page? [Y/n]" in run.err
    assert "Danika is a name" not in run.err
    held = _all(kit)
    assert "Ona Reyes helps" in held
    assert not [text for text in ("Danika", "Hruby", "555 01 77") if text in held]
    assert "_purged_ wants to read chapter four" in (kit / "ring2/working.md").read_text()
    assert not (kit / "facts.yaml").exists()


def test_a_person_may_keep_it(reel: Reel, kit: Path) -> None:
    reel("checkpoint", "--reply", "../page.md", tty=True, stdin="n\ny\ny\n").ok()
    assert "Danika Hruby" in (kit / "ring2/working.md").read_text()


def test_where_nobody_is_asked_it_is_left_out(reel: Reel, kit: Path) -> None:
    run = reel("checkpoint", "--reply", "../page.md", "--yes", "--json").ok()
    assert "The page is read without them." in run.err
    assert json.loads(run.out)["commit"]
    assert "Danika" not in _all(kit)


def test_a_known_person_of_whom_the_chat_has_nothing_is_doubted_and_not_cut(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "Mira Sand fed the gulls with me."), ("assistant", "Good.")], day=9)
    (kit.parent / "page.md").write_text(PAGE.replace(HELP, "Mira Sand cried and danced at the wedding."))
    run = reel("checkpoint", "--session", "2026-02-10-1", "--reply", "../page.md", "--yes").ok()
    assert "The page is read without them." in run.err
    held = _all(kit)
    assert "Danika" not in held
    assert "Mira Sand cried" in held


def test_a_name_in_a_chat_that_lost_nothing_is_doubted_as_before(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "The ferry was late again."), ("assistant", "It always is.")], day=11)
    reel("checkpoint", "--session", "2026-02-11-1", "--prompt").ok()
    told = {
        "What happened": "He said that Jorma Aalto missed the ferry.",
        "Lines to find it by": "ferry was late",
    }
    (kit.parent / "page.md").write_text(page(told))
    run = reel("checkpoint", "--session", "2026-02-11-1", "--reply", "../page.md", "--dry-run").ok()
    assert "purged" not in run.err
