"""A fact in a chat of several: whose words it rests on, and that it is told as theirs."""

import json
from pathlib import Path

import pytest
import yaml

from reel_cli.core.values.talk import Entry, Message, Session
from reel_cli.features.facts.evidence.talk_evidence import TalkEvidence
from tests.features.facts.test_fact_extract import extract
from tests.support.cli import Reel
from tests.support.pages import page

TALK = [
    ("user", "Bo", "Morning both."),
    ("assistant", "Ada", "Good. Then sleep, and I will wake you at six."),
    ("user", "Marit", "I am allergic to shellfish."),
    ("user", "Bo", "Noted. Do you eat prawns?"),
    ("user", "Marit", "Yes, they are fine. My flight lands at 18:40."),
    ("assistant", "Vesna", "I grew up in Kotor."),
    ("user", "Bo", "I am allergic to penicillin."),
]


@pytest.fixture
def group(reel: Reel, kit: Path) -> Reel:
    told = [
        {"role": role, "name": name, "content": text, "timestamp": f"2026-03-13T10:0{at}:00+00:00"}
        for at, (role, name, text) in enumerate(TALK)
    ]
    (kit / "talk.json").write_text(json.dumps({"messages": told}))
    reel("record", str(kit / "talk.json"), "--format", "messages", "--yes").ok()
    (kit / "talk.json").unlink()
    return reel


def reply(*rows: str) -> str:
    return "\n".join(["## What I know for sure", *rows, "", "Ada", ""])


def told_in_bundle(reel: Reel) -> str:
    return reel("pack").ok().out


@pytest.mark.parametrize(
    "row",
    [
        "constraints | shellfish | VALUE | Bo is VALUE | EVIDENCE | 1",
        "constraints | shellfish | VALUE | EVIDENCE | 1",
        "own | shellfish | VALUE | Ada is VALUE | EVIDENCE | 1",
        "identity | shellfish | VALUE | EVIDENCE | 1",
    ],
)
def test_a_fact_that_rests_on_anothers_words_is_told_as_theirs(group: Reel, row: str) -> None:
    value = "allergic to shellfish"
    extract(group, reply(row.replace("EVIDENCE", f'"{value}"').replace("VALUE", value)))
    [one] = json.loads(group("fact", "list", "--json").ok().out)
    assert one["key"] == "Marit: shellfish"
    assert one["category"] == ("constraints" if row.startswith("constraints") else "relationships")
    bundle = told_in_bundle(group)
    assert "Marit: “I am allergic to shellfish.” (said 13 March 2026)" in bundle
    assert "said by Bo" not in bundle
    assert "Bo is allergic" not in bundle


def test_a_statement_that_names_who_said_it_stays(group: Reel) -> None:
    value = "allergic to shellfish"
    row = f'constraints | Marit shellfish | {value} | Marit is {value} | "I am {value}" | 1'
    extract(group, reply(row))
    [one] = json.loads(group("fact", "list", "--json").ok().out)
    assert one["key"] == "Marit shellfish"
    assert "Marit is allergic to shellfish (said 13 March 2026)" in told_in_bundle(group)


def test_the_users_own_words_stay_the_users(group: Reel) -> None:
    row = 'constraints | penicillin | allergic to penicillin | "I am allergic to penicillin" | 1'
    extract(group, reply(row))
    [one] = json.loads(group("fact", "list", "--json").ok().out)
    assert one["key"] == "penicillin"
    assert "allergic to penicillin (said by Bo, 13 March 2026)" in told_in_bundle(group)


def test_whose_line_it_is_is_told_by_name(group: Reel) -> None:
    row = reply('identity | home | Kotor | "I grew up in Kotor" | 1')
    told = group("fact", "extract", "--reply", "-", "--yes", stdin=row)
    assert "“I grew up in Kotor” was said by Vesna, not by Bo" in told.err


def test_an_answer_to_another_user_has_its_question() -> None:
    entries = tuple(
        Entry(at, Message(role, text, name=name, time="2026-03-13T10:00:00Z"))
        for at, (role, name, text) in enumerate(TALK, 1)
    )
    heard = TalkEvidence(Session("2026-03-13-1", "", "", "", entries), "Bo", ("Ada",))
    borne, own = heard.bears("eats prawns", "Do you eat prawns? / Yes, they are fine")
    assert (borne.why, borne.speaker, own) == ("", "Marit", False)


def test_what_intake_finds_of_another_is_kept_as_theirs(group: Reel, kit: Path) -> None:
    waiting = yaml.safe_load((kit / "intake.yaml").read_text())["waiting"]
    [one] = [one for one in waiting if "shellfish" in one["words"]]
    place = waiting.index(one) + 1
    text = page({
        "Lines to find it by": '"wake you at six"',
        "What has shifted": '"I will wake you at six" Yes.\nsteady',
        "What to keep of this": f"{place}: fact — constraints / allergy / allergic to shellfish",
    })  # fmt: skip
    group("checkpoint", "--reply", "-", "--yes", stdin=text).ok()
    [fact] = json.loads(group("fact", "list", "--json").ok().out)
    assert (fact["key"], fact["value"]) == ("Marit: allergy", "allergic to shellfish")
    assert "Marit: “I am allergic to shellfish.” (said 13 March 2026)" in told_in_bundle(group)


def test_who_gave_another_name_than_the_kit_has_is_still_the_user(reel: Reel, kit: Path) -> None:
    """SRIP-11 §III.5b: name, age and profession are who the user is, also where the kit has no name."""
    reel("config", "user", "You").ok()
    said = "Hello, I'm Maria, 52, an accountant. My neighbor Wren is 80."
    reel("record", "-", stdin=f"You: {said}\nAda: Nice to meet you.\n").ok()
    extract(
        reel,
        reply(
            'identity | age | 52 | Maria is 52 | "I\'m Maria, 52, an accountant" | 0.95',
            "identity | name | Maria | The user's name is Maria | \"I'm Maria\" | 0.99",
            'identity | profession | accountant | Maria is an accountant | "an accountant" | 0.9',
            'identity | Wren\'s age | 80 | Wren is 80 | "My neighbor Wren is 80" | 0.9',
        ),
    )
    kinds = {one["key"]: one["category"] for one in json.loads(reel("fact", "list", "--json").ok().out)}
    assert kinds == {"name": "identity", "age": "identity", "profession": "identity", "Wren's age": "context"}
    # a later chat knows the name, and a new value takes the place of the old one
    reel("record", "-", stdin="You: I'm 53, and I still dance.\nAda: Happy birthday.\n").ok()
    extract(reel, reply('identity | age | 53 | Maria is 53 | "I\'m 53" | 0.95'))
    ages = [one for one in json.loads(reel("fact", "list", "--json").ok().out) if one["key"] == "age"]
    assert [(one["category"], one["value"]) for one in ages] == [("identity", "53")]
