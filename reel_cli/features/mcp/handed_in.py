"""What a model hands in by a tool waits for a person's word, and is kept as a reply is (REEL §9.3)."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import Tape, find_claim
from reel_cli.core.exchange.open_ask import Ask, with_parts_of, with_reach_of
from reel_cli.core.files.review_file import parse_proposal, render_proposal, review_path
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.ring0 import read_in_force
from reel_cli.core.moment import stamp
from reel_cli.core.tape.tape_view import read_session, speaker, standing_sessions
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import Change
from reel_cli.core.values.review import Proposal, ReviewKind
from reel_cli.core.values.talk import SESSION_ID
from reel_cli.features.intake.entry import MODEL, PLACES, Candidate
from reel_cli.features.mcp.handed_in_gc import Wanted, parse_wanted, plan_away, render_wanted
from reel_cli.features.page.ask import ask_checkpoint
from reel_cli.features.page.due import open_span, without_checkpoint
from reel_cli.features.page.held_back import HEADING
from reel_cli.features.page.plan import (
    BETWEEN,
    Keeping,
    Page,
    choose_nearest,
    limit_to_reply,
    plan_page,
    read_page,
)
from reel_cli.features.page.plan_memory import highest_known
from reel_cli.features.record.noticed_words import put_in_queue
from reel_cli.features.shelf.advice.ask import AdviceAsk
from reel_cli.features.shelf.advice.plan_reply import Taking, answer_advice
from reel_cli.features.shelf.shelf_file import SHELF
from reel_cli.features.shelf.summaries.ask import (
    Keeping as SummaryKeeping,
)
from reel_cli.features.shelf.summaries.ask import (
    SummaryAsk,
    answer_summary,
)

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.tokens.counter import Tokenizer

OP = "hand-in"
CHECKPOINT, CONSOLIDATION, REMEMBER = "checkpoint", "consolidation", "remember"
ADVISE, SUMMARIZE, GC = "advise", "summarize", "gc"
MOST_WAITING = 40
"""So many things that were handed in may wait; no model can fill a kit with what nobody has read."""
SEARCHED = 20
"""In so many sessions, the newest, words to remember are looked for."""
NOT_RECORDED = "The chat this is about is not recorded yet."
RECORD_FIRST = "record it first:  reel record FILE"
_TITLES = {
    CHECKPOINT: "a page",
    CONSOLIDATION: "a memory",
    REMEMBER: "something to remember",
    ADVISE: "advice on what to keep at hand",
    SUMMARIZE: "a summary of files on the shelf",
    GC: "what to put away of the shelf",
}


@dataclass(frozen=True, slots=True)
class Kept:
    """What keeping a thing that was handed in comes to: the change, and what is worth a look."""

    change: Change
    problems: tuple[Problem, ...] = ()
    waits: tuple[str, ...] = ()
    """One line for each part of it that waits for the person's decision."""


# -- handing in -----------------------------------------------------------------------------------


def hand_in_page(ask: Ask, reply: str, now: datetime) -> Proposal:
    """A page or a memory as it waits: with what its prompt asked for, and every part of the reply."""
    op = CONSOLIDATION if ask.op == "consolidate" else CHECKPOINT
    stored = {key: value for key, value in ask.stored.items() if key not in ("prompt", "replies")}
    asked = json.dumps(stored, ensure_ascii=False)
    return _proposal(op, ask.session, BETWEEN.join((*ask.replies, reply)), now, asked=asked)


def hand_in_words(words: str, why: str, where: str, now: datetime) -> Proposal:
    """Something to remember as it waits; ReelError where `where` is no place."""
    if where not in ("", *PLACES):
        message = f"{where!r} is no place for it."
        raise ReelError(message, hint=f"one of: {', '.join(PLACES)}")
    return _proposal(REMEMBER, "", words, now, why=why, where=where)


def hand_in_advice(advice: str, ring0: str, now: datetime) -> Proposal:
    """Advice as it waits, as JSON text."""
    return _proposal(ADVISE, "", advice, now, asked=json.dumps({"ring0": ring0}) if ring0 else "")


def hand_in_summary(ask: SummaryAsk, reply: str, now: datetime) -> Proposal:
    """A summary as it waits, with the files it was made of, as they were."""
    stored = {key: value for key, value in ask.stored.items() if key != "prompt"}
    return _proposal(SUMMARIZE, "", reply, now, asked=json.dumps(stored, ensure_ascii=False))


def hand_in_gc(wanted: Wanted, now: datetime) -> Proposal:
    """What to put away as it waits: every file by name, as JSON text."""
    return _proposal(GC, "", render_wanted(wanted), now, why=wanted.why)


def _proposal(  # noqa: PLR0913 (what a file in review/ says)
    op: str, session: str, text: str, now: datetime, *, why: str = "", where: str = "", asked: str = ""
) -> Proposal:
    mark = hashlib.sha256(f"{op}\0{session}\0{text.strip()}".encode()).hexdigest()[:8]
    title = f"{_TITLES[op]} of session {session}" if session else _TITLES[op]
    made = stamp(now)
    return Proposal(
        f"{op}-{mark}", ReviewKind.HANDED_IN, session, made, title, f"{text.strip()}\n",
        why=why, op=op, where=where, asked=asked,
    )  # fmt: skip


def plan_waiting(snapshot: "Snapshot", proposal: Proposal) -> Change | None:
    """Lay what was handed in into `review/`; None where it waits there already.

    Raises ReelError where too much waits.
    """
    path = review_path(proposal.id)
    if snapshot.read(path) is not None:
        return None
    if sum(one.kind is ReviewKind.HANDED_IN for one in _proposals(snapshot)) >= MOST_WAITING:
        message = f"{MOST_WAITING} things that were handed in wait for a word already."
        raise ReelError(message, hint="they are decided with  reel review")
    trailers = (("Reel-Session", proposal.session),) if proposal.session else ()
    summary = f"{proposal.title} waits for a word"
    return Change(OP, summary, {path: render_proposal(proposal).encode()}, trailers)


def _proposals(snapshot: "Snapshot") -> Sequence[Proposal]:
    found = []
    for path in snapshot.list("review"):
        if path.endswith(".md"):
            try:
                found.append(parse_proposal(snapshot.text(path) or "", path))
            except ReelError:
                continue
    return found


# -- keeping --------------------------------------------------------------------------------------


def plan_kept(  # noqa: PLR0913 (the kit and its history, what is kept, and when)
    snapshot: "Snapshot",
    repository: "Repository",
    proposal: Proposal,
    now: datetime,
    tokenizer: "Tokenizer",
    pending: Sequence[str] = (),
    *,
    unattended: bool = False,
) -> Kept:
    """Keep what was handed in, as the reply to a prompt would be; its file, if it has one, goes.

    `pending` are journal lines that no commit holds yet. `unattended`: no person reads it, for the kit trusts
    the tool; so what only a person may decide waits. Raises ReelError where it cannot be kept.
    """
    if proposal.op == REMEMBER:
        kept = Kept(_remember(snapshot, proposal))
    elif proposal.op == ADVISE:
        kept = _advice(snapshot, proposal, now, pending)
    elif proposal.op == SUMMARIZE:
        kept = _summary(snapshot, proposal, now, tokenizer)
    elif proposal.op == GC:
        wanted = parse_wanted(proposal.text)
        if wanted is None:
            raise _unknown(proposal)
        away = plan_away(snapshot, repository, wanted, now, tokenizer, pending)
        kept = Kept(away.change, away.problems)
    else:
        keeping = _page(snapshot, repository, proposal, now, tokenizer, unattended=unattended)
        kept = Kept(keeping.change, keeping.problems, _waits(keeping))
    path = review_path(proposal.id)
    if snapshot.read(path) is None:
        return kept
    return replace(kept, change=kept.change.also({path: None}))


def _page(  # noqa: PLR0913 (as `plan_kept`)
    snapshot: "Snapshot",
    repository: "Repository",
    proposal: Proposal,
    now: datetime,
    tokenizer: "Tokenizer",
    *,
    unattended: bool,
) -> Keeping:
    ask, reply = _ask_of(snapshot, repository, proposal, now)
    ask = limit_to_reply(snapshot, ask, reply)
    page = read_page(snapshot, ask, reply)
    if page.refusal:
        raise ReelError(page.refusal, hint=f"drop it with  reel review reject {proposal.id}")
    if not proposal.session:
        _require_own_lines(page)
    phrases, problems = choose_nearest(page, snapshot.settings.anchor_similarity)

    def highest() -> int:
        from reel_cli.core.kit.memory_numbers import used_memory_numbers

        return max(highest_known(snapshot), used_memory_numbers(repository))

    keeping = plan_page(
        snapshot, page, phrases, now=now, tokenizer=tokenizer, highest_number=highest, unattended=unattended,
        repository=repository,
    )  # fmt: skip
    return replace(keeping, problems=(*keeping.problems, *problems))


def _waits(keeping: Keeping) -> tuple[str, ...]:
    return next((lines for heading, lines in keeping.shown if heading == HEADING), ())


def is_about(page: Page) -> bool:
    """Whether any line of a page was said in the session it is read for."""
    return any(phrase.found for phrase in page.phrases)


def _require_own_lines(page: Page) -> None:
    """A page that was handed in before its chat was recorded must be about the session it is kept for."""
    if page.phrases and not is_about(page):
        message = f"None of the page's lines was said in session {page.ask.session}. {NOT_RECORDED}"
        raise ReelError(message, hint=RECORD_FIRST)


def _ask_of(
    snapshot: "Snapshot", repository: "Repository", proposal: Proposal, now: datetime
) -> tuple[Ask, str]:
    """What the page was asked for, on the kit as it is now, and the last part of the reply."""
    *earlier, reply = proposal.text.strip().split(BETWEEN.strip())
    stored = _stored(proposal, earlier)
    session = stored.session or without_checkpoint(snapshot)
    if session is None:
        raise ReelError(NOT_RECORDED, hint=RECORD_FIRST)
    if proposal.op == CONSOLIDATION:
        read_session(snapshot, session)
        left = open_span(snapshot, session)
        if left is None or stored.span is None or stored.span.session != session:
            left = None
        if left is None or stored.span is None or left.first > stored.span.first:
            message = f"That part of session {session} has its memory already."
            raise ReelError(message, hint=f"drop it with  reel review reject {proposal.id}")
        return stored, reply
    ring0 = read_in_force(snapshot, repository)
    fresh = with_parts_of(ask_checkpoint(snapshot, ring0, now.date(), session=session), stored)
    fresh = with_reach_of(fresh, stored)
    parts = stored.parts if fresh.span is not None else fresh.parts
    fresh = replace(fresh, parts=parts, prompt="", ring0=stored.ring0, items=stored.items)
    return replace(fresh, replies=stored.replies), reply


def _stored(proposal: Proposal, earlier: Sequence[str]) -> Ask:
    value = _asked(proposal)
    replies = [part.strip() for part in earlier]
    ask = Ask.load({**value, "prompt": "", "replies": replies})
    if ask is None or not (ask.session == "" or SESSION_ID.fullmatch(ask.session)):
        raise _unknown(proposal)
    return ask


def _asked(proposal: Proposal) -> Mapping[str, Any]:
    """What a proposal says of its prompt; nothing where that is no JSON object."""
    try:
        value = json.loads(proposal.asked) if proposal.asked else {}
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _unknown(proposal: Proposal) -> ReelError:
    message = f"review/{proposal.id}.md does not say what it is the answer to."
    return ReelError(message, hint=f"drop it with  reel review reject {proposal.id}")


def _remember(snapshot: "Snapshot", proposal: Proposal) -> Change:
    """Words that were said wait to be decided on the next page, like all that was noticed."""
    if not snapshot.settings.intake_most:
        message = "This kit notes nothing of what is said (intake.most is 0 in kit.yaml)."
        raise ReelError(message, hint="raise it, or write it down with  reel fact add")
    found = find_said(snapshot, proposal.text)
    if found is None:
        message = f"Those words were not said in the newest {SEARCHED} sessions."
        raise ReelError(
            message, hint="quote them as they were said, and record the chat first:  reel record FILE"
        )
    why = proposal.why or "noted while talking"
    candidate = replace(found, why=why, where=proposal.where, by=MODEL)
    session = candidate.source.partition("#")[0]
    empty = Change(OP, f"something to remember of session {session}", {}, (("Reel-Session", session),))
    change = put_in_queue(snapshot, empty, [candidate])
    if change is empty:
        message = "That is noted already."
        raise ReelError(message, hint="see what is with  reel status")
    return change


def find_said(snapshot: "Snapshot", words: str) -> Candidate | None:
    """Words as they were said, in the newest session that has them; None where none of them does."""
    settings = snapshot.settings
    for session in [*reversed(standing_sessions(snapshot))][:SEARCHED]:
        shown = read_session(snapshot, session).shown()
        found = find_claim(Tape(shown), " ".join(words.split()))
        entry = next((one for one in shown if found is not None and one.number == found.number), None)
        if found is not None and entry is not None:
            who = speaker(entry, user=settings.user, persona=settings.name)
            return Candidate(f"{session}#{found.number}", found.text, who, entry.message.time or session[:10])
    return None


def _advice(snapshot: "Snapshot", proposal: Proposal, now: datetime, pending: Sequence[str]) -> Kept:
    ring0 = str(_asked(proposal).get("ring0", ""))
    answer = answer_advice(snapshot, AdviceAsk("", ring0), proposal.text, Taking(now, pending))
    if answer.refusal or not answer.offers:
        raise ReelError(answer.refusal or answer.nothing, hint="name files on the shelf, or memories")
    return Kept(answer.offers[0].plan(snapshot), answer.problems)


def _summary(snapshot: "Snapshot", proposal: Proposal, now: datetime, tokenizer: "Tokenizer") -> Kept:
    ask = SummaryAsk.load({**_asked(proposal), "prompt": ""})
    outside = ask is None or not all(
        path.startswith(f"{SHELF}/") and ".." not in path.split("/") for path, _ in ask.sources
    )
    if ask is None or outside or not ask.sources or not isinstance(snapshot.tree, WorkTree):
        raise _unknown(proposal)
    answer = answer_summary(snapshot, ask, proposal.text, SummaryKeeping(snapshot.tree.root, now, tokenizer))
    if answer.refusal or not answer.offers:
        left = answer.left[0].why if answer.left else ""
        raise ReelError(answer.refusal or answer.nothing or left, hint="ask for the summary anew")
    doubts = answer.offers[0].doubts
    return Kept(answer.offers[0].plan(snapshot), (*answer.problems, *doubts))
