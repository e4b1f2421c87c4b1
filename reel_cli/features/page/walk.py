"""A page at the terminal: which prompt waits, its reply read and shown, and kept after a person's word."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import PurePosixPath
from typing import NoReturn

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.evidence.phrases import PhraseMatch
from reel_cli.core.exchange.exchange import find_waiting
from reel_cli.core.exchange.open_ask import (
    Ask,
    count_parts,
    list_rest,
    read_replies,
    with_parts_of,
    with_reach_of,
)
from reel_cli.core.exchange.reader.failure import Failure, find_failure
from reel_cli.core.exchange.schema import COUNTED
from reel_cli.core.files.private import write_private
from reel_cli.core.moment import day_in_words
from reel_cli.core.pack.recognize import find_prompt
from reel_cli.core.tape.tape_view import read_session, require_standing, retracted, standing_sessions
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.source import SourceRange
from reel_cli.features.page.ask import ask_brief, ask_checkpoint, ask_consolidation, ask_rest, retell, shorten
from reel_cli.features.page.due import (
    LetGo,
    open_span,
    remembered,
    short_sessions,
    unremembered,
    without_checkpoint,
)
from reel_cli.features.page.plan import (
    PARTS_KEPT,
    Page,
    PagePlan,
    choose_nearest,
    limit_to_reply,
    plan_page,
    read_page,
)
from reel_cli.terminal.converse import (
    WHOLE_ANSWER,
    ExchangeOptions,
    ExchangeWalk,
    ask_for_rest,
    hand_out,
    problems_json,
    refuse,
    ring0_in_force,
)
from reel_cli.terminal.given_text import edit_text
from reel_cli.terminal.open_kit import OpenKit
from reel_cli.terminal.via import Before, find_transport

PageWalk = ExchangeWalk[Ask, PagePlan | None]
ENOUGH = 2
"""Number of a page's parts that make a text an answer; if fewer are asked for, all of them."""


def pending(opened: OpenKit, op: str, session: str | None) -> Ask | None:
    """Return the newest prompt of this kind that was handed out and waits for its reply.

    One of a session that was taken back stays in the state, and waits again once the session counts again.
    """
    gone: frozenset[str] | None = None
    for value in opened.state.exchanges().values():
        ask = Ask.load(value)
        if ask is not None and ask.op == op and session in (None, ask.session, ask.session or session):
            gone = retracted(opened.snapshot) if gone is None else gone
            if ask.session not in gone:
                return ask
    return None


def tell_waiting_page(opened: OpenKit, waiting: Ask) -> str:
    """Return what has come so far of a page that was asked for, in a sentence."""
    chat = f"the chat of {day_in_words(date.fromisoformat(waiting.session[:10]))}"
    if not waiting.replies:
        return f"The page of {chat} has not come yet."
    if waiting.session in short_sessions(opened.snapshot):
        return f"The page of {chat} is a short one; the rest of it has not come yet."
    got, asked = count_parts(waiting.parts, read_replies(waiting, (opened.snapshot.settings.name,)))
    return f"Half of the page of {chat} came, {got} of {asked} parts. Only the rest is asked for."


def resume(opened: OpenKit, fresh: Ask, waiting: Ask | None) -> Ask:
    """Return the fresh ask, with the numbers and the kept parts of the prompt that was handed out."""
    if waiting is None or waiting.session not in ("", fresh.session):
        # no prompt was handed out, so no flag was asked about
        return replace(fresh, flags=())
    fresh = with_reach_of(fresh, waiting)
    if waiting.name != fresh.name:
        # handed out while the chat went on; now its session is known
        opened.state.drop_exchange(waiting.name)
    parts = waiting.parts if fresh.span is not None or waiting.brief else with_parts_of(fresh, waiting).parts
    # all that the prompt says and asks about is as it was handed out
    return replace(
        waiting,
        op=fresh.op,
        session=fresh.session,
        span=fresh.span,
        said=fresh.said,
        ring0=fresh.ring0,
        parts=parts,
    )


def page_walk(
    opened: OpenKit,
    manner: ExchangeOptions,
    command: str,
    answered: Callable[[], Ask],
    due: Callable[[], Ask],
) -> PageWalk:
    """Return the walk of a page, whichever prompt waits for it or is due."""

    def ready() -> Ask:
        # a page about less than the whole would be asked for while memories are missing
        with opened.console.waiting("Writing the prompt"):
            ask = due()
            opened.require_memories()
        return ask

    return ExchangeWalk(
        command,
        answered,
        ready,
        lambda ask, reply: settle(opened, ask, reply, manner),
        lambda ask: rest_prompt(opened, ask),
        judge=lambda ask, text: why_no_answer(ask, opened.snapshot.settings.name, text),
    )


def checkpoint_walk(  # noqa: PLR0913 (the page, and how it is asked for)
    opened: OpenKit,
    manner: ExchangeOptions,
    session: str | None,
    only: str | None = None,
    *,
    prompt: bool = False,
    brief: bool = False,
) -> PageWalk:
    """Return the walk of a session's page, or of one half of it (`only`), in the chat that it is about.

    `brief` asks for a short page instead. `prompt` says that its prompt is only printed, which a chat that
    is not recorded yet can have too.
    """

    def due() -> Ask:
        ask = page_due(opened, session, only, brief=brief)
        if not ask.session and opened.walks and not prompt:
            message = "Nothing recorded waits for a page."
            standing = standing_sessions(opened.snapshot)
            hint = "record the chat first:  reel record FILE   (or only print: --prompt)"
            if standing and standing[-1] in short_sessions(opened.snapshot):
                hint = f"for the rest of the last one, a short one:  reel checkpoint --session {standing[-1]}"
            raise ReelError(message, hint=hint)
        return ask

    def due_told() -> Ask:
        ask = due()
        if prompt and _keep_ready(opened, ask, manner) is not None:
            message = "All that a short page needs has come already."
            raise ReelError(message, hint=f"keep it:  reel checkpoint --brief --session {ask.session}")
        for sentence in ask.hindered:
            opened.console.say(sentence)
        if ask.waits:
            names = " and ".join(f"“{label}”" for label in ask.waits)
            opened.console.say(f"The prompt has no room for {names} this time; another page asks for it.")
        return ask

    command = "consolidate" if only == "consolidation" else "checkpoint"

    def answered() -> Ask:
        ask = find_page(opened, session, only)
        return shorten(ask) if brief and ask.makes_memory else ask

    walk = page_walk(opened, manner, command, answered, due_told)
    return replace(
        walk,
        before=lambda ask: _chat_before(opened, ask.session),
        shorter=lambda ask: _shorter(opened, ask),
        finish=lambda ask: _keep_ready(opened, ask, manner),
    )


def _shorter(opened: OpenKit, ask: Ask) -> Ask | None:
    """Return the ask for a short page in place of this one; None where that is no way on."""
    if ask.brief or ask.op != "checkpoint" or not ask.makes_memory:
        return None
    return ask_brief(opened.snapshot, ring0_in_force(opened), opened.now().date(), ask)


def _keep_ready(opened: OpenKit, ask: Ask, manner: ExchangeOptions) -> Callable[[], PagePlan | None] | None:
    """Return what keeps a short page of which all has come with half of a whole one; None for any other."""
    names = (opened.snapshot.settings.name,)
    if not (ask.brief and ask.session and ask.replies) or read_replies(ask, names).missing:
        return None
    return lambda: settle(opened, replace(ask, replies=ask.replies[:-1]), ask.replies[-1], manner)


def page_due(opened: OpenKit, session: str | None, only: str | None, *, brief: bool = False) -> Ask:
    """Return the prompt of a session's page, whole or `brief`, with what came of its reply before."""
    ask = _fresh_page(opened, session, only)
    waiting = pending(opened, ask.op, session)
    if waiting is not None and waiting.replies and waiting.session in ("", ask.session):
        names = (opened.snapshot.settings.name,)
        # half of the page may have come before the chat was recorded
        begun = waiting if waiting.session == ask.session else resume(opened, ask, waiting)
        ask = replace(ask, replies=(retell(begun, names),)) if begun.brief and not brief else begun
    if not brief or ask.brief:
        return ask
    return ask_brief(opened.snapshot, ring0_in_force(opened), opened.now().date(), ask)


def find_page(opened: OpenKit, session: str | None, only: str | None) -> Ask:
    """Return the ask a reply belongs to: the one handed out, else of the newest session without one."""
    opened.require_repository()
    waiting = pending(opened, "consolidate" if only == "consolidation" else "checkpoint", session)
    target = session or (waiting.session if waiting else "") or without_checkpoint(opened.snapshot)
    if target is None:
        message = "No session waits for a page."
        raise ReelError(message, hint="record the chat first:  reel record FILE")
    there = waiting is not None and waiting.session in ("", target)
    return resume(opened, _fresh_page(opened, target, only, written=not there), waiting)


def _fresh_page(opened: OpenKit, session: str | None, only: str | None, *, written: bool = True) -> Ask:
    return ask_checkpoint(
        opened.snapshot,
        ring0_in_force(opened),
        opened.now().date(),
        session=session,
        only=only,
        repository=opened.repository,
        written=written,
        # a large kit is not read memory by memory to know this
        known=remembered(opened.overview),
    )


def consolidation_walk(
    opened: OpenKit, manner: ExchangeOptions, wanted: Sequence[str], *, prompt: bool = False
) -> PageWalk:
    """Return the walk through these sessions, or all without a memory, batch by batch.

    `prompt` says that the prompt is only printed.
    """
    many = 0

    def due() -> Ask:
        nonlocal many
        if opened.walks and not prompt:
            many = len(sessions_left(opened, wanted))
        return memory_due(opened, wanted)

    def announce(ask: Ask) -> str:
        left = len(sessions_left(opened, wanted)) if many > 1 else 0
        return f"Session {ask.session}, {many - left + 1:,} of {many:,}." if left else ""

    def following(_: PagePlan | None) -> Ask | None:
        opened.look_again()
        return _next_memory(opened, wanted)

    walk = page_walk(opened, manner, "consolidate", lambda: find_memory(opened, wanted), due)
    return replace(walk, following=following, announce=announce)


def memory_due(opened: OpenKit, wanted: Sequence[str]) -> Ask:
    """Return the next batch's prompt, with what came of its reply before."""
    ask = _require_memory(_next_memory(opened, wanted))
    waiting = find_waiting(opened.state, Ask, ask.name)
    # an older prompt may have asked for the rest alone
    return replace(waiting, prompt=ask.prompt) if waiting is not None and waiting.replies else ask


def find_memory(opened: OpenKit, wanted: Sequence[str]) -> Ask:
    """Return the ask a reply belongs to: the prompt that was handed out, else the next batch."""
    opened.require_repository()
    waiting = pending(opened, "consolidate", None)
    if waiting is not None and waiting.session and (not wanted or waiting.session in wanted):
        left = open_span(opened.snapshot, waiting.session)
        if left is not None and waiting.span is not None and left.first <= waiting.span.first:
            return waiting
        opened.state.drop_exchange(waiting.name)
    return _require_memory(_next_memory(opened, wanted))


def _require_memory(ask: Ask | None) -> Ask:
    if ask is None:
        message = "Every session has its memory already."
        raise ReelError(message, hint="see them with  reel memory list")
    return ask


def _next_memory(opened: OpenKit, wanted: Sequence[str]) -> Ask | None:
    """Return the next batch, made anew from the tape."""
    for session in wanted:
        read_session(opened.snapshot, session)
        require_standing(opened.snapshot, session)
    tokenizer = get_tokenizer(opened.snapshot.settings.tokenizer)
    return ask_consolidation(opened.snapshot, ring0_in_force(opened), tokenizer, wanted, _let_go(opened))


def sessions_left(opened: OpenKit, wanted: Sequence[str]) -> Sequence[str]:
    """Return the requested sessions that are still to be remembered."""
    return [s for s in unremembered(opened.snapshot, _let_go(opened)) if not wanted or s in wanted]


def _let_go(opened: OpenKit) -> LetGo:
    """Return a function that reads from history what was let go, which is not asked for again."""

    def let_go() -> Sequence[SourceRange]:
        from reel_cli.core.rings.losses import list_let_go

        return list_let_go(opened.repository) if opened.repository else ()

    return let_go


def rest_prompt(opened: OpenKit, ask: Ask) -> str:
    """Return the prompt to paste next: the ask's own, or the one for the rest of its answer."""
    return ask_rest(ask, opened.snapshot).prompt if ask.replies else ask.prompt


def with_part(page: Page) -> Ask:
    """Return a page's ask with the part of its reply that came through."""
    return replace(page.ask, replies=(*page.ask.replies, page.reply))


def settle(opened: OpenKit, ask: Ask, reply: str, manner: ExchangeOptions) -> PagePlan | None:
    """Read a reply and keep it, after the person has seen what it would do; None where they declined.

    Raises ReelError with the repair prompt handed out where the reply cannot be used.
    """
    opened.require_memories()
    handed, ask = ask, limit_to_reply(opened.snapshot, ask, reply)
    if handed.name != ask.name and not manner.dry_run:
        opened.state.drop_exchange(handed.name)
    while True:
        with opened.console.waiting("Reading the page"):
            page = read_page(opened.snapshot, ask, reply)
        if page.refusal:
            _refuse(opened, page, manner)
        phrases, problems = _settle_phrases(opened, page, manner)
        tokenizer = get_tokenizer(opened.snapshot.settings.tokenizer)
        with opened.console.waiting("Holding the page against the tape"):
            keeping = plan_page(
                opened.snapshot,
                page,
                phrases,
                now=opened.now(),
                tokenizer=tokenizer,
                highest_number=_highest(opened),
                unattended=manner.yes,
                repository=opened.repository,
            )
        keeping = replace(keeping, problems=(*keeping.problems, *problems))
        _show(opened, page, keeping, manner, whole=manner.dry_run)
        if manner.dry_run:
            opened.console.say("Nothing was changed (--dry-run).")
            _report(opened, keeping, None, manner)
            return keeping
        answer = _decide(opened, keeping, manner)
        if answer == "e":
            # the whole page, including what came earlier
            reply = edit_text(opened.state.folder / "reply.md", "\n\n".join((*ask.replies, reply)))
            ask = replace(ask, replies=())
            continue
        if answer == "n":
            path = opened.state.folder / "declined.md"
            write_private(path, "\n\n".join((*ask.replies, reply)).encode("utf-8", "replace"))
            hand_out(opened, replace(ask, replies=()), ask.command)
            opened.console.say(f"The kit is as it was. The page is in {path}")
            opened.console.say(f"The prompt waits for another reply:  reel {ask.command} --reply FILE")
            return None
        try:
            applied = opened.commit(keeping.change)
        except StateError:
            if opened.console.interactive:
                # the reply may be gone from the clipboard by now, or have been typed in the editor
                opened.console.say(f"The page is kept in {opened.state.hand_out('page', reply)}")
            raise
        _drop_answered(opened, ask)
        opened.context.waiting = ""
        _report(opened, keeping, applied.commit, manner)
        return keeping


def _drop_answered(opened: OpenKit, ask: Ask) -> None:
    """Forget a prompt that is answered, and those of its kind that were handed out for the session before."""
    opened.state.drop_exchange(ask.name)
    for name, value in opened.state.exchanges().items() if ask.op == "checkpoint" else ():
        if (value.get("op"), value.get("session")) == (ask.op, ask.session):
            opened.state.drop_exchange(name)


def _chat_before(opened: OpenKit, session: str) -> Before:
    """Return the chat that a prompt is meant for: the bundle, and the session's messages that fit."""

    def messages(room: int) -> Sequence[dict[str, str]]:
        return find_transport().gather_chat(opened, session, room)

    return messages


def why_no_answer(ask: Ask, name: str, text: str) -> str:
    """Return why a copied text is not the answer to a prompt, in a clause; "" if it looks like one.

    `name` is the persona's. The reader's own judgement counts: which parts of the page it finds.
    """
    try:
        reading = read_replies(replace(ask, replies=()), (name,), text)
    except ReelError:
        return "passed over what was copied: it is far too long for a page"
    span = find_prompt(text)
    alone = span is not None and not (text[: span[0]] + text[span[1] :]).strip()
    if reading.is_prompt or alone:
        return "what was copied is the prompt itself"
    failure = find_failure(text, reading)
    if failure is Failure.DECLINED:
        return "passed over what was copied: the model declined to write the page"
    wanted = len(read_replies(ask, (name,)).missing) if ask.replies else len(reading.schema.asked)
    found = len(reading.answered)
    if found >= min(ENOUGH, max(1, wanted)):
        return ""
    return (
        "passed over what was copied: it is no page" if not found else "passed over: only one part is in it"
    )


def _refuse(opened: OpenKit, page: Page, manner: ExchangeOptions) -> NoReturn:
    """Refuse a page; of one that came in part, what came through is kept, and the rest asked for."""
    came, missing = page.adds, [key for key in page.missing if key in page.ask.parts]
    repair = "" if came else rest_prompt(opened, page.ask)
    hint = None if opened.context.wired else WHOLE_ANSWER
    failure = find_failure(page.reply, page.alone) if page.alone is not None else None
    if failure is not None and failure.asks_again:
        hint = _way_on(opened, page.ask, failure)
    if "in the kit already" in page.refusal or "about session" in page.refusal:
        which = "ID" if page.ask.op == "consolidate" else "--session ID"
        hint = f"to say which session it is about:  reel {page.ask.command} {which} --reply FILE"
    if missing and came:
        waiting = with_part(page)
        repair = rest_prompt(opened, waiting)
        hint = ask_for_rest(opened, waiting, waiting.command, repair, manner)
        if page.ask.op == "checkpoint" and page.ask.makes_memory and not (page.ask.brief or manner.dry_run):
            way = "b" if opened.context.pasted else f" {_brief_command(opened, waiting)}"
            hint = f"{hint}   (a short page will do as well: {way})"
    else:
        _keep_refused(opened, page, failure, manner)
    if came and not manner.as_json:
        _show_missing(opened, page)
    why = page.refusal
    if manner.dry_run:
        why = why.replace(PARTS_KEPT, "parts would be kept")
    refuse(opened, why, page.problems, manner, repair=repair, hint=hint)


def _keep_refused(opened: OpenKit, page: Page, failure: Failure | None, manner: ExchangeOptions) -> None:
    """Keep a reply that was refused whole, and say where: reel may be wrong about it."""
    if manner.dry_run or failure is Failure.EMPTY:
        return
    try:
        path = opened.state.keep_refused(page.reply)
    except (OSError, StateError):
        # a kit on a read-only disk refuses too
        return
    opened.console.say(f"What came lies in {path}")


def _show_missing(opened: OpenKit, page: Page) -> None:
    """Show which parts are still to come, in one line, and what else is wrong with those that came."""
    left = list_rest(page.ask, page.reading)
    counted = [spec.label for spec in left if spec.key in COUNTED]
    besides = [spec.label for spec in left if spec.key not in COUNTED]
    if counted:
        more = f" Besides, if it comes: {', '.join(besides)}." if besides else ""
        opened.console.say(f"Still to come: {', '.join(counted)}.{more}")
    missing = {f"“{spec.label}” is missing." for spec in page.reading.missing}
    for problem in [one for one in page.problems if one.what not in missing][:12]:
        opened.console.say(f"  {problem.what}")


def _way_on(opened: OpenKit, ask: Ask, failure: Failure) -> str:
    """Return what to do where the model wrote no page."""
    room = "give it more room for the answer, or " if failure is Failure.CUT_THOUGHTS else ""
    if ask.op == "checkpoint" and ask.makes_memory and not ask.brief:
        if opened.context.pasted:
            return f"{room}ask for a short page (b), or another model, or tomorrow (q): the page stays due"
        command = _brief_command(opened, ask)
        return f"{room}ask again, shorter:  {command}   (or another model, or tomorrow: the page stays due)"
    return f"{room}ask again, or another model, or tomorrow: the page stays due"


def _brief_command(opened: OpenKit, ask: Ask) -> str:
    """Return the command that asks for a short page, over the same wire."""
    via = opened.context.via
    way = f"--via {via.to}" if via is not None and via.sends else "--prompt"
    standing = standing_sessions(opened.snapshot)
    named = f" --session {ask.session}" if ask.session and ask.session != standing[-1] else ""
    ready = ask.replies and not read_replies(shorten(ask), (opened.snapshot.settings.name,)).missing
    return f"reel checkpoint {'' if ready else f'{way} '}--brief{named}"


def _settle_phrases(
    opened: OpenKit, page: Page, manner: ExchangeOptions
) -> tuple[list[PhraseMatch], list[Problem]]:
    console = opened.console
    if manner.yes or manner.dry_run or not console.interactive:
        return choose_nearest(page, opened.snapshot.settings.anchor_similarity)
    kept: list[PhraseMatch] = []
    for phrase in page.phrases:
        if phrase.found is not None:
            kept.append(phrase.found)
        elif phrase.nearest is None:
            console.say(f'"{phrase.claimed}" was not said; it is left out.')
        else:
            console.say("One line to find it by was not said quite so:")
            console.say(f'  on the page  "{phrase.claimed}"')
            console.say(f'  really said  "{phrase.nearest.text}"   (message {phrase.nearest.number})')
            if console.confirm("Take what was really said?"):
                kept.append(phrase.nearest)
    return kept, []


def _highest(opened: OpenKit) -> Callable[[], int]:
    def highest() -> int:
        from reel_cli.core.kit.memory_numbers import highest_known, used_memory_numbers

        known = highest_known(opened.snapshot)
        if opened.repository is None:
            return known
        return max(known, used_memory_numbers(opened.repository))

    return highest


def _show(
    opened: OpenKit, page: Page, keeping: PagePlan, manner: ExchangeOptions, *, whole: bool = False
) -> None:
    """Show what a page would change: the `whole`, or what tells it in short."""
    if manner.as_json:
        return
    console = opened.console
    got, asked = count_parts(page.ask.parts, page.reading)
    console.say(f"Read the {'short ' if keeping.brief else ''}page: {got} of {asked} parts.")
    _show_sections(opened, keeping, whole=whole)
    if keeping.problems:
        console.say()
        console.say("Worth a look:")
        for problem in keeping.problems:
            console.say(f"  {problem.what}")
    console.say()


def _show_sections(opened: OpenKit, keeping: PagePlan, *, whole: bool) -> None:
    console = opened.console
    for heading, lines in keeping.shown:
        told = lines if whole else keeping.short.get(heading, lines)
        if not told:
            continue
        console.say()
        console.say(heading)
        for line in told:
            console.say(f"  {line}")


def _decide(opened: OpenKit, keeping: PagePlan, manner: ExchangeOptions) -> str:
    if manner.yes:
        return "y"
    if not opened.console.interactive:
        message = "Nothing was kept: without a terminal, reel cannot ask you."
        raise ReelError(message, hint="add --yes to keep it without a question, or --dry-run to only look")
    while True:
        answer = opened.console.choose("Keep this? (v shows every word, e edits)", ["y", "v", "e", "n"], "y")
        if answer != "v":
            return answer
        from reel_cli.terminal.kept_in_full import show_in_full

        _show_sections(opened, keeping, whole=True)
        opened.console.say()
        show_in_full(opened, keeping.change)


def _report(opened: OpenKit, keeping: PagePlan, commit: str | None, manner: ExchangeOptions) -> None:
    if manner.as_json:
        from reel_cli.core.files.index_file import render_line

        opened.console.result_json(
            {
                "commit": commit,
                "checkpoint": keeping.checkpoint,
                "memories": [memory.id for memory in keeping.memories],
                "index": [render_line(line) for line in keeping.index],
                "problems": problems_json(keeping.problems),
                "changed": [{"what": heading, "lines": list(lines)} for heading, lines in keeping.shown],
                **keeping.told,
                "review": sorted(path for path in keeping.change.writes if path.startswith("review/")),
            }
        )
    elif commit is not None:
        opened.console.result("Kept.")
        if keeping.brief:
            session = PurePosixPath(keeping.checkpoint or "").stem.rpartition(".")[0]
            opened.console.next_step(
                f"It is a short page. To ask for the rest of it later:  reel checkpoint --session {session}"
            )
        opened.console.next_step(f"Next time:  {manner.begins}   (to take this page back:  reel undo)")
