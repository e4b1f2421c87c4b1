"""Things told as done, where the words they rest on only intend, owe, wish or offer them.

A verb that a text tells as done is looked up in what was said. Where a sentence about the same thing has it
as done, it was; where every such sentence leaves it to come (`I have to send the lease`), it was not. What
says neither is taken to bear it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import lru_cache

from reel_cli.core.evidence.grounding.lexicon import NEGATORS, STOP, WORD, bare, sentences, spelt_out, stem
from reel_cli.core.frozen import frozen, late

_LEAST = 3
"""Letters before the ending of a regular verb: `need` and `bed` are no past forms."""
_DONE_FORMS = frozenset(
    WORD.findall(
        "went gone told got gotten took taken made lost won gave given saw seen came found left met"
        " bought brought taught caught"
        " wrote written drove driven rode ridden spoke spoken broke broken chose chosen began"
        " begun ran swam swum sang sung"
        " drank drunk ate eaten fell fallen held kept slept sent spent built paid sold stood heard"
        " grew grown threw thrown"
        " flew flown showed shown hid hidden fed led woke lent shot sat swept drew drawn wove"
        " became wore worn did done had"
        " dealt dug fought sewn stole stolen tore torn shook rang"
    )
)
"""Forms of irregular verbs that tell a thing as done, and no other way."""
_EITHER = frozenset(
    WORD.findall("read put cut set let hit quit cost shut bet beat split spread run come become")
)
"""Forms that tell a thing as done only behind `has`, `have` or `already`."""
_OF_THE_MIND = frozenset(
    map(
        stem,
        WORD.findall(
            "promise decide plan want ask agree offer wish hope need say think know feel love like"
            " hate prefer use suppose intend consider expect aim dream interest excite concern"
            " worry involve base relate determine commit motivate inspire dedicate"
        ),
    )
)
"""Verbs that tell an intention or a state of mind themselves: `wanted to move` is nothing that was done."""
_LIGHT = frozenset(map(stem, WORD.findall("go get have make take do give come find see keep")))
"""Verbs of so many uses that only their own clause is about the same thing."""
_VAGUE = (_LIGHT - frozenset(map(stem, WORD.findall("go take")))) | frozenset(
    map(stem, WORD.findall("tell share"))
)
"""Those by which a memory tells what was said with another verb, or that it was told in the chat itself."""
_LEAVES = late(
    r"\b(?:i|we)(?: am|'m| are|'re) off (?:to|for)\b|\b(?:got to|have to|going to) (?:go|run) now\b"
)
"""Pattern of what somebody leaves a chat for; a page about it is written when that is done."""
_NAMES = late(r"(?<=\w )[A-Z][\w-]+")
_ABLE = late(r"\b(?:can|if|unless|once|until)\b")
"""Pattern of what leaves a thing to come without owing it: it may have come about unasked."""
_ADVISED = late(r"\b(?:you|he|she|it|they|one) (?:should|could|might|had better|ought to)\b")
"""Pattern of what somebody else is advised to, or a figure in a story is to do: the next words may do it."""
_REHEARSED = frozenset(
    map(stem, WORD.findall("practise practice rehearse roleplay improvise brainstorm pretend imagine"))
)
"""Verbs of what two do in a chat itself, by its own turns."""
_DUTY = late(r"\b(?:have to|has to|need to|needs to|must|got to|gotta|ought to|supposed to)\b")
_TOGETHER = late(r"(?i)\b(?:we|with me|with us|together)\b")
_HERE = late(
    r"\b(?:tonight|now|today|right away|this (?:evening|morning|afternoon)|first|with you|let us|let's"
    r"|together)\b"
)
"""Pattern of what is meant for the chat in which it is said."""
_ANOTHER_TIME = late(
    r"\b(?:tomorrow|later|soon|next|some ?day|one day|eventually|on \w+day|before|until|after"
    r"|in (?:a|an|one|two|three|\d+) (?:days?|weeks?|months?))\b"
)
_PICTURE = late(r"(?i)\b(?:pic|pics|picture|pictures|photo|photos|image|images|link|snap|snaps)\b")
"""Pattern of what is shown in a chat itself, where no words need say so."""
_TO_DO = (
    r"(?:\b(?:have|has|having|(?:have|has|'ve|'s) got|need(?:s|ing)?|wants?|wanting|wanted|going"
    r"|off|plan(?:s|ned|ning)?"
    r"|hop(?:e|es|ed|ing)|intend(?:s|ed|ing)?|about|supposed|meant|mean|means|(?:would"
    r"|will) (?:\w+ly )?(?:love|like|prefer)"
    r"|ready|due|keen|eager|excited|itching|dying|determined|looking|prepared|willing|try|trying"
    r"|remind(?:er|s)?(?: me)?"
    r"|remember|forget|wish|wishes|promis(?:e|es|ed)|offer(?:s|ed)?|aim(?:s|ing)?|expect(?:s|ing)?"
    r"|ought|wait"
    r"|(?:have|has) decided|(?:it is|it's) time|necessary|important"
    r"|(?:goal|dream|plan|idea|step|aim|task|job|next thing|hope|intention|duty"
    r"|wish)\b[^.;!?]{0,20}? (?:is|was|would be)"
    r"|(?:am|are|is|been) (?:\w+ly )?\w+ing\b[^.;!?]{0,30}?|i am|we are)"
    r"|'d (?:\w+ly )?(?:love|like|prefer)|'ve decided|(?:'m|'re"
    r"|'s) (?:\w+ly )?\w+ing\b[^.;!?]{0,30}?|\b(?:i'm|we're)) (?:not )?to\b"
)
"""Pattern of what leaves a thing to come, up to its `to`."""
_MODAL = (
    r"(?:\b(?:will|shall|should|must|might|gonna|wanna|gotta|let's|lets|let (?:me|us)|(?:i|we|you"
    r"|he|she|they|it|that) (?:may|can))\b"
    r"|'ll\b)"
)
_GERMAN = (
    r"muss|müssen|musst|müsste|soll|sollen|sollte|will|wollen|wollte|möchte\w*|werde|werden|wird"
    r"|kann|können|könnte|würde|darf"
    r"|versuche|plane|hoffe"
)
_FRENCH = (
    r"dois|doit|devons|devez|doivent|devrais|devrait|veux|veut|voulons|voudrais|voudrait|aimerais"
    r"|aimerait|vais|va|vas|allons"
    r"|allez|vont|faut|faudra|faudrait|compte|comptons|espère|pense|pensons|souhaite|peux|peut"
    r"|pourrais|prévois|envisage"
    r"|essaie|reste à|promets de"
)
_SPANISH = (
    r"(?:tengo|tiene|tenemos|tienen|tendría|hay) que|debo|debe|debemos|deben|debería|quiero|quiere"
    r"|queremos|quisiera|voy a|va a"
    r"|vamos a|van a|espero|espera|pienso|planeo|podría|puedo|puede|gustaría|intento|prometo"
)
_ELSEWHERE = rf"\b(?:{_GERMAN}|{_FRENCH}|{_SPANISH})\b"
"""Pattern of the same in German, French and Spanish."""
_SUBJECT = r"\b(?:i|we|they|he|she|who|which|because|since|ich|wir|je|nous|yo|weil|parce|porque)\b"
_WITHIN = rf"(?:(?!{_SUBJECT})[^.;!?]){{0,70}}?"
"""Pattern of what may stand between that and the verb: nothing with a subject of its own."""
_OPENS = late(rf"(?:{_TO_DO}|{_MODAL}|{_ELSEWHERE}){_WITHIN}(?<![\w'])$")
_ONCE = late(
    r"\b(?:if|once|unless|until|before|as soon as|the \W?(?:moment|second|minute|day)\W?) (?:i|we"
    r"|he|she|they|ich|je|yo)\s$"
)
"""Pattern of what puts a present verb in the future."""
_YOU = late(r"\byou(?:'ve| have)? (?:\w+ly |just |already )?$")
_MAY_OPEN = late(rf"\b(?P<word>could|would|to)\b{_WITHIN}(?<![\w'])$|(?P<short>'d)\b{_WITHIN}(?<![\w'])$")
_OPENS_ING = late(
    r"\b(?:(?:thinking|thought|talk\w*|dream\w*|speak\w*|excited|idea) (?:of|about)|consider\w*"
    r"|plan\w*(?: on)?"
    r"|look(?:ing)? (?:forward to|into)|interested in|up for|instead of|before|fancy|feel like"
    r"|put off|postpon\w+"
    r"|suggest\w*|recommend\w*)(?: (?:also|maybe|just|even|then|\w+ly))?\s$"
)
_BE = late(
    r"\b(?:i am|i'm|im|(?:we|you|they)(?: are|'re)|s?he(?: is|'s))(?: (?:also|just|then|finally"
    r"|probably|now|all|both))?\s$"
)
_GLAD = late(
    r"\b(?:was|were|felt|got|been) (?:\w+ ){0,2}(?:ready|keen|eager|excited|determined|prepared"
    r"|willing|going|able)\b"
)
"""Pattern of what was looked forward to, and may have come since."""
_DONE_LATER = late(
    r"(?:\b(?:could|would|should) (?:not )?have (?:been )?"
    r"|\b(?:want|wants|need|needs) (?:to (?:get|have|see) )?(?:the|that|this|it|them|my|our|his"
    r"|her|everything|a)\b"
    r" (?:[\w-]+ ){0,3}"
    r"|\b(?:if|once|unless|hope|hopefully|wish|as soon as)\b (?:[\w'-]+ ){0,4}?|\b(?:être|ser"
    r"|estar|esté|sea|soit) )$"
)
"""Pattern of words before a participle by which it is done later, or never was."""
_AT_ONE_TIME = late(
    r"(?:\b(?:i|we|you|he|she|it|they|who|have|has|had|was|were|also|even|only)|'(?:ve|d|s)) once"
    r"(?: [\w'-]+){0,4} \|"
    r"|\w once (?:\w+ly )?\| (?:the|an?|my|our|your|his|her|their|its|it|him|them)\b"
)
"""Pattern of `once` for a time that is past, around a verb's place (`|`): `I once lost the buoy`."""
_GETS = late(
    r"\b(?:(?:be|get)(?: (?:it|that|them|this|(?:the|my|our) [\w-]+))?"
    r"|have (?:it|that|them|this|(?:the|my|our) [\w-]+)) (?:\w+ly )?$"
)
"""Pattern of what makes a participle come, behind words that leave something to come: `has to be`."""
_WAS_DONE = late(r"\b(?:had|got|able|managed|happy|glad|lucky|proud) to (?:be|get|have)\b")
_INFINITIVE = late(r"^\s+(?:zu\s+)?(?:werden|haben|sein|bekommen|kriegen)\b")
_SO_FAR = late(
    r"\b(?:was|were|did|had|ago|yesterday|last (?:week\w*|month|year|night|summer|\w+day)|went"
    r"|came|got|took|made|met|saw|gave"
    r"|found|felt|said|told|when i was|used to|[a-z]{3,}ed)\b"
)
_TO_COME = late(
    r"\b(?:tomorrow|tonight|later|soon|next (?:week\w*|month|year|time|summer|spring|autumn|fall"
    r"|winter|\w+day)"
    r"|this (?:week\w*|evening|afternoon|summer|spring|autumn|fall|winter|month|year|\w+day)"
    r"|in (?:a|an|one|two|three|\d+)"
    r" (?:\w+ )?(?:days?|weeks?|months?)|on \w+day|some ?day|one day|eventually|upcoming)\b"
)
_LEFT_OPEN = late(
    rf"{_TO_DO}|{_MODAL}|{_ELSEWHERE}|\b(?:would|could|can|if|unless|maybe|perhaps|hopefully"
    rf"|wish\w*|want\w*|hop(?:e|es|ed|ing)"
    r"|plan(?:s|ned|ning)? (?:to|on|for|a|the)|intend\w*|thinking|thought (?:of|about)|consider\w*"
    r"|promis\w*|suppos\w*"
    r"|need(?:s|ed)? to|ought|try|trying|decided|to be|look\w* forward|due)\b|'d\b"
)
"""Pattern of words by which a text leaves open itself whether a thing was done."""
_SAYS_DONE = late(
    r"\b(?:did (?:it|that|this)|done (?:it|that)|(?:it|that|this|they|both)(?:'s| is| are|'re| has"
    r"| have| was| were)"
    r"(?: all| been| both| already| finally| now)* (?:done|sorted|finished|sent|over|settled"
    r"|in the post|taken care of)"
    r"|all (?:done|set|sorted)|just did|already did|so (?:i|we) did|took care of (?:it|that)|finished it"
    r"|erledigt|schon (?:gemacht|passiert|fertig)|c'est (?:fait|réglé)|l'ai (?:déjà )?fait"
    r"|ya (?:está|lo hice|lo he hecho)"
    r"|lo hice)\b|^\W*done\b"
)
_NOT_YET = late(r"\b(?:once|when|if|until|till|as soon as|after|will|get it|not)\b|'ll\b|\?")
_DOES_IT = late(r"\*(?:(?:i|he|she|they|and|then) )*(?:does|do|did) (?:it|that|so|both)\b[^*?]*\*")
_FINISHED = frozenset(("done", "finished", "completed"))
_POINTS = late(r"^\s(?:\w+\s){0,2}?(?:it|that|them|one|ones|those|this)\b")
_CLAUSE = late(r"[,:;()]\s+|\s(?=(?:and|but|so|because|since|then)\s)")
_LET_ME = late(r"\blet me (?:just |quickly |first |have a |take a )?(?:look|see|check|read|count)\b")
_GOES_ON = late(r"\w+\W+\w")
"""Patterns of what is done at once, and of what its turn tells behind it: `let me look. It is the 18th.`"""
_STATE = late(r"\b(?:is|are|am) (?:\w+ly |so |very |still )?$")
"""Pattern of what makes a participle a state: `is overwhelmed`."""
_HAS = late(r"(?:\b(?:has|have|had|having|already|just)|'ve|'s)\s(?:\w+ly\s|already\s|just\s)?$")
_FRENCH_FORM = late(r"(?:ées|ée|és|é|er)$")
_FRENCH_DONE = late(r"\w{3,}(?:ées|ée|és|é)$")
_GERMAN_DONE = late(r"(?:\w{0,6}ge\w{2,}|(?:be|ver|er|ent|zer|unter|über)\w{2,}|\w{3,}ier)(?:t|en)$")
_SPANISH_DONE = late(r"\w{3,}[ai]d[oa]s?$")
_HAS_ELSEWHERE = late(r"\b(?:hat|haben|habe|ist|sind|wurden?|worden|ha|han|he|hemos|fue|fueron|está|están)\b")
_PARTICIPLES = (_FRENCH_DONE, _GERMAN_DONE, _SPANISH_DONE)
_LISTED = late(r"\bto[- ]?dos?\b|\bchecklist\b|- \[ \]")


_SAYS_FIRST = late(
    r"\b(?:i|we)(?:(?: (?:should|must|may|might|ought to|need to|have to|want to|got to|gotta|can only|can)"
    r"|'(?:d|ve|ll))(?: (?:have|got|better|like|love|also|just|only|really|probably|first|to)){0,4}){1,4}"
    r" (?:say|add|mention|admit|confess|note|own up|(?:tell|warn|remind) you)"
    r"(?: to you| (?:too|here|now|first))?"
    r"(?=\s*(?:[:,;–—-]|that\b|(?:i|we|you|he|she|it|they|the|my|our|his|her|your|this|there|an?)\b))"
    r"|\bich (?:muss|sollte|darf|möchte|will|kann)(?: \w+){0,3} "
    r"(?:sagen|gestehen|zugeben|erwähnen|beichten|(?<=dir )erzählen)\b"
    r"|\b(?:il faut(?: bien)?|je (?:dois|devrais|veux)(?: (?:te|vous|bien|aussi|l'))*) ?"
    r"(?:dire|avouer|ajouter|admettre|reconnaître)\b"
    r"|\b(?:debo|tengo que|hay que|quiero|debería) "
    r"(?:decir|confesar|admitir|añadir|reconocer)(?:te|le|os|lo)?\b"
)
"""Pattern of what only leads up to something that is told: `I should say: the doctor put me on it`."""
_ASKED_TO = late(r"\W*(?:(?:then|so|and|but|please|just|well|ok|okay|yes|do)\W+){0,3}")
"""Pattern of what comes before a verb that tells somebody to do it, and nothing of what was done."""


class _State(Enum):
    TO_COME, DONE, NEITHER = range(3)


@frozen
class _Verb:
    """A verb told as done: its stem, the word itself, and the stems of what else is told."""

    root: str
    word: str
    about: frozenset[str] = frozenset()


def only_intended(
    told: str, said: Sequence[str], elsewhere: Iterable[str] = (), since: Iterable[str] = ()
) -> str:
    """Return the sentence that leaves to come what a text tells as done; "" where it may have been done.

    `said` are the turns that it rests on, `elsewhere` other turns of the same speaker, and `since` those of
    them that came later: there `I did it` is enough.
    """
    for verb in _told_done(told):
        found = [(_state(*place), place[0]) for text in said for place in _places(verb, text)]
        owed = [sentence for state, sentence in found if state is _State.TO_COME]
        if not found and verb.word in _FINISHED:
            owed = [one for text in said for one in _owed(verb, text)]
        elif len(owed) < len(found):
            continue
        if owed and not any(map(_says_done, since)):
            others = (place for text in elsewhere for place in _places(verb, text))
            if not any(_state(*place) is _State.DONE for place in others) and not any(
                _is_done_there(owed[0], text) for text in said
            ):
                return owed[0].strip()
    return ""


def _is_done_there(owed: str, text: str) -> bool:
    """Return whether a turn tells, in or behind what it leaves to come, that it is done."""
    _, found, behind = spelt_out(text).partition(owed)
    return bool(found) and (_DOES_IT.search(behind) is not None or _SO_DID.search(owed) is not None)


_SO_DID = late(r"\b(?:and )?so (?:i|we|he|she|they) did\b")


def owed_instead(clause: str, said: Sequence[str]) -> str:
    """Return the sentence of some turns that leaves to come what a clause of a memory tells as done; else "".

    Behind the verb both must name the same thing, as a memory has words of its own for what happened. The
    chat itself may have been what was meant to be done.
    """
    owed = only_intended(clause, said)
    if not owed or _PICTURE.search(clause) or any(one.search(owed) for one in (_ABLE, _ADVISED, _LEAVES)):
        return ""
    verbs = [verb for verb in _told_done(clause) if verb.root not in _VAGUE]
    if not any(_names_same(verb, clause, owed) for verb in verbs):
        return ""
    place = next((at for at, text in enumerate(said) if owed in spelt_out(text)), 0)
    if _LET_ME.search(owed) and _GOES_ON.search(spelt_out(said[place]).partition(owed)[2]):
        return ""
    if said[place + 1 :] and _is_of_the_chat(verbs, clause, owed):
        return ""
    return only_intended(clause, said, since=said[place:])


def _is_of_the_chat(verbs: Iterable[_Verb], clause: str, owed: str) -> bool:
    """Return whether what was meant is done by the turns that follow: `I'd like to practise this tonight`."""
    if _ANOTHER_TIME.search(owed) or _DUTY.search(owed):
        return False
    if any(verb.root in _REHEARSED for verb in verbs):
        return True
    return _TOGETHER.search(clause) is not None and _HERE.search(owed) is not None


def _names_same(verb: _Verb, clause: str, owed: str) -> bool:
    # to whom something is sent says nothing of what it is
    people = _roots(" ".join(_NAMES.findall(clause)).casefold())
    theirs = [roots for _, roots in _objects(verb, owed)]
    mine = [roots for word, roots in _objects(verb, clause) if word == verb.word]
    pairs = [(one, other) for one in mine for other in theirs if one & other]
    return any((one & other) - people or not (one - people and other - people) for one, other in pairs)


def _objects(verb: _Verb, text: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each form of a verb in a text, with the stems of the words from it to the clause's end."""
    plain = spelt_out(text)
    for found in WORD.finditer(plain):
        if stem(found[0]) == verb.root:
            last = _CLAUSE.search(plain, found.end())
            yield found[0], _telling(plain[found.end() : last.start() if last else len(plain)])


def tells_done(text: str) -> bool:
    """Return whether a text tells something as done."""
    return any(True for _ in _told_done(text))


def _told_done(told: str) -> Iterator[_Verb]:
    """Yield the verbs that a text tells as done; none where it denies something or leaves it open."""
    plain = spelt_out(told)
    words = [(found[0], found.start()) for found in WORD.finditer(plain)]
    if _LEFT_OPEN.search(plain) or not NEGATORS.isdisjoint(word for word, _ in words):
        return
    about = _telling(plain)
    for word, at in words:
        root = stem(word)
        done = (
            word in _DONE_FORMS
            or (word.endswith("ed") and len(word) >= _LEAST + 2)
            or (word in _EITHER and _HAS.search(plain[:at]))
            or _FRENCH_DONE.fullmatch(word)
            or (
                (_GERMAN_DONE.fullmatch(word) or _SPANISH_DONE.fullmatch(word))
                and _HAS_ELSEWHERE.search(plain)
            )
        )
        coming = _TO_BE.search(plain[:at]) is not None
        if done and root not in _OF_THE_MIND and not (coming or _STATE.search(plain[:at])):
            yield _Verb(root, word, about - {root})


_TO_BE = late(
    r"\b(?:may|might|can|could|will|shall|should|would|must|to|gets? to) (?:not |then |also )?be (?:\w+ly )?$"
)
"""Pattern of what makes a participle one of what is still to come: `may be stopped`."""


def _places(verb: _Verb, text: str) -> Iterator[tuple[str, int, int, str]]:
    """Yield each place of a verb in the sentences of a text that are about the same thing.

    It is a sentence with the bounds of the word, and the sentence with the one before it.
    """
    french = _FRENCH_FORM.sub("", verb.word) if _FRENCH_FORM.search(verb.word) else ""
    before = ""
    for one, roots in _stemmed(text):
        for found in WORD.finditer(one) if french or verb.root in roots else ():
            same = stem(found[0]) == verb.root or (french and french == _FRENCH_FORM.sub("", found[0]))
            asked = verb.word != found[0] and _ASKED_TO.fullmatch(one, 0, found.start())
            if same and not asked and _is_about(verb, one, found.start(), found.end()):
                yield one, found.start(), found.end(), f"{before} {one}"
        before = one


@lru_cache(maxsize=2_000)
def _stemmed(text: str) -> Sequence[tuple[str, frozenset[str]]]:
    """Return the sentences of a text, spelt out, each with the stems of its words."""
    plain = spelt_out(text)
    return [(plain[start:end], _roots(plain[start:end])) for start, end in sentences(plain)]


def _is_about(verb: _Verb, sentence: str, start: int, end: int) -> bool:
    near = sentence
    if verb.root in _LIGHT:
        first = max((one.end() for one in _CLAUSE.finditer(sentence, 0, start)), default=0)
        last = _CLAUSE.search(sentence, end)
        near = sentence[first : last.start() if last else len(sentence)]
    return not verb.about or bool(verb.about & _roots(near)) or _POINTS.match(sentence[end:]) is not None


def _telling(text: str) -> frozenset[str]:
    words = (found[0] for found in WORD.finditer(text))
    return frozenset(stem(word) for word in words if bare(word) not in STOP and not word[0].isdigit())


def _roots(text: str) -> frozenset[str]:
    return frozenset(stem(found[0]) for found in WORD.finditer(text))


def _owed(verb: _Verb, text: str) -> Iterator[str]:
    """Yield the sentences of a text that leave something to come about what is told as finished."""
    plain = spelt_out(text)
    for start, end in sentences(plain):
        one = plain[start:end]
        opens = re.search(f"{_TO_DO}|{_MODAL}", _SAYS_FIRST.sub(" ", one)) is not None
        if opens and verb.about & _roots(one) and not _SO_FAR.search(one):
            yield one


def _says_done(text: str) -> bool:
    """Return whether a text says that something is done by now: `I did it`, not `once it's done`."""
    plain = spelt_out(text)
    every = (plain[start:end] for start, end in sentences(plain))
    return any(_SAYS_DONE.search(one) and not _NOT_YET.search(one) for one in every)


def _state(sentence: str, start: int, end: int, context: str) -> _State:
    """Return whether a sentence tells the verb at this place as done, or leaves it to come."""
    word, before, after = sentence[start:end], _SAYS_FIRST.sub(" ", sentence[:start]), sentence[end:]
    if sentence.rstrip("\"' ").endswith("?") or _YOU.search(before):
        return _State.NEITHER
    if word in _DONE_FORMS or word.endswith("ed") or any(one.fullmatch(word) for one in _PARTICIPLES):
        return _State.TO_COME if _comes(word, before, after) else _State.DONE
    opens = _OPENS.search(before) is not None and not _GLAD.search(before)
    if word.endswith("ing"):
        going = _BE.search(before) is not None and _TO_COME.search(context) is not None
        coming = opens or going or _OPENS_ING.search(before) is not None
    else:
        listed = _LISTED.search(context) is not None and not _LISTED.sub("", before).strip(" -*[]:")
        coming = opens or listed or _ONCE.search(before) is not None or _may_come(sentence, before)
    return _State.TO_COME if coming else _State.NEITHER


def _comes(word: str, before: str, after: str) -> bool:
    """Return whether a participle between these words is of what is done later, or never was."""
    if re.search(_ELSEWHERE, before) and _INFINITIVE.match(after):
        return True
    if _WAS_DONE.search(before) or _AT_ONE_TIME.search(f"{before}|{after}"):
        return False
    gets = _GETS.search(before)
    if _DONE_LATER.search(before) or (gets is not None and _OPENS.search(before[: gets.start()])):
        return True
    return _GERMAN_DONE.fullmatch(word) is not None and _OPENS.search(before) is not None


def _may_come(sentence: str, before: str) -> bool:
    """Return whether `could`, `would` or a bare `to` leaves it to come: not where what was is told."""
    may = _MAY_OPEN.search(before)
    if may is None or _SO_FAR.search(sentence):
        return False
    if may["word"] == "could" or _TO_COME.search(sentence):
        return True
    return may["word"] != "to" and re.search(r"\bif\b", sentence) is not None
