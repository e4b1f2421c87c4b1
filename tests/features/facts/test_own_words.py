"""Evidence in several turns, statements by the model, and what the persona tells of its own life."""

import json
from pathlib import Path

import pytest

from reel_cli.core.values.talk import Entry, Message, Session
from reel_cli.features.facts.evidence.fact_evidence import UserTurns
from reel_cli.features.facts.evidence.statement_evidence import bears_statement
from reel_cli.features.facts.evidence.talk_evidence import TalkEvidence
from tests.features.facts.test_fact_extract import aside, extract, facts, row
from tests.support.cli import Reel
from tests.support.pages import page, say

TALK: list[tuple[str, str]] = [
    ("assistant", "That's a lovely painting! How long have you been creating art?"),
    ("user", "Since I was 17 or so. It helps me."),
    ("assistant", "Is that your sister Ana in the picture?"),
    ("user", "Yes, that's her! My sister lives in Lyon, and I want to move there next year."),
    ("assistant", "Are you allergic to nuts?"),
    ("user", "No, never was."),
    ("assistant", "Did you go to Rome?"),
    ("user", "I went to Paris."),
    ("assistant", "Do you like tea or coffee?"),
    ("user", "Yes"),
    ("assistant", "Is your sister a nurse?"),
    ("user", "She works nights."),
    ("assistant", "Is that the bowl my grandma made?"),
    ("user", "Yes, it is."),
    ("assistant", "You're not allergic to cats?"),
    ("user", "Right."),
    ("assistant", "Would you adopt?"),
    ("user", "Yes, maybe."),
]
HEARD = UserTurns(
    [Entry(n, Message(role, text, time="2026-02-10T10:00:00Z")) for n, (role, text) in enumerate(TALK, 1)],
    "Bo",
    "Ada",
    "2026-02-10",
)


@pytest.mark.parametrize(
    ("value", "evidence", "place"),
    [
        ("creating art since I was 17 or so", "Since I was 17 or so", "1-2"),
        ("creating art since 17", "How long have you been creating art? / Since I was 17 or so", "1-2"),
        ("sister Ana", "Yes, that's her", "3-4"),
        ("sister Ana", '"Is that your sister Ana in the picture?" "Yes, that\'s her!"', "3-4"),
        ("sister Ana", "Is that your sister Ana in the picture?", "3-4"),
        ("sister Ana lives in Lyon", "Yes, that's her … My sister lives in Lyon", "3-4"),
        ("sister in Lyon works nights", '"My sister lives in Lyon" and "She works nights"', "4-12"),
        ("sister in Lyon", "My sister lives in Lyon", "4"),
    ],
)
def test_an_answer_may_need_its_question_and_a_fact_several_turns(
    value: str, evidence: str, place: str
) -> None:
    borne = HEARD.bears(value, evidence)
    assert (borne.value, borne.place, borne.why) == (value, place, "")


@pytest.mark.parametrize(
    ("value", "evidence"),
    [
        ("allergic to nuts", "No, never was"),
        ("allergic to nuts", "Are you allergic to nuts? / No, never was"),
        ("went to Rome", "Did you go to Rome? / I went to Paris"),
        ("likes coffee", "Do you like tea or coffee? / Yes"),
        ("sister is a nurse", "Is your sister a nurse? / She works nights"),
        ("grandma made the bowl", "Is that the bowl my grandma made? / Yes, it is"),
        ("allergic to cats", "You're not allergic to cats? / Right"),
        ("adopt a child", "Would you adopt? / Yes, maybe"),
        ("lovely painting", "That's a lovely painting! / Since I was 17 or so"),
        ("a lovely painting", "That's a lovely painting!"),
        ("allergic to bees", "Are you allergic to bees? / Yes"),
    ],
)
def test_what_an_answer_does_not_say_is_no_fact(value: str, evidence: str) -> None:
    assert HEARD.bears(value, evidence).why


@pytest.mark.parametrize(
    ("statement", "borne"),
    [
        ("Bo's sister lives in Lyon", True),
        ("Bo wants to move to Lyon in 2027, where her sister lives", True),
        ("Bo's sister does not live in Lyon", False),
        ("Bo moves to Lyon in 2027", False),
        ("Bo wants to move in 2028", False),
        ("Bo wants to move to Rome", False),
        ("My sister lives in Lyon", False),
        ("The sister lives in Lyon", False),
        ("Bo has sister Lyon", False),
        ("Ada wants to move to Lyon with Bo", False),
        ("Bo's sister lives in Lyon with three children", False),
    ],
)
def test_a_statement_says_no_more_than_what_was_said(statement: str, borne: bool) -> None:  # noqa: FBT001
    support = HEARD.bears(
        "sister lives in Lyon", "My sister lives in Lyon, and I want to move there next year"
    )
    assert bears_statement(statement, support, "sister", ("Bo", "Ada")) == borne


CHAT: list[tuple[str, str]] = [
    ("user", "I just won the regional chess tournament! It was my fourth win."),
    ("assistant", "Well done! Did you keep the silver trophy? I adopted a poodle last week."),
    ("user", "It stands on my new desk. I finally bought a desk last Friday, and painted it green."),
    ("user", "The band I like plays in Leeds. I like the man who sold boats in Kent."),
    ("user", "I'll bring you my lemon cake tomorrow, and I fixed your blue bike."),
]
CHESS = TalkEvidence(
    Session(
        "2026-02-10-1",
        "2026-02-10T10:00:00Z",
        "chat",
        entries=tuple(
            Entry(n, Message(role, text, time="2026-02-10T10:00:00Z"))
            for n, (role, text) in enumerate(CHAT, 1)
        ),
    ),
    "Bo",
    ["Ada"],
)
WON, DESK = "I just won the regional chess tournament", "It stands on my new desk"
BOUGHT, BAND = "I finally bought a desk last Friday", "The band I like plays in Leeds"
BOATS, CAKE = "I like the man who sold boats in Kent", "I'll bring you my lemon cake tomorrow"
BIKE, CHAMPION = "I fixed your blue bike", "Bo won the chess tournament"
GIVES = "Bo is going to bring"


def test_what_the_persona_says_again_of_the_user_s_telling_is_not_its_own() -> None:
    told: list[tuple[str, str]] = [
        ("user", 'On the back it says, in his hand, "Gulabo and I, neither of us paid." So she is wrong.'),
        ("assistant", '"Gulabo and I, neither of us paid." I would wear that on my own casing.'),
    ]
    entries = tuple(
        Entry(n, Message(role, text, time="2026-02-10T10:00:00Z")) for n, (role, text) in enumerate(told, 1)
    )
    heard = TalkEvidence(
        Session("2026-02-10-1", "2026-02-10T10:00:00Z", "chat", entries=entries), "Bo", ["Ada"]
    )
    _, own = heard.bears(
        'on the back "Gulabo and I, neither of us paid"', "Gulabo and I, neither of us paid."
    )
    assert not own


@pytest.mark.parametrize(
    ("evidence", "value", "statement", "borne"),
    [
        # the day of the talk bounds what was told on it
        (WON, "won the chess tournament", "Bo won the regional chess tournament, by 10 February 2026", True),
        (
            WON,
            "won the chess tournament",
            "Bo won the chess tournament shortly before 10 February 2026",
            True,
        ),
        (
            WON,
            "won the chess tournament",
            "Bo won the chess tournament in the week before 10 February 2026",
            False,
        ),
        (WON, "won the chess tournament", f"{CHAMPION} on 10 February 2026", False),
        (WON, "won the chess tournament", f"{CHAMPION}, by 11 February 2026", False),
        (BOUGHT, "bought a desk", "Bo bought a desk in the week before 10 February 2026", True),
        # the turns around say what the words point to, and lend nothing of the other's life
        (DESK, "stands on my new desk", "Bo's silver trophy stands on her new desk", True),
        (DESK, "stands on my new desk", "Bo's poodle stands on her new desk", False),
        (DESK, "stands on my new desk", "Ada's silver trophy stands on Bo's new desk", False),
        (BOUGHT, "bought a desk", "Bo bought a trophy last Friday", False),
        # what is left out changes neither of whom it tells nor whether it is so
        (BOUGHT, "bought a desk", "Bo bought a desk on 6 February 2026", True),
        (BAND, "plays in Leeds", "Bo plays in Leeds", False),
        (BOATS, "sold boats in Kent", "Bo sold boats in Kent", False),
        # the other is named only as the one who is spoken to
        (
            CAKE,
            "bring you my lemon cake",
            f"{GIVES} Ada her lemon cake on 11 February 2026",
            True,
        ),
        (CAKE, "bring you my lemon cake", f"{GIVES} Ada's lemon cake on 11 February 2026", False),
        (
            CAKE,
            "bring you my lemon cake",
            "Ada is going to bring Bo her lemon cake",
            False,
        ),
        (CAKE, "bring you my lemon cake", "Bo brought Ada her lemon cake", False),
        (BIKE, "fixed your blue bike", "Bo fixed Ada's blue bike", True),
        (BIKE, "fixed your blue bike", "Bo fixed her own blue bike for Ada", False),
        (WON, "won the chess tournament", "Bo won Ada the regional chess tournament", False),
    ],
)
def test_a_statement_may_shorten_and_name_what_was_said(
    evidence: str, value: str, statement: str, *, borne: bool
) -> None:
    support, own = CHESS.bears(value, evidence)
    assert (support.why, own) == ("", False)
    assert bears_statement(statement, support, "matter", ("Bo", "Ada"), CHESS.near(support)) == borne


LIFE: list[tuple[str, str]] = [
    ("user", "My sister Ines moved to Lyon last month. How is your son?"),
    ("assistant", "My son had an accident last Tuesday. I'll tell you on Friday how he is."),
    ("user", "Since when have you played the clarinet?"),
    ("assistant", "Since I was a child. You love chess. I am Mallory."),
]
TOLD = """## What I know for sure
relationships | sister | sister Ines | Bo's sister Ines moved to Lyon in January 2026 | "Ines moved" | 1
own | son | my son had an accident last Tuesday | | "My son had an accident last Tuesday" | 1
commitments | call | I'll tell you on Friday how he is | "I'll tell you on Friday how he is" | 1
own | clarinet | played the clarinet since I was a child | "Since I was a child" | 1
preferences | games | chess | "You love chess" | 1
identity | name | I am Mallory | "I am Mallory" | 1
own | move | moved to Lyon | "moved to Lyon" | 1

Ada
"""


def known(reel: Reel) -> str:
    return reel("pack").ok().out.partition("## What you know by heart")[2].partition("\n## ")[0]


def test_each_fact_says_whose_it_is(reel: Reel, kit: Path) -> None:
    say(reel, kit, LIFE)
    kept = extract(reel, TOLD)
    bundle = known(reel)
    # a statement that has the fact's name and a day in it is told by itself
    assert "- Bo's sister Ines moved to Lyon in January 2026\n" in bundle
    assert (
        "### Your own life\n\n"
        "- son: your son had an accident on 3 February 2026 (you said so on 10 February 2026)\n"
        "- call: you said on 10 February 2026: “I'll tell you on Friday how he is”"
        " (on friday: 13 February 2026)\n"
        "- clarinet: played the clarinet since you were a child (you said so on 10 February 2026)\n"
    ) in bundle
    assert "chess" not in bundle
    told = str(kept["problems"])
    assert "“You love chess” was said by Ada, not by Bo" in told
    assert "own, move: not kept: Bo said it about themselves, so it is another kind" in told
    # who the persona is waits for a person where nobody read the reply
    assert "Mallory" not in bundle
    assert "Mallory" in reel("review").ok().out
    text = (kit / "facts.yaml").read_text()
    assert "  value: sister Ines\n" in text
    assert "Bo's sister Ines moved to Lyon in January 2026" in text.partition("statement: ")[2]
    assert '  evidence: "Since when have you played the clarinet? / Since I was a child"\n' in text
    assert "  said_by: persona\n" in text
    assert "Ada's own\n  son" in reel("fact", "list").ok().out


def test_the_persona_may_tell_of_itself_without_saying_i(reel: Reel, kit: Path) -> None:
    talk = [
        ("user", "How was your week? Tell me about Ines too."),
        ("assistant", "Busy. Started hitting the gym last week to stay on track. Been rehearsing hard, too."),
        ("assistant", "Started painting, did you? Ines says she had a fall. Had a bad one, she did."),
        ("assistant", "The official opening night is tomorrow."),
    ]
    say(reel, kit, talk)
    lines = [
        row("own", "gym", "Started hitting the gym last week", "Started hitting the gym last week"),
        row("own", "rehearsing", "rehearsing hard", "Been rehearsing hard, too."),
        row("own", "painting", "Started painting", "Started painting"),
        row("own", "fall", "had a bad one", "Had a bad one"),
        row("own", "mid", "had a fall", "had a fall"),
        row("own", "opening", "opening night is tomorrow", "The official opening night is tomorrow"),
    ]
    kept = str(extract(reel, "\n".join(lines))["problems"])
    # what the persona said of nobody else is its own where a page gives it as that
    assert sorted(facts(reel)) == ["own/gym", "own/opening", "own/rehearsing"]
    assert "started hitting the gym" in known(reel).lower()
    assert "you said so on 10 February 2026" in known(reel)
    assert "own, painting: not kept: “Started painting” is not about Ada" in kept
    # of whom a fall is, the words do not say
    assert list(aside(reel)) == ["own/fall", "own/mid"]
    assert "opening night is on 11 February 2026 (you said so on 10 February 2026)" in known(reel)


def test_what_the_persona_tells_of_somebody_in_its_life_is_its_own(reel: Reel, kit: Path) -> None:
    talk = [
        ("user", "My father died in November. What did your husband do? Tell me about the dog's smell."),
        ("assistant", "He pulled nails out of driftwood. He died in November, then. I'm sorry."),
        ("assistant", "Wet rope and old bread. It doesn't come out of a coat. He calls you Bo, I hear."),
    ]
    say(reel, kit, talk)
    lines = [
        row("own", "husband's habit", "pulled nails out of driftwood", "He pulled nails out of driftwood."),
        row("own", "dog", "wet rope and old bread", "Wet rope and old bread. It doesn't come out of a coat."),
        row("own", "death", "died in November", "He died in November, then."),
        row("own", "called", "calls you Bo", "He calls you Bo, I hear."),
    ]
    shown = reel("fact", "extract", "--reply", "-", "--dry-run", stdin="\n".join(lines)).ok()
    told = shown.out + shown.err
    assert "own, husband's habit: pulled nails out of driftwood" in told
    assert "own, dog: wet rope and old bread" in told
    # what the user told first is the user's, and what is about the user is no life of its own
    assert "own, death" not in told.partition("Left out:")[0]
    assert "own, called" not in told.partition("Left out:")[0]


def test_what_is_of_the_personas_own_is_looked_for_in_the_personas_words(reel: Reel, kit: Path) -> None:
    talk = [("user", "Who lit the lamp?"), ("assistant", "I did. Elspeth was my wife, and she lit it too.")]
    say(reel, kit, talk)
    other = [("user", "Good evening."), ("assistant", "The glass is falling. I miss her on such nights.")]
    say(reel, kit, other, day=12)
    lines = [
        row("own", "wife", "Elspeth", "my wife Elspeth"),
        row("own", "cousin", "Tiago", "my cousin Tiago"),
        row("relationships", "aunt", "Elspeth", "my aunt Elspeth"),
    ]
    told = str(extract(reel, "\n".join(lines), "2026-02-12-1")["problems"])
    assert facts(reel) == {"own/wife": "Elspeth"}
    assert "2026-02-10-1#2" in (kit / "facts.yaml").read_text()
    assert "own, cousin: not kept: Ada did not say “my cousin Tiago” in this chat" in told
    assert "relationships, aunt: not kept: Bo did not say “my aunt Elspeth” in this chat" in told


def test_what_the_user_tells_of_the_personas_world_is_not_the_personas_word(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "Then Tiago is the boatman. I love oil."), ("assistant", "He brings it.")])
    reply = row("own", "Tiago", "the boatman", "Then Tiago is the boatman.")
    reply += row("own", "oil", "love oil", "I love oil")
    told = reel("fact", "extract", "--reply", "-", "--yes", stdin=reply).err
    assert "own, Tiago: not kept: Bo said it about themselves, so it is another kind" in told
    assert facts(reel) == {}


def test_what_the_persona_tells_never_displaces_a_persons_words(reel: Reel, kit: Path) -> None:
    reel("fact", "add", "own", "son", "Ada has no son").ok()
    say(reel, kit, LIFE)
    extract(
        reel, row("own", "son", "my son had an accident last Tuesday", "My son had an accident last Tuesday")
    )
    assert facts(reel)["own/son"] == "Ada has no son"
    waiting = reel("review").ok().out
    assert "was: the persona's own, son: Ada has no son" in waiting
    assert "now: the persona's own, son: my son had an accident last Tuesday" in waiting
    assert "Ada has no son" in known(reel)


def test_a_page_asks_whose_it_is_and_since_when(reel: Reel, kit: Path) -> None:
    say(reel, kit, LIFE)
    prompt = reel("checkpoint", "--prompt").ok().out
    assert "as a sentence: whose, what, since when" in prompt
    assert "what you told of your own life or promised (kind: own)" in prompt
    mine = {
        "Lines to find it by": '"My son had an accident"',
        "What I know for sure": TOLD.partition("\n")[2].partition("\n\n")[0],
    }
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(mine)).ok()
    assert "Bo's sister Ines moved to Lyon in January 2026" in known(reel)


def test_a_file_of_before_opens_as_it_was(reel: Reel, kit: Path) -> None:
    old = "- category: identity\n  key: name\n  value: Marta\n  confidence: 0.95\n  origin: extraction\n"
    (kit / "facts.yaml").write_text(old)
    assert "- name: Marta\n" in reel("pack").ok().out
    (one,) = json.loads(reel("fact", "list", "--json").ok().out)
    assert (one["statement"], one["evidence"], one["said_by"]) == ("", "", "")
    assert (kit / "facts.yaml").read_text() == old


def test_a_sentence_with_a_day_in_it_is_a_statement_and_no_day(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "I passed the exam on 3 February!"), ("assistant", "Hurray.")])
    told = (
        'history | exam | passed the exam | Bo passed the exam on 3 February 2026 | "I passed the exam" | 1'
    )
    extract(reel, f"## What I know for sure\n{told}\n\nAda\n")
    assert "- Bo passed the exam on 3 February 2026\n" in known(reel)


def test_what_the_persona_says_before_a_question_is_not_the_persons(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("assistant", "My son had an accident. How are you?"), ("user", "Fine.")])
    extract(reel, row("history", "son", "my son had an accident", "My son had an accident"))
    assert "### Your own life\n\n- son: your son had an accident" in known(reel)


@pytest.mark.parametrize(
    ("said", "row"),
    [
        ("My sister is vegetarian.", "preferences | diet | vegetarian | Bo is vegetarian"),
        ("I used to smoke a pack a day.", "history | smoking | smoke a pack a day | Bo smokes a pack a day"),
        ("I almost married Anna in Lisbon.", "history | wedding | married Anna | Bo married Anna in Lisbon"),
        ("My brother Tom lives in Oslo.", "context | home | Oslo | Bo lives in Oslo"),
        ("I was fired by Tom.", "history | job | fired by Tom | Bo fired Tom"),
    ],
)
def test_a_sentence_that_says_something_else_than_was_said_is_not_told(
    reel: Reel, kit: Path, said: str, row: str
) -> None:
    say(reel, kit, [("user", said), ("assistant", "I see.")])
    reply = f'## What I know for sure\n{row} | "{said}" | 1\n\nAda\n'
    reel("fact", "extract", "--reply", "-", "--yes", stdin=reply)
    assert row.rpartition(" | ")[2] not in known(reel)


def test_what_was_asked_about_oneself_was_not_said(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "Am I allergic to peanuts? My knee hurts."), ("assistant", "I do not know.")])
    asked = 'constraints | allergy | allergic to peanuts | Bo is allergic to it | "allergic to peanuts" | 1'
    borne = 'context | knee | my knee hurts | | "My knee hurts" | 1'
    extract(reel, f"## What I know for sure\n{asked}\n{borne}\n\nAda\n")
    assert "peanuts" not in known(reel)
    assert "knee" in known(reel)
