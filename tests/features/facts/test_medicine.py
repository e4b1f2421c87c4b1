"""A medicine by its name alone, or a dose behind a name, protects somebody."""

import json
from pathlib import Path

import pytest

from reel_cli.features.facts.evidence.medicine import names_medicine
from reel_cli.features.facts.pending.doses import keep_beside_dose
from reel_cli.features.facts.policy import must_be_there, protects
from reel_cli.features.facts.protection import find_guarded
from tests.features.facts.test_fact_extract import extract, facts, row
from tests.features.facts.test_protection import noted
from tests.support.cli import Reel
from tests.support.pages import page, say


@pytest.mark.parametrize(
    "text",
    [
        "candesartan: 8, every morning",
        "paracet x3, no oxynorm",
        "the pressure: Lisinopril in the morning",
        "dad's heart: bisoprolol",
        "rivaroxaban",
        "adalimumab every fortnight",
        "sleep: melatonin, 3 mg",
        "sleep: half a pill at bedtime",
        "iron: one tablet in the morning",
        "vitamin D: ten drops a day",
        "Luna: 5 ml morning and evening",
        "insulin pen: 12 units with supper",
        "Levaxin: 50 µg",
        "migraine: twenty milligrams at bedtime",
        "Omeprazol vor dem Frühstück",
        "Migräne: zwei Tabletten abends",
        "amoxicilline",
        "tension: un comprimé le matin",
        "metformina por la mañana",
        "давление: лозартан, утром",
        "血圧: カンデサルタン 8mg",
        "缬沙坦 每天一片",
    ],
)
def test_a_medicine_is_known_by_its_name_or_its_dose(text: str) -> None:
    assert names_medicine(text)


@pytest.mark.parametrize(
    "text",
    [
        "in April she moves",
        "tablet: a Samsung, for drawing",
        "kitchen: 200 g of butter",
        "soup: 500 ml milk",
        "flat: two units on the third floor",
        "Spartan race in May",
        "alone",
        "drops the kids at school",
        "margarine on bread",
        "the gym: three times a week",
        "Katarina in the morning",
        "он молол кофе",
        "medicina: la facultad en Boloña",
        "hums when she cooks",
        "degrees: numbers only from her",
    ],
)
def test_what_only_sounds_like_a_medicine_is_none(text: str) -> None:
    assert not names_medicine(text)


def test_a_dose_is_in_every_bundle_and_its_change_waits(reel: Reel, kit: Path) -> None:
    dose = noted("context", "candesartan", "8, every morning, for the pressure")
    assert protects(dose)
    assert must_be_there(dose)
    assert find_guarded(noted("context", "candesartan", "16, since Monday"), [dose]) == dose
    say(reel, kit, [("user", "my own candesartan 8 for the pressure, every morning"), ("assistant", "Good.")])
    extract(
        reel,
        row(
            "context",
            "candesartan",
            "8, every morning",
            "my own candesartan 8 for the pressure, every morning",
        ),
    )
    say(
        reel, kit, [("user", "Rasmussen put the candesartan up, from 8 to 16"), ("assistant", "Sixteen.")], 20
    )
    extract(reel, row("context", "candesartan", "16, from 8", "put the candesartan up, from 8 to 16"))
    assert facts(reel) == {"context/candesartan": "8, every morning"}
    assert "a later chat, 20 February 2026, says “16, from 8”" in reel("pack").ok().out


@pytest.mark.parametrize(
    ("was", "now", "value"),
    [
        ("2.5 mg every morning, for her heart", "5 mg", "5 mg every morning, for her heart"),
        ("2.5 mg every morning, for her heart", "5 mg in the evening", "5 mg in the evening, for her heart"),
        ("2.5 mg every morning for her heart", "5 mg twice a day", "5 mg twice a day, for her heart"),
        (
            "5 mg every morning, for her heart",
            "3.75 mg of bisoprolol",
            "3.75 mg every morning, for her heart",
        ),
        ("max 2 days a week, 50 mg", "100 mg", "max 2 days a week, 100 mg"),
        (
            "one tablet in the morning, not with milk",
            "two tablets",
            "two tablets in the morning, not with milk",
        ),
        # what both say is told once, where the new one has it
        (
            "Lisuvane, 20 milligrams, in the evening",
            "Lisuvane, forty milligrams, in the morning",
            "Lisuvane, forty milligrams, in the morning",
        ),
        ("2.5 mg, for her heart", "5 mg, for her heart", "5 mg, for her heart"),
        (
            "2.5 mg, with food, for her heart",
            "5 mg, for her heart",
            "5 mg, with food, for her heart",
        ),
        # of the older dose alone
        ("2.5 mg since October, for her heart", "5 mg", "5 mg, for her heart"),
        ("5 mg on an empty stomach", "10 mg with food", "10 mg with food"),
        # what ends or adds something is left as it is told
        ("5 mg daily", "no longer 5 mg", "no longer 5 mg"),
        ("125 mg in the morning, 125 mg at night", "100 mg at night", "100 mg at night"),
        ("5 mg", "10 mg", "10 mg"),
    ],
)
def test_a_new_dose_keeps_what_the_older_says_beside_its_own(was: str, now: str, value: str) -> None:
    assert keep_beside_dose(was, now, "bisoprolol")[0] == value


def test_a_new_dose_that_a_person_takes_keeps_the_rest_of_the_medicine(reel: Reel, kit: Path) -> None:
    first = "I take bisoprolol, 2.5 mg every morning, for my heart"
    say(reel, kit, [("user", f"{first}."), ("assistant", "Noted.")])
    extract(reel, row("constraints", "bisoprolol", "2.5 mg every morning, for her heart", first))
    said = "The doctor raised the bisoprolol to 5 mg this morning"
    say(reel, kit, [("user", f"{said}."), ("assistant", "I see.")], 20)
    extract(reel, row("constraints", "bisoprolol", "5 mg", said))
    shown = " ".join(reel("review").ok().out.split())
    assert "“every morning, for her heart” is kept with the new one" in shown
    assert "now: constraints, bisoprolol: 5 mg every morning, for her heart" in shown
    [item] = json.loads(reel("review", "--json").ok().out)
    reel("review", "accept", item["item"]).ok()
    assert facts(reel) == {"constraints/bisoprolol": "5 mg every morning, for her heart"}


def test_one_wording_of_a_dose_is_approved_and_told(reel: Reel, kit: Path) -> None:
    """Review showed a shuffled value; the persona was told a sentence with a month that nobody said."""
    first = "the doctor put me on Lisuvane, 20 milligrams, in the evening"
    say(reel, kit, [("user", f"I am back: {first}."), ("assistant", "Noted.")])
    extract(reel, row("constraints", "medicine", "Lisuvane, 20 milligrams, in the evening", first))
    said = "Lisuvane is forty milligrams now, and in the morning"
    say(reel, kit, [("user", f"{said}, no longer in the evening."), ("assistant", "I see.")], 20)
    value = "Lisuvane, forty milligrams, in the morning"
    whole = f"Bo takes {value}, since February 2026"
    extract(reel, f'constraints | medicine | {value} | {whole} | "{said}" | 0.95')
    assert f"now: constraints, medicine: {value} (2026-02-20)" in " ".join(reel("review").ok().out.split())
    [item] = json.loads(reel("review", "--json").ok().out)
    reel("review", "accept", item["item"]).ok()
    assert facts(reel) == {"constraints/medicine": value}
    assert f"- medicine: {value} (said by Bo, 20 February 2026)\n" in reel("pack").ok().out
    told = " ".join(reel("recall", "what medicine do I take").ok().out.split())
    assert told.startswith(f"Known by heart: medicine: {value} (said by Bo, 20 February 2026)")
    # of the change after it the chat's own words are quoted, and not what a page made of them
    third = "Lisuvane is 60 milligrams now"
    say(reel, kit, [("user", f"{third}."), ("assistant", "I see.")], 25)
    extract(reel, row("constraints", "medicine", "Lisuvane, 60 milligrams", third))
    waiting = " ".join(reel("review").ok().out.split())
    assert f"you said “{said}” on 20 February 2026; the chat of 25 February 2026 says “{third}”" in waiting
    assert f"“{value}”" not in waiting


def test_a_sentence_about_a_dose_is_shown_where_it_is_approved(reel: Reel, kit: Path) -> None:
    first = "I take Lisuvane, 20 milligrams, in the evening"
    say(reel, kit, [("user", f"{first}."), ("assistant", "Noted.")])
    extract(reel, row("constraints", "medicine", "Lisuvane, 20 milligrams, in the evening", first))
    said = "I take Lisuvane, forty milligrams, in the morning, since March"
    say(reel, kit, [("user", f"{said}."), ("assistant", "I see.")], 20)
    value = "Lisuvane, forty milligrams, in the morning"
    extract(reel, f'constraints | medicine | {value} | Bo takes {value}, since March | "{said}" | 0.95')
    shown = " ".join(reel("review").ok().out.split())
    assert f"now: constraints, medicine: Bo takes {value}, since March (2026-02-20)" in shown
    [item] = json.loads(reel("review", "--json").ok().out)
    reel("review", "accept", item["item"]).ok()
    assert f"- medicine: Bo takes {value}, since March (said 20 February 2026)\n" in reel("pack").ok().out


def test_a_page_with_a_new_dose_says_that_the_old_one_stays_until_it_is_decided(
    reel: Reel, kit: Path
) -> None:
    first = "the doctor put me on Lisuvane, 20 milligrams, in the evening"
    say(reel, kit, [("user", f"I am back: {first}."), ("assistant", "Noted.")])
    extract(reel, row("constraints", "medicine", "Lisuvane, 20 milligrams, in the evening", first))
    said = "Lisuvane is forty milligrams now, and in the morning"
    say(reel, kit, [("user", f"{said}."), ("assistant", "I see.")], 20)
    told = f'constraints | medicine | Lisuvane, forty milligrams, in the morning | "{said}" | 0.95'
    reply = page({"What I know for sure": told, "Lines to find it by": f'"{said}"'})
    shown = " ".join(reel("checkpoint", "--reply", "-", stdin=reply, tty=True).err.split())
    old = "Lisuvane, 20 milligrams, in the evening"
    assert f"forty milligrams, in the morning (until you decide it stays: {old})" in shown


def test_a_dose_is_offered_again_with_the_message_that_says_it(reel: Reel, kit: Path) -> None:
    """`reel fact history` offered the message that stopped it."""
    first = "the doctor put me on Lisuvane, 20 milligrams, in the evening"
    chat = say(reel, kit, [("user", f"I am back: {first}."), ("assistant", "Noted.")])
    extract(reel, row("constraints", "medicine", "Lisuvane, 20 milligrams, in the evening", first))
    said = "the doctor stopped the Lisuvane"
    say(reel, kit, [("user", f"And {said}. I take nothing now."), ("assistant", "I see.")], 20)
    told = f'constraints | medicine | over | "{said}"'
    reply = page({"What I know for sure": told, "Lines to find it by": f'"{said}"'})
    reel("checkpoint", "--reply", "-", "--yes", stdin=reply).ok()
    [item] = [one for one in json.loads(reel("review", "--json").ok().out) if one["kind"] == "fact"]
    reel("review", "accept", item["item"]).ok()
    assert facts(reel) == {}
    run = reel("fact", "history", "medicine", tty=True).ok()
    again = "reel fact add constraints medicine 'Lisuvane, 20 milligrams, in the evening' --source"
    hint = " ".join((run.out + run.err).split())
    assert f"{again} '{chat}#1'" in hint
    reel(
        "fact", "add", "constraints", "medicine", "Lisuvane, 20 milligrams, in the evening",
        "--source", f"{chat}#1",
    ).ok()  # fmt: skip
    assert [*facts(reel)] == ["constraints/medicine"]
