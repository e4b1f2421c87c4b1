"""A commit's message: subject, notes, and trailers that nothing else in it can pass for.

One trailer tells of a loss of fidelity and how to take it back (`Reel-Forgot`).
"""

import json
import re
from collections.abc import Iterable, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.values.change import Change, one_line

KEY = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
LOOKS_MEANT = re.compile(r"[A-Za-z0-9-]+\s*:|\(cherry picked from|---|#")
"""Pattern of lines that git's trailer reader, or a program that strips comments, might take for its own."""

OP = "Reel-Op"
RATIFIED_BY = "Reel-Ratified-By"
"""Names who put a text of ring 0, or a change of the ring 1 pool, in force."""
RATIFIED = "Reel-Ratified"
"""Names a file and its blob that a ratifying commit puts in force as history already has it."""
ROUND = "Reel-Facts"
"""Names a stretch of tape that was gone through for facts, and what came of it."""
TOLD_ALONE = frozenset({ROUND, RATIFIED})
"""Trailers that are worth a commit even if no file changes."""
GONE = "gone"
"""Value in place of the blob's ID if the ratified change is the deletion of the file."""
ANEW = ", anew from what was said"
"""End of the subject of a commit in which a memory was rewritten at the same level."""
MUST_STAY = " on what must stay"
"""End of the subject of a commit that lays suggestions by for a person."""
PART = "Reel-Part"
"""Names the kind of maintenance that a commit is of, where that is no pass through rings 3 and 4."""
MARKED = "mark a moment"
"""Start of the subject of a commit that records a flag."""
CORRECTED = "put right "
"""Start of the subject of a commit that records a correction."""
NOTICED = "something noticed"
"""The subject, without its operation, of a commit that notes why to dream."""
NOT_TAKEN = "not taken: "
"""Start of the subject of a commit that refuses a proposal; its item follows."""
UNDOES = "Reel-Undoes"
"""Names the commit that an `undo` or `redo` takes back."""


def list_undone(commits: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str]:
    """Return by which commit each that is taken back was; one whose undoing was taken back itself stands.

    `commits` are pairs of an id and the ids of those it takes back, newest first.
    """
    undone: dict[str, str] = {}
    for commit, targets in commits:
        if commit not in undone:
            undone |= {target: commit for target in targets if target not in undone}
    return undone


def render_message(change: Change) -> str:
    """Return the commit message: subject, notes, and the trailers as its last paragraph, `Reel-Op` first.

    Whatever stands in the change, each part stays on its own line and no note can pass for a
    trailer. Raises ReelError for a trailer key that is none.
    """
    notes = [_note(note) for note in change.notes]
    body = re.sub(r"\n{3,}", "\n\n", "\n".join(notes)).strip("\n")
    trailers = [(OP, change.op), *((key, value) for key, value in change.trailers if key != OP)]
    paragraphs = [one_line(change.subject), body, "\n".join(_trailer(*pair) for pair in trailers)]
    return "\n\n".join(part for part in paragraphs if part) + "\n"


def _note(note: str) -> str:
    line = one_line(note)
    return f"  {line}" if LOOKS_MEANT.match(line) else line


def _trailer(key: str, value: str) -> str:
    if not KEY.fullmatch(key):
        message = f"{key!r} cannot name a trailer."
        raise ReelError(message)
    return f"{key}: {one_line(value)}".rstrip()


def parse_trailers(text: str) -> Sequence[tuple[str, str]]:
    """Read what git's `%(trailers:only,unfold)` prints: (key, value) pairs, in order."""
    pairs = (line.partition(":") for line in text.split("\n") if line)
    return tuple((key.strip(), value.strip()) for key, _, value in pairs)


_TRAILER = re.compile(rf"{KEY.pattern}:")


def plain_operation(message: str) -> str:
    """Return the operation that a commit's message names in the form in which reel writes it.

    "" where it does not; git's own reader of trailers may find one all the same.
    """
    *before, last = message.rstrip("\n").split("\n\n")
    lines = last.split("\n")
    told = [line.removeprefix(f"{OP}:").strip() for line in lines if line.startswith(f"{OP}:")]
    return told[0] if before and len(told) == 1 and all(map(_TRAILER.match, lines)) else ""


_PASSED_OVER = ("#", "---", "Conflicts:")
"""Begins of lines which git may leave out before it looks for the trailers, with all after them."""


def plain_trailers(message: str) -> Sequence[tuple[str, str]] | None:
    """Return the trailers of a commit's message as git reads them, keys in lower case.

    None where git's own reader, which also knows other forms, has to be asked.
    """
    lines = message.rstrip().split("\n")
    if any(line.isspace() or line.startswith(_PASSED_OVER) for line in lines):
        return None
    *before, last = "\n".join(lines).split("\n\n")
    own = last.split("\n") if before else []
    if not any(":" in line or line.startswith("(") for line in own):
        return ()
    if not all(map(_TRAILER.match, own)):
        return None
    return [(key.lower(), value.strip()) for key, _, value in (line.partition(":") for line in own)]


FORGOT = "Reel-Forgot"
BETWEEN_DOUBTS = " ¦ "
NOTE, CLOSED, SHORTER = "note", "closed", "shorter"
"""A note of ring 2, and what becomes of it: it is let go, or goes on in fewer words."""
_LINE = re.compile(
    r'(?P<id>"(?:[^"\\]|\\.)*"|\S+) +(?P<before>[\w-]+)->(?P<after>[\w-]+)'
    r" +(?P<from>\d{1,12})->(?P<to>\d{1,12})(?P<rest>(?: .*)?)"
)
_FIELD = re.compile(r' (?P<key>[a-z]+)=(?P<value>"(?:[^"\\]|\\.)*"|\S*)')


@frozen
class Forgotten:
    """One loss: of which memory or shelf path, from what to what (`L2`, `stub`, `dormant`), in tokens.

    `was` is the blob that held it before, `source` its stretches of tape as the kit writes them.
    """

    id: str
    before: str
    after: str
    tokens_before: int
    tokens_after: int
    source: str = ""
    was: str = ""
    reason: str = ""
    doubted: str = ""
    """Details that nothing bears in the text of before, each as `kind:claim`, joined by `BETWEEN_DOUBTS`."""

    @property
    def why(self) -> str:
        """Return the reason for a screen."""
        return tell_reason(self.reason)


def tell_reason(reason: str) -> str:
    """Return the reason of a loss for a screen; earlier commits call the memories by their ring."""
    return reason.replace("ring 3 over its range", "memories over their share")


def render_forgotten(loss: Forgotten) -> str:
    """Return the trailer's value, on one line; a path is quoted."""
    name = loss.id if re.fullmatch(r"M-\d+", loss.id) else _quote(loss.id)
    sizes = f"{loss.tokens_before}->{loss.tokens_after}"
    fields = [f"source={loss.source.replace(' ', '')}"] if loss.source else []
    fields += [f"was={loss.was}"] if loss.was else []
    fields += [f"doubted={_quote(loss.doubted)}"] if loss.doubted else []
    return " ".join([name, f"{loss.before}->{loss.after}", sizes, *fields, f"why={_quote(loss.reason)}"])


def parse_forgotten(value: str) -> Forgotten | None:
    """Read one trailer's value; None where it is none."""
    found = _LINE.fullmatch(value.strip())
    if not found:
        return None
    fields = {field["key"]: unquote(field["value"]) for field in _FIELD.finditer(found["rest"])}
    return Forgotten(
        id=unquote(found["id"]),
        before=found["before"],
        after=found["after"],
        tokens_before=int(found["from"]),
        tokens_after=int(found["to"]),
        source=fields.get("source", ""),
        was=fields.get("was", ""),
        reason=fields.get("why", ""),
        doubted=fields.get("doubted", ""),
    )


def _quote(text: str) -> str:
    return json.dumps(one_line(text), ensure_ascii=False)


def unquote(text: str) -> str:
    """Return a name without its quotes; an unquoted one unchanged."""
    if not text.startswith('"'):
        return text
    try:
        return str(json.loads(text))
    except ValueError:
        return re.sub(r"\\(.)", r"\1", text[1:-1])
