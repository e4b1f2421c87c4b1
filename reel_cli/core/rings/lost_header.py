"""Lines that an edit by hand broke: the headers of memories and examples, the name in kit.yaml."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.settings_file import find_lost_name
from reel_cli.core.files.tree import is_exemplar_file, is_memory_file
from reel_cli.core.shell import quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.change import Change

_KEPT = {"ring3/": ("id", "uid", "source", "level"), "ring1/": ("source",)}
"""Keys whose lines a person's edit leaves as they are, by the folder of the files."""
_LONGEST = 60


def is_headless(path: str, data: bytes) -> bool:
    """Return whether a file is a memory's that begins with no header."""
    name = path.removeprefix("ring3/")
    return (
        name != path
        and is_memory_file(name)
        and not data.decode("utf-8", "replace").lstrip("\ufeff").startswith("---")
    )


def find_lost_header(path: str, before: bytes | None, after: bytes | None) -> ReelError | None:
    """Return which line of a header an edit lost or changed, and how it was; None where all are as they were.

    A header that cannot be read is told of where the file is read.
    """
    if path == "kit.yaml" and (name := find_lost_name(before, after)):
        return ReelError(
            f"kit.yaml: the line with the persona's name, {name}, is gone.",
            hint=f"put it back:  reel config name {quote(name)}",
        )
    folder, _, name = path.partition("/")
    keys = _KEPT.get(f"{folder}/", ())
    if not (is_memory_file(name) if folder == "ring3" else is_exemplar_file(name)):
        return None
    if not keys or before is None or after is None:
        return None
    try:
        texts = [data.decode() for data in (before, after)]
        had, has = (front_matter.split(text, path) for text in texts)
    except (ReelError, UnicodeDecodeError):
        return None
    if had.raw and not has.raw:
        return _tell_headless(had, texts[1], "memory" if folder == "ring3" else "example")
    for key in ("title", *keys):
        was, now = had.items(key), has.items(key)
        if not was or was == now or (key == "title" and now):
            # a title is a person's to change
            continue
        lines = [_find_line(document.raw, key) for document in (had, has)]
        at = lines[1][0] or lines[0][0]
        became = f"now is “{_cut(lines[1][1])}”" if lines[1][1] else "is gone"
        return ReelError(
            f"{path}, line {at}: “{_cut(lines[0][1])}” {became}.",
            hint=f"put that line back:  {lines[0][1]}",
        )
    return None


def require_name(snapshot: "Snapshot", repo: "Repository", changes: "Sequence[Change]") -> None:
    """Raise ReelError where changes of kit.yaml would commit that its line with the name was lost by hand."""
    from reel_cli.core.git.commit_tree import CommitTree

    path, head = "kit.yaml", repo.head()
    after = next((change.writes[path] for change in reversed(changes) if path in change.writes), None)
    if head is None or after is None:
        return
    with CommitTree(repo, head) as tree:
        before = tree.read(path)
    lost = find_lost_header(path, before, after)
    # where the file still has it, the change itself means to take it out, as an undo may
    if lost is not None and find_lost_header(path, before, snapshot.read(path)) is not None:
        raise lost


def _tell_headless(had: front_matter.Document, text: str, what: str) -> ReelError:
    """Return that a file begins without its header, and how that comes back."""
    first = text.removeprefix("\ufeff").partition("\n")[0].strip()
    became = f"now is “{_cut(first)}”" if first else "is empty now"
    lines = [line.strip() for line in had.raw.split("\n") if line.strip()]
    if all(line in text for line in lines):
        hint = "begin the file with a line of  ---  above those that are still there"
    else:
        hint = f"put these lines back, the first and last as they are:  {'  '.join(['---', *lines, '---'])}"
    return ReelError(
        f"The header at the beginning of the {what} is gone: line 1 was “---”, and {became}.", hint=hint
    )


def _find_line(raw: str, key: str) -> tuple[int, str]:
    """Return the number in the file and the text of a key's line; (0, "") where there is none."""
    for number, line in enumerate(raw.split("\n"), start=2):
        if line.startswith(f"{key}:"):
            return number, line.strip()
    return 0, ""


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
