"""A model asks for files of the shelf to be put away: those it names, or those that are due (MEMORY-MGMT §8).

Naming a file is advice to let it go, and is weighed as such; what is due goes as `reel shelf gc` has it.
Either way what waits names every file, so that a person accepts what they have read and nothing else.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.glance import Glance
from reel_cli.core.moment import stamp
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import Change, one_line
from reel_cli.features.shelf.advice.plan import AdviceGiven, plan_advice, weigh
from reel_cli.features.shelf.advice.reply import read_advice
from reel_cli.features.shelf.collecting.kept_dry_run import SHOWN, line_of, name_of
from reel_cli.features.shelf.collecting.marks import Marks, mark_files
from reel_cli.features.shelf.collecting.plan import CollectionPlan, plan_collection
from reel_cli.features.shelf.collecting.policy import Trigger
from reel_cli.features.shelf.collecting.rows import look_rows
from reel_cli.features.shelf.shelf_file import SHELF

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.tokens.counter import Tokenizer

MOST_AT_ONCE = 500
"""Maximum number of files put away at once; the others are asked about again."""


@dataclass(frozen=True, slots=True)
class PutAwayRequest:
    """The files that a model wants to put away, and why.

    `files` are hints as `memory.advise` has them under `cold`; `due` the kit paths of what was due when it
    asked and named none, None where that is not looked up yet.
    """

    why: str
    files: Sequence[Mapping[str, str]] = ()
    due: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class Away:
    """The plan for putting files away: the change, what goes, and what stays, each with a reason."""

    change: Change
    going: CollectionPlan
    problems: tuple[Problem, ...] = ()

    @property
    def paths(self) -> list[str]:
        """Return the kit paths of what goes."""
        return [one.file.path for one in self.going.went]

    def tell(self) -> str:
        """Return what goes, a line each, and what stays."""
        went = self.going.went
        lines = [f"- {line_of(one.mark)}" for one in went[:SHOWN]]
        if len(went) > SHOWN:
            lines.append(f"- and {len(went) - SHOWN:,} more")
        stays = [f"- {one.what}" for one in self.problems[:SHOWN]]
        return "\n".join(["To be put away:", *lines, *(["As it was:", *stays] if stays else [])])


def render_wanted(wanted: PutAwayRequest) -> str:
    """Return the request as JSON that a person can read: each file on its own line."""
    key, each = ("cold", wanted.files) if wanted.files else ("due", wanted.due or ())
    lines = ",\n".join(f"  {json.dumps(one, ensure_ascii=False)}" for one in each)
    return f'{{"why": {json.dumps(wanted.why, ensure_ascii=False)},\n "{key}": [\n{lines}\n ]}}'


def parse_wanted(text: str) -> PutAwayRequest | None:
    """Return the request that `render_wanted` wrote; None for anything else."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict) or not isinstance(told.get("why"), str):
        return None
    cold, due = told.get("cold"), told.get("due")
    if isinstance(cold, list) and cold and all(_is_hint(one) for one in cold):
        return PutAwayRequest(told["why"], cold)
    if isinstance(due, list) and all(isinstance(one, str) for one in due):
        return PutAwayRequest(told["why"], due=due)
    return None


def _is_hint(one: object) -> bool:
    return isinstance(one, dict) and all(isinstance(part, str) for pair in one.items() for part in pair)


def plan_away(  # noqa: PLR0913 (the kit and its history, what is wanted, and when)
    snapshot: "Snapshot",
    repository: "Repository",
    wanted: PutAwayRequest,
    now: datetime,
    tokenizer: "Tokenizer",
    pending: Sequence[str] = (),
) -> Away:
    """Plan to put away the requested files, as far as the kit's rules allow: one commit, advice and all.

    `pending` are journal lines that no commit holds yet. Raises ReelError where nothing of it can go, with
    the reasons, or where a file of the kit cannot be read.
    """
    advised: Change | None = None
    stays: list[Problem] = []
    only = None if wanted.due is None else frozenset(wanted.due)
    later = snapshot
    if wanted.files:
        given, left_out = _advice(wanted, now)
        weighed = weigh(snapshot, given, now, pending)
        _require_files(weighed.named)
        stays += [*left_out, *weighed.problems]
        named = (one for one in weighed.told if one.path in weighed.named)
        stays += [_stays(one.path, one.reason) for one in named if not one.lets_go]
        only = weighed.named
        advised = plan_advice(snapshot, given, now, pending)
        later = snapshot.after(advised)
    marks = _mark(later, tokenizer, pending)
    marks, more = _only(marks, only)
    stays += more
    going = plan_collection(later, repository, tokenizer, marks, now=now, trigger=Trigger.EXPLICIT)
    if going is None or not going.went:
        reasons = " ".join(one.what for one in stays[:3])
        raise ReelError(f"Nothing of that can be put away now. {reasons}" if stays else _NOTHING)
    stays += [
        Problem(name_of(path), f"{name_of(path)} stays: {one_line(why)}.") for path, why in going.passed
    ]
    change = going.change
    if advised is not None:
        change = replace(
            change,
            writes={**advised.writes, **change.writes},
            trailers=(*advised.trailers, *change.trailers),
            notes=advised.notes,
        )
    else:
        change = replace(change, notes=(wanted.why,))
    return Away(change, going, tuple(stays))


_NOTHING = "There is nothing to put away."


def _advice(wanted: PutAwayRequest, now: datetime) -> tuple[AdviceGiven, tuple[Problem, ...]]:
    text = json.dumps({"why": wanted.why, "cold": [*wanted.files]}, ensure_ascii=False)
    read = read_advice(text)
    if read.advice is None:
        raise ReelError(read.refusal, hint="name files on the shelf, each with why")
    return AdviceGiven(read.advice, stamp(now)), read.problems


def _require_files(named: frozenset[str]) -> None:
    other = next((path for path in sorted(named) if not path.startswith(f"{SHELF}/")), None)
    if other is not None:
        message = f"{one_line(other, 80)} is no file on the shelf."
        raise ReelError(message, hint="say with advise what else can go; memories fade by themselves")


def _mark(snapshot: "Snapshot", tokenizer: "Tokenizer", pending: Sequence[str]) -> Marks:
    kit = snapshot.tree.root if isinstance(snapshot.tree, WorkTree) else None
    glance = Glance(WorkTree(kit), snapshot.name, kit) if kit is not None else snapshot
    return mark_files(snapshot, look_rows(glance, tokenizer), kit=kit, pending=pending)


def _only(marks: Marks, paths: frozenset[str] | None) -> tuple[Marks, list[Problem]]:
    """Return the marks on these files (all if none are named), and those that wait for a summary."""
    chosen = [one for one in marks.marks if paths is None or one.path in paths][:MOST_AT_ONCE]
    waits = [one for one in marks.waiting if paths is None or one.path in paths]
    told = [
        Problem(name_of(one.path), f"{name_of(one.path)} stays for now: {one.why}; summarize it first.")
        for one in waits
    ]
    return replace(marks, marks=chosen, done=()), told


def _stays(path: str, why: str) -> Problem:
    name = name_of(path)
    return Problem(name, f"{name} stays: {one_line(why).rstrip('.')}.")
