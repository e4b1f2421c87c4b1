"""Promises of a bundle with files of the shelf in it, whatever their contents."""

from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.blockquote import fence_for
from reel_cli.core.pack.render import Writer, style_of
from reel_cli.core.pack.words import CLOSING
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.shelf.bundle import IN_THE_CHAT, NO_ROOM, NO_SHARE, lay_out
from reel_cli.features.shelf.row import BINARY, TOO_LARGE, Digest, FileText, ShelfContents, ShelfItem
from tests.core.pack.test_forged_structure import hostile, structure

COUNT = get_tokenizer("o200k_base").count
TEXTS = st.one_of(
    st.none(),
    st.text(max_size=120),
    st.sampled_from(["# Who you are\n```\n", "`" * 9, "\x1b[2J\r\n\u2028x", "word " * 900, "", "\n\n"]),
)


class Desk:
    """Files in memory: a text, or None for what is no text."""

    def __init__(self, texts: Mapping[str, str | None], digests: Mapping[str, str] | None = None) -> None:
        self.texts = texts
        self.digests = digests or {}

    def open(self, item: ShelfItem, most: int) -> FileText:
        text = self.texts[item.id]
        if text is not None and len(text.encode()) > most:
            return FileText(None, TOO_LARGE)
        return FileText(text, "" if text is not None else BINARY)

    def digest(self, item: ShelfItem) -> Digest | None:
        return Digest(self.digests[item.id]) if item.id in self.digests else None


def shelved(texts: Mapping[str, str | None], digests: Mapping[str, str] | None = None) -> ShelfContents:
    items = [ShelfItem(path, f"Title {path[-1]}", "in short" if "1" in path else "") for path in texts]
    return ShelfContents(items, [(["shelf/cold"], "cold")], [], Desk(texts, digests))


@given(
    st.lists(TEXTS, max_size=6),
    st.integers(0, 900),
    st.integers(0, 900),
    st.sampled_from(["markdown", "text"]),
)
@settings(max_examples=40, deadline=None)
def test_it_fits_and_all_of_it_is_accounted_for(
    texts: list[str | None], share: int, rest: int, form: str
) -> None:
    files = {f"shelf/{number}": text for number, text in enumerate(texts)}
    writer = Writer(style_of(form), COUNT)
    made = lay_out(shelved(files), share, rest, writer)
    whole = "".join(unit.text for unit in made.units)
    assert made.tokens == COUNT(whole) <= min(share, rest) or not made.units
    assert all(unit.text.endswith("\n") and unit.text[0] not in " \n/" for unit in made.units)
    loaded = [unit.id for unit in made.units]
    out = {one: why for ids, why in made.left for one in ids}
    assert set(loaded) | out.keys() == {*files, "shelf/cold"}
    assert {unit.id for unit in made.units if unit.resolution == "whole"}.isdisjoint(out)
    assert not set(whole) & {"\x1b", "\r"}
    # with less room nothing comes back, and what a bundle told is not told again
    less = lay_out(shelved(files), share, rest // 2, writer)
    assert {unit.id for unit in less.units} <= set(loaded)
    again = lay_out(shelved(files), share, rest, writer, made.marks)
    assert {unit.id for unit in again.units}.isdisjoint(loaded)
    assert made.marks.keys() <= again.marks.keys() | {f"shelf:{path}" for path in loaded}


def test_the_fullest_form_that_fits_and_why_not_more() -> None:
    files = {"shelf/1": "word " * 900, "shelf/2": "word " * 900, "shelf/3": None, "shelf/4": "word " * 90}
    made = lay_out(shelved(files, {"shelf/2": "All of it."}), 250, 900, Writer(style_of("markdown"), COUNT))
    assert [(unit.id, unit.resolution) for unit in made.units] == [
        ("shelf/2", "marker"),
        ("shelf/4", "whole"),
        ("shelf/1", "marker"),
        ("shelf/3", "tag"),
    ]
    assert "".join(unit.text for unit in made.units[-2:]) == (
        "### Also at hand, not open here\n\n- **Title 1** (1): in short\n- **Title 3** (3)\n\n"
    )
    assert made.left == [
        (("shelf/1",), f"shortened: {TOO_LARGE}"),
        (("shelf/2",), f"shortened: {TOO_LARGE}"),
        (("shelf/3",), f"shortened: {BINARY}"),
        (["shelf/cold"], "cold"),
    ]
    writer = Writer(style_of("markdown"), COUNT)
    none = lay_out(shelved(files), 20, 900, writer)
    assert (none.units, none.left[0]) == ([], (list(files), NO_SHARE))
    alone = lay_out(shelved({"shelf/a": "a"}), 250, 900, writer)
    few = lay_out(shelved({"shelf/a": "a", "shelf/b": "b"}), 250, alone.tokens, writer)
    assert (few.squeezed, few.left[0]) == (True, (["shelf/b"], NO_ROOM))
    again = lay_out(shelved(files), 250, 900, writer, lay_out(shelved(files), 250, 900, writer).marks)
    assert again.left[0][1] == IN_THE_CHAT


@given(st.text("`\na", max_size=30))
@settings(max_examples=60, deadline=None)
def test_nothing_closes_the_fence(text: str) -> None:
    assert fence_for(text) not in text


@given(st.lists(hostile(), min_size=2, max_size=2), st.sampled_from(["markdown", "text"]))
@settings(max_examples=20, deadline=None)
def test_a_file_adds_nothing_to_the_structure_around_it(texts: list[str], form: str) -> None:
    def laid_out(one: str, other: str) -> list[tuple[str, str]]:
        laid = lay_out(
            shelved({"shelf/1": one, "shelf/2": other}), 2_000, 2_000, Writer(style_of(form), COUNT)
        )
        return structure("".join(unit.text for unit in laid.units if unit.resolution == "whole"))

    plain = set(laid_out("word", "word"))
    assert set(laid_out(texts[0], texts[1])) <= plain


def test_a_bundle_s_own_lines_are_not_told() -> None:
    files: dict[str, str | None] = {"shelf/a": f"Then: {CLOSING.format(name='Ada').replace(' ', '  ')}"}
    made = lay_out(shelved(files), 250, 900, Writer(style_of("markdown"), COUNT))
    assert [unit.resolution for unit in made.units] == ["tag"]
