"""Facts in `reel status`: due at intervals while a chat goes on after its page (SRIP-11 §III.5b)."""

from collections.abc import Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.values.due import Due
from reel_cli.features.facts.rounds import COMMAND, note_rounds, turns_of
from reel_cli.features.page.kept_pages import checkpoint_counts
from reel_cli.terminal.status_parts import StatusPart, StatusScope


def _due(scope: StatusScope) -> Sequence[Due]:
    """Return that the newest chat went on for an interval since it was searched; its page asks before."""
    settings, standing = scope.snapshot.settings, standing_sessions(scope.snapshot)
    every = settings.facts_every if settings.facts_asked else 0
    if not every or not standing or standing[-1] not in checkpoint_counts(scope.snapshot):
        return ()
    newest = standing[-1]
    try:
        session = read_session(scope.snapshot, newest)
        if len(turns_of(session)) <= every:
            return ()
        gone = [one.span for one in note_rounds(scope.opened.repository)]
    except ReelError:
        return ()
    fresh = len(turns_of(session, gone))
    if fresh < every or not any(one.session == newest for one in gone):
        return ()
    why = f"{fresh:,} of your messages in {newest} came since it was searched for facts"
    return (Due("facts", why, f"reel {COMMAND} {newest}"),)


def _passed(scope: StatusScope) -> Sequence[Due]:
    """Return that somebody's age was told a year ago, with the command that notes the new one."""
    from reel_cli.core.moment import day_in_words, read_day
    from reel_cli.core.shell import join
    from reel_cli.features.facts.noted_ages import list_passed_ages

    found = list_passed_ages(scope.snapshot, scope.opened.now().date())
    if not found:
        return ()
    key, value, day = found[0]
    told = read_day(day)
    when = f" on {day_in_words(told)}" if told is not None else ""
    more = f", and {len(found) - 1:,} more" if found[1:] else ""
    why = f"“{key}: {value}” was said{when}, a year ago or more{more}"
    return (Due("facts", why, join(["reel", "fact", "history", key])),)


SEARCH = StatusPart(65, due=_due)
AGES = StatusPart(66, due=_passed)
