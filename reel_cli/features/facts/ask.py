"""Exchange about facts: when it is due, its prompt, and the trailer of what was gone through."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import Exchange
from reel_cli.core.files.commit_message import ROUND, UNDOES, list_undone
from reel_cli.core.frozen import frozen
from reel_cli.core.git.process import git_process
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.known_facts import Round
from reel_cli.core.moment import day_in_words
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.values.settings import WHOLE, Settings
from reel_cli.core.values.talk import Session, SourceRange, parse_source
from reel_cli.features.facts.adapters import adapter_of
from reel_cli.features.facts.files import read_facts
from reel_cli.features.facts.plan import known_categories
from reel_cli.features.facts.policy import category_of, current_facts
from reel_cli.features.facts.reply import FactRequest, render_facts_prompt
from reel_cli.features.page.ask_memory import LEAST_TRANSCRIPT, fill_stretch
from reel_cli.features.page.prompt.values import REPLY_SHARE

if TYPE_CHECKING:
    from reel_cli.core.git.commit_tree import CommitStep
    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.tokens.counter import Tokenizer

NAME = "fact.extract"
"""Name under which the ask that waits for its reply is remembered: one at a time."""
COMMAND = "fact extract"
MOST_KNOWN, MOST_NAMED = 8, 30
"""Numbers of facts, the newest, that a prompt names as known: with their values, and by their keys alone.

What is told again changes nothing.
"""


@frozen
class FactsAsk(Exchange):
    """An ask for facts that was, or could be, handed out: the stretch of tape, and its prompt."""

    kind = "facts"
    name = NAME

    span: SourceRange
    prompt: str
    ring0: str


def turns_of(session: Session, gone: Sequence[SourceRange] = ()) -> list[int]:
    """Return the user's turns in a session that were not searched for facts yet."""
    mine = [one for one in gone if one.session == session.id]
    said = [entry.number for entry in session.shown() if entry.message.role == "user" and entry.number]
    return [number for number in said if not any(_holds(one, number) for one in mine)]


def _holds(span: SourceRange, number: int) -> bool:
    return not span.last or span.first <= number <= span.last


def is_due(settings: Settings, session: Session, gone: Sequence[SourceRange]) -> bool:
    """Return whether facts are due: after each early cycle, then after so many more (SRIP-11 §III.5b).

    A cycle is a user's turn and its reply.
    """
    last = max((e.number or 0 for e in session.shown() if e.message.role == "assistant"), default=0)
    every = [number for number in turns_of(session) if number < last]
    fresh = set(turns_of(session, gone)).intersection(every)
    early = fresh.intersection(every[: settings.facts_early])
    return bool(early) or bool(settings.facts_every and len(fresh) >= settings.facts_every)


def wanted_of(snapshot: "Snapshot") -> FactRequest:
    """Return the kinds of fact, and the facts held already."""
    # what rests is known all the same
    every = sorted(current_facts(read_facts(snapshot)), key=lambda one: one.when)
    newest = every[-MOST_KNOWN - MOST_NAMED :]
    known = [f"{category_of(one)} | {one.key} | {one.value}" for one in newest[-MOST_KNOWN:]]
    keys = [one.key for one in newest[:-MOST_KNOWN]]
    adapter = adapter_of(snapshot)
    kinds = [
        f"{one} ({about})" if (about := adapter.categories.get(one)) else one
        for one in known_categories(snapshot)
    ]
    return FactRequest(kinds, adapter.look and f"Look above all for this: {adapter.look}", known, keys)


def make_facts_ask(
    snapshot: "Snapshot",
    ring0: "Ring0",
    tokenizer: "Tokenizer",
    gone: Sequence[SourceRange],
    session: str | None = None,
) -> FactsAsk | None:
    """Return the next stretch to search, of a session or of the oldest that has one, or None.

    A session that is named and was gone through is gone through again. Raises ReelError where there is no
    such session, or no room.
    """
    for name in [session] if session else standing_sessions(snapshot):
        lived = read_session(snapshot, name)
        turns = turns_of(lived, gone) or (turns_of(lived) if session else [])
        if turns:
            return _ask_from(snapshot, ring0, tokenizer, lived, turns[0])
    return None


def _ask_from(
    snapshot: "Snapshot", ring0: "Ring0", tokenizer: "Tokenizer", session: Session, first: int
) -> FactsAsk:
    """Return the ask for as many messages as the window holds, from one of them on."""
    settings = snapshot.settings
    when = f" on {_day(session)}"
    wanted = wanted_of(snapshot)

    def render(said: str) -> str:
        return render_facts_prompt(settings.name, settings.user, ring0.text, said, when, wanted)

    frame = tokenizer.count(render(""))
    room = settings.cap - settings.cap * REPLY_SHARE // WHOLE - frame
    if room < LEAST_TRANSCRIPT:
        message = f"A {settings.cap:,}-token {settings.held_to} has no room for this:"
        message += f" the prompt alone needs {frame:,}."
        raise ReelError(message, hint=settings.raised_by)
    entries = [entry for entry in session.shown() if (entry.number or 0) >= first]
    batch, said = fill_stretch(session.id, entries, room, tokenizer, snapshot)
    numbers = [entry.number or 0 for entry in batch]
    return FactsAsk(SourceRange(session.id, min(numbers), max(numbers)), render(said), ring0.blob)


def _day(session: Session) -> str:
    from datetime import date

    return day_in_words(date.fromisoformat(session.id[:10]))


_LINE = re.compile(r"(?P<span>\S+) kept=(?P<kept>\d{1,6}) refused=(?P<refused>\d{1,6})", re.ASCII)


def render_round(one: Round) -> str:
    """Return the trailer's value."""
    return f"{one.span} kept={one.kept} refused={one.refused}"


def list_rounds(repo: Repository | None, tip: str | None = None) -> Sequence[Round]:
    """Return every round up to a commit (full id; None: the newest) that was not undone, newest first."""
    if repo is None or (tip is None and repo.head() is None):
        return ()
    listed = git_process(
        repo.root,
        *("log", f"--grep=^{ROUND}: ", f"--grep=^{UNDOES}: ", "-z"),
        f"--format=%H%x00%(trailers:key={UNDOES},valueonly,unfold)"
        f"%x00%(trailers:key={ROUND},valueonly,unfold)",
        *(tip or "HEAD", "--", *([repo.prefix] if repo.prefix else [])),
    )
    parts = listed.stdout.decode("utf-8", "replace").split("\0")
    commits = list(zip(parts[::3], parts[1::3], parts[2::3], strict=False))
    undone = list_undone((name, undoes.split()) for name, undoes, _ in commits)
    told = (line for commit, _, rounds in commits if commit not in undone for line in rounds.splitlines())
    return [one for line in told if (one := parse_round(line)) is not None]


def note_rounds(repo: Repository | None) -> Sequence[Round]:
    """Return what `list_rounds` does, read from history again only after a commit that may change it."""
    if repo is None:
        return ()
    from reel_cli.core.kit.head_note import HistoryNote

    def holds(_: object, step: "CommitStep") -> bool:
        message = step.message.lower()
        return not any(trailer.lower().encode() in message for trailer in (ROUND, UNDOES))

    note = HistoryNote("facts asked", lambda: [render_round(one) for one in list_rounds(repo)], holds=holds)
    told = note.recall(repo.root / repo.prefix, repo)
    return [one for line in told if (one := parse_round(line)) is not None]


def parse_round(line: str) -> Round | None:
    """Read one trailer's value; None where it is none."""
    found = _LINE.fullmatch(line.strip())
    span = parse_source(found["span"]) if found else None
    return Round(span, int(found["kept"]), int(found["refused"])) if found and span else None
