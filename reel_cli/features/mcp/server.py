"""The kit over MCP on stdin and stdout: the protocol alone; `mcp_tools` and `mcp_reading` do the work."""

import asyncio
import concurrent.futures
import contextlib
import os
import re
import sys
import threading
from collections.abc import AsyncIterator, Callable
from importlib.util import find_spec
from io import StringIO
from typing import TYPE_CHECKING, Any, TypeVar

from reel_cli import __version__
from reel_cli.core.errors import OvertakenError, ReelError
from reel_cli.terminal.console import Console
from reel_cli.terminal.context import Context
from reel_cli.terminal.steps import steps_for_kit

if TYPE_CHECKING:
    from pathlib import Path

LONGEST_LINE = 8 << 20
"""Bytes of a message above which the connection is closed."""
INSTRUCTIONS = (
    "This is the memory of a persona. Read the resource reel://bundle before the first word; it says who you "
    "are. Recall what a conversation touches on. Speak as one who remembers: say nothing of tools, files or "
    "memory systems. What you hand in is decided by a person."
)
MARKDOWN = "text/markdown"
ATTEMPTS = 10
"""Number of times a call's work is begun, if other reels are faster."""
INVALID, NOT_FOUND = -32602, -32002
UNREADABLE = "(a message that cannot be read)"
"""The method of a message that the SDK would drop: its sender gets an error, and waits no more."""
Answer = TypeVar("Answer")
_ID = re.compile(r'"id"\s*:\s*(\d{1,15}|"[^"\\]{0,100}")\s*[,}]', re.ASCII)


class Lines:
    """A client's messages, a line each, read only as far as a line may be long."""

    def __init__(self, descriptor: int, reads: Callable[[str], bool]) -> None:
        """Read from a descriptor; nothing else may. `reads` says whether the SDK can read a line."""
        self._descriptor = descriptor
        self._reads = reads
        self._rest = b""

    def readline(self) -> str:
        """Return the next line; "" at the end, and if a line is too long for a message."""
        parts, size = [self._rest], len(self._rest)
        while b"\n" not in parts[-1]:
            if size > LONGEST_LINE:
                sys.stderr.write("Error: A message was too long, so this ends here.\n")
                return ""
            chunk = os.read(self._descriptor, 1 << 16)
            if not chunk:
                break
            parts.append(chunk)
            size += len(chunk)
        line, end, self._rest = b"".join(parts).partition(b"\n")
        return self._answerable((line + end).decode("utf-8", "replace"))

    def _answerable(self, line: str) -> str:
        """Return the line, or, if the SDK would drop it, an impossible request with the same id."""
        found = _ID.search(line) if line.lstrip()[:1] == "{" else None
        if found is None or self._reads(line):
            return line
        return f'{{"jsonrpc": "2.0", "id": {found[1]}, "method": "{UNREADABLE}"}}\n'

    async def __aiter__(self) -> AsyncIterator[str]:
        """Yield the lines as they come; waiting for one does not keep the program from ending."""
        loop = asyncio.get_running_loop()
        ready: asyncio.Queue[str] = asyncio.Queue(1)

        def read() -> None:
            line = "x"
            # the loop may be closed when the line comes
            with contextlib.suppress(RuntimeError, OSError, concurrent.futures.CancelledError):
                while line:
                    line = self.readline()
                    asyncio.run_coroutine_threadsafe(ready.put(line), loop).result()

        threading.Thread(target=read, daemon=True).start()
        while line := await ready.get():
            yield line


def has_extra() -> bool:
    """Return whether the SDK is installed, in a supported major version."""
    return all(find_spec(name) is not None for name in ("mcp", "mcp_types", "anyio"))


def require_extra() -> None:
    """Raise ReelError where the SDK is not installed."""
    if not has_extra():
        message = "For reel mcp a package is missing here."
        raise ReelError(message, hint="pip install 'reel-cli[mcp]'")


def serve(kit: "Path") -> None:
    """Answer a client until it goes away."""
    import anyio
    import mcp_types as types
    from mcp.server.stdio import stdio_server

    server = make_server(kit, anyio, types)

    def reads(line: str) -> bool:
        try:
            types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except (ValueError, RecursionError):
            return False
        return True

    async def run() -> None:
        # nothing else may read from the client, not even a git that a tool starts
        own = Lines(os.dup(0), reads)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        incoming: Any = own
        # the SDK redirects stdout away from everything but itself
        async with stdio_server(stdin=incoming) as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    try:
        anyio.run(run)
    except BaseExceptionGroup as group:
        if group.split((BrokenPipeError, ConnectionError))[1] is not None:
            raise


def _work_on(kit: "Path", work: Callable[[Context], Answer]) -> Answer:
    """Return the result of a call's work; runs it again if another reel changed the kit before a commit."""
    for left in reversed(range(ATTEMPTS)):
        # output on screen would break the protocol, so it is discarded
        context = Context(kit_option=kit, console=Console(out=StringIO(), err=sys.stderr))
        # what is named as a next step is typed anywhere
        context.console.steps = steps_for_kit(kit)
        try:
            return work(context)
        except OvertakenError:
            if not left or context.done:
                raise
    raise AssertionError


def make_server(kit: "Path", anyio: Any, types: Any) -> Any:  # noqa: ANN401 (an extra's modules)
    """Return the server of one kit; one call at a time, each on the kit as it is then."""
    from mcp.server import Server
    from mcp.shared.exceptions import MCPError

    from reel_cli.core.exchange.tool import answer_schema_of, schema_of
    from reel_cli.features.mcp import resources as mcp_reading
    from reel_cli.features.mcp import tools as mcp_tools

    turn = anyio.Lock()

    async def do(work: Callable[[Context], Answer]) -> Answer:
        async with turn:
            told: Answer = await anyio.to_thread.run_sync(_work_on, kit, work)
        return told

    async def list_tools(_ctx: Any, _params: Any) -> Any:  # noqa: ANN401
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=one.name,
                    title=one.title,
                    description=one.what,
                    input_schema=schema_of(one.arguments),
                    output_schema=answer_schema_of(one),
                    annotations=types.ToolAnnotations(
                        title=one.title,
                        read_only_hint=not one.writes,
                        destructive_hint=False,
                        open_world_hint=False,
                    ),
                )
                for one in mcp_tools.list_tools()
            ]
        )

    async def call_tool(_ctx: Any, params: Any) -> Any:  # noqa: ANN401
        try:
            answer = await do(lambda context: mcp_tools.call(context, params.name, params.arguments or {}))
        except Exception as error:  # noqa: BLE001 (whatever it is, the client hears of it and can go on)
            return types.CallToolResult(content=[_text(types, told(error))], is_error=True)
        return types.CallToolResult(content=[_text(types, answer.text)], structured_content=answer.structured)

    async def list_resources(_ctx: Any, _params: Any) -> Any:  # noqa: ANN401
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=one.uri,
                    name=one.name,
                    title=one.title,
                    description=one.what,
                    mime_type=MARKDOWN,
                )
                for one in mcp_reading.READABLE
            ]
        )

    async def list_resource_templates(_ctx: Any, _params: Any) -> Any:  # noqa: ANN401
        one = mcp_reading.MEMORY_BY_ID
        template = types.ResourceTemplate(
            uri_template=one.uri,
            name=one.name,
            title=one.title,
            description=one.what,
            mime_type=MARKDOWN,
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(_ctx: Any, params: Any) -> Any:  # noqa: ANN401
        uri = str(params.uri)
        try:
            text = await do(lambda context: mcp_reading.read(context, uri))
        except Exception as error:  # noqa: BLE001
            raise MCPError(NOT_FOUND, told(error)) from None
        contents = types.TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text)
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(_ctx: Any, _params: Any) -> Any:  # noqa: ANN401
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=one.name,
                    title=one.title,
                    description=one.what,
                    arguments=[
                        types.PromptArgument(
                            name=one.argument.name,
                            title=one.argument.name.capitalize(),
                            description=one.argument.what,
                            required=False,
                        )
                    ],
                )
                for one in mcp_reading.ASKING
            ]
        )

    async def get_prompt(_ctx: Any, params: Any) -> Any:  # noqa: ANN401
        try:
            text = await do(lambda context: mcp_reading.prompt(context, params.name, params.arguments or {}))
        except Exception as error:  # noqa: BLE001
            raise MCPError(INVALID, told(error)) from None
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=_text(types, text))])

    return Server(
        "reel",
        version=__version__,
        title=f"reel: {kit.resolve().name}",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_resource_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


def _text(types: Any, text: str) -> Any:  # noqa: ANN401
    return types.TextContent(type="text", text=text)


def told(error: Exception) -> str:
    """Return an error for the client: a sentence, and the hint if there is one."""
    if isinstance(error, ReelError):
        return f"{error.message} ({error.hint})" if error.hint else error.message
    if isinstance(error, OSError):
        return f"{error.strerror or error}. Nothing was changed."
    if os.environ.get("REEL_DEBUG"):
        raise error
    return f"reel has a bug here ({type(error).__name__}). Nothing was changed."
