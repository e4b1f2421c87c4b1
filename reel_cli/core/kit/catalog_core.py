"""The small parts of a kit as the catalog keeps them: one JSON value, and the stamp it is trusted by."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path

from reel_cli import __version__
from reel_cli.core.files.kit_files import list_kit_files
from reel_cli.core.files.ring_files import Look, is_exemplar_file, look_at, look_into
from reel_cli.core.git.history_mark import history_mark
from reel_cli.core.values.exemplar import ActiveSet, Exemplar
from reel_cli.core.values.holdings import Clash, Core, FactRow
from reel_cli.core.values.settings import Every, Range, Settings

RING_FILES = ("ring0/identity.md", "ring0/directives.md", "ring1/active.yaml", "ring2/working.md")


def dump_core(core: Core) -> str:
    """Return the core as JSON."""
    value = core._asdict()
    value["settings"], value["active"] = asdict(core.settings), asdict(core.active)
    value["exemplars"] = [asdict(exemplar) for exemplar in core.exemplars]
    return json.dumps(value, ensure_ascii=False)


def load_core(text: str) -> Core:
    """Return the core that `dump_core` wrote."""
    value = json.loads(text)
    settings: dict[str, object] = value["settings"]
    ranges: Mapping[str, Mapping[str, int]] = value["settings"]["ranges"]
    settings["ranges"] = {ring: Range(**bounds) for ring, bounds in ranges.items()}
    for every in ("maintain_every", "dream_every"):
        settings[every] = Every(*value["settings"][every])
    active = value["active"]
    return Core(
        settings=Settings(**value["settings"]),
        identity=value["identity"],
        directives=value["directives"],
        working=value["working"],
        exemplars=[Exemplar(**exemplar) for exemplar in value["exemplars"]],
        active=ActiveSet(active["anchor"], tuple(active["active"])),
        waiting=value["waiting"],
        drafts=value["drafts"],
        clashes=[Clash(name, _side(older), _side(newer)) for name, older, newer in value["clashes"]],
        facts=[FactRow(*row) for row in value["facts"]],
        resting=[(name, why) for name, why in value["resting"]],
        unapproved=[(path, how) for path, how in value["unapproved"]],
        doubt=(value["doubt"][0], value["doubt"][1]) if value["doubt"] else None,
    )


def _side(value: Sequence[str]) -> tuple[str, str, str]:
    where, says, day = value
    return where, says, day


def look_at_core(kit: Path) -> tuple[str, int]:
    """Return the core's stamp ("" if it must be read), and the creation time of its youngest file."""
    small = [*RING_FILES, *(file.path for file in list_kit_files() if file.packed)]
    looks = [look_at(kit / path, path) for path in small]
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
    # a folder's name may be no UTF-8, which SQLite takes no text of
    return "\n".join(made).encode("utf-8", "backslashreplace").decode("utf-8"), _youngest(looks)


def _youngest(looks: Sequence[Look]) -> int:
    return max((look.born for look in looks), default=0)


def _shape() -> str:
    """Return the names of what is kept, so that a new field is read and not left at its default."""
    named = [field.name for kept in (Settings, Exemplar, ActiveSet) for field in fields(kept)]
    return " ".join([*named, *Core._fields, *Clash._fields, *FactRow._fields])
