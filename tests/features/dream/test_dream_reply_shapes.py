"""A dream's reply in every shape a model may give it: the same parts, or a word on what could not be read."""

import json
from collections.abc import Callable

import pytest

from reel_cli.features.dream.dream import Status, Thread, ThreadWord
from reel_cli.features.dream.reply import batch_named, parse_dream, read_dream
from reel_cli.features.dream.reply_amendments import unread_amendments
from reel_cli.features.dream.reply_items import Threads, read_threads
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.reply import read_facts
from tests.features.dream.test_dream_reply import PROMPT, STORY, WANTED

AMEND = 'Amend "he never came back": he did, in March.'
ASKED = ("Which stretch", "The story goes on", "What was missed", "How we remember", "What to hold on to")
PUBLISHED = ("Batch", "History", "Missed tasks", "How we remember", "Facts")
FILES = ("Which stretch", "story/history.md", "story/missed.md", "story/how-we-remember.md", "facts.yaml")
GERMAN = ("Welcher Abschnitt", "Die Geschichte", "Was versäumt wurde", "Wie wir uns erinnern", "Was bleibt")
JAPANESE = ("どの区間", "物語は続く", "見逃したこと", "どう記憶するか", "覚えておくこと")
BODIES = (
    "3-7f2a",
    f"The shards\n\n{STORY}\n\n{AMEND}",
    "- new: 2026-01-03 · Bo · a new kiln shelf\n- 2: done, he wrote to her on the fourth",
    "Ask on the day itself.",
    "- craft | kiln | cracked | sure | 2026-01-03",
)
AS_JSON = dict(zip(ASKED, BODIES, strict=True))
THREAD_RECORDS = [
    {"new": True, "day": "2026-01-03", "owner": "Bo", "thread": "a new kiln shelf"},
    {"number": 2, "status": "done", "note": "he wrote to her on the fourth"},
]
FACT_RECORDS = [
    {"kind": "craft", "what about": "kiln", "the fact": "cracked", "confidence": "sure", "day": "2026-01-03"}
]


def page(
    heading: Callable[[int, str], str],
    labels: tuple[str, ...] = ASKED,
    story: str = BODIES[1],
    missed: str = BODIES[2],
    facts: str = BODIES[4],
) -> str:
    bodies = (BODIES[0], story, missed, BODIES[3], facts)
    told = (
        f"{heading(n, label)}\n{body}" for n, (label, body) in enumerate(zip(labels, bodies, strict=True), 1)
    )
    return "\n\n".join(told) + "\n\nAda\n"


def h2(_number: int, label: str) -> str:
    return f"## {label}"


SHAPES = {
    "bold": page(lambda _, label: f"**{label}**"),
    "bold and colon": page(lambda _, label: f"**{label}:**"),
    "bold and numbered": page(lambda n, label: f"**{n}. {label}**"),
    "a numbered list": page(lambda n, label: f"{n}. {label}"),
    "in parentheses": page(lambda n, label: f"{n}) {label}:"),
    "in capitals": page(lambda _, label: f"# {label.upper()}"),
    "in lower case": page(lambda _, label: f"{label.lower()}:"),
    "bare lines": page(lambda _, label: label),
    "underlined": page(lambda _, label: f"{label}\n{'-' * len(label)}"),
    "with signs": page(lambda _, label: f"## 🌙 {label}"),
    "between rules": page(lambda _, label: f"---\n\n## {label}"),
    "published labels": page(h2, PUBLISHED),
    "published labels, small": page(lambda _, label: f"{label.lower()}:", PUBLISHED),
    "published labels, bold": page(lambda _, label: f"**{label}**", PUBLISHED),
    "names of files": page(h2, FILES),
    "quoted": "\n".join(f"> {line}" for line in page(h2).splitlines()),
    "fenced": f"Sure! Here is my reflection:\n\n```markdown\n{page(h2)}```\n\nLet me know. 💛",
    "with a goodbye": f"I took my time.\n\n{page(h2)}\nThank you. Shall we go on with the next stretch?",
    "CRLF": page(h2).replace("\n", "\r\n"),
    "German": page(h2, GERMAN),
    "German, bold": page(lambda _, label: f"**{label}**", GERMAN),
    "Japanese": page(lambda n, label: f"### {n}. {label}", JAPANESE),
    "JSON": json.dumps(AS_JSON),
    "JSON, fenced": f"Here you go:\n```json\n{json.dumps(AS_JSON, indent=2)}\n```",
    "JSON, in a shell": json.dumps({"dream": AS_JSON}),
    "JSON, records": json.dumps({**AS_JSON, ASKED[2]: THREAD_RECORDS, ASKED[4]: FACT_RECORDS}),
    "amend, curly": page(h2, story=BODIES[1].replace('"he never came back"', "“he never came back”")),
    "amend, single": page(h2, story=BODIES[1].replace('"he never came back"', "'he never came back'")),
    "amend, bold": page(h2, story=BODIES[1].replace("Amend ", "**Amend** ")),
    "amend, a list": page(h2, story=BODIES[1].replace("Amend ", "### Amendments\n- ")),
    "facts, a table": page(
        h2, facts="| Fact | Kind | About | Day | Confidence |\n|:--|---|---|---|---|\n"
        "| cracked | craft | kiln | 2026-01-03 | sure |",
    ),
    "threads, a table": page(
        h2, missed="| # | Day | Whose | What | Status |\n|---|---|---|---|---|\n"
        "| new | 2026-01-03 | Bo | a new kiln shelf | open |\n"
        "| 2 | | | he wrote to her on the fourth | done |",
    ),
    "threads, two tables": page(
        h2, missed="| New | | |\n|---|---|---|\n| 2026-01-03 | Bo | a new kiln shelf |\n\n"
        "| Number | Status | What shows it |\n|---|---|---|\n| 2 | done | he wrote to her on the fourth |",
    ),
    "threads under headings": page(
        h2, missed="**New:**\n- 2026-01-03 · Bo · a new kiln shelf\n\n**Already open:**\n"
        "- Thread 2 is done: he wrote to her on the fourth",
    ),
    "threads, bold": page(
        h2, missed="* **2026-01-03** (Bo): a new kiln shelf\n* **2** (done): he wrote to her on the fourth"
    ),
    "threads, numbered": page(
        h2, missed="1. new: 2026-01-03 · Bo · a new kiln shelf\n2. #2 → done: he wrote to her on the fourth"
    ),
}  # fmt: skip


@pytest.mark.parametrize("reply", SHAPES.values(), ids=SHAPES.keys())
def test_every_shape_amounts_to_the_same(reply: str) -> None:
    reading = read_dream([reply], prompt=PROMPT, names=["Ada"])
    assert [spec.key for spec in reading.missing] == []
    assert batch_named(reading, [reply]) == "3-7f2a"
    assert parse_dream(reading, name="Ada", user="Bo", known=5) == WANTED


def test_headings_in_another_language_are_said_to_be_taken_in_their_order() -> None:
    reading = read_dream([SHAPES["German"]], prompt=PROMPT, names=["Ada"])
    assert [(p.field, p.what) for p in reading.findings] == [
        ("history", "Its headings are none of those asked for; they were taken in their order.")
    ]


@pytest.mark.parametrize(
    "reply",
    [
        page(lambda _, label: f"{label}:", GERMAN),  # nothing says that these are headings
        page(h2, GERMAN).replace("3-7f2a\n", ""),  # nothing says where the first is
        page(h2, GERMAN).replace("## Was bleibt\n", ""),  # one is missing, and nobody knows which
        page(h2, GERMAN).replace("The shards", "## The shards"),  # one too many
    ],
)
def test_what_cannot_be_told_apart_is_missing_and_named(reply: str) -> None:
    reading = read_dream([reply], prompt=PROMPT, names=["Ada"])
    assert {spec.key for spec in reading.missing} == {"history", "missed", "remember", "facts"}
    assert "“The story goes on” is missing." in [problem.what for problem in reading.findings]


def test_an_amendment_that_names_no_words_stays_and_is_told_of() -> None:
    story = f"The shards\n\n{STORY}\n\nAmend he never came back: he did.\n\nI meant to amend the shelf."
    found = parse_dream(
        read_dream([page(h2, story=story)], prompt=PROMPT, names=["Ada"]), name="Ada", user="Bo", known=5
    )
    assert "Amend he never came back: he did." in found.story
    assert unread_amendments(found.story) == ["Amend he never came back: he did."]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Miso is the cat.", Fact("other", "Miso is the cat.", "Miso is the cat.")),
        ("person | cat | Miso", Fact("person", "cat", "Miso")),
        ("| person | cat | Miso |", Fact("person", "cat", "Miso")),
        ("| Key | Value |\n|---|---|\n| cat | Miso |", Fact("other", "cat", "Miso")),
        ("| Thing | It is |\n|---|---|\n| cat | Miso |", Fact("other", "cat", "Miso")),
    ],
)
def test_facts_with_fewer_parts(text: str, wanted: Fact) -> None:
    assert list(read_facts(text)) == [wanted]


def test_a_table_whose_columns_say_nothing_is_a_list() -> None:
    text = "| A | B | C |\n|---|---|---|\n| 2026-01-03 | Bo | a shelf |\n| 2 | done | sent |\n"
    assert read_threads(text, "Ada", "Bo", 5) == Threads(
        (Thread(6, Status.OPEN, "2026-01-03", "Bo", "a shelf"),),
        (ThreadWord(2, Status.DONE, "sent"),),
    )
