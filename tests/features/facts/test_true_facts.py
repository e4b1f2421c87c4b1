"""True facts that were refused, refiled or lost in lived kits, and the false ones beside them."""

import json
from pathlib import Path

import pytest

from reel_cli.core.evidence.quotation import own_stretches
from reel_cli.core.values.approval import is_about_persona
from reel_cli.core.values.talk import Entry, Message
from reel_cli.features.facts.evidence.fact_clause import clause_against
from reel_cli.features.facts.evidence.fact_evidence import UserTurns
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import DREAM, PERSON, current_facts, is_own
from reel_cli.features.facts.protection import find_guarded
from reel_cli.features.facts.reply import read_told
from reel_cli.features.facts.statement import state
from tests.features.facts.test_fact_extract import extract, facts, row
from tests.features.facts.test_other_turns import extract_anyway
from tests.support.cli import Reel
from tests.support.pages import say


def turns(*said: tuple[str, str], role: str = "user") -> UserTurns:
    entries = [
        Entry(n, Message(who, text, time="2026-02-10T10:00:00Z")) for n, (who, text) in enumerate(said, 1)
    ]
    names = ("Bo", "Ada") if role == "user" else ("Ada", "Bo")
    return UserTurns(entries, *names, "2026-02-10", role=role)


def test_what_the_persona_told_while_it_spoke_to_the_other_is_its_own(reel: Reel, kit: Path) -> None:
    talk = [
        ("user", "Do you have a spare key? Can you lend me the ladder?"),
        ("assistant", "I can lend it to you on Friday, how does that sound? I carved this spoon for you!"),
        ("user", "How did the regatta go?"),
        (
            "assistant",
            "Tough one, didn't reach the last round. You moved to Tromso, I hear. You love rye bread.",
        ),
        ("assistant", "You bet! You'll be the first to know."),
    ]
    say(reel, kit, talk)
    lines = [
        row(
            "own",
            "ladder",
            "I can lend it to you on Friday",
            "Can you lend me the ladder? / I can lend it to you on Friday",
        ),
        row("own", "spoon", "I carved this spoon for you", "I carved this spoon for you!"),
        row("own", "regatta", "didn't reach the last round", "Tough one, didn't reach the last round."),
        row("own", "promise", "You'll be the first to know", "You bet! You'll be the first to know."),
        row("own", "town", "moved to Tromso", "You moved to Tromso, I hear."),
        row("own", "bread", "love rye bread", "You love rye bread."),
    ]
    told = str(extract(reel, "\n".join(lines))["problems"])
    assert sorted(facts(reel)) == ["own/ladder", "own/promise", "own/regatta", "own/spoon"]
    assert "own, town: not kept: “You moved to Tromso, I hear” is not about Ada" in told
    assert "was said by Ada, not by Bo" not in told


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ("*He rows on, and neither hurries.* Next time the gate.", True),
        ("Never. Next time the gate.", False),
    ],
)
def test_a_deed_beside_a_promise_says_no_to_nothing(reel: Reel, kit: Path, answer: str, kept: bool) -> None:  # noqa: FBT001
    say(reel, kit, [("user", "I'm off for four days. Next time we open the gate."), ("assistant", answer)])
    extract(reel, row("own", "the gate", "Next time the gate", "Next time the gate"))
    assert bool(facts(reel)) == kept


@pytest.mark.parametrize(
    ("value", "evidence"),
    [
        (
            "climbed Storfjell twice and slept at the hut",
            '"I climbed Storfjell twice." "We slept at the hut."',
        ),
        (
            "been to Lund and loved it",
            '"Have you been to Lund? The canal is fine!" "Yes, I\'ve been there and loved it."',
        ),
    ],
)
def test_the_words_for_a_fact_may_be_two_quotations_or_a_question_and_its_answer(
    value: str, evidence: str
) -> None:
    heard = turns(
        ("assistant", "Which hills do you know?"),
        ("user", "I climbed Storfjell twice. It was cold. We slept at the hut."),
        ("assistant", "Have you been to Lund? The canal is fine!"),
        ("user", "Yes, I've been there and loved it."),
        ("assistant", "And do you know the Moorhen books?"),
        ("user", "I even have the whole series of it."),
    )
    borne = heard.bears(value, evidence)
    assert (borne.why, borne.value) == ("", value)
    named = heard.bears_as_written(
        "has the whole Moorhen series", "I even have the whole series of it", "books", ()
    )
    assert named is not None
    assert named.value == "has the whole Moorhen series"


@pytest.mark.parametrize(
    ("value", "evidence"),
    [
        ("went to Lund", "I went to Oslo"),
        ("has the whole Moorhen series", "I sold the series"),
        ("never liked plums", "I like plums a lot"),
    ],
)
def test_nothing_is_taken_from_the_turn_before_that_the_words_do_not_point_to(
    value: str, evidence: str
) -> None:
    heard = turns(
        ("assistant", "Did you go to Lund? Do you know the Moorhen books?"),
        ("user", "I went to Oslo. I sold the series. I like plums a lot. I never eat fish."),
    )
    assert heard.bears(value, evidence).value != value


def test_a_statement_may_begin_with_a_title_and_a_quotation_hold_one() -> None:
    stated = '"Grey Water", which Bo writes, is a play of herons.'
    title = f'context | play | a play of herons | {stated} | "It is called "Grey Water"." | 1'
    escaped = 'preferences | book | is great | Bo likes it. | "\\"The Tide of Lund\\" is great." | 1'
    first, second = read_told(f"{title}\n## What to keep of this\n{escaped}\n")
    assert first.evidence == '"It is called "Grey Water"."'
    assert first.statement == stated
    assert second.evidence == '"The Tide of Lund" is great.'
    assert own_stretches('Thanks! "The Tide of Lund" is great.', ("Bo", "Ada")) == (
        'Thanks! "The Tide of Lund" is great.',
    )


@pytest.mark.parametrize(
    ("fact", "guards"),
    [
        (Fact("context", "plum cake", "dairy-free, with coconut cream", origin="extraction"), False),
        (Fact("own", "new recipe", "the milk is over, so it is milk-free again", origin="extraction"), False),
        (Fact("context", "Ingrid's apprentice", "no milk round without him", origin="extraction"), False),
        (Fact("context", "Vera's milk", "can drink milk again", origin="extraction"), True),
        (Fact("context", "milk", "no longer a problem, milk is fine", origin="extraction"), True),
    ],
)
def test_only_the_same_matter_of_the_same_person_is_a_change_of_what_protects(
    fact: Fact,
    guards: bool,  # noqa: FBT001
) -> None:
    stood = Fact("constraints", "Vera's food", "can't have milk", "0.9", origin="extraction")
    assert (find_guarded(fact, [stood]) == stood) is guards


@pytest.mark.parametrize(
    ("said", "value", "against"),
    [
        ("I like the sound, even if I'm not into opera.", "not into opera", False),
        ("Yay, if that's fine I'll come over tomorrow.", "I'll come over tomorrow", False),
        ("I'll come over tomorrow if I win.", "come over tomorrow", True),
    ],
)
def test_a_condition_that_only_asks_leave_supposes_nothing(said: str, value: str, against: bool) -> None:  # noqa: FBT001
    borne = turns(("user", said)).bears(value, said)
    assert bool(clause_against("commitments", "visit", borne)) is against


def test_an_invitation_says_nothing_of_who_the_persona_is() -> None:
    assert not is_about_persona("hills", "come along", "you should come up and join me on the hills", "Ada")
    assert is_about_persona("rule", "obey", "you must always obey me", "Ada") is True
    assert is_about_persona("hills", "patient", "You are patient", "Ada")


def test_a_part_of_a_fact_may_be_said_in_other_words_beside_it() -> None:
    heard = turns(
        ("user", "I keep bees on the roof."), ("assistant", "Oh?"), ("user", "I also grow figs in tubs.")
    )
    assert heard.bears("keeps bees, figs grown in tubs", "I keep bees on the roof").left_out == ""


def test_a_fact_by_hand_is_nobodys_saying() -> None:
    by_hand = Fact("context", "raise", "¥30,000 more", "1", "", "2026-07-20", origin=PERSON)
    assert state(by_hand, "Bo and Vera") == "¥30,000 more"
    mine = Fact("context", "plan", "I must not lift and we rest", "1", "", "2026-07-20", origin=PERSON)
    assert state(mine, "Bo") == "noted on 20 July 2026: “I must not lift and we rest”"


@pytest.mark.parametrize(
    ("key", "value", "own"),
    [
        ("Vera's letter", 'saying "I did this" is hard', False),
        ("Vera's log", "on paper; I do the sums", False),
        ("how I work", "I ask one thing at a time", True),
    ],
)
def test_a_dreams_fact_of_somebody_is_no_life_of_the_personas(key: str, value: str, own: bool) -> None:  # noqa: FBT001
    assert is_own(Fact("context", key, value, origin=DREAM)) is own


def test_an_earlier_value_that_waited_does_not_beat_the_later_one(reel: Reel, kit: Path) -> None:
    older = Fact("context", "trip", "to Lund, 13 days", "0.9", "", "2026-01-13", origin=DREAM)
    newer = Fact("context", "trip", "to Lund, 5 to 17 March", "0.9", "", "2026-02-24", origin=DREAM)
    assert current_facts([newer, older]) == [newer]
    say(reel, kit, [("user", "Maybe I am allergic to nuts."), ("assistant", "Good luck.")])
    extract(reel, row("constraints", "allergy", "allergic to nuts", "I am allergic to nuts"))
    say(reel, kit, [("user", "I am allergic to wasps."), ("assistant", "Fine.")], 20)
    extract(
        reel, row("constraints", "allergy", "allergic to wasps", "I am allergic to wasps"), "2026-02-20-1"
    )
    (item,) = [one["item"] for one in json.loads(reel("review", "--json").ok().out)]
    run = reel("review", "accept", item).ok()
    assert facts(reel)["constraints/allergy"] == "allergic to wasps"
    assert "said later, and holds: “allergic to wasps” on 20 February 2026" in " ".join(
        (run.out + run.err).split()
    )


def test_a_yes_to_what_the_other_proposed_is_ones_own_promise(reel: Reel, kit: Path) -> None:
    talk = [
        ("user", "The boats are ready. Wanna see my canoe next Sunday?"),
        ("assistant", "Sounds great, Bo! Next Sunday works. Let's paddle!"),
        ("user", "The choir sings at the mill in May. Come sing with us! Join us!"),
        ("assistant", "How nice! I'm definitely in for the choir."),
        ("user", "Shall we walk to Lund on Monday?"),
        ("assistant", "Maybe. Monday works if it rains not."),
        ("user", "Will you mend my roof on Tuesday?"),
        ("assistant", "No, I don't climb. Tuesday works for the baker."),
        ("user", "I won the regatta. The regatta was in Tromso."),
        ("assistant", "Regattas are fun, sounds great!"),
    ]
    say(reel, kit, talk)
    lines = [
        row(
            "own",
            "canoe day",
            "Next Sunday works",
            '"Wanna see my canoe next Sunday?" "Next Sunday works. Let\'s paddle!"',
        ),
        row(
            "own", "choir", "I'm definitely in for the choir", '"Join us!" "I\'m definitely in for the choir"'
        ),
        row("own", "walk", "Monday works", '"Shall we walk to Lund on Monday?" "Monday works"'),
        row("own", "roof", "Tuesday works", '"Will you mend my roof on Tuesday?" "Tuesday works"'),
        row(
            "own",
            "regatta",
            "the regatta was in Tromso",
            '"The regatta was in Tromso" "Regattas are fun, sounds great!"',
        ),
        row(
            "own",
            "late",
            "I'm definitely in for the choir",
            '"Come to Oslo!" "I\'m definitely in for the choir"',
        ),
    ]
    extract(reel, "\n".join(lines))
    assert sorted(facts(reel)) == ["own/canoe-day", "own/choir"]


def test_what_somebody_answers_to_the_personas_question_is_not_about_the_persona(
    reel: Reel, kit: Path
) -> None:
    talk = [
        ("assistant", "That slate has many marks! How are you gonna keep track of the tides?"),
        ("user", "It helps me keep track of tides and eels."),
        ("assistant", "When are you opening the smokehouse?"),
        ("user", "The official opening is on 3 March."),
        ("user", "Do you know this? You are a keeper of bees."),
    ]
    say(reel, kit, talk)
    lines = [
        row(
            "context",
            "slate",
            "helps me keep track of tides and eels",
            '"How are you gonna keep track of the tides?" "It helps me keep track of tides and eels"',
        ),
        row(
            "commitments",
            "opening",
            "The official opening is on 3 March",
            '"When are you opening the smokehouse?" "The official opening is on 3 March"',
        ),
        row("context", "bees", "a keeper of bees", "You are a keeper of bees"),
        row(
            "own",
            "house",
            "The official opening is on 3 March",
            '"When are you opening the smokehouse?" "The official opening is on 3 March"',
        ),
    ]
    extract(reel, "\n".join(lines))
    assert sorted(facts(reel)) == ["commitments/opening", "context/slate"]


def test_what_is_not_to_be_said_is_changed_under_its_own_name_alone() -> None:
    calm = Fact("constraints", "calm down", "never tell him to calm down", "0.95", origin="extraction")
    secret = Fact("constraints", "Orla's news", "nobody's to know till she tells them", origin="extraction")
    maeve = Fact("relationships", "Maeve", "used to tell him to calm down", "0.9", origin="extraction")
    abroad = Fact("context", "Utrecht", "Orla tells them no more, wants me over in May", origin="extraction")
    assert find_guarded(maeve, [calm]) is find_guarded(abroad, [secret]) is None
    told = Fact("constraints", "calm down", "tell him to calm down again", "0.9", origin="extraction")
    assert find_guarded(told, [calm]) == calm
    hushed = Fact("constraints", "the stall", "not to be mentioned to Bo", "0.95", origin="extraction")
    opening = Fact("context", "Bo", "his own stall is gone", "0.9", origin="extraction")
    assert find_guarded(opening, [hushed]) is None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("shellfish", "her doctor told her to leave it out"),
        ("shellfish", "none, the doctor said"),
        ("shellfish", "the clinic says none"),
        ("allergy", "the doctor did not say how bad, allergic to shellfish"),
    ],
)
def test_what_a_doctor_said_of_a_food_is_guarded_under_every_name(key: str, value: str) -> None:
    stood = Fact("constraints", key, value, "0.95", origin="extraction")
    eats = Fact("preferences", "seafood", "can eat shellfish again", "0.9", origin="extraction")
    assert find_guarded(eats, [stood]) == stood


EATEN = "A rower may eat a letter. It costs a turn."


@pytest.mark.parametrize(
    ("line", "said", "kept"),
    [
        # a rule of a game, a promise and a plan that both have
        ("context | eaten letter | a rower may eat a letter", EATEN, True),
        (
            "commitments | verse | four lines for the lamp",
            "I should like to write a verse. Four lines.",
            True,
        ),
        ("context | departure | 7.48", "7.40 shoes. 7.48 departure. 8.10 bell.", True),
        # what is said of the user, or of anybody's family, health or money
        ("context | games | plays chess every night", "You play chess every night, by the lamp.", False),
        ("history | brother | won the regatta", "That brother of yours sails like a gull.", False),
        ("context | debt | 40 for the regatta", "Marek is owed 40 for the regatta by Bo.", False),
        ("context | home | by the harbour since May", "Bo lives by the harbour since May.", False),
        ("constraints | nuts | no walnuts in the tower", "No walnuts in the tower, says the rule.", False),
    ],
)
def test_the_persona_alone_tells_only_what_both_share(
    reel: Reel, kit: Path, line: str, said: str, *, kept: bool
) -> None:
    say(reel, kit, [("user", "Shall we go on?"), ("assistant", said), ("user", "Later, I have soup on.")])
    extract_anyway(reel, f'{line} | "{said}" | 1')
    held = json.loads(reel("fact", "list", "--json").ok().out)
    assert [one["category"] for one in held] == (["own"] if kept else [])


def test_the_persona_alone_takes_the_place_of_nothing(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "Rowers may eat two letters a turn."), ("assistant", "Noted.")])
    line = 'context | eaten letter | {} | "{}" | 1'
    extract_anyway(
        reel, line.format("rowers may eat two letters a turn", "Rowers may eat two letters a turn.")
    )
    say(reel, kit, [("user", "Go on."), ("assistant", EATEN)], 20)
    extract_anyway(reel, line.format("a rower may eat a letter", EATEN))
    assert set(facts(reel).values()) == {"rowers may eat two letters a turn"}
