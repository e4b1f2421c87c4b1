"""The real server as a process, driven by the protocol's own client: every tool, resource and prompt."""

import contextlib
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import CHECKOUT, Reel, git
from tests.support.pages import chat, page

HERE = importlib.util.find_spec("mcp") is not None
needs_mcp = pytest.mark.skipif(not HERE, reason="needs the extra: pip install 'reel-cli[mcp]'")
PLAN = "# A plan\n\n" + "The house has a red roof, and the door is green. " * 20
SUMMARY = "## Title\nThe house\n\n## Gist\nA house.\n\n## Summary\n- The house has a red roof.\n\nAda\n"
SESSION = "2026-02-25-1"
TOOLS = [
    "recall",
    "remember",
    "pin",
    "prune",
    "promote",
    "submit_checkpoint",
    "submit_consolidation",
    "advise",
    "summarize",
    "gc",
]


@pytest.mark.wheel
@pytest.mark.skipif(HERE, reason="the extra is installed")
def test_without_the_extra_it_says_what_to_install(reel: Reel, kit: Path) -> None:
    run = reel("mcp")
    assert (run.code, run.out) == (1, "")
    assert run.err == ("Error: For reel mcp a package is missing here.\nHint: pip install 'reel-cli[mcp]'\n")


@pytest.mark.needs("facts", "intake", "shelf")
@needs_mcp
def test_a_client_reads_recalls_and_hands_in(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    (kit.parent / "plan.md").write_text(PLAN)
    reel("shelf", "add", kit.parent / "plan.md").ok()
    settings = kit / "kit.yaml"
    settings.write_text(f"{settings.read_text()}mcp: {{trust: [remember]}}\n")
    git(kit, "commit", "-qam", "trust")
    import anyio

    told = anyio.run(_drive, kit)
    assert told["tools"] == TOOLS
    assert all(one["additionalProperties"] is False for one in told["schemas"])
    assert list(told["read"]) == [
        *("reel://bundle", "reel://index", "reel://facts", "reel://loops", "reel://due"),
        "reel://memory/{id}",
    ]
    assert told["read"]["reel://bundle"].startswith("# Ada")
    assert all(told["titles"])
    assert "today is" in told["prompts"]["evening"].lower()
    assert "There is nothing to read at that address." in told["nothing"]
    assert "Sign with your name" in told["prompts"]["checkpoint"]
    assert "The residency wants forty pages" in told["prompts"]["consolidate"]
    assert "There is no prompt of that name." in told["no prompt"]
    calls = told["calls"]
    assert calls["recall"][0] is False
    assert "The residency wants forty pages by 30 April." in calls["recall"][1]
    assert calls["remember"] == (False, "Kept.")
    assert calls["half"][0] is False
    assert calls["half"][1].startswith('Not kept yet. "What matters" is missing;')
    assert calls["rest"] == (False, "It waits for Bo's decision.")
    assert calls["memory"] == (False, "It waits for Bo's decision.")
    assert calls["advise"] == (False, "It waits for Bo's decision.")
    assert "a red roof" in calls["files"][1]
    assert calls["summary"] == (False, "It waits for Bo's decision.")
    assert calls["put away"][1].startswith("It waits for Bo's decision.\nTo be put away:\n- plan.md  (")
    outside = "files names ../../etc/passwd, which is outside the kit; nothing of it is taken."
    assert calls["no file"] == (True, outside)
    where = "There is no recorded chat ../../kit.yaml. (the newest are: 2026-02-25-1)"
    assert calls["path"] == (True, where)
    assert calls["huge"][1] == "page has 1,000,000 characters; at most 200,000 are taken."
    assert calls["wrong"] == (True, "query should be text.")
    assert calls["unknown"][0] is True
    later = "It waits for Bo's decision. It is looked for on the tape then, so the chat has to be recorded."
    assert calls["at once"] == [(False, later)] * 4
    assert git(kit, "status", "--porcelain") == ""
    waiting = json.loads(reel("review", "--json").ok().out)
    assert sorted(one["item"].partition("-")[0] for one in waiting) == [
        "advise", "checkpoint", "consolidation", "gc", *["remember"] * 4, "summarize",
    ]  # fmt: skip
    page_item = next(one["item"] for one in waiting if one["item"].startswith("checkpoint"))
    reel("review", "accept", page_item).ok()
    assert (kit / "ring3" / "M-001.md").exists()
    # a bundle and a prompt that were read are known for what they are when the chat is recorded
    handed = "\n".join(path.read_text() for path in (kit / ".reel" / "state" / "handed").iterdir())
    assert told["prompts"]["checkpoint"] in handed


async def _drive(kit: Path) -> dict[str, Any]:
    from mcp import Client, StdioServerParameters
    from mcp.shared.exceptions import MCPError

    env = {key: os.environ[key] for key in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "REEL_NOW")}
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "reel_cli", "--kit", str(kit), "mcp"],
        env={**env, "PYTHONPATH": os.environ.get("PYTHONPATH", ""), "REEL_DEBUG": ""}, cwd=_cwd(),
    )  # fmt: skip
    told: dict[str, Any] = {"read": {}, "prompts": {}, "calls": {}}
    async with Client(server, read_timeout_seconds=60) as client:
        tools = (await client.list_tools()).tools
        told["tools"] = [one.name for one in tools]
        told["schemas"] = [one.input_schema for one in tools]
        resources = (await client.list_resources()).resources
        for resource in resources:
            told["read"][resource.uri] = (await client.read_resource(resource.uri)).contents[0].text
        templates = (await client.list_resource_templates()).resource_templates
        told["read"] |= {one.uri_template: "" for one in templates}
        prompts = (await client.list_prompts()).prompts
        told["titles"] = [one.title for one in (*tools, *resources, *templates, *prompts, client.server_info)]
        try:
            await client.read_resource("file:///etc/passwd")
        except MCPError as error:
            told["nothing"] = error.message
        for prompt in prompts:
            found = await client.get_prompt(prompt.name)
            told["prompts"][prompt.name] = found.messages[0].content.text
        try:
            await client.get_prompt("rm")
        except MCPError as error:
            told["no prompt"] = error.message

        async def call(key: str, tool: str, **given: Any) -> tuple[bool, str]:
            # the client holds the structured answer against the tool's schema
            result = await client.call_tool(tool, given)
            if not result.is_error:
                assert result.structured_content["text"] == result.content[0].text
            told["calls"][key] = (bool(result.is_error), result.content[0].text)
            found: tuple[bool, str] = told["calls"][key]
            return found

        await _call_all(call, told)
    return told


async def _call_all(call: Any, told: dict[str, Any]) -> None:
    import anyio

    await call("recall", "recall", query="what did the residency want", tokens=400)
    await call("remember", "remember", words="careful looks cold from outside", why="who I am")
    await call("half", "submit_checkpoint", page=page({"What matters": None}))
    await call("rest", "submit_checkpoint", page="## What matters\nHe asked.\n\nAda\n")
    gone = ("Am I still myself", "How I was", "What has shifted", "Who I am on paper")
    await call("memory", "submit_consolidation", page=page(dict.fromkeys(gone)))
    await call("advise", "advise", why="we work on it", hot=[{"path": "shelf/plan.md", "why": "now"}])
    await call("files", "summarize", files=["plan.md"])
    await call("summary", "summarize", files=["plan.md"], page=SUMMARY)
    await call("put away", "gc", why="done with it", files=[{"path": "plan.md", "why": "it stands"}])
    await call("no file", "gc", why="w", files=[{"path": "../../etc/passwd"}])
    await call("path", "submit_checkpoint", page=page(), session="../../kit.yaml")
    await call("huge", "submit_checkpoint", page="x" * 1_000_000)
    await call("wrong", "recall", query=["a"])
    await call("unknown", "rm")
    together: list[tuple[bool, str]] = []

    async def note(words: str) -> None:
        together.append(await call(words, "remember", words=words))

    async with anyio.create_task_group() as tasks:
        for number in range(4):
            tasks.start_soon(note, f"never said, number {number}")
    told["calls"]["at once"] = together


def _cwd() -> str:
    import reel_cli

    # where the wheel is tested, it is found without the checkout
    return str(CHECKOUT) if (CHECKOUT / "reel_cli").is_dir() else str(Path(reel_cli.__file__).parents[1])


def _message(number: int, method: str, **params: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n"


@pytest.mark.needs("intake")
@needs_mcp
def test_only_the_protocol_is_on_stdout_and_a_message_without_end_ends_it(reel: Reel, kit: Path) -> None:
    hello = _message(
        1,
        "initialize",
        protocolVersion="2025-06-18",
        capabilities={},
        clientInfo={"name": "t", "version": "1"},
    )
    ready = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}) + "\n"
    with subprocess.Popen(
        [sys.executable, "-m", "reel_cli", "--kit", str(kit), "mcp"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=_cwd(),
        env={**os.environ, "PYTHONPATH": _cwd()},
    ) as server:  # fmt: skip
        assert server.stdin is not None
        assert server.stdout is not None
        lines = [hello, ready, "no json\n", "{" * 5_000 + "\n"]
        # what the SDK cannot read is answered as well, so that nobody waits for it
        deep = '{"jsonrpc": "2.0", "id": 70, "method": "ping", "params": {"a": ' + "[" * 9_000 + "]" * 9_000
        lines += [deep + "}}\n", '{"jsonrpc": "2.0", "id": "71", "method": "\\ud800"}\n', '{"id": 72}\n']
        lines.append(_message(2, "tools/call", name="remember", arguments={"words": "said by nobody"}))
        server.stdin.write("".join(lines).encode())
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline())]
        while answers[-1].get("id") != 2:
            answers.append(json.loads(server.stdout.readline()))
        with contextlib.suppress(BrokenPipeError):
            server.stdin.write(b"x" * (9 << 20))
            server.stdin.flush()
        out, err = server.communicate(timeout=60)
    assert sorted(str(one["id"]) for one in answers if "error" in one) == ["70", "71", "72"]
    assert "waits" in answers[-1]["result"]["content"][0]["text"]
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in out.splitlines())
    assert b"A message was too long, so this ends here." in err
    assert b"Traceback" not in err
    assert server.returncode == 0


KILLED = """
import os, signal, sys
from tests.support.killed_program import WRITES, _is_write
from reel_cli.terminal.app import run

left = int(sys.argv[1])

def watch(event, given):
    global left
    if event in WRITES or (event == "open" and _is_write(given)):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(watch)
run(["--kit", sys.argv[2], "mcp"])
"""
"""A server that is killed as it is about to write for the so-many-th time."""


@pytest.mark.needs("intake")
@needs_mcp
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such kill")
@pytest.mark.parametrize("at", [25, 60, 83, 110])
def test_what_a_client_had_an_answer_to_survives_a_kill(reel: Reel, kit: Path, at: int) -> None:
    begin = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    lines = [_message(1, "initialize", **begin)]
    lines.append(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}) + "\n")
    lines += [
        _message(n, "tools/call", name="remember", arguments={"words": f"said by nobody, number {n}."})
        for n in range(100, 130)
    ]
    before = int(git(kit, "rev-list", "--count", "HEAD"))
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(at), str(kit)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=_cwd(),
        env={**os.environ, "PYTHONPATH": _cwd()},
    ) as server:  # fmt: skip
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write("".join(lines).encode())
        server.stdin.flush()
        told = [json.loads(line) for line in server.stdout.read().splitlines()]
        server.kill()
    answered = [one["id"] for one in told if one["id"] >= 100]
    assert all(not one["result"].get("isError") for one in told)
    waiting = json.loads(reel("review", "--json").ok().out)
    held = {n for n in range(100, 130) if f"number {n}." in json.dumps(waiting)}
    # a call whose answer was under way may be there as well
    assert set(answered) <= held
    assert len(held) - len(answered) in (0, 1)
    assert int(git(kit, "rev-list", "--count", "HEAD")) == before + len(held)
    assert git(kit, "status", "--porcelain") == ""
    reel("tape", "verify").ok()
    git(kit, "fsck", "--strict")
