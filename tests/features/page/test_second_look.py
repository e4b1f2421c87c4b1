"""A page that a model holds against the chat before it is kept, and what a person sees of that."""

from pathlib import Path

import pytest

from reel_cli.features import table
from tests.support.cli import Reel, git
from tests.support.pages import chat, page

TITLE = "The letter that wasn't hers"
FALSE = "I bought him the ticket myself."
PAGE = page({"What happened": f"He said I was colder than usual. {FALSE} Then chapter four: a letter."})
DOUBT = f"""# Page 1: {TITLE}
## What does not hold
"{FALSE}" - made up - really said: "Go and buy the ticket."

Ada
"""
CLEAR = f"# Page 1: {TITLE}\n## What does not hold\nnothing\n\nAda\n"


@pytest.fixture
def told(reel: Reel, kit: Path) -> Path:
    reel("record", "-", stdin=chat()).ok()
    for name, text in {"page": PAGE, "doubt": DOUBT, "clear": CLEAR}.items():
        (reel.cwd / f"{name}.txt").write_text(text)
    return kit


def test_a_doubt_is_shown_before_the_page_is_kept(reel: Reel, told: Path) -> None:
    head = git(told, "rev-parse", "HEAD")
    run = reel("checkpoint", stdin="f page.txt\nc\nf doubt.txt\nn\n", tty=True)
    doubt = f'"{FALSE[:-1]}" was made up, according to Ada; said was "Go and buy the ticket." (Ada'
    assert doubt in " ".join(run.err.split())
    assert run.err.count("Keep this? (v shows every word, c has a model check it, e edits) [Y/v/c/e/n]") == 2
    assert "line 1" not in run.err
    assert git(told, "rev-parse", "HEAD") == head


def test_what_holds_is_told_as_that_and_kept(reel: Reel, told: Path) -> None:
    run = reel("checkpoint", stdin="f page.txt\nc\nf clear.txt\ny\n", tty=True).ok()
    assert f"All of “{TITLE}” was said, according to Ada." in run.err
    assert FALSE in (told / "ring3/M-001.md").read_text()
    assert not list((told / ".reel/state").rglob("*own-word*"))


def test_a_look_put_off_fits_the_memory_once_it_is_kept(reel: Reel, told: Path) -> None:
    run = reel("end", stdin="f page.txt\nc\nq\ny\n", tty=True).ok()
    assert "When you have the answer:  reel doctor --ask --reply FILE\n" in run.err
    assert "It is not checked yet, and the page waits for your answer:" in run.err
    heard = reel("doctor", "--ask", "--reply", reel.cwd / "doubt.txt")
    assert "was made up, according to Ada" in heard.out
    assert "changed after the prompt" not in heard.out


def test_the_key_that_leaves_a_check_is_said_to_lead_back_to_the_page(reel: Reel, told: Path) -> None:
    run = reel("checkpoint", stdin="f page.txt\nc\n?\nq\nq\n", tty=True)
    before, _, check = run.err.partition("so any chat can answer it.\n")
    asked, again, after = check.partition("Keep this?")
    assert "q: later." in before
    assert "q: back to the page." in asked
    assert "q: later." not in asked
    assert "q      go back to the page; the prompt is kept" in asked
    assert again
    assert "back to the page" not in after


def test_who_has_a_page_checked_is_told_which_chat_can_do_it(reel: Reel, told: Path) -> None:
    run = reel("checkpoint", stdin="f page.txt\nc\nf clear.txt\nn\n", tty=True).ok()
    told_before, _, asked = run.err.partition("so any chat can answer it.\n")
    assert "Keep this?" in told_before
    assert "prompt" in asked.splitlines()[0]


def test_the_check_of_a_page_that_was_declined_names_no_command_that_cannot_work(
    reel: Reel, told: Path
) -> None:
    reel("checkpoint", stdin="f page.txt\nc\nq\nn\n", tty=True).ok()
    assert not (told / "ring3/M-001.md").exists()
    heard = reel("doctor", "--ask", "--reply", reel.cwd / "doubt.txt").ok()
    assert "Nothing can be told from Ada's answer: the memory is not in the kit." in heard.out
    assert "To ask again" not in heard.err


def test_an_answer_to_something_else_is_refused_and_the_page_is_still_there(reel: Reel, told: Path) -> None:
    run = reel("checkpoint", stdin="f page.txt\nc\nf page.txt\nq\ny\n", tty=True).ok()
    assert "That answers another prompt: nobody asked here for “In a few words”." in run.err
    assert (told / "ring3/M-001.md").exists()


def test_words_that_the_other_one_said_of_themselves_are_not_taken_as_said(reel: Reel, told: Path) -> None:
    mine = "I was colder than usual today, and I did something."
    asked = "You are colder than usual today. Did I do something?"
    (reel.cwd / "page.txt").write_text(page({"What happened": f"{mine} Did I do something?"}))
    line = f'"Did I do something?" - changed - really said: "{asked}"'
    (reel.cwd / "doubt.txt").write_text(f"# Page 1: {TITLE}\n## What does not hold\n{line}\n\nAda\n")
    run = reel("checkpoint", stdin="f page.txt\nc\nf doubt.txt\ny\n", tty=True).ok()
    assert '"Did I do something" was said otherwise, according to Ada' in " ".join(run.err.split())
    assert "was said exactly so" not in run.err


def test_without_the_feature_nothing_is_offered(
    reel: Reel, told: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "FEATURES", tuple(one for one in table.FEATURES if one.name != "doctor"))
    run = reel("checkpoint", stdin="f page.txt\nc\ny\n", tty=True).ok()
    assert "Keep this? (v shows every word, e edits) [Y/v/e/n]" in run.err
    assert told.exists()
