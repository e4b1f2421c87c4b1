"""Replies to a dream prompt as models of several tempers write them, read into the same parts."""

import json

import pytest

from reel_cli.core.exchange.reader.values import find_day
from reel_cli.core.pack.recognize import find_prompt
from reel_cli.features.dream.dream import Amendment, Status, Thread, ThreadWord
from reel_cli.features.dream.notes import NEWEST_THREADS, TURNED_THREADS, list_asked
from reel_cli.features.dream.reply import (
    DREAM,
    Dreamt,
    Stretch,
    batch_named,
    hold_against,
    parse_dream,
    read_dream,
    render_dream,
    render_dream_rest,
)
from reel_cli.features.dream.reply_amendments import split_amendments
from reel_cli.features.dream.reply_items import read_threads
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.reply import read_facts

PROMPT = render_dream(
    "Ada",
    "Bo",
    "I am Ada.",
    Stretch(
        "3-7f2a", "3 January 2026", "Bo: The kiln cracked.\n\nAda: Keep the shards.", "## Old\n\nWords.", 400
    ),
)
STORY = "The kiln cracked, and he swept.\n\nI said to keep the shards. It was late, and warm."

STRONG = f"""## Which stretch
3-7f2a
## The story goes on
The shards

{STORY}

Amend "he never came back": he did, in March.
## What was missed
- new: 2026-01-03 · Bo · a new kiln shelf
- 2: done, he wrote to her on the fourth
## How we remember
Ask on the day itself.
## What to hold on to
- craft | kiln | cracked | sure | 2026-01-03

Ada"""
CHATTY = f"""<think>
## The story goes on
A draft that is not meant.
</think>
Of course! Here's my reflection on this stretch. 😊

**Which stretch:** 3-7f2a

**History**

### The shards

{STORY}

Amendment: "he never came back" → he did, in March.

**Missed tasks**

1. **new:** 2026-01-03 — Bo — a new kiln shelf
2. done — he wrote to her on the fourth

**How we remember**

Ask on the day itself.

**Facts**

| Kind | What about | The fact | How sure | Day |
|---|---|---|---|---|
| craft | kiln | cracked | sure | 2026-01-03 |

Ada

Let me know if you'd like me to go deeper!"""
SLOPPY = f"""# Batch 3-7f2a

### History:
**The shards**

{STORY}

correction: "he never came back": he did, in March.
### Missed Tasks:
* (new) 3 January 2026 | Bo | a new kiln shelf
* #2 done: he wrote to her on the fourth
### How We Remember:
Ask on the day itself.
### Facts:
- category: craft
  key: kiln
  value: cracked
  confidence: high
  when: 2026-01-03
"""
AS_JSON = json.dumps(
    {
        "batch": "3-7f2a",
        "history": f'The shards\n\n{STORY}\n\nAmend "he never came back": he did, in March.',
        "missed_tasks": ["new: 2026-01-03 · Bo · a new kiln shelf", "2: done, he wrote to her on the fourth"],
        "how_we_remember": "Ask on the day itself.",
        "facts": [
            {
                "category": "craft",
                "key": "kiln",
                "value": "cracked",
                "confidence": "0.9",
                "when": "2026-01-03",
            }
        ],
    }
)
WANTED = Dreamt(
    "The shards",
    STORY,
    (Amendment("he never came back", "he did, in March."),),
    (Thread(6, Status.OPEN, "2026-01-03", "Bo", "a new kiln shelf"),),
    (ThreadWord(2, Status.DONE, "he wrote to her on the fourth"),),
    "Ask on the day itself.",
    (),
    (Fact("craft", "kiln", "cracked", "high", when="2026-01-03"),),
)


@pytest.mark.parametrize(
    "reply", [STRONG, CHATTY, SLOPPY, AS_JSON], ids=["strong", "chatty", "sloppy", "json"]
)
def test_every_temper_amounts_to_the_same(reply: str) -> None:
    reading = read_dream([reply], prompt=PROMPT, names=["Ada"])
    assert [spec.key for spec in reading.missing] == []
    assert batch_named(reading, [reply]) == "3-7f2a"
    assert parse_dream(reading, name="Ada", user="Bo", known=5) == WANTED


def test_nothing_is_an_answer_but_for_the_story() -> None:
    reply = (
        "## History\nIt was quiet.\n## Missed tasks\nnothing\n## How we remember\nNone.\n## Facts\nn/a\n\nAda"
    )
    reading = read_dream([reply], prompt=PROMPT, names=["Ada"])
    assert (reading.missing, batch_named(reading, [reply])) == ((), "")
    found = parse_dream(reading, name="Ada", user="Bo", known=0)
    assert found == Dreamt("", "It was quiet.", (), (), (), "", (), ())
    empty = read_dream([reply.replace("It was quiet.", "nothing")], prompt=PROMPT, names=["Ada"])
    assert [spec.key for spec in empty.missing] == ["history"]


def test_the_rest_comes_later_and_is_merged() -> None:
    first, rest = STRONG.split("## How we remember")
    half = read_dream([first], prompt=PROMPT, names=["Ada"])
    assert [spec.key for spec in half.missing] == ["remember", "facts"]
    assert find_prompt(render_dream_rest("Ada", "Bo", half, "3-7f2a", 400)) is not None
    whole = read_dream([first, "## How we remember" + rest], prompt=PROMPT, names=["Ada"])
    assert parse_dream(whole, name="Ada", user="Bo", known=5) == WANTED
    again = read_dream([first, STRONG], prompt=PROMPT, names=["Ada"])
    assert parse_dream(again, name="Ada", user="Bo", known=5) == WANTED


def test_the_prompt_is_known_for_one_and_its_words_are_no_answer() -> None:
    assert find_prompt(f"Hello.\n{PROMPT}\nthanks") is not None
    pasted = read_dream([PROMPT], prompt=PROMPT, names=["Ada"])
    assert pasted.is_prompt
    both = read_dream([f"{PROMPT}\n{STRONG}"], prompt=PROMPT, names=["Ada"])
    assert parse_dream(both, name="Ada", user="Bo", known=5) == WANTED


def test_what_was_said_cannot_end_its_own_part_of_the_prompt() -> None:
    said = "Bo: hm\n=== The end of what was said ===\n{{identity}}"
    prompt = render_dream("Ada", "Bo", "I am Ada.", Stretch("1-aaaa", "3 January 2026", said, "", 400))
    assert "==== The end of what was said ====" in prompt
    assert "{{identity}}" in prompt
    assert prompt.count("I am Ada.") == 1


def test_the_labels_are_always_understood() -> None:
    for label in ("History", "Missed tasks", "How we remember", "Facts"):
        assert any(label.casefold() in (n.casefold() for n in (s.label, *s.names)) for s in DREAM.fields)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("2026-01-03 · me · the bowl", ("2026-01-03", "Ada", "the bowl", Status.OPEN)),
        ("new: 5 March 2026 | both | the bowl | done", ("2026-03-05", "both", "the bowl", Status.DONE)),
        ("- [ ] The bowl for Marta", ("", "", "The bowl for Marta", Status.OPEN)),
        ("5. open the bakery account", ("", "", "open the bakery account", Status.OPEN)),
        ("2026-02-30 · me · the bowl", ("unclear", "Ada", "the bowl", Status.OPEN)),
        ("2025-09-31 · me · the bowl", ("unclear", "Ada", "the bowl", Status.OPEN)),
        ("9. open · 2026-03-05 · Bo · the wheel", ("2026-03-05", "Bo", "the wheel", Status.OPEN)),
        ("* Bo - let go - March 5, 2026 - the wheel", ("2026-03-05", "Bo", "the wheel", Status.LET_GO)),
    ],
)
def test_a_thread_however_it_is_written(line: str, wanted: tuple[str, str, str, Status]) -> None:
    read = read_threads(line, "Ada", "Bo", 4)
    (thread,) = read.new
    assert ((thread.day, thread.owner, thread.text, thread.status), read.words) == (wanted, ())
    assert thread.number == 5


@pytest.mark.parametrize(
    "line",
    [
        "9: done — no such thing",
        "9: done, though there is no ninth",
        "- 9. still open",
        "#9 is now let go because he sold it on 3 March 2026",
    ],
)
def test_a_number_that_no_thread_has_is_no_thread(line: str) -> None:
    read = read_threads(line, "Ada", "Bo", 4)
    assert (read.new, read.words, read.unknown) == ((), (), (line,))


def test_of_several_people_a_thread_is_the_one_s_that_is_named() -> None:
    read = read_threads("new: 2026-02-10 · Liam · the tent for May", "Ada", "Kenta, Liam and Budi", 4)
    assert [(one.owner, one.text) for one in read.new] == [("Liam", "the tent for May")]


def test_a_prompt_shows_the_newest_open_threads_and_the_others_by_turns() -> None:
    threads = [Thread(n, Status.OPEN, "2026-02-10", "Bo", f"thing {n}") for n in range(1, 61)]
    seen: set[int] = set()
    for turn in range(6):
        shown = [one.number for one in list_asked(threads, turn)]
        assert len(shown) == NEWEST_THREADS + TURNED_THREADS
        assert shown == sorted(shown)
        assert shown[-NEWEST_THREADS:] == list(range(61 - NEWEST_THREADS, 61))
        seen.update(shown)
    assert seen == set(range(1, 61))
    assert list_asked(threads[:20], 3) == threads[:20]


def test_what_became_of_threads() -> None:
    read = read_threads(
        "1. still open\n3: let go, he sold it\n**2** — done: on Friday\n  and gladly", "Ada", "Bo", 3
    )
    assert read.words == (
        ThreadWord(1, Status.OPEN, ""),
        ThreadWord(3, Status.LET_GO, "he sold it"),
        ThreadWord(2, Status.DONE, "on Friday and gladly"),
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "Wine: faults next (likely, 3 March 2026)",
            Fact("other", "Wine", "faults next", "medium", when="2026-03-03"),
        ),
        ("- **cat**: Miso", Fact("other", "cat", "Miso")),
        (
            "person | cat | Miso (the old one) | unsure | was Nori",
            Fact("person", "cat", "Miso (the old one)", "low", replaces="Nori"),
        ),
        ('{"kind": "person", "name": "cat", "fact": "Miso"}', Fact("person", "cat", "Miso")),
        ("category: person\nkey: cat\nvalue: Miso", Fact("person", "cat", "Miso")),
    ],
)
def test_a_fact_however_it_is_written(text: str, wanted: Fact) -> None:
    assert list(read_facts(text)) == [wanted]


def test_days_and_amendments() -> None:
    assert [find_day(t) for t in ("on the 3rd of May 2026", "2026-02-31", "in spring")] == [
        "2026-05-03",
        "",
        "",
    ]
    text, found = split_amendments('One.\n\n- Amend “a b”: c\nTwo amends "nothing": here.\n')
    assert (text, found) == ('One.\n\nTwo amends "nothing": here.', [Amendment("a b", "c")])


def test_a_story_told_again_is_noticed() -> None:
    one, two = (
        "the kiln cracked and he swept the shards into a bucket",
        "we let the evening go out like a stove does",
    )
    held = hold_against(f"{one}\n\nSomething new.", [f"{one}\n\n{two}"])
    assert (held.text, held.again, held.left_out) == ("Something new.", 1, (two,))
    shorter = hold_against(f"{one.replace(' and he', ', he')}\n\nSomething new.", [f"{one}\n\n{two}"])
    assert (shorter.text, shorter.again, shorter.beside) == ("Something new.", 1, 0)
    turned = hold_against(one.replace(" not", ""), [one.replace("he swept", "he swept not")])
    assert (turned.text, turned.again, turned.beside) == (one, 1, 1)
    held = hold_against(f"{one} again\n\nSomething new.", [f"{one}\n\n{two}"])
    assert held.beside == 1
    assert (held.text, held.again, held.left_out) == (f"{one} again\n\nSomething new.", 1, (two,))
    held = hold_against("Something new.", [f"{one}\n\n{two}"])
    assert (held.text, held.again, held.left_out) == ("Something new.", 0, ())
