"""A memory's words as they were before they were last written again (REEL §12.4).

To be written again is no loss, so no trailer tells of it; history has the file. Where a memory got a level
back by that, to have its earlier words again is a loss, and is told of as one.
"""

from collections.abc import Sequence
from dataclasses import replace

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.commit_message import FORGOT, Forgotten, render_forgotten
from reel_cli.core.files.index_edit import put_entry
from reel_cli.core.files.index_file import line_for
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.yaml_text import render_scalar
from reel_cli.core.git.history import Commit
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.known_facts import mark_restored
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.rings.losses import is_shallow, shallow_problem
from reel_cli.core.rings.read_memory import memory_name
from reel_cli.core.values.holdings import Counter
from reel_cli.core.values.memory import PLAIN, Level, memory_path, where_of
from reel_cli.features.forgetting.plan_restore import Back, RestorePlan, describe, find_earlier


def plan_earlier(
    snapshot: Snapshot,
    repo: Repository,
    counter: Counter,
    commits: Sequence[Commit],
    wanted: Sequence[str],
) -> RestorePlan:
    """Plan to restore earlier words: the file as it was, immune if the memory is immune by now.

    `commits` are the kit's. At the same level, what comes back so can be exchanged for the later words in the
    same way. Raises ReelError where a memory is not in ring 3, or its words were not written again since it
    faded or came back.
    """
    items: list[Back] = []
    writes: dict[str, bytes | None] = {}
    losses: list[Forgotten] = []
    index = snapshot.text(INDEX) or ""
    for name in dict.fromkeys(memory_name(one) for one in wanted):
        present = snapshot.memories.get(name)
        if present is None:
            message = f"{name} has no text now."
            raise ReelError(message, hint=f"first bring it back:  reel restore {name}")
        found = find_earlier(repo, present, commits)
        if found is None:
            if is_shallow(repo):
                raise shallow_problem()
            message = f"{name} was not written again since it became a {PLAIN[present.level.value]}."
            fell = present.level is not Level.L1
            mend = (
                f"to have it as before it faded:  reel restore {name}"
                if fell
                else f"read it:  reel memory show {name}"
            )
            raise ReelError(message, hint=mend)
        commit, blob, text = found
        path = memory_path(name)
        if present.immune and not parse_memory(text, path).immune:
            reason = render_scalar(present.immune_reason) if present.immune_reason else None
            text = front_matter.set_fields(text, {"immune": "yes", "immune_reason": reason}, path)
        memory = parse_memory(text, path)
        writes[path] = text.encode()
        index = put_entry(index, line_for(memory))
        sizes = counter.count(present.body), counter.count(memory.body)
        levels = present.level.value, memory.level.value
        items.append(Back(name, memory.title, *levels, *sizes, commit, blob))
        if levels[0] != levels[1]:
            source = ",".join(map(str, where_of(present)))
            was = repo.blob_id(snapshot.read(path) or b"")
            losses.append(Forgotten(name, *levels, *sizes, source, was, "its earlier words were wanted"))
    if index != (snapshot.text(INDEX) or ""):
        writes[INDEX] = index.encode()
    done = "brought back the earlier words of"
    change = describe(items, writes, counter.name, done)
    change = change.also(mark_restored(snapshot.after(change), [item.id for item in items]))
    told = tuple((FORGOT, render_forgotten(loss)) for loss in losses)
    return RestorePlan(replace(change, trailers=(*told, *change.trailers)), items)
