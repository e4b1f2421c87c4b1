"""Lines that may say who speaks (`**You:** hi`, `[21:14] Ada: …`, `User:`), and on which side they are."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from reel_cli.core.frozen import frozen

_USER = frozenset({"you", "user", "human", "me"})
_ASSISTANT = frozenset({"assistant", "ai", "bot", "model", "chatbot", "llm", "ai assistant"})
BOTS = frozenset({"bot", "chatbot"})
"""Words for a role that are a name where the person speaks under their own."""
_SYSTEM = frozenset({"system", "developer", "system prompt"})
_AMBIGUOUS = frozenset({"me", "ai", "bot", "model", "llm", "chatbot"})
"""Words that begin a line of any list as well (`Model: X1`)."""
_PRODUCTS = re.compile(
    r"(?:[\w.-]{1,40}/)?"
    r"(?:chat\s?gpt|gpt|claude|gemini|bard|copilot|llama|mistral|mixtral|ministral|magistral|devstral|codestral"
    r"|qwen|qwq|deepseek|grok|kimi|phi|gemma|granite|nemotron|smollm|olmo|glm|hunyuan|ernie|minimax|command-[ra]"
    r"|perplexity|le chat|meta ai)"
    r"(?:[ -]?[\w.@-]+){0,3}"
)
_LONGEST_LABEL = 40
_MOST_WORDS = 4
_UNLIKE_NAMES = frozenset(',;!?"“”…=/\\{}<>|`')


@dataclass(frozen=True)
class People:
    """The names a person gave, in any case; they weigh more than the words for roles."""

    user_names: frozenset[str]
    persona_names: frozenset[str]
    as_written: tuple[str, ...] = ()
    """Every name as it is spelled, the longest first: a label is one of these before it is anything else."""

    @classmethod
    def named(cls, user_names: Sequence[str], persona_names: Sequence[str]) -> "People":
        """Return the people with the kit's names, as written there."""
        users = _fold_all(user_names)
        personas = _fold_all(persona_names) - users
        spelled = {" ".join(name.split()) for name in (*user_names, *persona_names)} - {""}
        return cls(users, personas, tuple(sorted(spelled, key=lambda name: (-len(name), name))))

    def side(self, folded: str) -> str | None:
        """Return `user`, `assistant` or `system`; None for an unknown name."""
        if folded in self.user_names:
            return "user"
        if folded in self.persona_names:
            return "assistant"
        for side, words in (("user", _USER), ("assistant", _ASSISTANT), ("system", _SYSTEM)):
            if folded in words:
                return side
        return "assistant" if _PRODUCTS.fullmatch(folded) else None

    def speaks_by_role(self, folded: str) -> bool:
        """Return whether the label is only a word for a role, and nobody's name."""
        return folded in _USER | _ASSISTANT | _SYSTEM and folded not in self.user_names | self.persona_names

    def speaks_as_product(self, folded: str) -> bool:
        """Return whether the label is only the name of a program or a model, and nobody's in the kit."""
        return folded not in self.persona_names and _PRODUCTS.fullmatch(folded) is not None


def fold_label(label: str) -> str:
    """Return a label for comparing: case and inner spaces folded."""
    return " ".join(label.casefold().split())


def _fold_all(names: Sequence[str]) -> frozenset[str]:
    """Return names as labels; of `*Star*` also the name alone, as a label in asterisks is read."""
    return frozenset(fold_label(one) for name in names for one in (name, name.strip("*_ "))) - {""}


def is_ambiguous(folded: str) -> bool:
    """Return whether the word for a role begins lines of ordinary lists as well."""
    return folded in _AMBIGUOUS


def is_name_like(label: str) -> bool:
    """Return whether an unknown label could be a name: short, few words, no punctuation of sentences."""
    return (
        0 < len(label) <= _LONGEST_LABEL
        and len(label.split()) <= _MOST_WORDS
        and not label[0].islower()
        and any(c.isalpha() for c in label)
        and _UNLIKE_NAMES.isdisjoint(label)
    )


_TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[AaPp]\.?[Mm]\.?)?(?:Z|\s?[+-]\d{2}:?\d{2})?"
_DATE = r"(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})"
_STAMP = rf"(?:{_DATE}(?:,?[ T\u202f]\s?{_TIME})?|{_TIME})"
_ENCLOSED = rf"(?:\[{_STAMP}\]|\({_STAMP}\))"
_BEFORE = rf"(?:(?P<before>{_ENCLOSED}|{_STAMP})[ \t\u202f]*[-–—,]?[ \t]+)?"
_BEHIND = rf"(?:[ \t]*(?P<behind>{_ENCLOSED}))?"
_LABEL = r"(?P<label>[^\s*#>:：\[\]|`][^*:：\n\[\]|`]{0,60}?)"
_SAYS = r"(?:said|says|wrote|asked|answered|replied|responded)"

BRACKET = "bracket"
"""`[Ada]: hi`; a link's definition (`[ref]: https://…`) has the shape as well."""
_SHAPES = (
    ("heading", (
        rf"(?P<level>#{{1,6}})[ \t]+{_BEFORE}(?:\*\*)?{_LABEL}(?:[ \t]{_SAYS})?[ \t]*[:：]?(?:\*\*)?[:：]?"
        rf"{_BEHIND}[ \t]*[:：]?[ \t]*#*[ \t]*(?P<rest>)"
    )),
    ("bold", (
        rf"(?P<bullet>[-*+•][ \t]+)?{_BEFORE}(?P<mark>\*\*|__){_LABEL}{_BEHIND}"
        rf"(?:[:：][ \t]*(?P=mark)|(?P=mark)[ \t]*(?P<late>{_ENCLOSED})?[ \t]*[:：])(?P<rest>.*)"
    )),
    ("bold alone", (
        rf"(?P<bullet>[-*+•][ \t]+)?{_BEFORE}(?P<mark>\*\*|__){_LABEL}(?P=mark){_BEHIND}[ \t]*(?P<rest>)"
    )),
    ("italic", rf"{_BEFORE}(?P<mark>[*_]){_LABEL}(?:[:：](?P=mark)|(?P=mark)[:：])(?P<rest>.*)"),
    ("angle", rf"{_BEFORE}<{_LABEL}>[ \t]+(?P<rest>.*)"),
    ("stamped", (
        rf"(?P<before>{_ENCLOSED}|{_STAMP})[ \t\u202f]*[-–—,]?[ \t]+{_LABEL}[:：](?:[ \t]+(?P<rest>.*))?"
    )),
    ("said", rf"{_LABEL}[ \t]{_SAYS}[:：][ \t]*(?P<rest>)"),
    ("said at once", rf"{_LABEL}[ \t](?:said|responded)[:：][ \t]+(?P<rest>\S.*)"),
    ("plain", rf"{_LABEL}{_BEHIND}(?::[ \t]+|:$|：)(?P<rest>.*)"),
    # tried after the plain form, because a name of the kit may have brackets of its own
    (BRACKET, rf"{_BEFORE}\[(?!\^){_LABEL}\]{_BEHIND}(?::[ \t]+|:$|：)(?P<rest>.*)"),
    ("bare", rf"{_LABEL}[ \t]*(?P<rest>)"),
)  # fmt: skip
_MARKDOWN = frozenset({"heading", "bold", "bold alone", "italic"})
_KNOWN_ONLY = frozenset({"said at once", "bare"})
"""Shapes that any line of prose has; they count for a known label alone."""
_LONGEST_HEAD = 240
"""A label stands within so many characters of its line's start."""
_TARGET = re.compile(
    r"<?(?:[A-Za-z][A-Za-z0-9+.-]*:(?=\S)|www\.|[/#]|\.{1,2}/)\S*>?"
    r"(?:[ \t]+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?[ \t]*"
)
"""Pattern of a line that is only a link's definition and its target."""
_ASIDE = re.compile(r"(?P<label>.*\S)[ \t]*\((?P<aside>[^()]{1,60})\)")
_EDGE = re.compile(r"^[\W_]+|[\W_]+$")


@frozen
class SpeakerLine:
    """A line that may begin a turn; `style` is the shape, with a heading's level or a bullet."""

    index: int
    style: str
    label: str
    folded: str
    rest: str
    stamp: str | None = None
    aside: str | None = None

    @property
    def is_markdown(self) -> bool:
        """Return whether the style is Markdown's."""
        return self.style.split("/")[0] in _MARKDOWN


@lru_cache(maxsize=8)
def _shapes(names: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the shapes in the order they are tried; compiled when the first line is read.

    A name of the kit's is a label whatever it is made of (`[x]`, `a: b # c`, an emoji), and none of its
    characters means anything in the pattern.
    """
    known = "|".join(r"[ \t]+".join(map(re.escape, name.split())) for name in names)
    given = rf"(?:[^\x00-\x7f]{{1,8}}[ \t]+)?(?P<known>(?i:{known}))(?:[ \t]*\((?P<by>[^()\n]{{1,60}})\))?"
    label = _LABEL.replace("(?P<label>", f"(?P<label>{given}|") if names else _LABEL
    return tuple((name, re.compile(pattern.replace(_LABEL, label))) for name, pattern in _SHAPES)


def read_speaker_line(line: str, index: int, people: People) -> SpeakerLine | None:
    """Return the line as a speaker's line, or None if it has no such shape."""
    head, beyond = line[:_LONGEST_HEAD], line[_LONGEST_HEAD:]
    for shape, pattern in _shapes(people.as_written):
        found = pattern.fullmatch(head)
        if not found:
            continue
        parts = found.groupdict()
        given = parts.get("known")
        if not given and parts.get("mark") and _begins_with_name(head, people.as_written):
            # the asterisks of `*Star*:` are the name's, and the line has the shape of the other's
            continue
        label, aside = (given, parts["by"]) if given else _clean_label(parts["label"])
        folded = fold_label(label)
        known = people.side(folded) is not None
        rest = parts.get("rest") or ""
        if not known and (shape in _KNOWN_ONLY or not is_name_like(label)):
            continue
        if shape == BRACKET and not known and _TARGET.fullmatch(rest):
            continue
        if shape == "bare" and not any(c.isalpha() or not c.isascii() for c in label):
            continue
        if beyond and not rest:
            continue
        stamp = parts.get("before") or parts.get("behind") or parts.get("late")
        detail = parts.get("level") or ("-" if parts.get("bullet") else "")
        style = f"{shape}/{detail}" if detail else shape
        rest = rest if rest.strip() else ""
        return SpeakerLine(index, style, label, folded, (rest + beyond).lstrip(), stamp, aside)
    return None


def _begins_with_name(head: str, names: Sequence[str]) -> bool:
    """Return whether a line begins with a name that begins with a mark of Markdown itself, and a colon."""
    folded = head.casefold()
    marked = [name.casefold() for name in names if name[0] in "*_"]
    return any(folded.removeprefix(name).lstrip()[:1] in (":", "：") for name in marked if name in folded)


def _clean_label(label: str) -> tuple[str, str | None]:
    """Return a label without emoji around it, and the text in parentheses behind it."""
    aside = _ASIDE.fullmatch(label)
    name = aside["label"] if aside else label
    trimmed = _EDGE.sub("", name)
    edges = name.replace(trimmed, "", 1) if trimmed else name
    if any(c.isascii() and not c.isspace() and c != "." for c in edges):
        trimmed = name.strip()
    return trimmed, aside["aside"] if aside else None
