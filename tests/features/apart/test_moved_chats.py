"""A chat that was recorded and is to be known in one chat alone."""

import json
from dataclasses import replace
from pathlib import Path

from reel_cli.core.files.memory_file import render_body
from reel_cli.core.values.memory import FIELDS, Level, Memory
from reel_cli.core.values.source import SourceRange
from tests.support.cli import Reel, git
from tests.support.past import keep
from tests.support.shelf import take_over

PLAY = "2026-02-11-1"


def record(reel: Reel, place: Path, day: int, word: str) -> None:
    said = [("user", f"Only here: {word} is the word."), ("assistant", f"I keep {word}.")]
    messages = [{"role": role, "content": text} for role, text in said]
    file = place / f"{word}.json"
    file.write_text(json.dumps({"created_at": f"2026-02-{day}T19:00:00+00:00", "messages": messages}))
    reel("record", file, "--yes").ok()


def remember(kit: Path) -> None:
    memory = Memory(
        id="M-001",
        uid="b0a7b0a7",
        title="The play",
        level=Level.L1,
        body=render_body({FIELDS[0]: "In the play the word was veldane."}),
        created="2026-02-11T22:00:00Z",
        sessions=(PLAY,),
        source=(SourceRange(PLAY, 1, 2),),
        anchor="Only here: veldane is the word",
        marker="The word was veldane.",
        tag="The play",
    )
    other = replace(memory, id="M-002", uid="00000002", title="The gull", sessions=(), source=())
    body = render_body({FIELDS[0]: "The gull is called Pim."})
    keep(kit, memory, replace(other, body=body, marker="The gull is called Pim.", anchor="Pim", tag="Pim"))
    git(kit, "add", ".")
    git(kit, "commit", "-q", "-m", "two memories")


def test_it_counts_there_alone_with_what_is_remembered_of_it(reel: Reel, kit: Path) -> None:
    record(reel, kit.parent, 11, "veldane")
    remember(kit)
    asked = reel("apart", "play", PLAY, stdin="y\n", tty=True).ok()
    assert "M-001, The play" in asked.err
    assert "M-002" not in asked.err
    packed = reel("pack", "--window", "128k").ok().out
    assert "veldane" not in packed
    assert "Pim" in packed
    assert "I keep veldane" not in reel("recall", "veldane").out
    assert "veldane" not in reel("consolidate", "--prompt").out
    assert "veldane" in reel("pack", "--chat", "play").ok().out
    assert "I keep veldane" in reel("recall", "veldane", "--chat", "play").out
    # nor does what the kit learns later take it away there
    record(reel, kit.parent, 12, "torn")
    reel("tape", "flag", "the boat").ok()
    assert "I keep torn" in reel("recall", "torn", "--chat", "play").out
    assert "I keep veldane" in reel("recall", "veldane", "--chat", "play").out
    assert "veldane" in reel("pack", "--chat", "play").ok().out
    for chosen in ((), ("--chat", "play")):
        assert reel("doctor", *chosen).ok().out.startswith("No problem found")


def test_without_a_yes_nothing_is_moved_or_begun(reel: Reel, kit: Path) -> None:
    record(reel, kit.parent, 11, "veldane")
    assert reel("apart", "play", PLAY).code == 1
    reel("apart", "play", PLAY, stdin="n\n", tty=True).ok()
    assert reel("apart", "play", "2026-02-30-1", "--yes").code == 1
    assert json.loads(reel("apart", "--json").ok().out) == []
    assert "I keep veldane" in reel("recall", "veldane").out


def test_examples_and_what_waits_go_along_and_no_loss_is_in_doubt(reel: Reel, tmp_path: Path) -> None:
    old = take_over(reel, tmp_path / "kit", "ada")
    moved = ("2026-01-31-1", "2026-02-25-1")
    asked = reel("apart", "play", *moved, stdin="y\n", tty=True).ok()
    # two memories, two lines of which only one has a phrase, an example, and a suggestion that waits
    for told in (
        "M-016, The borrowed coat",
        "M-017, a line in the index",
        "the example “Go and eat the soup”",
    ):
        assert told in asked.err
    assert "what waits of it for your decision: 1" in asked.err
    assert "Go and eat the soup" not in reel("pack", "--window", "128k").ok().out
    assert reel("review").ok().out == "Nothing waits for your decision.\n"
    assert reel("doctor").ok().out.startswith("No problem found")
    assert "Go and eat the soup" in reel("pack", "--window", "128k", "--chat", "play").ok().out
    assert "You said wonderful two times" in reel("review", "--chat", "play").ok().out
    reel("undo", "--yes").ok()
    assert "Go and eat the soup" in reel("pack", "--window", "128k").ok().out
    assert (old / "ring3/M-016.md").is_file()


def test_a_file_edited_by_hand_is_decided_on_first(reel: Reel, kit: Path) -> None:
    record(reel, kit.parent, 11, "veldane")
    remember(kit)
    index = kit / "ring4/index.md"
    index.write_text(f"{index.read_text()}mine\n")
    refused = reel("apart", "play", PLAY, "--yes")
    assert (refused.code, "ring4/index.md was edited by hand" in refused.err) == (3, True)
    assert json.loads(reel("apart", "--json").ok().out) == []
    assert "I keep veldane" in reel("recall", "veldane").out
