"""View of a kit's status, in words and as JSON."""

from typing import TYPE_CHECKING, Any

from reel_cli.core.files.kit_files import find_kit_file
from reel_cli.core.moment import day_in_words
from reel_cli.core.tape.last_turns import last_day
from reel_cli.core.values.change import name_some, one_line, tell_many
from reel_cli.core.values.review import tell_waiting
from reel_cli.features.page.kept_pages import short_sessions
from reel_cli.terminal.status_parts import fits, section

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reel_cli.core.values.bundle import Share
    from reel_cli.core.values.due import Due
    from reel_cli.features.history.backup import Backup
    from reel_cli.features.review.proposals import WaitingProposal
    from reel_cli.features.status.survey import Status
    from reel_cli.terminal.open_kit import OpenKit
    from reel_cli.terminal.status_parts import StatusParts, StatusScope

FORMS = {"L1": "full page", "L2": "shorter page", "L3": "of a few lines", "L4": "of one line"}
"""Words for what is left of a memory, by level."""
COMMANDS = {
    "checkpoint": "reel end",
    "consolidation": "reel consolidate",
    "notes": "reel maintain",
    "maintenance": "reel maintain",
    "dream": "reel dream start",
    "shelf": "reel shelf gc",
    "backup": "reel backup FILE",
    "summary": "reel shelf summarize FILE",
    "identity": "reel edit identity",
}
"""Commands that do what is due."""
CRITERIA = {
    "exemplars in the pool": "examples of how it sounds",
    "sessions the memories span": "chats that memories are of",
    "lines in the index": "lines to recall by",
    "sessions in a row without drift": "chats in a row that sound as before",
}
"""Names of the criteria of maturity on screen, where they are not those of the JSON."""
CALLED = {"checkpoint": "page", "consolidation": "memory", "mend": "fix"}
"""Names on screen of what is due, where they are not those of the JSON."""
WORTH_A_BACKUP = 10
"""Number of sessions from which a missing backup is reported."""
SHOWN = 5
"""Maximum number of a list shown one by one; more are counted."""


def called(due: "Due") -> str:
    """Return the name on screen of what is due."""
    return CALLED.get(due.what, due.what)


def due_json(found: "Sequence[Due]") -> list[dict[str, str]]:
    """Return what is due, as JSON."""
    return [{"what": due.what, "why": due.why} for due in found]


def status_json(found: "Status") -> dict[str, Any]:
    """Return the kit's status as JSON."""
    return {
        "name": found.name,
        "sessions": len(found.sessions),
        "messages": found.messages,
        "memories": dict(found.memories),
        "exemplars": {
            "pool": len(found.pool),
            "active": list(found.active.active),
            "anchor": found.active.anchor,
        },
        "index": {"entries": found.entries, "stubs": found.stubs},
        "rings": {
            ring: {"tokens": share.tokens, "min": share.min, "max": share.max}
            for ring, share in found.rings.items()
        },
        "mature": found.mature,
        "mature_since": found.mature_since or None,
        "maturity": [
            {"criterion": c.criterion, "have": c.have, "need": c.need, "met": c.met} for c in found.maturity
        ],
        "due": due_json(found.due),
        "review": [one.item for one in found.review],
        "uncommitted": list(found.uncommitted),
        "unread_settings": [key for key, _ in found.unread],
    }


KEYS = (
    *("name", "sessions", "messages", "memories", "exemplars", "index", "rings", "mature", "mature_since"),
    *("maturity", "due", "dream", "review", "uncommitted", "intake", "unread_settings"),
    *("backup", "stream", "warnings"),
)
"""The order in which `--json` has its keys; any others follow."""


def in_order(told: "Mapping[str, object]") -> dict[str, object]:
    """Return the keys for a program in their order."""
    return {key: told[key] for key in (*(key for key in KEYS if key in told), *told)}


def show_status(
    found: "Status", backup: "Backup | None", scope: "StatusScope", parts: "StatusParts", *, every: bool
) -> None:
    """Show the state of a kit, what is due, and what waits; with `every`, a young kit's sizes as well."""
    opened = scope.opened
    console, back = opened.console, opened.then is not None
    covered = {one.path for one in found.review} | {one.item for one in found.review}
    rest = [path for path in found.uncommitted if path not in covered]
    others = [path for path in rest if find_kit_file(path) is None]
    rest = [path for path in rest if path not in others]
    waiting = "Waited for your decision" if back else f"{tell_waiting(len(found.review))}:  reel review"
    texts = [
        (10, console.wrap(_told(found), console.out)),
        (20, _rings(opened, found, every=every) if every or found.mature else _in_short(opened, found)),
        (50, section(console, "To fix", _to_fix(opened, found.stamps))),
        (60, section(console, "Due then" if back else "Due", _due_lines(opened, found.due))),
        (80, console.wrap(_unread(found), console.out)),
        (100, section(console, waiting, _few([_called(one) for one in found.review]))),
        (110, section(console, "Changed by hand, and not in the kit's history yet", _few(rest))),
        (115, console.wrap(_tell_others(others), console.out)),
        (
            120,
            section(
                console,
                f"Nothing fades until {found.name} has more of a past",
                _growing(opened, found) if every else [],
            ),
        ),
        (130, "" if back else console.wrap(_backed_up(found, backup), console.out)),
        *parts.text(scope),
    ]
    console.result("\n\n".join(text for _, text in sorted(texts) if text), steps=True)


def _to_fix(opened: "OpenKit", stamps: "Mapping[str, str]") -> list[str]:
    """Return one line for each file that is missing or damaged."""
    from reel_cli.terminal.kit_warnings import in_a_line, list_warnings

    lines = [in_a_line(one) for one in list_warnings(opened, stamps)]
    return (
        lines if len(lines) <= SHOWN else [*lines[:SHOWN], f"and {len(lines) - SHOWN:,} more:  reel doctor"]
    )


def _told(found: "Status") -> str:
    counts = ((found.taken_back, "taken back"), (found.purged, "purged"))
    kinds = [f"{many:,} more {how}" for many, how in counts if many]
    gone = f"; {' and '.join(kinds)}" if kinds else ""
    if not found.sessions:
        all_of = "all " if len(kinds) == 1 else ""
        told = f"{tell_many(found.taken_back + found.purged, 'chat')}, {all_of}"
        told += " and ".join(how if all_of else f"{many:,} {how}" for many, how in counts if many)
        return f"{found.name}. {told if gone else 'Nothing is recorded yet'}."
    last = day_in_words(last_day(found.snapshot, found.sessions[-1]))
    sessions, messages = tell_many(len(found.sessions), "chat"), tell_many(found.messages, "message")
    short = " (a short page)" if found.sessions[-1] in short_sessions(found.snapshot) else ""
    return f"{found.name}: {sessions}, {messages}, the last on {last}{short}{gone}."


def _backed_up(found: "Status", backup: "Backup | None") -> str:
    """Return how old the backup is; without one, a notice once there is much to lose."""
    if backup is None:
        return "Not backed up yet:  reel backup FILE" if len(found.sessions) >= WORTH_A_BACKUP else ""
    days = backup.days
    ago = "today" if days == 0 else "yesterday" if days == 1 else f"{days or 0:,} days ago"
    if days is None:
        ago = "on a day that is still to come"
    since = "nothing has changed since" if backup.current else "there is more since"
    return f"Backed up {ago}; {since}."


def _rings(opened: "OpenKit", found: "Status", *, every: bool) -> str:
    """Return how full each ring is, in the order of loading; with `every`, which of them are over."""
    from reel_cli.terminal.bundle_view import LABELS

    console = opened.console
    notes = {"1": _voice(found), "3": _levels(found), "4": _lines(found)}
    rings = [ring for ring in LABELS if ring in found.rings]
    plain = []
    for ring in rings:
        share = found.rings[ring]
        room = f"{_room(share):,}"
        plain.append((f"  {LABELS[ring]}", f"{share.tokens:,}", "of", room))
    wide = [(*row, notes.get(ring, "")) for ring, row in zip(rings, plain, strict=True)]
    heading = console.wrap(
        f"What {found.name} has, of the most that a chat can begin with (in tokens):", console.out
    )
    table = console.table((), wide, right=(1, 3))
    over = console.wrap(_over(found, rings), console.out) if every else ""
    below = f"\n\n{over}" if over else ""
    if fits(console, table):
        return f"{heading}\n{table}{below}"
    lines = []
    for ring, line in zip(rings, console.table((), plain, right=(1, 3)).splitlines(), strict=True):
        lines += [line, *([console.wrap(notes[ring], console.out, "    ")] if ring in notes else [])]
    return "\n".join([heading, *lines]) + below


def _over(found: "Status", rings: "Sequence[str]") -> str:
    """Return which rings are larger than their room, and what a chat begins with then; "" for none."""
    from reel_cli.terminal.bundle_view import LABELS

    over = [LABELS[ring] for ring in rings if found.rings[ring].tokens > _room(found.rings[ring])]
    if not over:
        return ""
    named = " and ".join([part for part in (", ".join(over[:-1]), over[-1]) if part])
    return (
        f"Larger than the room of a chat: {named}. That loses nothing: a chat begins with as much as fits,"
        " each memory as fully as it can. To see what goes in:  reel pack --explain"
    )


def _room(share: "Share") -> int:
    return max(share.max, share.min)


def _in_short(opened: "OpenKit", found: "Status") -> str:
    """Return what a young kit has: nothing of it is near its limit, and nothing fades yet."""
    from reel_cli.core.kit.kit_damage import list_missing

    gone = list_missing(opened.root, opened.repository, under=_COUNTED) if opened.past is None else ()
    examples, memories = (
        sum(path.startswith(one) and path.endswith(".md") for path in gone) for one in _COUNTED
    )
    # of a small set a bundle takes what does not rest as well
    resting = {slug for slug in found.active.resting if slug != found.active.anchor}
    used = sum(slug not in resting for slug in found.pool)
    none = "No example in use" if found.pool else "No example"
    shown = _count(used, examples, "example", none)
    kept = _count(sum(found.memories.values()), memories, "memory", "no memory yet")
    return f"{shown}, {kept}. No memory is shortened yet. To see all:  reel status --all"


_COUNTED = ("ring1/", "ring3/")
"""The folders whose files are counted in short."""


def _count(there: int, gone: int, noun: str, none: str) -> str:
    """Return a count, with the files that are missing; below stands the command that brings those back."""
    if not there:
        return f"{tell_many(gone, noun)} missing" if gone else none
    return tell_many(there, noun) + (f" ({gone:,} more missing)" if gone else "")


def _voice(found: "Status") -> str:
    if not found.pool:
        return "no example yet"
    active = len({*found.active.active, *filter(None, [found.active.anchor])}.intersection(found.pool))
    return f"{active} of {tell_many(len(found.pool), 'example')}"


def _levels(found: "Status") -> str:
    kinds = [
        f"{number:,} {form}" if form.startswith("of ") else tell_many(number, form)
        for level, form in FORMS.items()
        if (number := found.memories.get(level, 0))
    ]
    gated = "; found by query only (experience: gated)" if found.snapshot.settings.gated else ""
    return (", ".join(kinds) or ("nothing" if found.entries > found.stubs else "nothing yet")) + gated


def _lines(found: "Status") -> str:
    if not found.entries:
        return "nothing yet"
    stubs = f", {found.stubs:,} of a memory that is gone" if found.stubs else ""
    return f"{tell_many(found.entries, 'line')}{stubs}"


def _due_lines(opened: "OpenKit", due: "Sequence[Due]") -> list[str]:
    """Return what is due, each with its command; what is due for many sessions, in one line."""
    missing = [one for one in due if one.what == "consolidation" and not one.command]
    rows = [
        (called(one), one.why, one.command or COMMANDS.get(one.what, "")) for one in due if one not in missing
    ]
    if missing:
        told = missing[0].why if len(missing) == 1 else f"{len(missing):,} chats have no memory yet"
        place = len([one for one in due[: due.index(missing[-1])] if one not in missing])
        rows.insert(place, (called(missing[0]), told, COMMANDS["consolidation"]))
    if opened.then is not None:
        # a look back has nothing to do now
        rows = [(what, why, "") for what, why, _ in rows]
    table = opened.console.table((), rows)
    if not rows or fits(opened.console, table, 2):
        return table.splitlines()
    return [f"{what}: {why}" + (f":  {command}" if command else "") for what, why, command in rows]


def _unread(found: "Status") -> str:
    """Return the unknown settings, so that nobody takes them for set."""
    if not found.unread:
        return ""
    key, near = found.unread[0]
    if found.snapshot.is_later:
        return "kit.yaml has settings of another version, which reel keeps unread; which:  reel migrate"
    if len(found.unread) > 1:
        return f"kit.yaml has {len(found.unread):,} settings that reel does not know; which:  reel doctor"
    told = f"kit.yaml has a setting that reel does not know: {one_line(key, 60)}"
    return told + (f"; did you mean {near}?" if near else ".")


def _growing(opened: "OpenKit", found: "Status") -> list[str]:
    """Return the cold start's checklist, until it is over."""
    if found.mature:
        return []
    rows = [
        (CRITERIA.get(c.criterion, c.criterion), f"{c.have:,}", ", enough" if c.met else f" of {c.need:,}")
        for c in found.maturity
    ]
    told = [f"{count}{of}" for _, count, of in rows]
    return opened.console.table(
        (), [(name, of) for (name, *_), of in zip(rows, told, strict=True)]
    ).splitlines()


def _called(one: "WaitingProposal") -> str:
    """Return what waits as a person would call it; an edit by hand by its file."""
    if one.proposal is None:
        return f"{one.what} ({one.path})" if one.path.startswith("ring0/") else f"{one.path}, {one.what}"
    # one whose name has the title or its key, or the words of both sides, needs none behind it
    title = one.proposal.title
    named = title and title.casefold() not in one.what.casefold() and not (one.proposal.sides or one.protects)
    return f"{one.what}: {title}" if named else one.what


def _tell_others(paths: "Sequence[str]") -> str:
    """Return that files in the kit's folder are not the kit's; "" for none."""
    if not paths:
        return ""
    them = "it" if len(paths) == 1 else "them"
    named = name_some(list(map(one_line, paths)), 2)
    return f"In this folder, and not the kit's: {named}. reel leaves {them} alone."


def _few(names: "Sequence[str]") -> list[str]:
    if len(names) <= SHOWN + 1:
        return [one_line(name) for name in names]
    return [*map(one_line, names[:SHOWN]), f"and {len(names) - SHOWN:,} more"]
