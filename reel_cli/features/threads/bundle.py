"""The threads that go on in a bundle, found once for the same memories, loops and words on threads."""

import json
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING
from zlib import crc32

from reel_cli import __version__
from reel_cli.core.files.working_file import read_items
from reel_cli.core.values.holdings import Holdings, MemoryRow, Tie

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.features.threads.ties import SaidOfPages

_FILE = "threads.yaml"
_KEPT = "ties 3"


def find_ties(snapshot: "Snapshot", holdings: Holdings, rows: Sequence[MemoryRow]) -> Sequence[Tie]:
    """Return the threads that go on among these memories, the nearest first."""
    core = holdings.core
    loops = [item.text for item in read_items(core.working) if item.section == "Open loops"]
    named = snapshot.text(_FILE) or ""
    about = json.dumps(
        [
            *(__version__, loops, core.settings.people, [(row.id, row.mark) for row in rows]),
            *(named, _list_retracted(snapshot) if named else []),
        ]
    )
    stamp = f"{len(about)} {crc32(about.encode()):08x}"
    kept = holdings.notebook.recall(_KEPT, stamp) if holdings.notebook is not None else None
    if kept is not None:
        return [Tie(*tie) for tie in json.loads(kept)]
    from reel_cli.features.threads.ties import choose_ties

    texts = holdings.memories.texts({row.id: "marker" for row in rows})
    pages = {row.id: texts[row.id] for row in rows if not row.brought}
    said = list(_read_said(snapshot, pages)) if named else []
    ties = choose_ties(pages, loops, core.settings.people, said)
    if holdings.notebook is not None:
        holdings.notebook.keep(_KEPT, stamp, json.dumps(ties, ensure_ascii=False))
    return ties


def _list_retracted(snapshot: "Snapshot") -> Sequence[str]:
    from reel_cli.core.tape.tape_view import retracted

    return sorted(retracted(snapshot))


def _read_said(snapshot: "Snapshot", pages: Collection[str]) -> "Iterator[SaidOfPages]":
    """Yield what `threads.yaml` says of these memories, also by the chats that they tell of."""
    from reel_cli.core.files.memory_file import parse_memory
    from reel_cli.features.threads.naming.files import read_named
    from reel_cli.features.threads.ties import SaidOfPages

    named = read_named(snapshot)
    if any(one.members or one.others for one in named):
        paths = {page: f"ring3/{page}.md" for page in pages}
        chats = {page: parse_memory(snapshot.text(path) or "", path).sessions for page, path in paths.items()}
    else:
        chats = dict.fromkeys(pages, ())

    def among(items: Sequence[str]) -> frozenset[str]:
        return frozenset(page for page, names in chats.items() if not {page, *names}.isdisjoint(items))

    for one in named:
        # the word on the memory itself goes before that on its chat
        members, others = among(one.members), among(one.others)
        mine, barred = members - {*one.others}, others - {*one.members}
        yield SaidOfPages(one.key, one.theme, mine, barred - mine, is_none=one.is_none)
