"""Samples that a kit's history makes: conversations, without memory and with it, and pages (REEL §8.2)."""

from collections.abc import Callable, Iterator, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.reader.reader import read_reply
from reel_cli.core.exchange.schema import (
    CHECKPOINT,
    CHECKPOINT_PARTS,
    COMBINED,
    CONSOLIDATION,
    CONSOLIDATION_PARTS,
    COUNTED,
)
from reel_cli.core.files.checkpoint_file import read_checkpoint, session_of_checkpoint
from reel_cli.core.files.markdown import split_sections
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.git.history import Commit
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.bundle import Bundle
from reel_cli.core.values.memory import FIELDS, UNWRITTEN, Memory, memory_path
from reel_cli.features.contradictions.find import disagreements_in_talk
from reel_cli.features.doctor.checkpoints import repeating
from reel_cli.features.page.ask import plain_checkpoint_prompt
from reel_cli.features.page.ask_memory import ask_moment
from reel_cli.features.training.check import leans_on_earlier, notices, why_no_page
from reel_cli.features.training.policy import Sample, SampleKind
from reel_cli.features.training.retrieval import BEFORE, add_retrievals, find_pasted, fold
from reel_cli.features.training.survey import MEMORIES, SampleSurvey, Source, Turn, turns_of, whole_turns

STRETCH = 12
"""Number of turns of a sample without memory; a long conversation makes several."""
SHORTEST_PHRASE = 12
"""Characters below which a memory's phrase occurs by chance."""
_HONEST = {"yes": 0, "unsure": 1}
"""Words on drift that tell of a shift, or that the persona cannot tell; the first are taken first."""
OPS = ("checkpoint", "consolidate", "promote", "recall", "keep")
"""The operations in which a persona writes a memory itself."""


def gather(source: Source, progress: Callable[[float], None] = lambda _: None) -> SampleSurvey:
    """Return every sample in a kit's history, of any kind; calls `progress` for each step."""
    add_talk(source, progress)
    add_pages(source, progress)
    return source.gathered


def add_talk(source: Source, progress: Callable[[float], None]) -> None:
    """Add the samples that sessions make, and say what is lacking for more."""
    unpacked = early = recalled = 0
    seen: list[tuple[str, str]] = []
    for name in source.sessions:
        session = source.session(name)
        turns = turns_of(session, source.personas) if session is not None else []
        if session is None or len(turns) < 2:
            progress(1)
            continue
        bundle = source.bundle_then(name)
        loaded = bundle is not None and any(item.ring in MEMORIES for item in bundle.loaded)
        unpacked += bundle is None
        early += bundle is not None and not loaded
        _add_solo(source, name, turns, seen)
        if bundle is not None and not source.let_go.isdisjoint(item.id for item in bundle.loaded):
            source.refuse(SampleKind.LOADED, "a memory that was let go was loaded")
        elif bundle is not None and loaded:
            _add_loaded(source, name, turns, bundle)
            _add_contradictions(source, name, turns, bundle)
        recalled += add_retrievals(source, session, seen)
        seen += [(name, fold(text)) for _, text in turns]
        progress(1)
    gathered = source.gathered
    if early:
        gathered.lack(SampleKind.LOADED, f"{_sessions(early)} came before there was any memory to load")
    if unpacked:
        gathered.lack(SampleKind.LOADED, f"of {_sessions(unpacked)} no bundle can be made as it was then")
    if not recalled:
        what = "nothing was recalled in a recorded chat, or pasted into one (reel chat, reel recall --copy)"
        gathered.lack(SampleKind.RETRIEVAL, what)
    if not gathered.count()[SampleKind.CONTRADICTION]:
        what = "no place was found in a recorded chat where you contradict a memory and are asked about it"
        gathered.lack(SampleKind.CONTRADICTION, what)


def _sessions(count: int) -> str:
    return "one session" if count == 1 else f"{count:,} sessions"


def _add_solo(source: Source, name: str, turns: Sequence[Turn], seen: Sequence[tuple[str, str]]) -> None:
    """Add stretches of talk that need no memory, with nothing of reel's beside them."""
    anchors = [
        fold(memory.anchor)
        for memory in source.snapshot.memories.values()
        if name not in memory.sessions and len(memory.anchor) >= SHORTEST_PHRASE
    ]
    for start in range(0, len(turns), STRETCH):
        stretch = whole_turns(turns[start : start + STRETCH])
        if not stretch:
            continue
        if any(role == "user" and find_pasted(text, source.settings, seen) for role, text in stretch):
            continue
        if any(role == "assistant" and leans_on_earlier(text, anchors) for role, text in stretch):
            source.refuse(SampleKind.SOLO, "depends on what was said earlier")
            continue
        source.offer(_sample(SampleKind.SOLO, f"{name}#{start}", name, stretch, source))


def _add_loaded(source: Source, name: str, turns: Sequence[Turn], bundle: Bundle) -> None:
    """Add the session with the bundle it would have begun with."""
    head = [("system", bundle.text)]
    kept = source.fitting(head, turns)
    if kept:
        source.offer(_sample(SampleKind.LOADED, name, name, [*head, *kept], source))
    else:
        source.refuse(SampleKind.LOADED, "too long for the window")


def _add_contradictions(source: Source, name: str, turns: Sequence[Turn], bundle: Bundle) -> None:
    """Add samples in which the user contradicted a memory, and the persona said so."""
    past = source.before(source.recorded[name])
    for place in range(1, len(turns), 2):
        reply = turns[place][1]
        if past is None or not notices(reply):
            continue
        if not disagreements_in_talk(past, [turns[place - 1][1]], name, reply):
            continue
        head, tail = [("system", bundle.text)], [turns[place - 1], turns[place]]
        told = [*head, *source.fitting(head, turns[: place - 1][-BEFORE:], tail), *tail]
        source.offer(_sample(SampleKind.CONTRADICTION, f"{name}#{place}", name, told, source))


def _sample(kind: SampleKind, where: str, name: str, told: Sequence[Turn], source: Source) -> Sample:
    return Sample(kind, where, (name,), tuple(told), heard=source.ring0.text)


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
        if path in repeated and _drift(source, path) not in _HONEST:
            source.refuse(SampleKind.CHECKPOINT, "says what an earlier one said")
            continue
        try:
            _add_checkpoint(source, path)
        except ReelError:
            source.refuse(SampleKind.CHECKPOINT, "cannot be made again as it was asked for then")
    if not source.snapshot.checkpoints:
        gathered.lack(SampleKind.CHECKPOINT, "there is no page (reel checkpoint)")
    elif not gathered.count()[SampleKind.CHECKPOINT]:
        gathered.lack(SampleKind.CHECKPOINT, "of none of its pages a sample could be made")
    elif not any(sample.honest for sample in gathered.samples):
        told = any(_drift(source, path) in _HONEST for path in source.snapshot.checkpoints)
        which = "of those that can be used none" if told else "none"
        what = "mentions a change or a doubt, so a model would learn to say that nothing ever changes"
        gathered.lack(SampleKind.CHECKPOINT, f"{which} {what}")


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
        source.refuse(SampleKind.CONSOLIDATION, "is not about one recorded session")
        return
    if UNWRITTEN in memory.body:
        source.refuse(SampleKind.CONSOLIDATION, "is of a short page")
        return
    ring0 = source.ring0_before(commit.id)
    prompt = ask_moment(past, ring0, source.tokenizer, memory.source[0]).prompt
    reply = _page_of(memory, source.settings.name, prompt)
    if why := why_no_page(read_reply(reply, CONSOLIDATION, prompt=prompt, names=(source.settings.name,))):
        source.refuse(SampleKind.CONSOLIDATION, why)
        return
    told = (("user", prompt), ("assistant", reply))
    sessions = (memory.source[0].session,)
    source.offer(Sample(SampleKind.CONSOLIDATION, name, sessions, told, heard=ring0.text))


def _page_of(memory: Memory, persona: str, prompt: str) -> str:
    """Return a memory as the page it came from would have it, signed, with the tags that a prompt offers.

    Where an experience came from is read off the tape (REEL §5.4), and no page is asked for it.
    """
    tags = [tag for tag in memory.tags if tag in prompt]
    sections = split_sections(memory.body)
    texts = dict(zip(CONSOLIDATION_PARTS[1:6], (sections.get(name, "") for name in FIELDS), strict=True))
    kept = f"Keep for good: {memory.immune_reason}" if memory.immune_reason else "Keep for good."
    texts |= {
        "title": memory.title,
        "marker": memory.marker,
        "kind": f"{', '.join(tags)}. {kept if memory.immune else 'May fade.'}".removeprefix(". "),
        "asked_as": "\n".join(f"- {question}" for question in memory.asked_as),
    }
    # a page of before the question was asked has no answer to it
    return _render({key: texts[key] for key in CONSOLIDATION_PARTS if key in COUNTED or texts[key]}, persona)


def _add_checkpoint(source: Source, path: str) -> None:
    """Add a sample of the session and the prompt, and the persona's own self-assessment."""
    session = session_of_checkpoint(path)
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
    drift = _drift(source, path)
    honest = drift in _HONEST
    if why := why_no_page(reading, honest=honest):
        source.refuse(SampleKind.CHECKPOINT, why)
        return
    reply = _render({key: reading.text(key) or "nothing" for key in CHECKPOINT_PARTS}, name)
    tail = [("user", prompt), ("assistant", reply)]
    turns = turns_of(lived, source.personas)
    told = [*source.fitting([], turns, tail), *tail]
    if len(told) == len(tail) and turns:
        source.refuse(SampleKind.CHECKPOINT, "too long for the window")
        return
    # the persona's last answer, then the prompt; if the person spoke last, the two are one turn
    if len(told) > len(tail) and told[-3][0] == "user":
        told[-3:-1] = [("user", f"{told[-3][1]}\n\n{prompt}")]
    source.offer(
        Sample(
            *(SampleKind.CHECKPOINT, path, (session,), tuple(told)),
            heard=ring0.text,
            honest=honest,
            rank=_HONEST.get(drift, 2),
        )
    )


def _drift(source: Source, path: str) -> str:
    """Return a checkpoint's own word on drift: yes, no, unsure, or "" where it cannot be read."""
    try:
        return read_checkpoint(source.snapshot.text(path) or "", path).get("drift_detected", "")
    except ReelError:
        return ""


def _made(source: Source, commit: Commit, path: str) -> bool:
    """Return whether a checkpoint was made by this commit."""
    session = session_of_checkpoint(path)
    if commit.op not in OPS or session not in commit.values("Reel-Session"):
        return False
    return path in source.at(commit.id).ids


def _render(parts: dict[str, str], persona: str) -> str:
    """Return a page under the prompt's own headings, signed."""
    body = "\n\n".join(f"## {COMBINED[key].label}\n{text.strip()}" for key, text in parts.items())
    return f"{body}\n\n{persona}"
