"""Aider's history: `.aider.chat.history.md`, sessions one after the other, each with the time it began.

A person's lines begin with `####`, the program's with `>`, and both end in two blanks, by which they are told
from an answer's own headings and quotes; where a file has lost these, the beginning alone counts.
"""

from collections.abc import Iterator, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import late
from reel_cli.core.tape.formats.parts import compact
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.talk import Conversation, Kind, Message

_BEGIN = late(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)[ \t]*")
_MODEL = late(r"(?:Main model|Model|Models): ([\w./:@-]{1,100})")
_YOU, _OWN, _BREAK = "#### ", ">", "  "
_BLANK = "<blank>"
_COMMANDS = ("/", "!")
"""Beginnings of what aider itself carries out; the question in `/ask WORDS` follows as a turn of its own."""
_TASTE = 4000
_SURE = 95


def _sniff(source: Source) -> int:
    if source.opening != "#":
        return 0
    return _SURE if any(_BEGIN.fullmatch(line) for line in source.text[:_TASTE].splitlines()[:50]) else 0


def _read(source: Source) -> Iterator[Conversation]:
    lines = source.text.replace("\r\n", "\n").split("\n")
    marked = any(line.startswith(_YOU) and line.endswith(_BREAK) for line in lines)
    begins = [(i, found[1]) for i, line in enumerate(lines) if (found := _BEGIN.fullmatch(line))]
    if not begins:
        message = f"{source.name} is no history of aider: no line says when a chat started."
        raise ReelError(message, hint="aider keeps it as .aider.chat.history.md")
    ends = [i for i, _ in begins[1:]] + [len(lines)]
    seen: set[str] = set()
    for (start, stamp), end in zip(begins, ends, strict=True):
        notes = Notes()
        body = lines[start + 1 : end]
        messages = list(_read_session(body, marked=marked))
        if not any(message.kind is Kind.SAID for message in messages):
            # begun, and left before a word
            continue
        model = next((found[1] for line in body[:20] if (found := _MODEL.search(line))), None)
        yield Conversation(
            format="aider",
            messages=tuple(messages),
            key=f"aider:{stamp.replace(' ', 'T')}" if stamp not in seen else None,
            started=read_time(stamp, source.zone, notes),
            model=model,
            problems=notes.lines(),
        )
        seen.add(stamp)


def _read_session(lines: Sequence[str], *, marked: bool) -> Iterator[Message]:
    """Yield what was said, turn by turn, each followed by what the program said and was told to do."""
    held: list[str] = []
    whose = "assistant"
    own: list[Message] = []
    for line in (*lines, None):
        now, text = ("end", "") if line is None else _whose(line, marked=marked)
        if now != whose:
            words = "\n".join(held).strip("\n")
            if words.strip() and (whose == "tool" or (whose == "user" and words.startswith(_COMMANDS))):
                own.append(Message("tool", compact(words), Kind.TOOL))
            elif words.strip() and words != _BLANK:
                yield Message(whose, words)
                yield from own
                own = []
            held, whose = [], now
        held.append(text)
    yield from own


def _whose(line: str, *, marked: bool) -> tuple[str, str]:
    """Return whose a line is, and the line without the marks of that."""
    if (marked and not line.endswith(_BREAK)) or not line.startswith((_YOU, _OWN)):
        return "assistant", line
    if line.startswith(_YOU):
        return "user", line.removeprefix(_YOU).removesuffix(_BREAK)
    return "tool", line[1:].strip()


READER = Reader("aider", _sniff, _read)
