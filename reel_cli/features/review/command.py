"""`reel review`: what waits for a person's word, and the word itself."""

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.values.review import tell_waiting
from reel_cli.features.review.diff import show_waiting
from reel_cli.terminal.change_report import as_sentence
from reel_cli.terminal.context import Context
from reel_cli.terminal.open_kit import OpenKit
from reel_cli.terminal.options import AsJson, DryRun, Sure

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from reel_cli.core.values.change import Change
    from reel_cli.features.review.proposals import WaitingProposal

Items = Annotated[
    list[str], typer.Argument(metavar="ITEM...", help="What it is about, as reel review names it.")
]
Item = Annotated[str, typer.Argument(metavar="ITEM", help="What it is about, as reel review names it.")]


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    review = typer.Typer(
        epilog="Example:  reel review accept ring0/identity.md",
        help="Decide on what waits for you, one thing at a time.",
        invoke_without_command=True,
        rich_markup_mode=None,
    )
    review.callback(epilog="Example:  reel review accept ring0/identity.md")(list_review)
    review.command("show", epilog="Example:  reel review show ring0/identity.md")(show_item)
    review.command(
        "accept",
        epilog='Example:  reel review accept ring0/identity.md --as "Bo Lind <bo@example.org>" --yes',
    )(accept_items)
    review.command("reject", epilog="Example:  reel review reject ring2/working.md")(reject_items)
    app.add_typer(review, name="review")


def list_review(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Decide on what waits for you, one thing at a time; piped, list it with what each would change."""
    if ctx.invoked_subcommand is not None:
        return
    from reel_cli.features.review.settle import read_waiting

    opened: OpenKit = ctx.obj.open_kit()
    opened.note_if_without_history()
    console = opened.console
    if not as_json and console.interactive and console.out.isatty() and opened.repository is not None:
        from reel_cli.features.review.walk import walk_decisions

        walk_decisions(opened)
        return
    waiting = read_waiting(opened)
    if as_json:
        opened.console.result_json([_as_json(one) for one in waiting])
    elif not waiting:
        opened.console.result(f"{tell_waiting(0)}.")
    else:
        from reel_cli.features.review.numbers import note_printed
        from reel_cli.features.review.proposals import Kind

        for number, one in enumerate(waiting, 1):
            if number > 1:
                opened.console.result("")
            show_waiting(opened, one, opened.console.out, number)
        note_printed(opened, waiting)
        opened.console.say()
        opened.console.next_step("Decide with  reel review accept ITEM  or  reel review reject ITEM")
        if any(one.kind is Kind.CONTRADICTION for one in waiting):
            opened.console.next_step(
                "Of two that do not agree:  reel review accept ITEM --holds newer  (or older, or both)"
            )


def show_item(ctx: typer.Context, item: Item, as_json: AsJson = False) -> None:
    """Show one thing that waits, with all it would change."""
    from reel_cli.features.review.settle import read_waiting

    opened: OpenKit = ctx.obj.open_kit()
    opened.note_if_without_history()
    (one,) = _choose(opened, read_waiting(opened), [item])
    if as_json:
        opened.console.result_json(_as_json(one))
    else:
        show_waiting(opened, one, opened.console.out)


def accept_items(
    ctx: typer.Context,
    items: Items,
    as_name: Annotated[
        str | None, typer.Option("--as", metavar='"NAME <MAIL>"', help="Name of the person who decides.")
    ] = None,
    holds: Annotated[
        str | None,
        typer.Option("--holds", metavar="SIDE", help="Of two that do not agree, keep: both, older or newer."),
    ] = None,
    yes: Sure = False,
    dry_run: DryRun = False,
) -> None:
    """Accept what waits: each becomes a commit. Ring 0 and the pool want an explicit yes, and a name."""
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.review.accept import group_items, needs_a_name, plan_accept
    from reel_cli.features.review.settle import find_same, keeping_context, read_waiting, today_of

    opened: OpenKit = ctx.obj.open_kit()
    repository = opened.require_repository()
    by = _check_name(as_name)
    waiting = read_waiting(opened)
    chosen = _choose(opened, waiting, items)
    edited = {one.item: text for one in chosen if (text := _edit(opened, one, dry_run=dry_run)) is not None}
    asks = holds is None and not (yes or dry_run) and opened.console.interactive
    sides = _which_holds(opened, chosen, holds, ask=asks)
    words = sides | (_usual_words(chosen) if opened.console.interactive else {})
    named = by or (_own_name(opened) if needs_a_name(chosen) else "")
    tokenizer = get_tokenizer(opened.snapshot.settings.tokenizer)
    groups = group_items(chosen)
    # everything is planned before anything is done, so that one refusal refuses all
    for group in groups:
        text = edited.get(group[0].item)
        with _kept_text(opened, text):
            plan_accept(
                opened.snapshot, repository, group, waiting,
                by=named, today=today_of(opened), tokenizer=tokenizer, identity=text,
                word=words.get(group[0].item, ""), told=keeping_context(opened),
            )  # fmt: skip
    _ask_acceptance(
        opened, chosen, edited, seen=sides if asks else (), by=by, named=named, yes=yes, dry_run=dry_run
    )
    if dry_run:
        opened.console.say("Nothing was changed (--dry-run).")
        return
    for group in groups:
        fresh = _reopen(ctx.obj, opened, first=group is groups[0])
        now = read_waiting(fresh)
        told = keeping_context(fresh)
        change = plan_accept(
            fresh.snapshot, repository, find_same(now, group), now,
            by=named, today=today_of(fresh), tokenizer=tokenizer, identity=edited.get(group[0].item),
            word=words.get(group[0].item, ""), told=told,
        )  # fmt: skip
        fresh.commit(change)
        opened.console.result(_tell_accepted(change, group))
        for problem in told.problems:
            opened.console.say(f"  Worth a look: {problem.what}")
        _say_next(opened, change)


def _tell_accepted(change: "Change", group: "Sequence[WaitingProposal]") -> str:
    """Return in a sentence what was accepted; a file that was deleted by hand is let go, not kept."""
    from reel_cli.core.kit.hand_edits import BY_HAND

    if change.op != BY_HAND:
        return as_sentence(change.told)
    files = change.told.removesuffix(", by hand")
    if all(one.after is None for one in group):
        return f"Let go: {files}, deleted by hand."
    return f"Kept: your edit of {files}."


def reject_items(
    ctx: typer.Context,
    items: Items,
    as_name: Annotated[
        str | None,
        typer.Option("--as", metavar='"NAME <MAIL>"', help="Name of the person who decides; optional."),
    ] = None,
    yes: Sure = False,
    dry_run: DryRun = False,
) -> None:
    """Reject what waits: a suggestion goes, a file is as it was. Your text of it is kept aside."""
    from reel_cli.core.shell import join
    from reel_cli.features.review.reject import plan_reject
    from reel_cli.features.review.settle import find_same, read_waiting, today_of

    _check_name(as_name)
    opened: OpenKit = ctx.obj.open_kit()
    opened.require_repository()
    waiting = read_waiting(opened)
    options = [*(["--as", as_name] if as_name else []), *(["--yes"] if yes else [])]
    unseen = not dry_run and (yes or not opened.console.interactive)
    chosen = _choose(
        opened,
        waiting,
        items,
        (lambda item: join(["reel", "review", "reject", item, *options])) if unseen else None,
    )
    for one in chosen:
        plan_reject(opened.snapshot, one, waiting, today_of(opened))
        show_waiting(opened, one, opened.console.err)
    if dry_run:
        opened.console.say("Nothing was changed (--dry-run).")
        return
    if not yes and opened.console.interactive and not opened.console.confirm(_ask_rejection(chosen)):
        opened.console.say("Nothing was changed.")
        return
    for one in chosen:
        fresh = _reopen(ctx.obj, opened, first=one is chosen[0])
        now = read_waiting(fresh)
        _reject(fresh, find_same(now, [one])[0], now)


def _reject(opened: OpenKit, one: "WaitingProposal", waiting: "Sequence[WaitingProposal]") -> None:
    from reel_cli.features.review.settle import carry_out_rejection, where_kept

    _, rejection, copy = carry_out_rejection(opened, one, waiting)
    if rejection.change is None:
        opened.console.result(
            f"{one.item} is as it was." if rejection.data is not None else f"{one.item} is out of the kit."
        )
    else:
        opened.console.result(as_sentence(rejection.change.told))
    if kept := where_kept(opened, one, copy):
        opened.console.say(kept)


# -- what is meant ----------------------------------------------------------------------------


def _choose(
    opened: OpenKit,
    waiting: "Sequence[WaitingProposal]",
    items: "Sequence[str]",
    command: "Callable[[str], str] | None" = None,
) -> "list[WaitingProposal]":
    from reel_cli.features.review.numbers import require_printed
    from reel_cli.features.review.proposals import find_waiting, settle_items

    typed = [_name(opened, item) for item in items]
    require_printed(opened, waiting, typed)
    names = settle_items(waiting, typed, command)
    found = [find_waiting(waiting, name) for name in names]
    return list({one.item: one for one in found}.values())


def _name(opened: OpenKit, item: str) -> str:
    """Return an item as the kit calls it, if it was given as a path from elsewhere."""
    from pathlib import Path

    path = Path(item).absolute()
    root = opened.root.resolve()
    for place in (path, path.resolve()):
        for top in (opened.root, root):
            if place.is_relative_to(top) and not (opened.root / item).exists():
                return place.relative_to(top).as_posix()
    return item


def _reopen(context: Context, opened: OpenKit, *, first: bool) -> OpenKit:
    """Return the kit as the last commit left it; the first time, as the person saw it."""
    return opened if first else context.open_kit()


# -- whose word it is -------------------------------------------------------------------------


def _check_name(given: str | None) -> str:
    from reel_cli.core.git.identity import parse_identity

    if given is None:
        return ""
    found = parse_identity(given)
    if found is None:
        message = f"{given!r} is not a name and a mail address."
        raise UsageError(message, hint='write it as  --as "Bo Lind <bo@example.org>"')
    return f"{found[0]} <{found[1]}>"


def _own_name(opened: OpenKit) -> str:
    """Return the name on commits, which counts as the person's only once they were asked."""
    from reel_cli.features.review.settle import own_name

    if not opened.console.interactive:
        message = "This needs a name and an explicit yes, and without a terminal reel cannot ask."
        raise ReelError(message, hint='give both:  --as "Name <mail>" --yes')
    return own_name(opened)


def _ask_acceptance(
    opened: OpenKit,
    chosen: "Sequence[WaitingProposal]",
    edited: "dict[str, str]",
    *,
    seen: "Collection[str]",
    by: str,
    named: str,
    yes: bool,
    dry_run: bool,
) -> None:
    """Show what is accepted, and get the explicit yes where one is wanted; ReelError without it."""
    from reel_cli.core.shell import quote
    from reel_cli.features.review.accept import needs_a_name

    console = opened.console
    for one in chosen:
        if one.item not in seen:
            show_waiting(opened, _with_text(opened, one, edited.get(one.item)), console.err)
    if dry_run or not needs_a_name(chosen) or (yes and by):
        return
    if not console.interactive:
        message = "This needs an explicit yes, and without a terminal reel cannot ask."
        raise ReelError(message, hint="add --yes if it is meant")
    if not console.confirm(f"Approve this as {named}?", default=False):
        message = "Nothing was changed; it still waits."
        items = " ".join(quote(one.item) for one in chosen)
        raise ReelError(message, hint=f"to take it back:  reel review reject {items}")


def _usual_words(chosen: "Sequence[WaitingProposal]") -> "dict[str, str]":
    """Return the word of the walk's yes for each proposal that has one: an example is shown from now on."""
    from reel_cli.features.review.decision_words import choices_of

    usual = {one.item: next((c.word for c in choices_of(one) if c.key == "y"), "") for one in chosen}
    return {item: word for item, word in usual.items() if word}


def _ask_rejection(chosen: "Sequence[WaitingProposal]") -> str:
    if len(chosen) > 1:
        return f"Reject these {len(chosen)}?"
    return f"Reject {chosen[0].item}?"


def _which_holds(
    opened: OpenKit, chosen: "Sequence[WaitingProposal]", holds: str | None, *, ask: bool
) -> "dict[str, str]":
    """Return which side of each contradiction holds: as given or asked for, "" where nothing was said."""
    from reel_cli.features.review.proposals import Kind

    pairs = [one for one in chosen if one.kind is Kind.CONTRADICTION]
    if holds is not None and not pairs:
        message = "--holds is for two things that do not agree."
        raise UsageError(message, hint="see what waits with  reel review")
    from reel_cli.features.contradictions.settle import NO_QUARREL
    from reel_cli.features.review.decision_words import choices_of

    if not ask:
        return {one.item: holds or "" for one in pairs}
    words = {choice.key: choice.word or NO_QUARREL for one in pairs for choice in choices_of(one)}
    meanings = {choice.key: choice.label for one in pairs for choice in choices_of(one)}
    asked = " ".join(f"{key}: {label}." for key, label in meanings.items())
    found = {}
    for one in pairs:
        show_waiting(opened, one, opened.console.err)
        sides = one.proposal.sides if one.proposal is not None else ()
        # of two values of one fact the newer holds until something else is said
        least = "2" if len({side.where for side in sides}) == 1 else "b"
        key = opened.console.choose(f"Which holds now? {asked}", [*words, "q"], least, meanings)
        if key == "q":
            message = "Nothing was changed; it still waits."
            raise ReelError(message, hint="decide it any time with  reel review")
        found[one.item] = words[key]
    return found


# -- a suggestion in words ----------------------------------------------------------------------


def _edit(opened: OpenKit, one: "WaitingProposal", *, dry_run: bool) -> str | None:
    """Return the identity as the person edits it after a suggestion without exact words."""
    from reel_cli.features.review.accept import needs_an_editor

    if dry_run or one.proposal is None or not needs_an_editor(one) or not opened.console.interactive:
        return None
    from reel_cli.core.kit.snapshot import IDENTITY
    from reel_cli.core.shell import quote
    from reel_cli.terminal.input.given_text import edit_text

    show_waiting(opened, one, opened.console.err)
    opened.console.say(f"It does not give the exact words, so {IDENTITY} is opened for you to change.")
    if not opened.console.confirm("Open it now?"):
        message = "Nothing was changed; it still waits."
        raise ReelError(message, hint=f"drop it with  reel review reject {quote(one.item)}")
    from reel_cli.features.review.decisions import identity_text, without_note

    return without_note(
        edit_text(opened.console, opened.state.folder / "identity.md", identity_text(opened, one))
    )


@contextmanager
def _kept_text(opened: OpenKit, text: str | None) -> "Iterator[None]":
    """Keep what the person wrote in a file that the error names, where it is refused."""
    from reel_cli.core.kit.hand_edits import keep_copy
    from reel_cli.core.kit.snapshot import IDENTITY

    try:
        yield
    except ReelError as error:
        if text is not None:
            copy = keep_copy(opened.root, IDENTITY, text.encode(), opened.now())
            kept = f"your text is kept in {copy.relative_to(opened.root)}"
            error.hint = f"{kept}; {error.hint}" if error.hint else kept
        raise


def _with_text(opened: OpenKit, one: "WaitingProposal", text: str | None) -> "WaitingProposal":
    """Return the suggestion with the person's text, to be shown before it is approved."""
    from dataclasses import replace

    before = opened.snapshot.read(one.text_path)
    return one if text is None else replace(one, before=before, after=text.encode())


# -- showing ----------------------------------------------------------------------------------


def _as_json(one: "WaitingProposal") -> dict[str, str]:
    from reel_cli.features.review.diff import render_diff

    return {
        "item": one.item, "kind": one.kind.value, "what": one.what, "why": one.why, "diff": render_diff(one),
    }  # fmt: skip


def _say_next(opened: OpenKit, change: "Change") -> None:
    """Show how an exchange that was just added to the pool comes to be shown."""
    from reel_cli.core.files.exemplar_file import parse_active
    from reel_cli.core.kit.approved_rings import POOL_FILE
    from reel_cli.core.kit.snapshot import ACTIVE

    brought = [path for path, data in change.writes.items() if data is not None and POOL_FILE.fullmatch(path)]
    if change.op != "exemplar" or not brought:
        return
    slug = brought[0].removeprefix("ring1/").removesuffix(".md")
    active = parse_active((change.writes.get(ACTIVE) or b"").decode(), ACTIVE)
    if slug not in active.active and slug != active.anchor:
        opened.console.next_step(f"It is not in use yet. To use it:  reel example activate {slug}")
