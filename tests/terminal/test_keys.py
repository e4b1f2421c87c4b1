"""Input from a keyboard or a pipe, in pieces of any size."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.terminal.input.keys import Key, Keys


def read(data: bytes, *, typed: bool, sizes: list[int] | None = None) -> list[str | Key]:
    """All that comes, neighbouring texts as one; in pieces of these sizes, by turns."""
    keys, found, at = Keys(typed=typed), list[str | Key](), 0
    sizes = sizes or [len(data) or 1]
    pieces: list[bytes] = []
    while at < len(data):
        pieces.append(data[at : at + sizes[len(pieces) % len(sizes)]])
        at += len(pieces[-1])
    for number, piece in enumerate([*pieces, b""]):
        for one in keys.feed(piece, final=number == len(pieces)):
            if found and isinstance(found[-1], str) and isinstance(one, str):
                found[-1] += one
            else:
                found.append(one)
    return found


@pytest.mark.parametrize(
    ("data", "typed", "expected"),
    [
        (b"one\r\ntwo\rthree\n", False, ["one\ntwo\nthree\n"]),
        (b"one\r\n\n\r\r\n", False, ["one\n\n\n\n"]),
        (b"\xef\xbb\xbfone \x1b[31mred\x1b[0m\x07 \x1b]0;title\x07end\x00", False, ["one red end"]),
        (b"\x1b[200~kept\x1b[201~", False, ["kept"]),
        (b"hi\r\x1b[200~a\rb\x04\x7f\x1b[201~\r", True, ["hi\na\nb", Key.PASTED, "\n"]),
        (b"hx\x7fi\x15yo\x04", True, ["hx", Key.ERASE, "i", Key.ERASE_LINE, "yo", Key.END]),
        (b"\x1b[A\x1b[1;5Cup", True, ["up"]),
        ("über\xa0\U0001f987".encode(), True, ["über\xa0\U0001f987"]),
        (b"bad \xff end", False, ["bad � end"]),
        (b"\x1b[201~stray", True, ["stray"]),
    ],
)
def test_what_comes(data: bytes, typed: bool, expected: list[str | Key]) -> None:  # noqa: FBT001
    for sizes in ([len(data)], [1], [2, 3]):
        assert read(data, typed=typed, sizes=sizes) == expected


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(["a", "é", "\r\n", "\r", "\n", "\x1b[200~", "\x1b[201~", "\x1b[3m", "\x1b", "\x04"])
    ),
    st.lists(st.integers(1, 5), min_size=1, max_size=4),
    st.booleans(),
)
def test_however_it_is_cut_the_same_comes(parts: list[str], sizes: list[int], typed: bool) -> None:  # noqa: FBT001
    data = "".join(parts).encode()
    whole = read(data, typed=typed)
    assert read(data, typed=typed, sizes=sizes) == whole
    text = "".join(one for one in whole if isinstance(one, str))
    assert all(c.isprintable() or c == "\n" for c in text)
