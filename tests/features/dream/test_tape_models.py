"""Models that spoke on the tape: runs of sessions, whoever names them."""

from collections.abc import Mapping, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.tape.events_file import append_events
from reel_cli.core.tape.session_file import parse_session, render_session
from reel_cli.core.values.talk import Conversation, Event, Kind, Message, session_path
from reel_cli.features.dream.dream import Cursor, DreamState, Mode
from reel_cli.features.dream.waking.tape_models import (
    ModelSpan,
    NewModel,
    models_said,
    models_seen,
    new_model,
    newest_model,
    plain_model,
)
from tests.features.dream.test_dream_tape import Files

AT = "2026-03-01T20:00:00+00:00"


def answers(*models: str | None) -> list[Message]:
    """A question and an answer for each model."""
    return [
        message
        for model in models
        for message in (Message("user", "And you?"), Message("assistant", "I am here.", model=model))
    ]


def kit_of(
    talks: Mapping[str, Sequence[Message]], fronts: Mapping[str, str] | None = None, *events: Event
) -> Snapshot:
    """A kit with these sessions; `fronts` are the models that whole conversations name."""
    files = {
        session_path(session): render_session(
            session, Conversation("messages", messages, model=(fronts or {}).get(session))
        )
        for session, messages in talks.items()
    }
    files["kit.yaml"] = b"name: Ada\nuser: Bo\n"
    if events:
        files[EVENTS] = append_events(None, events, EVENTS)
    return Snapshot(Files(files), "ada")


def day(number: int) -> str:
    return f"2026-01-{number:02d}-1"


def test_neighbours_through_one_model_are_one_run_and_the_unknown_ends_none() -> None:
    snapshot = kit_of(
        {
            day(1): answers("opus-4"),
            day(2): answers(None),
            day(3): answers("Opus-4", "Opus-4"),
            day(4): answers("qwen3"),
            day(5): answers(None),
        }
    )
    assert models_seen(snapshot) == (
        ModelSpan("opus-4", day(1), day(3), 2),
        ModelSpan("qwen3", day(4), day(4), 1),
    )
    assert newest_model(models_seen(snapshot)) == "qwen3"
    assert models_seen(kit_of({day(1): answers(None)})) == ()
    assert newest_model(models_seen(kit_of({}))) == ""


def test_a_model_that_was_only_tried_is_no_change_and_one_that_stayed_is() -> None:
    tried = kit_of({day(1): answers("a", "a", "b", "a"), day(2): answers("a")})
    assert models_seen(tried) == (ModelSpan("a", day(1), day(2), 2),)
    stayed = kit_of({day(1): answers("a", "a", "a", "a", "b", "b", "b"), day(2): answers("b")})
    assert models_seen(stayed) == (ModelSpan("a", day(1), day(1), 1), ModelSpan("b", day(1), day(2), 2))


def test_what_answers_name_goes_before_what_was_learnt_later_and_that_before_the_front() -> None:
    snapshot = kit_of(
        {day(1): answers("said"), day(2): answers(None), day(3): answers(None), day(4): answers("gone")},
        {day(1): "front", day(2): "front", day(3): "front"},
        Event(0, "model", AT, "later", day(1)),
        Event(0, "model", AT, "earlier", day(3)),
        Event(0, "model", AT, "later", day(3)),
        Event(0, "retract", AT, "", day(4)),
    )
    assert [run.model for run in models_seen(snapshot)] == ["said", "front", "later"]


MODELS = st.one_of(st.none(), st.text(max_size=8), st.sampled_from(['"kind": "said", "model": "x"', "a-b->"]))
SAID = st.lists(
    st.builds(
        lambda role, text, kind, name, model: Message(role, text, kind, name, model=model),
        st.sampled_from(["user", "assistant"]),
        st.one_of(
            st.text(max_size=12), st.sampled_from(['"role": "assistant", "kind": "said", "model": "y"'])
        ),
        st.sampled_from([Kind.SAID, Kind.VERSION, Kind.REASONING]),
        MODELS,
        MODELS,
    ),
    max_size=6,
)


@settings(max_examples=100, deadline=None)
@given(SAID)
def test_looking_at_the_headers_comes_to_what_reading_all_does(messages: list[Message]) -> None:
    data = render_session(day(1), Conversation("text", messages))
    entries = parse_session(data, session_path(day(1))).entries
    wanted = [
        entry.message.model
        for entry in entries
        if entry.message.kind is Kind.SAID and entry.message.role == "assistant" and entry.message.model
    ]
    found, _ = models_said(data, session_path(day(1)))
    named = {" ".join("".join(c if c.isprintable() else " " for c in name).split()) for name in wanted}
    assert set(found) <= {name for name in named if name}
    assert bool(found) == any(named)


def test_a_model_is_new_where_no_session_that_was_dreamt_of_was_through_it() -> None:
    seen = tuple(
        ModelSpan(model, day(first), day(last), last - first + 1)
        for model, first, last in (
            ("a", 1, 2),
            ("b", 3, 3),
            ("a", 4, 4),
            ("c", 5, 5),
            ("b", 6, 6),
            ("c", 7, 9),
        )
    )

    def upto(number: int) -> Cursor:
        read = {day(n): ((1, 2),) for n in range(1, number + 1)}
        return Cursor(DreamState.DONE, Mode.FULL, "", 4096, read=read)

    assert new_model(seen, None) is None
    assert new_model(seen, upto(0)) is None
    assert new_model((), upto(3)) is None
    for number in (1, 2, 4):
        assert new_model(seen, upto(number)) == NewModel("c", "a", day(5), 4)
    assert new_model(seen, upto(5)) is None
    assert new_model(seen[:5], upto(2)) == NewModel("b", "a", day(3), 2)
    assert new_model(seen[:5], upto(4)) is None
    assert new_model(seen[1:], upto(2)) is None


def test_one_model_under_the_names_that_apps_have_for_it() -> None:
    for one, other in (
        ("claude-3.5-sonnet", "anthropic/Claude 3-5 Sonnet"),
        ("qwen3:32b", "Qwen3:32B"),
        ("llama3:latest", "llama3"),
        ("C:\\models\\Qwen2.5-7B-Instruct.gguf", "qwen2.5-7b-instruct"),
    ):
        assert plain_model(one) == plain_model(other)
    assert plain_model("qwen3:8b") != plain_model("qwen3:32b")
    assert plain_model("gpt-4o-2024-05-13") != plain_model("gpt-4o-2024-11-20")
    assert plain_model("--") == "--"
