"""Words for decisions made in review: their commits do not hold what was said, so history is read for it."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import NOT_TAKEN
from reel_cli.core.files.review_file import SETTLED, parse_proposal
from reel_cli.core.frozen import late
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.history import changed_files
from reel_cli.core.git.repository import Repository
from reel_cli.core.ports import bring_proposal_kind
from reel_cli.core.values.change import one_line
from reel_cli.core.values.review import Proposal
from reel_cli.core.values.talk import PURGED

if TYPE_CHECKING:
    from reel_cli.features.history.log import LogEntry

OP = "review"
NAMED = 3
"""Maximum number of facts or notes of one decision that are named; more are counted."""
_LONGEST = 80
_DOUBTS = late(r"(?P<places>.+): (?P<what>(?:a|[\d,]+) doubts? settled as right)")
_OF_CHAT = late(r", of \S+$")
_ENDED = "let go of "
"""Start of the words that name what they end."""


def name_decisions(repo: Repository, changes: Sequence["LogEntry"]) -> Mapping[str, str]:
    """Return the words of decisions with what was decided on, by commit; without those that have it."""
    found = {}
    for change in changes:
        if change.op != OP:
            continue
        if doubts := _DOUBTS.fullmatch(change.words):
            if change.note:
                found[change.commit] = f"{doubts['what']}: {change.note}"
            continue
        with suppress(ReelError):
            if words := _decided(repo, change):
                found[change.commit] = words
    return found


def _decided(repo: Repository, change: "LogEntry") -> str:
    """Return the words for one decision; "" where its own are all that can be said."""
    for path, (before, after) in changed_files(repo, change.commit).items():
        if before is None or path == SETTLED or not re.fullmatch(r"review/[^/]+\.md", path):
            continue
        with CommitTree(repo, change.commit) as tree:
            was, left = (
                None if blob is None else parse_proposal(tree.read_blob(blob, path).decode(), path)
                for blob in (before, after)
            )
        if was is None or was.title == PURGED:
            continue
        stays = _names(left) if left is not None else ()
        names = [one for one in _names(was) if one not in stays]
        if change.words.startswith(NOT_TAKEN):
            return f"{NOT_TAKEN}{_refused(was, names, whole=left is None)}"
        return _with_names(_OF_CHAT.sub("", change.words), names)
    return ""


def _names(proposal: Proposal) -> Sequence[str]:
    """Return the things that a proposal is about, as a person calls each."""
    kind = bring_proposal_kind(proposal.kind.value)
    names = () if kind is None else kind.names(proposal)
    return [one_line(name, _LONGEST) for name in names if PURGED not in name]


def _refused(was: Proposal, names: Sequence[str], *, whole: bool) -> str:
    """Return what was refused: by the suggestion's title, and by its parts where that names none."""
    title = one_line(was.title, _LONGEST)
    if not names or (whole and any(name.rstrip("…")[:20] in title for name in names)):
        return title
    return f"{title}: {_listed(names)}" if whole else _listed(names)


def _with_names(words: str, names: Sequence[str]) -> str:
    """Return words with the names where their first part ends."""
    if not names or words.startswith(_ENDED) or any(name in words for name in names):
        return words
    head, mark, rest = next(
        (parts for sign in (";", ":") if (parts := words.partition(sign))[1]), (words, "", "")
    )
    return f"{head} ({_listed(names)}){mark}{rest}" if mark else f"{words}: {_listed(names)}"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"“{name}”" for name in names[:NAMED])
    return f"{shown} and {len(names) - NAMED:,} more" if len(names) > NAMED else shown
