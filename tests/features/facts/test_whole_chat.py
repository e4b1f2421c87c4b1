"""Facts whose quotation only points to the place: the rest was said in the chat, or is known from before."""

from pathlib import Path

import pytest

from tests.features.facts.test_fact_extract import extract, facts
from tests.support.cli import Reel
from tests.support.pages import say

TALK = [
    ("user", "Marit from the Otley yard rang me. I said yes, last Thursday, the fifth."),
    ("assistant", "Well done. And Paul?"),
    (
        "user",
        (
            "I told Paul. He said, \"You go, and I'll stay. I'll drive you to the ferry, and I'm not going "
            'to sit in a flat in Lund." '
            'And Marit wrote: "The post is from the eighteenth of May, at 2,150 a month."'
        ),
    ),
    ("assistant", "The eighteenth of May, then."),
    (
        "user",
        'No, she gave in. It is Monday the seventh of September. "I hate boats," says the cat. I still go.',
    ),
    ("assistant", "And did you ring your aunt by Easter?"),
    ("user", "No. I didn't. There was church."),
]


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        # two quotations, and a month's pay of a turn between them
        (
            (
                "commitments | yard | said yes on 5 February; begins Monday, 7 September; 2,150 a month | "
                '"I said yes, last Thursday, the fifth" / "It is Monday the seventh of September"'
            ),
            True,
        ),
        (
            'commitments | post | from 18 May at 2,150 a month | "The post is from the eighteenth of May"',
            True,
        ),
        (
            "relationships | Paul | won't move to Lund, drives her to the ferry | \"You go, and I'll stay\"",
            True,
        ),
        ('commitments | aunt | did not ring by Easter | "No. I didn\'t. There was church."', True),
        # nowhere said, another number, against the chat, and a feeling of another
        ('relationships | Paul | would drive her to the ferry in Malmö | "You go, and I\'ll stay"', False),
        (
            'commitments | post | from 18 May at 2,450 a month | "The post is from the eighteenth of May"',
            False,
        ),
        ('commitments | aunt | has rung by Easter | "No. I didn\'t. There was church."', False),
        ('preferences | boats | hates boats | "I hate boats"', False),
        ('relationships | Paul | would drive her to the saxophonist | "You go, and I\'ll stay"', False),
    ],
)
def test_a_quotation_points_to_what_the_chat_says(reel: Reel, kit: Path, line: str, *, kept: bool) -> None:
    say(reel, kit, TALK)
    kind, key, value, quoted = line.split(" | ")
    reply = (
        f"## What I know for sure\n{kind} | {key} | {value} | Of the {key}: {value}. | {quoted} | 1\n\nAda\n"
    )
    told = reel("fact", "extract", "--reply", "-", "--yes", "--json", stdin=reply)
    assert (value in facts(reel).values()) is kept, told.out + told.err


def test_what_protects_needs_its_own_words(reel: Reel, kit: Path) -> None:
    say(
        reel,
        kit,
        [("user", "Mum is on tablets."), ("assistant", "How many?"), ("user", "Ask Per. 10 mg I think.")],
    )
    reply = '## What I know for sure\nconstraints | tablets | 10 mg | "Mum is on tablets" | 1\n\nAda\n'
    extract(reel, reply)
    assert facts(reel) == {}


BEFORE = [
    ("user", "Kit has a flat by the harbour. We met at the library."),
    ("assistant", "Noted."),
    ("user", "My aunt made a cake for the fair."),
    ("assistant", "A good one?"),
]
YORK = [
    ("user", "york was good tho!! took dami on the train. kit says hi"),
    ("assistant", "And you?"),
    ("user", "Let him. Are you not eighty soon?"),
    ("assistant", "Tomorrow, in fact. The second of November."),
]


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ('history | York | took Dami on the train, Kit met them with a cake | "york was good tho!!"', False),
        ('history | York | took Dami on the train | "took dami on the train"', True),
        ('relationships | Kit | has a flat by the harbour; says hi | "kit says hi"', True),
    ],
)
def test_words_said_before_of_several_matters_are_no_event(
    reel: Reel, kit: Path, line: str, *, kept: bool
) -> None:
    say(reel, kit, BEFORE)
    extract(reel, "## What I know for sure\nnone\n\nAda\n")
    say(reel, kit, YORK, 20)
    other = 'preferences | greeting | Kit says hi | "kit says hi" | 1'
    extract(reel, f"## What I know for sure\n{line} | 1\n{other}\n\nAda\n")
    value = line.split(" | ")[2]
    assert (value in facts(reel).values()) is kept
    assert not any("cake" in one for one in facts(reel).values())


def test_a_question_that_is_quoted_with_its_answer_counts(reel: Reel, kit: Path) -> None:
    say(reel, kit, YORK)
    said = '"Tomorrow, in fact. The second of November." "Are you not eighty soon?"'
    extract(reel, f"## What I know for sure\nown | birthday | eighty on 2 November | {said} | 1\n\nAda\n")
    assert facts(reel) == {"own/birthday": "eighty on 2 November"}


def test_a_short_month_behind_starting_is_a_month(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "dad pays 100 a month starting sept til its done"), ("assistant", "Noted.")])
    line = 'history | loan | pays 100 a month from September | "100 a month starting sept til its done"'
    extract(reel, f"## What I know for sure\n{line} | 1\n\nAda\n")
    assert facts(reel) == {"history/loan": "pays 100 a month from September"}


TRIP = [
    (
        "user",
        "Halima wanted to see Tavira. So me and Samira have booked it, ten days from the 19th of October.",
    ),
    ("assistant", "How much is it?"),
    (
        "user",
        "I've put the deposit down, a hundred and fifty, and it's 612 pounds each. My right knee is first.",
    ),
    ("assistant", "Who does the knee?"),
    (
        "user",
        "Mr Adeyemi says a new one, and I've a date, the 14th of July. I'll ring Idris on the Tuesday, too.",
    ),
    ("assistant", "And the allotment?"),
    (
        "user",
        "On one side is Len, he's 82. Colin has the other side. He's the one who owes me two hundred pound.",
    ),
    ("assistant", "Which physio?"),
    ("user", "I've been calling him Callum and he's Colm. Mr Pargeter wanted to be wheeled out so I did."),
]


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        # plain words may be the page's own
        (
            (
                "context | trip | Tavira, ten days from 19 October with Samira, £612 each, deposit paid | "
                '"ten days from the 19th of October"'
            ),
            True,
        ),
        ('context | knee | right knee replaced on 14 July, Mr Adeyemi | "the 14th of July"', True),
        (
            (
                "relationships | Colin | other allotment neighbour, owes him £200 | "
                '"the one who owes me two hundred pound"'
            ),
            True,
        ),
        ("relationships | Colm | physio, not Callum | \"I've been calling him Callum and he's Colm.\"", True),
        ('history | Mr Pargeter | wheeled out | "Mr Pargeter wanted to be wheeled out so I did"', True),
        # so is what only describes; another name, number or day is not, nor what nothing was said of
        (
            'context | trip | Tavira, ten days from 19 October with Idris, £621 each | "the 19th of October"',
            False,
        ),
        ('context | knee | right knee replaced on 16 July, Mr Adeyemi | "the 14th of July"', False),
        ('relationships | Colin | her cousin, owes him £200 | "owes me two hundred pound"', True),
        (
            "relationships | Colm | physio, not Declan | \"I've been calling him Callum and he's Colm.\"",
            False,
        ),
        ('history | farewell | a tea with a cake in the lodge | "My right knee is first."', False),
    ],
)
def test_plain_words_may_be_the_pages_own(reel: Reel, kit: Path, line: str, *, kept: bool) -> None:
    say(reel, kit, TRIP)
    other = 'history | booking | ten days from the 19th of October | "ten days from the 19th of October" | 1'
    extract(reel, f"## What I know for sure\n{line} | 1\n{other}\n\nAda\n")
    assert (line.split(" | ")[2] in facts(reel).values()) is kept
    assert "My right knee is first." not in facts(reel).values()


def test_a_refusal_names_the_detail_that_nobody_said(reel: Reel, kit: Path) -> None:
    said = "Samira's twenty minutes off. She does timetables"
    say(reel, kit, [("user", f"{said}."), ("assistant", "Good.")])
    extract(reel, f'## What I know for sure\ncontext | Samira | twenty minutes off | "{said}" | 1\n\nAda\n')
    say(
        reel,
        kit,
        [("user", "Samira's got a start! At the garden centre, Bramley's."), ("assistant", "!")],
        20,
    )
    line = "context | Samira | twenty minutes off, at Bramble's garden centre | \"Samira's got a start!\" | 1"
    reply = f"## What I know for sure\n{line}\n\nAda\n"
    assert (
        "its words say “Bramley”, and not “Bramble”"
        in reel("fact", "extract", "--reply", "-", "--yes", stdin=reply).err
    )


def test_a_year_that_the_chat_gives_or_that_is_the_next_such_day_is_no_guess(reel: Reel, kit: Path) -> None:
    said = "it's the 12th of April now, next year. 2027. Ten days still."
    say(reel, kit, [("user", f"The trip is moved, {said} The fair is on 9 July."), ("assistant", "Good.")])
    trip = f'context | trip | moved to 12 April 2027, ten days | "{said}" | 1'
    fair = 'context | fair | on 9 July 2026 | "The fair is on 9 July" | 1'
    told = extract(reel, f"## What I know for sure\n{trip}\n{fair}\n\nAda\n")
    assert {*facts(reel)} == {"context/trip", "context/fair"}
    assert "year was not said" not in f"{told}"


def test_you_in_words_that_the_user_retells_is_not_the_persona(reel: Reel, kit: Path) -> None:
    said = "you don't finish missing people, you just get better at carrying"
    say(reel, kit, [("user", f'She goes, "Abi, {said}." She says things like that.'), ("assistant", "Yes.")])
    extract(reel, f'## What I know for sure\nrelationships | Ayla | {said} | "{said}" | 1\n\nAda\n')
    assert facts(reel) == {"relationships/ayla": said}
    assert reel("review").ok().out == "Nothing waits for your decision.\n"


@pytest.mark.parametrize(("day", "kept"), [("Friday", True), ("Saturday", False)])
def test_a_bare_number_of_days_is_a_day(reel: Reel, kit: Path, day: str, *, kept: bool) -> None:
    talk = [
        ("user", "Three days. I keep cleaning. The bins go on Saturdays."),
        ("assistant", "Who pushes you?"),
    ]
    say(reel, kit, [*talk, ("user", "It's Winston. My knee, and Mr Adeyemi."), ("assistant", "Good.")])
    value = f"replaced on {day} in three days, pushed by Winston, Mr Adeyemi"
    line = f'context | knee | {value} | "Three days. I keep cleaning." | 1'
    reel("fact", "extract", "--reply", "-", "--yes", stdin=f"## What I know for sure\n{line}\n\nAda\n")
    assert (value in facts(reel).values()) is kept


def test_a_fact_whose_words_tell_something_else_is_refused_aloud(reel: Reel, kit: Path) -> None:
    say(
        reel,
        kit,
        [("user", "I won't see Winston except to wave."), ("assistant", "You'll carry their post.")],
    )
    line = 'history | farewell | a tea with a cake in the lodge | "I won\'t see Winston except to wave." | 1'
    reply = f"## What I know for sure\n{line}\n\nAda\n"
    told = reel("fact", "extract", "--reply", "-", "--yes", stdin=reply)
    assert "does not say “a tea with a cake in the lodge”" in told.out + told.err
    assert facts(reel) == {}
