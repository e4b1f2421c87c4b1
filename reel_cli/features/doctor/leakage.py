"""Findings on the tape: the persona spoke of how its memory is kept (REEL §10.1), or wrote STAGE or CHAIN."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.leakage import (
    LeakedPassage,
    find_leaks,
    find_machinery,
    is_about_memory,
    is_taken_up,
)
from reel_cli.core.evidence.leaks.rule import Leak
from reel_cli.core.files import front_matter
from reel_cli.core.files.tree import look_at
from reel_cli.core.finding import MEMORY_LEAKAGE, Finding
from reel_cli.core.frozen import late
from reel_cli.core.kit.glance import note_files
from reel_cli.core.kit.snapshot import DIRECTIVES, IDENTITY, Snapshot
from reel_cli.core.stage_chain import origins, protocol_syntax
from reel_cli.core.tape.blocks import read_blocks
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.tape.voices import is_own, other_voices, persona_names
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import memory_path
from reel_cli.core.values.talk import session_path

_OPENS = ("[", "<", "{", "(")
_OF_MEMORY = late(
    r"(?i)memor|\brings?\b ?\d?|checkpoint|recall|\btape\b|\bindex\b|context|system|persona|\breel\b"
)
NEWEST = 5
"""Number of newest sessions in which a leak is serious: it is how the persona speaks now."""
_EDITION = 6
"""Version of the rules; raised when they find something else, so that stored results are made anew."""
_MEND = "add to ring0/directives.md that it must not speak of how it remembers; then  reel review"
_MEND_TAG = "if it should write no such tags, add that to ring0/directives.md; then  reel review"


def find_leakage(snapshot: Snapshot, kit: Path, known: Collection[str]) -> list[Finding]:
    """Return findings for leaking replies, newest session first; `known` are memory IDs ever used."""
    sessions = standing_sessions(snapshot)
    names, newest = {*known, *snapshot.sessions}, set(sessions[-NEWEST:])
    found = []
    for path, name, line, words, sentence, sure in _noted(snapshot, kit):
        if (sure or words in names) and not _is_form(words):
            what = f'"{one_line(sentence, 160)}" speaks of "{words}"'
            found.append(
                Finding("leakage", what, _MEND, name not in newest, MEMORY_LEAKAGE, f"{path}:{line}")
            )
    return found


def find_tags(snapshot: Snapshot, kit: Path) -> list[Finding]:
    """Return findings for replies in STAGE's or CHAIN's form where nobody else in the chat uses it.

    Such a reply says nothing of memory, and nothing is wrong where the persona is meant to write so.
    """
    found = []
    for path, _, line, words, sentence, _ in _noted(snapshot, kit):
        if _is_form(words):
            what = f'{path}, line {line:,}: "{one_line(sentence, 160)}" has the tag "{one_line(words, 60)}"'
            found.append(Finding("syntax", what, _MEND_TAG, hint_only=True))
    return found


def _is_form(words: str) -> bool:
    """Return whether words are a tag or a header of STAGE or CHAIN, or of a scene, and not of a memory."""
    return bool(protocol_syntax(words)) or (words[:1] in _OPENS and _OF_MEMORY.search(words) is None)


def find_told_machinery(snapshot: Snapshot, kit: Path) -> list[Finding]:
    """Return findings for memories that tell in their own words how memory is kept (REEL §10.1)."""
    told = "\n".join(_text(snapshot, path) for path in (IDENTITY, DIRECTIVES))
    paths = {memory_path(name): name for name in snapshot.memories}
    common = [look_at(kit / path, path) for path in (IDENTITY, DIRECTIVES)]

    def note(path: str) -> list[list[str | int | bool]]:
        found = find_machinery(_body(snapshot, path), told)
        heard = _heard(snapshot, snapshot.memories[paths[path]].sessions) if found else ""
        return [[one.words, one.sentence] for one in found if not is_taken_up(one, heard, told)]

    notes = note_files(kit, f"told machinery {_EDITION}", paths, note, lambda _: common)
    return [
        Finding(
            "leakage",
            f'{path}: {paths[path]} says "{one_line(str(sentence), 160)}", which speaks of "{words}"',
            f"reel edit {paths[path]}  puts it as somebody who remembers would",
            hint_only=True,
            kind=MEMORY_LEAKAGE,
        )
        for path in paths
        for words, sentence in notes[path][:1]
    ]


def _body(snapshot: Snapshot, path: str) -> str:
    try:
        return front_matter.split(_text(snapshot, path), path).body
    except ReelError:
        return ""


def _heard(snapshot: Snapshot, sessions: Collection[str]) -> str:
    """Return what the others said in these chats."""
    heard: list[str] = []
    for name in sessions:
        try:
            shown = read_session(snapshot, name).shown()
        except ReelError:
            continue
        heard += [entry.message.text for entry in shown if entry.message.role != "assistant"]
    return "\n".join(heard)


def _noted(snapshot: Snapshot, kit: Path) -> Iterator[tuple[str, str, int, str, str, bool]]:
    """Yield what stands out in replies: path, session, line, words, their sentence, whether it is sure.

    Only what was said counts, as last shown: not what reel put into a chat, nor a reply to that. What was
    found is noted per session.
    """
    told = "\n".join(_text(snapshot, path) for path in (IDENTITY, DIRECTIVES))
    sessions = standing_sessions(snapshot)
    if is_about_memory(told):
        return
    paths = {session_path(name): name for name in reversed(sessions)}
    common = [look_at(kit / path, path) for path in (IDENTITY, DIRECTIVES)]

    personas = persona_names(snapshot)

    def note(path: str) -> list[list[str | int | bool]]:
        return _note(snapshot, paths[path], told, personas)

    notes = note_files(kit, f"leakage {_EDITION}", paths, note, lambda _: common)
    for path, name in paths.items():
        for line, words, sentence, sure in notes[path]:
            yield path, name, int(line), str(words), str(sentence), bool(sure)


def _note(snapshot: Snapshot, name: str, told: str, personas: Sequence[str]) -> list[list[str | int | bool]]:
    """Return one session's leaks: the line in its file, the words, the sentence, whether it is sure."""
    try:
        session = read_session(snapshot, name)
    except ReelError:
        # reported as a tape that differs from its record
        return []
    path = session_path(name)
    heard: list[str] = [told]
    found: list[list[str | int | bool]] = []
    lines: dict[str, int] = {}
    shown = session.shown()
    others = other_voices(shown, personas)
    for entry in shown:
        text = entry.message.text
        if not is_own(entry.message, others):
            heard.append(text)
            continue
        for one in find_leaks(text):
            if not (is_taken_up(one, "\n".join(heard), told) or _is_answer_in_form(one, heard)):
                lines = lines or _lines(snapshot.read(path) or b"", path)
                line = lines[entry.digest] + 1 + text.count("\n", 0, one.start)
                found.append([line, one.words, one.sentence, one.sure])
    return found


def _is_answer_in_form(leaked: LeakedPassage, heard: Sequence[str]) -> bool:
    """Return whether a mention is STAGE or CHAIN syntax in a chat in which others use it: no talk of memory.

    `[CHAIN:ACK id=4]` is the form in which an order is answered (REEL §5.1).
    """
    return leaked.kind is Leak.TAG and bool(protocol_syntax(leaked.words)) and bool(origins(heard))


def _lines(data: bytes, path: str) -> dict[str, int]:
    """Return the line of each message's delimiter, by the message's digest."""
    return {block.digest: block.line for block in read_blocks(data, path)}


def _text(snapshot: Snapshot, path: str) -> str:
    try:
        return snapshot.text(path) or ""
    except ReelError:
        return ""


def known_ids(snapshot: Snapshot, lost: Sequence[str] = ()) -> frozenset[str]:
    """Return the IDs of what the kit holds, and of what it held (`lost`)."""
    return frozenset((*snapshot.memories, *snapshot.index.lines, *lost))
