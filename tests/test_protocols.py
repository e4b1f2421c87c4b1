"""The page on the five protocols is true: citations lead to it, and it leads to code and tests."""

import ast
import functools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.cli import CHECKOUT

PAGE = CHECKOUT / "docs" / "protocols.md"
SPECS = {
    "REEL": "reel-protocol-1.0.md",
    "Dream Weaver": "dream-weaver.md",
    "Memory Keep": "memory-keep-2.0.md",
    "MEMORY-MGMT": "memory-management-0.1.md",
    "SRIP-11": "srip-11.md",
}
"""The documents' files, by what a citation calls them."""
_SECTION = r"§(?:\d+|[IVX]+)(?:\.\d+)*(?:[a-d]\b|\.[a-g]\b)?"
_CITED = re.compile(rf"\b({'|'.join(SPECS)}) ({_SECTION}(?:(?:, | to | and ){_SECTION})*)")
_LOOSE = re.compile(rf"\b(?:{'|'.join(SPECS)}|Memory Management|SRIP),? (?=[\dIVX]+\b)")
"""A citation in a form of its own, without the sign."""


class Row(NamedTuple):
    """One section as the page has it: the paths where it lives, the tests that show it, and how it stands."""

    where: list[str]
    tests: list[str]
    status: str


@functools.cache
def rows() -> Mapping[str, Mapping[str, Row]]:
    """The page's rows by document and section; those that ask nothing have an empty one."""
    found: dict[str, dict[str, Row]] = {}
    for part in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        name, _, text = part.partition("\n")
        silent = re.search(r"(?m)^Nothing asked: (.*)\.$", text)
        assert silent, name
        sections = [one.split()[0] for one in silent[1].split(", ")]
        lines = [line for line in text.splitlines() if line.startswith("- ")]
        found[name] = {one: Row([], [], "Nothing asked.") for one in sections}
        found[name] |= dict(map(_read_row, lines))
        assert len(found[name]) == len(sections) + len(lines), f"a section of {name} has two entries"
    return found


def _read_row(line: str) -> tuple[str, Row]:
    read = re.fullmatch(r"- \*\*(\S+) [^*]+\*\*: [^*]+ \*([^*]+)\*(.*)", line)
    assert read, line
    names = re.findall("`([^`]+)`", read[3])
    tests = [one for one in names if "::" in one]
    return read[1], Row([one for one in names if one not in tests], tests, read[2])


def citations(text: str) -> Iterator[tuple[str, str]]:
    """Each citation as (document, section), a range by its ends."""
    for name, sections in _CITED.findall(text):
        for section in re.findall(_SECTION, sections):
            yield name, section.removeprefix("§")


def texts() -> Iterator[tuple[Path, str]]:
    """Every text of the project that may cite a section."""
    for folder in ("reel_cli", "tools", "templates", "tests", "docs"):
        for path in sorted((CHECKOUT / folder).rglob("*")):
            if path.suffix in (".py", ".md") and path != Path(__file__) and "transcripts" not in path.parts:
                yield path, path.read_text(encoding="utf-8")


def test_every_citation_leads_to_a_row() -> None:
    cited = {(name, section, path) for path, text in texts() for name, section in citations(text)}
    assert len(cited) > len(SPECS)
    assert [one for one in sorted(cited) if one[1] not in rows()[one[0]]] == []


def test_no_citation_has_a_form_of_its_own() -> None:
    wrong = []
    for path, text in texts():
        wrong += [(path, text[at.start() : at.end() + 9]) for at in _LOOSE.finditer(text)]
        wrong += [(path, part) for part in re.findall(r".{0,20}§[\dIVX]\S*", _CITED.sub("", text))]
    assert wrong == []


@pytest.mark.needs
def test_every_path_and_test_of_a_row_exists() -> None:
    missing = []
    for name, sections in rows().items():
        for section, row in sections.items():
            missing += [
                (name, section, path) for path in row.where if not (CHECKOUT / "reel_cli" / path).exists()
            ]
            missing += [(name, section, test) for test in row.tests if not _has_test(test)]
    assert missing == []


@pytest.mark.needs
def test_every_row_is_cited_by_a_test_that_it_names() -> None:
    """A test quotes the section that it shows: its docstring, or that of its file, cites it."""
    lacking = [
        (name, section)
        for name, sections in rows().items()
        for section, row in sections.items()
        if row.tests and not any((name, section) in _cited_by(test) for test in row.tests)
    ]
    assert lacking == []


def _cited_by(test: str) -> frozenset[tuple[str, str]]:
    """The sections that the docstrings of a test and of its file cite."""
    path, _, name = test.partition("::")
    tree = ast.parse((CHECKOUT / path).read_text(encoding="utf-8"))
    own = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    texts = [ast.get_docstring(tree), *(ast.get_docstring(node) for node in own)]
    return frozenset(citations(" ".join(filter(None, texts))))


@functools.cache
def _tests_of(path: str) -> frozenset[str]:
    """The names of the tests in a file; none where there is no such file."""
    file = CHECKOUT / path
    if not file.is_file():
        return frozenset()
    return frozenset(
        node.name
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
    )


def _has_test(test: str) -> bool:
    path, _, name = test.partition("::")
    return name in _tests_of(path)


def test_a_row_that_claims_anything_shows_it() -> None:
    claims = [
        (name, section)
        for name, sections in rows().items()
        for section, row in sections.items()
        if not row.status.startswith(("Nothing asked", "Not built", "Deliberately not"))
        and not (row.where and row.tests)
    ]
    assert claims == []
    kinds = ("Met.", "Partly", "Nothing asked", "Not built", "Deliberately not")
    every = [row.status for sections in rows().values() for row in sections.values()]
    assert [status for status in every if not status.startswith(kinds)] == []


def _place(section: str) -> tuple[str, str, int]:
    """The section above, the kind of its own number, and that number from 1 on."""
    read = re.fullmatch(r"(?:(.+)\.)?(\d+|[IVX]+)|(.+?)\.?([a-h])", section)
    assert read, section
    above, last = read[1] or read[3] or "", read[2] or read[4]
    if last.isdigit():
        return above, "number", int(last)
    if last.islower():
        return above, "letter", "abcdefgh".index(last) + 1
    return above, "roman", ("I", "II", "III", "IV", "V", "VI", "VII", "VIII").index(last) + 1


@pytest.mark.parametrize("name", SPECS)
def test_no_section_is_passed_over_between_two_others(name: str) -> None:
    """Without the documents: each section below another is counted through, and stands in order."""
    for silent in (True, False):
        last: dict[tuple[str, str], int] = {}
        for section in (
            one for one, row in rows()[name].items() if (row.status == "Nothing asked.") == silent
        ):
            *group, number = _place(section)
            assert number > last.get((group[0], group[1]), 0), f"{section} in another order"
            last[group[0], group[1]] = number
    groups: dict[tuple[str, str], set[int]] = {}
    for section in rows()[name]:
        above, kind, number = _place(section)
        assert not above or above in rows()[name], f"{above} has no entry"
        groups.setdefault((above, kind), set()).add(number)
    assert {group: found for group, found in groups.items() if found != set(range(1, len(found) + 1))} == {}


def headings(name: str, text: str) -> list[str]:
    """The sections of a document in order, those without a number lettered as the page letters them."""
    lines = re.sub(r"(?ms)^```.*?^```", "", text).splitlines()
    read = {"Dream Weaver": _plain_headings, "Memory Keep": _keep_headings, "SRIP-11": _roman_headings}
    return list(read.get(name, _numbered_headings)(lines))


def _letter(counts: dict[str, int], below: str) -> str:
    counts[below] = counts.get(below, -1) + 1
    return f"{below}.{'abcdefgh'[counts[below]]}"


def _numbered_headings(lines: list[str]) -> Iterator[str]:
    """Markdown headings: `## 4. Name`, `### 4.1 Name`, and `### Name` below them."""
    counts: dict[str, int] = {}
    now = ""
    for line in lines:
        if found := re.match(r"#{2,3} (\d+(?:\.\d+)*)\.? ", line):
            now = found[1]
            yield now
        elif now and line.startswith("### "):
            yield _letter(counts, now)


def _roman_headings(lines: list[str]) -> Iterator[str]:
    """Markdown headings: `## III. Name`, `### 5. Name`, `#### 5a. Name`."""
    part = ""
    for line in lines:
        if found := re.match(r"## ([IVX]+)\. ", line):
            part = found[1]
            yield part
        elif found := re.match(r"#{3,4} (\d+[a-z]?)\. ", line):
            yield f"{part}.{found[1]}"


def _plain_headings(lines: list[str]) -> Iterator[str]:
    """Plain lines between empty ones: `6.3 Name`, and below them a few words alone."""
    counts: dict[str, int] = {}
    now = ""
    for line in _alone(lines):
        if found := re.match(r"(\d+(?:\.\d+)*) [A-Z]", line):
            now = found[1]
            yield now
        elif now and line != "References" and re.fullmatch(r"[A-Z][A-Za-z ]{3,20}", line):
            yield _letter(counts, now)


def _keep_headings(lines: list[str]) -> Iterator[str]:
    """Plain lines: `PART II`, `3.1 Name`, `Step 2 — Name`; in the first part names without a number."""
    counts: dict[str, int] = {}
    part = now = ""
    for line in _alone(lines):
        if found := re.match(r"PART (I+) ", line):
            part = now = found[1]
            yield part
        elif found := re.match(r"(\d+(?:\.\d+)*)\.? [A-Z]", line):
            now = f"{part}.{found[1]}"
            yield now
        elif re.match(r"Step \d ", line):
            yield _letter(counts, now)
        elif part and re.fullmatch(r"[A-Z][^.]{5,60}[A-Za-z)?]", line) and " - " not in line:
            yield _letter(counts, part)


def _alone(lines: list[str]) -> Iterator[str]:
    """Lines with an empty one before and after."""
    padded = ["", *lines, ""]
    for before, line, after in zip(padded, padded[1:], padded[2:], strict=False):
        if line.strip() and not before.strip() and not after.strip():
            yield line


@pytest.mark.parametrize("name", SPECS)
def test_every_section_of_the_documents_has_a_row(shared_data: Path, name: str) -> None:
    place = shared_data.parent / "specs" / SPECS[name]
    if not place.is_file():
        pytest.skip("the documents are not at hand")
    sections = headings(name, place.read_text(encoding="utf-8"))
    told = rows()[name]
    assert sorted(told) == sorted(sections)
    for silent in (True, False):
        kind = [one for one in told if (told[one].status == "Nothing asked.") == silent]
        assert kind == [one for one in sections if one in kind], "in another order"
