"""Texts of two machines that came from one, made one: whole, as git merges them, or piece by piece."""

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from reel_cli.core.files.private import write_private
from reel_cli.core.git.process import git_process

CHAPTERS = re.compile(r"(?m)^(?=## )")
ITEMS = re.compile(r"(?m)^(?=- )")
Merge = Callable[[bytes, bytes, bytes], bytes | None]


def merge_texts(ours: bytes, base: bytes, theirs: bytes) -> bytes | None:
    """Merge two texts that came from one; None where both changed the same place."""
    with tempfile.TemporaryDirectory() as folder:
        names = ("ours", "base", "theirs")
        for name, data in zip(names, (ours, base, theirs), strict=True):
            write_private(Path(folder) / name, data)
        done = git_process(Path(folder), "merge-file", "-p", "-q", *names)
    return done.stdout if done.returncode == 0 else None


def join_pieces(cut: re.Pattern[str], ours: str, theirs: str, base: str, merge: Merge) -> str:
    """Return what both had, less what one removed, with either's additions; then each one's new pieces."""
    mine, others, old = (_pieces(cut, text) for text in (ours, theirs, base))
    parts: dict[str, str] = {}
    for name, was in old.items():
        if name in mine and name in others:
            parts[name] = _join_piece(mine[name], others[name], was, merge)
    fresh = [piece for name, piece in others.items() if name not in old]
    fresh += [piece for name, piece in mine.items() if name not in old and piece not in fresh]
    # the text before the first piece is stored under ""
    head = parts.pop("", None) or others.get("") or mine.get("") or ""
    return _together([head, *parts.values(), *fresh], apart=cut is CHAPTERS)


def _pieces(cut: re.Pattern[str], text: str) -> dict[str, str]:
    """Return the pieces of a text by a key that no later amendment changes."""
    head, *pieces = cut.split(text)
    made = {"": head}
    times: Counter[str] = Counter()
    for piece in pieces:
        first, _, rest = piece.partition("\n")
        told = re.match(r"\n*(<!-- dream: .*-->)", rest)
        name = piece.rstrip() if cut is ITEMS else f"{first.rstrip()} {told[1] if told else ''}"
        times[name] += 1
        made[f"{name} {times[name]}"] = piece
    return made


def _join_piece(ours: str, theirs: str, base: str, merge: Merge) -> str:
    mine, others, old = (text.rstrip() for text in (ours, theirs, base))
    if mine in (others, old):
        return theirs
    if others == old:
        return ours
    made = merge(f"{mine}\n".encode(), f"{old}\n".encode(), f"{others}\n".encode())
    if made is not None:
        return made.decode("utf-8")
    known = {*_paragraphs(old), *_paragraphs(others)}
    return "\n\n".join([others, *(one for one in _paragraphs(mine) if one not in known)])


def _paragraphs(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"\n[ \t]*\n", text) if part.strip()]


def _together(parts: Iterable[str], *, apart: bool) -> str:
    kept = [part.strip("\n") for part in parts if part.strip()]
    return ("\n\n" if apart else "\n").join(kept) + "\n" if kept else ""
