"""Facts as statements: somebody's, at a time, with no bare first person; nothing superseded is current."""

from pathlib import Path

import pytest

from reel_cli.core.pack.words import known
from reel_cli.features.facts.choice import divide
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.pending.held_facts import propose_facts
from reel_cli.features.facts.policy import DREAM, EXTRACTION, PERSON
from reel_cli.features.facts.statement import rows_of, state, value_with_days
from tests.features.facts.test_fact_extract import TALK, extract, facts, row
from tests.support.cli import Reel
from tests.support.pages import page, say


def test_a_name_with_an_article_takes_no_other() -> None:
    """A bundle said “the cones: the the cones was their turn. the cones”."""
    cones = Fact(
        "history",
        "the cones",
        "it was my turn. the cones",
        "1",
        "2023-05-12-1#1",
        "2023-05-12",
        origin=EXTRACTION,
    )
    assert state(cones, "Sam") == "it was Sam's turn. the cones (said 12 May 2023)"
    sold = Fact("context", "the boat", "it was sold", "1", "2023-05-12-1#1", "2023-05-12", origin=EXTRACTION)
    assert state(sold, "Sam") == "the boat was sold (said by Sam, 12 May 2023)"


@pytest.mark.parametrize(
    ("key", "value", "origin", "line"),
    [
        # nothing says who `he` and `her` are: rather the words as they were said
        ("warfarin", "he has her off", EXTRACTION, "warfarin: Sam said on 12 May 2023: “he has her off”"),
        # the first person in quotation marks is whoever says them
        ("never say", 'never say "you can"', EXTRACTION, 'never say "you can" (said by Sam, 12 May 2023)'),
        # a value that somebody typed is no quotation, though it names its chat
        ("flight", "out 22 January 2027; £701 all in", PERSON, "flight: out 22 January 2027; £701 all in"),
    ],
)  # fmt: skip
def test_a_line_of_a_bundle_has_everybodys_words_in_their_own_mouth(
    key: str, value: str, origin: str, line: str
) -> None:
    fact = Fact("constraints", key, value, "1", "2023-05-12-1#1", "2023-05-12", origin=origin)
    assert known(key, state(fact, "Sam")) == line


def told(value: str, origin: str = EXTRACTION) -> str:
    return state(Fact("context", "k", value, "0.9", "2023-05-12-1#1", "2023-05-12", origin=origin), "Sam")


@pytest.mark.parametrize(
    ("value", "statement"),
    [
        ("my partner is pregnant", "Sam's partner is pregnant (said 12 May 2023)"),
        ("my son had an accident last Tuesday", "Sam's son had an accident on 9 May 2023 (said 12 May 2023)"),
        ("I'm allergic to penicillin", "Sam is allergic to penicillin (said 12 May 2023)"),
        ("I have to be up at five tomorrow", "Sam has to be up at five on 13 May 2023 (said 12 May 2023)"),
        ("the exam is next month", "the exam is in June 2023 (said by Sam, 12 May 2023)"),
        ("the show next month, June 2023", "the show in June 2023 (said by Sam, 12 May 2023)"),
        ("the exam tomorrow, 13 May, at 9", "the exam on 13 May 2023, at 9 (said by Sam, 12 May 2023)"),
        ("due in two weeks, about 26 May", "due in two weeks, around 26 May 2023 (said by Sam, 12 May 2023)"),
        ("the walk is my best hour", "the walk is Sam's best hour (said 12 May 2023)"),
        ("due by next month", "due by June 2023 (said by Sam, 12 May 2023)"),
        ("I moved to Lisbon last year", "Sam moved to Lisbon in 2022 (said 12 May 2023)"),
        ("I do not drink", "Sam does not drink (said 12 May 2023)"),
        ("Marta", "Marta (said by Sam, 12 May 2023)"),
        ("the last month of school", "the last month of school (said by Sam, 12 May 2023)"),
        ("lost my job at the mill", "lost their job at the mill (said by Sam, 12 May 2023)"),
        ("from 1908, from my aunt Gerta", "from 1908, from Sam's aunt Gerta (said 12 May 2023)"),
        (
            'open the box "Next Wednesday" by tomorrow',
            'open the box "Next Wednesday" by 13 May 2023 (said by Sam, 12 May 2023)',
        ),
        ("Rob, my colleague at the mill", "Rob, Sam's colleague at the mill (said 12 May 2023)"),
        ("joined a choir, May 2023", "joined a choir, May 2023 (said by Sam, 12 May 2023)"),
    ],
)
def test_a_fact_says_whose_it_is_and_when_it_was_said(value: str, statement: str) -> None:
    assert told(value) == statement


@pytest.mark.parametrize(
    "value",
    [
        "I live in Rome and work nights",
        "my sister and I share a flat",
        "we married in 2019",
        "you promised me chapter four",
        "I gotta go by six",
        "ich bin schwanger",
        "meine Tochter heißt Ana",
        "je suis allergique aux noix",
        "soy alérgico a la penicilina",
        "名前は太郎です",
    ],
)
def test_what_cannot_be_put_otherwise_for_sure_is_quoted_with_who_said_it(value: str) -> None:
    assert told(value) == f"Sam said on 12 May 2023: “{value}”"


def test_a_fact_that_was_confirmed_later_keeps_the_day_it_was_said_on() -> None:
    fact = Fact(
        "history", "job", "I lost my job", "1", "2023-05-12-1#2", "2023-08-16", origin=PERSON, replaces="none"
    )

    assert "on 16 August" not in state(fact, "Sam")


def test_what_the_persona_noted_of_itself_is_marked_as_its_own() -> None:
    assert told("I promised to read chapter four", DREAM) == (
        "you noted on 12 May 2023: “I promised to read chapter four”"
    )


@pytest.mark.parametrize(
    ("value", "to_persona"),
    [
        ("my wife; she died in May", "your wife; she died in May"),
        ("I was born in Umeå", "you noted on 1 March 2026: “I was born in Umeå”"),
        ("I was born in Uppsala", "you were born in Uppsala"),
        ("grew up by the harbour", "grew up by the harbour"),
        ("your boat is the Vega", "your boat is the Vega"),
    ],
)
def test_what_a_person_writes_of_the_persona_is_said_to_it(value: str, to_persona: str) -> None:
    """One bundle does not hold "my wife" beside "your brother"."""
    fact = Fact("own", "k", value, "1", "", "2026-03-01", origin=PERSON)
    assert state(fact, "Sam") == to_persona


def of_a_day(value: str, category: str, day: str, key: str = "k", statement: str = "") -> str:
    return state(
        Fact(category, key, value, "0.9", f"{day}-1#1", day, origin=EXTRACTION, statement=statement), "Sam"
    )


@pytest.mark.parametrize(
    ("value", "category", "day", "told"),
    [
        ("they ring by friday", "context", "2026-06-02", "they ring by friday, 5 June 2026"),
        ("he goes to rehab tuesday", "context", "2026-05-03", "he goes to rehab tuesday, 5 May 2026"),
        (
            "found him tuesday morning on the floor",
            "history",
            "2026-04-24",
            "tuesday morning, 21 April 2026, on",
        ),
        (
            "tried the wines this weekend",
            "history",
            "2026-01-05",
            "this weekend, 3 to 4 January 2026 (said by",
        ),
        (
            "the viewing is a week on Friday",
            "context",
            "2026-02-24",
            "a week on Friday, 6 March 2026 (said by",
        ),
        (
            "ring the insurer, Friday, from home",
            "commitments",
            "2025-05-21",
            "Friday, 23 May 2025, from home",
        ),
        ("watched it last night", "history", "2022-05-02", "last night, 1 May 2022 (said by"),
        ("began about three years ago", "history", "2023-06-09", "about three years ago, 2020 (said by"),
    ],
)
def test_a_weekday_or_a_weekend_has_its_date_by_the_day_it_was_said(
    value: str, category: str, day: str, told: str
) -> None:
    assert told in of_a_day(value, category, day)


@pytest.mark.parametrize(
    ("value", "category", "day"),
    [
        ("last Friday at dance class", "context", "2023-07-23"),
        ("yoga every Tuesday", "context", "2026-03-03"),
        ("open Monday to Thursday", "context", "2026-03-03"),
        ("the echo is on Thursday the 19th", "context", "2026-02-15"),
        ("the last week of school", "context", "2026-02-15"),
        ("ordered, fit it Sunday", "commitments", "2025-04-22"),
        ("Friday, nine hours", "context", "2025-05-04"),
    ],
)
def test_what_may_be_either_of_two_days_or_is_no_day_of_its_own_stays_as_said(
    value: str, category: str, day: str
) -> None:
    assert of_a_day(value, category, day).startswith(f"{value} (said by Sam, ")


def test_a_quotation_stays_as_it_was_said_and_its_days_stand_behind_it() -> None:
    assert of_a_day("Yesterday I chose to go", "history", "2023-06-21") == (
        "Sam said on 21 June 2023: “Yesterday I chose to go” (yesterday: 20 June 2023)"
    )


def test_the_days_of_a_statement_that_a_model_made_are_resolved_too() -> None:
    made = of_a_day("they ring", "context", "2026-06-02", statement="The clinic rings by Friday.")
    assert made == "The clinic rings by Friday, 5 June 2026"


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("Biscuit's weight", "she's 6.2 kilos", "Biscuit is 6.2 kilos"),
        ("rent", "it's 870 not 780", "the rent is 870 not 780"),
        ("dad's health", "he's got a year maybe", "Sam's dad has got a year maybe"),
        ("Priya", "she's pregnant", "Priya is pregnant"),
        ("Priya's baby", "it's a girl", "Priya's baby is a girl"),
        ("son", "he's nine years old", "Sam's son is nine years old"),
    ],
)
def test_a_pronoun_at_the_beginning_is_put_as_what_the_name_says_it_is(
    key: str, value: str, told: str
) -> None:
    assert of_a_day(value, "context", "2026-06-02", key).startswith(f"{told} (said ")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("coble", "it's not Col who knows the man with the coble"),
        ("rehab", "he goes to Larpool House"),
        ("answer", "they ring soon"),
        ("Biscuit", "she's robust"),
    ],
)
def test_a_pronoun_stays_where_the_name_does_not_say_for_sure_what_it_means(key: str, value: str) -> None:
    assert of_a_day(value, "context", "2026-06-02", key).startswith(f"{value} (said by ")


def test_a_statement_of_the_thing_itself_is_not_led_by_its_name_again() -> None:
    assert known("rent", "the rent is 870") == "the rent is 870"


CHANGES = [
    ("context", "city", "Porto", "Lisbon"),
    ("context", "home", "a flat in Alfama", "a house in Sintra"),
    ("identity", "name", "Ana Reis", "Ana Duarte"),
    ("identity", "surname", "Reis", "Duarte"),
    ("identity", "age", "52", "53"),
    ("identity", "pronouns", "she", "they"),
    ("identity", "job", "nurse", "teacher"),
    ("work", "employer", "the surgery", "the school"),
    ("constraints", "allergy", "allergic to penicillin", "not allergic to penicillin after all"),
    ("constraints", "diet", "vegetarian", "vegan"),
    ("constraints", "medication", "10 mg of ramipril", "5 mg of ramipril"),
    ("constraints", "curfew", "home by ten", "home by eleven"),
    ("constraints", "mobility", "on crutches", "walking again"),
    ("relationships", "partner", "Jim", "Noor"),
    ("relationships", "marital status", "married", "divorced"),
    ("relationships", "dog", "Bruno", "Mina"),
    ("relationships", "best friend", "Ivo", "Kateryna"),
    ("relationships", "sister city", "Oslo", "Bergen"),
    ("relationships", "son school", "primary", "secondary"),
    ("commitments", "deadline", "30 April", "15 May"),
    ("commitments", "surgery", "14 May", "28 May"),
    ("commitments", "rent day", "Friday", "Monday"),
    ("commitments", "wedding", "in June", "called off"),
    ("commitments", "exam", "next month", "put off to autumn"),
    ("commitments", "trip", "to Oslo", "to Rome"),
    ("preferences", "coffee", "black", "none"),
    ("preferences", "units", "imperial", "metric"),
    ("preferences", "address", "call me Sam", "call me Samuel"),
    ("preferences", "favourite novel", "Middlemarch", "Emma"),
    ("history", "degree", "studying law", "graduated in law"),
    ("history", "smoking", "smokes", "stopped smoking"),
    ("goals", "training", "a half marathon", "a marathon"),
    ("plan", "residency", "forty pages", "fifty pages"),
]


@pytest.mark.parametrize("written", [str.lower, str.title, lambda text: text.replace(" ", "_")])
def test_of_every_kind_of_change_the_old_value_is_in_no_bundle_as_current(written) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    noted: list[Fact] = []
    for kind, key, old, new in CHANGES:
        noted.append(Fact(kind, key, old, "0.9", "2026-02-10-1#1", "2026-02-10", origin=EXTRACTION))
        noted.append(
            Fact(
                kind,
                written(key),
                new,
                "0.9",
                "2026-03-01-1#1",
                "2026-03-01",
                replaces=old,
                origin=EXTRACTION,
            )
        )
    # told late, from the older evening, it changes nothing
    noted += [
        Fact(kind, key, old, "0.9", "2026-02-10-1#3", "2026-02-10", origin=EXTRACTION)
        for kind, key, old, _ in CHANGES
    ]
    # nor does a dream
    noted += [Fact(kind, key, old, "high", when="2026-03-09", origin=DREAM) for kind, key, old, _ in CHANGES]
    rows = rows_of(divide(noted, 7_000, 200).held, "Sam")
    assert len(rows) == len(CHANGES) >= 30
    current = {row.value.partition(" (said")[0] for row in rows}
    stale = [old for _, _, old, _ in CHANGES if state(Fact("x", "k", old, origin=PERSON), "Sam") in current]
    assert stale == []


def test_what_protects_somebody_is_replaced_by_a_persons_word_alone(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK)
    extract(reel, row("constraints", "allergy", "allergic to penicillin", "I am allergic to penicillin"))
    say(reel, kit, [("user", "I am not allergic to penicillin after all."), ("assistant", "Good.")], 20)
    withdrawn = "not allergic to penicillin after all"
    extract(reel, row("constraints", "allergy", withdrawn, "not allergic to penicillin"))
    assert facts(reel) == {"constraints/allergy": "allergic to penicillin"}
    stands = "allergy: allergic to penicillin (said by Bo, 10 February 2026)"
    # nobody is told the old value as if no other had been said
    unsettled = f"not settled: a later chat, 20 February 2026, says “{withdrawn}”"
    assert f"- {stands} ({unsettled})\n" in reel("pack").ok().out
    assert unsettled in " ".join(reel("recall", "what is Bo allergic to?").ok().out.split())
    waiting = reel("review").ok().out
    assert "A change to a fact that keeps somebody safe" in waiting
    assert (
        "you said “allergic to penicillin” on 10 February 2026; the chat of 20 February 2026 says"
        " “not allergic to penicillin”; it keeps somebody safe,"
        " so “allergic to penicillin” stays until you decide."
    ) in " ".join(waiting.split())
    assert "was: constraints, allergy: allergic to penicillin (2026-02-10)\n" in waiting
    assert "now: constraints, allergy: not allergic to penicillin after all (2026-02-20)\n" in waiting
    reel("review", "accept", next(iter((kit / "review").glob("fact-*.md"))).stem, "--yes").ok()
    assert facts(reel) == {"constraints/allergy": "not allergic to penicillin after all"}
    assert "not settled" not in reel("pack").ok().out


def test_no_dream_replaces_what_protects_somebody() -> None:
    words = Fact("constraints", "allergy", "penicillin", when="2026-02-10", origin=DREAM)
    dreamt = Fact("constraints", "allergy", "none", when="2026-03-10", origin=DREAM)
    assert [one.value for one in divide([words, dreamt], 7_000, 200).held] == ["penicillin"]


@pytest.mark.parametrize(
    ("value", "words", "told"),
    [
        ("Our baby, his name is Kyle", "Our baby, Kyle he is", "said on 2 May 2023: “Our baby, Kyle he is”"),
        (
            "done; I broke the promise to remind",
            "I've sent her eighty",
            "as a page tells it on 2 May 2023: done;",
        ),
        (
            "the cut; a story we make; she stands",
            "Take the end out",
            "as a page tells it on 2 May 2023: the cut;",
        ),
        ("I've sent it, I sent her eighty", "Sent? / I've sent it", "“I've sent it” (to the question"),
        ("tenor, mid May 2023", "a tenor since mid May", "tenor, mid May 2023"),
    ],
)
def test_no_quotation_has_words_that_were_not_said(value: str, words: str, told: str) -> None:
    fact = Fact("context", "x", value, "1", "2023-05-02-1#1", "2023-05-02", origin=EXTRACTION, evidence=words)
    shown = state(fact, "Bo")
    assert told in shown
    assert f"“{value}”" not in shown


@pytest.mark.parametrize("source", ["", "2026-02-10-1#1"])
def test_a_dreams_change_that_nobody_said_is_not_told_as_said(reel: Reel, kit: Path, source: str) -> None:
    say(reel, kit, TALK)
    extract(reel, row("constraints", "allergy", "allergic to penicillin", "I am allergic to penicillin"))
    dreamt = Fact(
        "constraints",
        "allergy",
        "allergic to nuts",
        "high",
        source,
        when="2026-02-20",
        replaces="allergic to penicillin",
    )
    for path, data in propose_facts([dreamt], "2026-02-10-1", "2026-02-20T10:00:00Z").items():
        (kit / path).parent.mkdir(exist_ok=True)
        (kit / path).write_bytes(data)
    waiting = " ".join(reel("review").ok().out.split())
    assert (
        "a dream noted “allergic to nuts”, and no turn was found that says all of it" in waiting
    ) is not bool(source)
    # the turn that it names does not say so
    assert "says “allergic to nuts”" not in waiting
    assert ("a dream noted “allergic to nuts”, which the chat" in waiting) is bool(source)


def test_a_fact_that_replaces_one_is_not_told_as_new(reel: Reel, kit: Path) -> None:
    before = "The sanding of the hull is set for the 9th of February."
    say(reel, kit, [("user", before), ("assistant", "Good.")])
    extract(reel, row("commitments", "sanding", "set for the 9th of February", before))
    now = "The sanding of the hull is set for the 12th of February now, not the 9th."
    fact = f'commitments | sanding | set for the 12th of February | {now} | "{now}" | 0.9'
    say(reel, kit, [("user", now), ("assistant", "Good.")], 20)
    whole = page({"Lines to find it by": f'"{now}"', "What I know for sure": fact})
    told = reel("checkpoint", "--reply", "-", "--yes", "--dry-run", stdin=whole).err
    assert "  changed: sanding: " in told
    assert "new: sanding" not in told


def test_a_weekday_of_an_older_part_of_a_value_is_not_reckoned_from_the_later_chat() -> None:
    """`Since Saturday` of 20 May got the Saturday before 5 July, since the newer value keeps it."""
    older = "Ellen, in the water since Saturday; Umeå in July alone"
    value = "in the water since Saturday; Ellen; Umeå some other year"
    boat = Fact(
        "context", "boat", value, "1", "2026-07-05-1#3", "2026-07-05", replaces=older, origin=EXTRACTION
    )
    assert "4 July" not in state(boat, "Arvid")
    assert "5 July 2026" in state(boat, "Arvid")
    assert "4 July" not in value_with_days(boat)


def test_what_was_noted_in_other_words_has_behind_it_who_said_it() -> None:
    told = state(
        Fact(
            "history", "Severn Tabletop Day", "was Saturday 19 September, sold seventeen of forty at £22",
            "0.9", "2026-09-20-1#3", "2026-09-20", origin=EXTRACTION, evidence="I sold SEVENTEEN",
        ), "Sam",
    )  # fmt: skip
    assert (
        told == "was Saturday 19 September, sold seventeen of forty at £22 (said by Sam, 20 September 2026)"
    )
