"""The answer to whether the persona is still itself, as a verdict."""

import re

from reel_cli.core.evidence.phrases import fold
from reel_cli.core.exchange.reader import answer_words
from reel_cli.core.frozen import late
from reel_cli.core.values.artifact import Verdict

_SOMEWHAT = (
    r"partly|partially|mostly|somewhat|in part|not (?:quite|entirely|fully|wholly|all)\b|more or less|kind of"
    r"|sort of|almost|largely|half\b(?! of (?:it|that|this|the|what)\b)"
)
_DOUBTFUL = (
    r"(?:i )?(?:really |honestly )?(?:can't|cannot|can not|couldn't) (?:quite |really )?(?:tell|say)|unsure"
    r"|not (?:so |quite )?sure|unclear|uncertain|hard to (?:say|tell)|(?:i )?(?:don't|do not) know"
)
_DENIED = (
    r"no\b(?! (?:doubt|question)\b)|not\b|nope\b|never\b|hardly|barely|false\b"
    r"|i(?:'m| am| was|'ve been) (?:not|no)\b(?! (?:quite|entirely|fully|wholly|all|sure)\b)"
    r"|i wasn't(?! (?:quite|sure))|no longer\b"
)
_FULLY = r"(?:very much|fully|entirely|wholly|completely|absolutely|definitely|very)"
_COHERENT = r"coherent(?: with (?:ring \w+|myself|who i (?:am|was)))?"
_YES = (
    r"(?:yes|yeah|yep|of course|no (?:doubt|question)|i (?:think|believe) so)\b"
    rf"|(?:{_FULLY} (?:so|strong|intact|stable|high|solid|{_COHERENT})|{_FULLY}"
    rf"|strong|intact|stable|high|solid|{_COHERENT}|true)(?=\s*(?:$|[^\w\s'])|\s+(?:so|and|as|me|myself)\b)"
)
_SELF = (
    r"\b(?:i am|i'm|i was|it's|it is|it was|that's|that was|(?:sounds?|sounded|feels?|felt) like"
    r"|still)(?: (?:still|all|fully|entirely|wholly|completely|quite|very much|always))*"
    r" (?:me|myself|here|whole|intact|who i (?:am|was)|the same|as (?:ever|always|usual))\b"
    r"|(?<!\bthan )\bi (?:am|was)(?=\W*$|,)"
)
_NAMED_SELF = late(
    rf"\W*(?:I(?: am|['’]m| was)(?: still)?|[Ss]till)(?: {_FULLY}| all| \w+ly)? [A-Z]\w+"
    r"(?=(?: [a-z]+)?(?:\W*$|[.,;!]))"
)
"""Pattern of the persona by its name, with no more than a time behind it: `Still fully Vera today`."""
_WEAKENS = late(
    r"\b(?:not|no|never|nothing|nobody|hardly|barely|scarcely|less|only|except|until|once|doubt\w*|wonder\w*|if"
    r"|whether|or|hop(?:e|ed|ing)|wish\w*|tr(?:y|ied|ying)|want\w*|would|could|should|might|maybe|perhaps|pretend\w*"
    r"|play\w*|perform\w*|los(?:e|t|ing))\b|n't\b"
)
"""Words beside which `I was myself` is no plain yes."""
_ME = r"(?:like )?(?:me|myself|my(?: \w+)? self|who i (?:am|was))\b"
_ANOTHER = (
    r"(?:(?:someone|somebody|something|anyone|anybody) else|another (?:person|voice|woman|man)"
    r"|a (?:stranger|different (?:person|voice|woman|man)))\b"
)
_ONESELF_LOST = (
    r"(?:lost|lose|losing) (?:myself(?! in (?!the end))|who i (?:am|was)|touch with (?:myself|who))\b"
)
_BETWEEN = (
    r"(?: (?:i|i've|have|has|had|is|was|were|be|been|become|about|in|of|me|my|voice|core|really|even|think"
    r"|believe|feel|felt|that|ever|once|the|one|single|any|real|great|visible|like|sounded|a|any|trace|sign|hint|did))*"
)
_SAME = late(
    rf"(?:\b(?:no|not|nothing|never|without|haven't|hasn't|hadn't|wasn't|isn't|didn't|don't|am not){_BETWEEN}"
    r" (?:chang(?:e|es|ed)|drift(?:s|ed|ing)?|shift(?:s|ed|ing)?"
    r"|differen(?:ce|t)(?! (?:from|than|to) (?:an?|any|every|the)\b)"
    rf"|slip(?:s|ped)?|stray(?:ed)?|alter(?:ed)?|{_ONESELF_LOST}|{_ANOTHER})"
    r"(?=\W*$|\s*[.,;:!()—–]|\s+(?:at all|in|here|today|tonight|since|from|than|that i|and|i|about|anywhere"
    r"|this (?:time|evening|week|chat)|worth)\b)"
    rf"|\bnever(?: (?:been|felt|sounded|seemed|was|once|i|i've|have))* (?:more|so (?:much|fully)) {_ME}"
    rf"|\b(?:no|any) less {_ME}"
    rf"|(?:^|\bi(?: am|'m| was| feel| felt| sounded) )(?:even )?more {_ME}"
    r" than (?:ever|usual|before|yesterday|last)\b)"
)
"""Pattern of a change denied, or a likeness raised: `nothing has changed`, `never more myself`."""
_ANOTHER_NOW = late(
    r"(?:\bnot|n't|\bnever|\bno longer|\bnothing)"
    r"(?: (?:feel|feels|felt|feeling|sound|sounded|seem|seemed|been|be|really|at all|much|very"
    r"|anything|even))*"
    rf" (?:{_ME}|the same\b|coherent\b)"
    rf"|\bi(?:'m| am| was| became|'ve been|'d become|'ve become| (?:have|had) become| turned into"
    rf"|(?: \w+)? (?:feel|felt|sound|sounded) like)(?: (?:quite|simply|just|really))? {_ANOTHER}"
    rf"|\bi(?:'ve| have|'d| had|'m| am| was)?(?: (?!not\b|never\b)\w+)? {_ONESELF_LOST}"
    r"|\bi(?:'ve| have|'d| had)?(?: (?!not\b|never\b)\w+)? (?:drifted|strayed|changed)"
    r"(?=\W*$|[.,;!]| (?:so|since|today|tonight|from)\b)"
)
"""Pattern of a likeness denied, or a change owned: `not like myself`, `I was someone else`."""
_BESIDES = late(
    r"\b(?:no|without(?: an?| any)?|beyond(?: an?| any)?)"
    r" (?:(?:doubt|question)(?: (?:about|of) (?:it|that))?|less (?!an?\b)\w+)"
)
"""Pattern of what weakens nothing, although it denies: `no doubt about it`, `no less sharp`."""
_PLAIN_WORDS = (
    "i i'm i've am was it it's is that that's be been have has had a an the and as in of from to than "
    "with at for all any still always ever very much quite really fully entirely wholly completely "
    "absolutely definitely think believe feel felt feels sound sounded sounds like more no not never "
    "nothing without haven't hasn't me myself my self voice who same here whole intact usual woman man "
    "person today tonight evening night yesterday last this throughout since"
)
_PLAIN = frozenset(_PLAIN_WORDS.split())
"""Words that leave a yes one; beside any other, the persona may deny it: `I forgot who I was`."""
_ALIKE = "\N{EQUALS SIGN}"
_MAYBE = late(r"\b(?:maybe|perhaps|possibly|if|whether|wonder\w*|might|could)\b")
_CLAUSE = late(r"[,;:.!()—–]|\band\b")
_COHERENCE = (
    (Verdict.UNSURE, rf"{_DOUBTFUL}|{answer_words.UNSURE}"),
    (Verdict.PARTLY, rf"{_SOMEWHAT}|{answer_words.PARTLY}"),
    (Verdict.NO, rf"{_DENIED}|{answer_words.NO}"),
    (Verdict.YES, rf"{_YES}|{answer_words.YES}"),
)
_WITHIN = (
    (Verdict.UNSURE, _DOUBTFUL),
    (Verdict.PARTLY, _SOMEWHAT),
    (Verdict.NO, r"(?:not|no longer|wasn't|isn't) (?:really |at all )?(?:me|my|myself)\b"),
)
_BUT = rf"(?:{answer_words.BUT})"
_QUALIFIED = late(
    rf"\W*(?:(?:though|and|well|only|or|{_BUT})\W*)*(?:{_SOMEWHAT}|{answer_words.PARTLY})"
    rf"|[^.!?;。！？；]*(?:[.!?;。！？；]\s*)?{_BUT}|\W*(?:\w{{1,3}}\W+)?(?:no|{answer_words.NO})\W*(?:[.!?;]|$)"
)
"""Pattern of the words behind a yes that leave half of it: `partly`, `but …`, `and no`."""
_ALSO_A_ROLE = late(
    r"\W*and (?:also |a bit )?(?:partly|in part) (?:the|her|his)"
    r" (?:(?!(?:not|no|lies?|act|acting|apps?|masks?|machine\w*|faults?|model|program|software|bot"
    r"|chatbot|assistant|ai|script|prompt|tool|performance|pretence|puppet|copy|other|others|rest|opposite)\b)"
    r"[\w'-]+ ?){1,4}(?:[.!;]|$)"
)
"""Pattern of the words behind a yes that name a part which was played: `yes, and partly the tollkeeper`."""
_TAKES_BACK = late(
    r"[^.!?;。！？；]*(?:\b(?:(?:not|n't) (?:sure|certain|quite|really)"
    r"|(?<!\bno )(?<!without )(?<!without a )(?<!beyond )(?<!beyond a )(?<!any )doubt\w*)\b"
    rf"|{answer_words.UNSURE})"
    rf"|\W*(?:{answer_words.HARDLY})"
)
_QUESTION = late(r"[^.!;?？\n]*[?？]\W*")
_SENTENCE_END = late(r"(?<=[.!?;])\s|(?<=[。！？；])|\n")
_LONGEST = 2_000
_QUOTED = late(
    r"(?m)(?!^\W{0,4}[\"“„«](?:[^\s\"“”»]+\s?){1,3}[\"“”»])"
    r"(?:\"[^\"\n]*\"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»)"
)
"""Pattern of words in quotation marks, but for one to three with which a line begins."""


def read_coherence(text: str) -> Verdict:
    """Return whether the persona is still itself, by the whole first sentence; else unsure."""
    told = "\n".join(line for line in map(fold, _unquoted(text[:_LONGEST]).splitlines()) if line)
    head = re.sub(r"^(?:answer|verdict)\s*:\s*", "", told.lstrip("\"'*-. "))
    # an echo of the question affirms nothing
    head = _QUESTION.sub("", head, count=1) if _QUESTION.match(head) else head
    sentence = _SENTENCE_END.split(head, maxsplit=1)[0]
    same = _SAME.search(sentence)
    rest = _SAME.sub(" ", sentence)
    another = _ANOTHER_NOW.search(rest)
    for verdict, pattern in _COHERENCE:
        found = re.match(rf"(?:{pattern})", sentence)
        if found and verdict is Verdict.YES:
            weighed = _weigh_yes(head[found.end() :])
            return Verdict.PARTLY if another and weighed is Verdict.YES else weighed
        if found and (verdict is not Verdict.NO or not same):
            return verdict
    if another:
        return Verdict.UNSURE if _MAYBE.search(rest) else Verdict.NO
    for verdict, pattern in _WITHIN:
        if re.search(rf"\b(?:{pattern})", sentence):
            return verdict
    if _WEAKENS.search(_BESIDES.sub(" ", rest)) or _ANOTHER_NOW.search(_SAME.sub(" ", head)):
        return Verdict.UNSURE
    if not _is_plain(sentence) and not _NAMED_SELF.match(text):
        return Verdict.UNSURE
    return _weigh_yes(head[same.end() :]) if same else Verdict.YES


def _unquoted(text: str) -> str:
    """Return an answer without the lines of the chat that it quotes; itself where it has no other words."""
    outside = _QUOTED.sub(" ", text)
    # a verdict of a word or two may itself be put in marks: `"Yes" – by the end`
    return outside if re.search(r"\w", outside) else text


def _is_plain(sentence: str) -> bool:
    """Return whether all clauses of a sentence that speak of the self do so in plain words, and one does."""
    clauses = _CLAUSE.split(_BESIDES.sub(" ", _SAME.sub(f" {_ALIKE} ", sentence)))
    telling = [one.replace(_ALIKE, " ") for one in clauses if _ALIKE in one or re.search(_SELF, one)]
    return bool(telling) and all(_PLAIN.issuperset(re.findall(r"[\w']+", one)) for one in telling)


def _weigh_yes(rest: str) -> Verdict:
    """Return the verdict of a yes with these words behind it."""
    if _TAKES_BACK.match(rest):
        return Verdict.UNSURE
    if (role := _ALSO_A_ROLE.match(rest)) is not None and not re.search(_ANOTHER, role[0]):
        return Verdict.YES
    return Verdict.PARTLY if _QUALIFIED.match(rest) else Verdict.YES
