import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.tape.continuation import State, match
from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.tape.session_file import parse_session, render_session
from reel_cli.core.values.talk import Conversation, Kind, Message

BEGAN = 1_750_537_482.970556


def say(
    role: str,
    text: object = "",
    *,
    at: object = None,
    shape: str = "text",
    recipient: str = "all",
    channel: str | None = None,
    name: str | None = None,
    content: dict[str, object] | None = None,
    **metadata: object,
) -> dict[str, object]:
    """A message as the app writes it."""
    parts = text if isinstance(text, list) else [text]
    return {
        "author": {"role": role, "name": name, "metadata": {}},
        "create_time": at,
        "update_time": None,
        "content": content or {"content_type": shape, "parts": parts},
        "status": "finished_successfully",
        "weight": 1.0,
        "metadata": metadata,
        "recipient": recipient,
        "channel": channel,
    }


def chain(*messages: dict[str, object] | None, **about: object) -> dict[str, object]:
    """A conversation in which each message follows the one before it."""
    mapping: dict[str, object] = {"root": {"id": "root", "message": None, "parent": None, "children": ["n0"]}}
    for number, message in enumerate(messages):
        name = f"n{number}"
        parent = f"n{number - 1}" if number else "root"
        children = [f"n{number + 1}"] if number + 1 < len(messages) else []
        whole = {"id": name, **message} if message is not None else None
        mapping[name] = {"id": name, "message": whole, "parent": parent, "children": children}
    return {
        "title": "A talk",
        "create_time": BEGAN,
        "mapping": mapping,
        "current_node": f"n{len(messages) - 1}",
        "conversation_id": "c-1",
    } | about


def read(*conversations: dict[str, object]) -> list[Conversation]:
    return read_source(json.dumps(conversations).encode(), filename="conversations.json")


def only(*messages: dict[str, object] | None, **about: object) -> Conversation:
    [conversation] = read(chain(*messages, **about))
    return conversation


def brief(conversation: Conversation) -> list[tuple[object, ...]]:
    return [(m.kind.value, m.role, m.text, m.road) for m in conversation.messages]


def test_a_real_export_is_read(shared_data: Path) -> None:
    path = shared_data / "samples/chatgpt/export-one-conversation.json"
    [conversation] = read_source(path.read_bytes(), filename=path.name)
    assert (conversation.key, conversation.title, conversation.started, conversation.model) == (
        "chatgpt:6857150a-cd20-800f-a5f7-d2404f94b935",
        "How photosynthesis works",
        "2025-06-21T20:24:42.971+00:00",
        "gpt-4o",
    )
    said = conversation.said()
    assert [m.role for m in said] == ["user", "assistant"] * 5
    assert said[0] == Message(
        "user",
        "Can you explain how photosynthesis works in simple terms?",
        time="2025-06-21T20:24:43.102+00:00",
    )
    [instructions] = [m for m in conversation.messages if m.kind is not Kind.SAID]
    assert (instructions.kind, instructions.role) == (Kind.SYSTEM, "system")
    assert instructions.text.startswith("The user provided the additional info")
    assert conversation.problems == ()


def test_real_trees_are_read(shared_data: Path) -> None:
    folder = shared_data / "samples/chatgpt"
    [branched] = read_source((folder / "branched-tree.json").read_bytes())
    assert [(m.kind.value, m.role, m.road) for m in branched.messages] == [
        ("said", "user", None),
        ("said", "assistant", None),
        ("said", "user", None),
        ("version", "user", 1),
        ("said", "assistant", None),
    ]
    [bare] = read_source((folder / "nodes-without-message.json").read_bytes())
    assert [m.text for m in bare.said()] == ["Hello ChatGPT!", "Hello! How can I help you today?"]


def test_what_is_not_said_is_kept_by_its_kind() -> None:
    conversation = only(
        say("system", "", is_visually_hidden_from_conversation=True),
        say(
            "user",
            content={
                "content_type": "user_editable_context",
                "user_profile": "I am Bo.",
                "user_instructions": "Be brief.",
            },
            is_visually_hidden_from_conversation=True,
        ),
        say("user", "What is new?", at=BEGAN),
        say(
            "assistant",
            content={
                "content_type": "thoughts",
                "thoughts": [{"summary": "Looking", "content": "Two places."}],
            },
        ),
        say(
            "assistant",
            content={"content_type": "code", "language": "json", "text": '{"q": "news"}'},
            recipient="web",
        ),
        say("tool", name="web", content={"content_type": "tether_browsing_display", "result": "It rained."}),
        say("tool", content={"content_type": "execution_output", "text": "42"}, name="python"),
        say("assistant", content={"content_type": "reasoning_recap", "content": "Thought for 12s"}),
        say("assistant", "I will sum up.", channel="commentary"),
        say("assistant", "It rained.", channel="final", at="1750537490.5", model_slug="gpt-5"),
        say("user", "Hidden order", is_visually_hidden_from_conversation=True),
        say("assistant", content={"content_type": "made_up", "deep": {"x": 1}}),
    )
    assert brief(conversation) == [
        ("system", "system", "I am Bo.\n\nBe brief.", None),
        ("said", "user", "What is new?", None),
        ("said", "assistant", "It rained.", None),
        ("reasoning", "assistant", "Looking\nTwo places.", None),
        ("tool", "tool", '{"q": "news"}', None),
        ("tool", "tool", "It rained.", None),
        ("tool", "tool", "42", None),
        ("reasoning", "assistant", "Thought for 12s", None),
        ("reasoning", "assistant", "I will sum up.", None),
        ("system", "system", "Hidden order", None),
        ("tool", "tool", '{"deep": {"x": 1}}', None),
    ]
    answer = conversation.said()[1]
    assert (answer.model, answer.time) == ("gpt-5", "2025-06-21T20:24:50.500+00:00")
    assert [m.name for m in conversation.messages if m.kind is Kind.TOOL] == [
        "web",
        "web",
        "python",
        "made_up",
    ]
    assert conversation.model == "gpt-5"


def test_pictures_and_speech_and_files() -> None:
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-1"}
    drawn = {
        "content_type": "image_asset_pointer",
        "asset_pointer": "sediment://file_9",
        "metadata": {"dalle": {"prompt": "a red boat"}},
    }
    spoken = {"content_type": "audio_transcription", "text": "Turn left.", "direction": "in"}
    sound = {"content_type": "audio_asset_pointer", "asset_pointer": "sediment://file_2"}
    attached = [{"id": "file-1", "name": "map.png", "mime_type": "image/png"}, {"id": "f2", "name": "a.pdf"}]
    conversation = only(
        say("user", ["Look:", picture], shape="multimodal_text", attachments=attached),
        say("tool", [drawn], shape="multimodal_text", name="dalle.text2im"),
        say("assistant", "Here.", at=BEGAN),
        say("user", [spoken, sound], shape="multimodal_text"),
        say("user", [{"content_type": "hologram"}, "So."], shape="multimodal_text"),
    )  # fmt: skip
    assert brief(conversation) == [
        ("said", "user", "Look:", None),
        ("attachment", "user", "[image: map.png]", None),
        ("attachment", "user", "[file: a.pdf]", None),
        ("said", "assistant", "Here.", None),
        ("attachment", "assistant", "[image: a red boat]", None),
        ("said", "user", "Turn left.", None),
        ("attachment", "user", "[sound]", None),
        ("said", "user", "So.", None),
    ]
    assert conversation.problems == ("a part of an unknown kind was left out (“hologram”)",)


def test_marks_for_sources_become_what_the_app_shows() -> None:
    mark = "\ue200cite\ue202turn0search1\ue201"
    text = (
        f"It rained {mark}. See \ue200url\ue202the map\ue202https://example.org\ue201"
        'and \ue200entity\ue202["city","Turku","Finland"]\ue201\ue200navlist\ue202x\ue201 【3†source】.'
    )
    references = [
        {"matched_text": mark, "alt": "([Yle](https://yle.fi))"},
        {"matched_text": "【3†source】", "alt": None},
        {"matched_text": " ", "alt": "nothing"},
    ]
    [said] = only(say("assistant", text, content_references=references)).said()
    assert said.text == "It rained ([Yle](https://yle.fi)). See the mapand Turku."
    [plain] = only(say("user", "Keep 【this】 as it is.")).said()
    assert plain.text == "Keep 【this】 as it is."


def tree(links: dict[str, str | None], leaf: object) -> dict[str, object]:
    mapping = {
        name: {"id": name, "parent": parent, "message": say("user", name, at=BEGAN + place)}
        for place, (name, parent) in enumerate(links.items())
    }
    return {
        "title": "T",
        "conversation_id": "t",
        "create_time": BEGAN,
        "mapping": mapping,
        "current_node": leaf,
    }


@pytest.mark.parametrize("leaf", [None, "gone", 7, ["a"]])
def test_without_a_current_node_the_newest_leaf_is_shown(leaf: object) -> None:
    [conversation] = read(tree({"q": None, "a": "q", "b": "q"}, leaf))
    assert [m.text for m in conversation.said()] == ["q", "b"]
    assert conversation.problems == ("which branch was shown last is not said; the newest was taken",)


def test_links_that_lead_in_a_circle_or_nowhere() -> None:
    [conversation] = read(tree({"a": "c", "b": "a", "c": "b", "lost": "gone", "self": "self"}, "c"))
    assert [m.text for m in conversation.said()] == ["a", "b", "c"]
    assert {m.text: m.road for m in conversation.messages if m.road} == {"lost": 1, "self": 2}


def test_parents_that_are_not_given_are_found_by_the_children() -> None:
    nodes = {name: {"message": say("user", name)} for name in "abc"}
    nodes["a"]["children"] = ["b", 7]  # type: ignore[assignment]
    nodes["b"]["children"] = ["c", "gone"]  # type: ignore[assignment]
    about = {"title": "T", "create_time": BEGAN, "current_node": "c"}
    [conversation] = read({"mapping": nodes} | about)
    assert [m.text for m in conversation.said()] == ["a", "b", "c"]


def test_the_key_does_not_change_with_a_new_name_or_more_messages() -> None:
    one = chain(say("user", "hi"), conversation_id=None)
    more = chain(say("user", "hi"), say("assistant", "Hello."), conversation_id=None, title="Renamed")
    other = chain(say("user", "hi"), conversation_id=None, create_time=BEGAN + 1)
    keys = [read(value)[0].key for value in (one, more, other)]
    assert keys[0] == keys[1] != keys[2]
    assert (keys[0] or "").startswith("chatgpt:made-")
    assert only(say("user", "hi"), conversation_id=None, id="old-1").key == "chatgpt:old-1"


def test_a_list_with_other_things_and_conversations_without_a_tree() -> None:
    found = read_source(
        json.dumps([7, chain(say("user", "hi")), {"title": "x", "current_node": None}, None]).encode()
    )
    assert [m.text for m in found[0].said()] == ["hi"]
    assert found[0].problems == (
        "an entry that is no conversation was left out (2 times)",
        "1 conversation without a message was left out: “x”: it holds no tree of messages",
    )


def test_one_conversation_by_itself_is_read() -> None:
    [conversation] = read_source(json.dumps(chain(say("user", "hi"))).encode(), filename="one.json")
    assert (conversation.format, brief(conversation)) == ("chatgpt", [("said", "user", "hi", None)])


def test_an_export_taken_again_is_known_or_grown() -> None:
    links: dict[str, str | None] = {"q": None, "a": "q", "b": "q", "q2": "b"}
    [first] = read(tree(links, "q2"))
    [same] = read(tree(links, "q2") | {"title": "Renamed"})
    [more] = read(tree(links | {"c": "q2", "edit": "b", "d": "edit"}, "c"))
    session = parse_session(render_session("2026-02-10-1", first), "x")
    known, grown = match(session, same), match(session, more)
    assert known is not None
    assert (known.state, known.entries) == (State.KNOWN, ())
    assert grown is not None
    added = [(e.message.kind.value, e.message.text, e.message.road) for e in grown.entries]
    assert (grown.state, added) == (
        State.GROWN,
        [("version", "edit", 2), ("version", "d", 2), ("said", "c", None)],
    )


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = ("author", "content", "metadata", "recipient", "channel", "create_time", "weight")
PLACES = ("mapping", "current_node", "title", "create_time", "conversation_id", "default_model_slug")
INNER = ("content_type", "parts", "thoughts", "text", "user_profile", "attachments", "content_references")


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_values_of_any_type_anywhere_are_borne(data: st.DataObject) -> None:
    broken = chain(say("user", "hi"), say("assistant", "x \ue200cite\ue201"), say("tool", "y"))
    nodes = broken["mapping"]
    assert isinstance(nodes, dict)
    for _ in range(data.draw(st.integers(1, 4))):
        node = nodes[data.draw(st.sampled_from(["n0", "n1", "n2"]))]
        where = data.draw(st.integers(0, 3))
        junk = data.draw(JUNK)
        if where == 0:
            node[data.draw(st.sampled_from(["parent", "children", "message", "id"]))] = junk
        elif where == 1 and isinstance(node["message"], dict):
            node["message"][data.draw(st.sampled_from(FIELDS))] = junk
        elif where == 2 and isinstance(node["message"], dict):
            for inner in (node["message"].get("content"), node["message"].get("metadata")):
                if isinstance(inner, dict):
                    inner[data.draw(st.sampled_from(INNER))] = junk
        else:
            broken[data.draw(st.sampled_from(PLACES))] = junk
    sound = chain(say("user", "sound"), conversation_id="c-2")
    found = read(broken, sound)
    assert found[-1].said()[0].text == "sound"


def test_plain_text_of_an_unknown_kind_is_read_and_its_kind_is_named() -> None:
    asked, answered = say("user", "hi"), say("assistant", "hello")
    answered["content"] = {"content_type": "canvas_note", "parts": ["hello"]}
    bare = say("user", "")
    bare["content"] = "and then?"
    chart = say("assistant", "")
    chart["content"] = {"content_type": "chart", "points": [1]}
    [found] = read_source(json.dumps([chain(asked, answered, bare, chart)]).encode())
    assert [m.text for m in found.said()] == ["hi", "hello", "and then?"]
    assert [m.text for m in found.messages if m.kind is Kind.TOOL] == ['{"points": [1]}']
    assert found.problems == (
        "a message of a kind reel does not know was read as text (“canvas_note”)",
        "a message's content of a form reel does not know was read as text (plain text)",
        "a message of a kind reel does not know was kept beside what was said (“chart”)",
    )
