"""A client's list of MCP servers with this kit in it: where it is, and how it reads with one entry put in."""

import base64
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]
from pathlib import Path
from typing import Any
from urllib.parse import quote

from reel_cli.core.errors import ReelError

LMSTUDIO, CLAUDE = "lmstudio", "claude"
SERVERS = "mcpServers"
LONGEST = 4 << 20
"""Bytes above which a list of servers is refused."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class Client:
    """A program that asks MCP servers: its name on screen, its list, and the folder that shows it is here."""

    title: str
    config: Path
    home: Path


def find_client(
    name: str, home: Path, environment: Mapping[str, str], platform: str = sys.platform
) -> Client:
    """Return a client's paths on this machine."""
    if name == LMSTUDIO:
        folder = home / ".lmstudio"
        return Client("LM Studio", folder / "mcp.json", folder)
    if platform == "darwin":
        folder = home / "Library" / "Application Support" / "Claude"
    elif platform == "win32":
        roaming = environment.get("APPDATA")
        folder = (Path(roaming) if roaming else home / "AppData" / "Roaming") / "Claude"
    else:
        own = environment.get("XDG_CONFIG_HOME")
        folder = (Path(own) if own else home / ".config") / "Claude"
    return Client("Claude Desktop", folder / "claude_desktop_config.json", folder)


def make_entry(python: str, kit: Path) -> dict[str, Any]:
    """Return how a client starts this kit's server: by full paths, since it knows no shell's."""
    return {"command": python, "args": ["-P", "-m", "reel_cli", "--kit", str(kit), "mcp"]}


def deep_link(name: str, entry: Mapping[str, Any]) -> str:
    """Return the link that has LM Studio ask whether to add this server."""
    return f"lmstudio://add_mcp?name={quote(name)}&config={_packed(entry)}"


PORT = 8765
"""Port of this machine on which Open WebUI finds the tools."""


def list_setups(name: str, entry: Mapping[str, Any]) -> Sequence[tuple[str, str, str]]:
    """Return for each known program its title, what to do there, and the line to copy ("" for none).

    Open WebUI starts no servers: mcpo does it, which would listen to the whole network if it were not told.
    """
    servers = {SERVERS: {name: entry}}
    words = [entry["command"], *entry["args"]]
    started = subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
    stdio = json.dumps({"type": "stdio", **entry}, ensure_ascii=False)
    return (
        ("LM Studio", "run  reel mcp install lmstudio  or open this link:", deep_link(name, entry)),
        ("Claude Desktop", "run  reel mcp install claude", ""),
        (
            "Cherry Studio",
            "open this link, or import the last lines in its settings, under MCP servers:",
            f"cherrystudio://mcp/install?servers={_packed(servers)}",
        ),
        ("LibreChat", "put this into librechat.yaml, below  mcpServers:", f"  {name}: {stdio}"),
        (
            "Open WebUI",
            f"let this run, then add http://localhost:{PORT} in its settings, under tools:",
            f"uvx mcpo --host 127.0.0.1 --port {PORT} -- {started}",
        ),
        ("Any other", "put this into its list of MCP servers:", json.dumps(servers, ensure_ascii=False)),
    )


def _packed(value: Mapping[str, Any]) -> str:
    return quote(base64.b64encode(json.dumps(value, ensure_ascii=False).encode()).decode(), safe="")


def put_entry(data: bytes | None, name: str, entry: Mapping[str, Any], where: str) -> bytes:
    """Return a client's list with this entry in it; every other byte stays as it was.

    Raises ReelError where the file is not such a list: nothing is guessed at in another program's file.
    """
    if data is None or not data.strip():
        return (json.dumps({SERVERS: {name: entry}}, indent=2, ensure_ascii=False) + "\n").encode()
    text = _decode(data, where)
    start = _SPACE.match(text, 1 if text.startswith("\ufeff") else 0)
    at = start.end() if start else 0
    top = _read_object(text, at, where)
    end = "\r\n" if "\r\n" in text else "\n"
    if SERVERS not in top.members:
        return _put(text, top, SERVERS, {name: entry}, end).encode()
    first, _ = top.members[SERVERS]
    servers = _read_object(text, first, where)
    return _put(text, servers, name, entry, end).encode()


def _decode(data: bytes, where: str) -> str:
    if len(data) > LONGEST:
        _refuse(where, "it is far too long")
    try:
        text = data.decode()
        value = json.loads(text.removeprefix("\ufeff"))
    except UnicodeDecodeError:
        _refuse(where, "it is not UTF-8 text")
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        _refuse(where, f"it is not JSON{f' (line {line})' if line else ''}")
    if not isinstance(value, dict) or not isinstance(value.get(SERVERS, {}), dict):
        _refuse(where, f"it has no {SERVERS}, as such a file has")
    return text


def _refuse(where: str, why: str) -> Any:  # noqa: ANN401
    message = f"{where} cannot be changed: {why}."
    raise ReelError(message, hint="correct it in the program it belongs to, then try again")


@dataclass(frozen=True, slots=True)
class _Object:
    """An object in a JSON text: where it begins and ends, and each member's value from where to where."""

    begin: int
    end: int
    members: Mapping[str, tuple[int, int]]
    keys: Mapping[str, int]


def _read_object(text: str, begin: int, where: str) -> _Object:
    """Return the members of an object in valid JSON; raises ReelError for a repeated key."""
    decoder = json.JSONDecoder()
    members: dict[str, tuple[int, int]] = {}
    keys: dict[str, int] = {}
    at = _skip(text, begin + 1)
    while text[at] != "}":
        key_at = at
        key, at = scanstring(text, at + 1)
        first = _skip(text, _skip(text, at) + 1)
        _, last = decoder.raw_decode(text, first)
        if key in members:
            _refuse(where, f"{key!r} is in it twice")
        members[key], keys[key] = (first, last), key_at
        at = _skip(text, last)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return _Object(begin, at + 1, members, keys)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _put(text: str, into: _Object, key: str, value: Mapping[str, Any], end: str) -> str:
    """Return the text with one member of an object replaced, or added before the first."""
    if into.keys:
        model = into.keys[key] if key in into.keys else min(into.keys.values())
        line = text.rfind("\n", 0, model) + 1
        indent = text[line:model]
        spread = not indent.strip()
        lead = indent if spread else ""
    else:
        line = text.rfind("\n", 0, into.begin) + 1
        found = _SPACE.match(text, line)
        own = text[line : found.end()] if found and found.end() <= into.begin else ""
        spread, lead = True, own + "  "
    step = "\t" if lead.startswith("\t") else "  "
    written = json.dumps(value, indent=step if spread else None, ensure_ascii=False)
    written = written.replace("\n", f"{end}{lead}")
    if key in into.members:
        first, last = into.members[key]
        return text[:first] + written + text[last:]
    member = f"{json.dumps(key, ensure_ascii=False)}: {written}"
    if into.members:
        # inserted before the first entry: after the last one a comma would have to be added to another
        # server's line
        first = min(into.keys.values())
        return f"{text[:first]}{member},{f'{end}{lead}' if spread else ' '}{text[first:]}"
    return f"{text[: into.begin]}{{{end}{lead}{member}{end}{lead[:-2]}}}{text[into.end :]}"
