"""Pages to learn from: what the persona kept of a session, and how it found itself (REEL §8.2)."""

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.reader.reader import read_reply
from reel_cli.core.exchange.schema import (
    CHECKPOINT,
    CHECKPOINT_PARTS,
    COMBINED,
    CONSOLIDATION,
    CONSOLIDATION_PARTS,
)
from reel_cli.core.files.checkpoint_file import read_checkpoint
from reel_cli.core.files.markdown import split_sections
from reel_cli.core.files.memory_file import memory_path, parse_memory
from reel_cli.core.git.history import Commit
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.memory import FIELDS, Memory
from reel_cli.features.doctor.checkpoints import repeating
from reel_cli.features.page.ask import ask_moment, plain_checkpoint_prompt
from reel_cli.features.training.check import why_no_page
from reel_cli.features.training.policy import Sample, SampleKind
from reel_cli.features.training.survey import Source, turns_of

OPS = ("checkpoint", "consolidate", "promote", "recall", "keep")
"""The operations in which a persona writes a memory itself."""


def add_pages(source: Source, progress: Callable[[float], None]) -> None:
    """Add the samples that memories and checkpoints make, and say what is lacking for more."""
    gathered = source.gathered
    made = list(_first_kept(source))
    for commit, name in made:
        try:
            _add_memory(source, commit, name)
        except ReelError:
            source.refuse(SampleKind.CONSOLIDATION, "cannot be made again as it was asked for then")
    if not made:
        gathered.lack(
            SampleKind.CONSOLIDATION, "no memory was kept from a reply (reel checkpoint, consolidate)"
        )
    repeated = repeating(source.snapshot, source.kit)
    for path in source.snapshot.checkpoints:
        progress(1)
        if path in repeated:
            source.refuse(SampleKind.CHECKPOINT, "says what an earlier one said")
            continue
        try:
            _add_checkpoint(source, path)
        except ReelError:
            source.refuse(SampleKind.CHECKPOINT, "cannot be made again as it was asked for then")
    if not source.snapshot.checkpoints:
        gathered.lack(SampleKind.CHECKPOINT, "there is no checkpoint (reel checkpoint)")


def _first_kept(source: Source) -> Iterator[tuple[Commit, str]]:
    """Yield the memories that came from a reply, each with the commit it was first kept in."""
    seen: set[str] = set()
    for commit in source.commits:
        for value in commit.values("Reel-Memory"):
            name = value.partition(" ")[0]
            if name not in seen and commit.op in OPS and commit.values("Reel-Ring0"):
                yield commit, name
            seen.add(name)


def _add_memory(source: Source, commit: Commit, name: str) -> None:
    """Add a sample of the session's words and the prompt, and the memory as it was first kept."""
    past = source.before(commit.id)
    data = source.at(commit.id).read(memory_path(name))
    if past is None or data is None:
        source.refuse(SampleKind.CONSOLIDATION, "its history is gone")
        return
    memory = parse_memory(data.decode("utf-8", "replace"), memory_path(name))
    if name in source.let_go:
        source.refuse(SampleKind.CONSOLIDATION, "was let go")
        return
    if len(memory.source) != 1 or memory.source[0].session not in source.sessions:
        source.refuse(SampleKind.CONSOLIDATION, "stands for no single session that is there")
        return
    ring0 = source.ring0_before(commit.id)
    prompt = ask_moment(past, ring0, source.tokenizer, memory.source[0]).prompt
    reply = _page_of(memory, source.settings.name)
    if why := why_no_page(read_reply(reply, CONSOLIDATION, prompt=prompt, names=(source.settings.name,))):
        source.refuse(SampleKind.CONSOLIDATION, why)
        return
    told = (("user", prompt), ("assistant", reply))
    sessions = (memory.source[0].session,)
    source.offer(Sample(SampleKind.CONSOLIDATION, name, sessions, told, heard=ring0.text))


def _page_of(memory: Memory, persona: str) -> str:
    """Return a memory as the page it came from would have it, signed."""
    sections = split_sections(memory.body)
    texts = dict(zip(CONSOLIDATION_PARTS[1:6], (sections.get(name, "") for name in FIELDS), strict=True))
    kept = f"Keep whole: {memory.immune_reason}" if memory.immune_reason else "Keep whole."
    texts |= {
        "title": memory.title,
        "marker": memory.marker,
        "kind": f"{', '.join(memory.tags)}. {kept if memory.immune else 'May fade.'}",
    }
    return _render({key: texts[key] for key in CONSOLIDATION_PARTS}, persona)


def _add_checkpoint(source: Source, path: str) -> None:
    """Add a sample of the session and the prompt, and the persona's own self-assessment."""
    session = PurePosixPath(path).stem.rpartition(".")[0]
    commit = next((c for c in source.commits if _made(source, c, path)), None)
    past = source.before(commit.id) if commit is not None else None
    if commit is None or past is None or session not in source.sessions or session not in past.sessions:
        source.refuse(SampleKind.CHECKPOINT, "its history is gone")
        return
    given = read_checkpoint(source.snapshot.text(path) or "", path).get("reply", "")
    lived = read_session(past, session)
    ring0 = source.ring0_before(commit.id)
    prompt = plain_checkpoint_prompt(past, ring0, lived)
    name = source.settings.name
    reading = read_reply(given, CHECKPOINT, names=(name,))
    if why := why_no_page(reading):
        source.refuse(SampleKind.CHECKPOINT, why)
        return
    reply = _render({key: reading.text(key) or "nothing" for key in CHECKPOINT_PARTS}, name)
    tail = [("user", prompt), ("assistant", reply)]
    turns = turns_of(lived)
    told = [*source.fitting([], turns, tail), *tail]
    if len(told) == len(tail) and turns:
        source.refuse(SampleKind.CHECKPOINT, "too long for the window")
        return
    # the persona's last answer, then the prompt: where the user had the last word, they are one turn
    if len(told) > len(tail) and told[-3][0] == "user":
        told[-3:-1] = [("user", f"{told[-3][1]}\n\n{prompt}")]
    source.offer(Sample(SampleKind.CHECKPOINT, path, (session,), tuple(told), heard=ring0.text))


def _made(source: Source, commit: Commit, path: str) -> bool:
    """Return whether a checkpoint was made by this commit."""
    session = PurePosixPath(path).stem.rpartition(".")[0]
    if commit.op not in OPS or session not in commit.values("Reel-Session"):
        return False
    return path in source.at(commit.id).ids


def _render(parts: dict[str, str], persona: str) -> str:
    """Return a page under the prompt's own headings, signed."""
    body = "\n\n".join(f"## {COMBINED[key].label}\n{text.strip()}" for key, text in parts.items())
    return f"{body}\n\n{persona}"
