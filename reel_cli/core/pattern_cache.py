"""Compiled regular expressions, kept from one run to the next as Python keeps bytecode.

Python compiles a pattern anew in each process, in Python: 300 of them took a quarter of the time of
`checkpoint --reply`. Kept are those alone that stand in a program's text, never one that is made of a
person's words. What is kept depends on Python's own version, and is thrown away with it or when damaged.
"""

import marshal
import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any
from zlib import crc32

from reel_cli import __version__
from reel_cli.core.frozen import LatePattern
from reel_cli.core.own_folders import cache_folder

if TYPE_CHECKING:
    from collections.abc import Callable

MOST = 3_000
"""Number of patterns above which all are forgotten, since most are those of other versions."""
LARGEST = 16 * 1024 * 1024
"""Bytes above which a file is not reel's."""
_OPTIMIZED = 0x1
"""Flag of the code of functions; that of modules and classes has it not."""

Key = tuple[str | bytes, int]
Compiled = tuple[int, bytes, int, dict[str, int]]
"""A pattern's flags, its program (4 bytes a number), the number of its groups, the numbers of named ones."""


class PatternCache:
    """Compiled patterns in one file of the person's cache folder."""

    def __init__(self, place: Path, engine: dict[str, Any]) -> None:
        """Read the file; `engine` are the names in the module of Python that compiles patterns."""
        self._place = place
        self._engine = engine
        self._plain: Callable[..., re.Pattern[Any]] = engine["compile"]
        self._known = self._read()
        self._fresh: dict[Key, Compiled] = {}

    def compile(self, pattern: object, flags: int = 0) -> re.Pattern[Any]:
        """Return the pattern compiled, as the engine's own function does."""
        # above this: `_compile` and `compile` of Python's `re`, and whoever called that
        if not (isinstance(pattern, str | bytes) and _is_written(pattern, sys._getframe(3).f_code)):  # noqa: SLF001
            return self._plain(pattern, flags)
        key = (pattern, int(flags))
        if flags & re.DEBUG:
            return self._plain(pattern, flags)
        compiled = self._known.get(key) or self._fresh.get(key)
        if compiled is None:
            compiled = self._fresh[key] = self._compile(*key)
        return self._load(pattern, compiled)

    def save(self) -> None:
        """Keep what was compiled anew, if that can be written."""
        if not self._fresh or sys.dont_write_bytecode:
            return
        # another process may have kept something meanwhile
        known = {**self._read(), **self._fresh}
        data = marshal.dumps(known if len(known) <= MOST else self._fresh)
        head = f"{_version()}\n{crc32(data)}\n".encode()
        fresh = self._place.with_name(f"{self._place.name}.{os.getpid()}")
        with suppress(OSError):
            self._place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                with open(fresh, "xb", opener=_open_private) as file:
                    file.write(head + data)
                fresh.replace(self._place)
            except OSError:
                fresh.unlink(missing_ok=True)

    def _compile(self, pattern: str | bytes, flags: int) -> Compiled:
        parsed = self._engine["_parser"].parse(pattern, flags)
        code = memoryview(bytearray(4 * len(numbers := self._engine["_code"](parsed, flags)))).cast("I")
        for place, number in enumerate(numbers):
            code[place] = number
        state = parsed.state
        return int(flags | state.flags), code.tobytes(), state.groups - 1, dict(state.groupdict)

    def _load(self, pattern: str | bytes, compiled: Compiled) -> re.Pattern[Any]:
        flags, code, groups, numbers = compiled
        names: list[str | None] = [None] * (groups + 1)
        for name, number in numbers.items():
            names[number] = name
        made: re.Pattern[Any] = self._engine["_sre"].compile(
            pattern, flags, memoryview(code).cast("I").tolist(), groups, numbers, tuple(names)
        )
        return made

    def _read(self) -> dict[Key, Compiled]:
        with suppress(OSError, ValueError, EOFError, TypeError):
            with self._place.open("rb") as file:
                version, checked, data = file.read(LARGEST).split(b"\n", 2)
            if version == _version().encode() and int(checked) == crc32(data):
                known: dict[Key, Compiled] = marshal.loads(data)  # noqa: S302 (held to its checksum)
                return known
        return {}


def _is_written(pattern: str | bytes, code: CodeType) -> bool:
    """Return whether a pattern that this code compiles stands in the program.

    Those of a module and of `late` always do, those of a function where they are one of its constants.
    """
    if not code.co_flags & _OPTIMIZED or code is LatePattern.__getattr__.__code__:
        return True
    return any(type(one) is type(pattern) and one == pattern for one in code.co_consts)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _version() -> str:
    return " ".join(f"{__version__} {sys.version}".split())


def keep_patterns() -> PatternCache | None:
    """Have this process take compiled patterns from the cache; None where this Python cannot."""
    engine: dict[str, Any] = vars(sys.modules.get("re._compiler", sys))
    if sys.implementation.name != "cpython" or not {"compile", "_code", "_parser", "_sre"} <= engine.keys():
        return None
    try:
        cache = PatternCache(cache_folder() / f"patterns.{sys.implementation.cache_tag}", engine)
    except RuntimeError:
        # there is no home folder
        return None
    engine["compile"] = cache.compile
    return cache
