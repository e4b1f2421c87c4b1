"""llama.cpp's server with a model of random weights: finding it, counting, chatting, and too long a chat."""

import json
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from clients.check import Check, Report
from clients.kit import Kit
from clients.random_model import LONGEST, write_model
from clients.workshop import Program

CONTEXT = 24_576
PACKAGE = "xllamacpp"
TEXTS = (
    "Hello Hello the 123 and 4567 abc\n\n    ing's",
    "  two spaces, a\ttab, and é的 — 🙂",
    "<|end|> and </s> and <think> are words here",
    "The rope was still wet from the tide, I think.\n" * 40,
)


@contextmanager
def serve_model(program: Program, model: Path, context: int = CONTEXT) -> Iterator[str]:
    """Serve a model while the block lasts; yields the server's address."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    script = Path(__file__).with_name("llamacpp_server.py")
    command = (program.python, "-P", script, model, str(context), str(port))
    with program.start(*command, ready=lambda: answers(f"{address}/health")):
        yield address


def free_port() -> int:
    """Return a port of this machine at which nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def answers(address: str) -> bool:
    """Return whether a server answers at an address that all is well."""
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:  # noqa: S310 (this machine's own)
            return bool(answer.status == 200)
    except OSError:
        return False


def post(address: str, body: dict[str, Any]) -> dict[str, Any]:
    """Return a server's answer to a question, an error's too."""
    kind = {"Content-Type": "application/json"}
    request = urllib.request.Request(address, json.dumps(body).encode(), kind)  # noqa: S310 (this machine's own)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
            found = json.load(answer)
    except urllib.error.HTTPError as error:
        found = {"status": error.code, **json.loads(error.read())}
    assert isinstance(found, dict)
    return found


def check_llamacpp(program: Program, report: Report) -> None:
    """Detect, count, chat, and overfill."""
    kit = Kit(program.home / "kit")
    model = write_model(program.home / "random.gguf")
    with serve_model(program, model) as address:
        via = f"{address}/v1"
        [server] = json.loads(kit.reel("model", "detect", via, "--json").out)["servers"]
        loaded = server["loaded"][0]
        report.same("`reel model detect` says which model is loaded", loaded["model"], model.name)
        report.same("and with how many tokens, not what it was made for", loaded["context"], CONTEXT)
        assert LONGEST > CONTEXT
        report.same(
            "`reel model set` counts by its file", kit.reel("model", "set", "--tokenizer", model).code, 0
        )
        counted = {
            text: len(post(f"{address}/tokenize", {"content": text, "parse_special": False})["tokens"])
            for text in TEXTS
        }
        ours = {text: count_tokens(kit, text) for text in TEXTS}
        report.same(f"{len(TEXTS)} texts have as many tokens for reel as for the server", ours, counted)
        before = kit.sessions()
        wide = kit.reel("chat", "--via", via, said="Good evening.\n")
        report.show(
            "a kit packed for more than is loaded is refused, with both numbers and the command",
            wide.code and "24,576" in wide.err and "reel config window 24576" in wide.err,
            wide.err,
        )
        done = kit.reel("model", "detect", via, "--set", "--yes")
        report.show(
            "`reel model detect --set` packs for what is loaded",
            done.code == 0 and "24,576" in done.out,
            done.out + done.err,
        )
        unknown = kit.reel("chat", "--via", via, "--model", "nobody", said="Good evening.\n")
        report.show(
            "a model that it does not list is refused, with one that it does",
            unknown.code and "'nobody'" in unknown.err and f"--model {model.name}" in unknown.err,
            unknown.err,
        )
        report.same("and no session is left by any of these", kit.sessions(), before)
        check_chat(kit, report, via, before)
        check_too_long(kit, report, address)


def count_tokens(kit: Kit, text: str) -> int:
    """Return the tokens of a text as reel counts them."""
    return int(json.loads(kit.reel("model", "tokens", "-", "--json", said=text).out)["tokens"])


def check_chat(kit: Kit, report: Report, via: str, before: list[str]) -> None:
    """Say two things through a pipe."""
    spoken = kit.reel("chat", "--via", via, said="Good evening.\nHow is the sea?\n")
    report.same("a piped chat ends well", spoken.code, 0)
    new = sorted({*kit.sessions()} - {*before})
    report.same("it leaves one session", len(new), 1)
    if not new:
        return
    # a random model says control characters too, for which a terminal is given another sign
    told = "".join(text for role, text in kit.said(new[0]) if role == "assistant")
    printed, recorded = (re.sub(r"[^!-~]", "", text) for text in (spoken.out, told))
    report.same("and prints its answers alone", printed, recorded)


def check_too_long(kit: Kit, report: Report, address: str) -> None:
    """Send more than fits, once as any client would and once from reel."""
    words = "the rope is wet " * 4000
    theirs = post(f"{address}/v1/chat/completions", {"messages": [{"role": "user", "content": words}]})
    report.same(
        "it answers what is too long with 400 and the numbers",
        (theirs["status"], theirs["error"]["n_ctx"]),
        (400, CONTEXT),
    )
    before = kit.sessions()
    ours = kit.reel("chat", "--via", f"{address}/v1", said=f"{words}\n")
    report.show("reel names the limit", ours.code and "24,576" in ours.err, ours.err)
    report.same("and a first turn that fails leaves no session", kit.sessions(), before)
    kinds = kit.reel("model", "detect", f"{address}/v1")
    report.show(
        "`reel model detect` says that llama.cpp refuses what is too long",
        "refuses what is too long" in kinds.out or "cut" not in kinds.out,
        kinds.out,
    )


CHECK = Check(
    name="llama.cpp server",
    pinned=("xllamacpp==2026.10.11549",),
    newest=("xllamacpp",),
    install=lambda workshop, packages: workshop.install_python("llamacpp", *packages),
    version=lambda program: f"in xllamacpp {program.version(PACKAGE)}",
    run=check_llamacpp,
    quick=True,
)
