"""Days that were asked for: a note or a wish that names a day comes back when it is there."""

import json
from pathlib import Path

import pytest

from tests.support.cli import Reel, Run
from tests.support.pages import chat

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


@pytest.mark.needs("intake")
@pytest.mark.parametrize(
    ("later", "told"),
    [
        ("not 26 feb any more. 9 march. they need longer.", False),
        ("The deadline is not 26 February, it is 9 March.", False),
        ("The party is not on 26 February, it is on the 28th.", True),
        ("Why not 26 February for the picnic?", True),
    ],
)
def test_a_day_that_a_later_chat_takes_back_is_told_no_more(
    reel: Reel, kit: Path, later: str, *, told: bool
) -> None:
    say(reel, "My deadline is the 26th of February.")
    assert "Bo said" in start(reel, THURSDAY).err
    turns = (("user", later), ("assistant", "Good."))
    messages = [{"role": role, "content": text} for role, text in turns]
    said = {"title": "later", "created_at": "2026-02-25T21:00:00+00:00", "messages": messages}
    reel("record", "-", stdin=json.dumps(said)).ok()
    assert ("26th" in start(reel, THURSDAY).err) is told


@pytest.mark.needs("intake")
def test_what_was_asked_for_a_day_is_in_that_days_bundle_and_on_both_screens(reel: Reel, kit: Path) -> None:
    say(reel, ASKED)
    told = f"For today Bo said: “{ASKED}”"
    assert told not in start(reel, "2026-02-25T22:00:00+00:00").err
    run = start(reel, THURSDAY)
    assert told in run.err.splitlines()
    assert f"Today is 26 February 2026. {told}\n" in run.out
    assert told in reel(env={"REEL_NOW": THURSDAY}).ok().out.splitlines()
    late = start(reel, "2026-02-28T20:00:00+00:00")
    assert f"For 26 February 2026 Bo said: “{ASKED}”" in late.err
    assert "if it is done" not in run.err + late.out
    # a talk that came after it has had its chance
    say(reel, "The boat is in.", "2026-02-28T21:00:00+00:00")
    assert "Bo said" not in start(reel, "2026-03-01T20:00:00+00:00").err


@pytest.mark.needs("intake")
def test_what_is_done_is_told_no_more(reel: Reel, kit: Path) -> None:
    """It was told until the next chat, and nothing said how to end it; deleting the note did not."""
    say(reel, ASKED)
    later = "2026-03-07T20:00:00+00:00"
    told = "For 26 February 2026 Bo said"
    for screen in (start(reel, later).err, reel(env={"REEL_NOW": later}).ok().out):
        assert told in screen
        command = screen.partition("Told until your next chat; if it is done:  reel ")[2].partition("\n")[0]
        assert command == "tape correct 2026-02-25-1#7 done"
    # a thing that is done was not said wrongly
    assert reel(*command.split()).ok().out == (
        "Noted at 2026-02-25-1#7: it is done. It is told no more as due.\n"
    )
    assert told not in start(reel, later).err + reel(env={"REEL_NOW": later}).ok().out


@pytest.mark.needs("intake", "facts")
@pytest.mark.parametrize(
    ("now", "told"),
    [
        ("9th of March", False),
        ("not the 26th of February. 9th. a Monday", False),
        ("26 February", True),
        ("under way", True),
        ("", True),
    ],
)
def test_a_deadline_that_has_moved_is_told_no_more(reel: Reel, kit: Path, now: str, told: bool) -> None:  # noqa: FBT001
    say(reel, "My deadline is the 26th of February.")
    fact = "- category: commitments\n  key: deadline\n  origin: extraction\n  confidence: 1\n"
    facts = f'{fact}  value: 26th of February\n  source: "2026-02-25-1#7"\n  when: 2026-02-25\n'
    if now:
        facts += f"{fact}  value: {now}\n  when: 2026-02-26\n"
    (kit / "facts.yaml").write_text(facts)
    run = start(reel, "2026-02-28T20:00:00+00:00")
    assert [("For 26 February 2026 Bo said" in text) for text in (run.err, run.out)] == [told, told]


@pytest.mark.needs("intake")
@pytest.mark.parametrize(
    "asked",
    [
        "Erinnere mich bitte am Donnerstag an die Miete.",
        "Rappelle-moi jeudi de payer le loyer, s'il te plaît.",
        "Recuérdame el jueves que pague el alquiler.",
        "Lembra-me na quinta-feira de pagar o aluguel.",
        "Напомни мне в четверг заплатить за квартиру.",
        "木曜日に家賃のことを思い出させて。",
        "星期四提醒我交房租。",
    ],
)
def test_a_day_is_read_in_each_language_that_reminders_are_noticed_in(
    reel: Reel, kit: Path, asked: str
) -> None:
    say(reel, asked)
    assert "Bo said" not in start(reel, "2026-02-25T22:00:00+00:00").err
    assert f"For today Bo said: “{asked}”" in start(reel, THURSDAY).err.splitlines()


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
def test_a_note_that_says_what_was_asked_is_told_alone(reel: Reel, kit: Path) -> None:
    say(reel, ASKED)
    note(kit, "Remind Bo to send Priya the wiki on Thursday (noted 25 February 2026)")
    told = start(reel, THURSDAY).err
    assert "Noted for today: Remind Bo to send Priya the wiki on Thursday." in told
    assert "Bo said" not in told


@pytest.mark.needs("intake")
def test_the_day_before_an_exam_names_it_once_and_by_its_day(reel: Reel, kit: Path) -> None:
    """“In four weeks” was told for the day before the exam, and the exam's own day on none."""
    say(reel, "The exam is in four weeks, remind me.", "2026-02-25T20:00:00+00:00")
    note(
        kit,
        "The exam on 26 March, 50-50 (noted 1 February 2026)",
        "The exam on 26 March, 60-40 for (noted 25 February 2026)",
    )
    told = start(reel, "2026-03-25T20:00:00+00:00").err
    assert "Bo said" not in told
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


@pytest.mark.needs("intake")
def test_a_note_of_a_day_before_hides_no_reminder_of_the_same_thing(reel: Reel, kit: Path) -> None:
    say(reel, ASKED)
    note(kit, "Send Priya the wiki on 12 January 2026 (noted 2 January 2026)")
    assert "Bo said" in start(reel, THURSDAY).err


@pytest.mark.needs("intake", "facts")
def test_a_day_that_has_moved_hides_no_reminder_for_another_day(reel: Reel, kit: Path) -> None:
    """Of a chat in which a dentist's day was named, every sentence with the dentist was left out."""
    say(reel, "Can you remind me on Thursday to pay the dentist?")
    fact = "- category: commitments\n  key: dentist\n  origin: extraction\n  confidence: 1\n"
    facts = f'{fact}  value: 3rd of April\n  source: "2026-02-25-1#1"\n  when: 2026-02-25\n'
    (kit / "facts.yaml").write_text(f"{facts}{fact}  value: 24th of April\n  when: 2026-02-26\n")
    assert "Bo said" in start(reel, THURSDAY).err


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
