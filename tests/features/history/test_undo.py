"""`reel undo` and `reel redo`, whole commands."""

import json
import os
import re
import shutil
from datetime import datetime
from pathlib import Path

import pytest

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.history.undo import names_of_texts
from reel_cli.features.page.kept_pages import left_without_page
from tests.support.cli import Reel, git
from tests.support.pages import chat, page


def head(kit: Path) -> str:
    return git(kit, "rev-parse", "HEAD").strip()


def test_a_decision_done_again_loses_no_suggestion(reel: Reel, kit: Path) -> None:
    """`reel redo` said “Gone: the suggestion”, which had become the example that it brought back."""
    assert kit.exists()
    reel.given("record", "-", stdin=chat())
    showing = page(
        {"Worth showing again": '"Fine. Chapter four: she should open a letter that isn\'t hers."'}
    )
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=showing)
    (item,) = (one["item"] for one in json.loads(reel("review", "--json").ok().out))
    reel("review", "accept", item).ok()
    reel("undo").ok()
    done = reel("redo").ok()
    assert "Back: the example" in done.err
    assert "Gone" not in done.err


def test_a_page_is_taken_back_and_the_session_stays(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    tree = git(kit, "rev-parse", "HEAD^{tree}").strip()
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    done = reel("undo").ok()
    assert done.out == "Took back: The letter that wasn't hers (2026-02-25-1)\n"
    assert done.err == (
        "As before: where things stand and the list of what can be recalled.\n"
        "Gone: the memory “The letter that wasn't hers”.\n"
        "The chat itself stays as it was recorded.\n"
        "Nothing is lost; the other way:  reel redo\n"
    )
    # the tape only grows: it tells that there was a page
    assert git(kit, "diff", "--name-only", tree, "HEAD").split() == ["tape/events.md"]
    assert git(kit, "status", "--porcelain") == ""
    (newest, *_) = json.loads(reel("log", "--json").ok().out)
    assert newest["op"] == "undo"


def test_many_texts_are_counted_by_kind() -> None:
    texts = ["the memory “Neap”", *(f"the suggestion “{n}”" for n in range(4)), "the facts"]
    assert names_of_texts(texts) == "the memory, 4 suggestions and the facts"


def test_asked_again_it_takes_back_the_one_before(reel: Reel, kit: Path) -> None:
    was = (kit / "ring1/active.yaml").read_bytes()
    reel("exemplar", "retire", "up-at-five").ok()
    reel("exemplar", "retire", "the-bus-window").ok()
    reel("undo").ok()
    reel("undo").ok()
    assert (kit / "ring1/active.yaml").read_bytes() == was
    done = reel("undo")
    assert done.code == 1
    assert done.err.startswith("Error: There is nothing left to undo.")


def test_a_dry_run_changes_nothing(reel: Reel, kit: Path) -> None:
    reel("exemplar", "retire", "up-at-five").ok()
    before = head(kit)
    done = reel("undo", "--dry-run").ok()
    assert done.out.startswith("This would take back: ")
    assert done.err.splitlines() == [
        "As before: the choice of examples.",
        "Nothing was changed (--dry-run).",
    ]
    assert head(kit) == before


def test_a_recording_is_not_undone(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    before = head(kit)
    done = reel("undo")
    assert done.code == 1
    assert done.err.splitlines() == [
        "Error: The last change recorded the chat of 25 February 2026; its words are kept in any case.",
        "Hint: if it should not count:  reel tape retract 2026-02-25-1",
    ]
    assert head(kit) == before


def test_an_example_has_the_same_name_when_it_is_taken_back_and_done_again(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    (session,) = (path.stem for path in (kit / "tape").rglob("20*.md"))
    reel("exemplar", "add", "--from", f"{session}#1-2", "--title", "The letter").ok()
    assert reel("undo", "--yes").ok().out == 'Took back: "The letter" is an example now\n'
    assert 'undone    "The letter" is an example now' in reel("log").ok().out
    assert reel("redo", "--yes").ok().out == 'Done again: "The letter" is an example now\n'


def test_at_a_terminal_a_recorded_chat_can_be_taken_back_at_once(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    before = head(kit)
    refused = reel("undo", tty=True, stdin="\n").ok()
    assert "Set that chat aside, so that it does not count? [y/N]" in refused.err
    assert head(kit) == before
    assert "stays remembered" not in refused.err
    run = reel("undo", tty=True, stdin="y\n").ok()
    assert "Set aside: the chat does not count any more, and every word of it is kept." in run.out
    assert json.loads(reel("status", "--json").ok().out)["messages"] == 0
    reel(*run.err.rpartition("the other way:  reel ")[2].split()).ok()
    assert json.loads(reel("status", "--json").ok().out)["messages"] > 0


def test_with_yes_a_recorded_chat_is_taken_back_unasked(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    run = reel("undo", "--yes").ok()
    assert run.out == "Set aside: the chat does not count any more, and every word of it is kept.\n"
    assert run.err.endswith("Nothing is lost; the other way:  reel redo\n")
    assert json.loads(reel("status", "--json").ok().out)["messages"] == 0


def test_taking_back_added_lines_is_told_as_taking_back_the_whole_chat(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    longer = (("user", "One more thing."), ("assistant", "Say it."))
    reel("record", "-", stdin=chat(*longer)).ok()
    before = head(kit)
    asked = reel("undo", tty=True, stdin="\n").ok()
    words = " ".join(asked.err.split())
    assert "The last change only added messages to the chat of 25 February 2026" in words
    assert "What was made from it stays remembered even if you set it aside: M-001 (" in words
    assert "Set that whole chat aside, so that none of it counts? [y/N]" in words
    # without being asked, nobody loses more than the last change
    assert reel("undo", "--yes").code == 1
    assert head(kit) == before


def test_after_a_note_the_hint_is_a_command_that_works(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    reel("tape", "correct", "2026-02-25-1#1", "it was the 21st").ok()

    hint = reel("undo").err.splitlines()[1]

    assert hint == "Hint: if the note was wrong, add another:  reel tape correct 2026-02-25-1 TEXT"
    as_printed = reel("tape", "correct", "2026-02-25-1", "TEXT")
    assert as_printed.code == 1
    assert "TEXT stands for how it really was" in as_printed.err
    reel("tape", "correct", "2026-02-25-1", "as it really was").ok()
    reel("tape", "retract", "2026-02-25-1").ok()
    hint = reel("undo").err.splitlines()[1]
    assert hint == (
        "Hint: to make the chat that was taken back count again:  reel tape retract 2026-02-25-1 --undo"
    )
    reel("tape", "retract", "2026-02-25-1", "--undo").ok()


def test_after_a_chat_was_taken_back_or_counts_again_the_hint_is_of_that_chat(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    swifts = {**json.loads(chat()), "created_at": "2026-02-26T19:00:00+00:00"}
    swifts["messages"] = [{"role": "user", "content": "The swifts are back."}]
    reel("record", "-", stdin=json.dumps(swifts)).ok()
    before, after = "2026-02-25-1", "2026-02-26-1"
    reel("tape", "retract", before).ok()
    told = reel("undo", "--yes").err
    assert "The last change took the chat of 25 February 2026 back" in told
    assert f"Hint: to make it count again:  reel tape retract {before} --undo" in told
    reel("tape", "retract", before, "--undo").ok()
    reel("tape", "correct", f"{before}#1", "it was the 21st").ok()
    told = reel("undo", "--yes").err
    assert f"reel tape correct {before} TEXT" in told
    assert after not in told


def test_that_a_chat_counts_again_is_taken_back_before_what_was_done_earlier(reel: Reel, kit: Path) -> None:
    """`reel undo` passed over it, and took back the change before it as "the last change"."""
    was = (kit / "ring1/active.yaml").read_bytes()
    reel("exemplar", "retire", "up-at-five").ok()
    reel.given("record", "-", stdin=chat())
    counted = json.loads(reel("status", "--json").ok().out)["messages"]
    reel("tape", "retract", "2026-02-25-1").ok()
    reel("tape", "retract", "2026-02-25-1", "--undo").ok()
    retired = (kit / "ring1/active.yaml").read_bytes()

    done = reel("undo").ok()

    assert done.out == "Took back: 2026-02-25-1 stands again\n"
    assert done.err.splitlines() == [
        "2026-02-25-1 is taken back, as it was.",
        "Nothing is lost; the other way:  reel tape retract 2026-02-25-1 --undo",
    ]
    assert json.loads(reel("status", "--json").ok().out)["messages"] == 0
    assert (kit / "ring1/active.yaml").read_bytes() == retired
    assert reel("redo").err.splitlines()[1] == (
        "Hint: to let it count again:  reel tape retract 2026-02-25-1 --undo"
    )
    # asked again, the one before it
    reel("undo").ok()
    assert (kit / "ring1/active.yaml").read_bytes() == was
    reel("tape", "retract", "2026-02-25-1", "--undo").ok()
    assert json.loads(reel("status", "--json").ok().out)["messages"] == counted


def test_that_no_page_is_wanted_is_taken_back_and_the_page_is_due_again(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    due = reel("status").ok().out
    reel("checkpoint", "--drop").ok()
    assert reel("status").ok().out != due
    looked = reel("undo", "--dry-run").ok()
    assert looked.out == "This would take back: no page of 2026-02-25-1 is wanted\n"

    done = reel("undo").ok()

    assert done.out == "Took back: no page of 2026-02-25-1 is wanted\n"
    assert done.err.splitlines() == [
        "The page is asked for again:  reel checkpoint --session 2026-02-25-1",
        "Nothing is lost; the other way:  reel checkpoint --session 2026-02-25-1 --drop",
    ]
    assert reel("status").ok().out == due
    reel("tape", "verify").ok()
    assert "The last change recorded the chat" in reel("undo").err
    assert reel("redo").err.splitlines()[1] == (
        "Hint: to do without it again:  reel checkpoint --session 2026-02-25-1 --drop"
    )
    reel("checkpoint", "--session", "2026-02-25-1", "--drop").ok()
    assert reel("status").ok().out != due


def test_a_chat_that_was_done_without_a_page_twice_is_so_once_after_an_undo(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    reel("checkpoint", "--drop").ok()
    before = left_without_page(Snapshot(WorkTree(kit), kit.name), "2026-02-25-1")
    assert before
    reel("record", "-", stdin=chat(("user", "One more thing."), ("assistant", "Say it."))).ok()
    due = reel("status").ok().out
    reel("checkpoint", "--drop").ok()
    reel("undo").ok()
    assert reel("status").ok().out == due
    assert left_without_page(Snapshot(WorkTree(kit), kit.name), "2026-02-25-1") == before
    assert "The last change only added messages" in reel("undo").err


def test_a_chat_dropped_twice_without_a_new_message_is_due_again_after_one_undo(
    reel: Reel, kit: Path
) -> None:
    reel.given("record", "-", stdin=chat())
    due = reel("status").ok().out
    reel("checkpoint", "--drop").ok()
    noted = head(kit)
    reel("checkpoint", "--session", "2026-02-25-1", "--drop").ok()
    assert head(kit) == noted
    reel("undo").ok()
    assert reel("status").ok().out == due


def test_no_page_is_asked_for_again_of_a_chat_that_was_taken_back(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    reel("checkpoint", "--drop").ok()
    reel("tape", "retract", "2026-02-25-1").ok()
    assert "There is nothing left to undo." in reel("undo").err


@pytest.mark.needs("intake")
def test_what_was_noticed_in_a_chat_that_was_taken_back_is_passed_over_too(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat(("user", "Remind me on Thursday to call Pip.")))
    assert (kit / "intake.yaml").exists()
    reel("tape", "retract", "2026-02-25-1").ok()
    assert reel("undo").err.splitlines()[1] == (
        "Hint: to make the chat that was taken back count again:  reel tape retract 2026-02-25-1 --undo"
    )


def test_a_chat_that_was_taken_back_is_passed_over(reel: Reel, kit: Path) -> None:
    was = (kit / "ring1/active.yaml").read_bytes()
    reel("exemplar", "retire", "up-at-five").ok()
    reel.given("record", "-", stdin=chat())
    reel("tape", "retract", "2026-02-25-1").ok()
    tape = (kit / "tape/2026/2026-02-25-1.md").read_bytes()

    reel("undo").ok()

    assert (kit / "ring1/active.yaml").read_bytes() == was
    assert (kit / "tape/2026/2026-02-25-1.md").read_bytes() == tape


def test_the_kits_making_is_not_undone(reel: Reel, kit: Path) -> None:
    done = reel("undo")
    assert done.code == 1
    assert (kit / "ring0/identity.md").exists()


def test_a_rejected_suggestion_comes_back(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page({"Who I am on paper": "Yes, softer."}))
    reel("review", "reject", "2026-02-25-1.1-identity").ok()
    done = reel("undo").ok()
    assert re.search("Back: the suggestion “.+”", done.err)
    assert [one["item"] for one in json.loads(reel("review", "--json").ok().out)] == [
        "2026-02-25-1.1-identity"
    ]
    assert (kit / "review/2026-02-25-1.1-identity.md").exists()


def test_a_kit_that_is_not_under_git_has_nothing_to_undo(reel: Reel, kit: Path) -> None:
    shutil.rmtree(kit / ".git")
    done = reel("undo")
    assert done.code == 3
    assert "has no history (git) yet" in done.err


def test_it_can_be_taken_back_unasked(reel: Reel, kit: Path) -> None:
    reel("exemplar", "retire", "up-at-five").ok()
    asked = reel("undo", stdin="n\n", tty=True).ok().err
    assert asked.startswith("The last change: ")
    assert "\nTake it back? [Y/n]" in asked
    assert asked.endswith("Nothing was changed.\n")
    assert "Took back" in reel("undo", "--yes", tty=True).ok().out


def test_what_was_taken_back_is_done_again_step_by_step(reel: Reel, kit: Path) -> None:
    was = (kit / "ring1/active.yaml").read_bytes()
    reel("exemplar", "retire", "up-at-five").ok()
    one = (kit / "ring1/active.yaml").read_bytes()
    reel("exemplar", "retire", "the-bus-window").ok()
    two = (kit / "ring1/active.yaml").read_bytes()
    reel("undo").ok()
    reel("undo").ok()
    asked = reel("redo", stdin="n\n", tty=True).ok().err
    assert asked.startswith("You took this change back: ")
    assert "\nMake this change again? [Y/n]" in asked
    assert reel("redo").ok().out.startswith("Done again: ")
    assert (kit / "ring1/active.yaml").read_bytes() == one
    reel("redo").ok()
    assert (kit / "ring1/active.yaml").read_bytes() == two
    assert reel("redo").err.startswith("Error: There is nothing to do again")
    reel("undo").ok()
    assert (kit / "ring1/active.yaml").read_bytes() == one
    reel("undo").ok()
    assert (kit / "ring1/active.yaml").read_bytes() == was
    reel("redo").ok()
    assert (kit / "ring1/active.yaml").read_bytes() == one


def test_a_page_and_what_it_brought_come_back_whole(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    tree = git(kit, "rev-parse", "HEAD^{tree}").strip()
    reel("undo").ok()
    done = reel("redo").ok()
    assert done.out == "Done again: The letter that wasn't hers (2026-02-25-1)\n"
    assert git(kit, "diff", "--name-only", tree, "HEAD").split() == ["tape/events.md"]
    assert [one["op"] for one in json.loads(reel("log", "--json").ok().out)][:3] == [
        "redo",
        "undo",
        "checkpoint",
    ]
    again, back, first = reel("log").ok().out.splitlines()[:3]
    assert again.split("redone")[1].strip() == back.split("undone")[1].strip()
    assert again.split("redone")[1].strip().startswith("The letter that wasn't hers")
    assert first.split()[2] == "remembered"


def test_something_done_since_leaves_nothing_to_do_again(reel: Reel, kit: Path) -> None:
    reel("exemplar", "retire", "up-at-five").ok()
    reel("undo").ok()
    reel("exemplar", "retire", "the-bus-window").ok()
    before = head(kit)
    done = reel("redo")
    assert done.code == 1
    assert "nothing was undone since the last change" in done.err
    assert head(kit) == before


def test_a_pin_that_was_taken_back_is_set_again(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    reel("memory", "pin", "M-001").ok()
    # what was shown meanwhile is noted in the journal as well
    pinned = reel("memory", "show", "M-001").ok().out
    reel("undo").ok()
    assert reel("memory", "show", "M-001").ok().out != pinned
    reel("redo").ok()
    assert reel("memory", "show", "M-001").ok().out == pinned


def test_a_memory_let_go_again_is_told_as_let_go(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    reel("forget", "M-001", "--yes").ok()
    gone = reel("log", "--forgotten").ok().out
    reel("undo").ok()
    reel("redo").ok()
    assert reel("log", "--forgotten").ok().out == gone
    assert "redone" in reel("why", "M-001").ok().out


def test_an_undo_that_cannot_be_made_says_what_stands_in_its_way(reel: Reel, kit: Path) -> None:
    reel("exemplar", "retire", "up-at-five").ok()
    path = kit / "ring1/active.yaml"
    path.write_text(path.read_text("utf-8").replace("the-bus-window", "the-other-window"), "utf-8")
    before = path.read_bytes()
    git(kit, "commit", "-qam", "another window")
    done = reel("undo")
    assert done.code == 1
    assert "ring1/active.yaml was changed again later in the same place, by hand" in done.err
    assert path.read_bytes() == before


def save(place: Path, text: str, day: str = "2031-03-01") -> bytes:
    """Write a file as a person's editor does, on that day, and return what it held."""
    before = place.read_bytes()
    place.write_text(text, "utf-8")
    at = datetime.fromisoformat(f"{day}T12:00:00+00:00").timestamp()
    os.utime(place, (at, at))
    return before


def test_an_edit_that_waits_is_taken_back_and_had_again(reel: Reel, kit: Path) -> None:
    reel("exemplar", "retire", "up-at-five").ok()
    reel.given("record", "-", stdin=chat())
    identity, working = kit / "ring0/identity.md", kit / "ring2/working.md"
    was, before = save(identity, "You are Ada, a lighthouse.\n"), head(kit)
    notes = save(working, "# State\n\nAll new.\n", "2031-03-02")
    done = reel("undo").ok()
    assert done.out == "Took back: your edit of where things stand\n"
    assert done.err == "Nothing is lost; the other way:  reel redo\n"
    assert working.read_bytes() == notes
    assert "your edit of who Ada is" in reel("undo").ok().out
    assert identity.read_bytes() == was
    assert head(kit) == before
    assert git(kit, "status", "--porcelain") == ""
    assert "your edit of who Ada is" in reel("redo").ok().out
    assert identity.read_text("utf-8") == "You are Ada, a lighthouse.\n"
    assert "your edit of where things stand" in reel("redo").ok().out
    assert working.read_text("utf-8") == "# State\n\nAll new.\n"
    assert reel("redo").err.startswith("Error: There is nothing to do again")
    first, *_ = json.loads(reel("review", "--json").ok().out)
    assert first["item"] == "ring0/identity.md"


def test_a_change_made_after_an_edit_is_taken_back_first(reel: Reel, kit: Path) -> None:
    save(kit / "ring2/working.md", "# State\n\nAll new.\n", "2027-01-01")
    reel("exemplar", "retire", "up-at-five", env={"REEL_NOW": "2028-01-01T12:00:00+01:00"}).ok()
    assert "Up at five" in reel("undo").ok().out
    assert "your edit of where things stand" in reel("undo").ok().out
    assert "your edit of where things stand" in reel("redo").ok().out
    assert "Up at five" in reel("redo").ok().out


def test_what_was_done_again_is_taken_back_before_an_older_edit(reel: Reel, kit: Path) -> None:
    reel("exemplar", "retire", "up-at-five", env={"REEL_NOW": "2026-01-01T12:00:00+01:00"}).ok()
    reel("undo", env={"REEL_NOW": "2026-02-01T12:00:00+01:00"}).ok()
    save(kit / "ring2/working.md", "# State\n\nAll new.\n", "2027-01-01")
    reel("redo", env={"REEL_NOW": "2028-01-01T12:00:00+01:00"}).ok()
    assert "Up at five" in reel("undo", env={"REEL_NOW": "2028-02-01T12:00:00+01:00"}).ok().out
    assert "your edit of where things stand" in reel("undo").ok().out


def test_an_edit_that_no_redo_reaches_any_more_is_named_with_its_file(reel: Reel, kit: Path) -> None:
    reel("exemplar", "retire", "up-at-five").ok()
    save(kit / "ring2/working.md", "# State\n\nAll new.\n")
    reel("undo").ok()
    reel("fact", "add", "home", "where", "a tower").ok()
    done = reel("redo")
    assert "Your edit of where things stand, which you took back before that, is kept in a file." in done.err
    kept = done.err.rpartition("less ")[2].strip()
    assert (kit / kept).read_text("utf-8") == "# State\n\nAll new.\n"


def test_an_edit_that_was_kept_is_taken_back_as_one(reel: Reel, kit: Path) -> None:
    reel("exemplar", "retire", "up-at-five").ok()
    was = save(kit / "ring2/working.md", "# State\n\nAll new.\n")
    reel("review", "accept", "ring2/working.md").ok()
    done = reel("undo").ok()
    assert done.out == "Took back: your edit of where things stand\n"
    assert (kit / "ring2/working.md").read_bytes() == was
    assert reel("redo").ok().out == "Done again: your edit of where things stand\n"
    assert (kit / "ring2/working.md").read_text("utf-8") == "# State\n\nAll new.\n"


def test_a_file_deleted_by_hand_is_there_again(reel: Reel, kit: Path) -> None:
    place = kit / "ring1/up-at-five.md"
    place.unlink()
    os.utime(place.parent, (2e9, 2e9))
    assert reel("undo").ok().out == "Took back: the deletion of the example “Up at five”\n"
    assert place.exists()
    reel("redo").ok()
    assert not place.exists()


def test_an_approval_that_changed_no_text_says_so(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    save(kit / "ring0/identity.md", "You are Ada, a lighthouse.\n")
    git(kit, "commit", "-qam", "a lighthouse", "--no-verify")
    reel("review", "accept", "ring0/identity.md", "--as", "Bo <bo@example.org>", "--yes").ok()
    done = reel("undo")
    assert done.code == 1
    assert done.err.splitlines() == [
        "Error: The last change approved who Ada is as it stood, and changed no text.",
        "Hint: to change it:  reel edit identity",
    ]


def test_an_edit_in_the_second_of_the_last_change_is_the_newest(reel: Reel, kit: Path) -> None:
    reel("config", "window", "16k").ok()
    when = int(git(kit, "log", "-1", "--format=%ct"))
    working = kit / "ring2/working.md"
    working.write_text(working.read_text() + "- tea\n")
    os.utime(working, (when, when))
    assert "your edit of where things stand" in reel("undo", "--dry-run").ok().out


def test_an_older_edit_that_is_not_kept_yet_is_named(reel: Reel, kit: Path) -> None:
    working = kit / "ring2/working.md"
    working.write_text(working.read_text() + "- tea\n")
    os.utime(working, (0, 0))
    reel("config", "window", "16k").ok()
    done = reel("undo", "--dry-run").ok()
    assert "window 16k" in done.out
    assert "Your edit of where things stand is older and is not in the history yet; it stays" in done.err
    reel("record", "-", stdin=chat()).ok()
    assert "it stays:  reel review" in reel("undo", tty=True, stdin="\n").ok().err


def test_undo_brings_back_a_text_that_review_put_back(reel: Reel, kit: Path) -> None:
    identity = kit / "ring0/identity.md"
    was = identity.read_text()
    mine = f"{was}\nShe likes rain.\n"
    identity.write_text(mine)
    no = reel("review", "reject", "ring0/identity.md", "--yes").ok()
    assert identity.read_text() == was
    assert "Your text of it is kept. To have it back:  reel undo" in no.err
    looked = reel("undo", "--dry-run").ok()
    assert "This would take back: your no to your edit of who Ada is" in looked.out
    back = reel("undo", "--yes").ok()
    assert identity.read_text() == mine
    assert "the other way:  reel review" in back.err
    # it is an edit that waits again, and can be taken back as one
    assert "identity.md" in reel("review").ok().out
    reel("undo", "--yes").ok()
    assert identity.read_text() == was
    reel("redo", "--yes").ok()
    assert identity.read_text() == mine


def test_a_text_put_back_in_review_does_not_come_over_a_newer_one(reel: Reel, kit: Path) -> None:
    identity = kit / "ring0/identity.md"
    was = identity.read_text()
    identity.write_text(f"{was}\nShe likes rain.\n")
    reel("review", "reject", "ring0/identity.md", "--yes").ok()
    identity.write_text(f"{was}\nShe likes snow.\n")
    reel("undo", "--yes").ok()
    assert identity.read_text() == was


def test_redo_lets_a_chat_count_again_that_was_taken_back(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    counted = reel("tape", "list").ok().out
    reel("undo", stdin="y\n", tty=True).ok()
    assert (
        reel().ok().out.startswith("Ada. No chat counts: 1 chat taken back. To see which:  reel tape list\n")
    )
    asked = reel("redo", stdin="n\n", tty=True).ok()
    assert "You took this change back: the letter (2026-02-25-1)" in asked.err
    reel("redo").ok()
    assert reel("tape", "list").ok().out == counted
    assert "2026-02-25-1 counts again" in reel("log").ok().out


def test_a_no_in_review_is_not_taken_back_before_what_was_recorded_since(reel: Reel, kit: Path) -> None:
    working = kit / "ring2/working.md"
    mine = f"{working.read_text()}\n- buy milk\n"
    working.write_text(mine)
    reel("review", "reject", "ring2/working.md", "--yes").ok()
    # the clock of the commit is behind that of the file
    reel("record", "-", stdin=chat(), env={"REEL_NOW": "2026-02-26T12:00:00+01:00"}).ok()
    assert reel("undo", "--dry-run").err.startswith("Error: The last change recorded the chat of")
    reel("undo", tty=True, stdin="y\n").ok()
    reel("redo").ok()
    reel("undo", tty=True, stdin="y\n").ok()
    assert "your no to your edit of where things stand" in reel("undo", "--yes").ok().out
    assert working.read_text() == mine


LATER = {"REEL_NOW": "2026-02-27T22:00:00+01:00"}


def test_redo_brings_chats_and_memories_back_in_the_order_undone(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    reel("record", "-", stdin="Bo: Pip is back.\n\nAda: So it is light.\n", env=LATER).ok()
    wants = [reel("tape", "list").ok().out, reel("memory", "list").ok().out]
    told = [reel("undo", "--yes").ok() for _ in range(3)]
    assert [one.out.split()[0] for one in told] == ["Set", "Took", "Set"]
    assert all(one.err.endswith("Nothing is lost; the other way:  reel redo\n") for one in told)
    assert "reel tape retract 2026-02-27-1 2026-02-25-1 --undo" in reel("undo").err
    looked = reel("redo", "--dry-run").ok()
    assert looked.out == "This would do again: the letter (2026-02-25-1)\n"
    again = [reel("redo", "--yes").ok() for _ in range(3)]
    assert ["The chat counts again." in one.err for one in again] == [True, False, True]
    assert "the other way:  reel undo" in again[0].err
    assert [reel("tape", "list").ok().out, reel("memory", "list").ok().out] == wants
    assert reel("redo").err.startswith("Error: There is nothing to do again")
    # and it can be taken back once more
    assert reel("undo", "--yes").ok().out.startswith("Set aside")


def test_redo_stops_where_the_memory_of_a_chat_was_let_go_since(reel: Reel, kit: Path) -> None:
    reel.given("record", "-", stdin=chat())
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    reel("exemplar", "retire", "up-at-five").ok()
    reel("tape", "retract", "2026-02-25-1").ok()
    reel("forget", "M-001", "--yes").ok()
    assert reel("redo").err.startswith("Error: There is nothing to do again")
