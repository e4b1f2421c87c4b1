"""Words that hold always, as a person says them once: `Always answer in metric`, `From now on, call me Vi`.

A request that such words bear on shares no word with them, so they are kept apart from the ranking. English
only; in doubt a sentence holds for its own evening and is found like any other.
"""

from reel_cli.core.frozen import late
from reel_cli.core.sentence_end import split_sentences

_SIGNS = (
    "always", "never", "from now on", "going forward", "future", "prefer", "rather you", "call me",
    "address me", "t ever ", "keep your ", "ever you ", "every time you ",
)  # fmt: skip
"""Words without one of which the pattern matches nothing; looking for them is faster than trying it."""
_LONGEST_TURN = 2_000
"""Characters of a turn above which it is a text that was handed in, and not told."""
_LONGEST = 240
"""Characters of a sentence above which it says more than what holds always."""
_ANSWER = (
    "give|use|answer|reply|respond|write|call|tell|ask|show|put|include|add|say|explain|start|begin|end|keep|send"
    "|suggest|recommend|assume|remind|quote|translate|abbreviate|mention|list|convert|format|speak|address|make"
    "|cite|round|offer|propose|skip|avoid|talk|refer|mark|interrupt|correct|describe|mix|switch|shorten|repeat"
)
_NOT_WHEN = (
    r"(?! up\b| never\b"
    r"|(?<!answer)(?<!reply)(?<!respond)(?<!write)(?<!speak)(?<!talk) in\b)"
)
"""Pattern of what follows a verb of an order: `in` says in which way only behind those of speaking."""
_LEAD = r"(?:(?:and|but|so|oh|also|please|kindly|just|in general|you should|you must|you can),? )*"
_HOLDS = late(
    r"(?i)"
    rf"^{_LEAD}(?:always|never|don't ever|do not ever),? (?:please )?(?:{_ANSWER})\b{_NOT_WHEN}"
    r"|^(?:[a-z]+,? ){0,3}?(?:from now on|going forward|in (?:the )?future),? "
    rf"(?:(?:please|always|never|just|only) )*(?:{_ANSWER})\b"
    rf"|\b(?:please|could you|can you|would you|kindly) (?:always|never) (?:{_ANSWER})\b"
    rf"|^{_LEAD}(?:{_ANSWER})\b[^?]*\b(?:from now on|going forward|in future)$"
    rf"|^{_LEAD}(?:call|address) me (?!(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|an?\b|i\b)(?-i:[A-Z])\w+"
    rf"|^{_LEAD}i(?:'d)? (?:(?:always|generally|usually|much|strongly) )?prefer (?!if\b|that\b)"
    r"(?!.*\b(?:today|tonight|this time|tomorrow|here|this one|it)\b)"
    r"|\bi(?:'d| would) (?:always )?(?:like|want|rather have) (?:an?|the|your|you)\b"
    r".*\b(?:with every|each time|every time|always)\b"
    r"|\bi (?:should|would) always like\b|\bi'd rather you\b(?!.*\b(?:today|tonight|this time|tomorrow)\b)"
    rf"|^{_LEAD}keep your (?:answers|replies|responses|messages)\b"
    rf"|^{_LEAD}(?:every time|whenever) you\b.*\b(?:{_ANSWER})\b"
)
_SENTENCE = late(r"(?<=[.!?])\s+|\n+")
_REQUEST = late(
    r"(?i)^(?:(?:hi|hello|hey|ok|okay|so|and|now|please|well)\b,? )*"
    r"(?:(?:can|could|would|will) you\b"
    r"|(?:write|give|show|make|plan|suggest|recommend|help|explain|draft|list|translate|propose|create|design"
    r"|find|tell|teach|summari[sz]e|compare|prepare|calculate|convert|cook|sketch|outline|check|review|fix)\b"
    r"(?! (?:memor|what we|when))"
    r"|(?:how|what|which|where|who) (?:[\w-]+ ){0,4}?(?:should|could|can|shall) (?:i|we|an?|one|my|go)\b"
    r"|how do (?:i|we|you)\b|(?:how|what) to\b"
    r"|what(?:'s| is| are) (?:the best|a good|good)\b|any (?:tips|ideas|advice)\b"
    r"|(?:should|can|could|may) (?:i|we)\b|(?:is|are|would) .*\b(?:good idea|worth|better|sensible)\b"
    r"|(?:i need|i want|i'd like)(?: you)? (?:to|an?|some|your)\b)"
)


def find_standing(text: str) -> list[str]:
    """Return the sentences of a person's turn that hold always, in their order."""
    if len(text) > _LONGEST_TURN or not _has_sign(text):
        return []
    found = []
    for part in split_sentences(_SENTENCE, text):
        # an actor's brackets, and those of somebody who speaks out of the story, are no words
        said = part.strip(" \t\n*_()")
        if len(said) > _LONGEST or said.endswith("?") or not _has_sign(said):
            continue
        if _HOLDS.search(said.rstrip(".! ").replace("\u2019", "'")):
            found.append(said)
    return found


def _has_sign(text: str) -> bool:
    plain = text.lower()
    for sign in _SIGNS:  # noqa: SIM110 (twice as fast as any() of a generator)
        if sign in plain:
            return True
    return False


def is_request(text: str) -> bool:
    """Return whether a question asks for something to be done or advised, not for what was."""
    plain = " ".join(text.replace("\u2019", "'").split())
    return any(_REQUEST.search(part) for part in _SENTENCE.split(plain))
