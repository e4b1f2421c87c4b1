"""The house's rule: imports run downward, siblings leave each other alone, and heavy ones wait."""

import ast
import functools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import reel_cli
from tests.cli import Reel
from tests.faded import of_every_age
from tests.pages import chat, page

PACKAGE = Path(reel_cli.__file__).parent
RANK = {
    "cli": 4,
    "flows": 3,
    "exchange": 2,
    "pack": 2,
    "tape": 2,
    "kit": 2,
    "wire": 2,
    "cards": 2,
    "model": 1,
    "errors": 0,
}
OPEN_TO_ALL = {"tokens", "bpe", "counting", "resources", "errors"}
HEAVY = ("git", "rich", "tiktoken", "markdown_it", "yaml", "regex")


@functools.cache
def files() -> dict[tuple[str, ...], list[ast.AST]]:
    """Every file of the package, by its path, and all that its source is made of."""
    return {
        file.relative_to(PACKAGE).parts: list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
        for file in sorted(PACKAGE.rglob("*.py"))
    }


def imports() -> Iterator[tuple[str, str, str]]:
    """Each import of one room by another: (file, room that imports, room imported)."""
    for parts, nodes in files().items():
        room = parts[0].removesuffix(".py")
        for node in nodes:
            names = []
            if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                names = [node.module]
                if node.module == "reel_cli":
                    names = [f"reel_cli.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:
                if name.startswith("reel_cli."):
                    yield "/".join(parts), room, name.split(".")[1]


def test_no_import_runs_up_or_across() -> None:
    wrong = [
        f"{file} imports {target}"
        for file, room, target in imports()
        if room in RANK
        and target in RANK
        and target != room
        and target not in OPEN_TO_ALL
        and RANK[target] >= RANK[room]
    ]
    assert wrong == []


def test_what_is_open_to_all_stands_on_nothing_above_errors() -> None:
    wrong = [
        f"{file} imports {target}"
        for file, room, target in imports()
        if room in OPEN_TO_ALL and target not in OPEN_TO_ALL
    ]
    assert wrong == []


def test_only_the_console_writes_to_a_screen() -> None:
    wrong = [
        "/".join(parts)
        for parts, nodes in files().items()
        if parts[-1] not in ("console.py", "__main__.py")
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert wrong == []


def test_no_module_is_named_for_odds_and_ends() -> None:
    taboo = {"utils.py", "helpers.py", "common.py", "util.py", "misc.py"}
    assert [file.name for file in PACKAGE.rglob("*.py") if file.name in taboo] == []


@pytest.mark.parametrize("arguments", [["--version"], ["--help"]])
def test_answering_at_the_door_loads_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys; sys.argv = ['reel', *sys.argv[1:]]\n"
        "from reel_cli.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print('heavy:', [name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "heavy: []"


def loaded(kit: Path, *arguments: str) -> set[str]:
    """What a command has loaded of reel's own rooms and of the heavy ones."""
    code = (
        "import sys; sys.argv = ['reel', *sys.argv[1:]]\n"
        "from reel_cli.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print('loaded:', *(n for n in sys.modules if n in {HEAVY!r} or n.startswith('reel_cli.')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=kit, capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split()[1:])


def test_a_checkpoint_of_a_young_kit_loads_what_its_page_needs(reel: Reel, kit: Path, tmp_path: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    (tmp_path / "page.md").write_text(page())
    found = loaded(kit, "checkpoint", "--reply", str(tmp_path / "page.md"), "--yes")
    assert "reel_cli.features.page.plan_checkpoint" in found
    rest = {"reel_cli.core.rings.pointers", "reel_cli.core.values.search", "reel_cli.core.finding"}
    assert found & {*rest, "git", "rich", "tiktoken", "markdown_it"} == set()


def test_status_and_what_is_due_look_through_no_memory_again(reel: Reel, tmp_path: Path) -> None:
    kit = of_every_age().make(tmp_path / "year").root
    reel.cwd = kit
    reel("status", "--json").ok()
    for arguments in (["status"], ["status", "--due"]):
        found = loaded(kit, *arguments)
        assert "reel_cli.features.status.survey" in found
        plan = {
            "reel_cli.features.fading.survey",
            "reel_cli.features.fading.maintenance_pass",
            "reel_cli.core.evidence.phrases",
        }
        plan |= {
            "reel_cli.features.status.pulse",
            "reel_cli.features.status.pulse_policy",
            "reel_cli.features.dream.unread_tape",
        }
        assert found & {*plan, "git", "tiktoken", "markdown_it", "regex"} == set()
