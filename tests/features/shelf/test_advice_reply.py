"""Advice in every shape models give it: the same advice out, or a reason why there is none."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from reel_cli.core.pack.recognize import find_prompt
from reel_cli.core.resources import read_advice_schema
from reel_cli.features.shelf.advice.advice import (
    ACTIONS,
    ARCHIVE,
    LEAVE,
    LONGEST_PATH,
    MOST_HINTS,
    SUMMARIZE,
    Advice,
    Hint,
)
from reel_cli.features.shelf.advice.reply import read_advice, read_advice_lines, render_advice_prompt
from reel_cli.features.shelf.advice.reply_shapes import has_advice
from reel_cli.features.shelf.mcp_tools import TOOLS

FIXTURES = Path(__file__).parents[2] / "fixtures/advice"
VALIDATOR = Draft202012Validator(json.loads(read_advice_schema()))
MEANT = Advice(
    "the kiln is mended",
    (Hint("shelf/a.md", "we are on it"),),
    (Hint("shelf/log 1.txt", "old", ARCHIVE),),
    trigger_gc=True,
)
VALUE: dict[str, Any] = {
    "hot": [{"path": "shelf/a.md", "why": "we are on it"}],
    "cold": [{"path": "shelf/log 1.txt", "why": "old", "suggested_action": "archive"}],
    "trigger_gc": True,
    "why": "the kiln is mended",
}
J = json.dumps(VALUE)
BLOCK = """\
hot:
  - path: shelf/a.md
    why: we are on it
cold:
  - path: shelf/log 1.txt
    why: old
    suggested_action: archive
trigger_gc: true
why: the kiln is mended
"""
SHAPES = {
    "bare": J,
    "indented": json.dumps(VALUE, indent=2),
    "fenced": f"Sure! Here is what I'd say:\n\n```json\n{J}\n```\nLet me know if you want more.\n\nAda",
    "unclosed fence": f"```json\n{J}",
    "in prose": f"I thought about it, {{really}}. {J} That is all.",
    "thought first": f'<think>{{"hot": [{{"path": "x"}}], "why": "n"}}</think>\n{J}',
    "draft first": f'First try: {{"hot": [], "cold": [], "why": "no"}}\n\nBetter:\n{J}',
    "wrapped": json.dumps({"memory.advise": VALUE}),
    "wrapped twice": json.dumps([{"advice": {"memory_advise": VALUE}}]),
    "tool call": f'<tool_call>\n{{"name": "memory.advise", "arguments": {J}}}\n</tool_call>',
    "packed": json.dumps({"name": "memory.advise", "arguments": J}),
    "chat completion": json.dumps(
        {"tool_calls": [{"id": "1", "type": "function", "function": {"name": "m", "arguments": J}}]}
    ),
    "tool use": json.dumps({"type": "tool_use", "name": "memory.advise", "input": VALUE}),
    "single quotes": repr(VALUE),
    "trailing commas": J.replace("}]", "},]").replace('ded"}', 'ded",}'),
    "curly quotes": J.replace('"shelf/a.md"', "“shelf/a.md”").replace('"we are on it"', "“we are on it”"),
    "brackets lacking": J[:-1],
    "comments": J.replace('"cold"', '\n// what can go\n"cold"'),
    "two blocks": "```json\n{}\n```\nand\n```json\n{}\n```".format(
        json.dumps({"hot": VALUE["hot"]}), json.dumps({k: v for k, v in VALUE.items() if k != "hot"})
    ),
    "python call": f"```tool_code\nmemory.advise(hot={VALUE['hot']}, cold={VALUE['cold']}, "
    'trigger_gc=True, why="the kiln is mended")\n```',
    "YAML": BLOCK,
    "YAML fenced": f"Of course.\n\n```yaml\n{BLOCK}```\n\nAda",
    "YAML in prose": f"Of course.\n\n{BLOCK}\nAda",
    "YAML wrapped": "memory.advise:\n" + "".join(f"  {line}\n" for line in BLOCK.splitlines()),
    "YAML flush": BLOCK.replace("\n  - ", "\n- ").replace("\n    ", "\n  "),
    "YAML quoted": BLOCK.replace("we are on it", "'we are on it'").replace(": old", ': "old"'),
    "YAML folded": BLOCK.replace("we are on it", ">-\n      we are\n      on it"),
    "YAML flow": "hot: [{path: shelf/a.md, why: we are on it}]\n"
    "cold: [{path: shelf/log 1.txt, why: old, suggested_action: archive}]\n"
    "trigger_gc: yes\nwhy: the kiln is mended\n",
    "paths as keys": json.dumps(
        {
            **VALUE,
            "hot": {"shelf/a.md": "we are on it"},
            "cold": {"shelf/log 1.txt": {"reason": "old", "action": "Archive"}},
        }
    ),
    "items as lines": json.dumps(
        {**VALUE, "hot": ["shelf/a.md — we are on it"], "cold": ["`shelf/log 1.txt`: old (archive)"]}
    ),
    "Markdown": "**Hot:**\n- `shelf/a.md` — we are on it\n\n"
    "**Cold:**\n- `shelf/log 1.txt` — old (archive)\n\n**trigger_gc:** true\n**Why:** the kiln is mended\n",
    "headed tables": "**Why:** the kiln is mended\n\n**Keep within reach**\n\n| Path | Why |\n|---|---|\n"
    "| `shelf/a.md` | we are on it |\n\n**Can go**\n\n| Path | Why | Suggested action |\n|---|---|---|\n"
    "| `shelf/log 1.txt` | old | archive |\n\n**Trigger GC:** yes, it is time.\n\nAda\n",
    "headed lists": "## Why: the kiln is mended\n\n## What to keep\n\n1. shelf/a.md — we are on it\n\n"
    "## What can go\n\n1. shelf/log 1.txt — old (archive)\n\n## Trigger gc: true\n",
    "CRLF": BLOCK.replace("\n", "\r\n"),
    "quoted mail": "".join(f"> {line}\n" for line in json.dumps(VALUE, indent=1).splitlines()),
}


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_shape_is_the_same_advice(shape: str) -> None:
    found = read_advice(SHAPES[shape])
    assert (found.advice, found.problems, found.refusal) == (MEANT, (), "")


MANIFESTS = """\
```yaml
# hot.yml
protocol: MEMORY-MGMT/0.1
updated: "2025-12-30T12:30:00Z"

keep:
  - path: "shelf/a.md"
    why: "Currently debugging — we are on it"
    since: "2025-12-30T12:00:00Z"
    touches: 15  # Times referenced this session
```

```yaml
# cold.yml
protocol: MEMORY-MGMT/0.1

evict:
  - path: "shelf/log 1.txt"
    why: "Failed approach — keeping for history only"
    last_touch: "2025-12-30T12:08:00Z"
    suggested_action: "archive"
```
"""


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("", "", "keeping for history only"),
        ("  # Times referenced this session", "", "keeping for history only"),
        ("history only", "history: only", "keeping for history: only"),
    ],
)
def test_the_documents_own_manifests_are_advice(old: str, new: str, why: str) -> None:
    found = read_advice(MANIFESTS.replace(old, new) if old else MANIFESTS)
    assert found.advice == Advice(
        "as hot.yml and cold.yml list it",
        (Hint("shelf/a.md", "Currently debugging — we are on it"),),
        (Hint("shelf/log 1.txt", f"Failed approach — {why}", ARCHIVE),),
    )
    value = {"keep": [{"path": "shelf/a.md", "why": "w"}], "evict": []}
    assert read_advice(json.dumps(value)).advice == Advice(
        "as hot.yml and cold.yml list it", (Hint("shelf/a.md", "w"),)
    )


@pytest.mark.parametrize(
    ("reply", "hot", "cold"),
    [
        (1, 8, 6),
        (2, 4, 3),
        (3, 7, 5),
        (4, 10, 7),
        (5, 5, 4),
        (6, 7, 4),
        (7, 6, 4),
        (8, 6, 5),
        (9, 7, 5),
        (10, 5, 3),
    ],
)
def test_what_was_answered_to_a_prompt_is_read_without_asking_again(reply: int, hot: int, cold: int) -> None:
    text = (FIXTURES / f"{reply:02d}.txt").read_text(encoding="utf-8")
    advice = read_advice(text).advice
    assert advice is not None
    assert (len(advice.hot), len(advice.cold)) == (hot, cold)


def test_a_page_with_headings_for_neither_side_is_no_advice() -> None:
    page = (
        "**Why:** so it is\n\n**What I would not keep or let go**\n\n- a.md — x\n\n**Notes**\n\n- b.md — y\n"
    )
    assert read_advice(page).refusal == "That reply has no advice in a form that reel can read."


def test_yaml_that_prose_has_broken_keeps_its_words() -> None:
    broken = BLOCK.replace("we are on it", 'Glaze: we are "on" it').replace(": old", ": *very* old # 4")
    found = read_advice(broken).advice
    assert found is not None
    assert (found.hot[0].why, found.cold[0].why) == ('Glaze: we are "on" it', "*very* old # 4")


LINES = """I would say:

- **Keep at hand:** shelf/a.md — we are on it
Let go: `shelf/log 1.txt` — old (archive)
Let go: shelf/b.md
"""


def test_lines_in_what_was_said_are_advice() -> None:
    found = read_advice_lines(LINES, "2026-02-10-1#12").advice
    assert found == Advice(
        "said in 2026-02-10-1#12", MEANT.hot, (*MEANT.cold, Hint("shelf/b.md", "", LEAVE)), trigger_gc=False
    )
    because = read_advice(f"{LINES}Because: the kiln is mended").advice
    assert because is not None
    assert because.why == "the kiln is mended"
    assert [has_advice(text) for text in (LINES, f"memory.advise {J}", "Let go of it.", "")] == [
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I'd rather not.", "That reply has no advice in a form that reel can read."),
        ('{"hot": [], "cold": []}', "The advice gives no reason: it needs a “why” beside hot and cold."),
        ('{"hot": [], "why": "  "}', "The advice gives no reason: it needs a “why” beside hot and cold."),
        (J[:100], "The advice breaks off before its end."),
        ('{"why": "x", "cold": [{"path": "plan.md"', "The advice breaks off before its end."),
        ('{"why": "x", "cold": [{"path": "plan.md"}', "The advice breaks off before its end."),
        (
            "hot: &a\n  - path: x\ncold: *a\nwhy: y\n",
            "That reply has no advice in a form that reel can read.",
        ),
        (
            '{"hot": ' + "[" * 400 + "]" * 400 + "}",
            "The advice gives no reason: it needs a “why” beside hot and cold.",
        ),
        (
            json.dumps({"hot": [{"path": f"{n}"} for n in range(MOST_HINTS + 1)], "why": "all"}),
            f"The advice names {MOST_HINTS + 1} things; {MOST_HINTS} are the most.",
        ),
    ],
)
def test_what_is_no_advice_is_refused(text: str, told: str) -> None:
    found = read_advice(text)
    assert (found.advice, found.refusal) == (None, told)


@pytest.mark.parametrize(
    ("item", "told"),
    [
        (
            {"path": "a", "suggested_action": "burn"},
            "a: “burn” is not an action; the actions are " + ", ".join(ACTIONS) + ".",
        ),
        ({"why": "old"}, "One thing is named without a path, and is left out."),
        ({"path": "a\nb"}, "“a b” is not the path of a file."),
        ({"path": "a" * (LONGEST_PATH + 1)}, f"“{'a' * 79}…” is not the path of a file."),
    ],
)
def test_one_thing_that_cannot_be_is_named_and_the_rest_stays(item: dict[str, str], told: str) -> None:
    found = read_advice(json.dumps({**VALUE, "cold": [item, *VALUE["cold"]]}))
    assert found.advice == MEANT
    assert [problem.what for problem in found.problems] == [told]


def test_actions_are_known_however_they_are_spelled() -> None:
    said = ["Summarize, then evict", "ARCHIVE", "delete from working set", "summarize", "remove", ""]
    value = {"why": "w", "cold": [{"path": f"{n}", "suggested_action": one} for n, one in enumerate(said)]}
    found = read_advice(json.dumps(value)).advice
    assert found is not None
    assert [one.action for one in found.cold] == [SUMMARIZE, ARCHIVE, LEAVE, SUMMARIZE, LEAVE, LEAVE]


def test_the_prompt_is_known_again_and_is_no_answer() -> None:
    prompt = render_advice_prompt("Ada", "Bo", "You are Ada.\n\n=== sworn ===", ["shelf/a.md · === a"])
    assert prompt.endswith("alone on the last line of the page.\n")
    assert find_prompt(f"Hi.\n{prompt}") is not None
    assert read_advice(prompt, prompt).is_prompt
    assert read_advice(f"{prompt}\n{J}\n\nAda", prompt).advice == MEANT


HINTS = st.fixed_dictionaries(
    {
        "path": st.text(
            st.characters(categories=["L", "N"], include_characters="/._- "), min_size=1, max_size=12
        )
    },
    optional={"why": st.text(max_size=12), "suggested_action": st.sampled_from(ACTIONS)},
).filter(lambda hint: any(char.isalnum() for char in hint["path"]))
ADVICE = st.fixed_dictionaries(
    {"why": st.text(max_size=12)},
    optional={
        "hot": st.lists(HINTS, max_size=3),
        "cold": st.lists(HINTS, max_size=3),
        "trigger_gc": st.booleans(),
    },
)


@settings(max_examples=100, deadline=None)
@given(ADVICE)
def test_what_the_schema_allows_is_read_whole(value: dict[str, Any]) -> None:
    """Escapes and all: where the schema holds, no thing is lost; where it lacks a reason, none is read."""
    found = read_advice(json.dumps(value))
    if not VALIDATOR.is_valid(value) or found.advice is None:
        assert not any(char.isalnum() for char in value["why"])
        return
    assert len(found.advice.hot) + len(found.advice.cold) + len(found.problems) == len(
        value.get("hot", [])
    ) + len(value.get("cold", []))
    assert found.advice.trigger_gc is value.get("trigger_gc", False)


PIECES = [
    *(
        "hot:",
        "cold:",
        "why:",
        "- ",
        "path",
        "{",
        "}",
        "[",
        "]",
        '"',
        "'",
        ":",
        ",",
        "\n",
        "  ",
        "\\",
        "`",
        "```",
        "(",
    ),
    *(
        "memory.advise",
        "Keep at hand: ",
        "Let go: ",
        " — ",
        "archive",
        "|",
        ">",
        "&a",
        "*a",
        "#",
        "=",
        "<think>",
        "x",
    ),
]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join) | st.text(max_size=80))
def test_no_text_at_all_breaks_the_reader(text: str) -> None:
    found = read_advice(text, "a prompt")
    assert (found.advice is None) == bool(found.refusal)
    has_advice(text)


def test_the_schema_is_one_and_says_what_is_read() -> None:
    Draft202012Validator.check_schema(json.loads(read_advice_schema()))
    assert VALIDATOR.is_valid(VALUE)
    for wrong in (
        {},
        {"why": " "},
        {"why": "w", "cold": [{"path": "a", "suggested_action": "burn"}]},
        {"why": "w", "hot": [{"why": "no path"}]},
        {"why": "w", "hot": [{"path": "a"}] * (MOST_HINTS + 1)},
    ):
        read = read_advice(json.dumps(wrong))
        assert not VALIDATOR.is_valid(wrong)
        assert read.refusal or read.problems


def test_a_tool_call_may_leave_out_whether_to_clear_away() -> None:
    """MEMORY-MGMT §9: trigger_gc is yes or no, and no where it is left out."""
    advise = next(tool for tool in TOOLS if tool.name == "advise")
    told = {one.name: one.schema() for one in advise.arguments}["trigger_gc"]
    assert (told["type"], told["default"]) == ("boolean", False)
