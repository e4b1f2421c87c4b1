"""A memory at another level: its file, and the loss as the ledger tells it (REEL §4.4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reel_cli.flows.pointers import where_of
from reel_cli.kit.forgotten import Forgotten
from reel_cli.kit.front_matter import set_fields, split
from reel_cli.kit.memory_file import memory_path
from reel_cli.kit.snapshot import Snapshot
from reel_cli.kit.yaml_text import render_scalar
from reel_cli.model.memory import Level, Memory

if TYPE_CHECKING:
    from reel_cli.kit.git import Repository
    from reel_cli.model.holdings import Counter


@dataclass(frozen=True, slots=True)
class Fallen:
    """What writing a memory at another level takes."""

    writes: Mapping[str, bytes | None]
    loss: Forgotten


def fallen(  # noqa: PLR0913
    snapshot: Snapshot,
    repo: "Repository",
    counter: "Counter",
    memory: Memory,
    level: Level,
    body: str,
    *,
    why: str,
    marker: str = "",
) -> Fallen:
    """The memory with this body at this level; every other line of its file stays as it is.

    A marker and a tag that were only cut from the body are written down first: the body they were cut
    from goes. `marker` replaces the one it has.
    """
    path = memory_path(memory.id)
    data = snapshot.read(path) or b""
    text = data.decode()
    document = split(text, path)
    changes: dict[str, str | None] = {"level": level.value}
    for key, value in (("marker", marker or memory.marker), ("tag", memory.tag)):
        if value and (not document.text(key) or (key == "marker" and marker)):
            changes[key] = render_scalar(value)
    fresh = set_fields(text, changes, path)
    head = fresh[: len(fresh) - len(document.body)] if document.body else fresh
    loss = Forgotten(
        memory.id,
        memory.level.value,
        level.value,
        counter.count(memory.body),
        counter.count(body),
        ",".join(map(str, where_of(memory))),
        repo.blob_id(data),
        why,
    )
    return Fallen({path: f"{head}{body}".encode()}, loss)
