"""References to what is remembered: the anchor phrases and file names that a chat says again."""

from collections.abc import Sequence
from datetime import datetime

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import fold
from reel_cli.core.files.index_file import list_anchors
from reel_cli.core.files.kit_files import find_kind, list_kit_files
from reel_cli.core.files.ledger_file import Entry as LedgerEntry
from reel_cli.core.files.ledger_file import add_entries, make_entry
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.values.change import Change

TELLING_WORDS = 2
"""An anchor phrase of fewer words than this is too common to count as a reference."""


def with_references(
    snapshot: Snapshot, change: Change, said: Sequence[str], session: str, now: datetime
) -> Change:
    """Record in the ledger which anchor phrases and file names were said again: that is use."""
    places = [file.path for file in list_kit_files() if file.spoken_of and snapshot.list(file.path)]
    finders = [kind.named for kind in map(find_kind, places) if kind is not None and kind.named is not None]
    named = " ".join(name for find in finders for name in find(snapshot, said))
    if named:
        change = add_entries(change, snapshot, [make_entry(stamp(now), session, "reference", named)])
    try:
        entries = _said_again(snapshot, said, session, stamp(now))
    except ReelError:
        # a damaged memory or index is reported elsewhere; what was said is recorded all the same
        return change
    return add_entries(change, snapshot, entries) if entries else change


def _said_again(snapshot: Snapshot, said: Sequence[str], session: str, at: str) -> Sequence[LedgerEntry]:
    """Return the ledger's entries for the anchor phrases that were said."""
    text = " ".join(fold(part) for part in said)
    padded = f" {text} "
    anchors = list(list_anchors(snapshot.text(INDEX) or ""))
    # folded all at once, as nearly always none was said; parsing each line takes ten times as long
    folded = fold("|".join(filter(None, anchors))).split("|")
    if None not in anchors and not any(anchor.strip() in padded for anchor in folded):
        return ()
    return [
        make_entry(at, session, "reference", line.id)
        for line in snapshot.index.lines.values()
        if len(line.anchor.split()) >= TELLING_WORDS
        and (phrase := fold(line.anchor)) in padded
        and has_whole_words(padded, phrase)
        and not (line.where is not None and line.where.session == session)
        and not _made_of(snapshot, line.id, session)
    ]


def _made_of(snapshot: Snapshot, memory_id: str, session: str) -> bool:
    """Return whether a memory was made of this session, whose own words are no reference to it."""
    from reel_cli.core.files.memory_file import parse_memory
    from reel_cli.core.values.memory import memory_path

    path = memory_path(memory_id)
    text = snapshot.text(path)
    return text is not None and session in parse_memory(text, path).sessions


def has_whole_words(text: str, phrase: str) -> bool:
    """Return whether a phrase occurs in a padded text as whole words, both folded."""
    at = text.find(phrase)
    while at >= 0:
        end = at + len(phrase)
        if not (text[at - 1].isalnum() and phrase[0].isalnum()) and not (
            text[end].isalnum() and phrase[-1].isalnum()
        ):
            return True
        at = text.find(phrase, at + 1)
    return False
