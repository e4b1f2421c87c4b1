"""Next forms of a memory that need no model: its marker, then its tag (REEL §4.4).

What is as small as its next level already goes down as it is: fewer words would free next to nothing.
"""

from collections.abc import Callable

from reel_cli.core.evidence.grounding.lexicon import even, sentences
from reel_cli.core.files import front_matter
from reel_cli.core.files.markdown import heading_lines, split_sections
from reel_cli.core.frozen import frozen
from reel_cli.core.values.memory import FIELDS, PAST_STATES, Level, Memory
from reel_cli.features.fading.fading import NEXT, SIZES

ANCHORS = FIELDS[4]
DIGEST_SHARE = 60
"""Estimated size of a digest, in percent of its page, until the digest is written."""

LEAST_FREED = 30
"""Tokens that a digest must free for it to be asked for."""

Count = Callable[[str], int]


@frozen
class Fainter:
    """The next form down: its body, and its tokens.

    Where a model has to write it, `asks`, the body is empty and the tokens are about what it will
    take. `stuck` says why there is no next form, else it is "".
    """

    body: str = ""
    tokens: int = 0
    asks: bool = False
    stuck: str = ""


def fainter_of(text: str, memory: Memory, count: Count) -> Fainter:
    """Return the next form of a memory with this text; of an L4 only its line stays, and no body."""
    if memory.level is Level.L4:
        return Fainter()
    now = count(memory.body)
    document = front_matter.split(text, memory.id)
    if memory.level is Level.L3:
        return _as_tag(memory, document.text("tag"), now, count)
    marker = " ".join(document.text("marker").split()) if memory.level is Level.L2 else ""
    least, most = SIZES[NEXT[memory.level.value]]
    # a short marker is what the persona itself wrote
    if marker and count(marker) <= most:
        body = carry_over(marker, memory.body, Level.L3)
        tokens = count(body)
        return Fainter(body, tokens) if tokens < now else Fainter(memory.body, now)
    if memory.level is Level.L1:
        guess = max(least, min(now * DIGEST_SHARE // 100, most))
        small = now - guess < LEAST_FREED
    else:
        guess = min(most, now - 1)
        small = now <= most
    return Fainter(memory.body, now) if small else Fainter(tokens=guess, asks=True)


def other_form_of(memory: Memory, count: Count) -> Fainter:
    """Return the next form made another way, for one whose own words lost too much (SRIP-11 §III.6).

    A marker of the first sentences that tell what happened, a tag of the title and a line of the chat.
    """
    if memory.level is Level.L3:
        return _as_tag(memory, "", count(memory.body), count)
    least, most = SIZES[Level.L3.value]
    told = " ".join(split_sections(memory.body).get(FIELDS[0], "").split())
    marker = ""
    for _, end in sentences(even(told)):
        if count(told[:end]) > most:
            break
        marker = told[:end].strip()
    if memory.level is not Level.L2 or count(marker) < least:
        return Fainter(stuck="there is no other way to shorten it")
    body = carry_over(marker, memory.body, Level.L3)
    return Fainter(body, count(body))


def _as_tag(memory: Memory, own: str, now: int, count: Count) -> Fainter:
    """Return an L4: its own tag if that has the right size, else its index line's words."""
    least, most = SIZES["L4"]
    tag, title, phrase = (" ".join(part.split()) for part in (own, memory.title, memory.anchor))
    sizes = {tag: count(tag)} if tag else {}
    choices = [tag] if tag and least <= sizes[tag] <= most else []
    choices += [f'{title}: "{phrase}"'] if phrase else []
    choices += [tag] if tag else []
    choices += [title, _cut(title, most, count)]
    for choice in choices:
        if sizes.setdefault(choice, count(choice)) > most:
            continue
        body = carry_over(choice, memory.body, Level.L4)
        tokens = count(body)
        if tokens < now:
            return Fainter(body, tokens)
    return Fainter(memory.body, now) if now <= most else Fainter(stuck="its tag is no shorter than it is")


def _cut(text: str, most: int, count: Count) -> str:
    """Return the first words of a text, as many as fit."""
    words = text.split()
    while len(words) > 1 and count(" ".join(words)) > most:
        words.pop()
    return " ".join(words)


def carry_over(body: str, source: str, level: Level) -> str:
    """Return a new body, followed by the parts of the old one that reel must not shorten.

    Those are the sections that a person wrote under headings of their own, in an L2 what was so before, and
    in an L3 its anchors; what the new body has under the same heading stands in their place.
    """
    lines = source.splitlines(keepends=True)
    spans = heading_lines(source)
    has = {heading for heading, _, _ in heading_lines(body)}
    parts = [body.strip("\n")]
    for at, (heading, start, _) in enumerate(spans):
        fading = {ANCHORS: Level.L3, PAST_STATES: Level.L2}
        kept = fading[heading] is level if heading in fading else heading not in FIELDS
        if kept and heading not in has:
            end = spans[at + 1][1] if at + 1 < len(spans) else len(lines)
            parts.append("".join(lines[start:end]).strip("\n"))
    return "\n" + "\n\n".join(parts) + "\n"
