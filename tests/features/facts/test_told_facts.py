"""Facts whose words stand in the chat: told in a role-play, of others, or answered; and false ones."""

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from reel_cli.core.values.approval import is_about_persona
from reel_cli.features.facts.choice import is_past
from reel_cli.features.facts.evidence.key_meaning import lacks_meaning
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import EXTRACTION, PERSON
from reel_cli.features.facts.protection import find_guarded
from reel_cli.features.facts.relation import name_generic
from reel_cli.features.facts.reply import ToldFact
from tests.features.facts.test_fact_extract import extract, facts, row
from tests.features.facts.test_own_words import known
from tests.features.facts.test_true_facts import turns
from tests.support.cli import Reel
from tests.support.pages import page, say

TALE = [
    ("user", "*sits down on the jetty* who built this?"),
    ("assistant", "*He ties the punt up.* My aunt used to say you should never buy a pond from a heron."),
    ("user", "Could we go to the mill after the harvest? I have no time now."),
    ("assistant", "*He nods.* After the harvest, then. The mill has stood for longer."),
    ("user", "and then?"),
    (
        "assistant",
        "The miller said: tell her the wheel was mine, I let it rot. *He is still, so he mends two buckets.*",
    ),
    ("user", "what does it say?"),
    ("assistant", '*He reads aloud.* "The wheel turned on 3 May. Nobody came."'),
    ("user", "what is it like up there?"),
    (
        "assistant",
        "*She yawns beside him.* Gudrun was left with one oar. She rowed in circles. Four doors, the house.",
    ),
    ("user", "Who is Orla? Does she know the note?"),
    (
        "assistant",
        'You showed me a note, and it says "Ada shall serve the heron". Had a cold, did she? You like plums.',
    ),
    ("user", 'I found a card: "The well is haunted". Read it.'),
    ("assistant", 'Your card: "The well is haunted".'),
]


def test_what_a_persona_tells_in_a_role_play_is_kept(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALE)
    lines = [
        row(
            "own",
            "saying",
            "you should never buy a pond from a heron",
            "My aunt used to say you should never",
        ),
        row(
            "own",
            "mill",
            "After the harvest, then",
            '"Could we go to the mill after the harvest?" "After the harvest, then."',
        ),
        row("own", "buckets", "mends two buckets", "so he mends two buckets"),
        row("own", "wheel", "The wheel turned on 3 May", "The wheel turned on 3 May. Nobody came."),
        row(
            "own",
            "Gudrun",
            "Gudrun was left with one oar",
            "Gudrun was left with one oar. She rowed in circles.",
        ),
        row("own", "oar", "She rowed in circles", "She rowed in circles."),
        row("own", "house", "Four doors, the house", "Four doors, the house."),
    ]
    told = str(extract(reel, "\n".join(lines))["problems"])
    assert "own, " not in told
    assert len(facts(reel)) == len(lines)


def test_in_a_role_play_too_a_question_and_what_is_of_the_other_are_no_facts(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALE)
    lines = [
        row("own", "cold", "Had a cold", "Had a cold, did she?"),
        row("own", "plums", "like plums", "You like plums."),
        row("own", "well", "The well is haunted", "The well is haunted"),
        row("preferences", "harvest", "After the harvest, then", "After the harvest, then."),
    ]
    lines.append(row("own", "house", "Four doors, the house", "Four doors, the house."))
    extract(reel, "\n".join(lines))
    assert [*facts(reel)] == ["own/house"]


def test_what_another_said_is_kept_with_the_one_who_said_it(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALE)
    extract(
        reel,
        row(
            "own",
            "miller",
            "the wheel was mine, I let it rot",
            "The miller said: tell her the wheel was mine, I let it rot.",
        ),
    )
    said = "The miller said: tell her the wheel was mine, I let it rot"
    assert facts(reel) == {"own/miller": said}
    # the miller's `I` is not turned into the persona
    assert f"“{said}”" in reel("pack").ok().out


OFFER = 'I met Pirjo in the corridor. And she said "I want a wound nurse from April", so I said I\'d think.'


@pytest.mark.parametrize(
    ("kind", "key", "sentence", "kept"),
    [
        ("context", "Pirjo's offer", "Pirjo wants a wound nurse from April.", True),
        # not said to be whose, said to be the user's or the persona's, or of what protects
        ("context", "offer", "There is an offer.", False),
        ("context", "offer", "Bo wants a wound nurse from April.", False),
        ("own", "Pirjo's offer", "Pirjo wants a wound nurse from April.", False),
        ("constraints", "Pirjo's consent", "Pirjo wants a wound nurse from April.", False),
        # another person is named
        ("context", "Sanna's offer", "Sanna wants a wound nurse from April.", False),
    ],
)
def test_words_of_somebody_else_are_kept_under_their_name(
    reel: Reel, kit: Path, kind: str, key: str, sentence: str, *, kept: bool
) -> None:
    say(reel, kit, [("user", OFFER), ("assistant", "And Sanna? Has she an offer?")])
    quoted = '"I want a wound nurse from April"'
    line = f"{kind} | {key} | a wound nurse from April | {sentence} | {quoted} | 0.9"
    reel("fact", "extract", "--reply", "-", "--yes", stdin=f"## What I know for sure\n{line}\n\nAda\n")
    assert facts(reel) == ({"context/pirjo's-offer": "a wound nurse from April"} if kept else {})
    assert ("Pirjo" in reel("pack").ok().out.partition("by heart")[2].partition("\n## ")[0]) is kept


def test_a_duty_whose_day_has_passed_rests_and_takes_no_place(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "I work on Tuesday and I am off on Saturday. I moved on 3 January.")])
    shifts = row("constraints", "shifts", "on Tuesday, off on Saturday", "I work on Tuesday")
    extract(reel, shifts.replace('"I work on Tuesday"', '"I work on Tuesday and I am off on Saturday"'))
    extract(reel, row("history", "move", "moved on 3 January", "I moved on 3 January"), "2026-02-10-1")
    assert "off on Saturday" in known(reel)
    say(reel, kit, [("user", "Tomorrow I work again, and eight times more."), ("assistant", "Good.")], 20)
    assert "off on Saturday" not in known(reel)
    assert "on Tuesday, off on Saturday — its day has passed" in reel("fact", "list").ok().out
    assert "3 January" in known(reel)
    extract(reel, row("constraints", "shifts", "tomorrow, eight more", "Tomorrow I work again, and eight"))
    assert facts(reel)["constraints/shifts"] == "tomorrow, eight more"


@pytest.mark.parametrize(
    ("value", "evidence", "kept"),
    [
        ("never lend a ladder", 'He says "never lend a ladder"', 'He says "never lend a ladder"'),
        (
            "Lund. No hotels. Just tents",
            'I said "Lund. No hotels. Just tents."',
            "Lund. No hotels. Just tents",
        ),
        ("I'M OUT", '"I\'M OUT" "You\'re out! Sunday, then."', "I'M OUT"),
        ("a plan, not more words", "I need a plan, something to hold", "a plan, not more words"),
        ("I can't. It is full", "I can't. It is full of hay.", "I can't. It is full"),
    ],
)
def test_words_that_stand_in_the_chat_bear_a_fact(value: str, evidence: str, kept: str) -> None:
    heard = turns(
        ("user", 'My uncle is a roofer. He says "never lend a ladder" to all of us.'),
        ("assistant", "Wise."),
        ("user", 'I said "Lund. No hotels. Just tents." Stick to that.'),
        ("assistant", "Noted."),
        ("user", "one bag, one hat. I'M OUT"),
        ("assistant", "You're out! Sunday, then."),
        ("user", "I need a plan, something to hold on to. Give me one, please, not more words about it."),
        ("assistant", "And the barn?"),
        ("user", "I can't. It is full of hay."),
    )
    borne = heard.bears(value, evidence)
    assert (borne.why, borne.value) == ("", kept)


@pytest.mark.parametrize(
    ("value", "evidence"),
    [
        # pasted, without the one who said it
        ("Ada shall serve", "Ada shall serve"),
        # the answer is the other's
        ("Sunday, then", '"I\'M OUT" "Sunday, then."'),
        # another answer than was given
        ("I'M OUT", '"I\'M OUT" "You\'re out! Friday, then."'),
        # more is denied than was
        ("never not had the heart", "I have not had the heart for it"),
    ],
)
def test_words_that_do_not_stand_there_bear_none(value: str, evidence: str) -> None:
    heard = turns(
        ("user", 'She wrote: "Ada shall serve the heron for ever and a day"'),
        ("assistant", "Oh."),
        ("user", "I'M OUT"),
        ("assistant", "You're out! Sunday, then."),
        ("user", "I have not had the heart for it."),
    )
    assert heard.bears(value, evidence).why


def test_what_another_said_never_protects_by_itself(reel: Reel, kit: Path) -> None:
    say(
        reel,
        kit,
        [("user", 'My sister said "I am allergic to plums" again. Fog all day.'), ("assistant", "Oh.")],
    )
    lines = [
        row("constraints", "allergy", "I am allergic to plums", 'My sister said "I am allergic to plums"'),
        row("context", "sister's word", "I am allergic to plums", 'My sister said "I am allergic to plums"'),
        row("context", "weather", "Fog all day", "Fog all day"),
    ]
    assert "is what somebody else said" in str(extract(reel, "\n".join(lines))["problems"])
    assert facts(reel) == {"context/weather": "Fog all day"}


@pytest.mark.parametrize(
    ("said", "lacks"),
    [
        ("and it was mum's 60th, with cake", False),
        ("It was my fortieth yesterday", False),
        ("we sat on the house's 4th floor", True),
        ("my 3rd cup of tea", True),
    ],
)
def test_an_ordinal_of_somebody_is_a_birthday(said: str, lacks: bool) -> None:  # noqa: FBT001
    assert lacks_meaning("mum's birthday", said, [said], protects=False) is lacks


def test_a_set_phrase_is_addressed_to_nobody() -> None:
    assert not is_about_persona("surgery", "no", "he said no, thank you", "Ada")
    assert is_about_persona("surgery", "no", "you said no, thank you", "Ada")


@pytest.mark.parametrize(
    ("value", "said", "about"),
    [
        (
            "Harriet must not know of the plan; only Ada and Parfrey know",
            "You and Parfrey are the only persons who know, and Harriet must not",
            False,
        ),
        ("nobody but Parfrey; Ada knows of it", "Only you and Parfrey know.", False),
        ("Ada knows Latin", "Ada knows Latin", True),
        ("Ada is the one who knows the sea", "You are the one who knows the sea.", True),
        ("must not tell", "You must not tell, only you know.", True),
    ],
)
def test_who_only_knows_of_a_thing_is_not_what_it_is_about(value: str, said: str, *, about: bool) -> None:
    assert is_about_persona("the plan", value, said, "Ada") is about


def test_a_fact_is_no_change_of_one_that_has_only_a_common_word() -> None:
    stood = Fact("constraints", "meetings", "finding time for one is always hard", "0.9", origin="extraction")
    fact = Fact("constraints", "overtime", "strict hours, and no unpaid overtime", "0.9", origin="extraction")
    assert find_guarded(fact, [stood]) is None
    nuts = Fact("constraints", "peanuts", "cannot have peanuts", "0.9", origin="extraction")
    eased = Fact("context", "nut test", "nuts again, all over", "0.9", origin="extraction")
    assert find_guarded(eased, [nuts]) == nuts
    aspirin = Fact("constraints", "aspirin", "Tim may have no aspirin", "0.9", origin="extraction")
    test = Fact("context", "blood test", "Tim's blood is tested again in May", "0.9", origin="extraction")
    assert find_guarded(test, [aspirin]) is None


@pytest.mark.parametrize("marks", ["「」", "『』", "»«", "‹›", "“”"])
def test_two_quotations_in_any_marks_are_two_passages(reel: Reel, kit: Path, marks: str) -> None:
    say(reel, kit, [("user", "保険に電話する。"), ("assistant", "いつ？"), ("user", "報告書が届いたら。")])
    asked, answered = (f"{marks[0]}{words}{marks[1]}" for words in ("いつ？", "報告書が届いたら"))
    extract(
        reel,
        f"## What I know for sure\ncommitments | 保険 | 報告書が届いたら | {asked}{answered} | 0.9\n\nAda\n",
    )
    assert facts(reel) == {"commitments/保険": "報告書が届いたら"}


def test_two_quotations_beside_each_other_are_a_question_and_its_answer(reel: Reel, kit: Path) -> None:
    said = [
        ("user", "I never rang them."),
        ("assistant", "Insurer: new day?"),
        ("user", "when the reports in. no point before"),
        ("assistant", "Noted."),
    ]
    say(reel, kit, said)
    for quoted in (
        '"Insurer: new day?" "when the reports in. no point before"',
        "“Insurer: new day?” “when the reports in. no point before”",
        '"when the reports in. no point before" "Insurer: new day?"',
    ):
        line = f"commitments | insurer | when the reports in | Bo rings the insurer. | {quoted} | 0.9"
        extract(reel, f"## What I know for sure\n{line}\n\nAda\n")
        assert facts(reel) == {"commitments/insurer": "when the reports in"}
        reel("undo").ok()


@pytest.mark.parametrize("between", [" ", " | ", " / "])
@pytest.mark.parametrize("question", ['"What did Ada promise about the drawing?"', "“What did Ada promise?”"])
def test_a_question_that_a_page_puts_beside_a_quotation_need_not_be_in_the_chat(
    reel: Reel, kit: Path, between: str, question: str
) -> None:
    say(
        reel,
        kit,
        [
            ("user", "He found a drawing of a ship behind the wardrobe."),
            ("assistant", '*She holds out her hand.* "Keep it dry. I\'ll look at it in January."'),
            ("user", "You said to ask in January about room 9 too."),
            ("assistant", "I was a radio operator on the Halvorsen for eleven years."),
        ],
    )
    lines = [
        (
            f'own | Halvorsen | eleven years radio operator | I was on the Halvorsen. | "I was a'
            f' radio operator on the Halvorsen for eleven years"{between}{question} | 1'
        ),
        (
            f"own | drawing | look at it in January | I promised to look at the drawing in January. |"
            f' "I\'ll look at it in January"{between}{question} | 1'
        ),
        (
            f"relationships | ship | drawing behind the wardrobe | Somebody found a drawing of a ship. |"
            f' "He found a drawing of a ship behind the wardrobe"{between}{question} | 0.9'
        ),
    ]
    heading = "## What I know for sure"
    extract(reel, "\n".join([heading, *lines, "", "Ada", ""]))
    with_question = facts(reel)
    stored = (kit / "facts.yaml").read_text()
    assert set(with_question) == {"own/halvorsen", "own/drawing", "relationships/ship"}
    assert "promise about" not in stored
    assert "What did" not in stored
    reel("undo").ok()
    extract(
        reel, "\n".join([heading, *(one.replace(between + question, "") for one in lines), "", "Ada", ""])
    )
    assert facts(reel) == with_question


END = "history | lease | over | {} | 0.9"
ENDED = END.format('"the lease has ended, at last"')
ONLY_YOU = "only you let go of it (reel fact drop KEY)"


def let_go(reel: Reel, line: str) -> str:
    """Give a page with a line about what is over, and return the screen with every word of it."""
    told = page({"What I know for sure": line, "Lines to find it by": '"the lease has ended"'})
    ways = (["--dry-run"], ["--yes"])
    runs = [reel("checkpoint", "--reply", "-", *way, stdin=told).ok() for way in ways]
    return "".join(f"{run.out}{run.err}" for run in runs)


@pytest.mark.parametrize(
    ("line", "stays"),
    [
        (ENDED, ""),
        (END.format('"the lease was given up"'), "the chat has no words that end it"),
        (END.format("nothing"), "the chat has no words that end it"),
        (END.replace("lease", "harp").format('"the lease has ended, at last"'), "no fact has that name"),
    ],
)
def test_a_page_lets_go_of_a_fact_that_it_says_is_over(reel: Reel, kit: Path, line: str, stays: str) -> None:
    say(reel, kit, [("user", "My lease of the mill runs to Easter."), ("assistant", "Noted.")])
    extract(reel, row("history", "lease", "lease of the mill runs to Easter", "My lease of the mill"))
    say(reel, kit, [("user", "By the way, the lease has ended, at last."), ("assistant", "Oh.")], 20)
    prompt = reel("checkpoint", "--prompt").ok().out
    assert (
        "(if over or done: kind | name | over | the words):\n- history | lease | lease of the mill" in prompt
    )
    shown = let_go(reel, line)
    assert facts(reel) == ({"history/lease": "lease of the mill runs to Easter"} if stays else {})
    assert (stays or "No longer a fact") in shown


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (END.format('"the lease was given up"'), "the chat has no words that end it"),
        (END.replace("lease", "harp").format('"the lease has ended, at last"'), "no fact has that name"),
    ],
)
def test_a_fact_that_stays_though_a_page_ends_it_is_told_on_every_screen(
    reel: Reel, kit: Path, line: str, told: str
) -> None:
    """Such a line vanished without a word, from a page in short and from an extraction."""
    say(reel, kit, [("user", "My lease of the mill runs to Easter."), ("assistant", "Noted.")])
    extract(reel, row("history", "lease", "lease of the mill runs to Easter", "My lease of the mill"))
    say(reel, kit, [("user", "By the way, the lease has ended, at last."), ("assistant", "Oh.")], 20)
    reel("checkpoint", "--prompt").ok()
    told_page = page({"What I know for sure": line, "Lines to find it by": '"the lease has ended"'})
    for way in (["--dry-run"], [], ["--yes"]):
        run = reel("checkpoint", "--reply", "-", *way, stdin=told_page)
        assert told in run.err
    bath = 'history | bath | the lease has ended | | "the lease has ended" | 1'
    made = f"## What I know for sure\n{bath}\n{line}\n\nAda\n"
    run = reel("fact", "extract", "2026-02-20-1", "--reply", "-", "--yes", stdin=made)
    assert "stays, since only a page ends it" in run.ok().err


def test_what_a_page_tells_anew_is_not_let_go_by_that_page(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "My lease of the mill runs to Easter."), ("assistant", "Noted.")])
    extract(reel, row("history", "lease", "lease of the mill runs to Easter", "My lease of the mill"))
    said = "By the way, the lease has ended, at last. My new lease runs to Michaelmas."
    say(reel, kit, [("user", said), ("assistant", "Oh.")], 20)
    anew = 'history | lease | new lease runs to Michaelmas | "My new lease runs to Michaelmas" | 0.9'
    let_go(reel, f"{ENDED}\n{anew}")
    assert facts(reel) == {"history/lease": "new lease runs to Michaelmas"}


def test_what_a_person_noted_is_not_let_go_by_a_page(reel: Reel, kit: Path) -> None:
    reel("fact", "add", "history", "lease", "of the mill").ok()
    say(reel, kit, [("user", "By the way, the lease has ended, at last."), ("assistant", "Oh.")], 20)
    reel("checkpoint", "--prompt").ok()
    assert "a fact: history, lease: over" in let_go(reel, ENDED)
    assert facts(reel) == {"history/lease": "of the mill"}
    accept_fact(reel)
    assert facts(reel) == {}


def accept_fact(reel: Reel) -> None:
    """Say yes to the one fact that waits."""
    [waits] = re.findall(r"fact-[0-9a-f]{8}", reel("review").ok().out)
    reel("review", "accept", waits, "--as", "Bo <bo@example.org>", "--yes").ok()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("the lease has ended, at last", "a fact: constraints, nuts: over"),
        ("the lease was given up", ONLY_YOU),
    ],
)
def test_what_protects_somebody_is_let_go_by_a_person(reel: Reel, kit: Path, words: str, told: str) -> None:
    say(reel, kit, [("user", "I am allergic to nuts."), ("assistant", "Noted.")])
    extract(reel, row("constraints", "nuts", "allergic to nuts", "I am allergic to nuts"))
    say(reel, kit, [("user", "By the way, the lease has ended, at last."), ("assistant", "Oh.")], 20)
    assert told in let_go(reel, f'constraints | nuts | over | "{words}" | 0.9')
    assert facts(reel) == {"constraints/nuts": "allergic to nuts"}


def test_a_secret_that_is_none_any_more_waits_with_the_promise_to_keep_it(reel: Reel, kit: Path) -> None:
    said = [("user", "Dan gave notice. Mum must not know."), ("assistant", "Then it stops at me, I promise.")]
    say(reel, kit, said)
    held = {"constraints/dan's-notice": "Mum must not know", "own/dan's-notice": "it stops at me, I promise"}
    told = (
        f'{name.split("/")[0]} | Dan\'s notice | {value} | "{value}" | 1\n' for name, value in held.items()
    )
    extract(reel, f"## What I know for sure\n{''.join(told)}\nAda\n")
    assert facts(reel) == held
    say(reel, kit, [("user", "He told her. So that's no secret now."), ("assistant", "I breathe.")], 20)
    let_go(reel, "constraints | Dan's notice | over | \"So that's no secret now\" | 0.9")
    assert facts(reel) == held
    accept_fact(reel)
    assert facts(reel) == {}


def test_a_change_that_waits_does_not_wait_twice_in_other_words(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "Dan is allergic to penicillin."), ("assistant", "Noted.")])
    extract(reel, row("constraints", "Dan's allergy", "allergic to penicillin", "allergic to penicillin"))
    words = "Dan is not allergic to penicillin, it was the sulfa."
    say(reel, kit, [("user", f"Remember this: {words}"), ("assistant", "I do.")], 20)
    assert "1. " in reel("checkpoint", "--prompt").ok().out
    told = page({
        "Lines to find it by": '"it was the sulfa"',
        "What I know for sure": f'constraints | Dan\'s allergy | the sulfa, not penicillin | "{words}" | 1',
        "What to keep of this": "1: fact — constraints / Dan's allergy / not allergic to penicillin — dear",
    })  # fmt: skip
    reel("checkpoint", "--reply", "-", "--yes", stdin=told).ok()
    accept_fact(reel)
    assert facts(reel) == {"constraints/dan's-allergy": "the sulfa, not penicillin"}


def test_a_memory_of_an_allergy_that_was_put_right_says_so(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "Dan is allergic to penicillin."), ("assistant", "Noted.")])
    reel("checkpoint", "--prompt").ok()
    line = 'constraints | Dan\'s allergy | allergic to penicillin | "Dan is allergic to penicillin" | 1'
    happened = "Bo told me that Dan is allergic to penicillin."
    told = page({
        "What happened": happened, "What I know for sure": line,
        "Lines to find it by": '"Dan is allergic to penicillin"',
    })  # fmt: skip
    reel("checkpoint", "--reply", "-", "--yes", stdin=told).ok()
    say(
        reel,
        kit,
        [("user", "Dan is not allergic to penicillin, it was the sulfa."), ("assistant", "Oh.")],
        20,
    )
    words = '"Dan is not allergic to penicillin, it was the sulfa."'
    line = f"constraints | Dan's allergy | sulfa, not penicillin | {words} | 1"
    extract(reel, f"## What I know for sure\n{line}\n\nAda\n")
    accept_fact(reel)
    [memory] = [one for one in sorted(kit.glob("ring3/M-*.md")) if happened in one.read_text()]
    assert 'no_longer: "Dan\'s allergy: sulfa, not penicillin"' in memory.read_text()
    # the next value takes that one's place, and has the day it was said on
    say(reel, kit, [("user", "Dan is no longer allergic to the sulfa either."), ("assistant", "Good.")], 25)
    line = "constraints | Dan's allergy | no longer allergic to the sulfa"
    line = f'{line} | "Dan is no longer allergic to the sulfa either." | 1'
    extract(reel, f"## What I know for sure\n{line}\n\nAda\n")
    accept_fact(reel)
    assert "sulfa, not penicillin" not in memory.read_text()
    assert "no_longer: \"Dan's allergy: no longer allergic to the sulfa" in memory.read_text()
    bundle = reel("pack").ok().out
    assert "Dan's allergy: no longer allergic to the sulfa (said by Bo, 25 February 2026)" in bundle
    # once it is let go, no memory tells its value as what holds
    reel("fact", "drop", "Dan's allergy", "--yes").ok()
    assert 'no_longer: "Dan\'s allergy: not known"' in memory.read_text()
    reel("undo", "--yes").ok()
    assert "no_longer: \"Dan's allergy: no longer allergic to the sulfa" in memory.read_text()


def test_words_told_of_the_one_who_said_them_are_the_tellers_own(reel: Reel, kit: Path) -> None:
    said = "Dan told me something not to be passed on: he'd given notice in May. Mum mustn't know."
    say(reel, kit, [("user", said), ("assistant", "It stops at me.")])
    told = row(
        "constraints", "Dan's notice", "Mum mustn't know", "he'd given notice in May. Mum mustn't know."
    )
    extract(reel, told)
    assert facts(reel) == {"constraints/dan's-notice": "Mum mustn't know"}


def test_a_fact_named_by_another_does_not_wait_as_one_about_the_persona(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "Saltmarch? You run a smuggling village on paper."), ("assistant", "Ha.")])
    line = 'context | {} | a smuggling village | "You run a smuggling village on paper." | 0.9\n'
    told = "".join(map(line.format, ("Saltmarch", "village")))
    extract(reel, f"## What I know for sure\n{told}\nAda\n")
    assert facts(reel) == {"context/saltmarch": "a smuggling village"}


def test_of_what_was_for_a_day_a_note_of_a_person_and_what_protects_somebody_stay() -> None:
    shift = Fact(
        "commitments", "shift", "on Tuesday, off on Saturday", "0.9", "", "2026-02-24", origin=EXTRACTION
    )
    after = date(2026, 3, 11)
    assert is_past(shift, after)
    assert not is_past(shift, date(2026, 2, 25))
    assert not is_past(replace(shift, origin=PERSON), after)
    assert not is_past(replace(shift, category="context"), after)
    assert not is_past(replace(shift, key="warfarin", value="on Tuesday and on Saturday"), after)
    assert not is_past(
        replace(shift, category="constraints", key="stairs", value="none till Saturday"), after
    )


CONFESSION = "Something else, I've never told anyone: my brother Jonah drowned when I was eleven."


def test_a_confession_is_the_speaker_s_own_word_and_what_is_not_kept_is_named(reel: Reel, kit: Path) -> None:
    said = f"{CONFESSION} My mum told me today: I bought a boat. I like tea."
    say(reel, kit, [("user", said), ("assistant", "I hear you.")])
    reel("checkpoint", "--prompt").ok()
    told = (
        "relationships | brother | Jonah drowned when I was eleven"
        ' | "my brother Jonah drowned when I was eleven" | 1\n'
        'history | boat | bought a boat | "I bought a boat" | 1\n'
        'preferences | drink | likes tea | "I like tea" | 0.2'
    )
    answers = {"What I know for sure": told, "Lines to find it by": '"I like tea."'}
    shown = reel("checkpoint", "--reply", "-", "--dry-run", stdin=page(answers)).ok().err
    assert "\n  new: brother: Jonah drowned when I was eleven\n" in shown
    kept = reel("checkpoint", "--reply", "-", "--yes", stdin=page(answers)).ok().err
    assert "new: brother" in kept
    assert "not known by heart" not in kept
    lost = [line for line in shown.splitlines() if "not known by heart" in line]
    assert lost[0].startswith("  not known by heart: boat (")
    assert lost[1].startswith("  not known by heart: drink (Bo quoted or pasted “I like tea”, and")


OWED = (
    'own | story | promised the whole lighthouse story | "I promise you the whole lighthouse story" | 1\n'
    'commitments | scarf | promised to bring the scarf back to Odile | "promise to bring the scarf back" | 1'
)
GOAT = 'context | goat | rang the bell every night | "a goat that rang the bell every night" | 1'
HAS_IT, STILL = "Odile has it back.", "{story}. still\n{scarf}. still"


@pytest.mark.parametrize(
    ("said", "notes", "told", "left"),
    [
        # the page closes the notes with words of the chat, in any wording
        (
            HAS_IT,
            '{story}. closed "Here it is. The keeper"\n{scarf}. closed "Odile has it back"',
            GOAT,
            [],
        ),
        (HAS_IT, STILL, GOAT, ["commitments/scarf", "own/story"]),
        # words that nobody said
        (HAS_IT, '{story}. closed "and so he drowned in it"', GOAT, ["commitments/scarf", "own/story"]),
        # a fact of the page, or the chat, tells it as done
        (HAS_IT, STILL, 'history | back | brought Odile the scarf | "Odile has it back" | 1', ["own/story"]),
        ("I brought the scarf back to Odile.", STILL, GOAT, ["own/story"]),
        ("Maybe I brought the scarf back to Odile.", STILL, GOAT, ["commitments/scarf", "own/story"]),
        # somebody else did it
        ("My brother brought the scarf back to Odile.", STILL, GOAT, ["commitments/scarf", "own/story"]),
        # a reminder of a promise keeps none
        ("I promised to bring the scarf back to Odile.", STILL, GOAT, ["commitments/scarf", "own/story"]),
        # the page says so
        (HAS_IT, STILL, 'commitments | scarf | done | "Odile has it back"', ["own/story"]),
    ],
)
def test_a_promise_that_is_kept_is_owed_no_more(
    reel: Reel, kit: Path, said: str, notes: str, told: str, left: list[str]
) -> None:
    promised = "And I promise you the whole lighthouse story."
    talk = [("user", "I promise to bring the scarf back to Odile."), ("assistant", promised)]
    say(reel, kit, [*talk, ("user", "Good."), ("assistant", "Sunday.")])
    reel("checkpoint", "--prompt").ok()
    lines = {"What has shifted": "steady", "What's unresolved": "nothing"}
    new = "1. still\nnew: I promised Bo the lighthouse story\nnew: Bo promised to bring the scarf to Odile"
    first = {**lines, "What I know for sure": OWED, "My notes": new, "Lines to find it by": '"scarf back"'}
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(first)).ok()
    assert sorted(facts(reel)) == ["commitments/scarf", "own/story"]
    tale = "Here it is. The keeper had a goat that rang the bell every night."
    talk = [("user", "I'm here."), ("assistant", tale), ("user", f"Worth it. {said}"), ("assistant", "Good.")]
    say(reel, kit, talk, 20)
    asked = reel("checkpoint", "--prompt").ok().out
    number = {
        name: next(line for line in asked.splitlines() if words in line).partition(".")[0]
        for name, words in (("story", ". I promised Bo"), ("scarf", ". Bo promised to"))
    }
    notes = notes.format(**number)
    last = {
        **lines,
        "What I know for sure": told,
        "My notes": notes,
        "Lines to find it by": '"rang the bell"',
    }
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(last)).ok()
    assert sorted({"commitments/scarf", "own/story"} & {*facts(reel)}) == left


def test_a_promise_does_not_replace_another_that_has_the_same_name(reel: Reel, kit: Path) -> None:
    talk = (
        (10, "I won't bring Jonah up first.", "own | promise | I won't bring Jonah up first"),
        (11, "I'll ask how Bishop is doing.", "own | promise | I'll ask how Bishop is doing"),
        (12, "I'll ask how Bishop the gull flies.", "own | promise | I'll ask how Bishop the gull flies"),
    )
    for day, said, told in talk:
        say(reel, kit, [("user", "Will you promise me something?"), ("assistant", said)], day)
        extract(reel, f'## What I know for sure\n{told} | "{said}" | 1\n\nAda\n')
    assert facts(reel) == {
        "own/promise": "I won't bring Jonah up first",
        "own/promise:-i'll-ask-how": "I'll ask how Bishop the gull flies",
    }


@pytest.mark.parametrize(
    ("told", "names"),
    [
        # one thing, told anew
        (("allergic to nuts", "allergic to nuts and kiwi"), ["allergy"]),
        (("allergic to nuts", "no penicillin"), ["allergy", "allergy: no penicillin"]),
    ],
)
def test_two_things_with_a_generic_name_in_one_reply_get_a_name_each(
    told: tuple[str, str], names: list[str]
) -> None:
    listed = [ToldFact("constraints", "allergy", value, value) for value in told]
    assert [*dict.fromkeys(one.key for one in name_generic(listed, [], frozenset()))] == names


def test_what_was_years_ago_keeps_its_time_beside_what_is_now(reel: Reel, kit: Path) -> None:
    for day, said, told in (
        (10, "I worked at Shell in 1991.", "history | work | worked at Shell in 1991"),
        (20, "I work at Lloyds now.", "history | work | work at Lloyds"),
    ):
        say(reel, kit, [("user", said), ("assistant", "I see.")], day)
        extract(reel, f'## What I know for sure\n{told} | "{said}" | 1\n\nAda\n')
    assert facts(reel) == {"history/work": "work at Lloyds", "history/work-1991": "worked at Shell in 1991"}


@pytest.mark.parametrize(
    ("words", "goes"),
    [
        ("sat it. yesterday", True),
        ("pharm 61. pass is 50", True),
        ("ITS OUT", True),
        ("I passed!", True),
        ("did you sleep?", False),
        ("not done yet", False),
        ("the bus was late again", False),
        ("im out of milk", False),
    ],
)
def test_the_outcome_of_what_was_due_by_now_ends_it(reel: Reel, kit: Path, words: str, *, goes: bool) -> None:
    told = "The pharmacology exam is on 12 February 2026 at 10."
    say(reel, kit, [("user", told), ("assistant", "Noted.")])
    extract(reel, row("commitments", "pharmacology exam", "12 February 2026 at 10", told.rstrip(".")))
    say(reel, kit, [("user", words), ("assistant", "And?")], 20)
    over = f'commitments | pharmacology exam | over | "{words}" | 0.9'
    reply = page({"What I know for sure": over, "Lines to find it by": f'"{words}"'})
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=reply).ok()
    assert (facts(reel) == {}) is goes
    assert ("No longer a fact" in f"{run.out}{run.err}") is goes
    assert ("does not name it" in f"{run.out}{run.err}") is not goes
