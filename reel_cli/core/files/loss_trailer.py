"""The `Reel-Forgot` trailer: one loss of fidelity, and how to take it back."""

import json
import re

from reel_cli.core.frozen import frozen
from reel_cli.core.values.change import one_line

FORGOT = "Reel-Forgot"
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


def render_forgotten(loss: Forgotten) -> str:
    """Return the trailer's value, on one line; a path is quoted."""
    name = loss.id if re.fullmatch(r"M-\d+", loss.id) else _quote(loss.id)
    sizes = f"{loss.tokens_before}->{loss.tokens_after}"
    fields = [f"source={loss.source.replace(' ', '')}"] if loss.source else []
    fields += [f"was={loss.was}"] if loss.was else []
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
