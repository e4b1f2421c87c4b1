"""Lines of memories in the index that were edited by hand, and what each edit means for the memory's file."""

from collections.abc import Iterable, Mapping, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.index_file import line_for, parse_index, put_lines, render_line
from reel_cli.core.files.memory_file import memory_path, parse_memory
from reel_cli.core.files.yaml_text import render_flow, render_scalar
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.memory import IndexLine, Memory


@frozen
class LineEdit:
    """A memory as its file has it, and its line as a person wrote it."""

    memory: Memory
    line: IndexLine

    @property
    def rendered(self) -> str:
        """Return the line as it follows from the file."""
        return render_line(line_for(self.memory))

    @property
    def given(self) -> str:
        """Return the line as it stands."""
        return render_line(self.line)


def edited_lines(
    snapshot: Snapshot, pairs: Iterable[tuple[bytes | None, bytes | None]]
) -> Sequence[LineEdit]:
    """Return the lines changed between any of these text pairs that do not follow from their files."""
    touched: set[str] = set()
    for before, after in pairs:
        old, new = _lines(before), _lines(after)
        touched.update(key for key in new if old.get(key) != new[key])
    now = _lines(snapshot.read("ring4/index.md"))
    found = []
    for memory_id in sorted(touched & now.keys()):
        path = memory_path(memory_id)
        if snapshot.read(path) is None:
            continue
        try:
            memory = parse_memory(snapshot.text(path) or "", path)
        except ReelError:
            # a broken file is told of elsewhere; nothing can be offered to it
            continue
        edit = LineEdit(memory, now[memory_id])
        if edit.given != edit.rendered:
            found.append(edit)
    return found


def with_lines(data: bytes, edits: Sequence[LineEdit], *, given: bool = False) -> bytes:
    """Return an index with these memories' lines as they follow from the files, or as `given`."""
    if not edits:
        return data
    text = data.decode("utf-8", "replace")
    known = parse_index(text).lines
    lines = [edit.line if given else line_for(edit.memory) for edit in edits if edit.memory.id in known]
    return put_lines(text, lines).encode()


def take_over(text: str, edit: LineEdit) -> str:
    """Return a memory's file with title, tags, immunity and anchor of the edited line."""
    line, memory = edit.line, edit.memory
    changes: dict[str, str | None] = {}
    if line.description and line.description != memory.title:
        changes["title"] = render_scalar(line.description)
    if line.tags != memory.tags:
        changes["tags"] = render_flow(line.tags)
    if line.immune != memory.immune:
        changes["immune"] = "yes" if line.immune else "no"
        changes["immune_reason"] = "by hand, in the index" if line.immune else None
    if line.anchor != memory.anchor:
        changes["anchor"] = render_scalar(line.anchor)
    return front_matter.set_fields(text, changes, memory_path(memory.id))


def _lines(data: bytes | None) -> Mapping[str, IndexLine]:
    return parse_index((data or b"").decode("utf-8", "replace")).lines
