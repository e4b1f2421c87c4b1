"""Notes of one thing on one day become one, and relative days in them the days that they mean."""

from datetime import date
from pathlib import Path

import pytest

from reel_cli.features.page.notes.join_notes import are_twins, join_notes
from reel_cli.features.page.notes.note_likeness import is_label_of, is_told_in, says_no_more, with_day
from tests.support.cli import Reel
from tests.support.pages import chat, page

SATURDAY = date(2026, 11, 28)
CONCERT = "The Requiem on Sunday 22 November 2026 at four, put back a week for the boiler."
WISH = "The Requiem is on Sunday 22 November 2026 at four; Bo may call in before it, and I wish him luck."


@pytest.mark.parametrize(
    ("note", "told"),
    [
        ("Ring Judit tomorrow.", "Ring Judit on 29 November 2026."),
        ("Tomorrow she tells them.", "On 29 November 2026 she tells them."),
        ("The first half to Ruth by Friday.", "The first half to Ruth by Friday, 4 December 2026."),
        ("The ferry comes next Tuesday", "The ferry comes next Tuesday, 1 December 2026"),
        ("Call Ruth on Saturday morning", "Call Ruth on Saturday morning, 5 December 2026"),
        ("Post it; he says next week", "Post it; he says in the week of 30 November 2026"),
        ("The tooth on Thursday 12 November 2026 at nine", "The tooth on Thursday 12 November 2026 at nine"),
        ("The vet comes tonight, 28 November 2026", "The vet comes tonight, 28 November 2026"),
    ],
)
def test_a_note_names_the_day_that_it_means(note: str, told: str) -> None:
    assert with_day(note, SATURDAY) == told


@pytest.mark.parametrize(
    "note",
    [
        "Coffee every Thursday",
        "The first tasting, on a Saturday at 4:00 PM.",
        "Saturday at 4:00 PM: one wine",
        "Monday to Friday: audio. Saturday: a tasting.",
        "Wednesday squats, tell him",
        "Maybe bake for a last night party",
        "Whether he went on Friday",
        "He is to say “see you tomorrow” at the gate",
    ],
)
def test_what_may_be_any_day_stays_with_the_day_it_was_noted_on(note: str) -> None:
    assert with_day(note, SATURDAY) == f"{note} (noted 28 November 2026)"


@pytest.mark.parametrize(
    ("stands", "told", "joined"),
    [
        (CONCERT, WISH, f"{CONCERT[:-1]}; Bo may call in before it, and I wish him luck."),
        (
            "The tooth on Thursday 12 November 2026 at nine with Dr Keane, six hundred fifty.",
            "The tooth with Dr Keane on Thursday 12 November 2026; Rory moves.",
            "The tooth on Thursday 12 November 2026 at nine with Dr Keane, six hundred fifty; Rory moves.",
        ),
        (
            "The nurse rings Bo on Wednesday 11 November 2026 at two; he is over at Marta's for it.",
            "The nurse rings Bo on Wednesday 11 November 2026 at two.",
            "The nurse rings Bo on Wednesday 11 November 2026 at two; he is over at Marta's for it.",
        ),
    ],
)
def test_two_notes_of_one_thing_on_one_day_are_told_as_one(stands: str, told: str, joined: str) -> None:
    assert join_notes(stands, told) == joined


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The rent is due on Monday, 2 March 2026", "The rent is due on Friday, 6 March 2026"),
        ("Root canal on 12 November 2026 at nine", "Root canal on 12 November 2026 at ten"),
        ("Ring Judit about the boat on 6 March 2026", "Ring Marta about the boat on 6 March 2026"),
        ("Send Ruth the first half by 6 March 2026", "Send Ruth the second half by 6 March 2026"),
        ("Vera's vet on 6 March 2026", "Vera's vet bill on 6 March 2026"),
        ("The letter to Ruth goes on 6 March 2026", "The letter to Ruth does not go on 6 March 2026"),
        ("The letter to Ruth goes by the end of March", "The letter to Ruth goes on 6 March 2026"),
    ],
)
def test_another_day_number_name_or_denial_makes_another_note(one: str, other: str) -> None:
    assert (join_notes(one, other), join_notes(other, one)) == (None, None)
    assert not says_no_more(other, one)


def test_a_question_and_what_is_so_are_two_notes() -> None:
    told = "The letter to Ruth goes on 6 March 2026"
    assert join_notes(f"Whether {told}", told) is None


def test_a_clause_of_a_note_says_no_more_than_the_note() -> None:
    note = "Choir: the Requiem is on 22 November; the solo is Ben's unless he is ill by 12 November."
    assert says_no_more("The solo is Ben's unless he is ill by 12 November 2026.", note)
    assert not says_no_more("The solo is Ben's", "The solo is Ben's; cancelled, he is ill")


def test_an_open_question_is_not_told_by_a_note_that_answers_nothing() -> None:
    """It was left out of where things stand, and no screen said so."""
    asked = "What the tollhouse at Brack knows of the grey man."
    note = "Tobin's search for the grey man, who knows the road past the tollhouse at Brack."
    assert not is_told_in(asked, note)


def test_the_page_says_under_v_which_notes_it_told_as_one(reel: Reel, kit: Path) -> None:
    said = "The Requiem is on Sunday 22 November 2026 at four, a week later, for the boiler."
    reel("record", "-", stdin=chat(("user", said), ("assistant", "Then sing."))).ok()
    first = {"My notes": f"1. still\nnew: {CONCERT}", "What's unresolved": WISH}
    place = kit.parent / "page.md"
    place.write_text(page(first))
    shown = reel("checkpoint", stdin=f"f {place}\nv\ny\n", tty=True).ok().err
    short, _, full = shown.partition("Keep this?")
    assert "told once" not in short
    assert f"told once: “{WISH}” with “{CONCERT}”" in " ".join(full.split())
    notes = (kit / "ring2/working.md").read_text()
    assert notes.count("Requiem") == 1
    assert f"- {CONCERT[:-1]}; Bo may call in before it, and I wish him luck.\n" in notes


@pytest.mark.parametrize(
    ("label", "note", "same"),
    [
        (
            "Doctor Rolle on Tuesday 19 May, nine o'clock.",
            "Doctor Rolle, Tuesday 19 May, at nine; leave at eight",
            True,
        ),
        ("Concert 29 November.", "Choir concert Sunday 29 November, in the cathedral", True),
        (
            "Nantes on the 14th, he promised it.",
            "Nantes with his father on 14 and 15 November; he promised it",
            True,
        ),
        (
            "The lease, to be signed.",
            "The new lease: twelve hundred a month, to be signed on 28 September",
            True,
        ),
        ("The cabin: Rike said she has to think.", "Ines wants to sell the cabin. Rike has to think", True),
        ("The song.", "The mother's song, the words she promised", True),
        # what is denied of something else
        (
            "The cabin: Rike has to think.",
            "Ines wants to sell the cabin, Ann does not, Rike has to think",
            True,
        ),
        (
            "The bank, signing on 1 December, ten thousand.",
            "The bank gives ten thousand, not twelve; he signs on 1 December at ten",
            True,
        ),
        ("The cabin: Rike has to think.", "The cabin is sold, and Rike does not have to think", False),
        (
            "The bank signs on 1 December.",
            "The bank gives ten thousand; it does not sign on 1 December",
            False,
        ),
        ("Ring Rike on 5 May about the cat", "Ring Rike on 5 May about the roof", False),
        ("Write to the bank about the loan.", "Write to the school about the loan", False),
        ("Doctor Anselm on 22 May", "Doctor Rolle on 22 May at two", False),
        ("The concert on 12 December", "The concert on 29 November, not sung by heart", False),
        ("What the song is called.", "The mother's song is called nothing", False),
        ("Do not ring Jo", "Ring Jo on Friday", False),
        ("The first tasting, Saturday at 4 PM", "Saturday at 4 PM: a tasting, one hour", False),
    ],
)
def test_a_line_that_only_names_a_note_is_told_in_it(label: str, note: str, *, same: bool) -> None:
    assert is_label_of(label, note) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Wiklund on 14 April; ask after.", "Wiklund looks at the knee on 14 April.", True),
        ("The child is due 5 October.", "The child on 5 October.", True),
        (
            "The OSCE on Tuesday 23 June, the day after.",
            "The OSCE on Tuesday 23 June; the list at five.",
            True,
        ),
        ("The OSCE on 23 June.", "The OSCE on 24 June.", False),
        ("Ruth on 14 April.", "Ruth's exam on 14 April.", False),
        ("The blood test on 14 April.", "The blood test results on 14 April.", False),
        ("Bo flies on 14 April.", "Bo flies back on 14 April.", False),
        ("Take the tablets on 14 April.", "Take the tablets and pick up the pills on 14 April.", False),
        ("Lunch with Ruth on 14 April.", "Dinner with Ruth on 14 April.", False),
        ("Ruth on 14 April; call.", "Ruth has surgery on 14 April.", False),
        ("Ruth on 14 April, do not call.", "Ruth has surgery on 14 April.", False),
        ("Ruth on 14 April; call.", "Ruth on 14 April; bring the cake.", False),
        ("Ruth on 14 April; ask how it went.", "Ruth has surgery on 14 April.", True),
        ("Ruth on 14 April; the surgery.", "Ruth has surgery on 14 April.", True),
    ],
)
def test_notes_of_one_name_and_day_are_twins(one: str, other: str, *, same: bool) -> None:
    assert are_twins(one, other) is are_twins(other, one) is same


def test_the_twin_of_a_note_that_a_page_closes_closes_with_it(reel: Reel, kit: Path) -> None:
    notes = kit / "ring2" / "working.md"
    twins = "- Wiklund on 14 April 2026; ask after.\n- Wiklund looks at the knee on 14 April 2026.\n"
    notes.write_text(notes.read_text().replace("## Open loops\n", f"## Open loops\n\n{twins}", 1))
    said = chat(("user", "Wiklund saw the knee on the 14th. It is done."), ("assistant", "Good."))
    reel("record", "-", stdin=said, env={"REEL_NOW": "2026-04-15T19:00:00+00:00"}).ok()
    prompt = reel("checkpoint", "--prompt").ok().out
    number = next(line.split(".")[0] for line in prompt.splitlines() if "Wiklund on 14 April" in line)
    told = {"My notes": f'{number}. closed "Wiklund saw the knee on the 14th"'}
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(told)).ok()
    assert "Wiklund" not in notes.read_text()
