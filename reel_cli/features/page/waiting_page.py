"""The page that is due or waits for its reply: which prompt it is, and what came of it before."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import find_waiting
from reel_cli.core.exchange.open_ask import (
    Ask,
    add_reply,
    count_parts,
    read_replies,
    with_parts_of,
    with_reach_of,
    with_whole,
)
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import NEVER, day_in_words, moment
from reel_cli.core.tape.tape_view import chat_of, read_session, require_standing, retracted, standing_sessions
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import capital
from reel_cli.core.values.source import SourceRange
from reel_cli.features.page.ask import ask_brief, ask_checkpoint, ask_rest, retell
from reel_cli.features.page.due import LetGo, lacks_page, open_span, remembered, unremembered
from reel_cli.features.page.kept_pages import (
    LEFT,
    last_checkpoint,
    left_without_page,
    new_messages,
    page_command,
    short_sessions,
    without_checkpoint,
)
from reel_cli.features.page.notes.plan_notes import has_newer_page
from reel_cli.features.page.owed_pages import find_asked
from reel_cli.features.page.short_page import find_short_memory
from reel_cli.terminal.converse import ring0_in_force
from reel_cli.terminal.open_kit import OpenKit

if TYPE_CHECKING:
    from reel_cli.features.page.read_page import Page


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


def waits_short(opened: OpenKit, session: str) -> bool:
    """Return whether a short page of a session was asked for last, and none of it is kept yet."""
    waiting = pending(opened, "checkpoint", session)
    asked = waiting is not None and waiting.brief and waiting.session == session
    return asked and session not in short_sessions(opened.snapshot)


def command_of(snapshot: Snapshot, ask: Ask) -> str:
    """Return the command that takes the reply to an ask, whichever chat's page is due."""
    return page_command(snapshot, ask.session) if ask.op == "checkpoint" else ask.command


def is_stopped(waiting: Ask) -> bool:
    """Return whether the whole page came, and the person stopped at the question whether to keep it."""
    return bool(waiting.stopped) and Path(waiting.stopped).is_file()


def tell_waiting_page(opened: OpenKit, waiting: Ask, *, later: bool = False) -> str:
    """Return what has come so far of a page that was asked for, in a sentence; `later`: not shown now."""
    chat = chat_of(opened.snapshot, waiting.session)
    if is_stopped(waiting):
        again = "" if later else " Here it is again."
        return f"The page of {chat} came; it is neither kept nor declined.{again}"
    if not waiting.replies and (new := _tell_new(opened.snapshot, waiting.session)):
        return new
    if waits_short(opened, waiting.session):
        return f"The short page of {chat} has not come yet. For a whole one:  reel checkpoint"
    if not waiting.replies:
        return f"The page of {chat} has not come yet."
    if waiting.session in short_sessions(opened.snapshot):
        return f"The page of {chat} is a short one; the rest of it has not come yet."
    got, asked = count_parts(waiting.parts, read_replies(waiting, (opened.snapshot.settings.name,)))
    return f"Part of the page of {chat} came, {got} of {asked} parts. Only the rest is asked for."


def tell_missing_page(opened: OpenKit, session: str) -> str:
    """Return the sentence for a chat whose page nobody has asked for yet, or was undone, or which went on."""
    chat = capital(chat_of(opened.snapshot, session))
    return _tell_new(opened.snapshot, session) or f"{chat} has no page yet."


def _tell_new(snapshot: Snapshot, session: str) -> str:
    """Return the sentence for a chat that went on after its page was kept; "" for another."""
    if last_checkpoint(snapshot, session) is None or not (new := new_messages(snapshot, session)):
        return ""
    came, are = ("1 message", "is") if new == 1 else (f"{new:,} messages", "are")
    return f"{came} came after the page of {chat_of(snapshot, session)} and {are} in no memory yet."


def find_open(opened: OpenKit) -> str | None:
    """Return the session whose page `reel end` goes on with; None where none is due.

    It is the last chat where that has none (never written, or undone) or went on after it, else the one whose
    page was asked for and did not come. One of which no page is wanted, or whose memory was made without,
    is none of them.
    """
    snapshot = opened.snapshot
    standing = standing_sessions(snapshot)
    known = remembered(opened.overview)
    if not standing or lacks_page(snapshot, standing[-1], known):
        return standing[-1] if standing else None
    return find_asked(snapshot, opened.state.exchanges().values(), known)


def tell_drop(opened: OpenKit, ask: Ask) -> str:
    """Return how a person does without the rest of a page, and if they are asked; "" where they cannot."""
    if ask.op != "checkpoint" or ask.session not in standing_sessions(opened.snapshot):
        return ""
    short = ask.session in short_sessions(opened.snapshot)
    if short and not new_messages(opened.snapshot, ask.session):
        return "leave the page short"
    if ask.anew:
        return "leave the page as it was"
    if short:
        drops = "leave the page short, without what came after it"
    else:
        drops = "drop what came of the page" if ask.replies else "do without a page: only the chat is kept"
    return f"{drops}; reel asks you first"


def drop_page(opened: OpenKit, ask: Ask) -> Ask | None:
    """Ask a person how they want to do without a page, or with what came of it, and do that.

    Return the page that is asked for instead; None where none is.
    """
    console, chat = opened.console, chat_of(opened.snapshot, ask.session)
    if ask.session in short_sessions(opened.snapshot):
        if new := new_messages(opened.snapshot, ask.session):
            more = "1 message came" if new == 1 else f"{new:,} messages came"
            question = f"{more} after the short page of {chat}. Leave it as it is? The chat itself stays."
            if not console.confirm(question, default=False):
                return ask
            leave_page(opened, ask.session)
            return None
        _forget_prompts(opened, ask.session)
        console.say(f"The page of {chat} stays a short one.")
        return None
    if ask.anew:
        drop_parts(opened, ask.session)
        console.say(f"The page of {chat} stays as it was.")
        return None
    if not ask.replies:
        if not console.confirm(f"Do without a page of {chat}? The chat itself stays.", default=False):
            return ask
        leave_page(opened, ask.session)
        return None
    got, asked = count_parts(ask.parts, read_replies(ask, (opened.snapshot.settings.name,)))
    console.say(f"{got} of {asked} parts of the page of {chat} came.")
    meanings = {
        "anew": "drop them, and ask for the whole page once more",
        "none": "drop them, and do without a page of that chat",
        "back": "leave all as it is",
    }
    answer = console.choose("Drop them?", list(meanings), "back", {**meanings, "no": "the same as back"})
    if answer == "anew":
        drop_parts(opened, ask.session)
        return page_due(opened, ask.session, None)
    if answer == "none":
        leave_page(opened, ask.session)
        return None
    return ask


def drop_parts(opened: OpenKit, session: str) -> None:
    """Throw away what came of a session's page; its text is kept in a file, and that is told."""
    from reel_cli.terminal.refused_reply import tell_refused

    found = _forget_prompts(opened, session)
    opened.context.stays = ""
    if found:
        opened.console.say("What came of the page is dropped.")
        tell_refused(opened, "\n\n".join(found))


def leave_page(opened: OpenKit, session: str) -> None:
    """Note on the tape that no page of a session is wanted, and say what of it stays."""
    from reel_cli.features.record.plan import plan_event

    drop_parts(opened, session)
    said = len(read_session(opened.snapshot, session).shown())
    has_memory = open_span(opened.snapshot, session, remembered(opened.overview)) is None
    if said > left_without_page(opened.snapshot, session):
        opened.commit(plan_event(opened.snapshot, LEFT, str(said), session, opened.now()))
    console = opened.console
    console.result(
        f"No page of {chat_of(opened.snapshot, session)} is asked for any more; every word of the chat stays."
    )
    if not has_memory:
        console.next_step(f"A memory of it can be made any day, in any chat:  reel consolidate {session}")
    console.next_step(f"To ask for its page all the same:  reel checkpoint --session {session}")


def require_page(opened: OpenKit, session: str | None) -> str:
    """Return the session whose page is meant, else the one that `reel end` goes on with.

    Raises ReelError where there is none.
    """
    if session is not None:
        read_session(opened.snapshot, session)
        require_standing(opened.snapshot, session)
        return session
    found = find_open(opened)
    if found is None:
        message = "No chat waits for a page."
        raise ReelError(message, hint="see what is due:  reel status")
    return found


def let_be(opened: OpenKit, session: str | None) -> bool:
    """Let a page be enough whose memory is made already; return whether that was so.

    There is nothing that a short page could add then.
    """
    standing = standing_sessions(opened.snapshot)
    target = session or (standing[-1] if standing else None)
    if target is None or target not in standing:
        return False
    made = open_span(opened.snapshot, target, remembered(opened.overview)) is None
    if not made or find_short_memory(opened.snapshot, target) is not None:
        return False
    if new_messages(opened.snapshot, target):
        opened.console.say(
            f"The memory of {chat_of(opened.snapshot, target)} is made already, so that is enough."
        )
        leave_page(opened, target)
    else:
        opened.console.say(f"{capital(chat_of(opened.snapshot, target))} has its page and its memory.")
    return True


def move_page(opened: OpenKit, before: str, session: str) -> bool:
    """Let what came of a session's page wait for another session, which has the same messages.

    Return whether anything did.
    """
    snapshot, moved = opened.snapshot, False
    was, now = (
        [
            (entry.number, entry.message.role, entry.message.text)
            for entry in read_session(snapshot, one).shown()
        ]
        for one in (before, session)
    )
    # the newest is stored last, and stays the newest
    for name, value in reversed(opened.state.exchanges().items()) if was == now else ():
        ask = Ask.load(value)
        if ask is None or (ask.op, ask.session) != ("checkpoint", before) or not (ask.replies or ask.stopped):
            continue
        span = ask.span and replace(ask.span, session=session)
        there = replace(ask, session=session, span=span)
        opened.state.save_exchange(there.name, there.stored)
        opened.state.drop_exchange(name)
        moved = True
    return moved


def _forget_prompts(opened: OpenKit, session: str) -> list[str]:
    """Forget the prompts for a session's page; return the replies that came in part."""
    found: list[str] = []
    for name, value in opened.state.exchanges().items():
        ask = Ask.load(value)
        if ask is not None and (ask.op, ask.session) == ("checkpoint", session):
            found += ask.replies
            opened.state.drop_exchange(name)
    return found


def _is_for(opened: OpenKit, waiting: Ask, session: str) -> bool:
    """Return whether a prompt that waits was handed out for a session.

    One that was handed out before its chat was recorded is for none that a later page follows.
    """
    if waiting.session:
        return waiting.session == session
    return not session or not has_newer_page(opened.snapshot, session)


def resume(opened: OpenKit, fresh: Ask, waiting: Ask | None) -> Ask:
    """Return the fresh ask, with the numbers and the kept parts of the prompt that was handed out."""
    if waiting is None or not _is_for(opened, waiting, fresh.session):
        # no prompt was handed out, so no flag was asked about; where pages were kept since, the numbers of
        # the notes were others when the page was written
        session = fresh.session
        kept = last_checkpoint(opened.snapshot, session) is not None
        return replace(fresh, flags=(), unnumbered=kept or has_newer_page(opened.snapshot, session))
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


def page_due(
    opened: OpenKit, session: str | None, only: str | None, *, brief: bool = False, anew: bool = False
) -> Ask:
    """Return the prompt of a session's page, whole or `brief`, with what came of its reply before.

    `anew` asks for the whole page of all of the session once more (`ask_checkpoint`).
    """
    session = session or _owes_memory(opened, only)
    ask = _fresh_page(opened, session, only, anew=anew)
    waiting = pending(opened, ask.op, session)
    if waiting is not None and waiting.replies and _is_for(opened, waiting, ask.session):
        names = (opened.snapshot.settings.name,)
        # half of the page may have come before the chat was recorded
        begun = waiting if waiting.session == ask.session else resume(opened, ask, waiting)
        ask = replace(ask, replies=(retell(begun, names),)) if begun.brief and not brief else begun
    if not brief or ask.brief:
        return ask
    short = ask_brief(opened.snapshot, ring0_in_force(opened), opened.now().date(), ask)
    return with_whole(short, waiting) if waiting is not None and not waiting.brief else short


def _owes_memory(opened: OpenKit, only: str | None) -> str | None:
    """Return the newest session whose page was kept without its memory, where that alone is asked for."""
    if only != "consolidation" or without_checkpoint(opened.snapshot) is not None:
        return None
    left = {*unremembered(opened.snapshot)}
    return next((one for one in reversed(standing_sessions(opened.snapshot)) if one in left), None)


def _tell_last_page(snapshot: Snapshot) -> str:
    """Return the sentence that says when the newest chat's page was kept; "" where it has none."""
    standing = standing_sessions(snapshot)
    page = last_checkpoint(snapshot, standing[-1]) if standing else None
    kept = moment(page.get("kept") or page.get("timestamp", "")) if page else NEVER
    if kept == NEVER:
        return ""
    return f" That of {chat_of(snapshot, standing[-1])} was kept on {day_in_words(kept.date())}."


def find_page(opened: OpenKit, session: str | None, only: str | None) -> Ask:
    """Return the ask a reply belongs to: the one handed out, else of the newest session without one."""
    opened.require_repository()
    session = session or _owes_memory(opened, only)
    waiting = pending(opened, "consolidate" if only == "consolidation" else "checkpoint", session)
    target = session or (waiting.session if waiting else "") or without_checkpoint(opened.snapshot)
    if target is None:
        kept = _tell_last_page(opened.snapshot)
        first = "if this is another chat's, record that first" if kept else "record the chat first"
        message = f"No chat waits for a page.{kept}"
        raise ReelError(message, hint=f"{first}:  reel record FILE")
    there = waiting is not None and _is_for(opened, waiting, target)
    anew = waiting is not None and waiting.anew
    return resume(opened, _fresh_page(opened, target, only, written=not there, anew=anew), waiting)


def _fresh_page(
    opened: OpenKit, session: str | None, only: str | None, *, written: bool = True, anew: bool = False
) -> Ask:
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
        anew=anew,
    )


def memory_due(opened: OpenKit, wanted: Sequence[str]) -> Ask:
    """Return the next batch's prompt, with what came of its reply before."""
    ask = _require_memory(opened, wanted)
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
    return _require_memory(opened, wanted)


def _require_memory(opened: OpenKit, wanted: Sequence[str]) -> Ask:
    ask = next_memory(opened, wanted)
    if ask is None and not standing_sessions(opened.snapshot):
        message = "No chat is recorded yet, so there is none to make a memory of."
        raise ReelError(message, hint="record the chat first:  reel record FILE")
    if ask is None:
        message = "Every chat has its memory already."
        raise ReelError(message, hint="see them with  reel memory list")
    return ask


def next_memory(opened: OpenKit, wanted: Sequence[str]) -> Ask | None:
    """Return the next batch, made anew from the tape."""
    from reel_cli.features.page.ask_memory import ask_consolidation

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


def with_part(page: "Page") -> Ask:
    """Return a page's ask with the part of its reply that came through.

    The prompt for the rest numbers the notes anew, where they are among what is missing.
    """
    unnumbered = page.ask.unnumbered and "notes" in page.reading.values
    return add_reply(replace(page.ask, unnumbered=unnumbered), page.reply)
