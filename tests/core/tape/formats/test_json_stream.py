import json
from datetime import UTC

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats import json_stream, source
from reel_cli.core.tape.formats.source import Source


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows so small that every kind of cut happens."""
    monkeypatch.setattr(json_stream, "WINDOW", 3)
    monkeypatch.setattr(source, "WHOLE", 0)


def entries(data: bytes) -> list[object]:
    return list(Source(data, "x.json").items())


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(st.lists(VALUES, max_size=5), st.booleans(), st.sampled_from([None, 1]), st.integers(1, 9))
def test_a_list_in_windows_of_any_size_is_the_list(
    values: list[object],
    plain: bool,  # noqa: FBT001
    indent: int | None,
    window: int,
) -> None:
    data = json.dumps(values, ensure_ascii=plain, indent=indent).encode("utf-8", "surrogatepass")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_stream, "WINDOW", window)
        patch.setattr(source, "WHOLE", 0)
        assert entries(data) == json.loads(data.decode("utf-8", "replace"))
        assert list(Source(data, "x.json").first) == json.loads(data.decode("utf-8", "replace"))[:50]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    "text",
    ["[1, 23, -4.5e+6, true, null]", '["\\ud83d\\ude42", "🙂", "a\\"b"]', "[NaN, -Infinity]", " [ ] \n"],
)
def test_what_could_be_cut_in_two_is_not(text: str) -> None:
    assert repr(entries(text.encode())) == repr(json.loads(text))
    assert repr(entries(b"\xef\xbb\xbf" + text.encode())) == repr(json.loads(text))


STOPS = "it stops in the middle, at line"


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("text", "fault", "whole"),
    [
        ('[{"a": 1},\n{"b": 2},\n{"c": "un', f"{STOPS} 3", 2),
        ('[{"a": 1},\n{"b": 2}', f"{STOPS} 2", 2),
        ('[{"a": 1},\n', f"{STOPS} 1", 1),
        ("[", f"{STOPS} 1", 0),
        ('[{"a": 1},\n{"b": oops},\n{"c": 3}]', "line 2 is not JSON", 1),
        ('[{"a": 1}\n{"b": 2}]', "line 2 is not JSON", 1),
        ('[{"a": 1},]', "line 1 is not JSON", 1),
        ('[{"a": 1}] x', "line 1 is not JSON", 1),
        ('[{"a": 1}, ' + "[" * 100_000 + "]", json_stream.TOO_DEEP, 1),
        ('[{"a": 1}, ' + "9" * 5000 + "]", json_stream.TOO_DEEP, 1),
    ],
)
def test_what_is_broken_says_where_and_how_much_stands_before_it(text: str, fault: str, whole: int) -> None:
    with pytest.raises(ReelError) as error:
        entries(text.encode())
    assert error.value.message == f"x.json cannot be read: {fault}."
    many = {0: "", 1: "1 entry is whole before that, and nothing was taken; "}
    expected = many.get(whole, f"{whole} entries are whole before that, and nothing was taken; ")
    assert error.value.hint == f"{expected}export or download it again"


@pytest.mark.usefixtures("small")
def test_a_list_without_an_end_is_refused_before_its_first_entry() -> None:
    with pytest.raises(ReelError):
        next(Source(b'[{"a": 1}, {"b": 2}, ', "x.json").items())
    assert Source(b'[{"a": 1}, {"b": 2}, ', "x.json").first == ({"a": 1}, {"b": 2})


@pytest.mark.usefixtures("small")
def test_bytes_that_are_not_utf8_are_replaced_and_that_is_said() -> None:
    one = Source(b'["a\xffb", "\xf0\x9f\x99\x82"]', "x.json", zone=UTC)
    assert list(one.items()) == ["a\ufffdb", "🙂"]
    assert one.notes.lines() != ()


def test_an_entry_with_far_too_many_parts_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "MOST_PARTS", 100)
    monkeypatch.setattr(json_stream, "WINDOW", 64)
    monkeypatch.setattr(source, "WHOLE", 0)
    with pytest.raises(ReelError) as error:
        entries(json.dumps([1, [[]] * 200]).encode())
    assert error.value.message == f"x.json cannot be read: {json_stream.TOO_MUCH}."


def test_an_entry_that_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "LARGEST_ENTRY", 1000)
    monkeypatch.setattr(json_stream, "WINDOW", 64)
    monkeypatch.setattr(source, "WHOLE", 0)
    with pytest.raises(ReelError) as error:
        entries(b'["' + b"x" * 5000 + b'"]')
    assert error.value.message == f"x.json cannot be read: {json_stream.TOO_LARGE}."


def test_lines_are_the_same_in_a_long_file(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b'\xef\xbb\xbf{"a": 1}\r\n\n{"b": "\xff"}\n \n{"c": 3}'
    short = [(n, line.strip()) for n, line in Source(data, "x").lines()]
    monkeypatch.setattr(source, "WHOLE", 0)
    long = Source(data, "x")
    assert [(n, line.strip()) for n, line in long.lines()] == short
    assert [n for n, _ in short] == [1, 3, 5]
    assert [type(value) for value in long.first] == [dict, dict, dict]
    assert long.json_fault is not None


def test_progress_reaches_the_end() -> None:
    data = json.dumps([{"a": "x" * 1000}] * 5000).encode()
    long = Source(data, "x.json")
    assert long.is_long
    assert sum(1 for _ in long.items()) == 5000
    assert long.progress.done == len(data)
