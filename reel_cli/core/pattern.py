"""Regular expressions that are compiled when they are first used: most runs need few of those they could."""

import re
from typing import Any, AnyStr, cast

_ASKED = ("search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split", "pattern", "flags")


class LatePattern:
    """A pattern made by `late`, which is compiled when it is first used."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        """Keep the pattern's text and flags without compiling them."""
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the pattern has)
        if name not in _ASKED:
            # nothing that looks at objects in passing should compile it
            raise AttributeError(name)
        made = re.compile(self._text, self._flags)
        # from now on its methods are found here, and this is not asked again
        self.__dict__.update({asked: getattr(made, asked) for asked in _ASKED})
        return self.__dict__[name]


def late(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern like `re.compile`'s, compiled at its first use; for modules with many patterns.

    `re.error` comes with the first use. The functions of `re` do not take it in place of a pattern.
    """
    return cast("re.Pattern[AnyStr]", LatePattern(text, flags))
