"""`facts.yaml`: what is known, as it was noted, one below the other; what holds of it `model.facts` says."""

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_text import parse_yaml, render_scalar
from reel_cli.core.values.change import one_line
from reel_cli.features.facts.fact import Fact

if TYPE_CHECKING:
    from collections.abc import Collection

    from reel_cli.core.kit.kinds import KindDiff
    from reel_cli.core.kit.snapshot import Snapshot

FACTS = "facts.yaml"
FACT_KEYS = tuple(one.name for one in fields(Fact))


def parse_facts(text: str) -> list[Fact]:
    """Return the facts in the order they were noted; skips keys that are not reel's.

    Raises ReelError where the file is no list of facts.
    """
    value = parse_yaml(text, FACTS)
    if value == "":
        return []
    if not isinstance(value, list):
        message = f"{FACTS} should be a list of facts."
        raise ReelError(message, hint="each begins with  - category: …")
    found: list[Fact] = []
    for number, one in enumerate(value, start=1):
        told = (
            {k: v for k, v in one.items() if k in FACT_KEYS and isinstance(v, str)}
            if isinstance(one, dict)
            else {}
        )
        if not told.get("key") or "value" not in told:
            message = f"{FACTS}: fact {number} has no key and value."
            raise ReelError(message, hint="each needs  category, key, value")
        found.append(Fact(**{"category": "", **told}))
    return found


def read_noted(snapshot: "Snapshot") -> list[Fact]:
    """Return all that a kit notes; raises ReelError if the file is no list of facts."""
    return parse_facts(snapshot.text(FACTS) or "")


def read_facts(snapshot: "Snapshot") -> list[Fact]:
    """Return all that a kit notes and whose chat counts; raises ReelError if the file is no list of facts."""
    return with_standing_source(snapshot, read_noted(snapshot))


def with_standing_source(snapshot: "Snapshot", facts: list[Fact]) -> list[Fact]:
    """Return facts without those taken from a chat that was taken back; a person's own word needs no chat.

    A value of a chat that a person accepted rests with its chat, unless that chat only goes on elsewhere.
    """
    from reel_cli.core.tape.tape_view import retracted
    from reel_cli.core.values.talk import parse_source
    from reel_cli.features.facts.policy import PERSON, is_by_hand

    if not facts or not (gone := retracted(snapshot)):
        return facts
    apart = _gone_elsewhere(snapshot)
    kept = []
    for one in facts:
        span = parse_source(one.source)
        stays = is_by_hand(one) or (one.origin == PERSON and span is not None and span.session in apart)
        if span is None or span.session not in gone or stays:
            kept.append(one)
    return kept


def _gone_elsewhere(snapshot: "Snapshot") -> set[str]:
    """Return the chats taken back because they are kept apart, or recorded again as of another day."""
    from reel_cli.core.tape.tape_view import KEPT_APART, MOVED, told_of_each

    told = told_of_each(snapshot, "retract")
    return {session for session, text in told.items() if text.startswith((KEPT_APART, MOVED))}


def add_facts(text: str, facts: Sequence[Fact]) -> str:
    """Return the file with more facts at its end; what is there stays as it is."""
    told = "".join(_render(fact) for fact in facts)
    stood = text if not text or text.endswith("\n") else f"{text}\n"
    return told if stood.strip() in ("", "[]") else stood + told


def _render(fact: Fact) -> str:
    pairs = [(key, one_line(getattr(fact, key))) for key in FACT_KEYS]
    lines = [f"{key}: {render_scalar(value)}" for key, value in pairs if value or key == "value"]
    return "- " + "\n  ".join(lines) + "\n"


def compare_facts(start: "Snapshot", end: "Snapshot", _changed: "Collection[str]") -> "KindDiff":
    """Return the facts that came, went or have another value, by their IDs."""
    from reel_cli.core.kit.kinds import KindDiff
    from reel_cli.features.facts.policy import current_facts, fact_id

    before, after = (
        {fact_id(one): one.value for one in current_facts(read_facts(side))} for side in (start, end)
    )
    names = [*before, *(name for name in after if name not in before)]
    pairs = {name: (before.get(name, ""), after.get(name, "")) for name in names}
    found = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    value = {name: {"before": was, "after": now} for name, (was, now) in found.items()}
    return KindDiff(
        "facts", value, "Known by heart", [_tell(name, was, now) for name, (was, now) in found.items()]
    )


def _tell(name: str, was: str, now: str) -> str:
    from reel_cli.core.kit.kinds import LONGEST

    if was and now:
        return f"{name}: {one_line(now, LONGEST)} (before: {one_line(was, LONGEST)})"
    return f"{name}: {one_line(now or was, LONGEST)}{'' if now else ' (let go)'}"
