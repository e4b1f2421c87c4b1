"""What is amiss with `facts.yaml` and `intake.yaml`: what cannot be read, leads nowhere, or has no room."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_text import parse_yaml
from reel_cli.core.finding import Finding
from reel_cli.core.nearest import nearest
from reel_cli.core.tape.events_file import has_marks
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import parse_source
from reel_cli.features.facts.adapters import adapter_of
from reel_cli.features.facts.files import FACT_KEYS, FACTS, read_facts
from reel_cli.features.facts.plan import stand
from reel_cli.features.facts.policy import CONFIDENCES, DREAM, EXTRACTION, PERSON, fact_id, same_value
from reel_cli.features.intake.files import ENTRY_KEYS, INTAKE, LISTS, entry_lines
from reel_cli.features.intake.queue import read_queue

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.features.dream.dream import Fact

OWN = "x-"
"""A key that begins so is a person's own."""


@dataclass(frozen=True, slots=True)
class _Listed:
    """A file that is a list of entries: what it is called in a finding, and how it is looked at.

    `odd` yields what is odd about its entries, and raises ReelError where the file cannot be read. A fault of
    the file itself is only a hint where nothing but noting stands still for it.
    """

    check: str
    path: str
    odd: "Callable[[Snapshot], Iterator[str]]"
    mend: str
    unread_mend: str
    shown: int
    needed: bool


def look_at_lists(snapshot: "Snapshot") -> Iterator[Finding]:
    """Everything about the facts and about what waits to be decided that is not as it should be."""
    try:
        adapter_of(snapshot)
    except ReelError as error:
        yield Finding("facts", error.message.rstrip("."), error.hint or "mend adapter in kit.yaml")
    for listed in (_FACTS, _INTAKE):
        yield from _look_at(snapshot, listed)
    yield from _too_many(snapshot)


def _look_at(snapshot: "Snapshot", listed: _Listed) -> Iterator[Finding]:
    check, path = listed.check, listed.path
    data = snapshot.read(path)
    if data is None:
        return
    if has_marks(data):
        what = f"{path} holds the marks of a merge ( <<<<<<< and >>>>>>> )"
        yield Finding(check, what, "keep both sides, and take out the lines with the marks", at=path)
        return
    try:
        found = list(listed.odd(snapshot))
    except ReelError as error:
        mend = error.hint or listed.unread_mend
        yield Finding(check, error.message.rstrip("."), mend, hint_only=not listed.needed, at=path)
        return
    for what in found[: listed.shown]:
        yield Finding(check, what, listed.mend, hint_only=True, at=path)
    if len(found) > listed.shown:
        more = f"{len(found) - listed.shown:,} more {check if check == 'facts' else 'entries'} like that"
        yield Finding(check, more, listed.mend, hint_only=True, at=path)


def _unread(told: object, known: Sequence[str]) -> str:
    """The first key of an entry that nothing reads, told with the one it may be; "" where there is none."""
    for key in told if isinstance(told, dict) else ():
        if key not in known and not key.startswith(OWN):
            near = nearest(key, known)
            return f"nothing reads {one_line(key, 40)}" + (f" (did you mean {near}?)" if near else "")
    return ""


# -- what waits ----------------------------------------------------------------------------------------


def _odd_intake(snapshot: "Snapshot") -> Iterator[str]:
    there = frozenset(snapshot.sessions)
    for one in read_queue(snapshot).waiting:
        if one.place and one.place.session not in there:
            yield f"{INTAKE}: {one.source} is not on the tape"
    text = snapshot.text(INTAKE) or ""
    value = parse_yaml(text, INTAKE)
    fields = value if isinstance(value, dict) else {}
    if why := _unread(fields, LISTS):
        yield f"{INTAKE}: {why}"
    for name in LISTS:
        entries = fields.get(name, ())
        odd = {
            at: why
            for at, told in enumerate(entries if isinstance(entries, list) else ())
            if (why := _unread(told, ENTRY_KEYS))
        }
        lines = entry_lines(text, name) if odd else ()
        for at, why in odd.items():
            yield f"{INTAKE}, line {lines[at] if at < len(lines) else 1}: {why}"


# -- what is known by heart ----------------------------------------------------------------------------


def _odd_facts(snapshot: "Snapshot") -> Iterator[str]:
    facts = read_facts(snapshot)
    told = parse_yaml(snapshot.text(FACTS) or "", FACTS)
    entries = told if isinstance(told, list) else []
    for number, (one, entry) in enumerate(zip(facts, entries, strict=True), 1):
        if why := _odd(one) or _unread(entry, FACT_KEYS):
            yield f"{FACTS}, fact {number} ({fact_id(one)}): {why}"
    yield from _leading_nowhere(snapshot, facts)


def _odd(fact: "Fact") -> str:
    """What is odd about one entry by itself; "" for nothing."""
    if not fact.value.strip():
        return "has no value"
    sure = fact.confidence.strip().casefold()
    if not CONFIDENCES.fullmatch(sure):
        return (
            f"{fact.confidence!r} is neither high, medium, low nor a number from 0 to 1; it counts as medium"
        )
    if sure not in ("high", "medium", "low") and float(sure) > 1:
        return f"{fact.confidence!r} is above 1, and counts as 1"
    if fact.origin not in (PERSON, EXTRACTION, DREAM):
        return f"{fact.origin!r} is no origin: {PERSON}, {EXTRACTION} or {DREAM}"
    if fact.replaces and same_value(fact.replaces, fact.value):
        return "replaces itself"
    return ""


def _leading_nowhere(snapshot: "Snapshot", facts: "list[Fact]") -> list[str]:
    sessions = frozenset(snapshot.sessions)
    found = []
    for number, fact in enumerate(facts, 1):
        span = parse_source(fact.source) if fact.source else None
        if fact.source and (span is None or span.session not in sessions):
            found.append(f"{FACTS}, fact {number} ({fact_id(fact)}): {fact.source} is not on the tape")
    return found


def _too_many(snapshot: "Snapshot") -> Iterator[Finding]:
    """Whether what must be in a bundle has room there."""
    try:
        facts = read_facts(snapshot)
        settings = snapshot.settings
    except ReelError:
        # told of as a file that cannot be read
        return
    if not stand(snapshot, facts).held:
        return
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.facts.room import share_of, size_of

    try:
        counter = get_tokenizer(settings.tokenizer)
    except ReelError:
        # told of as a setting
        return
    size, share = size_of(snapshot, facts, counter), share_of(snapshot)
    if size > share:
        what = (
            f"the facts need {size:,} tokens of a bundle, and their share is {share:,}: nothing can be packed"
        )
        yield Finding("facts", what, "raise facts.share in kit.yaml, or  reel fact drop KEY", at=FACTS)


_FACTS = _Listed(
    "facts",
    FACTS,
    _odd_facts,
    "mend it in the file, or note it again with  reel fact add",
    f"git restore -- {FACTS}",
    shown=5,
    needed=True,
)
_MEND_INTAKE = f"open {INTAKE}, and mend or delete the entry"
_INTAKE = _Listed("intake", INTAKE, _odd_intake, _MEND_INTAKE, _MEND_INTAKE, shown=3, needed=False)
