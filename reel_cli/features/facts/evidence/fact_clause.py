"""Clauses that a fact's words stand in: denied, only supposed, or of somebody else (SRIP-11 §III.5b)."""

import re
from collections.abc import Iterator, Sequence

from reel_cli.core.evidence.grounding.lexicon import even, quote_key, sentences, telling
from reel_cli.core.evidence.own_words import sentences_around
from reel_cli.core.evidence.unspaced_clause import (
    is_east_asian,
    is_unspaced,
    tells_of_kin,
    unspaced_against,
)
from reel_cli.core.frozen import late
from reel_cli.core.values.change import one_line
from reel_cli.features.facts.evidence.details.another_person import (
    OF_ONESELF,
    OF_SELF,
    OTHER,
    SAYS_I,
    SOMEBODY,
    tells_of_another,
)
from reel_cli.features.facts.evidence.details.anothers_kin import is_anothers_kin
from reel_cli.features.facts.evidence.details.claim_status import read_status
from reel_cli.features.facts.evidence.fact_support import FactSupport

_SHOWN = 80
_CLAUSE = late(
    r"(?i)\s*[;:—–]\s+|,\s+|(?<=\btold you)\s+(?:that\s+)?|\s+-\s+"
    r"|(?<!\beven)\s+(?=(?:and|but|so|because|since|although|though|if|unless|which|who"
    r"|und|aber|sondern|weil|denn|et|mais|parce|pero|sino|porque|mas|e|ma(?!\s+\S*[ąęłńśźż])|perché|и"
    r"|но|а|потому)\s)"
    r"|(?:(?<=\banymore)|(?<=\bany more)|(?<=\bany longer))\s+"
)
_NEXT_SUBJECT = late(
    r"(?i)(?<!\bthink)(?<!\bthinks)(?<!\bthought)(?<!\bbelieve)(?<!\bsay)(?<!\bsays)(?<!\bsaid)(?<!\bknow)(?<!\bknew)"
    r"(?<!\bguess)(?<!\bsuppose)(?<!\bfeel)(?<!\bmean)(?<!\bhope)(?<!\bwish)(?<!\bswear)(?<!\bsure)(?<!\bif)(?<!\bthat)"
    r"(?<!\bwhen)(?<!\bwhat)(?<!\bhow)(?<!\bwhere)(?<!\bwhy)(?<!\bwho)(?<!\bthan)(?<!\bas)(?<!\band)(?<!\bbut)(?<!\bso)"
    r"(?<!\bor)(?<!\bnor)(?<!\bunless)(?<!\bmaybe)(?<!\bperhaps)(?<!\bnot)(?<!\bnever)(?<!\bdo)(?<!\bdid)(?<!\bam)(?<!\bwas)"
    r"(?<!\bhave)(?<!\bwould)(?<!\bcould)(?<!\bshould)(?<!\bcan)(?<!\bwill)(?<=\w)\s+"
    r"(?=(?:i|i['’](?:m|ve|ll|d)|im|ive|we|we['’](?:re|ve|ll)|they|they['’]re)\s+(?!(?:do|did|am|was"
    r"|have|were|are)\W)\w)"
)
"""Pattern of where one who writes without stops begins anew: `don't mix it with mine i'm going in June`."""
_NOT_ELSEWHERE = (
    r"nicht (?!nur|lange)|kein\w* (?!problem|ahnung|wunder|zweifel|frage)|nie(?:mals)? |nirgends |weder "
    r"|(?:ne |n['’])(?:[\w'’]+ ){1,4}(?:pas|plus|jamais|point) (?!seulement)"
    r"|pas (?!seulement|mal )|jamais "
    r"|no (?!sólo|solo|solamente|hay duda|dud[oa]|doubt|wonder|problem|matter|idea|one|less|more)"
    r"|nunca |jamás |tampoco "
    r"|não (?!só|apenas|há dúvida)|jamais |nem "
    r"|non (?!solo|soltanto|c['’]è dubbio)|mai "
    r"|не (?!только|сомнева)|нет (?!сомнен)|немає |никогда |ни разу "
    r"|geen (?!probleem|idee|twijfel)|niet (?!alleen)|nooit |nergens |ikke (?!bare|kun)"
    r"|ingen (?!problem|tvivl|tvil)"
    r"|intet |aldrig |aldri |inte (?!bara)|inga |inget |nigdy |nem |nincs |δεν |ποτέ |לא |אין (?!ספק)"
    r"|أبدا |لا (?!شك)|لم |لن |ليس "
)
"""Words that deny what follows, in languages in which a denial stands before what it denies."""
_DENIES_BETWEEN = late(
    r"(?i)\b(?:ne |n['’])(?:[\w'’]+ ){1,3}?(?:pas|plus|jamais|point)\b(?! (?:seulement|que|mal)\b)"
)
"""Pattern of a French denial, whose two words stand around the verb."""
_DENIES_BEHIND = late(
    r"(?i)\W+(?:\w+ )?(?:nicht|nie|niemals|niet|nooit|inte|aldrig?|ikke|pas|jamais)"
    r"(?: (?:mehr|gerne?|so|gut|meer|längre|mere))?\W*$"
)
"""Pattern of a denial at the end of a clause, behind its verb: `Ich rauche nicht`."""
_DENIES = late(
    r"(?i)\b(?:not (?!only|just|sure|long|easy)|never (?!thought|knew|imagined|been (?:so|more|this))"
    r"|no longer|neither|nobody|none of|without|hardly|cannot (?!wait|help|stop|believe)"
    r"|no (?!doubt|wonder|problem|matter|idea|one|less|more|dud[oa]))"
    r"|\b(?!(?:ca|could)n['’]t (?:wait|help|stop|get enough|be|believe|imagine))"
    r"(?!don['’]t (?:forget|worry|know|think|mind|get me wrong))(?!wouldn['’]t (?:miss"
    r"|trade))[a-z]+n['’]t\b"
    r"|\b(?:i|we) (?:also |always |both )?used to\b|\b(?:stopped|quit|gave up|given up) (?:\w+ing )?$"
    rf"|\b(?:{_NOT_ELSEWHERE})"
)
_SAYS_NO = late(
    r"(?i)\b(?:no|not|none|never|nobody|nothing|hardly|neither|without|cannot|no-\w+|non-?\w+|avoid\w*"
    r"|quit\w*"
    r"|stop\w*|g[ai]ve\w? up|former\w*|ex|past|free|lack\w*|miss\w*|refus\w*|dislik\w*|hat(?:e|es|ed)|until"
    r"|un(?:able|like)\w*|instead|except|only|used to|once|nicht\w*|kein\w*|nie|niemals|ohne|früher"
    r"|pas|plus"
    r"|jamais|sans|ancien\w*|nunca|jamás|sin|tampoco|antes|não|sem|non|mai|senza|ex\w*|не\w*|никогда"
    r"|без|бывш\w*|geen|niet|nooit|zonder|vroeger"
    r"|ikke|ingen|intet|aldrig?|inte|inga|inget|uden|uten|utan|nigdy|bez|nem|nincs|δεν|ποτέ|χωρίς|לא"
    r"|нет|немає|בלי|אין|لا|لم|لن|ليس|بدون)\b"
    r"|n['’]t\b"
)
_MAYBE_ELSEWHERE = (
    r"falls|vielleicht|würden?|könnten?|wären?|hätten?|wenn ich|peut-être|si j(?:e\b|['’])|quizás?|tal vez"
    r"|ojalá|(?:ser|aur|pourr|ir|vivr|habiter|fer)ais|(?:ser|podr|tendr|habr|vivir|ir)ía|si yo|talvez"
    r"|oxalá|se eu|seria|teria|poderia|moraria|forse|magari|se io|sarei|avrei|potrei|если|возможно|наверное"
    r"|может быть|бы"
)
_SUPPOSES = late(
    r"(?i)\b(?:(?<!even )if(?! not)|unless|maybe|perhaps|might|would(?! say)|could|wish)\b"
    rf"|\b(?:{_MAYBE_ELSEWHERE})(?!\w)"
)
_WEIGHS = late(
    r"(?i)\b(?:(?:think(?:s|ing)?|thought) (?:of|about)|consider(?:s|ing)?|toy(?:s|ing) with|in two minds"
    r"|not sure (?:if|whether)|tempted|undecided)\b"
)
_FIRMLY = late(r"(?i)\b(?:means? to|intends? to|decided to|will|is going to|has promised)\b")
"""Patterns of what is only thought of, and of what is told as settled."""
_ONLY_SUPPOSES = late(
    r"(?i)\W*(?:(?:and|but|so|und|aber|et|mais|y|pero|e|ma|и|но) )?"
    r"(?:maybe|perhaps|vielleicht|peut-être|quizás?|tal vez|talvez|forse|magari|возможно|наверное"
    r"|может быть|может)\W*"
)
"""Pattern of a clause that only leaves open what the next one says: `Может быть, я перееду`."""
_TO_COME = late(r"(?i)\b(?:will|won['’]t|going to|gonna|would|could|might)\b|['’]ll\b")
_CONDITION = late(r"(?i)\W*(?:if(?! not)|unless)\b")
_POLITE = late(
    r"(?i)\bif (?:(?:that|this|it)(?:['’]s| is| works)|you don['’]t mind|you (?:do not|wouldn['’]t) mind)"
    r"(?:\s+(?:fine|ok(?:ay)?|all ?right|cool|good|convenient))?(?:\s+(?:with|by|for) you)?,?(?=\s|[.!]|$)"
)
"""Pattern of a condition that only asks leave for what is said to be so."""
_SAYS_MAYBE = late(
    r"(?i)\b(?:if|unless|maybe|perhaps|might|may|would|could|can|wish\w*|want\w*|hop(?:e|es|ed|ing)"
    r"|dream\w*"
    r"|consider\w*|think\w*|thought|idea|ideas|interest\w*|like|likes|love|loves|prefer\w*|depend\w*"
    r"|possibl[ey])\b"
    rf"|['’]d\b|\b(?:{_MAYBE_ELSEWHERE}|wenn|si|se|möchte|will|wil\w*|хо\w+|veux|voudr\w+|quier\w+|quer\w+"
    r"|vorrei)(?!\w)"
)
_NAME = late(r"\b[A-Z][a-z]+\b")
_WILL = late(r"(?i)\bwill\b")
_IN_ENGLISH = late(r"(?i)\b(?:i|my|we|maybe|perhaps|might|would|could|if|unless)\b")
_ONLY = "only supposes it"
DENIED = "denies it"
ELSE = "is about somebody else"
"""The ends of reasons: the clause denies a fact, or tells of another person."""
_REQUESTS = late(r"(?i)\b(?:asked|asks|wanted to know|wondered|begged)\b")
_GRANTS = late(
    r"(?i)\b(?:i|we) (?:(?:said|told (?:him|her|them)|answered) (?:yes|sure|ok(?:ay)?|fine|of course|to)\b"
    r"|agreed\b|did say yes\b|(?:let|allowed) (?:him|her|them)\b)(?![^.!?]*\b(?:but|if|unless)\b)"
)
"""Patterns of a request told, and of a yes to it: `he asked could he start in January. I said yes.`"""
_OWNED = late(r"(?i)\b(?:my|our)\s+(?:[\w'’]+\s+){0,2}$")
_WORD = late(r"[\w'’-]+")


def clause_against(
    category: str, told: str, support: FactSupport, key: str = "", names: Sequence[str] = ()
) -> str:
    """Return why the clause of a fact's words does not bear its value, in those words; "" where it may.

    `told` is what else the fact says: its name and its statement; `key` is its name alone, and `names` are
    the user's. A fact may deny, suppose or name somebody itself, and is then as it was said.
    """
    of_oneself = category in OF_ONESELF or (
        category == "context" and OF_SELF.fullmatch(key.replace("_", " ")) is not None
    )
    if (is_unspaced(support.value) or is_east_asian(support.value)) and support.source is not None:
        turns = [one.turn.text for one in support.source.said]
        said = f"{told} {support.value}"
        clause, verb = unspaced_against(support.value, said, turns)
        if verb:
            return f"“{one_line(clause, _SHOWN)}” {verb} it"
        kin = tells_of_kin(support.value, said, turns) if of_oneself else ""
        return f"“{one_line(kin, _SHOWN)}” {ELSE}" if kin else ""
    mine = _words(support.value)
    clauses = [(_words(one, mine), one) for one in _clauses(support)]
    # the last word is what a value comes to: `allergic to nuts`, `not to eggs`
    ends = (_words(word[0], mine) for word in reversed(list(_WORD.finditer(even(support.value)))))
    last = next((end for end in ends if any(end & words for words, _ in clauses)), frozenset[str]())
    shared = [(len(mine & words), one) for words, one in clauses if last & words]
    most = max((number for number, _ in shared), default=0)
    said = f"{told} {support.value}"
    found = [
        _against(one, mine, said, support)
        or _of_status(one, mine, said, category, support)
        or _of_anothers_kin(one, said, (category, key), (*names, *_speakers(support)), support)
        or (
            _of_another(one, mine, said, (category, key), (*names, *_speakers(support)), support)
            if of_oneself
            else ""
        )
        for number, one in shared
        if number == most
    ]
    against = found[0] if found and all(found) else ""
    denying = [one for number, one in shared if number == most]
    if against.endswith(DENIED) and _is_told_elsewhere(support.value, denying, [one for _, one in clauses]):
        return ""
    return "" if against.endswith(_ONLY) and _is_granted(support) else against


def _is_told_elsewhere(value: str, denying: Sequence[str], clauses: Sequence[str]) -> bool:
    """Return whether a clause that denies nothing has words of a value that the denying ones have not.

    `without touching Baba's £3,000, which has gone to him` denies nothing of the money that has gone.
    """
    if any(_CONTRASTS.match(one) for one in denying):
        return False
    mine = _plain_words(value)
    denied = frozenset(word for one in denying for word in _plain_words(one))
    plain = (one for one in clauses if one not in denying and not _DENIES.search(one))
    return any((_plain_words(one) & mine) - denied for one in plain)


def _plain_words(text: str) -> frozenset[str]:
    """Return all words of a text that are no particles."""
    return frozenset(
        one for word in _WORD.findall(even(text)) if len(one := word.casefold()) >= _LEAST_LETTERS
    )


_LEAST_LETTERS = 4
_CONTRASTS = late(r"(?i)\W*(?:(?:and|but) )?not\b")
"""Pattern of a clause that denies of one thing what was said of another: `allergic to nuts, not to eggs`."""


def _is_granted(support: FactSupport) -> bool:
    """Return whether the words for a fact tell of a request, and that the speaker said yes to it."""
    if support.source is None or not _REQUESTS.search(even(support.words)):
        return False
    wanted = quote_key(even(support.words)).strip()
    for turn in support.source.said:
        text = even(turn.turn.text)
        every = [text[start:end] for start, end in sentences(text)]
        asked = [place for place, one in enumerate(every) if _REQUESTS.search(one)]
        for place in asked:
            told = " ".join(every[place : place + 2])
            key = quote_key(told)
            if (wanted in key or quote_key(every[place]).strip() in wanted) and _GRANTS.search(told):
                return True
    return False


def _words(text: str, wanted: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the words a value is looked up by: its telling ones, or all of one that has none.

    `wanted` are those of the value that a text is compared with.
    """
    found, every = telling(text), frozenset(one[0].casefold() for one in _WORD.finditer(even(text)))
    return found | (wanted & every) if wanted else found or every


def whole_words(support: FactSupport) -> str:
    """Return the sentence of a fact's words, or the words themselves where they are of several places."""
    around = sentences_around(support.words, support.source) if support.source is not None else ()
    return one_line(around[0]) if around else support.words


def _clauses(support: FactSupport) -> list[str]:
    """Return the clauses of every sentence in which words of a fact stand, questions left out."""
    return [clause for one in _sentences(support) for clause in _split(one)]


def _sentences(support: FactSupport) -> list[str]:
    """Return the sentences in which words of a fact stand, questions left out."""
    if support.source is None:
        return []
    parts = [even(part) for part in support.words.split(" / ")]
    words = [part[start:end] for part in parts for start, end in sentences(part)]
    around = dict.fromkeys(one for part in words for one in sentences_around(part, support.source))
    return [one for one in around if not one.endswith("?")]


def _split(sentence: str) -> Iterator[str]:
    """Yield the clauses of a sentence; one about what will be stays together with a condition behind it."""
    clauses: list[str] = []
    told: list[str] = []
    for one in _CLAUSE.split(_POLITE.sub(" ", sentence).strip()):
        told += [one] if _SUPPOSES.search(one) else _NEXT_SUBJECT.split(one)
    for clause in filter(None, told):
        if clauses and _ONLY_SUPPOSES.fullmatch(clauses[-1]):
            clauses[-1] = f"{clauses[-1]} {clause}"
        else:
            clauses.append(clause)
    for clause, following in zip(clauses, [*clauses[1:], ""], strict=True):
        if _TO_COME.search(clause) and _CONDITION.match(following):
            yield f"{following.strip(' .!')} {clause}"
        else:
            yield clause


def _last_of_first(places: Sequence[re.Match[str]]) -> int:
    """Return where each word has stood once: in `slack water now not low water`, before the no."""
    first: dict[str, int] = {}
    for one in places:
        first.setdefault(one[0].casefold(), one.start())
    return max(first.values())


def _as_said(clause: str, words: str) -> str:
    """Return a clause, or the words of the chat that it is of, where these are written in short."""
    plain = clause.strip()
    written = plain.casefold() in even(words).casefold()
    return words if not written and quote_key(plain).strip() in quote_key(words) else plain


def _against(clause: str, mine: frozenset[str], said: str, support: FactSupport) -> str:
    """Return what a clause is, where a fact is said to be so in it; "" where it is said to be so."""
    places = [one for one in _WORD.finditer(clause) if _words(one[0], mine) & mine]
    if not places:
        return ""
    before, until = clause[: places[0].start()], clause[: _last_of_first(places)]
    shown = one_line(_as_said(clause, support.words), _SHOWN)
    # whom or what somebody calls their own is so, whatever is denied of it
    if not _OWNED.search(before):
        between = any(
            one.start() < places[-1].start() < one.end() for one in _DENIES_BETWEEN.finditer(clause)
        )
        denies = between or _DENIES.search(until) or _DENIES_BEHIND.fullmatch(clause, places[-1].end())
        if denies and not _SAYS_NO.search(said):
            return f"“{shown}” {DENIED}"
        if _WEIGHS.search(clause) and _FIRMLY.search(said) and not _WEIGHS.search(said):
            return f"“{shown}” only thinks of it"
        # the German `will` leaves open what the English one settles
        open_said = _WILL.sub(" ", said) if _IN_ENGLISH.search(clause) else said
        if _SUPPOSES.search(until) and not _SAYS_MAYBE.search(open_said):
            return f"“{shown}” {_ONLY}"
    return ""


def _of_status(clause: str, mine: frozenset[str], said: str, category: str, support: FactSupport) -> str:
    """Return how the sentence of a clause gives what a fact tells as so: it doubts it, or dreamt it."""
    sentence = _sentence_of(clause, support)
    at = sentence.index(clause.strip())
    places = [one for one in _WORD.finditer(clause.strip()) if _words(one[0], mine) & mine]
    if not places:
        return ""
    start, end = at + places[0].start(), at + places[-1].end()
    status = read_status(sentence, start, end, said, category)
    return f"“{one_line(_as_said(sentence, support.words), _SHOWN)}” {status}" if status else ""


def _of_another(  # noqa: PLR0913 (a clause, and all that the fact in it says)
    clause: str,
    mine: frozenset[str],
    said: str,
    name: tuple[str, str],
    names: Sequence[str],
    support: FactSupport,
) -> str:
    """Return what a clause is, where it tells of another what a fact tells of the user; "" otherwise."""
    places = [one for one in _WORD.finditer(clause) if _words(one[0], mine) & mine]
    if not places:
        return ""
    category, key = name
    before = clause[: places[0].start()]
    whose = SOMEBODY.match(before)
    if whose is not None and not SAYS_I.search(before[whose.end() :]):
        named = any(re.search(rf"\b{name}\b", said) for name in _NAME.findall(before[whose.start() + 2 :]))
        against = not (named or OTHER.search(said))
    else:
        # what happened to another is of both, and told without a name: `she paid it back`
        against = category != "history" and tells_of_another(before, clause, said, key, names)
    return f"“{one_line(_as_said(clause, support.words), _SHOWN)}” {ELSE}" if against else ""


def _of_anothers_kin(
    clause: str, said: str, name: tuple[str, str], names: Sequence[str], support: FactSupport
) -> str:
    """Return what a clause is, where somebody else's relation in it is told as the user's; "" otherwise."""
    category, key = name
    if category in ("own", "history") or support.source is None:
        return ""
    sentence = _sentence_of(clause, support)
    turns = " ".join(even(one.turn.text) for one in support.source.said)
    theirs = is_anothers_kin((clause, sentence, turns), key, said, names)
    return f"“{one_line(_as_said(sentence, support.words), _SHOWN)}” {ELSE}" if theirs else ""


def _sentence_of(clause: str, support: FactSupport) -> str:
    return next((one for one in _sentences(support) if clause.strip() in one), clause)


def _speakers(support: FactSupport) -> Sequence[str]:
    return [one.turn.speaker for one in support.source.said] if support.source is not None else ()
