"""The threads of one kit, with what is remembered of each: opened, brought up to date, and asked."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import log, sqrt
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.tree import WorkTree, is_memory_file, look_at
from reel_cli.core.frozen import frozen, late
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.sentence_end import split_sentences
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import Memory, is_brought, where_of
from reel_cli.core.values.source import session_path
from reel_cli.features.threads.clusters import Cluster, cut_clusters
from reel_cli.features.threads.find_threads import MOST_SHARE, Thread, find_threads, follow_term
from reel_cli.features.threads.lattice import FILE, Lattice
from reel_cli.features.threads.naming.files import read_named
from reel_cli.features.threads.naming.put_names import put_names
from reel_cli.features.threads.phases import Phase, read_phases
from reel_cli.features.threads.ribs import POLICIES, RibPoint
from reel_cli.features.threads.terms import count_terms, plain_form, spelling

POLICY = "hybrid"
FILE_THEN = ".reel/cache/lattice-then.sqlite"
"""The lattice of the moment of the past that was last asked; it goes on from there to the next one."""
SENTENCE = late(r"(?<=[.!?…])[\"'”’)]*\s+|(?<=[。！？])|\n+")
"""Pattern of what parts two sentences."""
Progress = Callable[[int, int], None]


@frozen
class ThreadSurvey:
    """One thread with all that hangs on it.

    `ribs` are in the order of the tape, without their terms; `memories` tell of it, oldest first; `phases`
    are those of its chats.
    """

    thread: Thread
    ribs: Sequence[RibPoint]
    memories: Sequence[Memory]
    phases: Mapping[str, Phase]


@frozen
class Pages:
    """The memories that can be read and came from the tape, oldest first, and by ID the terms of each."""

    memories: Sequence[Memory]
    terms: Mapping[str, Mapping[str, int]]


def read_pages(snapshot: Snapshot) -> Pages:
    """Return the pages of a kit with their terms."""
    memories = [memory for memory in read_memories(snapshot) if not is_brought(memory.tags)]
    leave_out = list_names(snapshot)
    return Pages(memories, {memory.id: count_terms(words_of(memory), leave_out) for memory in memories})


def open_lattice(root: Path, snapshot: Snapshot, progress: Progress | None = None) -> Lattice:
    """Return the lattice of a kit, up to date; the caller closes it. The past has a file of its own."""
    past = not isinstance(snapshot.tree, WorkTree)
    chats = {name: _stamp(root, snapshot, name) for name in standing_sessions(snapshot)}
    lattice = Lattice(root / (FILE_THEN if past else FILE))
    lattice.refresh(
        chats,
        lambda name: snapshot.tree.read(session_path(name)) or b"",
        _policy(snapshot),
        list_names(snapshot),
        progress,
    )
    return lattice


def _policy(snapshot: Snapshot) -> str:
    """Return the policy by which ribs are cut: the kit's own, or else `hybrid`."""
    policy = snapshot.settings.page_policy
    return policy if policy in POLICIES else POLICY


def survey_threads(
    lattice: Lattice, snapshot: Snapshot, name: str = "", pages: Pages | None = None
) -> list[ThreadSurvey]:
    """Return every thread of a kit with what hangs on it: those that were named, then those found.

    With a name, that one alone, which may be any word that several chats have; none where there is none.
    """
    pages = pages or read_pages(snapshot)
    threads = list_threads(lattice, snapshot, pages)
    if name:
        wanted = plain_form(name.strip())
        known = [t for t in threads if wanted in (plain_form(t.name), *t.terms)]
        other = None if known else follow_term(lattice, name.strip())
        threads = known[:1] or ([other] if other is not None else [])
    chats = standing_sessions(snapshot)
    phases = read_phases(snapshot, chats)
    return [_survey(lattice, thread, pages, phases) for thread in threads]


def list_threads(lattice: Lattice, snapshot: Snapshot, pages: Pages) -> list[Thread]:
    """Return every thread of a kit, called as the pages write them: those named, then those found.

    A kit without pages has them as they were said.
    """
    found = find_threads(lattice, pages.terms)
    if pages.memories:
        found = [_spell_thread(thread, pages) for thread in found]
    else:
        found = [replace(one, name=spelling(one.name, _read_heaviest(snapshot, one))) for one in found]
    return put_names(lattice, found, read_named(snapshot), pages.memories)


def read_memories(snapshot: Snapshot) -> list[Memory]:
    """Return the memories that can be read, oldest first."""
    found = []
    for path in snapshot.list("ring3"):
        if not is_memory_file(path.removeprefix("ring3/")):
            continue
        try:
            found.append(parse_memory(snapshot.text(path) or "", path))
        except ReelError:
            # reel doctor names it
            continue
    return sorted(found, key=lambda memory: memory.order)


def tell_chats(snapshot: Snapshot, one: ThreadSurvey) -> dict[str, str]:
    """Return for each chat of a thread its page's title, or in quotation marks a passage."""
    titles = {chat: memory.title for memory in one.memories for chat in memory.sessions}
    chats = one.thread.chats
    passages = read_passages(snapshot, one, [chat for chat in chats if chat not in titles])
    return {chat: titles.get(chat) or f"“{passages[chat]}”" for chat in chats}


def read_passages(
    snapshot: Snapshot, one: ThreadSurvey, chats: Sequence[str], most: int = 90
) -> dict[str, str]:
    """Return for these chats of a thread the first sentence said of it there, so many characters.

    It is the first that names the thread by its strongest term; where nobody said one, the first of all.
    """
    found: dict[str, str] = {}
    for chat in chats:
        said = _read_messages(snapshot, chat)
        terms = [count_terms(text) for text in said]
        wanted = (
            (text, term)
            for term in one.thread.terms
            for text, has in zip(said, terms, strict=True)
            if term in has
        )
        text, term = next(wanted, (said[0] if said else "", ""))
        found[chat] = find_sentence(text, term, most)
    return found


def find_sentence(text: str, term: str, most: int) -> str:
    """Return the first sentence of a text that has a term, on one line; cut around it where that is longer.

    "…" stands for what is left out.
    """
    sentences = list(filter(None, map(one_line, split_sentences(SENTENCE, text))))
    place = next((at for at, one in enumerate(sentences) if term in count_terms(one)), 0)
    told = sentences[place] if sentences else ""
    if len(told) <= most:
        return told
    words = told.split(" ")
    at = next((n for n, word in enumerate(words) if not {*term.split()}.isdisjoint(count_terms(word))), 0)
    # what comes before it has a third of the room
    first = at
    while first and len(" ".join(words[first - 1 : at])) <= most // 3:
        first -= 1
    told = f"{'…' if first else ''}{' '.join(words[first:])}"
    if len(told) <= most:
        return told
    # at a word's end, except in scripts without spaces
    end = told.rfind(" ", most // 2, most)
    return f"{told[: end if end > 0 else most - 1].rstrip(' ,;:-')}…"


def _spell_thread(thread: Thread, pages: Pages) -> Thread:
    """Return the thread called as the pages write it: `Max`, `the food drive`."""
    texts = [words_of(memory) for memory in pages.memories if thread.name in pages.terms[memory.id]]
    return replace(thread, name=spelling(thread.name, texts))


def _survey(
    lattice: Lattice,
    thread: Thread,
    pages: Pages,
    phases: Mapping[str, Phase],
) -> ThreadSurvey:
    ribs = lattice.read_ribs(thread.ribs)
    told = [
        memory
        for memory in pages.memories
        if memory.id in thread.members
        or (memory.id not in thread.barred and _tells(memory, pages.terms[memory.id], thread, ribs))
    ]
    return ThreadSurvey(thread, ribs, told, {chat: phases[chat] for chat in thread.chats if chat in phases})


def _read_heaviest(snapshot: Snapshot, thread: Thread) -> list[str]:
    """Return the messages of the chat that spoke of a thread most, the first of such."""
    times: Counter[str] = Counter()
    for (chat, _), count in thread.ribs.items():
        times[chat] += count
    return _read_messages(snapshot, max(thread.chats, key=lambda chat: times[chat]))


def _read_messages(snapshot: Snapshot, chat: str) -> list[str]:
    return [entry.message.text for entry in read_session(snapshot, chat).shown()]


def cut_thread(lattice: Lattice, one: ThreadSurvey, snapshot: Snapshot | None = None) -> list[Cluster]:
    """Return the ribs of a thread as clusters, in order.

    What tells is rare among the chats, and stands in memories of the thread where there are any. Without
    those a theme is written as it was said, if a snapshot is given.
    """
    thread = one.thread
    ribs = [rib for rib in lattice.list_ribs(thread.chats) if (rib.session, rib.cycles[0]) in thread.ribs]
    phases = {chat: phase.value for chat, phase in one.phases.items()}
    texts = [words_of(memory) for memory in one.memories]
    named = Counter(term for text in texts for term in set(count_terms(text)))
    total = lattice.count_chats() or 1

    def telling(term: str) -> float:
        share = lattice.count_chats_with(term) / total
        return -log(share) * sqrt(named[term] if texts else 1) if 0 < share <= MOST_SHARE else 0.0

    found = cut_clusters(thread.name, thread.terms, ribs, phases, telling)

    def write(part: Cluster, term: str) -> str:
        if texts or snapshot is None:
            return spelling(term, texts)
        chat = next(rib.session for rib in part.ribs if term in rib.terms)
        return spelling(term, _read_messages(snapshot, chat))

    return [replace(part, theme=tuple(write(part, term) for term in part.theme)) for part in found]


def _tells(memory: Memory, terms: Mapping[str, int], thread: Thread, ribs: Sequence[RibPoint]) -> bool:
    return any(term in terms for term in thread.terms) and any(is_told(memory, rib) for rib in ribs)


def is_told(memory: Memory, rib: RibPoint) -> bool:
    """Return whether a memory stands for a part of the messages of a rib."""
    return any(
        span.session == rib.session
        and (not span.last or (span.first <= rib.messages[1] and rib.messages[0] <= span.last))
        for span in where_of(memory)
    )


def words_of(memory: Memory) -> str:
    """Return all that a memory says, as its terms are counted."""
    return "\n".join((memory.title, memory.body, memory.marker, *memory.asked_as))


def list_names(snapshot: Snapshot) -> frozenset[str]:
    """Return the plain forms of the speakers' names, which carry no thread."""
    settings = snapshot.settings
    return frozenset(plain_form(word) for name in (settings.name, settings.user) for word in name.split())


def _stamp(root: Path, snapshot: Snapshot, name: str) -> str:
    """Return what changes with a chat's file: its blob, if a commit holds the kit, else its size and time."""
    path = session_path(name)
    if not isinstance(snapshot.tree, WorkTree):
        from reel_cli.core.kit.past import BlobGlance

        if isinstance(snapshot, BlobGlance):
            return snapshot.ids[path]
    return look_at(f"{root}/{path}", path).stamp
