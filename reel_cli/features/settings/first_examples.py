"""Examples that a kit was made with, and that a new text of who the persona is leaves behind."""

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.exemplar_file import exemplar_path
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.history import read_log
from reel_cli.core.kit.snapshot import IDENTITY

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot

ALIKE = 0.7
"""Share of words in common from which a text still describes the same persona."""
_WORD = re.compile(r"\w+")


def tell_left_behind(snapshot: "Snapshot", repo: "Repository", before: bytes, after: bytes) -> str:
    """Return a sentence on examples that are as the kit was made with; "" where there is nothing to say.

    It is said of the edit that makes another persona of the one that the kit was made with, and of no other.
    """
    made = next((one.id for one in read_log(repo) if one.op == "init"), None)
    if made is None:
        return ""
    with CommitTree(repo, made) as tree:
        first, ids = tree.read(IDENTITY) or b"", tree.ids
    if not _is_alike(first, before) or _is_alike(first, after):
        return ""
    try:
        heard = {*snapshot.active.active, *filter(None, [snapshot.active.anchor])}
        paths = [exemplar_path(slug) for slug in heard & snapshot.exemplars.keys()]
    except ReelError:
        return ""
    left = [path for path in paths if ids.get(path) == repo.blob_id(snapshot.read(path) or b"")]
    if not left:
        return ""
    name = snapshot.settings.name
    if len(left) == 1:
        return f"One example still shows how {name} sounded before this text."
    return f"{len(left)} examples still show how {name} sounded before this text."


def _is_alike(one: bytes, other: bytes) -> bool:
    first, second = (_WORD.findall(text.decode("utf-8", "replace").casefold()) for text in (one, other))
    return SequenceMatcher(None, first, second, autojunk=False).ratio() >= ALIKE
