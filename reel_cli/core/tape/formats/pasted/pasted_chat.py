"""Chats as people paste them: what stands before the first speaker, and the turns after it."""

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import field, replace

from reel_cli.core.blockquote import fenced_lines
from reel_cli.core.errors import NoSpeakerError, ReelError
from reel_cli.core.frozen import mutable
from reel_cli.core.pack.recognize import find_bundle, find_prompt
from reel_cli.core.tape.formats.pasted.copied_window import TrimmedTurn, trim_copied
from reel_cli.core.tape.formats.pasted.days import WrittenDay, begin_of, read_written, tells_order
from reel_cli.core.tape.formats.pasted.layout import Layout, find_layout
from reel_cli.core.tape.formats.pasted.llm_markdown import is_llm_log, read_llm_log
from reel_cli.core.tape.formats.pasted.speaker_lines import BOTS, People, SpeakerLine, read_speaker_line
from reel_cli.core.tape.formats.source import Notes, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_QUOTE = re.compile(r"> ?")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|─{3,}|={3,})")
_HEADING = re.compile(r"#{1,6}[ \t]+(?P<text>.*)")
_FIELD = re.compile(r"\**(?P<key>[A-Za-z][A-Za-z _]{1,20}?)\**[ \t]*:\**[ \t]+(?P<value>\S.*)")
_ABOUT = {
    "title": "title", "chat": "title", "conversation": "title", "name": "title",
    "date": "started", "created": "started", "created at": "started", "started": "started", "time": "started",
    "model": "model",
}  # fmt: skip
_DATED = re.compile(r"\d{4}-\d{1,2}-\d{1,2}.*\d:\d\d.*")
_MOSTLY = 80
_LONGEST_TITLE = 120
_SENTENCE = re.compile(r"(?:[a-zß-öø-ÿ].*|(?:\S+\s+){5,}.*)[.!…][”\"')]?")
"""Pattern of a line that is part of a message rather than a title."""


@mutable
class _Preamble:
    """The preamble of a text before anyone speaks; `lines` are those that match nothing known.

    `end` is the index of the first of these.
    """

    about: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    end: int = 0
    day: str = ""
    """A line that is a day and nothing else."""
    by_line: str = ""
    """The title, where a line without any mark is taken for it."""


def read_pasted(source: Source) -> list[Conversation]:
    """Return one conversation from a text with speaker lines; or those of an `llm logs` output.

    Raises ReelError where nobody is seen to speak.
    """
    if is_llm_log(source.text):
        return list(read_llm_log(source))
    notes = Notes()
    text = source.text.replace("\r\n", "\n")
    lines = _unwrap(text.split("\n" if "\n" in text else "\r"))
    people = People.named(source.user_names, source.persona_names)
    bundles = _find_bundles(lines)
    within = {i for bundle in bundles for i in bundle}
    layout = _find(lines, people, notes, within)
    if layout is None and (bundles or find_prompt(text)):
        what = "a text that reel packed" if bundles else "a prompt that reel wrote"
        message = f"{source.name} is {what}, and nobody speaks below it."
        raise ReelError(message, hint="name the file of the chat that it was pasted into")
    if layout is None:
        message = f"{source.name} has no line that says who speaks."
        you = one_line(next(iter(source.user_names), "You"), 40)
        persona = one_line(next(iter(source.persona_names), "Ada"), 40)
        hint = f"begin each turn with a line such as  {you}:  or  {persona}:"
        raise NoSpeakerError(message, source.text, hint=hint)
    for guess in layout.guesses:
        notes.add(guess)
    first = layout.turns[0].index
    # kept as any bundle in a chat is, though nobody says whose message it was
    pasted = [Message("user", "\n".join(lines[b[0] : b[-1] + 1])) for b in bundles if b[0] < first]
    preamble = _read_preamble([line for i, line in enumerate(lines[:first]) if i not in within])
    if preamble.lines:
        count = len(preamble.lines)
        what = "lines before the first speaker are" if count > 1 else "line before the first speaker is"
        notes.add(f"{count} {what} kept, but counted as no message", f"“{one_line(preamble.lines[0], 60)}”")
        # half a message, where only part of a chat was copied: nobody knows whose it is
        pasted.append(Message("system", "\n".join(preamble.lines), Kind.SYSTEM))
    elif preamble.by_line:
        notes.add(
            "the line before the first speaker is taken for its title", f"“{one_line(preamble.by_line, 60)}”"
        )
    markdown = layout.turns[0].is_markdown or source.suffix in {".md", ".markdown"}
    messages = [*pasted, *_turns(lines, layout, people, source, notes)]
    return [
        Conversation(
            format="markdown" if markdown else "text",
            messages=tuple(messages),
            title=preamble.about.get("title"),
            started=_started(preamble, messages, layout, source, notes),
            model=preamble.about.get("model") or next((m.model for m in messages if m.model), None),
            problems=notes.lines(),
        )
    ]


def speaks_by_name(source: Source) -> bool:
    """Return whether a text is plainly a chat with the kit's persona: it speaks by name, and is spoken to."""
    if not source.persona_names:
        return False
    people = People.named(source.user_names, source.persona_names)
    lines = _unwrap(source.text.replace("\r\n", "\n").split("\n"))
    layout = _find(lines, people, Notes(), ())
    sides = (
        {turn.folded: layout.sides[turn.folded] for turn in layout.turns} if layout and layout.sure else {}
    )
    return "user" in sides.values() and not people.persona_names.isdisjoint(sides)


def _started(
    preamble: _Preamble, messages: Sequence[Message], layout: Layout, source: Source, notes: Notes
) -> str | None:
    """Return when the chat began: from a field, the messages' times, or a line with only a day."""
    told = preamble.about.get("started")
    if told:
        written = read_written(told)
        return _begin(written, source, notes) if written else read_time(told, source.zone, notes)
    if any(message.time for message in messages):
        return None
    found = read_written(preamble.day) if preamble.day else None
    if found is not None:
        notes.add("its day was taken from a line before the first speaker", f"“{one_line(preamble.day, 60)}”")
        return _begin(found, source, notes)
    stamps = [turn.stamp.strip("[]()") for turn in layout.turns if turn.stamp]
    first = tells_order(stamps)
    found = next((day for stamp in stamps if (day := read_written(stamp, day_first=first))), None)
    return _begin(found, source, notes) if found else None


def _begin(written: WrittenDay, source: Source, notes: Notes) -> str | None:
    return (
        read_time(written.text, source.zone, notes) if written.timed else begin_of(written.text, source.zone)
    )


def _find_bundles(lines: Sequence[str]) -> list[range]:
    """Return the lines that each whole bundle in the text fills; its examples have the shape of turns."""
    text = "\n".join(lines) + "\n"
    found: list[range] = []
    at = 0
    while (span := find_bundle(text[at:])) is not None and at + span[1] < len(text):
        start, end = at + span[0], at + span[1]
        # a speaker may stand before its first words
        beside = bool(text[text.rfind("\n", 0, start) + 1 : start].strip())
        whole = range(text.count("\n", 0, start) + beside, text.count("\n", 0, end) + 1)
        found += [whole] if whole else []
        at = end
    return found


def _find(lines: list[str], people: People, notes: Notes, within: Collection[int]) -> Layout | None:
    fenced = fenced_lines(lines)
    open_lines = [
        line
        for i, text in enumerate(lines)
        if not fenced[i] and i not in within and (line := read_speaker_line(text, i, people)) is not None
    ]
    labelled = {line.index: line.rest for line in open_lines}
    said = "\n".join(labelled.get(i, text) for i, text in enumerate(lines) if i not in within)
    layout = find_layout(open_lines, people, _read_preamble(lines).end, said)
    if layout is not None:
        styles = {(turn.style, turn.folded) for turn in layout.turns}
        for i, text in enumerate(lines):
            line = read_speaker_line(text, i, people) if fenced[i] and i not in within else None
            if line is not None and (line.style, line.folded) in styles:
                notes.add("a speaker's line inside a code block was kept as text", f"line {i + 1}")
    return layout


def _unwrap(lines: list[str]) -> list[str]:
    """Return the lines without a quote mark or a code fence around the whole text."""
    filled = [line for line in lines if line.strip()]
    if filled and all(line.startswith(">") for line in filled):
        lines = [_QUOTE.sub("", line, count=1) for line in lines]
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    last = next((i for i in range(len(lines) - 1, first, -1) if lines[i].strip()), 0)
    if last and lines[first].startswith("```") and lines[last].strip() == "```":
        inner = fenced_lines(lines[first + 1 : last])
        whole = all(fenced_lines(lines)[first : last + 1])
        return lines[first + 1 : last] if whole or not any(inner) else lines
    return lines


def _read_preamble(lines: Sequence[str]) -> _Preamble:
    """Return the front matter, title and `Date:` lines; `lines` keeps the rest, from the first other one."""
    preamble = _Preamble()
    start = 0
    if lines and lines[0].rstrip() == "---":
        end = next((i for i, line in enumerate(lines) if i and line.rstrip() in {"---", "..."}), None)
        if end is not None:
            for line in lines[1:end]:
                _read_about(line, preamble)
            start = end + 1
    for index in range(start, len(lines)):
        line = lines[index].strip()
        if not line or _RULE.fullmatch(lines[index]) or _read_about(line, preamble):
            continue
        heading = _HEADING.fullmatch(line)
        if not preamble.day and read_written(heading["text"] if heading else line):
            preamble.day = heading["text"] if heading else line
            continue
        if heading and "title" not in preamble.about:
            preamble.about["title"] = heading["text"].strip("*_# \t")
            continue
        preamble.lines = [text for text in lines[index:] if text.strip()]
        if not preamble.day and len(preamble.lines) > 1 and read_written(preamble.lines[1]):
            # below a line with the title
            preamble.day = preamble.lines.pop(1)
        preamble.end = index
        break
    if (
        len(preamble.lines) == 1
        and "title" not in preamble.about
        and len(preamble.lines[0]) <= _LONGEST_TITLE
        and not _SENTENCE.fullmatch(preamble.lines[0].strip())
    ):
        preamble.by_line = preamble.about["title"] = preamble.lines.pop().strip().strip("*_")
    return preamble


def _read_about(line: str, preamble: _Preamble) -> bool:
    found = _FIELD.fullmatch(line.strip())
    key = _ABOUT.get(found["key"].casefold().replace("_", " ")) if found else None
    if not found or not key:
        return False
    value = found["value"].strip()
    if value.startswith('"'):
        try:
            value = str(json.loads(value))
        except (ValueError, RecursionError):
            value = value.strip('"')
    preamble.about.setdefault(key, value)
    return True


def _turns(
    lines: Sequence[str], layout: Layout, people: People, source: Source, notes: Notes
) -> list[Message]:
    ends = [turn.index for turn in layout.turns[1:]] + [len(lines)]
    bodies = [_body(turn, lines[turn.index + 1 : end]) for turn, end in zip(layout.turns, ends, strict=True)]
    ruled = sum(1 for body in bodies[:-1] if body and _RULE.fullmatch(body[-1]))
    if ruled and ruled * 100 >= (len(bodies) - 1) * _MOSTLY:
        bodies = [_strip_blank(body[:-1]) if body and _RULE.fullmatch(body[-1]) else body for body in bodies]
    first = tells_order([turn.stamp for turn in layout.turns if turn.stamp])
    by_name = not any(people.speaks_by_role(one) for one in layout.sides if layout.sides[one] == "user")
    messages: list[Message] = []
    for number, (turn, body) in enumerate(zip(layout.turns, bodies, strict=True), start=1):
        trimmed = trim_copied(body, last=number == len(bodies))
        if trimmed.added:
            notes.add("what the app's window shows around a turn was left out", f"“{trimmed.added}”")
        messages.append(_message(turn, trimmed, layout.sides[turn.folded], source, notes, day_first=first))
        if people.speaks_by_role(turn.folded) and not (by_name and turn.folded in BOTS):
            messages[-1] = replace(messages[-1], name=None)
        elif not by_name and people.speaks_as_product(turn.folded):
            # a window's own label (`ChatGPT said:`): the persona has no other name there
            model = messages[-1].model or turn.label
            messages[-1] = replace(messages[-1], name=None, model=model)
    return messages


def _body(turn: SpeakerLine, below: Sequence[str]) -> list[str]:
    return _strip_blank([turn.rest, *below] if turn.rest else below)


def _strip_blank(lines: Sequence[str]) -> list[str]:
    filled = [i for i, line in enumerate(lines) if line.strip()]
    return list(lines[filled[0] : filled[-1] + 1]) if filled else []


def _message(  # noqa: PLR0913 (a turn, and what is known of all)
    turn: SpeakerLine, body: TrimmedTurn, role: str, source: Source, notes: Notes, *, day_first: bool | None
) -> Message:
    text = "\n".join(body.lines).rstrip()
    time = read_time(body.time, source.zone, notes)
    if turn.stamp is not None:
        stamp = turn.stamp.strip("[]()")
        written = read_written(stamp, day_first=day_first)
        if written is not None and written.timed:
            time = read_time(written.text, source.zone, notes)
        elif _DATED.fullmatch(stamp):
            time = read_time(stamp, source.zone, notes)
        elif written is None:
            notes.add("times that do not say their day for certain were left out", turn.stamp)
    model = turn.aside if role == "assistant" else None
    if turn.aside and not model:
        notes.add("what stood in parentheses after a speaker's name was left out", turn.aside)
    kind = Kind.SYSTEM if role == "system" else Kind.SAID
    return Message(role, text, kind, name=turn.label, time=time, model=model)
