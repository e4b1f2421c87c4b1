"""A read reply as a checkpoint: verdicts, rotation and notes, typed (REEL §6.6).

A verdict that is absent, negated or given twice over is unsure; none is guessed from the mood of the rest.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from reel_cli.core.evidence.phrases import fold, quotations
from reel_cli.core.exchange.consolidation import without_denials
from reel_cli.core.exchange.reader import answer_words
from reel_cli.core.exchange.reader.reply import ReplyReading, answers
from reel_cli.core.exchange.schema import BRIEF_PARTS, COMBINED
from reel_cli.core.frozen import late
from reel_cli.core.quote_marks import QUOTED
from reel_cli.core.values.artifact import Checkpoint, Delta, Problem, Verdict
from reel_cli.core.values.memory import Item
from reel_cli.features.page.notes.note_likeness import says_no_more
from reel_cli.features.page.notes.working_notes import as_new_notes, parse_notes

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
_NAMED_SELF = late(r"\W*(?:I(?: am|['’]m| was)(?: still)?|[Ss]till) [A-Z]\w+(?=\W*$|[.,;!])")
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

_STEADY = r"steady|stable|no drift|not shifted|nothing (?:has )?shifted|no shift|none|unchanged|consistent"
_SHIFTED = (
    r"(?:(?:slightly|somewhat|a bit|a little|mostly|clearly|i|i've|it|has|have|something) )*"
    r"(?:shifted|drifted|drift detected|slipped)(?: (?:slightly|somewhat|a bit|a little))?"
)
_UNSURE = r"unsure|uncertain|can't tell|cannot tell|not sure|undecided"
_WORDS = (
    (Verdict.UNSURE, rf"{_UNSURE}|{answer_words.UNCLEAR}"),
    (Verdict.NO, rf"{_STEADY}|{answer_words.STEADY}"),
    (Verdict.YES, rf"{_SHIFTED}|{answer_words.SHIFTED}"),
)
_ANY = "|".join(pattern for _, pattern in _WORDS)
_LEADING = late(rf"(?P<word>{_ANY})(?P<rest>\s*[^\w\s].*)?")
_CLOSING = late(rf"(?:[.!?;:—。！？：]|\s-)\W*(?P<word>{_ANY})\W*$")
_NAMED = late(r"(?:verdict|overall|word|in a word|one word|answer|so|we're|i'm|i am)\s*[:,-]?\s+")
_SPOKEN = late(r"\b(?:steady|shifted|unsure)\b")
_UNSHIFTED = late(r"\b(?:nothing (?:has )?shifted|no drift|has not shifted|hasn't shifted)\b")
_SHOWN_LINES = 3
_LONGEST = 2_000
_LAST = 200
"""Characters at its end within which a verdict may be; elsewhere it begins a line."""

_DECLINES = late(
    r"\W*(?:(?:honestly|really|probably|perhaps|i think|well|as for who i am on paper)\W+)*"
    r"(?:no\b|not\b|nothing\b|none\b|false\b|never\b|n/?a\b|nope\b|i (?:wouldn't|would not|won't)\b"
    r"|(?:i'd |i would )?(?:leave|keep) (?:it|that|everything|all)\b|unchanged\b|as it is\b"
    r"|(?:it |that |all )?(?:still )?(?:holds|stands|fits|stays)\b"
    rf"|(?:the|my|this) \w+ (?:is|are) (?:fine|right|good|true)|{answer_words.NO})"
)


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


def read_drift(text: str) -> tuple[Verdict, str]:
    """Return whether something shifted, and what is wrong with how it says so ("" for nothing).

    The verdict is a word on a line of its own near the end, or the last sentence.
    """
    lines = [fold(line).strip(" *\"'`_") for line in text.splitlines() if line.strip()]
    for place in range(len(lines) - 1, max(-1, len(lines) - 1 - _SHOWN_LINES), -1):
        found = _line_verdict(lines[place])
        if found is None:
            continue
        verdict, word = found
        others = _others(" ".join((lines[place], *lines[place + 1 :])), verdict)
        if others:
            return Verdict.UNSURE, f"it says both {word} and {others[0]}, so it counts as unsure."
        return verdict, ""
    if _UNSHIFTED.search(fold(text)):
        return Verdict.NO, ""
    return Verdict.UNSURE, "it says neither steady nor shifted, so it counts as unsure."


def read_detected(text: str) -> Verdict | None:
    """Return the protocol's yes or no (`drift_detected`); None if it is neither."""
    said = fold(text).strip(" .*\"'")
    if re.match(rf"(?:{_UNSURE}|maybe|perhaps|possibly|unclear)\b", said):
        return Verdict.UNSURE
    if re.match(r"(?:yes|true|y|shifted|slight|slightly|minor|some|detected)\b", said):
        return Verdict.YES
    if re.match(rf"(?:no|false|n|steady|none|not|nothing)\b|(?:{answer_words.NO})", said):
        return Verdict.NO
    return Verdict.YES if re.match(rf"(?:{answer_words.YES})", said) else None


_TRUE = late(
    r"\W*true\b[ \t]*(?:[-–—:,;.]+[ \t]*|\n[-* \t]*)(?:(?:rationale|reason)[ \t]*:[ \t]*)?(?=[\w\"'“‘])",
    re.IGNORECASE,
)


def suggested_words(text: str) -> str:
    """Return a suggested change of ring 0 without the protocol's `true` before it."""
    return _TRUE.sub("", text, count=1).strip() if _TRUE.match(text) else text.strip()


def suggests_change(text: str) -> bool:
    """Return whether the words suggest a change of ring 0, and do not decline one."""
    told = fold(text[:_LONGEST])
    return bool(text.strip()) and not (_DECLINES.match(told) or answer_words.says_no_change(told))


def _line_verdict(line: str) -> tuple[Verdict, str] | None:
    """Return the verdict that a line is, begins with, or ends with."""
    bare = _NAMED.sub("", line, count=1) if _NAMED.match(line) else line
    found = _LEADING.fullmatch(bare[:_LONGEST]) or _CLOSING.search(line[-_LAST:])
    if not found:
        return None
    word = found["word"]
    return next(((v, word) for v, pattern in _WORDS if re.fullmatch(pattern, word)), None)


def _others(text: str, verdict: Verdict) -> Sequence[str]:
    """Return the prompt's other verdict words on the verdict's line or below it."""
    own = {Verdict.YES: "shifted", Verdict.NO: "steady", Verdict.UNSURE: "unsure"}[verdict]
    plain = re.sub(r"\b(?:not|nothing(?: has)?|no) shifted\b", "", text)
    return [word for word in _SPOKEN.findall(plain) if word != own]


_REST = late(
    r"\b(?:rest|rests|resting|retired?|(?:swap(?:ped)?|rotated?) out|replaced?|drop(?:ped)?|removed?"
    r"|put away|(?:go|goes|step|steps) (?:out|away|back))\b"
)
_STAY = late(r"\b(?:stay|stays|keep|kept|remain|remains|leave|left|still|good|fine)\b")
_SHOW = late(r"\b(?:show|shown|again|bring|back|(?:swap|rotate)d? in|activate|instead|with|add)\b")
_NOT = late(r"(?:\b(?:not|no|never|nothing|none|neither)\b|n't\b)(?:\W+\w+){0,3}\W*$")
_NONE = late(r"\W*(?:nothing|none|no exchange|no example|not today|n/?a)\b|.*\b(?:can|may|all|should) stay\b")
_PIECES = late(r"(?<=[.!?])[\"'”*_]*\s+|\s*[()]\s*|\s*;\s*(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)|\n")
_LIST = late(r"[\W_]*(?:and|or)?[\W_]*")
_LEAST_WORDS = 2
NO_SLUGS: Mapping[str, str] = {}
_WAYS = ("in", "out")
_WAY = late(r"\b(in|out)\b")
_BETWEEN = late(r"(?:[\W_]|\b(?:(?:swap|rotate)(?:d|ped)?[ _-]?)?(?:in|out)\b|\b(?:and|swap|rotate)\b)*")
_LOAD = late(r"\b(un)?load(?:ed)?[ \t]*:", re.IGNORECASE)
_IN = late(r"\W*(?:(?:swap|rotate)[ _-]?)?in[ \t]*:[ \t]*", re.IGNORECASE)
_OUT = late(r"\W*(?:(?:swap|rotate)[ _-]?)?out[ \t]*:[ \t]*", re.IGNORECASE)


def read_rotation(
    lines: Sequence[str], titles: Sequence[str], slugs: Mapping[str, str] = NO_SLUGS
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what to show again (titles, or an exchange's first line), and the titles to rest.

    An example that is only mentioned, or should stay as it is, is in neither. `slugs` are the names of the
    examples' files, each with its title.
    """
    show: list[str] = []
    rest: list[str] = []
    known = {fold(title): title for title in titles if len(title) > 2}
    ways = (_LOAD.sub(lambda way: "out:" if way[1] else "in:", one) for one in lines)
    for line in (_with_titles(one, known, slugs) for one in ways):
        if _swap(fold(line), known, show, rest):
            continue
        if not any(title in fold(line) for title in known):
            away = _OUT.match(line)
            if away:
                rest.append(line[away.end() :].strip())
            elif not _NONE.match(fold(line)) and not _REST.match(fold(line)):
                show.append(_IN.sub("", line, count=1).strip())
            continue
        claim: list[str] = []
        for piece in (part for part in _PIECES.split(line) if part and part.strip()):
            if any(title in fold(piece) for title in known):
                _sort(fold(piece), known, show, rest)
            else:
                claim.append(piece.strip())
        said = " ".join(claim)
        if len(said.split()) >= _LEAST_WORDS and not _NONE.match(fold(said)):
            show.append(next(iter(quotations(said)), said))
    return tuple(dict.fromkeys(show)), tuple(dict.fromkeys(title for title in rest if title not in show))


def _with_titles(line: str, known: dict[str, str], slugs: Mapping[str, str]) -> str:
    """Return the line with each exemplar's title where it has its slug (`up-at-five`)."""
    for name in sorted(slugs, key=len, reverse=True):
        if "-" in name or name == line.strip().removesuffix(".md"):
            line = re.sub(rf"(?<![\w-]){re.escape(name)}(?:\.md)?(?![\w-])", lambda _: slugs[name], line)  # noqa: B023
    for folded, title in known.items():
        slug = r"[-_]".join(map(re.escape, re.findall(r"\w+", folded)))
        if "-" in slug:
            plain = title.replace("\\", r"\\")
            line = re.sub(rf"(?<![\w-]){slug}(?:\.md)?(?![\w-])", plain, line, flags=re.IGNORECASE)
    return line


def _swap(line: str, known: dict[str, str], show: list[str], rest: list[str]) -> bool:
    """Take a line of titles, with `in` or `out` before or behind each (REEL §6.6); False for any other."""
    titles = sorted(known, key=len, reverse=True)
    any_title = "|".join(map(re.escape, titles)) or "(?!)"
    pieces = re.split(rf"(?<!\w)({any_title})(?!\w)", line)
    order: list[str] = []
    for number, piece in enumerate(pieces):
        if number % 2:
            order.append(piece)
        elif not _BETWEEN.fullmatch(piece):
            return False
        else:
            order += _WAY.findall(piece)
    before = bool(order) and order[0] in _WAYS
    if len(pieces) == 1 or before == (order[-1] in _WAYS):
        return False
    way = ""
    for one in order if before else reversed(order):
        if one in _WAYS:
            way = one
        else:
            (show if way == "in" else rest).append(known[one])
    return True


def _sort(piece: str, known: dict[str, str], show: list[str], rest: list[str]) -> None:
    """Put each example that one sentence names where the words around it say."""
    places = sorted((piece.find(title), title) for title in known if title in piece)
    found: list[tuple[str, str]] = []
    for number, (at, title) in enumerate(places):
        before = piece[places[number - 1][0] + len(places[number - 1][1]) if number else 0 : at]
        after = piece[at + len(title) : places[number + 1][0] if number + 1 < len(places) else len(piece)]
        found.append((title, _wish(before, after, last=number + 1 == len(places))))
    wish = ""
    for title, own in reversed(found):
        # `A, B and C may rest` applies to all three
        wish = own if own != "as the next" else wish
        if wish == "rest":
            rest.append(known[title])
        elif wish == "show":
            show.append(known[title])


def _wish(before: str, after: str, *, last: bool) -> str:
    """Return the wish for an example, by the words behind it or else before it."""
    if not last and _LIST.fullmatch(after) and not _meant(_REST, before) and not _SHOW.search(before):
        return "as the next"
    clause = re.split(r"[,:](?=\s)|\bas\b|\bsince\b|\bbecause\b", after, maxsplit=1)[0]
    clause = clause if clause.strip(" \"'*_") else after
    for words in (clause, before):
        if _STAY.search(words) and not _REST.search(words):
            return "stay"
        if _REST.search(words):
            return "rest" if _meant(_REST, words) else "stay"
        if _SHOW.search(words):
            return "show" if _meant(_SHOW, words) else "stay"
    return "show" if not re.search(r"\w", before) else "stay"


def _meant(pattern: re.Pattern[str], words: str) -> bool:
    """Return whether the words match and are not negated."""
    found = pattern.search(words)
    return bool(found) and not _NOT.search(words[: found.start()] if found else "")


def tell_unmatched(line: str) -> str:
    """Return the sentence on a note that names no note there is."""
    return f"this note matches nothing: {line}"


def parse_checkpoint(
    reading: ReplyReading,
    items: Sequence[Item],
    titles: Sequence[str],
    others: Sequence[Item] = (),
    slugs: Mapping[str, str] = NO_SLUGS,
) -> tuple[Checkpoint, list[Problem]]:
    """Type a reading's checkpoint fields.

    `items` are ring 2's as the prompt numbered them, `others` those that it did not show, `titles` the pool's
    exemplar titles, and `slugs` those by the names of their files. An absent or negated verdict is unsure;
    what matches nothing changes nothing and is named.
    """
    problems: list[Problem] = []
    drift, drift_text = _drift(reading, problems)
    delta = parse_notes(reading.text("notes"), items, others)
    problems.extend(Problem("notes", tell_unmatched(line)) for line in delta.unmatched)
    show, rest = read_rotation(reading.lines("show"), titles, slugs)
    fade, promoted = _flags(reading.lines("fade"))
    promoted = tuple(next(iter(quotations(one)), one) for one in promoted)
    paper_text = reading.text("paper")
    return (
        Checkpoint(
            coherence=read_coherence(reading.text("coherence")),
            coherence_text=reading.text("coherence"),
            calibration="" if reading.empty("calibration") else reading.text("calibration"),
            drift=drift,
            drift_text=drift_text,
            paper=suggests_change(paper_text) and not reading.empty("paper"),
            paper_text=paper_text,
            show=tuple(dict.fromkeys((*show, *promoted))),
            rest=rest,
            delta=delta,
            open_loops=_loops(reading, delta),
            flags=fade,
            timestamp=reading.text("timestamp").strip(),
            given={key: reading.text(key) for key in reading.values},
        ),
        problems,
    )


def parse_brief(
    reading: ReplyReading,
    items: Sequence[Item],
    titles: Sequence[str],
    others: Sequence[Item] = (),
    slugs: Mapping[str, str] = NO_SLUGS,
) -> tuple[Checkpoint, list[Problem]]:
    """Type the reply to the prompt for a short page, which may hold more of a page than was asked for.

    Its notes are new ones where the prompt showed none, whatever numbers they have.
    """
    numbered = bool(items) and len(reading.values) > len(BRIEF_PARTS)
    if not numbered and not reading.empty("notes") and (notes := reading.values.get("notes")) is not None:
        reading = replace(
            reading, values={**reading.values, "notes": replace(notes, text=as_new_notes(notes.lines))}
        )
    checkpoint, problems = parse_checkpoint(reading, items, titles, others, slugs)
    whole = all(answers(spec, reading.values) for spec in COMBINED.fields if spec.required)
    return replace(checkpoint, short=not whole), problems


def _drift(reading: ReplyReading, problems: list[Problem]) -> tuple[Verdict, str]:
    """Return the verdict on drift, from the protocol's yes or no, or the words; and those words."""
    text = reading.text("shifted")
    described = "" if reading.empty("drift_description") else reading.text("drift_description")
    detected = read_detected(reading.text("drift_detected"))
    if detected is not None:
        told = "\n".join(part for part in (text, described) if part)
        return detected, told or (reading.text("drift_detected") if detected is Verdict.YES else "")
    if reading.empty("shifted"):
        return Verdict.NO, text
    text = text or described
    verdict, wrong = read_drift(text)
    if wrong and text:
        problems.append(Problem("shifted", wrong))
    return verdict, text


_MOMENT = late(r"\W*(?:significant )?moment[ \t]*:[ \t]*", re.IGNORECASE)
_IMMUNITY = late(
    r"\bpruning[ _]immunity[ \t]*:[ \t]*(?:(?P<no>(?:no|false|none|null)\b)|(?:yes|true)\b)?", re.IGNORECASE
)
_POOL = r"(?:the |an? )?(?:ring[ _-]?(?:1|one)\b|(?:exemplar|example)s?\b)(?: pool\b)?"
_PROMOTED = late(
    r"(?P<no>\b(?:no|not|never)[ _](?:be[ _])?)?(?<![^\W_])promot(?:ed?|ion|ing)[ _]?"
    rf"(?:(?:to|into|as)[ _]{_POOL}(?:[ \t]*:[ \t]*(?:(?P<off>(?:no|false|none|null)\b)|(?:yes|true)\b)?)?"
    rf"|:[ \t]*(?:(?P<none>(?:no|false|none|null)\b)|(?:yes|true)\b|(?:to )?{_POOL}))",
    re.IGNORECASE,
)
_WHY_FLAGGED = late(
    r"[\s—–;,-]+(?:why|reason|because|action|recommended action|significance|how)[ \t]*:.*",
    re.IGNORECASE | re.DOTALL,
)
_IMMUNE = late(r"\bimmun", re.IGNORECASE)
_AROUND = " \t—–-;,:(>"
"""The parts of a significance flag as a record."""


def _flags(lines: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the moments that must not fade, and those to promote to ring 1, as examples.

    A line of several quotations counts as several; one without a moment speaks of the line before.
    """
    fade: list[str] = []
    show: list[str] = []
    found: list[str] = []
    for told in lines:
        immune, promoted = _IMMUNITY.search(told), _PROMOTED.search(told)
        marks = [one for one in (immune, promoted) if one]
        line = _moment(told[: min((one.start() for one in marks), default=len(told))])
        line = line or _moment(told[max((one.end() for one in marks), default=len(told)) :])
        spared = bool(immune and immune["no"])
        wanted = bool(promoted and not (promoted["no"] or promoted["off"] or promoted["none"]))
        if line:
            said = quotations(line)
            bare = QUOTED.sub(" ", line)
            found = said if len(said) > 1 and len(bare.split()) <= len(said) else [line]
            if not spared and (not wanted or _IMMUNE.search(told.replace(line, "", 1))):
                fade += found
        elif spared:
            fade = [one for one in fade if one not in found]
        if wanted:
            show += found
    return tuple(dict.fromkeys(fade)), tuple(dict.fromkeys(show))


def _moment(told: str) -> str:
    """Return the moment that a flag names, without what is said of it."""
    line = _WHY_FLAGGED.sub("", _MOMENT.sub("", told, count=1)).strip(_AROUND)
    return line if re.search(r"\w", line) else ""


def _loops(reading: ReplyReading, delta: Delta) -> tuple[str, ...]:
    """Return the threads carried forward: those listed as open, else those left unresolved."""
    found: list[str] = []
    for line in without_denials((*reading.lines("open_loops"), *reading.lines("unresolved"))):
        if not any(says_no_more(line, other) for other in (*found, *delta.new)):
            found.append(line)
    return tuple(found)
