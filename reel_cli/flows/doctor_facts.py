"""What is amiss with `facts.yaml`: what cannot be read, leads nowhere, or has no room in a bundle."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from reel_cli.errors import ReelError
from reel_cli.flows.adapters import adapter_of
from reel_cli.flows.facts import stand
from reel_cli.kit.facts_file import FACTS, read_facts
from reel_cli.model.facts import CONFIDENCES, DREAM, EXTRACTION, PERSON, fact_id, same_value
from reel_cli.model.finding import Finding
from reel_cli.model.tape import parse_source
from reel_cli.tape.events_file import has_marks

if TYPE_CHECKING:
    from reel_cli.kit.snapshot import Snapshot
    from reel_cli.model.dream import Fact

_MEND = "mend it in the file, or note it again with  reel fact add"
SHOWN = 5


def look_at_facts(snapshot: "Snapshot") -> Iterator[Finding]:
    """Everything about the facts that is not as it should be; nothing where there are none."""
    try:
        adapter_of(snapshot)
    except ReelError as error:
        yield Finding("facts", error.message.rstrip("."), error.hint or "mend adapter in kit.yaml")
    data = snapshot.read(FACTS)
    if data is None:
        return
    if has_marks(data):
        what = f"{FACTS} holds the marks of a merge ( <<<<<<< and >>>>>>> )"
        yield Finding("facts", what, "keep both sides, and take out the lines with the marks", at=FACTS)
        return
    try:
        facts = read_facts(snapshot)
    except ReelError as error:
        mend = error.hint or f"git restore -- {FACTS}"
        yield Finding("facts", error.message.rstrip("."), mend, at=FACTS)
        return
    found = [
        f"{FACTS}, fact {at} ({fact_id(one)}): {why}" for at, one in enumerate(facts, 1) if (why := _odd(one))
    ]
    found += _leading_nowhere(snapshot, facts)
    for what in found[:SHOWN]:
        yield Finding("facts", what, _MEND, hint_only=True, at=FACTS)
    if len(found) > SHOWN:
        more = f"{len(found) - SHOWN:,} more facts like that"
        yield Finding("facts", more, _MEND, hint_only=True, at=FACTS)
    yield from _too_many(snapshot, facts)


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


def _too_many(snapshot: "Snapshot", facts: "list[Fact]") -> Iterator[Finding]:
    """Whether what must be in a bundle has room there."""
    try:
        settings = snapshot.settings
    except ReelError:
        # told of as a file that cannot be read
        return
    if not stand(snapshot, facts).held:
        return
    from reel_cli.flows.fact_room import share_of, size_of  # noqa: PLC0415
    from reel_cli.tokens import get_tokenizer  # noqa: PLC0415

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
