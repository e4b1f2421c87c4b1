"""Facts that wait in `review/`: those about the persona, and those whose value changed (REEL §3.5)."""

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date

from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import FORGOT, render_forgotten
from reel_cli.core.files.review_file import parse_proposal, render_proposal, review_path
from reel_cli.core.frozen import late
from reel_cli.core.kit.proposal_kind import DROP, KEEP, Choice, ProposalInWords, ProposalKind
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.approval import SECOND, TELLS_YOU, is_about_persona
from reel_cli.core.values.change import Change, capital, for_screen, one_line
from reel_cli.core.values.review import Proposal, ReviewKind
from reel_cli.core.values.talk import SESSION_ID, parse_source
from reel_cli.features.facts.evidence.fact_support import PART
from reel_cli.features.facts.fact import RENAMED, UNTIL, Fact
from reel_cli.features.facts.files import FACTS, add_facts, parse_facts, read_facts, with_standing_source
from reel_cli.features.facts.pending.accepted_facts import (
    drop_decided,
    find_standing,
    loss_of,
    mark_memories,
    on_day,
    put_names_right,
    take_accepted,
    take_beside,
    tell_later,
    value_of,
    with_rest,
)
from reel_cli.features.facts.pending.chat_words import (
    names_fact,
    quote_chat,
    says_value,
    tell_difference,
    tell_doubt,
)
from reel_cli.features.facts.pending.doses import keep_beside_dose, read_amounts
from reel_cli.features.facts.plan import TRAILER, find_late, named
from reel_cli.features.facts.policy import (
    DREAM,
    EXTRACTION,
    OWN,
    PERSON,
    category_of,
    current_facts,
    fact_name,
    is_firm,
    is_never_lost,
    is_own,
    is_rule,
    protects,
    same_value,
)
from reel_cli.features.facts.protection import as_change_of, find_guarded

_DAY = 10
_BOTH = "both"

_SHOWN = 100
WAIT = "are added when a bundle has room"
STAYS = "until you decide it stays"
"""Words before the value that holds while another one waits."""


def part_facts(
    facts: Sequence[Fact], evidence: Mapping[Fact, str], persona: str
) -> tuple[Sequence[Fact], Sequence[Fact]]:
    """Return the facts that need no approval, and those about the persona, which do."""
    about = [
        one
        for one in facts
        if is_about_persona(one.key, one.value, words := evidence.get(one, ""), persona)
        and not _is_of_another(one, words, persona)
    ]
    return [one for one in facts if one not in about], about


def _is_of_another(fact: Fact, words: str, persona: str) -> bool:
    """Return whether a fact is named by a thing or a person besides, or tells of one, and bids nothing.

    `Saltmarch: you run a village on paper accounts` says what that game is, `Dan's secret` who Dan is.
    """
    named = _NAME.search(fact.key) or _OF_SOMEBODY.search(fact.value)
    told = f"{fact.key} {fact.value} {words}"
    if named is None or persona.casefold() in told.casefold() or TELLS_YOU.search(told):
        return False
    of_others = category_of(fact) in _OF_OTHERS and not SECOND.search(fact.value)
    return of_others or is_never_lost(fact.category, fact.key, fact.value)


_NAME = late(r"(?<!\w)[A-Z][\w-]+")
_OF_SOMEBODY = late(r"(?i)\b(?:she|he|her|his)\b")
_OF_OTHERS = ("context", "relationships", "history", "commitments")


def part_replacing(snapshot: Snapshot, facts: Sequence[Fact]) -> tuple[Sequence[Fact], Sequence[Fact]]:
    """Return the facts that may be noted, and those that would replace what protects somebody."""
    stood = current_facts(read_facts(snapshot))
    free: list[Fact] = []
    waits: list[Fact] = []
    for fact in facts:
        guarded = find_guarded(fact, stood)
        if guarded is None:
            free.append(fact)
        elif not waits_already(snapshot, changed := as_change_of(fact, guarded)):
            waits.append(changed)
    return free, waits


def part_firm(snapshot: Snapshot, facts: Sequence[Fact]) -> tuple[Sequence[Fact], Sequence[Fact]]:
    """Return a dream's facts that may be noted, and those that would replace what somebody said."""
    stood = {fact_name(one): one for one in current_facts(read_facts(snapshot))}
    free: list[Fact] = []
    waits: list[Fact] = []
    for fact in facts:
        old = stood.get(fact_name(fact))
        if old is None or not is_firm(old):
            free.append(fact)
        elif not waits_already(snapshot, changed := as_change_of(fact, old)):
            waits.append(changed)
    return free, waits


def is_only_personas(snapshot: Snapshot, fact: Fact) -> bool:
    """Return whether a dream's fact rests on a turn of the persona, and is not of its own life."""
    source = parse_source(fact.source)
    if fact.origin != DREAM or source is None or is_own(fact):
        return False
    with suppress(ReelError):
        shown = read_session(snapshot, source.session).shown()
        said = [one for one in shown if source.first <= (one.number or 0) <= source.last]
        return bool(said) and all(one.message.role == "assistant" for one in said)
    return False


def waits_already(snapshot: Snapshot, fact: Fact) -> bool:
    """Return whether the same value waits in `review/`, or the same dose in the words of the same turn."""
    return any(
        same_value(one.value, fact.value) or _is_same_dose(one, fact)
        for one in list_held(snapshot, fact_name(fact))
    )


def _is_same_dose(one: Fact, other: Fact) -> bool:
    amounts = read_amounts(one.value)
    same = bool(amounts) and amounts == read_amounts(other.value)
    return same and bool(one.source) and one.source == other.source and not (one.dropped or other.dropped)


def list_held(snapshot: Snapshot, name: tuple[str, str]) -> list[Fact]:
    """Return the facts of one name that wait in `review/`."""
    found: list[Fact] = []
    for path in snapshot.list("review"):
        with suppress(ReelError):
            waiting = parse_proposal(snapshot.text(path) or "", path)
            if waiting.kind is ReviewKind.FACT:
                found += [one for one in facts_of(waiting) if fact_name(one) == name]
    return found


def propose_facts(facts: Sequence[Fact], session: str, made: str) -> Mapping[str, bytes]:
    """Return the files in `review/` with facts that wait: each change by itself, the others in one.

    What ends under one name ends together: a secret, and the promise to keep it.
    """
    fresh = [one for one in facts if not one.replaces and one.origin != PERSON]
    named: dict[str, list[Fact]] = {}
    for number, one in enumerate(facts):
        if one not in fresh:
            named.setdefault(fact_name(one)[1] if one.dropped else str(number), []).append(one)
    groups = [*named.values(), *([fresh] if fresh else [])]
    files: dict[str, bytes] = {}
    for group in groups:
        files |= _propose(group, session, made)
    return files


def _propose(facts: Sequence[Fact], session: str, made: str) -> Mapping[str, bytes]:
    text = add_facts("", facts)
    mark = hashlib.sha256(f"{session}\0{text}".encode()).hexdigest()[:8]
    title = "; ".join(tell_fact(one) for one in facts)
    proposal = Proposal(
        f"fact-{mark}", ReviewKind.FACT, session, made, one_line(title, _SHOWN), text, source=facts[0].source
    )
    return {review_path(proposal.id): render_proposal(proposal).encode()}


def facts_of(proposal: Proposal) -> list[Fact]:
    """Return the facts that wait in a proposal; raises ReelError if its text holds none."""
    found = parse_facts(proposal.text)
    if not found:
        message = f"review/{proposal.id}.md has no fact."
        raise ReelError(message, hint=f"drop it with  reel review reject {proposal.id}")
    return found


def tell_fact(fact: Fact, until: str = "until now") -> str:
    """Return a fact on one line, as its sentence or by its value, with what it replaces behind `until`."""
    went = _tell_went(fact)
    until = f" ({until}: {went})" if went else ""
    whole = with_rest(fact, fact.replaces)
    return f"{_called(fact)}: {'over' if fact.dropped else whole.statement or whole.value}{until}"


def _tell_rest(fact: Fact, stood: Fact) -> str:
    """Return the clause on what of an older dose is kept with the new one; "" for none."""
    kept = keep_beside_dose(stood.value, fact.value, fact.key)[1]
    return (
        f"; “{one_line(kept, 60)}” is kept with the new one" if with_rest(fact, stood.value) != fact else ""
    )


def tell_held(fact: Fact) -> str:
    """Return a fact that waits on one line, with what stays till then and what its chat says otherwise."""
    doubt = tell_doubt(fact)
    # what protects somebody goes by a person's word alone, other values also with their notes
    told = tell_fact(fact, STAYS) if protects(fact) else tell_fact(fact)
    return f"{told}{f'; {doubt}' if doubt else ''}"


def _tell_went(fact: Fact) -> str:
    """Return what a fact replaces: its parts that are gone, or all of what protects somebody."""
    if protects(fact) or same_value(fact.value, fact.replaces):
        return fact.replaces
    told = f"{fact.value}; {fact.statement}"
    # what holds until the new value begins is not gone yet
    stay = {part.strip().removeprefix(UNTIL).casefold() for part in PART.split(told)}
    return ", ".join(part for part in PART.split(fact.replaces) if part.strip().casefold() not in stay)


def _called(fact: Fact) -> str:
    """Return a fact's kind and key; what the persona told of its own life is "the persona's own"."""
    kind = "the persona's own" if fact.category == OWN else fact.category
    return f"{kind}, {fact.key}"


def _tell(snapshot: Snapshot, proposal: Proposal) -> ProposalInWords:
    facts = facts_of(proposal)
    about = "a fact" if len(facts) == 1 else f"{len(facts):,} facts"
    chat = _chat(proposal.session)
    since = _said_since(snapshot, facts[0])
    if not with_standing_source(snapshot, facts):
        since += f"; {chat} was taken back, and what is kept of it counts only once that does"
    rested = [with_rest(one, value_of(snapshot, one)) for one in facts]
    whole = [one for one in put_names_right(snapshot, rested) if not one.dropped.startswith(RENAMED)]
    if facts[0].origin == PERSON:
        stood = find_standing(snapshot, facts[0])
        what, why = _tell_partly_said(facts[0], stood, chat, snapshot.settings.user)
        before = _valued([stood]) if stood is not None else ""
        safe = stood is not None and protects(stood)
        return ProposalInWords(what, f"{why}{since}", _valued(whole), before, FACTS, protects=safe)
    if facts[0].replaces:
        stands = [stood for one in facts if (stood := find_standing(snapshot, one)) is not None]
        stood = find_standing(snapshot, facts[0])
        if stood is None:
            why = f"{chat} says so; the value that it was to replace is gone by now"
            return ProposalInWords("a fact to know by heart", why, _valued(facts), path=FACTS)
        teller = snapshot.settings.name if stood.said_by else ""
        alone = is_only_personas(snapshot, facts[0])
        who = f"only {snapshot.settings.name}, in {chat}," if alone else chat
        why = f"{_why_changed(snapshot, stood, facts[0], who, teller)}{since}{_tell_rest(facts[0], stood)}"
        safe = protects(stood)
        what = (
            f"{_tell_guarded(stood, snapshot.settings.user)}, “{stood.key}”"
            if safe
            else f"a change of what {teller or snapshot.settings.user} said"
        )
        return ProposalInWords(what, why, _valued(whole), _valued(stands), FACTS, protects=safe)
    if not any(one.source or one.said_by for one in facts):
        said = "a dream noted this, and no turn was found that says all of it"
        told = "".join(f"{tell_fact(one)}\n" for one in facts)
        return ProposalInWords(f"{about} to know by heart", said, told, path=FACTS)
    if is_only_personas(snapshot, facts[0]):
        told = "".join(f"{tell_fact(one)}\n" for one in facts)
        why = f"in {chat} only {snapshot.settings.name} said so, and nobody there confirmed it"
        return ProposalInWords(f"{about} to know by heart", why, told, path=FACTS)
    what = f"{about} about {snapshot.settings.name} to know by heart"
    told = "".join(f"{tell_fact(one)}\n" for one in facts)
    why = f"{chat} says so, and it is for you to decide who {snapshot.settings.name} is"
    return ProposalInWords(what, why, told, path=FACTS)


def _tell_guarded(stood: Fact, user: str) -> str:
    """Return what a change of a fact is that only a person changes: of somebody's safety, or of a rule."""
    return (
        f"a change to a rule of {user}'s" if is_rule(stood) else "a change to a fact that keeps somebody safe"
    )


def _tell_partly_said(fact: Fact, stood: Fact | None, chat: str, user: str) -> tuple[str, str]:
    """Return what a fact is whose words do not bear it, and why it waits.

    One that a person has put right by now says what its chat says.
    """
    said = one_line(fact.evidence, 120)
    what = "a fact" if stood is None or not protects(stood) else _tell_guarded(stood, user)
    if fact.dropped:
        why = f"{chat} says “{said}”"
        if not names_fact(fact, said):
            why += f", which does not name “{fact.key}”; it stays until you decide"
        return f"{what}, “{fact.key}”", why
    if says_value(fact, fact.evidence):
        name = f", “{fact.key}”" if stood is not None else f" to know by heart, “{fact.key}”"
        return f"{what}{name}", f"{chat} says “{said}”; it does not count before you keep it"
    mark = ", which" if stood is not None and protects(stood) else " that"
    differs = tell_difference(fact.value, fact.evidence)
    why = f"{chat} says only “{said}”{f' ({differs})' if differs else ''}"
    return f"{what}{mark} the chat says only in part, “{fact.key}”", (
        f"{why}, so it does not count before you keep it"
    )


def _why_changed(snapshot: Snapshot, stood: Fact, fact: Fact, chat: str, teller: str) -> str:
    """Return why a changed value waits: what was said before, what is said now, and which one holds.

    `teller` is the persona where it said the value that stands. Only the words of a chat are quoted, as a
    person decides by them; a value is the page's.
    """
    before, now = one_line(stood.value, 60), one_line(fact.evidence or fact.value, 100)
    words = _said_words(stood)
    told = f"{teller or 'you'} said “{words}”{on_day(stood.when)}"
    if not words:
        told = f"known{on_day(stood.when).replace(' on ', ' since ')}: {before}"
    says = f"{chat} says “{now}”"
    if fact.origin == DREAM and not fact.source:
        says = f"a dream noted “{now}”, and no turn was found that says all of it"
    elif fact.origin == DREAM and not (fact.evidence or quote_chat(snapshot, fact)):
        says = f"a dream noted “{now}”, which {chat} does not say in these words"
    stays = f"“{before}” stays" if words == before else "what is known stays"
    if protects(stood):
        why = "it is a rule" if is_rule(stood) else "it keeps somebody safe"
        return f"{told}; {says}; {why}, so {stays} until you decide"
    return f"{told}; {says}; until you decide, {stays}"


def _said_words(fact: Fact) -> str:
    """Return what was said of a value in its chat: the value, if it was said so; "" where nobody said it."""
    value, words = one_line(fact.value, 60), one_line(fact.evidence, 100)
    if fact.origin == EXTRACTION and not words:
        # a value that is written as it was said has no words beside it
        return value
    return value if fact.value and one_line(fact.value).casefold() in words.casefold() else words


def _chat(session: str) -> str:
    """Return a chat by its day; by its name where that has none."""
    with suppress(ValueError):
        return f"the chat of {day_in_words(date.fromisoformat(session[:_DAY]))}"
    return f"chat {session}"


def _said_since(snapshot: Snapshot, fact: Fact) -> str:
    """Return the clause that names a later value of a fact, one that waits or holds; "" for none."""
    held, stood = list_held(snapshot, fact_name(fact)), find_standing(snapshot, fact)
    told = [*((one, "waits too") for one in held), *(((stood, "holds now"),) if stood is not None else ())]
    later = [
        (one.when[:_DAY], quote_chat(snapshot, one), one.value, how)
        for one, how in told
        if one.when[:_DAY] > fact.when[:_DAY] and not same_value(one.value, fact.value)
    ]
    if not later:
        return ""
    when, says, value, how = max(later)
    # a value that no chat bears was noted
    told_later = f"a later chat ({when}) says “{one_line(says, 60)}”" if says else ""
    return f"; {told_later or f'on {when} “{one_line(value, 60)}” was noted'}, which {how}"


def _valued(facts: Sequence[Fact]) -> str:
    """Return facts a line each as the persona is told them, with the day of each."""
    days = [f" ({one.when[:_DAY]})" if one.when else "" for one in facts]
    values = ["over" if one.dropped else one.statement or one.value for one in facts]
    told = zip(facts, values, days, strict=True)
    return "".join(f"{_called(one)}: {value}{day}\n" for one, value, day in told)


def _accept(snapshot: Snapshot, proposal: Proposal, _today: str, word: str) -> Change:
    """Return the change that notes the facts that waited; a changed value holds by the person's word.

    With the word for both it stands beside the value that it would replace, under a name of its own.
    """
    beside = word == _BOTH
    facts = [
        take_beside(snapshot, one) if beside else take_accepted(snapshot, one) for one in facts_of(proposal)
    ]
    session = proposal.session
    noted = put_names_right(snapshot, facts)
    text = add_facts(snapshot.text(FACTS) or "", noted)
    parse_facts(text)
    writes: dict[str, bytes | None] = {FACTS: text.encode(), review_path(proposal.id): None}
    writes.update(mark_memories(snapshot, facts, proposal.id))
    writes.update(drop_decided(snapshot, facts))
    what = "a fact" if len(facts) == 1 else f"{len(facts):,} facts"
    about = (("Reel-Session", session),) if SESSION_ID.fullmatch(session) else ()
    ended = [one for one in facts if one.dropped]
    trailers = (
        *about,
        *((TRAILER, named(fact)) for fact in noted if not fact.dropped),
        *((FORGOT, render_forgotten(loss_of(snapshot, one))) for one in ended),
    )
    late = find_late(snapshot, read_facts(snapshot), facts, get_tokenizer(snapshot.settings.tokenizer))
    rest = (
        f"; {late[0][1]}" if len(facts) == 1 and late else f"; {len(late):,} of them {WAIT}" if late else ""
    )
    stays = tell_later(snapshot, facts)
    # the subject has no value: it is hard to take out of history again
    names = for_screen(f": {', '.join(f'“{one_line(name, 60)}”' for name in _names(proposal))}")
    done = f"let go of {ended[0].key}" if ended else f"{what} known by heart{names}{rest}"
    notes = (f"{capital(stays)}.",) if stays else ()
    return Change("review", f"{done}{f'; {stays}' if stays else ''}", writes, trailers, notes)


def _split(proposal: Proposal) -> Sequence[Proposal]:
    """Return a proposal for each fact."""
    return [_with_facts(proposal, [one]) for one in facts_of(proposal)]


def _merge(parts: Sequence[Proposal]) -> Proposal:
    return _with_facts(parts[0], [one for part in parts for one in facts_of(part)])


def _with_facts(proposal: Proposal, facts: Sequence[Fact]) -> Proposal:
    title = one_line("; ".join(tell_fact(one) for one in facts), _SHOWN)
    return replace(proposal, title=title, text=add_facts("", facts))


def _choices(proposal: Proposal) -> Sequence[Choice]:
    """Return the ways to decide: of a change each says which of the two values holds then."""
    fact = facts_of(proposal)[0]
    if not fact.replaces:
        return KEEP, DROP
    taken = replace(KEEP, label="let it go" if fact.dropped else "take the new one")
    left = replace(DROP, label="leave it as it was")
    if fact.dropped:
        return taken, left
    return taken, left, Choice("b", "both hold, each under a name of its own", "Kept, both hold", _BOTH)


def _names(proposal: Proposal) -> Sequence[str]:
    return [
        f"{one.key}: {'over' if one.dropped else one.statement or one.value}" for one in facts_of(proposal)
    ]


HELD_FACTS = ProposalKind(ReviewKind.FACT, _tell, _accept, _choices, split=_split, merge=_merge, names=_names)
