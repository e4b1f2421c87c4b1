"""Facts of somebody who types in small letters, and values that a later chat or page puts aside."""

import json
import re
from pathlib import Path

import pytest

from reel_cli.core.values.approval import is_about_persona
from reel_cli.features.facts.evidence.key_meaning import lacks_meaning
from reel_cli.features.facts.pending.ended_facts import _PENDING
from tests.features.facts.test_fact_extract import extract, facts, row
from tests.support.cli import Reel
from tests.support.pages import page, say

FIRST = "i owe marek 90 for the boiler. lost my bus pass. the play is called tin roof, im on the lights"


@pytest.mark.parametrize(
    ("told", "value", "evidence"),
    [
        # a number with `n`, a day in short, and a no without an apostrophe
        ("so its a hundred n twenty five now", "£125", "so its a hundred n twenty five now"),
        ("vets weds n sat", "Wednesday and Saturday", "vets weds n sat"),
        ("cant eat oats rn", "can't eat oats", "cant eat oats rn"),
        ("theres a course going. im not gonna tho. settled", "not going for it, settled", "im not gonna tho"),
    ],
)
def test_an_informal_turn_bears_the_fact(reel: Reel, kit: Path, told: str, value: str, evidence: str) -> None:
    say(reel, kit, [("user", told), ("assistant", "Right.")])
    extract(reel, row("context", "matter", value, evidence if value[:3] != "not" else told))
    assert facts(reel) == {"context/matter": value}


@pytest.mark.parametrize(
    "said",
    [
        "its called tin sky now not tin roof",
        "its tin sky now, not tin roof any more",
        "its not tin roof anymore its tin sky",
        "used to be tin roof, its tin sky now",
    ],
)
def test_a_name_in_place_of_another_is_an_update(reel: Reel, kit: Path, said: str) -> None:
    say(reel, kit, [("user", FIRST), ("assistant", "Good.")])
    extract(reel, row("context", "play", "Tin Roof", "the play is called tin roof"))
    say(reel, kit, [("user", f"ok news. {said}"), ("assistant", "Good.")], 20)
    extract(reel, row("context", "play", "Tin Sky", said))
    assert facts(reel) == {"context/play": "Tin Sky"}


@pytest.mark.parametrize(
    ("before", "was", "said", "now"),
    [
        (
            "handball. 1989. meniscus",
            "1989",
            "no that was wrong. it was 91. february.",
            "February 1991",
        ),
        (
            "the band split in 1998",
            "split in 1998",
            "told you that all wrong. they split in 03.",
            "split in 2003",
        ),
        (
            "We bought it in 1974.",
            "bought in 1974",
            "My mistake, we bought it in 78, not in 74.",
            "bought in 1978",
        ),
        (
            "the flood was 1961",
            "1961",
            "i said it wrong. the winter of 63 had the flood",
            "the winter of 1963",
        ),
        (
            "We married in May 1988.",
            "May 1988",
            "That is not right, sorry. We married in May 86.",
            "May 1986",
        ),
        (
            "here since 1980",
            "since 1980",
            "i mixed that up. since eighty-five we have the shop",
            "since 1985",
        ),
    ],
)
def test_a_year_of_two_digits_corrects_a_year(
    reel: Reel, kit: Path, before: str, was: str, said: str, now: str
) -> None:
    say(reel, kit, [("user", before), ("assistant", "Good.")])
    extract(reel, row("history", "matter", was, before.rstrip(".")))
    say(reel, kit, [("user", said), ("assistant", "Good.")], 20)
    extract(reel, row("history", "matter", now, said.rstrip(".")))
    assert facts(reel) == {"history/matter": now}


def test_a_correction_is_never_said_less_exactly(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "The stove is a Lange 12 from Odense."), ("assistant", "Good.")])
    extract(reel, row("context", "stove", "a Lange 12 from Odense", "The stove is a Lange 12 from Odense"))
    say(reel, kit, [("user", "I told you that wrong. The stove is from Odense."), ("assistant", "Ah.")], 20)
    extract(reel, row("context", "stove", "from Odense", "The stove is from Odense"))
    assert facts(reel) == {"context/stove": "from Odense"}


def test_what_is_only_denied_is_no_update(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "its not called tin sky. marek made that up"), ("assistant", "Good.")])
    rows = (
        row("context", "play", "Tin Sky", "its not called tin sky"),
        row("relationships", "marek", "made that up", "marek made that up"),
    )
    told = extract(reel, "\n".join(rows))
    assert "“its not called tin sky” denies it" in str(told["problems"])
    assert [*facts(reel)] == ["relationships/marek"]


def test_what_is_only_thought_of_is_not_told_as_settled(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "hes thinking of selling the van after xmas, thinking"), ("assistant", "Oh.")])
    means = row(
        "context", "van", "means to sell it after Christmas", "hes thinking of selling the van after xmas"
    )
    extract(reel, means)
    assert facts(reel) == {"context/van": "hes thinking of selling the van after xmas"}


@pytest.mark.parametrize(
    ("key", "said"), [("age", "the hero is 31 like me"), ("dad's birthday", "dads 60 on sun 9th aug at hers")]
)
def test_an_age_in_few_words_says_what_it_is(key: str, said: str) -> None:
    assert not lacks_meaning(key, "31", [said], protects=False)
    assert lacks_meaning(key, "31", ["31 on the bus"], protects=False)


def test_the_age_of_somebody_else_is_not_that_of_the_person(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "pells 41 now, he has a birthday in act two"), ("assistant", "Good.")])
    told = 'identity | Pell\'s age | 41 | Pell is 41 in act two | "pells 41 now" | 1'
    extract(reel, f"## What I know for sure\n{told}\n\nAda\n")
    assert [*facts(reel)] == ["context/pell's-age"]


@pytest.mark.parametrize(
    ("evidence", "about"),
    [
        ("put ur lamp in act two but called it jorge so u cant sue", False),
        ("borrowed your line for the poster", False),
        ("you are a lamp", True),
        ("told you that you are a lamp", True),
        ("made up your mind: you're cruel", True),
        ("put your name down as Mallory", True),
    ],
)
def test_a_sentence_that_leaves_out_its_i_is_the_speakers(evidence: str, about: bool) -> None:  # noqa: FBT001
    assert is_about_persona("Jorge", "the lamp in act two", evidence, "Ada") is about


def close(
    reel: Reel, kit: Path, *, note: str, told: str, said: str, anew: str = "nothing", first: str = FIRST
) -> str:
    """Note a fact and a note, close the note in a later chat, and return what the screen shows."""
    say(reel, kit, [("user", first), ("assistant", "Oh dear.")])
    early = {
        "What I know for sure": told, "Lines to find it by": f'"{told.split(chr(34))[1]}"',
        "My notes": f"1. still\nnew: {note}",
        "What has shifted": '"Oh dear."\nsteady', "Worth showing again": "nothing",
    }  # fmt: skip
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(early)).ok()
    say(reel, kit, [("user", said), ("assistant", "Oh good.")], 27)
    asked = reel("checkpoint", "--prompt").ok().out
    number = next(line for line in asked.splitlines() if note in line).partition(".")[0]
    last = {
        "What I know for sure": anew, "Lines to find it by": f'"{said}"',
        "What has shifted": '"Oh good."\nsteady', "My notes": f'{number}. closed "{said}"',
    }  # fmt: skip
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=page(last)).ok()
    return run.out + run.err


LOST = 'context | bus pass | lost my bus pass | Bo has lost the bus pass | "lost my bus pass" | 1'


def test_a_value_whose_note_is_closed_and_that_is_told_anew_is_not_told_as_current(
    reel: Reel, kit: Path
) -> None:
    anew = 'context | bus pass | recovered, under the seat | "it was down the side of the seat" | 1'
    shown = close(
        reel, kit, note="The lost bus pass", told=LOST, said="it was down the side of the seat lol", anew=anew
    )
    assert "No longer a fact\n  bus pass: lost my bus pass (the page says: recovered" in shown
    assert "stays" not in shown
    assert "bus pass" not in reel("pack").ok().out.partition("know by heart")[2].partition("\n## ")[0]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("licence", "probably no more", "finished for ever; B kept"),
        ("bus pass", "lost my bus pass", "in a drawer"),
    ],
)
def test_what_goes_with_its_note_leaves_its_newer_value_to_the_person(
    reel: Reel, kit: Path, name: str, old: str, new: str
) -> None:
    told = f'context | {name} | {old} | The {name}: {old} | "{name} {old}" | 1'
    said = "wednesday at eight, three doctors and a plant, it took four minutes"
    anew = f'context | {name} | {new} | The {name}: {new} | "three doctors and a plant" | 1'
    shown = close(reel, kit, note=f"The {name} {old}", told=told, said=said, anew=anew, first=f"{name} {old}")
    assert f"No longer a fact\n  {name}: {old}" in shown
    assert f"a fact: context, {name}: {new} (until now: {old}); the chat says only “three doctors" in shown
    waiting = next(path for path in (kit / "review").iterdir() if path.name.startswith("fact-"))
    reel("review", "accept", waiting.stem).ok()
    assert facts(reel) == {f"context/{name.replace(' ', '-')}": new}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (
            "rent",
            "1260 from the agency, nine years; to be signed",
            "1260 from the agency, nine years; signed by all",
        ),
        (
            "flat",
            "two rooms in Wells, a balcony, keys after Easter",
            "two rooms in Wells, a balcony, keys in hand",
        ),
        (
            "job",
            "thirty hours at the library; contract not seen",
            "thirty hours at the library; has a contract",
        ),
        ("boat", "red, eleven metres, paid in part", "red, eleven metres, all hers"),
    ],
)
def test_a_note_closed_by_its_deed_takes_no_value_that_goes_on(
    reel: Reel, kit: Path, name: str, old: str, new: str
) -> None:
    told = f'context | {name} | {old} | The {name}: {old} | "{name} {old}" | 1'
    said = "wednesday at eight, three doctors and a plant, it took four minutes"
    anew = f'context | {name} | {new} | The {name}: {new} | "three doctors and a plant" | 1'
    shown = close(
        reel, kit, note=f"The {name}, {old}", told=told, said=said, anew=anew, first=f"{name} {old}"
    )
    assert "No longer a fact" not in shown
    # the newer value is kept, or waits where the chat does not bear it
    went = ", ".join(one for one in re.split("[,;] ", old) if one not in new)
    assert f"{new} (until now: {went})" in shown


def test_what_was_pending_ends_with_its_note(reel: Reel, kit: Path) -> None:
    shown = close(reel, kit, note="The lost bus pass", told=LOST, said="found the bus pass, phew")
    assert "No longer a fact\n  bus pass: lost my bus pass" in shown


@pytest.mark.parametrize(
    ("said", "note"),
    [
        ("missing a leg", "The uncle's missing leg: a new shoe"),
        ("waits tables at the Harbour", "The uncle waits tables at the Harbour: new cloths"),
        ("waiting tables at the Harbour", "The uncle waits tables at the Harbour: new cloths"),
        ("lost an eye at sea", "The eye lost at sea: the drops for it"),
        ("works in the post office", "The post office works: new counter"),
        ("studies applied mathematics", "Applied mathematics studies: the reading list"),
    ],
)
def test_a_trait_or_a_trade_does_not_end_with_a_note(reel: Reel, kit: Path, said: str, note: str) -> None:
    told = f'context | uncle | {said} | The uncle {said} | "{said}" | 1'
    shown = close(reel, kit, note=note, told=told, said=f"settled: {note.lower()}", first=f"my uncle {said}")
    assert "No longer a fact" not in shown


@pytest.mark.parametrize(
    "value",
    [
        *("lost", "on order", "waiting", "missing", "waiting for the survey", "missing since Monday"),
        *(
            "passport missing",
            "lost my mother's ring",
            "applied to Leeds",
            "on a waiting list",
            "in the post",
        ),
    ],
)
def test_what_is_ordered_lost_or_awaited_is_pending(value: str) -> None:
    assert _PENDING.search(value)


@pytest.mark.parametrize(
    "value", ["missing a leg", "waits tables at the Harbour", "a lady in waiting", "left ear missing"]
)
def test_a_trait_or_a_trade_is_not_pending(value: str) -> None:
    assert not _PENDING.search(value)


def test_what_is_so_for_good_stays_when_a_note_about_it_is_closed(reel: Reel, kit: Path) -> None:
    told = 'context | play | on the lights of Tin Roof | Bo is on the lights | "im on the lights" | 1'
    shown = close(
        reel, kit, note="The play Tin Roof, lights", told=told, said="lights rig is hung for the play"
    )
    assert "No longer a fact" not in shown


def test_what_has_happened_does_not_end_with_a_note_about_it(reel: Reel, kit: Path) -> None:
    told = 'history | bus pass | lost my bus pass | Bo lost the bus pass | "lost my bus pass" | 1'
    anew = 'history | bus pass | black with rain, found | "it was down the side of the seat" | 1'
    said = "it was down the side of the seat lol"
    shown = close(reel, kit, note="The lost bus pass", told=told, said=said, anew=anew)
    assert "No longer a fact" not in shown
    assert facts(reel) == {"history/bus-pass": "lost my bus pass"}


def test_a_value_that_the_chat_has_no_words_for_ends_none(reel: Reel, kit: Path) -> None:
    told = 'context | play | called Tin Roof | Bo plays Tin Roof | "the play is called tin roof" | 1'
    anew = 'context | play | called Wild Ducks | Bo plays Wild Ducks | "we do wild ducks instead" | 1'
    said = "the play posters are done"
    shown = close(reel, kit, note="The play Tin Roof: posters", told=told, said=said, anew=anew)
    assert "No longer a fact" not in shown
    assert facts(reel) == {"context/play": "called Tin Roof"}


def test_what_protects_and_is_said_to_be_over_waits_for_one_word(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "im allergic to wool"), ("assistant", "Noted.")])
    extract(reel, row("constraints", "wool allergy", "allergic to wool", "im allergic to wool"))
    say(reel, kit, [("user", "test came back. im not allergic to wool"), ("assistant", "Oh.")], 20)
    reel("checkpoint", "--prompt").ok()
    line = 'constraints | wool allergy | over | "im not allergic to wool"'
    told = page({"What I know for sure": line, "Lines to find it by": '"im not allergic to wool"'})
    reel("checkpoint", "--reply", "-", "--yes", stdin=told).ok()
    assert facts(reel) == {"constraints/wool-allergy": "allergic to wool"}
    waiting = reel("review").ok().out
    assert "im not allergic to wool" in waiting
    name = next(word for word in waiting.split() if word.startswith("fact-")).rstrip(".:")
    reel("review", "accept", name, "--as", "Bo <bo@example.org>", "--yes").ok()
    assert facts(reel) == {}


def test_one_name_of_what_is_under_way_is_one_fact(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "the regatta is on the 14th"), ("assistant", "Good.")])
    extract(reel, row("context", "regatta", "on the 14th", "the regatta is on the 14th"))
    say(reel, kit, [("user", "regattas on the 21st now"), ("assistant", "Good.")], 11)
    extract(reel, row("commitments", "regatta", "on the 21st", "regattas on the 21st now"))
    assert facts(reel) == {"context/regatta": "on the 21st"}


def test_what_somebody_put_themselves_is_their_own_word(reel: Reel, kit: Path) -> None:
    said = 'ok i did write to him. friday, 2am, i texted "do you still have my drill". he never answered'
    say(reel, kit, [("user", said), ("assistant", "Oh.")])
    told = 'history | text to Marek | friday, 2am | "friday, 2am, i texted "do you still have my drill""'
    extract(reel, f"## What I know for sure\n{told} | 1\n\nAda\n")
    assert facts(reel) == {"history/text-to-marek": "friday, 2am"}


def test_a_year_in_short_is_the_year_and_a_question_beside_the_answer_takes_nothing_away(
    reel: Reel, kit: Path
) -> None:
    talk = [
        ("user", "Where was that?"),
        ("assistant", "I lost the dog Tarn on the Kelder Fell. Nobody spoke for a day."),
        ("user", "how old was he"),
        ("assistant", "Nine. March of seventy-eight. I still keep his bowl."),
    ]
    say(reel, kit, talk)
    told = (
        "own | Tarn | lost on the Kelder Fell, nine, March '78 | I lost Tarn, nine, in March 1978"
        ' | "Nine. March of seventy-eight." "how old was he" | 1'
    )
    extract(reel, f"## What I know for sure\n{told}\n\nAda\n")
    assert facts(reel) == {"own/tarn": "lost on the Kelder Fell, nine, March '78"}


def test_a_newer_value_that_nobody_can_tell_is_named_where_every_word_is_asked_for(
    reel: Reel, kit: Path
) -> None:
    say(reel, kit, [("user", "i owe marek 90 for the boiler"), ("assistant", "Oh.")])
    extract(reel, row("context", "debt to Marek", "90 for the boiler", "i owe marek 90 for the boiler"))
    say(reel, kit, [("user", "gave him a bit. its less now"), ("assistant", "Good.")], 20)
    reel("checkpoint", "--prompt").ok()
    line = 'context | debt to Marek | £40 left | Bo owes Marek £40 | "gave him a bit. its less now" | 1'
    told = page({"What I know for sure": line, "Lines to find it by": '"its less now"'})
    shown = reel("checkpoint", "--reply", "-", "--dry-run", stdin=told).ok()
    assert "“90 for the boiler” stays" in shown.out + shown.err
    kept = reel("checkpoint", "--reply", "-", "--yes", stdin=told).ok()
    assert "stays" not in kept.out + kept.err


@pytest.mark.parametrize(
    ("value", "statement", "held"),
    [
        # `moved` is what the chat tells, though not in that word
        ("moved to Thursday, 4 pm", "", "moved to Thursday, 4 pm"),
        ("moved to Thursday 12 February, 4 pm", "", "moved to Thursday 12 February, 4 pm"),
        ("Thursday, 4 pm", "Moss goes to the vet on Thursday", "Thursday, 4 pm"),
        ("Thursday, 4 pm", "Moss goes to the vet at 4 pm", "Thursday, 4 pm"),
    ],
)
def test_a_new_value_has_every_day_and_hour_that_was_said(
    reel: Reel, kit: Path, value: str, statement: str, held: str
) -> None:
    say(reel, kit, [("user", "Moss goes to the vet on Tuesday at ten."), ("assistant", "Good.")])
    extract(reel, row("commitments", "vet", "Tuesday at ten", "on Tuesday at ten"))
    said = [("user", "They rang about Moss."), ("assistant", "When then?"), ("user", "Thursday, 4 pm.")]
    say(reel, kit, said, 11)
    told = f'commitments | vet | {value} | {statement} | "Thursday, 4 pm." | 1'
    extract(reel, f"## What I know for sure\n{told}\n\nAda\n")
    [kept] = json.loads(reel("fact", "list", "--json").ok().out)
    assert (kept["value"], kept.get("statement", "")) == (held, "")


@pytest.mark.parametrize(
    ("said", "value", "kept"),
    [
        ("I sorted some postcards today.", "300 postcards", "268 postcards"),
        ("I sorted some postcards today.", "300 postcards, sorted", "268 postcards"),
        ("Got 300 postcards by now.", "300 postcards", "300 postcards"),
        ("Three hundred it is by now, postcards.", "300 postcards", "300 postcards"),
        # it follows from what was said
        ("Bought 32 postcards at the fair.", "300 postcards", "300 postcards"),
        ("I gave 8 postcards away.", "260 postcards", "260 postcards"),
        # no other number of them
        ("I sorted some postcards today.", "sorted some postcards", "268 postcards; sorted some postcards"),
    ],
)
def test_a_number_that_nobody_said_takes_the_place_of_none(
    reel: Reel, kit: Path, said: str, value: str, kept: str
) -> None:
    say(reel, kit, [("user", "I have 268 postcards."), ("assistant", "Good.")])
    extract(reel, row("context", "postcards", "268 postcards", "I have 268 postcards"))
    say(reel, kit, [("user", said), ("assistant", "Good.")], 20)
    run = reel("fact", "extract", "--reply", "-", "--yes", stdin=row("context", "postcards", value, said))
    assert facts(reel) == {"context/postcards": kept}
    shown = "postcards: not kept: nobody said “300”; “268 postcards” stays"
    assert (shown in " ".join(f"{run.out} {run.err}".split())) is (kept == "268 postcards")
    assert ("its words say" in run.err) is False


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        # the chat has another day, another number, or a no
        ('context | knee | done on 9 September, Tuesday | "the 8th of September" | 1', "“8th of September”"),
        ('context | pot | £501 | "in the pot I have £510" | 1', "“£510”, and not “£501”"),
        # nobody can tell
        ('context | knee | done on 30 October | "Theatre\'s being done" | 1', ""),
        ('relationships | Bev | has a stall by the quay | "Bev says hi" | 0.4', ""),
        ('context | hat | the hat is hers | "the hat is red" | 1', ""),
    ],
)
def test_only_a_fact_that_the_chat_speaks_against_is_shown(
    reel: Reel, kit: Path, line: str, shown: str
) -> None:
    """Of ninety lines about facts that were not kept, nineteen were right: those of another number or day."""
    said = "They've moved my knee, it's the 8th of September now. Theatre's being done. Bev says hi."
    said += " And in the pot I have £510."
    say(reel, kit, [("user", said), ("assistant", "Oh.")])
    reel("checkpoint", "--prompt").ok()
    told = page({"What I know for sure": line, "Lines to find it by": '"Bev says hi."'})
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=told).ok()
    told_of = [one for one in (run.out + run.err).splitlines() if "not k" in one or "set aside" in one]
    assert [shown in one for one in told_of] == ([True] if shown else [])
