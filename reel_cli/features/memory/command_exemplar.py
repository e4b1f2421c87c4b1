"""`reel example`: the exchanges that show how the persona sounds."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.values.memory import ROLES, Exemplar
from reel_cli.core.values.talk import parse_source
from reel_cli.terminal.open_kit import OpenKit
from reel_cli.terminal.options import AsJson, DryRun

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.change import Change
    from reel_cli.features.memory.exemplars import Draft

MARKS = {
    "anchor": "in every bundle",
    "in use": "in use",
    "no room": "in use, no room now",
    "fills": "in the next bundle",
    "": "",
    "purged": "lost words, in no bundle",
    "rests": "rests, in no bundle",
}
"""Words on screen for where an example is used, in the order of the list."""
Slug = Annotated[str, typer.Argument(metavar="NAME", help="Which one, by its name or words of its title.")]
Slugs = Annotated[
    list[str], typer.Argument(metavar="NAME…", help="Which ones, by their names or words of their titles.")
]
NEXT_PACK = "Next:  reel pack --explain"
"""Next step after a change that `--explain` shows."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    exemplar = typer.Typer(
        epilog="Example:  reel example list",
        help="Examples: exchanges that show how the persona sounds.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    for name, command, example in (
        ("add", add, 'add --from 2026-02-25-1#4-7 --title "The wrong train" --role humor'),
        ("list", list_, "list"),
        ("show", show, "show the-wrong-train"),
        ("anchor", anchor, "anchor the-wrong-train"),
        ("activate", activate, "activate the-wrong-train up-at-five"),
        ("retire", retire, "retire up-at-five"),
    ):
        exemplar.command(name, epilog=f"Example:  reel example {example}")(command)
    app.add_typer(exemplar, name="example")


def add(
    ctx: typer.Context,
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE|-]", help="The exchange, in a text file.")
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="SESSION#4-7", help="Messages of a recorded chat, as they were said."),
    ] = None,
    title: Annotated[str, typer.Option(metavar="TITLE", help="Its title.")] = "",
    role: Annotated[str, typer.Option(metavar="ROLE", help=f"What it is for: {', '.join(ROLES)}.")] = "",
    rests: Annotated[bool, typer.Option("--rests", help="Do not use it in bundles yet.")] = False,
    dry_run: DryRun = False,
) -> None:
    """Put an exchange into the pool, word for word, and use it."""
    from dataclasses import replace

    from reel_cli.core.files.exemplar_file import exemplar_path
    from reel_cli.features.memory.exemplars import plan_add, plan_add_in_use

    opened: OpenKit = ctx.obj.open_kit()
    draft = _read(opened, file, source)
    if not (title or draft.title) and opened.console.interactive:
        opened.console.say(draft.text)
        title = opened.console.ask("What is its title?")
    draft = replace(draft, title=title or draft.title, role=role or draft.role)
    added = opened.now().date().isoformat()
    if rests:
        change, slug = plan_add(opened.snapshot, draft, added=added, rests=True)
    else:
        change, slug = plan_add_in_use(opened.snapshot, draft, added=added)
    if dry_run:
        opened.console.result((change.writes[exemplar_path(slug)] or b"").decode())
    if _keep(opened, change, dry_run=dry_run):
        opened.console.next_step(f"To use it:  reel example activate {slug}" if rests else NEXT_PACK)


def list_(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List the examples, first the one in every bundle."""
    from reel_cli.core.pack.exemplars import LEAST_BESIDE_ANCHOR, count_most

    opened: OpenKit = ctx.obj.open_kit()
    opened.note_if_without_history()
    snapshot = opened.snapshot
    shown = _list_shown(opened)
    pool = sorted(
        snapshot.exemplars.values(), key=lambda e: (list(MARKS).index(_mark(snapshot, e.slug, shown)), e.slug)
    )
    if as_json:
        opened.console.result_json([_as_json(snapshot, exemplar) for exemplar in pool])
        return
    if not pool:
        opened.console.say("There are no examples yet of how the persona sounds.")
        opened.console.next_step('Add one:  reel example add FILE --title "…"')
        return
    rows = [(MARKS[_mark(snapshot, e.slug, shown)], e.slug, e.role, e.title) for e in pool]
    opened.console.result(opened.console.listing(rows, 3))
    if len(pool) > LEAST_BESIDE_ANCHOR + 1:
        most = count_most(snapshot.settings)
        told = f"A chat begins with {most} of them at most, as many as fit. Which, and why:"
        opened.console.say(f"{told}  reel pack --explain")
    opened.console.next_step(f"Read one:  reel example show {pool[0].slug}")


def show(ctx: typer.Context, slug: Slug, as_json: AsJson = False) -> None:
    """Show one exchange, and where it is from."""
    from reel_cli.features.memory.exemplars import find_exemplar

    opened: OpenKit = ctx.obj.open_kit()
    opened.note_if_without_history()
    exemplar = find_exemplar(opened.snapshot, slug)
    if as_json:
        opened.console.result_json({**_as_json(opened.snapshot, exemplar), "text": exemplar.text})
        return
    marks = (MARKS[_mark(opened.snapshot, exemplar.slug)], exemplar.role, exemplar.added, exemplar.source)
    head = ", ".join(mark for mark in marks if mark)
    opened.console.result(f"{exemplar.title}\n{head}\n\n{exemplar.text.strip()}")


def anchor(ctx: typer.Context, slug: Slug, dry_run: DryRun = False) -> None:
    """Keep one example in every bundle, also in the smallest."""
    from reel_cli.features.memory.exemplars import plan_anchor

    opened: OpenKit = ctx.obj.open_kit()
    change = plan_anchor(opened.snapshot, slug)
    _keep_set(opened, change, "It is in every bundle already.", NEXT_PACK, dry_run=dry_run)


def activate(ctx: typer.Context, slugs: Slugs, dry_run: DryRun = False) -> None:
    """Use examples in bundles."""
    from reel_cli.features.memory.exemplars import plan_activate

    opened: OpenKit = ctx.obj.open_kit()
    change = plan_activate(opened.snapshot, slugs)
    _keep_set(opened, change, "All of them are in use already.", NEXT_PACK, dry_run=dry_run)


def retire(ctx: typer.Context, slugs: Slugs, dry_run: DryRun = False) -> None:
    """No longer use examples in bundles; they stay in the kit."""
    from reel_cli.features.memory.exemplars import plan_retire

    opened: OpenKit = ctx.obj.open_kit()
    change = plan_retire(opened.snapshot, slugs)
    after = "Next:  reel example list"
    if change is not None:
        before = opened.snapshot.active.resting
        gone = [slug for slug in opened.snapshot.after(change).active.resting if slug not in before]
        if gone:
            which = "it" if len(gone) == 1 else "them"
            after = f"No bundle shows {which} now."
            if not any(opened.snapshot.exemplars[slug].lost_words for slug in gone):
                after += f" To use {which} again:  reel example activate {' '.join(gone)}"
    _keep_set(opened, change, "None of them is in use.", after, dry_run=dry_run)


def _read(opened: OpenKit, file: str | None, source: str | None) -> "Draft":
    from reel_cli.features.memory.exemplars import quote_tape, read_draft
    from reel_cli.terminal.input.given_text import read_given

    if (file is None) == (source is None):
        message = "Say where the exchange is: either a file, or messages of a recorded chat."
        raise UsageError(message, hint="reel example add --from 2026-02-25-1#4-7")
    if source is not None:
        span = parse_source(source)
        if span is None:
            message = f"{source!r} does not name messages of a recorded chat."
            raise ReelError(message, hint="write it as  2026-02-25-1#4-7 : the chat, then its messages")
        return quote_tape(opened.snapshot, span)
    return read_draft(read_given(file or "-"), "pasted" if file == "-" else Path(file or "").name)


def _keep_set(opened: OpenKit, change: "Change | None", otherwise: str, after: str, *, dry_run: bool) -> None:
    from reel_cli.features.memory.exemplars import require_approved_rotation

    require_approved_rotation(opened.snapshot, opened.repository)
    if change is None:
        opened.console.say(otherwise)
        return
    if _keep(opened, change, dry_run=dry_run):
        opened.console.next_step(after)


def _keep(opened: OpenKit, change: "Change", *, dry_run: bool) -> bool:
    """Show what changes, and commit it; return False if nothing is to be changed."""
    from reel_cli.core.kit.snapshot import ACTIVE
    from reel_cli.features.memory.exemplars import require_approved_rotation

    repository = opened.require_repository()
    if ACTIVE in change.writes:
        require_approved_rotation(opened.snapshot, repository)
    for note in change.notes:
        opened.console.say(note)
    if dry_run:
        opened.console.say(f"{change.told[:1].upper()}{change.told[1:]}. Nothing was changed (--dry-run).")
        return False
    opened.commit(change)
    opened.console.result(f"{change.told}.")
    return True


def _list_shown(opened: OpenKit) -> frozenset[str] | None:
    """Return the examples in the bundle that `reel pack` makes now; None where it cannot make one."""
    from reel_cli.core.pack.build_bundle import BundleRequest, pack_kit

    try:
        with opened.console.waiting("Packing"):
            bundle = pack_kit(opened.root, BundleRequest())
    except ReelError:
        return None
    return frozenset(one.id for one in bundle.loaded if one.ring == "1")


def _mark(snapshot: "Snapshot", slug: str, shown: frozenset[str] | None = None) -> str:
    """Return the mark of an example; with `shown`, those in the next bundle, also whether it is in that."""
    if snapshot.exemplars[slug].lost_words and slug not in snapshot.active.resting:
        return "purged"
    if slug == snapshot.active.anchor:
        return "anchor"
    if slug in snapshot.active.active:
        return "in use" if shown is None or slug in shown else "no room"
    if slug in snapshot.active.resting:
        return "rests"
    return "fills" if shown is not None and slug in shown else ""


def _as_json(snapshot: "Snapshot", exemplar: Exemplar) -> dict[str, Any]:
    return {
        "slug": exemplar.slug,
        "title": exemplar.title,
        "role": exemplar.role,
        "anchor": exemplar.slug == snapshot.active.anchor,
        "active": exemplar.slug in snapshot.active.active or exemplar.slug == snapshot.active.anchor,
        "added": exemplar.added,
        "source": exemplar.source,
    }
