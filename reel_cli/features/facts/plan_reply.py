"""Plan for a reply about facts: those that its words bear become one change (SRIP-11 §III.5b)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from reel_cli.core.evidence.grounding.lexicon import even, quote_key, telling
from reel_cli.core.exchange.exchange import EMPTY, NO_ANSWER, Answer, Offer
from reel_cli.core.exchange.reader.values import says_nothing
from reel_cli.core.exchange.schema import find_others_heading, tell_other
from reel_cli.core.files.commit_message import ROUND
from reel_cli.core.frozen import late
from reel_cli.core.kit.known_facts import Round
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.search.standing_words import find_standing
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.holdings import Counter
from reel_cli.core.values.talk import Session, SourceRange
from reel_cli.features.facts.ask import FactsAsk
from reel_cli.features.facts.evidence.fact_review import FactReview
from reel_cli.features.facts.evidence.weigh_facts import weigh
from reel_cli.features.facts.files import FACTS, add_facts, parse_facts
from reel_cli.features.facts.pending.fact_sides import plan_fact_clashes
from reel_cli.features.facts.pending.held_facts import propose_facts, tell_fact, tell_held
from reel_cli.features.facts.plan import OP, TRAILER, named
from reel_cli.features.facts.policy import fact_id
from reel_cli.features.facts.reply import FACTS as FACTS_PAGE
from reel_cli.features.facts.reply import ToldFact, read_facts_reply, read_told, text_of
from reel_cli.features.facts.rounds import render_round

_SAME = 0.6
"""Share of a sentence's telling words that a fact must have to say the same."""
_KEY_WORDS = 5
_CALLED = late(r"(?i)(?:\w+,? ){0,2}?(?:call|address) me (?P<name>(?-i:[A-Z])[\w'’-]*)")
MOST_LEFT = 6
"""Maximum number of facts that are shown as left out."""
NAMED = 3
"""Maximum number of reasons told if nothing of a reply can be kept."""


@dataclass(frozen=True, slots=True)
class FactsPlan:
    """The result of keeping facts: files, trailers, and what to show."""

    writes: Mapping[str, bytes]
    trailers: tuple[tuple[str, str], ...]
    shown: tuple[str, ...]


_FORGETS = late(
    r"(?i)\b(?:forg[eo]t\w*|verg[ie]ss\w*|oubli\w+|olvid\w*|esque[cç]\w*|dimentic\w*|забу\w+)\b|忘|잊"
)


def with_standing(told: Sequence[ToldFact], session: Session, span: SourceRange) -> list[ToldFact]:
    """Return the facts of a reply, and what the user said for always in a stretch and it leaves out."""
    found = [*told]
    for entry in session.shown():
        if entry.message.role != "user" or not span.first <= (entry.number or 0) <= span.last:
            continue
        for sentence in find_standing(entry.message.text):
            if _FORGETS.search(sentence):
                # a wish that something be forgotten is none to know by heart
                continue
            if not any(_is_told(sentence, one) for one in told):
                found.append(_told_always(sentence.rstrip(".! ")))
    return found


def _is_told(sentence: str, one: ToldFact) -> bool:
    """Return whether a fact says most of a sentence, or is of words in it."""
    mine, known = telling(sentence), telling(f"{one.key} {one.value} {one.evidence}")
    said, quoted = (quote_key(even(text)).strip() for text in (sentence, one.evidence))
    return bool(mine and len(mine & known) >= _SAME * len(mine)) or bool(quoted and quoted in said)


def _told_always(sentence: str) -> ToldFact:
    """Return a sentence that holds always as a fact; its first words are its name."""
    if name := _CALLED.match(sentence):
        return ToldFact("identity", "name to call", name["name"], sentence)
    return ToldFact("preferences", " ".join(sentence.casefold().split()[:_KEY_WORDS]), sentence, sentence)


def keep_weighed(snapshot: Snapshot, span: SourceRange, weighed: FactReview, made: str) -> FactsPlan:
    """Plan the assessed facts, with those that no longer agree; the stretch counts as read in any case.

    `made` is ISO 8601. Raises ReelError where the file cannot be added to.
    """
    writes: dict[str, bytes] = {}
    if noted := (*weighed.ended, *weighed.facts, *weighed.aside):
        text = add_facts(snapshot.text(FACTS) or "", noted)
        parse_facts(text)
        writes[FACTS] = text.encode()
    writes.update(plan_fact_clashes(snapshot, weighed.clashes, span.session, made))
    writes.update(propose_facts(weighed.waits, span.session, made))
    trailers = [(TRAILER, named(one)) for one in noted if not one.dropped]
    trailers.append((ROUND, render_round(Round(span, len(weighed.facts), len(weighed.refused)))))
    return FactsPlan(writes, tuple(trailers), tuple(map(tell_fact, weighed.facts)))


def answer_facts(  # noqa: PLR0913 (as `plan_extraction`)
    snapshot: Snapshot,
    ask: FactsAsk,
    reply: str,
    counter: Counter,
    now: datetime,
    *,
    unattended: bool = False,
) -> Answer:
    """Read a reply to an ask for facts, and offer what is borne as one change.

    `unattended`: nobody looks at the offer, so that facts about the persona wait for a person's word.
    """
    if not reply.strip():
        return EMPTY
    names = (snapshot.settings.name,)
    reading = read_facts_reply(reply, ask.prompt, names)
    if reading.is_prompt:
        return NO_ANSWER
    if heading := find_others_heading(reply, FACTS_PAGE):
        return Answer(refusal=tell_other(heading))
    text = text_of(reading, reply, names)
    every = [*read_told(text or "")]
    told = [one for one in every if not one.is_over]
    over = [
        f"{one.key}: stays, since only a page ends it, or  reel fact drop KEY" for one in every if one.is_over
    ]
    if text is None or (not told and not says_nothing(text)):
        return Answer(refusal="That reply has no facts in a form that reel can read.")
    session = read_session(snapshot, ask.span.session)
    told = with_standing(told, session, ask.span)
    weighed = weigh(snapshot, session, told, counter, unattended=unattended)
    problems = (*reading.problems, *weighed.problems)
    none = not (weighed.facts or weighed.waits or weighed.aside)
    if told and none and len(weighed.refused) == len(told):
        first = "; ".join(one.what for one in weighed.refused[:NAMED])
        more = f"; and {len(told) - NAMED:,} more" if len(told) > NAMED else ""
        return Answer(refusal=f"None of it can be kept. {first}{more}.", problems=problems)
    count = len(weighed.facts)
    title = f"{count:,} fact{'' if count == 1 else 's'}"
    waits = [f"waits for your decision in reel review: {tell_held(one)}" for one in weighed.waits]
    lines = [*map(tell_fact, weighed.facts), *waits, *_worth_a_look(weighed), *_left_out(weighed), *over]
    offer = Offer(
        id=str(ask.span),
        title=title,
        heading=f"{title if count else 'Nothing new'} from {ask.span}",
        shown=tuple(one_line(line) for line in lines),
        plan=lambda later: plan_extraction(later, ask, told, counter, now, unattended=unattended),
        told={
            "facts": [fact_id(one) for one in weighed.facts],
            "refused": len(weighed.refused),
            "review": [fact_id(one) for one in weighed.waits],
        },
    )
    return Answer((offer,), (), problems)


def _worth_a_look(weighed: FactReview) -> list[str]:
    told = [one.what for one in weighed.problems if not one.quiet]
    return ["Worth a look:", *told] if told else []


def _left_out(weighed: FactReview) -> list[str]:
    """Return what a reply says and its facts leave out, each with its reason, under a heading."""
    told = [one.what.replace(": not kept: ", ": ", 1) for one in weighed.refused if one.quiet]
    more = [f"and {len(told) - MOST_LEFT:,} more, listed by --json"] if told[MOST_LEFT:] else []
    return ["Left out:", *told[:MOST_LEFT], *more] if told else []


def plan_extraction(  # noqa: PLR0913 (the kit, the ask and its answer, by what to count, and who looks on)
    snapshot: Snapshot,
    ask: FactsAsk,
    told: Sequence[ToldFact],
    counter: Counter,
    now: datetime,
    *,
    unattended: bool = False,
) -> Change:
    """Return one commit: the facts, the contradictions, and that the stretch was searched."""
    session = read_session(snapshot, ask.span.session)
    weighed = weigh(snapshot, session, told, counter, unattended=unattended)
    kept = keep_weighed(snapshot, ask.span, weighed, now.isoformat())
    count = len(weighed.facts)
    what = f"{count:,} noted" if count else "nothing new"
    trailers = (("Reel-Session", ask.span.session), ("Reel-Ring0", ask.ring0), *kept.trailers)
    return Change(OP, f"{what} from {ask.span}", dict(kept.writes), trailers)
