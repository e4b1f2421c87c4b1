"""Summaries that collecting makes by itself, of files that go once they have one (MEMORY-MGMT §8.b)."""

from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.shelf.collecting.policy import find_replacement
from reel_cli.features.shelf.files import read_file, read_shelf
from reel_cli.features.shelf.summaries.describe_data import kind_of
from reel_cli.features.shelf.summaries.plain_summaries import draft_plain
from reel_cli.features.shelf.summaries.plan import size_of
from reel_cli.features.shelf.summaries.sources import take_source
from reel_cli.features.shelf.summaries.summary import Style

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.features.shelf.shelf_file import ShelfFile
    from reel_cli.features.shelf.summaries.plan import Draft


def draft_unaided(snapshot: "Snapshot", kit: Path | None, file: "ShelfFile", why: str) -> "Draft | None":
    """Return the summary for which no model is needed; None where only the persona can write one.

    A data file is told by its structure, one that another plainly replaced (as `why` says) by what differs.
    A summary that is no shorter than its file is left to a person.
    """
    if file.watched is not None and kit is None:
        return None
    counter = get_tokenizer(snapshot.settings.tokenizer)
    place = kit or Path()
    try:
        taken = take_source(snapshot, place, file)
        own = draft_plain([taken], Style.SCHEMA, None, counter).draft if kind_of(taken) else None
        if own is None:
            newer = read_file(snapshot, find_replacement(file, why, lambda: list(read_shelf(snapshot))))
            if newer is None or not newer.held:
                return None
            own = draft_plain([taken, take_source(snapshot, place, newer)], Style.DIFF, None, counter).draft
        size = size_of([taken], counter)
    except ReelError:
        return None
    shorter = own is not None and own.tokens is not None and (not size or own.tokens[1] < size)
    return own if shorter else None
