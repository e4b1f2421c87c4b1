"""Replies that are no page, or only part of one: why, and the way on."""

from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.open_ask import Ask, list_rest, read_replies
from reel_cli.core.exchange.reader.failure import Failure, find_failure
from reel_cli.core.exchange.schema import COUNTED
from reel_cli.core.pack.recognize import find_prompt
from reel_cli.core.shell import from_here, quote_path
from reel_cli.core.tape.tape_view import chat_of, standing_sessions
from reel_cli.features.page.ask import shorten
from reel_cli.features.page.kept_pages import last_checkpoint, new_messages
from reel_cli.features.page.read_page import PARTS_KEPT, Page, find_page_failure, tell_parts
from reel_cli.features.page.waiting_page import command_of, rest_prompt, with_part
from reel_cli.terminal.converse import NOT_KEPT, WHOLE_ANSWER, ExchangeOptions, ask_for_rest, refuse
from reel_cli.terminal.open_kit import OpenKit
from reel_cli.terminal.refused_reply import ASK_AGAIN, keep_refused, lies_in

ENOUGH = 2
"""Number of a page's parts that make a text an answer; if fewer are asked for, all of them."""


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


def refuse_page(opened: OpenKit, page: Page, manner: ExchangeOptions) -> NoReturn:
    """Refuse a page; of one that came in part, what came through is kept, and the rest asked for."""
    came, missing = page.adds, [key for key in page.missing if key in page.ask.parts]
    repair = "" if came else rest_prompt(opened, page.ask)
    hint = None if opened.context.wired else WHOLE_ANSWER
    failure = None
    if page.alone is not None:
        failure = find_page_failure(opened.snapshot, page.reply, page.alone)
    if failure is not None and failure.asks_again:
        hint = _way_on(opened, page.ask, failure)
    kept = None
    if not (missing and came):
        kept = _keep_refused(opened, page, failure, manner)
    if page.home is not None:
        hint = _other_chat(opened, page, kept)
    elif "in the kit already" in page.refusal:
        # word for word that of this chat, it is none of another
        hint = None
    if missing and came:
        waiting = with_part(page)
        repair = rest_prompt(opened, waiting)
        hint = ask_for_rest(opened, waiting, command_of(opened.snapshot, waiting), repair, manner)
        if page.ask.can_be_short and not manner.dry_run and hint != NOT_KEPT:
            way = "b" if opened.context.pasted else f" {_brief_command(opened, waiting)}"
            hint = f"{hint}   (a short page will do as well: {way})"
    if came and not manner.as_json:
        _show_missing(opened, page)
    why = page.refusal
    if manner.dry_run:
        why = why.replace(PARTS_KEPT, "parts would be kept")
    if hint == NOT_KEPT:
        why = why.replace(PARTS_KEPT, "parts came, but what came now is not kept")
    refuse(
        opened,
        why,
        page.problems,
        manner,
        repair=repair,
        hint=hint,
        told=tell_parts(page),
        kept=lies_in(kept),
    )


def _keep_refused(
    opened: OpenKit, page: Page, failure: Failure | None, manner: ExchangeOptions
) -> Path | None:
    """Keep a reply that was refused whole, for reel may be wrong about it; return its file."""
    if manner.dry_run or failure is Failure.EMPTY:
        return None
    kept = keep_refused(opened, page.reply)
    return None if kept is None else from_here(kept)


def _other_chat(opened: OpenKit, page: Page, kept: Path | None) -> str:
    """Return how a page is given for the chat that it is about."""
    home = page.home.session if page.home is not None else ""
    if home and _is_told(opened, page.ask, home) and "kept already" not in page.refusal:
        return f"that chat has its page already; {_copy_only(opened, page.ask)}"
    if home and "kept already" not in page.refusal and kept is not None:
        which = home if page.ask.op == "consolidate" else f"--session {home}"
        return f"to give it for that chat:  reel {page.ask.command} {which} --reply {quote_path(kept)}"
    if page.home is not None and page.home.unsaid and kept is not None and not page.missing:
        which = page.ask.session if page.ask.op == "consolidate" else f"--session {page.ask.session}"
        again = f"reel {page.ask.command} {which} --reply {quote_path(kept)}"
        return f"to be asked, and to keep it all the same, give it at a terminal without --yes:  {again}"
    return _copy_only(opened, page.ask)


def _is_told(opened: OpenKit, ask: Ask, session: str) -> bool:
    """Return whether another chat has its page, and nothing was said after it."""
    kept = ask.op == "checkpoint" and last_checkpoint(opened.snapshot, session) is not None
    return kept and not new_messages(opened.snapshot, session)


def _copy_only(opened: OpenKit, ask: Ask) -> str:
    chat = chat_of(opened.snapshot, ask.session) if ask.session else "the chat of that evening"
    return f"copy the model's answer from {chat}, and only that"


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
    if ask.can_be_short:
        if opened.context.pasted:
            return f"{room}ask for a short page (b), or another model, or tomorrow (q): the page stays due"
        command = _brief_command(opened, ask)
        return f"{room}ask again, shorter:  {command}   (or another model, or tomorrow: the page stays due)"
    return f"{room}{ASK_AGAIN}: the page stays due"


def _brief_command(opened: OpenKit, ask: Ask) -> str:
    """Return the command that asks for a short page, over the same wire."""
    via = opened.context.via
    way = f"--via {via.to}" if via is not None and via.sends else "--prompt"
    standing = standing_sessions(opened.snapshot)
    named = f" --session {ask.session}" if ask.session and ask.session != standing[-1] else ""
    ready = ask.replies and not read_replies(shorten(ask), (opened.snapshot.settings.name,)).missing
    return f"reel checkpoint {'' if ready else f'{way} '}--brief{named}"
