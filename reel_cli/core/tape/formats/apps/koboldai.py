"""KoboldAI's stories, the Client's and KoboldAI Lite's: an opening (`prompt`) and what followed (`actions`).

A story is one text in pieces. Who wrote what is known only where the text itself says so: by the tags of
instruct mode, by the names of chat mode, by the `>` of adventure mode.
"""

import re
from collections.abc import Iterator, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.tape.formats.parts import as_fields, as_items, as_text
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.values.talk import Conversation, Kind, Message

_TAG = re.compile(r"\{\{\[(INPUT|OUTPUT|SYSTEM)(_END)?\]\}\}")
_PICTURE = re.compile(r"\[<\|[a-z]\|[^|]*\|[a-z]\|>\]")
_ADVENTURE, _CHAT, _INSTRUCT = 2, 3, 4
_OPPONENTS = "||$||"
_MOST_NAMES, _LONGEST_NAME = 50, 100
_MARKS = frozenset({"gamestarted", "savedsettings", "memory", "authorsnote", "anotetemplate", "worldinfo"})
_SURE = 90


@frozen
class _Span:
    """A stretch of the story that one side wrote: from `start` to `end`, without its mark."""

    role: str
    start: int
    end: int
    name: str | None = None
    as_is: bool = False
    """The blanks at its edges are the story's."""


@frozen
class _Piece:
    """The opening or one action, and the other texts that were had for it."""

    text: str
    others: tuple[str, ...] = ()


def _sniff(source: Source) -> int:
    if source.opening != "{":
        return 0
    root = as_fields(source.json)
    has_story = isinstance(root.get("actions"), list | dict) and "prompt" in root
    return _SURE if has_story and not _MARKS.isdisjoint(root) else 0


def _read(source: Source) -> list[Conversation]:
    root = as_fields(source.json)
    if "actions" not in root and "prompt" not in root:
        message = f"{source.name} is not a KoboldAI story: it holds neither a prompt nor actions."
        raise ReelError(message, hint="save the story in KoboldAI as JSON")
    notes = Notes()
    pieces = [piece for piece in _pieces(root, notes) if piece.text or piece.others]
    story = "".join(piece.text for piece in pieces)
    settings = as_fields(root.get("savedsettings"))
    spans = (
        _by_tags(story, settings)
        or _by_names(story, settings, source)
        or _by_angles(pieces, settings)
        or _as_prose(pieces, notes)
    )
    context = (root.get("memory"), root.get("authorsnote"), settings.get("instruct_sysprompt"))
    system = [Message("system", text, Kind.SYSTEM) for value in context if (text := as_text(value))]
    return [
        Conversation(
            format="koboldai",
            messages=(*system, *_messages(story, pieces, spans)),
            title=as_text(root.get("story_name")) or as_text(root.get("title")),
            problems=notes.lines(),
        )
    ]


def _pieces(root: dict[str, object], notes: Notes) -> Iterator[_Piece]:
    """Yield the opening and the actions of either format: a list of texts, or numbered objects."""
    yield _Piece(as_text(root.get("prompt")) or "")
    actions = root.get("actions")
    about = as_fields(root.get("actions_metadata"))
    if isinstance(actions, dict):
        numbered = as_fields(actions.get("actions")) or actions
        keys = [key for key in numbered if key.isascii() and key.isdigit() and len(key) < 10]
        for key in sorted(keys, key=int):
            yield _piece(as_fields(numbered[key]))
        return
    for number, action in enumerate(as_items(actions)):
        if isinstance(action, str):
            others = _piece(as_fields(about.get(str(number)))).others
            yield _Piece(action, tuple(text for text in others if text != action))
        elif isinstance(action, dict):
            yield _piece(action)
        else:
            notes.add("an action without text was left out", f"action {number + 1}")


def _piece(fields: dict[str, object]) -> _Piece:
    """Return an action with its other texts; one that was edited (`Edited`) counts as well."""
    known = (fields.get(key) for key in ("Selected Text", "text", "Text"))
    text = next((value for value in known if isinstance(value, str)), "")
    options = as_items(fields.get("Options")) + as_items(fields.get("Alternative Text"))
    others = [as_fields(o).get("text") or as_fields(o).get("Text") or o for o in options]
    found = dict.fromkeys(o for o in others if isinstance(o, str) and o.strip() and o != text)
    return _Piece(text, tuple(found))


def _by_tags(story: str, settings: dict[str, object]) -> list[_Span]:
    """Return the speaker of each span by instruct mode's tags, as placeholders or as the model saw them."""
    roles = {"INPUT": "user", "OUTPUT": "assistant", "SYSTEM": "system"}
    marks = [
        (tag.start(), tag.end(), "assistant" if tag[2] else roles[tag[1]]) for tag in _TAG.finditer(story)
    ]
    if not marks and settings.get("opmode") == _INSTRUCT:
        written = {
            side: text.replace("\\n", "\n").strip()
            for side, key in (("user", "instruct_starttag"), ("assistant", "instruct_endtag"))
            if (text := as_text(settings.get(key)))
        }
        marks = _literal(story, {text: side for side, text in written.items() if text})
    return _between(story, [(*mark, None) for mark in marks])


def _literal(story: str, sides: dict[str, str]) -> list[tuple[int, int, str]]:
    if not sides:
        return []
    pattern = re.compile("|".join(re.escape(text) for text in sorted(sides, key=len, reverse=True)))
    return [(found.start(), found.end(), sides[found[0]]) for found in pattern.finditer(story)]


def _by_names(story: str, settings: dict[str, object], source: Source) -> list[_Span]:
    """Return the speaker of each span by chat mode's names; if the file has none, by the kit's.

    These alone must both be found, as a story may well be about somebody of that name.
    """
    person = as_text(settings.get("chatname"))
    others = [name for name in (as_text(settings.get("chatopponent")) or "").split(_OPPONENTS) if name]
    told = settings.get("opmode") == _CHAT and person is not None
    users = [person] if told and person else ["You", *source.user_names]
    personas = others if told else [*source.persona_names]
    sides = dict.fromkeys(personas[:_MOST_NAMES], "assistant") | dict.fromkeys(users[:_MOST_NAMES], "user")
    names = [name for name in sides if name.strip() and len(name) <= _LONGEST_NAME]
    if not names:
        return []
    spelled = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    found = re.finditer(rf"(?m)^[ \t]*({spelled})[ \t]*:[ \t]?", story)
    marks = [(line.start(), line.end(), sides[line[1]], line[1]) for line in found]
    if not told and {role for _, _, role, _ in marks} != {"user", "assistant"}:
        return []
    return _between(story, marks)


def _between(story: str, marks: Sequence[tuple[int, int, str, str | None]]) -> list[_Span]:
    """Return the stretches that begin at marks; text before the first is the narrator's."""
    if not marks:
        return []
    spans = [_Span("assistant", 0, marks[0][0])]
    ends = [mark[0] for mark in marks[1:]] + [len(story)]
    for (_, start, role, name), end in zip(marks, ends, strict=True):
        spans.append(_Span(role, start, end, name))
    return spans


def _by_angles(pieces: Sequence[_Piece], settings: dict[str, object]) -> list[_Span]:
    """Return the spans of adventure mode: an action that begins with `>` is the person's, for one line."""
    starts = [piece.text.lstrip().startswith("> ") for piece in pieces]
    if not any(starts) or settings.get("opmode") not in (None, _ADVENTURE):
        return []
    spans: list[_Span] = []
    at = 0
    for piece, acts in zip(pieces, starts, strict=True):
        end = at + len(piece.text)
        if acts:
            begin = at + piece.text.index(">") + 1
            line = piece.text.find("\n", begin - at)
            stop = at + line if line >= 0 else end
            spans.append(_Span("user", begin, stop))
            at = stop
        spans.append(_Span("assistant", at, end))
        at = end
    return spans


def _as_prose(pieces: Sequence[_Piece], notes: Notes) -> list[_Span]:
    """Return the opening, which a person types, and the rest, which the file does not tell apart."""
    notes.add(
        "the story does not say who wrote what; its opening was taken as yours, the rest as the persona's"
    )
    spans: list[_Span] = []
    at = 0
    for number, piece in enumerate(pieces):
        role = "assistant" if number else "user"
        spans.append(_Span(role, at, at + len(piece.text), as_is=True))
        at += len(piece.text)
    return spans


def _messages(story: str, pieces: Sequence[_Piece], spans: Sequence[_Span]) -> Iterator[Message]:
    """Yield each stretch that says something, with the other texts of the actions that begin in it."""
    others: list[tuple[int, str]] = []
    at = 0
    for piece in pieces:
        others += [(at, text) for text in piece.others]
        at += len(piece.text)
    road = used = 0
    for number, span in enumerate(spans):
        text = story[span.start : span.end]
        pictures = len(_PICTURE.findall(text))
        text = _PICTURE.sub("", text) if pictures else text
        text = text.strip("\r\n") if span.as_is else text.strip()
        if text.strip():
            kind = Kind.SYSTEM if span.role == "system" else Kind.SAID
            yield Message(span.role, text, kind, name=span.name)
        yield from (Message(span.role, "[image]", Kind.ATTACHMENT) for _ in range(pictures))
        last = number == len(spans) - 1
        while text.strip() and used < len(others) and (last or others[used][0] < span.end):
            road += 1
            yield Message(span.role, others[used][1], Kind.VERSION, road=road)
            used += 1


READER = Reader("koboldai", _sniff, _read)
