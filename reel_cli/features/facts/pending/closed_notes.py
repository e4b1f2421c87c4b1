"""Notes that a page closed together with their facts, for a person who notes such a fact again."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import StateError
from reel_cli.core.evidence.phrases import fold
from reel_cli.core.files.commit_message import FORGOT, parse_forgotten
from reel_cli.core.files.working_file import put_back, read_body, read_items, without_day
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.history import read_log
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.rings.losses import tree_before
from reel_cli.features.facts.files import FACTS, read_noted
from reel_cli.features.facts.pending.ended_facts import WHY, is_about, list_notes
from reel_cli.features.facts.plan import named
from reel_cli.features.facts.policy import fact_name, same_value

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.features.facts.fact import Fact


def restore_note(snapshot: "Snapshot", repository: "Repository", fact: "Fact") -> tuple[str, Sequence[str]]:
    """Return working memory with the notes that were closed together with a fact, and these.

    Both are empty where the fact was not let go of with a note, has another value now, or a note about it
    stands; and where history does not reach back so far.
    """
    last = [one for one in read_noted(snapshot) if fact_name(one) == fact_name(fact)][-1:]
    if not any(one.dropped.startswith(WHY) and same_value(one.value, fact.value) for one in last):
        return "", ()
    name = f"{FACTS}#{named(last[0])}"
    losses = (
        (one.id, parse_forgotten(value)) for one in read_log(repository) for value in one.values(FORGOT)
    )
    commit = next((commit for commit, loss in losses if loss is not None and loss.id == name), None)
    text = snapshot.text(WORKING) or ""
    if commit is None or any(is_about(note, fact) for note in list_notes(text)):
        return "", ()
    try:
        with tree_before(repository, commit) as then, CommitTree(repository, commit) as after:
            before, closed = (_read(tree) for tree in (then, after))
    except StateError:
        return "", ()
    stands = {fold(item.text) for item in read_items(closed)}
    body = read_body(before).splitlines()
    gone = [
        item
        for item in read_items(before)
        if fold(item.text) not in stands and is_about(without_day(item.text), fact)
    ]
    if not gone:
        return "", ()
    fresh = put_back(text, [(item.section, body[slice(*item.lines)]) for item in gone])
    return fresh, [without_day(item.text) for item in gone]


def _read(tree: CommitTree) -> str:
    return (tree.read(WORKING) or b"").decode("utf-8", "replace")
