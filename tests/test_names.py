"""Names and docstrings as a reader meets them: things are called by what they are, and described as such."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[1] / "reel_cli"
SUBJECTS = frozenset({"What", "Who", "That", "Whoever", "Whatever"})
PAST = re.compile(
    r"_?(?:[A-Z][a-z]+(?:ed|ing)|Told|Said|Kept|Left|Held|Gone|Lost|Made|Known|Shown|Given|Seen|Sent|Put|Done)"
)
NOUNS = frozenset({"Finding", "Heading", "Setting", "Encoding", "Ranking", "Reading", "Listing"})


def _definitions() -> Iterator[tuple[str, ast.AST]]:
    for path in sorted(HOUSE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            yield str(path.relative_to(HOUSE)), node


@pytest.fixture(scope="module")
def definitions() -> list[tuple[str, ast.AST]]:
    return list(_definitions())


def test_no_docstring_begins_as_a_riddle(definitions: list[tuple[str, ast.AST]]) -> None:
    riddles = [
        f"{where}: {text.splitlines()[0]}"
        for where, node in definitions
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and (text := ast.get_docstring(node))
        and text.split()[0] in SUBJECTS
    ]

    assert riddles == []


def test_a_class_is_called_by_what_it_is_and_not_by_its_past(definitions: list[tuple[str, ast.AST]]) -> None:
    lone = [
        f"{where}: {node.name}"
        for where, node in definitions
        if isinstance(node, ast.ClassDef) and PAST.fullmatch(node.name) and node.name.lstrip("_") not in NOUNS
    ]

    assert lone == []
