"""The small parts of a kit as the catalog keeps them: one JSON value, and the stamp it is trusted by."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path

from reel_cli import __version__
from reel_cli.kit.ring_files import Look, is_exemplar_file, look_at, look_into
from reel_cli.model.exemplar import ActiveSet, Exemplar
from reel_cli.model.holdings import Clash, Core, FactRow
from reel_cli.model.settings import Range, Settings

SMALL_FILES = (
    *("kit.yaml", "ring0/identity.md", "ring0/directives.md"),
    *("ring1/active.yaml", "ring2/working.md", "facts.yaml"),
)
_BRANCH = "ref: refs/heads/"


def dump_core(core: Core) -> str:
    """The core as JSON."""
    value = core._asdict()
    value["settings"], value["active"] = asdict(core.settings), asdict(core.active)
    value["exemplars"] = [asdict(exemplar) for exemplar in core.exemplars]
    return json.dumps(value, ensure_ascii=False)


def load_core(text: str) -> Core:
    """The core that `dump_core` wrote."""
    value = json.loads(text)
    settings: dict[str, object] = value["settings"]
    ranges: Mapping[str, Mapping[str, int]] = value["settings"]["ranges"]
    settings["ranges"] = {ring: Range(**bounds) for ring, bounds in ranges.items()}
    active = value["active"]
    return Core(
        settings=Settings(**value["settings"]),
        identity=value["identity"],
        directives=value["directives"],
        working=value["working"],
        exemplars=[Exemplar(**exemplar) for exemplar in value["exemplars"]],
        active=ActiveSet(active["anchor"], tuple(active["active"])),
        waiting=value["waiting"],
        clashes=[Clash(name, _side(older), _side(newer)) for name, older, newer in value["clashes"]],
        facts=[FactRow(*row) for row in value["facts"]],
        resting=[(name, why) for name, why in value["resting"]],
    )


def _side(value: Sequence[str]) -> tuple[str, str, str]:
    where, says, day = value
    return where, says, day


def look_at_core(kit: Path) -> tuple[str, int]:
    """What the core is trusted by ("" when it must be read), and when its youngest file was born."""
    looks = [look_at(kit / path, path) for path in SMALL_FILES]
    looks += sorted(look for look in look_into(kit / "ring1") if is_exemplar_file(look.name))
    looks += sorted(
        look._replace(name=f"review/{look.name}")
        for look in look_into(kit / "review")
        if look.name.endswith(".md")
    )
    if not all(look.stamp for look in looks):
        return "", 0
    made = [
        __version__,
        kit.resolve().name,
        _shape(),
        history_mark(kit),
        *(f"{x.name} {x.stamp}" for x in looks),
    ]
    return "\n".join(made), _youngest(looks)


def _youngest(looks: Sequence[Look]) -> int:
    return max((look.born for look in looks), default=0)


def _shape() -> str:
    """The names of what is kept, so that a new one is read and not left at its default."""
    named = [field.name for kept in (Settings, Exemplar, ActiveSet) for field in fields(kept)]
    return " ".join([*named, *Core._fields, *Clash._fields, *FactRow._fields])


def history_mark(kit: Path) -> str:
    """What changes whenever the commit does that says which text of ring 0 is in force."""
    kit = kit.resolve()
    for place in (kit, *kit.parents):
        mark = place / ".git"
        if not os.path.lexists(mark):
            continue
        found = _plain_head(mark)
        return f"{place} {found}" if found else _head_by_git(kit)
    return ""


def _plain_head(git: Path) -> str | None:
    """What changes with the commit checked out, where two small files tell it; None where they do not."""
    try:
        if not (git / "objects").is_dir() or (git / "HEAD").is_symlink():
            return None
        head = (git / "HEAD").read_text("ascii").strip()
        branch = head.removeprefix("ref: ")
        if not head.startswith(_BRANCH) or ".." in branch or "/." in branch:
            return None
        try:
            return (git / branch).read_bytes().decode("ascii").strip()
        except FileNotFoundError:
            return f"{branch} {look_at(git / 'packed-refs', '').stamp}"
    except (OSError, ValueError):
        return None


def _head_by_git(kit: Path) -> str:
    from reel_cli.kit.git import find_repository  # noqa: PLC0415

    repository = find_repository(kit)
    return f"{repository.root} {repository.head()}" if repository else ""
