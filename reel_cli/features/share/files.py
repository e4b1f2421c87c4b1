"""The files of a shared kit, and `shares.yaml` in the kits that belong to it.

A shared kit is a folder in git with no persona in it: `shared.yaml` names the kits that belong to it and
their groups, and `memories/S-001.yaml` is one shared memory: who was there, who may know it, who took it in.
"""

import re
from collections.abc import Mapping
from dataclasses import field

from reel_cli.core.errors import ReelError
from reel_cli.core.files.front_matter import set_yaml_fields
from reel_cli.core.files.yaml_text import Plain, parse_mapping, render_mapping, render_value
from reel_cli.core.frozen import frozen

SHARED = "shared.yaml"
"""The file by which a folder is known as a shared kit."""
FOLDER = "memories"
"""The folder of a shared kit in which the memories lie."""
SHARES = "shares.yaml"
"""The file of a kit that belongs to a shared kit."""
KIND = "shared"
TOLD, LIVED = "told", "lived"
"""Ways in which a memory is taken in: by one who was not there, and by one who was."""
SHARED_ID = re.compile(r"S-(\d{3,9})")
Span = tuple[int, int]
"""The first and the last of some messages."""
GROUP_NAME = re.compile(r"\w[\w -]{0,39}")
"""The form of a group's name."""
_SPAN = re.compile(r"(\d{1,9})-(\d{1,9})")


@frozen
class Member:
    """A kit that belongs to a shared kit: its persona's name, and its folder as seen from the shared kit."""

    name: str
    path: str


@frozen
class Line:
    """One message of what was said: its number on the teller's tape, who said it, the words."""

    number: int
    who: str
    text: str


@frozen
class Receipt:
    """A note that a kit took a memory in: as which of its own, told or lived, on which day (ISO)."""

    memory: str
    how: str
    day: str


@frozen
class SharedMemory:
    """One shared memory.

    `giver` is the kit that tells it, `memory` and `uid` its memory there, `source` its stretches of tape.
    `told` is what one hears who was not there; `there` gives for each speaker the first and last message in
    each chat, and `said` the messages that somebody who takes it in was there for. `audience` are kits and
    groups that may know it. `back` is the day on which it was taken back, "" while it holds.
    """

    id: str
    title: str
    giver: str
    memory: str
    uid: str
    day: str
    told: str
    audience: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    there: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    said: tuple[Line, ...] = ()
    taken: Mapping[str, Receipt] = field(default_factory=dict)
    back: str = ""


@frozen
class Shares:
    """`shares.yaml`: the shared kit that a kit belongs to, its name there, what it gave and took in.

    `given` and `taken` are from the kit's own memories to shared ones.
    """

    shared: str = ""
    name: str = ""
    given: Mapping[str, str] = field(default_factory=dict)
    taken: Mapping[str, str] = field(default_factory=dict)


def shared_path(shared_id: str) -> str:
    """Return the path of a shared memory below its kit."""
    return f"{FOLDER}/{shared_id}.yaml"


def parse_members(text: str) -> tuple[Mapping[str, Member], Mapping[str, tuple[str, ...]]]:
    """Return the kits and the groups that `shared.yaml` names; ReelError where it cannot be read."""
    value = parse_mapping(text, SHARED)
    if value.get("kind") != KIND:
        message = f"{SHARED} does not say  kind: {KIND}."
        raise ReelError(message, hint=f"put that line back at its top:  kind: {KIND}")
    kits = {
        name: Member(_text(told, "name") or name, _text(told, "path"))
        for name, told in _mapping(value.get("kits"), SHARED, "kits").items()
        if isinstance(told, dict)
    }
    groups = {
        name: tuple(one for one in told if isinstance(one, str))
        for name, told in _mapping(value.get("groups"), SHARED, "groups").items()
        if isinstance(told, list)
    }
    return kits, groups


def begin_shared() -> str:
    """Return the first text of `shared.yaml`."""
    return render_mapping({"kind": KIND, "protocol": "REEL/1.0", "kits": {}, "groups": {}})


def set_members(text: str, kits: Mapping[str, Member]) -> str:
    """Return `shared.yaml` with these kits; its other lines stay."""
    told: dict[str, Plain] = {name: {"name": one.name, "path": one.path} for name, one in kits.items()}
    return set_yaml_fields(text, {"kits": render_value(told).removeprefix(" ")})


def set_groups(text: str, groups: Mapping[str, tuple[str, ...]]) -> str:
    """Return `shared.yaml` with these groups; its other lines stay."""
    told: dict[str, Plain] = {name: list(kits) for name, kits in groups.items()}
    return set_yaml_fields(text, {"groups": render_value(told).removeprefix(" ") if told else "{}"})


def parse_shared(text: str, path: str) -> SharedMemory:
    """Read one shared memory; ReelError naming the file where it cannot be read."""
    value = parse_mapping(text, path)
    name = path.rpartition("/")[2].removesuffix(".yaml")
    needed = ("from", "memory") if _text(value, "back") else ("from", "memory", "title")
    missing = next((key for key in needed if not _text(value, key)), "")
    if missing or not SHARED_ID.fullmatch(name):
        message = f"{path} does not say  {missing}:" if missing else f"{path} is not named like S-001.yaml."
        raise ReelError(message, hint="put its last text back from the shared kit's history (git)")
    return SharedMemory(
        id=name,
        title=_text(value, "title"),
        giver=_text(value, "from"),
        memory=_text(value, "memory"),
        uid=_text(value, "uid"),
        day=_text(value, "day"),
        told=_text(value, "told"),
        audience=_list(value.get("with")),
        source=_list(value.get("source")),
        there=_spans(_mapping(value.get("there"), path, "there")),
        said=_lines(_mapping(value.get("said"), path, "said")),
        taken={
            kit: Receipt(_text(one, "memory"), _text(one, "how"), _text(one, "day"))
            for kit, one in _mapping(value.get("taken"), path, "taken").items()
            if isinstance(one, dict)
        },
        back=_text(value, "back"),
    )


def render_shared(one: SharedMemory) -> str:
    """Return the file of a shared memory; of one that was taken back, no word of what it told."""
    title = "" if one.back else one.title
    value: dict[str, Plain] = {"title": title, "from": one.giver, "memory": one.memory, "uid": one.uid}
    value |= {"day": one.day, "source": list(one.source), "with": list(one.audience)}
    if one.back:
        value["back"] = one.back
    else:
        value["told"] = one.told
        value["there"] = {who: _render_spans(spans) for who, spans in one.there.items()}
        value["said"] = {str(line.number): {"who": line.who, "text": line.text} for line in one.said}
    value["taken"] = {
        kit: {"memory": taking.memory, "how": taking.how, "day": taking.day}
        for kit, taking in one.taken.items()
    }
    return render_mapping({key: told for key, told in value.items() if told})


def parse_shares(text: str, path: str = SHARES) -> Shares:
    """Read `shares.yaml`; ReelError naming it where it cannot be read."""
    value = parse_mapping(text, path)
    given, taken = (_mapping(value.get(key), path, key) for key in ("given", "taken"))
    for key, pairs in (("given", given), ("taken", taken)):
        odd = next(
            (k for k, one in pairs.items() if not isinstance(one, str) or not SHARED_ID.fullmatch(one)), ""
        )
        if odd:
            message = f"{path}: {odd} under {key} names no shared memory."
            raise ReelError(message, hint=f"write it like  {odd}: S-001")
    return Shares(
        _text(value, "shared"),
        _text(value, "name"),
        {key: one for key, one in given.items() if isinstance(one, str)},
        {key: one for key, one in taken.items() if isinstance(one, str)},
    )


def set_shares(text: str, shares: Shares) -> str:
    """Return `shares.yaml` with these values; its other lines stay."""
    changes: dict[str, str | None] = {
        "shared": render_value(shares.shared).strip(),
        "name": render_value(shares.name).strip(),
    }
    for key, pairs in (("given", shares.given), ("taken", shares.taken)):
        changes[key] = render_value(dict(pairs)).removeprefix(" ") if pairs else None
    return set_yaml_fields(text, changes)


def _text(value: Plain, key: str) -> str:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def _list(value: "Plain | None") -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if value else ()
    return tuple(one for one in value or () if isinstance(one, str))


def _mapping(value: "Plain | None", path: str, key: str) -> Mapping[str, Plain]:
    if not value:
        return {}
    if not isinstance(value, dict):
        message = f"{path}: {key} should hold `name: value` lines."
        raise ReelError(message)
    return value


def _spans(value: Mapping[str, Plain]) -> Mapping[str, tuple[Span, ...]]:
    return {
        who: tuple((int(first), int(last)) for first, last in _SPAN.findall(told))
        for who, told in value.items()
        if isinstance(told, str)
    }


def _render_spans(spans: tuple[Span, ...]) -> str:
    return ", ".join(f"{first}-{last}" for first, last in spans)


def _lines(value: Mapping[str, Plain]) -> tuple[Line, ...]:
    found = [
        Line(int(number), _text(told, "who"), _text(told, "text"))
        for number, told in value.items()
        if number.isdigit() and isinstance(told, dict)
    ]
    return tuple(sorted(found, key=lambda line: line.number))
