"""What a person should know of a kit when it is packed: edits not in force, a merge, broken lines."""

from reel_cli.model.holdings import Holdings

SHOWN_NUMBERS = 5


def told_about(holdings: Holdings) -> list[str]:
    """What a person should know of a kit when it is packed."""
    told = [
        f"{path} was edited by hand and is not in force yet (the ratified text was packed)."
        " Decide with  reel review"
        for path in holdings.core.waiting
    ]
    told += [
        f"{path} was edited by hand and is not reviewed yet; it was packed as it reads now. Look at it with"
        "  reel review"
        for path in holdings.core.drafts
    ]
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


def is_merging(text: str) -> bool:
    """Whether a text holds the marks that git leaves where two changes could not be made one."""
    lined = f"\n{text}"
    return all(f"\n{mark * 7}" in lined for mark in "<=>")
