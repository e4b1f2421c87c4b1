"""The short view of a page at a terminal: each matter once, few lines, and no default beside a doubt."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.terminal.console import Console
from tests.support.cli import Reel, git
from tests.support.pages import PARTS, page, say
from tests.support.terminal_session import Screen

SESSION = "2026-02-10-1"
TALK = [
    ("user", "Ida moved to Graz with the cat. The hull needs sanding before the 12th."),
    ("assistant", "The boat has a date, and the cat doesn't."),
    ("user", "I promised Ida to send her photos. Ask me on Friday whether I've started sanding the hull."),
    ("assistant", "I'll ask on Friday."),
]
PAGE = {
    **PARTS,
    "In a few words": "A boat and a cat in Graz",
    "What happened": "Ida moved to Graz with the cat. The hull needs sanding before the 12th.",
    "What changed": "Nothing.",
    "What matters": "The cat.",
    "What's unresolved": "Whether sanding the hull has started: ask on Friday, 13 February 2026.",
    "Lines to find it by": '"with the cat"\n"needs sanding before the 12th"\n"the cat doesn\'t"',
    "In one breath": "Ida moved to Graz with the cat, and the hull needs sanding.",
    "Who I am on paper": "No.",
    "What has shifted": '"The boat has a date, and the cat doesn\'t." It fits.\nsteady',
    "My notes": "new: The hull needs sanding before the 12th.\nstate: Quiet.",
    "What I know for sure": "constraints | hull | needs sanding before the 12th | The hull needs sanding "
    'before the 12th. | "The hull needs sanding before the 12th" | 0.9',
    "What to keep of this": "1: open — ask on Friday whether the sanding has begun",
}


def lay(reel: Reel, kit: Path, *more: tuple[str, str], **changes: str) -> Path:
    """Record the talk, and `more`, and return the file in which its page lies."""
    say(reel, kit, [*TALK, *more], 10)
    place = kit.parent / "page.md"
    place.write_text(page({**PAGE, **changes}))
    return place


@contextmanager
def stopped_at_the_question() -> Iterator[None]:
    """Stop whatever runs with Ctrl-C at its question."""

    def interrupted(*_: object, **__: object) -> str:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Console, "choose", interrupted)
        yield


def give(reel: Reel, kit: Path, keys: str, *more: tuple[str, str], **changes: str) -> str:
    """Give the page of the talk, and of `more`, at a terminal, and what the screen says after it."""
    place = lay(reel, kit, *more, **changes)
    run = reel("checkpoint", stdin=f"f {place}\n{keys}", tty=True).ok()
    return run.err.partition("\n> ")[2] + run.out


def test_one_matter_is_said_once_and_no_line_is_empty(reel: Reel, kit: Path) -> None:
    told = give(reel, kit, "y\n")
    assert "The page was read" not in told
    assert "\n\n" not in told
    assert "  new: The hull needs sanding before the 12th.\n" in told
    assert "\nFacts\n  new, and in the notes above: hull: needs sanding before the 12th\n" in told
    # what was to be kept in mind is what the page left open
    assert "in mind" not in told
    notes = (kit / "ring2/working.md").read_text()
    assert (notes.count("Friday"), "the sanding has begun" in notes) == (1, False)
    assert told.endswith("Kept. Next time:  reel start   (to take this page back:  reel undo)\n")


def test_a_fact_that_changes_is_told_with_what_it_was(reel: Reel, kit: Path) -> None:
    known = ("category: context", "key: hull", "value: needs tar", "confidence: 0.9", "when: 2026-02-05")
    (kit / "facts.yaml").write_text("- " + "\n  ".join((*known, "origin: extraction")) + "\n")
    git(kit, "add", "facts.yaml")
    git(kit, "commit", "-qm", "by hand")
    sure = PAGE["What I know for sure"].replace("constraints", "context")
    told = give(reel, kit, "y\n", **{"What I know for sure": sure})
    assert "  changed: hull: " in told
    assert "(until now: needs tar)" in " ".join(told.split())


def test_every_word_has_the_fact_in_full(reel: Reel, kit: Path) -> None:
    told = give(reel, kit, "v\nn\n")
    assert "\nFacts\n  new: hull: " in told
    short, whole = told.split("[Y/v/c/e/n] ", 1)
    assert "in the notes above: hull" in short
    assert "  new: hull: " in whole
    assert "in mind already: ask on Friday whether the sanding has begun" in whole


def test_what_was_there_before_the_page_is_in_every_word_alone(reel: Reel, kit: Path) -> None:
    phrase = "Ask me on Friday whether I've started sanding the hull"
    line = f'M-007 | The hull | "{phrase}" | factual | not immune\n'
    with (kit / "ring4/index.md").open("a", encoding="utf-8") as index:
        index.write(line)
    git(kit, "commit", "-qam", "by hand")
    told = give(reel, kit, "v\nn\n", **{"What to keep of this": "1: lived — a day"})
    short, whole = told.split("[Y/v/c/e/n] ", 1)
    assert f"kept as a moment already: “{phrase}" in " ".join(whole.split())
    assert "kept as a moment" not in short


def test_a_program_is_told_how_many_lines_are_shown_in_short(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK, 10)
    told = json.loads(reel("checkpoint", "--reply", "-", "--dry-run", "--json", stdin=page(PAGE)).ok().out)
    counts = {one["what"]: (len(one["lines"]), one["short"]) for one in told["changed"]}
    # the line for a fact that a note says too is none of the section's own
    assert counts["Facts"] == (1, 0)
    assert counts["Where things stand"] == (4, 3)


def test_only_what_words_speak_against_is_shown_in_short(reel: Reel, kit: Path) -> None:
    fact = 'preferences | habit | smokes | Bo smokes. | "My friend Tom smokes" | 0.9\n'
    fact += 'constraints | nuts | allergic to nuts | Bo is allergic. | "I am not allergic to nuts" | 0.9\n'
    fact += 'preferences | tea | oolong | Bo drinks oolong. | "I like tea" | 0.9'
    words = "My friend Tom smokes. I am not allergic to nuts. I like tea."
    said = (("user", words), ("assistant", "He should see the boat."))
    told = give(reel, kit, "v\nn\n", *said, **{"What I know for sure": fact})
    short, whole = told.split("Keep this?", 1)
    assert "1 thing to decide later:  reel review\n" in short
    assert "habit: not kept: “My friend Tom smokes” is about somebody else" in short
    assert "nuts: waits for your decision" not in short
    assert "nuts: waits for your decision: “I am not allergic to nuts” denies it" in whole
    assert ("tea: " in short, "tea: " in whole) == (False, True)


def test_what_is_kept_in_mind_beside_is_a_note_like_any_other(reel: Reel, kit: Path) -> None:
    told = give(reel, kit, "y\n", **{"What's unresolved": "nothing"})
    assert (
        "  new: ask on Friday, 13 February 2026, whether the sanding has begun\n  Going on: Quiet.\n" in told
    )
    assert "Of what was said" not in told


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("A wet free Monday. Bo sands.", "A wet free Monday. Bo sands."),
        ("Something bad on Thursday.", "Something bad on Thursday."),
        ("Bo fell on Thursday.", "Bo fell on Thursday, 5 February 2026."),
        ("Bo fell, and he'll sand on Friday.", "Bo fell, and he'll sand on Friday, 13 February 2026."),
        ("The sanding will begin on Friday.", "The sanding will begin on Friday, 13 February 2026."),
    ],
)
def test_a_weekday_of_how_things_stand_is_to_come_only_where_it_says_so(
    reel: Reel, kit: Path, state: str, told: str
) -> None:
    assert f"  Going on: {told}\n" in give(reel, kit, "y\n", **{"My notes": f"state: {state}"})


def test_beside_a_doubt_enter_keeps_nothing_and_says_what_each_key_does(reel: Reel, kit: Path) -> None:
    doubted = {"My notes": "9. closed\nstate: Quiet."}
    told = give(reel, kit, "\nn\n", **doubted)
    assert "Worth a look:\n" in told
    assert "[y/v/c/e/n] " in told
    assert "[Y/" not in told
    assert "  y  keep it, with what is worth a look\n" in told
    assert "I did not understand" not in told
    assert not list(kit.glob("ring3/*.md"))


def test_that_y_says_that_a_doubt_is_right_is_on_the_screen_before(reel: Reel, kit: Path) -> None:
    doubted = {"What happened": "Bo is a doctor in Lisbon, and told me of it."}
    told = give(reel, kit, "?\ny\n", **doubted)
    before, after = told.split("Keep this?", 1)
    assert "Lisbon" in before.partition("Worth a look:")[2]
    assert "y says that what is worth a look in the memory is right. e changes it first.\n" in before
    assert "  y  keep it; what is worth a look in the memory is right\n" in after
    assert "word: it is right" in (kit / "review/settled.yaml").read_text()


def test_a_page_is_kept_where_ctrl_c_ends_the_question(reel: Reel, kit: Path) -> None:
    place = lay(reel, kit)
    with stopped_at_the_question():
        run = reel("checkpoint", stdin=f"f {place}\n", tty=True)
    place.unlink()
    assert run.code == 130
    way = run.err.partition("The page is not lost. To go on with it:")[2]
    command = way.strip().removeprefix("reel ").split()
    assert "A boat and a cat in Graz" in (kit / command[-1]).read_text()
    reel(*command, "--yes").ok()
    assert "A boat and a cat in Graz" in (kit / "ring4/index.md").read_text()


def test_a_page_stopped_at_its_question_is_shown_again_by_the_end(reel: Reel, kit: Path) -> None:
    """The next `reel end` said that the page had not come, and the way printed lost which chat it was of."""
    place = lay(reel, kit)
    with stopped_at_the_question():
        named = reel("checkpoint", "--session", SESSION, "--reply", place, tty=True)
        ended = reel("end", stdin=f"f {place}\n", tty=True)
    assert f"reel checkpoint --session {SESSION} --reply " in " ".join(named.err.split())
    assert "The page is not lost. To go on with it:  reel end\n" in ended.err
    place.unlink()
    assert "came; it is neither kept nor declined. Next: reel end" in " ".join(reel().out.split())
    due = reel("status", "--due").out
    assert (due.count("came; it is neither kept nor declined"), "has no page yet" in due) == (1, False)
    declined = reel("end", stdin="n\n", tty=True).err
    assert "came; it is neither kept nor declined. Here it is again.\n" in declined
    assert "Keep this?" in declined
    # one that was declined is not shown again, and its prompt is
    assert "neither kept nor declined" not in reel().out
    assert "has not come yet" in reel("end", stdin="q\n", tty=True).err


def test_hours_after_a_page_came_it_is_offered_before_a_newer_chat(reel: Reel, kit: Path) -> None:
    place, asks = lay(reel, kit), "Drag the chat's file into this window"
    with stopped_at_the_question():
        reel("end", stdin=f"f {place}\n", tty=True)
    then = time.time() - 7 * 60 * 60
    os.utime(next((kit / "tape").rglob(f"{SESSION}.md")), (then, then))
    first = reel("end", stdin="n\nq\n", tty=True).ok().err
    assert "came; it is neither kept nor declined.\n" in first
    assert first.index("Decide on it now? [Y/n/q]") < first.index(asks)
    assert asks not in reel("end", stdin="quit\n", tty=True).ok().err
    kept = reel("end", stdin="yes\nyes\n", tty=True).ok().err
    assert (asks in kept, "There is no file" in kept) == (False, False)
    assert "A boat and a cat in Graz" in (kit / "ring4/index.md").read_text()


def close_at_the_question(reel: Reel, kit: Path) -> None:
    """Paste the whole page at `reel end`, or the rest of one, and close the window at its question."""
    with Screen(["end"], kit) as screen:
        screen.asked()
        screen.paste((kit.parent / "page.md").read_text())
        screen.type("")
        screen.until("Keep this?")
        screen.close()


def test_a_page_waits_where_the_window_is_closed_at_its_question(reel: Reel, kit: Path) -> None:
    """It was in no file of the kit, and `reel` said that there was none; Ctrl-C kept it."""
    lay(reel, kit)
    close_at_the_question(reel, kit)
    assert "came; it is neither kept nor declined. Next: reel end" in " ".join(reel().out.split())
    reel("end", stdin="y\n", tty=True).ok()
    assert "A boat and a cat in Graz" in (kit / "ring4/index.md").read_text()
    # a page that is in the kit lies in no file of its own any more
    assert not list((kit / ".reel/state/refused").glob("*"))


def test_the_rest_of_a_page_waits_with_its_first_half_where_the_window_is_closed(
    reel: Reel, kit: Path
) -> None:
    place = lay(reel, kit)
    half, whole = place.with_name("half.md"), place.read_text()
    at = whole.index("## What matters")
    half.write_text(whole[:at])
    reel("end", stdin=f"f {half}\nq\n", tty=True).ok()
    place.write_text(whole[at:])
    close_at_the_question(reel, kit)
    reel("end", stdin="y\n", tty=True).ok()
    assert "A boat and a cat in Graz" in (kit / "ring4/index.md").read_text()
    assert any(PAGE["What happened"] in memory.read_text() for memory in kit.glob("ring3/*.md"))


def test_a_page_that_the_kit_refuses_leaves_its_prompt_waiting(reel: Reel, kit: Path) -> None:
    """One that cannot be kept must not come back at each `reel end` in place of its prompt."""
    place = lay(reel, kit)

    def refusing(*_: object, **__: object) -> str:
        message = "No."
        raise ReelError(message)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Console, "choose", refusing)
        reel("end", stdin=f"f {place}\n", tty=True)
    assert "has not come yet" in reel("end", stdin="q\n", tty=True).err


def test_the_parts_that_a_page_lacks_are_named(reel: Reel, kit: Path) -> None:
    """Only how many had come was said: the rest of a half page may begin below its first heading."""
    whole = give(reel, kit, "n\n", **{"In one breath": ""})
    (line,) = [line for line in whole.splitlines() if line.startswith("The page was read")]
    assert line == "The page was read: 14 of 15 parts, without “In one breath”."


def test_q_at_the_question_leaves_the_page_for_later(reel: Reel, kit: Path) -> None:
    """It was not understood, though the questions before it take it."""
    place = lay(reel, kit)
    named = reel("checkpoint", "--session", SESSION, "--reply", place, stdin="q\n", tty=True).ok()
    assert "I did not understand" not in named.err
    assert f"To go on with it: reel checkpoint --session {SESSION} --reply " in " ".join(named.err.split())
    ended = reel("end", stdin=f"f {place}\n?\nq\n", tty=True).ok()
    assert "  q  decide later; the page waits\n" in ended.err
    assert "The kit is as it was, and the page is not lost." in ended.err
    assert "To go on with it:  reel end\n" in ended.err
    place.unlink()
    assert "came; it is neither kept nor declined. Next: reel end" in " ".join(reel().out.split())
    reel("end", stdin="y\n", tty=True).ok()
    assert "A boat and a cat in Graz" in (kit / "ring4/index.md").read_text()


def test_a_part_given_again_leaves_the_page_that_waits_whole(reel: Reel, kit: Path) -> None:
    """The page shrank to the part that was given last, and the rest was asked for once more."""
    place = lay(reel, kit)
    first, mark, rest = place.read_text().partition("## What matters")
    half, other = kit.parent / "half.md", kit.parent / "rest.md"
    half.write_text(first)
    other.write_text(mark + rest)
    give_rest = ("checkpoint", "--reply", other)
    assert reel("checkpoint", "--reply", half, tty=True).code == 1
    assert "Keep this?" in reel(*give_rest, stdin="q\n", tty=True).ok().err
    for again in (give_rest, ("checkpoint", "--reply", half)):
        told = reel(*again, stdin="q\n", tty=True).ok().err
        assert "came; it is neither kept nor declined. Here it is again.\n" in told
        assert "Keep this?" in told
        assert "Still to come" not in told
    # a part that is told otherwise is not of that page
    half.write_text(page({**PAGE, "What happened": "We spoke of the hull."}).partition("## What matters")[0])
    other_half = reel("checkpoint", "--reply", half, tty=True)
    assert (other_half.code, "Still to come" in other_half.err) == (1, True)
    reel(*give_rest, stdin="y\n", tty=True).ok()
    assert "A boat and a cat in Graz" in (kit / "ring4/index.md").read_text()


@pytest.mark.parametrize("command", ["end", "record"])
def test_a_page_that_waits_goes_with_its_chat_to_another_day(reel: Reel, kit: Path, command: str) -> None:
    """It was dropped without a word, and the whole page asked for once more."""
    talk, place = kit.parent / "talk.txt", kit.parent / "page.md"
    talk.write_text("\n\n".join(f"**{'You' if who == 'user' else 'Ada'}:** {said}" for who, said in TALK))
    place.write_text(page(PAGE))
    assert "To go on with it:  reel end\n" in reel("end", talk, stdin=f"f {place}\nq\n", tty=True).ok().err
    moved = reel(command, talk, "--on", "2026-02-09", stdin="q\n", tty=True).ok().err
    assert "It stood under 1 March 2026 until now.\n" in moved
    if command == "record":
        moved = reel("end", stdin="q\n", tty=True).ok().err
    assert "came; it is neither kept nor declined. Here it is again.\n" in moved
    assert "Keep this?" in moved
    reel("end", stdin="y\n", tty=True).ok()
    assert [one.name for one in (kit / "checkpoints").glob("*.yaml")] == ["2026-02-09-1.1.yaml"]
    assert "A boat and a cat in Graz" in (kit / "ring4/index.md").read_text()
    assert not list((kit / ".reel/state/exchanges").glob("*"))


def test_half_a_page_goes_with_its_chat_to_another_day(reel: Reel, kit: Path) -> None:
    talk, half, rest = (kit.parent / name for name in ("talk.txt", "half.md", "rest.md"))
    talk.write_text("\n\n".join(f"**{'You' if who == 'user' else 'Ada'}:** {said}" for who, said in TALK))
    first, mark, last = page(PAGE).partition("## What matters")
    half.write_text(first)
    rest.write_text(mark + last)
    reel("end", talk, stdin=f"f {half}\nq\n", tty=True)
    moved = reel("end", talk, "--on", "2026-02-09", stdin=f"f {rest}\ny\n", tty=True).ok().err
    assert "Part of the page of the chat of 9 February 2026 came, 3 of 15 parts." in moved
    assert [one.name for one in (kit / "checkpoints").glob("*.yaml")] == ["2026-02-09-1.1.yaml"]
    assert "A boat and a cat in Graz" in (kit / "ring4/index.md").read_text()


def test_a_page_stopped_at_its_question_is_kept_from_there(reel: Reel, kit: Path) -> None:
    place = lay(reel, kit)
    with stopped_at_the_question():
        reel("end", stdin=f"f {place}\n", tty=True)
    # a script that asks for the prompt is given the prompt
    assert "## What happened" in reel("checkpoint", "--prompt").ok().out
    with stopped_at_the_question():
        reel("end", stdin=f"f {place}\n", tty=True)
    reel("end", stdin="y\n", tty=True).ok()
    assert "A boat and a cat in Graz" in (kit / "ring4/index.md").read_text()
    assert not list((kit / ".reel/state/exchanges").glob("*"))


def test_a_doubt_that_is_kept_is_told_to_count_as_right(reel: Reel, kit: Path) -> None:
    """It was settled without a word, and `reel doctor` then found nothing."""
    invented = f"{PAGE['What happened']} Her brother Alois drove the lorry to Graz."
    told = give(reel, kit, "y\n", **{"What happened": invented})
    assert "Alois" in told.partition("Worth a look:\n")[2]
    assert (
        "You kept what was doubted, so reel takes it as right and does not ask again.\nKept. Next time:"
        in told
    )
    assert "Alois" not in reel("doctor").out


def test_where_no_words_are_doubted_nothing_is_said_of_them(reel: Reel, kit: Path) -> None:
    assert "counts as right" not in give(reel, kit, "y\n", **{"My notes": "9. closed\nstate: Quiet."})
