"""The tokenizer a person names on the command line."""

import os
from pathlib import Path

from reel_cli.core.errors import UsageError
from reel_cli.core.files.settings_file import parse_share
from reel_cli.core.tokens.choice import MOST_MARGIN, Choice, is_file, parse_choice


def choose_tokenizer(
    tokenizer: str | None, like: str | None, margin: str | None, usual: str = ""
) -> str | None:
    """Return the setting for what was named, with a file's full path; None if nothing was.

    `usual` is what a margin or rules alone are for. Raises UsageError where they make no sense.
    """
    if tokenizer is None and like is None and margin is None:
        return None
    what = tokenizer if tokenizer is not None else parse_choice(usual).what
    if not what:
        message = "--like and --margin go with a tokenizer."
        raise UsageError(message, hint="reel model set --tokenizer model.gguf --like llama-bpe --margin 8%")
    if like and margin is None:
        message = "Rules that are only like a model's need a margin."
        raise UsageError(message, hint=f"--like {like} --margin 8%")
    if is_file(what):
        what = _whole(what)
    return str(Choice(what, like or "", _share(margin)))


def _whole(path: str) -> str:
    """Return a path that holds in any folder; one below `~` stays relative to it."""
    if path.startswith("~"):
        return path
    # keep links, because apps link to the newest version
    whole = Path(os.path.normpath(Path(path).absolute()))
    home = Path.home()
    if home != Path(home.anchor) and whole.is_relative_to(home):
        return f"~/{whole.relative_to(home).as_posix()}"
    return str(whole)


def _share(margin: str | None) -> int:
    if margin is None:
        return 0
    try:
        share = parse_share(margin)
    except ValueError:
        share = MOST_MARGIN
    if share >= MOST_MARGIN:
        message = f"--margin {margin} is not a margin."
        raise UsageError(message, hint="write it as 8% or 0.08")
    return share
