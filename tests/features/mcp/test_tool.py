"""Arguments of a tool: whatever a client sends is of its type and within its bounds, or refused."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from reel_cli.core.errors import UsageError
from reel_cli.core.exchange.tool import Argument, answer_schema_of, check_arguments, schema_of
from reel_cli.features.mcp.tools import list_tools

TAKEN = (
    Argument("words", "string", "Words.", 20, required=True),
    Argument("where", "string", "Where.", 20, one_of=("here", "there")),
    Argument("count", "integer", "How many.", 9),
    Argument("sure", "boolean", "Whether.", 1),
    Argument("hot", "hints", "Which.", 3),
)
LEAF = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30)
ANY = st.recursive(
    LEAF,
    lambda deeper: (
        st.lists(deeper, max_size=4)
        | st.dictionaries(st.sampled_from(["path", "why", "x"]) | st.text(max_size=3), deeper, max_size=4)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([one.name for one in TAKEN]) | st.text(max_size=4), ANY, max_size=5))
def test_what_is_taken_keeps_to_what_is_told(sent: dict[str, Any]) -> None:
    try:
        found = check_arguments(TAKEN, sent)
    except UsageError:
        return
    assert found.get("where", "") in ("", "here", "there")
    told_apart = {key: value for key, value in found.items() if value != ""}
    assert Draft202012Validator(schema_of(TAKEN)).is_valid(told_apart)
    told = "".join(str(value) for value in found.values())
    assert not any(ord(char) < 32 and char not in "\n\t" for char in told)


def test_what_a_careful_client_sends_is_taken() -> None:
    sent = {
        "words": "a\r\nb",
        "where": "here",
        "count": 5.0,
        "sure": True,
        "hot": [{"path": "shelf/a.md", "why": "w"}],
        "nothing": None,
    }
    with pytest.raises(UsageError, match="no argument 'nothing'"):
        check_arguments(TAKEN, sent)
    del sent["nothing"]
    assert check_arguments(TAKEN, sent) == {**sent, "words": "a\nb", "count": 5}


@pytest.mark.parametrize(
    "path",
    ["../x", "a/../../x", "..", "a/..", "/etc/passwd", "~/x", "C:\\x", "..\\x", "a\\..\\x", " ../x"],
)
def test_a_path_that_climbs_is_refused_with_all_beside_it(path: str) -> None:
    with pytest.raises(UsageError, match="outside the kit; nothing of it is taken"):
        check_arguments(TAKEN, {"words": "a", "hot": [{"path": "shelf/a.md"}, {"path": path}]})


@pytest.mark.parametrize("path", ["shelf/a..b.md", "..hidden", "a/...", "M-004", "notes 1:2.md"])
def test_other_paths_are_looked_up(path: str) -> None:
    assert check_arguments(TAKEN, {"words": "a", "hot": [{"path": path}]})["hot"] == [{"path": path}]


def test_each_tool_tells_what_it_takes_in_a_valid_schema() -> None:
    for tool in list_tools():
        Draft202012Validator.check_schema(schema_of(tool.arguments))
        Draft202012Validator.check_schema(answer_schema_of(tool))
        assert all(one.what for one in tool.arguments)
