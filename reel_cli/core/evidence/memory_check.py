"""Memories checked against the tape: a new one before it is kept, and those of a kit (REEL §10.5)."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.evidence.grounding.check import Claim, count_unsaid, told
from reel_cli.core.evidence.grounding.lexicon import STOP, even
from reel_cli.core.evidence.grounding.memory_stretches import plain_text
from reel_cli.core.evidence.tape_evidence import MOST_TOLD, TapeEvidence, key_of
from reel_cli.core.evidence.verdict import Verdict
from reel_cli.core.files.memory_file import parse_memory, render_memory
from reel_cli.core.files.review_file import SETTLED
from reel_cli.core.files.tree import Look, look_at
from reel_cli.core.kit.glance import Glance, join_looks, note_files
from reel_cli.core.kit.snapshot import DIRECTIVES, EVENTS, IDENTITY, Snapshot
from reel_cli.core.ports import list_feature_files
from reel_cli.core.tape.tape_view import is_purged
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import Memory, memory_path, where_of
from reel_cli.core.values.talk import session_path

if TYPE_CHECKING:
    from reel_cli.core.finding import Finding

_LEAST_WORDS = 20
"""Telling words of a page below which nothing can be said of it as a whole."""
_FAR, _VERY_FAR = 50, 65
"""Percent of a page's telling words that were not said, from which it is far from its chat.

Pages of lives have up to 31, pages about other chats from 52. The second holds where few details are doubted.
"""
_SEVERAL = 2
_EDITION = 22
"""Version of the check; raised when it finds something else, so that stored notes are made anew."""
_HINTS = frozenset(
    {
        Claim.NAME.value,
        Claim.NEGATION.value,
        Claim.DATE.value,
        Claim.NUMBER.value,
        Claim.WORD.value,
        Claim.SPEAKER.value,
        Claim.SCENE.value,
        Claim.DONE.value,
    }
)
"""Kinds that a faithful memory may show too: of another evening, or a no that was told otherwise."""


def is_hint(kind: Claim) -> bool:
    """Return whether a doubt of this kind is only worth a look; a quotation is on the tape or is not."""
    return kind.value in _HINTS


_MEND = "put the memory right, or the tape (reel tape correct); if it is right:  reel doctor --right {id}"


def hold_against_tape(evidence: TapeEvidence, memory: Memory) -> list[tuple[Problem, str]]:
    """Return the details of a new memory that its source does not support, each with its key (`key_of`).

    None of them blocks.
    """
    found = evidence.check(memory, render_memory(memory))
    return [(Problem(f"grounding.{one.kind.value}", told(one)), key_of(memory, one)) for one in found]


def find_far_page(evidence: TapeEvidence, memory: Memory, doubts: int) -> Problem | None:
    """Return the doubt about a new memory as a whole, if most of its words were not said; None otherwise.

    `doubts` is the number of its details that are doubted one by one; the more of a page is invented, the
    fewer of them are found. A page in another language than its chat is passed over.
    """
    source = evidence.source(where_of(memory))
    if source is None:
        return None
    text = plain_text(memory.body)
    unsaid, words = count_unsaid(text, source)
    # the small words of a language are in every talk in it
    small = {word for word in even(text).casefold().split() if word in STOP}
    if words < _LEAST_WORDS or sum(map(source.has_word, small)) * 2 < len(small):
        return None
    share = 100 * unsaid // words
    if share < (_FAR if doubts >= _SEVERAL else _VERY_FAR):
        return None
    what = f"most of this page has little to do with its chat: {unsaid:,} of its {words:,} telling words"
    return Problem("grounding.page", f"{what} were not said there")


Note = tuple[Sequence[tuple[str, int, str]], int, int]
"""Stored result for a memory: its unsupported details (kind, line, words), the number of its content words
that were not said, and the number of its content words."""


_COMMON = (EVENTS, IDENTITY, "kit.yaml", SETTLED)
"""Files that the check of every memory goes by, beside its own file and its sessions."""
_MOST_CLEAN = 4_096
_clean: dict[bytes, Note] = {}
"""Notes of memories without a doubt, by all that they go by (`_print_of`): a process that checks a kit again,
as `reel serve` and `reel doctor --ask` do, need not wait until its files are old enough for the catalog."""


def _print_of(path: str, memory: Memory, read: Callable[[str], bytes]) -> bytes:
    """Return a print of the files that a memory without a doubt was checked by; `read` gives their bytes."""
    found = blake2b(digest_size=16)
    for one in (path, *_COMMON, *sorted({session_path(span.session) for span in where_of(memory)})):
        data = read(one)
        found.update(f"{one}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
        found.update(data)
    return found.digest()


def hold_all_against_tape(
    snapshot: Snapshot,
    kit: Path,
    advance: Callable[[float], None] | None = None,
    only: Collection[str] | None = None,
) -> Mapping[str, Note]:
    """Return the check of each memory in a kit's folder that has a source, by path, in order.

    With `only`, of the memories with these IDs, whose notes are kept apart. What was found is noted per
    memory, and found again only where the memory, its stretch of tape, or who speaks there has changed.
    `advance` is told of each memory that is looked at.
    """
    memories = {
        memory_path(memory.id): memory
        for memory in snapshot.memories.values()
        if where_of(memory) and (only is None or memory.id in only)
    }
    grounding = TapeEvidence(snapshot)
    common = [look_at(kit / path, path) for path in _COMMON]
    tape: dict[str, Look] = {}
    judged: dict[str, Note] = {}
    # looked at without being noted as read: what a command writes does not hang on it
    read = cache(snapshot.peek)

    def note(path: str) -> Note:
        memory = memories[path]
        if isinstance(snapshot, Glance):
            memory = parse_memory(snapshot.text(path) or "", path)
        if all(is_purged(snapshot, span.session) for span in where_of(memory)):
            # of what was purged nobody can tell that it was not said
            judged[path] = ([], 0, 0)
            return judged[path]
        key = _print_of(path, memory, read)
        if key not in _clean:
            found = grounding.check(memory, snapshot.text(path) or "")
            details = [(one.kind.value, one.line, told(one)) for one in found]
            judged[path] = (details, *grounding.count_unsaid(memory))
        else:
            judged[path] = _clean[key]
        if not judged[path][0] and len(_clean) < _MOST_CLEAN:
            _clean[key] = judged[path]
        if advance is not None:
            advance(1)
        return judged[path]

    def also(path: str) -> list[Look]:
        sessions = sorted({span.session for span in where_of(memories[path])})
        for session in sessions:
            if session not in tape:
                place = session_path(session)
                tape[session] = look_at(kit / place, place)
        return [*common, *(tape[session] for session in sessions)]

    kind = f"grounding {_EDITION}{'' if only is None else ' of some'}"
    notes = note_files(kit, kind, memories, note, also)
    doubted = [path for path in memories if notes[path][0]]
    if not doubted:
        return notes
    # another session may bear what this one does not, so a stored doubt holds while all the kit is as it was
    whole = _look_at_all(snapshot, kit)
    again = note_files(
        kit,
        f"{kind}, doubts",
        doubted,
        lambda path: judged[path] if path in judged else note(path),
        lambda path: [*also(path), whole],
    )
    return {path: again.get(path, notes[path]) for path in memories}


def _look_at_all(snapshot: Snapshot, kit: Path) -> Look:
    """Return one look for all texts of a kit that may bear what a memory says."""
    files = [file.path for _, file in list_feature_files() if file.packed]
    paths = [*files, DIRECTIVES, *map(session_path, snapshot.sessions), *map(memory_path, snapshot.memories)]
    return join_looks(look_at(kit / IDENTITY, IDENTITY), [look_at(f"{kit}/{path}", path) for path in paths])


def find_false_memories(notes: Mapping[str, Note]) -> "list[Finding]":
    """Return a finding for each detail of a memory that the tape does not support, in order of the files."""
    from reel_cli.core.finding import FALSE_MEMORY, Finding

    found = []
    for path, (details, _, _) in notes.items():
        for kind, line, words in details[:MOST_TOLD]:
            hint = kind in _HINTS
            mend = _MEND.format(id=path.rpartition("/")[2].removesuffix(".md"))
            found.append(
                Finding(
                    "grounding", f"{path}, line {line}: {words}", mend, hint, FALSE_MEMORY, f"{path}:{line}"
                )
            )
        if len(details) > MOST_TOLD:
            what = f"{path}: {len(details) - MOST_TOLD:,} more details like that"
            found.append(Finding("grounding", what, mend, hint_only=True, kind=FALSE_MEMORY))
    return found


def find_unclear(snapshot: Snapshot) -> "list[Finding]":
    """Return a finding for each detail of which nobody can tell whether it was said; none is a doubt."""
    from reel_cli.core.finding import FALSE_MEMORY, Finding

    evidence = TapeEvidence(snapshot)
    found = []
    for memory_id in snapshot.memories:
        path = memory_path(memory_id)
        text = snapshot.text(path) or ""
        for one in evidence.judge(parse_memory(text, path), text):
            if one.verdict is Verdict.CANNOT_TELL:
                claim = one_line(one.detail.claim, 80)
                what = f'{path}, line {one.detail.line}: nobody can tell whether "{claim}" was said'
                place = f"{path}:{one.detail.line}"
                found.append(Finding("grounding", what, "", hint_only=True, kind=FALSE_MEMORY, at=place))
    return found
