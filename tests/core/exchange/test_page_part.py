"""A part of the page is brought by its feature alone: asked, read, kept and shown, and never missed."""

import json
import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import reel_cli
from reel_cli.core.exchange.open_ask import schema_for
from reel_cli.core.exchange.page_part import page_parts
from reel_cli.core.exchange.schema import ALL_PARTS
from reel_cli.core.files.working_file import read_section
from reel_cli.core.ports import PagePlace, resolve
from reel_cli.features import table
from reel_cli.features.table import FEATURES, Feature
from tests.support.cli import CHECKOUT, Reel
from tests.support.pages import chat, page

EXAMPLE = re.search(
    r"(?s)\*\*A part of the page\.\*\*.*?```python\n(.*?)```",
    (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8"),
)
"""The part that the recipe shows whole."""


SAID = ("user", "The barometer fell all day.")
"""A message for which the part is due."""


@pytest.fixture
def barometer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A feature with a part of the page and nothing else: one file, and its row in the table."""
    assert EXAMPLE
    file = tmp_path / "page_part.py"
    file.write_text(EXAMPLE[1])
    spec = spec_from_file_location("reel_cli.features.barometer.page_part", file)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    row = Feature("barometer", pages=[PagePlace("page_part:BAROMETER_PART", ["barometer"])])
    monkeypatch.setattr(table, "FEATURES", (*FEATURES, row))


@pytest.mark.usefixtures("barometer")
def test_the_prompt_asks_for_it_and_the_reply_keeps_and_shows_it(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat(SAID)).ok()
    prompt = reel("checkpoint", "--prompt").ok().out
    assert "\n## How the barometer stood\nWhat it showed in Brno, in one line.\n" in prompt
    reply = page({"How the barometer stood": "1,004."})
    told = json.loads(reel("checkpoint", "--reply", "-", "--yes", "--json", stdin=reply).ok().out)
    assert {"what": "The barometer", "lines": ["+ Barometer, 25 February 2026: 1,004."], "short": 1} in told[
        "changed"
    ]
    state = read_section((kit / "ring2/working.md").read_text(), "State")
    assert state.endswith("\n\nBarometer, 25 February 2026: 1,004.")
    assert "Barometer, 25 February 2026: 1,004." in reel("pack").ok().out


@pytest.mark.usefixtures("barometer")
def test_the_next_page_puts_its_line_in_place_of_the_last(reel: Reel, kit: Path) -> None:
    """Where the second page says nothing of the state, the first page's words stay, with one line of it."""
    first = page({"How the barometer stood": "1,004."})
    second = page({"How the barometer stood": "1,021.", "My notes": "1. still"})
    # the same messages would be the same chat
    for told, reply in ((chat(SAID), first), (chat(SAID, ("user", "It cleared.")), second)):
        reel("record", "-", stdin=told).ok()
        reel("checkpoint", "--prompt").ok()
        reel("checkpoint", "--reply", "-", "--yes", stdin=reply).ok()
    state = read_section((kit / "ring2/working.md").read_text(), "State")
    assert state == "He is close to a deadline.\n\nBarometer, 25 February 2026: 1,021."


@pytest.mark.usefixtures("barometer")
def test_a_chat_that_does_not_speak_of_it_is_not_asked(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    assert "barometer" not in reel("checkpoint", "--prompt").ok().out


@pytest.mark.usefixtures("barometer")
def test_a_page_without_it_is_whole(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat(SAID)).ok()
    reel("checkpoint", "--prompt").ok()
    done = reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    assert "The page was read.\n" in done.err
    assert "barometer" not in done.err
    assert "Barometer," not in (kit / "ring2/working.md").read_text()


@pytest.mark.usefixtures("barometer")
def test_a_request_for_the_rest_leaves_it_out(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat(SAID)).ok()
    reel("checkpoint", "--prompt").ok()
    half = page({"How I was": None})
    refused = reel("checkpoint", "--reply", "-", "--yes", stdin=half).err
    assert '"How I was" is missing; 14 of 15 parts are kept.' in refused
    rest = reel("checkpoint", "--prompt").ok().out
    assert "## How I was" in rest
    assert "barometer" not in rest


def test_a_part_that_a_feature_holds_stands_in_its_row() -> None:
    """The recipe's steps: a part is named in the table, can be missing, and says what it asks."""
    places = Path(reel_cli.__file__).parent.glob("features/**/page_part.py")
    named = {
        f"features/{feature.name}/{row.place.partition(':')[0].replace('.', '/')}.py"
        for feature in FEATURES
        for row in feature.pages
    }
    left = named ^ {place.relative_to(Path(reel_cli.__file__).parent).as_posix() for place in places}
    assert not left, f"not named under pages in the feature's row of features/table.py: {left}"
    rows = [(resolve(feature.name, row.place), row) for feature in FEATURES for row in feature.pages]
    for part, row in rows:
        assert part.keys == tuple(row.keys), f"{part.name}: its row names other keys than its fields have"
        for spec in part.fields:
            assert not spec.required, f"{part.name}: a page would be refused without {spec.label}"
            assert spec.hint or not spec.asked, f"{part.name}: {spec.label} does not say what is asked"
            assert len(re.findall(r"\w+", spec.label)) > 1, f"{spec.label} is a word that any page may hold"


def test_no_two_parts_of_the_page_go_by_one_name() -> None:
    keys = [key for part in page_parts() for key in part.keys]
    whole = schema_for([*ALL_PARTS, *keys])
    assert [spec.key for spec in whole.fields][len(whole.fields) - len(keys) :] == keys
