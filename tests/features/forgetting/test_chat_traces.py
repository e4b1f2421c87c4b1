"""The memory and the notes that a chat leaves which is taken back: named, and let go of in one question."""

import json
from pathlib import Path

import pytest

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.files.working_file import without_day
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.forgetting.chat_traces import find_traces
from tests.support.cli import Reel, git
from tests.support.pages import chat, page, say

SESSION = "2026-02-25-1"
NOTE = "the residency, forty pages by 30 April"
OWN = "Ring Marta."


@pytest.fixture
def kept(reel: Reel, kit: Path) -> Path:
    """A kit with one chat, its page, and a note that a person wrote."""
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    notes = kit / "ring2/working.md"
    notes.write_text(notes.read_text().replace("## Open loops\n", f"## Open loops\n\n- {OWN}\n"))
    git(kit, "commit", "-qam", "by hand")
    assert NOTE in notes.read_text()
    return kit


def test_what_a_chat_left_is_named_with_commands_that_work(reel: Reel, kept: Path) -> None:
    told = reel("tape", "retract", SESSION).ok().err
    assert "still there: M-001 (The letter that wasn't hers), and the note" in told
    assert NOTE in told
    assert OWN not in told
    assert "whether he buys the ticket" in told
    assert "To take the notes out:  reel edit now" in told
    command = next(line for line in told.splitlines() if line.startswith("To forget it:")).partition("reel ")[
        2
    ]
    reel(*command.split(), "--yes").ok()
    assert not (kept / "ring3/M-001.md").exists()


def test_it_is_let_go_of_in_one_question_and_comes_back_with_undo(reel: Reel, kept: Path) -> None:
    notes = kept / "ring2/working.md"
    before = notes.read_text()
    run = reel("tape", "retract", SESSION, stdin="y\n\n", tty=True).ok()
    assert "Let go of them, too? [y/N]" in "".join(part for _, part in run.screen)
    assert notes.read_text() == before
    reel("tape", "retract", SESSION, "--undo").ok()
    reel("tape", "retract", SESSION, stdin="y\ny\n", tty=True).ok()
    assert not (kept / "ring3/M-001.md").exists()
    assert NOTE not in notes.read_text()
    assert OWN in notes.read_text()
    assert NOTE not in json.loads(reel("pack", "--json").ok().out)["text"]
    reel("tape", "verify").ok()
    reel("undo", "--yes").ok()
    assert (kept / "ring3/M-001.md").exists()
    assert notes.read_text() == before


def test_a_chat_that_left_nothing_asks_nothing(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    run = reel("tape", "retract", SESSION, stdin="y\n", tty=True).ok()
    assert "Let go" not in "".join(part for _, part in run.screen)
    assert kit.is_dir()


def test_a_purge_names_what_came_of_the_chat_and_lets_go_of_it(reel: Reel, kept: Path) -> None:
    state = "He is close to a deadline."
    dry = reel("purge", SESSION, "--dry-run", "--all").ok().out
    for words in (NOTE, "whether he buys the ticket", state):
        assert words in dry
    assert "Older commits keep what its page told of it, the names in it too." in dry
    assert "The chat 2026-" in dry
    assert "Every word" not in dry
    run = reel("purge", SESSION, stdin="Ada\ny\n", tty=True).ok()
    assert "Let go of what came of it, too (1 memory and 4 notes)?" in "".join(part for _, part in run.screen)
    assert not (kept / "ring3/M-001.md").exists()
    notes = (kept / "ring2/working.md").read_text()
    assert NOTE not in notes
    assert state not in notes
    assert OWN in notes
    # no heading stands over nothing, and what was before is what holds
    assert "## State" not in notes
    assert "Before that:" not in notes
    assert "## Calibration\n\nDry first, warm close behind." in notes
    assert NOTE not in json.loads(reel("pack", "--json").ok().out)["text"]
    assert "none has a long message or a quotation of that chat" in " ".join(run.err.split())
    assert "Older commits keep what its page told of it, the names in it too." in " ".join(run.err.split())
    reel("tape", "verify").ok()


def test_a_memory_and_a_note_of_another_chat_as_well_are_no_traces(kept: Path) -> None:
    memory = kept / "ring3/M-001.md"
    both = f"sessions: [2026-02-24-1, {SESSION}]"
    memory.write_text(memory.read_text().replace(f"sessions: [{SESSION}]", both))
    assert both in memory.read_text()
    assert not find_traces(Snapshot(WorkTree(kept), "ada"), [SESSION]).memories
    pages = kept / "checkpoints"
    assert NOTE in [
        without_day(one.text) for one in find_traces(Snapshot(WorkTree(kept), "ada"), [SESSION]).notes
    ]
    (pages / "2026-02-24-1.1.yaml").write_bytes((pages / f"{SESSION}.1.yaml").read_bytes())
    assert not find_traces(Snapshot(WorkTree(kept), "ada"), [SESSION]).notes


def test_traces_are_found_again_where_their_words_were_cut(kept: Path) -> None:
    found = find_traces(Snapshot(WorkTree(kept), "ada"), [SESSION])
    notes = kept / "ring2/working.md"
    notes.write_text(notes.read_text().replace("forty pages", "[cut]"))
    (kept / "ring3/M-001.md").unlink()
    left = found.after_cut(Snapshot(WorkTree(kept), "ada"), lambda text: text.replace("forty pages", "[cut]"))
    assert not left.memories
    assert [without_day(one.text) for one in left.notes] == [
        without_day(one.text).replace("forty pages", "[cut]") for one in found.notes
    ]
    assert "[cut]" in left.told()


def test_after_a_purge_that_lets_go_no_line_stands_in_the_bundle(reel: Reel, kept: Path) -> None:
    index = kept / "ring4/index.md"
    assert index.read_text().count(f"<!-- {SESSION}#") > 1
    run = reel("purge", SESSION, stdin="Ada\ny\n", tty=True).ok()
    assert SESSION not in index.read_text()
    assert "_purged_" not in json.loads(reel("pack", "--json").ok().out)["text"]
    assert "What was made from it stays" not in run.err
    reel("doctor").ok()
    reel("undo", "--yes").ok()
    assert SESSION in index.read_text()
    assert (kept / "ring3/M-001.md").exists()


def test_only_a_whole_look_takes_what_a_page_changed_how_things_stand_and_index_lines(kept: Path) -> None:
    snapshot = Snapshot(WorkTree(kept), "ada")
    part, whole = (find_traces(snapshot, [SESSION], whole=one) for one in (False, True))
    assert not part.lines
    assert whole.lines
    for name in whole.lines:
        # the memory's own line goes with the memory
        assert name not in snapshot.memories
        where = snapshot.index.lines[name].where
        assert where is not None
        assert where.session == SESSION
    texts = [{without_day(one.text) for one in found.notes} for found in (part, whole)]
    assert texts[0] < texts[1]
    assert "He is close to a deadline." in texts[1] - texts[0]
    assert OWN not in texts[1]


def test_a_whole_look_leaves_the_lines_and_memories_of_another_chat(reel: Reel, kept: Path) -> None:
    said = "The heron is back on the weir, and the keeper counts it."
    other = say(reel, kept, [("user", said), ("assistant", "Good.")], 26)
    answers = {
        "Lines to find it by": '"heron is back on the weir"\n"keeper counts it"',
        "My notes": "1. still\nnew: The heron",
    }
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(answers)).ok()
    snapshot = Snapshot(WorkTree(kept), "ada")
    mine, theirs = (find_traces(snapshot, [one], whole=True) for one in (SESSION, other))
    assert theirs.lines
    assert {*mine.lines}.isdisjoint(theirs.lines)
    assert {one.id for one in mine.memories}.isdisjoint(one.id for one in theirs.memories)
    # of two chats that were taken back each has its own
    reel("tape", "retract", SESSION).ok()
    reel("tape", "retract", other).ok()
    after = find_traces(Snapshot(WorkTree(kept), "ada"), [other], whole=True)
    assert [one.id for one in after.memories] == [one.id for one in theirs.memories]
