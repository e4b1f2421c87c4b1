"""Notes that repeat what no longer holds: found by their day, number or name, and by their subject."""

from dataclasses import replace
from datetime import date

import pytest

from reel_cli.core.evidence.claims import Slot
from reel_cli.core.evidence.grounding.lexicon import telling
from reel_cli.core.values.review import Side
from reel_cli.features.contradictions.find import name_difference
from reel_cli.features.contradictions.notes import (
    apply_changes,
    find_changes,
    in_plain_words,
    tell_changes,
)
from reel_cli.features.contradictions.sentence_claims import is_moved, repeats, takes_back
from reel_cli.features.contradictions.sentence_values import swap_value
from reel_cli.features.contradictions.sides import told_side

HIP = "Kim said the nights are long, and that their mother's hip operation is on 19 March 2026."
MOVED = "Mother's hip operation is on 26 March 2026, not the 19th."


def change(note: str, other: str, holds: str, where: str = "M-002") -> str:
    """Return the note as it reads once `holds` holds."""
    text = f"## Open loops\n\n- {note}\n- Buy tea.\n"
    changes = find_changes(text, Side("M-001", other, "2026-03-02"), Side(where, holds, "2026-03-03"))
    after = apply_changes(text, changes).splitlines()
    assert after[-1] == "- Buy tea."
    return after[2].removeprefix("- ") if len(after) == 4 else ""


@pytest.mark.parametrize(
    ("note", "other", "holds", "after"),
    [
        ("Mother's hip operation, 19 March 2026.", HIP, MOVED, f"{MOVED} (noted 3 March 2026)"),
        (
            "Mother's hip operation, 19 March 2026. (noted 2 March 2026)",
            HIP,
            MOVED,
            f"{MOVED} (noted 3 March 2026)",
        ),
        (
            "The vet is on Friday",
            "Marta's vet is on Friday",
            "The vet is on Saturday.",
            "The vet is on Saturday, 7 March 2026",
        ),
        ("Marta: two cats", "Marta has two cats.", "Marta has three cats.", "Marta has three cats"),
        (
            "Judit wants the draft by 22 January; the printer is late.",
            "Judit wants the draft by 22 January;",
            "Judit wants the draft by 15 January",
            "Judit wants the draft by 15 January; the printer is late. (noted 3 March 2026)",
        ),
        ("He lives in Turku.", "He lives in Turku.", "He lives in Oslo.", "He lives in Oslo."),
        (
            "Pip is not allergic",
            "Pip is not allergic",
            "Pip is allergic after all",
            "Pip is allergic after all",
        ),
        (
            "Pack a bag for the hip operation on 19 March.",
            HIP,
            MOVED,
            f"Pack a bag for the hip operation on 19 March. (now: {MOVED.rstrip('.')}) (noted 3 March 2026)",
        ),
    ],
)
def test_a_note_with_the_value_that_no_longer_holds_is_put_right(
    note: str, other: str, holds: str, after: str
) -> None:
    assert change(note, other, holds) == after


@pytest.mark.parametrize(
    "note",
    [
        "Mother's hip operation, 26 March 2026.",
        "Kim's mother called about the hip operation.",
        "The ferry to Sallow leaves on 19 March 2026.",
        "19 March 2026",
        "What was in the letter.",
    ],
)
def test_a_note_about_something_else_or_with_the_right_value_stays(note: str) -> None:
    assert change(note, HIP, MOVED) == note


@pytest.mark.parametrize(
    "other",
    ["Sanne comes to the playtest, and Priya too.", "At the playtest Sanne sits with Priya, who comes too."],
)
def test_a_note_about_somebody_whom_the_older_side_only_names_stays(other: str) -> None:
    note = "Whether Priya comes to the playtest."
    assert change(note, other, "Sanne does not come to the playtest.") == note
    assert change(note, other, "At the playtest Sanne sits with Bram.") == note
    assert change("Sanne comes to the playtest.", other, "Sanne does not come to the playtest.") != note


def test_two_notes_of_what_no_longer_holds_become_one_that_has_its_day() -> None:
    """A day without its year is read from the day of the note, so that the reminder of it comes."""
    text = (
        "## Active threads\n\n- Dr Osei's follow-up on Monday 9 March 2026 at 10:40.\n\n"
        "## Open loops\n\n- The follow-up on Monday 9 March at 10:40. (noted 1 March 2026)\n"
    )
    older = Side("ring2", "Dr Osei's follow-up on Monday 9 March 2026 at 10:40.")
    newer = Side("M-014", "Dr Osei moved the follow-up to Tuesday 10 March at 9:15.", "2026-03-05")
    changes = find_changes(text, older, newer)
    after = [line for line in apply_changes(text, changes).splitlines() if line.startswith("- ")]
    assert after == ["- Dr Osei moved the follow-up to Tuesday 10 March at 9:15. (noted 5 March 2026)"]
    assert [one.partition("then ")[2] or one[-9:] for one in tell_changes(text, older, newer)] == [
        "reads “Dr Osei moved the follow-up to Tuesday 10 March at 9:15.”",
        "is closed",
    ]


def test_a_fact_takes_the_time_with_the_day() -> None:
    older = Side("facts.yaml#commitments/follow-up", "follow-up: Monday 9 March at 10:40", "2026-03-01")
    newer = Side("M-014", "Dr Osei moved the follow-up to Tuesday 10 March at 9:15.", "2026-03-05")
    assert swap_value(older.says, older, newer) == "follow-up: Tuesday 10 March at 9:15"
    newer = replace(newer, says="She moved the follow-up to Tuesday 10 March, at 9:15 or 11:00.")
    assert swap_value(older.says, older, newer) == ""


def test_words_of_a_note_that_stay_keep_the_day_on_which_they_were_noted() -> None:
    note = "Pack a bag tomorrow for the hip operation on 19 March. (noted 2 March 2026)"
    assert change(note, HIP, MOVED).startswith("Pack a bag on 3 March 2026 for the hip operation")


def test_a_note_is_closed_where_another_says_what_holds() -> None:
    assert change("Mother's hip operation, 19 March 2026.", HIP, MOVED, "ring2") == ""


DUE, LATER = "The manuscript is due to Ruth on 30 April.", "Ruth wants the manuscript by 15 May."


@pytest.mark.parametrize(
    ("note", "after"),
    [
        ("Whether Ruth wants the manuscript by 30 April or 15 May.", ""),
        ("When does Ruth want the manuscript?", ""),
        ("When Ruth wants the manuscript, and who prints it.", None),
        ("Whether the manuscript is good.", None),
        ("Whether Ruth wants the manuscript by 1 June.", None),
    ],
)
def test_a_question_is_closed_by_the_decision_that_answers_it(note: str, after: str | None) -> None:
    assert change(note, DUE, LATER) == (note if after is None else after)
    assert change(note, LATER, DUE) == (note if after is None else after)


def test_how_things_are_is_put_right_as_well() -> None:
    text = "## State\n\nRain. Mother's hip operation is on 19 March 2026.\n"
    changes = find_changes(text, Side("M-001", HIP, "2026-03-02"), Side("M-002", MOVED, "2026-03-03"))
    assert apply_changes(text, changes) == f"## State\n\nRain. {MOVED}\n"


def test_only_a_value_told_on_the_same_day_or_later_moves_a_day() -> None:
    before = Side("facts.yaml#dentist", "dentist: 9 March", "2026-02-10")
    after = replace(before, says="dentist: 12 March", day="2026-02-10T19:00:00Z")
    assert is_moved(before, after)
    # the page of an earlier chat, given late
    assert not is_moved(before, replace(after, day="2026-02-09"))
    assert not is_moved(before, replace(after, says="dentist: 9 March, at ten"))
    assert not is_moved(before, replace(after, says="dentist: at ten"))


DUE_LATER = "The manuscript is due on 1 March now, not 12 February."
COMES = "Ingrid's boy is well, and Ingrid can come on 28 March after all, not on 3 April."


@pytest.mark.parametrize(
    ("sentence", "held", "back"),
    [
        (COMES, "Ingrid's visit from 3 April 2026, after the chickenpox.", True),
        (COMES, "Ingrid's visit: from 3 April", True),
        (COMES, "Ingrid comes on 28 March 2026.", False),
        (COMES, "The exam is on 3 April", False),
        (COMES, "Ingrid called on 2 March", False),
        ("The deadline is 15 May, not 30 April.", "deadline: due on 30 April", True),
        ("Marta has three cats, not two.", "Marta's cats: two cats", True),
        ("Ingrid did not come on 3 April.", "Ingrid's visit: from 3 April", False),
        ("It is not 3 April yet.", "Ingrid's visit: from 3 April", False),
        ("The deadline for the poems has moved to 12 April.", "poems due: nine poems due on 9 April", True),
        ("The deadline for the poems is now the twelfth of April.", "poems due: 9 April", True),
        ("The deadline for the poems is 12 April.", "poems due: nine poems due on 9 April", False),
        ("The deadline for the poems has moved to 9 April.", "poems due: nine poems due on 9 April", False),
        ("The deadline for the reading has moved to 12 April.", "the reading: on 19 April", False),
        ("Ingrid is now in Graz until 12 April.", "Ingrid's birthday: 9 May", False),
        ("The reading is on, and it has moved to 12 April.", "the reading: on 19 April", True),
        (DUE_LATER, "Judit wants the whole manuscript by 12 February, and a synopsis with it.", True),
        ("The manuscript is due on 1 March now.", "Judit wants the whole manuscript by 12 February.", True),
        ("The deadline moved from 12 February to 1 March.", "Judit wants all of it by 12 February.", True),
        (DUE_LATER, "Kim's sister marries on 12 February.", False),
        (DUE_LATER, "Pay the tax by 12 February.", False),
        (
            "The tester is here, and I said it is now 3 May for Ann.",
            "tester: runs out 30 April",
            False,
        ),
        ("Tern moves on 2 May, and Jo read the first three lines.", "Fuse on 5 April, the first", False),
        ("Tern lies at Orme's since 2 May, after nine hours and not six.", "boat: Tern, 52 foot 6", False),
        (
            "Tester today, move 2 May, market 3 May, board the 14th.",
            "tester: runs out 30 April",
            False,
        ),
        ("The exam is before 12 June (now: the exam: 21 June, not 12)", "the exam: 21 June, not 12", False),
        ("The blood test is on 27 March 2026, moved up for her weight.", "blood test: on the 27th", False),
        ("The blood test is now on the 27th.", "blood test: on 27 March 2026", False),
        # two days of one speech
        (
            "The speech for the wedding is on 7 June, now at 15:30.",
            "The speech, read to me by 1 June.",
            False,
        ),
        ("The blood test is on 27 March 2026, moved up for her weight.", "blood test: on the 24th", True),
        ("The blood test is moved to 27 March 2026.", "blood test: on 27 February 2026", True),
        (
            "Kim said that the book is due on 1 March, not 12 February.",
            "Kim is in Graz on 12 February",
            False,
        ),
    ],
)
def test_only_a_sentence_that_says_so_takes_a_value_back(sentence: str, held: str, *, back: bool) -> None:
    assert takes_back(sentence, held, date(2026, 3, 16), telling("Kim")) is back


def test_what_holds_is_taken_in_its_plainest_words_and_noted_once() -> None:
    other = Side("facts.yaml#commitments/book", "book: The manuscript is due on 1 March", "2026-12-04")
    long = "Judit rang: the flood was worse than they said, and the manuscript is due on 20 March"
    holds = Side("M-009", long, "2026-12-09")
    assert in_plain_words("", other, holds).says == "The manuscript is due on 20 March"
    notes = "- The manuscript is due on 20 March 2027.\n- The manuscript is due on 1 March 2027.\n"
    assert in_plain_words(f"## Open loops\n\n{notes}", other, holds).says.endswith("20 March 2027.")
    changes = find_changes(f"## Open loops\n\n{notes}", other, holds)
    assert [(one.before[-13:], one.after) for one in changes] == [("1 March 2027.", "")]
    short = replace(holds, says="It is due on 20 March")
    assert in_plain_words(f"## Open loops\n\n{notes}", other, short) == short


def test_the_lines_of_the_state_stay_lines() -> None:
    text = f"## State\n\n- Rain all week.\n- {HIP}\n- Kim sleeps badly.\n"
    changes = find_changes(text, Side("M-001", HIP, "2026-03-02"), Side("M-002", MOVED, "2026-03-03"))
    assert apply_changes(text, changes) == text.replace(HIP, MOVED)


@pytest.mark.parametrize(
    ("text", "stale"),
    [
        ("Bo told me that nine poems are due on 9 March, to Hanneke, who wants all nine.", True),
        ("The poems are due on the ninth of March. Ines reads them.", True),
        ("The poems were due on 9 March and are due on 12 March.", False),
        ("On 9 March Ines came.", False),
        ("The poems have a deadline.", False),
    ],
)
def test_a_memory_that_gives_the_old_day_is_told_apart(text: str, *, stale: bool) -> None:
    other = Side("facts.yaml#commitments/poems", "poems due: nine poems due on 9 March", "2026-03-01")
    holds = Side("M-004", "The deadline for the poems has moved to 12 March", "2026-03-04")
    assert repeats(text, date(2026, 3, 1), other, holds) is stale


@pytest.mark.parametrize(
    ("note", "right"),
    [
        ("The last third of The Salt Ledger, due 18 December 2026.", False),
        ("The proofs of The Salt Ledger, due 18 December 2026, go to Oban.", True),
        ("Ines reads The Salt Ledger to Alasdair on 18 December 2026.", True),
    ],
)
def test_a_note_of_what_is_due_by_a_moved_deadline_says_when_now(note: str, *, right: bool) -> None:
    other = Side(
        "facts.yaml#constraints/deadline", "deadline: last third to Ines by 18 December 2026", "2026-12-01"
    )
    holds = Side("M-005", "Ines rang: the deadline is moved to 11 January 2027", "2026-12-02")
    changes = find_changes(f"## Open loops\n\n- {note}\n", other, holds)
    now = "(now: Ines rang: the deadline is moved to 11 January 2027)"
    assert [one.after for one in changes] == ([] if right else [f"{note} {now}"])


@pytest.mark.parametrize("day", ["2026-03-02", "2026-03-02T19:00:00Z", "2026-03-02-1"])
def test_the_day_of_a_side_is_read_however_a_file_has_it(day: str) -> None:
    assert told_side(Side("M-001", MOVED, day)) == f'a memory (2 March 2026): "{MOVED}"'


def test_a_day_by_its_number_is_the_next_one_and_other_notes_of_it_are_named() -> None:
    kept = "Jo's cousin goes to Hallow on 12 April 2027"
    loops = (
        "Row Jo out on 13 December 2026, not the 12th",
        "Row Jo out on 12 December 2026",
        "I must row on the 12th",
        "leaves at spring tide on 12 December",
        kept,
    )
    text = "## Open loops\n\n" + "".join(f"- {loop}\n" for loop in loops)
    older = Side("facts.yaml#own/promise", "promise: I row Jo out on the twelfth", "2026-12-03")
    newer = Side("ring2", loops[0], "2026-12-06")
    changes = find_changes(text, older, newer)
    assert [(one.before, one.after) for one in changes] == [(loops[1], ""), (loops[2], "")]
    told = tell_changes(text, older, newer)
    assert f"the note “{loops[3]}” names that day too and stays, if the second holds" in told
    assert not any(kept in one for one in told)


def test_a_correction_is_never_written_onto_a_note_of_what_one_side_names_besides() -> None:
    memory = "The Saltmarch milestone moved to 13 November, the rent may go up to £940, and Danny is in J46."
    fact = "the flat's rent: £875 now, he wants £940 from 1 January"
    note = "Milestone build of Saltmarch, now due Friday 13 November."
    assert change(note, memory, fact, where="facts.yaml#rent") == note


def test_a_clause_that_moves_one_thing_takes_back_nothing_of_another() -> None:
    memory = "The Saltmarch milestone moved to 13 November, the rent may go up to £940, and Danny is in J46."
    fact = "the flat's rent: £875 now, he wants £940 from 1 January"
    assert not takes_back(memory, fact, date(2026, 10, 20))
    assert takes_back("The milestone moved to 13 November.", "milestone on 30 October", date(2026, 10, 20))


def test_a_note_without_a_day_of_its_own_is_read_on_the_day_of_the_other_side() -> None:
    """The decision said that the note is not found there any more."""
    note = "Manuscript to Pip on 31 March. The printer is booked."
    older = Side("ring2", note, "")
    newer = Side("M-008", "The manuscript moved from 31 March to 14 April.", "2026-03-10")
    (change,) = find_changes(f"## Active threads\n\n- {note}\n", older, newer)
    assert (
        change.after
        == "The manuscript moved from 31 March to 14 April. The printer is booked. (noted 10 March 2026)"
    )


@pytest.mark.parametrize(
    ("slot", "says", "name"),
    [
        (Slot.DATE, "Her ramipril is now 1.25 mg, one at night.", "a dose"),
        (Slot.DATE, "The vet is on Friday.", "a date"),
        (Slot.NUMBER, "The rent is 640.", "a number"),
    ],
)
def test_a_dose_is_not_called_a_date(slot: Slot, says: str, name: str) -> None:
    assert name_difference(slot, says) == name


def test_a_sentence_stays_where_the_next_one_leans_on_its_subject() -> None:
    note = "Anna's scythe comes on 19 March; she missed it twice."
    other, holds = "Anna's scythe comes on 19 March", "Anna's scythe comes on 26 March"
    text = f"## Open loops\n\n- {note}\n- Anna's scythe comes on 26 March.\n"
    changes = find_changes(text, Side("M-001", other, "2026-03-02"), Side("M-002", holds, "2026-03-03"))
    assert not [one for one in changes if one.after.startswith("she")]


def test_a_day_of_every_week_has_not_moved_to_the_date_beside_it() -> None:
    other = Side("F#1", "Nana on Sundays: rings every Sunday", "2026-04-26")
    holds = Side("F#1", "Nana on Sundays: rings every Sunday; rang on the 23rd", "2026-08-23")
    text = "## Open loops\n\n- Tamsin rings Nana every Sunday, as promised.\n"
    assert list(find_changes(text, other, holds)) == []
