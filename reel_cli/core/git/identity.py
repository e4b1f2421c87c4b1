"""Author of a commit: the kit's own author, else the name in git's configuration."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.git.process import git_problem, git_process

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository

IDENTITY = re.compile(r"([^<>\x00-\x1f\x7f]*)<\s*([^<>\s\x00-\x1f\x7f]+)\s*>")
NO_MAIL = "me@localhost"
"""Mail address on the commits of a person who has given only a name; it exists nowhere."""
EXAMPLE_NAME = "Your Name"
"""The name in hints; whoever types one as it stands has given none."""
NAME_YOURSELF = f'reel config author "{EXAMPLE_NAME}"'
"""The command that gives a kit an author; a name without an address is enough."""
GIVE_NAME = f"any name will do:  {NAME_YOURSELF}"
_TELL_GIT = f'git config --global user.name "{EXAMPLE_NAME}"'
CRUD = " .,:;\"'\\"
"""Characters that git itself trims from a name; a name of nothing else is empty."""


class UnknownAuthorError(StateError):
    """An error for when neither the kit nor git names an author."""


def parse_identity(text: str) -> tuple[str, str] | None:
    """Read `Name <mail>`; None if it is not of that form."""
    found = IDENTITY.fullmatch(text.strip())
    name = found[1].rstrip() if found else ""
    if not found or not name.strip(CRUD) or not name.isprintable():
        return None
    return name, found[2]


def complete_identity(text: str) -> str:
    """Return `Name <mail>` for a name alone, with an address that exists nowhere; any other text as it is."""
    return text if "@" in text or "<" in text or not text.strip() else f"{text.strip()} <{NO_MAIL}>"


def author_identity(repo: "Repository | None", author: str | None) -> tuple[str, str]:
    """Return the name and mail for commits: the kit's own `author`, else git's setting.

    Raises UnknownAuthorError where neither is set; none is ever made up.
    """
    if author is not None and author.strip():
        own = parse_identity(author)
        if own is None:
            message = "kit.yaml: author is not of the form  Name <mail>."
            raise ReelError(message, hint="write it as  author: Bo Lind <bo@example.org>")
        return own
    if repo is not None and (plain := _plain_identity(repo)) is not None:
        return plain
    place = repo.root if repo else Path(os.sep)
    asked = git_process(place, "-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT")
    told = asked.stdout.decode("utf-8", "replace").rpartition(">")
    known = parse_identity(told[0] + told[1]) if not asked.returncode else None
    if known is None:
        problem = asked.stderr.decode("utf-8", "replace")
        if asked.returncode and not re.search(r"ident|user\.|name|email", problem):
            raise git_problem(problem, "var", place)
        message = "git does not know your name yet, and needs one for every change it keeps."
        hint = GIVE_NAME if place.joinpath("kit.yaml").is_file() else _TELL_GIT
        raise UnknownAuthorError(message, hint=hint)
    return known


def read_name(repo: "Repository | None") -> str:
    """Return the name in git's settings, which may have no address beside it; "" for none."""
    place = repo.root if repo else Path(os.sep)
    name = os.environ.get("GIT_AUTHOR_NAME", "").strip()
    return name or git_process(place, "config", "user.name").stdout.decode("utf-8", "replace").strip()


def _plain_identity(repo: "Repository") -> tuple[str, str] | None:
    """Return the name and mail of git's settings if git takes them as they are; None if it is to be asked."""
    if "GIT_AUTHOR_DATE" in os.environ:
        # git says what is wrong with it
        return None
    told = repo.read_settings()
    name, mail = (
        os.environ.get(f"GIT_AUTHOR_{key.upper()}", told.get(f"author.{key}", told.get(f"user.{key}", "")))
        for key in ("name", "email")
    )
    same = name.strip(CRUD) == name and mail.strip(CRUD) == mail and "<" not in name
    return parse_identity(f"{name} <{mail}>") if name and mail and same else None
