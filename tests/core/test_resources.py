"""Every file that ships with reel is found where a wheel or a checkout has it."""

import json
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from reel_cli.core.files.yaml_text import parse_mapping
from reel_cli.core.resources import (
    list_adapters,
    list_places,
    read_adapter,
    read_advice_schema,
    read_ask,
    read_fading,
    read_guard,
    read_kit_schema,
    read_place,
    template_folder,
)
from tests.support.cli import CHECKOUT

pytestmark = pytest.mark.wheel


def test_every_ask_is_read() -> None:
    asks = [path.stem for path in (template_folder() / "asks").iterdir()]
    assert {"checkpoint", "consolidate", "repair", "facts", "dream", "sift"} <= set(asks)
    assert all(read_ask(name).strip() for name in asks)


@pytest.mark.parametrize(("names", "read"), [(list_adapters, read_adapter), (list_places, read_place)])
def test_every_adapter_and_place_is_a_mapping(
    names: Callable[[], list[str]], read: Callable[[str], str]
) -> None:
    assert len(names()) > 1
    assert all(parse_mapping(read(name), name) for name in names())


def test_the_schemas_the_guard_and_the_words_of_fading_are_read() -> None:
    for schema in (read_kit_schema(), read_advice_schema()):
        assert json.loads(schema)["$schema"]
    assert read_guard().startswith(b"#!/bin/sh\n")
    assert len(read_fading().splitlines()) > 10


def test_the_check_of_the_wheel_sees_imports_inside_functions(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    inside = ("import docutils.nodes", "from rich.table import Table", "from . import y")
    module.write_text("import os\ndef f():\n" + "".join(f"    {line}\n" for line in inside))
    checked = runpy.run_path(str(CHECKOUT / "tools/check_wheel.py"))
    assert sorted(checked["list_packages"](module)) == ["docutils", "os", "rich"]
