"""The JSON Schema for kit.yaml says what reel reads: no field more, none less, the same defaults."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from reel_cli.core.files import settings_file
from reel_cli.core.files.settings_file import parse_settings
from reel_cli.core.files.yaml_text import Plain, parse_mapping
from reel_cli.core.resources import read_kit_schema
from reel_cli.core.tokens.counter import KNOWN
from reel_cli.core.values.settings import WHOLE, Settings, default_ranges, parse_days
from reel_cli.features.init.plan import Choices, plan_init
from reel_cli.features.init.template import list_templates, read_template

SCHEMA: dict[str, Any] = json.loads(read_kit_schema())
EXAMPLES = sorted((Path(__file__).parents[3] / "kits").glob("*/kit.yaml"))
VALIDATOR = Draft202012Validator(SCHEMA)


class Recording(dict[str, Any]):
    """A mapping that remembers which keys were asked for, those of mappings in it as well."""

    def __init__(self, path: str, asked: set[str]) -> None:
        super().__init__()
        self.path = path
        self.asked = asked

    def get(self, key: str, default: Any = None) -> Any:
        self.asked.add(self.path + key)
        return Recording(f"{self.path}{key}.", self.asked) if default == {} else default


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def _named(schema: Mapping[str, Any], above: str) -> Iterator[str]:
    for key, value in schema.get("properties", {}).items():
        yield above + key
        if key != "ranges":
            yield from _named(value, f"{above}{key}.")


def test_the_schema_has_the_fields_that_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()
    monkeypatch.setattr(settings_file, "parse_mapping", lambda *_: Recording("", asked))
    parse_settings("", fallback_name="Ada")
    described = set(_named(SCHEMA, ""))
    assert described == asked
    assert set(SCHEMA["properties"]["ranges"]["properties"]) == set(default_ranges())


def test_every_default_is_the_programs() -> None:
    usual = Settings(name="Ada")
    properties = SCHEMA["properties"]
    assert {
        "protocol": usual.protocol,
        "user": usual.user,
        "window": usual.window,
        "tokenizer": usual.tokenizer,
        "live": usual.live / WHOLE,
        "anchor_similarity": usual.anchor_similarity / WHOLE,
        "adapter": usual.adapter,
    } == {key: value["default"] for key, value in properties.items() if "default" in value}
    assert {
        "turns": usual.checkpoint_turns,
        "idle_sessions": usual.idle_sessions,
        "per_session": usual.index_per_session,
        "per_session_cold": usual.index_per_session_cold,
        "embeddings": usual.embeddings,
        "model": usual.embedding_model,
    } == {
        key: value["default"]
        for section in ("checkpoint", "prune", "index", "recall")
        for key, value in properties[section]["properties"].items()
    }
    assert {
        level: parse_days(value["default"]) for level, value in properties["ages"]["properties"].items()
    } == (usual.ages)
    maintain = {key: value["default"] for key, value in properties["maintain"]["properties"].items()}
    assert maintain.keys() == {"every", "loss_limit"}
    assert parse_days(maintain["every"]) == usual.maintain_every_days
    assert usual.maintain_every_sessions == 0
    assert maintain["loss_limit"] == usual.loss_limit / WHOLE
    boot = {key: value["default"] for key, value in properties["boot"]["properties"].items()}
    assert boot.pop("always") is usual.boot_always
    assert boot == {part: share / WHOLE for part, share in usual.boot.items()}
    behavior = properties["behavior"]["properties"]
    assert behavior["list_tolerance"]["default"] == usual.list_tolerance / WHOLE
    assert set(behavior["token_policy"]["properties"]) == {"base", "min", "max"}
    facts = {key: value["default"] for key, value in properties["facts"]["properties"].items()}
    assert facts == {
        "share": usual.facts_share / WHOLE,
        "most": usual.facts_most,
        "sure": usual.facts_sure / WHOLE,
        "ask": usual.facts_asked,
        "early": usual.facts_early,
        "every": usual.facts_every,
    }
    via = {key: value["default"] for key, value in properties["via"]["properties"].items()}
    assert via == {"to": usual.via, "model": usual.via_model, "allow": [*usual.via_allow]}
    shelf = properties["shelf"]["properties"]
    kept = {kind: tuple(value["default"]) for kind, value in shelf["keep"]["properties"].items()}
    assert (kept, shelf["defer"]["default"]) == (usual.shelf_keep, usual.shelf_defer)
    dream = {key: value["default"] for key, value in properties["dream"]["properties"].items()}
    assert dream.keys() == {"every", "threshold", "over"}
    assert (parse_days(dream["every"]), 0) == (usual.dream_every_days, usual.dream_every_sessions)
    assert (dream["threshold"], dream["over"]) == (usual.dream_threshold / WHOLE, usual.dream_over)
    assert {ring: [range_.low / WHOLE, range_.high / WHOLE] for ring, range_ in usual.ranges.items()} == {
        ring: value["default"] for ring, value in properties["ranges"]["properties"].items()
    }
    assert tuple(properties["tokenizer"]["anyOf"][0]["enum"]) == KNOWN
    template = {key: value["default"] for key, value in properties["template"]["properties"].items()}
    assert template == {"fixed": usual.template_fixed, "message": usual.template_message}


@pytest.mark.parametrize("template", [name for name, _ in list_templates()])
def test_every_templates_kit_yaml_is_valid(template: str) -> None:
    choices = Choices(name="Ada", user="Bo", window=32768, author="Bo Lind <bo@example.org>")
    new = plan_init(read_template(template), choices, ratified_by="")
    data = new.change.writes["kit.yaml"]
    assert data is not None
    VALIDATOR.validate(yaml.safe_load(data))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_every_example_kits_kit_yaml_is_valid(path: Path) -> None:
    VALIDATOR.validate(yaml.safe_load(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("", True),
        ("name: Ada\nwindow: 8k\ncap: 8192\nlive: 0.5\nranges:\n  '0': [0.05, 8%]\n  '3': 15% - 30%\n", True),
        ("window: 128K\ncap: 32,768\nlive: 45%\n", True),
        ("checkpoint:\n  turns: 40\nprune:\n  idle_sessions: 5\nindex:\n  per_session: 2\n", True),
        ("author: Bo Lind <bo@example.org>\ntimezone: Europe/Helsinki\nanchor_similarity: 0.8\n", True),
        ("mine: something of my own\n", True),
        ("via: lmstudio\n", True),
        ("via: off\n", True),
        ("via:\n  to: http://localhost:8080/v1\n  model: qwen3-8b\n  allow: [gpu.local]\n", True),
        ("tokenizer: ~/models/Llama-3.2-3B.gguf\ntemplate: {fixed: 12, message: 5}\n", True),
        ("tokenizer: {file: model.gguf, like: llama-bpe, margin: 8%}\n", True),
        ("tokenizer: {like: o200k_base, margin: 0.1}\n", True),
        ("tokenizer: {like: o200k_base}\n", False),
        ("template: 12\n", False),
        ("recall:\n  embeddings: off\n", True),
        ("recall:\n  embeddings: static\n", True),
        ("recall:\n  embeddings: http://localhost:1234/v1\n  model: nomic-embed-text-v1.5\n", True),
        ("recall:\n  embeddings: https://[::1]:8080\n", True),
        ("recall:\n  embeddings: ftp://localhost/v1\n", False),
        ("recall:\n  embeddings: file:///etc/passwd\n", False),
        ("recall:\n  embeddings: http://ada:secret@localhost/v1\n", False),
        ("recall:\n  embeddings: on\n", False),
        ("recall: static\n", False),
        ("protocol: REEL/1.3\n", True),
        ("protocol: REEL/2.0\n", False),
        ("window: big\n", False),
        ("window: 0\n", False),
        ("live: 0.2\n", False),
        ("live: 1\n", False),
        ("ranges:\n  '5': [0, 1]\n", False),
        ("ranges:\n  '0': [0.05]\n", False),
        ("ranges:\n  '0': 5-8%\n", False),
        ("ranges:\n  '0': 0.05–0.08\n", True),
        ("checkpoint: 50\n", False),
        ("checkpoint:\n  turns: soon\n", False),
        ("name: [Ada]\n", False),
        ("author: Bo\n", False),
        ("maintain:\n  every: 30d\n  loss_limit: 25%\n", True),
        ("maintain:\n  every: 4 weeks\n  loss_limit: 0.1\n", True),
        ("maintain:\n  every: 10 sessions\n", True),
        ("maintain:\n  every: 1session\n", True),
        ("maintain:\n  every: never\n", True),
        ("maintain:\n  every: off\n", True),
        ("maintain:\n  every: 30\n", False),
        ("maintain:\n  every: soon\n", False),
        ("maintain:\n  every: -3d\n", False),
        ("maintain:\n  every: 12345d\n", False),
        ("maintain:\n  every: ٣d\n", False),
        ("maintain:\n  loss_limit: 2\n", False),
        ("maintain: 30d\n", False),
        ("dream: {every: 7d, threshold: 30%, over: 10}\n", True),
        ("dream:\n  every: 20 sessions\n  threshold: 0.5\n", True),
        ("dream:\n  every: off\n  threshold: 0\n", True),
        ("dream:\n  over: 0\n", False),
        ("dream:\n  over: -1\n", False),
        ("dream:\n  threshold: 30\n", False),
        ("dream:\n  every: weekly\n", False),
        ("dream: weekly\n", False),
        ("ages:\n  L1: 2w\n  L2: 6 months\n  L3: 1 year\n", True),
        ("ages: {L1: 30d, L2: 6m, L3: 2y}\n", True),
        ("boot:\n  story: 20%\n  context: 0.02\n  always: yes\n", True),
        ("boot: {always: off, traces: 0}\n", True),
        ("facts: {share: 5%, most: 20, sure: 0.8, ask: no, early: 0, every: 12}\n", True),
        ("facts: {most: many}\n", False),
        ("behavior: {list_tolerance: 0.6, token_policy: {base: 900, min: 400, max: 1k}}\n", True),
        ("behavior: {token_policy: 900}\n", False),
        ("facts: {ask: sometimes}\n", False),
        ("shelf: {keep: {decisions: [decisions/*, tag:decided], output: out/*, mine: []}, defer: 2}\n", True),
        ("shelf: {keep: {audit: {a: b}}}\n", False),
        ("shelf: {keep: {mine: [[a]]}}\n", False),
        ("shelf: {defer: soon}\n", False),
        ("boot:\n  story: lots\n", False),
        ("boot:\n  always: sometimes\n", False),
        ("boot: always\n", False),
        ("ages:\n  L4: 9y\n", False),
        ("ages:\n  L1: 30\n", False),
        ("ages:\n  L1: 10 sessions\n", False),
    ],
)
def test_the_schema_and_the_program_agree(text: str, valid: bool) -> None:  # noqa: FBT001
    value = yaml.safe_load(text) or {}
    assert VALIDATOR.is_valid(value) is valid
    if "author" in text:
        return  # its form is looked at when a commit is made
    try:
        parse_settings(text, fallback_name="Ada")
    except Exception:  # noqa: BLE001
        assert not valid
    else:
        assert valid


def test_a_recording_reads_like_an_empty_file() -> None:
    empty: dict[str, Plain] = parse_mapping("", "kit.yaml")
    assert Recording("", set()) == empty
