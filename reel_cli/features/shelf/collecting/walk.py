"""Collection at the terminal: what would go, the question, what went, and the follow-ups."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.shell import quote
from reel_cli.core.values.change import one_line
from reel_cli.core.values.sizes import parse_tokens
from reel_cli.features.shelf.advice.policy import action_taken
from reel_cli.features.shelf.collecting.kept_dry_run import (
    SHOWN,
    DryRunReport,
    line_of,
    name_of,
    recall_told,
    remarks,
    tell_marks,
)
from reel_cli.features.shelf.collecting.marks import mark_files
from reel_cli.features.shelf.collecting.policy import DONE, Trigger
from reel_cli.features.shelf.collecting.rows import keep_rows, look_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.features.shelf.collecting.marks import Marks
    from reel_cli.features.shelf.collecting.plan import CollectionPlan
    from reel_cli.terminal.open_kit import OpenKit


@dataclass(frozen=True, slots=True)
class CollectionOptions:
    """The options of a collection; `budget` is how many tokens may be at hand after it."""

    budget: int | None = None
    explain: bool = False
    yes: bool = False
    dry_run: bool = False
    as_json: bool = False
    trigger: Trigger | None = None
    """Its cause, if that is known."""


def collect(opened: "OpenKit", wish: CollectionOptions) -> None:
    """Mark, show, ask, and put away; with `dry_run`, mark and show."""
    console = opened.console
    if wish.dry_run:
        console.result_json(_as_json(mark(opened, wish, quick=True), None, None))
        return
    repository = opened.require_repository()
    marks = mark(opened, wish, quick=False)
    if not wish.yes and (marks.marks or not wish.as_json):
        if marks.marks and not console.interactive:
            message = "Nothing was put away: without a terminal, reel cannot ask you."
            raise ReelError(
                message, hint="add --yes to put it away without a question, or --dry-run to only look"
            )
        _show_marks(opened, marks, wish)
        if marks.marks and not console.confirm("Put it away?", default=True):
            console.say("Nothing was changed.")
            return
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.shelf.collecting.plan import plan_collection

    counter = get_tokenizer(opened.snapshot.settings.tokenizer)
    planned = plan_collection(
        opened.snapshot, repository, counter, marks, now=opened.now(), trigger=wish.trigger
    )
    commit = opened.commit(planned.change).commit if planned is not None else None
    if wish.as_json:
        console.result_json(_as_json(marks, planned, commit))
        return
    if planned is None or commit is None:
        if wish.yes:
            _show_marks(opened, marks, wish)
        return
    _tell(opened, marks, planned, wish)


def parse_budget(text: str) -> int | None:
    """Return how many tokens a person allows; None if nothing is said. Raises ReelError for other text."""
    if not text:
        return None
    return 0 if text.strip() == "0" else parse_tokens(text)


def mark(opened: "OpenKit", wish: CollectionOptions, *, quick: bool) -> "Marks":
    """Return what is to go; `quick` uses what is cached of the shelf, else every file is read."""
    snapshot = opened.snapshot
    if quick:
        opened.note_if_without_history()
        kept = keep_rows(opened.root)
    else:
        from reel_cli.core.tokens.counter import get_tokenizer

        kept = look_rows(opened.overview, get_tokenizer(snapshot.settings.tokenizer))
    return mark_files(
        snapshot,
        kept,
        kit=opened.root,
        budget=wish.budget,
        pending=opened.state.pending_touches(),
        glance=opened.overview,
    )


def _show_marks(opened: "OpenKit", marks: "Marks", wish: CollectionOptions) -> None:
    show_told(opened, tell_marks(marks, explain=wish.explain))


def _tell(opened: "OpenKit", marks: "Marks", planned: "CollectionPlan", wish: CollectionOptions) -> None:
    console = opened.console
    report = planned.report
    files = f"{report.files_affected:,} file{'' if report.files_affected == 1 else 's'}"
    told = f"Put away: {files}, {report.tokens_freed:,} tokens."
    console.result(console.wrap(told, console.out))
    if wish.yes:
        shown = planned.went if wish.explain else planned.went[:SHOWN]
        for one in shown:
            console.result(console.wrap(line_of(one.mark), console.out, hang="    "))
        if len(planned.went) > len(shown):
            console.result(f"and {len(planned.went) - len(shown):,} more")
        for told in remarks(marks):
            console.say(console.wrap(told, console.err, hang="    "))
    for path, why in planned.passed[:SHOWN]:
        console.say(console.wrap(f"{name_of(path)} stays: {one_line(why)}", console.err, hang="    "))
    for went in planned.went:
        if went.postmortem:
            console.say(f"{name_of(went.file.path)} was given up; what did it teach?")
            console.say(f"  reel shelf postmortem {quote(one_line(went.place))}")
    if planned.went:
        console.next_step(f"To bring one back:  reel restore {quote(planned.went[0].file.path)}")


def _as_json(marks: "Marks", planned: "CollectionPlan | None", commit: str | None) -> dict[str, Any]:
    if planned is not None:
        actions: Sequence[dict[str, Any]] = [
            {
                "path": one.file.path,
                "action": DONE[one.mark.action],
                "summary": one.summary or None,
                "why": one.mark.why,
                "place": one.place,
                "superseded_by": one.successor or None,
                "postmortem": one.postmortem,
            }
            for one in planned.went
        ]
    else:
        actions = [
            {
                "path": one.path,
                "action": DONE[one.action],
                "summary": marks.summaries.get(one.path),
                "why": one.why,
            }
            for one in marks.marks
        ]
    report = planned.report if planned is not None else None
    return {
        "commit": commit,
        "gc_report": {
            "triggered_by": report.triggered_by if report else marks.trigger.value,
            "timestamp": report.timestamp if report else None,
            "actions": actions,
            "tokens_freed": report.tokens_freed if report else marks.freed,
            "files_affected": len(actions),
        },
        "waiting": [{"path": one.path, "action": one.action, "why": one.why} for one in marks.waiting],
        "stays": [
            {"path": one.path, "action_taken": action_taken(one), "reason": one.reason} for one in marks.stays
        ],
        "passed": [{"path": path, "why": why} for path, why in (planned.passed if planned else ())],
        "room": {"tokens": marks.room.taken, "most": marks.room.most},
    }


def keep_postmortem(  # noqa: PLR0913 (one file, what is said of it, and how)
    opened: "OpenKit",
    name: str,
    text: str,
    source: str | None,
    *,
    none: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Keep a postmortem that was given, or written in an editor."""
    from reel_cli.features.shelf.collecting.postmortem import find_attempt, plan_postmortem, sheet_for
    from reel_cli.terminal.input.given_text import edit_text, read_given

    console = opened.console
    found = find_attempt(opened.snapshot, name)
    said = text if source is None else read_given(source)
    if not said.strip() and not none:
        if not console.interactive:
            message = "There is no text."
            raise ReelError(
                message,
                hint="give it with  --text  or  --from FILE  , or say that none is needed with  --none",
            )
        said = edit_text(opened.console, opened.state.folder / "postmortem.md", sheet_for(found))
    planned = plan_postmortem(opened.snapshot, found, said, now=opened.now(), none=none)
    commit = opened.commit(planned.change).commit if not dry_run else None
    if as_json:
        console.result_json({"commit": commit, "path": found.place, "postmortem": planned.place or None})
    elif commit is None:
        console.say(f"It would be kept as {planned.place or 'not needed'}. Nothing was changed (--dry-run).")
    else:
        told = f"kept in {planned.place}" if planned.place else "none is needed"
        console.result(console.wrap(f"Postmortem: {told}.", console.out))


def show_collectable(opened: "OpenKit", budget: str, *, explain: bool) -> None:
    """Show what would go, by what is kept of the shelf; nothing is changed."""
    if budget or explain:
        show_told(opened, tell_marks(mark_for_a_look(opened, budget), explain=explain))
    else:
        show_told(opened, recall_told(opened.root, lambda: mark_for_a_look(opened)))
    opened.console.say("Nothing was changed (--dry-run).")


def mark_for_a_look(opened: "OpenKit", budget: str = "") -> "Marks":
    """Mark for a look alone, in which no file is read that was read before."""
    return mark(opened, CollectionOptions(parse_budget(budget), dry_run=True), quick=True)


def show_told(opened: "OpenKit", told: DryRunReport) -> None:
    """Show what would go on stdout, and what is to be known beside on stderr."""
    console = opened.console
    for line in told.lines:
        console.result(console.wrap(line, console.out, hang="    "))
    for line in told.said:
        console.say(console.wrap(line, console.err, hang="    "))
