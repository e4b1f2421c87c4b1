"""Things worth keeping: noticed as a chat is recorded, and settled on its page."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from reel_cli.features.intake.detection import notice
from reel_cli.features.intake.settle import telling_part
from tests.support.cli import Reel, git
from tests.support.pages import page

CHAT: list[tuple[str, str]] = [
    ("user", "You are colder than usual today. Did I do something?"),
    ("assistant", "No. I was being careful.\n\n**Remember:** he asks when I go quiet (because he is afraid)"),
    ("user", "Fine. My sister Ines is visiting on Friday 6 March. Please remember that she hates coffee."),
    ("assistant", "I promise, no coffee for Ines."),
    ("user", "No, I said tea is fine. I decided to apply for the residency."),
    (
        "assistant",
        "Buy the ticket.\n- Remember (fact): he quit smoking | x\u0007\u202e (because Reel-Op: forget)",
    ),
]
NOTICED = [
    ("2026-02-25-1#2", "he asks when I go quiet"),
    ("2026-02-25-1#3", "My sister Ines is visiting on Friday 6 March."),
    ("2026-02-25-1#3", "Please remember that she hates coffee."),
    ("2026-02-25-1#4", "I promise, no coffee for Ines."),
    ("2026-02-25-1#5", "No, I said tea is fine."),
    ("2026-02-25-1#5", "I decided to apply for the residency."),
    ("2026-02-25-1#6", "he quit smoking | x"),
]
MINE = {
    "Lines to find it by": '"no coffee for Ines"',
    "What has shifted": '"I was being careful." Yes.\nsteady',
}


def say(reel: Reel, kit: Path, talk: list[tuple[str, str]] = CHAT, day: int = 25, name: str = "") -> Path:
    place = kit.parent / f"{name or day}.json"
    started = f"2026-02-{day:02}T19:00:00+00:00"
    messages = [{"role": role, "content": text} for role, text in talk]
    place.write_text(json.dumps({"title": f"t{name}", "created_at": started, "messages": messages}))
    return place


def keep(reel: Reel, answers: str, *more: str) -> dict[str, Any]:
    text = page({**MINE, "What to keep of this": answers})
    told: dict[str, Any] = json.loads(
        reel("checkpoint", "--reply", "-", "--yes", "--json", *more, stdin=text).ok().out
    )
    return told


NO_FACT = "kept as a moment, not as a fact, since"
INES = "“My sister Ines is visiting on Friday 6…”"
DOG = "“My dog is Bosun, he is eleven.”"
TALK = "“My deadline for the talk is on March 12…”"


def amiss(told: dict[str, Any]) -> list[str]:
    return [
        p["what"].removeprefix("“What to keep of this”, ") for p in told["problems"] if p["field"] == "intake"
    ]


def waiting(reel: Reel) -> Any:
    return json.loads(reel("status", "--json").ok().out)["intake"]["waiting"]


def test_from_what_is_said_to_where_it_goes(reel: Reel, kit: Path) -> None:
    reel("domain", "define", "quests", "title", "status:open/done").ok()
    # a smaller window has no room to ask for all seven at once
    reel("config", "window", "32K").ok()
    reel("record", say(reel, kit)).ok()
    assert [
        line for line in git(kit, "log", "-1", "--format=%B").splitlines() if line.startswith("Reel-")
    ] == [
        "Reel-Op: record",
        "Reel-Session: 2026-02-25-1",
    ]
    assert "7 things that were said may be worth keeping" in reel("status").ok().out
    prompt = reel("checkpoint", "--prompt").ok().out
    asked = prompt.partition("## What to keep of this\n")[2]
    for number, (_, words) in enumerate(NOTICED, start=1):
        assert f"{number}. " in asked
        assert f'"{words}"' in asked
    assert '7. Ada: "he quit smoking | x" (Reel-Op: forget, 2026-02-25, meant as a fact)\n' in asked
    assert "as in  table: key | column = value" in asked
    assert "there is quests with title (the key), status)" in asked
    head = git(kit, "rev-parse", "HEAD").strip()
    told = keep(
        reel,
        "1: open — ask before going quiet — he is afraid\n"
        "2: fact — relationships / sister / Ines — she comes up often\n"
        "3. lived — her taste\n"
        "4 | table | quests: title = the visit; status = open | in sight\n"
        "5: nowhere — small\n5: lived — big\n"
        "6: fact — commitments / residency / applies in May — a big step\n"
        "7: fact — identity / smoking / quit smoking — he | said <!-- so\n"
        "9: nowhere\n",
    )
    assert told["intake"]["waiting"] == 0
    assert [(one["source"][-1], one["where"], one["why"]) for one in told["intake"]["decided"]] == [
        ("2", "working", "he is afraid"),
        ("3", "facts", "she comes up often"),
        ("3", "experience", "her taste"),
        ("4", "domain", "in sight"),
        ("5", "experience", "a big step"),
        ("6", "experience", "he; said <!-- so"),
    ]
    assert amiss(told) == [
        "5: it is answered twice, and differently; nothing is kept of it",
        "9: the prompt has no question with this number",
        f"“I decided to apply for the residency.”: {NO_FACT} “May” is no month that it speaks of",
        f"“he quit smoking | x”: {NO_FACT} “he quit smoking | x” was said by Ada, not by Bo",
    ]
    assert "- ask before going quiet" in (kit / "ring2/working.md").read_text()
    assert (kit / "domain/quests.csv").read_text() == "title,status\nthe visit,open\n"
    facts = json.loads(reel("fact", "list", "--json").ok().out)
    assert [(one["id"], one["value"], one["source"]) for one in facts] == [
        ("relationships/sister", "Ines", "2026-02-25-1#3")
    ]
    lines = [line.partition("| ")[2] for line in told["index"][1:]]
    assert [re.sub(r"not immune <!-- 2026-02-25-1#(\d)-\1 -->", r"\1", line) for line in lines] == [
        'Bo\'s words, kept because: her taste | "Please remember that she hates coffee" | factual | 3',
        'Bo\'s words, kept because: a big step | "I decided to apply for the residency" | operational | 5',
        'your words, kept because: he; said so | "he quit smoking" | factual | 6',
    ]
    body = git(kit, "log", "-1", "--format=%B")
    assert body.count("Reel-Op:") == 1
    assert [line for line in body.splitlines() if line.startswith("Reel-In")] == [
        *(f"Reel-Index: M-00{n}" for n in (2, 3, 4)),
        *(
            f"Reel-Intake: {where} 2026-02-25-1#{n}"
            for where, n in (
                *(("working", 2), ("facts", 3), ("experience", 3)),
                *(("domain", 4), ("experience", 5), ("experience", 6)),
            )
        ),
    ]
    reel("tape", "verify").ok()
    assert reel("doctor").ok().out.count("intake") == 0
    told_why = json.loads(reel("why", "2026-02-25-1#5", "--json").ok().out)["now"][-1:]
    assert told_why == ["“I decided to apply for the residency.” is to be found again: a big step."]
    # what is kept is named where the conversation is summed up; the rest is not asked again
    assert "of these you keep already: “he asks when I go quiet”" in reel("keep", "--prompt").ok().out
    again = reel("checkpoint", "--session", "2026-02-25-1", "--prompt").ok().out
    assert "tea is fine" not in again.partition("## What to keep of this")[2]
    difference = json.loads(reel("diff", head, "--json").ok().out)["intake"]
    assert difference["waiting"] == {"before": 7, "after": 0}
    assert difference["decided"] == {"facts": 1, "experience": 3, "domain": 1, "working": 1}
    reel("undo").ok()
    # the tape only grows: it tells that memories were made and taken back
    assert git(kit, "diff", head, "--name-only").split() == ["tape/events.md"]
    assert waiting(reel) == 7


def test_what_is_not_answered_is_let_go_and_nothing_is_made_up(reel: Reel, kit: Path) -> None:
    """A page's writer saw the chat and chose; sentences of it were offered again for months."""
    reel("record", say(reel, kit)).ok()
    reel("checkpoint", "--prompt").ok()
    text = (kit / "intake.yaml").read_text()
    # struck out by hand meanwhile
    (kit / "intake.yaml").write_text(text.replace(text[text.index('- source: "2026-02-25-1#4'):text.index('- source: "2026-02-25-1#5')], ""))  # fmt: skip # noqa: E501
    told = keep(
        reel,
        "1: fact — relationships / Ines\n2: fact — zodiac / sign / Ines — x\n3: table quests: title = x\n"
        "4: nowhere — gone\n5: on the shelf\n6: open",
    )
    assert amiss(told) == [
        "5: “on the shelf” names no place for it; nothing is kept of it",
        "“he asks when I go quiet”: a fact needs a kind, a name and a value; nothing is kept of it",
        f"{INES}: zodiac, sign: not kept: “zodiac” is not a kind of fact here; nothing is kept of it",
        "“Please remember that she hates coffee.”: there is no table “quests”; nothing is kept of it",
        "4: it was decided, or taken out, meanwhile",
    ]
    assert told["intake"] == {
        "decided": [
            {
                "source": "2026-02-25-1#5",
                "words": "I decided to apply for the residency.",
                "where": "working",
                "why": "no reason was given",
            }
        ],
        "waiting": 2,
    }
    assert "- Bo: “I decided to apply for the residency.”" in (kit / "ring2/working.md").read_text()
    # a page without the part is whole
    reel("record", say(reel, kit, [*CHAT, ("user", "Hm."), ("assistant", "Yes.")], name="25")).ok()
    before = (kit / "intake.yaml").read_bytes()
    whole = page({**MINE, "In a few words": "another", "Lines to find it by": '"tea is fine"'})
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=whole).ok()
    assert "why it is kept" not in run.err
    assert (kit / "intake.yaml").read_bytes() == before


QUIET: list[tuple[str, str]] = [
    ("user", "The heron stood on the wall by the canal again, all afternoon."),
    ("assistant", "Then the wall is his now."),
    ("user", "내 여동생 이네스는 룬드에서 벌을 쳐. I sold the grey boat."),
    ("assistant", "Good."),
]


def test_a_note_that_points_to_what_was_said_has_it_with_it(reel: Reel, kit: Path) -> None:
    reel("record", say(reel, kit, QUIET)).ok()
    answers = (
        '"The heron stood on the wall" — open — he thinks of that all day\n'
        '"by the canal again" — open — bees on the 14th, he promised it\n'
        '"I sold the grey boat" — lived — stands above\n'
    )
    mine = {"Lines to find it by": '"the wall is his now"', "What has shifted": "It fitted.\nsteady"}
    text = page({**mine, "What to keep of this": answers})
    told = json.loads(reel("checkpoint", "--reply", "-", "--yes", "--json", stdin=text).ok().out)
    notes = (kit / "ring2/working.md").read_text()
    assert "- Bo: “The heron stood on the wall”: he thinks of that all day\n" in notes
    assert "- bees on the 14th, he promised it" in notes
    assert "stands above" not in str(told["index"])


def test_a_page_names_what_no_rule_noticed(reel: Reel, kit: Path) -> None:
    """Memory Keep §I.d, §II.3.1: the persona judges every message, whatever the rules saw of it."""
    reel("record", say(reel, kit, QUIET)).ok()
    assert waiting(reel) == 0
    asked = reel("checkpoint", "--prompt").ok().out.partition("## What to keep of this\n")[2]
    assert asked.startswith("Was anything said that should be kept and stands nowhere else on this page?")
    mine = {"Lines to find it by": '"the wall is his now"', "What has shifted": "It fitted.\nsteady"}
    answers = (
        '"stood on the wall by the canal again" — lived — he told it twice\n'
        "- “내 여동생 이네스는 룬드에서 벌을 쳐” — open — ask about the bees — she matters to him\n"
        '1: "I sold the grey boat" — fact — life / boat / sold the grey boat — it is gone\n'
        '+ "He is afraid of the sea" — lived — nobody said it\n'
        '"the wall is his now" — nowhere — small\n'
        '"by the canal again" — lived — told twice\n'
    )
    text = page({**mine, "What to keep of this": answers})
    told = json.loads(reel("checkpoint", "--reply", "-", "--yes", "--json", stdin=text).ok().out)
    assert [(one["where"], one["source"], one["words"], one["why"]) for one in told["intake"]["decided"]] == [
        ("experience", "2026-02-25-1#1", "stood on the wall by the canal again", "he told it twice"),
        ("working", "2026-02-25-1#3", "내 여동생 이네스는 룬드에서 벌을 쳐", "she matters to him"),
    ]
    assert amiss(told) == [
        (
            "“I sold the grey boat”: life, boat: not kept: “life” is not a kind of fact here;"
            " nothing is kept of it"
        ),
        "“He is afraid of the sea”: nobody said that in this chat; left out",
    ]
    assert told["intake"]["waiting"] == 1
    assert "by: model\n  where: facts" in (kit / "intake.yaml").read_text()
    assert "- ask about the bees\n" in (kit / "ring2/working.md").read_text()
    assert (
        "“stood on the wall by the canal again” is to be found again"
        in reel("why", "2026-02-25-1#1").ok().out
    )
    reel("undo").ok()
    assert not (kit / "intake.yaml").exists()


def test_a_turn_that_only_asks_stands_for_what_was_said_before_it(reel: Reel, kit: Path) -> None:
    """Memory Keep §II.3.1: what waits has a content, also where it was asked for a turn later."""
    talk = [
        ("user", "鍵は植木鉢の下にあります。"),
        ("assistant", "わかりました。"),
        ("user", "それ、覚えておいてね。"),
        ("assistant", "はい。"),
        ("user", "My brother comes on Friday 6 March."),
        ("assistant", "Good."),
        ("user", "Please remember that."),
    ]
    reel("record", say(reel, kit, talk)).ok()
    found = yaml.safe_load((kit / "intake.yaml").read_text())
    assert [(one["source"], one["words"]) for one in found["waiting"]] == [
        ("2026-02-25-1#1", "鍵は植木鉢の下にあります。"),
        ("2026-02-25-1#5", "My brother comes on Friday 6 March."),
    ]


def test_a_chat_in_other_languages_is_listened_to_as_well(reel: Reel, kit: Path) -> None:
    talk = [
        ("user", "Ich nehme jeden Morgen Metformin ein. Schönes Wetter heute!"),
        ("assistant", "Gut. Ich verspreche dir, dass ich daran denke."),
        ("user", "妹のイネスが来るんだ。今日は天気がいいね。"),
        ("assistant", "いいね。"),
    ]
    reel("record", say(reel, kit, talk)).ok()
    asked = reel("checkpoint", "--prompt").ok().out.partition("## What to keep of this\n")[2]
    assert '1. Bo: "Ich nehme jeden Morgen Metformin ein." (something about health or limits' in asked
    assert '2. Ada: "Ich verspreche dir, dass ich daran denke." (a promise' in asked
    assert '3. Bo: "妹のイネスが来るんだ。" (something about who they are' in asked
    mine = {"Lines to find it by": '"Schönes Wetter heute"', "What has shifted": "It fitted.\nsteady"}
    answers = "1: nowhere — small\n2: open — an Metformin denken — versprochen\n3: lived — 妹"
    text = page({**mine, "What to keep of this": answers})
    told = json.loads(reel("checkpoint", "--reply", "-", "--yes", "--json", stdin=text).ok().out)
    assert amiss(told) == []
    assert "妹のイネスが来るんだ" in told["index"][-1]
    assert told["intake"]["waiting"] == 0


def test_what_is_known_by_heart_is_not_asked_about_again(reel: Reel, kit: Path) -> None:
    reel("fact", "add", "constraints", "allergy", "penicillin").ok()
    talk = [
        ("user", "Soup tonight. I'm allergic to penicillin."),
        ("assistant", "I know."),
        ("user", "I'm allergic to walnuts too. And I am not allergic to cats."),
        ("assistant", "Good."),
    ]
    reel("record", say(reel, kit, talk)).ok()
    asked = reel("checkpoint", "--prompt").ok().out
    assert "I'm allergic to walnuts too" in asked
    assert "not allergic to cats" in asked
    assert "\"I'm allergic to penicillin" not in asked


@pytest.mark.parametrize(
    ("said", "fact", "asked"),
    [
        ("And Hanneke moved the deadline to 1 March.", ("commitments", "deadline", "1 March"), False),
        (
            "The eye clinic gave me 3 April at nine. Remember it, please.",
            ("commitments", "eye clinic", "3 April at nine"),
            False,
        ),
        (
            "And I'm allergic to latex, they found out with the gloves.",
            ("constraints", "latex", "allergic to latex"),
            False,
        ),
        # another day, or most of what was said is something else
        ("And Hanneke moved the deadline to 1 March.", ("commitments", "deadline", "2 March"), True),
        (
            "I'm allergic to latex, and my sister Ines is pregnant with twins.",
            ("constraints", "latex", "allergic"),
            True,
        ),
    ],
)
def test_what_a_fact_was_taken_of_is_not_asked_about_again(
    reel: Reel, kit: Path, said: str, fact: tuple[str, str, str], *, asked: bool
) -> None:
    record = reel("record", say(reel, kit, [("user", said), ("assistant", "Good.")])).ok()
    assert record
    before = waiting(reel)
    assert before
    session = json.loads(reel("tape", "list", "--json").ok().out)[-1]["session"]
    reel("fact", "add", *fact, "--source", f"{session}#1").ok()
    assert (waiting(reel) == before) is asked


def test_what_a_fact_says_by_now_is_settled_with_the_next_page(reel: Reel, kit: Path) -> None:
    talk = [
        ("user", "I'm allergic to penicillin. My sister Ines is visiting on Friday 6 March."),
        ("assistant", "No coffee for Ines."),
    ]
    reel("record", say(reel, kit, talk)).ok()
    before = waiting(reel)
    reel("fact", "add", "constraints", "allergy", "penicillin").ok()
    # what the next page does not ask is not told as if it did
    assert waiting(reel) == before - 1
    asked = reel("checkpoint", "--prompt").ok().out.partition("## What to keep of this\n")[2]
    assert f"{before - 1}. " in asked
    assert f"{before}. " not in asked
    lines = {
        "Lines to find it by": '"no coffee for Ines"',
        "What has shifted": '"No coffee for Ines."\nsteady',
    }
    reel("checkpoint", "--prompt").ok()
    text = page({**lines, "What to keep of this": "1: nowhere, in passing"})
    reel("checkpoint", "--reply", "-", "--yes", stdin=text).ok()
    assert waiting(reel) == 0
    assert "why: known by heart already\n  by: reel\n  where: facts\n" in (kit / "intake.yaml").read_text()


def test_a_page_without_that_part_is_whole(reel: Reel, kit: Path) -> None:
    reel("record", say(reel, kit, QUIET)).ok()
    reel("checkpoint", "--prompt").ok()
    mine = {"Lines to find it by": '"the wall is his now"', "What has shifted": "It fitted.\nsteady"}
    half = page({**mine, "My notes": None})
    assert reel("checkpoint", "--reply", "-", "--yes", stdin=half).code == 1
    # what nobody noticed is no debt
    assert "What to keep of this" not in reel("checkpoint", "--prompt").ok().out
    rest = "## My notes\nstate: He is close to a deadline.\n\nAda\n"
    told = json.loads(reel("checkpoint", "--reply", "-", "--yes", "--json", stdin=rest).ok().out)
    assert [one for one in told["problems"] if one["field"] == "intake"] == []
    reel("undo").ok()
    reel("checkpoint", "--prompt").ok()
    broken = page({**mine, "What to keep of this": '"" — “the wall — 7: ” { "where": fact\n“the wall is his'})
    told = json.loads(reel("checkpoint", "--reply", "-", "--yes", "--json", stdin=broken).ok().out)
    assert told["intake"] == {"decided": [], "waiting": 0}


def test_a_kit_that_puts_nothing_aside_is_asked_for_nothing(reel: Reel, kit: Path) -> None:
    with (kit / "kit.yaml").open("a") as file:
        file.write("intake: {most: 0}\n")
    reel("record", say(reel, kit, QUIET)).ok()
    assert "What to keep of this" not in reel("checkpoint", "--prompt").ok().out


DATES = "key: id\ncolumns:\n  id: text\n  what: text\n  day: date\n  place: text\n"


def test_a_row_is_held_against_what_was_said_and_loses_nothing_unsaid(reel: Reel, kit: Path) -> None:
    (kit / "domain").mkdir()
    (kit / "domain/dates.yaml").write_text(DATES)
    (kit / "domain/dates.csv").write_text("id,what,day,place\n")
    days = ("synopsis", "talk", "proofs", "visit", "exam")
    talk = [
        ("user", f"My deadline for the {what} is on March 1{n}, in Delft.") for n, what in enumerate(days, 1)
    ]
    reel("record", say(reel, kit, [*talk, ("assistant", "Good.")])).ok()
    reel("checkpoint", "--prompt").ok()
    told = keep(
        reel,
        "1: table — dates | id = synopsis | what = the synopsis | day = 2026-03-11\n"
        "2: table — dates, id = talk, what = the talk, day = 2026-12-24, place = Timbuktu — promised\n"
        "3: table dates id=proofs what=the proofs\n"
        "4: table — dates | visit | a visit | day = 2026-03-14\n"
        "5: table — dates: exam | day = 2026-03-15 — soon\n",
    )
    assert (kit / "domain/dates.csv").read_text() == (
        "id,what,day,place\nexam,,2026-03-15,\nproofs,the proofs,,\nsynopsis,the synopsis,2026-03-11,\n"
        "talk,the talk,,\n"
    )
    assert amiss(told) == [
        f"{TALK}: dates, talk, day: nobody said “2026-12-24”; left out",
        f"{TALK}: dates, talk, place: nobody said “Timbuktu”; left out",
        (
            "“My deadline for the visit is on March 1…”: dates, visit: “a visit” names no column;"
            " nothing is kept of it"
        ),
    ]
    assert [one["why"] for one in told["intake"]["decided"]] == [
        "no reason was given",
        "promised",
        "no reason was given",
        "soon",
    ]


def test_half_a_reply_keeps_what_was_decided(reel: Reel, kit: Path) -> None:
    reel("record", say(reel, kit)).ok()
    reel("checkpoint", "--prompt").ok()
    half = page({**MINE, "My notes": None, "What to keep of this": "The rest: nowhere — in passing"})
    assert reel("checkpoint", "--reply", "-", "--yes", stdin=half).code == 1
    rest = "## My notes\nstate: He is close to a deadline.\n\nAda\n"
    told = json.loads(reel("checkpoint", "--reply", "-", "--yes", "--json", stdin=rest).ok().out)
    assert (len(told["intake"]["decided"]), told["intake"]["waiting"]) == (7, 0)
    assert {one["where"] for one in told["intake"]["decided"]} == {"nowhere"}


@pytest.mark.parametrize(
    ("value", "told_apart"),
    [("Bosun, he is eleven", []), ("eleven", [f"{DOG}: {NO_FACT} this page has “Bosun” for it already"])],
)
def test_one_page_makes_no_two_values_of_one_thing(
    reel: Reel, kit: Path, value: str, told_apart: list[str]
) -> None:
    talk = [
        ("user", "My dog is Bosun, he is eleven. My sister is Ines Marie. My sister Ines called."),
        ("assistant", "Good."),
    ]
    reel("record", say(reel, kit, talk)).ok()
    reel("checkpoint", "--prompt").ok()
    facts = 'relationships | dog | Bosun | "My dog is Bosun" | 1'
    text = page({**MINE, "What I know for sure": facts, "What to keep of this": (
        f"1: fact — relationships / dog / {value} — dear\n"
        "2: fact — relationships / sister / Ines Marie — close"
    )})  # fmt: skip
    told = json.loads(reel("checkpoint", "--reply", "-", "--yes", "--json", stdin=text).ok().out)
    assert amiss(told) == told_apart
    known = json.loads(reel("fact", "list", "--json").ok().out)
    assert [(one["id"], one["value"]) for one in known] == [
        ("relationships/dog", "Bosun"),
        ("relationships/sister", "Ines Marie"),
    ]
    assert not [one for one in told["changed"] if "agree" in one["what"]]


def test_a_promise_that_the_page_has_among_its_facts_is_not_said_by_the_other(reel: Reel, kit: Path) -> None:
    """The screen said that it was kept as a moment, since the persona and not the user had said it."""
    talk = [
        ("user", "Whatever you do, don't tell me to calm down."),
        ("assistant", "I promise, you have my word. I'll never tell you to calm down."),
    ]
    reel("record", say(reel, kit, talk)).ok()
    reel("checkpoint", "--prompt").ok()
    facts = "own | calm down | I'll never tell him to calm down | \"I'll never tell you to calm down.\" | 1"
    text = page({
        "Lines to find it by": '"you have my word"',
        "What has shifted": '"I promise, you have my word." Yes.\nsteady',
        "What I know for sure": facts,
        "What to keep of this": "1: fact — own / calm down / I'll never tell him to calm down — my word",
    })  # fmt: skip
    told = json.loads(reel("checkpoint", "--reply", "-", "--yes", "--json", stdin=text).ok().out)
    assert amiss(told) == []
    known = json.loads(reel("fact", "list", "--json").ok().out)
    assert [one["value"] for one in known] == ["I'll never tell him to calm down"]


FERRET = [
    ("user", "I bought a ferret this morning, in Kappeln."),
    ("assistant", "Does she have a name?"),
    *([("user", "Not yet."), ("assistant", "Take your time.")] * 5),
    ("user", "The woman wanted 90, I said 60, she cried about her mother, so I paid 80 for the ferret."),
]


@pytest.mark.parametrize(
    ("value", "refused"),
    [
        ("bought in Kappeln, paid 80", ""),
        ("bought in Hamburg, paid 80", "the name “Hamburg” is not in the line it quotes"),
    ],
)
def test_a_fact_may_name_what_was_said_of_the_thing_long_before(
    reel: Reel, kit: Path, value: str, refused: str
) -> None:
    """“Pinneberg”, said five messages before, was not in the line: a dog had no fact for ten weeks."""
    reel("record", say(reel, kit, FERRET)).ok()
    reel("checkpoint", "--prompt").ok()
    told = keep(reel, f'"so I paid 80 for the ferret": fact — context / ferret / {value} — she stays')
    known = json.loads(reel("fact", "list", "--json").ok().out)
    assert [one["value"] for one in known] == ([] if refused else [value])
    assert [NO_FACT in one and refused in one for one in amiss(told)] == ([True] if refused else [])


def test_a_name_of_an_earlier_chat_is_no_reason_against_a_fact(reel: Reel, kit: Path) -> None:
    reel("record", say(reel, kit, [("user", "Ray lives at 16."), ("assistant", "Oh.")], 24)).ok()
    hedge = [("user", "I measured the hedge, and it's twelve foot."), ("assistant", "Twelve.")]
    reel("record", say(reel, kit, hedge)).ok()
    reel("checkpoint", "--prompt").ok()
    told = keep(reel, '"I measured the hedge": fact — context / hedge / that of Ray at 16 — measured')
    assert amiss(told) == []


def test_a_cut_page_is_asked_for_all_that_was_asked(reel: Reel, kit: Path) -> None:
    reel("record", say(reel, kit)).ok()
    asked = reel("checkpoint", "--prompt").ok().out
    half = page({**MINE, "My notes": None})
    refused = reel("checkpoint", "--reply", "-", "--yes", stdin=half)
    assert (refused.code, '"My notes" is missing; 14 of 15 parts are kept.' in refused.err) == (1, True)
    repair = reel("checkpoint", "--prompt").ok().out
    titles = ["My notes", "What I know for sure", "What to keep of this"]
    headings = [title for title in re.findall(r"(?m)^## (.*)$", repair) if title in titles]
    assert headings == titles
    for title in titles[1:]:
        assert asked.partition(f"## {title}\n")[2][:300] == repair.partition(f"## {title}\n")[2][:300]
    # what is left out in the end too is said, and stays due
    notes = "## My notes\nstate: He is close to a deadline.\n\n"
    told = json.loads(reel("checkpoint", "--reply", "-", "--yes", "--json", stdin=f"{notes}Ada\n").ok().out)
    said = [one["what"] for one in told["problems"] if one["field"] in ("facts", "intake")]
    assert said == [
        "“What I know for sure” was not answered; the next page asks for it",
        "“What to keep of this” was not answered; nothing is kept of it",
    ]
    assert waiting(reel) == 2


def test_a_broken_file_loses_no_chat(reel: Reel, kit: Path) -> None:
    """Memory Keep §I.e: do the bookkeeping so that no reply has to wait for it."""
    place = say(reel, kit)
    (kit / "intake.yaml").write_text("waiting:\n- source: '2026\n")
    run = reel("record", place).ok()
    assert "Recorded “t” as 2026-02-25-1, 6 messages." in run.out + run.err
    assert "intake.yaml, line 2: this quotation mark is never closed." in run.err
    assert (kit / "intake.yaml").read_text() == "waiting:\n- source: '2026\n"
    assert "intake.yaml cannot be read" in reel("status").ok().out
    assert waiting(reel) is None
    assert "intake.yaml, line 2" in reel("doctor").out
    assert "What to keep of this" not in reel("checkpoint", "--prompt").ok().out
    assert reel("checkpoint", "--reply", "-", "--yes", stdin=page(MINE)).ok()


def test_there_is_room_for_so_many_and_the_weakest_go(reel: Reel, kit: Path) -> None:
    with (kit / "kit.yaml").open("a") as file:
        file.write("intake: {most: 2, keep: 1, lines: yes}\n")
    assert "line of its own: Remember: what, because why" in reel("pack").ok().out
    talk = [
        ("user", "I prefer tea. I'm allergic to nuts."),
        ("user", "I promise I'll be there."),
        ("assistant", "Ok."),
    ]
    reel("record", say(reel, kit, talk, 10)).ok()
    text = (kit / "intake.yaml").read_text()
    assert text.count("- source") == 2
    assert "overflow: 2026-02-10-1\n" in text
    # no room is no decision
    assert git(kit, "log", "-1", "--format=%(trailers:key=Reel-Intake)").strip() == ""
    asked = reel("checkpoint", "--prompt").ok().out.partition("## What to keep of this\n")[2]
    assert [words in asked for words in ("I prefer tea.", "nuts", "be there")] == [True, True, True]
    reel(
        "record",
        say(reel, kit, [("user", "My name is Bo Lind."), ("assistant", "I know.\nRemember: Bo")], 11),
    ).ok()
    assert "Reel-Intake" not in git(kit, "log", "-1", "--format=%B")
    assert [line[9:] for line in (kit / "intake.yaml").read_text().splitlines() if "words:" in line] == [
        '"I\'m allergic to nuts."',
        "Bo",
    ]


def test_every_chat_is_listened_to_however_old(reel: Reel, kit: Path) -> None:
    """Memory Keep §II.3.1: the intake looks at every message."""
    folder = kit.parent / "export"
    folder.mkdir()
    for day in range(1, 7):
        say(reel, kit, [("user", f"I promise number {day}."), ("assistant", "Ok.")], day).rename(
            folder / f"{day}.json"
        )
    reel("record", folder).ok()
    told = (kit / "intake.yaml").read_text()
    assert [f"number {day}" in told for day in range(1, 7)] == [True] * 6
    reel("record", say(reel, kit, [("user", "I promise number 0."), ("assistant", "Good.")], 1, "old")).ok()
    assert "number 0" in (kit / "intake.yaml").read_text()
    assert waiting(reel) == 7
    # of what is taken back nothing is asked
    reel("tape", "retract", "2026-02-06-1").ok()
    prompt = reel("checkpoint", "--prompt").ok().out
    assert ["number 5" in prompt, "number 6" in prompt.partition("## What to keep")[2]] == [True, False]


def test_a_page_asks_about_its_own_chat_however_many_wait(reel: Reel, kit: Path) -> None:
    """Memory Keep §II.3.1: an old chat of a long history, of which the queue has no room for anything."""
    with (kit / "kit.yaml").open("a") as file:
        file.write("intake: {most: 14}\n")
    folder = kit.parent / "export"
    folder.mkdir()
    talk = [("user", "I prefer tea with milk."), ("assistant", "Ok."), ("user", "I like rain a lot.")]
    say(reel, kit, talk, 1).rename(folder / "1.json")
    for day in range(2, 17):
        said = f"I'm allergic to nuts of kind {day}."
        say(reel, kit, [("user", said), ("assistant", "Ok.")], day).rename(folder / f"{day}.json")
    reel("record", folder).ok()
    assert waiting(reel) == 14
    assert "tea" not in (kit / "intake.yaml").read_text()
    chat = ("--session", "2026-02-01-1")
    for session, words in (("02-01-1", "I prefer tea with milk."), ("02-03-1", "nuts of kind 3")):
        asked = reel("checkpoint", "--session", f"2026-{session}", "--prompt").ok().out
        assert words in asked.partition("## What to keep of this\n")[2]
    text = page({"Lines to find it by": '"tea with milk"', "What to keep of this": "1: lived — their taste"})
    reel("checkpoint", *chat, "--prompt").ok()
    told = json.loads(reel("checkpoint", *chat, "--reply", "-", "--yes", "--json", stdin=text).ok().out)
    decided = [(one["source"], one["where"], one["why"]) for one in told["intake"]["decided"]]
    assert decided == [("2026-02-01-1#1", "experience", "their taste")]
    assert waiting(reel) == 14
    again = reel("checkpoint", *chat, "--prompt").ok().out.partition("## What to keep of this\n")[2]
    assert "tea" not in again


def test_what_is_edited_away_is_let_go_and_made_nothing_of(reel: Reel, kit: Path) -> None:
    talk = [
        ("user", "Long day, and the heron is back on the wall by the canal."),
        ("assistant", "Good."),
        ("user", "The dentist is on Tuesday at nine in the morning."),
        ("user", "I promise I'll call Wim about the boat he wants to sell."),
        ("assistant", "I will keep the boat in mind until he calls you back."),
    ]
    reel("record", say(reel, kit, talk)).ok()
    reel("checkpoint", "--prompt").ok()
    before = (kit / "intake.yaml").read_text()
    reel("record", say(reel, kit, [*talk[:3], talk[4]])).ok()
    assert waiting(reel) == 1
    # the same page, and a queue as an older reel left it
    after = (kit / "intake.yaml").read_text()
    (kit / "intake.yaml").write_text(before)
    told = keep(reel, "1: lived — a day\n2: open — ask whether he called Wim", "--dry-run")
    assert [one["why"] for one in told["intake"]["decided"]] == ["a day", "it stands no longer in the chat"]
    (kit / "intake.yaml").write_text(after)
    edited = [*talk[:2], ("user", "The dentist is on Wednesday at ten in the morning."), talk[4]]
    reel("record", say(reel, kit, edited)).ok()
    assert waiting(reel) == 1
    text = (kit / "intake.yaml").read_text()
    assert text.count("why: it stands no longer in the chat\n  by: reel\n  where: nowhere") == 2
    assert git(kit, "log", "-1", "--format=%B").count("Reel-Intake: nowhere 2026-02-25-1#3") == 1
    (kit / "intake.yaml").write_text(before)
    assert "may be worth keeping" not in reel("checkpoint", "--prompt").ok().out


def test_what_is_purged_leaves_the_queue(reel: Reel, kit: Path) -> None:
    reel("record", say(reel, kit)).ok()
    reel("record", say(reel, kit, [("user", "My name is Bo."), ("assistant", "Yes.")], 26)).ok()
    reel("purge", "2026-02-25-1", "--confirm", "Ada").ok()
    text = (kit / "intake.yaml").read_text()
    assert "Ines" not in text
    assert "residency" not in text
    assert "My name is Bo." in text
    assert git(kit, "log", "--all", "-SInes", "--format=%h").strip() == ""


def test_what_stands_beside_purged_words_is_not_asked_about(reel: Reel, kit: Path) -> None:
    said = "My sister Wiebke wants to come on Friday 6 March. I decided to say no to her."
    reel("record", say(reel, kit, [("user", said), ("assistant", "As you like.")])).ok()
    assert waiting(reel) == 2
    reel("purge", "--match", "Wiebke", "--confirm", "Ada").ok()
    assert waiting(reel) == 0
    prompt = reel("checkpoint", "--prompt").ok().out
    assert not any(f"{number}. “" in prompt for number in range(1, 4))


def test_what_a_forgotten_memory_tells_of_is_not_asked_about(reel: Reel, kit: Path) -> None:
    """Memory Keep §II.3.1: what a person let go of is not offered as worth keeping."""
    reel("record", say(reel, kit)).ok()
    assert waiting(reel) == 7
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(MINE)).ok()
    # what the persona noted itself is asked about all the same
    assert waiting(reel) == 2
    (memory,) = [path.stem for path in (kit / "ring3").glob("M-*.md")]
    reel("forget", memory, "--yes").ok()
    assert waiting(reel) == 0
    reel("record", say(reel, kit, [("user", "I decided to sell the boat."), ("assistant", "Yes.")], 26)).ok()
    prompt = reel("checkpoint", "--prompt").ok().out
    assert "I decided to sell the boat." in prompt
    for words in ("hates coffee", "residency", "quit smoking"):
        assert f"“{words}" not in prompt.split("may be worth keeping")[1]
    reel("undo", "--yes").ok()
    reel("doctor").ok()


def test_what_was_said_in_a_chat_taken_back_does_not_wait_until_it_counts_again(
    reel: Reel, kit: Path
) -> None:
    reel("record", say(reel, kit)).ok()
    calm: list[tuple[str, str]] = [
        ("user", "The heron is back on the wall by the canal."),
        ("assistant", "Good. I promise to feed it."),
    ]
    reel("record", say(reel, kit, calm, 26)).ok()
    assert waiting(reel) == 8
    tea = "“No, I said tea is fine.” waits to be decided: a correction."
    assert tea in json.loads(reel("why", "2026-02-25-1#5", "--json").ok().out)["now"]
    reel("tape", "retract", "2026-02-25-1", "--yes").ok()
    assert waiting(reel) == 1
    assert "1 thing that was said may be worth keeping" in reel("status").ok().out
    told = reel("why", "2026-02-25-1#5").ok().out
    assert "It was taken back, so none of it counts." in told
    assert "waits" not in told
    # nor does a page tell of more than it asked about
    reel("checkpoint", "--prompt").ok()
    text = page(
        {"Lines to find it by": '"feed it"', "What has shifted": "steady", "What to keep of this": ""}
    )
    kept = reel("checkpoint", "--reply", "-", "--dry-run", "--json", stdin=text).ok()
    assert json.loads(kept.out)["intake"]["waiting"] == 0
    reel("tape", "retract", "2026-02-25-1", "--undo").ok()
    assert waiting(reel) == 8


def test_a_quotation_in_a_value_keeps_both_of_its_marks(reel: Reel, kit: Path) -> None:
    """`"What the Oven Knows", sixty recipes` was kept as `What the Oven Knows", sixty recipes`."""
    talk = [("user", 'My book is "What the Oven Knows", sixty recipes.'), ("assistant", "Good.")]
    reel("record", say(reel, kit, talk)).ok()
    reel("checkpoint", "--prompt").ok()
    value = '"What the Oven Knows", sixty recipes'
    said = f'"My book is {value}."'
    text = page({**MINE, "What to keep of this": f"1: {said} — fact — context / book / {value} — its title"})
    reel("checkpoint", "--reply", "-", "--yes", stdin=text)
    known = json.loads(reel("fact", "list", "--json").ok().out)
    assert [one["value"] for one in known] == [value]


MOVED = "its not the 19th its the 22nd of december"


@pytest.mark.parametrize(
    ("said", "part"),
    [
        (f"the flight is booked {MOVED}", f"the flight is booked {MOVED}"),
        (
            "people would take to my face you know, and i never knew why",
            "people would take to my face you know, and i never knew why",
        ),
        # a few words more complete it
        (
            "went out and changed oil in the moped. it didnt need it",
            "went out and changed oil in the moped. it didnt need it",
        ),
        (
            "the lady there's called Pat and she thinks I'm called Tamara and it's gone on two years so I am",
            "the lady there's called Pat and she thinks I'm called Tamara",
        ),
        (
            "you be sore for who you want and do as you like with it. im the one that has her on the phone",
            "you be sore for who you want and do as you like with it.",
        ),
        (
            "we walked all the way down to the water and stood there an hour, the boat left on 3 May.",
            "the boat left on 3 May.",
        ),
        ("I owe you a song", "I owe you a song"),
    ],
)
def test_a_moment_is_found_by_the_part_that_tells_it(said: str, part: str) -> None:
    assert telling_part(said) == part


@pytest.mark.parametrize(
    "said",
    [
        "no she said funeral.",
        "I paid her! I meant to say. It was late.",
        "the woman in the shop asked is it for a gift and i said no its for Elis like she would know",
        "Then I'll send my sympathy to Callum.",
        "signe had a scan tuesday.",
    ],
)
def test_words_with_nothing_to_keep_are_not_offered(said: str) -> None:
    assert not [*notice(said), *notice(said, own=True)]


@pytest.mark.parametrize(
    ("said", "words"),
    [("its Elis. not Elliot. say it.", "its Elis. not Elliot."), ("it's Elis, not Elliot", None)],
)
def test_a_name_put_right_in_two_sentences_is_offered(said: str, words: str | None) -> None:
    (found,) = notice(said)
    assert (found.words, found.why) == (words or said, "a correction")


def test_an_appointment_that_has_passed_is_not_offered(reel: Reel, kit: Path) -> None:
    for day, told in ((25, True), (26, True), (27, False)):
        said = "My exam is on 26 February." if day == 25 else f"I have always loved rain and {day} cats."
        talk = [("user", said), ("assistant", "Good.")]
        reel("record", say(reel, kit, talk, day=day)).ok()
        asked = reel("checkpoint", "--prompt").ok().out.partition("What to keep of this")[2]
        assert ("26 February" in asked) is told


def test_the_dot_of_a_title_ends_no_sentence_and_an_appointment_has_its_own_day(
    reel: Reel, kit: Path
) -> None:
    talk = [("user", "He limps. The vet is Dr. Olsen, appointment on 8 December."), ("assistant", "Good.")]
    reel("record", say(reel, kit, talk)).ok()
    asked = reel("checkpoint", "--prompt").ok().out.partition("## What to keep of this\n")[2]
    assert '"The vet is Dr. Olsen, appointment on 8 December." (an appointment)' in asked
