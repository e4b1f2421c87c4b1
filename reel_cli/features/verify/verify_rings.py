"""Verification that everything in the rings that points at the tape finds its target there."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import Tape, find_claim, quotations
from reel_cli.core.files import front_matter
from reel_cli.core.files.markdown import split_sections
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.quote_marks import unquote
from reel_cli.core.tape.chain_proof import Proven
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.memory import FIELDS, IndexLine, Memory, memory_path
from reel_cli.core.values.talk import PURGED, SourceRange, parse_source, session_path
from reel_cli.features.verify.verify_history import Broken

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository

ANCHORS = FIELDS[4]
NAMED = 50
"""Maximum number of broken lines for which history is searched for the commit that wrote them."""
_SOURCE = re.compile(r"(?m)^source: \[(.*)\]$")
_ITEM = re.compile(r"[^,\s]+")


@dataclass(frozen=True, slots=True)
class Rings:
    """The number of stretches and phrases that were looked up, and those that were not found."""

    sources: int
    anchors: int
    broken: Sequence[Broken]


@dataclass
class _Search:
    """The tape, by session, as far as it is asked for."""

    files: Mapping[str, bytes]
    chains: Mapping[str, Proven]
    gone: Mapping[str, Broken]
    sources: int = 0
    anchors: int = 0
    broken: list[Broken] = field(default_factory=list)

    def wrong(self, span: SourceRange) -> str:
        """Return what is wrong with a stretch of tape; "" if it is there."""
        proven = self.chains.get(session_path(span.session))
        if proven is None:
            return f"there is no recorded chat {span.session}"
        if proven.line is not None:
            # reported separately; its content cannot be relied on
            return ""
        said = len(proven.said)
        if span.last > said:
            return f"chat {span.session} has {said:,} messages, so {span} does not exist"
        return ""

    def says(self, span: SourceRange, phrase: str) -> bool:
        """Return whether a phrase occurs in an existing stretch of tape."""
        path = session_path(span.session)
        proven, data = self.chains.get(path), self.files.get(path, b"")
        if proven is None or proven.line is not None:
            return proven is not None
        spans = proven.said[span.first - 1 : span.last or None]
        sought = phrase.encode("utf-8", "replace")
        if any(data.find(sought, start, end) >= 0 for start, end in spans):
            return True
        if spans and all(data[start:end].strip() == PURGED.encode() for start, end in spans):
            # everything said there was purged, so nothing tells whether this was
            return True
        try:
            said = parse_session(data, path).numbered()
        except ReelError:
            return False
        inside = [e for n, e in said.items() if n >= span.first and (not span.last or n <= span.last)]
        return find_claim(Tape(inside), phrase) is not None


def prove_rings(
    snapshot: Snapshot,
    files: Mapping[str, bytes],
    chains: Mapping[str, Proven],
    gone: Mapping[str, Broken],
    repo: "Repository | None",
) -> Rings:
    """Look for every source and every phrase of rings 1, 3 and 4 on the tape.

    A memory's phrases are looked for in the stretches it is of, an index line's in those of its memory,
    or where its comment says. Files that cannot be read are told of. `gone` is what is known to be
    broken on the tape, by path: what leads there was broken with it.
    """
    search = _Search(files, chains, gone)
    memories = _memories(snapshot, search)
    _exemplars(snapshot, search)
    for line in snapshot.index.lines.values() if snapshot.read(INDEX) is not None else ():
        _line(snapshot, search, line, memories)
    return Rings(search.sources, search.anchors, _name(search, repo))


def _memories(snapshot: Snapshot, search: _Search) -> Mapping[str, Memory]:
    try:
        memories = snapshot.memories
    except ReelError as error:
        search.broken.append(Broken("ring3", None, error.message.rstrip("."), mend=error.hint or ""))
        return {}
    for memory in memories.values():
        path = memory_path(memory.id)
        text = snapshot.text(path) or ""
        there = [span for span in memory.source if _source(search, path, text, span)]
        for raw in _unreadable_sources(text, path, memory):
            _say(search, path, text, raw, f"{raw!r} does not name messages of a recorded chat")
        for session in memory.sessions:
            if session not in {span.session for span in memory.source}:
                _source(search, path, text, SourceRange(session, 1, 0))
        if there:
            for phrase in _phrases(memory):
                if PURGED in phrase:
                    # the purged text may have stood in another session too
                    continue
                search.anchors += 1
                if not any(search.says(span, phrase) for span in there):
                    _say(search, path, text, phrase, _not_said(phrase))
    return memories


def _unreadable_sources(text: str, path: str, memory: Memory) -> Sequence[str]:
    """Return the items under `source` that are not stretches of the tape."""
    inline = _SOURCE.search(text)
    if inline and len(_ITEM.findall(inline[1])) == len(memory.source):
        return ()
    items = front_matter.split(text, path).items("source")
    return [item for item in items if parse_source(item) is None]


def _phrases(memory: Memory) -> Iterator[str]:
    """Yield the phrases that find a memory, each once: those it quotes, and its index line's."""
    found = dict.fromkeys([memory.anchor] if memory.anchor else [])
    section = split_sections(memory.body).get(ANCHORS, "") if ANCHORS in memory.body else ""
    for line in section.splitlines():
        item = line.strip()
        if item.startswith(("- ", "* ")):
            plain = item[2:].strip()
            if unquote(plain) != plain:
                found[unquote(plain)] = None
            else:
                found.update(dict.fromkeys(quotations(plain)))
    yield from found


def _exemplars(snapshot: Snapshot, search: _Search) -> None:
    try:
        exemplars = snapshot.exemplars
    except ReelError as error:
        search.broken.append(Broken("ring1", None, error.message.rstrip("."), mend=error.hint or ""))
        return
    for exemplar in exemplars.values():
        span = parse_source(exemplar.source or "")
        if span is not None:
            path = f"ring1/{exemplar.slug}.md"
            _source(search, path, snapshot.text(path) or "", span)


def _line(snapshot: Snapshot, search: _Search, line: IndexLine, memories: Mapping[str, Memory]) -> None:
    text = snapshot.text(INDEX) or ""
    memory = memories.get(line.id)
    if memory is None:
        spans = [line.where] if line.where and _source(search, INDEX, text, line.where, of=line.id) else []
    else:
        spans = [span for span in memory.source if not search.wrong(span)]
    if (
        not spans
        or not line.anchor
        or PURGED in line.anchor
        or (memory is not None and line.anchor == memory.anchor)
    ):
        return
    search.anchors += 1
    if not any(search.says(span, line.anchor) for span in spans):
        _say(search, INDEX, text, line.id, _not_said(line.anchor))


def _source(search: _Search, path: str, text: str, span: SourceRange, *, of: str = "") -> bool:
    """Look for a stretch of tape; say where it is named if it is not there."""
    search.sources += 1
    wrong = search.wrong(span)
    if wrong:
        _say(search, path, text, of or str(span), wrong, with_it=search.gone.get(session_path(span.session)))
    return not wrong


def _say(  # noqa: PLR0913 (what, where, and with what it went)
    search: _Search, path: str, text: str, named: str, what: str, *, with_it: Broken | None = None
) -> None:
    line = next((n for n, raw in enumerate(text.splitlines(), start=1) if named in raw), None)
    mend = "correct the line; to see what was done:  reel log" if with_it is None else ""
    search.broken.append(Broken(path, line, what, with_it.commit if with_it else None, mend=mend))


def _not_said(phrase: str) -> str:
    return f'"{phrase}" was not said there'


def _name(search: _Search, repo: "Repository | None") -> Sequence[Broken]:
    """Return what is broken, each with the commit that wrote its line, if that is committed."""
    broken = search.broken
    if repo is None or not broken or repo.head() is None:
        return broken
    from dataclasses import replace

    from reel_cli.core.git.tape_history import commit_of_line, name_commits

    found = [
        commit_of_line(repo, one.path, one.line) if one.line and one.mend else None for one in broken[:NAMED]
    ]
    names = name_commits(repo, (commit for commit in found if commit))
    known = [
        replace(one, commit=names.get(commit or "") or one.commit)
        for one, commit in zip(broken, found, strict=False)
    ]
    return [*known, *broken[NAMED:]]
