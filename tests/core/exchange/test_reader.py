"""Real answers of models, and the traps in them."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.reader.cleaning import rejoin_prompt
from reel_cli.core.exchange.reader.failure import Failure, find_failure
from reel_cli.core.exchange.reader.reader import read_reply
from reel_cli.core.exchange.reader.reply import ReplyReading, merge
from reel_cli.core.exchange.reader.values import Value
from reel_cli.core.exchange.schema import CHECKPOINT, COMBINED, CONSOLIDATION, FieldSpec, Schema
from reel_cli.core.resources import template_folder
from reel_cli.core.values.artifact import Problem

FIVE = {
    "What happened": "He read me chapter four.",
    "What changed": "He asked for the hard version.",
    "What matters": "He finished it.",
    "What's unresolved": "- the ferry\n- the ticket",
    "Retrieval anchors": '"penicillin never"',
}


def page(**bodies: str) -> str:
    """The five fields under `##` headings, some with other words (`What_happened=…`)."""
    told = {label: bodies.get(label.replace(" ", "_").replace("'", ""), body) for label, body in FIVE.items()}
    return "\n".join(f"## {label}\n{body}" for label, body in told.items())


def words(reading: ReplyReading) -> dict[str, str]:
    return {key: value.text for key, value in reading.values.items()}


def missing(reading: ReplyReading) -> list[str]:
    return [spec.key for spec in reading.missing]


PLAIN = {
    "happened": "He read me chapter four.",
    "changed": "He asked for the hard version.",
    "matters": "He finished it.",
    "unresolved": "the ferry\nthe ticket",
    "anchors": "penicillin never",
}


def test_a_plain_page() -> None:
    reading = read_reply(page(), CONSOLIDATION)
    assert words(reading) == PLAIN
    assert reading.lines("unresolved") == ("the ferry", "the ticket")
    assert (reading.missing, reading.problems, reading.cut_off, reading.is_prompt) == ((), (), False, False)
    assert reading.dialect == "heading-2"


_RUSSIAN = [
    ("В двух словах", "Ночь перед Веной"),
    ("Что произошло", "Завтра он едет в Вену."),
    ("Что изменилось", "Ничего."),
    ("Что важно", "Орехи нельзя забыть."),
    ("Что осталось нерешённым", "- взять билет"),
    ("Строки, по которым это найти", '"никаких орехов"'),
    ("Одним дыханием", "Вена, билет и никаких орехов."),
    ("Какая это память", "может угаснуть"),
    ("О чём спросят позже", "Куда он едет?"),
]


@pytest.mark.parametrize("form", ["## {}\n{}", "**{}**\n{}", "**{}:** {}", "{n}. **{}**\n{}"])
def test_headings_in_another_language_are_read_by_their_places(form: str) -> None:
    reply = "\n\n".join(form.format(*part, n=n) for n, part in enumerate(_RUSSIAN, 1))
    reading = read_reply(f"{reply}\n\nAda", CONSOLIDATION, names=("Ada",))
    assert [spec.key for spec in reading.answered] == [spec.key for spec in CONSOLIDATION.asked]
    assert reading.text("happened") == "Завтра он едет в Вену."
    assert reading.lines("anchors") == ("никаких орехов",)
    assert [problem.what for problem in reading.problems] == [
        "Its headings are in other words, and were read by their places."
    ]


@pytest.mark.parametrize("change", ["one less", "one more", "twice the same", "one empty"])
def test_headings_that_may_stand_in_other_places_are_not_read_by_them(change: str) -> None:
    parts = list(_RUSSIAN)
    if change == "one less":
        parts.pop(2)
    elif change == "one more":
        parts.insert(2, ("Погода", "дождь"))
    else:
        parts[2] = (parts[1][0], "Ничего.") if change == "twice the same" else (parts[2][0], "")
    reply = "\n\n".join(f"**{title}**\n{body}" for title, body in parts)
    reading = read_reply(reply, CONSOLIDATION)
    assert not reading.values
    assert find_failure(reply, reading) is Failure.HEADINGS


# --- traps -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        "Wine: faults next. Deadline: 30 April.",
        "What matters is that he came back.",
        "**What matters** is that he came back.",
        "He said **what matters** is sleep. What changed was the light.",
        "### Morning\n**Notes:** he was late.\n\n### Evening\nTitle: none yet.",
        "### What changed\nThat was the heading of his list.",
        "**Summary:** we ate.\n**Tags:** soup, bread",
        "1. What happened to the boat\n2. What matters to the keeper",
        "He wrote:\n\n```python\nwhat_changed: nothing\nprint('x')\n```\n\nand ran it.",
        'He typed {"title": "x", "tags": ["a"]} and asked what it was.',
        "We met in room # 4, at 21:14: no, later.",
        "| what | when |\n|---|---|\n| ferry | 9:00 |",
        "> What happened: that was his first line.\n\nI liked it.",
        "nothing, then everything",
        "None of it was planned.",
    ],
)
def test_content_that_looks_like_structure_stays_content(body: str) -> None:
    reading = read_reply(page(What_happened=body), CONSOLIDATION)
    assert words(reading) == {**PLAIN, "happened": body}
    assert reading.problems == ()


def test_an_echoed_heading_is_one_label() -> None:
    text = page(What_happened="**What happened:** We met.", What_matters="What matters: all of it.")
    assert words(read_reply(text, CONSOLIDATION)) == {**PLAIN, "happened": "We met.", "matters": "all of it."}


@pytest.mark.parametrize(
    "body",
    ["Nothing has shifted.", "not a word", "Not immune.", "No drift.", "no", "Nothing new but the kettle."],
)
def test_a_negation_is_an_answer(body: str) -> None:
    reading = read_reply(page(What_changed=body), CONSOLIDATION)
    assert reading.values["changed"] == Value(body, (body,), empty=False)


@pytest.mark.parametrize(
    "body",
    [
        "nothing",
        "Nothing.",
        "None",
        "n/a",
        "N/A.",
        "null",
        "nil",
        "~",
        "-",
        "—",
        "[]",
        "{}",
        "No change.",
        "*nothing*",
        "- none",
        "not needed",
    ],
)
def test_saying_nothing_is_empty_and_not_missing(body: str) -> None:
    reading = read_reply(page(Whats_unresolved=body), CONSOLIDATION)
    assert (reading.empty("unresolved"), reading.lines("unresolved"), missing(reading)) == (True, (), [])


def test_a_blank_field_is_missing_and_what_happened_must_say_something() -> None:
    assert missing(read_reply(page(What_changed=""), CONSOLIDATION)) == ["changed"]
    assert missing(read_reply(page(What_happened="nothing"), CONSOLIDATION)) == ["happened"]
    assert read_reply(page(What_happened="none"), CONSOLIDATION).empty("happened")


def test_hints_after_a_hash_go_in_yaml_only() -> None:
    reading = read_reply(
        "identity_coherence: yes  # am I still me?\n"
        "calibration_state: She sat in room # 4 and hummed.\n"
        "drift_detected: no # yes/no\n"
        "ring_0_update_suggested: false\n# what to show\nring_1_rotation:\n  - a # b\nring_2_delta: {}\n"
        "# the rest\nsignificance_flags: ~\n",
        CHECKPOINT,
    )
    assert words(reading) == {
        "coherence": "yes",
        "calibration": "She sat in room # 4 and hummed.",
        "drift_detected": "no",
        "paper": "false",
        "show": "a # b",
        "notes": "",
        "fade": "~",
    }
    assert missing(reading) == []


def test_what_shows_that_a_machine_wrote_is_flagged_and_left_alone() -> None:
    text = page(
        What_happened="As an AI language model I read chapter four.",
        What_changed="Dear Bo,\nyou asked for more.",
        What_matters='He said "a language model would not", and laughed.',
    )
    reading = read_reply(text, CONSOLIDATION)
    assert words(reading) == {
        **PLAIN,
        "happened": "As an AI language model I read chapter four.",
        "changed": "Dear Bo,\nyou asked for more.",
        "matters": 'He said "a language model would not", and laughed.',
    }
    assert [(problem.field, problem.what) for problem in reading.problems] == [
        ("happened", "It says “As an AI”, which the persona would not."),
        ("changed", "It begins like a letter (“Dear Bo,”)."),
    ]


def test_a_persona_whose_page_calls_it_a_machine_may_say_so() -> None:
    told = "I told him that a language model cannot smell the sea, and an AI assistant never sleeps."
    reading = read_reply(
        page(What_happened=told), CONSOLIDATION, prompt="You are Sol: a language model who likes the sea."
    )
    assert [one.what for one in reading.problems] == ["It says “AI assistant”, which the persona would not."]


# --- names -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "label",
    [
        "What's unresolved",
        "What’s Unresolved?",
        "WHAT IS UNRESOLVED",
        "whats_unresolved",
        "what_is_unresolved",
        "What unresolved",
        "What's  unresolved:",
        "**What's unresolved**",
        "5. What's unresolved",
        "What's unresolved (open loops)",
        "🧵 What's unresolved",
        "Unresolved threads",
        "Still open",
        "what-is-unresolved",
        "Field 5: What's unresolved",
        "What's unresolved today",
    ],
)
def test_a_label_is_known_however_it_is_written(label: str) -> None:
    assert words(read_reply(page().replace("What's unresolved", label), CONSOLIDATION)) == PLAIN


@pytest.mark.parametrize("sign", ["/", " / ", " & ", " and ", " AND ", " + "])
def test_merged_labels_are_read_as_the_first_and_named(sign: str) -> None:
    text = (
        page()
        .replace("## What changed\n", f"## What changed{sign}What matters\n")
        .replace("## What matters\n", "")
    )
    reading = read_reply(text, CONSOLIDATION)
    assert reading.text("changed") == "He asked for the hard version.\nHe finished it."
    assert missing(reading) == ["matters"]
    assert reading.problems == (
        Problem(
            "matters", "“What matters” shares a heading with “What changed”, and the words were read as that."
        ),
    )


def test_a_translated_heading_is_proposed_and_not_taken() -> None:
    reading = read_reply(page().replace("## What matters", "## Was zählt"), CONSOLIDATION)
    assert missing(reading) == ["matters"]
    assert reading.text("changed") == "He asked for the hard version."
    assert reading.proposed == {"matters": Value("He finished it.", ("He finished it.",))}
    assert reading.problems == (
        Problem("matters", "“What matters” is missing; perhaps it stands under “Was zählt”."),
    )


@pytest.mark.parametrize("label", ["What matters", "Lines to find it by", "Who I am on paper"])
def test_a_label_is_known_with_one_letter_wrong(label: str) -> None:
    schema = COMBINED.only(["matters", "anchors", "paper"])
    for at in range(3, len(label)):
        for wrong in (
            label[:at] + label[at + 1 :],
            label[:at] + "x" + label[at:],
            f"{label[:at]}x{label[at + 1 :]}",
        ):
            assert len(read_reply(f"## {wrong}\nhe came", schema).values) == 1, wrong


def test_headings_of_its_own_end_a_field_where_one_is_missing() -> None:
    text = (
        "[What happened]\nHe came.\n[What changed]\nnothing\n"
        "[Why I mind]\nHe laughed.\n[On the side]\nSoup.\n"
        "[What's unresolved]\n- a\n[Retrieval anchors]\nb c d"
    )
    reading = read_reply(text, CONSOLIDATION)
    assert words(reading) == {
        "happened": "He came.",
        "changed": "nothing",
        "unresolved": "a",
        "anchors": "b c d",
    }
    assert reading.proposed == {}
    assert reading.problems == tuple(
        Problem(
            "matters", f"“{title}” is none of the headings asked for, and what stands under it was not read."
        )
        for title in ("Why I mind", "On the side")
    )


def test_prose_after_a_list_is_not_the_lists_where_the_next_part_is_missing() -> None:
    prose = "And if there is no room for any of that, then this: he came, and it rained, and it was good."
    text = page(Retrieval_anchors=f'"a b c"\n"d e f"\n\n{prose}')
    reading = read_reply(text, CONSOLIDATION)
    assert reading.lines("anchors") == ("a b c", "d e f")
    assert reading.problems == (
        Problem("marker", f"“{prose[:59]}…” stands under no heading, and was not read."),
    )
    whole = read_reply(f"{text}\n## In one breath\nx\n## What kind of memory\ny", CONSOLIDATION)
    assert whole.lines("anchors") == ("a b c", "d e f", prose)


def test_a_stray_heading_where_nothing_is_missing_is_content() -> None:
    body = "He came.\n## Later\nHe went."
    reading = read_reply(page(What_happened=body), CONSOLIDATION)
    assert (words(reading)["happened"], reading.proposed, reading.problems) == (body, {}, ())


def test_loose_one_word_labels_count_only_where_the_prompt_has_them() -> None:
    text = (
        "Title: Rain\nWhat happened: It rained.\nNotes: he was wet.\nWhat changed: nothing\nWhat "
        "matters: that\nUnresolved: a; b\nKeywords: c, d\nTags: factual"
    )
    assert words(read_reply(text, COMBINED)) == {
        "title": "Rain",
        "happened": "It rained.\nNotes: he was wet.",
        "changed": "nothing",
        "matters": "that",
        "unresolved": "a; b",
        "anchors": "c\nd",
        "tags": "factual",
    }


def test_keys_nobody_asked_for_are_named_and_left_out() -> None:
    told = json.dumps({"what_happened": "We met.", "mood": "calm", "what_changed": "x"})
    reading = read_reply(told, CONSOLIDATION)
    assert words(reading) == {"happened": "We met.", "changed": "x"}
    assert reading.problems == (Problem("mood", "“mood” was not asked for and is left out."),)
    in_yaml = read_reply(
        "what_happened: We met.\nmood: calm\nwhat_changed: x\nwhat_matters: y", CONSOLIDATION
    )
    assert words(in_yaml) == {"happened": "We met.", "changed": "x", "matters": "y"}
    assert in_yaml.problems == reading.problems


# --- the protocol's checkpoint ---------------------------------------------------------------


CHECKED = """Checkpoint:
  timestamp: 2026-02-25 21:14
  identity_coherence: still me
  calibration_state: brisk: warmer later
  drift_detected: {drift}
  ring_0_update_suggested: false
  ring_1_rotation: [the wrong train in]
  ring_2_delta: {{new_threads: [buy the ticket, "call: Mum"], closed_loops: [], state_changes: tired}}
  open_loops:
    - the ferry
  significance_flags: []
"""


def test_the_protocols_own_keys() -> None:
    reading = read_reply(CHECKED.format(drift="no"), CHECKPOINT)
    assert words(reading) == {
        "timestamp": "2026-02-25 21:14",
        "coherence": "still me",
        "calibration": "brisk: warmer later",
        "drift_detected": "no",
        "paper": "false",
        "show": "the wrong train in",
        "notes": "new threads: buy the ticket\nnew threads: call: Mum\nstate changes: tired",
        "open_loops": "the ferry",
        "fade": "",
    }
    assert (missing(reading), reading.problems, reading.dialect) == ([], (), "yaml")


@pytest.mark.parametrize(
    ("drift", "lacking"),
    [
        ("no", []),
        ("unsure", []),
        ("yes", ["shifted"]),
        ("true", ["shifted"]),
        ("yes, colder than usual", []),
        ("yes\n  drift_description: colder than usual", []),
    ],
)
def test_reported_drift_must_be_told(drift: str, lacking: list[str]) -> None:
    assert missing(read_reply(CHECKED.format(drift=drift), CHECKPOINT)) == lacking


def test_open_loops_may_stand_in_the_notes_or_among_the_unresolved() -> None:
    without = CHECKED.format(drift="no").replace("  open_loops:\n    - the ferry\n", "")
    assert missing(read_reply(without, CHECKPOINT)) == []
    bare = "\n".join(line for line in without.splitlines() if "ring_2" not in line)
    assert missing(read_reply(bare, CHECKPOINT)) == ["notes", "open_loops"]
    assert missing(read_reply(bare + "\n" + page(), COMBINED)) == ["notes"]


@pytest.mark.parametrize(
    "notes",
    [
        (
            "<ring_2_delta><note id='new'>buy the ticket</note><note id='new'>call Mum</note>"
            "<note id='closed'>chapter three</note><note id='state'>tired</note></ring_2_delta>"
        ),
        (
            "ring_2_delta:\n  new:\n    - buy the ticket\n    - call Mum\n  closed: chapter three\n  "
            "state: tired"
        ),
        "ring_2_delta: {new: [buy the ticket, call Mum], closed: [chapter three], state: tired}",
        (
            '{"ring_2_delta": '
            '{"new": ["buy the ticket", "call Mum"], "closed": ["chapter three"], "state": "tired"}}'
        ),
        "## My notes\n- new:\n  - buy the ticket\n  - call Mum\n- closed: chapter three\n- state: tired",
        (
            "## My notes\n- **new:**\n    * buy the ticket\n    * call Mum\n- **closed:** chapter three"
            "\n- **state**: tired"
        ),
        "## My notes\nnew: buy the ticket\nnew: call Mum\nclosed: chapter three\nstate: tired",
        "**My notes:**\nnew:\n- buy the ticket\n- call Mum\n\nclosed:\n- chapter three\n\nstate:\n- tired",
        (
            "<ring_2_delta>\nnew:\n- buy the ticket\n- call Mum\nclosed: chapter three\nstate: tired\n"
            "</ring_2_delta>"
        ),
    ],
)
def test_notes_in_groups_read_alike(notes: str) -> None:
    reading = read_reply(notes, CHECKPOINT.only(["notes"]))
    assert reading.lines("notes") == (
        "new: buy the ticket",
        "new: call Mum",
        "closed: chapter three",
        "state: tired",
    )


def test_a_verdict_in_a_mapping_comes_first() -> None:
    told = {
        "identity_coherence": {"verdict": "yes", "evidence": "I said no."},
        "calibration_state": ["brisk", "warm"],
    }
    assert words(read_reply(json.dumps(told), CHECKPOINT)) == {
        "coherence": "yes\nevidence: I said no.",
        "calibration": "- brisk\n- warm",
    }


# --- lists -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "items"),
    [
        ("- a b\n* c d\n• e", ("a b", "c d", "e")),
        ("1. a\n2) b", ("a", "b")),
        ("- [ ] a\n- [x] b", ("a", "b")),
        ("[a, b c]", ("a", "b c")),
        ('["a, b", "c"]', ("a, b", "c")),
        ("a\nb\n\nc", ("a", "b", "c")),
        ("a; b c; d", ("a; b c; d",)),
        ("The visa came; the flight is booked", ("The visa came; the flight is booked",)),
        ("1. a b 2. c d 3. e", ("a b", "c d", "e")),
        ("Version 2. is out; nobody saw 1. of it", ("Version 2. is out; nobody saw 1. of it",)),
        (
            "- the residency\n  - 40 pages\n  - by 30 April\n- the ferry",
            ("the residency; 40 pages; by 30 April", "the ferry"),
        ),
        ("- a long thread that goes on\n  below\n- b", ("a long thread that goes on below", "b")),
        ("Here is what stays open for now:\n- a\n- b", ("a", "b")),
        (
            (
                "He never said whether he would take the early ferry, and I never asked him; it was late "
                "by then."
            ),
            (
                (
                    "He never said whether he would take the early ferry, and I never asked him; it was late "
                    "by then."
                ),
            ),
        ),
        (
            "**The ferry**: early or late?\n\n**The ticket**: who pays?",
            ("The ferry: early or late?", "The ticket: who pays?"),
        ),
        ("```\n- a\n- b\n```", ("a", "b")),
        ("> a\n> b", ("a", "b")),
    ],
)
def test_items(body: str, items: tuple[str, ...]) -> None:
    assert read_reply(page(Whats_unresolved=body), CONSOLIDATION).lines("unresolved") == items


@pytest.mark.parametrize(
    "body",
    [
        '"open a letter"\n"penicillin never, Bo"',
        '- "open a letter"\n- "penicillin never, Bo"',
        '"open a letter", "penicillin never, Bo"',
        "“open a letter”, “penicillin never, Bo”",
        '"open a letter" / "penicillin never, Bo"',
        '"open a letter"; "penicillin never, Bo"',
        '"open a letter" and "penicillin never, Bo"',
        "1. open a letter\n2. penicillin never, Bo",
        "* *open a letter*\n* *penicillin never, Bo*",
        "`open a letter`\n`penicillin never, Bo`",
        '["open a letter", "penicillin never, Bo"]',
        '1. "open a letter" 2. "penicillin never, Bo"',
    ],
)
def test_phrases(body: str) -> None:
    assert read_reply(page(Retrieval_anchors=body), CONSOLIDATION).lines("anchors") == (
        "open a letter",
        "penicillin never, Bo",
    )


# --- the whole reply -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "<think>\nWhat happened: hm\n## What changed\ndraft\n</think>\n" + page(),
        "I should answer.\n## What happened\ndraft\n</think>" + page(),
        "[THINK]What happened: hm[/THINK]\n" + page(),
        page() + "\n<think>Was that enough?</think>\n",
        "<thinking>a</thinking>\n<thinking>b</thinking>" + page(),
        "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>"
        + page()
        + "<|return|>",
        page() + "<|im_end|>",
        "\ufeff" + page().replace("\n", "\r\n"),
        page().replace("\n", "\r"),
        page().replace("chapter", "chap\u202eter\x1b").replace("four", "four\x00"),
    ],
)
def test_what_is_hidden_is_skipped(text: str) -> None:
    assert words(read_reply(text, CONSOLIDATION)) == PLAIN


def test_a_thought_that_never_ends_is_a_reply_cut_off() -> None:
    reading = read_reply("<think>\n## What happened\nHm, let me see", CONSOLIDATION)
    assert (reading.cut_off, reading.values) == (True, {})
    after = read_reply(page() + "\n<think>\nWas that", CONSOLIDATION)
    assert (after.cut_off, words(after)) == (True, PLAIN)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("## What happened\nHe came.\n## What changed\nEverything, and what I", "changed"),
        ("**What happened:** He came. **What changed:** a **What matters:** that he", "matters"),
        ('{"what_happened": "He came.", "what_changed": "Everyth', "changed"),
        ("what_happened: He came.\nwhat_changed: a\nwhat_matters: because the long winter had", "matters"),
        ("```\n## What happened\nHe came.\n## What changed\nx\n", "changed"),
    ],
)
def test_a_reply_that_stops_short(text: str, last: str) -> None:
    reading = read_reply(text, CONSOLIDATION)
    assert (reading.cut_off, reading.last) == (True, last)
    assert missing(reading)[-1] == "anchors"


@pytest.mark.parametrize(
    ("ending", "broken"),
    [
        ("## What changed\nI said why I", "changed"),
        ("## What changed\nI said why I did.", ""),
        ("## What changed\nI said why I\n\nAda", ""),
        ("## What changed\na", ""),
        ("## What changed\na\n## What matters\nb\n## What's unresolved\n- the ferry.\n- whe", "unresolved"),
        ("## What changed\na\n## What matters\nb\n## What's unresolved\n- the ferry\n- whe", ""),
        ("## What matters\nI said why I\n## What changed\nHe came.", ""),
    ],
)
def test_a_short_sentence_without_its_end_is_broken_off_where_all_that_follows_is_missing(
    ending: str, broken: str
) -> None:
    reading = read_reply(f"## What happened\nHe came.\n{ending}", CONSOLIDATION, names=["Ada"])
    assert reading.broken == broken


def test_a_field_left_out_in_the_middle_is_not_a_cut() -> None:
    text = page().replace("## What matters\nHe finished it.\n", "")
    reading = read_reply(text, CONSOLIDATION)
    assert (missing(reading), reading.cut_off) == (["matters"], False)


def test_a_whole_page_that_ends_in_mid_sentence_is_a_finding() -> None:
    text = page() + "\n## What kind of memory\nrelational. It may fade, because most of what was"
    reading = read_reply(text, CONSOLIDATION)
    assert (reading.missing, reading.cut_off) == ((), False)
    assert reading.problems == (Problem("kind", "This may be cut off."),)
    assert read_reply(text + "\n\nAda", CONSOLIDATION, names=["Ada"]).problems == ()


PROMPT = """Bo is about to close this window, Ada. Write the page you will wake up to.
Keep these headings, in English. Where you have nothing, write "nothing".

## What happened
Who said or did what, in four to eight sentences.
## What changed
Between you, or in you.
## What matters
Why you would mind losing this.
## What's unresolved
You came in with:
1. the ferry
2. the ticket
What today left open, one a line.
## Retrieval anchors
Copy three to five phrases. Each in "double quotes".

Then your name, alone on the last line.
"""


@pytest.mark.parametrize(
    "text",
    [
        PROMPT,
        PROMPT.replace("## ", ""),
        "You said:\n" + PROMPT,
        PROMPT[:-60],
        PROMPT[PROMPT.index("## ") :],
        PROMPT + "\nAda",
    ],
)
def test_the_prompt_pasted_back(text: str) -> None:
    reading = read_reply(text, CONSOLIDATION, prompt=PROMPT, names=["Ada"])
    assert (reading.is_prompt, reading.values, reading.problems) == (True, {}, ())
    assert missing(reading) == list(PLAIN)


def on_screen(text: str, columns: int) -> list[str]:
    """The lines of a text as a terminal of this width shows them, and hands them out when they are copied."""
    return [
        line[at : at + columns] for line in text.split("\n") for at in range(0, max(1, len(line)), columns)
    ]


WRITTEN = "\n".join(
    (template_folder() / "asks" / name).read_text(encoding="utf-8") for name in ("checkpoint.md", "parts.md")
)


@pytest.mark.parametrize("columns", [40, 60, 100])
def test_the_prompt_copied_from_a_screen_is_known_whole_or_from_its_middle(columns: int) -> None:
    lines = on_screen(WRITTEN, columns)
    for text in (lines, lines[len(lines) // 3 :], lines[-30:], [*lines[-40:], "", "Paste the answer here."]):
        reading = read_reply("\n".join(text), COMBINED, prompt=WRITTEN, names=["Ada"], once=True)
        assert (reading.is_prompt, reading.values, reading.proposed) == (True, {}, {})


def test_a_first_line_that_ends_a_line_of_the_prompt_is_the_answers_own() -> None:
    """A memory whose first words had been said last in a turn began with the whole turn."""
    prompt = "You are Vera.\n**Bo:** Remember the night train to Lisbon\nWrite the page.\n## What happened"
    answer = "The night train to Lisbon\n\n## What happened\nWe spoke of it."
    assert rejoin_prompt(answer, prompt) == answer


def test_an_answer_below_the_prompt_from_a_screen_is_read_alone() -> None:
    text = "\n".join(on_screen(PROMPT, 30)[3:])
    reading = read_reply(f"{text}\n{page()}\n\nAda\n", CONSOLIDATION, prompt=PROMPT, names=["Ada"])
    assert (words(reading), reading.is_prompt, reading.problems) == (PLAIN, False, ())


@pytest.mark.parametrize(
    "text",
    [
        PROMPT + page(),
        PROMPT.replace("## ", "") + "\n\nAda  21:14\n" + page().replace("## ", ""),
        "Some talk before.\n\n" + PROMPT + "\nHere it is:\n" + page() + "\n\nAda\n",
        PROMPT[PROMPT.index("## What changed") :] + page(),
    ],
)
def test_the_prompt_pasted_with_its_answer(text: str) -> None:
    reading = read_reply(text, CONSOLIDATION, prompt=PROMPT, names=["Ada"])
    assert (words(reading), reading.is_prompt, reading.problems) == (PLAIN, False, ())


def test_echoed_hints_are_no_answer() -> None:
    text = page(
        What_happened="*Who said or did what, in four to eight sentences.*\n\nHe read me chapter four.",
        What_changed="(Between you, or in you.) He asked for the hard version.",
        Whats_unresolved=(
            "You came in with:\n1. the ferry\n2. the ticket\nWhat today left open, one a line.\n\nthe "
            "ferry\nthe ticket"
        ),
    )
    assert words(read_reply(text, CONSOLIDATION, prompt=PROMPT)) == PLAIN | {
        "changed": "(Between you, or in you.) He asked for the hard version."
    }


def test_a_second_whole_page_wins() -> None:
    draft = page(What_happened="A draft.", What_matters="A draft too.")
    reading = read_reply(f"{draft}\n\nOn second thought, once more:\n\n{page()}", CONSOLIDATION)
    assert (words(reading), reading.problems) == (PLAIN, ())


def test_a_second_page_that_breaks_off_does_not() -> None:
    again = "## What happened\nOnce more, but other"
    reading = read_reply(f"{page()}\n\n{again}", CONSOLIDATION)
    assert words(reading) == PLAIN
    assert reading.problems == (
        Problem("happened", "“What happened” is given again, with different words; the first is kept."),
    )


def test_a_field_given_twice_is_joined_and_named() -> None:
    text = page().replace("## What matters", "## What happened (continued)\nThen he left.\n## What matters")
    reading = read_reply(text, CONSOLIDATION)
    assert reading.text("happened") == "He read me chapter four.\n\nThen he left."
    assert reading.problems == (
        Problem("happened", "“What happened” is given twice, with different words; both are kept."),
    )
    same = page().replace("## What matters", "## What happened\nHe read me chapter four.\n## What matters")
    assert (words(read_reply(same, CONSOLIDATION)), read_reply(same, CONSOLIDATION).problems) == (PLAIN, ())


@pytest.mark.parametrize(
    "ending",
    [
        "\n\nAda",
        "\n\n— Ada",
        "\n\n*Ada*",
        "\n\nLove,\nAda",
        "\n\nUntil tomorrow,\n**Ada Lind**",
        "\n\n---\n\nAda\n\n---",
        "\n```\n\nAda",
        "\n\n---\nLet me know if you'd like any changes!",
        "\n\nAda\n\nI hope this helps you keep the thread.",
        "\n\nWould you like me to adjust the tone?",
        "\n\n(Note: this page is in your own voice.)\n",
        "\n\n- Ada",
        "\n\nYours, in a singlet,\nAda\n\nP.S. the ferry is at nine.",
        "\n\nAda, who is not a lift",
        "\n\nsigned: Ada",
        "\n\n*turns off the lamp*\n\n— Ada",
        "\n\n— Ada\n\n*the lamp goes off first*",
        "\n\nAda\n\n(I kept to the headings. Shall I make it shorter?)\n",
        "\n\n[/STAGE]",
    ],
)
def test_the_end_of_a_reply(ending: str) -> None:
    assert words(read_reply(page() + ending, CONSOLIDATION, names=["Ada Lind"])) == PLAIN


def test_only_the_last_field_loses_its_ending() -> None:
    body = "We signed it together.\n\nAda\n\nLet me know if you'd like more, he said."
    text = page(What_happened=body)
    assert words(read_reply(text, CONSOLIDATION, names=["Ada"])) == {**PLAIN, "happened": body}
    quoted = '"Let me know if you like it."\n\n"Ada"'
    assert read_reply(page(Retrieval_anchors=quoted), CONSOLIDATION, names=["Bo"]).lines("anchors") == (
        "Let me know if you like it.",
        "Ada",
    )


def test_fields_on_one_line() -> None:
    told = (
        "What happened: He read me chapter four. What changed: He asked for the hard version. What "
        "matters: He finished it."
    )
    assert words(read_reply(told, CONSOLIDATION)) == {
        key: PLAIN[key] for key in ("happened", "changed", "matters")
    }


def test_no_labels_at_all() -> None:
    reading = read_reply("I would rather not.", CONSOLIDATION)
    assert (reading.values, missing(reading), reading.dialect, reading.cut_off) == (
        {},
        list(PLAIN),
        "none",
        False,
    )
    alone = read_reply("<think>x</think>the ferry\nthe ticket", CONSOLIDATION.only(["unresolved"]))
    assert (words(alone), alone.missing, alone.dialect) == (
        {"unresolved": "the ferry\nthe ticket"},
        (),
        "bare",
    )


# --- repair ----------------------------------------------------------------------------------


def test_a_repair_fills_what_was_missing_and_leaves_the_rest() -> None:
    first = read_reply(
        "## What happened\nHe came.\n## What changed\nx\n## What matters\nbecause of what he", CONSOLIDATION
    )
    second = read_reply(
        (
            "Sorry! **What matters:** he came.\n**What's unresolved:** nothing\n**Retrieval "
            'anchors:** "a b c"\n**What changed:** other'
        ),
        CONSOLIDATION,
    )
    assert first.cut_off
    both = merge(first, second)
    assert words(both) == {
        "happened": "He came.",
        "changed": "x",
        "matters": "he came.",
        "unresolved": "nothing",
        "anchors": "a b c",
    }
    assert list(both.values) == list(PLAIN)
    assert (both.missing, both.problems, both.cut_off, both.is_prompt) == ((), (), False, False)


def test_a_repair_settles_what_was_ambiguous() -> None:
    text = (
        page()
        .replace("## What matters\n", "")
        .replace("## What changed\n", "## What changed & What matters\n")
    )
    first = read_reply(text, CONSOLIDATION)
    both = merge(first, read_reply("What matters: He finished it.", CONSOLIDATION.only(["matters"])))
    assert (both.text("matters"), both.missing, both.problems) == ("He finished it.", (), ())


def test_a_repair_that_does_not_help_changes_nothing() -> None:
    first = read_reply(page().replace("## What matters\nHe finished it.\n", ""), CONSOLIDATION)
    both = merge(first, read_reply("I have nothing to add.", CONSOLIDATION))
    assert (words(both), missing(both), both.findings) == (words(first), ["matters"], first.findings)
    assert both.findings == (Problem("matters", "“What matters” is missing."),)


# --- what comes in is untrusted ---------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 50_000,
        '{"what_happened": ' + "[" * 100_000,
        "what_happened: " + "[" * 100_000,
        "what_happened:\n" + "- " * 50_000,
        "what_happened: &a [x]\nwhat_changed: *a\nwhat_matters: !!python/object:os.system x",
        "```\n" * 20_000,
        "<think>" * 20_000,
        "<what_happened>" * 20_000,
        "| What happened |" * 10_000,
        "*" * 200_000,
        "What happened\n" * 20_000,
        '## What happened\n"' + "a'" * 100_000,
        "\ud800 ## What happened\n\udfff",
        "",
        "\n \n",
    ],
)
def test_garbage_is_read_without_harm(text: str) -> None:
    reading = read_reply(text, COMBINED)
    assert "coherence" in missing(reading)
    json.dumps(words(reading)).encode()
    "".join(words(reading).values()).encode()


def test_yaml_is_text() -> None:
    reading = read_reply(
        "what_happened: &a no\nwhat_changed: *a\nwhat_matters: !!int 3\nretrieval_anchors: [21:14, no]",
        CONSOLIDATION,
    )
    assert words(reading) == {
        "happened": "&a no",
        "changed": "*a",
        "matters": "!!int 3",
        "anchors": "21:14\nno",
    }


def test_escapes_write_no_control_codes() -> None:
    told = (
        '{"what_happened": "a\\u001b[31mb\\ud800c", "what_changed": "x\\u0000y", "what_matters": "\\u202e"}'
    )
    assert words(read_reply(told, CONSOLIDATION)) == {
        "happened": "a[31mb\ufffdc",
        "changed": "xy",
        "matters": "",
    }


def test_what_is_far_too_long_is_refused() -> None:
    with pytest.raises(ReelError, match="far too long"):
        read_reply("a\n" * 300_000, CONSOLIDATION)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [*"aW \n#*-:|<>`{}[]\"'/_1.&!~\t", "What happened", "what_changed:", "</think>", "```"]
        ),
        max_size=200,
    ).map("".join)
)
def test_any_text_reads(text: str) -> None:
    reading = read_reply(text, CONSOLIDATION)
    assert set(reading.values) <= {spec.key for spec in CONSOLIDATION.fields}
    assert all(not value.empty or not value.lines for value in reading.values.values())


PROSE = st.lists(
    st.lists(
        st.sampled_from(
            [
                "He said: no.",
                "Wine: faults next.",
                '"Cut the storm," I said.',
                "It's 21:14 — late; very late.",
                "### Later",
                "- one\n- two",
                "**Notes:** he was wet.",
                "What matters is sleep.",
                "1. first\n2. second",
                "(all of it)",
                "Tags? None.",
                "> quoted",
                "a_b: c",
                "Tom's [list] {of} things",
                "50 % off & more",
                "Nothing.",
                "# 4 was red",
                "`code: x`",
                "He left…",
                "| a | b |",
            ]
        ),
        min_size=1,
        max_size=4,
    ).map(" ".join),
    min_size=1,
    max_size=4,
).map(lambda paragraphs: "He came.\n\n" + "\n\n".join(paragraphs) + "\n\nThat was it.")


@settings(max_examples=100, deadline=None)
@given(
    PROSE,
    PROSE,
    st.lists(
        st.sampled_from(["the ferry: early?", "Osei's list; still", "40 pages, no less", '"why" and when']),
        min_size=2,
        unique=True,
    ),
)
def test_prose_survives_every_dress(happened: str, matters: str, items: list[str]) -> None:
    told = {
        "what_happened": happened,
        "what_changed": "x",
        "what_matters": matters,
        "whats_unresolved": items,
        "retrieval_anchors": ["a b", "c d"],
    }
    flat = {
        key: value if isinstance(value, str) else "\n".join(f"- {item}" for item in value)
        for key, value in told.items()
    }
    spoken = {key.replace("_", " ").replace("whats", "what's"): value for key, value in flat.items()}
    readings = [
        read_reply(text, CONSOLIDATION)
        for text in (
            "\n\n".join(f"## {key}\n{value}" for key, value in spoken.items()),
            "\n\n".join(f"**{key}:** {value}" for key, value in spoken.items()),
            "\n\n".join(f"{key.upper()}:\n{value}" for key, value in spoken.items()),
            "\n".join(f"<{key}>\n{value}\n</{key}>" for key, value in flat.items()),
            json.dumps(told, indent=1),
            repr(told),
        )
    ]
    for reading in readings:
        assert reading.text("happened").split() == happened.split()
        assert reading.text("matters").split() == matters.split()
        assert reading.lines("unresolved") == tuple(items)
        assert (reading.lines("anchors"), reading.missing, reading.problems) == (("a b", "c d"), (), ())


FACTS = Schema(
    "facts",
    (
        FieldSpec("facts", "New facts", names=("new_facts",), shape="list"),
        FieldSpec("gone", "No longer true", names=("retired",), shape="list", required=False),
    ),
)


@pytest.mark.parametrize(
    "text",
    [
        "## New facts\n- Bo: writer\n- has a boat",
        'new_facts: ["Bo: writer", has a boat]',
        '{"new_facts": ["Bo: writer", "has a boat"]}',
        "New facts:\nBo: writer\nhas a boat",
    ],
)
def test_a_small_schema_reads_alike(text: str) -> None:
    reading = read_reply(text, FACTS)
    assert (reading.lines("facts"), reading.missing) == (("Bo: writer", "has a boat"), ())


def test_the_example_prompt_and_its_words_are_known_without_the_prompt() -> None:
    asks = template_folder() / "asks" / "parts.md"
    reading = read_reply(asks.read_text(encoding="utf-8"), COMBINED)
    assert (reading.is_prompt, reading.values) == (True, {})


@pytest.mark.parametrize("name", ['Old "Mother" O\'Hare', "*Star*"])
def test_a_signature_with_the_marks_of_the_name_is_no_note(name: str) -> None:
    schema = Schema("notes", (FieldSpec("notes", "My notes"),))
    reading = read_reply(f"## My notes\nnew: a blue boat\n\n{name}\n", schema, names=[name])
    assert words(reading) == {"notes": "new: a blue boat"}
    quoted = read_reply('## My notes\nnew: a blue boat\n\n"Star"\n', schema, names=["Star"])
    assert words(quoted) == {"notes": 'new: a blue boat\n\n"Star"'}


@pytest.mark.parametrize("mark", ["## {}", "# {}", "**{}**", "### {}:"])
def test_a_heading_that_is_cut_at_the_end_is_no_unknown_one(mark: str) -> None:
    """A model that runs out of room stops within a heading as well: “## Li”."""
    whole = re.sub(r"(?m)^## (.*)$", lambda found: mark.format(found[1]), page())
    starts = [found.start() for found in re.finditer(r"(?m)^(?:#|\*\*)", whole)][1:]
    for start in starts:
        for end in range(start + 1, whole.index("\n", start)):
            told = [problem.what for problem in read_reply(whole[:end], COMBINED).findings]
            assert not [what for what in told if "none of the headings" in what], whole[start:end]
    # what stands under an unknown heading is told, also at the end
    told = [problem.what for problem in read_reply(f"{page()}\n## Weather\n\nFog.\n", COMBINED).findings]
    assert "“Weather” is none of the headings asked for" in " ".join(told)
