"""Checks for samples that teach the wrong thing: leaking memory, machinery, theatre (REEL §8.3)."""

import re
from collections.abc import Collection

from reel_cli.core.evidence.leakage import find_leaks, is_about_memory, is_of_person
from reel_cli.core.evidence.leaks.rule import Leak
from reel_cli.core.exchange.reader.reply import ReplyReading, find_slips
from reel_cli.core.frozen import late
from reel_cli.core.values.talk import PURGED
from reel_cli.features.training.policy import Sample

LEAKS = "speaks of how memory is kept"
INCOMPLETE = "something in it was purged"
NOTHING_BUT_SYNTAX = "a message of it was nothing but a scene tag or a message header"
PROGRAM = "sounds like a program's report"
BARE = 2
"""Words up to which an answer is a verdict and no assessment."""
_REPORT = re.compile(
    r"(?im)^\W*(?:(?:current|present|overall) )?(?:emotional |mental )?"
    r"(?:state|status|tone|reason|cause|mood|sentiment|coherence|drift)\W{0,3}:\s"
)
_EARLIER = late(
    r"(?i)\b(?:last (?:time|night|week|month|evening|year)|the other (?:day|night|evening)|yesterday"
    r"|(?:you|we)(?:'d| had|'ve| have)? (?:told me|said|mentioned|talked|spoke|promised|were going to)"
    r"|I (?:still )?remember|I haven't forgotten|remember (?:when|how|that|what)|as (?:always|usual|ever)"
    r"|you always|you never|how did (?:it|that|the) \w+"
    r"|did you (?:end up|ever|manage)|since (?:we|you) last)\b"
)
_NOTICED = late(
    r"(?i)\b(?:I (?:thought|remember|recall|had it|have it|was sure"
    r"|could have sworn|would have sworn|understood)"
    r"|you (?:told me|said|once said|had said)|didn't you|wasn't it|wasn't that|weren't you|hadn't you"
    r"|last (?:time|I heard)|differently|that isn't how|that's not how|not what you|has that changed"
    r"|which is it|so it(?:'s| is) not|since when|used to|but you|hang on|wait)\b"
)


def why_unfit(sample: Sample, known: Collection[str]) -> str:
    """Return why a sample must not be learned from, in a clause; "" if it may be.

    `known` are the numbers of memories and sessions there are or were. Unlike for `reel doctor`, what the
    user said first is no excuse: a model would learn the words all the same. A persona that is told to speak
    of memory may.
    """
    if any(PURGED in text for _, text in sample.messages):
        return INCOMPLETE
    if is_about_memory(sample.heard):
        return ""
    said = [text for role, text in sample.messages if role == "assistant"]
    if sample.honest:
        # a page that tells of a shift is what a model is to learn, in whatever words
        said = said[:-1]
    person = is_of_person(sample.heard)
    # a tag that is left stands in code, and speaks of no memory
    others = {Leak.TAG} if person else {Leak.TAG, Leak.MODEL}
    leaks = (leak for text in said for leak in find_leaks(text) if leak.kind not in others)
    return LEAKS if any(leak.sure or leak.words in known for leak in leaks) else ""


def why_no_page(reading: ReplyReading, *, honest: bool = False) -> str:
    """Return why a page that was kept is not fit to learn from; "" if it is.

    One that is `honest` about a shift is not left out for its words.
    """
    if reading.missing:
        return "parts of it are missing"
    if honest:
        return ""
    texts = [reading.text(spec.key) for spec in reading.schema.fields if spec.shape == "prose"]
    if find_slips(reading.schema, reading.values) or any(_REPORT.search(text) for text in texts):
        return PROGRAM
    calibration = reading.text("calibration")
    if "calibration" in reading.values and len(calibration.split()) <= BARE:
        return "says hardly a word about how it was"
    return ""


def leans_on_earlier(text: str, anchors: Collection[str]) -> bool:
    """Return whether a reply mentions something from before this conversation, impossible without memory.

    `anchors` are phrases of earlier memories, in lower case.
    """
    plain = " ".join(text.casefold().split())
    return _EARLIER.search(text) is not None or any(phrase in plain for phrase in anchors)


def notices(text: str) -> bool:
    """Return whether a reply says that something is not as it remembers it."""
    return _NOTICED.search(text) is not None
