"""A client's list of servers with one entry put in: all else in it stays as it was, and a broken one too."""

import base64
import json
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.features.mcp.client_list import deep_link, find_client, make_entry, put_entry
from tests.support.cli import Reel

ENTRY = make_entry("/usr/bin/python3", Path("/kits/ada"))


def put(text: str, name: str = "reel-ada") -> str:
    return put_entry(text.encode(), name, ENTRY, "mcp.json").decode()


def test_a_list_that_is_not_there_yet_begins_with_this() -> None:
    made = put_entry(None, "reel-ada", ENTRY, "mcp.json")
    assert json.loads(made) == {"mcpServers": {"reel-ada": ENTRY}}
    assert put_entry(made, "reel-ada", ENTRY, "mcp.json") == made


def test_every_other_byte_stays() -> None:
    before = (
        '\ufeff{\r\n\t"theme" : "dark",\r\n\t"mcpServers": {\r\n\t\t"files": {"command":  "npx", "env":'
        ' {"KEY": "s3cret"}}\r\n\t},\r\n\t"last": 1.50e3\r\n}'
    )
    after = put(before)
    first, last = before.split('"files"')
    assert after.startswith(f'{first}"reel-ada": {{\r\n\t\t\t"command": "/usr/bin/python3"')
    assert after.endswith(f'\r\n\t\t}},\r\n\t\t"files"{last}')
    assert put(after) == after
    again = put_entry(after.encode(), "reel-ada", {"command": "other"}, "mcp.json").decode()
    end = after.index(f',\r\n\t\t"files"{last}')
    assert again == f'{first}"reel-ada": {{\r\n\t\t\t"command": "other"\r\n\t\t}}{after[end:]}'


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda deeper: st.lists(deeper, max_size=3) | st.dictionaries(st.text(max_size=5), deeper, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(max_size=6), JSON, max_size=4),
    st.none() | st.dictionaries(st.text(max_size=6), JSON, max_size=3),
    st.sampled_from([None, 2, "\t"]),
    st.sampled_from(["ascii", "letters"]),
)
def test_whatever_else_the_list_holds_means_the_same(
    top: dict[str, Any], servers: dict[str, Any] | None, indent: int | str | None, written: str
) -> None:
    value = top if servers is None else {**top, "mcpServers": servers}
    if not isinstance(value.get("mcpServers", {}), dict):
        return
    after = put(json.dumps(value, indent=indent, ensure_ascii=written == "ascii"))
    wanted = {**value, "mcpServers": {**value.get("mcpServers", {}), "reel-ada": ENTRY}}
    assert json.loads(after) == wanted


@pytest.mark.parametrize(
    "broken",
    [
        '{"mcpServers": {',
        "[]",
        '{"mcpServers": []}',
        "// a comment\n{}",
        '{"mcpServers": {"a": {}, "a": {}}}',
        '{"mcpServers": {}, "mcpServers": {}}',
        "[" * 100_000,
    ],
)
def test_a_broken_list_is_refused(broken: str) -> None:
    with pytest.raises(ReelError, match=r"mcp\.json cannot be changed: "):
        put(broken)
    with pytest.raises(ReelError, match="not UTF-8"):
        put_entry(b"\xff\xfe{}", "reel-ada", ENTRY, "mcp.json")


def test_the_link_holds_the_entry() -> None:
    link = urlsplit(deep_link("reel-ada", ENTRY))
    assert (link.scheme, link.netloc) == ("lmstudio", "add_mcp")
    asked = parse_qs(link.query)
    assert asked["name"] == ["reel-ada"]
    assert json.loads(base64.b64decode(asked["config"][0])) == ENTRY


def test_each_program_is_shown_how_to_start_it(reel: Reel, kit: Path) -> None:
    shown = reel("mcp", "--setup").ok().out
    lines = shown.splitlines()
    entry = make_entry(sys.executable, kit.resolve())
    assert json.loads(lines[-1]) == {"mcpServers": {"reel-ada": entry}}
    assert deep_link("reel-ada", entry) in lines
    link = next(line for line in lines if line.startswith("cherrystudio://"))
    sent = parse_qs(urlsplit(link).query)["servers"][0]
    assert json.loads(base64.b64decode(sent)) == {"mcpServers": {"reel-ada": entry}}
    libre = next(line for line in lines if line.startswith("  reel-ada: "))
    assert yaml.safe_load(libre) == {"reel-ada": {"type": "stdio", **entry}}
    proxy = next(line for line in lines if line.startswith("uvx mcpo"))
    # without it, mcpo listens to the whole network
    assert "--host 127.0.0.1" in proxy
    assert "reel mcp install claude" in shown
    alone = reel("mcp", "--setup", "install", "lmstudio")
    assert (alone.code, "--setup stands alone" in alone.err) == (2, True)


def test_where_the_lists_are() -> None:
    home = Path("/home/bo")
    places = {
        (name, platform): find_client(name, home, environment, platform).config.as_posix()
        for name, platform, environment in (
            ("lmstudio", "linux", {}),
            ("claude", "linux", {}),
            ("claude", "darwin", {}),
            ("claude", "win32", {"APPDATA": "/home/bo/roaming"}),
        )
    }
    assert list(places.values()) == [
        "/home/bo/.lmstudio/mcp.json",
        "/home/bo/.config/Claude/claude_desktop_config.json",
        "/home/bo/Library/Application Support/Claude/claude_desktop_config.json",
        "/home/bo/roaming/Claude/claude_desktop_config.json",
    ]


def test_it_is_shown_asked_and_written(reel: Reel, kit: Path) -> None:
    gone = reel("mcp", "install", "lmstudio", "--yes")
    assert (gone.code, "LM Studio does not seem to be here" in gone.err) == (1, True)
    place = Path.home() / ".lmstudio"
    place.mkdir()
    config = place / "mcp.json"
    config.write_text('{"mcpServers": {\n  "files": {"env": {"KEY": "s3cret"}}\n}}\n')
    config.chmod(0o640)
    before = config.read_bytes()
    looked = reel("mcp", "install", "lmstudio", "--dry-run").ok()
    assert '+  "reel-ada": {' in looked.err
    assert "lmstudio://add_mcp?name=reel-ada&config=" in looked.err
    assert "s3cret" not in looked.err
    assert looked.out == ""
    assert reel("mcp", "install", "lmstudio").code == 1
    assert "Nothing was changed." in reel("mcp", "install", "lmstudio", stdin="n\n", tty=True).ok().err
    assert config.read_bytes() == before
    reel("mcp", "install", "lmstudio", stdin="y\n", tty=True).ok()
    assert set(json.loads(config.read_text())["mcpServers"]) == {"files", "reel-ada"}
    assert (config.stat().st_mode & 0o777, sorted(one.name for one in place.iterdir())) == (
        0o640,
        ["mcp.json"],
    )
    assert "is in" in reel("mcp", "install", "lmstudio", "--yes").ok().out
    own = kit.parent / "servers.json"
    reel("mcp", "install", "claude", "--file", own, "--name", "ada", "--yes").ok()
    assert json.loads(own.read_text())["mcpServers"]["ada"]["args"][-2:] == [str(kit.resolve()), "mcp"]
    own.write_text("{")
    broken = reel("mcp", "install", "claude", "--file", own, "--yes")
    assert (broken.code, own.read_text(), "is not JSON (line 1)" in broken.err) == (1, "{", True)
    assert reel("mcp", "install", "claude", "--file", own, "--name", "a b").code == 2
