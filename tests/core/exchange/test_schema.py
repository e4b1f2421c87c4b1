"""Schemas are data: the prompt's labels and the documents' names, each naming one field."""

import re

import pytest

from reel_cli.core.exchange.reader.labels import names_of
from reel_cli.core.exchange.schema import CHECKPOINT, COMBINED, CONSOLIDATION, FieldSpec, Schema
from reel_cli.core.resources import template_folder

PARTS = template_folder() / "asks" / "parts.md"


def test_the_prompts_labels_are_the_fields_asked_for_in_its_order() -> None:
    blocks = re.findall(r"(?m)^## (.+)\n([\s\S]+?)(?=\n## |\Z)", PARTS.read_text(encoding="utf-8"))
    assert [(spec.label, spec.hint) for spec in COMBINED.asked] == [
        (label.strip(), hint.strip()) for label, hint in blocks
    ]


def test_the_page_is_the_consolidation_and_the_checkpoint() -> None:
    assert [s.key for s in COMBINED.asked] == [s.key for s in (*CONSOLIDATION.asked, *CHECKPOINT.asked)]


def test_what_a_reply_must_hold() -> None:
    def required(schema: Schema) -> list[str]:
        return [spec.key for spec in schema.fields if spec.required]

    assert required(CONSOLIDATION) == ["happened", "changed", "matters", "unresolved", "anchors"]
    assert required(CHECKPOINT) == [
        "coherence",
        "calibration",
        "shifted",
        "paper",
        "show",
        "notes",
        "open_loops",
        "fade",
    ]
    assert [spec.key for spec in COMBINED.fields if spec.filled] == ["happened"]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("What happened", "happened"),
        ("what_happened", "happened"),
        ("whatHappened", "happened"),
        ("WHAT-HAPPENED", "happened"),
        ("What changed", "changed"),
        ("What matters", "matters"),
        ("What's unresolved", "unresolved"),
        ("What’s unresolved", "unresolved"),
        ("whats_unresolved", "unresolved"),
        ("what_is_unresolved", "unresolved"),
        ("What unresolved", "unresolved"),
        ("Retrieval anchors", "anchors"),
        ("retrieval_anchors", "anchors"),
        ("Lines to find it by", "anchors"),
        ("timestamp", "timestamp"),
        ("identity_coherence", "coherence"),
        ("calibration_state", "calibration"),
        ("drift_detected", "drift_detected"),
        ("drift_description", "drift_description"),
        ("What has shifted", "shifted"),
        ("ring_0_update_suggested", "paper"),
        ("ring0_update_suggested", "paper"),
        ("Ring 0 update suggested", "paper"),
        ("ring_1_rotation", "show"),
        ("ring_2_delta", "notes"),
        ("open_loops", "open_loops"),
        ("significance_flags", "fade"),
        ("tags", "tags"),
        ("immune", "immune"),
        ("pruning_immunity", "immune"),
        ("marker", "marker"),
        ("one_line_tag", "tag"),
        ("In one paragraph", "marker"),
        ("In one line", "tag"),
    ],
)
def test_every_name_of_the_documents_is_known(name: str, key: str) -> None:
    assert names_of(COMBINED).find(name)[0] == (key,)


def test_labels_and_documents_names_of_several_words_are_beyond_doubt() -> None:
    names = names_of(COMBINED)
    assert all(names.find(spec.label) == ((spec.key,), True) for spec in COMBINED.asked)
    assert names.find("Title") == (("title",), False)
    assert names.find("why it matters") == (("matters",), False)
    assert names.find("what else") == ((), False)


def test_two_fields_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match=r"names both one and two"):
        Schema("x", (FieldSpec("one", "What now"), FieldSpec("two", "Other", loose=("what_now",))))


def test_a_schema_of_some_fields_alone() -> None:
    some = CHECKPOINT.only(["open_loops", "fade"])
    assert [(spec.key, spec.asked) for spec in some.fields] == [("open_loops", True), ("fade", True)]
    assert some["fade"].label == "Never let fade"
    with pytest.raises(KeyError):
        some["notes"]
