"""Queries of the past: the words, and the stretch to search."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, timedelta

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.frozen import frozen, late
from reel_cli.core.stage_chain import CHAIN_ORIGIN, STAGE_ORIGIN
from reel_cli.core.tape.search.forms import ASKING, STOP
from reel_cli.core.values.search import Question
from reel_cli.core.values.source import SESSION_ID, session_order

ORIGINS = {"stage": STAGE_ORIGIN, "chain": CHAIN_ORIGIN}
"""Values of `--origin`, each with the tag of what came of it (REEL §5.4)."""
_SPOKEN_OF = {
    CHAIN_ORIGIN: re.compile(r"(?i)\b(?:chain(?:[- ]origins?)?|directives?)\b"),
    STAGE_ORIGIN: re.compile(r"(?i)\b(?:stage(?:[- ]origins?)?|scenes?)\b"),
}
_BY_PROTOCOL = re.compile(r"\b(?:STAGE|CHAIN)\b|\b(?i:stage|chain)[- ](?i:origin|directive|scene)s?\b")
_ASKING = re.compile(
    r"(?i)^(?:please )?(?:find|search|show|list|get|retrieve|recall|remember|look up|give)\b"
    r"(?: (?:me|for|all|any|the|my|our))*(?P<origin>(?: (?:stage|chain)(?:[- ]origins?)?)?)"
    r" (?:memor(?:y|ies)|moments?)\b"
)
_ABOUT = re.compile(
    r"(?i)^(?:(?:that|which|are|is|of|about|on|for|from|with|related|relating|regarding|concerning|involving"
    r"|to)\b ?)+"
)
_MEMORIES = re.compile(r"(?i)^(?:memor(?:y|ies)|moments?)\b ?")
_PARTICIPANT = re.compile(
    r"(?i)(?:(?:^|(?<=\s))(?:with|involving|including|having|from|by|for|and|where|whose|in which)\s+|^|,\s*)"
    r"(?:(?:the|an?|any|some|one of the)\s+)?participants?\b\s*(?:[:=]|(?:is|are|was|were|named|called)\b)?"
    r"\s*(?=\w)"
)
"""Words before a name that say that somebody took part: nobody says them of anyone in a chat."""
_AS_PARTICIPANT = re.compile(
    r"(?i)\s+(?:as|is|was|being|took part as)\s+(?:(?:the|an?|one of the)\s+)?participants?\b"
)
_RELATED = re.compile(r"(?i)\b(?:involving|concerning|regarding)\b")
_OF_ORIGIN = frozenset(
    re.findall(
        r"\w+",
        "a all an and any are as been by came come command commands did directive directives do does ever"
        " every far find from gave get give given got had has have how i in instruction instructions is list"
        " many me memories memory message messages moments my now of on order orders our over place places"
        " receive received report reports scene scenes send sent show so some task tasks tell that the there"
        " things through to until us using via was we were what when which with you",
    )
)
"""Words beside a protocol's name that ask for all that came by it: `what orders did I get over CHAIN`."""
_GENERAL = re.compile(
    r"(?i)(?:(?:specific|certain|particular|some|any|different|various|the|a)\s+)*"
    r"(?:locations?|places?|people|persons?|names?|events?|things?|cases?)"
)
"""Words for what any scene has: nobody says them in one."""
_THINGS = r"(?!(?:is|was|does|has|this|his)\b)\w{3,}(?<!s)s\b"
_LIST = re.compile(
    r"(?i)^(?:in (?:what|which) order\b|how many\b"
    rf"|what (?:(?:kind|type|sort)s? of )?(?:\w+ ){{0,2}}?{_THINGS}"
    rf"|which (?:\w+ ){{0,2}}?{_THINGS}|who all\b|what (?:all|different|other)\b|list\b)"
    r"|\ball the\b|\bin what order\b"
)
_COURSES = tuple(
    late(rf"(?i)\W*(?:(?:so|and|hey|tell me|remind me|do you remember|you know)\W+)*{form}\W*")
    for form in (
        r"how (?:did|does|do) (.{2,80}?) (?:come about|come to be|begin|start|happen|end(?: up)?|go on)",
        r"how (?:did|does|do) (.{2,80}?) (?:turn|work) out",
        r"how (?:has|have|had) (.{2,80}?) (?:changed|gone|developed|been going|been|grown)",
        r"what (?:became|has become|ever became|came|has come) of (.{2,80}?)",
        r"what(?: ever| has|'s|’s)? happened (?:to|with) (.{2,80}?)",
        r"since when (?:is|are|was|were|do|does|did|has|have|had) (.{2,80}?)",
        r"where did (.{2,80}?) lead(?: to)?",
    )
)
"""Questions for how a matter went, each with the matter in its group."""
_FILLER = (
    r"(?:hi|hello|hey|ok(?:ay)?|so|well|al+ ?right|right|yes|no|thanks|thank you|now|then|again|today|tonight"
    r"|and|but|please|good (?:morning|evening|afternoon)|back|there|it'?s been a while|long time no see"
    r"|(?:i'?m |i am |i feel )?(?:feel(?:ing)? )?(?:much |a bit |a lot )?(?:better|fine|rested|ready|back))"
)
_WERE_DOING = r"(?:doing|talking about|saying|discussing|up to|working on|talk about|do|discuss|say)"
_STOPPED = (
    r"(?:(?:remind me |tell me )?where (?:were we|we were|was i|i was|we (?:left off|left it|stopped|ended)"
    r"|did we (?:leave off|leave it|stop|end|get to))"
    r"|what(?:'?s| is| was| comes) (?:up )?(?:next|going on|still open|open|left|pending|the next step)"
    r"|what (?:now|next|should we do next|shall we do next|did i miss)"
    rf"|what (?:were we|was i|have we been|did we) {_WERE_DOING}(?: (?:the )?last time| lately| recently)?"
    r"|(?:let'?s|let us|shall we|can we|we can) (?:continue|go on|carry on|resume|keep going|pick (?:it )?up)"
    r"(?: where we (?:left off|stopped))?"
    r"|continue|go on|carry on|pick up where we left off|catch me up)"
)
_WHERE_STOPPED = late(
    rf"(?i)(?:{_FILLER}[\s,.!;:-]*)*{_STOPPED}(?:[\s,.!?;:-]+(?:{_FILLER}|{_STOPPED}))*[\s.?!]*"
)
_LONGEST_OPENER = 120
"""Characters above which a query asks for more than where one stopped."""
_OF_MEDICINE = frozenset(
    re.findall(
        r"\w+",
        "dose doses dosage medicine medicines medication medications meds pill pills tablets",
    )
)
"""Words for a medicine that is not named; one may draw on a tablet."""
_BESIDE_MEDICINE = frozenset(
    re.findall(
        r"\S+",
        "whats what's again current currently new now right take taking taken supposed daily please tell"
        " remind much many",
    )
)
"""Words beside them that name none either."""
_DOSE = late(
    r"(?i)\d\s*(?:mg|mcg|µg|ug|i\.?u\.?|units?)\b|\b(?:tablet|pill|capsule)s?\b"
    r"|(?:\d|\b(?:an?|one|two|three|four)) (?:drop|puff)s?\b"
)
_OTHERWISE = frozenset(
    ("did", "when", "who", "whose", "why", "where", "since", "before", "that", "not", "no")
)
"""Words of a question for something else than which medicine is taken, and how much of it."""
_NAME_WORDS = 3
"""Number of words that a medicine's name has, at most."""
_DAY = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


@frozen
class Scope:
    """The stretch to search; empty fields restrict nothing.

    `since` and `until` are a day, a month, a year (`2026-02-10`, `2026-02`, `2026`) or a session. A day is
    the one its session began on. Since and until a day are inclusive; until a session is what was recorded
    before it.
    """

    tag: str = ""
    origin: str = ""
    since: str = ""
    until: str = ""
    session: str = ""


def sessions_in(
    scope: Scope, standing: Sequence[str], known: Sequence[str], purged: Collection[str] = ()
) -> Sequence[str]:
    """Return the sessions that count within the scope's times and session.

    `known` are all on the tape, `purged` those of which nothing is left. Raises ReelError for a session that
    is not there, UsageError for what is neither a day nor a session.
    """
    found = list(standing)
    if scope.session:
        session = _require_session(scope.session.strip(), known)
        if session in purged:
            message = f"Chat {session} was purged, so there is nothing in it to search."
            raise ReelError(message)
        if session not in standing:
            message = f"Chat {session} was taken back, so nothing in it is searched."
            raise ReelError(message, hint=f"to make it count again:  reel tape retract {session} --undo")
        found = [session]
    if scope.since:
        since = scope.since.strip()
        if SESSION_ID.fullmatch(since):
            start = session_order(_require_session(since, known))
            found = [s for s in found if session_order(s) >= start]
        else:
            first, _ = _days(since, "--since")
            found = [s for s in found if s[:10] >= first]
    if scope.until:
        until = scope.until.strip()
        if SESSION_ID.fullmatch(until):
            end = session_order(_require_session(until, known))
            found = [s for s in found if session_order(s) < end]
        else:
            _, last = _days(until, "--until")
            found = [s for s in found if s[:10] <= last]
    return found


def without_asking(text: str) -> str:
    """Return a query without the words that only ask for memories; the whole of it where no others are left.

    `find memories of CHAIN directives related to DCD` (REEL §5.4) asks for `CHAIN directives related to DCD`.
    """
    asking = _ASKING.match(text)
    if not asking:
        named = _PARTICIPANT.search(text)
        # `the participants of the race` are what somebody may have talked of
        return _about(text) if named and text[named.end()].isupper() else text
    about = _about(text[asking.end() :].strip())
    return f"{asking['origin'].strip()} {about}".strip() or text


def _about(text: str) -> str:
    """Return what a query is about, without the words that only say so: `involving the participant Bo`."""
    plain = _RELATED.sub("with", _AS_PARTICIPANT.sub("", _PARTICIPANT.sub(" with ", text)))
    return _ABOUT.sub("", " ".join(plain.split()))


def asks_for_list(text: str) -> bool:
    """Return whether a query asks for all there is of something: `which pets`, `in what order`."""
    return _LIST.search(text) is not None


def course_asked(text: str) -> str:
    """Return the matter whose course a query asks for, "" for none.

    That is `the move` of `how did the move come about`.
    """
    found = (form.fullmatch(text) for form in _COURSES)
    return next((match[1] for match in found if match), "")


def asks_where_stopped(text: str, names: Sequence[str] = ()) -> bool:
    """Return whether a query only asks what was going on: `I'm feeling better, what's next?`.

    `names` are those who talk, and may be addressed.
    """
    plain = " ".join(text.replace("\u2019", "'").split())
    if len(plain) > _LONGEST_OPENER:
        return False
    for name in filter(None, names):
        plain = re.sub(rf"(?i)(?:,\s*)?\b{re.escape(name)}\b[\s,]*", " ", plain).strip()
    return _WHERE_STOPPED.fullmatch(" ".join(plain.split())) is not None


def date_query(text: str, today: date, days: Collection[str], names: Mapping[str, str]) -> str:
    """Return a query with `yesterday` or `last Tuesday`, as of `today`, told as its date.

    That is where the tape has the day (`days`, ISO), and where nothing but the day is asked for; elsewhere it
    may be somebody else's `yesterday`. `names` are those who talk, by role.
    """
    from reel_cli.core.evidence.grounding.dates import dates
    from reel_cli.core.evidence.grounding.lexicon import even
    from reel_cli.core.tape.search.query import name_words, parse_question

    for when in dates(even(text), today):
        past = [first for first, last in when.spans if first == last and first <= today]
        if not when.relative or when.rough or not past:
            continue
        day = next((one for one in past if one.isoformat() in days), past[0])
        dated = f"{text[: when.start]}on {day.isoformat()}{text[when.end :]}"
        people = name_words([(role, name) for role, name in names.items() if name])
        if day.isoformat() in days or parse_question(Question(dated), people).only_dated:
            return dated
    return text


def fact_called(fact: str) -> str:
    """Return what a fact is called, of its ID."""
    return fact.partition("/")[2].replace("-", " ")


def names_dose(fact: str, value: str) -> str:
    """Return the medicine that a fact (its ID) gives a dose of, as it is called there; "" for another."""
    if not _DOSE.search(value):
        return ""
    key = fact_called(fact)
    if {*key.casefold().split()} - _OF_MEDICINE:
        return key
    return _DOSE.split(value)[0].strip(" ,:;")


def medicine_query(text: str, medicines: Callable[[], tuple[Sequence[str], Sequence[str]]]) -> str:
    """Return a query for `the dose` or `my tablets` with the medicines of the kit named; else the query.

    `medicines` returns those that are taken, and those that were. `what is the dose` was said of no medicine
    in those words, and `bisoprolol dose` asks what its dose is.
    """
    asked = _split_words(text)
    left = _naming(asked)
    if len(left) > _NAME_WORDS or not _OF_MEDICINE & {*asked} or _OTHERWISE & {*asked}:
        return text
    held, over = medicines()
    named = [one for one in (*held, *over) if _naming(_split_words(one)) == left] if left else held
    return f"what is the dose of {' and '.join(dict.fromkeys(named))}" if named else text


def _split_words(text: str) -> list[str]:
    return [word.strip("'’") for word in re.findall(r"[\w'’-]+", text.casefold())]


def _naming(words: Sequence[str]) -> list[str]:
    """Return the words that may name a medicine."""
    return [word for word in words if word not in _OF_MEDICINE | _BESIDE_MEDICINE | STOP | ASKING]


def spoken_origin(text: str) -> tuple[str, str] | None:
    """Return the origin that a query mentions, and the query without those words; else None.

    `chain directives about DCD` speaks of what came by way of CHAIN. Where nothing but the origin is asked
    for (`involving specific locations`), no words are left.
    """
    for origin, pattern in _SPOKEN_OF.items():
        if pattern.search(text):
            left = _MEMORIES.sub("", " ".join(pattern.sub(" ", text).split()))
            about = _about(left)
            asked = {word.casefold() for word in re.findall(r"\w+", about)}
            general = _GENERAL.fullmatch(about) or (names_protocol(text) and asked <= _OF_ORIGIN)
            return origin, "" if general else about
    return None


def names_protocol(text: str) -> bool:
    """Return whether a query asks for an origin by its protocol's name: `STAGE-origin`, not `the stage`."""
    return _BY_PROTOCOL.search(text) is not None


def _require_session(session: str, known: Sequence[str]) -> str:
    if session not in known:
        message = f"There is no recorded chat {session}."
        near = ", ".join(known[-3:])
        raise ReelError(message, hint=f"the newest are: {near}" if near else "nothing is recorded yet")
    return session


def _days(text: str, option: str) -> tuple[str, str]:
    """Return the first and last day of a day, month or year; raises UsageError if it is none."""
    found = _DAY.fullmatch(text)
    try:
        if not found:
            raise ValueError  # noqa: TRY301
        year, month, day = (int(part) if part else None for part in found.groups())
        first = date(year or 0, month or 1, day or 1)
        if day:
            last = first
        elif month:
            last = (first.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
        else:
            last = date(first.year, 12, 31)
    except (ValueError, OverflowError):
        message = f"{option} {text!r} is neither a day nor a chat."
        raise UsageError(message, hint="write it as 2026-02-10, 2026-02 or 2026-02-10-1") from None
    return first.isoformat(), last.isoformat()
