"""Plans: a memory is shared, taken in, and taken back (REEL §12.1)."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.index_file import EMPTY, line_for, put_lines
from reel_cli.core.files.markdown import split_sections
from reel_cli.core.files.memory_file import cut_marker, render_body, render_memory
from reel_cli.core.files.yaml_text import render_scalar
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.pack.words import spell_date
from reel_cli.core.stage_chain import remove_syntax
from reel_cli.core.tape.tape_view import read_session, speaker
from reel_cli.core.values.change import Change, one_line, titled
from reel_cli.core.values.memory import FIELDS, IMPORTED, SHARED, Level, Memory, memory_path, where_of
from reel_cli.core.values.source import SourceRange
from reel_cli.features.share.files import (
    LIVED,
    SHARES,
    Line,
    Receipt,
    SharedMemory,
    Shares,
    Span,
    set_shares,
)
from reel_cli.features.share.policy import is_in, list_audience, presence
from reel_cli.features.share.shared_kit import OP, SharedKit, read_shares, write_shared
from reel_cli.features.share.traces import clean_journal, clean_review, list_passages, memory_texts

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.values.holdings import Counter
    from reel_cli.features.share.ask import TakenPage

ANCHOR_WORDS = 8
"""Maximum number of words by which what was lived is found."""
TRAILER = "Reel-Shared"
"""Names a shared memory in the commits about it."""


def gather_shared(snapshot: Snapshot, memory: Memory, giver: str, shared_id: str) -> SharedMemory:
    """Return a memory as its giver would tell it, with all that was said; nobody may know it yet."""
    chats = _said(snapshot, memory)
    there: dict[str, tuple[Span, ...]] = {}
    for chat in chats:
        for who in dict.fromkeys(line.who for line in chat):
            if who == snapshot.settings.user:
                # a person is no persona, also where another kit's is called the same
                continue
            own = [line.number for line in chat if line.who == who]
            there[who] = (*there.get(who, ()), (own[0], own[-1]))
    day = memory.order[0]
    return SharedMemory(
        id=shared_id,
        title=remove_syntax(memory.title) or memory.id,
        giver=giver,
        memory=memory.id,
        uid=memory.uid,
        day=day or memory.created[:10],
        told=_account(memory),
        source=tuple(map(str, where_of(memory))),
        there=there,
        said=tuple(line for chat in chats for line in chat),
    )


def with_audience(one: SharedMemory, audience: Sequence[str], shared: SharedKit) -> SharedMemory:
    """Return a shared memory that these kits and groups may know, with the words that they were there for."""
    given = replace(one, audience=tuple(audience))
    kits = list_audience(given, shared.groups)
    spans = [span for kit in kits for span in presence(given, kit, shared.kits)]
    said = [line for line in one.said if is_in(line, spans)]
    return replace(given, said=tuple(said))


def _account(memory: Memory) -> str:
    """Return what one hears of a memory who was not there: what happened, and not what it meant."""
    told = split_sections(memory.body).get(FIELDS[0], "").strip() or memory.marker or memory.title
    return remove_syntax(told) or memory.title


def _said(snapshot: Snapshot, memory: Memory) -> list[list[Line]]:
    """Return what was said in each stretch of a memory, as last shown, numbered through; skips lost ones."""
    settings = snapshot.settings
    found: list[list[Line]] = []
    number = 0
    for span in where_of(memory):
        try:
            shown = read_session(snapshot, span.session).shown()
        except ReelError:
            continue
        found.append([])
        for entry in shown:
            if not span.last or span.first <= (entry.number or 0) <= span.last:
                number += 1
                who = speaker(entry, user=settings.user, persona=settings.name)
                found[-1].append(Line(number, who, entry.message.text))
    return found


def find_own_stretch(snapshot: Snapshot, heard: Sequence[Line], day: str) -> SourceRange | None:
    """Return where a kit's own tape has all of the messages that were shared, in one of that day's chats."""
    texts = {line.text.strip() for line in heard}
    for session in snapshot.sessions if texts else ():
        if session[:10] != day:
            continue
        try:
            shown = read_session(snapshot, session).shown()
        except ReelError:
            continue
        same = [entry for entry in shown if entry.message.text.strip() in texts]
        if texts.issubset({entry.message.text.strip() for entry in same}):
            numbers = [entry.number or 0 for entry in same]
            return SourceRange(session, min(numbers), max(numbers))
    return None


def plan_give(snapshot: Snapshot, shares: Shares, one: SharedMemory) -> Change:
    """Return the change in the giver's kit: it notes what it shared."""
    made = replace(shares, given={**shares.given, one.memory: one.id})
    text = set_shares(snapshot.text(SHARES) or "", made)
    return Change(OP, f"told of {titled(one.title, one.memory)}", {SHARES: text.encode()}, _trailers(one))


def plan_take(
    snapshot: Snapshot, taken: "TakenPage", memory: Memory, shares: Shares, counter: "Counter"
) -> Change:
    """Return the change by which a kit takes a shared memory in, as told or as lived."""
    ask, one = taken.ask, taken.one
    path = memory_path(memory.id)
    origin = ", ".join([f"{one.giver} {one.memory}", *([one.uid] if one.uid else []), *one.source])
    fields: dict[str, str | None] = {
        "shared": one.id,
        "how": ask.how,
        "from": render_scalar(origin),
        "teller": render_scalar(taken.teller),
    }
    text = front_matter.set_fields(render_memory(memory), fields, path)
    made = replace(shares, taken={**shares.taken, memory.id: one.id})
    writes: Mapping[str, bytes] = {
        path: text.encode(),
        INDEX: put_lines(snapshot.text(INDEX) or EMPTY, [line_for(memory)]).encode(),
        SHARES: set_shares(snapshot.text(SHARES) or "", made).encode(),
    }
    trailers = (
        *_trailers(one, ask.how),
        ("Reel-Memory", f"{memory.id} {memory.level} {counter.count(memory.body)}"),
        ("Reel-Tokenizer", counter.name),
        ("Reel-Ring0", ask.ring0),
    )
    return Change(OP, f"took in {titled(memory.title, memory.id)}, {ask.how}", writes, trailers)


def make_taken(
    taken: "TakenPage",
    memory_id: str,
    now: datetime,
    heard: Sequence[Line] = (),
    own: SourceRange | None = None,
) -> Memory:
    """Return the memory that a kit makes of a shared one, in its own words.

    `heard` is what it was there for, `own` where its own tape has that.
    """
    one, page = taken.one, taken.page
    lived = taken.ask.how == LIVED
    # the giver's own title may tell what was said when this one was not there
    given = ", ".join(filter(None, [f"With {taken.teller}", spell_date(one.day)])) if lived else one.title
    title = one_line(page.title or given, 80)
    told_by = "" if lived else f" ({taken.teller} told me)"
    anchor = (_phrase(heard) or title).replace('"', "'")
    body = render_body(
        {
            FIELDS[0]: page.happened,
            FIELDS[2]: page.matters or "Nothing in particular.",
            FIELDS[4]: f'- "{anchor}"',
        }
    )
    return Memory(
        id=memory_id,
        uid=hashlib.sha256(f"{one.giver} {one.id} {body}".encode()).hexdigest()[:8],
        title=f"{title}{told_by}",
        level=Level.L1,
        body=body,
        created=one.day if lived and one.day else stamp(now),
        sessions=(own.session,) if own is not None else (),
        source=(own,) if own is not None else (),
        tags=("relational", SHARED) if lived else (IMPORTED, SHARED),
        anchor=anchor,
        marker=page.marker or cut_marker(body),
        tag=f"{title}{told_by}",
    )


def _phrase(heard: Sequence[Line]) -> str:
    """Return the first words of the longest message, by which what was lived is found; "" for none."""
    longest = max((line.text for line in heard), key=len, default="").strip()
    return " ".join(longest.partition("\n")[0].split()[:ANCHOR_WORDS])


def note_taken(one: SharedMemory, kit: str, memory_id: str, how: str, now: datetime) -> Change:
    """Return the change in the shared kit: who was told, or was there, has taken it in."""
    receipt = Receipt(memory_id, how, now.date().isoformat())
    made = replace(one, taken={**one.taken, kit: receipt})
    return Change(OP, f"{kit} took in {one.id}, {how}", write_shared(made), _trailers(one, how))


def note_let_go(one: SharedMemory, kit: str) -> Change:
    """Return the change in the shared kit: a kit that took a memory in has let go of it."""
    made = replace(one, taken={name: receipt for name, receipt in one.taken.items() if name != kit})
    return Change(OP, f"{kit} let go of {one.id}", write_shared(made), _trailers(one, "let go"))


def plan_forget_taken(
    snapshot: Snapshot, repo: "Repository", mine: Mapping[str, str], counter: "Counter", why: str
) -> Change:
    """Return the change that takes memories, each given with its shared one, out of their kit.

    A memory and its line go, with what waits or was settled about it and what it was recalled by; the kit's
    history has them still.
    """
    from reel_cli.features.forgetting.plan import take_out

    shares = read_shares(snapshot)
    writes, losses = take_out(snapshot, repo, counter, mine, why)
    writes |= clean_journal(snapshot, mine)
    writes |= clean_review(snapshot, mine, list_passages(memory_texts(_held(snapshot, mine))))
    left = {memory_id: shared for memory_id, shared in shares.taken.items() if shared not in mine.values()}
    text = set_shares(snapshot.text(SHARES) or "", replace(shares, taken=left))
    writes[SHARES] = text.encode()
    backs = [(TRAILER, f"{shared} back") for shared in dict.fromkeys(mine.values())]
    return Change(OP, f"no longer know {', '.join(mine)}, {why}", writes, (*backs, *losses))


def _held(snapshot: Snapshot, names: Iterable[str]) -> Sequence[Memory]:
    return [snapshot.memories[name] for name in names if name in snapshot.memories]


def plan_not_given(snapshot: Snapshot, shared_id: str) -> Change:
    """Return the change in the giver's kit: it no longer notes that it shared a memory."""
    shares = read_shares(snapshot)
    left = {memory_id: shared for memory_id, shared in shares.given.items() if shared != shared_id}
    text = set_shares(snapshot.text(SHARES) or "", replace(shares, given=left))
    return Change(OP, f"took back {shared_id}", {SHARES: text.encode()}, ((TRAILER, f"{shared_id} back"),))


def take_back(one: SharedMemory, now: datetime) -> Change:
    """Return the change in the shared kit: nobody may know a memory any more, and its words go."""
    made = replace(one, back=now.date().isoformat(), taken={})
    return Change(OP, f"took back {one.id}", write_shared(made), _trailers(one, "back"))


def take_back_from(one: SharedMemory, names: Sequence[str], shared: SharedKit) -> Change:
    """Return the change in the shared kit: these kits and groups may not know a memory any more."""
    left = [name for name in one.audience if name not in names]
    made = with_audience(one, left, shared)
    kept = {kit: taking for kit, taking in one.taken.items() if kit in list_audience(made, shared.groups)}
    told = ", ".join(names)
    return Change(
        OP, f"took back {one.id} from {told}", write_shared(replace(made, taken=kept)), _trailers(one, "back")
    )


def _trailers(one: SharedMemory, how: str = "") -> tuple[tuple[str, str], ...]:
    """Return the trailer that names a shared memory and where it is from."""
    said = f" source={','.join(one.source).replace(' ', '')}" if one.source else ""
    return (
        (
            TRAILER,
            f"{one.id} from={one.giver.replace(' ', '-')}/{one.memory}{said}{f' {how}' if how else ''}",
        ),
    )
