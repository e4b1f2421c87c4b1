"""Changes of working memory, rings 0 and 1, and the settings between two moments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from reel_cli.core.files.commit_message import RATIFIED_BY
from reel_cli.core.files.working_file import read_items, read_section
from reel_cli.core.files.yaml_text import Plain, parse_mapping
from reel_cli.core.git.history import Commit
from reel_cli.core.kit.approved_rings import Ring0
from reel_cli.core.kit.snapshot import DIRECTIVES, IDENTITY, WORKING, Snapshot
from reel_cli.core.values.memory import LISTED

ALIKE = 0.6
"""Likeness from which one item is a rewording of the other."""
MOST_PAIRED = 200
"""Maximum number of items compared with one another."""


@dataclass(frozen=True, slots=True)
class Text:
    """A passage before and after."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ListChange:
    """The changes of one list's items."""

    opened: Sequence[str] = ()
    closed: Sequence[str] = ()
    reworded: Sequence[Text] = ()


@dataclass(frozen=True, slots=True)
class WorkingChange:
    """The changes of working memory; None for an unchanged passage."""

    threads: ListChange
    loops: ListChange
    state: Text | None = None
    calibration: Text | None = None


@dataclass(frozen=True, slots=True)
class Ring0Change:
    """A part of ring 0 (its kit path) whose text in force changed: lines added and taken out.

    `by` are those who ratified what is in force now, newest first.
    """

    path: str
    added: int
    removed: int
    by: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Exemplars:
    """The changes of ring 1: slugs, and the anchor if it changed; `by` approved removals and edits."""

    added: Sequence[str] = ()
    removed: Sequence[str] = ()
    edited: Sequence[str] = ()
    anchor: Text | None = None
    activated: Sequence[str] = ()
    rested: Sequence[str] = ()
    by: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class SettingChange:
    """One line of `kit.yaml` that changed; "" where it was not, or is no more, set."""

    key: str
    before: str
    after: str


def compare_working(start: Snapshot, end: Snapshot) -> WorkingChange:
    """Return the changes of working memory."""
    texts = [side.text(WORKING) or "" for side in (start, end)]
    items = [
        {name: [" ".join(i.text.split()) for i in read_items(text) if i.section == name] for name in LISTED}
        for text in texts
    ]
    lists = [_compare_list(items[0][name], items[1][name]) for name in LISTED]
    state, calibration = (
        _changed(*(read_section(text, name).strip() for text in texts)) for name in ("State", "Calibration")
    )
    return WorkingChange(lists[0], lists[1], state, calibration)


def _compare_list(before: Sequence[str], after: Sequence[str]) -> ListChange:
    opened = [text for text in dict.fromkeys(after) if text not in before]
    closed = [text for text in dict.fromkeys(before) if text not in after]
    reworded: list[Text] = []
    if len(opened) + len(closed) <= MOST_PAIRED:
        for old in list(closed):
            near = max(opened, key=lambda new: _likeness(old, new), default=None)
            if near is not None and _likeness(old, near) >= ALIKE:
                closed.remove(old)
                opened.remove(near)
                reworded.append(Text(old, near))
    return ListChange(opened, closed, reworded)


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold().split(), other.casefold().split(), autojunk=False).ratio()


def compare_ring0(start: Ring0, end: Ring0, ratifying: Sequence[Commit]) -> Sequence[Ring0Change]:
    """Return the changes of the approved texts; `ratifying` are the commits in between that approved one."""
    by = _names(ratifying)
    pairs = (
        (IDENTITY, start.identity, end.identity),
        (DIRECTIVES, start.directives, end.directives),
    )
    found = []
    for path, before, after in pairs:
        if before != after:
            added, removed = _count_lines(before, after)
            found.append(Ring0Change(path, added, removed, by))
    return found


def compare_exemplars(
    start: Snapshot, end: Snapshot, changed: set[str], commits: Sequence[Commit]
) -> Exemplars:
    """Return the changes of the pool and of its active set."""
    before, after = start.exemplars, end.exemplars
    removed = [slug for slug in before if slug not in after]
    edited = [slug for slug in after if slug in before and f"ring1/{slug}.md" in changed]
    sets = [[*side.active.active] for side in (start, end)]
    signed = [commit for commit in commits if commit.op in ("review", "exemplar", "undo", "redo")]
    return Exemplars(
        added=[slug for slug in after if slug not in before],
        removed=removed,
        edited=edited,
        anchor=_changed(start.active.anchor or "", end.active.anchor or ""),
        activated=[slug for slug in sets[1] if slug not in sets[0]],
        rested=[slug for slug in sets[0] if slug not in sets[1]],
        by=_names(signed) if removed or edited else (),
    )


def compare_settings(start: Snapshot, end: Snapshot) -> Sequence[SettingChange]:
    """Return the settings that a person changed, by their place in `kit.yaml` (`prune.idle_sessions`)."""
    before, after = (_flat(parse_mapping(side.text("kit.yaml") or "", "kit.yaml")) for side in (start, end))
    return [
        SettingChange(key, before.get(key, ""), after.get(key, ""))
        for key in dict.fromkeys([*before, *after])
        if before.get(key, "") != after.get(key, "")
    ]


def _flat(fields: Mapping[str, Plain], above: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in fields.items():
        if isinstance(value, dict):
            found.update(_flat(value, f"{above}{key}."))
        else:
            found[above + key] = value if isinstance(value, str) else ", ".join(map(str, value))
    return found


def _changed(before: str, after: str) -> Text | None:
    return Text(before, after) if before != after else None


def _count_lines(before: str, after: str) -> tuple[int, int]:
    """Return how many lines were added, and how many removed."""
    old, new = before.splitlines(), after.splitlines()
    same = sum(block.size for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks())
    return len(new) - same, len(old) - same


def _names(commits: Sequence[Commit]) -> Sequence[str]:
    signed = (value.partition(" <")[0] for commit in commits for value in commit.values(RATIFIED_BY))
    return tuple(dict.fromkeys(signed))
