"""The web page of a kit as HTML: one file, nothing from elsewhere, and no script but the page's own."""

from base64 import b64encode
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.moment import day_in_words
from reel_cli.terminal.plain_text import harmless

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from jinja2 import Environment
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markupsafe import Markup

    from reel_cli.core.values.source import SourceRange
    from reel_cli.features.view.kit_page import KitPage

GENERATOR = "reel view"
"""The name by which a page of ours is known; only such a file is replaced unasked."""
_TEMPLATES = Path(__file__).parent / "templates"


def render_page(page: "KitPage") -> str:
    """Return the page as HTML; every text of the kit in it is data, whatever it holds."""
    env = make_environment(lambda link: f"#{link}", page.addresses.find)
    style, script = read_style(), (_TEMPLATES / "find.js").read_text("utf-8")
    return env.get_template("page.html").render(
        page=page,
        style=_trust(style),
        digest=_digest(style),
        script=_trust(script),
        script_digest=_digest(script),
        generator=GENERATOR,
    )


def _digest(text: str) -> str:
    """Return the hash by which the page's policy knows its style sheet and its script."""
    return b64encode(sha256(text.encode()).digest()).decode()


def read_style() -> str:
    """Return the style sheet."""
    return (_TEMPLATES / "page.css").read_text("utf-8")


def make_environment(
    url: "Callable[[str], str]", address: "Callable[[SourceRange], str]", *more: Path
) -> "Environment":
    """Return the templates, with those in the folders `more` before them.

    `url` leads to an address on the page, `address` tells that of a stretch of a chat.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    env = Environment(
        loader=FileSystemLoader([*more, _TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    env.filters["markdown"] = _render_markdown
    env.filters["levels"] = _read_levels
    env.filters["picture"] = _as_address
    env.filters["address"] = address
    env.filters["drawn"] = _trust
    # beside its command a line is as the terminal has it
    env.filters["worded"] = lambda text: f"{text[:1].upper()}{text[1:]}"
    env.filters["day"] = lambda day: day_in_words(date.fromisoformat(day))
    env.globals["url"] = url
    # a command is shown as a link where a page can do it; none of the written file can
    env.globals["page_of"] = lambda _: ""
    return env


def is_page(data: bytes) -> bool:
    """Return whether a file is a page that this program wrote."""
    return f'<meta name="generator" content="{GENERATOR}">'.encode() in data[:2_000]


def _finalize(value: object) -> object:
    """Return a value without control characters, and without marks that turn the writing direction."""
    from markupsafe import Markup

    if isinstance(value, Markup):
        return value
    return harmless(value) if isinstance(value, str) else value


def _trust(text: str) -> "Markup":
    """Return a text of our own making as markup."""
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 (the program's own style, script and pictures, or what a renderer escaped)


def _as_address(svg: str) -> str:
    """Return a picture as an address that holds it, where it reaches nothing around it."""
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"


def _render_markdown(text: str, below: int, levels: "Collection[str]" = ()) -> "Markup":
    """Return a text of the kit as HTML: emphasis, lists and headings; HTML, links and images stay text.

    `below` is the level of the heading that the text stands under. `levels` are the tags of the headings in
    all texts that follow one another there: what is on one level in them is so on the page.
    """
    return _trust(_markdown().render(harmless(text), {"below": below, "levels": levels}).rstrip("\n"))


def _read_levels(texts: "Iterable[str]") -> "Collection[str]":
    """Return the tags of the headings in some texts, as they are in them."""
    found = (token for text in texts for token in _markdown().parse(harmless(text), {}))
    return {token.tag for token in found if token.type == "heading_open"}


@cache
def _markdown() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": False, "breaks": True})
    made.core.ruler.push("lower", _lower_headings)
    return made.disable(["image", "link", "autolink", "reference", "html_block", "html_inline"])


def _lower_headings(state: "StateCore") -> None:
    """Put the headings of a text below the page's own, without a gap between their levels."""
    if "below" not in state.env:
        return
    headings = [token for token in state.tokens if token.type in ("heading_open", "heading_close")]
    ranks = sorted({token.tag for token in headings} | set(state.env["levels"]))
    for token in headings:
        token.tag = f"h{min(6, state.env['below'] + 1 + ranks.index(token.tag))}"
