"""Checks of `facts.yaml` and its adapter: entries that are unreadable, lead nowhere, or have no room."""

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_text import parse_yaml
from reel_cli.core.finding import Finding
from reel_cli.core.kit.checkup import Check, EntryFile, check_entries, unread_key
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.talk import parse_source
from reel_cli.features.facts.adapters import adapter_of
from reel_cli.features.facts.files import FACT_KEYS, FACTS, read_facts, read_noted
from reel_cli.features.facts.plan import stand
from reel_cli.features.facts.policy import CONFIDENCES, DREAM, EXTRACTION, PERSON, fact_id, same_value

if TYPE_CHECKING:
    from reel_cli.core.values.due import KitWarning
    from reel_cli.features.facts.fact import Fact
    from reel_cli.terminal.open_kit import OpenKit


def look_at_facts(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield everything about the facts that is not as it should be, but for their size."""
    try:
        adapter_of(snapshot)
    except ReelError as error:
        yield Finding("facts", error.message.rstrip("."), error.hint or "correct adapter in kit.yaml")
    yield from check_entries(snapshot, _FILE)


def _odd_facts(snapshot: Snapshot) -> Iterator[str]:
    facts = read_noted(snapshot)
    told = parse_yaml(snapshot.text(FACTS) or "", FACTS)
    entries = told if isinstance(told, list) else []
    for number, (one, entry) in enumerate(zip(facts, entries, strict=True), 1):
        if why := _odd(one) or unread_key(entry, FACT_KEYS):
            yield f"{FACTS}, fact {number} ({fact_id(one)}): {why}"
    yield from _leading_nowhere(snapshot, facts)


def _odd(fact: "Fact") -> str:
    """Return what is odd about one entry by itself; "" for nothing."""
    if not fact.value.strip():
        return "has no value"
    sure = fact.confidence.strip().casefold()
    if not CONFIDENCES.fullmatch(sure):
        return f"{fact.confidence!r} is not high, medium, low or a number from 0 to 1, so it counts as medium"
    if sure not in ("high", "medium", "low") and float(sure) > 1:
        return f"{fact.confidence!r} is above 1, so it counts as 1"
    if fact.origin not in (PERSON, EXTRACTION, DREAM):
        return f"{fact.origin!r} is not {PERSON}, {EXTRACTION} or {DREAM}"
    if fact.replaces and same_value(fact.replaces, fact.value):
        return "replaces itself"
    return ""


def _leading_nowhere(snapshot: Snapshot, facts: "list[Fact]") -> list[str]:
    sessions = frozenset(snapshot.sessions)
    found = []
    for number, fact in enumerate(facts, 1):
        span = parse_source(fact.source) if fact.source else None
        if fact.source and (span is None or span.session not in sessions):
            found.append(
                f"{FACTS}, fact {number} ({fact_id(fact)}): {fact.source} is not in the recorded chats"
            )
    return found


def _too_many(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield a finding if the facts that must be in a bundle have no room there."""
    try:
        facts = read_facts(snapshot)
        settings = snapshot.settings
    except ReelError:
        # reported as a file that cannot be read
        return
    if not stand(snapshot, facts).held:
        return
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.facts.plan import share_of, size_of

    try:
        counter = get_tokenizer(settings.tokenizer)
    except ReelError:
        # reported as a setting
        return
    size, share = size_of(snapshot, facts, counter, noted=True), share_of(snapshot)
    if size > share:
        what = f"the facts need {size:,} tokens of a bundle, and their share is {share:,}: some are left out"
        what += " where nothing else leaves them room"
        yield Finding("facts", what, "raise facts.share in kit.yaml, or  reel fact drop KEY", at=FACTS)


def clashing_facts(opened: "OpenKit") -> "Iterator[KitWarning]":
    """Yield a warning for each two facts that do not agree about what protects somebody."""
    if not opened.snapshot.peek(FACTS, 1):
        return
    from reel_cli.core.values.due import KitWarning
    from reel_cli.features.facts.replaced.clashing_facts import note_clashes

    with suppress(ReelError):
        for told, mend in note_clashes(opened.overview):
            yield KitWarning(
                "facts", f"two facts do not agree, and bundles tell the newer: {told}", mend, FACTS
            )


_FILE = EntryFile(
    "facts",
    FACTS,
    _odd_facts,
    'correct it in the file, or note it again with  reel fact add CATEGORY KEY "VALUE"',
    f"reel restore {FACTS}",
    shown=5,
    needed=True,
    more="facts",
)
CHECKS = (
    Check(lambda scope: look_at_facts(scope.snapshot), 90),
    Check(lambda scope: _too_many(scope.snapshot), 105),
)
