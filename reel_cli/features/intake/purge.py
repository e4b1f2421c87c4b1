"""Intake queue with something purged out of it.

What is quoted there is a part of what was said, so a part of what is purged goes as well.
"""

import re

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_text import parse_yaml
from reel_cli.core.tape.erasure.target import PurgeTarget
from reel_cli.core.values.talk import PURGED, parse_source

_ENTRY = re.compile(r"(?m)^(?=[ \t]*-[ \t])")
_SAID = re.compile(
    r"(?m)^([ \t]*(?:-[ \t]+)?)(words|why)[ \t]*:.*\n(?:[ \t]*\n|[ \t]+(?![ \t]*[\w-]+:).*\n)*"
)
LEAST = 3
"""Words at its edge, equal to the edge of the purged text, that make it a part of that."""


def purge_intake(data: bytes, wanted: PurgeTarget, session: str | None) -> bytes:
    """Return the file without the wanted text, and parts of it.

    Of what was said in a purged session, and of reasons given on its page, no word stays.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return wanted.replace_bytes(data)[0]
    parts = _ENTRY.split(text if text.endswith("\n") else f"{text}\n")
    made = "".join(part if at == 0 else _purged(part, wanted, session) for at, part in enumerate(parts))
    return wanted.replace_bytes(made.encode("utf-8") if made.rstrip("\n") != text.rstrip("\n") else data)[0]


def _purged(entry: str, wanted: PurgeTarget, session: str | None) -> str:
    told = _read(entry)
    span = parse_source(told.get("source", ""))
    keys = set()
    if session is not None and span is not None and span.session == session:
        keys = {"words", "why"}
    elif session is not None and told.get("page") == session:
        keys = {"why"}
    keys |= {key for key in ("words", "why") if _is_part(told.get(key, ""), wanted)}
    return (
        _SAID.sub(lambda f: f"{f[1]}{f[2]}: {PURGED}\n" if f[2] in keys else f[0], entry) if keys else entry
    )


def _read(entry: str) -> dict[str, str]:
    # the next section's key may follow the last entry
    own = re.split(r"(?m)^(?=[A-Za-z#])", entry)[0]
    try:
        value = parse_yaml(own, "entry")
    except ReelError:
        return {}
    told = value[0] if isinstance(value, list) and value else {}
    return (
        {key: text for key, text in told.items() if isinstance(text, str)} if isinstance(told, dict) else {}
    )


def _is_part(quoted: str, wanted: PurgeTarget) -> bool:
    """Return whether a quotation is a piece of the wanted text, or begins or ends with one."""
    words = _words(quoted)
    if len(words) < LEAST:
        return False
    return any(_overlap(words, _words(text)) for text in wanted.texts)


def _overlap(words: list[str], text: list[str]) -> bool:
    if len(text) <= LEAST:
        return False
    if f" {' '.join(words)} " in f" {' '.join(text)} ":
        return True
    most = min(len(words), len(text))
    return any(words[-n:] == text[:n] or words[:n] == text[-n:] for n in range(LEAST, most + 1))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
