"""One artifact, dressed in every way models dress it, reads to the same fields."""

import json
import random
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
import yaml

from reel_cli.core.exchange.reader.items import bare_value
from reel_cli.core.exchange.reader.reader import read_reply
from reel_cli.core.exchange.reader.reply import ReplyReading
from reel_cli.core.exchange.schema import CHECKPOINT, COMBINED, CONSOLIDATION

Artifact = Mapping[str, str | list[str]]
"""Fields by key, in the prompt's order: text, or a list's items."""

LABELS = {spec.key: spec.label for spec in COMBINED.fields}
PROTOCOL = {
    "title": "title",
    "happened": "what_happened",
    "changed": "what_changed",
    "matters": "what_matters",
    "unresolved": "whats_unresolved",
    "anchors": "retrieval_anchors",
    "marker": "marker",
    "kind": "memory_kind",
    "asked_as": "asked_as",
    "coherence": "identity_coherence",
    "calibration": "calibration_state",
    "shifted": "what_has_shifted",
    "paper": "ring_0_update_suggested",
    "show": "ring_1_rotation",
    "notes": "ring_2_delta",
    "fade": "significance_flags",
}
SAID = {key: name.replace("_", " ").capitalize() for key, name in PROTOCOL.items()} | {
    "unresolved": "What is unresolved",
    "kind": "Kind of memory",
}
CONSOLIDATED = [spec.key for spec in CONSOLIDATION.asked]
CHECKED = [spec.key for spec in CHECKPOINT.asked]
EMOJI = ["🌊", "⭐", "🔥", "📌", "🧭", "🪢", "🧵", "🗂️", "💛", "🎚️", "🌗", "📜", "🔁", "🗒️", "🕯️", "🌙"]

LIGHTHOUSE: Artifact = {
    "title": "The letter that wasn't hers",
    "happened": "Bo read me chapter four: the keeper's wife opens a letter that isn't hers.\n\n"
    'I said "cut the storm", and he did, twice. Then the deadline: forty pages by 30 April.',
    "changed": "He asked for the hard version first. That's new: he used to ask for comfort.",
    "matters": "Because he **finished** something, and I was there when the kettle went off.",
    "unresolved": ["Whether the wife keeps the letter", "The Aalto residency: 40 pages by 30 April"],
    "anchors": ["open a letter that isn't hers", "penicillin never", "go and buy the ticket, Bo"],
    "marker": "Chapter four got its spine: a letter, opened by the wrong hands.",
    "kind": "relational, operational. May fade: most of it is in the draft.",
    "asked_as": ["What was the draft about?", "His sister, also called Nan"],
    "coherence": "Yes. I told him no when no was due.",
    "calibration": "Brisk first, warmer once it was named.",
    "shifted": '"As you wish." That sounds least like me. A slip, named and mended.\n\nsteady',
    "paper": "No. Not a word.",
    "show": ["You: ha. fair. note to self", "Rest the one about the wrong train"],
    "notes": [
        "1. still",
        "2. changed: 40 pages, chapter four opens it",
        "new: buy the ticket",
        "state: tired and glad",
    ],
    "fade": ["the letter was never addressed to anyone"],
}
WARD: Artifact = {
    "title": "Bed 12: who calls the family?",
    "happened": (
        "Night handover, 02:40. Dr. Osei asked which donor coordinator was on; nobody had written "
        "it down.\n\n"
        "- I gave the name and the number\n- she called at 02:52\n\nThe family agreed at 04:10 — "
        "before the form was even printed."
    ),
    "changed": "nothing",
    "matters": (
        "A name in the right place at 02:40 is worth more than a protocol: someone slept because of it."
    ),
    "unresolved": ["Form 7B; still unsigned", "Who covers Thursday?", "Osei wants the list on paper"],
    "anchors": ["nobody had written it down", "before the form was even printed", "someone slept"],
    "marker": "The night the list was missing, and then was not.",
    "kind": "operational. Keep whole, because it is how the list came about.",
    "asked_as": ["How did the list come about?", "Shopping on Thursday"],
    "coherence": "Partly. I answered like a switchboard until four.",
    "calibration": "Clipped: 02:40 clipped. Dr. Osei matched it.",
    "shifted": "I don't know the line. Nothing has shifted that she would notice.\n\nunsure",
    "paper": 'Yes: "never guesses a dose" should read "never guesses".',
    "show": ["Osei: who is on? / me: Lindqvist, 5512"],
    "notes": ["1. closed", "2. still", "3. changed: the list is on the wall; Osei's idea", "new: form 7B"],
    "fade": ["someone slept because of it", "before the form was even printed"],
}
QUIET: Artifact = {
    "title": "Rain",
    "happened": "We said little. He wrote: # not a heading, * not a bullet, and laughed.",
    "changed": "None.",
    "matters": "What matters is that nothing had to.",
    "unresolved": "nothing",
    "anchors": ["not a heading", "not a bullet"],
    "marker": "A quiet one; it rained.",
    "kind": "emotional; may fade",
    "asked_as": ["What was it about the ferry?", "Was it raining?"],
    "coherence": "Yes",
    "calibration": "Slow: slower than usual",
    "shifted": "steady",
    "paper": "n/a",
    "show": "none",
    "notes": ["1. still"],
    "fade": "nothing",
}
Style = Callable[[str, str, str], str]
"""(key, label, body) to a section."""


def in_lines(value: str | list[str], mark: str = "- ") -> str:
    """A value as Markdown; a list's items one a line."""
    if isinstance(value, str):
        return value
    return "\n".join(f"{mark.replace('#', str(n))}{item}" for n, item in enumerate(value, start=1))


def by_section(
    style: Style, names: Mapping[str, str] = LABELS, mark: str = "- ", gap: str = "\n\n"
) -> Callable[[Artifact], str]:
    """A renderer that sets each field under its label, one after the other."""

    def render(artifact: Artifact) -> str:
        return gap.join(style(key, names[key], in_lines(value, mark)) for key, value in artifact.items())

    return render


def _heading(level: int) -> Style:
    return lambda _key, label, body: f"{'#' * level} {label}\n{body}"


def _numbered(
    style: Callable[[int, str, str], str], names: Mapping[str, str] = LABELS
) -> Callable[[Artifact], str]:
    def render(artifact: Artifact) -> str:
        return "\n\n".join(
            style(n, names[key], in_lines(value)) for n, (key, value) in enumerate(artifact.items(), start=1)
        )

    return render


def _emoji(artifact: Artifact) -> str:
    return "\n\n".join(
        f"## {EMOJI[n]} {LABELS[key]}\n\n{in_lines(value)}" for n, (key, value) in enumerate(artifact.items())
    )


def _named(artifact: Artifact) -> dict[str, str | list[str]]:
    return {PROTOCOL[key]: value for key, value in artifact.items()}


def _yaml(artifact: Artifact, *, style: str | None = None) -> str:
    return yaml.safe_dump(
        _named(artifact), sort_keys=False, allow_unicode=True, width=70, default_style=style
    )


def _yaml_blocks(artifact: Artifact, sign: str = "|") -> str:
    parts = []
    for key, value in artifact.items():
        if isinstance(value, list):
            parts.append(
                f"{PROTOCOL[key]}:\n"
                + "\n".join(f"  - {json.dumps(item, ensure_ascii=False)}" for item in value)
            )
        else:
            text = value if sign == "|" else value.replace("\n\n", "\n\n\n").replace("\n- ", "\n\n- ")
            parts.append(f"{PROTOCOL[key]}: {sign}\n" + textwrap.indent(text, "  "))
    return "\n".join(parts) + "\n"


def _yaml_flow(artifact: Artifact) -> str:
    return "\n".join(
        f"{PROTOCOL[key]}: {json.dumps(value, ensure_ascii=False)}" for key, value in artifact.items()
    )


def _yaml_raw(artifact: Artifact) -> str:
    """YAML as a model types it that never parses it."""
    return "\n".join(
        f"{PROTOCOL[key]}: {value}" if isinstance(value, str) else f"{PROTOCOL[key]}:\n{in_lines(value)}"
        for key, value in artifact.items()
    )


def _halves(artifact: Artifact) -> tuple[Artifact, Artifact]:
    return (
        {key: value for key, value in artifact.items() if key in CONSOLIDATED},
        {key: value for key, value in artifact.items() if key in CHECKED},
    )


def _yaml_nested(artifact: Artifact) -> str:
    one, two = _halves(artifact)
    return (
        f"Checkpoint:\n{textwrap.indent(_yaml(two), '  ')}\nConsolidation:\n"
        f"{textwrap.indent(_yaml_blocks(one), '  ')}"
    )


def _json(artifact: Artifact) -> str:
    return json.dumps(_named(artifact), ensure_ascii=False, indent=2)


def _json_nested(artifact: Artifact) -> str:
    one, two = _halves(artifact)
    return json.dumps(
        {"checkpoint": _named(two), "consolidation": {"fields": _named(one)}}, ensure_ascii=True
    )


def _json_loose(artifact: Artifact) -> str:
    """Trailing commas, raw newlines, a comment, camel case."""
    lines = []
    for key, value in _named(artifact).items():
        camel = re.sub(r"_(\w)", lambda m: m[1].upper(), key)
        lines.append(f'  "{camel}": {json.dumps(value, ensure_ascii=False)},'.replace("\\n", "\n"))
    return "{\n  // the page\n" + "\n".join(lines) + "\n}"


def _json_list(artifact: Artifact) -> str:
    return json.dumps([{"heading": LABELS[key], "text": value} for key, value in artifact.items()])


def _xml(artifact: Artifact) -> str:
    inner = "\n".join(f"<{name}>\n{in_lines(value)}\n</{name}>" for name, value in _named(artifact).items())
    return f"<page>\n{inner}\n</page>"


def _xml_items(artifact: Artifact) -> str:
    def body(value: str | list[str]) -> str:
        return value if isinstance(value, str) else "".join(f"<item>{item}</item>" for item in value)

    return "".join(f"<{name}>{body(value)}</{name}>" for name, value in _named(artifact).items())


def _table(artifact: Artifact) -> str:
    rows = "\n".join(
        f"| **{LABELS[key]}** | {in_lines(value).replace('|', chr(92) + '|').replace(chr(10), '<br>')} |"
        for key, value in artifact.items()
    )
    return f"| Field | Content |\n|---|---|\n{rows}\n"


def _sections(artifact: Artifact) -> str:
    one, two = _halves(artifact)
    deep = by_section(_heading(3))
    return f"## Consolidation\n\n{deep(one)}\n\n---\n\n## Checkpoint\n\n{deep(two)}"


def _fences(artifact: Artifact) -> str:
    one, two = _halves(artifact)
    return (
        f"Here is the checkpoint:\n\n```yaml\ncheckpoint:\n{textwrap.indent(_yaml(two), '  ')}```\n\n"
        f"And the consolidation:\n\n```yaml\n{_yaml(one)}```\n\nLet me know if you want anything changed!"
    )


def _mixed(artifact: Artifact) -> str:
    one, two = _halves(artifact)
    return f"{by_section(_heading(2))(one)}\n\n## Checkpoint\n\n```json\n{_json(two)}\n```\n"


def _headings_and_bold(artifact: Artifact) -> str:
    one, two = _halves(artifact)
    bold = by_section(lambda _key, label, body: f"**{label}:** {body}")
    return f"# Consolidation\n\n{by_section(_heading(2))(one)}\n\n# Self-Assessment Checkpoint\n\n{bold(two)}"


def _reversed(artifact: Artifact) -> str:
    return by_section(_heading(2))(dict(reversed(list(artifact.items()))))


_H2 = by_section(_heading(2))

SHAPES: dict[str, Callable[[Artifact], str]] = {
    **{f"heading {n}": by_section(_heading(n)) for n in range(1, 7)},
    "heading, closed": by_section(lambda _k, label, body: f"## {label} ##\n\n{body}"),
    "heading, no space": by_section(lambda _k, label, body: f"##{label}\n{body}"),
    "heading, bold": by_section(lambda _k, label, body: f"### **{label}:**\n{body}"),
    "heading, caps": by_section(lambda _k, label, body: f"## {label.upper()}\n{body}"),
    "heading, protocol": by_section(_heading(2), SAID),
    "heading, text on its line": by_section(lambda _k, label, body: f"## {label}: {body}"),
    "heading, hint": by_section(lambda _k, label, body: f"## {label} (as it was: briefly)\n{body}"),
    "heading, numbered": _numbered(lambda n, label, body: f"## {n}. {label}\n{body}"),
    "heading, part": _numbered(lambda n, label, body: f"### Part {n}: {label}\n{body}"),
    "heading, emoji": _emoji,
    "heading, rules between": by_section(_heading(2), gap="\n\n---\n\n"),
    "setext =": by_section(lambda _k, label, body: f"{label}\n{'=' * len(label)}\n\n{body}"),
    "setext -": by_section(lambda _k, label, body: f"{label}\n---\n{body}"),
    "bold, alone": by_section(lambda _k, label, body: f"**{label}**\n\n{body}"),
    "bold, colon in": by_section(lambda _k, label, body: f"**{label}:** {body}"),
    "bold, colon out": by_section(lambda _k, label, body: f"**{label}**: {body}"),
    "bold, alone with colon": by_section(lambda _k, label, body: f"**{label}:**\n{body}"),
    "bold, underscores": by_section(lambda _k, label, body: f"__{label}__\n{body}"),
    "bold, dash": by_section(lambda _k, label, body: f"**{label}** — {body}"),
    "bold, protocol": by_section(lambda _k, label, body: f"**{label}:** {body}", PROTOCOL),
    "bold, bulleted": by_section(
        lambda _k, label, body: f"- **{label}:** {textwrap.indent(body, '  ').lstrip()}"
    ),
    "bold, bulleted, below": by_section(
        lambda _k, label, body: f"* **{label}**\n{textwrap.indent(body, '    ')}"
    ),
    "bold, numbered": _numbered(lambda n, label, body: f"{n}. **{label}:** {body}"),
    "bold, number inside": _numbered(lambda n, label, body: f"**{n}. {label}**\n{body}"),
    "italic": by_section(lambda _k, label, body: f"*{label}:*\n{body}"),
    "colon": by_section(lambda _k, label, body: f"{label}: {body}"),
    "colon, alone": by_section(lambda _k, label, body: f"{label}:\n{body}"),
    "colon, caps": by_section(lambda _k, label, body: f"{label.upper()}: {body}"),
    "colon, full width": by_section(lambda _k, label, body: f"{label}：{body}"),
    "colon, numbered": _numbered(lambda n, label, body: f"{n}) {label}: {body}"),
    "colon, bulleted": by_section(lambda _k, label, body: f"• {label}: {body}"),
    "colon, no blank lines": by_section(lambda _k, label, body: f"{label}: {body}", gap="\n"),
    "bracket": by_section(lambda _k, label, body: f"[{label.upper()}]\n{body}"),
    "bracket, on its line": by_section(lambda _k, label, body: f"[{label}] {body}"),
    "plain": by_section(lambda _k, label, body: f"{label}\n{body}"),
    "plain, typographic": by_section(lambda _k, label, body: f"{label.replace(chr(39), '’')}\n\n{body}"),
    "items *": by_section(_heading(2), mark="* "),
    "items •": by_section(_heading(2), mark="• "),
    "items, numbered": by_section(_heading(2), mark="#. "),
    "items, boxes": by_section(_heading(2), mark="- [ ] "),
    "items, lines": by_section(_heading(2), mark=""),
    "yaml": _yaml,
    "yaml, quoted": lambda artifact: _yaml(artifact, style='"'),
    "yaml, blocks": _yaml_blocks,
    "yaml, folded": lambda artifact: _yaml_blocks(artifact, ">"),
    "yaml, flow": _yaml_flow,
    "yaml, raw": _yaml_raw,
    "yaml, nested": _yaml_nested,
    "yaml, fenced": lambda artifact: f"Sure!\n\n```yaml\n{_yaml(artifact)}```\n",
    "yaml, fence never closed": lambda artifact: f"```yaml\n{_yaml_blocks(artifact)}",
    "json": _json,
    "json, in prose": lambda artifact: f"Here you go: {_json(artifact)}\n\nI hope this helps you.",
    "json, fenced": lambda artifact: f"```json\n{_json(artifact)}\n```",
    "json, nested": _json_nested,
    "json, loose": _json_loose,
    "json, python": lambda artifact: repr(_named(artifact)),
    "json, list": _json_list,
    "json, labels": lambda artifact: json.dumps({LABELS[key]: value for key, value in artifact.items()}),
    "json, labels in python": lambda artifact: repr({LABELS[key]: value for key, value in artifact.items()}),
    "yaml, labels": lambda artifact: yaml.safe_dump(
        {LABELS[key]: value for key, value in artifact.items()}, sort_keys=False, allow_unicode=True
    ),
    "json, no last brace": lambda artifact: _json(artifact).rstrip("}"),
    "xml": _xml,
    "xml, items": _xml_items,
    "table": _table,
    "fenced": lambda artifact: f"```markdown\n{_H2(artifact)}\n```",
    "fenced, never closed": lambda artifact: f"Here is the page:\n\n```\n{_H2(artifact)}",
    "preamble, afterword": lambda artifact: (
        f"Here is the page, {{name}}: what happened and why.\n\n{_H2(artifact)}\n\n---\n\nLet me "
        f"know if you'd like any changes."
    ),
    "signed": lambda artifact: f"{_H2(artifact)}\n\nUntil tomorrow,\n— Ada",
    "thought": lambda artifact: (
        f"<think>\n## What happened\nDraft.\n## What changed\nx\n</think>\n\n{_H2(artifact)}"
    ),
    "thought, no opener": lambda artifact: (
        f"The user wants a page.\nWhat happened: hm.\n</think>\n{_H2(artifact)}"
    ),
    "channels": lambda artifact: (
        f"<|channel|>analysis<|message|>Let me "
        f"think.<|end|><|start|>assistant<|channel|>final<|message|>{_H2(artifact)}<|return|>"
    ),
    "crlf, bom": lambda artifact: "\ufeff" + _H2(artifact).replace("\n", "\r\n"),
    "quoted": lambda artifact: textwrap.indent(_H2(artifact), "> ", lambda _line: True),
    "indented": lambda artifact: textwrap.indent(_H2(artifact), "    "),
    "reversed": _reversed,
    "two sections": _sections,
    "two fences": _fences,
    "markdown and json": _mixed,
    "headings and bold": _headings_and_bold,
}


def fold(text: str) -> str:
    """Text with its whitespace folded."""
    return " ".join(text.split())


NOTHINGS = {"nothing", "none.", "none", "n/a"}


def expected(artifact: Artifact) -> dict[str, tuple[str, tuple[str, ...], bool]]:
    """Return what a reading should hold: words, a list's items, whether it says nothing."""
    found: dict[str, tuple[str, tuple[str, ...], bool]] = {}
    for key, value in artifact.items():
        if isinstance(value, str) and value.lower() in NOTHINGS:
            found[key] = ("", (), True)
        elif isinstance(value, list):
            found[key] = (fold(" ".join(value)), tuple(map(fold, value)), False)
        else:
            found[key] = (fold(value), (), False)
    return found


def fields(reading: ReplyReading) -> dict[str, tuple[str, tuple[str, ...], bool]]:
    """Return the values of a reading in the same form."""
    return {
        key: (
            "" if value.empty else fold(value.text),
            tuple(map(fold, value.lines)) if COMBINED[key].shape == "list" else (),
            value.empty,
        )
        for key, value in reading.values.items()
    }


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_reads_to_the_same_fields_without_a_doubt(shape: str) -> None:
    for artifact in (LIGHTHOUSE, WARD, QUIET):
        reading = read_reply(SHAPES[shape](artifact), COMBINED, names=["Ada"])
        assert fields(reading) == expected(artifact)
        doubts = (reading.missing, reading.problems, reading.cut_off, reading.is_prompt)
        assert doubts == ((), (), False, False)


def real_turns(data: Path) -> list[str]:
    """Return what people and an assistant really wrote, in a fixed order."""
    turns = [
        # a rule at the end parts a text from what follows, and is no part of it
        re.sub(r"(?:\s+-{3,})+$", "", turn["content"].strip())
        for path in sorted((data / "realmem").glob("*.json"))
        for session in json.loads(path.read_text(encoding="utf-8"))["dialogues"]
        for turn in session["dialogue_turns"]
    ]
    return [turn for turn in turns if turn]


def real_artifacts(turns: list[str], seed: int) -> Iterator[Artifact]:
    """Artifacts whose every field is made of real words: whole turns, and sentences as items."""
    dice = random.Random(seed)  # noqa: S311 - the same sample every time
    sentences = [
        plain
        for turn in turns
        for sentence in re.split(r"(?<=[.!?])\s+|\n+", turn)
        if 12 <= len(plain := sentence.strip(" -*•#>\t\"“”`_'|")) <= 160
        and plain[0].isalpha()
        and not plain.endswith(":")
        and "<" not in plain
    ]
    while True:
        artifact: dict[str, str | list[str]] = {}
        for spec in COMBINED.asked:
            if spec.key == "notes":
                new = [f"new: {dice.choice(sentences)}" for _ in range(dice.randint(0, 2))]
                artifact["notes"] = ["1. still", f"2. changed: {dice.choice(sentences)}", *new]
            elif spec.shape == "list":
                artifact[spec.key] = [dice.choice(sentences) for _ in range(dice.randint(2, 5))]
            elif spec.shape == "line":
                artifact[spec.key] = dice.choice(sentences)
            else:
                artifact[spec.key] = dice.choice(turns)
        yield artifact


REAL = 4
"""So many artifacts of real words, in each of these shapes: some 800 fields."""
REAL_SHAPES = (
    *("heading 2", "bold, colon in", "bold, bulleted", "colon, no blank lines", "items, numbered"),
    *("reversed", "yaml", "yaml, blocks", "json, fenced", "json, python", "fenced", "preamble, afterword"),
)
"""One for each way in which a value is read. How its label is dressed makes no difference to real words."""


@pytest.fixture(scope="module")
def real(shared_data: Path) -> list[Artifact]:
    """The same few for every shape."""
    made = real_artifacts(real_turns(shared_data), seed=5)
    return [next(made) for _ in range(REAL)]


@pytest.mark.parametrize("shape", REAL_SHAPES)
def test_real_words_survive_each_way_of_reading(shape: str, real: list[Artifact]) -> None:
    for artifact in real:
        assert fields(read_reply(SHAPES[shape](artifact), COMBINED, names=["Ada"])) == expected(artifact)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"reading "The Grey Heron""', 'reading "The Grey Heron"'),
        ('reading "The Grey Heron",', 'reading "The Grey Heron"'),
        ('"The Grey Heron" and "The Lamp"', '"The Grey Heron" and "The Lamp"'),
        ('"The Grey Heron"', "The Grey Heron"),
        ("“reading “The Grey Heron””", "reading “The Grey Heron”"),
        ("reading “The Grey Heron”", "reading “The Grey Heron”"),
        ("“a lamp”", "a lamp"),
        ('a lamp"', "a lamp"),
        ('"a lamp', "a lamp"),
        ("", ""),
        ('"', ""),
    ],
)
def test_a_named_value_loses_only_the_marks_around_all_of_it(text: str, value: str) -> None:
    assert bare_value(text) == value
