"""`threads.yaml`: what a person writes there counts, what they get wrong is told, all else stays."""

import json
from pathlib import Path

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.files.review_file import render_proposal
from reel_cli.core.tape.retelling import retell
from reel_cli.core.values.source import NewNames
from reel_cli.features.threads.naming.files import (
    NamedThread,
    join_named,
    parse_named,
    purge_named,
    put_named,
    render_named,
)
from reel_cli.features.threads.naming.proposal import propose_thread
from tests.features.threads.test_threads import threads
from tests.support.cli import Reel

BY_HAND = """\
# mine
flat:
  theme: the move   # since May
  members:
    - M-004   # first
    - 2026-03-01-1
  mine: 3
yoga: none
Max: my dog
"the book":
"""


def write(kit: Path, text: str) -> None:
    (kit / "threads.yaml").write_text(text, encoding="utf-8")


def test_a_file_is_read_as_people_write_it() -> None:
    assert parse_named(BY_HAND) == [
        NamedThread("flat", "the move", ("M-004", "2026-03-01-1")),
        NamedThread("yoga", is_none=True),
        NamedThread("Max", "my dog"),
        NamedThread("the book"),
    ]
    assert parse_named("# nothing yet\n") == []


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("a: [M-004]\n", 1, "a list says neither theme nor members"),
        ("a:\n  theme: x\n  not: [M-4]\n", 3, "“M-4” under not is no memory and no chat"),
        ("b: none\na:\n  members: yesterday\n", 3, "“yesterday” under members is no memory"),
        ("a:\n  theme: {b: c}\n", 2, "theme should be a few words"),
        ("a:\n  members: M-004\n  not: [M-004]\n", 3, "M-004 is under members and under not"),
        ('"": none\n', 1, "names no thread"),
        ("a: none\nb: {}\na: x\n", 3, "a stands there twice"),
        ("a:\n  not: M-001\n  not: M-002\n", 3, "not stands there twice"),
    ],
)
def test_an_entry_that_cannot_be_read_is_named_with_its_line(text: str, line: int, what: str) -> None:
    with pytest.raises(ReelError) as found:
        parse_named(text)
    assert found.value.message.startswith(f"threads.yaml, line {line}: ")
    assert what in found.value.message
    assert found.value.hint


def test_what_is_said_later_counts_and_all_else_stays() -> None:
    text = put_named(BY_HAND, NamedThread("flats", members=("2026-05-05-1",), others=("M-004",)))
    text = put_named(text, NamedThread("my dog", members=("M-009",)))
    text = put_named(text, NamedThread("the book", "the novel", ("M-010",), source="2026-03-01-1"))
    text = put_named(text, NamedThread("garden", members=("M-011",)))
    assert text == (
        "# mine\nflat:\n  theme: the move   # since May\n  members:\n    - 2026-03-01-1\n    - 2026-05-05-1\n"
        "  mine: 3\n  not: [M-004]\nyoga: none\nMax: {theme: my dog, members: [M-009]}\n"
        '"the book": {members: [M-010], theme: the novel, source: 2026-03-01-1}\n'
        "garden:\n  members: [M-011]\n"
    )
    assert put_named(text, NamedThread("garden", members=("M-011",))) == text


def test_a_file_that_cannot_be_added_to_is_left_as_it_is() -> None:
    with pytest.raises(ReelError, match="nothing can be added to by itself") as found:
        put_named("{flat: {members: M-001}}\n", NamedThread("garden", members=("M-011",)))
    assert "reel edit threads" in (found.value.hint or "")
    made = put_named("{flat: {members: M-001}}\n", NamedThread("flat", members=("M-011",)))
    assert made == "{flat: {members: [M-001, M-011]}}\n"


def test_a_purged_chat_is_not_named_and_what_a_person_said_stays() -> None:
    mine = "a:\n  theme: b # mine\n  members: [2026-03-01-1, M-004]\n"
    its = "c:\n  theme: d\n  source: 2026-03-01-1\n  x: 1\n"
    assert (
        purge_named(mine + its, "2026-03-01-1") == "a:\n  theme: b # mine\n  members: [M-004]\nc:\n  x: 1\n"
    )
    assert purge_named(BY_HAND, "2026-04-04-1") == BY_HAND


def test_two_machines_words_are_joined() -> None:
    base = "flat:\n  members: [M-001]\n"
    ours = "flat:\n  members: [M-001, M-002]\n  mine: {a: [b]}\nnew: # ours\n  mine: 1\nyoga: none\n"
    theirs = "flat:\n  members: [M-001]\n  not: [M-003]\n  theirs: 1\n"
    assert join_named(ours, theirs, base) == (
        'flat:\n  members: [M-001, M-002]\n  not: [M-003]\n  theirs: 1\n  mine: {"a": ["b"]}\n'
        "new: # ours\n  mine: 1\nyoga: none\n"
    )


def test_what_one_machine_says_more_of_stays_a_thread_when_the_other_drops_it() -> None:
    base, more = "flat: {}\n", "flat:\n  members: [M-001]\n"
    assert join_named("flat: none\n", base, base) == "flat: none\n"
    assert join_named("flat: none\n", more, base) == more
    assert parse_named(join_named(more, "flat: none\n", base)) == [NamedThread("flat", members=("M-001",))]


def test_a_chat_that_gets_another_number_is_named_by_it() -> None:
    names = NewNames({"2026-03-01-1": "2026-03-01-2"})
    said = NamedThread("flat", "the move", ("2026-03-01-1",))
    text = render_named(said)
    waits = render_proposal(propose_thread(said, "2026-03-01-1", "2026-03-01T20:00:00Z"))
    for path, data in (("threads.yaml", text), ("review/2026-03-01-1-thread.md", waits)):
        told = retell(path, data.encode(), None, names).decode()
        assert told.endswith(text.replace("01-1", "01-2"))
        assert "2026-03-01-1" not in told


def test_names_members_and_nots_count_before_what_is_found(reel: Reel, meridian: Path) -> None:
    before = {one["name"]: one for one in threads(reel)}
    chats = before["Dara"]["sessions"]
    write(meridian, f"Dara:\n  theme: the rig\n  members: [M-013]\n  not: [{chats[0]}]\ngate: none\n")
    found = threads(reel)
    assert found[0]["name"] == "the rig"
    assert found[0]["sessions"] == [*chats[1:], "2026-02-21-1"]
    assert found[0]["memories"] == ["M-006", "M-009", "M-010", "M-013"]
    assert not {"Dara", "gate"} & {one["name"] for one in found}
    told = reel("memory", "threads", "the rig").ok().out.splitlines()
    assert told[0] == "the rig: 2025-09-03 to 2026-02-21, 4 chats"
    assert threads(reel, "dara") == threads(reel, "the rig")


def test_a_memory_that_does_not_belong_is_not_told(reel: Reel, meridian: Path) -> None:
    write(meridian, "Dara:\n  not: [M-009]\n")
    assert "M-009" not in threads(reel, "Dara")[0]["memories"]


def test_one_chat_is_enough_for_a_thread_that_somebody_named(reel: Reel, meridian: Path) -> None:
    write(meridian, "her mother:\n  members: [M-003]\nzeppelin: {}\n")
    one = threads(reel, "her mother")[0]
    assert "M-003" in one["memories"]
    assert "zeppelin" not in [found["name"] for found in threads(reel)]


def test_a_forgotten_memory_and_a_chat_taken_back_count_again_when_they_come_back(
    reel: Reel, meridian: Path
) -> None:
    text = "rig:\n  members: [M-003, 2025-12-19-1]\n"
    write(meridian, text)
    reel("review", "accept", "threads.yaml").ok()
    before = threads(reel, "rig")
    reel("forget", "M-003", "--yes").ok()
    reel("tape", "retract", "2025-12-19-1", "--yes").ok()
    gone = threads(reel, "rig")
    assert "M-003" not in gone[0]["memories"]
    assert "2025-12-19-1" not in gone[0]["sessions"]
    assert (meridian / "threads.yaml").read_text() == text
    reel("tape", "retract", "--undo", "2025-12-19-1").ok()
    reel("restore", "M-003").ok()
    assert threads(reel, "rig") == before


def test_a_file_that_cannot_be_read_is_told_of_and_hinders_nothing_else(reel: Reel, meridian: Path) -> None:
    write(meridian, "Dara:\n  members: [the tin]\n")
    told = reel("memory", "threads")
    assert told.code == 1
    assert "threads.yaml, line 2: Dara: “the tin” under members is no memory and no chat." in told.err
    assert "members: [M-004, 2026-03-01-1]" in told.err
    assert "threads.yaml, line 2" in reel("doctor").out + reel("doctor").err
    assert reel("review", "accept", "threads.yaml").code == 1
    reel("pack").ok()
    reel("why", "M-003").ok()
    reel("recall", "Dara", "--thread").ok()


def test_a_key_that_nothing_reads_is_a_hint(reel: Reel, meridian: Path) -> None:
    write(meridian, "Dara:\n  memebers: [M-003]\n  x-mine: 1\n")
    told = reel("doctor")
    assert "threads.yaml, line 1: Dara: nothing reads memebers (did you mean members?)" in told.out + told.err


def test_what_the_kit_never_had_is_a_hint_and_what_was_let_go_is_none(reel: Reel, meridian: Path) -> None:
    write(meridian, "Dara:\n  members: [M-003, M-099]\n  not: [2025-12-19-1, 2031-01-01-1]\n")
    reel("forget", "M-003", "--yes").ok()
    told = reel("doctor")
    lines = [line for line in (told.out + told.err).splitlines() if "threads.yaml" in line]
    assert "threads.yaml, line 2: Dara: there is no memory M-099 (members)" in told.out + told.err
    assert "threads.yaml, line 3: Dara: there is no chat 2031-01-01-1 (not)" in told.out + told.err
    assert not any("M-003" in line or "2025-12-19-1" in line for line in lines)


def test_a_kit_without_the_file_packs_as_before_and_with_it_too(reel: Reel, meridian: Path) -> None:
    before = reel("pack").ok().out
    write(meridian, "Dara: the rig\n")
    reel("review", "accept", "threads.yaml").ok()
    assert reel("pack").ok().out == before


def test_a_difference_tells_what_was_said_of_threads_between_two_moments(reel: Reel, meridian: Path) -> None:
    assert json.loads(reel("diff", "HEAD", "--json").ok().out)["threads"] == {}
    write(meridian, "Dara: {theme: the rig, members: [M-003], not: [M-006]}\nyoga: none\n")
    told = reel("diff", "HEAD").ok().out
    assert "Threads" in told
    for line in ("Dara: called “the rig”", "Dara: M-003 belongs to it", "Dara: M-006 does not belong to it"):
        assert f"+ {line}" in told
    assert "yoga: no thread" in told
    reel("review", "accept", "threads.yaml").ok()
    write(meridian, "Dara: {theme: the rig, members: [M-006]}\n")
    found = json.loads(reel("diff", "HEAD", "--json").ok().out)["threads"]
    assert found["yoga"] == {"before": "none", "after": None}
    assert found["Dara"]["after"] == {"theme": "the rig", "members": ["M-006"], "not": []}
    told = reel("diff", "HEAD").ok().out
    assert "Dara: M-003 is as it was found" in told
    assert "- yoga" in told


# -- reel edit threads ------------------------------------------------------------------------


@pytest.fixture
def editor(tmp_path: Path) -> Path:
    """A program that writes what the file `wanted` holds below what it is given."""
    place = tmp_path / "editor"
    place.write_text(f'#!/bin/sh\ncat "{tmp_path}/wanted" >> "$1"\n')
    place.chmod(0o755)
    return place


def test_an_edit_begins_the_file_and_counts_at_once(
    reel: Reel, meridian: Path, editor: Path, tmp_path: Path
) -> None:
    (tmp_path / "wanted").write_text("Dara: the rig\n")
    told = reel("edit", "threads", env={"EDITOR": str(editor)}).ok()
    assert "new: Dara: the rig" in told.out
    assert "Kept." in told.out
    assert told.err.endswith("It counts at once.\n")
    text = (meridian / "threads.yaml").read_text()
    assert text.startswith("# What you say of threads counts before what is found.")
    assert threads(reel)[0]["name"] == "the rig"


@pytest.mark.parametrize(("wanted", "code"), [("", 0), ("Dara: [M-003]\n", 1)])
def test_an_edit_that_says_nothing_or_cannot_be_read_commits_nothing(
    reel: Reel, meridian: Path, editor: Path, tmp_path: Path, wanted: str, code: int
) -> None:
    (tmp_path / "wanted").write_text(wanted)
    told = reel("edit", "threads", env={"EDITOR": str(editor)})
    assert told.code == code
    assert (meridian / "threads.yaml").exists() is bool(wanted)
    assert ("or put it back:  rm threads.yaml" in told.err) is bool(wanted)


def test_without_an_editor_the_path_and_the_form_are_told(
    reel: Reel, meridian: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.delenv("VISUAL", raising=False)
    told = reel("edit", "threads").ok()
    assert told.out == f"{meridian / 'threads.yaml'}\n"
    assert "#   theme: the move" in told.err
    assert not (meridian / "threads.yaml").exists()


def test_recall_follows_a_thread_by_the_name_that_somebody_gave_it(reel: Reel, meridian: Path) -> None:
    def chats(*words: str) -> list[str]:
        told = json.loads(reel("recall", *words, "--thread", "--json").ok().out)
        return list(dict.fromkeys(hit["session"] for hit in told["hits"]))

    before = chats("Dara")
    write(meridian, f"Dara:\n  theme: the rig\n  not: [{before[0]}]\n")
    told = chats("Dara")
    assert before[0] not in told
    assert len(told) > 1
    assert chats("what became of the rig") == told
