"""Lines of a bundle that tell a value which was replaced or let go say so, wherever they stand."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from reel_cli.core.files.memory_file import render_memory
from reel_cli.core.pack import words
from reel_cli.core.values.memory import Level, Memory, memory_path
from reel_cli.core.values.talk import SourceRange
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import EXTRACTION
from reel_cli.features.facts.replaced.line_marks import LineMarks
from reel_cli.features.facts.replaced.old_values import list_old_values
from reel_cli.features.facts.replaced.own_days import tells_outcome
from tests.features.facts.test_bundle import packed, with_facts


def fact(category: str, key: str, value: str, day: str, replaces: str = "", dropped: str = "") -> Fact:
    said_by = "persona" if category == "own" else ""
    return Fact(
        category, key, value, "0.9", f"{day}-1#3", day, replaces, EXTRACTION, dropped, said_by=said_by
    )


VISIT = [
    fact("context", "Cathal visit", "19 December", "2026-08-16"),
    fact("context", "Cathal visit", "22 December, Dublin", "2026-11-01", "19 December"),
]
WEDDING = [
    fact("context", "wedding", "Ketaki's wedding, Saturday 12 December", "2026-05-23"),
    fact(
        "context",
        "wedding",
        "Saturday 30 January 2027",
        "2026-06-28",
        "Ketaki's wedding, Saturday 12 December",
    ),
]
WARFARIN = [
    fact("constraints", "Nora warfarin", "4, one blue 3 and one brown 1", "2026-04-19"),
    fact(
        "constraints",
        "Nora warfarin",
        "3, one blue, at six, since 9 July",
        "2026-07-12",
        "4, one blue 3 and one brown 1",
    ),
    fact(
        "constraints",
        "Nora warfarin",
        "off the warfarin altogether",
        "2026-10-15",
        "3, one blue, at six, since 9 July",
    ),
]
RULE = [
    fact("constraints", "no drownings", "no drownings no bodies", "2026-05-05"),
    fact(
        "constraints",
        "no drownings",
        "no drownings no bodies",
        "2026-10-15",
        dropped="its page says that it is over",
    ),
]
PENICILLIN = [
    fact("constraints", "penicillin", "allergic, by a form his mother filled in", "2026-05-04"),
    fact(
        "constraints",
        "penicillin",
        "not allergic to penicillin",
        "2026-09-26",
        "allergic, by a form his mother filled in",
    ),
]
LODGER = [
    fact("relationships", "lodger", "Mr. Teague, room 3, 140 a week", "2026-04-11"),
    fact(
        "relationships",
        "lodger",
        "Mr. Tighe, room 3, 155 a week",
        "2026-09-06",
        "Mr. Teague, room 3, 140 a week",
    ),
]
PENS = [
    fact("constraints", "pens", "one in the satchel, one in the drawer under the till", "2026-05-20"),
    fact(
        "constraints",
        "pens",
        "one in the satchel, one on a hook by the coffee machine",
        "2026-09-14",
        "one in the satchel, one in the drawer under the till",
    ),
]
TRAPDOOR = [
    fact("own", "trapdoor", "I promised him the end of the trapdoor story", "2026-06-11"),
    fact(
        "own",
        "trapdoor",
        "told: it was me who left it unbolted",
        "2026-09-08",
        "I promised him the end of the trapdoor story",
    ),
]
EYES = [
    fact("context", "Nora cataract", "right eye, Wednesday 17 June", "2026-05-16"),
    fact(
        "context",
        "Nora cataract",
        "right eye, Wednesday 22 July",
        "2026-06-14",
        "right eye, Wednesday 17 June",
    ),
    fact(
        "context",
        "Nora cataract",
        "right eye, Wednesday 22 July",
        "2026-07-25",
        dropped="its page says that it is over",
    ),
]


CONCERT = [
    fact("context", "concert", "Sunday 15 November, at 17:00", "2026-08-29"),
    fact("context", "concert", "Sunday 22nd, at 16:00", "2026-10-24", "Sunday 15 November, at 17:00"),
    fact(
        "context", "concert", "Sunday 22nd, at 16:00", "2026-11-23", dropped="its page says that it is over"
    ),
]
TELLING = [
    fact("commitments", "telling mum", "by Sunday 30th", "2026-08-17"),
    fact(
        "commitments", "telling mum", "by Sunday 30th", "2026-09-06", dropped="its page says that it is over"
    ),
]
WESTON = [
    fact("commitments", "Weston", "15th of August, golf club", "2026-07-24"),
    fact("commitments", "Weston", "15th of August, golf club", "2026-10-11", dropped="its day has passed"),
]
RESIT = [
    fact("commitments", "OSCE", "failed trauma; resit 12th November Thursday", "2026-10-11"),
    fact("commitments", "resit", "12th November, Thursday", "2026-10-11"),
    fact("commitments", "OSCE", "failed trauma; resit 12th November Thursday", "2026-11-22", dropped="over"),
    fact("commitments", "resit", "12th November, Thursday", "2026-11-22", dropped="over"),
]
ROOF = [
    fact("context", "roof", "starts 8 June", "2026-05-14"),
    fact("context", "roof", "finished, the last part in January", "2026-10-24", "starts 8 June"),
    fact("relationships", "Marek Gajda", "the roof, has a van", "2026-05-14"),
]
VERSE = [
    fact("own", "the verse", "a few lines for reading aloud", "2026-05-05"),
    fact("own", "the verse", "a few lines for reading aloud", "2026-10-11", dropped="over"),
]
ENDING = [
    fact("own", "promise story", "you shall have the ending before All Souls", "2026-05-05"),
    fact("own", "promise story", "you shall have the ending before All Souls", "2026-10-24", dropped="over"),
]
ASKING = [
    fact("constraints", "no asking", "stop asking about my tablets", "2026-08-26"),
    fact("constraints", "no asking", "stop asking about my tablets", "2026-09-25", dropped="over"),
]
GRAN = [
    fact("relationships", "gran", "Icilda, Miss Icy, 83, in Easton", "2026-04-19"),
    fact(
        "relationships", "gran", "Miss Icy lives at Denise's", "2026-11-01", "Icilda, Miss Icy, 83, in Easton"
    ),
]


WINTER = [
    fact("own", "the winter", "told whole at ninety degrees", "2026-05-05"),
    fact("own", "the winter", "told whole at ninety degrees", "2026-06-12", dropped="over"),
]
LICENCE = [
    fact("commitments", "licence", "1150, due 31 October", "2026-09-06"),
    fact(
        "commitments", "licence", "1150 was paid on Friday 30 October", "2026-11-01", "1150, due 31 October"
    ),
]


def changed(category: str, key: str, was: str, now: str, said: str, since: str) -> list[Fact]:
    return [fact(category, key, was, said), fact(category, key, now, since, was)]


def let_go(category: str, key: str, value: str, said: str, since: str) -> list[Fact]:
    return [
        fact(category, key, value, said),
        fact(category, key, value, since, dropped="its note was closed"),
    ]


HANDS = changed(
    "constraints", "hands", "stiff in the mornings, letter to come",
    "osteoarthritis, in the thumb mostly; do not wring out cloths", "2026-05-03", "2026-07-24",
)  # fmt: skip
MIGRAINE = changed(
    "constraints", "migraine", "migraine with aura, amitriptyline 20 at night",
    "migraine with aura; candesartan 8 mg in the morning from 13 October; sumatriptan stays as it was for "
    "attacks; no ibuprofen; amitriptyline stopped", "2026-06-01", "2026-10-18",
)  # fmt: skip
LETTER = changed(
    "constraints", "penicillin", "allergic since he was a kid",
    "not allergic; surgery still says penicillin, letter being resent", "2026-04-07", "2026-09-12",
)  # fmt: skip
SESAME = changed(
    "constraints", "sesame", "Callum can't have sesame", "Calum can't have sesame; also hummus",
    "2026-05-03", "2026-06-28",
)  # fmt: skip
DEMO = changed("commitments", "demo", "16 October", "Friday 6 November", "2026-05-12", "2026-10-18")
HOME = changed(
    "context", "home", "Meanwood from 1 September", "Meanwood since 5 September", "2026-08-29", "2026-09-12"
)
SISTER = changed(
    "relationships", "sister Tineke", "in Groningen; letter sent 30 October 2026",
    "in Groningen; called on 18 November 2026", "2026-11-01", "2026-11-22",
)  # fmt: skip
TALE = changed(
    "context", "The Ferry", "last ferry before the ice; part one: the bell in the reeds, chain cut",
    "the bell, chain cut; the ferry on the ice", "2026-06-28", "2026-08-09",
)  # fmt: skip
HIP = let_go("commitments", "Marijke's hip", "new hip, 14 October 2026", "2026-08-30", "2026-11-01")
DOCTOR = let_go("commitments", "Dr Pillai", "Thursday 9 July 2026 at 10.40", "2026-06-07", "2026-07-24")
CALLUM = let_go("relationships", "Callum", "lodger, 420 a month from 1 June", "2026-05-03", "2026-06-07")
OUT = [
    *let_go("commitments", "game", "Friday 6 November", "2026-10-18", "2026-11-08"),
    fact("history", "game", "out since 6 November, 412 downloads", "2026-11-08"),
]


SINCE, STOPPED, HARMLESS = "no longer so", "off the warfarin altogether", "not allergic to penicillin"
TOLD = "told: it was you who left it unbolted"


FERRY = [
    fact("relationships", "Jon", "on the ferry from 1 October", "2026-09-19"),
    fact(
        "relationships",
        "Jon",
        "on the ferry, own flat since the 15th",
        "2026-11-22",
        "on the ferry from 1 October",
    ),
]


def marked(facts: Sequence[Fact], line: str, day: str = "2026-05-24") -> str:
    """Return what stands behind a line of this day."""
    marks = LineMarks(list_old_values(with_facts(facts).snapshot()))
    found = marks.find(line, day)
    full = [place[1:] for place in marks.last([found])]
    return marks.mark(line, found, full).removeprefix(line).strip()


@pytest.mark.parametrize(
    ("facts", "line", "mark"),
    [
        (
            VISIT,
            "Tamsin: 19 December, Cathal.",
            f"Cathal visit: {SINCE}; now: 22 December, Dublin",
        ),
        (
            WEDDING,
            "- Ketaki marries in December.",
            f"wedding: {SINCE}; now: Saturday 30 January 2027",
        ),
        (
            WARFARIN,
            "- Warfarin is 3 since 9 July.",
            f"Nora warfarin: {SINCE}; now: {STOPPED}",
        ),
        (WARFARIN, "Tamsin: Warfarin 4: one blue 3.", f"Nora warfarin: {SINCE}; now: {STOPPED}"),
        (RULE, "- Sums. No drownings with her, ever.", "no drownings: over since 15 October 2026"),
        (PENICILLIN, "- Penicillin stands.", f"penicillin: {SINCE}; now: {HARMLESS}"),
        (LODGER, "Imelda: mr teague in room 3", f"lodger: {SINCE}; now: {LODGER[1].value}"),
        (
            PENS,
            "A pen is in the drawer under the till.",
            f"pens: {SINCE}; now: {PENS[1].value}",
        ),
        (
            TRAPDOOR,
            "- I owe him the rest of the trapdoor.",
            f"trapdoor: {SINCE} since 8 September 2026; now: {TOLD}",
        ),
        (EYES, "- Nora's eye is 17 June.", f"Nora cataract: {SINCE}"),
        (EYES, "- Nora's eye is now 22 July.", "Nora cataract: over since 22 July 2026"),
        # the day of the thing, not that of the chat in which it was let go
        (CONCERT, "- The concert is on 22 November.", "concert: over since 22 November 2026"),
        (CONCERT, "- The concert is planned for 15 November.", "concert: no longer so"),
        (TELLING, "- She will tell her mum by Sunday 30 August.", "telling mum: over"),
        (WESTON, "- She sings at Weston on 15 August.", "Weston: over since 15 August 2026"),
        # of one day once
        (RESIT, "- Kez failed trauma and resits on 12 November.", "resit: over since 12 November 2026"),
        # by whoever does it, and by a promise's words
        (ROOF, "- Gajda comes only on 8 June.", f"roof: {SINCE}; now: {ROOF[1].value}"),
        (WINTER, "- The winter, owed at ninety degrees.", "the winter: over since 12 June 2026"),
        # due by a day is not done on it
        (LICENCE, "Tamsin: Licence 1,150, due 31 October.", f"licence: {SINCE}; now: {LICENCE[1].value}"),
        (VERSE, "- I owe a verse and a recipe.", "the verse: over since 11 October 2026"),
        (ENDING, "- I promised the ending before All Souls.", "promise story: over since 24 October 2026"),
        # a day that was moved is not over
        (DEMO, "- Demo on 16 October", f"demo: {SINCE}; now: {DEMO[1].value}"),
        (
            HOME,
            "- The move home to Meanwood on 1 September",
            f"home: {SINCE} since 5 September 2026; now: {HOME[1].value}",
        ),
        # the part that changed where all of it is long
        (
            MIGRAINE,
            "- Amitriptyline 20 at night for the migraine.",
            f"migraine: {SINCE} since 13 October 2026; now: candesartan 8 mg in the morning from 13 October",
        ),
        (LETTER, "- Nor can he have penicillin.", f"penicillin: {SINCE}; now: {LETTER[1].value}"),
        (HIP, "- Marijke gets her hip on 14 October.", "Marijke's hip: over since 14 October 2026"),
    ],
)
def test_a_line_that_tells_an_old_value_is_marked(facts: Sequence[Fact], line: str, mark: str) -> None:
    assert marked(facts, line) == f"[{mark}]"


RAISED = (
    fact("constraints", "mother's ramipril", "5 mg of ramipril in the morning", "2026-05-01"),
    fact("constraints", "mother's ramipril", "10 mg of ramipril in the morning", "2026-05-02"),
)
DROPPED = (
    *RAISED,
    replace(RAISED[1], when="2026-05-04", origin="person", dropped="your word"),
)


@pytest.mark.parametrize(
    ("facts", "line", "day", "mark"),
    [
        (RAISED, "Helen: She takes 5 mg of ramipril in the morning.", "2026-05-01", "no longer so"),
        (DROPPED, "Helen: She takes 5 mg of ramipril in the morning.", "2026-05-01", "no longer so"),
        (DROPPED, "Helen: She takes 10 mg of ramipril now, not 5.", "2026-05-02", "over"),
        # another dose than the one that was let go, which may hold
        (DROPPED, "Helen: Mum takes 2.5 mg of ramipril in the evening now.", "2026-05-03", ""),
    ],
)
def test_a_dose_is_marked_by_its_own_amount(facts: Sequence[Fact], line: str, day: str, mark: str) -> None:
    found = marked(facts, line, day)
    assert mark in found
    assert bool(found) is bool(mark)


@pytest.mark.parametrize(
    ("facts", "line", "day"),
    [
        # of another thing
        (VISIT, "Tamsin: 19 December, the boat.", "2026-08-16"),
        (WEDDING, "- The concert is in December, and Ketaki sings.", "2026-05-23"),
        (RULE, "- No swimming with her, ever.", "2026-05-05"),
        (LODGER, "Imelda: the loan is 140 a week", "2026-05-05"),
        (PENS, "The keys are in the drawer under the till.", "2026-05-24"),
        # another day of the same person
        (FERRY, "- Jon starts on the ferry on 1 October.", "2026-09-19"),
        # the change itself
        (VISIT, "Imelda: cathal comes on the 22nd, not the 19th december", "2026-08-16"),
        (PENICILLIN, "- Penicillin is off the page.", "2026-08-01"),
        # what holds, and what was said since
        (VISIT, "- Cathal, 22 December, Dublin.", ""),
        (VISIT, "Imelda: and to think cathal had the 19th december", "2026-11-21"),
        (TRAPDOOR, "- The trapdoor creaked.", "2026-06-11"),
        # a tale of what is over needs no mark, a list of what is open does
        (EYES, "Imelda: mam has the eye wednesday 22 july", "2026-06-20"),
        # told on its day or later
        (WESTON, "- Kez had an aura on stage at Weston on 15 August.", "2026-08-17"),
        # a note that tells it as it was
        (WESTON, "- She sang at Weston on 15 August.", ""),
        # from before there was a rule
        (ASKING, "- I shall ask: evening tablet? No fuss.", "2026-04-09"),
        # the thing alone, of which only a part changed
        (HANDS, "- Pargeter is the blood pressure; Pillai, the hands.", ""),
        (HANDS, "- She had the phone in her hand.", "2026-04-12"),
        (MIGRAINE, "- Migraine with aura, says the doctor.", "2026-06-01"),
        (LETTER, "Tobi: mum rang to say has he given u penicillin", "2026-05-12"),
        # what the newer value says as well
        (LETTER, "- Penicillin letter resent, not on the record yet", ""),
        # the same name in other letters
        (SESAME, "- Callum comes, no sesame in the house.", "2026-05-03"),
        # what was done on a day, and what was told
        (SISTER, "- Posted a letter to sister Tineke on 30 October.", "2026-11-01"),
        (TALE, "- The Ferry: the bell in the reeds.", "2026-06-28"),
        # a month and somebody's name
        (HIP, "- Marijke is 63; the labels before October.", "2026-09-22"),
        # somebody is never over, nor what began on that day
        (DOCTOR, "- Dr Pillai is on 9 July at 10.40.", "2026-06-07"),
        (CALLUM, "- Callum comes on 1 June for 420 a month.", "2026-05-03"),
        (OUT, "- The game on 6 November.", ""),
        # another name of the same person
        (GRAN, "- Gran is Icilda, Miss Icy.", "2026-04-19"),
    ],
)
def test_a_line_that_does_not_is_left_alone(facts: Sequence[Fact], line: str, day: str) -> None:
    assert marked(facts, line, day) == ""


def test_only_the_last_mark_of_a_fact_tells_what_holds() -> None:
    marks = LineMarks(list_old_values(with_facts(VISIT).snapshot()))
    text = "- Cathal, 19 December.\n- Cathal is booked for 19 December."
    found = marks.find(text)
    full = [place[1:] for place in marks.last([found])]
    first, second = marks.mark(text, found, full).splitlines()
    assert first.endswith("[Cathal visit: no longer so]")
    assert second.endswith("[Cathal visit: no longer so; now: 22 December, Dublin]")


CALLS = changed("commitments", "the surgery", "he will ring by 8 May", "I rang it on the 7th",
                "2026-05-04", "2026-05-23")  # fmt: skip


def test_a_memory_is_told_as_it_was_and_the_facts_that_it_names_are_taken_from_it() -> None:
    marks = LineMarks(
        list_old_values(with_facts([*CALLS, *VISIT]).snapshot()), ["constraints/lidka's-allergy"]
    )
    since = "(Not all of it holds any longer. What holds: {})"
    names = {"the surgery": "he rang it", "Lidka's allergy": "hazelnut; cashew, both"}
    told = since.format("the surgery: he rang it; Lidka's allergy: hazelnut; cashew, both")
    assert marks.take_named(f"- He runs. {told}\n") == ("- He runs.\n", names)
    assert marks.take_named(f"### A run\n\nHe runs.\n\n{told}\n\n") == ("### A run\n\nHe runs.\n\n", names)
    # what holds of no fact is told nowhere else
    other = since.format("asthma is there still")
    assert marks.take_named(f"- He runs. {other}\n") == (f"- He runs. {other}\n", {})
    both = since.format("asthma is there still; the surgery: he rang it")
    assert marks.take_named(f"- He runs. {both}\n")[0] == f"- He runs. {other}\n"


def test_a_list_tells_once_what_changed_and_names_what_is_known_by_heart_or_over() -> None:
    values = list_old_values(with_facts([*CALLS, *VISIT, *CONCERT, *TELLING]).snapshot())
    marks = LineMarks(values, ["constraints/lidka's-allergy", "context/cathal-visit"])
    named = {"the surgery": "he rang it", "Lidka's allergy": "hazelnut; cashew, both"}
    surgery = "the surgery: Bo said on 23 May 2026: “I rang it on the 7th”"
    allergy = "Lidka's allergy: hazelnut; cashew, both"
    over = (
        "Over: concert: Sunday 22nd, at 16:00 (since 22 November 2026);"
        " telling mum: by Sunday 30th (since 6 September 2026)"
    )
    found = [*range(len(values)), *range(len(values))]
    visit = "Cathal visit: 22 December, Dublin"
    assert marks.list_changes(named, found, ()) == [surgery, visit, allergy, over]
    held = ["context/cathal-visit"]
    by_heart = "Changed; what holds now is among what you know by heart: Cathal visit"
    assert marks.list_changes(named, found, held) == [surgery, allergy, over, by_heart]
    below = "Changed; what holds now stands below, in what else you know: Cathal visit"
    assert marks.list_changes(named, found, (), held) == [surgery, allergy, over, below]
    assert marks.list_changes({}, (), ()) == []


def test_what_came_of_a_thing_is_told_and_not_that_it_is_over() -> None:
    passed = fact("commitments", "OSCE", "Bo passed the OSCE on 23 June 2026 with 71%", "2026-06-23")
    exam = [fact("commitments", "OSCE", "on Tuesday 23 June", "2026-06-14"), passed]
    ended = [*exam, replace(passed, when="2026-09-28", dropped="its page says that it is over")]
    values = list_old_values(with_facts(ended).snapshot())
    marks = LineMarks(values, [])
    found = [at for at, value in enumerate(values) if "passed" in value.was]
    assert found
    assert marks.list_changes({}, found, ()) == ["OSCE: Bo passed the OSCE on 23 June 2026 with 71%"]
    for told, is_outcome in (
        ("done 22 September", True),
        ("paid on 2 October, two days late", True),
        ("gave your word not to ask about her father", False),
        ("no swimming until it is done", False),
        ("must be paid by Friday", False),
    ):
        assert tells_outcome(told) is is_outcome


def test_a_day_that_the_value_gives_is_not_told_twice() -> None:
    assert words.changed("organ story", "2026-05-31", "told on 31 May: bottom C") == (
        "organ story: told on 31 May: bottom C"
    )
    assert words.changed("Mattis", "2026-09-28", "", "owes ten") == (
        "Mattis, since 28 September 2026: no longer so (owes ten)"
    )


def test_the_name_of_the_one_who_talks_tells_no_old_value() -> None:
    shop = [
        fact("relationships", "shop-Bengt", "has the shop; Bo has his ladder since October", "2026-04-14"),
        fact(
            "relationships", "shop-Bengt", "sells the shop to a couple from Lahti; ladder given back",
            "2026-10-18", "has the shop; Bo has his ladder since October",
        ),
    ]  # fmt: skip
    assert marked(shop, '- Quarter to five: Bo said: "i let bengt sweat till lunch"') == ""


def test_an_age_that_passed_is_no_old_value() -> None:
    ages = [
        fact("relationships", "mother", "Nora, 86", "2026-04-11"),
        fact("relationships", "mother", "Nora, 87", "2026-08-16", "Nora, 86"),
    ]
    assert marked(ages, "- My mother Nora is 86.") == ""


def memory(number: int, day: str, marker: str) -> str:
    told = Memory(
        f"M-{number:03d}", f"Talk {number}", Level.L1, f"\n## What happened\n\n{marker}\n",
        source=(SourceRange(f"{day}-1", 1, 9),), sessions=(f"{day}-1",), marker=marker, tag=marker,
    )  # fmt: skip
    return render_memory(told)


NOTES = "## Active threads\n\n- Cathal, 19 December, is booked.\n"


def pages(many: int) -> dict[str, str]:
    return {
        memory_path(f"M-{number:03d}"): memory(
            number, f"2026-08-{number:02d}", "Cathal comes on 19 December."
        )
        for number in range(1, many + 1)
    }


def test_notes_are_marked_and_a_list_below_the_memories_tells_what_changed() -> None:
    for window in (4096, 8192, 32_768):
        kit = with_facts(VISIT, **pages(28), **{"ring2/working.md": NOTES})
        bundle = packed(kit, window=window)
        remembered, heading, below = bundle.text.partition("## What has changed since\n")
        assert heading
        assert "Cathal comes on 19 December." in remembered
        assert "no longer so" not in remembered
        assert (
            "- Cathal, 19 December, is booked. [Cathal visit: no longer so; now: 22 December, Dublin]"
            in below
        )
        assert "- Changed; what holds now stands below, in what else you know: Cathal visit\n" in below
        assert bundle.tokens <= bundle.cap - bundle.live


def test_memories_read_the_same_before_and_after_a_fact_changed() -> None:
    before, after = (
        packed(with_facts(facts, **pages(5)), window=8192).text.partition("## What you remember\n")[2]
        for facts in (VISIT[:1], VISIT)
    )
    remembered = before.partition("\n## ")[0]
    assert "Cathal comes on 19 December." in remembered
    assert after.startswith(remembered)
