"""The tape alone tells of memories: which were made, of what, and what became of them (REEL §4.6, §6.1)."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.tape.events_file import parse_events
from reel_cli.core.tape.made_memories import note_made, read_stages, tell_stages
from reel_cli.core.values.change import Change
from tests.support.cli import Reel, git
from tests.support.pages import chat, page

NAME = "2026-02-25-1"
AT = "2026-03-01T20:00:00Z"


@pytest.fixture
def lived(reel: Reel, kit: Path) -> Path:
    """A kit with one evening and its page."""
    reel.given("record", "-", stdin=chat())
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    return kit


def told(kit: Path) -> list[str]:
    """The lines of all events about memories."""
    events = parse_events((kit / EVENTS).read_bytes(), EVENTS)
    return [line for one in events if one.kind == "made" for line in one.text.splitlines()]


def stages(kit: Path, session: str = NAME) -> list[str]:
    return [*tell_stages(read_stages(Snapshot(WorkTree(kit), "ada"), session))]


def test_a_page_is_an_event_that_says_what_was_made_of_what(lived: Path) -> None:
    assert told(lived) == [f"checkpoint {NAME}.1 made of {NAME}", f"M-001 L1 of {NAME}#1-6"]
    changed = git(lived, "show", "--name-only", "--format=", "HEAD").split()
    assert {EVENTS, "ring3/M-001.md", f"checkpoints/{NAME}.1.yaml"} <= set(changed)


def test_the_tape_alone_tells_what_became_of_a_chat(reel: Reel, lived: Path, tmp_path: Path) -> None:
    """REEL §6.1: neither git nor the rings are needed for it."""
    reel("forget", "M-001", "--yes").ok()
    reel("restore", "M-001").ok()
    assert told(lived)[2:] == ["M-001 L1->gone", f"M-001 gone->L1 of {NAME}#1-6"]
    reel("forget", "M-001", "--yes").ok()
    bare = tmp_path / "bare"
    shutil.copytree(lived / "tape", bare / "tape")
    shutil.copy(lived / "kit.yaml", bare)
    shutil.copytree(lived / "ring0", bare / "ring0")
    day = "1 March 2026"
    words = f"Remembered as M-001 on {day}; taken out on {day}; back since {day}; taken out on {day}.\n"
    assert reel("tape", "show", NAME, cwd=bare).ok().err.endswith(words)
    assert reel("tape", "verify").ok().err == ""


def test_what_is_undone_is_told_too(reel: Reel, lived: Path) -> None:
    reel("undo").ok()
    reel("redo").ok()
    assert told(lived)[2:] == [
        f"checkpoint {NAME}.1 made->gone",
        "M-001 L1->gone",
        f"checkpoint {NAME}.1 gone->made of {NAME}",
        f"M-001 gone->L1 of {NAME}#1-6",
    ]


def test_a_memory_from_before_tells_its_next_step(reel: Reel, lived: Path) -> None:
    """A kit of an earlier reel has no such events; what it has is left as it is."""
    (lived / EVENTS).unlink()
    path = lived / "ring3/M-001.md"
    git(lived, "commit", "-qam", "as an earlier reel left it", "--no-verify")
    assert stages(lived) == []
    assert not (lived / EVENTS).exists()
    shorter = path.read_text().replace("level: L1", "level: L2").encode()
    snapshot = Snapshot(WorkTree(lived), "ada")
    change = Change("maintain", "M-001 becomes a digest", {"ring3/M-001.md": shorter})
    ((noted,), read) = note_made(snapshot, [change], AT, None)
    assert read == {EVENTS: None}
    (lived / EVENTS).write_bytes(noted.writes[EVENTS] or b"")
    assert stages(lived) == ["M-001: a digest since 1 March 2026."]
    assert told(lived) == [f"M-001 L1->L2 of {NAME}#1-6"]


def test_only_words_and_level_make_another_memory(lived: Path) -> None:
    snapshot = Snapshot(WorkTree(lived), "ada")
    text = snapshot.text("ring3/M-001.md") or ""
    pinned = Change("memory", "tags", {"ring3/M-001.md": text.replace("immune: no", "immune: yes").encode()})
    anew = Change("edit", "words", {"ring3/M-001.md": text.replace("colder", "warmer").encode()})
    assert note_made(snapshot, [pinned], AT, snapshot.read(EVENTS))[0] == [pinned]
    ((told_anew,), _) = note_made(snapshot, [anew], AT, snapshot.read(EVENTS))
    assert (told_anew.writes[EVENTS] or b"").endswith(b"\nM-001 L1->L1 of 2026-02-25-1#1-6\n")


def test_events_of_the_changes_themselves_stay_in_order(reel: Reel, lived: Path) -> None:
    """A chain that notes something of its own behind a memory was planned without the memory's event."""
    reel("tape", "flag", "she named the boat").ok()
    from reel_cli.core.tape.events_file import append_events
    from reel_cli.core.values.talk import Event

    snapshot = Snapshot(WorkTree(lived), "ada")
    gone = Change("forget", "M-001", {"ring3/M-001.md": None})
    later = snapshot.after(gone)
    title = append_events(later.read(EVENTS), [Event(0, "title", AT, "The boat", NAME)], EVENTS)
    changes, _ = note_made(snapshot, [gone, Change("tape", "title", {EVENTS: title})], AT, b"not looked at")
    first, second = (one.writes[EVENTS] or b"" for one in changes)
    assert second.startswith(first)
    assert [one.kind for one in parse_events(second, EVENTS)][-3:] == ["flag", "made", "title"]


def test_what_was_noted_meanwhile_is_in_nobody_s_way(reel: Reel, lived: Path) -> None:
    """A person reads a page for minutes, and the watched chat is given its title meanwhile."""
    snapshot = Snapshot(WorkTree(lived), "ada")
    assert snapshot.read(EVENTS)
    reel("tape", "flag", "she named the boat").ok()
    lying = (lived / EVENTS).read_bytes()
    gone = Change("forget", "M-001", {"ring3/M-001.md": None})
    ((noted,), read) = note_made(snapshot, [gone], AT, lying)
    assert read == {EVENTS: lying}
    assert (noted.writes[EVENTS] or b"").startswith(lying)


def test_where_the_events_are_damaged_a_page_is_kept_all_the_same(lived: Path) -> None:
    snapshot = Snapshot(WorkTree(lived), "ada")
    gone = Change("forget", "M-001", {"ring3/M-001.md": None})
    for lying in (b"---\ntape: events\n", (lived / EVENTS).read_bytes().replace(b"M-001", b"M-002")):
        assert note_made(snapshot, [gone], AT, lying) == ([gone], {})


@pytest.mark.needs("machines")
def test_two_machines_memories_of_one_number_are_told_apart(reel: Reel, lived: Path, tmp_path: Path) -> None:
    """A merge renumbers memories in the events as well, and nothing of either machine is lost."""
    other = tmp_path / "other"
    git(lived.parent, "clone", "-q", str(lived), str(other))
    for kit, day, thing in ((lived, "26", "kite"), (other, "26", "lamp")):
        messages = [
            {"role": "user", "content": f"Tell me of the {thing} you lost by the canal."},
            {"role": "assistant", "content": f"The {thing}? A child brought it home in a bag."},
        ]
        given = {"created_at": f"2026-02-{day}T19:00:00+00:00", "messages": messages}
        reel("record", "-", stdin=json.dumps(given), cwd=kit).ok()
        parts = {
            "In a few words": f"The {thing}",
            "What happened": f"The {thing} came home in a bag.",
            "Lines to find it by": f'"Tell me of the {thing}"',
            "In one breath": f"The {thing} came home.",
            "What's unresolved": "nothing",
        }
        reel("checkpoint", "--reply", "-", "--yes", stdin=page(parts), cwd=kit).ok()
    with pytest.raises(subprocess.CalledProcessError):
        git(lived, "pull", "-q", "--no-rebase", str(other), "HEAD")
    assert "What two machines recorded is joined now." in reel("doctor", "--fix", cwd=lived).err
    assert sorted(told(lived)[2:]) == [
        "M-004 L1 of 2026-02-26-1#1-2",
        "M-005 L1 of 2026-02-26-2#1-2",
        "checkpoint 2026-02-26-1.1 made of 2026-02-26-1",
        "checkpoint 2026-02-26-2.1 made of 2026-02-26-2",
    ]
    assert stages(lived, "2026-02-26-2") == ["Remembered as M-005 on 1 March 2026."]
    assert reel("tape", "verify", cwd=lived).ok().err == ""
