"""The kinds of kit file: declared once, and everything that asks what a kit file is asks the declarations."""

from importlib import import_module
from pathlib import Path

import pytest

import reel_cli.features
from reel_cli.core.errors import ReelError
from reel_cli.core.files.core_kit_files import SETTINGS
from reel_cli.core.files.kit_files import (
    CORE_FILES,
    KitFileKind,
    check_file,
    find_kind,
    is_kit_file,
    is_kit_text,
    kit_names,
    list_kit_files,
)
from reel_cli.core.kit.output_place import check_output
from reel_cli.core.values.talk import ANOTHER, HIDDEN, NARRATION, NOTE, Kind
from reel_cli.features.table import FEATURES
from tests.support.cli import CHECKOUT, Reel
from tests.support.installed_features import is_installed

PACKAGE = Path(reel_cli.features.__file__).parent


def place_in(name: str) -> str:
    """A path of the kit file or folder with this name."""
    return next(f"{file.path}notes.md" if file.path.endswith("/") else file.path
                for file in list_kit_files() if file.name == name)  # fmt: skip


def test_each_kind_is_declared_once_and_what_reads_it_exists() -> None:
    rows = [*CORE_FILES, *(file for feature in FEATURES for file in feature.files)]
    names = [file.name for file in rows]
    assert len(names) == len(set(names))
    assert sorted(kit_names()) == sorted(names)
    kinds = [find_kind(place_in(file.name)) for file in rows if file.kind]
    assert all(isinstance(kind, KitFileKind) for kind in kinds)
    assert find_kind("kit.yaml") is SETTINGS
    assert all(find_kind(file.path).rows for file in rows if file.packed and file.name != "kit.yaml")  # type: ignore[union-attr]


def test_each_kind_has_its_line_in_the_docs() -> None:
    page = (CHECKOUT / "docs/kit-format.md").read_text(encoding="utf-8")
    told = [name for name in kit_names() if not name.startswith(".")]
    assert [name for name in told if f"`{name}" not in page] == []


def test_each_kind_and_each_mark_of_a_message_is_in_the_docs() -> None:
    page = (CHECKOUT / "docs/kit-format.md").read_text(encoding="utf-8")
    told = page.partition("Each block is a message:")[2].partition("### ")[0]
    [line] = [one for one in told.splitlines() if one.startswith("- `mark`:")]
    assert [mark for mark in (HIDDEN, NARRATION, NOTE, ANOTHER) if f"`{mark}`" not in line] == []
    assert [kind for kind in Kind if f"`{kind}`" not in told] == []


def test_a_kind_that_a_features_module_declares_has_a_row_in_the_table() -> None:
    declared = {
        (feature.name, name)
        for feature in FEATURES
        if any(file.kind for file in feature.files)
        for name, value in vars(import_module(f"reel_cli.features.{feature.name}.kit_files")).items()
        if isinstance(value, KitFileKind)
    }
    used = {
        (feature.name, file.kind.partition(":")[2])
        for feature in FEATURES
        for file in feature.files
        if file.kind
    }
    assert declared == used
    assert {place.parent.name for place in PACKAGE.glob("*/kit_files.py")} == {name for name, _ in used}


@pytest.mark.parametrize("name", kit_names())
def test_no_kind_of_kit_file_is_written_over(kit: Path, name: str) -> None:
    place = kit / place_in(name)
    assert is_kit_file(place_in(name).upper())
    with pytest.raises(ReelError, match="a place of the kit's own"):
        check_output(place, "elsewhere")


@pytest.mark.needs("shelf")
@pytest.mark.parametrize("place", ["session-log.md", "archive/plan.md", "summaries/plan.md", "hot.yml"])
def test_a_bundle_is_never_written_over_the_kits_own_files(reel: Reel, kit: Path, place: str) -> None:
    run = reel("pack", "--out", place)
    assert (run.code, run.out) == (1, "")
    assert "a place of the kit's own" in run.err
    assert not (kit / place).exists()


WRITTEN = {
    "facts.yaml": "facts",
    "intake.yaml": "intake",
    "stream.md": "stream",
    "domain": "tables",
    "session-log.md": "shelf",
    "summaries": "shelf",
}
"""Kit files of features that reel writes, and so can tell to be damaged."""


def test_a_text_that_reel_writes_can_be_told_to_be_damaged_and_a_persons_own_cannot() -> None:
    written = {name for name in kit_names() if is_kit_text(place_in(name)) or is_kit_text(f"{name}/a.csv")}
    assert {name for name, feature in WRITTEN.items() if is_installed(feature)} <= written
    assert not {"shelf", "archive", "card", "lore"} & written


@pytest.mark.needs("shelf")
def test_a_file_on_the_shelf_is_a_persons_own_and_what_reel_notes_of_it_is_not() -> None:
    check_file("shelf/poem.md", b"\xff")
    with pytest.raises(ReelError, match="not UTF-8"):
        check_file("shelf/poem.md.meta.yml", b"\xff")


@pytest.mark.needs("facts")
def test_a_fact_without_a_value_is_refused() -> None:
    with pytest.raises(ReelError, match="fact 1 has no key and value"):
        check_file("facts.yaml", b"- nothing: here\n")


@pytest.mark.needs("stream")
def test_an_edit_by_hand_of_any_kind_waits_for_a_word(reel: Reel, kit: Path) -> None:
    (kit / "stream.md").write_text("mine\n")
    assert "stream.md" in reel("review").ok().out
