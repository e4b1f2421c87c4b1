"""What this machine and history know beside a kit's files, for whether a dream is due."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from reel_cli.cli.context import OpenKit
    from reel_cli.flows.dream_due import Beside
    from reel_cli.kit.dream_marks import Marks


def look_beside(opened: "OpenKit") -> "Beside":
    """What is known beside the kit's files, for whether a dream is due."""
    from reel_cli.flows.dream_due import Beside  # noqa: PLC0415

    then = opened.then
    if then is not None:
        # looking back, what is pending or noted on this machine is not of that moment
        return Beside(then.recorded, lambda: _marks(opened))

    def verified() -> Any:  # noqa: ANN401 (imported where it is read)
        from reel_cli.kit.verified import last_verified  # noqa: PLC0415

        return last_verified(opened.state)

    def keep(kind: str, told: str, make: "Callable[[], list[Any]]") -> list[Any]:
        from reel_cli.kit.head_note import note_history  # noqa: PLC0415

        repository = opened.repository
        return note_history(opened.root, repository, kind, make, told) if repository is not None else make()

    now = opened.context.now()
    return Beside(now, lambda: _marks(opened), opened.state.pending_touches, verified, keep)


def _marks(opened: "OpenKit") -> "Marks":
    """What history tells; read once a commit."""
    from reel_cli.kit.dream_marks import Marks, read_marks  # noqa: PLC0415
    from reel_cli.kit.head_note import note_history  # noqa: PLC0415

    repository = opened.repository
    if repository is None:
        return Marks()
    if opened.then is not None:
        return read_marks(repository, opened.then.commit)

    def make() -> list[list[str]]:
        found = read_marks(repository)
        return [list(found.dreams), list(found.purges)]

    dreams, purges = note_history(opened.root, repository, "dreams", make)
    return Marks(tuple(dreams), tuple(purges))
