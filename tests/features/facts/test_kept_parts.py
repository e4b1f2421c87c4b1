"""Parts of an older value that say what does not pass stay beside a newer value that tells something else."""

from dataclasses import replace
from pathlib import Path

import pytest

from reel_cli.features.facts.evidence.kept_parts import as_addition, with_kept_parts, without_parts
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import add_facts, parse_facts
from reel_cli.features.facts.pending.held_facts import tell_fact
from reel_cli.features.facts.protection import as_change_of, tells_no_more
from reel_cli.features.facts.purge import purge_facts
from tests.features.facts.test_fact_extract import extract, facts, row
from tests.support.cli import Reel
from tests.support.pages import say


@pytest.mark.parametrize(
    ("kind", "key", "was", "now", "value"),
    [
        (
            "relationships",
            "Eikrem",
            "Dagny's surgeon, done",
            "leaves for Wells",
            "Dagny's surgeon; leaves for Wells",
        ),
        (
            "relationships",
            "Solveig",
            "older sister, 62, was a teacher",
            "63 now",
            "older sister, was a teacher; 63 now",
        ),
        (
            "relationships",
            "mother",
            "87, at Bergtun, Sundays",
            "calls me Ada mostly",
            "87, at Bergtun, Sundays; calls me Ada mostly",
        ),
        (
            "relationships",
            "Dudo",
            "the café's cat, one eye",
            "isn't eating much",
            "the café's cat, one eye; isn't eating much",
        ),
        (
            "context",
            "operation",
            "Monday 11 May, right knee",
            "done, spinal",
            "right knee; done, spinal",
        ),
        (
            "relationships",
            "Maud",
            "in Paris, co-owner half and half",
            "leaves in December",
            "co-owner half and half; leaves in December",
        ),
        ("context", "roof", "46,500 złoty, starts 18 June", "starts 28 June", "46,500 złoty; starts 28 June"),
        ("context", "roof", "starts 28 June", "46,500 złoty", "starts 28 June; 46,500 złoty"),
        ("history", "handball", "1989, meniscus", "February 1991", "meniscus; February 1991"),
        (
            "relationships",
            "Trevor",
            "uncle, in Birmingham, has opinions by phone",
            "never selling anything, mum has the papers",
            "uncle, in Birmingham, has opinions by phone; never selling anything, mum has the papers",
        ),
        (
            "constraints",
            "choir",
            "Wednesday at 19:00, nothing in that time",
            "Thursday at 19:00",
            "nothing in that time; Thursday at 19:00",
        ),
        # what begins later leaves the rule until then
        (
            "context",
            "rent",
            "1150, Mrs Pasquet",
            "1260 from October",
            "Mrs Pasquet; 1260 from October; until then 1150",
        ),
        (
            "context",
            "exchange",
            "every second week, Friday to Friday, at 17:00",
            "Sunday at 18:00, from 30 August",
            "every second week; Sunday at 18:00, from 30 August; until then Friday to Friday, at 17:00",
        ),
        (
            "context",
            "exam",
            "3 September",
            "moved from the 3rd to 24 September",
            "moved from the 3rd to 24 September",
        ),
        ("history", "handball", "1989, meniscus", "1991, cup match", "meniscus; 1991, cup match"),
        ("preferences", "choir", "alto, Thursdays", "Tuesdays, second row", "alto; Tuesdays, second row"),
        ("own", "play", "The Widow closed, rehearsing", "The Goose, opened", "The Goose, opened"),
        # how far a story has come is told anew
        (
            "context",
            "The Winter Ferry",
            "a story we make; part one: bell in the reeds, chain cut, Harm Zonderland aboard",
            "a story we make; Brechtje stands on the ice with the bell; nothing after that",
            "a story we make; Brechtje stands on the ice with the bell; nothing after that",
        ),
        (
            "context",
            "my mood",
            "low, at home, missing mum",
            "bright in the mornings",
            "bright in the mornings",
        ),
        ("context", "shed", "needs a lock, paint peeled", "the door hangs", "the door hangs"),
        (
            "relationships",
            "Calum",
            "lodger, 24, from Whitby, one l, a model of a boat, built with his grandfather",
            "lodger, 24, from Whitby, one l, a model of a boat, knits",
            "lodger, 24, from Whitby, one l, a model of a boat, knits",
        ),
        # the same kind of thing, what has ended, and what passes by itself
        ("relationships", "Marek", "plumber, Leeds", "a builder, moved to York", "a builder, moved to York"),
        ("relationships", "partner", "Jonas, 34, nurse", "Marek", "Marek"),
        ("context", "job", "nurse, at St Mary's", "retired in May", "retired in May"),
        ("context", "play", "Tin Roof, at the Orpheum", "Tin Sky", "Tin Sky"),
        ("relationships", "Jon", "29, looking for work", "30, on the ferry", "30, on the ferry"),
        ("context", "knee", "left, sore", "right, sore as well", "right, sore as well"),
        (
            "context",
            "boat",
            "red, eleven metres, paid in part",
            "red, eleven metres, all hers",
            "red, eleven metres, all hers",
        ),
        ("context", "floods", "1961", "the winter of 1963", "the winter of 1963"),
        ("own", "books", "I've reached F", "I've got to M", "I've got to M"),
        (
            "context",
            "cabin",
            "Ada wants to sell, Solveig thinks",
            "a third each, wait five years",
            "a third each, wait five years",
        ),
        (
            "constraints",
            "quiet",
            "nothing that rings, bangs or speaks before 15:00",
            "quiet after 22:00",
            "quiet after 22:00",
        ),
        (
            "relationships",
            "Ida's baby",
            "Henrik, joiner",
            "girl, Alma, born 3 March",
            "girl, Alma, born 3 March",
        ),
        (
            "relationships",
            "Timo",
            "weekend job at the kiosk",
            "apprentice at the yard",
            "apprentice at the yard",
        ),
        ("relationships", "Oskar", "drunk, aunt's cousin", "six weeks dry", "aunt's cousin; six weeks dry"),
        (
            "relationships",
            "Ragna",
            "lent me the van, 200 unpaid",
            "a hundred owed still",
            "a hundred owed still",
        ),
        ("context", "mast", "on land since Tuesday", "painted white", "painted white"),
        (
            "context",
            "scan",
            "3 September, Thursday",
            "moved, from 22 June",
            "moved, from 22 June",
        ),
        ("context", "rent", "rent 520", "540 from June, was 520", "540 from June, was 520"),
        (
            "relationships",
            "Dr. Moe",
            "on 12 April, 8.50, her GP",
            "kind to her",
            "her GP; kind to her",
        ),
        ("constraints", "insulin", "6 units, at eight, never cold", "8 units", "8 units"),
        ("constraints", "pens", "Ada's doctor, right pocket", "in the drawer", "in the drawer"),
    ],
)
def test_what_does_not_pass_stays_beside_a_newer_value(
    kind: str, key: str, was: str, now: str, value: str
) -> None:
    stood, fact = Fact(kind, key, was, when="2026-03-01"), Fact(kind, key, now, when="2026-05-01")
    assert with_kept_parts(stood, fact, now).value == value


@pytest.mark.parametrize(
    "said", ["no, he's not a baker, I told you wrong", "he isnt a baker", "er ist kein baker"]
)
def test_a_part_that_the_chat_denies_is_let_go_of(said: str) -> None:
    stood, fact = (
        Fact("relationships", "Jens", "a baker, tall"),
        Fact("relationships", "Jens", "archivist in Lund"),
    )
    assert with_kept_parts(stood, fact, "", said=[said]).value == "tall; archivist in Lund"
    wanted = with_kept_parts(stood, replace(fact, value="in Lund"), "", said=["I want a baker"])
    assert wanted.value == "a baker, tall; in Lund"


def test_a_part_that_the_chat_spoke_of_is_let_go_of() -> None:
    stood, fact = Fact("context", "car", "Susan, a beige Micra"), Fact("context", "car", "Susan, at the club")
    assert with_kept_parts(stood, fact, "").value == "a beige Micra; Susan, at the club"
    said = ["The Micra isn't beige any more, by the way."]
    assert with_kept_parts(stood, fact, "", said=said).value == "Susan, at the club"


def test_a_value_that_a_purge_takes_leaves_no_part_that_held_until_then() -> None:
    value = "every second week; Sunday, from 30 August; until then Friday, at 17:00"
    gone = frozenset(("every second week", "Friday", "at 17:00"))
    assert without_parts(value, gone) == "Sunday, from 30 August"


def test_a_newer_value_keeps_who_somebody_is_and_is_not_given_twice(reel: Reel, kit: Path) -> None:
    first = "Eikrem is my surgeon, from Molde."
    say(reel, kit, [("user", first), ("assistant", "Good.")])
    extract(reel, row("relationships", "Eikrem", "my surgeon, from Molde", first.rstrip(".")))
    for day in (20, 25):
        said = f"Number {day}: Eikrem leaves in the new year."
        say(reel, kit, [("user", said), ("assistant", "Oh.")], day)
        extract(
            reel, row("relationships", "Eikrem", "leaves in the new year", "Eikrem leaves in the new year")
        )
        assert facts(reel) == {"relationships/eikrem": "my surgeon; leaves in the new year"}


@pytest.mark.parametrize(
    ("key", "was", "now", "value"),
    [
        ("Kari", "next door, takes the bins", "200 bird books, got her cake", True),
        ("Kari", "next door, takes the bins", "bins", False),
        ("Kari", "next door, takes the bins", "never rings a bell", False),
        ("Kari", "next door, takes the bins", "maybe a bird book", False),
    ],
)
def test_what_is_said_of_somebody_besides_is_added(key: str, was: str, now: str, value: bool) -> None:  # noqa: FBT001
    stood, fact = Fact("relationships", key, was), Fact("relationships", key, now)
    added = as_addition(stood, fact, now)
    assert (added.value if added is not None else "") == (f"{was}; {now}" if value else "")


def test_a_purge_takes_a_kept_part_out_of_later_values() -> None:
    older = Fact(
        "relationships",
        "Eikrem",
        "Ada's surgeon, 44",
        "1",
        "2026-03-01-1#1",
        "2026-03-01",
        origin="extraction",
    )
    newer = Fact(
        "relationships", "Eikrem", "Ada's surgeon; leaves in May", "1", "2026-04-01-1#1", "2026-04-01",
        older.value, "extraction", statement="Eikrem leaves in May (Ada's surgeon)",
    )  # fmt: skip
    left = purge_facts(add_facts("", [older, newer]).encode(), "2026-03-01-1").decode()
    assert "surgeon" not in left
    assert [one.value for one in parse_facts(left)] == ["leaves in May"]


def test_a_misheard_name_is_put_right_where_the_fact_is_filed(reel: Reel, kit: Path) -> None:
    first = "Dr. Kempa is the one for the vessels, in Gdansk."
    say(reel, kit, [("user", first), ("assistant", "Good.")])
    extract(reel, row("relationships", "Dr. Kempa", "the one for the vessels, in Gdansk", first.rstrip(".")))
    said = "I call him Kempa, and on the stamp is Dr. Kempka, with k."
    say(reel, kit, [("user", said), ("assistant", "Oh.")], 20)
    extract(reel, row("relationships", "Dr. Kempa", "Dr. Kempka, with k", said.rstrip(".")))
    assert facts(reel) == {
        "relationships/dr.-kempka": "the one for the vessels, in Gdansk; Dr. Kempka, with k"
    }
    data = (kit / "facts.yaml").read_bytes()
    sources = [one.source.partition("#")[0] for one in parse_facts(data.decode())]
    left = purge_facts(data, sources[0]).decode()
    assert "vessels" not in left
    assert [one.value for one in parse_facts(left)] == ["Dr. Kempka, with k"]


MISREAD = "it's not Dr Sorrell!! I've been reading it wrong, it's Sorley. Dr Sorley. he's got a big beard"
BEARD = "Dr Sorley. he's got a big beard"


@pytest.mark.parametrize(
    ("told", "value"),
    [
        ([("Dr Sorrell", "Dr Sorley, misread as Sorrell", MISREAD)], "Dr Sorley, misread as Sorrell"),
        ([("Dr Sorley", "misread as Sorrell; big beard", MISREAD)], "misread as Sorrell; big beard"),
        ([("Dr Sorley", "big beard", BEARD)], "big beard"),
        (
            [("Dr Sorrell", "Dr Sorley, not Sorrell", MISREAD), ("Dr Sorley", "big beard", BEARD)],
            "Dr Sorley, not Sorrell; big beard",
        ),
    ],
)
def test_a_name_that_was_read_wrong_leaves_one_fact_under_the_right_one(
    reel: Reel, kit: Path, told: list[tuple[str, str, str]], value: str
) -> None:
    first = "it's on thursday with a Dr Sorrell, at the hand clinic"
    say(reel, kit, [("user", first), ("assistant", "Good.")])
    extract(reel, row("relationships", "Dr Sorrell", "hand clinic", first))
    say(reel, kit, [("user", MISREAD), ("assistant", "Oh.")], 20)
    rows = "\n".join(f'relationships | {key} | {one} | "{words}" | 0.9' for key, one, words in told)
    extract(reel, f"## What I know for sure\n{rows}\n\nAda\n")
    assert facts(reel) == {"relationships/dr-sorley": f"hand clinic; {value}"}


def test_what_keeps_somebody_safe_keeps_its_name(reel: Reel, kit: Path) -> None:
    older = ("relationships", "Dr Sorrell", "never give penicillin; hand clinic")
    reel("fact", "add", *older, env={"REEL_NOW": "2026-02-01T10:00:00+00:00"}).ok()
    said = f"{MISREAD}. he says still no penicillin, hand clinic"
    say(reel, kit, [("user", said), ("assistant", "Oh.")], 20)
    value = "Dr Sorley (misread as Sorrell), hand clinic; no penicillin"
    extract(reel, row("relationships", "Dr Sorrell", value, said))
    assert facts(reel) == {"relationships/dr-sorrell": older[2]}
    assert f"now: relationships, Dr Sorrell: {value}" in " ".join(reel("review").ok().out.split())
    reel("review", "accept", "1").ok()
    assert facts(reel) == {"relationships/dr-sorrell": value}
    reel("undo").ok()
    assert facts(reel) == {"relationships/dr-sorrell": older[2]}


@pytest.mark.parametrize(
    "said",
    ["It was not Maria who came, it was Mario.", "Maria and Mario both came, I was wrong about the day."],
)
def test_two_people_with_names_alike_are_two(reel: Reel, kit: Path, said: str) -> None:
    first = "Maria is my neighbour."
    say(reel, kit, [("user", first), ("assistant", "Good.")])
    extract(reel, row("relationships", "Maria", "my neighbour", "Maria is my neighbour"))
    say(reel, kit, [("user", said), ("assistant", "Oh.")], 20)
    extract(reel, row("relationships", "Mario", "came", said.rstrip(".")))
    assert {"relationships/maria", "relationships/mario"} == facts(reel).keys()


def test_a_measure_of_a_day_stands_beside_the_rule(reel: Reel, kit: Path) -> None:
    rule = "They take the INR once a month, first Tuesday, between 2 and 3."
    say(reel, kit, [("user", rule), ("assistant", "Good.")])
    extract(reel, row("context", "INR", "once a month, first Tuesday, between 2 and 3", rule.rstrip(".")))
    held = facts(reel)
    said = "The INR on the 3rd of February was 2.6."
    say(reel, kit, [("user", said), ("assistant", "Good.")], 20)
    extract(reel, row("context", "INR", "2.6 on the 3rd of February", said.rstrip(".")))
    assert facts(reel) == {**held, "history/inr-3-february-2026": "2.6 on the 3rd of February"}


def test_what_came_of_a_day_takes_the_place_of_the_day(reel: Reel, kit: Path) -> None:
    moved = "The OSCE is moved to the 24 March."
    say(reel, kit, [("user", moved), ("assistant", "Good.")])
    extract(reel, row("commitments", "OSCE", "24 March", moved.rstrip(".")))
    said = "The results come on 8 April."
    say(reel, kit, [("user", f"I sat the OSCE. {said}"), ("assistant", "Well done.")], 26)
    extract(reel, row("commitments", "OSCE", "sat, results come on 8 April", said.rstrip(".")))
    assert "24 March" not in facts(reel)["commitments/osce"]


@pytest.mark.parametrize(
    ("was", "now", "value"),
    [
        ("125 at night", "the pill does not go with it", "125 at night; the pill does not go with it"),
        ("allergic", "not in doubt: an ambulance came", "allergic; not in doubt: an ambulance came"),
        ("allergic, properly", "outgrown", "outgrown"),
        ("125 morning, 125 night", "100 at night", "100 at night"),
        ("allergic to cashew", "never was allergic", "never was allergic"),
    ],
)
def test_what_takes_nothing_back_is_offered_beside_what_protects(was: str, now: str, value: str) -> None:
    stood, fact = Fact("constraints", "lamotrigine", was), Fact("constraints", "lamotrigine", now)
    assert as_change_of(fact, stood).value == value


@pytest.mark.parametrize(
    ("was", "now", "more"),
    [
        ("brown tape gives blisters, paper tape or silicone", "brown tape gives blisters", False),
        ("no aspirin, no nurofen", "no aspirin", False),
        ("125 morning, 125 night", "125 morning, 250 night", True),
        ("walnuts and hazelnuts", "only walnuts", True),
        ("brown tape gives blisters", "brown tape no longer gives blisters", True),
        ("allergic to walnuts", "not allergic to walnuts", True),
        ("no wheat; oats only if gluten free", "no wheat; no oats, gluten free neither", True),
        ("no tablet before meals; tea if weak", "no tablet before meals; no tea", True),
    ],
)
def test_a_shorter_telling_of_what_protects_asks_nothing(was: str, now: str, more: bool) -> None:  # noqa: FBT001
    stood, fact = Fact("constraints", "tape", was), Fact("constraints", "tape", now)
    assert tells_no_more(fact, stood) is not more


@pytest.mark.parametrize(
    ("was", "now", "went"),
    [
        ("46,500, starts 18 June", "46,500; starts 28 June", " (until now: starts 18 June)"),
        ("uncle, in Birmingham", "uncle, in Birmingham; never sells", ""),
        ("every second week, Friday", "every second week; Sunday, from 30 August; until then Friday", ""),
        ("1150", "1260", " (until now: 1150)"),
    ],
)
def test_the_line_of_a_change_tells_what_went(was: str, now: str, went: str) -> None:
    assert tell_fact(Fact("context", "it", now, replaces=was)) == f"context, it: {now}{went}"


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("I'm not to take it more than 2 days a week.", "suma 50 for attacks, max 2 days a week"),
        ("I take it at least 2 days a week.", "suma 50 for attacks"),
    ],
)
def test_a_limit_of_a_medicine_is_kept_or_its_loss_is_told(
    reel: Reel, kit: Path, said: str, value: str
) -> None:
    dose = "She put me on suma 50 for attacks, a medicine for migraine"
    say(reel, kit, [("user", f"{dose}. {said}"), ("assistant", "Good.")])
    told = extract(reel, row("constraints", "migraine", "suma 50 for attacks, max 2 days a week", dose))
    assert facts(reel) == {"constraints/migraine": value}
    assert ("kept without “max 2 days a week”" in str(told)) is ("max" not in value)
