"""The identity that came on standard input: a refusal keeps it in a file."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files.private import write_private


@contextmanager
def keep_if_refused(source: str | None, text: str | None) -> Iterator[None]:
    """Keep `text` in a file that the error names, where it came on standard input and is refused."""
    try:
        yield
    except ReelError as error:
        if source != "-" or not text:
            raise
        names = (Path(f"identity{'' if number == 1 else f'-{number}'}.md") for number in count(1))
        place = next(place for place in names if not place.exists())
        try:
            write_private(place, text.encode())
        except (OSError, ReelError):
            raise error from None
        kept = f"your text is kept in {place}"
        error.hint = f"{kept}; {error.hint}" if error.hint else kept
        raise
