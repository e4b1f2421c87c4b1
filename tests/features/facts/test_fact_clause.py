"""A fact is not kept where the clause of its words denies it, supposes it, or is about somebody else."""

import json
from pathlib import Path

import pytest

from reel_cli.core.values.talk import Entry, Message
from reel_cli.features.facts.evidence.fact_clause import clause_against
from reel_cli.features.facts.evidence.fact_evidence import UserTurns
from tests.features.facts.test_fact_extract import extract, facts
from tests.support.cli import Reel
from tests.support.pages import say

SAID = "I am not allergic to nuts. My friend Tom smokes. If I were a doctor I'd know. I never drink coffee."
REPLY = """## What I know for sure
constraints | nuts | allergic to nuts | "allergic to nuts" | 0.95
preferences | habit | smokes | "smokes" | 0.95
identity | job | a doctor | "a doctor" | 0.95
preferences | coffee | drink coffee | "drink coffee" | 0.95
preferences | drinks | never drinks coffee | "I never drink coffee" | 0.95

Ada
"""


def against(said: str, category: str, key: str, value: str, evidence: str) -> str:
    turn = Entry(1, Message("user", said, time="2026-02-10T10:00:00Z"))
    borne = UserTurns([turn], "Bo", "Ada", "2026-02-10").bears(value, evidence)
    assert not borne.why
    return clause_against(category, key, borne)


def test_what_was_denied_supposed_or_said_of_somebody_else_is_not_kept(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", SAID), ("assistant", "I see.")])
    made = extract(reel, REPLY)
    assert facts(reel) == {"preferences/drinks": "never drinks coffee"}
    problems = [one["what"] for one in made["problems"]]  # type: ignore[attr-defined]
    assert problems == [
        "preferences, habit: not kept: “My friend Tom smokes.” is about somebody else",
        "identity, job: not kept: “If I were a doctor I'd know.” only supposes it",
        "preferences, coffee: not kept: “I never drink coffee.” denies it",
        "constraints, nuts: waits for your decision: “I am not allergic to nuts.” denies it",
    ]
    assert len(json.loads(reel("review", "--json").ok().out)) == 1
    # who decides reads the whole sentence, and not the fragment
    assert "says only “I am not allergic to nuts.”" in " ".join(reel("review").ok().out.split())


@pytest.mark.parametrize(("told", "firm"), [("Bo means to paint it", True), ("Bo thinks of it", False)])
def test_what_is_only_thought_of_is_not_told_as_meant(told: str, *, firm: bool) -> None:
    words = "thinking of painting the boat blue"
    found = against(f"I'm {words}.", "commitments", f"boat {told}", "painting the boat blue", words)
    assert ("only thinks of it" in found) is firm


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I have never been allergic to nuts.", "constraints|nuts|allergic to nuts|I have never been"),
        ("Maybe I'll move to Lisbon some day.", "commitments|plan|move to Lisbon|Maybe I'll move to Lisbon"),
        ("I no longer work at Acme.", "identity|job|work at Acme|work at Acme"),
        ("I’m not a doctor.", "identity|job|a doctor|a doctor"),
        ("I don't eat meat or fish.", "preferences|food|eats fish|fish"),
        ("I am allergic to nuts, not to eggs.", "constraints|eggs|allergic to eggs|not to eggs"),
        ("I wish I had a dog.", "identity|pet|a dog|a dog"),
        ("I used to smoke.", "preferences|habit|smoke|smoke"),
        ("I stopped smoking in May.", "preferences|habit|smoking|smoking"),
        ("I'll move to Lisbon if I get the job.", "commitments|plan|move to Lisbon|move to Lisbon"),
        ("Ich bin nicht allergisch gegen Nüsse.", "constraints|nuts|allergisch gegen Nüsse|gegen Nüsse"),
        ("Ich esse kein Fleisch.", "preferences|food|isst Fleisch|Fleisch"),
        ("Je ne suis pas allergique aux noix.", "constraints|noix|allergique aux noix|allergique aux noix"),
        ("No soy alérgica a las nueces.", "constraints|nueces|alérgica a las nueces|alérgica a las nueces"),
        ("Não sou alérgico a nozes.", "constraints|nozes|alérgico a nozes|alérgico a nozes"),
        ("Non sono allergico alle noci.", "constraints|noci|allergico alle noci|allergico alle noci"),
        ("Я не курю сигареты.", "preferences|habit|курю сигареты|курю сигареты"),
        ("Vielleicht ziehe ich nach Porto.", "commitments|plan|ziehe nach Porto|nach Porto"),
        ("我不抽烟。我喜欢喝茶，不喝咖啡。", "preferences|烟|抽烟|抽烟"),
        ("我不抽烟。我喜欢喝茶，不喝咖啡。", "preferences|咖啡|喝咖啡|喝咖啡"),
        ("我没有狗，但是有一只猫。", "identity|宠物|狗|狗"),
        ("我不是医生，是护士。", "identity|工作|医生|医生"),
        ("我从来没去过日本", "history|旅行|去过日本|去过日本"),
        ("要是我住在巴黎就好了。", "identity|城市|住在巴黎|住在巴黎"),
        ("タバコは吸いません。コーヒーは好きです。", "preferences|習慣|タバコ|タバコ"),
        ("卵アレルギーではありません。", "constraints|卵|卵アレルギー|卵アレルギー"),
        ("肉は食べないけど、魚は食べます。", "preferences|食べ物|肉|肉"),
        ("犬は飼っていなかった。", "identity|ペット|犬|犬"),
        ("来年リスボンに引っ越すかもしれない。", "commitments|計画|リスボンに引っ越す|リスボンに引っ越す"),
    ],
)  # fmt: skip
def test_the_whole_clause_speaks_against_a_fragment(said: str, fact: str) -> None:
    assert against(said, *fact.split("|"))


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I won't drink again.", "commitments|drinking|won't drink again|I won't drink again"),
        ("I would love to visit Japan.", "commitments|trip|would love to visit Japan|I would love"),
        ("I don't live in Lisbon but in Porto.", "identity|home|lives in Porto|in Porto"),
        ("I'm not a doctor, I'm a nurse.", "identity|job|a nurse|I'm a nurse"),
        ("I never eat fish, only chicken.", "preferences|food|eats chicken|only chicken"),
        ("I can't wait to see Anna on Friday.", "commitments|Friday|see Anna on Friday|see Anna on Friday"),
        ("I have never told my sister Anna.", "relationships|Anna|sister|my sister Anna"),
        ("I didn't go because I hurt my knee.", "constraints|injury|hurt knee|I hurt my knee"),
        ("If it rains, I take the bus.", "preferences|bus|take the bus|I take the bus"),
        ("I am used to long nights.", "history|nights|long nights|used to long nights"),
        ("I used to smoke.", "history|habit|used to smoke|I used to smoke"),
        ("I take the bus if it rains.", "preferences|bus|take the bus|I take the bus"),
        ("Ich esse nicht nur Fisch.", "preferences|food|isst Fisch|Fisch"),
        ("Ich rauche nicht, aber ich trinke Wein.", "preferences|wine|trinke Wein|ich trinke Wein"),
        ("Je ne bois pas de vin, mais j'aime la bière.", "preferences|bière|aime la bière|j'aime la bière"),
        ("Ich esse kein Fleisch.", "preferences|food|kein Fleisch|kein Fleisch"),
        ("Не курю, но пью кофе.", "preferences|кофе|пью кофе|пью кофе"),
        ("My friend Tom smokes.", "preferences|Tom|smokes|My friend Tom smokes"),
        ("My mum lives in Leeds.", "relationships|mum|lives in Leeds|lives in Leeds"),
        ("我不抽烟。我喜欢喝茶，不喝咖啡。", "preferences|茶|喝茶|喝茶"),
        ("我没有狗，但是有一只猫。", "identity|宠物|一只猫|一只猫"),
        ("我不是医生，是护士。", "identity|工作|护士|护士"),
        ("我不仅会弹钢琴。", "preferences|音乐|弹钢琴|弹钢琴"),
        ("我喜欢不加糖的咖啡。", "preferences|咖啡|咖啡|咖啡"),
        ("我的钢琴弹得不错，差不多十年了。", "preferences|音乐|钢琴|钢琴"),
        ("没想到我考上了大学。", "history|大学|考上了大学|考上了大学"),
        ("我不抽烟。", "preferences|烟|不抽烟|不抽烟"),
        ("肉は食べないけど、魚は食べます。", "preferences|食べ物|魚|魚"),
        ("魚しか食べない。", "preferences|食べ物|魚|魚"),
        ("薬を飲まなければなりません。", "constraints|薬|薬を飲|薬を飲"),
        ("コーヒーだけでなくお茶も好きです。", "preferences|飲み物|コーヒー|コーヒー"),
        ("妹のアンナは面白くてたまらない。", "relationships|妹|アンナ|アンナ"),
        ("犬は飼っていませんか？犬は二匹います。", "identity|ペット|犬|犬"),
        ("My sister Anna and I moved to Porto.", "history|move|moved to Porto|moved to Porto"),
    ],
)  # fmt: skip
def test_what_a_clause_says_is_so_is_kept(said: str, fact: str) -> None:
    assert against(said, *fact.split("|")) == ""
