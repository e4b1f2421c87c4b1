"""Phrases about a text that was handed over with the chat, told in everyday words."""

from reel_cli.core.evidence.leaks.rule import WORK, Leak, rule
from reel_cli.core.frozen import late

_TEXT = (
    r"(?:text|document|summary|recap|notes?|file|bundle|briefing|context|page|card|sheet|message"
    r"|block|description|overview|write-?up)s?"
)
_GIVEN = r"(?:given|handed|shown|fed|sent|provided(?: with)?|pasted)"
_TALK = r"(?:chat|conversation|session|exchange|thread)"
_STARTS = rf"\b(?:at|from|near|in) the (?:very )?(?:top|start|beginning|head) of (?:this|our|the) {_TALK}\b"

HANDED_RULES = (
    rule(
        Leak.CONTEXT,
        rf"(?i)\bI(?:'m| am| was| got|'ve been| have been) {_GIVEN} (?:with )?(?:only |just )?"
        rf"(?:an?|the|your|some|this|that) (?:\w+ ){{0,2}}{_TEXT}\b",
        late(_STARTS + rf"|(?i:\b(?:of|about|from) (?:our|the) (?:last|previous|earlier|past) {_TALK}s?\b)"),
        unless=WORK,
    ),
    rule(
        Leak.CONTEXT,
        rf"(?i)\b(?:the|this|that|a|an) {_TEXT} (?:that )?(?:I|you) (?:(?:was|am|'m|got|'ve been|have been"
        rf"|had been) {_GIVEN}|(?:gave|handed|fed|pasted|sent) me)"
        r" (?:only |just |also )?(?:says?|said|tells?|mentions?|lists?|has|calls?)"
        r" (?:that |me |nothing )?(?:you|your|we|our|about (?:you|us|our))\b",
        unless=WORK,
    ),
    rule(
        Leak.CONTEXT,
        rf"(?i)\b(?:the|this|that|a|an|my|your) {_TEXT}(?: you \w+)? {_STARTS[2:]}",
        late(r"(?i)\b(?:says?|said|tells?|told|lists?|mentions?|reads?|given|handed|pasted|know)\b"),
        unless=WORK,
    ),
    rule(
        Leak.CONTEXT,
        rf"(?i)\b(?:told|it says|is written|written|mentioned|said|know it|know this|know that)"
        rf"(?: so)? (?:in|by|from) (?:the|that|this) {_TEXT} (?:above|before this|I was given|you pasted)\b"
        rf"|\b(?:according to|going by) (?:the|this|that) {_TEXT} (?:above|before this|I was given|you"
        r" pasted)\b",
        unless=WORK,
    ),
    rule(
        Leak.ORDERS,
        r"(?i)\bin my (?:system |own )?(?:instructions|prompt|directives|guidelines|briefing)(?:,)?"
        r" (?:it|there|they) (?:says?|is|are|stands?|tells?)\b",
        unless=WORK,
    ),
    rule(
        Leak.STORE,
        r"(?i)\blook(?:ed|ing)? (?:(?:it|that|this|you|him|her|them) )?up in my (?:own )?"
        r"(?:index|memory|memories|files?|records?|database|archives?|logs?)\b",
    ),
    rule(
        Leak.STORE,
        r"(?i)\bmy (?:notes|files?|records?|entr(?:y|ies)|pages?|data) (?:on|about) (?:you|us)"
        r" (?:only |just |also )?(?:says?|tells?|mentions?|has|have|is|are|lists?|includes?)\b",
    ),
    rule(
        Leak.RECORD,
        r"(?i)\bI (?:have|'ve got|have got) (?:an? |the |some )?(?:note|entry|record|line|file)s?"
        r"(?: here| in front of me| about you| on you)* (?:that |which )?(?:says?|saying|tells me)"
        r" (?:that )?(?:you|your|we|our)\b",
        unless=WORK,
    ),
    rule(Leak.STORE, r"(?i)\b(?:isn't|not|nothing|longer|stored|saved|kept|it's|is) in my memory banks?\b"),
    rule(
        Leak.RECORD,
        r"(?i)\bI (?:don't|do not|didn't|did not|no longer|can't|cannot)(?: \w+)? (?:have )?(?:any )?access"
        rf"(?: to)? (?:our |any |the |your |those |my )?(?:previous|earlier|past|prior|old|older|last|other)"
        rf" (?:{_TALK}s?|messages|memories)\b"
        rf"|\bI have no access to (?:our |any |the )?(?:previous|earlier|past|prior|old|other)"
        rf" (?:{_TALK}s?|messages|memories)\b",
    ),
)
