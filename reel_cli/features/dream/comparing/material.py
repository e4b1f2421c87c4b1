"""Material of a comparison's three beginnings, gathered from the kit (Dream Weaver §11.3)."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from reel_cli.core.files.checkpoint_file import read_checkpoint
from reel_cli.core.files.markdown import split_sections
from reel_cli.core.files.working_file import read_body
from reel_cli.core.kit.read_holdings import split_body
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.pack.words import NOW, REMEMBER, spell_date
from reel_cli.core.sentence_end import split_sentences
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import FIELDS, Level, Memory
from reel_cli.features.dream.comparing.beginnings import BeginningMaterial, Point
from reel_cli.features.dream.context.state import read_standing_context
from reel_cli.features.dream.story.files import HISTORY
from reel_cli.features.dream.story.resting_chapters import list_told
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import read_facts
from reel_cli.features.facts.policy import current_facts

if TYPE_CHECKING:
    from reel_cli.core.kit.approved_rings import Ring0

CONTEXT = "SHARED-CONTEXT.md"
KNOW = "What you know"
HOW = "How it was between you"
_FACT, _NOW, _MEMORY, _LATEST, _DETAIL, _EARLIER = range(6)
"""Priorities of the points if there is not room for all, most important first."""
_ASKED = (FIELDS[1], FIELDS[2], FIELDS[3], FIELDS[0])
"""The fields of a memory that a point is made of for each sentence."""
_MARK = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+")
_SENTENCE = re.compile(r"(?<=[.!?…])[\"”’')*_]*\s+(?=\S)")
_UNSURE = {"low": " (not certain)", "medium": ""}


def gather(snapshot: Snapshot, ring0: "Ring0", ask: str) -> BeginningMaterial:
    """Return all that the kit holds for a comparison; `ask` are the questions as they are put.

    Raises ReelError naming a file that cannot be read.
    """
    return BeginningMaterial(
        name=snapshot.settings.name,
        identity=ring0.identity,
        directives=ring0.directives,
        points=[*_facts(snapshot), *_working(snapshot), *_memories(snapshot), *_checkpoints(snapshot)],
        chapters=[(one.title, one.text) for one in list_told(snapshot, HISTORY) if one.text.strip()],
        context=read_standing_context(snapshot),
        ask=ask,
    )


def _facts(snapshot: Snapshot) -> Iterator[Point]:
    for fact in reversed(current_facts(read_facts(snapshot))):
        yield Point(KNOW, _told(fact), _FACT)


def _told(fact: Fact) -> str:
    about = ", ".join(part for part in (fact.category, fact.key) if part)
    before = f" (before: {fact.replaces})" if fact.replaces else ""
    return f"{about}: {fact.value}{before}{_UNSURE.get(fact.confidence, '')}"


def _working(snapshot: Snapshot) -> Iterator[Point]:
    for heading, text in split_sections(read_body(snapshot.text(WORKING) or "")).items():
        for line in text.split("\n"):
            if line.strip():
                yield Point(NOW, f"{heading}: {_MARK.sub('', line)}", _NOW)


def _memories(snapshot: Snapshot) -> Iterator[Point]:
    for memory in reversed(list(snapshot.memories.values())):
        title = "" if memory.title == memory.id else memory.title
        day = spell_date(memory.order[0])
        head = " ".join(part for part in (title, f"({day})" if day else "") if part)
        short = _in_short(memory)
        yield Point(REMEMBER, f"{head}: {short}" if head else short, _MEMORY, memory.id)
        if memory.level in (Level.L1, Level.L2):
            parts = dict(split_body(memory))
            for field in _ASKED:
                for sentence in _sentences(parts.get(field, "")):
                    yield Point(REMEMBER, sentence, _DETAIL, memory.id)


def _in_short(memory: Memory) -> str:
    plain = memory.body if memory.level in (Level.L3, Level.L4) else ""
    since = f" (What holds now: {memory.no_longer})" if memory.no_longer else ""
    return one_line(plain or memory.marker or memory.tag or memory.title) + since


def _checkpoints(snapshot: Snapshot) -> Iterator[Point]:
    for place, path in enumerate(reversed(snapshot.checkpoints)):
        rank = _EARLIER if place else _LATEST
        fields = read_checkpoint(snapshot.text(path) or "", path)
        day = spell_date(path.rpartition("/")[2][:10])
        for key, what in (("calibration_state", ""), ("open_loops", "open then"), ("significance_flags", "")):
            for line in fields.get(key, "").split("\n"):
                if line.strip():
                    head = ", ".join(part for part in (day, what) if part)
                    yield Point(HOW, f"{head}: {_MARK.sub('', line)}" if head else line, rank)


def _sentences(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        for sentence in split_sentences(_SENTENCE, _MARK.sub("", line)):
            if sentence.strip():
                yield sentence
