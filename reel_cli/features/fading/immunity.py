"""Immunity by a person's word: the flag in a memory's file and on its index line."""

from collections.abc import Sequence
from dataclasses import replace

from reel_cli.core.errors import ReelError
from reel_cli.core.files.front_matter import set_fields
from reel_cli.core.files.index_edit import put_entry, put_line, raw_line
from reel_cli.core.files.index_file import line_for, set_immune
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.yaml_text import render_flow, render_scalar
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.rings.pins import LONGEST_REASON, OP
from reel_cli.core.rings.read_memory import find_memory
from reel_cli.core.values.change import Change, one_line, titled
from reel_cli.core.values.memory import IMMUNE_TAGS, Memory, memory_path


@frozen
class Immunity:
    """The result of granting or revoking immunity; `change` is None if nothing changes."""

    id: str
    title: str
    change: Change | None


def plan_immunity(
    snapshot: Snapshot, wanted: str, *, immune: bool, why: str, untag: bool = False
) -> Immunity:
    """Make a memory, or what is left of it in the index, immune or not; `why` is one line, or "".

    `untag` takes away the tags that alone would keep it immune. Raises ReelError where the kit does not
    hold it, or its tags alone keep it immune.
    """
    memory, line = find_memory(snapshot, wanted)
    writes: dict[str, bytes | None] = {}
    tags: list[str] = []
    if memory is not None:
        name, title = memory.id, memory.title
        if not immune:
            tags = sorted(IMMUNE_TAGS.intersection(memory.tags))
        if tags and not untag:
            message = f"{name} is immune by what it is: {' and '.join(tags)}."
            raise ReelError(message, hint=f"if that is wrong, first delete the tag in {memory_path(name)}")
        told = why and why != memory.immune_reason
        if memory.immune != immune or (immune and told):
            path = memory_path(name)
            file = snapshot.text(path) or ""
            if tags:
                rest = [tag for tag in memory.tags if tag not in IMMUNE_TAGS]
                file = set_fields(file, {"tags": render_flow(rest)}, path)
            text = _flagged(file, memory, path, immune=immune, why=why)
            writes[path] = text.encode()
            memory = parse_memory(text, path)
    elif line is not None:
        name, title = line.id, line.description
    else:  # find_memory raises where neither is there
        return Immunity(wanted, "", None)
    index = snapshot.text(INDEX) or ""
    raw = raw_line(index, name)
    if memory is not None and (raw is None or tags):
        fresh = put_entry(index, line_for(memory))
    else:
        fresh = put_line(index, name, set_immune(raw, immune=immune)) if raw is not None else index
    if fresh != index:
        writes[INDEX] = fresh.encode()
    if not writes:
        return Immunity(name, title, None)
    done = "made immune" if immune else "made not immune"
    notes = (why,) if why else ()
    return Immunity(name, title, Change(OP, f"{done}: {titled(title, name)}", writes, notes=notes))


def plan_word(
    snapshot: Snapshot, name: str, reason: str, *, immune: bool, tags: Sequence[str] = ()
) -> Change | None:
    """Return the change for a person's yes to a proposal, with its reason; None if nothing changes.

    Where it must stay, `tags` come with it; where it may fade after all, the tags that alone kept it go too.
    Raises what `plan_immunity` does.
    """
    why = one_line(reason, LONGEST_REASON)
    change = plan_immunity(snapshot, name, immune=immune, why=why if immune else "", untag=True).change
    if immune:
        return _with_tags(snapshot, name, change, tags)
    return None if change is None else replace(change, notes=(*change.notes, why))


def _with_tags(snapshot: Snapshot, name: str, change: Change | None, tags: Sequence[str]) -> Change | None:
    """Return the change, with tags added to the memory and its line."""
    later = snapshot.after(change) if change is not None else snapshot
    memory = later.memories.get(name)
    more = [tag for tag in tags if memory is not None and tag not in memory.tags]
    if memory is None or not more:
        return change
    path = memory_path(name)
    text = set_fields(later.text(path) or "", {"tags": render_flow([*memory.tags, *more])}, path)
    index = put_entry(later.text(INDEX) or "", line_for(parse_memory(text, path)))
    writes = {path: text.encode(), INDEX: index.encode()}
    if change is None:
        return Change(OP, f"tagged {' and '.join(more)}: {titled(memory.title, name)}", writes)
    return change.also(writes)


def _flagged(text: str, memory: Memory, path: str, *, immune: bool, why: str) -> str:
    """Return the file with the flag set, and its new reason, or none."""
    fields: dict[str, str | None] = {}
    if memory.immune != immune:
        fields["immune"] = "yes" if immune else "no"
    if immune and why:
        fields["immune_reason"] = render_scalar(why)
    elif not immune and memory.immune_reason:
        fields["immune_reason"] = None
    fresh = set_fields(text, fields, path)
    if parse_memory(fresh, path).immune != immune:
        message = f"{path} is written so that reel cannot change its flag."
        raise ReelError(message, hint="write  immune: yes  or  immune: no  on a line of its own in it")
    return fresh
