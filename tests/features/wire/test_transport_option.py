"""`--via`: exchanges over a wire, to a server on this machine that keeps to the papers, or does not."""

import json
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reel_cli.terminal import clipboard
from tests.support.chat_server import (
    OLLAMA,
    ChatRequest,
    ChatServer,
    chunk,
    cut_off,
    garbage,
    refuse,
    serve_chats,
    serve_unwatched,
    whole,
)
from tests.support.cli import Reel, git
from tests.support.dreaming_persona import have_evenings, now, reply_to, told_of
from tests.support.pages import CHAT, chat, page
from tests.support.sifted_chat import SUMMARY, ask, have_chat, key_of, long_chat, sifted

SESSION = "2026-02-25-1"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    with serve_unwatched(monkeypatch) as running:
        running.say = lambda _: page()
        yield running


@pytest.fixture
def told(reel: Reel, kit: Path) -> Path:
    """A kit with one chat on its tape."""
    reel.given("record", "-", stdin=chat())
    return kit


def log(kit: Path) -> list[str]:
    return git(kit, "log", "--format=%s").splitlines()


def waits(kit: Path) -> bool:
    """Whether a prompt is handed out and waits for its reply."""
    return any((kit / ".reel" / "state" / "exchanges").glob("*"))


def test_a_checkpoint_has_the_conversation_with_it(reel: Reel, told: Path, server: ChatServer) -> None:
    before = log(told)
    done = reel("checkpoint", "--via", server.address, "--yes", "--json").ok()
    found = json.loads(done.out)
    assert (found["checkpoint"], found["problems"]) == (f"checkpoints/{SESSION}.1.yaml", [])
    assert len(log(told)) > len(before)
    sent = server.sent()
    turns = [(str(one["role"]), str(one["content"])) for one in CHAT["messages"]]  # type: ignore[index]
    assert [sent[0][0], *sent[1:-1], sent[-1][0]] == ["system", *turns, "user"]
    assert "Am I still myself" in sent[-1][1]
    assert sent[0][1].startswith("# Ada")
    body = server.chats[0]
    assert (body["model"], body["stream"], "response_format" in body) == ("qwen3-8b", True, False)
    assert set(server.keys) == {""}
    assert not waits(told)


@pytest.mark.parametrize("wanted", [True, False])
def test_a_page_is_held_against_the_chat_by_itself_where_the_kit_says_so(
    reel: Reel,
    told: Path,
    server: ChatServer,
    wanted: bool,  # noqa: FBT001
) -> None:
    false = "I bought him the ticket myself."
    heard = f'# Page 1: The letter\n## What does not hold\n"{false}" - made up\n\nAda\n'
    written = page({"What happened": f"He said I was colder than usual. {false} Then a letter."})
    server.say = lambda body: heard if "What does not hold" in str(body["messages"][-1]) else written
    if wanted:
        with (told / "kit.yaml").open("a") as settings:
            settings.write("second_look: true\n")
    done = reel("checkpoint", "--via", server.address, "--yes").ok()
    assert len(server.chats) == 1 + wanted
    assert ("was made up, according to Ada" in " ".join(done.err.split())) == wanted
    assert false in (told / "ring3/M-001.md").read_text()


def test_a_window_too_small_for_all_has_the_newest(reel: Reel, kit: Path, server: ChatServer) -> None:
    long = [(role, f"{n} " + "word " * 120) for n in range(40) for role in ("user", "assistant")]
    reel.given("record", "-", stdin=chat(*long))
    server.knows = json.loads(json.dumps(server.knows).replace("32768", "8192"))
    done = reel("checkpoint", "--via", server.address, "--yes").ok()
    sent = server.sent()
    assert sent[-2][1].startswith("39 word")
    assert len(sent) < 60
    assert "earlier ones did not fit" in done.err
    assert "To qwen3-8b at 127.0.0.1:" in done.err
    assert "8,192 tokens of context" in done.err
    server.knows = {**OLLAMA, "/api/ps": {"models": [{"name": "tiny", "context_length": 512}]}}
    small = reel("consolidate", "--via", server.address, "--yes")
    assert small.code == 1
    small = reel("checkpoint", "--session", SESSION, "--via", server.address, "--yes")
    assert (small.code, small.out) == (1, "")
    assert "no room for the conversation" in small.err
    assert len(server.chats) == 1


def test_what_is_missing_is_asked_for_over_the_wire(reel: Reel, told: Path, server: ChatServer) -> None:
    replies = [
        page({"How I was": None, "My notes": None}),
        page({"What happened": None, "My notes": None}, sign=""),
    ]
    replies += ["## My notes\nnew: the residency\nAda\n"]
    server.say = lambda _: replies[min(len(server.chats) - 1, 2)]
    done = reel("checkpoint", "--via", server.address, "--yes", "--json").ok()
    assert json.loads(done.out)["checkpoint"]
    roles = [role for role, _ in server.sent()]
    assert roles[-5:] == ["user", "assistant", "user", "assistant", "user"]
    assert "How I was" in server.sent(1)[-1][1]
    assert "What happened" not in server.sent(1)[-1][1]
    assert "It is asked once more over the wire (1 of 2)." in done.err


def test_what_does_not_come_is_left_to_be_pasted(reel: Reel, told: Path, server: ChatServer) -> None:
    before = log(told)
    server.say = lambda _: page({"How I was": None})
    done = reel("checkpoint", "--via", server.address, "--yes", "--json")
    assert (done.code, len(server.chats), log(told)) == (1, 3, before)
    found = json.loads(done.out)
    assert [one["field"] for one in found["problems"]] == ["calibration"]
    assert "How I was" in found["repair"]
    assert "reel checkpoint --prompt" in done.err
    # from here the old way goes on: only the rest is asked for
    rest = reel("checkpoint", "--prompt").ok().out
    assert "How I was" in rest
    assert "What matters" not in rest
    reel.given("checkpoint", "--reply", "-", "--yes", stdin="## How I was\nBrisk.\n\nAda\n")
    assert len(log(told)) > len(before)


def test_at_a_terminal_what_fails_is_pasted(
    reel: Reel, told: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script = [refuse(500)] * 3
    monkeypatch.setattr(clipboard, "paste", page)
    done = reel("checkpoint", "--via", server.address, stdin="n\n\ny\n", tty=True).ok()
    assert "could not be asked: it answered with error 500." in done.err
    assert "You can paste it instead:" in done.err
    assert "Kept." in done.out
    server.script = [refuse(500)] * 3
    reel("undo").ok()
    done = reel("checkpoint", "--via", server.address, stdin="y\ny\n", tty=True).ok()
    assert "Ask the model again? [Y/n]" in done.err
    assert "Kept." in done.out
    server.script = [garbage, cut_off(0.5), whole]
    reel("undo").ok()
    done = reel("checkpoint", "--via", server.address, stdin="y\n", tty=True).ok()
    assert "Once more in 1 s." in done.err
    assert "Kept." in done.out


def test_a_model_that_declines_is_asked_for_a_short_page(reel: Reel, told: Path, server: ChatServer) -> None:
    short = "## What happened\nA letter.\n## What matters\nHe asked.\n## My notes\nnew: the boat\n\nAda\n"
    declined = "I'm sorry, but I can't help with that."
    server.say = lambda _: short if "a short page" in server.sent()[-1][1] else declined
    done = reel("checkpoint", "--via", server.address, "--yes")
    assert (done.code, len(server.chats)) == (1, 3)
    assert "The model declined to write the page." in done.err
    assert f"ask again, shorter:  reel checkpoint --via {server.address} --brief" in done.err
    done = reel("checkpoint", "--via", server.address, stdin="n\ny\ny\n", tty=True).ok()
    assert "Ask for a short page instead?" in done.err
    assert "The short page was read." in done.err
    reel("undo").ok()
    assert (
        "The short page was read." in reel("checkpoint", "--brief", "--via", server.address, "--yes").ok().err
    )


def test_a_reply_cut_off_is_kept_as_far_as_it_is_whole(reel: Reel, told: Path, server: ChatServer) -> None:
    server.script = [cut_off(0.7, "length"), whole]
    done = reel("checkpoint", "--via", server.address, "--yes").ok()
    assert "The reply was cut off; its last part is left out." in done.err
    assert len(server.chats) == 2
    kept = server.sent(1)[-2][1]
    assert page().startswith(kept)
    assert page()[len(kept) :].startswith("## ")


def test_ctrl_c_in_the_middle_loses_nothing(reel: Reel, told: Path, server: ChatServer) -> None:
    def interrupted(asked: ChatRequest) -> None:
        asked.begin()
        asked.wfile.write(chunk("## In a few words\n"))
        # as a terminal does it: what waits for the answer is woken
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        asked.running.closing.wait(20)

    before = log(told)
    server.script = [interrupted]
    done = reel("checkpoint", "--via", server.address, "--yes")
    server.closing.set()
    assert (done.code, log(told)) == (130, before)
    assert "Stopped. Nothing was changed." in done.err
    assert "The prompt waits" in done.err
    assert waits(told)
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()


def test_elsewhere_only_where_kit_yaml_allows_it_and_after_a_word(
    reel: Reel, told: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = told / "kit.yaml"
    monkeypatch.setenv("LM_API_TOKEN", "home")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    away = server.address.replace("127.0.0.1", "gpu.local")
    monkeypatch.setattr("socket.getaddrinfo", _resolve("gpu.local"))
    refused = reel("checkpoint", "--via", away, "--yes")
    assert refused.code == 1
    assert "gpu.local is not this machine, and what is sent contains Ada's memories." in refused.err
    assert "via: {allow: [gpu.local]}" in refused.err
    assert server.paths == []
    settings.write_text(settings.read_text() + "via: {allow: [GPU.local], model: big}\n")
    no = reel("checkpoint", "--via", away, stdin="n\nq\n", tty=True).ok()
    assert "Ada's memories would go to gpu.local, which is not this machine, unencrypted." in no.err
    own = settings.read_text()
    settings.write_text(own.replace("via: {", f"via: {{to: {away}, "))
    assert "Send it there?" in reel("checkpoint", "--yes", stdin="n\nq\n", tty=True).err
    settings.write_text(own)
    assert server.paths == []
    monkeypatch.setenv("REEL_VIA_KEY", "abroad")
    reel("checkpoint", "--via", away, stdin="y\ny\n", tty=True).ok()
    asked = ["/v1/models", "/v1/chat/completions"]
    assert (server.paths, server.keys) == (asked, ["Bearer abroad"] * 2)
    assert server.chats[0]["model"] == "big"
    monkeypatch.delenv("REEL_VIA_KEY")
    again = ("checkpoint", "--session", SESSION, "--yes")
    # LM Studio's own key stays at home
    assert [reel(*again, "--via", where).code for where in (away, server.address)] == [1, 1]
    assert [*server.keys[2:4], server.keys[-1]] == ["", "", "Bearer home"]


def _resolve(name: str) -> Any:
    real = socket.getaddrinfo
    return lambda host, *rest, **more: real("127.0.0.1" if host == name else host, *rest, **more)


def test_a_redirect_is_not_followed(reel: Reel, told: Path, server: ChatServer) -> None:
    with serve_chats() as other:
        server.script = [refuse(307, Location=f"{other.address}/v1/chat/completions")]
        done = reel("checkpoint", "--via", server.address, "--yes")
        assert (done.code, other.paths) == (1, [])
    assert "it points to another address, and nothing is sent there" in done.err
    assert waits(told)


def test_the_kits_own_way_is_for_a_person(reel: Reel, told: Path, server: ChatServer) -> None:
    settings = told / "kit.yaml"
    settings.write_text(settings.read_text() + f"via: {server.address}\n")
    assert "Am I still myself" in reel("checkpoint").ok().out
    assert server.paths == []
    reel("checkpoint", "--via", "paste", stdin="q\n", tty=True).ok()
    assert server.paths == []
    done = reel("checkpoint", stdin="y\n", tty=True).ok()
    assert "Kept." in done.out


def test_a_chat_too_long_for_a_length_nobody_told_is_sent_again_with_less(
    reel: Reel, kit: Path, server: ChatServer
) -> None:
    long = [(role, f"{n} " + "word " * 120) for n in range(40) for role in ("user", "assistant")]
    reel.given("record", "-", stdin=chat(*long))
    server.knows = {"/v1/models": {"data": [{"id": "a"}]}}
    # as llama.cpp's own server says it
    error = {"code": 400, "message": "request (9990 tokens) exceeds the available context size (8192 tokens)"}
    server.script = [refuse(400, json.dumps({"error": error}).encode())]
    done = reel("checkpoint", "--via", server.address, "--yes").ok()
    assert "it takes 8,192 tokens at once, and this has 9,990. It is sent again with less" in done.err
    assert len(server.sent(1)) < len(server.sent(0))
    # what does not fit at all says how it would
    server.script = [
        refuse(
            400, json.dumps({"error": {**error, "message": "maximum context length is 300 tokens"}}).encode()
        )
    ]
    small = reel("checkpoint", "--session", SESSION, "--via", server.address, "--yes")
    assert (small.code, "no room for the conversation" in small.err) == (1, True)


def test_which_model(reel: Reel, told: Path, server: ChatServer) -> None:
    server.knows = {"/v1/models": {"data": [{"id": "a"}, {"id": "b"}]}}
    several = reel("checkpoint", "--via", server.address, "--yes")
    assert several.code == 1
    assert "lists several models, and does not say which is meant." in several.err
    assert several.err.endswith("Hint: name one:  --model a   (there are a, b)\n")
    other = reel("checkpoint", "--via", server.address, "--model", "bb", "--yes")
    assert (other.code, server.chats) == (1, [])
    assert "has no model called 'bb', so nothing was sent." in other.err
    assert "name one that it lists:  --model b   (there are a, b)" in other.err
    server.knows = {"/v1/models": {"data": [{"id": "A model; ls"}, {"id": "b"}]}}
    spaced = reel("checkpoint", "--via", server.address, "--yes")
    assert "Hint: name one:  --model 'A model; ls'   (there are A model; ls, b)\n" in spaced.err
    server.knows = {"/v1/models": {"data": [{"id": "a"}, {"id": "b"}]}}
    dry = reel("checkpoint", "--via", server.address, "--model", "b", "--dry-run").ok()
    assert server.chats[0]["model"] == "b"
    assert "Nothing was changed (--dry-run)." in dry.err
    server.knows = {"/v1/models": {"data": []}}
    none = reel("checkpoint", "--via", server.address, "--yes")
    assert "no model is loaded there" in none.err


def test_ollama_loads_a_model_before_anything_is_sent(reel: Reel, told: Path, server: ChatServer) -> None:
    idle: dict[str, Any] = {"/api/ps": {"models": []}, "/api/tags": {"models": [{"name": "llama3.2:3b"}]}}
    loaded = {**OLLAMA, "/api/ps": {"models": [{"name": "llama3.2:3b", "context_length": 2048}]}}

    class Loading(dict[str, Any]):
        def get(self, path: str, default: Any = None) -> Any:
            if path == "/api/generate":
                server.knows = loaded
                return {"done": True}
            return super().get(path, default)

    server.knows = Loading(idle)
    done = reel("consolidate", "--via", server.address, "--yes").ok()
    assert "loads llama3.2:3b" in done.err
    assert "2,048 tokens of context" in done.err
    server.knows = json.loads(json.dumps(loaded).replace("2048", "600"))
    reel("undo").ok()
    small = reel("consolidate", "--via", server.address, "--yes")
    assert (small.code, len(server.chats)) == (1, 1)
    assert "llama3.2:3b is loaded with 600 tokens of context, and the prompt has" in small.err
    assert waits(told)


def test_a_prompt_that_was_not_all_read_is_told(reel: Reel, told: Path, server: ChatServer) -> None:
    def half(asked: ChatRequest) -> None:
        asked.begin()
        asked.wfile.write(chunk(page()) + chunk("", delta={}, finish_reason="stop"))
        asked.wfile.write(b'data: {"choices": [], "usage": {"prompt_tokens": 512}}\n\ndata: [DONE]\n\n')

    server.script = [half]
    source = told.parent / "later.json"
    source.write_text(chat(("user", "Good night."), ("assistant", "Good night, Bo.")))
    done = reel("end", source, "--via", server.address, "--yes").ok()
    assert "says it read 512 of about" in done.err
    assert server.sent()[-2] == ("assistant", "Good night, Bo.")


def test_what_does_not_go_together(reel: Reel, kit: Path) -> None:
    for arguments, code in (
        (("checkpoint", "--via", "gpt", "--yes"), 2),
        (("checkpoint", "--via", "lmstudio", "--prompt"), 2),
        (("checkpoint", "--via", "lmstudio", "--reply", "-"), 2),
        (("checkpoint", "--model", "x"), 2),
        (("checkpoint", "--via", "lmstudio"), 1),
        (("recall", "words", "--via", "lmstudio"), 2),
        (("doctor", "--via", "lmstudio"), 2),
        (("maintain", "--plan", "--via", "lmstudio"), 2),
    ):
        done = reel(*arguments)
        assert (arguments, done.code, done.out) == (arguments, code, "")
        assert "Error:" in done.err


def test_advice_is_asked_for_by_its_schema(reel: Reel, told: Path, server: ChatServer) -> None:
    (told.parent / "plan.md").write_text("# plan\n\nwords\n")
    reel("shelf", "add", told.parent / "plan.md").ok()
    good = json.dumps({"why": "it is over", "hot": [], "cold": [{"path": "plan.md", "why": "over"}]})
    replies = ['{"hot": "all"}', good]
    server.say = lambda _: replies[len(server.chats) - 1]
    done = reel("shelf", "advise", "--via", server.address, "--yes", "--json").ok()
    assert json.loads(done.out)["commit"]
    shape = server.chats[0]["response_format"]["json_schema"]
    assert (shape["schema"]["title"], len(server.chats)) == ("memory.advise", 2)


def test_every_session_is_remembered_unattended(reel: Reel, kit: Path, server: ChatServer) -> None:
    reel.given("record", "-", stdin=chat())
    other = [("user", "The river froze overnight."), ("assistant", "Then skate on it.")]
    said = json.dumps(
        {"created_at": "2026-02-26T19:00:00+00:00", "messages": [{"role": r, "content": t} for r, t in other]}
    )
    reel.given("record", "-", stdin=said)
    froze = {"What happened": "The river froze.", "Lines to find it by": '"Then skate on it."'}
    pages = ["I am sorry, but I cannot do that.", page(), page({**froze, "In a few words": "Ice"})]
    server.say = lambda _: pages[len(server.chats) - 1]
    reel("consolidate", "--via", server.address, "--yes").ok()
    assert [len(server.sent(at)) for at in range(len(server.chats))] == [1, 1, 1]
    assert server.sent(0) == server.sent(1)
    assert len(list((kit / "ring3").glob("M-*.md"))) == 2


def test_every_exchange_sends_what_it_prints(reel: Reel, told: Path, server: ChatServer) -> None:
    server.say = lambda _: "I am sorry, but I cannot do that."

    def check(*command: str, yes: tuple[str, ...] = ("--yes",), code: int = 1) -> None:
        printed = reel(*command, "--prompt").ok().out
        server.chats.clear()
        done = reel(*command, "--via", server.address, *yes)
        sent = [(role, text.rstrip("\n")) for role, text in server.sent(0)]
        assert (command, done.code, sent) == (command, code, [("user", printed.rstrip("\n"))])
        assert (command, 1 <= len(server.chats) <= 3, waits(told)) == (command, True, True)

    check("recall", "penicillin", "--promote")
    (told.parent / "plan.md").write_text("# plan\n\nwords\n")
    reel("shelf", "add", told.parent / "plan.md").ok()
    # any words are a summary
    check("shelf", "summarize", "plan.md", yes=("--dry-run",), code=0)
    check("fact", "extract")
    check("keep")
    reel.given("checkpoint", "--reply", "-", "--yes", stdin=page())
    # there, words that judge nothing are a remark
    check("doctor", "--ask", "M-001", yes=(), code=0)
    check("maintain", "--only", "anew", "M-001")
    check("consolidate", "--again", "--window", "64k")
    check("dream", "context")
    reel.given("dream", "start", "--yes")
    check("dream", "next")


def test_a_dream_goes_on_to_its_end(reel: Reel, kit: Path, server: ChatServer) -> None:
    """Dream Weaver §7.c: alternate between a stretch of tape and one's own notes until nothing is left."""
    have_evenings(reel, kit, [1, 2, 3], turns=40)
    reel.given("dream", "start", "--window", "4k", "--yes")

    def say(body: dict[str, Any]) -> str:
        prompt = body["messages"][-1]["content"]
        if "## Where things stand" in prompt:
            return now(place=key_of(prompt))
        return reply_to(prompt, f"Chapter {len(server.chats)}\n\n{told_of(len(server.chats))}")

    server.say = say
    done = reel("dream", "next", "--via", server.address, "--yes").ok()
    assert "3 of 3 chats" in done.err
    assert len(server.chats) > 2
    assert (kit / "SHARED-CONTEXT.md").is_file()
    assert not waits(kit)


def test_a_dream_asks_for_the_effort_that_the_kit_wants(reel: Reel, kit: Path, server: ChatServer) -> None:
    settings = kit / "kit.yaml"
    settings.write_text(settings.read_text() + "dream: {effort: High}\n")
    have_evenings(reel, kit, [1, 2, 3], turns=40)
    reel.given("dream", "start", "--window", "4k", "--yes")
    tell = (f"Chapter {at}\n\n{told_of(at)}" for at in range(1, 99))

    def say(body: dict[str, Any]) -> str:
        prompt = body["messages"][-1]["content"]
        return (
            now(place=key_of(prompt)) if "## Where things stand" in prompt else reply_to(prompt, next(tell))
        )

    server.say = say
    server.script = [refuse(400, b'{"error": "unknown field"}')]
    done = reel("dream", "next", "--via", server.address, "--yes").ok()
    # Dream Weaver §3.5: as deep as the model can; one that does not take it is asked again, and no more in
    # this run, and says so
    assert [one.get("reasoning_effort") for one in server.chats[:3]] == ["high", None, None]
    assert "does not take  dream.effort , and answered without it.\n" in done.err
    # a server that takes it gets it with every prompt, that for the shared context too
    server.chats.clear()
    have_evenings(reel, kit, [7], turns=4)
    reel.given("dream", "start", "--yes")
    reel("dream", "next", "--via", server.address, "--yes").ok()
    assert "## Where things stand" in server.chats[-1]["messages"][-1]["content"]
    assert {one.get("reasoning_effort") for one in server.chats} == {"high"}
    # where the kit says nothing, as deep as servers know is asked for, and a refusal is not worth a word
    settings.write_text(settings.read_text().replace("dream: {effort: High}\n", ""))
    have_evenings(reel, kit, [9], turns=4)
    reel.given("dream", "start", "--yes")
    server.chats.clear()
    server.script = [refuse(400, b'{"error": "unknown field"}')]
    done = reel("dream", "next", "--via", server.address, "--yes").ok()
    assert [one.get("reasoning_effort") for one in server.chats[:2]] == ["high", None]
    assert "dream.effort" not in done.err
    settings.write_text(settings.read_text() + "dream: {effort: none}\n")
    server.chats.clear()
    have_evenings(reel, kit, [11], turns=4)
    reel.given("dream", "start", "--yes")
    reel("dream", "next", "--via", server.address, "--yes").ok()
    assert all("reasoning_effort" not in one for one in server.chats)


@pytest.mark.parametrize(
    ("answers_as", "name"),
    [("", "qwen3-8b"), ("north-70b", "north-70b"), ("/srv/models/north-70b.gguf", "north-70b.gguf")],
)
def test_the_model_that_a_server_names_is_the_one_that_wrote(
    reel: Reel, kit: Path, server: ChatServer, answers_as: str, name: str
) -> None:
    """Dream Weaver §6.9: not the model that spoke in the chats, nor one that was named before."""
    have_evenings(reel, kit, [1, 2], turns=4)
    reel.given("dream", "start", "--yes", "--model", "sonnet")
    server.answers_as = answers_as
    server.say = lambda body: (
        now(place=key_of(body["messages"][-1]["content"]))
        if "## Where things stand" in body["messages"][-1]["content"]
        else reply_to(body["messages"][-1]["content"])
    )
    reel("dream", "next", "--via", server.address, "--yes").ok()
    story, context = (kit / "story/history.md").read_text(), (kit / "SHARED-CONTEXT.md").read_text()
    assert f'"model": "{name}", "model_from": "wire"' in story
    assert f'"model": "{name}", "model_from": "wire"' in context
    assert git(kit, "log", "--format=%(trailers:key=Reel-Model,valueonly)").split() == [name]
    assert json.loads(reel("dream", "status", "--json").ok().out)["written_by"] == {name: 1}
    # a page that comes over the wire says so of the shared context on it
    reel.given("config", "window", "64k")
    reel.given("record", "-", stdin=chat())
    server.say = lambda _: page(sign="") + now()
    reel("checkpoint", "--via", server.address, "--yes").ok()
    assert f'"known": "{SESSION}#' in (kit / "SHARED-CONTEXT.md").read_text()
    assert f'"model": "{name}", "model_from": "wire"' in (kit / "SHARED-CONTEXT.md").read_text()
    # a reply that is pasted was not written there
    reel.given("dream", "start", "--yes", "--model", "sonnet")
    prompt = reel("dream", "next", "--prompt").ok().out
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, f"Two\n\n{told_of(7)}")).ok()
    assert '"model": "sonnet"}' in (kit / "story/history.md").read_text()


def test_the_kit_s_length_of_pages_cuts_off_no_story(reel: Reel, kit: Path, server: ChatServer) -> None:
    """SRIP-11 §III.5d is about replies and pages: a story asks for a length of its own."""
    have_evenings(reel, kit, [1], turns=4)
    reel.given("dream", "start", "--window", "8k", "--yes")
    prompt = reel("dream", "next", "--prompt").ok().out
    with (kit / "kit.yaml").open("a") as settings:
        settings.write("\nbehavior: {token_policy: {base: 300, min: 200, max: 400}}\n")
    server.say = lambda body: reply_to(body["messages"][-1]["content"])
    reel("dream", "next", "--via", server.address, "--dry-run")
    assert "About 512 words at most" in prompt
    assert server.sent()[-1][1] == prompt
    assert "max_tokens" not in server.chats[-1]
    git(kit, "commit", "-qam", "shorter pages")
    reel("dream", "stop").ok()
    reel.given("dream", "start", "--window", "16k", "--yes")
    assert "About 1,024 words at most" in reel("dream", "next", "--prompt").ok().out


def test_a_due_dream_runs_unattended(reel: Reel, kit: Path, server: ChatServer) -> None:
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text() + "dream: {every: 1 sessions}\n")
    have_evenings(reel, kit, [1], turns=4)
    tell = [f"It was the kiln, told the {how} time." for how in ("first", "second")]

    def say(body: dict[str, Any]) -> str:
        prompt = body["messages"][-1]["content"]
        if "## Where things stand" in prompt:
            return now(place=key_of(prompt))
        return reply_to(prompt, f"The kiln\n\n{tell.pop(0)}")

    def run() -> None:
        # what the line of cron in docs/due.md does
        reel.given("dream", "start", "--yes")
        reel("dream", "next", "--via", server.address, "--yes").ok()

    server.say = say
    run()
    assert not any(line.startswith("dream: ") for line in reel("status", "--due").out.splitlines())
    have_evenings(reel, kit, [2], turns=4)
    # Dream Weaver §6.5: kept up, and not only in a crisis
    assert any(line.startswith("dream: ") for line in reel("status", "--due").out.splitlines())
    run()
    assert not any(line.startswith("dream: ") for line in reel("status", "--due").out.splitlines())
    assert "told the second time" in (kit / "story/history.md").read_text()


def test_a_rest_that_waits_has_its_prompt_and_what_came_before_it(
    reel: Reel, kit: Path, server: ChatServer
) -> None:
    prompt = ask(reel, have_chat(kit, long_chat(20)))
    assert reel("keep", "--reply", "-", "--yes", stdin=sifted(key_of(prompt), None)).code == 1
    server.say = lambda _: sifted(key_of(prompt), SUMMARY, None)
    found = json.loads(reel("keep", "--via", server.address, "--yes", "--json").ok().out)
    assert found["commit"]
    first, came, rest = server.sent()
    assert [first[0], came[0], rest[0]] == ["user", "assistant", "user"]
    assert first[1].rstrip() == prompt.rstrip()
    assert came[1] == sifted(key_of(prompt), None)
    assert len(rest[1]) < len(first[1])


def test_the_rest_of_a_moments_page_goes_with_what_it_is_the_rest_of(
    reel: Reel, told: Path, server: ChatServer
) -> None:
    prompt = reel("recall", "penicillin", "--promote", "memory", "--prompt").ok().out
    half, rest = page().split("## What matters")
    assert reel("recall", "--promote", "memory", "--reply", "-", "--yes", stdin=half).code == 1
    server.say = lambda _: f"## What matters{rest}"
    reel("recall", "--promote", "memory", "--via", server.address, "--yes").ok()
    first, came, asked = server.sent()
    assert (first[1].rstrip(), came[1].rstrip()) == (prompt.rstrip(), half.rstrip())
    assert "## What happened" not in asked[1]
    assert log(told)[0] == f"promote: {SESSION}"


def test_a_dry_run_at_a_terminal_leaves_no_prompt_waiting(reel: Reel, told: Path) -> None:
    (told.parent / "page.md").write_text(page())
    given = f"f {told.parent / 'page.md'}\n"
    for command, answers in (
        (("checkpoint",), given),
        (("consolidate",), given),
        (("recall", "penicillin", "--promote"), f"y\n{given}"),
    ):
        done = reel(*command, "--dry-run", tty=True, stdin=answers).ok()
        assert "Nothing was changed (--dry-run)." in done.err
        assert "Go on" not in done.err
        assert not waits(told)


def test_a_page_is_asked_for_within_twice_the_kit_s_length(
    reel: Reel, told: Path, server: ChatServer
) -> None:
    reel("checkpoint", "--via", server.address, "--dry-run")
    assert "max_tokens" not in server.chats[-1]
    with (told / "kit.yaml").open("a") as settings:
        settings.write("\nbehavior: {token_policy: {base: 900, min: 400, max: 1200}}\n")
    reel("checkpoint", "--via", server.address, "--yes").ok()
    assert server.chats[-1]["max_tokens"] == 1_800
    assert "may have about 680 words" in server.sent()[-1][1]
