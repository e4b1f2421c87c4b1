"""The file HEAD in git's folder: whether git can read it, and which branch it named before it was damaged."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from reel_cli.core.errors import StateError
from reel_cli.core.files.private import read_plain

_HEADS = "refs/heads/"
_WHOLE = re.compile(r"ref:\s*refs/\S.*|[0-9a-f]{40}|[0-9a-f]{64}")
_PACKED = re.compile(r"(?m)^([0-9a-f]{40,64}) (refs/heads/.+)$")
_SWITCH = re.compile(r"\tcheckout: moving from .+ to (\S+)$")


def is_head_whole(git_dir: Path) -> bool:
    """Return whether HEAD names a ref or a commit; git takes a folder without it for no repository."""
    head = git_dir / "HEAD"
    return head.is_symlink() or _WHOLE.fullmatch(_read(head).strip()) is not None


def head_problem(git_dir: Path) -> StateError:
    """Return the error for a damaged or missing HEAD, with the way to write it anew."""
    head = git_dir / "HEAD"
    state = "names no branch" if os.path.lexists(head) else "is missing"
    message = (
        f"{git_dir} is damaged: its HEAD file {state}, so the history cannot be read; nothing was changed."
    )
    branch = find_branch(git_dir)
    if branch is not None and not head.is_dir():
        return StateError(message, hint=f"reel doctor --fix  (it writes  ref: {branch}  there again)")
    names = sorted(_list_branches(git_dir)) or [f"{_HEADS}main"]
    away = f"move {head} away, then " if head.is_dir() else ""
    return StateError(
        message, hint=f"{away}write  ref: {names[0]}  into {head}, or the branch that was yours"
    )


def find_branch(git_dir: Path) -> str | None:
    """Return the full name of the branch that was checked out last; None where nothing tells.

    It is the only branch, or the only one at the commit where git's log of HEAD ends, or else the one that
    this log says was switched to last.
    """
    tips = _list_branches(git_dir)
    if len(tips) == 1:
        return next(iter(tips))
    lines = _read(git_dir / "logs" / "HEAD").splitlines()
    last = lines[-1].split(" ")[1:2] if lines else []
    there = [name for name, tip in tips.items() if [tip] == last]
    if len(there) == 1:
        return there[0]
    switched = [found[1] for line in lines if (found := _SWITCH.search(line))]
    named = f"{_HEADS}{switched[-1]}" if switched else ""
    return named if named in tips else None


def _list_branches(git_dir: Path) -> Mapping[str, str]:
    """Return the commit that each branch leads to, by full name."""
    tips = {name: tip for tip, name in _PACKED.findall(_read(git_dir / "packed-refs"))}
    for here, _, files in os.walk(git_dir / _HEADS):
        for file in files:
            place = Path(here, file)
            if not file.endswith(".lock"):
                tips[place.relative_to(git_dir).as_posix()] = _read(place).strip()
    return tips


def _read(path: Path) -> str:
    try:
        return read_plain(path).decode("utf-8", "surrogateescape")
    except OSError:
        return ""
