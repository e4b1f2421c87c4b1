"""A chat over the wire: whatever the server does, a whole reply or a plain reason comes of it."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reel_cli.core.errors import UsageError
from reel_cli.features.wire import connection
from reel_cli.features.wire.address import parse_address
from reel_cli.features.wire.chat import Listener, ReplyForm, ReplyProgress, Server, whole_parts
from reel_cli.features.wire.connection import MOST_BYTES, Patience, told_why
from reel_cli.features.wire.server_models import LoadedModel, ServerModels, look
from reel_cli.features.wire.wire_error import WireError, find_too_long
from tests.support.chat_server import (
    KOBOLDCPP,
    LITELLM,
    LLAMA_ROUTER,
    LMSTUDIO_V0,
    OLLAMA,
    OPENAI,
    TABBY,
    VLLM,
    ChatRequest,
    ChatServer,
    chunk,
    cut_off,
    drip,
    garbage,
    refuse,
    serve_chats,
    unstreamed,
    whole,
)

TEXT = "## One\nfirst words\n\n## Two\nmore words\n" * 20


@pytest.fixture(scope="module")
def running() -> Iterator[ChatServer]:
    with serve_chats() as server:
        server.say = lambda _: TEXT
        yield server


PLAIN = ReplyForm()


class Ear:
    """Notes what is told meanwhile, and how long was waited."""

    def __init__(self) -> None:
        self.told: list[ReplyProgress] = []
        self.again: list[tuple[str, float]] = []
        self.slept: list[float] = []
        self.now = 0.0

    def clock(self) -> float:
        self.now += 1
        return self.now

    def ask(self, server: ChatServer, form: ReplyForm = PLAIN) -> tuple[str, bool]:
        server.chats.clear()
        patience = Patience(first=20, idle=20, whole=600, sleep=self.slept.append, clock=self.clock)
        listener = Listener(self.told.append, lambda why, wait: self.again.append((why, wait)))
        found = Server(parse_address(server.address), "qwen3-8b", "secret", patience).reply(
            [{"role": "user", "content": "say it"}], listener, form
        )
        return found.text, found.cut


def test_a_reply_is_streamed_or_not_and_its_thoughts_are_none_of_it(running: ChatServer) -> None:
    """Dream Weaver §3.5: think as deeply as the model can."""
    ear = Ear()
    assert ear.ask(running) == (TEXT, False)
    assert ear.told[0] == ReplyProgress(0, 3)
    assert ear.told[-1].said == len(TEXT)
    assert running.keys[-1] == "Bearer secret"
    assert running.chats[0]["stream"] is True
    running.script = [unstreamed]
    assert Ear().ask(running) == (TEXT, False)


def test_what_passes_is_tried_again(running: ChatServer) -> None:
    ear = Ear()
    running.script = [
        refuse(429, Retry_After="7"),
        refuse(500, b'{"error": {"message": "out of\\u001b[1m luck."}}'),
    ]
    assert ear.ask(running) == (TEXT, False)
    assert ear.slept == [7, 4]
    assert ear.again == [
        ("it answered with error 429", 7),
        ("it answered with error 500: out of [1m luck", 4),
    ]
    ear = Ear()
    running.script = [garbage, cut_off(0.4)]
    assert ear.ask(running) == (TEXT, False)
    assert [why for why, _ in ear.again] == ["its answer is not JSON", "its answer broke off"]


def test_what_breaks_off_each_time_is_given_as_far_as_it_came(running: ChatServer) -> None:
    running.script = [cut_off(0.2), cut_off(0.6), cut_off(0.1)]
    assert Ear().ask(running) == (TEXT[: int(len(TEXT) * 0.6)], True)
    running.script = [cut_off(0.5, "length")]
    assert Ear().ask(running) == (TEXT[: len(TEXT) // 2], True)


def flood(asked: ChatRequest) -> None:
    """More words than any answer has."""
    asked.begin()
    for _ in range(MOST_BYTES // 400_000 + 2):
        asked.wfile.write(chunk("word " * 80_000))


def a_line_without_end(asked: ChatRequest) -> None:
    asked.begin()
    asked.wfile.write(chunk("So far. ") + b"data: " + b"x" * 2_500_000)


def test_an_answer_that_is_far_too_long_is_not_asked_for_again(running: ChatServer) -> None:
    ear = Ear()
    running.script = [flood, flood, flood]
    text, cut = ear.ask(running)
    assert (text[:10], cut, len(running.chats), ear.again) == ("word word ", True, 1, [])
    running.script = [a_line_without_end]
    assert ear.ask(running) == ("So far. ", True)
    assert (len(running.chats), ear.again) == (1, [])
    running.script = []


def json_like(*keys: str) -> st.SearchStrategy[object]:
    """Any JSON, with these keys oftener than others."""
    leaves = st.text(max_size=5) | st.integers() | st.booleans() | st.none()
    return st.recursive(
        leaves,
        lambda v: st.lists(v, max_size=3) | st.dictionaries(st.sampled_from(keys), v, max_size=3),
        max_leaves=12,
    )


def error_event(asked: ChatRequest) -> None:
    asked.begin()
    asked.wfile.write(b'event: error\ndata: {"error": {"message": "Model unloaded."}}\n\n')


def endless_line(asked: ChatRequest) -> None:
    asked.begin()
    for _ in range((MOST_BYTES >> 16) + 1):
        asked.wfile.write(b"x" * (1 << 16))


def no_http(asked: ChatRequest) -> None:
    asked.wfile.write(b"SSH-2.0-OpenSSH_9.6\r\n")


def thinks_only(asked: ChatRequest) -> None:
    asked.begin()
    asked.wfile.write(
        chunk("", delta={"reasoning_content": "Hm."}) + chunk("", delta={}, finish_reason="length")
    )


@pytest.mark.parametrize(
    ("fault", "why", "tries"),
    [
        (
            refuse(429, Retry_After="3600"),
            "it answered with error 429; it asks to wait 3600 s",
            1,
        ),
        (refuse(500), "it answered with error 500", 3),
        (refuse(404, b'{"error": "model not found"}'), "it answered with error 404: model not found", 1),
        (refuse(401), "it needs another key", 1),
        (
            refuse(302, Location="http://127.0.0.1:9/v1"),
            "it points to another address, and nothing is sent there",
            1,
        ),
        (garbage, "its answer is not JSON", 3),
        (refuse(200, b"<html>"), "its answer is not JSON", 3),
        (refuse(200, b'{"choices": []}'), "its answer is not a reply", 3),
        (refuse(200, b"[" * 100_000), "its answer is not JSON", 3),
        (error_event, "it broke off with an error: Model unloaded", 3),
        (endless_line, "what it sends is not a stream of text", 1),
        (no_http, "its answer broke off or is not HTTP", 3),
        (thinks_only, "its answer is empty: all of it was thinking", 1),
        (refuse(200, b"", kind="text/event-stream"), "its answer broke off", 4),
    ],
)  # fmt: skip
def test_what_does_not_pass_is_a_plain_reason(
    running: ChatServer, fault: object, why: str, tries: int
) -> None:
    running.script = [fault] * tries  # type: ignore[list-item]
    with pytest.raises(WireError) as told:
        Ear().ask(running)
    assert (told.value.why, len(running.chats), running.script) == (why, tries, [])


def test_a_stream_that_never_ends_is_left(running: ChatServer) -> None:
    running.script = [drip, whole]
    assert Ear().ask(running)[0] == TEXT


def endless_head(asked: ChatRequest) -> None:
    asked.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not asked.running.closing.is_set():
        asked.wfile.write(b"X-Wait: ")
        asked.running.closing.wait(0.01)


def endless_trailer(asked: ChatRequest) -> None:
    asked.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n")
    while not asked.running.closing.is_set():
        asked.wfile.write(b"X-Wait: yes\r\n")


def endless_continue(asked: ChatRequest) -> None:
    while not asked.running.closing.is_set():
        asked.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")


@pytest.mark.parametrize("fault", [endless_head, endless_trailer, endless_continue])
def test_a_server_that_only_ever_says_it_is_coming_is_hung_up_on(running: ChatServer, fault: object) -> None:
    running.script = [fault]  # type: ignore[list-item]
    with (
        pytest.raises(WireError) as told,
        connection.ask(
            parse_address(running.address), "/v1/chat/completions", {}, "", Patience(whole=0.3)
        ) as incoming,
    ):
        incoming.whole()
    assert told.value.why == "its answer took longer than 0.3 s"


def test_half_a_character_of_a_thought_is_a_mark(running: ChatServer) -> None:
    def halves(asked: ChatRequest) -> None:
        asked.begin()
        asked.wfile.write(chunk("", delta={"reasoning_content": "Hm\ud800"}) + chunk("a\udfffb"))
        asked.wfile.write(chunk("", finish_reason="stop"))

    running.script = [halves]
    server = Server(parse_address(running.address), "qwen3-8b")
    found = server.reply([{"role": "user", "content": "say it"}], Listener(lambda _: None, lambda *_: None))
    assert (found.text, found.thought) == ("a\ufffdb", "Hm\ufffd")


def test_a_server_without_structured_output_is_asked_without(running: ChatServer) -> None:
    running.script = [refuse(400, b'{"error": "response_format is not supported"}')]
    assert Ear().ask(running, ReplyForm({"type": "object"})) == (TEXT, False)
    first, second = running.chats
    assert first["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert "response_format" not in second


def test_a_server_that_takes_no_effort_is_asked_without(running: ChatServer) -> None:
    assert Ear().ask(running, ReplyForm(effort="high")) == (TEXT, False)
    assert [one.get("reasoning_effort") for one in running.chats] == ["high"]
    running.script = [refuse(422, b'{"error": "unknown field reasoning_effort"}')]
    assert Ear().ask(running, ReplyForm({"type": "object"}, "high")) == (TEXT, False)
    first, second = running.chats
    assert (first["reasoning_effort"], "reasoning_effort" in second) == ("high", False)
    # what a reply looks like is asked for all the same
    assert "response_format" in second


def test_nobody_there() -> None:
    with serve_chats() as gone:
        pass
    with pytest.raises(WireError, match="nothing answers at http://"):
        Ear().ask(gone)


@given(st.text(alphabet="#ab \n", max_size=40))
def test_of_a_reply_cut_off_what_is_left_ends_before_a_heading_or_at_a_lines_end(text: str) -> None:
    left = whole_parts(text)
    assert text.startswith(left)
    assert left == "" or left.endswith("\n")


@given(json_like("error", "message", "x"))
def test_a_servers_own_words_are_one_short_line(value: object) -> None:
    told = told_why({"error": value})
    assert len(told) <= 202
    assert told.isprintable()


def test_what_each_app_has_loaded_with_the_length_it_is_loaded_with(running: ChatServer) -> None:
    address = parse_address(running.address)
    qwen = LoadedModel("LM Studio", "qwen3-8b", 32768, 131072)
    assert look(address) == ServerModels("LM Studio", [qwen], ["gemma-3-4b", "qwen3-8b"])
    running.knows = LMSTUDIO_V0
    assert look(address).loaded == [LoadedModel("LM Studio", "qwen3-8b", 16384, 40960)]
    running.knows = OLLAMA
    assert look(address) == ServerModels(
        "Ollama", [LoadedModel("Ollama", "llama3.2:3b", 4096, 131072)], ["llama3.2:3b", "qwen3:8b"]
    )
    older = {"/api/ps": {"models": [{"name": "llama3.2:3b"}]}, "/api/show": OLLAMA["/api/show"]}
    running.knows = older
    assert look(address).loaded == [LoadedModel("Ollama", "llama3.2:3b", 8192, 131072)]
    running.knows = KOBOLDCPP
    assert look(address).loaded == [LoadedModel("KoboldCpp", "koboldcpp/Mistral-7B.Q4_K_M", 12288)]
    running.knows = {"/props": {"default_generation_settings": {"n_ctx": 4096}, "model_path": "/m/a.gguf"}}
    assert look(address).loaded == [LoadedModel("llama.cpp", "a.gguf", 4096)]
    running.knows = {
        "/v1/models": {"data": [{"id": "one"}, {"id": "text-embedding-x"}, {"id": "\x1b[1m"}, 7]}
    }
    assert look(address) == ServerModels("", [], ["one"])


@pytest.mark.parametrize(
    ("told", "loaded"),
    [
        (OPENAI, []),
        (LITELLM, []),
        (VLLM, [LoadedModel("vLLM", "qwen3-8b", 16384)]),
        (TABBY, [LoadedModel("TabbyAPI", "qwen3-8b-exl3", 24576)]),
        (LLAMA_ROUTER, [LoadedModel("llama.cpp", "qwen3-8b", 8192)]),
    ],
)
def test_a_list_of_models_that_says_little_of_them(
    running: ChatServer, told: dict[str, Any], loaded: list[LoadedModel]
) -> None:
    running.knows = told
    found = look(parse_address(running.address))
    assert found.loaded == loaded
    assert found.there == [one["id"] for one in told["/v1/models"]["data"] if "embed" not in one["id"]]


@pytest.mark.parametrize(
    ("told", "limit", "size"),
    [
        # lmstudio-ai/lmstudio-bug-tracker, issues 546 and 1251
        (
            (
                "Trying to keep the first 111490 tokens when context the overflows. However, the model is "
                "loaded with context length of only 32768 tokens, which is not enough."
            ),
            32768,
            111490,
        ),
        ("Reached context length of 4096 tokens with model (arch: qwen3vlmoe) that does not", 4096, 0),
        # llama.cpp, tools/server/server-context.cpp
        (
            "request (9990 tokens) exceeds the available context size (8192 tokens), try increasing",
            8192,
            9990,
        ),
        # vllm-project/vllm, issue 20409; acheong08/ChatGPT, issue 501
        (
            (
                "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens "
                "(112946 in the messages, 10000 in the completion)."
            ),
            16384,
            122946,
        ),
        ("This model's maximum context length is 4097 tokens, however you requested 4116 tokens", 4097, 4116),
        # SillyTavern/SillyTavern, issue 3543, of TabbyAPI; CherryHQ/cherry-studio, issue 4942
        ("ValueError: Request length 71599 + 2048 is greater than max_seq_len 65536", 65536, 71599),
        ("length of prompt_tokens (189152) must be less than max_seq_len (65536).", 65536, 189152),
        ("maximum context length is 9999999999999 tokens", 0, 0),
        ("maximum context length is reached", 0, 0),
        ("Invalid API key", 0, 0),
    ],
)
def test_the_numbers_in_what_servers_say_of_a_chat_too_long(told: str, limit: int, size: int) -> None:
    found = find_too_long(told)
    assert (found and (found.limit, found.size)) == ((limit, size) if limit else None)


@given(json_like("models", "key", "loaded_instances", "config", "context_length", "id", "data", "value"))
def test_nothing_a_server_says_breaks_the_look(value: object) -> None:
    from reel_cli.features.wire import server_models

    class Canned(server_models._ServerProbe):
        def __init__(self) -> None:
            pass

        def get(self, path: str, body: object = None) -> dict[str, object]:  # noqa: ARG002
            return value if isinstance(value, dict) else {}

    for _, find in server_models._WAYS:
        found = find(Canned())
        assert found is None or all(one.model and one.context >= 0 for one in found.loaded)


@pytest.mark.parametrize(
    ("text", "host", "port", "path"),
    [
        ("lmstudio", "127.0.0.1", 1234, "/v1"),
        ("Ollama", "127.0.0.1", 11434, "/v1"),
        ("http://localhost:8080", "localhost", 8080, "/v1"),
        ("https://GPU.local/llm/v1/", "gpu.local", 443, "/llm/v1"),
        ("http://[::1]:5001/v1", "::1", 5001, "/v1"),
    ],
)
def test_an_address(text: str, host: str, port: int, path: str) -> None:
    found = parse_address(text)
    assert (found.host, found.port, found.path) == (host, port, path)


@pytest.mark.parametrize(
    "text",
    ["", "gpt", "ftp://localhost", "http://ada:secret@localhost/v1", "http://localhost/v1?x=1", "http://...",
     "http://localhost:99999", "http://localhost:0", "http://lo\ncal", "http://", "file:///etc/passwd",
     "http://[::::1]:80/x", "http://[:1]"],
)  # fmt: skip
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(UsageError):
        parse_address(text)
