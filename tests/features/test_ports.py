"""Ports: what a feature declares is brought, and a made-up feature shows what each port does."""

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

import reel_cli.features
from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.tool import HandInKind, Tool
from reel_cli.core.files import kit_files
from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.core.files.yaml_text import parse_mapping
from reel_cli.core.finding import Finding
from reel_cli.core.kit.checkup import LAST, Check, CheckScope
from reel_cli.core.kit.kinds import KindDiff
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.ports import KitFile, StatusPlace, bring, bring_proposal_kind, list_feature_files
from reel_cli.core.tape.erasure.target import PurgeTarget
from reel_cli.core.values.due import Due
from reel_cli.features import table
from reel_cli.features.table import FEATURES, Feature
from reel_cli.terminal.status_parts import StatusPart, StatusScope
from tests.support.cli import CHECKOUT, Reel, git
from tests.support.installed_features import is_installed

PACKAGE = Path(reel_cli.features.__file__).parent


def declared(file: str) -> Iterator[tuple[str, str, ModuleType]]:
    """Each module of a feature with this name: the feature, the module's place in it, the module."""
    for path in PACKAGE.rglob(file):
        feature, *rest = path.relative_to(PACKAGE).with_suffix("").parts
        yield feature, ".".join(rest), import_module(".".join(("reel_cli.features", feature, *rest)))


def test_checks_that_a_feature_declares_are_brought_to_the_doctor() -> None:
    brought = {(one.name, place) for one in FEATURES for place in one.brings.get("checks", ())}
    left = {(feature, f"{place}:CHECKS") for feature, place, _ in declared("checks.py")} - brought
    assert not left, f"not named under checks in the feature's row of features/table.py: {left}"
    orders = Counter(
        (check.stage, check.order)
        for feature, place in brought
        for check in getattr(
            import_module(f"reel_cli.features.{feature}.{place.partition(':')[0]}"), place.partition(":")[2]
        )
    )
    twice = {place for place, many in orders.items() if many > 1 and place[1] != LAST}
    free = {
        (stage, order): [near for near in range(order - 9, order + 10) if (stage, near) not in orders]
        for stage, order in twice
    }
    assert not twice, f"two checks have one place on screen; of these orders one is free for each: {free}"


@pytest.mark.parametrize(("port", "kind"), [("checks", Check), ("tools", Tool), ("handed_in", HandInKind)])
def test_none_that_has_a_name_is_left_out_of_the_list_that_is_brought(port: str, kind: type) -> None:
    """A module's `CHECKS`, `TOOLS` or `KINDS` hold each one that the module makes."""
    brought = {id(one) for listed in bring(port) for one in listed}
    left = [
        f"features/{path.relative_to(PACKAGE)}: {name}"
        for path in sorted(PACKAGE.rglob("*.py"))
        # not `types.Tool(`, whose module needs a package that may be missing
        if re.search(rf"(?<![\w.]){kind.__name__}\(", path.read_text(encoding="utf-8"))
        for name, value in vars(import_module(_module_of(path))).items()
        if isinstance(value, kind) and id(value) not in brought
    ]
    assert not left, f"defined, and not among the {port} that its module brings: {left}"


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("checks.py")), ids=lambda path: path.parent.relative_to(PACKAGE).as_posix()
)
def test_each_function_with_findings_is_called_by_a_check(path: Path) -> None:
    left = _uncalled(path.read_text(encoding="utf-8"), _imported_from(_module_of(path)))
    assert not left, f"these find something, and no check in CHECKS calls them: {left}"


def test_a_function_that_no_check_calls_is_found() -> None:
    text = (
        "def _a(scope) -> Iterator[Finding]: yield from _b(scope)\n"
        "def _b(scope) -> Iterator[Finding]: ...\n"
        "def _c(scope) -> list[Finding]: return _c(scope)\n"
        "CHECKS = (Check(_a),)\n"
    )
    assert _uncalled(text, set()) == ["_c"]
    assert _uncalled(text, {"_c"}) == []


def _module_of(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE.parents[1]).with_suffix("").parts)


def _uncalled(text: str, imported: Collection[str]) -> list[str]:
    """The functions that return findings and that neither `CHECKS` nor another module leads to."""
    tree = ast.parse(text)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    calls = {
        name: {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        for name, node in functions.items()
    }
    others = [node for node in tree.body if not isinstance(node, ast.FunctionDef)]
    reached: set[str] = set()
    new = {one.id for node in others for one in ast.walk(node) if isinstance(one, ast.Name)} | set(imported)
    while new:
        reached |= new
        new = set().union(*(calls.get(name, ()) for name in new)) - reached
    return [
        name
        for name, node in functions.items()
        if name not in reached and node.returns and "Finding]" in ast.unparse(node.returns)
    ]


def _imported_from(module: str) -> set[str]:
    """The names that other modules import from one."""
    line = re.compile(rf"(?s)from {re.escape(module)} import (\(.*?\)|[^\n]*)")
    texts = (path.read_text(encoding="utf-8") for path in PACKAGE.parent.rglob("*.py"))
    return {name for text in texts for found in line.findall(text) for name in re.findall(r"\w+", found)}


def test_parts_of_status_that_a_feature_declares_are_brought() -> None:
    brought = {(one.name, row.place): row for one in FEATURES for row in one.status}
    found = {
        (feature, f"{place}:{name}"): part
        for feature, place, module in declared("status_part.py")
        for name, part in vars(module).items()
        if isinstance(part, StatusPart)
    }
    left = found.keys() ^ brought.keys()
    assert not left, f"not named under status in the feature's row of features/table.py: {left}"
    for key, row in brought.items():
        wanted = found[key].json is not None and bool(row.files)
        assert bool(row.empty) is wanted, f"{key}: empty is what --json says where none of its files is there"


def test_kinds_of_kit_file_that_a_feature_declares_are_brought_and_on_the_page() -> None:
    found = {
        (feature, f"{place}:{name}"): kind
        for feature, place, module in declared("kit_files.py")
        for name, kind in vars(module).items()
        if isinstance(kind, KitFileKind)
    }
    rows = list(list_feature_files())
    left = found.keys() - {(feature, row.kind) for feature, row in rows}
    assert not left, f"not named under files in the feature's row of features/table.py: {left}"
    told = {found[feature, row.kind].diff for feature, row in rows if row.no_diff}
    silent = [place for place, kind in found.items() if kind.diff not in (None, *told)]
    assert not silent, f"no_diff of the row is what `reel diff --json` says where no such file is: {silent}"
    page = (CHECKOUT / "docs/kit-format.md").read_text(encoding="utf-8")
    nowhere = [row.path for _, row in rows if f"`{row.path}" not in page]
    assert not nowhere, f"not in the list of docs/kit-format.md: {nowhere}"


def _check(path: str, text: str) -> None:
    parse_mapping(text, path)


def _compare(start: Snapshot, end: Snapshot, _changed: Collection[str]) -> KindDiff:
    fewer, more = (len((side.text("guests.yaml") or "").splitlines()) for side in (start, end))
    return KindDiff("guests", more - fewer, "Who came", [f"{more} guests (before: {fewer})"])


def _purge(_path: str, data: bytes, wanted: PurgeTarget, _session: str | None) -> bytes:
    return wanted.replace_bytes(data)[0].replace(b"maker", b"")


def _look(scope: CheckScope) -> Iterator[Finding]:
    if "Bo" not in (scope.snapshot.text("guests.yaml") or "Bo"):
        yield Finding("guests", "guests.yaml lacks Bo", "add him", at="guests.yaml")


def _text(scope: StatusScope) -> str:
    return f"It knows {len((scope.snapshot.text('guests.yaml') or '').splitlines())} guests."


@pytest.fixture
def guests(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A feature called guests, with one kit file, one check and one part of status."""
    module = ModuleType("reel_cli.features.guests.guests")
    vars(module).update(
        KIND=KitFileKind(_check, diff=_compare, purge=_purge),
        CHECKS=(Check(_look),),
        PART=StatusPart(
            45, _text, lambda _: {"guests": True}, lambda _: [Due("guests", "nobody was asked", "reel why")]
        ),
    )
    monkeypatch.setitem(sys.modules, module.__name__, module)
    row = Feature(
        "guests",
        brings={"checks": ["guests:CHECKS"]},
        files=[KitFile("guests.yaml", "guests:KIND", needed=True, no_diff={"guests": 0})],
        status=[StatusPlace("guests:PART", ["guests.yaml"], empty={"guests": False})],
    )
    monkeypatch.setattr(table, "FEATURES", (*FEATURES, row))
    kit_files.forget_table()
    yield
    monkeypatch.undo()
    kit_files.forget_table()


@pytest.mark.usefixtures("guests")
def test_a_kind_of_kit_file_is_guarded_checked_and_restored(reel: Reel, kit: Path) -> None:
    run = reel("pack", "--out", "guests.yaml")
    assert (run.code, "a place of the kit's own" in run.err) == (1, True)
    (kit / "guests.yaml").write_text("Ada: friend\n")
    assert "guests.yaml" in reel("review").ok().out
    told = reel("doctor").out
    # it names no order, so its finding comes last
    assert "guests.yaml lacks Bo" in told.split("\n\n")[-1], told
    (kit / "guests.yaml").write_text("- Bo\n")
    assert "guests.yaml should hold `key: value` lines" in reel("doctor").out
    (kit / "guests.yaml").write_text("Ada: friend\n")
    git(kit, "add", "guests.yaml")
    git(kit, "commit", "-qm", "guests")
    (kit / "guests.yaml").write_text("- no\n- mapping\n")
    assert "reel restore guests.yaml" in reel("status").ok().out
    reel("restore", "guests.yaml").ok()
    assert (kit / "guests.yaml").read_text() == "Ada: friend\n"


@pytest.mark.usefixtures("guests")
def test_a_part_of_status_is_asked_only_where_its_file_is(reel: Reel, kit: Path) -> None:
    assert json.loads(reel("status", "--json").ok().out)["guests"] is False
    assert "It knows" not in reel("status").ok().out
    (kit / "guests.yaml").write_text("Ada: friend\nBo: maker\n")
    told = reel("status").ok().out
    assert "It knows 2 guests.\n" in told
    assert "nobody was asked" in told
    assert "nobody was asked" in reel("status", "--due").out


@pytest.mark.usefixtures("guests")
def test_a_kind_of_kit_file_is_compared_and_purged_as_it_says(reel: Reel, kit: Path) -> None:
    assert json.loads(reel("diff", "--json").ok().out)["guests"] == 0
    (kit / "guests.yaml").write_text("Ada: friend\nBo: maker\n")
    run = reel("diff").ok().out
    assert "Who came\n  2 guests (before: 0)" in run
    assert json.loads(reel("diff", "--json").ok().out)["guests"] == 2
    if not is_installed("purge"):
        return
    from reel_cli.features.purge.aim import aim_at_text, rewriter

    rewritten = rewriter(aim_at_text("Ada", any_case=False), "P1")("guests.yaml", b"Ada: friend\nBo: maker\n")
    assert (b"Ada" in rewritten, b"maker" in rewritten) == (False, False)


RECIPE = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("**A kind of kit file.**")[2]


@pytest.fixture
def recipe(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The kind of kit file that its recipe shows whole, with its line of status."""
    blocks = re.findall(r"(?s)```python\n(.*?)```", RECIPE)[:3]
    for name, block in zip(("kit_files", "status_part", "row"), blocks, strict=True):
        file = tmp_path / f"{name}.py"
        file.write_text(block)
        spec = spec_from_file_location(f"reel_cli.features.people.{name}", file)
        assert spec
        assert spec.loader
        module = module_from_spec(spec)
        vars(module).update(Feature=Feature, KitFile=KitFile, StatusPlace=StatusPlace)
        spec.loader.exec_module(module)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(table, "FEATURES", (*FEATURES, vars(module)["ROW"]))
    kit_files.forget_table()
    yield
    monkeypatch.undo()
    kit_files.forget_table()


@pytest.mark.usefixtures("recipe")
def test_the_recipe_s_kind_of_kit_file_is_checked_and_shown(reel: Reel, kit: Path) -> None:
    assert json.loads(reel("status", "--json").ok().out)["people"] == 0
    assert json.loads(reel("diff", "--json").ok().out)["people"] == {"gone": [], "new": []}
    (kit / "people.yaml").write_text("Netta: [a, b]\n")
    found = json.loads(reel("doctor", "--json").out)["findings"]
    assert [one["severity"] for one in found if one["where"] == "people.yaml"] == ["hint"]
    (kit / "people.yaml").write_text("Netta: Magnus's wife\n")
    assert "It knows 1 by name (people.yaml).\n" in reel("status").ok().out
    assert "People\n  + Netta: Magnus's wife\n" in reel("diff").ok().out
    reel("review", "accept", "people.yaml", "--as", "Bo Lind <bo@example.org>", "--yes").ok()
    (kit / "people.yaml").write_text("Netta: his sister\n")
    told = reel("diff", "HEAD").ok().out
    assert "People\n  - Netta: Magnus's wife\n  + Netta: his sister\n" in told
    (kit / "people.yaml").write_text("Netta: [a, b]\n")
    assert "people.yaml cannot be read: Netta does not say who that is.\n" in reel("doctor").out


def test_a_file_of_nobodys_is_a_persons_own(reel: Reel, kit: Path) -> None:
    (kit / "guests.yaml").write_text("- no\n- mapping\n")
    kit_files.check_file("guests.yaml", b"- no\n")
    assert "guests.yaml" not in reel("review").ok().out
    with pytest.raises(ReelError):
        _check("guests.yaml", "- no\n")


def test_each_kind_of_proposal_stands_under_its_own_name() -> None:
    kinds = [kind for feature in FEATURES for kind in feature.proposals]
    assert kinds == [bring_proposal_kind(kind).kind.value for kind in kinds] != []
    assert bring_proposal_kind("of a feature that was taken away") is None


def test_a_kind_of_proposal_is_imported_alone() -> None:
    script = """
import sys
from reel_cli.core.ports import bring_proposal_kind, table
bring_proposal_kind("exemplar")
for feature in table().FEATURES:
    for kind, place in feature.proposals.items():
        if f"reel_cli.features.{feature.name}.{place.partition(':')[0]}" in sys.modules:
            print(kind)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=CHECKOUT
    )
    assert done.stdout.split() == ["exemplar"]
