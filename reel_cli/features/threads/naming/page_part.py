"""The question of a page whether its chat goes on with a thread; the answer waits for a person."""

import re
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.own_words import telling
from reel_cli.core.exchange.page_part import PageAnswer, PagePart, PageRequest, PartPlan, PartRequest
from reel_cli.core.exchange.schema import FieldSpec
from reel_cli.core.files.review_file import render_proposal, review_path
from reel_cli.core.frozen import late
from reel_cli.core.moment import day_in_words, stamp
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.values.artifact import Problem, Verdict
from reel_cli.core.values.change import one_line
from reel_cli.features.page.proposals import HEADING
from reel_cli.features.page.reply.reported_drift import read_detected

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.features.threads.find_threads import Thread

FIELD = FieldSpec(
    "thread",
    "Part of something longer",
    loose=("something longer", "part of a thread", "which thread"),
    required=False,
    hint="{{thread}}",
)
KEY, CALLED = "thread", "thread_name"
"""Names under which a prompt remembers the thread it asks about, as the file has it and as it is called."""
LEAST_CHATS = 3
"""Chats of a kit that has threads."""
MOST_WORDS = 6
"""Words of a name; more in quotation marks are what somebody said."""
_QUOTED = late(r"[\"“„«]\s*([^\"“”„«»\n]{1,60}?)\s*[\"”“»]")
_CAPTION = late(r"(?is)\[(?:shares?|sends?|sent|shared|photo|picture|image)\b[^\]]*\]")
"""Words in brackets that stand for a picture."""
_CALLED = late(r"(?i)\bcall(?:ed)? it\s+([^.,;:!?\n]{1,60})")


def ask_thread(page: PageRequest) -> PartRequest | None:
    """Return the question about the thread that is near; None where none is."""
    if page.session is None or len(standing_sessions(page.snapshot)) < LEAST_CHATS:
        return None
    from reel_cli.features.threads.naming.near_thread import find_near, key_of

    thread = find_near(page.snapshot, page.session.id)
    if thread is None:
        return None
    name = _plain(thread.name)
    days = _tell_days(page.snapshot, thread, page.session.id)
    if not days:
        return None
    told = (
        f"“{name}” came up again, as on {days}. Did today go on with it? Yes or no; and where another name"
        ' fits it better, that name in "double quotes".'
    )
    return PartRequest({FIELD.key: told}, state={KEY: key_of(page.snapshot, thread), CALLED: name})


def plan_thread(page: PageAnswer) -> PartPlan:
    """Return the proposal that the answer makes: the chat is part of the thread, or is not."""
    ask, reading = page.ask, page.reading
    key, name = (ask.state.get(place) for place in (KEY, CALLED))
    if FIELD.key not in ask.parts or not isinstance(key, str) or not isinstance(name, str):
        return PartPlan()
    if FIELD.key not in reading.values or reading.empty(FIELD.key):
        return PartPlan()
    from reel_cli.features.threads.naming.files import NamedThread
    from reel_cli.features.threads.naming.proposal import propose_thread, tell_thread

    session = page.session.id
    text = reading.text(FIELD.key)
    verdict, theme = read_detected(text), _find_name(text, name)
    if verdict is Verdict.NO:
        said = NamedThread(key, others=(session,))
    elif verdict is Verdict.YES or theme:
        said = NamedThread(key, theme, (session,), source=session if theme else "")
    else:
        what = f"“{FIELD.label}” says neither yes nor no: “{one_line(text, 60)}”"
        return PartPlan(problems=(Problem(FIELD.key, what),))
    proposal = propose_thread(said, session, stamp(page.now))
    writes = {review_path(proposal.id): render_proposal(proposal).encode()}
    return PartPlan(writes, shown=((HEADING, (f"the chat {tell_thread(said, name)}",)),))


def _find_name(text: str, name: str) -> str:
    """Return the name that an answer gives the thread; "" where it gives none, or the one it has."""
    for found in (*_QUOTED.finditer(text), *_CALLED.finditer(text)):
        given = _plain(found[1]).strip(" .,;:!?'")
        if given and len(given.split()) <= MOST_WORDS:
            return "" if given.casefold() == name.casefold() else given
    return ""


def _plain(name: str) -> str:
    """Return a name as a line can hold it, without quotation marks."""
    from reel_cli.features.threads.naming.files import LONGEST

    return one_line(re.sub(r"[\"“”„«»{}]", "", name), LONGEST)


def _tell_days(snapshot: "Snapshot", thread: "Thread", session: str) -> str:
    """Return the last two other days on which a thread came up; "" for none.

    Where nobody named it, those on which the words were said by which it is called.
    """
    chats = [chat for chat in thread.chats if chat != session]
    if not thread.said:
        wanted = telling(thread.name)
        chats = [chat for chat in chats if _says(snapshot, chat, wanted)]
    days = list(dict.fromkeys(date.fromisoformat(chat[:10]) for chat in chats))
    return " and ".join(day_in_words(day) for day in days[-2:])


def _says(snapshot: "Snapshot", chat: str, wanted: frozenset[str]) -> bool:
    """Return whether all these telling words were said in one turn of a chat, captions of pictures apart."""
    try:
        entries = read_session(snapshot, chat).shown()
    except ReelError:
        return False
    return any(wanted <= telling(_CAPTION.sub(" ", entry.message.text)) for entry in entries)


THREAD_PART = PagePart("thread", (FIELD,), ask_thread, plan_thread)
