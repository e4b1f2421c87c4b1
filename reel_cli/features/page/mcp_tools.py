"""The tools by which a model hands in pages and memories, and how these are kept."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.open_ask import Ask, with_parts_of, with_reach_of
from reel_cli.core.exchange.tool import (
    ASKS,
    LONGEST_TEXT,
    Argument,
    HandedInPlan,
    HandIn,
    HandInKind,
    KeepScope,
    Tool,
    ToolAnswer,
    make_proposal,
    read_asked,
    unknown_prompt,
)
from reel_cli.core.files import working_file
from reel_cli.core.files.checkpoint_file import BETWEEN
from reel_cli.core.kit.approved_rings import read_in_force
from reel_cli.core.kit.memory_numbers import highest_known
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.review import Proposal
from reel_cli.core.values.talk import SESSION_ID
from reel_cli.features.page.ask import ask_checkpoint
from reel_cli.features.page.due import open_span
from reel_cli.features.page.kept_pages import without_checkpoint
from reel_cli.features.page.plan import PagePlan, plan_page
from reel_cli.features.page.plan_checkpoint import PageTerms
from reel_cli.features.page.proposals import HEADING
from reel_cli.features.page.purged_words import without_purged
from reel_cli.features.page.read_page import Page, choose_nearest, limit_to_reply, read_page
from reel_cli.features.page.waiting_page import find_memory, pending, rest_prompt, resume, with_part
from reel_cli.terminal.converse import remember, ring0_in_force
from reel_cli.terminal.refused_reply import keep_refused

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.terminal.open_kit import OpenKit

CHECKPOINT, CONSOLIDATION = "checkpoint", "consolidation"
_TITLES = {CHECKPOINT: "a page", CONSOLIDATION: "a memory"}
NOT_RECORDED = "The chat this is about is not recorded yet."
RECORD_FIRST = "record it first:  reel record FILE"
ECHOED = "The page comes together with the prompt it answers."


def submit_checkpoint(opened: "OpenKit", given: Mapping[str, Any]) -> ToolAnswer | HandIn:
    """Hand in a page of self-assessment and memory, read like a reply to `reel checkpoint`."""
    session, text = given.get("session", "").strip(), given["page"]
    ask = _page_ask(opened, session, text)
    return _submit(opened, ask, text)


def submit_consolidation(opened: "OpenKit", given: Mapping[str, Any]) -> ToolAnswer | HandIn:
    """Hand in a memory of a recorded session, read like a reply to `reel consolidate`."""
    session = given.get("session", "").strip()
    if session:
        read_session(opened.snapshot, session)
    return _submit(opened, find_memory(opened, [session] if session else []), given["page"])


def _page_ask(opened: "OpenKit", session: str, text: str) -> Ask:
    """Return the ask that a page answers: the prompt handed out, else the session of its lines.

    Where neither is known, it is for the chat that goes on, and waits until that is recorded.
    """
    snapshot = opened.snapshot
    waiting = pending(opened, "checkpoint", session or None)
    target = session or (waiting.session if waiting is not None else "")
    guess = target or without_checkpoint(snapshot)
    ring0 = ring0_in_force(opened)
    if guess is not None:
        read_session(snapshot, guess)
        today = opened.now().date()
        anew = waiting is not None and waiting.anew and waiting.session == guess
        fresh = ask_checkpoint(snapshot, ring0, today, session=guess, repository=opened.repository, anew=anew)
        ask = resume(opened, fresh, waiting)
        if target or is_about(read_page(snapshot, ask, text)):
            return ask
    if waiting is not None:
        return waiting
    from reel_cli.core.exchange.schema import ALL_PARTS

    items = tuple(working_file.read_items(snapshot.text(WORKING) or ""))
    return Ask("checkpoint", "", None, ALL_PARTS, "", ring0.blob, items, flags=())


def _submit(opened: "OpenKit", ask: Ask, text: str) -> ToolAnswer | HandIn:
    """Read a page; keep it, let it wait, or say what is missing of it."""
    page = read_page(opened.snapshot, ask, text)
    if page.refusal:
        return _ask_rest(opened, page)
    if ask.prompt:
        alone = read_page(opened.snapshot, replace(ask, prompt=""), text)
        if alone.refusal or alone.reading.values != page.reading.values:
            raise ReelError(ECHOED, hint="send the page alone")
    waits = "" if ask.session else " It is kept for this chat once that is recorded."
    return HandIn(hand_in_page(page.ask, text, opened.now()), waits=waits, asked=ask.name)


def _ask_rest(opened: "OpenKit", page: Page) -> ToolAnswer:
    """Keep what came through in mind, and ask for the rest; ReelError where nothing did."""
    missing = [key for key in page.missing if key in page.ask.parts]
    if not missing or not page.adds:
        kept = keep_refused(opened, page.reply) if page.reply.strip() else None
        lies = f"; what came lies in {kept}" if kept is not None else ""
        raise ReelError(page.refusal, hint=f"send the whole page, with its headings{lies}")
    waiting = with_part(page)
    repair = rest_prompt(opened, waiting)
    remember(opened, waiting, repair)
    again = "Call this tool again with only what is asked for here"
    return ToolAnswer(f"Not kept yet. {page.refusal} {again}:\n\n{repair}", {"status": ASKS})


def hand_in_page(ask: Ask, reply: str, now: datetime) -> Proposal:
    """Return a page or memory as it waits: with its prompt's parts, and every part of the reply."""
    op = CONSOLIDATION if ask.op == "consolidate" else CHECKPOINT
    stored = {key: value for key, value in ask.stored.items() if key not in ("prompt", "replies")}
    asked = json.dumps(stored, ensure_ascii=False)
    return make_proposal(op, _TITLES[op], ask.session, BETWEEN.join((*ask.replies, reply)), now, asked=asked)


def _keep(scope: KeepScope) -> HandedInPlan:
    snapshot, repository, proposal = scope.snapshot, scope.repository, scope.proposal
    ask, reply = _ask_of(snapshot, repository, proposal, scope.now)
    ask, reply, _ = without_purged(snapshot, limit_to_reply(snapshot, ask, reply), reply)
    page = read_page(snapshot, ask, reply)
    if page.refusal:
        raise ReelError(page.refusal, hint=f"drop it with  reel review reject {proposal.id}")
    if not proposal.session:
        _require_own_lines(page)
    phrases, problems = choose_nearest(page, snapshot.settings.anchor_similarity)

    def highest() -> int:
        from reel_cli.core.kit.memory_numbers import used_memory_numbers

        return max(highest_known(snapshot), used_memory_numbers(repository))

    terms = PageTerms(scope.now, scope.tokenizer, highest, scope.unattended, repository)
    keeping = plan_page(snapshot, page, phrases, terms)
    return HandedInPlan(keeping.change, (*keeping.problems, *problems), _waits(keeping))


def _waits(keeping: PagePlan) -> tuple[str, ...]:
    return next((lines for heading, lines in keeping.shown if heading == HEADING), ())


def is_about(page: Page) -> bool:
    """Return whether any line of a page was said in the session it is read for."""
    return any(phrase.found for phrase in page.phrases)


def _require_own_lines(page: Page) -> None:
    """Raise ReelError unless an early page is about the session it is kept for."""
    if page.phrases and not is_about(page):
        message = f"None of the page's lines was said in chat {page.ask.session}. {NOT_RECORDED}"
        raise ReelError(message, hint=RECORD_FIRST)


def _ask_of(
    snapshot: "Snapshot", repository: "Repository", proposal: Proposal, now: datetime
) -> tuple[Ask, str]:
    """Return the ask that the page answers, on the kit as it is now, and the last part of the reply."""
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
            message = f"That part of chat {session} has its memory already."
            raise ReelError(message, hint=f"drop it with  reel review reject {proposal.id}")
        return stored, reply
    ring0 = read_in_force(snapshot, repository)
    fresh = ask_checkpoint(snapshot, ring0, now.date(), session=session, anew=stored.anew)
    fresh = with_parts_of(fresh, stored)
    fresh = with_reach_of(fresh, stored)
    parts = stored.parts if fresh.span is not None else fresh.parts
    fresh = replace(fresh, parts=parts, prompt="", ring0=stored.ring0, items=stored.items)
    return replace(fresh, replies=stored.replies, unnumbered=stored.unnumbered), reply


def _stored(proposal: Proposal, earlier: Sequence[str]) -> Ask:
    value = read_asked(proposal)
    replies = [part.strip() for part in earlier]
    ask = Ask.load({**value, "prompt": "", "replies": replies})
    if ask is None or not (ask.session == "" or SESSION_ID.fullmatch(ask.session)):
        raise unknown_prompt(proposal)
    return ask


_SESSION = Argument("session", "string", "The recorded chat it is about, like 2026-02-10-1.", 40)
_PAGE = "The whole page as text, each part under its heading as the prompt has them."
KINDS = (HandInKind(CHECKPOINT, _keep), HandInKind(CONSOLIDATION, _keep))
TOOLS = (
    Tool(
        30,
        "submit_checkpoint",
        "Hand in a checkpoint",
        "Hand in the page the prompt “checkpoint” asks for: how you were, what changed, what to remember. "
        "Where parts are missing, the answer asks for them.",
        (
            Argument("page", "string", _PAGE, LONGEST_TEXT, required=True),
            replace(_SESSION, what=f"{_SESSION.what} Leave it out for the chat you are in."),
        ),
        submit_checkpoint,
    ),
    Tool(
        40,
        "submit_consolidation",
        "Hand in a memory",
        "Hand in the memory of a recorded conversation, as the prompt “consolidate” asks for it. Where parts "
        "are missing, the answer asks for them.",
        (
            Argument("page", "string", _PAGE, LONGEST_TEXT, required=True),
            replace(_SESSION, what=f"{_SESSION.what} Leave it out for the one that was asked about."),
        ),
        submit_consolidation,
    ),
)
