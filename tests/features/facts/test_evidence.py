"""A fact is kept only where a turn of the user bears it, and in no other words."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.pack.recognize import find_prompt
from reel_cli.core.values.talk import Entry, Message, Session
from reel_cli.features.facts.evidence.fact_evidence import UserTurns
from reel_cli.features.facts.evidence.talk_evidence import TalkEvidence
from reel_cli.features.facts.reply import (
    FactRequest,
    ToldFact,
    read_facts_reply,
    read_told,
    render_facts_prompt,
    text_of,
)

SAID = (
    (
        "user",
        "Hi, I'm Marta, I am 52. I've just moved to Portland with my husband Jim and two cats.",
    ),
    ("assistant", "You love chess, Marta, and you never eat meat."),
    ("user", "I am allergic to penicillin. The surgery is on May 14th. I never eat fish."),
    ("user", "My sister's got Hashimoto's thyroiditis, and my number is 0171 555 0199."),
)
HEARD = UserTurns(
    [Entry(n, Message(role, text, time="2026-02-10T10:00:00Z")) for n, (role, text) in enumerate(SAID, 1)],
    "Bo",
    "Ada",
    "2026-02-10",
)


def test_a_wrong_number_is_the_reason_whoever_said_the_words() -> None:
    """Also where the persona said them: "was said by Ada, not by Bo" would be about the wrong fault."""
    entries = [
        Entry(1, Message("user", "How long were you married?", time="2026-02-10T10:00:00Z")),
        Entry(2, Message("assistant", "Twenty-two years, she and I.", time="2026-02-10T10:01:00Z")),
    ]
    heard = TalkEvidence(Session("2026-02-10-1", "", "", "", tuple(entries)), "Bo", ("Ada",))
    borne, own = heard.bears("32 years", "Twenty-two years")
    assert (borne.why, own) == ("its words say “Twenty-two”, and not “32 years”", False)
    borne, _ = heard.bears("were together", "Twenty-two years")
    assert borne.why == "“Twenty-two years” was said by Ada, not by Bo"
    assert HEARD.bears("53 years old", "I am 52").why == "its words say “52”, and not “53 years old”"


@pytest.mark.parametrize(
    ("value", "evidence", "turn"),
    [
        ("Marta", "I'm Marta", 1),
        ("52", "I am 52", 1),
        ("52 years old", "i am 52", 1),
        ("fifty-two", "I am 52", 1),
        ("turns fifty-two", "I am 52", 1),
        ("lives in Portland", "moved to Portland", 1),
        ("husband Jim", "my husband Jim", 1),
        ("2 cats", "two cats", 1),
        ("allergic to penicillin", "allergic to  PENICILLIN.", 3),
        ("14 May 2026", "surgery is on May 14th", 3),
        ("Hashimoto’s thyroiditis", "My sister’s got Hashimoto's", 4),
        ("0171 555 0199", "my number is 0171 555 0199", 4),
    ],
)
def test_what_a_turn_bears_is_kept_with_its_turn(value: str, evidence: str, turn: int) -> None:
    borne = HEARD.bears(value, evidence)
    assert (borne.number, borne.value, borne.why) == (turn, value, "")
    assert borne.day == "2026-02-10"


def test_a_refusal_for_a_day_names_the_day_and_not_the_whole_value() -> None:
    words = 'The whole line, Bo: "Lente hora, celeriter anni". All Saints is Sunday. I am in advance.'
    said = [Entry(1, Message("assistant", words, time="2026-10-28T10:00:00Z"))]
    value = (
        'The whole line of the sundial is "Lente hora, celeriter anni"; I gave it to Bo on 28 October 2026'
    )
    turns = UserTurns(said, "Ada", "Bo", "2026-10-28", role="assistant")
    why = turns.bears(value, '"Lente hora, celeriter anni"').why
    assert why == "“28 October 2026” is no day that it speaks of"


def test_a_year_is_the_one_that_the_sentence_means() -> None:
    assert not HEARD.bears("14 May 2026", "surgery is on May 14th").open_year
    assert HEARD.bears("14 May 2025", "surgery is on May 14th").why == (
        "“14 May 2025” is no day that it speaks of"
    )
    said = [Entry(1, Message("user", "The fair: 9 July.", time="2026-02-10T10:00:00Z"))]
    assert (
        UserTurns(said, "Bo", "Ada", "2026-02-10").bears("fair on 9 July 2025", "The fair: 9 July").open_year
    )


@pytest.mark.parametrize(
    ("value", "words", "borne"),
    [
        ("goes back on 20 March", "Paul wants him back on the 20th.", True),
        ("goes back on 20 March", "Paul wants him back on the twentieth.", True),
        ("goes back on 21 March", "Paul wants him back on the twentieth.", False),
        ("back on the twentieth", "Paul wants him back on 20 March.", True),
        ("back on the nineteenth", "Paul wants him back on 20 March.", False),
        ("goes back on 20 March 2026", "Paul wants him back on the 20th.", True),
        ("goes back on 20 February", "Paul wants him back on the 20th.", False),
        ("goes back on 20 March 2027", "Paul wants him back on the 20th.", False),
        ("moved on 20 February", "We moved on the 20th.", True),
        ("moved on 20 March", "We moved on the 20th.", False),
        ("operation on 26 March", "The operation is on the 26th now, not the 19th.", True),
        ("operation on 19 March", "The operation is on the 26th now, not the 19th.", False),
        ("lives on 20 March", "He lives on the 20th floor.", False),
    ],
)
def test_a_day_of_the_month_is_the_one_that_the_sentence_means(value: str, words: str, borne: bool) -> None:  # noqa: FBT001
    said = [Entry(1, Message("user", words, time="2026-03-08T10:00:00Z"))]
    why = UserTurns(said, "Bo", "Ada", "2026-03-08").bears(value, words.rstrip(".")).why
    assert ("no day that it speaks of" not in why) == borne


@pytest.mark.parametrize(
    ("value", "evidence", "why"),
    [
        ("chess", "You love chess", "was said by Ada, not by Bo"),
        ("sad", "I am sad", "Bo did not say “I am sad” in this chat"),
        ("Marta", "", "no words are given"),
        ("53", "I am 52", "its words say “52”, and not “53”"),
        ("14 June", "surgery is on May 14th", "is no day that it speaks of"),
        ("since 1987", "surgery is on May 14th", "“1987” is no year that it speaks of"),
        ("in July", "surgery is on May 14th", "“July” is no month that it speaks of"),
        ("Peter", "my husband Jim", "“Peter” is not in the line it quotes"),
        ("vegetarian", "I am allergic to penicillin", "the line it quotes does not say “vegetarian”"),
        ("surgery", "I'm Marta", "the line it quotes does not say “surgery”"),
        ("Marta", "'", "no words are given"),
    ],
)
def test_what_no_turn_bears_is_not(value: str, evidence: str, why: str) -> None:
    borne = HEARD.bears(value, evidence)
    assert (borne.number, why in borne.why) == (0, True), borne.why


def test_other_words_for_it_are_put_as_they_were_said() -> None:
    assert HEARD.bears("settled in Portland", "just moved to Portland").value == "just moved to Portland"


GROUP = (
    ("user", "I joined a new activist group last Tues. I never went to the old one."),
    ("assistant", "What's it called?"),
    ("user", "Connected Activists, we meet three times a week. My sister got promoted at work."),
)
TALKED = UserTurns(
    [Entry(n, Message(role, text, time="2023-07-20T10:00:00Z")) for n, (role, text) in enumerate(GROUP, 1)],
    "Bo",
    "Ada",
    "2023-07-20",
)


@pytest.mark.parametrize(
    ("value", "kept", "left"),
    [
        ("'Connected Activists', joined last Tues, 18 July 2023", "", ""),
        ("joined a new activist group last Tues, mid July 2023", "", ""),
        ("joined a new activist group, three times a week", "", ""),
        ("joined a new activist group, founded it", "joined a new activist group", "founded it"),
    ],
)
def test_a_value_may_be_of_two_turns_beside_each_other(value: str, kept: str, left: str) -> None:
    borne = TALKED.bears_as_written(value, "I joined a new activist group last Tues", "group", ())
    assert borne is not None
    assert (borne.value, borne.left_out) == (kept or value, left)


@pytest.mark.parametrize(
    "value",
    [
        "my sister, joined a new activist group",
        "joined a new activist group, my sister got promoted at work",
        "joined a new activist group, four times a week",
        "joined a new activist group, 25 July 2023",
        "joined a new activist group, but left it",
    ],
)
def test_nothing_is_put_together_that_was_not_said_so(value: str) -> None:
    borne = TALKED.bears(value, "I joined a new activist group last Tues")
    assert borne.value in ("", "joined a new activist group", "I joined a new activist group last Tues")


def test_all_of_a_talk_and_not_of_its_words_may_be_asked_about() -> None:
    asked = TALKED.bears("group", "My sister got promoted at work")
    assert (asked.number, bool(asked.why), asked.near) == (0, True, 3)
    assert TALKED.bears("plumber", "My sister got promoted at work").near == 0


@given(st.text(max_size=30), st.sampled_from([text for _, text in SAID]), st.data())
@settings(max_examples=80, deadline=None)
def test_whatever_is_claimed_what_is_kept_stands_in_the_turn(
    value: str, said: str, data: st.DataObject
) -> None:
    words = said.split()
    first = data.draw(st.integers(0, len(words) - 1))
    evidence = " ".join(words[first : data.draw(st.integers(first + 1, len(words)))])
    borne = HEARD.bears(value or "x", evidence)
    assert bool(borne.number) != bool(borne.why)
    assert SAID[borne.number - 1][0] == "user"


ROW = ToldFact("identity", "name", "Marta", "I'm Marta", 9_500)
PAIRS = {"category": "identity", "key": "name", "value": "Marta", "evidence": "I'm Marta", "confidence": 0.95}


@pytest.mark.parametrize(
    "reply",
    [
        '## What I know for sure\nidentity | name | Marta | "I\'m Marta" | 0.95\n\nAda',
        "**What I know for sure:**\n- Identity | *name* | Marta | “I'm Marta” | 95%\n\nAda",
        "| kind | about | fact | words | how |\n|-|-|-|-|-|\n| identity | name | Marta | I'm Marta | .95 |",
        json.dumps([PAIRS]),
        json.dumps({"facts": [PAIRS]}),
        f"Here you are:\n```json\n{json.dumps({'facts': [PAIRS]}, indent=1)}\n```",
        "Facts:\n- kind: identity\n  about: name\n  value: Marta\n  evidence: I'm Marta\n  confidence: 0.95",
        '<think>hm | a | b | c</think>\nidentity | name | Marta | "I\'m Marta" | 0.95\nAda',
    ],
)
def test_a_fact_is_read_in_any_shape(reply: str) -> None:
    reading = read_facts_reply(reply, "", ["Ada"])
    text = text_of(reading, reply, ["Ada"])
    assert text is not None
    assert list(read_told(text)) == [ROW]


@pytest.mark.parametrize("reply", ["nothing", "## What I know for sure\nNothing.\n\nAda", "Nothing.\n\nAda"])
def test_an_answer_may_be_nothing(reply: str) -> None:
    text = text_of(read_facts_reply(reply, "", ["Ada"]), reply, ["Ada"])
    assert list(read_told(text or "")) == []


def test_the_prompt_has_ring_0_and_is_known_again_in_a_chat() -> None:
    wanted = FactRequest(("identity", "craft"), "Look for glazes.", ("identity | name | {{said}}",))
    prompt = render_facts_prompt("Ada", "Bo", "I am {{user}} Ada.", "Bo: hm\n=== x\n", " on a day", wanted)
    assert "I am {{user}} Ada." in prompt
    assert "The kinds: identity, craft. Look for glazes." in prompt
    assert "- identity | name | {{said}}\n" in prompt
    assert "\n==== What was said ====\n" in prompt
    assert find_prompt(f"x\n\n{prompt}") == (3, len(prompt) + 2)
    assert read_facts_reply(prompt, prompt, ["Ada"]).is_prompt
