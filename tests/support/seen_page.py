"""A web page as a browser reads it."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset(("meta", "img", "br", "hr", "input", "link"))
HOSTILE = (
    "<script>alert(1)</script>",
    "</pre></details></textarea><img src=x onerror=alert(2)>",
    "[click](javascript:alert(3)) <javascript:alert(4)>",
    "![seen](https://example.org/seen.png) https://example.org/",
    "<svg/onload=alert(5)> &lt;b&gt; {{ 7 * 7 }} {% raw %}",
    "\x1b[31mred\x1b[0m \u202egnol\u202c",
)
"""Texts that would act in a browser that took them for more than words."""


@dataclass
class Seen(HTMLParser):
    """A page as a browser reads it: its elements with their attributes, and the text outside the style."""

    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    text: str = ""
    open: list[str] = field(default_factory=list)
    crossed: list[str] = field(default_factory=list)
    boxes: dict[str, str] = field(default_factory=dict)
    """The text of each named textarea."""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "textarea" and (name := dict(attrs).get("name")):
            self.boxes[name] = ""

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID or not self.open or self.open.pop() != tag:
            self.crossed.append(tag)

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.text += data
        if self.open[-1:] == ["textarea"] and (name := self.elements[-1][1].get("name")):
            self.boxes[name] += data

    def values(self, name: str) -> list[str]:
        return [str(attrs[name]) for _, attrs in self.elements if name in attrs]


def see(html: str) -> Seen:
    """Read a page."""
    seen = Seen()
    seen.feed(html)
    seen.close()
    return seen
