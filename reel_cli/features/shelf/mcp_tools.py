"""The tools by which a model advises, sums up and puts files away, and how that is kept."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import find_waiting
from reel_cli.core.exchange.tool import (
    ASKS,
    LONGEST_TEXT,
    MADE,
    Argument,
    HandedInPlan,
    HandIn,
    HandInKind,
    KeepScope,
    Tool,
    ToolAnswer,
    make_proposal,
    plan_kept,
    read_asked,
    unknown_prompt,
)
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.review import Proposal
from reel_cli.features.shelf.advice.ask import NAME as ADVICE_ASKED
from reel_cli.features.shelf.advice.ask import AdviceAsk
from reel_cli.features.shelf.advice.plan_reply import AdviceOptions, answer_advice
from reel_cli.features.shelf.gc_submissions import PutAwayRequest, parse_wanted, plan_away, render_wanted
from reel_cli.features.shelf.shelf_file import SHELF
from reel_cli.features.shelf.summaries.ask import SummaryAsk, answer_summary, ask_name, make_summary_ask
from reel_cli.features.shelf.summaries.ask import SummaryContext as SummaryKeeping
from reel_cli.features.shelf.summaries.plain_summaries import draft_plain
from reel_cli.features.shelf.summaries.sources import take_sources
from reel_cli.features.shelf.summaries.summary import Style
from reel_cli.features.shelf.survey import find_files
from reel_cli.terminal.converse import ring0_in_force

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

ADVISE, SUMMARIZE, GC = "advise", "summarize", "gc"


def advise(opened: "OpenKit", given: Mapping[str, Any]) -> HandIn:
    """Hand in advice on what to keep at hand, as in `memory.advise`; the kit decides."""
    waiting = find_waiting(opened.state, AdviceAsk, ADVICE_ASKED)
    ring0 = waiting.ring0 if waiting is not None else ""
    proposal = hand_in_advice(json.dumps(given, ensure_ascii=False), ring0, opened.now())
    # a proposal that cannot be followed is refused now, while the model can correct it
    plan_kept(_scope(opened, proposal))
    return HandIn(proposal, asked=ADVICE_ASKED)


def summarize(opened: "OpenKit", given: Mapping[str, Any]) -> ToolAnswer | HandIn:
    """Return a prompt for a summary of shelf files, or hand in the page that answers it."""
    files, style, page = given["files"], given.get("style") or Style.BULLET.value, given.get("page", "")
    snapshot, state = opened.snapshot, opened.state
    names = [file.path for file in find_files(snapshot, files, opened.root)]
    ask = find_waiting(state, SummaryAsk, ask_name(names, style))
    if page.strip():
        if ask is None:
            message = "Nobody asked for that summary yet."
            raise ReelError(message, hint="call this first without the page")
        proposal = hand_in_summary(ask, page, opened.now())
        # a proposal that cannot be used is refused now, while the model can correct it
        plan_kept(_scope(opened, proposal))
        return HandIn(proposal, asked=ask.name)
    sources = take_sources(snapshot, opened.root, files)
    counter = get_tokenizer(snapshot.settings.tokenizer)
    if style in (Style.SCHEMA, Style.DIFF):
        made = draft_plain(sources, style, opened.repository, counter)
        if made.draft is not None:
            how = "reel makes this summary itself, at the latest when the file is put away; write nothing."
            return ToolAnswer(f"{made.draft.body.rstrip()}\n\n{how}", {"status": MADE})
    ask = make_summary_ask(snapshot, ring0_in_force(opened), counter, sources, style)
    state.save_exchange(ask.name, ask.stored)
    state.hand_out("prompt", ask.prompt)
    again = "Hand it in by calling this again, with the same files and the page."
    return ToolAnswer(f"{ask.prompt.rstrip()}\n\n{again}", {"status": ASKS})


def collect(opened: "OpenKit", given: Mapping[str, Any]) -> HandIn:
    """Propose to put shelf files away, named or due ones; the kit's rules apply."""
    repository, now, tokens = (
        opened.require_repository(),
        opened.now(),
        get_tokenizer(opened.snapshot.settings.tokenizer),
    )
    wanted = PutAwayRequest(" ".join(given["why"].split()), given.get("files") or ())
    # a deletion that is not possible is refused now, while the model can correct it
    away = plan_away(opened.snapshot, repository, wanted, now, tokens, opened.state.pending_touches())
    if not wanted.files:
        wanted = replace(wanted, due=away.paths)
    return HandIn(hand_in_gc(wanted, now), told=f"\n{away.tell()}")


def _scope(opened: "OpenKit", proposal: Proposal) -> KeepScope:
    tokenizer = get_tokenizer(opened.snapshot.settings.tokenizer)
    return KeepScope(opened.snapshot, opened.require_repository(), proposal, opened.now(), tokenizer)


def hand_in_advice(advice: str, ring0: str, now: datetime) -> Proposal:
    """Return a proposal with advice, as JSON text."""
    return make_proposal(
        ADVISE,
        "advice on what to keep at hand",
        "",
        advice,
        now,
        asked=json.dumps({"ring0": ring0}) if ring0 else "",
    )


def hand_in_summary(ask: SummaryAsk, reply: str, now: datetime) -> Proposal:
    """Return a proposal with a summary, and the files it was made of, as they were."""
    stored = {key: value for key, value in ask.stored.items() if key != "prompt"}
    return make_proposal(
        SUMMARIZE,
        "a summary of files on the shelf",
        "",
        reply,
        now,
        asked=json.dumps(stored, ensure_ascii=False),
    )


def hand_in_gc(wanted: PutAwayRequest, now: datetime) -> Proposal:
    """Return a proposal to put files away: every file by name, as JSON text."""
    return make_proposal(GC, "what to put away of the shelf", "", render_wanted(wanted), now, why=wanted.why)


def _keep_advice(scope: KeepScope) -> HandedInPlan:
    snapshot, proposal = scope.snapshot, scope.proposal
    ring0 = str(read_asked(proposal).get("ring0", ""))
    answer = answer_advice(
        snapshot, AdviceAsk("", ring0), proposal.text, AdviceOptions(scope.now, scope.pending)
    )
    if answer.refusal or not answer.offers:
        raise ReelError(answer.refusal or answer.nothing, hint="name files on the shelf, or memories")
    return HandedInPlan(answer.offers[0].plan(snapshot), answer.problems)


def _keep_summary(scope: KeepScope) -> HandedInPlan:
    snapshot, proposal = scope.snapshot, scope.proposal
    ask = SummaryAsk.load({**read_asked(proposal), "prompt": ""})
    outside = ask is None or not all(
        path.startswith(f"{SHELF}/") and ".." not in path.split("/") for path, _ in ask.sources
    )
    if ask is None or outside or not ask.sources or not isinstance(snapshot.tree, WorkTree):
        raise unknown_prompt(proposal)
    answer = answer_summary(
        snapshot, ask, proposal.text, SummaryKeeping(snapshot.tree.root, scope.now, scope.tokenizer)
    )
    if answer.refusal or not answer.offers:
        left = answer.left[0].why if answer.left else ""
        raise ReelError(answer.refusal or answer.nothing or left, hint="ask for the summary anew")
    doubts = answer.offers[0].doubts
    return HandedInPlan(answer.offers[0].plan(snapshot), (*answer.problems, *doubts))


def _keep_away(scope: KeepScope) -> HandedInPlan:
    wanted = parse_wanted(scope.proposal.text)
    if wanted is None:
        raise unknown_prompt(scope.proposal)
    away = plan_away(scope.snapshot, scope.repository, wanted, scope.now, scope.tokenizer, scope.pending)
    return HandedInPlan(away.change, away.problems)


KINDS = (HandInKind(ADVISE, _keep_advice), HandInKind(SUMMARIZE, _keep_summary), HandInKind(GC, _keep_away))
TOOLS = (
    Tool(
        50,
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
        60,
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
        70,
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
