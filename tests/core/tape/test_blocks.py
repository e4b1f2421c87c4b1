import json

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ExitCode, StateError
from reel_cli.core.tape.blocks import extend, read_blocks, read_front_fields, render_front, verify_chain

PATH = "tape/2026/2026-02-10-1.md"
FRONT = render_front({"session": "2026-02-10-1", "source": "text"})

texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]))


def test_a_file_is_front_matter_and_then_contents_behind_delimiters() -> None:
    data = extend(FRONT, [({"n": 1, "role": "user"}, b"hi"), ({"role": "tool"}, b"")], PATH)
    first, second = read_blocks(data, PATH)
    assert (
        data.decode()
        == f"""---
session: 2026-02-10-1
source: text
---

<!-- {{"n": 1, "role": "user", "bytes": 2, "hash": "{first.digest}"}} -->
hi

<!-- {{"role": "tool", "bytes": 0, "hash": "{second.digest}"}} -->

"""
    )
    assert (first.line, second.line) == (6, 9)
    assert first.proven
    assert second.proven


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(texts, st.binary(max_size=60)), max_size=5))
def test_any_header_text_and_any_bytes_come_back_as_they_were(items: list[tuple[str, bytes]]) -> None:
    data = extend(FRONT, [({"name": name}, content) for name, content in items], PATH)
    blocks = list(read_blocks(data, PATH))
    assert [(b.header["name"], b.content) for b in blocks] == items
    assert [b.line for b in blocks] == [_line_of(data, b.digest) for b in blocks]
    assert verify_chain(data) is None


def _line_of(data: bytes, digest: str) -> int:
    return data[: data.rindex(digest.encode())].count(b"\n") + 1


@settings(max_examples=100, deadline=None)
@given(st.one_of(texts, st.text(alphabet='<!->"\\')))
def test_no_header_can_end_its_comment_or_its_line(name: str) -> None:
    data = extend(FRONT, [({"name": name}, b"")], PATH)
    line = data[len(FRONT) + 1 :].split(b"\n")[0].decode()
    inner = line.removeprefix("<!--").removesuffix("-->")
    assert "--" not in inner
    assert ">" not in inner
    assert line.isprintable()
    assert json.loads(inner)["name"] == name


def test_a_time_stays_legible() -> None:
    data = extend(FRONT, [({"at": "2026-02-10T21:14:00-05:00"}, b"")], PATH)
    assert b'"at": "2026-02-10T21:14:00-05:00"' in data


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.sampled_from(["title", "model", "source"]), texts))
def test_front_matter_comes_back_as_it_was(fields: dict[str, str]) -> None:
    front = render_front(fields)
    assert read_front_fields(front + b"anything", PATH) == (fields, len(front))
    read = yaml.load(front.decode().split("---\n")[1], Loader=yaml.CBaseLoader)  # noqa: S506
    assert (read or {}) == fields


@settings(max_examples=100, deadline=None)
@given(st.lists(st.binary(max_size=30), min_size=1, max_size=4), st.data())
def test_changing_any_byte_is_noticed(contents: list[bytes], data: st.DataObject) -> None:
    whole = extend(FRONT, [({"n": i}, content) for i, content in enumerate(contents, 1)], PATH)
    at = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b != whole[at]))
    changed = whole[:at] + bytes([byte]) + whole[at + 1 :]
    broken = verify_chain(changed)
    assert broken is not None
    with pytest.raises(StateError):
        extend(changed, [], PATH)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.binary(max_size=30), min_size=1, max_size=4), st.data())
def test_a_file_cut_off_inside_a_block_is_damaged(contents: list[bytes], data: st.DataObject) -> None:
    whole = extend(FRONT, [({"n": i}, content) for i, content in enumerate(contents, 1)], PATH)
    ends = {len(FRONT)} | {
        len(extend(FRONT, [({"n": i}, c) for i, c in enumerate(contents[:k], 1)], PATH))
        for k in range(len(contents) + 1)
    }
    cut = data.draw(st.integers(0, len(whole) - 1).filter(lambda n: n not in ends))
    with pytest.raises(StateError) as error:
        list(read_blocks(whole[:cut], PATH))
    assert error.value.message.startswith(f"{PATH}, line ")
    assert error.value.exit_code == ExitCode.ATTENTION


def test_appending_keeps_every_byte_and_chains_on() -> None:
    one = extend(FRONT, [({"n": 1}, b"a"), ({"n": 2}, b"b")], PATH)
    two = extend(extend(FRONT, [({"n": 1}, b"a")], PATH), [({"n": 2}, b"b")], PATH)
    assert one == two
    assert extend(one, [({"n": 3}, b"c")], PATH).startswith(one)


def test_the_same_content_after_another_past_has_another_hash() -> None:
    here = list(read_blocks(extend(FRONT, [({"n": 1}, b"a"), ({"n": 2}, b"x")], PATH), PATH))[1]
    there = list(read_blocks(extend(FRONT, [({"n": 1}, b"b"), ({"n": 2}, b"x")], PATH), PATH))[1]
    assert here.digest != there.digest


def test_changed_text_of_the_same_length_is_named_by_its_line() -> None:
    data = extend(FRONT, [({"n": 1}, b"one\ntwo"), ({"n": 2}, b"three")], PATH)
    changed = data.replace(b"three", b"seven")
    assert verify_chain(changed) == 10
    with pytest.raises(StateError) as error:
        extend(changed, [({"n": 3}, b"x")], PATH)
    assert error.value.message == (
        f"{PATH}, line 10: what begins here is no longer what was recorded; the tape only ever grows."
    )
    assert error.value.hint == f"to bring the recorded text back:  reel restore {PATH}"


def test_a_reader_that_asks_for_no_proof_has_none() -> None:
    data = extend(FRONT, [({"n": 1}, b"one\ntwo"), ({"n": 2}, b"three")], PATH)
    read = [list(read_blocks(data, PATH, prove=prove)) for prove in (True, False)]
    assert [[block.proven for block in blocks] for blocks in read] == [[True, True], [False, False]]
    assert [(b.header, b.content, b.digest) for b in read[0]] == [
        (b.header, b.content, b.digest) for b in read[1]
    ]


@pytest.mark.parametrize("change", [b"\n", b"\xef\xbb\xbf"])
def test_changed_line_ends_are_called_that(change: bytes) -> None:
    data = extend(FRONT, [({"n": 1}, b"hi")], PATH)
    damaged = data.replace(b"\n", b"\r\n") if change == b"\n" else change + data
    with pytest.raises(StateError) as error:
        list(read_blocks(damaged, PATH))
    assert error.value.message == (
        f"{PATH}, line 1: its line ends or first bytes were changed by an editor or a checkout."
    )


SHUT = b', "hash": "' + b"0" * 32 + b'"} -->\n'
OPEN = b"---\na: b\n---\n\n<!-- {"


@pytest.mark.parametrize(
    ("data", "line", "what"),
    [
        (b"", 1, "the front matter is missing or never closed"),
        (b"---\nsession: x\n", 1, "the front matter is missing or never closed"),
        (b"---\nno colon\n---\n", 2, "this is not a `key: value` line"),
        (b'---\na: b\nc: "open\n---\n', 3, "this line cannot be read"),
        (b"---\na: b\n---\n\nwords\n", 5, "a message should begin here"),
        (OPEN + b'"bytes": -1' + SHUT, 5, "the length of what follows is missing"),
        (OPEN + b'"bytes": true' + SHUT, 5, "the length of what follows is missing"),
        (OPEN + b'"n": 1' + SHUT, 5, "the length of what follows is missing"),
        (OPEN + b'"bytes": 9' + SHUT, 5, "what follows is not as long as it was when it was recorded"),
        (OPEN + b"[" * 100_000 + SHUT, 5, "a message should begin here"),
    ],
)
def test_damage_is_named_with_its_line(data: bytes, line: int, what: str) -> None:
    with pytest.raises(StateError) as error:
        list(read_blocks(data, PATH))
    assert error.value.message == f"{PATH}, line {line}: {what}."
    assert verify_chain(data, PATH) == line


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_random_bytes_are_refused_in_words(data: bytes) -> None:
    with pytest.raises(StateError):
        list(read_blocks(b"---\na: b\n---\n" + b"x" + data, PATH))
