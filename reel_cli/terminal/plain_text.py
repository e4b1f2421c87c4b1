"""Text for a screen or a pipe with no control character in it that could do harm."""

import json

from reel_cli.core.frozen import late

_HARMLESS = frozenset("\n\t\u200c\u200d")
_SPACES = frozenset("\xa0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))))
_STEERING = late(
    # ESC, BEL and other controls; DEL; C1 codes; marks that turn the writing direction; half a character
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]|\r(?!\n)"
)


def printable(text: str) -> str:
    """Remove control characters, so that nothing in a kit or a chat can steer a terminal.

    Spaces of every width become plain ones; the joiners within emoji and Persian words stay.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _HARMLESS else " " if c in _SPACES else "�" for c in text)


def harmless(text: str) -> str:
    """Replace what could steer the terminal that a piped text ends up on; every other character stays."""
    return _STEERING.sub("�", text)


def harmless_json(text: str) -> str:
    """Escape the same in a JSON text, so that a program still reads every character."""
    return _STEERING.sub(lambda found: json.dumps(found[0])[1:-1], text)
