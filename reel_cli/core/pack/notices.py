"""Notices for the person about a kit that is packed: unapproved edits, a merge, broken lines."""

from collections.abc import Sequence

from reel_cli.core.values.holdings import Holdings

SHOWN_NUMBERS = 5
SHOWN_PATHS = 3


def told_about(holdings: Holdings) -> list[str]:
    """Return the notices for the person about a kit that is packed."""
    told = [
        f"{path} was edited by hand and is not in force yet (the ratified text was packed)."
        " Decide with  reel review"
        for path in holdings.core.waiting
    ]
    if holdings.core.doubt is not None:
        what, mend = holdings.core.doubt
        told.append(f"The text of who the persona is {what}:  {mend}")
    if holdings.core.unapproved:
        told.append(_unapproved(holdings.core.unapproved))
    if holdings.core.drafts:
        told.append(_packed_drafts(holdings.core.drafts))
    told += [
        f"{what} still holds the marks of a merge (<<<<<<< and >>>>>>>). Open the file, keep what is right,"
        " and delete the marks."
        for what, text in (
            ("ring0/identity.md", holdings.core.identity),
            ("ring0/directives.md", holdings.core.directives),
            ("ring2/working.md", holdings.core.working),
        )
        if is_merging(text)
    ]
    if holdings.broken:
        numbers = ", ".join(map(str, holdings.broken[:SHOWN_NUMBERS]))
        more = ", …" if len(holdings.broken) > SHOWN_NUMBERS else ""
        told.append(
            f"ring4/index.md: what stands in line {numbers}{more} is no index line, and was not packed."
        )
    return told


def _unapproved(files: Sequence[tuple[str, str]]) -> str:
    """Return the one line about edits in ring 1 that nobody approved yet."""
    decide = "Decide with  reel review"
    if len(files) == 1:
        path, how = files[0]
        return f"{path} was {_HOW[how]}. {decide}"
    paths = [path for path, _ in files]
    named = ", ".join(paths[:SHOWN_PATHS])
    more = f" and {len(paths) - SHOWN_PATHS:,} more" if paths[SHOWN_PATHS:] else ""
    return (
        f"{len(files):,} changes made by hand in ring1/ are not approved yet ({named}{more}):"
        " bundles still use what was approved last. " + decide
    )


_HOW = {
    "edited": "edited by hand and is not approved yet: bundles still use the last approved text",
    "deleted": "deleted by hand: bundles still use its last approved text",
    "added": "added by hand and is not approved yet: bundles leave it out",
}


def _packed_drafts(paths: Sequence[str]) -> str:
    """Return the notice that an edit before the first chat is packed as it is."""
    named = " and ".join(paths)
    are, they, read = (
        ("are drafts", "they were", "they read") if len(paths) > 1 else ("is a draft", "it was", "it reads")
    )
    return f"{named} {are} until the first chat is recorded; {they} packed as {read} now."


def told_of_drafts(paths: Sequence[str], did: str) -> str:
    """Return the notice that these files have an unreviewed edit, which was packed or sent as it is."""
    many = len(paths) > 1
    were, are, they = ("were", "are", "they read") if many else ("was", "is", "it reads")
    shown = [*paths[:SHOWN_PATHS], *([f"{len(paths) - SHOWN_PATHS:,} more"] if paths[SHOWN_PATHS:] else ())]
    named = " and ".join(part for part in (", ".join(shown[:-1]), shown[-1]) if part)
    return f"{named} {were} edited by hand and {are} not reviewed yet, and {did} as {they} now"


def is_merging(text: str) -> bool:
    """Return whether a text holds git's conflict markers."""
    lined = f"\n{text}"
    return all(f"\n{mark * 7}" in lined for mark in "<=>")
