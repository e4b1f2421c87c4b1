"""The doctor's own checks: settings, the index, memories without a source, and how the persona remembers."""

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from reel_cli.core import finding
from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.memory_check import find_false_memories, hold_all_against_tape
from reel_cli.core.evidence.note_check import find_false_notes
from reel_cli.core.files.exemplar_file import exemplar_path
from reel_cli.core.files.unread_settings import look_at_keys
from reel_cli.core.finding import Finding
from reel_cli.core.kit.checkup import MEMORIES, Check, CheckScope, Stage
from reel_cli.core.kit.snapshot import DIRECTIVES, IDENTITY, INDEX, WORKING, Snapshot
from reel_cli.core.stage_chain import protocol_syntax
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import name_some, one_line
from reel_cli.core.values.memory import SHARED, is_brought, memory_path
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.doctor.checkpoints import find_theatre
from reel_cli.features.doctor.leakage import find_leakage, find_tags, find_told_machinery, known_ids

if TYPE_CHECKING:
    from reel_cli.core.values.settings import Settings

SHOWN = 5
SMALLEST_WINDOW = 1024


def _settings(snapshot: Snapshot) -> Iterator[Finding]:
    try:
        settings = snapshot.settings
    except ReelError:
        # reported as a file that cannot be read
        return
    yield from _names(settings)
    least = sum(span.low for span in settings.ranges.values())
    if least + settings.live > WHOLE:
        what = (
            f"kit.yaml: the smallest shares of the parts ({least // 100} %) and the conversation's "
            f"({settings.live // 100} %) are more than the {settings.held_to}"
        )
        yield Finding("settings", what, "lower ranges or live in kit.yaml")
    if settings.live < WHOLE * 4 // 10:
        what = f"kit.yaml: only {settings.live // 100} % of the {settings.held_to} stays for the conversation"
        yield Finding("settings", what, "40 % or more is usual: live in kit.yaml", hint_only=True)
    if settings.cap < SMALLEST_WINDOW:
        what = f"kit.yaml: {settings.cap:,} tokens are too few for a persona and a conversation"
        yield Finding("settings", what, "raise window or cap in kit.yaml")


def _names(settings: "Settings") -> Iterator[Finding]:
    try:
        told = getattr(get_tokenizer(settings.tokenizer), "told", "")
        if told:
            mend = "reel model set --tokenizer PATH  says where the file is"
            yield Finding("settings", told.rstrip("."), mend, hint_only=True)
    except ReelError as error:
        yield Finding("settings", _plain(error), error.hint or "")
    if settings.timezone is not None:
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        try:
            ZoneInfo(settings.timezone)
        except (ZoneInfoNotFoundError, ValueError):
            what = f"kit.yaml: timezone {settings.timezone!r} is not a known zone"
            yield Finding("settings", what, "write it like  Europe/Helsinki")


def _ring0_room(scope: CheckScope) -> Iterator[Finding]:
    """Yield the finding that identity and rules leave no room for the rest (Memory Keep §I.1)."""
    from reel_cli.core.kit.approved_rings import read_in_force
    from reel_cli.core.pack.ring0_limit import Ring0Text, fits_at_all, require_ring0_fits

    try:
        settings = scope.snapshot.settings
        get_tokenizer(settings.tokenizer)
        if settings.cap < SMALLEST_WINDOW:
            # found by itself
            return
        if scope.repo is None:
            texts = Ring0Text.read({path: scope.snapshot.read(path) for path in (IDENTITY, DIRECTIVES)})
        else:
            ring0 = read_in_force(scope.snapshot, scope.repo)
            texts = Ring0Text(ring0.identity, ring0.directives)
    except (ReelError, OSError):
        # reported as what cannot be read
        return
    try:
        require_ring0_fits(texts, settings)
    except ReelError as error:
        yield Finding("settings", _plain(error), error.hint or "", hint_only=fits_at_all(texts, settings))


def _keys(scope: CheckScope) -> Iterator[Finding]:
    snapshot = scope.snapshot
    return look_at_keys(snapshot.text("kit.yaml") or "", later=snapshot.is_later)


def _index(snapshot: Snapshot) -> Iterator[Finding]:
    broken = snapshot.index.broken
    for number, _ in broken[:SHOWN]:
        what = f"{INDEX}, line {number}: this is no line of the index, or another line has its ID"
        yield Finding("index", what, "correct that line in the file")
    if len(broken) > SHOWN:
        yield Finding(
            "index", f"{INDEX} has {len(broken) - SHOWN:,} more lines like that", "correct them in the file"
        )
    unknown = [line for line in snapshot.index.lines.values() if line.more]
    for line in unknown[:SHOWN]:
        what = f"{INDEX}: {line.id} ends with “{line.more.strip(' ,|')}”, which reel keeps and does not read"
        mend = "all that is kept so:  reel migrate" if snapshot.is_later else "take it out if it is a slip"
        yield Finding("index", what, mend, hint_only=True)
    if len(unknown) > SHOWN:
        what = f"{INDEX} has {len(unknown) - SHOWN:,} more lines with an end like that"
        yield Finding("index", what, "", hint_only=True)


def _memories(snapshot: Snapshot) -> Iterator[Finding]:
    memories = list(snapshot.memories.values())
    without = [
        memory.id
        for memory in memories
        if not memory.source
        and not memory.sessions
        and not is_brought(memory.tags)
        and SHARED not in memory.tags
    ]
    if without:
        names = name_some(without, SHOWN)
        what = f"these memories do not say what they were made from: {names}"
        yield Finding(
            "source",
            what,
            "where you know it, write  source: [SESSION#N-M]  at the top of the file",
            hint_only=True,
        )


_PAGES = ("SHARED-CONTEXT.md", "facts.yaml", "stream.md")
"""Files beside the rings with words that a bundle tells."""


def _syntax(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield what holds STAGE or CHAIN syntax in place of what was lived (REEL §5)."""
    lived = "tell it as it was lived:  "
    places = [
        (memory_path(m.id), m.id, f"{m.title}\n\n{m.marker}\n\n{m.tag}\n\n{m.body}", f"reel edit {m.id}")
        for m in snapshot.memories.values()
    ]
    places.append((WORKING, "what is going on", snapshot.text(WORKING) or "", "reel edit now"))
    mend = "correct its line in that file"
    places += [
        (INDEX, f"the line of {line.id}", f"{line.description}\n\n{line.anchor}", mend)
        for line in snapshot.index.lines.values()
    ]
    # an example stays as it was said until a person takes a tag out of it; bundles and cards leave it out
    places += [
        (
            exemplar_path(one.slug),
            "an example",
            f"{one.title}\n\n{one.text}",
            f"correct it in that file, or:  reel example retire {one.slug}",
        )
        for one in snapshot.exemplars.values()
    ]
    written = [path for path in snapshot.list("story") if path.endswith(".md")]
    places += [
        (path, "its text", _text_in(snapshot, path), "correct it in that file")
        for path in (*written, *_PAGES, *snapshot.list("domain"), *snapshot.list("shelf"))
    ]
    found = [
        (path, name, pieces[0], mend)
        for path, name, text, mend in places
        if (pieces := protocol_syntax(text))
    ]
    for path, name, piece, mend in found[:SHOWN]:
        what = f"{path}: {name} holds a scene tag or message header, “{one_line(piece, 60)}”"
        yield Finding("syntax", what, lived + mend if mend.startswith("reel ") else mend, hint_only=True)
    if len(found) > SHOWN:
        what = f"{len(found) - SHOWN:,} more memories or lines hold scene tags or message headers"
        yield Finding("syntax", what, f"{lived}reel edit ID", hint_only=True)


def _text_in(snapshot: Snapshot, path: str) -> str:
    """Return a file's text; "" where it cannot be read, which other checks tell of."""
    with suppress(ReelError, OSError):
        return (snapshot.read(path) or b"").decode("utf-8", "replace")
    return ""


def _false_memories(scope: CheckScope) -> Iterator[Finding]:
    notes = scope.once("notes", lambda: hold_all_against_tape(scope.snapshot, scope.kit, scope.advance))
    yield from find_false_memories(notes)
    # a kit whose files cannot be read has findings of its own
    with suppress(ReelError):
        yield from find_false_notes(scope.snapshot)


def _leakage(scope: CheckScope) -> Iterator[Finding]:
    lost: list[str] = []
    # other checks report unreadable history and a damaged tape
    with suppress(ReelError):
        lost = [path.removeprefix(MEMORIES).removesuffix(".md") for path in scope.memory_steps()]
    with suppress(ReelError):
        yield from find_leakage(scope.snapshot, scope.kit, known_ids(scope.snapshot, lost))
    with suppress(ReelError):
        yield from find_told_machinery(scope.snapshot, scope.kit)


def _tags(scope: CheckScope) -> Iterator[Finding]:
    with suppress(ReelError):
        yield from find_tags(scope.snapshot, scope.kit)


def _same_names(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield the files that are one file on a disk that ignores case or the form of accents."""
    from unicodedata import normalize

    alike: dict[str, list[str]] = {}
    for path in snapshot.list(""):
        alike.setdefault(normalize("NFC", path).casefold(), []).append(path)
    clashes = [paths for paths in alike.values() if len(paths) > 1]
    for first, second, *_ in clashes[:SHOWN]:
        what = f"{first} and {second} differ only in capitals; on Windows and macOS one of them would be lost"
        yield Finding("names", what, "rename or delete one of them", at=second)
    if len(clashes) > SHOWN:
        what = f"{len(clashes) - SHOWN:,} more files differ from another only in capitals"
        yield Finding("names", what, "rename or delete them")


def _plain(error: ReelError) -> str:
    return error.message.rstrip(".")


CHECKS = (
    Check(lambda scope: _settings(scope.snapshot), 0, Stage.FILES),
    Check(_keys, 40, Stage.FILES),
    Check(_ring0_room, 45),
    Check(lambda scope: _same_names(scope.snapshot), 50, Stage.FILES),
    Check(lambda scope: _index(scope.snapshot), 20),
    Check(lambda scope: _memories(scope.snapshot), 30),
    Check(lambda scope: _syntax(scope.snapshot), 35),
    Check(_false_memories, 20, Stage.PATTERNS, finding.FALSE_MEMORY),
    Check(_leakage, 40, Stage.PATTERNS, finding.MEMORY_LEAKAGE),
    Check(_tags, 45, Stage.PATTERNS),
    Check(
        lambda scope: find_theatre(scope.snapshot, scope.kit), 80, Stage.PATTERNS, finding.CHECKPOINT_THEATRE
    ),
)
