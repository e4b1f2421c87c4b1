"""Memories held against their sources by the persona itself: asked, answered, and looked up (REEL §10.5)."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.evidence.grounding.memory_stretches import read_stretches
from reel_cli.core.evidence.memory_check import Note, find_false_memories
from reel_cli.core.evidence.phrases import PhraseMatch, Tape, find_claim, fold
from reel_cli.core.evidence.tape_evidence import TapeEvidence
from reel_cli.core.exchange.exchange import Exchange
from reel_cli.core.exchange.page_rewrite import LEAST_SOURCE, SourceExcerpt, share_out, tell_source
from reel_cli.core.exchange.schema import find_headings, tell_other
from reel_cli.core.finding import FALSE_MEMORY, Finding
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.words import quote_memory, quote_page
from reel_cli.core.values.approval import is_in_first_person
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import FIELDS, Level, Memory, memory_path, where_of
from reel_cli.core.values.settings import WHOLE
from reel_cli.core.values.talk import Entry, Message
from reel_cli.features.doctor.reply import (
    Doubt,
    PageVerdict,
    ShownPage,
    Verdict,
    read_doubting,
    render_doubting,
)
from reel_cli.features.fading.ask import UnaskedMemory, day_of, snapshot_blob
from reel_cli.features.forgetting.lineage import find_spirals, list_strayed, read_regeneration
from reel_cli.features.forgetting.past import read_past

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.core.values.holdings import Counter

KIND = "own-word"
MOST_PAGES = 6
"""Maximum number of pages in one paste: a model compares no more with care."""
REPLY = 250
"""Tokens left for the answer about one page."""
SURE = 4
"""Words from which a sentence found verbatim on the tape counts as said, whatever is reported about it."""
NEAR = WHOLE // 2
"""Likeness, of `WHOLE`, from which the nearest text to a claimed quotation is shown."""
IN_ONE_BREATH = "In one breath"
"""Heading of a memory's short form, as its page had it."""
_GAP = re.compile(r"\.\.\.|…|\[[^\]\n]*\]")
_VERDICTS = {
    Verdict.NOT_SAID: "was not said",
    Verdict.CHANGED: "was said otherwise",
    Verdict.MADE_UP: "was made up",
}


@dataclass(frozen=True, slots=True)
class AskedEntry:
    """One memory of a prompt, and the blob it had when it went out."""

    id: str
    title: str
    blob: str


@dataclass(frozen=True, slots=True)
class CheckAsk(Exchange):
    """A prompt that asks the persona where memories do not hold; `rest` are those it had no room for."""

    kind = KIND
    name = f"doctor.{KIND}"

    prompt: str
    ring0: str
    entries: tuple[AskedEntry, ...]
    rest: tuple[str, ...] = ()

    def is_sound(self) -> bool:
        """Return whether it asks about anything."""
        return bool(self.entries)


@dataclass(frozen=True, slots=True)
class CheckedReply:
    """The reply about one memory, checked: its doubts as findings, or that all was said (`clear`).

    `why` says why nothing can be told from it; `remarks` are what else it says, each in words.
    """

    id: str
    title: str
    findings: tuple[Finding, ...] = ()
    clear: bool = False
    why: str = ""
    remarks: tuple[str, ...] = ()


def ask_own_word(
    snapshot: Snapshot, ring0: "Ring0", counter: "Counter", names: Sequence[str]
) -> tuple[CheckAsk | None, Sequence[UnaskedMemory]]:
    """Return the prompt for as many of these memories as fit, and those that cannot be asked about.

    Nothing is asked about a memory whose source is not on the tape, nor about one that is not there.
    """
    unasked: list[UnaskedMemory] = []
    chosen: list[tuple[Memory, str, SourceExcerpt]] = []
    left = snapshot.settings.cap - counter.count(_render(snapshot, ring0, []))
    rest: list[str] = []
    for name in dict.fromkeys(names):
        memory = snapshot.memories.get(name)
        told = tell_source(snapshot, memory, counter) if memory is not None else None
        if memory is None or told is None:
            why = "it is not there" if memory is None else "the chat it was made from is not in this kit"
            unasked.append(UnaskedMemory(name, why))
            continue
        page = _page(memory, snapshot.settings.people)
        need = counter.count(page) + 60 + REPLY + min(told.tokens, LEAST_SOURCE)
        if len(chosen) >= MOST_PAGES or need > left:
            rest.append(name)
            continue
        left -= need
        chosen.append((memory, page, told))
    if not chosen:
        unasked += [
            UnaskedMemory(name, "it and the chat it is from do not fit into the window") for name in rest
        ]
        return None, unasked
    said = share_out([told for _, _, told in chosen], left, counter)
    shown = [
        ShownPage(m.title, day_of(m), page, text) for (m, page, _), text in zip(chosen, said, strict=True)
    ]
    entries = tuple(AskedEntry(m.id, m.title, snapshot_blob(snapshot, m.id)) for m, _, _ in chosen)
    return CheckAsk(_render(snapshot, ring0, shown), ring0.blob, entries, tuple(rest)), unasked


def _render(snapshot: Snapshot, ring0: "Ring0", shown: Sequence[ShownPage]) -> str:
    return render_doubting(snapshot.settings.name, ring0.text, shown)


def list_doubtful(snapshot: Snapshot, repo: "Repository | None", notes: Mapping[str, Note]) -> Sequence[str]:
    """Return the memories that look doubtful without a model, worst first: strayed, then unsupported."""
    strayed = [one.memory.id for one in list_strayed(snapshot, read_past(snapshot, repo), notes)]
    found = find_false_memories(notes)
    serious = [one.where for one in found if not one.hint_only]
    paths = {memory_path(name): name for name in snapshot.memories}
    worst = sorted(
        {where.partition(":")[0] for one in found if (where := one.where)},
        key=lambda path: (-sum(where.startswith(f"{path}:") for where in serious), path),
    )
    return list(dict.fromkeys([*strayed, *(paths[path] for path in worst if path in paths)]))


def find_without_model(
    snapshot: Snapshot,
    kit: Path,
    repo: "Repository | None",
    notes: Mapping[str, Note],
    names: Collection[str],
) -> Sequence[Finding]:
    """Return the findings about these memories that need no model."""
    paths = {memory_path(name) for name in names}
    found = find_false_memories({path: note for path, note in notes.items() if path in paths})
    rule = read_regeneration(snapshot, kit, repo)
    spirals = find_spirals(snapshot, read_past(snapshot, repo), notes, rule)
    return [*found, *(one for one in spirals if one.where.partition(":")[0] in paths)]


def hear(
    snapshot: Snapshot, asked: CheckAsk, reply: str
) -> tuple[Sequence[CheckedReply], Sequence[Problem], str]:
    """Return the reply about each memory, its problems, and why none of it can be used.

    Whatever it quotes is itself looked up on the tape. Raises ReelError when the text is far too long to
    be a reply.
    """
    if not reply.strip():
        return (), (), "The reply is empty."
    pages = [(one.title, _body(snapshot, one.id)) for one in asked.entries]
    names = (snapshot.settings.name,)
    mine = {one.id for one in asked.entries}
    others = {one.title: one.id for one in snapshot.memories.values() if one.id not in mine}
    told = read_doubting(reply, pages, prompt=asked.prompt, names=names, strangers=[*others])
    judged, problems = told.pages, told.problems
    if told.is_prompt:
        return (), (), "That is the prompt itself, not the answer to it."
    about = [others[title] for title in told.strangers]
    if about and all(one.why for one in judged):
        command = f"reel doctor --ask {' '.join(about)} --reply FILE"
        return (), (), f"That answers another prompt, about {', '.join(about)}: give it with  {command}"
    own = (*FIELDS, IN_ONE_BREATH, "What does not hold")
    foreign = [label for label in find_headings(reply) if label not in own]
    if len(foreign) > 1:
        return (), (), tell_other(foreign[0])
    if all(one.why and not one.remarks for one in judged):
        what = [Problem(f"page.{n}", one.why) for n, one in enumerate(judged, 1)]
        return (), (*problems, *what), "That reply does not judge any of the memories."
    grounding = TapeEvidence(snapshot)
    heard = [
        _heard(snapshot, grounding, entry, one) for entry, one in zip(asked.entries, judged, strict=True)
    ]
    return heard, problems, ""


def _body(snapshot: Snapshot, name: str) -> str:
    """Return a memory as it is held against its source: its fields, and what it says in one breath."""
    memory = snapshot.memories.get(name)
    if memory is None:
        return ""
    marker = memory.marker.strip()
    return f"{memory.body.rstrip()}\n\n{marker}\n" if _is_apart(memory) else memory.body


def _page(memory: Memory, names: Sequence[str]) -> str:
    """Return a memory for the prompt, each part below its heading."""
    page = quote_memory(memory.body, names)
    if not _is_apart(memory):
        return page
    return f"{page}\n\n## {IN_ONE_BREATH}\n\n{quote_page(memory.marker.strip(), names)}"


def _is_apart(memory: Memory) -> bool:
    """Return whether a memory's short form says anything in its own words: reel may have cut it itself."""
    marker = fold(memory.marker.strip(" \n….")).strip()
    return bool(marker) and marker not in fold(memory.body)


def _heard(
    snapshot: Snapshot, grounding: TapeEvidence, entry: AskedEntry, judged: PageVerdict
) -> CheckedReply:
    memory = snapshot.memories.get(entry.id)
    if memory is None:
        return CheckedReply(entry.id, entry.title, why="the memory is not in the kit")
    if snapshot_blob(snapshot, entry.id) != entry.blob:
        return CheckedReply(entry.id, entry.title, why="the memory was changed after the prompt was made")
    said = Tape(grounding.entries(where_of(memory)))
    findings: list[Finding] = []
    remarks = [
        f"{snapshot.settings.name} also says, about no words of the memory: {remark}"
        for remark in judged.remarks
    ]
    for doubt in judged.doubts:
        there = said.find(doubt.words) if len(doubt.words.split()) >= SURE else None
        # "I bought it" on a page is another claim than "I bought it" said to the persona
        if there is not None and (there.role == "assistant" or not is_in_first_person(doubt.words)):
            remarks.append(f'"{one_line(doubt.words, 80)}" was said exactly so (message {there.number})')
        else:
            findings.append(_finding(snapshot, memory, doubt, said))
    clear = judged.clear or (bool(judged.doubts) and not findings)
    return CheckedReply(entry.id, memory.title, tuple(findings), clear, judged.why, tuple(remarks))


def _finding(snapshot: Snapshot, memory: Memory, doubt: Doubt, said: Tape) -> Finding:
    path = memory_path(memory.id)
    line = _line(snapshot, memory, doubt.words)
    name = snapshot.settings.name
    what = f'"{one_line(doubt.words, 120)}" {_VERDICTS[doubt.verdict]}, according to {name}'
    told = [one for quote in doubt.quotes for one in _looked_up(snapshot, quote, said)]
    what = "; ".join([what, *told])
    return Finding(KIND, f"{path}, line {line}: {what}", mend_of(memory), hint_only=True, kind=FALSE_MEMORY)


def mend_of(memory: Memory) -> str:
    """Return the command that makes a memory again from its source."""
    if memory.level is Level.L4:
        return f"put {memory_path(memory.id)} right"
    return f"reel maintain --only anew {memory.id}"


def _looked_up(snapshot: Snapshot, quote: str, said: Tape) -> Sequence[str]:
    """Return for a claimed quotation where it was said, or a note that it was not."""
    name = snapshot.settings.name
    pieces = [piece.strip() for piece in _GAP.split(quote) if len(piece.split()) > 1] or [quote]
    found = [find_claim(said, piece) for piece in pieces]
    if all(one is not None for one in found):
        first = next(one for one in found if one is not None)
        return [f'said was "{one_line(quote, 120)}" ({_place(snapshot, first)})']
    told = f'{name} also quotes "{one_line(quote, 120)}", which was not said like that'
    near = said.nearest(quote)
    if near is None or near.likeness < NEAR:
        return [told]
    return [f'{told}: the nearest is "{one_line(near.text, 120)}" ({_place(snapshot, near)})']


def _place(snapshot: Snapshot, found: PhraseMatch) -> str:
    settings = snapshot.settings
    who = {"user": settings.user, "assistant": settings.name}.get(found.role, found.role)
    return f"{who}, message {found.number}"


def _line(snapshot: Snapshot, memory: Memory, words: str) -> int:
    """Return the line of a memory's file on which some words begin; 1 if they are not found."""
    text = snapshot.text(memory_path(memory.id)) or ""
    stretches = read_stretches(memory, text)
    page = Tape([Entry(n, Message("user", one.text)) for n, one in enumerate(stretches, 1)])
    found = page.find(words) or page.nearest(words)
    if found is None:
        return 1
    stretch = stretches[found.number - 1]
    return stretch.line_at(max(0, stretch.text.find(found.text)))
