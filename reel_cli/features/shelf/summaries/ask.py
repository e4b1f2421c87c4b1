"""Exchange about a summary: a prompt with as much of the files as fits, and its reply."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import EMPTY, NO_ANSWER, Answer, Exchange, Offer
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.shell import quote
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.page.prompt.values import REPLY_SHARE
from reel_cli.features.shelf.files import read_file
from reel_cli.features.shelf.summaries.papers import show_papers
from reel_cli.features.shelf.summaries.plan import Draft, SummaryPlan, plan_summary, size_of
from reel_cli.features.shelf.summaries.reply import (
    MOST_HELD,
    find_unborne,
    read_summary_page,
    render_summary_prompt,
    shares_nothing,
)
from reel_cli.features.shelf.summaries.sources import SummarizedFile, take_source

if TYPE_CHECKING:
    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.core.tokens.counter import Tokenizer

COMMAND = "shelf summarize"
LEAST_ROOM = 400
"""Tokens of room for the files below which nothing is asked."""
_WORDS = (40, 600)
CHARACTERS = 4
"""A token has about so many."""


@dataclass(frozen=True, slots=True)
class SummaryAsk(Exchange):
    """An ask for a summary: of which files as they were then (path and SHA-256), in which style.

    `left` says how many lines of the files the prompt left out; `called` is a name the summary shall have.
    """

    kind = "summary"

    style: str
    sources: tuple[tuple[str, str], ...]
    prompt: str = ""
    ring0: str = ""
    called: str = ""
    since: str = ""
    left: int = 0

    @property
    def name(self) -> str:
        """Return the exchange's ID: one ask for the same files in the same style."""
        return ask_name([path for path, _ in self.sources], self.style)


def ask_name(paths: Sequence[str], style: str) -> str:
    """Return the ID of an ask for these files in this style."""
    made = blake2b("\0".join((style, *sorted(paths))).encode("utf-8", "replace"), digest_size=8)
    return f"shelf.summarize.{made.hexdigest()}"


def make_summary_ask(  # noqa: PLR0913 (the kit, who asks, and about what)
    snapshot: Snapshot,
    ring0: "Ring0",
    tokenizer: "Tokenizer",
    sources: Sequence[SummarizedFile],
    style: str,
    *,
    called: str = "",
) -> SummaryAsk:
    """Return the ask for these files; raises ReelError if the window has no room."""
    settings = snapshot.settings
    total = sum(one.size for one in sources)
    words = max(_WORDS[0], min(_WORDS[1], total // 30))

    def render(room: int) -> tuple[str, int]:
        shown = show_papers(sources, room)
        papers = [one.paper for one in shown]
        prompt = render_summary_prompt(settings.name, settings.user, ring0.text, papers, style, words)
        return prompt, sum(one.left for one in shown)

    most = settings.cap - settings.cap * REPLY_SHARE // WHOLE
    frame = tokenizer.count(render_summary_prompt(settings.name, settings.user, ring0.text, (), style, words))
    room = (most - frame) * CHARACTERS
    if room < LEAST_ROOM * CHARACTERS:
        message = f"A {settings.cap:,}-token {settings.held_to} has no room for this:"
        message += f" the prompt alone needs {frame:,}."
        raise ReelError(message, hint=settings.raised_by)
    prompt, left = render(room)
    while (tokens := tokenizer.count(prompt)) > most:
        room = min(room * 9 // 10, room * (most - frame) // max(1, tokens - frame))
        if room < LEAST_ROOM:
            message = f"A {settings.cap:,}-token {settings.held_to} has no room for {len(sources):,} files."
            raise ReelError(message, hint=f"name fewer of them, or {settings.raised_by}")
        prompt, left = render(room)
    made_of = tuple((one.path, one.sha256) for one in sources)
    return SummaryAsk(style, made_of, prompt, ring0.blob, called, left=left)


SMALL = 40
"""Tokens below which a source may have a longer summary: it is reported, and kept."""


@dataclass(frozen=True, slots=True)
class SummaryContext:
    """The context for keeping a summary: the kit's folder, the time, and the token counter."""

    kit: Path
    now: datetime
    counter: "Tokenizer"


def answer_summary(snapshot: Snapshot, ask: SummaryAsk, reply: str, how: SummaryContext) -> Answer:
    """Read a reply, hold it against what was shown, and offer what it comes to as one change."""
    if not reply.strip():
        return EMPTY
    name = snapshot.settings.name
    page = read_summary_page(reply, ask.prompt, name)
    if page.is_prompt:
        return NO_ANSWER
    if page.refusal:
        return Answer(refusal=page.refusal)
    made_of = _made_of(snapshot, ask, how.kit)
    tokens = (size_of(made_of, how.counter), how.counter.count(page.body))
    draft = Draft(
        ask.style,
        page.body,
        made_of,
        name,
        title=page.title,
        called=ask.called,
        ring0=ask.ring0,
        gist=page.gist,
        tokens=tokens,
    )
    planned = plan_summary(snapshot, draft, kit=how.kit, now=how.now)
    papers = "\n".join(one.paper.text for one in show_papers(made_of, MOST_HELD))
    problems = list(page.problems)
    # without a prompt the page is compared with the files themselves
    problems += find_unborne(page.body, ask.prompt or papers, f"{name} {snapshot.settings.user}")
    if ask.left:
        what = (
            f"The prompt had no room for {ask.left:,} lines of the files, so the summary does not cover them."
        )
        problems.append(Problem("summary", what))
    if tokens[0] and tokens[1] >= tokens[0]:
        what = (
            f"It is not shorter than the files it is about: {tokens[1]:,} tokens, and {tokens[0]:,} before."
        )
        problems.append(Problem("summary", what))
    # a file that changed since the prompt cannot be compared
    doubts = () if planned.changed else tuple(_doubts(ask, page.body, papers, tokens))
    offer = replace(_offer(planned, draft, how, problems), doubts=doubts, bearer="what it is of")
    return Answer((offer,), (), tuple(problems))


def _doubts(ask: SummaryAsk, body: str, papers: str, tokens: tuple[int, int]) -> Iterator[Problem]:
    """Yield why a reply may be no summary of its files at all; only a person may accept it."""
    if SMALL <= tokens[0] <= tokens[1]:
        yield Problem("summary", "A summary has to be shorter than the files it is about.")
    if shares_nothing(body, "\n".join((papers, *(path for path, _ in ask.sources)))):
        yield Problem("summary", "It has hardly a word of the files it is about.")


def _made_of(snapshot: Snapshot, ask: SummaryAsk, kit: Path) -> list[SummarizedFile]:
    """Return the files as they were when asked about; only the hash shows later changes."""
    found = []
    for path, sha in ask.sources:
        file = read_file(snapshot, path)
        if file is None or (not file.held and file.watched is None):
            message = f"{path} was taken off the shelf before its summary came."
            raise ReelError(message, hint=f"reel restore {quote(path)}  brings it back")
        now = take_source(snapshot, kit, file)
        found.append(now if not sha or now.sha256 == sha else replace(now, sha256=sha, watched=None))
    return found


def _offer(planned: SummaryPlan, draft: Draft, how: SummaryContext, problems: Sequence[Problem]) -> Offer:
    summary = planned.summary
    told = draft.body.split("\n")
    told += [
        f"{path} changed after the prompt was made, so the summary is out of date."
        for path in planned.changed
    ]
    if planned.before is not None:
        day = f", of {planned.before.created[:10]}" if planned.before.created else ""
        told.append(f"It replaces the earlier one{day}.")
    told += [problem.what for problem in problems]
    return Offer(
        id=summary.path,
        title=summary.title,
        heading=f"{summary.path} ({summary.style}): {summary.title}",
        shown=tuple(told),
        plan=lambda later: plan_summary(later, draft, kit=how.kit, now=how.now).change,
        told=summary_json(planned),
    )


def summary_json(planned: SummaryPlan) -> dict[str, Any]:
    """Return a kept summary, as JSON."""
    summary = planned.summary
    return {
        "path": summary.path,
        "style": summary.style,
        "summary_of": list(summary.paths),
        "made_by": summary.by,
        "superseded": planned.before is not None,
        "stale": list(planned.changed),
        "text": summary.body,
    }
