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
SUSPECT = re.compile(rf"""["']\s*\\?\s*(?:{"|".join(sorted(SUBJECTS))})\b""")
"""A string that begins as a riddle, docstring or not."""
SUSPECT_CLASS = re.compile(rf"\bclass\s+(?:{PAST.pattern})\b")


def _definitions(suspect: re.Pattern[str], *folders: Path) -> Iterator[tuple[str, Definition]]:
    """Yield what is defined in each file with a suspicious text; parsing them all takes seconds."""
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        where = str(path.relative_to(ROOT))
        text = path.read_text(encoding="utf-8")
        if not suspect.search(text):
            continue
        module = ast.parse(text)
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


def _find_riddles(*folders: Path) -> list[str]:
    return [
        f"{where}: {text.splitlines()[0]}"
        for where, node in _definitions(SUSPECT, *folders)
        for text in _docstrings(node)
        if (first := text.split(maxsplit=1)) and first[0] in SUBJECTS
    ]


def _find_lone_classes(*folders: Path) -> list[str]:
    return [
        f"{where}: {node.name}"
        for where, node in _definitions(SUSPECT_CLASS, *folders)
        if isinstance(node, ast.ClassDef) and PAST.fullmatch(node.name) and node.name.lstrip("_") not in NOUNS
    ]


def test_no_docstring_begins_as_a_riddle() -> None:
    assert _find_riddles(HOUSE, ROOT / "tests", ROOT / "bench", ROOT / "tools") == []


def test_a_class_is_called_by_what_it_is() -> None:
    assert _find_lone_classes(HOUSE) == []


def test_what_is_looked_for_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    parts = ('"""What it is."""', "def f():", "    'Who knows.'", "x = 1", '"""\\', ' That is x."""')
    (tmp_path / "riddles.py").write_text("\n".join(parts) + "\nclass _Told(int): pass\n")

    riddles = ["riddles.py: What it is.", "riddles.py:  That is x.", "riddles.py: Who knows."]
    assert _find_riddles(tmp_path) == riddles
    assert _find_lone_classes(tmp_path) == ["riddles.py: _Told"]
