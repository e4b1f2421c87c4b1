"""`facts.yaml` with something purged out of it, and the facts that tell of it in their own words."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from reel_cli.core.errors import ReelError
from reel_cli.core.files.kit_files import Retold
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.talk import PURGED, parse_source
from reel_cli.features.facts.evidence.fact_support import PART
from reel_cli.features.facts.evidence.kept_parts import without_parts
from reel_cli.features.facts.fact import RENAMED, Fact
from reel_cli.features.facts.files import FACTS, add_facts, parse_facts, read_noted
from reel_cli.features.facts.policy import current_facts, fact_name, is_firm


def purge_facts(data: bytes, session: str) -> bytes:
    """Return the facts without those said in a purged session, also as values that were replaced."""
    try:
        text = data.decode("utf-8")
        blocks = [(block, parse_facts(block)) for block in re.split(r"(?m)^(?=- )", text)]
    except (ReelError, UnicodeDecodeError):
        return data
    gone = {(fact_name(one), one.value) for _, facts in blocks for one in facts if _is_of(one, session)}
    if not gone:
        return data
    # what was purged under a misheard name goes on under the right one
    gone |= {
        (fact_name(replace(one, key=one.dropped.removeprefix(RENAMED))), one.value)
        for _, facts in blocks
        for one in facts
        if one.dropped.startswith(RENAMED) and (fact_name(one), one.value) in gone
    }
    kept = []
    for block, facts in blocks:
        if not any(_is_of(one, session) for one in facts):
            before = any((fact_name(one), one.replaces) in gone for one in facts)
            left = _without_kept(block, facts, gone)
            kept.append(re.sub(r"(?m)^(  replaces: ).*$", rf"\g<1>{PURGED}", left) if before else left)
    return "".join(kept).encode()


def _without_kept(block: str, facts: Sequence[Fact], gone: Collection[tuple[tuple[str, str], str]]) -> str:
    """Return a fact's lines without the parts of purged values that a later value kept beside its own."""
    if len(facts) != 1:
        return block
    [fact] = facts
    values = [value for name, value in gone if name == fact_name(fact)]
    parts = frozenset(part for value in values for part in PART.split(value))
    value, replaces = without_parts(fact.value, parts), without_parts(fact.replaces, parts)
    if (value, replaces) == (fact.value, fact.replaces):
        return block
    statement = "" if value != fact.value else fact.statement
    return add_facts("", [replace(fact, value=value, replaces=replaces, statement=statement)])


def lines_of_facts(data: bytes, session: str) -> list[int]:
    """Return the lines, from 1, of facts that were said in a session."""
    before = data.decode("utf-8", "replace")
    found, line = [], 1
    for block in re.split(r"(?m)^(?=- )", before):
        with suppress(ReelError):
            if any(_is_of(one, session) for one in parse_facts(block)):
                found.append(line)
        line += block.count("\n")
    return found


def _is_of(fact: Fact, session: str) -> bool:
    """Return whether the user said it in a session; a dream's own words are only reported."""
    span = parse_source(fact.source)
    return is_firm(fact) and span is not None and span.session == session


def find_facts(snapshot: Snapshot, struck: Mapping[str, Collection[int]], *, whole: bool) -> Sequence[Retold]:
    """Return the facts whose source holds what is struck; with `whole`, only those that stay."""
    found = list(list_retold(FACTS, snapshot.text(FACTS) or "", struck))
    if not whole or not found:
        return found
    stay = {f"{one.category}, {one.key}" for one in read_noted(snapshot) if not is_firm(one)}
    return [one for one in found if one.title in stay]


def list_retold(path: str, text: str, struck: Mapping[str, Collection[int]]) -> Iterator[Retold]:
    """Yield the facts of a file whose source on the tape holds what is struck."""
    with suppress(ReelError):
        facts = parse_facts(text)
        held = current_facts(facts)
        for fact in facts:
            source = parse_source(fact.source)
            if source is not None and source.meets(struck):
                yield Retold(path, 0, f"{fact.category}, {fact.key}", fact.statement, fact not in held)
