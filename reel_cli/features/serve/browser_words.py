"""Words of the terminal as a person reads them in the browser, who never typed a command."""

import re

_COMMAND = re.compile(r"(?:^|  )reel [a-z]|(?<!\w)--[a-z]")
"""A command or an option, as reel writes them in what it says to a person."""
_ASIDE = re.compile(r"\s*\([^()]*\)")
_CLAUSE = re.compile(r"(?<=[.!?;])\s+")
_NAME = r"(?:M-\d{3,}|\d{4}-\d\d-\d\d-\d+)"
_NAMED = re.compile(rf"\s*\({_NAME}\)|\s+as {_NAME}(?=[,.])|\s*\((?:ring\d|checkpoints|tape)/[^()\s]+\)")
"""An ID or a file of the kit: nothing on the page takes one."""
OTHER_WORDS = (
    ("but has no page yet, so no memory is made of it", "but no memory is made of it yet"),
    ("That looks like a page, not a chat.", "That is an answer about a chat, not the chat itself."),
    ("From the page of", "From what was written on"),
    ("chose it on the page of chat", "chose it after the chat"),
    ("edit of ring0/identity.md", "edit of who it is"),
    ("edit of ring0/directives.md", "edit of its rules"),
    ("edit of ring2/working.md", "edit of where things stand"),
    ("not committed yet", "not kept yet"),
)
"""Words that name the command line's things, and what the page calls them."""


def word_for_browser(text: str) -> str:
    """Return a line of reel's in the words of the page: without IDs and files, beginning with a capital."""
    told = _NAMED.sub("", text)
    for words, other in OTHER_WORDS:
        told = told.replace(words, other)
    return f"{told[:1].upper()}{told[1:]}"


def leave_out_commands(text: str) -> str:
    """Return what was said to a person without what only helps at a terminal: the clauses with commands.

    An error that is nothing else is left as it is.
    """
    lines = []
    for line in text.splitlines():
        start, _, rest = line.partition(": ")
        told = rest if start in ("Error", "Hint") else line.strip()
        told = re.sub(r",? and without a terminal,? reel cannot ask[^.]*", "", told)
        # a day that was chosen on the page is not an option there
        told = re.sub(r"--on (\S+) is still", r"The day \1 is still", told)
        plain = _ASIDE.sub(lambda aside: "" if _COMMAND.search(aside[0]) else aside[0], told)
        clauses = _CLAUSE.split(plain)
        kept = " ".join(one for one in clauses if not _COMMAND.search(one)).strip().rstrip("; ")
        if start == "Hint" and kept:
            kept = f"{kept}{'' if kept.endswith(('.', '?', '!')) else '.'}"
        if kept or start == "Error":
            lines.append(word_for_browser(kept or told))
        elif told.strip() and lines and lines[-1].endswith(":"):
            # it led to this command
            lines[-1] = " ".join(_CLAUSE.split(lines[-1])[:-1])
    return "\n".join(filter(None, lines))
