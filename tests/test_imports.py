"""The house's rule: imports run downward, siblings leave each other alone, and heavy ones wait."""

import ast
import functools
import json
import re
import subprocess
import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

import reel_cli
from reel_cli.core import ports as ports_module
from reel_cli.core.pack.build_bundle import BundleRequest
from reel_cli.core.ports import list_bundle_parts, resolve
from reel_cli.core.values.settings import Settings
from reel_cli.features.table import COMMANDS, FEATURES, PAGE, ROOM
from tests.support.cli import Reel
from tests.support.faded_kit import of_every_age
from tests.support.pages import chat, page

PACKAGE = Path(reel_cli.__file__).parent
ROOMS = (
    *("values", "tokens", "files", "git", "change", "kit"),
    *("pack", "tape", "evidence", "exchange", "rings"),
)
"""The rooms of the core; each imports only those before it."""
HEAVY = ("git", "rich", "tiktoken", "markdown_it", "yaml", "regex")


TALK = [
    {"role": "user", "content": "Tonight the ferry was late again, and I walked home along the quay."},
    {"role": "assistant", "content": "Then you had the wind in your face."},
]


class Source(NamedTuple):
    """Imports from the package (module, name), classes and docstrings of a file, which the rules look at.

    The syntax tree is not kept: those of the whole package take 300 MB, which every process that is forked
    after this file and every look for garbage would go through.
    """

    imports: frozenset[tuple[str, str]]
    for_types: frozenset[tuple[str, str]]
    classes: tuple[str, ...]
    docstrings: tuple[str, ...]
    prints: bool


@functools.cache
def files() -> dict[tuple[str, ...], Source]:
    """Every file of the package, by its path."""
    return {
        file.relative_to(PACKAGE).parts: read_source(file.read_text(encoding="utf-8"))
        for file in sorted(PACKAGE.rglob("*.py"))
    }


def read_source(text: str) -> Source:
    """Read a file; what it imports both for types and otherwise counts among `imports`."""
    nodes = list(ast.walk(ast.parse(text)))
    for_types = {
        id(inner)
        for node in nodes
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    imported: dict[bool, set[tuple[str, str]]] = {True: set(), False: set()}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("reel_cli."):
            place = node.module.removeprefix("reel_cli.").replace(".", "/")
            imported[id(node) in for_types].update((place, alias.name) for alias in node.names)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return Source(
        frozenset(imported[False]),
        frozenset(imported[True]),
        tuple(node.name for node in nodes if isinstance(node, ast.ClassDef)),
        tuple(ast.get_docstring(node) or "" for node in nodes if isinstance(node, documented)),
        any(
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
            for node in nodes
        ),
    )


@functools.cache
def modules() -> frozenset[str]:
    """Every module of the package, as a path without its suffix."""
    return frozenset("/".join(parts).removesuffix(".py") for parts in files())


def modules_of(imported: Iterable[tuple[str, str]]) -> set[str]:
    """Return the modules that are imported, or hold what is."""
    known = modules()
    return {f"{place}/{name}" if f"{place}/{name}" in known else place for place, name in imported}


@functools.cache
def imports() -> frozenset[tuple[str, str]]:
    """Each import of one module of the package by another, those inside functions and for types too."""
    found = set()
    for parts, source in files().items():
        own = "/".join(parts).removesuffix(".py")
        found |= {(own, other) for other in modules_of(source.imports | source.for_types)}
    return frozenset((own, other) for own, other in found if own != other)


def room(module: str) -> str:
    """The room of a module of the core; "" for one that lies in the core's own folder, open to all."""
    parts = module.split("/")
    return parts[1] if len(parts) > 2 else ""


ALONE = {
    "doctor": {"features/doctor/ask", "features/doctor/ask_walk"},
    "status": {"features/status/breath_view"},
}
"""Modules of features that take values from ports and import other features all the same; it only shrinks."""
DAILY = ("page", "review", "fading", "history")
"""Features of the daily loop, which `reel status` reads."""


def test_doctor_status_and_warnings_import_no_feature_that_can_be_taken_away() -> None:
    found: dict[str, set[str]] = {"doctor": set(), "status": set(), "warnings": set()}
    for own, other in imports():
        mine = "warnings" if own in ("terminal/kit_warnings", "terminal/status_parts") else own
        mine = mine.split("/")[1] if mine.startswith("features/") else mine
        theirs = other.split("/")[1] if other.startswith("features/") else mine
        if mine in found and theirs not in (mine, *(DAILY if mine == "status" else ())):
            found[mine].add(own)
    assert found == {**ALONE, "warnings": set()}


def test_nothing_imports_the_doctor_or_status_back() -> None:
    pairs = {
        (own.split("/")[1], other.split("/")[1])
        for own, other in imports()
        if own.startswith("features/") and other.startswith("features/")
    }
    mutual = {(one, other) for one, other in pairs if one != other and (other, one) in pairs}
    assert {pair for pair in mutual if "doctor" in pair or "status" in pair} == set()


LOOP = (
    *("start", "init", "record", "page", "recall", "fading", "forgetting", "history"),
    *("verify", "review", "status", "memory", "doctor", "watch", "contradictions"),
)
"""The features that the daily loop needs; the others can be taken away."""


def test_a_feature_imports_one_that_can_be_taken_away_only_where_it_needs_it() -> None:
    needs = {feature.name: feature.needs for feature in FEATURES}
    pairs = {
        (own.split("/")[1] if own.startswith("features/") else own.split("/")[0], other.split("/")[1])
        for own, other in imports()
        if other.startswith("features/") and other != "features/table"
    }
    found = {(own, other) for own, other in pairs if own != other and other not in LOOP}
    assert {(own, other) for own, other in found if other not in needs.get(own, ())} == set()


def test_a_file_of_tests_imports_one_that_can_be_taken_away_only_where_its_own_feature_needs_it() -> None:
    """Any other file would be passed over whole, with its tests of the rest; a test may import it itself."""
    tests = Path(__file__).parent
    needs = {feature.name: set(feature.needs) for feature in FEATURES}
    for needed in needs.values():
        needed.update(*(needs[name] for name in tuple(needed)))
    found = set()
    for file in sorted(tests.rglob("*.py")):
        own = file.relative_to(tests).parts[1] if "features" in file.parts else ""
        allowed = {own, *needs.get(own, ())}
        if file.parent != tests / "support":
            found |= {(str(file.relative_to(tests)), name) for name in top_features(file) - allowed - {*LOOP}}
    assert found == set()


@functools.cache
def top_features(file: Path) -> frozenset[str]:
    """The features that are imported with a file of tests, also by what it shares with others."""
    found: set[str] = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            parts = node.module.split(".")
            if parts[:2] == ["tests", "support"] and len(parts) > 2:
                found |= top_features(Path(__file__).parent.joinpath(*parts[1:]).with_suffix(".py"))
            elif parts[1:2] == ["features"] and parts[2:] not in ([], ["table"]):
                found.add(parts[2])
    return frozenset(found)


def test_features_need_no_other_that_needs_them() -> None:
    needs = {feature.name: set(feature.needs) for feature in FEATURES}
    while free := [name for name, needed in needs.items() if not needed]:
        needs = {name: needed.difference(free) for name, needed in needs.items() if name not in free}
    assert needs == {}


def test_the_core_imports_no_feature_and_not_the_terminal() -> None:
    found = {
        (own, other)
        for own, other in imports()
        if own.startswith("core/") and other.startswith(("features/", "terminal/"))
    }
    assert found == set()


def test_imports_in_the_core_follow_the_order_of_its_rooms() -> None:
    inside = {
        (own, other) for own, other in imports() if own.startswith("core/") and other.startswith("core/")
    }
    rank = {name: number for number, name in enumerate(ROOMS)}
    assert {room(module) for pair in inside for module in pair} <= {"", *ROOMS}
    against = {
        (own, other) for own, other in inside if room(other) and rank.get(room(own), -1) < rank[room(other)]
    }
    assert against == set()


def imports_at_run_time() -> dict[str, set[str]]:
    """Return the modules that each module imports, those for types alone left out."""
    found = {
        "/".join(parts).removesuffix(".py"): modules_of(source.imports) for parts, source in files().items()
    }
    return {own: others - {own} for own, others in found.items() if others}


def test_no_modules_import_one_another_in_a_circle() -> None:
    direct = imports_at_run_time()
    reached: dict[str, set[str]] = {}
    for module in direct:
        seen, ahead = set[str](), [*direct[module]]
        while ahead:
            other = ahead.pop()
            if other not in seen:
                seen.add(other)
                ahead += direct.get(other, ())
        reached[module] = seen
    circles = {
        frozenset(other for other in seen if module in reached.get(other, ()))
        for module, seen in reached.items()
        if module in seen
    }
    assert circles == set()


def test_no_folder_is_crowded() -> None:
    crowded = {
        folder.relative_to(PACKAGE).as_posix(): count
        for folder in (PACKAGE, *PACKAGE.rglob("*/"))
        if (count := len([file for file in folder.glob("*.py") if file.name != "__init__.py"])) > 25
    }
    assert crowded == {}


def test_each_folder_says_what_belongs_there() -> None:
    for folder in (PACKAGE, *PACKAGE.rglob("*/")):
        page = folder / "README.md"
        if folder.name == "__pycache__" or folder.is_relative_to(PACKAGE / "templates"):
            continue
        assert page.is_file(), f"{folder} has no README.md that says what belongs there"
        text = page.read_text(encoding="utf-8")
        if (folder / "__init__.py").is_file():
            named = re.findall(r"`([\w./]+\.py)`", text)
        else:
            named = re.findall(r"`(\w[\w.]*\.\w+)`", text.partition("**Begin with:**")[2])
        assert named, f"{page} names no file to begin with"
        assert [name for name in named if not (folder / name).is_file()] == []


@pytest.mark.needs
@pytest.mark.parametrize("top", ["templates", "kits", "tests", "bench", "tools", "demo", "docs"])
def test_each_folder_beside_the_package_is_told_of(top: str) -> None:
    """It has a README.md, or that of the folder above names it, with all that is in it."""
    assert list_untold(PACKAGE.parent / top) == []


def list_untold(folder: Path) -> list[Path]:
    """Return the folders in one that have no README.md and that its own does not name as `` `name/` ``."""
    page = folder / "README.md"
    if not page.is_file():
        return [folder]
    named = re.findall(r"`(\w[\w-]*)/", page.read_text(encoding="utf-8"))
    below = [place for place in sorted(folder.glob("*/")) if place.name != "__pycache__"]
    own = [place for place in below if (place / "README.md").is_file() or place.name not in named]
    return [one for place in own for one in list_untold(place)]


def test_each_feature_has_a_row_and_what_the_table_names_exists() -> None:
    folders = {place.name for place in (PACKAGE / "features").iterdir() if (place / "__init__.py").is_file()}
    named = {feature.name for feature in FEATURES}
    assert named == folders, f"without a row in features/table.py, or without a folder: {named ^ folders}"
    assert all(find_spec(module) for module in COMMANDS.values())
    ports = set(re.findall(r"(?m)^\| `(\w+)` \|", ports_module.__doc__ or ""))
    for feature in FEATURES:
        unknown = feature.brings.keys() - ports
        assert not unknown, f"{feature.name}: core/ports.py has no such port: {unknown}"
        for place in (
            *(place for places in feature.brings.values() for place in places),
            *(file.kind for file in feature.files if file.kind),
            *(part.place for part in feature.parts),
            *(part.place for part in feature.pages),
            *(part.place for part in feature.status),
            *feature.proposals.values(),
        ):
            module, _, name = place.partition(":")
            found = import_module(f"reel_cli.features.{feature.name}.{module}")
            assert hasattr(found, name), f"the row of {feature.name} names {place}, which is not there"


def test_the_tests_lie_as_the_house_does() -> None:
    tests = Path(__file__).parent
    places = {file.parent.relative_to(tests).as_posix() for file in tests.rglob("test_*.py")} - {"."}
    assert [place for place in sorted(places) if not (PACKAGE / place).is_dir()] == []


@pytest.mark.needs
def test_each_part_of_the_bundle_has_its_places_in_both_orders() -> None:
    parts = [*list_bundle_parts()]
    rings = [resolve(name, part.place).rings for name, part in parts]
    of_the_core = {"0", "1", "2", "3", "4", "clash", "trust"}
    of_the_core |= {"pages", "settled", "standing", "recalled", "yielding", "lately", "changed", "varies"}
    assert sorted({*PAGE} - of_the_core) == sorted(ring for names in rings for ring in names)
    assert sorted({*ROOM} - of_the_core) == sorted(names[0] for names in rings)
    for _, part in parts:
        assert part.path or part.asked or part.setting
        assert {part.asked, part.setting} <= {"", *BundleRequest._fields, *Settings.__dataclass_fields__}


def test_only_the_console_writes_to_a_screen() -> None:
    wrong = [
        "/".join(parts)
        for parts, source in files().items()
        if source.prints and parts[-1] not in ("screen.py", "console.py", "__main__.py")
    ]
    assert wrong == []


def test_a_docstring_does_not_begin_with_a_question() -> None:
    asked = ("What", "Who", "Whose", "That", "Which", "Whether")
    wrong = [
        f"{'/'.join(parts)}: {text.splitlines()[0]}"
        for parts, source in files().items()
        for text in source.docstrings
        if text.split(" ", 1)[0] in asked
    ]
    assert wrong == []


def test_a_class_is_named_for_the_thing_it_is() -> None:
    taboo = {"Told", "Wanted", "Kept", "Asked", "Found", "Settled", "Joined", "Taken", "Brought", "Carried"}
    wrong = [
        f"{'/'.join(parts)}: {name}"
        for parts, source in files().items()
        for name in source.classes
        if name.lstrip("_") in taboo
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
    """Return what a command has loaded of reel's own rooms and of the heavy ones."""
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
    # nothing of ring 0 is written, nothing stood for long, and no bar is shown
    rest |= {f"reel_cli.core.{name}" for name in ("pack.ring0_limit", "pack.render", "git.revisions")}
    rest |= {"reel_cli.core.git.storage.object_reader", "reel_cli.terminal.progress_bar"}
    rest |= {"reel_cli.features.facts.plan", "reel_cli.features.facts.choice"}
    # nothing was purged
    rest |= {"reel_cli.core.tape.erasure.record", "reel_cli.core.tape.erasure.target"}
    assert found & {*rest, "git", "rich", "tiktoken", "markdown_it"} == set()


@pytest.mark.needs("dream")
def test_a_reply_to_a_prompt_that_asked_for_no_shared_context_loads_its_headings_alone(
    reel: Reel, kit: Path, tmp_path: Path
) -> None:
    reel("record", "-", stdin=chat()).ok()
    prompt = reel("checkpoint", "--prompt").ok().out
    assert "The last 48 hours" not in prompt
    (tmp_path / "page.md").write_text(page())
    found = loaded(kit, "checkpoint", "--reply", str(tmp_path / "page.md"), "--yes")
    context = "reel_cli.features.dream.context"
    assert found & {f"{context}.headings", f"{context}.files"} == {f"{context}.headings"}


def test_a_page_that_takes_something_back_loads_only_features_whose_files_the_kit_has(
    reel: Reel, kit: Path, tmp_path: Path
) -> None:
    reel("record", "-", stdin=chat()).ok()
    (tmp_path / "page.md").write_text(page({"What changed": "It is on 28 March, not on 3 April."}))
    found = loaded(kit, "checkpoint", "--reply", str(tmp_path / "page.md"), "--yes")
    features = {name.split(".")[2] for name in found if name.startswith("reel_cli.features.")}
    assert "contradictions" in features
    assert features & {"cards", "share", "shelf", "stream", "tables"} == set()


def test_only_a_command_that_reads_a_chat_loads_what_chats_are_read_by(
    reel: Reel, kit: Path, tmp_path: Path
) -> None:
    reel("record", "-", stdin=chat()).ok()
    (tmp_path / "page.md").write_text(page())
    for arguments in (
        ["pack"],
        ["status"],
        ["recall", "the ferry"],
        ["checkpoint", "--reply", str(tmp_path / "page.md"), "--yes"],
    ):
        found = loaded(kit, *arguments)
        assert [name for name in found if name.startswith("reel_cli.core.tape.formats")] == []


def test_recording_and_recalling_load_nothing_that_asks_for_a_page(
    reel: Reel, kit: Path, tmp_path: Path
) -> None:
    (tmp_path / "chat.json").write_text(json.dumps({"messages": TALK}))
    recorded = loaded(kit, "record", str(tmp_path / "chat.json"))
    reel("recall", "the ferry").ok()
    recalled = loaded(kit, "recall", "the ferry")
    assert "reel_cli.features.record.plan" in recorded
    assert "reel_cli.features.recall.recall" in recalled
    asking = {"core.exchange.schema", "core.exchange.open_ask", "features.page.ask", "terminal.converse"}
    assert (recorded | recalled) & {f"reel_cli.{name}" for name in asking} == set()


def test_recalling_from_an_index_that_is_up_to_date_parses_no_memory(reel: Reel, tmp_path: Path) -> None:
    kit = of_every_age().make(tmp_path / "year").root
    reel.cwd = kit
    reel("recall", "ferry").ok()
    found = loaded(kit, "recall", "ferry")
    assert "reel_cli.features.recall.recall" in found
    parsing = {"files.yaml_text", "files.memory_file", "files.index_file", "files.working_file"}
    assert found & {f"reel_cli.core.{name}" for name in (*parsing, "evidence.own_words")} == set()


def test_packing_loads_no_part_of_the_bundle_that_the_kit_has_no_file_of(kit: Path) -> None:
    loaded(kit, "pack")
    found = loaded(kit, "pack")
    assert "reel_cli.core.pack.part" in found
    assert found & {"reel_cli.core.files.yaml_text", "reel_cli.terminal.progress_bar"} == set()
    parts = {f"reel_cli.features.{name}.{row.place.partition(':')[0]}" for name, row in list_bundle_parts()}
    assert found & parts == set()


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
            "reel_cli.features.dream.pulse.pulse",
            "reel_cli.features.dream.pulse.pulse_policy",
            "reel_cli.features.dream.unread_tape",
        }
        assert found & {*plan, "git", "tiktoken", "markdown_it", "regex"} == set()


def test_features_whose_files_a_kit_does_not_have_are_not_loaded(reel: Reel, kit: Path) -> None:
    reel("status").ok()
    found = loaded(kit, "status")
    features = {name.split(".")[2] for name in found if name.startswith("reel_cli.features.")}
    assert features == {"table", "status", "page", "review", "fading", "history"}


ROOMS_OWN = {
    "git/housekeeping": "core/git alone writes below .git",
    "git/repair": "core/git alone writes below .git",
    "kit/migration": "the type of a port",
    "tape/formats/open_source": "the way into the room, where the readers lie",
    "tape/search/index": "the way into the room, which the recall of any feature goes through",
}
"""Modules of the core that one feature alone uses, each with the reason."""


@pytest.mark.needs
def test_the_core_holds_nothing_of_one_feature() -> None:
    """A module that one feature alone uses lies in that feature."""
    users: dict[str, set[str]] = {}
    for own, other in imports():
        if other.startswith("core/"):
            users.setdefault(other, set()).add(
                "/".join(own.split("/")[: 2 if own.startswith("features/") else 1])
            )
    alone = {module for module, by in users.items() if len(by) == 1 and min(by).startswith("features/")}
    assert alone == {f"core/{module}" for module in ROOMS_OWN}


FILES_IN_CORE = {
    (
        "core/kit/apart_kits",
        "apart.yaml",
    ): "a chat kept apart is a kind of kit, which is looked for wherever one is opened",
    (
        "core/kit/read_holdings",
        "story/",
    ): "a story is a past, whoever wrote it: the notes that a template begins with are out of date then",
    (
        "core/rings/losses",
        "shelf/",
    ): "the trailers of a commit name what a file on the shelf was, in kits of any age",
}
"""Files of features that the core names, each with the reason."""


@pytest.mark.needs
def test_the_core_names_no_file_of_a_feature() -> None:
    paths = tuple(file.path for feature in FEATURES for file in feature.files)
    found = set()
    for file in sorted((PACKAGE / "core").rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
                module = file.relative_to(PACKAGE).with_suffix("").as_posix()
                found |= {(module, path) for path in paths if node.value.startswith(path)}
    assert found == set(FILES_IN_CORE)
