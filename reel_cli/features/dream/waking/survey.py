"""Survey of a warm start's parts: gathered from the story, the shared context and the tape."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import late
from reel_cli.core.pack.build_bundle import is_merging
from reel_cli.core.pack.words import MessageText
from reel_cli.core.question_words import has_mark, is_question
from reel_cli.core.tape.last_turns import last_day
from reel_cli.core.tape.tape_view import (
    correction_line,
    corrections,
    read_session,
    standing_sessions,
)
from reel_cli.core.tape.transcript import tell_lived
from reel_cli.core.values.talk import session_order
from reel_cli.features.dream.context.files import CONTEXT, parse_context, tell_sections, without_parts
from reel_cli.features.dream.context.shared_context import Freshness, Place, Tape, judge_context
from reel_cli.features.dream.context.state import is_resting
from reel_cli.features.dream.dream import Chapter
from reel_cli.features.dream.earlier_story import going_on, old_story
from reel_cli.features.dream.story.files import HISTORY
from reel_cli.features.dream.story.resting_chapters import list_told
from reel_cli.features.dream.waking.parts import Boot, Traces

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.settings import Settings

_ADDRESS = late(r"\S*[?]\S*=\S*")
_COMMENT = late(r"(?s)<!--.*?-->\n?")


def gather_boot(snapshot: "Snapshot", settings: "Settings") -> Boot:
    """Return the story's chapters, the shared context's sections, and the newest session as it was said.

    Raises ReelError where the story or the context cannot be read. A tape that cannot be trusted is told of,
    and nothing of it is taken.
    """
    old = old_story(snapshot)
    place = old[0] if old is not None else HISTORY
    story, context = snapshot.text(place) or "", snapshot.text(CONTEXT) or ""
    chapters = [_without_comments(one) for one in list_told(snapshot, place)]
    rests = is_resting(snapshot, parse_context(context).known)
    parts, written = tell_sections(without_parts(context) if rests else context)
    parts = [(heading, text) for heading, text in parts if text.strip()]
    told = [
        f"{path} still has the marks of a merge (<<<<<<< and >>>>>>>). Open the file, keep what is right,"
        " and delete the marks."
        for path, text in ((place, story), (CONTEXT, context))
        if is_merging(text)
    ]
    traces, stale = None, False
    try:
        traces, newest = _newest(snapshot, settings)
        stale = rests or (newest is not None and _is_stale(snapshot, context, newest))
    except ReelError as error:
        told.append(f"The end of the last chat is left out: {error.message}")
    if old is not None:
        told.append(
            f"The story is being written again ({going_on(snapshot)});"
            " until that is done, bundles use the one from before."
        )
    missing = [] if chapters else [f"no story yet ({going_on(snapshot)})"]
    if stale or not parts:
        missing.append(
            f"{f'a {CONTEXT} that is out of date' if parts else f'no {CONTEXT}'} (reel dream context)"
        )
    if missing:
        told.append(f"Part of a warm start is missing: {' and '.join(missing)}.")
    return Boot(chapters, parts, written, traces, told, len(snapshot.sessions))


def _without_comments(chapter: Chapter) -> Chapter:
    if "<!--" not in chapter.text:
        return chapter
    return Chapter(chapter.title, _COMMENT.sub("", chapter.text).strip("\n"))


def _is_stale(snapshot: "Snapshot", context: str, newest: Place) -> bool:
    """Return whether the context says up to when it knows, and too much was said since."""
    shared = parse_context(context)
    if shared.known is None:
        return False
    then = session_order(shared.known.place.session)
    later = sum(session_order(name) > then for name in standing_sessions(snapshot))
    return judge_context(shared, Tape(newest, later)) is Freshness.STALE


def _newest(snapshot: "Snapshot", settings: "Settings") -> tuple[Traces | None, Place | None]:
    """Return the newest session that counts and has messages, and its last message."""
    for session in reversed(standing_sessions(snapshot)):
        entries = read_session(snapshot, session).shown()
        if not entries:
            continue
        said: list[MessageText] = []
        for entry, text in tell_lived(snapshot, session, entries, settings):
            opens = not said or entry.message.role == "user"
            said.append(MessageText(entry.number or 0, text, opens))
        last = Place(session, max(one.number for one in said), entries[-1].message.time or "")
        day = last_day(snapshot, session).isoformat()
        newest = _ADDRESS.sub("", entries[-1].message.text)
        asks = has_mark(newest) or any(map(is_question, newest.splitlines()))
        return Traces(session, said, _beside(snapshot, session), asks, day), last
    return None, None


def _beside(snapshot: "Snapshot", session: str) -> Sequence[str]:
    """Return the later corrections about a whole session."""
    events = corrections(snapshot).get(session, ())
    return [f"[{correction_line(event)}]\n\n" for event in events if event.about is None]
