"""Texts that a kit was made with, and that a new text of who the persona is leaves behind."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.exemplar_file import exemplar_path, set_active
from reel_cli.core.frozen import frozen
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.history import read_log
from reel_cli.core.kit.snapshot import ACTIVE, DIRECTIVES, IDENTITY, WORKING
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import Change
from reel_cli.core.values.memory import ActiveSet
from reel_cli.features.init.template_voice import is_alike

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.terminal.open_kit import OpenKit

_CALLED = {DIRECTIVES: "the rules", WORKING: "the notes"}
"""Texts of the template besides the examples, as they are called on screen."""


@frozen
class LeftBehind:
    """Texts of the template that a kit still has, though it describes another persona now.

    `paths` are those of the rules and the notes, `examples` the names of those that are heard.
    """

    paths: tuple[str, ...]
    examples: tuple[str, ...]

    @property
    def told(self) -> str:
        """The texts in words, as the subject of a sentence."""
        words = [_CALLED[path] for path in self.paths]
        if self.examples:
            words.append("one example" if len(self.examples) == 1 else f"{len(self.examples)} examples")
        whole = ", ".join(words[:-1]) + f" and {words[-1]}" if len(words) > 1 else words[0]
        return f"{whole[:1].upper()}{whole[1:]}"


def find_left_behind(
    snapshot: "Snapshot", repo: "Repository", before: bytes, after: bytes
) -> LeftBehind | None:
    """Return what is still as the kit was made with; None where there is nothing to say.

    It is said of the edit that makes another persona of the one that the kit was made with, and of no other.
    """
    made = next((one.id for one in read_log(repo) if one.op == "init"), None)
    if made is None:
        return None
    with CommitTree(repo, made) as tree:
        first, ids = tree.read(IDENTITY) or b"", tree.ids
    if not is_alike(first, before) or is_alike(first, after):
        return None

    def stands(path: str) -> bool:
        return path in ids and ids[path] == repo.blob_id(snapshot.read(path) or b"")

    try:
        heard = {*snapshot.active.active, *filter(None, [snapshot.active.anchor])}
        examples = sorted(one for one in heard & snapshot.exemplars.keys() if stands(exemplar_path(one)))
    except ReelError:
        examples = []
    plain = _plain_texts(snapshot)
    paths = tuple(path for path in _CALLED if stands(path) and snapshot.read(path) != plain[path])
    return LeftBehind(paths, tuple(examples)) if paths or examples else None


def put_away(opened: "OpenKit", left: LeftBehind) -> bool:
    """Put plain rules and notes in place of the template's, and let its examples rest.

    Return whether all of it counts at once: rules that chats were held with wait for a person's approval.
    """
    from reel_cli.features.review.accept import plan_accept
    from reel_cli.features.review.open_decisions import list_waiting
    from reel_cli.features.review.proposals import Kind

    snapshot, repo = opened.snapshot, opened.require_repository()
    plain = _plain_texts(snapshot)
    resting: dict[str, bytes] = {}
    if left.examples:
        now = snapshot.active
        anchor = None if now.anchor in left.examples else now.anchor
        active = tuple(slug for slug in now.active if slug not in left.examples)
        rests = (*now.resting, *(slug for slug in left.examples if slug not in now.resting))
        resting[ACTIVE] = set_active(snapshot.text(ACTIVE) or "", ActiveSet(anchor, active, rests)).encode()
    for path in left.paths:
        (opened.root / path).write_bytes(plain[path])
    opened.look_again()
    waiting = [one for one in list_waiting(opened.snapshot, repo) if one.path in left.paths]
    mine = [one for one in waiting if one.kind is Kind.HAND]
    change = Change("exemplar", "the template's examples no longer in use", resting)
    if mine:
        tokenizer = get_tokenizer(opened.snapshot.settings.tokenizer)
        today = opened.now().date().isoformat()
        change = plan_accept(opened.snapshot, repo, mine, waiting, by="", today=today, tokenizer=tokenizer)
        change = change.also(resting)
    if change.writes:
        opened.commit(change)
    return len(mine) == len(waiting)


def _plain_texts(snapshot: "Snapshot") -> Mapping[str, bytes]:
    """Return the rules and notes of the template without a persona, with this kit's names."""
    from reel_cli.features.init.template import BLANK, fill_in, read_template

    files = {path: data for path, data in read_template(BLANK).files.items() if path in _CALLED}
    return fill_in(files, {"name": snapshot.settings.name, "user": snapshot.settings.user})
