"""Short pages that are asked for whole later: the memory that was made, and what of it stays."""

from dataclasses import replace
from functools import reduce

from reel_cli.core.exchange.open_ask import schema_for
from reel_cli.core.exchange.schema import BRIEF, BRIEF_PARTS
from reel_cli.core.files.checkpoint_file import BETWEEN, SHORT
from reel_cli.core.files.markdown import split_sections
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.memory import EXPERIENCE, FIELDS, UNWRITTEN, Level, Memory
from reel_cli.features.page.kept_pages import last_checkpoint

_KEYS = ("happened", "changed", "matters", "unresolved")
_DONE = frozenset({"paper", "show", "fade"})
"""Parts that a page acts on at once."""


def find_short_memory(snapshot: Snapshot, session: str) -> Memory | None:
    """Return the memory that a session's short page made, while it is whole; None where there is none.

    One that has grown shorter since, or was let go, is not asked for again.
    """
    page = last_checkpoint(snapshot, session)
    if page is None or page.get("page") != SHORT:
        return None
    made = (memory for memory in snapshot.memories.values() if memory.created == page.get("kept"))
    return next(
        (
            memory
            for memory in made
            if memory.level is Level.L1 and len(memory.source) == 1 and memory.source[0].session == session
        ),
        None,
    )


def find_whole_memory(snapshot: Snapshot, session: str) -> Memory | None:
    """Return the memory that stands for most of a session, and for it alone; None where there is none."""
    own = [
        memory
        for memory in snapshot.memories.values()
        if memory.sessions == (session,) and EXPERIENCE not in memory.tags
    ]
    said = len(read_session(snapshot, session).shown())
    covered = {memory.id: sum(span.last - span.first + 1 for span in memory.source) or said for memory in own}
    longest = max(own, key=lambda memory: covered[memory.id], default=None)
    return longest if longest is not None and 2 * covered[longest.id] >= said else None


def retell_memory(snapshot: Snapshot, memory: Memory) -> str:
    """Return what there is of a short page, as a reply to the prompt for a whole one.

    The memory's own words stand, as they are now. What else came with that page is not asked for again; what
    it wished for is done or waits already. Of its notes the next prompt shows what became of them.
    """
    from reel_cli.core.exchange.reader.reader import read_reply
    from reel_cli.core.exchange.reader.reply import merge

    page = last_checkpoint(snapshot, memory.source[0].session) or {}
    replies = page.get("reply", "").split(BETWEEN)
    schema, names = schema_for(BRIEF_PARTS), (snapshot.settings.name,)
    readings = [read_reply(reply, schema, names=names, once=True) for reply in replies]
    came = reduce(merge, readings).values
    sections = split_sections(memory.body)
    own = {key: sections.get(name, "").strip() for key, name in zip(_KEYS, FIELDS, strict=False)}
    told = {key: value.text or "nothing" for key, value in came.items() if key not in ("notes", *_KEYS)}
    told |= dict.fromkeys(_DONE.intersection(told), "nothing")
    told |= {key: text for key, text in own.items() if text and text != UNWRITTEN}
    parts = [f"## {spec.label}\n{told[spec.key]}\n" for spec in BRIEF.fields if spec.key in told]
    return "\n".join(parts)


def own_sections(memory: Memory) -> dict[str, str]:
    """Return the sections of a memory that no page writes."""
    return {name: text for name, text in split_sections(memory.body).items() if name not in FIELDS}


def complete(short: Memory, whole: Memory) -> Memory:
    """Return an earlier page's memory with what the whole page says; it stays the same memory."""
    return replace(
        whole,
        id=short.id,
        uid=short.uid,
        created=short.created,
        immune=short.immune or whole.immune,
        immune_reason=short.immune_reason or whole.immune_reason,
        tags=tuple(dict.fromkeys((*short.tags, *whole.tags))),
        no_longer=short.no_longer,
    )
