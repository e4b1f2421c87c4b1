"""`kit.yaml`: each row of the table of settings, from the parser's, the schema's and the doctor's side."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.settings_file import parse_settings
from reel_cli.core.files.unread_settings import look_at_keys, unread_keys
from reel_cli.core.resources import read_kit_schema
from reel_cli.core.values.setting_rows import Kind
from reel_cli.core.values.settings import Every, Settings, list_settings
from reel_cli.core.values.sizes import parse_days
from reel_cli.features.init.plan import Choices, plan_init
from reel_cli.features.init.template import list_templates, read_template
from reel_cli.features.table import FEATURES

SCHEMA: dict[str, Any] = json.loads(read_kit_schema())
VALIDATOR = Draft202012Validator(SCHEMA)
EXAMPLES = sorted((Path(__file__).parents[3] / "kits").glob("*/kit.yaml"))
USUAL = Settings(name="Ada")

GOOD: Mapping[Kind, Sequence[str]] = {
    "text": ["Bo", "Europe/Helsinki"],
    "protocol": ["REEL/1.0", "REEL/1.3", "v1"],
    "author": ["Bo Lind <bo@example.org>"],
    "size": ["1", "900", "2k", "8K", "1_000", '"2,000"', "32768"],
    "share": ["0", "0.5", "50%", "99.5%", "1"],
    "range": ["[0.05, 8%]", "15% - 30%", "0.05–0.08", "[0, 1]"],
    "count": ["1", "40", "999999999"],
    "age": ["30d", "4 weeks", "6m", "1 year"],
    "every": ["30d", "4 weeks", "10 sessions", "1session", "never", "off"],
    "flag": ["yes", "No", "on", "off", "true"],
    "lines": ["a/*", "[a, 'tag:b']", "[]"],
    "hosts": ["gpu.local", "[gpu.local, 10.0.0.2]"],
    "tokenizer": [
        *("cl100k_base", "~/models/x.gguf", "{like: o200k_base, margin: 0.1}"),
        "{file: model.gguf, like: llama-bpe, margin: 8%}",
    ],
    "embeddings": ["off", "static", "http://localhost:1234/v1", "https://[::1]:8080"],
    "server": ["lmstudio", "off", "http://localhost:8080/v1"],
    "adapter": ["healthcare", "adapters/mine.yaml"],
    "label": ["Merke", "Weißt du's noch"],
    "experience": ["loaded", "gated"],
    "effort": ["high", "Minimal", "none", "off"],
    "store": ["csv", "sqlite"],
    "topology": ["off", "expand", "phase"],
    "policy": ["turns", "per_section", "per_cycle", "hybrid", "structural"],
}
BAD: Mapping[Kind, Sequence[str]] = {
    "text": [],
    "protocol": ["REEL", "2"],
    "author": [],
    "size": ["lots", "0", "-1", "0.5"],
    "share": ["much", "-0.1", "1.1", "101%", "2"],
    "range": ["much", "[0.05]", "5-8%", "[0.1, 2]", "[a, b]"],
    "count": ["many", "-1", "0.5"],
    "age": ["30", "soon", "-3d", "3.5d", "12345d", "10 sessions", "٣d"],
    "every": ["30", "soon", "d", "-3d", "3.5d", "12345d", "10 session s", "٣d"],
    "flag": ["sometimes", "2"],
    "lines": ["{a: b}", "[[a]]"],
    "hosts": ["{a: b}", "[[a]]"],
    "tokenizer": ["{like: o200k_base}", "[a]"],
    "embeddings": ["on", "ftp://localhost/v1", "file:///etc/passwd", "http://ada:secret@localhost/v1"],
    "server": ["[a]"],
    "adapter": ["[a]"],
    "label": ["[a]"],
    "experience": ["sometimes", "[a]"],
    "effort": ["very high", "9", "[a]"],
    "store": ["paper", "[a]"],
    "topology": ["on", "[a]"],
    "policy": ["sometimes", "[a]"],
}
"""Values that parser and schema both refuse; the schema leaves names and words to the parser."""


def places() -> Iterator[tuple[str, Kind]]:
    """Each setting's path and kind; of a field that is a mapping one for each key."""
    for name, row in list_settings().items():
        usual = getattr(USUAL, name)
        keys = [f"{row.path}.{key}" for key in usual] if isinstance(usual, Mapping) else [row.path]
        yield from ((path, row.kind) for path in keys)


PLACES = dict(places())


def written(path: str, value: str) -> str:
    """A settings file with one setting."""
    *above, key = path.split(".")
    return (
        "".join(f"{'  ' * n}'{part}':\n" for n, part in enumerate(above))
        + f"{'  ' * len(above)}'{key}': {value}\n"
    )


def read(text: str) -> Settings:
    return parse_settings(text, fallback_name="Ada")


def refused(text: str) -> ReelError | None:
    try:
        read(text)
    except ReelError as error:
        return error
    return None


def is_valid(text: str) -> bool:
    return bool(VALIDATOR.is_valid(yaml.safe_load(text)))


def described(path: str) -> dict[str, Any]:
    found = SCHEMA
    for part in path.split("."):
        found = found["properties"][part]
    return found


def room(path: str, value: str) -> str:
    """Return the settings that a value needs beside it: a window for a cap, older ages."""
    if path == "cap":
        return "window: 64k\n" + written(path, value)
    if path == "ages.L1":
        return written(path, value) + "  L2: 20y\n  L3: 20y\n"
    return written(path, value) + (
        "  L1: 1d\n" if path == "ages.L2" else "  L2: 1d\n  L1: 1d\n" if path == "ages.L3" else ""
    )


def limited(path: str) -> bool:
    return any(row.limit or row.among for row in list_settings().values() if row.path == path)


def test_each_setting_may_be_left_out_or_written_as_its_default() -> None:
    for path in PLACES:
        assert read(written(path, "")) == USUAL, path
        if "default" in described(path):
            assert read(written(path, json.dumps(described(path)["default"]))) == USUAL, path
    assert read("") == USUAL
    assert [path for path in PLACES if "default" not in described(path)] == [
        *("name", "cap", "author", "timezone"),
        *(f"behavior.token_policy.{key}" for key in ("base", "min", "max")),
    ]


def test_each_setting_takes_what_its_schema_takes() -> None:
    for path, kind in PLACES.items():
        for value in () if limited(path) else GOOD[kind]:
            assert refused(room(path, value)) is None, (path, value)
            assert is_valid(written(path, value)), (path, value)


def test_what_makes_no_sense_is_refused_by_its_name_and_by_the_schema() -> None:
    for path, kind in PLACES.items():
        for value in [*BAD[kind], "[[a], {b: c}]"]:
            error = refused(written(path, value))
            assert error, (path, value)
            if path != "protocol":
                assert str(error).startswith(f"kit.yaml: {path}"), (path, value)
            assert not is_valid(written(path, value)), (path, value)
        if kind in ("size", "share", "count", "age", "every", "flag", "embeddings"):
            error = refused(written(path, BAD[kind][0]))
            assert error
            assert error.hint, path


def test_a_setting_that_is_misspelt_is_passed_over_and_named() -> None:
    for path in PLACES:
        if not path.startswith(("ranges.", "ages.", "shelf.keep.")):
            wrong = f"{path}{path[-1]}"
            assert read(written(wrong, "x")) == USUAL
            assert unread_keys(written(wrong, "x")) == [(wrong, path)]


def test_each_section_is_a_mapping() -> None:
    for path in {path.rpartition(".")[0] for path in PLACES if "." in path} - {"via"}:
        error = refused(written(path, "30d"))
        assert str(error) == f"kit.yaml: {path} should hold `name: value` lines, indented."
        assert not is_valid(written(path, "30d"))


def test_each_section_that_a_feature_names_is_its_own() -> None:
    named = [path for feature in FEATURES for path in feature.settings]
    assert len(named) == len(set(named))
    assert [one for one in named if not any(f"{path}.".startswith(f"{one}.") for path in PLACES)] == []


@pytest.mark.wheel
def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert VALIDATOR.is_valid({"mine": "something of my own"})


@pytest.mark.wheel
@pytest.mark.parametrize("template", [name for name, _ in list_templates()])
def test_every_templates_kit_yaml_is_valid(template: str) -> None:
    choices = Choices(name="Ada", user="Bo", window=32768, author="Bo Lind <bo@example.org>")
    new = plan_init(read_template(template), choices, ratified_by="")
    data = new.change.writes["kit.yaml"]
    assert data is not None
    VALIDATOR.validate(yaml.safe_load(data))


@pytest.mark.wheel
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_every_example_kits_kit_yaml_is_valid(path: Path) -> None:
    VALIDATOR.validate(yaml.safe_load(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            "maintain:\n  every: soon\n",
            "kit.yaml: maintain.every is 'soon', which says neither how often nor never.",
            "write it as 30d, 4w, 10 sessions or never",
        ),
        (
            "cap: lots\n",
            "kit.yaml: cap is 'lots', which is not a size like 900, 8k or 32768.",
            "write it like that, or delete the line: then reel takes its default",
        ),
        (
            "live: 0.2\n",
            "kit.yaml: live must be from 0.4 to below 1: the conversation needs room.",
            "for one bundle only, use  reel pack --live N",
        ),
        (
            "live: 1\n",
            "kit.yaml: live must be from 0.4 to below 1: the conversation needs room.",
            "for one bundle only, use  reel pack --live N",
        ),
        (
            "dream:\n  over: 0\n",
            "kit.yaml: dream.over must be at least 1: a share of no sessions says nothing.",
            "to be asked for no dreams, write  dream: {every: never}",
        ),
        (
            "mcp: {trust: [remembr]}\n",
            (
                "kit.yaml: mcp.trust names 'remembr', which is not one of checkpoint, consolidation, "
                "remember, advise, summarize, gc."
            ),
            "write it like  mcp: {trust: [remember]}",
        ),
        (
            "ages:\n  L4: 9y\n",
            "kit.yaml: ages.L4 is not one of L1, L2, L3.",
            "a memory of L4 is as small as one gets",
        ),
        ("ranges:\n  '5': [0, 1]\n", "kit.yaml: ranges.5 is not one of 0, 1, 2, 3, 4.", None),
    ],
)
def test_what_is_refused_is_told_with_the_mend(text: str, message: str, hint: str | None) -> None:
    error = refused(text)
    assert error
    assert (str(error), error.hint) == (message, hint)
    assert not is_valid(text)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            "window: 8k\ncap: 16k\n",
            "kit.yaml: cap (16,384) is above window (8,192).",
            "lower cap, or raise window if the model can hold more",
        ),
        (
            "ages:\n  L1: 1y\n",
            "kit.yaml: ages should grow from L1 to L3; they are L1 365 days, L2 183 days, L3 730 days.",
            "one that is not given has its default: 30d, 6m, 2y",
        ),
        (
            "behavior: {token_policy: {base: 900, min: 1000}}\n",
            "kit.yaml: behavior.token_policy should have min, base and max in that order of size.",
            "write it like  token_policy: {base: 900, min: 400, max: 1200}",
        ),
        (
            "ranges:\n  '0': [8%, 5%]\n",
            "kit.yaml: ranges.0 should have its lowest share first, like [0.05, 0.08].",
            "write it like that, or delete the line: then reel takes its default",
        ),
        (
            "intake: {label: 'Remember: this'}\n",
            "kit.yaml: intake.label is 'Remember: this', which is no word or two.",
            "write it like  intake: {label: Merke}",
        ),
    ],
)
def test_what_no_schema_can_say_is_refused_too(text: str, message: str, hint: str) -> None:
    error = refused(text)
    assert error
    assert (str(error), error.hint) == (message, hint)


def test_a_newer_protocol_is_named_before_anything_else() -> None:
    with pytest.raises(
        StateError, match=r"This kit is of protocol version REEL/2\.0; this reel knows REEL/1\.0"
    ):
        read("window: {new: form}\nprotocol: REEL/2.0\n")


def test_values_are_typed() -> None:
    found = read(
        "window: 32k\nlive: 45%\nvia: lmstudio\nranges: {'0': 5%-8%}\nmaintain: {every: 10 sessions}\n"
        "dream: {every: never}\nages: {L1: 2w}\nboot: {story: 20%, traces: 0, always: On}\n"
        "shelf: {keep: {output: out/*, audit: [], mine: [a]}}\ntokenizer: {like: o200k_base, margin: 8%}\n"
    )
    assert (found.window, found.cap, found.live, found.via) == (32768, 32768, 4_500, "lmstudio")
    assert (found.ranges["0"].low, found.ranges["0"].high, found.ranges["3"].high) == (500, 800, 3_000)
    assert (found.maintain_every, found.dream_every, USUAL.maintain_every) == (
        *(Every(0, 10), Every(0, 0), Every(30, 0)),
    )
    assert found.ages == {"L1": 14, "L2": 183, "L3": 730}
    assert (found.boot, found.boot_always) == ({"story": 2_000, "context": 500, "traces": 0}, True)
    kept = {"output": ("out/*",), "audit": (), "mine": ("a",)}
    assert found.shelf_keep == {**USUAL.shelf_keep, **kept}
    assert found.tokenizer == "o200k_base +8%"


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 9_999), st.integers(0, 9_999))
def test_longer_never_reads_as_shorter(one: int, other: int) -> None:
    low, high = sorted((one, other))
    for unit in ("d", "w", "m", "y"):
        assert parse_days(f"{low}{unit}") <= parse_days(f"{high} {unit}")
    assert parse_days(f"{one}d") <= parse_days(f"{one}w") <= parse_days(f"{one}m") <= parse_days(f"{one}y")


def test_a_quotation_that_is_not_closed_is_told_of_where_it_begins() -> None:
    text = 'name: Ada\nuser: "Bo\nwindow: 8k\ntimezone: "Europe/Oslo"\n'
    with pytest.raises(ReelError, match="line 2: this quotation mark is never closed"):
        read(text)
    with pytest.raises(ReelError, match="line 3: mapping values are not allowed"):
        read('name: "Ada\n  Lind"\nuser: : Bo\n')


def test_a_line_without_its_colon_is_told_of_itself() -> None:
    with pytest.raises(ReelError, match="line 2: could not find expected ':'"):
        read("protocol: REEL/1.0\nname Ada\nuser: Bo\n")


def test_the_settings_of_a_document_are_named_as_they_are_called_here() -> None:
    text = """
behavior:
  compression: {list_tolerance: 0.6}
  token_policy: {base_limit: 900, min_limit: 400}
cmt:
  anchor_buffer: {enabled: true, cycles: 8}
  domain_adapter: healthcare
  fact_extraction: {interval: 10, min_confidence: 0.7}
"""
    assert dict(unread_keys(text)) == {
        "behavior.compression.list_tolerance": "behavior.list_tolerance",
        "behavior.token_policy.base_limit": "behavior.token_policy.base",
        "behavior.token_policy.min_limit": "behavior.token_policy.min",
        "cmt.anchor_buffer.enabled": "buffer.cycles",
        "cmt.anchor_buffer.cycles": "buffer.cycles",
        "cmt.domain_adapter": "adapter",
        "cmt.fact_extraction.interval": "facts.every",
        "cmt.fact_extraction.min_confidence": "facts.sure",
    }
    told = [one.mend for one in look_at_keys("cmt: {domain_adapter: healthcare}\n", later=False)]
    assert told == ["here it is called adapter"]
