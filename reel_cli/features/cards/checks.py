"""Checks of the card and lorebooks that a kit keeps, and of names it no longer goes by."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.kit_files import restore_command
from reel_cli.core.finding import Finding
from reel_cli.core.git.process import Git
from reel_cli.core.kit.checkup import Check
from reel_cli.core.kit.snapshot import DIRECTIVES, IDENTITY, Snapshot
from reel_cli.core.values.change import name_some
from reel_cli.features.cards.kept_card import all_kept, check_kept, kept_files, lost_card
from reel_cli.features.cards.names import NAMES, naming_of
from reel_cli.features.cards.parts import CARD

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository

CHECK = "card"
MOST_READ = 20
"""Number of versions of a file that are tried for one that can be read."""
SHOWN = 3


def look_at_card(snapshot: Snapshot, repo: "Repository | None") -> Iterator[Finding]:
    """Yield a finding for each that is unreadable or missing, and each place where an old name remains."""
    for path in all_kept(snapshot):
        try:
            check_kept(snapshot.read(path) or b"", path)
        except ReelError as error:
            mend = _way_back(repo, path) or "fix the file, or move it away"
            yield Finding(CHECK, error.message.rstrip("."), mend, at=path)
    if lost_card(snapshot):
        what = f"{CARD} is missing: an exported card lacks the parts that only it had"
        yield Finding(CHECK, what, _way_back(repo, CARD), hint_only=True, at=CARD)
    if snapshot.read(NAMES) is not None:
        yield from _names(snapshot)
    elif kept_files(snapshot) and (mend := _way_back(repo, NAMES)):
        # a kit made before names were kept never had the file
        what = f"{NAMES} is missing: the names in the card are found by its examples only"
        yield Finding(CHECK, what, mend, hint_only=True, at=NAMES)


def _way_back(repo: "Repository | None", path: str) -> str:
    """Return the command that restores the newest readable version; "" if history has none."""
    if repo is None or repo.head() is None:
        return ""
    git = Git(repo.root)
    listed = git("log", f"-{MOST_READ}", "--format=%h", "HEAD", "--", repo.prefix + path)
    for commit in listed.decode("ascii").split():
        try:
            check_kept(git("cat-file", "blob", f"{commit}:{repo.prefix}{path}"), path)
        except ReelError:
            # gone there too, or no better
            continue
        return restore_command([path])
    return ""


def _names(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield a finding for a name changed in kit.yaml, but not in the imported texts."""
    naming = naming_of(snapshot)
    texts = {path: snapshot.text(path) or "" for path in (IDENTITY, DIRECTIVES)}
    texts |= {f"ring1/{slug}.md": one.text for slug, one in snapshot.exemplars.items()}
    for old, new in ((naming.came.char, naming.now.char), (naming.came.user, naming.now.user)):
        if old == new:
            continue
        word = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)")
        found = [path for path, text in texts.items() if word.search(text)]
        if found:
            what = f"kit.yaml says {new} now, and {name_some(found, SHOWN)} still “{old}”"
            mend = f"write {new} where it is meant; an exported card has its macros in any case"
            yield Finding(CHECK, what, mend, hint_only=True)


CHECKS = (Check(lambda scope: look_at_card(scope.snapshot, scope.repo), 130),)
