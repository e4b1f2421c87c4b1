"""Names and docstrings as a reader meets them: things are called by what they are, and described as such."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HOUSE = ROOT / "reel_cli"
SUBJECTS = frozenset({"What", "Who", "That", "Whoever", "Whatever"})
PAST = re.compile(
    r"_?(?:[A-Z][a-z]+(?:ed|ing)|Told|Said|Kept|Left|Held|Gone|Lost|Made|Known|Shown|Given|Seen|Sent|Put|Done)"
)
NOUNS = frozenset({"Finding", "Heading", "Setting", "Encoding", "Ranking", "Reading", "Listing"})


DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
Definition = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def _definitions(*folders: Path) -> Iterator[tuple[str, Definition]]:
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        where = str(path.relative_to(ROOT))
        module = ast.parse(path.read_text(encoding="utf-8"))
        yield where, module
        nodes: list[ast.AST] = [module]
        while nodes:
            for child in _statements(nodes.pop()):
                nodes.append(child)
                if isinstance(child, DEFINITIONS):
                    yield where, child


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        yield from getattr(node, name, ())


def _docstrings(node: Definition) -> Iterator[str]:
    """Yield the docstring of a definition, and those that stand below an assignment in its body."""
    if text := ast.get_docstring(node, clean=False):
        yield text
    for above, below in pairwise(node.body):
        if isinstance(above, ast.Assign | ast.AnnAssign) and isinstance(below, ast.Expr):
            value = below.value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.value


@pytest.fixture(scope="module")
def definitions() -> list[tuple[str, Definition]]:
    return list(_definitions(HOUSE))


def test_no_docstring_begins_as_a_riddle(definitions: list[tuple[str, Definition]]) -> None:
    others = _definitions(ROOT / "tests", ROOT / "bench", ROOT / "tools")

    riddles = [
        f"{where}: {text.splitlines()[0]}"
        for where, node in [*definitions, *others]
        for text in _docstrings(node)
        if (first := text.split(maxsplit=1)) and first[0] in SUBJECTS
    ]

    assert riddles == []


def test_a_class_is_called_by_what_it_is(
    definitions: list[tuple[str, Definition]],
) -> None:
    lone = [
        f"{where}: {node.name}"
        for where, node in definitions
        if isinstance(node, ast.ClassDef) and PAST.fullmatch(node.name) and node.name.lstrip("_") not in NOUNS
    ]

    assert lone == []
