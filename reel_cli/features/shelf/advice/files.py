"""`hot.yml`, `cold.yml` and `memory_actions.yml`: advice, and what was made of it (MEMORY-MGMT §2, §3)."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.yaml_text import Plain, parse_mapping, render_scalar
from reel_cli.core.values.talk import PURGED
from reel_cli.features.shelf.advice.advice import LEAVE, PROTOCOL, HotEntry, LetGo
from reel_cli.features.shelf.advice.entry_list import Fields, listed, set_entries
from reel_cli.features.shelf.advice.policy import Decision, action_taken, model_suggested

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

HOT, COLD, ACTIONS_TAKEN = MANIFESTS = ("hot.yml", "cold.yml", "memory_actions.yml")
LISTS = {HOT: "keep", COLD: "evict", ACTIONS_TAKEN: "memory_actions"}
"""The key of each file's list."""
Entry = TypeVar("Entry", HotEntry, LetGo)
_YES = ("true", "yes", "on")


@dataclass(frozen=True, slots=True)
class Hot:
    """`hot.yml`: what is to be kept at hand; `updated` is ISO 8601."""

    keep: tuple[HotEntry, ...] = ()
    updated: str = ""


@dataclass(frozen=True, slots=True)
class Cold:
    """`cold.yml`: what could be let go; `trigger_gc` where the advice asks for that to happen soon."""

    evict: tuple[LetGo, ...] = ()
    updated: str = ""
    trigger_gc: bool = False


def parse_hot(text: str) -> Hot:
    """Return the file's contents, the first of repeated paths; raises ReelError if it is no list."""
    fields = _fields(text, HOT)
    keep = [
        HotEntry(
            one["path"],
            one.get("why", ""),
            one.get("since", ""),
            _count(one.get("touches", "")),
            one.get("promoted", "").casefold() in _YES,
            one.get("said", ""),
        )
        for one in listed(fields, LISTS[HOT], HOT)
    ]
    return Hot(tuple(_once(keep)), _updated(fields))


def parse_cold(text: str) -> Cold:
    """Return the file's contents, the first of repeated paths; raises ReelError if it is no list.

    An action that there is not stays as it is written.
    """
    fields = _fields(text, COLD)
    evict = [
        LetGo(
            one["path"],
            one.get("why", ""),
            one.get("since", ""),
            one.get("session", ""),
            one.get("last_touch", ""),
            one.get("suggested_action") or LEAVE,
            one.get("said", ""),
        )
        for one in listed(fields, LISTS[COLD], COLD)
    ]
    trigger = fields.get("trigger_gc", "")
    return Cold(
        tuple(_once(evict)),
        _updated(fields),
        isinstance(trigger, str) and trigger.casefold() in _YES,
    )


def _once(entries: "Sequence[Entry]") -> "Iterable[Entry]":
    first: dict[str, Entry] = {}
    for one in entries:
        first.setdefault(one.path, one)
    return first.values()


def entries_of(text: str, path: str) -> list[dict[str, str]]:
    """Return the entries of one of the three files as written; raises ReelError if it is no list."""
    return listed(_fields(text, path), LISTS[path], path)


def updated_of(text: str) -> str:
    """Return when `memory_actions.yml` was written (ISO 8601); "" if it does not say."""
    return _updated(_fields(text, ACTIONS_TAKEN))


def read_hot(snapshot: "Snapshot") -> Hot:
    """Return the contents of the kit's `hot.yml`; empty if there is none."""
    return parse_hot(snapshot.text(HOT) or "")


def read_cold(snapshot: "Snapshot") -> Cold:
    """Return the contents of the kit's `cold.yml`; empty if there is none."""
    return parse_cold(snapshot.text(COLD) or "")


def hot_paths(snapshot: "Snapshot") -> frozenset[str]:
    """Return the paths the model would keep at hand; none if the file cannot be read."""
    try:
        return frozenset(one.path for one in read_hot(snapshot).keep)
    except ReelError:
        return frozenset()


def render_hot(before: str, hot: Hot) -> str:
    """Return the file with these entries; a person's additions stay."""
    entries = [
        {
            "path": one.path,
            "why": one.why,
            "since": one.since,
            "touches": str(one.touches),
            "promoted": "true" if one.promoted else "",
            "said": one.said,
        }
        for one in hot.keep
    ]
    return _render(before, HOT, {"updated": hot.updated}, entries)


def render_cold(before: str, cold: Cold) -> str:
    """Return the file with these entries; a person's additions stay."""
    entries = [
        {
            "path": one.path,
            "why": one.why,
            "since": one.since,
            "session": one.session,
            "last_touch": one.last_touch,
            "suggested_action": one.action,
            "said": one.said,
        }
        for one in cold.evict
    ]
    trigger = "true" if cold.trigger_gc else None
    return _render(before, COLD, {"updated": cold.updated, "trigger_gc": trigger}, entries)


def _render(before: str, path: str, head: dict[str, str | None], entries: Sequence[Fields]) -> str:
    return set_entries(before, LISTS[path], {"protocol": PROTOCOL, **head}, entries)


def render_actions(decisions: Sequence[Decision], updated: str) -> str:
    """Return a new `memory_actions.yml`: the outcome of each piece of advice, and why."""
    lines = [f"protocol: {PROTOCOL}", f"updated: {render_scalar(updated)}", ""]
    lines.append("memory_actions:" if decisions else "memory_actions: []")
    for one in decisions:
        suggested = model_suggested(one)
        lines += [
            f"  - path: {render_scalar(one.path)}",
            f"    model_suggested: {render_scalar(suggested) if suggested else 'null'}",
        ]
        if one.action:
            lines.append(f"    suggested_action: {render_scalar(one.action)}")
        lines.append(f"    action_taken: {action_taken(one)}")
        lines.append(f"    reason: {render_scalar(one.reason)}")
    return "\n".join(lines) + "\n"


def _fields(text: str, where: str) -> dict[str, Plain]:
    """Return the file's keys; raises StateError for a protocol this reel does not know."""
    fields = parse_mapping(text, where)
    protocol = fields.get("protocol", PROTOCOL)
    major = PROTOCOL.partition(".")[0]
    if protocol and not (isinstance(protocol, str) and protocol.startswith(f"{major}.")):
        message = f"{where} is of a protocol this reel does not know; it knows {PROTOCOL}."
        raise StateError(message, hint="update reel:  pip install --upgrade reel-cli")
    return fields


def _updated(fields: dict[str, Plain]) -> str:
    value = fields.get("updated", "")
    return value if isinstance(value, str) else ""


def _count(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def purge_manifest(data: bytes, path: str, session: str) -> bytes:
    """Return `hot.yml` or `cold.yml` without the reasons that were said in a purged session."""
    if path not in (HOT, COLD):
        return data
    try:
        text = data.decode("utf-8")
        entries = entries_of(text, path)
    except (ReelError, UnicodeDecodeError):
        return data
    mine = [one for one in entries if one.get("said", "").partition("#")[0] == session and one.get("why")]
    if not mine:
        return data
    once = {one["path"]: {**one, "why": PURGED} if one in mine else one for one in reversed(entries)}
    return set_entries(text, LISTS[path], {}, list(once.values())[::-1]).encode()


def without_entries(snapshot: "Snapshot", gone: Collection[str]) -> dict[str, bytes | None]:
    """Return `hot.yml` and `cold.yml` without the entries of some paths, each if that changes it.

    One that cannot be read stays as it is, and is told as damage.
    """
    writes: dict[str, bytes | None] = {}
    for path in (HOT, COLD):
        text = snapshot.text(path) or ""
        try:
            entries = entries_of(text, path)
        except ReelError:
            continue
        left = [one for one in entries if one["path"] not in gone]
        if len(left) < len(entries):
            once = {one["path"]: one for one in reversed(left)}
            writes[path] = set_entries(text, LISTS[path], {}, list(once.values())[::-1]).encode()
    return writes
