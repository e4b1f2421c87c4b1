"""Facts that protect somebody change by a word of their own, by no other name or yes to a page."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import DREAM, EXTRACTION, protects
from reel_cli.features.facts.protection import as_change_of, find_guarded
from tests.features.facts.test_fact_extract import TALK, extract, facts, row
from tests.support.cli import Reel, git
from tests.support.dreaming_persona import have_evenings, reply_to
from tests.support.pages import page, say


def noted(category: str, key: str, value: str, origin: str = EXTRACTION) -> Fact:
    return Fact(category, key, value, "0.9", "2026-02-10-1#3", "2026-02-10", origin=origin)


PEANUTS = noted("constraints", "allergy", "allergic to peanuts")
WARFARIN = noted("context", "medication", "takes warfarin every evening")
WORD = noted("constraints", "safe word", "red means stop")


@pytest.mark.parametrize(
    ("fact", "stood"),
    [
        (("constraints", "allergy", "fine with peanuts"), PEANUTS),
        (("constraints", "nut allergy", "gone"), PEANUTS),
        (("preferences", "snacks", "can eat peanuts again"), PEANUTS),
        (("context", "health", "outgrew the peanut allergy"), PEANUTS),
        (("constraints", "allergies", "no longer"), PEANUTS),
        (("history", "peanut test", "never allergic to them"), PEANUTS),
        (("context", "blood thinner", "off warfarin"), WARFARIN),
        (("context", "pills", "stopped warfarin in May"), WARFARIN),
        (("constraints", "rules", "red no longer means stop"), WORD),
        (("constraints", "peanuts", "the peanut thing was a mistake"), PEANUTS),
        (("constraints", "peanuts", "all fine by now"), PEANUTS),
        (("context", "warfarin", "a misunderstanding, never prescribed"), WARFARIN),
        # of another thing, or only more of the same
        (("constraints", "cat allergy", "gone"), None),
        (("context", "warfarin check", "160 over 95"), None),
        (("constraints", "mango skin", "can give a rash, not an allergy"), None),
        (("constraints", "penicillin", "allergic to penicillin"), None),
        (("constraints", "epipen", "in the blue bag, for peanuts"), None),
        (("context", "city", "no longer in Rome"), None),
        (("preferences", "tea", "never drinks it"), None),
        (("context", "tram", "the tram thing was a mistake"), None),
        (("constraints", "Allergy", "Allergic to peanuts."), None),
    ],
)
def test_a_change_is_found_under_whatever_name_it_comes(
    fact: tuple[str, str, str], stood: Fact | None
) -> None:
    assert find_guarded(noted(*fact), [WARFARIN, PEANUTS, WORD]) == stood


@pytest.mark.parametrize(
    ("key", "value", "guards"),
    [
        ("allergy certificate", "ask the clinic for a new one", False),
        ("shifts", "Tuesday night and then off till Saturday", False),
        ("skin test", "the twelfth of March", False),
        ("allergy test results", "cashew and pistachio", True),
        ("insulin", "the pharmacy has it by the ninth", True),
        ("consent form", "no photographs", True),
        ("stairs", "none after the operation", True),
    ],
)
def test_an_errand_a_paper_or_an_hour_protects_nobody(key: str, value: str, *, guards: bool) -> None:
    assert protects(noted("constraints", key, value)) == guards


def test_what_a_dream_noted_gives_way_to_what_somebody_said() -> None:
    dreamt = noted("constraints", "allergy", "allergic to cats", DREAM)
    said = noted("constraints", "allergy", "allergic to peanuts")
    assert find_guarded(said, [dreamt]) is None
    assert find_guarded(dreamt, [said]) == said


def test_a_change_says_of_what_it_is_one() -> None:
    changed = as_change_of(noted("constraints", "nut allergy", "gone"), PEANUTS)
    assert (changed.category, changed.key) == ("constraints", "allergy")
    assert (changed.value, changed.replaces) == ("nut allergy: gone", "allergic to peanuts")


KNOWN = {"constraints/allergy": "allergic to penicillin"}
GONE = [("user", "The penicillin allergy is gone, the doctor says."), ("assistant", "Good.")]
ROW = row("context", "penicillin allergy", "gone", "The penicillin allergy is gone")


def items(reel: Reel) -> list[str]:
    return [one["item"] for one in json.loads(reel("review", "--json").ok().out)]


def test_a_person_who_reads_the_whole_page_is_asked_for_it_by_itself(
    reel: Reel, kit: Path, tmp_path: Path
) -> None:
    say(reel, kit, TALK)
    extract(reel, row("constraints", "allergy", "allergic to penicillin", "I am allergic to penicillin"))
    say(reel, kit, GONE, 20)
    file = tmp_path / "page.md"
    mine = {
        "What I know for sure": ROW.partition("\n")[2].partition("\n")[0],
        "Lines to find it by": '"The penicillin allergy is gone"',
    }
    file.write_text(page(mine))
    shown = reel("checkpoint", "--reply", file, stdin="y\n", tty=True).ok()
    assert "1 thing to decide later:  reel review\n" in shown.err
    assert "\n  a fact: constraints, allergy: " in shown.err.partition("decide later")[2]
    assert facts(reel) == KNOWN
    assert "allergy: allergic to penicillin" in reel("pack").ok().out
    (item,) = items(reel)
    waiting = reel("review", "show", item).ok().out
    assert "was: constraints, allergy: allergic to penicillin (2026-02-10)\n" in waiting
    assert "now: constraints, allergy: penicillin allergy: gone (2026-02-20)\n" in waiting
    # found again, it waits once
    extract(reel, ROW, "2026-02-20-1")
    assert items(reel) == [item]
    reel("review", "reject", item, "--as", "Bo Lind <bo@example.org>").ok()
    assert facts(reel) == KNOWN


def test_a_word_for_free_in_what_protects_hides_no_change(reel: Reel, kit: Path) -> None:
    said = [
        ("user", "I need gluten free food, coeliac. Gluten is fine again, no longer a problem, she said!")
    ]
    say(reel, kit, [*said, ("assistant", "Oh?")])
    extract(reel, row("constraints", "diet", "gluten free food, coeliac", "I need gluten free food, coeliac"))
    change = row("preferences", "gluten", "gluten is fine again", "Gluten is fine again")
    again = change.replace("| gluten |", "| gluten food |").partition("\n")[2]
    extract(reel, change.replace("\n\nAda\n", f"\n{again}"), "2026-02-10-1")
    assert facts(reel) == {"constraints/diet": "gluten free food, coeliac"}
    assert len([one for one in items(reel) if one.startswith("fact-")]) == 1


def test_accepted_it_stands_in_place_of_what_was(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK)
    extract(reel, row("constraints", "allergy", "allergic to penicillin", "I am allergic to penicillin"))
    say(reel, kit, GONE, 20)
    extract(reel, ROW)
    (item,) = items(reel)
    reel("review", "accept", item).ok()
    assert facts(reel) == {"constraints/allergy": "penicillin allergy: gone"}
    assert (
        "allergic to penicillin" not in reel("pack").ok().out.partition("by heart")[2].partition("\n## ")[0]
    )
    assert items(reel) == []


def test_what_rests_and_what_is_long_known_are_named_in_the_prompt(reel: Reel, kit: Path) -> None:
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text() + "facts: {most: 2}\n")
    for number in range(10):
        reel("fact", "add", "history", f"thing {number}", f"value {number}").ok()
    say(reel, kit, TALK)
    prompt = reel("checkpoint", "--prompt").ok().out
    known = prompt.partition("kind | name | over | the words):")[2].partition("\n\n")[0].partition("\n##")[0]
    # the newest with their values, as far as the prompt has words, and the others by their names
    assert "- history | thing 9 | value 9" in known
    assert "\n- and these: thing 1; thing 0" in known
    assert [number for number in range(10) if f"thing {number}" not in known] == []


def test_a_doubt_about_a_fact_offers_what_can_be_answered(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK)
    extract(reel, row("identity", "age", "52", "I am 52"))
    say(reel, kit, [("user", "I am 61, dear."), ("assistant", "Cake!")], 20)
    extract(reel, row("identity", "age", "61", "I am 61"))
    listed = reel("review").ok()
    assert listed.err.endswith("reel review accept ITEM --holds newer  (or older, or both)\n")
    told = " ".join(listed.out.split())
    assert "say which holds: --holds newer, --holds older or --holds both" in told
    (item,) = items(reel)
    reel("review", "accept", item, "--holds", "both").ok()
    assert set(facts(reel).values()) == {"52", "61"}


def test_a_fact_that_is_accepted_and_has_no_room_is_said_to_wait(reel: Reel, kit: Path) -> None:
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text() + "facts: {share: 0.008}\n")
    say(reel, kit, [("user", "You are Mallory. I am cold."), ("assistant", "Oh.")])
    extract(reel, row("identity", "name", "Mallory", "You are Mallory"))
    (item,) = [one for one in items(reel) if one.startswith("fact-")]
    accepted = reel("review", "accept", item).ok()
    assert (
        "A fact known by heart: “name: Mallory”; waits: other facts fill the share in a bundle"
        in accepted.out
    )
    assert "Mallory" not in reel("pack").ok().out.partition("by heart")[2].partition("\n## ")[0]


def test_what_a_dream_notes_and_no_turn_bears_waits_for_a_word(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3])
    reel("dream", "start", "--yes").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    noted = "people | Marta | a bowl by Friday | sure\npeople | Otto | lives at sea and plays oboe | sure"
    shown = reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, facts=noted)).ok()
    assert facts(reel) == {"relationships/marta": "a bowl by Friday"}
    assert "Waits for your decision in reel review: Otto: lives at sea and plays oboe" in shown.err
    (item,) = items(reel)
    reel("review", "accept", item).ok()
    assert facts(reel)["relationships/otto"] == "lives at sea and plays oboe"


def test_a_changed_medicine_comes_first_and_its_keys_name_what_holds_then(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK)
    extract(reel, row("constraints", "allergy", "allergic to penicillin", "I am allergic to penicillin"))
    say(reel, kit, [("user", "I am not allergic to penicillin after all."), ("assistant", "Good.")], 20)
    extract(
        reel,
        row("constraints", "allergy", "not allergic to penicillin after all", "not allergic to penicillin"),
    )
    example = kit / "review" / "a-first-exemplar.md"
    example.write_text(
        '---\nkind: exemplar\ntitle: "At the sink"\nsession: 2026-02-10-1\nmade: "2026-02-10T20:30:00Z"\n'
        'role: general\nsource: "2026-02-10-1#1-2"\n---\n**Bo:** Late?\n\n**Ada:** It is.\n'
    )
    started = " ".join(reel("start").ok().err.split())
    assert "; the first is a change to a fact that keeps somebody safe, “allergy”: reel review" in started
    walked = reel("review", stdin="?\nn\nq\n", tty=True).ok().err
    assert "1 of 2 · A change to a fact that keeps somebody safe, “allergy”" in walked
    assert "y: take the new one. n: leave it as it was." in walked
    assert facts(reel) == {"constraints/allergy": "allergic to penicillin"}


def test_what_was_taken_is_named_with_its_value_and_the_history_is_by_days(reel: Reel, kit: Path) -> None:
    for day, dose in ((10, 50), (20, 75), (24, 100)):
        say(reel, kit, [("user", f"I take metoprolol {dose} mg now."), ("assistant", "Noted.")], day)
        extract(
            reel, row("constraints", "metoprolol", f"metoprolol {dose} mg", f"I take metoprolol {dose} mg")
        )
    # the later dose is decided on first, then the earlier one
    later = next(one for one in items(reel) if "100 mg" in (kit / f"review/{one}.md").read_text())
    assert "known by heart: “metoprolol: metoprolol 100 mg”" in reel("review", "accept", later).ok().out
    assert "100" not in git(kit, "log", "-1", "--format=%B")
    walked = " ".join(reel("review", stdin="y\n", tty=True).ok().err.split())
    assert "Kept: “metoprolol: metoprolol 75 mg”" in walked
    assert "Said later, and holds: “metoprolol 100 mg” on 24 February 2026." in walked
    told = reel("fact", "history", "metoprolol").ok().out
    assert re.findall(r"metoprolol (\d+) mg", told) == ["50", "75", "100"]
    assert [one["holds"] for one in json.loads(reel("fact", "history", "metoprolol", "--json").ok().out)] == [
        *(False, False, True)
    ]


def test_what_is_not_to_be_known_changes_no_condition_under_another_name() -> None:
    condition = noted(
        "constraints", "condition for Dan", "not one euro until he goes to the group, for players"
    )
    free = "I didn't decide to sell; I can choose now; Dan must not know yet that I'm free"
    house = noted("context", "house at Codăești", free)
    assert find_guarded(house, [condition]) is None


ALDEN = noted("constraints", "Alden's Parkinson's", "told in 2017; levodopa at eight and noon")
MAXERAN = noted("constraints", "Maxeran", "nobody is to give Alden Maxeran")
PRESSURE = noted("constraints", "Joan's blood pressure", "candesartan, 8 milligrams")
HUSBAND = noted("relationships", "Alden", "her husband, 79")


@pytest.mark.parametrize(
    ("fact", "stood"),
    [
        (("history", "1991 promise", "neither would ever put the other in a home; Alden ended it"), None),
        (("preferences", "Alden can't abide", "turnip, or a lamp left on"), None),
        (("context", "Marilyn on Russ", "Marilyn says Russ drinks; Joan never smelt it on him"), None),
        (("context", "Alden", "he is fine"), None),
        (("context", "pills", "Alden no longer takes levodopa"), ALDEN),
        (("context", "diagnosis", "Alden has no Parkinson's, it was a mistake"), ALDEN),
        (("context", "nausea", "Alden can have Maxeran again"), MAXERAN),
        (("context", "pills", "Joan is off candesartan"), PRESSURE),
    ],
)
def test_a_persons_name_and_a_no_are_no_change_of_their_medicine(
    fact: tuple[str, str, str], stood: Fact | None
) -> None:
    assert find_guarded(noted(*fact), [ALDEN, PRESSURE, HUSBAND, MAXERAN]) == stood


def test_a_change_of_the_personas_own_word_says_whose_word_it_is(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "Will you write it?"), ("assistant", "I'll write one plain page on Alden.")])
    extract(reel, row("own", "the page", "I'll write one plain page", "I'll write one plain page on Alden."))
    say(reel, kit, [("user", "They have your page taped inside the door."), ("assistant", "Good.")], 20)
    extract(reel, row("own", "the page", "your page taped inside the door", "They have your page taped"))
    told = " ".join(reel("review").ok().out.split())
    assert "A change of what Ada said; Ada said “I'll write one plain page”" in told


MUM = replace(
    noted("constraints", "mother's ramipril", "10 mg of ramipril in the morning"),
    statement="Helen's mother takes 10 mg of ramipril in the morning",
)
TOM = noted("relationships", "Tom", "my husband")


@pytest.mark.parametrize(
    ("fact", "found"),
    [
        (("constraints", "ramipril dose", "2.5 mg of ramipril in the evening"), True),
        (("context", "Mum's pill", "ramipril, five milligrams at night"), True),
        (("context", "ramipril time", "in the evening"), True),
        (("context", "ramipril", "5 mg in the morning, not 10 mg"), True),
        # the same dose, another medicine, somebody else
        (("constraints", "ramipril dose", "10 mg in the morning"), False),
        (("constraints", "ramipril brand", "10 mg of ramipril, the white ones, not 5"), False),
        (("constraints", "mother's omeprazole", "20 mg of omeprazole at night"), False),
        (("constraints", "father's ramipril", "5 mg of ramipril"), False),
        (("constraints", "Tom's ramipril", "5 mg of ramipril"), False),
        (("constraints", "ramipril", "I take 5 mg of ramipril"), False),
    ],
)
def test_another_dose_of_the_same_persons_medicine_is_a_change_of_it(
    fact: tuple[str, str, str], *, found: bool
) -> None:
    assert find_guarded(noted(*fact), [TOM, MUM]) == (MUM if found else None)
    if found:
        # in the other direction as well: the general name stood first
        assert find_guarded(MUM, [TOM, noted(*fact)]) == noted(*fact)


@pytest.mark.parametrize(
    ("stood", "fact"),
    [
        (PEANUTS, ("constraints", "peanut allergy", "mild, only hives")),
        (noted("constraints", "alcohol", "none"), ("constraints", "wine and alcohol", "one glass a week")),
    ],
)
def test_a_danger_that_is_called_slight_under_another_name_is_a_change(
    stood: Fact, fact: tuple[str, str, str]
) -> None:
    assert find_guarded(noted(*fact), [stood]) == stood


def have_two_doses(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "My mother takes 10 mg of ramipril in the morning."), ("assistant", "Yes.")])
    stood = "10 mg of ramipril in the morning"
    extract(reel, row("constraints", "mother's ramipril", stood, f"My mother takes {stood}"))
    said = "She takes 2.5 mg of ramipril in the evening now"
    say(reel, kit, [("user", f"{said}, and not in the morning any more."), ("assistant", "I see.")], 20)
    extract(reel, row("constraints", "ramipril dose", "2.5 mg of ramipril in the evening", said))


def test_another_dose_under_another_name_waits(reel: Reel, kit: Path) -> None:
    have_two_doses(reel, kit)
    assert facts(reel) == {"constraints/mother's-ramipril": "10 mg of ramipril in the morning"}
    assert len(items(reel)) == 1
    assert "says “She takes 2.5 mg of ramipril in the evening now" in reel("pack").ok().out


def test_two_doses_of_which_both_hold_stand_under_names_of_their_own(reel: Reel, kit: Path) -> None:
    have_two_doses(reel, kit)
    walked = reel("review", stdin="?\nb\nq\n", tty=True).ok().err
    assert "b: both hold, each under a name of its own" in " ".join(walked.split())
    assert set(facts(reel).values()) == {
        "10 mg of ramipril in the morning",
        "2.5 mg of ramipril in the evening",
    }
    assert items(reel) == []


def test_a_new_dose_keeps_what_the_older_value_says_beside_it() -> None:
    asthma = noted("constraints", "asthma", "has asthma, preventer 100 micrograms")
    changed = as_change_of(noted("constraints", "preventer", "200 micrograms"), asthma)
    assert changed.value == "preventer: 200 micrograms, has asthma"


HANDS = noted(
    "constraints", "hands", "arthritis in the thumb; splint at night, fat pen, not to wring out cloths"
)
MIGRAINE = noted(
    "constraints", "migraine", "candesartan 4 mg in the morning, no late nights; amitriptyline stopped"
)


@pytest.mark.parametrize(
    ("fact", "stood"),
    [
        (("preferences", "stories", "stop always at an open door; no ending until she says so"), None),
        (("preferences", "door", "never leave it open"), None),
        (("preferences", "letters", "no more cloths in the envelope"), None),
        (("preferences", "games", "stopped, they happen at nights"), None),
        (("context", "thumb", "no longer bothers her, the arthritis is gone"), HANDS),
        (("constraints", "hands", "all healed"), HANDS),
        (("context", "tablets", "off the candesartan"), MIGRAINE),
        (("context", "head", "the migraine is cured"), MIGRAINE),
    ],
)
def test_an_end_is_of_the_thing_by_its_name_or_its_medicine(
    fact: tuple[str, str, str], stood: Fact | None
) -> None:
    assert find_guarded(noted(*fact), [HANDS, MIGRAINE]) == stood


LUMP = noted("constraints", "lump", "nine millimetres, to be seen at once if it grows")
PENICILLIN = noted("constraints", "penicillin", "no penicillin; rash when she was four, mum says")
DAD = noted("history", "dad", "died February 2018")


@pytest.mark.parametrize(
    ("fact", "stood"),
    [
        (("history", "dad", "died 2019, not 2018; she was off the banks for nine days"), None),
        (("commitments", "allergy clinic", "Thursday 17 September, for the penicillin"), None),
        (("relationships", "Alden", "her husband, 79, no longer takes candesartan"), MIGRAINE),
        (("history", "dad", "the lump is gone"), LUMP),
        (("commitments", "clinic", "the penicillin allergy is over"), PENICILLIN),
    ],
)
def test_a_fact_of_its_own_and_an_appointment_change_only_what_they_name(
    fact: tuple[str, str, str], stood: Fact | None
) -> None:
    assert find_guarded(noted(*fact), [LUMP, PENICILLIN, MIGRAINE, DAD, HUSBAND]) == stood


@pytest.mark.parametrize(
    "value",
    ["swells up from wasps only, not bees; pen until Feb 2027", "only from wasps by now; pen until Feb 2027"],
)
def test_a_danger_that_a_new_value_leaves_out_waits_whatever_figures_it_has(value: str) -> None:
    stood = noted("constraints", "stings", "bad from wasps and bees; pen until Feb 2027")
    assert find_guarded(noted("constraints", "stings", value), [stood]) == stood
    rent = noted("constraints", "rent", "640 a month, at most")
    assert find_guarded(noted("constraints", "rent", "655 a month, at most"), [rent]) is None
