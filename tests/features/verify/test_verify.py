"""Nothing was altered, or it is said what, where and when."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.repository import find_repository
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.blocks import verify_chain
from reel_cli.core.tape.chain_proof import prove
from reel_cli.core.tape.events_file import append_events
from reel_cli.core.tape.session_file import append_entries, render_session
from reel_cli.core.values.talk import Conversation, Entry, Event, Message
from reel_cli.features.verify.verify import Verdict, verify_tape
from tests.support.kit_under_git import KitUnderGit, make_kit, run

NAME = "2026-02-10-1"
PATH = f"tape/2026/{NAME}.md"
OTHER = "2026-02-11-1"
OTHER_PATH = f"tape/2026/{OTHER}.md"
EVENTS = "tape/events.md"
JOURNAL = "journal/2026-02.jsonl"
SAID = ("ha. fair. they want 40 pages", "Forty pages by April.", "and the letter?", "Later.")


def session(name: str, *texts: str) -> bytes:
    roles = ("user", "assistant")
    messages = [Message(roles[at % 2], text) for at, text in enumerate(texts)]
    return render_session(name, Conversation("messages", messages, started=f"{name[:10]}T20:00:00+00:00"))


def longer(data: bytes, number: int, text: str) -> bytes:
    return append_entries(data, [Entry(number, Message("user", text))], PATH)


def noted(data: bytes | None, text: str, at: str = "2026-02-11T08:00:00Z") -> bytes:
    return append_events(data, [Event(0, "flag", at, text)], EVENTS)


def memory(source: str, anchor: str = "they want 40 pages") -> bytes:
    return (
        f'---\nid: M-001\ntitle: Pages\nlevel: L1\nsource: ["{source}"]\nanchor: {anchor}\n---\n\n'
        f'## What happened\n\nWe counted.\n\n## Retrieval anchors\n\n- "{anchor}"\n'
    ).encode()


@pytest.fixture
def kit(tmp_path: Path) -> KitUnderGit:
    """A kit with two sessions, the first of which grew in a commit of its own."""
    made = make_kit(tmp_path / "ada")
    made.apply({"ring4/index.md": b"# Nothing yet\n"})
    first = session(NAME, *SAID)
    made.apply({PATH: first}, op="record", summary="the first evening")
    made.apply({PATH: longer(first, 5, "good night")}, op="record", summary="more of it")
    made.apply({OTHER_PATH: session(OTHER, "hello again", "There you are.")}, op="record", summary="another")
    return made


def verified(kit: KitUnderGit) -> Verdict:
    place = find_repository(kit.root)
    return verify_tape(Snapshot(WorkTree(kit.root), "ada"), place)


def told(verdict: Verdict) -> Sequence[tuple[str, int | None, str, str | None]]:
    """Return what is broken: file, line, what, and the subject of the commit that did it."""
    return [(b.path, b.line, b.what, b.commit.subject if b.commit else None) for b in verdict.broken]


def commit(kit: KitUnderGit, subject: str, *arguments: str) -> None:
    kit.git("add", "-A")
    kit.git("commit", "-q", "--no-verify", "-m", subject, *arguments)


def spoil(kit: KitUnderGit, path: str = PATH, old: bytes = b"40 pages", new: bytes = b"41 pages") -> None:
    kit.write(path, kit.read(path).replace(old, new))


def line_of(data: bytes, text: bytes) -> int:
    return data.count(b"\n", 0, data.index(text)) + 1


def test_all_is_as_it_was(kit: KitUnderGit) -> None:
    verdict = verified(kit)
    assert (verdict.proven, verdict.sessions, verdict.messages, verdict.commits) == (True, 2, 7, 5)
    assert (verdict.history, list(verdict.notes)) == ("whole", [])


def test_an_edit_on_the_disk_is_named_with_its_line(kit: KitUnderGit) -> None:
    line = line_of(kit.read(PATH), b"40 pages")
    spoil(kit)
    assert told(verified(kit)) == [(PATH, line, f"chat {NAME} was altered", None)]


def test_a_committed_edit_is_named_with_its_commit(kit: KitUnderGit) -> None:
    line = line_of(kit.read(PATH), b"40 pages")
    spoil(kit)
    commit(kit, "tidy up")
    kit.apply({"ring2/working.md": b"later\n"})
    assert told(verified(kit)) == [(PATH, line, f"chat {NAME} was altered", "tidy up")]


def test_an_edit_that_was_put_back_is_told_of_with_both_commits(kit: KitUnderGit) -> None:
    good = kit.read(PATH)
    spoil(kit)
    commit(kit, "tidy up")
    kit.write(PATH, good)
    commit(kit, "sorry")
    verdict = verified(kit)
    assert verdict.proven
    (mended,) = verdict.mended
    assert (mended.commit and mended.commit.subject, mended.put_back and mended.put_back.subject) == (
        "tidy up",
        "sorry",
    )


def test_an_edit_of_an_edit_is_put_back_as_one(kit: KitUnderGit) -> None:
    good = kit.read(PATH)
    spoil(kit)
    commit(kit, "tidy up")
    kit.write(PATH, kit.read(PATH).replace(b"ha. fair", b"ho. fair"))
    commit(kit, "tidy more")
    kit.write(PATH, good)
    assert [one.commit and one.commit.subject for one in verified(kit).mended] == ["tidy up", "tidy more"]
    assert verified(kit).proven


@pytest.mark.parametrize("grown", [False, True])
def test_the_same_edit_committed_twice_is_put_back_as_one(kit: KitUnderGit, *, grown: bool) -> None:
    good = kit.read(PATH)
    once = session(NAME, "ha. fair. they want 41 pages", *SAID[1:])
    more = [session(NAME, "ha. fair. they want 41 pages", *SAID[1:], "good night")] if grown else []
    for number, text in enumerate((once, once.replace(b"41", b"42"), once, *more, good)):
        kit.write(PATH, text)
        commit(kit, f"tidy {number}")
    # what was recorded on top of it is lost, and nothing else is
    assert verified(kit).proven is not grown
    assert {one.commit and one.commit.subject for one in verified(kit).mended} >= {"tidy 1"}


def test_what_was_recorded_after_an_edit_is_lost_where_the_edit_is_put_back(kit: KitUnderGit) -> None:
    good = kit.read(PATH)
    kit.write(PATH, session(NAME, "ha. fair. they want 41 pages", *SAID[1:]))
    commit(kit, "tidy up")
    kit.write(PATH, session(NAME, "ha. fair. they want 41 pages", *SAID[1:], "good night"))
    commit(kit, "grown")
    kit.write(PATH, good)
    commit(kit, "sorry")
    (broken,) = verified(kit).broken
    assert (broken.commit and broken.commit.subject, broken.put_back and broken.put_back.subject) == (
        "tidy up",
        "sorry",
    )


def test_a_whole_new_chain_does_not_hide_an_edit(kit: KitUnderGit) -> None:
    line = line_of(kit.read(PATH), b'"hash"')
    kit.write(PATH, session(NAME, "ha. fair. they want 41 pages", *SAID[1:], "good night"))
    assert prove(kit.read(PATH), PATH).line is None
    commit(kit, "tidy up")
    assert [b[0] for b in told(verified(kit))] == [PATH]
    assert told(verified(kit))[0][3] == "tidy up"
    assert (told(verified(kit))[0][1] or 0) >= line


def test_a_deletion_a_cut_and_a_rename(kit: KitUnderGit) -> None:
    (kit.root / OTHER_PATH).unlink()
    assert told(verified(kit)) == [(OTHER_PATH, None, f"chat {OTHER} was deleted", None)]
    commit(kit, "make room")
    assert told(verified(kit)) == [(OTHER_PATH, None, f"chat {OTHER} was deleted", "make room")]
    kit.git("mv", PATH, "tape/2026/2026-02-09-1.md")
    commit(kit, "the right day")
    moved = f"chat {NAME} was renamed to tape/2026/2026-02-09-1.md"
    assert (PATH, None, moved, "the right day") in told(verified(kit))


def test_what_was_deleted_and_put_back_whole_is_proven(kit: KitUnderGit) -> None:
    good = kit.read(OTHER_PATH)
    (kit.root / OTHER_PATH).unlink()
    commit(kit, "make room")
    kit.write(OTHER_PATH, good)
    commit(kit, "put it back")
    assert told(verified(kit)) == []


def test_a_session_cut_short_is_named_where_it_ends(kit: KitUnderGit) -> None:
    kit.write(PATH, session(NAME, *SAID))
    commit(kit, "shorter")
    assert told(verified(kit)) == [
        (PATH, kit.read(PATH).count(b"\n") + 1, f"chat {NAME} was cut short", "shorter")
    ]


def branch_off(kit: KitUnderGit, writes: Mapping[str, bytes], here: Mapping[str, bytes]) -> None:
    """One commit on a branch, and another on main; main is checked out."""
    kit.git("switch", "-q", "-c", "laptop")
    for path, data in writes.items():
        kit.write(path, data)
    commit(kit, "on the laptop")
    kit.git("switch", "-q", "main")
    for path, data in here.items():
        kit.write(path, data)
    commit(kit, "at the desk")


def test_a_session_that_vanished_in_a_merge(kit: KitUnderGit) -> None:
    third = "tape/2026/2026-02-12-1.md"
    branch_off(kit, {third: session("2026-02-12-1", "on the train")}, {"ring2/working.md": b"desk\n"})
    kit.git("merge", "-q", "--no-commit", "--no-ff", "laptop")
    kit.git("rm", "-q", "-f", third)
    commit(kit, "merge")
    assert told(verified(kit)) == [(third, None, "chat 2026-02-12-1 was deleted", "merge")]


def test_a_side_that_a_merge_drops_as_a_whole(kit: KitUnderGit) -> None:
    grown = longer(kit.read(PATH), 6, "one more thing")
    branch_off(kit, {PATH: grown}, {"ring2/working.md": b"desk\n"})
    kit.git("merge", "-q", "-s", "ours", "-m", "merge", "laptop")
    line = kit.read(PATH).count(b"\n") + 1
    what = f"what one side of a merge had of chat {NAME} was left out of it"
    assert told(verified(kit)) == [(PATH, line, what, "merge")]


def test_a_merge_that_keeps_everything_is_proven(kit: KitUnderGit) -> None:
    third = "tape/2026/2026-02-12-1.md"
    grown = longer(kit.read(PATH), 6, "one more thing")
    branch_off(kit, {third: session("2026-02-12-1", "on the train")}, {PATH: grown})
    kit.git("merge", "-q", "-m", "merge", "laptop")
    assert told(verified(kit)) == []


def test_the_journals_of_two_machines_are_one_set_of_lines(kit: KitUnderGit) -> None:
    line = '{{"id": "{0}", "at": "2026-02-11T08:00:0{0}Z", "session": "", "do": "recall", "on": "M-001"}}\n'
    kit.apply({JOURNAL: line.format(1).encode()})
    start = kit.read(JOURNAL)
    branch_off(kit, {JOURNAL: start + line.format(2).encode()}, {JOURNAL: start + line.format(3).encode()})
    kit.git("merge", "-q", "-m", "merge", "laptop")
    assert told(verified(kit)) == []
    kit.write(JOURNAL, kit.read(JOURNAL).replace(line.format(2).encode(), b""))
    commit(kit, "tidy up")
    assert [b[2:] for b in told(verified(kit))] == [("a line of the journal is gone", "tidy up")]


def test_a_line_that_holds_no_entry_may_be_deleted(kit: KitUnderGit) -> None:
    line = b'{"id": "1", "at": "2026-02-11T08:00:00Z", "session": "", "do": "recall", "on": "M-001"}\n'
    kit.apply({JOURNAL: line + b"garbage {{\n"})
    kit.write(JOURNAL, line)
    commit(kit, "tidy up")
    assert told(verified(kit)) == []
    kit.write(JOURNAL, b"garbage {{\n")
    assert [b[2] for b in told(verified(kit))] == ["a line of the journal is gone"]


def test_a_pin_taken_back_is_no_loss(kit: KitUnderGit) -> None:
    pin = b'{"id": "1", "at": "2026-02-11T08:00:00Z", "session": "", "do": "pin", "on": "M-001"}\n'
    kit.apply({JOURNAL: pin})
    kit.apply({JOURNAL: b""}, op="undo")
    assert told(verified(kit)) == []


def test_notes_of_two_machines_left_out_in_a_merge_and_joined(kit: KitUnderGit) -> None:
    kit.apply({EVENTS: noted(None, "the boat")})
    start = kit.read(EVENTS)
    branch_off(kit, {EVENTS: noted(start, "the train")}, {EVENTS: noted(start, "the desk")})
    kit.git("merge", "-q", "laptop", check=False)
    kit.git("checkout", "-q", "--ours", EVENTS)
    commit(kit, "merge")
    what = "what was noted on another machine was left out when the two were merged"
    assert [b[2:] for b in told(verified(kit))] == [(what, "merge")]
    kit.apply({EVENTS: noted(kit.read(EVENTS), "the train")})
    assert told(verified(kit)) == []


def test_a_shallow_clone_says_what_it_could_not_prove(kit: KitUnderGit, tmp_path: Path) -> None:
    run(tmp_path, "clone", "-q", "--depth", "1", f"file://{kit.root}", "clone")
    clone = KitUnderGit(tmp_path / "clone", kit.repo)
    verdict = verified(clone)
    assert (verdict.proven, verdict.history, verdict.commits, len(verdict.notes)) == (True, "shallow", 1, 1)
    spoil(clone)
    commit(clone, "tidy up", "--author=Bo <bo@example.org>")
    assert [b[0] for b in told(verified(clone))] == [PATH]


def test_without_history_the_chain_proves(kit: KitUnderGit, tmp_path: Path) -> None:
    shutil.copytree(kit.root, tmp_path / "copy", ignore=shutil.ignore_patterns(".git"))
    copy = KitUnderGit(tmp_path / "copy", kit.repo)
    verdict = verified(copy)
    assert (verdict.proven, verdict.history, verdict.commits) == (True, "none", 0)
    line = line_of(copy.read(PATH), b"40 pages")
    spoil(copy)
    assert told(verified(copy)) == [(PATH, line - 1, "what begins here is no longer what was recorded", None)]


def test_a_session_taken_out_of_history_is_missed(kit: KitUnderGit) -> None:
    kit.git("reset", "-q", "--hard", "HEAD~1")
    what = f"chat {OTHER} was recorded in a commit that is no longer part of the history"
    assert told(verified(kit)) == [(OTHER_PATH, None, what, "record: another")]


def test_a_tampering_taken_out_of_history_is_forgotten(kit: KitUnderGit) -> None:
    spoil(kit)
    commit(kit, "tidy up")
    kit.git("reset", "-q", "--hard", "HEAD~1")
    assert told(verified(kit)) == []


def test_a_kit_inside_a_larger_repository(tmp_path: Path) -> None:
    run(tmp_path, "init", "-q", "-b", "main", "top")
    made = make_kit(tmp_path / "top" / "my kits" / "ada", enclosing=tmp_path / "top")
    made.apply({"ring4/index.md": b"# Nothing yet\n", PATH: session(NAME, *SAID)}, op="record")
    (tmp_path / "top" / "readme").write_text("theirs\n")
    run(tmp_path / "top", "add", "readme")
    run(tmp_path / "top", "commit", "-qm", "theirs")
    assert verified(made).proven
    spoil(made)
    commit(made, "tidy up")
    assert [(b[0], b[3]) for b in told(verified(made))] == [(PATH, "tidy up")]


# -- the rings --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (memory(f"{NAME}#1-2"), None),
        (memory(NAME), None),
        (memory(f"{NAME}#1-9"), f"chat {NAME} has 5 messages, so {NAME}#1-9 does not exist"),
        (memory("2026-01-01-1#1-2"), "there is no recorded chat 2026-01-01-1"),
        (memory("the first evening"), "'the first evening' does not name messages of a recorded chat"),
        (memory(f"{NAME}#2-4"), '"they want 40 pages" was not said there'),
        (memory(f"{NAME}#1-2", "they want 50 pages"), '"they want 50 pages" was not said there'),
        (memory(f"{NAME}#1-2", "They want 40 pages"), None),
    ],
)
def test_a_memory_leads_to_the_tape(kit: KitUnderGit, data: bytes, what: str | None) -> None:
    kit.apply({"ring3/M-001.md": data}, summary="a memory")
    found = told(verified(kit))
    assert [(b[0], b[2], b[3]) for b in found] == (
        [("ring3/M-001.md", what, "checkpoint: a memory")] if what else []
    )


@pytest.mark.parametrize(
    ("where", "phrase", "what"),
    [
        (f"{NAME}#1", "40 pages", None),
        (f"{NAME}#2", "40 pages", '"40 pages" was not said there'),
        (f"{NAME}#7", "40 pages", f"chat {NAME} has 5 messages, so {NAME}#7-7 does not exist"),
    ],
)
def test_an_index_line_leads_to_the_tape(kit: KitUnderGit, where: str, phrase: str, what: str | None) -> None:
    line = f'M-002 | Pages | "{phrase}" | factual | not immune <!-- {where} -->\n'
    kit.apply({"ring4/index.md": f"# Index\n\n{line}".encode()}, summary="a line")
    expected = [("ring4/index.md", 3, what, "checkpoint: a line")] if what else []
    assert told(verified(kit)) == expected


def test_what_leads_to_a_session_that_is_gone_was_broken_with_it(kit: KitUnderGit) -> None:
    kit.apply({"ring3/M-001.md": memory(f"{NAME}#1-2")}, summary="a memory")
    (kit.root / PATH).unlink()
    commit(kit, "make room")
    assert told(verified(kit)) == [
        (PATH, None, f"chat {NAME} was deleted", "make room"),
        ("ring3/M-001.md", 5, f"there is no recorded chat {NAME}", "make room"),
    ]


# -- the chain --------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(max_size=30), min_size=1, max_size=5), st.data())
def test_proving_agrees_with_the_slow_reader(texts: list[str], data: st.DataObject) -> None:
    whole = session(NAME, *(text.encode("utf-8", "replace").decode() for text in texts))
    proven = prove(whole, PATH)
    assert (proven.line, [whole[a:b].decode() for a, b in proven.said]) == (
        None,
        [text.encode("utf-8", "replace").decode() for text in texts],
    )
    at = data.draw(st.integers(0, len(whole) - 1))
    byte = bytes([data.draw(st.integers(0, 255))])
    changed = data.draw(
        st.sampled_from([whole[:at] + byte + whole[at + 1 :], whole[:at], whole[:at] + whole[at + 1 :]])
    )
    assert prove(changed, PATH).line == verify_chain(changed, PATH)


def test_a_session_that_cannot_be_read_was_not_deleted(kit: KitUnderGit, tmp_path: Path) -> None:
    (kit.root / PATH).rename(tmp_path / "elsewhere.md")
    (kit.root / PATH).symlink_to(tmp_path / "elsewhere.md")
    assert told(verified(kit)) == [(PATH, None, "is outside the kit", None)]
