"""`Reel-Compression`: the figures of one compression, as a trailer of its commit."""

import re

from reel_cli.core.frozen import frozen

COMPRESSION = "Reel-Compression"
WORDS = "words"
_LINE = re.compile(r"(?P<id>\S+)(?P<rest>(?: [A-Za-z]+=\S+)*)")
_FIELD = re.compile(r" (?P<key>[A-Za-z]+)=(?P<value>\S+)")


@frozen
class CompressionFigures:
    """The figures of one compression of a memory (SRIP-11 §VI).

    `ratio` is tokens after by tokens before; `loss` is measured by `unit`, `words` or embeddings, None where
    it could not be told. `cohesion` is that of the memory's cluster, None where it has none.
    """

    id: str
    ratio: float
    loss: float | None
    unit: str = WORDS
    cohesion: float | None = None


def render_figures(figures: CompressionFigures) -> tuple[str, str]:
    """Return the trailer: `M-004 CR=0.32 SL=0.07 by=words TC=1.4`."""
    told = [figures.id, f"CR={figures.ratio:.2f}"]
    if figures.loss is not None:
        told += [f"SL={figures.loss:.2f}", f"by={figures.unit}"]
    if figures.cohesion is not None:
        told.append(f"TC={figures.cohesion:.2f}")
    return COMPRESSION, " ".join(told)


def parse_figures(value: str) -> CompressionFigures | None:
    """Read one trailer's value; None where it is none. Unknown fields are passed over."""
    found = _LINE.fullmatch(value.strip())
    if found is None:
        return None
    fields = {field["key"]: field["value"] for field in _FIELD.finditer(found["rest"])}
    ratio = _number(fields.get("CR", ""))
    if ratio is None:
        return None
    loss, cohesion = _number(fields.get("SL", "")), _number(fields.get("TC", ""))
    return CompressionFigures(found["id"], ratio, loss, fields.get("by", WORDS), cohesion)


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d{1,6}(\.\d{1,6})?", text) else None
