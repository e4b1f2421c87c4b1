"""The migration of a kit: its steps, what they write, and the refusal of what would lose something."""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import unified_diff

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.yaml_edit import set_value
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.migration import Migration, Version, list_steps, parse_version
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import Change
from reel_cli.core.values.settings import PROTOCOL
from reel_cli.features.migrate.later_version import UnreadItem, list_unread

_WORD = re.compile(rb"[\w\x80-\xff]+|[^\w\s\x80-\xff]")
_UNTOUCHED = ("ring0/", "ring1/")
"""Folders that change only by a person's word (REEL §3.4)."""


def find_losses(
    before: Snapshot, writes: Mapping[str, bytes | None], *, additive: bool
) -> Iterator[tuple[str, str]]:
    """Yield each file of which something would be lost, with the loss in words.

    A file may move: then its bytes stand elsewhere. With `additive`, each word that stood in a file must
    stand in it still, in the same order, as a minor version asks for; the line with the version is exempt.
    """
    written = {data for data in writes.values() if data is not None}
    for path, new in sorted(writes.items()):
        old = before.read(path)
        if old is None or old == new:
            continue
        if new is None:
            if old not in written:
                yield path, "would be deleted"
        elif path.startswith("tape/") and not new.startswith(old):
            yield path, "would be altered, and the tape only grows"
        elif path.startswith(_UNTOUCHED):
            yield path, "would change, and only your word changes that"
        elif additive and not _still_holds(new, old):
            yield path, "would lose some of its words"


def _still_holds(new: bytes, old: bytes) -> bool:
    """Return whether all words of a text stand in another, in their order."""
    words = iter(_WORD.findall(_without_version(new)))
    return all(word in words for word in _WORD.findall(_without_version(old)))


def _without_version(text: bytes) -> bytes:
    return re.sub(rb"(?m)^protocol:.*$", b"", text)


OP = "migrate"
KIT = "kit.yaml"
_KEPT = "nothing was changed; the kit works as it is"


@frozen
class MigrationPlan:
    """A kit's way to the version that this program writes.

    `change` is None where there is nothing to do. `unread` is what the kit holds of a later version; it
    is empty where the kit is not of a later one.
    """

    since: Version
    to: Version
    steps: Sequence[Migration] = ()
    change: Change | None = None
    unread: Sequence[UnreadItem] = ()

    @property
    def is_later(self) -> bool:
        """Return whether the kit is of a later version than this program writes."""
        return self.since > self.to


def plan_migration(snapshot: Snapshot) -> MigrationPlan:
    """Return what brings a kit to the version that this program writes.

    Raises StateError where no step leads there, and where one would lose something.
    """
    since = parse_version(snapshot.settings.protocol)
    steps = list_steps(since)
    to = steps[-1].to if steps else parse_version(PROTOCOL)
    if not steps:
        if since < to:
            message = f"This kit says {since}, and no step leads from there to {to}."
            raise StateError(message, hint="if that is a slip:  reel config protocol REEL/1.0")
        return MigrationPlan(since, to, unread=list_unread(snapshot) if since > to else ())
    change = Change(OP, f"from {since} to {to}", {}, (("Reel-Protocol", f"{since} to {to}"),))
    for step in steps:
        change = _take(snapshot.after(change), change, step)
    return MigrationPlan(since, to, steps, change)


def _take(before: Snapshot, change: Change, step: Migration) -> Change:
    """Return the change with one more step; StateError where that would lose something."""
    try:
        writes = {path: data for path, data in step.plan(before).items() if data != before.read(path)}
    except ReelError as error:
        message = f"The step to {step.to} cannot carry this kit: {error.message}"
        raise StateError(message, hint=error.hint or _KEPT) from None
    losses = list(find_losses(before, writes, additive=step.to.major == step.since.major))
    if losses:
        path, loss = losses[0]
        more = f", and {len(losses) - 1:,} more like that" if len(losses) > 1 else ""
        message = f"The step to {step.to} was not taken: {path} {loss}{more}."
        raise StateError(message, hint=_KEPT)
    settings = writes.get(KIT, before.read(KIT)) or b""
    text = set_value(settings.decode("utf-8"), ["protocol"], str(step.to), KIT)
    return change.also({**writes, KIT: text.encode()})


def render_diff(snapshot: Snapshot, change: Change) -> Sequence[tuple[str, Sequence[str]]]:
    """Return each file that a change writes, with the lines that it takes out (`-`) and adds (`+`)."""
    shown = []
    for path, data in sorted(change.writes.items()):
        both = (snapshot.read(path) or b"", data or b"")
        before, after = (text.decode("utf-8", "replace").splitlines() for text in both)
        lines = list(unified_diff(before, after, n=0, lineterm=""))[2:]
        shown.append((path, [line for line in lines if not line.startswith("@@")]))
    return shown
