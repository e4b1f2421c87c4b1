"""Single lines of the index change, and every other byte of it stays."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.files.index_edit import drop_line, put_entry, put_line, raw_line
from reel_cli.core.files.index_file import (
    EMPTY,
    list_anchors,
    parse_index,
    parse_line,
    render_line,
    set_immune,
)
from reel_cli.core.values.memory import IndexLine, format_id
from reel_cli.core.values.talk import SourceRange

WORDS = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters="|"), max_size=12
)
INDEX_LINES = st.builds(
    IndexLine,
    st.integers(1, 30).map(format_id),
    WORDS,
    WORDS,
    st.lists(st.sampled_from(["identity", "factual", "not immune", "my own"]), max_size=2).map(tuple),
    st.booleans(),
    st.booleans(),
    st.none() | st.just(SourceRange("2026-02-10-1", 4, 9)),
    st.sampled_from(["", ", layered", " | mood: warm", ", layered, odd | mood: warm |"]),
)
REMARKS = st.sampled_from(["# heading", "", "a remark", "M-bad | x", "\x0b", "  indented  "])
INDEXES = st.lists(st.tuples(INDEX_LINES.map(render_line) | REMARKS, st.sampled_from(["\n", "\r\n"]))).map(
    lambda rows: "".join(text + end for text, end in rows)
)


@settings(max_examples=100, deadline=None)
@given(INDEXES, INDEX_LINES)
def test_a_line_that_is_put_stands_there_and_the_others_stay(index: str, line: IndexLine) -> None:
    raw = render_line(line)
    put = put_line(index, line.id, raw)
    assert raw_line(put, line.id) == raw
    before, after = parse_index(index or EMPTY).lines, parse_index(put).lines
    assert {name: one for name, one in after.items() if name != line.id} == {
        name: one for name, one in before.items() if name != line.id
    }
    was = raw_line(index, line.id)
    if was is not None:
        assert put_line(put, line.id, was) == index
    elif index.endswith("\n"):
        kept = [part for part in drop_line(put, line.id).splitlines(keepends=True) if part != "\n"]
        assert kept == [part for part in index.splitlines(keepends=True) if part != "\n"]


@settings(max_examples=100, deadline=None)
@given(INDEX_LINES, st.booleans())
def test_only_the_flag_of_a_line_changes(line: IndexLine, immune: bool) -> None:  # noqa: FBT001
    raw = render_line(line)
    found = parse_line(set_immune(raw, immune=immune))
    plain = parse_line(raw)
    assert found is not None
    assert plain is not None
    assert found.immune == immune
    assert set_immune(set_immune(raw, immune=immune), immune=line.immune) == raw
    assert (found.id, found.description, found.anchor, found.tags, found.pruned, found.where) == (
        plain.id,
        plain.description,
        plain.anchor,
        plain.tags,
        plain.pruned,
        plain.where,
    )


@settings(max_examples=100, deadline=None)
@given(INDEXES)
def test_no_anchor_is_missed_where_lines_are_not_parsed(index: str) -> None:
    listed = list(list_anchors(index))
    anchors = {line.anchor for line in parse_index(index).lines.values()}
    assert None in listed or anchors <= set(listed)


def test_a_flag_in_an_odd_hand_keeps_its_spaces() -> None:
    odd = '- M-004 | immune system | "immune, pruned" | fact |  not   Immune , pruned  <!-- 2026-02-10-1 -->'
    assert set_immune(odd, immune=True) == odd.replace("not   Immune", "immune")


def test_a_line_takes_its_place_by_number() -> None:
    index = 'M-001 | a | "a" |  | immune\nM-009 | b | "b" |  | immune\n'
    put = put_line(index, "M-004", 'M-004 | c | "c" |  | immune')
    assert [line[:5] for line in put.splitlines()] == ["M-001", "M-004", "M-009"]
    assert put_line("# x", "M-004", "M-004 | c") == "# x\n\nM-004 | c\n"
    assert put_line("", "M-004", "M-004 | c") == f"{EMPTY}M-004 | c\n"


@given(INDEX_LINES)
def test_what_reel_does_not_know_of_a_line_is_read_and_written_as_it_is(line: IndexLine) -> None:
    read = parse_line(render_line(line))

    assert read is not None
    assert read.more == line.more
    assert (read.immune, read.pruned) == (line.immune, line.pruned)


@given(INDEX_LINES, INDEX_LINES)
def test_an_entry_takes_the_place_of_another_and_what_reel_does_not_know_stays(
    old: IndexLine, new: IndexLine
) -> None:
    new = replace(new, id=old.id, more="")

    index = put_entry(f"{EMPTY}{render_line(old)}\n", new)

    assert parse_index(index).lines[old.id] == parse_line(render_line(new))
    assert parse_index(index).lines[old.id].more == old.more
