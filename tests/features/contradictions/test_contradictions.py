"""Contradictions from the page that brings the second claim to a person's decision, as whole commands."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.files.front_matter import set_fields
from tests.support.cli import Reel, git
from tests.support.pages import CHAT, chat, page
from tests.support.shelf import ready_made

NOTE = "Marta's vet is on Friday, 27 February 2026"
FIRST = {
    "What happened": "He said I was colder than usual. The residency deadline is 30 April.",
    "My notes": "1. still\nnew: Marta's vet is on Friday",
}
LATER: dict[str, Any] = {
    **CHAT,
    "title": "later",
    "created_at": "2026-02-26T19:00:00+00:00",
    "messages": [
        {
            "role": "user",
            "content": "The deadline is 15 May, I looked again. And Marta's vet is on Saturday.",
        },
        {"role": "assistant", "content": "Then there is air in it. Fifteenth of May, I have it."},
    ],
}
SECOND: dict[str, str | None] = {
    "In a few words": "Air in it",
    "What happened": "He looked again: the deadline is 15 May.",
    "Lines to find it by": '"I looked again"\n"there is air in it"',
    "What has shifted": '"Then there is air in it."\nsteady',
    "My notes": "1. still",
}
ITEM = "2026-02-26-1-contradiction-1"
PAIR = "two that do not agree: “The residency deadline is 30…” and “He looked again: the deadline…”"
OLD, NEW = "The residency deadline is 30 April.", "He looked again: the deadline is 15 May."


def keep(reel: Reel, changes: dict[str, str | None]) -> dict[str, Any]:
    run = reel("checkpoint", "--reply", "-", "--yes", "--json", stdin=page(changes)).ok()
    answer: dict[str, Any] = json.loads(run.out)
    return answer


@pytest.fixture
def told(reel: Reel, kit: Path) -> Path:
    """A kit that remembers one deadline, and an evening on which another was told."""

    def tell() -> None:
        reel("record", "-", stdin=chat()).ok()
        keep(reel, dict(FIRST))
        reel("record", "-", stdin=json.dumps(LATER)).ok()

    ready_made(kit, "two evenings", tell)
    return kit


@pytest.fixture
def torn(reel: Reel, told: Path) -> Path:
    """The same kit with the page that disagrees."""
    ready_made(told, "the page that disagrees", lambda: keep(reel, SECOND))
    return told


def waiting(reel: Reel) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(reel("review", "--json").ok().out)
    return found


def tell_it_again(reel: Reel) -> None:
    """Another evening, on whose page the same is told once more."""
    messages = [{"role": "user", "content": "As I said."}, *LATER["messages"]]
    more = {**LATER, "created_at": "2026-02-27T19:00:00+00:00", "title": "again", "messages": messages}
    reel("record", "-", stdin=json.dumps(more)).ok()
    keep(reel, {**SECOND, "How I was": "Warm."})


def bundle(reel: Reel, *more: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reel("pack", "--json", *more).ok().out)
    return found


def test_the_pair_is_shown_with_the_page_and_both_stay(reel: Reel, told: Path) -> None:
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=page(SECOND)).ok()
    older, newer = f'a memory (25 February 2026): "{OLD}"', f'a memory (26 February 2026): "{NEW}"'
    shown = f"  {older} does not agree with {newer}; both stay until you decide\n"
    assert shown in run.err[run.err.index("Worth a look:") :]
    assert OLD in (told / "ring3/M-001.md").read_text()
    assert NEW in (told / f"ring3/{max(p.name for p in (told / 'ring3').iterdir())}").read_text()
    assert git(told, "status", "--porcelain") == ""


def test_in_full_no_heading_stands_alone_and_both_sides_are_there(reel: Reel, told: Path) -> None:
    (told.parent / "page.md").write_text(page(SECOND))
    run = reel("checkpoint", "--reply", str(told.parent / "page.md"), tty=True, stdin="v\nn\n")
    lines = run.err.splitlines()
    heads = [
        at
        for at, line in enumerate(lines)
        if line.strip() in ("Two that do not agree:", "For you to decide, in full")
    ]
    assert all(lines[at + 1].strip() for at in heads)
    assert OLD in run.err
    assert NEW in run.err


def test_a_program_is_told_as_well(reel: Reel, told: Path) -> None:
    assert told.is_dir()
    answer = keep(reel, SECOND)
    assert answer["review"] == [f"review/{ITEM}.md"]
    assert [p["field"] for p in answer["problems"] if p["field"] == "contradiction"] == ["contradiction"]


def test_a_note_in_working_memory_is_held_against_what_a_new_page_tells(reel: Reel, told: Path) -> None:
    keep(reel, {**SECOND, "What happened": "Marta's vet is on Saturday. We laughed."})
    (one,) = waiting(reel)
    assert one["diff"].splitlines()[0] == f"· where things stand: {json.dumps(NOTE)}"
    assert "Marta's vet is on Friday" in (told / "ring2/working.md").read_text()


def test_a_note_that_the_same_page_puts_right_is_no_contradiction(reel: Reel, told: Path) -> None:
    notes = "1. still\n2. changed: Marta's vet is on Saturday"
    keep(reel, {**SECOND, "What happened": "Marta's vet is on Saturday.", "My notes": notes})
    assert waiting(reel) == []
    assert told.is_dir()


def test_it_waits_and_is_listed_by_review_and_status(reel: Reel, torn: Path) -> None:
    assert torn.is_dir()
    (one,) = waiting(reel)
    assert (one["item"], one["kind"]) == (ITEM, "contradiction")
    assert one["diff"] == f'· a memory (25 February 2026): "{OLD}"\n· a memory (26 February 2026): "{NEW}"\n'
    assert reel("review", "show", ITEM).ok().out.splitlines()[:2] == [
        ITEM,
        f"  T{PAIR[1:]}; both stay until you decide; say whether both may stand, or which holds now.",
    ]
    assert json.loads(reel("status", "--json").ok().out)["review"] == [ITEM]
    assert f"  {PAIR}\n" in reel("status").ok().out


def test_the_doctor_tells_of_it_in_one_line(reel: Reel, torn: Path) -> None:
    found = json.loads(reel("doctor", "--only", "integrity", "--json").ok().out)["findings"]
    assert [(one["severity"], one["evidence"], one["mend"]) for one in found if one["check"] == "review"] == [
        ("hint", "two things that are held do not agree, and wait for your decision", "reel review")
    ]
    reel("review", "accept", ITEM, "--yes").ok()
    found = json.loads(reel("doctor", "--only", "integrity", "--json").ok().out)["findings"]
    assert [one for one in found if one["check"] == "review"] == []


def test_the_bundle_tells_the_persona_in_one_line_that_is_counted(reel: Reel, torn: Path) -> None:
    """REEL §3.5: rank the chat above all memory, then the rings by how current they are."""
    found = bundle(reel)
    line = (
        f'- Two things you hold do not agree: "{OLD}" (25 February 2026), and "{NEW}" (26 February 2026).'
        " You may ask which holds.\n"
    )
    assert f"## What does not agree yet\n\n{line}\n## Here and now\n" in found["text"]
    (unit,) = [item for item in found["loaded"] if item["id"] == ITEM]
    assert (unit["ring"], unit["tokens"] > 0) == ("frame", True)
    assert sum(item["tokens"] for item in found["loaded"]) == found["tokens"]
    assert "M-0" not in found["text"]
    (torn / ".reel/cache/catalog.sqlite").unlink()
    assert bundle(reel)["text"] == found["text"]


def test_a_refresh_tells_it_once(reel: Reel, told: Path) -> None:
    reel("start").ok()
    keep(reel, SECOND)
    assert told.is_dir()
    assert "do not agree" in reel("pack", "--since-last").ok().out
    assert "do not agree" not in reel("pack", "--since-last").ok().out


def test_both_may_stand_and_the_pair_does_not_come_back(reel: Reel, torn: Path) -> None:
    run = reel("review", "accept", ITEM, "--yes").ok()
    assert run.out == "Two things that did not agree: both stand.\n"
    assert waiting(reel) == []
    assert not (torn / f"review/{ITEM}.md").exists()
    settled = (torn / "review/settled.yaml").read_text()
    assert "  word: both stand\n" in settled
    assert f"M-001: {OLD}" in settled
    assert "do not agree:" not in bundle(reel)["text"]
    tell_it_again(reel)
    assert waiting(reel) == []


def test_the_same_pair_does_not_wait_twice(reel: Reel, torn: Path) -> None:
    assert torn.is_dir()
    tell_it_again(reel)
    assert [one["item"] for one in waiting(reel)] == [ITEM]


@pytest.mark.parametrize("word", ["newer", "M-004"])
def test_where_one_holds_the_other_is_marked_and_keeps_its_text(reel: Reel, torn: Path, word: str) -> None:
    before = (torn / "ring3/M-001.md").read_text()
    run = reel("review", "accept", ITEM, "--holds", word, "--yes").ok()
    assert "Two things that did not agree: “He looked again: the deadline is 15 May.” holds now.\n" in run.out
    after = (torn / "ring3/M-001.md").read_text()
    assert after == set_fields(before, {"no_longer": f'"{NEW}"'}, "")
    assert f"(Not all of it holds any longer. What holds: {NEW})" in bundle(reel, "--window", "32k")["text"]
    assert reel("tape", "verify").code == 0
    reel("undo").ok()
    assert (torn / "ring3/M-001.md").read_text() == before
    assert [one["item"] for one in waiting(reel)] == [ITEM]


def test_the_older_may_be_the_one_that_holds(reel: Reel, torn: Path) -> None:
    reel("review", "accept", ITEM, "--holds", "older", "--yes").ok()
    assert f"no_longer: {OLD}\n" in (torn / "ring3/M-004.md").read_text()


@pytest.mark.usefixtures("torn")
def test_the_life_of_a_memory_says_what_contradicts_it(reel: Reel) -> None:
    assert "It contradicts: “" in reel("why", "M-001").ok().out
    found = json.loads(reel("why", "M-001", "--json").ok().out)["contradicts"]
    assert [one["id"] for one in found] == ["M-004"]


def test_what_is_no_contradiction_is_rejected_and_stays_rejected(reel: Reel, torn: Path) -> None:
    reel("review", "reject", ITEM, "--yes").ok()
    assert "  word: not a contradiction\n" in (torn / "review/settled.yaml").read_text()
    assert waiting(reel) == []


def test_at_a_terminal_the_person_is_asked_which_holds(reel: Reel, torn: Path) -> None:
    run = reel("review", "accept", ITEM, tty=True, stdin="2\n").ok()
    keys = "1: the first holds. 2: the second holds. b: both are right."
    assert f"Which holds now? {keys}" in " ".join(run.err.split())
    assert run.err.count("a memory (25 February 2026)") == 1
    assert "no_longer: " in (torn / "ring3/M-001.md").read_text()


def test_who_is_asked_which_holds_may_leave_it_for_later(reel: Reel, torn: Path) -> None:
    before = git(torn, "rev-parse", "HEAD")
    for typed in ("q\n", ""):
        run = reel("review", "accept", ITEM, tty=True, stdin=typed)
        assert "Nothing was changed; it still waits." in run.err
    assert git(torn, "rev-parse", "HEAD") == before


def test_a_dry_run_changes_nothing(reel: Reel, torn: Path) -> None:
    before = git(torn, "rev-parse", "HEAD")
    reel("review", "accept", ITEM, "--holds", "newer", "--dry-run").ok()
    assert (git(torn, "rev-parse", "HEAD"), git(torn, "status", "--porcelain")) == (before, "")


def test_a_side_that_there_is_not_is_refused(reel: Reel, torn: Path) -> None:
    run = reel("review", "accept", ITEM, "--holds", "M-009", "--yes")
    assert (run.code, run.err) == (
        2, "Error: 'M-009' is neither side of it.\nHint: say  --holds older, newer or both\n",
    )  # fmt: skip
    assert torn.is_dir()


def test_holds_is_for_contradictions_alone(reel: Reel, torn: Path) -> None:
    (torn / "ring2/working.md").write_text("## State\n\nmine\n")
    run = reel("review", "accept", "ring2/working.md", "--holds", "older")
    assert (run.code, run.err.splitlines()[0]) == (2, "Error: --holds is for two things that do not agree.")


def test_a_note_that_does_not_hold_is_put_right_with_the_decision(reel: Reel, told: Path) -> None:
    keep(reel, {**SECOND, "What happened": "Marta's vet is on Saturday. We laughed."})
    why = waiting(reel)[0]["why"]
    note = f"if the second holds, the note “{NOTE}” then reads “Marta's vet is on Saturday, 28 February 2026”"
    assert note in why
    walked = reel("review", tty=True, stdin="q\n", env={"COLUMNS": "200"}).ok().err
    assert (
        walked.index("Both stay until you decide.")
        < walked.index(f"I{note[1:]}.\n")
        < walked.index("2: the second holds")
    )
    reel("review", "accept", ITEM, "--holds", "newer", "--yes").ok()
    assert "- Marta's vet is on Saturday" in (told / "ring2/working.md").read_text()
    assert "vet is on Friday" not in bundle(reel)["text"]
    reel("undo", "--yes").ok()
    assert "- Marta's vet is on Friday" in (told / "ring2/working.md").read_text()


def test_a_note_put_right_by_hand_leaves_nothing_to_settle(reel: Reel, told: Path) -> None:
    keep(reel, {**SECOND, "What happened": "Marta's vet is on Saturday. We laughed."})
    text = (told / "ring2/working.md").read_text()
    (told / "ring2/working.md").write_text(text.replace("on Friday", "on Saturday"))
    assert "one of them reads otherwise by now" in waiting(reel)[0]["why"]
    assert "do not agree:" not in bundle(reel)["text"]


def test_notes_that_repeat_what_no_longer_holds_go_with_the_decision(reel: Reel, torn: Path) -> None:
    place = torn / "ring2/working.md"
    loops = "- The residency deadline, 30 April.\n- Post the form before the deadline of 30 April.\n"
    place.write_text(f"{place.read_text().rstrip()}\n\n## Open loops\n\n{loops}- Ring Marta.\n")
    reel("review", "accept", "ring2/working.md", "--yes").ok()
    reel("review", "accept", ITEM, "--holds", "newer", "--yes").ok()
    after = place.read_text()
    assert loops.splitlines()[0] not in after
    assert f"- {NEW} (noted 26 February 2026)\n" in after
    assert f"- Post the form before the deadline of 30 April. (now: {NEW.rstrip('.')})" in after
    assert "- Ring Marta.\n" in after


MOVED = "Marta's vet is on Saturday after all, not on Friday."


def test_a_fact_and_a_note_with_a_value_that_a_page_takes_back_are_asked_about_once(
    reel: Reel, told: Path
) -> None:
    then = {"REEL_NOW": "2026-02-25T21:00:00+00:00"}
    reel("fact", "add", "commitments", "Marta's vet", "on Friday", env=then).ok()
    answer = keep(reel, {**SECOND, "What happened": f"{MOVED} We laughed."})
    (told_of,) = [one["what"] for one in answer["problems"] if one["field"] == "contradiction"]
    assert '"Marta\'s vet: on Friday" has changed, as told in a memory (26 February 2026)' in told_of
    (one,) = waiting(reel)
    assert one["what"].startswith("one that has changed: “Marta's vet: on Friday” and “Marta's")
    assert one["diff"].splitlines()[0].endswith('"Marta\'s vet: on Friday"')
    assert f"if the second holds, the note “{NOTE}” then reads" in one["why"]
    reel("review", "accept", one["item"], "--holds", "newer", "--yes").ok()
    assert waiting(reel) == []
    assert "- Marta's vet is on Saturday, 28 February 2026" in (told / "ring2/working.md").read_text()
    listed = reel("fact", "list").ok().out
    assert "Marta's vet: on Saturday, 28 February 2026 " in " ".join(listed.split())
    assert "before: on Friday" in " ".join(listed.split())
    reel("doctor").ok()
    reel("undo", "--yes").ok()
    assert "Marta's vet is on Friday" in (told / "ring2/working.md").read_text()


def test_a_fact_of_which_a_sentence_gives_no_value_is_asked_for(reel: Reel, told: Path) -> None:
    then = {"REEL_NOW": "2026-02-25T21:00:00+00:00"}
    reel("fact", "add", "commitments", "Marta's vet", "on Friday", env=then).ok()
    keep(reel, {**SECOND, "What happened": "Marta's vet is on Saturday or on Sunday, not on Friday."})
    (one,) = waiting(reel)
    assert "if the second holds, say first what the fact “Marta's vet: on Friday” says now" in one["why"]
    run = reel("review", "accept", one["item"], "--holds", "newer", "--yes")
    assert run.code == 1
    hints = run.err.partition("say it:  ")[2].strip().split("   and then:  ")
    for hint in hints:
        assert ("one of them reads otherwise by now" in waiting(reel)[0]["why"]) is ("review" in hint)
        reel(*shlex.split(hint)[1:], *(["--yes"] if "review" in hint else [])).ok()
    assert waiting(reel) == []
    assert "Marta's vet: THE NEW VALUE" in " ".join(reel("fact", "list").ok().out.split())
    reel("doctor").ok()
    assert told.is_dir()


def test_a_fact_beside_the_two_that_do_not_agree_is_put_right_with_them(reel: Reel, torn: Path) -> None:
    then = {"REEL_NOW": "2026-02-25T21:00:00+00:00"}
    reel("fact", "add", "commitments", "residency deadline", "by 30 April", env=then).ok()
    reel("fact", "add", "commitments", "residency pages", "forty", env=then).ok()
    (one,) = waiting(reel)
    assert "the fact “residency deadline: by 30 April” then reads" in one["why"]
    reel("review", "accept", ITEM, "--holds", "newer", "--yes").ok()
    listed = " ".join(reel("fact", "list").ok().out.split())
    assert "before: by 30 April" in listed
    assert "15 May" in listed
    assert "forty" in listed


def test_where_the_fact_holds_the_memory_is_marked(reel: Reel, told: Path) -> None:
    then = {"REEL_NOW": "2026-02-25T21:00:00+00:00"}
    reel("fact", "add", "commitments", "Marta's vet", "on Friday", env=then).ok()
    keep(reel, {**SECOND, "What happened": f"{MOVED} We laughed."})
    reel("review", "accept", waiting(reel)[0]["item"], "--holds", "older", "--yes").ok()
    assert 'no_longer: "Marta\'s vet: on Friday"' in (told / "ring3/M-004.md").read_text()


def test_what_is_forgotten_is_no_longer_told(reel: Reel, torn: Path) -> None:
    text = (torn / "ring4/index.md").read_text()
    (torn / "ring4/index.md").write_text(
        "".join(x for x in text.splitlines(keepends=True) if "M-001" not in x)
    )
    (torn / "ring3/M-001.md").unlink()
    found = bundle(reel)
    assert OLD not in found["text"]
    assert {"ring": "frame", "id": ITEM, "reason": "one of the two is no longer held"} in found["left_out"]


@pytest.mark.parametrize("text", ["---\nkind: contradiction\n---\n", "---\nkind: [\n---\n"])
def test_a_contradiction_that_cannot_be_read_is_told_of_and_packs(reel: Reel, torn: Path, text: str) -> None:
    (torn / f"review/{ITEM}.md").write_text(text)
    assert [one["kind"] for one in waiting(reel)] == ["broken"]
    assert "do not agree:" not in bundle(reel)["text"]


def test_a_record_of_what_was_settled_that_cannot_be_read_is_not_written_over(reel: Reel, torn: Path) -> None:
    (torn / "review/settled.yaml").write_text("a: [\n")
    run = reel("review", "accept", ITEM, "--yes")
    assert run.code == 1
    assert "review/settled.yaml" in run.err
    assert (torn / "review/settled.yaml").read_text() == "a: [\n"
    assert (torn / f"review/{ITEM}.md").exists()


def test_words_that_would_steer_a_terminal_or_name_an_id_do_not_get_through(reel: Reel, torn: Path) -> None:
    file = torn / f"review/{ITEM}.md"
    says = '"The deadline of M-001 is 15 May.\\e[31m"'
    file.write_text(set_fields(file.read_text(), {"newer_says": says}, ""))
    text = bundle(reel)["text"]
    assert "The deadline of that memory is 15 May." in text
    assert "\x1b" not in text


def test_a_page_about_an_older_session_is_the_older_side(reel: Reel, told: Path) -> None:
    earlier = {**LATER, "created_at": "2026-02-20T19:00:00+00:00", "title": "before"}
    earlier["messages"] = [{"role": "user", "content": "The grant interview is on 3 March."}] * 2
    reel("record", "-", stdin=json.dumps(earlier)).ok()
    keep(reel, {**SECOND, "What happened": "The grant interview is on 4 March."})
    before = {
        **SECOND,
        "What happened": "The grant interview is on 3 March.",
        "Lines to find it by": "nothing",
    }
    reel("checkpoint", "--session", "2026-02-20-1", "--reply", "-", "--yes", stdin=page(before)).ok()
    (one,) = waiting(reel)
    assert [line.partition(")")[0] for line in one["diff"].splitlines()] == [
        "· a memory (20 February 2026", "· a memory (26 February 2026",
    ]  # fmt: skip
    assert told.is_dir()


def test_a_hand_edit_of_what_was_settled_must_read(reel: Reel, torn: Path) -> None:
    reel("review", "accept", ITEM, "--yes").ok()
    (torn / "review/settled.yaml").write_text("a: [\n")
    run = reel("review", "accept", "review/settled.yaml", "--yes")
    assert (run.code, "review/settled.yaml, line" in run.err) == (1, True)


def test_what_a_later_chat_puts_right_is_history_and_asked_of_nobody(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    was = "Marta's father turns seventy on Saturday, and nothing is bought; the shop was closed."
    keep(reel, {**FIRST, "What happened": was, "My notes": "1. still\nnew: Marta's father turns seventy."})
    reel("record", "-", stdin=json.dumps(LATER)).ok()
    now = "Marta's father turns sixty-nine on Saturday, not seventy; her mother said so."
    notes = "1. still\n2. changed: Marta's father turns sixty-nine on Saturday."
    keep(reel, {**SECOND, "What happened": now, "My notes": notes})
    assert waiting(reel) == []
    assert "turns sixty-nine" in (kit / "ring2/working.md").read_text()


@pytest.mark.parametrize(
    ("day", "asked"),
    [("on Friday", True), ("on 3 May 1991", False), ("on 20 February 2026", False)],
)
def test_a_fact_of_a_day_that_was_over_when_it_was_told_is_not_moved(
    reel: Reel, told: Path, day: str, *, asked: bool
) -> None:
    """“1991: promised to marry” did not agree with “the move is on 4 April now”."""
    then = {"REEL_NOW": "2026-02-25T21:00:00+00:00"}
    reel("fact", "add", "history", "Marta's vet", f"promised {day}", env=then).ok()
    keep(reel, {**SECOND, "What happened": "Marta's vet moved to Saturday. We laughed."})
    facts = [one for one in waiting(reel) if "promised" in one["diff"]]
    assert bool(facts) is asked
    assert told.is_dir()


def test_a_memory_that_denies_another_in_the_same_words_is_asked_about(reel: Reel, kit: Path) -> None:
    """REEL §3.5: a plain denial on another day was taken for a change and told to nobody."""
    reel("record", "-", stdin=chat()).ok()
    keep(reel, {**FIRST, "What happened": "He said I was colder than usual. Marta is allergic to peanuts."})
    reel("record", "-", stdin=json.dumps(LATER)).ok()
    keep(reel, {**SECOND, "What happened": "Marta is not allergic to peanuts. We laughed."})
    (asked,) = [one for one in waiting(reel) if "peanuts" in one["diff"]]
    assert "Marta is allergic to peanuts." in asked["diff"]
    assert kit.is_dir()
