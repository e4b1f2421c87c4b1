"""The changed words of a long line, with a little of what stands around them."""

import re
from collections.abc import Sequence

LONG = 160
"""Characters from which a changed line is cut to the stretch that changed."""
AROUND = 8
"""Unchanged words that are shown on each side of changed ones."""
CLOSE = 3
"""Unchanged words between two changes below which both are one change."""
LEAST = 0.5
"""Likeness, of 1, from which two lines are versions of one another."""
_WAS, _NOW = "was: ", "now: "
_WORD = re.compile(r"\S+\s*")


def mark_changes(lines: Sequence[str]) -> list[str]:
    """Return lines in which long versions of one another show the stretch that changed.

    A run of `was:` lines is compared with the `now:` lines after it, first with first. The changed words
    stand in square brackets, so that they are seen without colour, and heard.
    """
    shown = list(lines)
    at = 0
    while at < len(shown):
        old = _run(shown, at, _WAS)
        new = _run(shown, at + old, _NOW)
        for place in range(at, at + min(old, new)):
            shown[place], shown[place + old] = _mark(shown[place], shown[place + old])
        at += old + new or 1
    return shown


def _run(lines: Sequence[str], start: int, lead: str) -> int:
    """Return how many lines from `start` on begin with these words."""
    at = start
    while at < len(lines) and lines[at].startswith(lead):
        at += 1
    return at - start


def _mark(was: str, now: str) -> tuple[str, str]:
    """Return both lines cut to what changed; as they are where they are short, or not alike."""
    from difflib import SequenceMatcher

    if max(len(was), len(now)) < LONG:
        return was, now
    old, new = (_WORD.findall(line.removeprefix(lead)) for line, lead in ((was, _WAS), (now, _NOW)))
    matcher = SequenceMatcher(None, [w.strip() for w in old], [w.strip() for w in new], autojunk=False)
    if matcher.ratio() < LEAST:
        return was, now
    parts: list[tuple[bool, int, int, int, int]] = []
    changes = matcher.get_opcodes()
    for place, (tag, *at) in enumerate(changes):
        between = 0 < place < len(changes) - 1 and at[1] - at[0] < CLOSE
        changed = tag != "equal" or between
        if parts and parts[-1][0] and changed:
            parts[-1] = (True, parts[-1][1], at[1], parts[-1][3], at[3])
        else:
            parts.append((changed, at[0], at[1], at[2], at[3]))
    sides = [(changed, a, b) for changed, a, b, _, _ in parts]
    others = [(changed, c, d) for changed, _, _, c, d in parts]
    return f"{_WAS}{_excerpt(old, sides)}", f"{_NOW}{_excerpt(new, others)}"


def _excerpt(words: Sequence[str], parts: Sequence[tuple[bool, int, int]]) -> str:
    """Return the changed words in brackets, and a few of the unchanged ones beside them."""
    told = ""
    for place, (changed, start, end) in enumerate(parts):
        text = "".join(words[start:end])
        if changed and text:
            space = text[len(text.rstrip()) :]
            told += f"[{text.rstrip()}]{space}"
        elif not changed:
            head = AROUND if place else 0
            tail = AROUND if place < len(parts) - 1 else 0
            if end - start <= head + tail:
                told += text
            else:
                told += "".join(words[start : start + head]).rstrip() + (" … " if head and tail else "…")
                told += "".join(words[end - tail : end]) if tail else ""
    return told.strip()
