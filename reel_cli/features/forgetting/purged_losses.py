"""Losses whose words a purge took as well, so that not all of them can come back."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.index_file import parse_index, render_line
from reel_cli.core.files.yaml_text import render_scalar
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.kit.snapshot import EVENTS
from reel_cli.core.values.memory import MEMORY_ID
from reel_cli.core.values.talk import PURGED

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.rings.losses import Loss

WHOLE, PART = "whole", "part"


def find_purged(snapshot: "Snapshot", repo: "Repository", losses: Sequence["Loss"]) -> Mapping[int, str]:
    """Return by `id` the losses that a purge took from: WHOLE where nothing of one is left, else PART."""
    if b"purge" not in (snapshot.read(EVENTS) or b""):
        return {}
    found: dict[int, str] = {}
    for loss in losses:
        text = _text_of(snapshot, repo, loss)
        if text is None:
            found[id(loss)] = WHOLE
        elif PURGED in text:
            found[id(loss)] = PART
    return found


def _text_of(snapshot: "Snapshot", repo: "Repository", loss: "Loss") -> str | None:
    """Return what history or the kit still has of a loss; "" if that cannot be read, None for nothing."""
    forgot = loss.forgot
    path, mark, name = forgot.id.partition("#")
    if mark:
        key = f"  key: {render_scalar(name.partition('/')[2] or name)}"
        entries = re.split(r"(?m)^(?=- )", snapshot.text(path) or "")
        mine = [entry for entry in entries if key in entry.replace("- key", "  key").splitlines()]
        return "".join(mine) or None
    text = ""
    with suppress(ReelError), CommitTree(repo, loss.commit) as tree:
        text = tree.read_blob(forgot.was).decode("utf-8", "replace") if forgot.was else ""
    if not MEMORY_ID.fullmatch(forgot.id):
        # a note's own words are the reason
        return text if forgot.reason == "" else forgot.reason
    if forgot.before != "stub":
        return text
    with suppress(ReelError):
        line = parse_index(text).lines.get(forgot.id)
        return render_line(line) if line is not None else ""
    return ""
