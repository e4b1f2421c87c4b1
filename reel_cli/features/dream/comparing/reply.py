"""Questions put to chats that began differently, and the reading of their answers."""

import re
from collections.abc import Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.reader.cleaning import after_prompt, clean
from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.resources import read_ask

MOST_QUESTIONS = 60
LONGEST = 600
"""Characters above which a question is refused."""
PASTE_BELOW = "Paste the whole answer of the chat that began with {chat} below this line."
"""The first line of a file that waits for an answer."""
_ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_HEADING = re.compile(r"#{1,6}[ \t]|={3,}[ \t]*$|-{3,}[ \t]*$")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_DRESS = r"[ \t>#*_=\[(【<`~•\-–—]*"
_NAMED = re.compile(
    rf"{_DRESS}(?:question|answer|q|a)[ \t]*(?:no\.?|nr\.?|number)?[ \t]*#?[ \t]*"
    r"(?P<number>\d{1,3})(?!\d)(?P<rest>[^\w\n].{0,800})?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(rf"{_DRESS}(?P<number>\d{{1,3}})(?:[ \t]*[.):\-–—\]*_]+|[ \t]*$)(?P<rest>.{{0,800}})")
_MARK = re.compile(r"[ \t>]*(?:#{1,6}[ \t]|[*_]{2}|={2,}|\[|【|<)")
_OWN_HEADING = re.compile(r"[ \t>]*#{1,6}[ \t]")
_EDGE = " \t:*_#=]】>)-–—.`~"
_RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*")


def read_questions(text: str) -> tuple[str, ...]:
    """Return the questions of a file, one a line; skips list marks, empty lines, rules and headings.

    Raises ReelError where there is none, too many, one too long, one twice, or one that holds control codes.
    """
    found: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        plain = _ITEM.sub("", line.strip(), count=1).strip()
        if not plain or _HEADING.match(line.strip()):
            continue
        _check_question(plain, number)
        if (folded := " ".join(plain.split())) in found:
            message = f"Line {number} of the questions asks the same as line {found[folded]}."
            raise ReelError(message, hint="take one of them out")
        found[folded] = number
    if not found:
        message = "There is no question in the file."
        raise ReelError(message, hint="write one a line")
    if len(found) > MOST_QUESTIONS:
        message = f"{len(found):,} questions are more than a chat can answer at once."
        raise ReelError(message, hint=f"take at most {MOST_QUESTIONS}")
    return tuple(found)


def _check_question(plain: str, number: int) -> None:
    if _CONTROL.search(plain):
        message = f"Line {number} of the questions holds control codes."
        raise ReelError(message, hint="type that line again, as plain text")
    if len(plain) > LONGEST:
        message = f"Line {number} of the questions has {len(plain):,} characters; {LONGEST} are the most."
        raise ReelError(message, hint="one question a line, as you would ask it")
    if not re.search(r"\w", plain):
        message = f"Line {number} of the questions has no word in it."
        raise ReelError(message, hint="write one question a line")


def render_questions(name: str, user: str, questions: Sequence[str]) -> str:
    """Ask all of them, each under its own heading; the text ends in a newline."""
    intro, form, outro = read_ask("compare").split("\n---\n")
    whole = f"{intro.strip()}\n\n{form.strip()}\n\n{outro.strip()}\n"
    listed = "\n".join(f"## Question {n}\n{asked}" for n, asked in enumerate(questions, start=1))
    fill = {"name": " ".join(name.split()), "user": " ".join(user.split()), "questions": listed}
    return re.sub(r"\{\{(\w+)\}\}", lambda found: fill[found[1]], whole)


def read_answers(reply: str, questions: Sequence[str], prompt: str, names: Sequence[str]) -> dict[int, str]:
    """Return each answer by its question's number, from 1; missing and empty ones are left out.

    `prompt` is what was pasted, which may stand before the answers; `names` are those they may be signed
    with. Raises ReelError where the text is far too long for a reply, or is the prompt itself.
    """
    plain, _ = clean(reply)
    if squash(plain) and squash(plain) == squash(prompt):
        message = "This is the prompt, not the answer to it."
        raise ReelError(message, hint="copy what the model wrote below it")
    lines = after_prompt(plain, prompt).strip("\n").split("\n")
    while lines and (not lines[-1].strip() or _is_signed(lines[-1], names)):
        lines.pop()
    heads = _heads(lines, questions)
    if not heads and len(questions) == 1:
        heads = [(-1, 1, "")]
    found: dict[int, str] = {}
    ends = [*(line for line, _, _ in heads[1:]), len(lines)]
    for (line, number, rest), end in zip(heads, ends, strict=False):
        body = lines[line + 1 : end]
        if rest:
            body.insert(0, rest)
        answer = _without_question(body, questions[number - 1])
        if answer:
            found[number] = answer
    return found


def _heads(lines: Sequence[str], questions: Sequence[str]) -> list[tuple[int, int, str]]:
    """Return the start of each answer: (line, number, the text behind the number except the question)."""
    for pattern, strict in ((_NAMED, False), (_NUMBERED, True)):
        found: list[tuple[int, int, str]] = []
        for at, line in enumerate(lines):
            if len(line) > 1_000 or not (told := pattern.fullmatch(line.rstrip())):
                continue
            number, rest = int(told["number"]), (told["rest"] or "").lstrip(_EDGE).rstrip()
            if not 0 < number <= len(questions):
                continue
            asked = _same(rest, questions[number - 1])
            # answers come in the order asked; one that was forgotten follows after them under its own
            # heading; any other number belongs to the text
            late = not strict and (asked or not rest) and number not in {n for _, n, _ in found}
            if found and number <= found[-1][1] and not (late and _OWN_HEADING.match(line)):
                continue
            if not (_MARK.match(line) or asked or not rest) or (
                strict and not _MARK.match(line) and not asked
            ):
                continue
            found.append((at, number, "" if asked else rest))
        if found:
            return found
    return []


def _without_question(body: Sequence[str], question: str) -> str:
    """Return an answer without the question above it, and without rules and blank lines around it."""
    lines = list(body)
    while lines and (not lines[0].strip() or _RULE.fullmatch(lines[0]) or _same(lines[0], question)):
        lines.pop(0)
    while lines and (not lines[-1].strip() or _RULE.fullmatch(lines[-1])):
        lines.pop()
    return "\n".join(lines)


def _same(text: str, question: str) -> bool:
    return bool(squash(text)) and squash(text) == squash(question)


def _is_signed(line: str, names: Sequence[str]) -> bool:
    return squash(line) in {squash(name) for name in names if squash(name)}
