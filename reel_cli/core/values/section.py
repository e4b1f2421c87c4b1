"""Sections of a kit's web page that features bring: what each has to show of a kit as a whole."""

from collections.abc import Sequence

from reel_cli.core.frozen import frozen
from reel_cli.core.values.source import SourceRange


@frozen
class SectionLine:
    """One line of an item; `note` is said beside it, and leads to the message that `source` names, if any."""

    text: str
    note: str = ""
    source: SourceRange | None = None


@frozen
class SectionItem:
    """One item of a section; `text` is Markdown, `day` a day in words or "".

    `lines` are told one by one. An item that is `open` is not folded.
    """

    title: str
    text: str = ""
    day: str = ""
    lines: Sequence[SectionLine] = ()
    open: bool = False


@frozen
class KitSection:
    """A section of the page; `name` is its address there, `picture` an SVG of our own making, "" for none."""

    name: str
    title: str
    intro: str = ""
    items: Sequence[SectionItem] = ()
    picture: str = ""
