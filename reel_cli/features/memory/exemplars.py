"""The exemplar pool: what is added to it, and which of it is active (REEL §4.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files import front_matter
from reel_cli.core.files.exemplar_file import (
    exemplar_path,
    parse_exemplar,
    render_exemplar,
    set_active,
    slugify,
)
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.approved_rings import has_pending_rotation
from reel_cli.core.kit.snapshot import ACTIVE, Snapshot
from reel_cli.core.nearest import nearest, resolve_name, settle_names
from reel_cli.core.pack.exemplars import count_most
from reel_cli.core.tape.tape_view import read_session, retracted
from reel_cli.core.tape.transcript import tell_exchange
from reel_cli.core.values.change import Change, for_screen, one_line
from reel_cli.core.values.memory import ROLES, ActiveSet, Exemplar
from reel_cli.core.values.talk import PURGED, Entry, Session, SourceRange

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository


@frozen
class Draft:
    """An exchange on its way into the pool; `source` is a stretch of tape, or where else it is from."""

    text: str
    title: str = ""
    role: str = ""
    source: str = ""


def read_draft(text: str, source: str) -> Draft:
    """Return an exchange from a file, with title and role from its front matter, if any.

    Raises ReelError naming `source` where the front matter is broken.
    """
    document = front_matter.split(text, source)
    role = parse_exemplar(text, source).role if document.text("role") else ""
    return Draft(document.body, document.text("title").strip(), role, document.text("source") or source)


def quote_tape(snapshot: Snapshot, span: SourceRange) -> Draft:
    """Return the messages of a stretch of tape as they were said, each under its speaker's name.

    Raises ReelError where the session was taken back, or has no such messages.
    """
    session = read_session(snapshot, span.session)
    if span.session in retracted(snapshot):
        message = f"Chat {span.session} was taken back, so nothing is quoted from it."
        raise ReelError(message)
    shown = session.shown()
    if not span.last:
        message = (
            f"Chat {span.session} is {len(shown)} messages long; an example is one short exchange of it."
        )
        raise ReelError(message, hint=f"name the messages, like  --from {span.session}#1-2")
    ends = sorted(_find(session, shown, number) for number in (span.first, span.last))
    text = "\n\n".join(tell_exchange(shown[ends[0] : ends[1] + 1], snapshot.settings))
    return Draft(text, source=str(span))


def plan_add_in_use(snapshot: Snapshot, draft: Draft, *, added: str) -> tuple[Change, str]:
    """Plan to add an exchange to the pool and to those that bundles use; as `plan_add`."""
    change, slug = plan_add(snapshot, draft, added=added)
    active = plan_activate(snapshot.after(change), [slug])
    if active is None:
        return change, slug
    return replace(change.also(active.writes), notes=(*change.notes, *active.notes)), slug


def plan_add(snapshot: Snapshot, draft: Draft, *, added: str, rests: bool = False) -> tuple[Change, str]:
    """Plan to add an exchange to the pool; the first one ever is the anchor too. Returns change and slug.

    `added` is a date. One that `rests` is in no bundle until a person activates it, and is no anchor.
    Raises ReelError where it is empty, or in the pool already.
    """
    if not draft.text.strip():
        message = "This exchange is empty."
        raise ReelError(message, hint="an example is what both of you said")
    if not draft.title.strip():
        message = "The exchange needs a title."
        raise ReelError(message, hint='give it one, like  --title "The wrong train"')
    role = draft.role or "general"
    if role not in ROLES:
        message = f"{role!r} is not a role."
        raise ReelError(message, hint=f"take one of these: {', '.join(ROLES)}")
    twin = next((e for e in snapshot.exemplars.values() if e.text.strip() == draft.text.strip()), None)
    if twin is not None:
        message = f"This exchange is an example already: {twin.slug}."
        raise ReelError(message, hint=f"reel example show {twin.slug}")
    title = one_line(draft.title)
    slug = slugify(title, frozenset(snapshot.exemplars))
    exemplar = Exemplar(slug, title, role, draft.text.rstrip("\n") + "\n", added, draft.source)
    change = Change(
        "exemplar",
        f"{_quoted({slug: title})} is {'kept as an example, not shown yet' if rests else 'an example now'}",
        {exemplar_path(slug): render_exemplar(exemplar).encode()},
    )
    if rests:
        now = snapshot.active
        change = change.also(_active_file(snapshot, ActiveSet(now.anchor, now.active, (*now.resting, slug))))
    elif not snapshot.exemplars:
        change = change.also(_active_file(snapshot, ActiveSet(slug, (slug,))))
    return change, slug


def plan_anchor(snapshot: Snapshot, slug: str) -> Change | None:
    """Make an exemplar the calibration anchor, and active; None where it is both."""
    exemplar = find_exemplar(snapshot, slug)
    _require_whole([exemplar])
    now = snapshot.active
    active = now.active if exemplar.slug in now.active else (exemplar.slug, *now.active)
    return _plan_active(
        snapshot,
        ActiveSet(exemplar.slug, active, tuple(s for s in now.resting if s != exemplar.slug)),
        f"{_quoted({exemplar.slug: exemplar.title})} is in every bundle now",
    )


def plan_activate(snapshot: Snapshot, slugs: Sequence[str]) -> Change | None:
    """Plan to add exemplars to the active set; None if all are in it."""
    found = [find_exemplar(snapshot, slug) for slug in _settle(snapshot, slugs)]
    _require_whole(found)
    now = snapshot.active
    fresh = {e.slug: e.title for e in found if e.slug not in now.active}
    anchor = now.anchor or (found[0].slug if not now.active and found else None)
    summary = f"{_quoted(fresh)} in use"
    left = tuple(slug for slug in now.resting if slug not in fresh)
    return _plan_active(snapshot, ActiveSet(anchor, (*now.active, *fresh), left), summary)


def _require_whole(found: Sequence[Exemplar]) -> None:
    """Raise ReelError for an example of which a purge took words: no bundle shows it."""
    for one in found:
        if one.lost_words:
            message = f"A purge took words of “{one_line(one.title, 60)}”, so no bundle shows it."
            raise ReelError(message, hint=f"write it anew in {exemplar_path(one.slug)}, without {PURGED}")


def plan_rest(snapshot: Snapshot, slug: str) -> Change | None:
    """Plan to keep an exemplar out of every bundle until it is activated; None for the anchor."""
    now = snapshot.active
    if slug == now.anchor:
        return None
    resting = tuple(dict.fromkeys((*now.resting, slug)))
    active = tuple(one for one in now.active if one != slug)
    return _plan_active(snapshot, ActiveSet(now.anchor, active, resting), f"{slug} rests")


def plan_retire(snapshot: Snapshot, slugs: Sequence[str]) -> Change | None:
    """Plan to keep exemplars out of every bundle until they are activated; None if all are kept out.

    They stay in the pool. Leaving the active set alone would not do: from a small set, a bundle takes the
    newest of the pool as well. Raises ReelError for the anchor, which is always loaded, while another one is
    in use that could take its place.
    """
    now = snapshot.active
    gone: dict[str, str] = {}
    wanted = _settle(snapshot, slugs)
    others = [slug for slug in now.active if slug != now.anchor and slug not in wanted]
    for slug in wanted:
        if slug not in now.active:
            slug = find_exemplar(snapshot, slug).slug  # noqa: PLW2901
        if slug == now.anchor and others:
            message = f"{slug} is the example that is always there."
            raise ReelError(message, hint=f"keep another one there first:  reel example anchor {others[0]}")
        if slug in now.active or slug not in now.resting:
            exemplar = snapshot.exemplars.get(slug)
            gone[slug] = exemplar.title if exemplar else slug
    active = tuple(slug for slug in now.active if slug not in gone)
    resting = (*now.resting, *(one for one in gone if one in snapshot.exemplars and one not in now.resting))
    anchor = None if now.anchor in gone else now.anchor
    return _plan_active(snapshot, ActiveSet(anchor, active, resting), f"{_quoted(gone)} no longer in use")


def require_approved_rotation(snapshot: Snapshot, repository: "Repository | None") -> None:
    """Refuse a change of the active set while a hand edit of it waits, which it would approve."""
    if has_pending_rotation(snapshot, repository):
        message = f"{ACTIVE} was edited and is not approved yet; nothing was changed."
        raise StateError(message, hint="decide on the edit first:  reel review")


def find_exemplar(snapshot: Snapshot, slug: str) -> Exemplar:
    """Return one example of the pool by its name or words of its title.

    Raises ReelError with the nearest name as a hint, or with all that the words could mean.
    """
    pool = snapshot.exemplars
    name = resolve_name(slug.removesuffix(".md"), _titles(snapshot), "examples")
    if name is not None:
        return pool[name]
    near = nearest(slugify(slug), list(pool))
    message = f"There is no example {slug!r}."
    raise ReelError(message, hint=f"did you mean {near}?" if near else "see them with  reel example list")


def _settle(snapshot: Snapshot, slugs: Sequence[str]) -> list[str]:
    """Return the examples that were named, as one name where they are the words of one title."""
    known = {*snapshot.exemplars, *snapshot.active.active}
    return settle_names(
        slugs, _titles(snapshot), "examples", exact=lambda slug: slug.removesuffix(".md") in known
    )


def _titles(snapshot: Snapshot) -> Mapping[str, str]:
    return {name: exemplar.title for name, exemplar in snapshot.exemplars.items()}


def _find(session: Session, shown: Sequence[Entry], number: int) -> int:
    """Return a message's place among those shown; for a corrected one, raise an error that names the new."""
    place = next((i for i, entry in enumerate(shown) if entry.number == number), None)
    if place is not None:
        return place
    later = [e.number for e in session.entries if number in e.supersedes and e.number is not None]
    if later:
        message = f"Message {number} of chat {session.id} was corrected later."
        raise ReelError(message, hint=f"it is message {later[-1]} now")
    numbers = [entry.number or 0 for entry in shown]
    message = f"Chat {session.id} has no message {number}."
    raise ReelError(message, hint=f"its messages are {min(numbers)} to {max(numbers)}" if numbers else None)


def _plan_active(snapshot: Snapshot, active: ActiveSet, summary: str) -> Change | None:
    if active == snapshot.active:
        return None
    many = len({*active.active, active.anchor})
    most = count_most(snapshot.settings)
    notes = (f"{many} are in use now; a bundle holds {most} at most.",) if many > most else ()
    return Change("exemplar", summary, _active_file(snapshot, active), notes=notes)


def _active_file(snapshot: Snapshot, active: ActiveSet) -> dict[str, bytes]:
    return {ACTIVE: set_active(snapshot.text(ACTIVE) or "", active).encode()}


def _quoted(titles: Mapping[str, str]) -> str:
    """Return examples by their titles on screen, and by their names in the commit's subject."""
    return ", ".join(for_screen(f'"{one_line(title)}"', slug) for slug, title in titles.items())
