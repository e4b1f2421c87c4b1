"""Kit text made fit to stand in a bundle: no control characters, one line where one line is meant."""

from reel_cli.core.blockquote import plain_breaks

_CONTROLS = {code: None for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}
_BREAKS = dict.fromkeys((9, 10, 11, 12, 13, 28, 29, 30, 0x85, 0x2028, 0x2029), " ")


def fold_text(text: str) -> str:
    """Return `text` with plain line ends and without control characters, otherwise unchanged."""
    return plain_breaks(text).translate(_CONTROLS)


def fold_line(text: str) -> str:
    """Return `text` on one line, without control characters or extra spaces."""
    return " ".join(text.translate(_BREAKS).translate(_CONTROLS).split())
