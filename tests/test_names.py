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

MODULES = ("reel_cli", "tests", "bench", "tools")
PREPOSITIONS = re.compile(r"at|before|beside|between|by|for|from|in|on|to|under|up|via|while|with|without")
PLACED = re.compile(
    rf"{PREPOSITIONS.pattern}|above|again|ahead|alike|along|already|also|alone|anew|apart|around|as|aside|away|back"
    r"|below|down|elsewhere|full|here|into|itself|later|near|off|often|once|out|over|ready|since|so|soon|still|then"
    r"|there|through|together|too|yet"
)
"""Adverbs, prepositions and other words that say where, when or how, and name no thing."""
PARTICIPLES = re.compile(
    r"(?!seed|need|feed|speed)[a-z]{2,}ed|(?:un|mis|with|for|re)?(?:borne?|bought|brought|broken|built|caught|chosen"
    r"|done|drawn|dreamt|felt|found|frozen|given|gone|grown|heard|held|hidden|kept|known|left|lost|made|meant|put"
    r"|said|seen|sent|shown|spent|spoken|taken|taught|thought|told|woken|written)"
)
ACTIVITIES = re.compile(
    r"beginning|bundling|cleaning|closing|decoding|evening|fading|finding|fitting|folding|greeting|grounding"
    r"|housekeeping|loading|meaning|merging|pasting|pointing|pruning|ranking|reading|recording|retelling|rewriting"
    r"|shortening|tampering|tidying|timing|training|typing|writing"
)
"""Nouns in -ing: a thing, or an activity of which the module is the whole. No other name ends so."""
EXCEPTIONS = {
    "apart": "tests of the feature `apart`, which is called as the command `reel apart` that a person types",
    "frozen": "Python's own term for a class whose values do not change: the module defines `@frozen`",
    "take_away": "a script of `tools/`, called by the verb for what it does",
}
"""Names that the rule is not for, each with the reason."""


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


def _names_no_thing(name: str) -> bool:
    """Return whether a module's name names neither a thing nor an action."""
    words = name.removeprefix("test_").strip("_").split("_")
    last = words[-1]
    by_itself = PLACED.fullmatch(last) or PARTICIPLES.fullmatch(last) or PREPOSITIONS.fullmatch(words[0])
    return bool(by_itself) or (last.endswith("ing") and not ACTIVITIES.fullmatch(last))


def test_no_docstring_begins_as_a_riddle() -> None:
    assert _find_riddles(HOUSE, ROOT / "tests", ROOT / "bench", ROOT / "tools") == []


def test_a_class_is_called_by_what_it_is() -> None:
    assert _find_lone_classes(HOUSE) == []


def test_a_module_is_called_by_a_thing_or_an_action() -> None:
    """No adverb, preposition or participle alone (`via`, `purged`, `held_back`, `by_itself`)."""
    found = {
        path.stem.removeprefix("test_"): str(path.relative_to(ROOT))
        for top in MODULES
        for path in (ROOT / top).rglob("*.py")
    }
    wrong = {name for name in found if _names_no_thing(name)}
    assert [found[name] for name in sorted(wrong - set(EXCEPTIONS))] == []
    assert sorted(set(EXCEPTIONS) - wrong) == [], "no module has these names, or they are none to argue for"


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        *(
            (name, True)
            for name in ("via", "again", "purged", "test_mistyped", "held_back", "by_itself", "waiting")
        ),
        *(
            (name, True)
            for name in ("unaided", "told_as_done", "plan_out", "kept_in_full", "models_seen", "withheld")
        ),
        *(
            (name, False)
            for name in ("purge_part", "hash_seed", "ranking", "kept_pages", "command_backup", "reply")
        ),
    ],
)
def test_names_of_modules_are_told_apart(name: str, *, wrong: bool) -> None:
    assert _names_no_thing(name) is wrong


def test_what_is_looked_for_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    parts = ('"""What it is."""', "def f():", "    'Who knows.'", "x = 1", '"""\\', ' That is x."""')
    (tmp_path / "riddles.py").write_text("\n".join(parts) + "\nclass _Told(int): pass\n")

    riddles = ["riddles.py: What it is.", "riddles.py:  That is x.", "riddles.py: Who knows."]
    assert _find_riddles(tmp_path) == riddles
    assert _find_lone_classes(tmp_path) == ["riddles.py: _Told"]
