"""A kit in a few facts: who it keeps, since when, what is going on, what waits; read as far as it can be."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.git.git_folder import command_for_history
from reel_cli.core.kit.hand_edits import begin_listing
from reel_cli.core.kit.kit_damage import find_damage, warn_of_damage
from reel_cli.core.kit.snapshot import IDENTITY, WORKING
from reel_cli.core.moment import moment
from reel_cli.core.tape.last_turns import last_day
from reel_cli.core.tape.tape_view import retracted, standing_sessions
from reel_cli.core.values.change import unbroken
from reel_cli.core.values.due import KitWarning
from reel_cli.features.forgetting.hand_removals import find_gone
from reel_cli.features.init.template_voice import tell_template_voice
from reel_cli.features.page.due import find_doubt, mark_doubt
from reel_cli.features.page.owed_pages import ALL_OF_THEM, FLAG, chats_forgotten
from reel_cli.features.record.latest_chat import began_since
from reel_cli.features.review.open_decisions import list_waiting
from reel_cli.features.review.proposals import list_proposals
from reel_cli.features.start.noted_days import list_noted, tell_end, tell_noted
from reel_cli.terminal.kit_warnings import list_owed, watch_tape

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.terminal.open_kit import OpenKit

SETTINGS = "reel edit settings"
"""The command for settings that cannot be read."""
LOOK = "reel edit identity"
"""The command to look at who the persona is."""
_COMMAND = re.compile(r"(?:^|\s\s)(reel \S.*?)(?=\s\s|$)")
FRESH = timedelta(days=1)
"""Time after `reel start` in which the chat is taken to be going on."""


@frozen
class KitSummary:
    """A kit in few facts; days as ISO 8601, "" for none.

    `now` is what is going on in one paragraph, `problems` what is damaged or owed, the worst first. In a
    kit whose settings cannot be read the name is the folder's.
    """

    name: str
    chats: int = 0
    first: str = ""
    last: str = ""
    now: str = ""
    waiting: int = 0
    problems: Sequence[KitWarning] = ()
    began: str = ""
    """When a chat was begun of which nothing is recorded yet."""
    noted: Sequence[str] = ()
    """Sentences about what is noted for today, or for a day that came since the last chat."""
    noted_end: str = ""
    """How what is noted for a day that has passed is told no more; "" for none."""
    doubt: str = ""
    """A doubt of the persona about being the same, with the command to look at it."""
    readable: bool = True
    voice: str = ""
    """How the examples are still a template's, whose persona is another; "" where they are not."""
    aside: int = 0
    """Number of chats that are recorded and were taken back."""
    templates: bool = False
    """True if no chat is recorded yet and who the persona is still stands there in a template's words."""


def summarize(opened: "OpenKit", *, beside: bool = False) -> KitSummary:
    """Return the summary of an open kit; nothing of it is changed, and no damage raises an error.

    `beside`: the kit is only looked at from another place.
    """
    repo = opened.repository
    edits = begin_listing(repo) if repo is not None else dict
    name = unbroken(opened.root.resolve().name)
    try:
        overview = _read_bare(opened) if beside else opened.overview
        name = overview.settings.name
        sessions = standing_sessions(overview)
        now = _read_now(overview)
        if sessions and not overview.checkpoints and now in _first_states(overview):
            # written before any chat, it tells of none
            now = ""
        if beside and not (opened.root / ".reel").exists():
            # a look from outside leaves no caches in a kit that reel never worked in
            return _in_brief(overview, sessions, now, waiting=len(list_proposals(overview)))
        lost = find_damage(opened.root, repo, quick=True)
        if not beside:
            watch_tape(opened, lost)
        damage = warn_of_damage(lost)
        problems = [*damage, *find_gone(overview, repo)]
        # without a history, what they name cannot be done
        problems += _without_history(opened) or [*list_owed(opened), *([] if beside else _forgotten(opened))]
        doubt = find_doubt(overview, sessions)
        if doubt is not None and mark_doubt(overview, sessions) == opened.state.seen_doubt():
            doubt = None
        waiting = len(list_waiting(overview, repo, edits()))
    except (ReelError, OSError) as error:
        return KitSummary(name, problems=_problems_of(opened, error), readable=False)
    brief = _in_brief(overview, sessions, now, waiting=waiting)
    today = opened.now().date()
    named = list_noted(overview, today)
    told = f"{doubt.why}:  {LOOK}" if doubt is not None else ""
    return replace(
        brief,
        problems=problems,
        began=began_since(opened, sessions),
        noted=tell_noted(named, today),
        noted_end=tell_end(named, today),
        doubt=told,
        voice=tell_template_voice(overview),
        templates=not sessions and _is_templates(overview),
    )


def _without_history(opened: "OpenKit") -> list[KitWarning]:
    """Return a line on a kit whose history is gone, in which no chat can be recorded."""
    if opened.repository is not None or opened.foreign is not None:
        return []
    return [
        KitWarning(
            "history",
            "No history (git) is here, so no chat can be recorded",
            command_for_history(opened.root),
        )
    ]


def _forgotten(opened: "OpenKit") -> list[KitWarning]:
    """Return a line on earlier chats without a memory; one alone is a next step, many are not."""
    found = chats_forgotten(opened)
    return [one if one.mend != ALL_OF_THEM else replace(one, kind=FLAG) for one in found]


def _in_brief(overview: "Snapshot", sessions: Sequence[str], now: str, *, waiting: int) -> KitSummary:
    first, last = (min(sessions)[:10], last_day(overview, sessions[-1]).isoformat()) if sessions else ("", "")
    aside = len(retracted(overview))
    return KitSummary(overview.settings.name, len(sessions), first, last, now, waiting, aside=aside)


def _read_bare(opened: "OpenKit") -> "Snapshot":
    """Return the kit's overview, without its caches where there are none yet."""
    from reel_cli.core.files.tree import WorkTree
    from reel_cli.core.kit.glance import Glance

    fresh = not (opened.root / ".reel").exists()
    return Glance(WorkTree(opened.root), opened.root.resolve().name) if fresh else opened.overview


def _is_templates(snapshot: "Snapshot") -> bool:
    """Return whether who the persona is stands there as a template of reel's has it."""
    from reel_cli.features.init.template import fill_in, list_templates, read_template

    names = {"name": snapshot.settings.name, "user": snapshot.settings.user}
    now = snapshot.read(IDENTITY)
    shipped = (read_template(name).files for name, _ in list_templates())
    return any(fill_in({IDENTITY: files[IDENTITY]}, names)[IDENTITY] == now for files in shipped)


def _first_states(snapshot: "Snapshot") -> Collection[str]:
    """Return what is going on in a kit as the templates have it, and a card."""
    from reel_cli.core.resources import template_folder
    from reel_cli.features.init.template import fill_in, list_templates, read_template

    names = {"name": snapshot.settings.name, "user": snapshot.settings.user}
    shipped = [read_template(name).files.get(WORKING, b"") for name, _ in list_templates()]
    shipped.append((template_folder() / "card" / WORKING).read_bytes())
    texts = (fill_in({WORKING: text}, names)[WORKING].decode() for text in shipped)
    return {_tell_state(text) for text in texts}


def is_chatting(summary: KitSummary, now: datetime) -> bool:
    """Return whether a chat was begun lately and is not recorded yet."""
    return bool(summary.began) and now - moment(summary.began) < FRESH


def _problems_of(opened: "OpenKit", error: ReelError | OSError) -> list[KitWarning]:
    """Return what keeps a kit from being read, with the command that mends it."""
    if isinstance(error, OSError):
        return [KitWarning("unreadable", f"{error.strerror or error}", "reel doctor")]
    from reel_cli.terminal.kit_warnings import mend_for

    hint = mend_for(opened, error) or error.hint or ""
    # a command stands apart in a hint; other words may name the program
    command = _COMMAND.search(hint)
    otherwise = SETTINGS if error.message.startswith("kit.yaml") else "reel doctor"
    mend = command[1] if command is not None else otherwise
    path = error.message.partition(":")[0].partition(", line ")[0]
    return [KitWarning("unreadable", error.message.rstrip("."), mend, "" if " " in path else path)]


def _read_now(snapshot: "Snapshot") -> str:
    """Return the state of things in the working notes, else what is going on first; "" for neither."""
    return _tell_state(snapshot.text(WORKING) or "")


def _tell_state(text: str) -> str:
    from reel_cli.core.files.working_file import read_section

    state = read_section(text, "State").strip().partition("\n\n")[0]
    threads = read_section(text, "Active threads").strip().splitlines()
    return " ".join(state.split()) or next((line.lstrip("-* ") for line in threads if line.strip("-* ")), "")
