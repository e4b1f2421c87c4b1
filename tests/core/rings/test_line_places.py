"""Index lines in the documents' own form (REEL §4.5): the phrase finds the moment without a place."""

from pathlib import Path

import pytest

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.rings.line_places import find_places
from reel_cli.core.values.memory import IndexLine
from tests.support.cli import Reel, git
from tests.support.pages import chat

LINE = '- M-134 | Residency letter | "The residency wants forty pages" | work | not immune\n'


@pytest.fixture
def typed(reel: Reel, kit: Path) -> Path:
    """A kit with a chat, and a line of the index that somebody typed."""
    reel.given("record", "-", stdin=chat())
    with (kit / INDEX).open("a", encoding="utf-8") as file:
        file.write(LINE)
    git(kit, "commit", "-qam", "my own line", "--no-verify")
    return kit


@pytest.mark.needs("recall")
def test_the_moment_is_loaded_and_not_the_line_alone(reel: Reel, typed: Path) -> None:
    """REEL §4.5 and §6.4: the phrase is searched for on the tape, and the stretch around it is loaded."""
    told = reel("recall", "The residency wants forty pages").ok().out
    assert "The residency wants forty pages by 30 April" in told
    assert "Residency letter: “" not in told
    explained = reel("recall", "Residency letter", "--explain").ok()
    assert "not in a recorded chat" not in explained.out + explained.err


@pytest.mark.needs("doctor")
@pytest.mark.needs("history")
def test_why_and_the_doctor_say_the_same_of_it(reel: Reel, typed: Path) -> None:
    why = reel("why", "M-134").ok().out
    assert "It is a line that does not say where it was said. Its phrase is on the tape" in why
    told = reel("doctor").out
    assert "the line does not say where it was said" in told
    assert "reel doctor --fix  adds where it was" in told
    reel("doctor", "--fix")
    assert '"The residency wants forty pages" | work | not immune <!-- ' in (typed / INDEX).read_text()
    assert "It is a line that says where it was said." in reel("why", "M-134").ok().out
    assert "M-134" not in reel("doctor").out


def test_a_phrase_that_nobody_said_has_no_place(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    with (kit / INDEX).open("a", encoding="utf-8") as file:
        file.write('- M-135 | Deer | "a deer on the frozen bay" | place | not immune\n')
    git(kit, "commit", "-qam", "my own line", "--no-verify")
    assert "Its phrase is on the tape" not in reel("why", "M-135").ok().out
    # a line that never had a memory is told of as nothing that is gone
    assert "gone" not in reel("status").ok().out + reel().err


@pytest.mark.needs("verify")
def test_one_word_finds_no_moment_and_a_chat_that_was_taken_back_has_none(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    lines = [
        IndexLine("M-136", "Forty", "forty"),
        IndexLine("M-137", "Residency", "The residency wants forty pages"),
    ]
    (name,) = Snapshot(WorkTree(kit), "ada").sessions
    assert {
        one: place.session for one, place in find_places(Snapshot(WorkTree(kit), "ada"), lines).items()
    } == {"M-137": name}
    reel("tape", "retract", name, "--yes").ok()
    assert not find_places(Snapshot(WorkTree(kit), "ada"), lines)
