"""A merge of two machines settled at the terminal: joined, committed, and told of."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reel_cli.cli.context import OpenKit
    from reel_cli.kit.git import CommitTree


def join_machines(opened: "OpenKit") -> bool:
    """Settle a merge under way, and say what became of each side's names; whether there was one.

    Raises StateError, with nothing changed, where a file is in conflict that only the person can settle.
    """
    from reel_cli.kit.merging import find_merge, is_merging  # noqa: PLC0415

    repository = opened.repository
    if repository is None or not is_merging(repository):
        return False
    merge = find_merge(repository)
    if merge is None:
        opened.console.say("The merge was committed already; git knows it now.")
        return True
    from reel_cli.flows.join import Nothing, plan_join  # noqa: PLC0415
    from reel_cli.flows.join_lines import retell_entry  # noqa: PLC0415
    from reel_cli.kit.git import CommitTree, author_identity  # noqa: PLC0415
    from reel_cli.kit.history import merge_texts, used_memory_numbers  # noqa: PLC0415
    from reel_cli.kit.merging import conclude, require_mergeable  # noqa: PLC0415
    from reel_cli.kit.transaction import unbroken  # noqa: PLC0415
    from reel_cli.model.renumbering import Renumbering, parse_renumbered  # noqa: PLC0415

    require_mergeable(repository, merge)
    ours, theirs = CommitTree(repository, merge.ours), CommitTree(repository, merge.theirs)
    base = Nothing() if merge.base is None else CommitTree(repository, merge.base)
    joined = plan_join(base, ours, theirs, merge_texts, used=used_memory_numbers(repository, merge.theirs))
    settings = _settings_of(ours)
    commit = conclude(
        repository,
        opened.root,
        merge,
        joined.files,
        joined.yours,
        joined.change,
        when=opened.context.now(),
        identity=author_identity(repository, settings),
        unbroken=unbroken,
        waiting=lambda: opened.console.say("Another reel is at work on this kit; waiting for it."),
    )
    pairs = (parse_renumbered(value) for _, value in joined.change.trailers)
    names = Renumbering(dict(pair for pair in pairs if pair is not None))
    opened.state.rename(lambda line: retell_entry(line, names), names.text)
    opened.context.done.append(joined.change.subject)
    for note in joined.notes:
        opened.console.say(note)
    opened.console.say(f"Both machines' days are one now. Committed {commit[:7]}.")
    opened.console.say("Next:  git push")
    return True


def _settings_of(side: "CommitTree") -> str | None:
    """Who commits, as this side's kit.yaml says; the one on the disk may be in conflict."""
    from reel_cli.errors import ReelError  # noqa: PLC0415
    from reel_cli.kit.settings_file import parse_settings  # noqa: PLC0415

    try:
        text = (side.read("kit.yaml") or b"").decode("utf-8", "replace")
        return parse_settings(text, fallback_name="").author
    except ReelError:
        return None
