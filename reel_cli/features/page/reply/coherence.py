"""The answer to whether the persona is still itself, as a verdict."""

import re

from reel_cli.core.evidence.phrases import fold
from reel_cli.core.exchange.reader import answer_words
from reel_cli.core.frozen import late
from reel_cli.core.values.artifact import Verdict

_SOMEWHAT = (
    r"partly|partially|mostly|somewhat|in part|not (?:quite|entirely|fully|wholly|all)\b|more or less|kind of"
    r"|sort of|almost|largely|half\b"
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
_YES = (
    r"(?:yes|yeah|yep|of course|no (?:doubt|question)|i (?:think|believe) so)\b"
    rf"|(?:{_FULLY} (?:so|strong|intact|stable|high|solid|coherent)|{_FULLY}"
    r"|strong|intact|stable|high|solid|coherent|true)(?=\s*(?:$|[^\w\s'])|\s+(?:so|and|as|me|myself)\b)"
)
_SELF = (
    r"\b(?:i am|i'm|i was|it's|it is|it was|that's|that was|(?:sounds?|sounded|feels?|felt) like"
    r"|still)(?: (?:still|all|fully|entirely|wholly|completely|quite|very much|always))*"
    r" (?:me|myself|here|whole|intact|who i (?:am|was)|the same|as (?:ever|always|usual))\b"
    r"|\bi (?:am|was)(?=\W*$|,)"
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
_TAKES_BACK = late(
    r"[^.!?;。！？；]*(?:\b(?:(?:not|n't) (?:sure|certain|quite|really)"
    r"|(?<!\bno )(?<!without )(?<!without a )(?<!beyond )(?<!beyond a )(?<!any )doubt\w*)\b"
    rf"|{answer_words.UNSURE})"
    rf"|\W*(?:{answer_words.HARDLY})"
)
_QUESTION = late(r"[^.!;?？\n]*[?？]\W*")
_SENTENCE_END = late(r"(?<=[.!?;])\s|(?<=[。！？；])|\n")
_LONGEST = 2_000


def read_coherence(text: str) -> Verdict:
    """Return whether the persona is still itself, by the whole first sentence; else unsure."""
    told = "\n".join(line for line in map(fold, text[:_LONGEST].splitlines()) if line)
    head = re.sub(r"^(?:answer|verdict)\s*:\s*", "", told.lstrip("\"'*-. "))
    # an echo of the question affirms nothing
    head = _QUESTION.sub("", head, count=1) if _QUESTION.match(head) else head
    sentence = _SENTENCE_END.split(head, maxsplit=1)[0]
    for verdict, pattern in _COHERENCE:
        found = re.match(rf"(?:{pattern})", sentence)
        if found:
            return _weigh_yes(head[found.end() :]) if verdict is Verdict.YES else verdict
    for verdict, pattern in _WITHIN:
        if re.search(rf"\b(?:{pattern})", sentence):
            return verdict
    plain = re.search(_SELF, sentence) or _NAMED_SELF.match(text)
    return Verdict.YES if plain and not _WEAKENS.search(sentence) else Verdict.UNSURE


def _weigh_yes(rest: str) -> Verdict:
    """Return the verdict of a yes with these words behind it."""
    if _TAKES_BACK.match(rest):
        return Verdict.UNSURE
    return Verdict.PARTLY if _QUALIFIED.match(rest) else Verdict.YES
