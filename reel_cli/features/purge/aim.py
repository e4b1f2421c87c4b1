"""Target of a purge, and the result for each file of a kit."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.exemplar_file import slugify
from reel_cli.core.files.kit_files import find_kind
from reel_cli.core.files.review_file import parse_proposal
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.ports import list_feature_files
from reel_cli.core.tape.erasure.fingerprint import MOST_PRINTS, Fingerprint, make_fingerprint
from reel_cli.core.tape.erasure.target import NO_TEXT, PurgeTarget, is_too_short
from reel_cli.core.tape.erasure.tombstones import CutSpan, cut_file
from reel_cli.core.tape.tape_view import read_events, read_session, speaker, standing_sessions
from reel_cli.core.tape.twins import holds_session
from reel_cli.core.values.change import one_line
from reel_cli.core.values.review import ReviewKind
from reel_cli.core.values.talk import PURGED, Event, Kind, Session, parse_source, session_of, session_path
from reel_cli.features.purge.purged_files import (
    purge_checkpoint,
    purge_fact_clash,
    purge_journal,
)
from reel_cli.features.purge.quotes import QUOTED_LENGTH, QUOTED_WORDS, SaidIndex, find_quotes

_GO_WHOLE = (ReviewKind.HANDED_IN, ReviewKind.FACT, ReviewKind.THREAD)
"""Kinds of proposal that go with the chat they came from."""
TITLE_WORDS = 3
"""A chat's title of fewer words is anybody's, too."""
_BEGINNING = 8
"""Words at the beginning of a long message that identify it where its middle is left out."""
_LONG = 40
"""Words above which a bundle may leave out the middle of a message."""
_NOT_SAID = (Kind.BUNDLE, Kind.EXCHANGE)
"""Kinds of message that tell of other chats: no file quotes this one where it has their words."""


@dataclass(frozen=True, slots=True)
class Retold:
    """Texts that go out of other sessions' bundles, prompts and tool answers; one with `talk` goes whole."""

    texts: PurgeTarget = NO_TEXT
    talk: PurgeTarget = NO_TEXT


@dataclass(frozen=True, slots=True)
class Aim:
    """Texts that go wherever they stand; with `session`, all of that session besides.

    What a program told again in another session, a bundle or a prompt, goes as `Retold` says.
    """

    wanted: PurgeTarget
    session: str | None = None
    retold: Retold = Retold()
    elsewhere: SaidIndex = field(default_factory=lambda: SaidIndex(()))
    """The words of the other chats that count; where they were said too, they stay."""
    read: Callable[[str], bytes | None] = lambda _: None
    """Function that returns the content of a path of the kit before the purge."""
    hidden: bool = False
    """True where the text was given unseen, so that no screen and no command shows it."""

    @property
    def words(self) -> str:
        """Return what the target is, without its own words."""
        return f"all of {self.session}" if self.session else "a text"


def aim_at_text(text: str, *, any_case: bool) -> Aim:
    """Return the aim at a text, wherever it occurs; raises ReelError if it cannot be purged."""
    plain = " ".join(text.split())
    if not plain:
        message = "There is nothing to purge: the text is empty."
        raise ReelError(message, hint="write it in quotes, or  --match -  to type it unseen by the shell")
    if is_too_short(plain):
        message = "That is too short to purge by: it would stand in every other word."
        raise ReelError(message, hint="write more of what stands around it")
    if PURGED in plain or PurgeTarget((plain,), any_case).stands_in(PURGED):
        message = f"{PURGED} is what is put in the place of what is purged, so that itself cannot be purged."
        raise ReelError(message, hint="write more of what stands around it")
    slug = slugify(plain)
    named = "-" in slug and slug != plain and not is_too_short(slug)
    return Aim(PurgeTarget((plain, slug) if named else (plain,), any_case))


def aim_at_session(snapshot: Snapshot, repo: Repository, session: str) -> Aim:
    """Return the aim at all of a session, and at quotations of it in present or past files.

    Words that another chat which counts has too are quoted from that one, so they are no aim. Raises what
    `read_session` and `find_quotes` do.
    """
    found = read_session(snapshot, session)
    texts = [
        entry.message.text
        for entry in found.entries
        if entry.message.text != PURGED and entry.message.kind not in _NOT_SAID
    ]
    elsewhere = SaidIndex(_said_elsewhere(snapshot, session))
    quoted = [t for t in texts if _is_long(t)]
    titles = _titles(snapshot, found)
    quoted += [t for t in titles if len(t.split()) >= TITLE_WORDS and PURGED not in t]
    quoted = [text for text in quoted if not elsewhere.holds(text)]
    said = PurgeTarget(tuple(quoted))
    whole = " ".join(" ".join(text.split()) for text in texts)
    phrases = [
        memory.anchor
        for memory in snapshot.memories.values()
        if session in memory.sessions or any(span.session == session for span in memory.source)
    ]
    phrases += [line.anchor for line in snapshot.index.lines.values() if line.anchor]
    own = {" ".join(p.split()) for p in phrases if len(p.split()) > 1 and PURGED not in p}
    kept = [phrase for phrase in own if phrase in whole and not said.stands_in(phrase)]
    lines = [*kept, *sorted(find_quotes(repo, session, texts, texts_of(snapshot)))]
    lines = [phrase for phrase in lines if not elsewhere.holds(phrase)]
    wanted = PurgeTarget((*quoted, *lines))
    return Aim(wanted, session, _retold(snapshot, found, lines, elsewhere), elsewhere, snapshot.read)


def _titles(snapshot: Snapshot, session: Session) -> list[str]:
    events = read_events(snapshot)
    return [session.title or "", *(e.text for e in events if _names(e, session.id))]


def _said_elsewhere(snapshot: Snapshot, session: str) -> Iterator[str]:
    """Yield what was said in the other sessions that count, and what these are called."""
    for other in standing_sessions(snapshot):
        if other == session:
            continue
        try:
            found = read_session(snapshot, other)
        except ReelError:
            # the text is purged from a damaged file as well, for it is no chat's any more
            continue
        # what a bundle or a prompt tells there was said in this chat alone
        yield from (
            *_titles(snapshot, found),
            *(e.message.text for e in found.entries if e.number is not None),
        )


def _is_long(text: str) -> bool:
    return len(text.split()) >= QUOTED_WORDS and len(text) >= QUOTED_LENGTH


def _retold(snapshot: Snapshot, session: Session, lines: Sequence[str], elsewhere: SaidIndex) -> Retold:
    """Return the texts by which a bundle or a prompt that tells of the session is recognized.

    Only what was said counts: every chat of an app may begin with the same system prompt. Of short messages
    two in a row are needed, as they are told.
    """
    settings = snapshot.settings
    said = [e for e in session.entries if e.number is not None and e.message.text != PURGED]
    own = [not elsewhere.holds(e.message.text) for e in said]
    whole = [e.message.text for e, only in zip(said, own, strict=True) if only and _is_long(e.message.text)]
    begun = [" ".join(t.split()[:_BEGINNING]) for t in whole if len(t.split()) > _LONG]
    told = [
        f"{speaker(e, user=settings.user, persona=settings.name)}: {e.message.text.strip()}" for e in said
    ]
    pairs = [
        f"{told[at]} {told[at + 1]}"
        for at in range(len(said) - 1)
        if (own[at] or own[at + 1])
        and not (_is_long(said[at].message.text) or _is_long(said[at + 1].message.text))
    ]
    everything = " ".join(" ".join(e.message.text.split()) for e in said).casefold()
    quotes = [line for line in lines if " ".join(line.split()).casefold() in everything]
    return Retold(PurgeTarget((*whole, *quotes)), PurgeTarget((*whole, *begun, *pairs)))


def texts_of(snapshot: Snapshot) -> Sequence[str]:
    """Return the files of a kit as they lie there, but for the tape."""
    return [_text(snapshot, path) for path in snapshot.list("") if not path.startswith("tape/")]


def _text(snapshot: Snapshot, path: str) -> str:
    try:
        return (snapshot.read(path) or b"").decode("utf-8", "replace")
    except ReelError:
        return ""


def proposed_exchanges(snapshot: Snapshot, session: str) -> Sequence[str]:
    """Return the proposals with an exchange, page or fact of a session, by path; they go with it."""
    owned = {file.path for _, file in list_feature_files()}
    found = []
    for path in snapshot.list("review"):
        if not path.endswith(".md"):
            continue
        try:
            proposal = parse_proposal(snapshot.text(path) or "", path)
        except ReelError:
            continue
        span = parse_source(proposal.source)
        fact = any(side.where.partition("#")[0] in owned for side in proposal.sides)
        if fact and proposal.session == session:
            found.append(path)
        if proposal.kind in _GO_WHOLE and proposal.session == session:
            found.append(path)
        if proposal.kind is ReviewKind.EXEMPLAR and session in (proposal.session, span and span.session):
            found.append(path)
    return found


def _names(event: Event, session: str) -> bool:
    return event.kind == "title" and event.session == session


def prints_of(snapshot: Snapshot, aim: Aim, salt: str) -> tuple[Fingerprint, ...]:
    """Return the fingerprints that recognize it later, if they do not give it away."""
    if aim.session is None:
        made = make_fingerprint(aim.wanted.texts[0], salt, whole=False)
        return (made,) if made is not None else ()
    entries = read_session(snapshot, aim.session).entries
    texts = sorted({e.message.text for e in entries if e.number is not None}, key=len, reverse=True)
    # by its fingerprint it would be left out of the chat that still has it
    texts = [text for text in texts if not aim.elsewhere.holds(text)]
    found = (make_fingerprint(text, salt, whole=True) for text in texts[:MOST_PRINTS])
    return tuple(dict.fromkeys(one for one in found if one is not None))


def rewriter(aim: Aim, purge: str) -> Callable[[str, bytes], bytes]:
    """Return a function that gives a file's new bytes, by its path in the kit; `purge` is its name."""

    def rewrite(path: str, data: bytes) -> bytes:
        if (cut := cut_of(aim, purge, path, data)) is not None:
            try:
                return cut_file(data, path, cut)[0]
            except StateError:
                # the file was damaged before; the wanted text is removed all the same
                return aim.wanted.replace_bytes(data)[0]
        if path.startswith("journal/"):
            return purge_journal(data, aim.wanted, aim.session)
        if aim.session is not None and _is_its_page(aim, aim.session, path, data):
            return purge_checkpoint(data, path)
        kind = find_kind(path)
        if kind is not None and kind.purge is not None:
            return kind.purge(path, data, aim.wanted, aim.session)
        if aim.session is not None and re.fullmatch(rf"review/{aim.session}-fact-\d+\.md", path):
            data = purge_fact_clash(data)
        return aim.wanted.replace_bytes(data)[0]

    return rewrite


def _is_its_page(aim: Aim, session: str, path: str, data: bytes) -> bool:
    """Return whether a file is a checkpoint of the session, also from before it was renumbered."""
    if path.startswith(f"checkpoints/{session}."):
        return True
    number = path.removesuffix(".yaml").rpartition(".")[2]
    there = aim.read(f"checkpoints/{session}.{number}.yaml")
    return path.startswith("checkpoints/") and data == there != aim.read(path)


def _was_its_file(aim: Aim, session: str, path: str, data: bytes) -> bool:
    """Return whether a version of another session's file is this session before a merge renumbered it."""
    now = aim.read(path)
    if now is not None and now.startswith(data):
        return False
    return holds_session(aim.read(session_path(session)) or b"", data, path)


def cut_of(aim: Aim, purge: str, path: str, data: bytes = b"") -> CutSpan | None:
    """Return what is cut out of a tape file, of which this is one version; None for any other file.

    A purged session's sentences go out of that session, and stay where they were said in another one too.
    """
    session = session_of(path)
    if session is None and path != EVENTS:
        return None
    mine = aim.session is not None and (
        path == session_path(aim.session)
        or (session is not None and _was_its_file(aim, aim.session, path, data))
    )
    wanted = aim.wanted if aim.session is None or mine or session is None else NO_TEXT
    elsewhere = aim.retold if session is not None and not mine else Retold()
    return CutSpan(purge, wanted, mine, aim.session, elsewhere.texts, elsewhere.talk)


def own_names(snapshot: Snapshot) -> Sequence[str]:
    """Return the names of the persona and of the person, of which no part is anybody else's."""
    return [name for name in (snapshot.settings.name, snapshot.settings.user) if name]


def told_of(aim: Aim, text: str) -> str:
    """Return a text for the screen without what is purged."""
    return one_line(aim.wanted.replace(text)[0])
