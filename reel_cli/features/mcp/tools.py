"""The tools of `reel mcp`: what each takes, and what it does with an opened kit; nothing of the protocol.

A tool that writes leaves a proposal in `review/`, unless the kit trusts it (`mcp.trust`). To add one, write
its function and its row in `TOOLS`.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.exchange.exchange import find_waiting
from reel_cli.core.exchange.open_ask import Ask
from reel_cli.core.files import working_file
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.intake.entry import LONGEST, PLACES
from reel_cli.features.mcp import handed_in, handed_in_gc
from reel_cli.features.mcp.tool import LONGEST_TEXT, Argument, check_arguments
from reel_cli.features.page.ask import ask_checkpoint, ask_rest
from reel_cli.features.page.due import without_checkpoint
from reel_cli.features.page.plan import Page, read_page
from reel_cli.features.shelf.advice.ask import NAME as ADVICE_ASKED
from reel_cli.features.shelf.advice.ask import AdviceAsk
from reel_cli.features.shelf.summaries.ask import (
    SummaryAsk,
    ask_name,
    make_summary_ask,
)
from reel_cli.features.shelf.summaries.sources import take_sources
from reel_cli.features.shelf.summaries.summary import Style
from reel_cli.features.shelf.survey import find_files
from reel_cli.terminal.exchange_walk import pending, resume, ring0_in_force

if TYPE_CHECKING:
    from reel_cli.core.values.review import Proposal
    from reel_cli.terminal.context import Context, OpenKit

USUAL_TOKENS, MOST_TOKENS = 1_200, 8_000
"""How much a recall tells where nobody says, and at most."""
ECHOED = "The page comes together with the prompt it answers."


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: its name, what the model is told of it, what it takes, and what it does."""

    name: str
    title: str
    what: str
    arguments: tuple[Argument, ...]
    run: "Callable[[OpenKit, Mapping[str, Any]], str]"
    writes: bool = True


def call(context: "Context", name: str, given: Mapping[str, object]) -> str:
    """What a call of a tool comes to, in words; the kit is opened for it, as it is now.

    Raises ReelError where there is no such tool, an argument is amiss, or it cannot be done.
    """
    tool = next((one for one in TOOLS if one.name == name), None)
    if tool is None:
        message = "There is no tool of that name."
        raise ReelError(message, hint=f"known are: {', '.join(one.name for one in TOOLS)}")
    arguments = check_arguments(tool.arguments, given)
    opened = context.open_kit()
    if tool.writes:
        opened.require_repository()
    return tool.run(opened, arguments)


# -- recall -----------------------------------------------------------------------------------------


def recall(opened: "OpenKit", given: Mapping[str, Any]) -> str:
    """Moments of the past, told as one remembers them, within a budget."""
    from reel_cli.features.recall.kit_recall import note_recalls, open_recollection, tell_troubles
    from reel_cli.features.recall.moments import render_block
    from reel_cli.features.recall.recall import Wish

    wish = Wish(limit=given.get("limit"), tokens=given.get("tokens", USUAL_TOKENS))
    with open_recollection(opened) as recollection:
        found = recollection.recall(" ".join(given["query"].split()), wish)
        tell_troubles(opened, recollection.told)
        note_recalls(opened, recollection, [found])
    if found.moments:
        return render_block(found.moments)
    if found.left:
        return "What comes to mind does not fit into so few tokens."
    return "Nothing comes to mind that is certain enough."


# -- what writes --------------------------------------------------------------------------------------


def remember(opened: "OpenKit", given: Mapping[str, Any]) -> str:
    """Words that were said, to be decided on: noted at once where the kit trusts this and they are found."""
    now = opened.now()
    words, why = " ".join(given["words"].split()), " ".join(given.get("why", "").split())
    proposal = handed_in.hand_in_words(words, why, given.get("where", ""), now)
    if handed_in.find_said(opened.snapshot, words) is None:
        # the chat it is from is seldom on the tape while it goes on
        return _lay_by(
            opened, proposal, " It is looked for on the tape then, so the chat has to be recorded."
        )
    return _keep_or_lay_by(opened, proposal)


def submit_checkpoint(opened: "OpenKit", given: Mapping[str, Any]) -> str:
    """A page of self-assessment and memory, read as the reply to `reel checkpoint` is."""
    session, text = given.get("session", "").strip(), given["page"]
    ask = _page_ask(opened, session, text)
    return _submit(opened, ask, text)


def submit_consolidation(opened: "OpenKit", given: Mapping[str, Any]) -> str:
    """A memory of a recorded session, read as the reply to `reel consolidate` is."""
    from reel_cli.features.page.command_consolidate import find_ask

    session = given.get("session", "").strip()
    if session:
        read_session(opened.snapshot, session)
    return _submit(opened, find_ask(opened, [session] if session else []), given["page"])


def advise(opened: "OpenKit", given: Mapping[str, Any]) -> str:
    """Advice on what to keep at hand, as `memory.advise` has it; the kit decides what becomes of it."""
    waiting = find_waiting(opened.state, AdviceAsk, ADVICE_ASKED)
    ring0 = waiting.ring0 if waiting is not None else ""
    proposal = handed_in.hand_in_advice(json.dumps(given, ensure_ascii=False), ring0, opened.now())
    # what cannot be followed is said now, while the model can mend it
    handed_in.plan_kept(opened.snapshot, opened.require_repository(), proposal, opened.now(), _tokens(opened))
    told = _keep_or_lay_by(opened, proposal)
    opened.state.drop_exchange(ADVICE_ASKED)
    return told


def summarize(opened: "OpenKit", given: Mapping[str, Any]) -> str:
    """A summary of files on the shelf: first the prompt with what they hold, then the page for it."""
    files, style, page = given["files"], given.get("style") or Style.BULLET.value, given.get("page", "")
    snapshot, state = opened.snapshot, opened.state
    names = [file.path for file in find_files(snapshot, files, opened.root)]
    ask = find_waiting(state, SummaryAsk, ask_name(names, style))
    if page.strip():
        if ask is None:
            message = "Nobody asked for that summary yet."
            raise ReelError(message, hint="call this first without the page")
        proposal = handed_in.hand_in_summary(ask, page, opened.now())
        # what cannot be used is said now, while the model can mend it
        handed_in.plan_kept(snapshot, opened.require_repository(), proposal, opened.now(), _tokens(opened))
        told = _keep_or_lay_by(opened, proposal)
        state.drop_exchange(ask.name)
        return told
    sources = take_sources(snapshot, opened.root, files)
    ask = make_summary_ask(snapshot, ring0_in_force(opened), _tokens(opened), sources, style)
    state.save_exchange(ask.name, ask.stored)
    state.hand_out("prompt", ask.prompt)
    return f"{ask.prompt.rstrip()}\n\nHand it in by calling this again, with the same files and the page."


def collect(opened: "OpenKit", given: Mapping[str, Any]) -> str:
    """Files of the shelf to be put away, those that are named or those that are due; the kit's rules hold."""
    repository, now, tokens = opened.require_repository(), opened.now(), _tokens(opened)
    wanted = handed_in_gc.Wanted(" ".join(given["why"].split()), given.get("files") or ())
    # what cannot go is said now, while the model can mend it
    away = handed_in_gc.plan_away(
        opened.snapshot, repository, wanted, now, tokens, opened.state.pending_touches()
    )
    if not wanted.files:
        wanted = replace(wanted, due=away.paths)
    return f"{_keep_or_lay_by(opened, handed_in.hand_in_gc(wanted, now))}\n{away.tell()}"


def _page_ask(opened: "OpenKit", session: str, text: str) -> Ask:
    """What a page answers: the prompt that was handed out, else the session its lines were said in.

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
        fresh = ask_checkpoint(snapshot, ring0, today, session=guess, repository=opened.repository)
        ask = resume(opened, fresh, waiting)
        if target or handed_in.is_about(read_page(snapshot, ask, text)):
            return ask
    if waiting is not None:
        return waiting
    from reel_cli.core.exchange.schema import ALL_PARTS

    items = tuple(working_file.read_items(snapshot.text(WORKING) or ""))
    return Ask("checkpoint", "", None, ALL_PARTS, "", ring0.blob, items, flags=())


def _submit(opened: "OpenKit", ask: Ask, text: str) -> str:
    """Read a page; keep it, let it wait, or say what is missing of it."""
    page = read_page(opened.snapshot, ask, text)
    if page.refusal:
        return _ask_rest(opened, page)
    if ask.prompt:
        alone = read_page(opened.snapshot, replace(ask, prompt=""), text)
        if alone.refusal or alone.reading.values != page.reading.values:
            raise ReelError(ECHOED, hint="send the page alone")
    told = _keep_or_lay_by(
        opened, handed_in.hand_in_page(ask, text, opened.now()), unrecorded=not ask.session
    )
    opened.state.drop_exchange(ask.name)
    return told


def _ask_rest(opened: "OpenKit", page: Page) -> str:
    """Keep what came through in mind, and ask for the rest; ReelError where nothing did."""
    missing = [key for key in page.missing if key in page.ask.parts]
    if not missing or not page.reading.values or page.reading.is_prompt:
        raise ReelError(page.refusal, hint="send the whole page, with its headings")
    waiting = replace(page.ask, replies=(*page.ask.replies, page.reply))
    repair = ask_rest(waiting, opened.snapshot).prompt
    try:
        opened.state.save_exchange(waiting.name, waiting.stored)
        opened.state.hand_out("prompt", repair)
    except OSError as error:
        message = f"What came through cannot be kept: {error.strerror or error}."
        raise StateError(message, hint="check who owns the kit's folder") from None
    return f"Not kept yet. {page.refusal} Call this tool again with only what is asked for here:\n\n{repair}"


def _keep_or_lay_by(opened: "OpenKit", proposal: "Proposal", *, unrecorded: bool = False) -> str:
    """Keep it where the kit trusts its tool, else let it wait for a person's word."""
    if unrecorded:
        return _lay_by(opened, proposal, " It is kept for this chat once that is recorded.")
    if proposal.op not in opened.snapshot.settings.mcp_trust:
        return _lay_by(opened, proposal)
    state = opened.state
    kept = handed_in.plan_kept(
        opened.snapshot, opened.require_repository(), proposal, opened.now(), _tokens(opened),
        state.pending_touches(), unattended=True,
    )  # fmt: skip
    opened.commit(kept.change)
    waits = "".join(f"\n- {line.removeprefix('+ ')}" for line in kept.waits)
    waits = f"\nThis waits for a person's word, in  reel review:{waits}" if waits else ""
    look = "".join(f"\n- {problem.what}" for problem in kept.problems)
    return f"Kept.{' Worth a look:' if look else ''}{look}{waits}"


def _lay_by(opened: "OpenKit", proposal: "Proposal", then: str = "") -> str:
    user = opened.snapshot.settings.user
    whose = "the user's" if user == "You" else f"{user}'s"
    change = handed_in.plan_waiting(opened.snapshot, proposal)
    if change is None:
        return f"That waits for {whose} word already."
    opened.commit(change)
    return f"It waits for {whose} word.{then}"


def _tokens(opened: "OpenKit") -> Any:  # noqa: ANN401
    return get_tokenizer(opened.snapshot.settings.tokenizer)


_SESSION = Argument("session", "string", "The recorded session it is about, like 2026-02-10-1.", 40)
_PAGE = "The whole page as text, each part under its heading as the prompt has them."
TOOLS: Sequence[Tool] = (
    Tool(
        "recall",
        "Recall",
        "Remember moments of earlier conversations that have to do with a question or a few words.",
        (
            Argument("query", "string", "What to remember, in plain words.", 2_000, required=True),
            Argument("limit", "integer", "At most so many moments.", 50),
            Argument("tokens", "integer", f"At most so many tokens; else {USUAL_TOKENS:,}.", MOST_TOKENS),
        ),
        recall,
        writes=False,
    ),
    Tool(
        "remember",
        "Remember",
        "Note something that was just said; whether it is kept is decided later. Quote it exactly.",
        (
            Argument(
                "words", "string", "The words as they were said, a sentence or two.", LONGEST, required=True
            ),
            Argument("why", "string", "Why it matters, in a few words.", 300),
            Argument("where", "string", "Where it belongs, if that is plain.", 20, one_of=PLACES),
        ),
        remember,
    ),
    Tool(
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
    Tool(
        "advise",
        "Advise",
        "Advise which files and memories to keep at hand and which to let go. It is advice: rules and people "
        "decide what becomes of it.",
        (
            Argument("hot", "hints", "What to keep at hand: paths or memories, each with why.", 500),
            Argument(
                "cold",
                "hints",
                "What to let go, each with why; suggested_action may be delete_from_working_set, "
                "summarize_then_evict, archive or compress.",
                500,
            ),
            Argument("trigger_gc", "boolean", "Whether things should be cleared away soon.", 1),
            Argument("why", "string", "What moved you to this advice.", 2_000, required=True),
        ),
        advise,
    ),
    Tool(
        "summarize",
        "Summarize",
        "Sum up files on the shelf, so that a short page can stand in for them. Called without a page it "
        "answers with the files and what to write; called again with the page it takes that.",
        (
            Argument(
                "files", "strings", "Names of files on the shelf, or a folder of it.", 50, required=True
            ),
            Argument(
                "style", "string", "How; bullet if not given.", 20, one_of=tuple(one.value for one in Style)
            ),
            Argument("page", "string", "The summary, once it is written.", LONGEST_TEXT),
        ),
        summarize,
    ),
    Tool(
        "gc",
        "Put away",
        "Put files of the shelf away that are done with: those you name, each with why, or, where you name "
        "none, those that are due. What must be kept stays, and all of it can be brought back.",
        (
            Argument(
                "files",
                "hints",
                "What can go, each with why; suggested_action as for advise. Leave it out for what is due.",
                500,
            ),
            Argument("why", "string", "Why now, in a sentence.", 2_000, required=True),
        ),
        collect,
    ),
)
"""Every tool of the server."""
