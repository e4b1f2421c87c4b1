"""Days that were noted: a note that names a day comes back when it is there."""

from pathlib import Path

import pytest

from tests.support.cli import Reel, Run
from tests.support.pages import chat
from tests.support.pages import say as record_talk

THURSDAY = "2026-02-26T20:00:00+00:00"
ASKED = "Can you remind me on Thursday to send Priya the wiki?"


def start(reel: Reel, at: str) -> Run:
    return reel("start", env={"REEL_NOW": at}).ok()


def note(kit: Path, *loops: str) -> None:
    notes = kit / "ring2" / "working.md"
    text = notes.read_text()
    head, mark, rest = text.partition("## Open loops\n")
    notes.write_text(f"{head}{mark}\n" + "".join(f"- {loop}\n" for loop in loops) + rest)


def say(reel: Reel, words: str, at: str = "2026-02-25T20:00:00+00:00") -> None:
    reel("record", "-", stdin=chat(("user", words), ("assistant", "I will.")), env={"REEL_NOW": at}).ok()


def test_a_note_of_a_day_is_in_that_days_bundle_and_on_both_screens(reel: Reel, kit: Path) -> None:
    say(reel, "Good night.")
    note(kit, "Send Priya the wiki on Thursday (noted 25 February 2026)")
    told = "Noted for today: Send Priya the wiki on Thursday."
    run = start(reel, THURSDAY)
    assert told in run.err.splitlines()
    assert f"Today is 26 February 2026. {told}\n" in run.out
    assert told in reel(env={"REEL_NOW": THURSDAY}).ok().out.splitlines()
    late = start(reel, "2026-02-28T20:00:00+00:00")
    assert "Noted for 26 February 2026: Send Priya the wiki on Thursday." in late.err
    assert "if it is done:  reel edit now" in late.err
    # a talk that came after it has had its chance
    record_talk(reel, kit, [("user", "The boat is in."), ("assistant", "Good.")], 28)
    assert "Noted for" not in start(reel, "2026-03-01T20:00:00+00:00").err


@pytest.mark.needs("intake")
@pytest.mark.parametrize(
    "said", [ASKED, "due 26 february.", "The priest double booked a wedding on the 26th."]
)
def test_words_of_a_chat_are_told_on_no_day(reel: Reel, kit: Path, said: str) -> None:
    """Of eleven in thirteen lives seven were overtaken by a later chat or were nothing due."""
    say(reel, said)
    assert "Bo said" not in start(reel, THURSDAY).err + reel(env={"REEL_NOW": THURSDAY}).ok().out


@pytest.mark.needs("facts")
@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("boy, Elliot, born 2 March 2026, 3480 grams", False),
        ("expected on 5 March 2026, in Umeå", True),
        ("Hampus is a surveyor since 2 February 2026", True),
        ("Hampus is a surveyor", True),
    ],
)
def test_a_day_of_something_that_has_happened_is_told_no_more(
    reel: Reel, kit: Path, value: str, *, told: bool
) -> None:
    say(reel, "Good night.")
    note(kit, "The child on 5 March (noted 25 February 2026)")
    fact = "- category: relationships\n  key: Signe's child\n  origin: extraction\n  confidence: 1\n"
    (kit / "facts.yaml").write_text(
        f'{fact}  value: {value}\n  source: "2026-03-03-1#7"\n  when: 2026-03-03\n'
    )
    assert ("The child on 5 March" in start(reel, "2026-03-05T20:00:00+00:00").err) is told


def test_a_day_is_told_where_only_something_else_of_its_name_happened(reel: Reel, kit: Path) -> None:
    say(reel, "Good night.")
    note(kit, "Dentist on 1 April (noted 1 March 2026)")
    (kit / "facts.yaml").write_text(
        "- category: context\n  key: dentist\n  origin: extraction\n  confidence: 1\n"
        '  value: Dr Wu; moved to Park Street on 10 March\n  source: "2026-03-20-1#7"\n  when: 2026-03-20\n'
    )
    assert "Dentist on 1 April" in start(reel, "2026-04-01T20:00:00+00:00").err


@pytest.mark.parametrize(
    "loop",
    [
        "Am Donnerstag die Miete zahlen",
        "Jeudi, payer le loyer",
        "El jueves, pagar el alquiler",
        "Pagar o aluguel na quinta-feira",
        "Заплатить за квартиру в четверг",
        "木曜日に家賃を払う",
        "星期四交房租",
    ],
)
def test_a_day_is_read_in_each_language(reel: Reel, kit: Path, loop: str) -> None:
    say(reel, "Good night.")
    note(kit, f"{loop} (noted 25 February 2026)")
    assert "Noted for" not in start(reel, "2026-02-25T22:00:00+00:00").err
    assert f"Noted for today: {loop}" in start(reel, THURSDAY).err


@pytest.mark.parametrize(
    ("loop", "day"),
    [
        ("Ask on the 3rd how the scan went. (noted 25 February 2026)", "2026-03-03"),
        ("Ask again in a week. (noted 25 February 2026)", "2026-03-04"),
        ("The flight is on Sunday 1 March (noted 25 February 2026)", "2026-03-01"),
        ("Manuscript to Pip on 31 March 2026.", "2026-03-31"),
    ],
)
def test_a_note_is_told_on_the_day_that_it_names_and_not_before(
    reel: Reel, kit: Path, loop: str, day: str
) -> None:
    say(reel, "Good night.")
    note(kit, loop)
    words = loop.partition(" (noted")[0].rstrip(".")
    assert f"Noted for today: {words}." in start(reel, f"{day}T20:00:00+00:00").err
    assert "Noted for" not in start(reel, "2026-02-26T20:00:00+00:00").err


def test_days_that_look_back_or_come_again_and_again_are_not_told(reel: Reel, kit: Path) -> None:
    say(reel, "Good night.")
    note(
        kit,
        "Lida has had the manuscript since 26 February 2026.",
        "Coffee every Thursday (noted 25 February 2026)",
        "Ruth called on Thursday (noted 25 February 2026)",
        "Monday to Wednesday: flashcards. Thursday: a tasting. (noted 25 February 2026)",
        "The first tasting, on a Thursday (noted 25 February 2026)",
        "In March the roof (noted 25 February 2026)",
        "Lida has no Thursday job (noted 25 February 2026)",
        "Bank shifts, one Thursday in three (noted 25 February 2026)",
        "No Thursday this week (noted 25 February 2026)",
        "Jeden Donnerstag singt sie (noted 25 February 2026)",
        "Chorprobe seit Donnerstag (noted 25 February 2026)",
        "Chaque jeudi la chorale (noted 25 February 2026)",
        "Garde un jeudi sur trois (noted 25 February 2026)",
        "Cada jueves el coro (noted 25 February 2026)",
        "Desde quinta-feira ela rema (noted 25 February 2026)",
        "Каждый четверг хор (noted 25 February 2026)",
        "To Umeå after the 26th, with the hat (noted 25 February 2026)",
        "Who does the three mornings after 26 February (noted 25 February 2026)",
        "Class is on holiday for four weeks from Thursday 26 February (noted 25 February 2026)",
        "Class is at six from the week of 26 February 2026 (noted 25 February 2026)",
        "The week: chairs to the hall, nothing on Thursday 26 February 2026 (noted 25 February 2026)",
        "Thursday calls to mum are broken (noted 25 February 2026)",
        "Nach Donnerstag nach Umeå (noted 25 February 2026)",
        "Après jeudi, la mer (noted 25 February 2026)",
        "毎週木曜日の合唱 (noted 25 February 2026)",
        "每星期四有合唱 (noted 25 February 2026)",
    )
    assert "Noted for" not in start(reel, THURSDAY).err


@pytest.mark.parametrize(
    ("loop", "day"),
    [
        ("Row Jo out on 13 December 2026, not the 12th (noted 6 December 2026)", 13),
        ("Row Jo out on Sunday, no longer on Saturday, 12 December (noted 6 December 2026)", 13),
        ("Instead of Saturday the boat goes on Sunday (noted 7 December 2026)", 13),
        ("Am Sonntag fährt das Boot, nicht am Samstag (noted 7 December 2026)", 13),
    ],
)
def test_a_day_that_a_note_denies_is_none_for_it(reel: Reel, kit: Path, loop: str, day: int) -> None:
    say(reel, "Good night.")
    note(kit, loop)
    assert "Noted for today" not in start(reel, "2026-12-12T20:00:00+00:00").err
    assert "Noted for tomorrow" in start(reel, "2026-12-12T20:00:00+00:00").err
    assert "Noted for today" in start(reel, f"2026-12-{day}T20:00:00+00:00").err


@pytest.mark.needs("intake")
def test_the_day_before_an_exam_names_it_once(reel: Reel, kit: Path) -> None:
    say(reel, "The exam is in four weeks, remind me.", "2026-02-25T20:00:00+00:00")
    note(
        kit,
        "The exam on 26 March, 50-50 (noted 1 February 2026)",
        "The exam on 26 March, 60-40 for (noted 25 February 2026)",
    )
    told = start(reel, "2026-03-25T20:00:00+00:00").err
    assert [line for line in told.splitlines() if "Noted" in line] == [
        "Noted for tomorrow: The exam on 26 March, 60-40 for."
    ]


@pytest.mark.needs("intake")
def test_two_things_with_one_person_on_one_day_are_both_told(reel: Reel, kit: Path) -> None:
    """A note of a name and a word that another has as well was taken for that one, and not told."""
    say(reel, "The kiln is warm.")
    note(
        kit,
        "Bo's mother has her operation on 26 March (noted 25 February 2026)",
        "Bo's mother gets her cake on 26 March (noted 25 February 2026)",
    )
    told = start(reel, "2026-03-26T20:00:00+00:00").err
    assert ("operation" in told, "cake" in told) == (True, True)


@pytest.mark.parametrize(
    ("said", "later"),
    [
        # the Wednesday is the 8th of April, and none before it
        ("The board has written: 8 April, Wednesday, eight in the morning, in Leeds.", "2026-03-05T20:00"),
        # a week later than the wedding
        ("They have a wedding on the day of the fair, so it's a week later.", "2026-03-05T20:00"),
        ("I haven't rung Priya in two weeks.", "2026-03-12T20:00"),
        # two of a week of its own, and a day that holds no longer
        ("The table meets on Thursday nights, with Jo.", "2026-02-26T20:00"),
        ("Lunch on Sunday 22 March 2026; Sunday's boat sails at eight that day.", "2026-03-01T20:00"),
        ("Lunch on Sunday 22 March 2026, and on the Sunday the boat sails at eight.", "2026-03-01T20:00"),
        ("Pay Jo back by 31 March 2026 (was: 5 March).", "2026-03-05T20:00"),
        # of the month that stands before it
        ("The concert is on Monday 13 April 2026; I ask on the 14th.", "2026-03-14T20:00"),
        ("Jo comes for Easter, 3 to 7 April 2026; Tove on the 6th.", "2026-03-06T20:00"),
    ],
)
def test_a_note_is_told_on_no_day_that_it_does_not_name(reel: Reel, kit: Path, said: str, later: str) -> None:
    say(reel, "The boat is in.")
    note(kit, f"{said} (noted 25 February 2026)")
    assert "Noted for" not in start(reel, f"{later}:00+00:00").err


def test_a_day_of_the_month_that_a_note_has_named_is_told_on_that_day(reel: Reel, kit: Path) -> None:
    say(reel, "The boat is in.")
    note(kit, "The concert is on Monday 13 April 2026; I ask on the 14th. (noted 25 February 2026)")
    assert "Noted for today" in start(reel, "2026-04-14T20:00:00+00:00").err


def test_a_note_of_the_day_up_to_which_somebody_has_time_is_told_when_it_has_come(
    reel: Reel, kit: Path
) -> None:
    say(reel, "The boat is in.")
    note(kit, "Priya has until 4 March to answer. (noted 25 February 2026)")
    assert (
        "Noted for 4 March 2026: Priya has until 4 March to answer."
        in start(reel, "2026-03-05T20:00:00+00:00").err
    )


def test_a_day_at_the_head_of_a_note_is_told_once(reel: Reel, kit: Path) -> None:
    say(reel, "The boat is in.")
    note(kit, "Wednesday 4 March 2026: the doctor, at nine (noted 25 February 2026)")
    told = start(reel, "2026-03-04T08:00:00+00:00").err
    assert "Noted for today: the doctor, at nine." in told
