"""Compiled patterns, kept from one run to the next."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reel_cli.core.pattern_cache import PatternCache
from tests.support.cli import CHECKOUT, Reel
from tests.support.pages import chat

ENGINE = vars(sys.modules["re._compiler"])
PATTERNS = (
    *(
        r"a",
        r"(?P<first>\w)(b)?(?P<last>[^\d]+?)",
        r"(?i)[àéñ]ß{2,3}",
        r"(?s).*\Z",
        "",
        r"(?<=a)(?!b)\1|(c)|",
    ),
    *(r"[\U0001f600-\U0001f64fa-z_]|(?:straße|maß)", r"(?x) a # comment", rb"\x00+(?P<byte>[\x80-\xff])"),
)
TEXTS = ("", "ab", "a1b!c", "Straße\nÀÉßß", "😀 x", "c" * 40)
Remember = Callable[[Path], PatternCache]


@pytest.fixture
def remember(monkeypatch: pytest.MonkeyPatch) -> Remember:
    """Make this process take its patterns from a cache file."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    plain = dict(ENGINE)

    def make(place: Path) -> PatternCache:
        re.purge()
        cache = PatternCache(place, plain)
        monkeypatch.setitem(ENGINE, "compile", cache.compile)
        return cache

    return make


def written(text: str | bytes, flags: int = 0) -> re.Pattern[str]:
    """A pattern as a module's own text has it."""
    scope = {"re": re, "flags": flags}
    exec(f"made = re.compile({text!r}, flags)", scope)  # noqa: S102 (as it runs a module)
    made = scope["made"]
    assert isinstance(made, re.Pattern)
    return made


@pytest.mark.parametrize("flags", [0, re.IGNORECASE | re.MULTILINE])
def test_a_pattern_from_the_cache_is_the_one_that_python_compiles(
    tmp_path: Path, remember: Remember, flags: int
) -> None:
    sound = [text for text in PATTERNS if not isinstance(text, str) or r"\1|" not in text]
    plain = [re.compile(text, flags) for text in sound]
    cache = remember(tmp_path / "patterns")
    fresh = [written(text, flags) for text in sound]
    cache.save()
    remember(tmp_path / "patterns")
    ENGINE["_code"], kept_code = None, ENGINE["_code"]
    try:
        again = [written(text, flags) for text in sound]
    finally:
        ENGINE["_code"] = kept_code
    # patterns are equal if what they do is, number by number
    assert plain == fresh == again
    for one, other in zip(plain, again, strict=True):
        assert (one.groups, one.groupindex, one.flags) == (other.groups, other.groupindex, other.flags)
        for text in TEXTS:
            given = text if isinstance(one.pattern, str) else text.encode()
            found = [[m.groups(), m.groupdict(), m.lastgroup] for m in one.finditer(given)]  # type: ignore[arg-type]
            assert found == [[m.groups(), m.groupdict(), m.lastgroup] for m in other.finditer(given)]  # type: ignore[arg-type]


def test_a_wrong_pattern_is_refused_as_always(tmp_path: Path, remember: Remember) -> None:
    remember(tmp_path / "patterns")
    with pytest.raises(re.error, match="missing"):
        written("(a")


def test_a_pattern_of_a_person_s_words_is_not_kept(tmp_path: Path, remember: Remember) -> None:
    cache = remember(tmp_path / "patterns")
    assert written("a program's own")
    assert re.sub("a function's own", "", "a function's own") == ""
    name = "zuzana".capitalize()
    assert re.compile(rf"\b{name}\b").search(name)
    assert re.sub(name, "", name) == ""
    cache.save()
    data = (tmp_path / "patterns").read_bytes()
    assert b"a program's own" in data
    assert b"a function's own" in data
    assert b"Zuz" not in data


@pytest.mark.parametrize(
    "spoil", [lambda data: data[:0], lambda data: data[:-1], lambda data: data[:60] + b"\0" + data[61:]]
)
def test_a_damaged_cache_is_made_anew(
    tmp_path: Path, remember: Remember, spoil: Callable[[bytes], bytes]
) -> None:
    place = tmp_path / "patterns"
    cache = remember(place)
    written("one")
    cache.save()
    whole = place.read_bytes()
    place.write_bytes(spoil(whole))
    cache = remember(place)
    assert written("one").search("one")
    cache.save()
    assert place.read_bytes() == whole


def test_a_command_says_the_same_with_it_and_leaves_nothing_of_the_chat_in_it(
    reel: Reel, kit: Path, tmp_path: Path
) -> None:
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    reel("record", "-", stdin=chat(("user", "Zuzana: is it there?"), ("assistant", "Zuzana, it is."))).ok()

    def say(**more: str) -> str:
        return subprocess.run(
            reel.command("recall", "Zuzana"),
            cwd=kit,
            capture_output=True,
            text=True,
            check=True,
            env={**env, **more},
        ).stdout

    plain = say(PYTHONDONTWRITEBYTECODE="1")
    assert not (tmp_path / "cache").exists()
    assert "Zuzana" in plain
    assert [say(), say()] == [plain, plain]
    [kept] = (tmp_path / "cache" / "reel").iterdir()
    assert b"Zuzana" not in kept.read_bytes()
    if os.name != "nt":
        assert kept.stat().st_mode & 0o077 == 0
