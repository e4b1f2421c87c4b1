"""The preview of a reply to a batch of a dream, shown before it is kept."""

from dataclasses import dataclass

from reel_cli.core.evidence.quoted_words import count_prose
from reel_cli.core.files.markdown import plain_chapter
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line
from reel_cli.features.dream.dream import Thread, ThreadWord
from reel_cli.features.dream.reply import Dreamt
from reel_cli.features.dream.story.missed_file import MISSED, parse_threads
from reel_cli.features.facts.fact import Fact


@dataclass(frozen=True, slots=True)
class Woven:
    """A reply, checked: what it adds, and what is to be known of it before it is kept.

    `unsaid` are prints of what the story gave as said and nobody said; `pointed` are the words that the
    problems are about.
    """

    dreamt: Dreamt
    threads: tuple[Thread, ...]
    words: tuple[ThreadWord, ...]
    facts: tuple[Fact, ...]
    problems: tuple[Problem, ...]
    unsaid: tuple[str, ...] = ()
    pointed: tuple[str, ...] = ()
    waits: tuple[Fact, ...] = ()
    """Facts that hold only by a person's word."""
    doubted: tuple[str, ...] = ()
    """Prints of the details that the tape does not bear."""
    unlisted: tuple[Thread, ...] = ()
    """Promises for a day that has passed that the reply does not list, as open threads."""


def show_woven(snapshot: Snapshot, woven: Woven) -> list[str]:
    """Return the changes that a batch would make, in words."""
    dreamt = woven.dreamt
    lines = [f"The story goes on: {dreamt.title or 'a chapter'} ({count_prose(dreamt.story):,} words)"]
    lines += _paragraphs(plain_chapter(dreamt.story))
    lines += [
        f"Amended: “{one_line(one.old)}”: {one.new}" for one in (*dreamt.amended, *dreamt.remember_amended)
    ]
    lines += [f"Missed: {one.day} · {one.owner} · {one.text}" for one in woven.threads]
    then = {thread.number: thread for thread in parse_threads(snapshot.text(MISSED) or "")}
    lines += [
        f"{word.status.value.capitalize()} (was {old.status.value}): {old.text.rstrip(' .')}. {word.text}"
        for word in woven.words
        for old in (then[word.number],)
    ]
    if woven.unlisted:
        lines += [
            "Promised, never spoken of again, not in the answer; written down as missed:",
            *(f"  {one.day} · {one.owner} · {one.text}" for one in woven.unlisted),
        ]
    if dreamt.remember:
        lines += ["How we remember:", *_paragraphs(dreamt.remember)]
    for fact in woven.facts:
        was = f" (until now: {fact.replaces})" if fact.replaces else ""
        sure = " (unsure)" if fact.confidence == "low" else ""
        lines.append(f"To hold on to: {fact.category}, {fact.key}: {fact.value}{sure}{was}")
    lines += [f"Waits for your decision in reel review: {one.key}: {one.value}" for one in woven.waits]
    if woven.problems:
        lines += ["Worth a look:", *(f"  {problem.what}" for problem in woven.problems)]
    return [line[: len(line) - len(line.lstrip(" "))] + one_line(line) for line in lines]


def _paragraphs(text: str) -> list[str]:
    return [f"  {line}" for line in text.splitlines() if line.strip()]
