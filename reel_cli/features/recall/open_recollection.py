"""Recalls at the terminal: the kit opened for them, what is noted of each, what went wrong."""

from contextlib import contextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.ledger_file import make_entry, render_entry
from reel_cli.core.moment import stamp
from reel_cli.core.tape.erasure.purged_chats import has_purges
from reel_cli.core.tape.search.forms import ASKING, STOP
from reel_cli.core.values.change import one_line
from reel_cli.features.recall.recall import Recollection
from reel_cli.features.recall.recall_answer import RecallAnswer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reel_cli.terminal.open_kit import OpenKit


def recall_notes(recalled: RecallAnswer, session: str, when: datetime, *, asked: bool = False) -> list[str]:
    """Return the ledger's lines for a recall: one for each memory and line behind what was shown.

    Where nothing does, one that names none: that it was asked is known all the same. Where somebody `asked`
    and something was found, the first holds the query.
    """
    at = stamp(when)
    found = bool(recalled.moments or recalled.known or recalled.standing)
    names = recalled.touched or ([""] if session else [])
    queries = [one_line(recalled.query) if asked and found else "", *("" for _ in names)]
    entries = (make_entry(at, session, "recall", *both) for both in zip(names, queries, strict=False))
    return [render_entry(entry) for entry in entries]


def has_unknown_word(found: RecallAnswer) -> bool:
    """Return whether a query has a word that no text of the kit has."""
    return any(not times and word not in STOP | ASKING for word, times in found.terms.items())


@contextmanager
def open_recollection(opened: "OpenKit") -> "Iterator[Recollection]":
    """Open the kit for recalls; a long first reading of its tape shows progress.

    Where something of it could not be told, the tape is looked at, and an altered one noted: a story is
    compared with it once it is whole (Dream Weaver §6.4).
    """
    counting = opened.console.counting
    with (
        counting("Reading the recorded chats") as reading,
        counting("Embedding the recorded chats") as embedding,
        Recollection(opened.root, opened.zone, reading, embedding, opened.past) as recollection,
    ):
        try:
            yield recollection
        finally:
            if recollection.told:
                _note_altered(opened)


def _note_altered(opened: "OpenKit") -> None:
    from reel_cli.terminal.kit_warnings import note_altered

    with suppress(ReelError, OSError):
        note_altered(opened)


def tell_troubles(opened: "OpenKit", told: "Sequence[str]") -> None:
    """Report the problems on the way."""
    for what in told:
        opened.console.say(what)


def note_recalls(
    opened: "OpenKit",
    recollection: "Recollection",
    answers: "Sequence[RecallAnswer]",
    *,
    asked: bool = False,
    session: str = "",
) -> None:
    """Write into the ledger of attention what was recalled; each memory once for a command.

    Looking back at how it was is no use of a memory. `asked` says that a person or the persona wrote the
    query, which is kept with it: a model may learn from it how one asks (REEL §8.2). `session` is the chat
    in which it was recalled; else the newest.
    """
    if opened.repository is None or opened.then is not None:
        return
    lines: dict[str, str] = {}
    purged = has_purges(opened.snapshot)
    for found in answers:
        # a word that stands nowhere may be one that was purged
        keeps = asked and not (purged and has_unknown_word(found))
        notes = recall_notes(found, session or recollection.newest(), opened.now(), asked=keeps)
        for name, line in zip(found.touched or ("",), notes, strict=False):
            lines.setdefault(name, line)
    for line in lines.values():
        opened.state.note_line(line)
