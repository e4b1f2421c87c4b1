"""Summaries for which no model is asked: how data files are built, and what changed (MEMORY-MGMT §4)."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from reel_cli.core.errors import ReelError
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.repository import Repository
from reel_cli.core.rings.losses import list_versions, tree_before
from reel_cli.core.values.holdings import Counter
from reel_cli.features.shelf.shelf_file import text_of
from reel_cli.features.shelf.summaries.data_fields import NoData
from reel_cli.features.shelf.summaries.describe_changes import LONGEST, describe_changes
from reel_cli.features.shelf.summaries.describe_data import describe_all
from reel_cli.features.shelf.summaries.plan import BY_REEL, Draft, size_of
from reel_cli.features.shelf.summaries.sources import SummarizedFile, text_reader
from reel_cli.features.shelf.summaries.summary import Style

TWO = 2


@dataclass(frozen=True, slots=True)
class Plain:
    """The summary that needs no model; if there is none, `why` is the reason."""

    draft: Draft | None = None
    why: str = ""


def draft_plain(
    sources: Sequence[SummarizedFile],
    style: str,
    repo: Repository | None,
    counter: Counter,
    *,
    called: str = "",
) -> Plain:
    """Return a summary in this style, made only from the files' contents.

    Raises ReelError where nothing changed, or a file is too long to be compared.
    """
    since = title = ""
    if style == Style.SCHEMA:
        try:
            body = describe_all(sources)
        except NoData as error:
            return Plain(why=error.why)
    elif style == Style.DIFF and len(sources) <= TWO:
        if len(sources) == 1:
            body, since = _since_before(sources[0], repo)
        else:
            body = _between(*sources)
            title = f"From {sources[0].file.name} to {sources[1].file.name}"
    else:
        return Plain(why="what changed is told of one file or of two" if style == Style.DIFF else style)
    tokens = (size_of(sources, counter), counter.count(body))
    draft = Draft(style, body, sources, BY_REEL, title, called=called, since=since, tokens=tokens)
    return Plain(draft)


def _since_before(taken: SummarizedFile, repo: Repository | None) -> tuple[str, str]:
    """Return the changes of a file since its previous version, and the commit that made them."""
    file = taken.file
    if file.watched is not None:
        message = f"Of {file.name} the kit has no earlier version: it is watched where it lies."
        raise ReelError(message, hint="to compare two files, name both")
    now = _text(taken)
    for old, since in _earlier(taken, repo) if repo is not None else ():
        text = text_of(old)
        if text is None or len(text) > LONGEST:
            message = f"{file.name} as it was before is no text that can be compared."
            raise ReelError(message)
        body = describe_changes(text, now, f"What changed in {file.name}")
        if body:
            return body, since
    message = f"{file.name} has no earlier version in the history."
    raise ReelError(message, hint="to compare two files, name both")


def _earlier(taken: SummarizedFile, repo: Repository) -> Iterator[tuple[bytes, str]]:
    """Yield the different versions of a file, newest first, each with its commit."""
    with closing(taken.open()) as opened:
        mine = repo.blob_id(opened.read())
    head = repo.head()
    if head is not None:
        with CommitTree(repo, head) as tree:
            data = tree.read(taken.path) if tree.ids.get(taken.path) != mine else None
        if data is not None:
            # it was edited, and history does not have that version yet
            yield data, head[:12]
    for version in list_versions(repo, taken.path):
        if version.blob != mine:
            with tree_before(repo, version.commit) as tree:
                data = tree.read(taken.path)
            if data is not None:
                yield data, f"{version.commit[:12]}^"


def _between(first: SummarizedFile, second: SummarizedFile) -> str:
    one, other = first.file.name, second.file.name
    body = describe_changes(_text(first), _text(second), f"From {one} to {other}", names=(one, other))
    if not body:
        message = f"{one} and {other} say the same."
        raise ReelError(message)
    return body


def _text(taken: SummarizedFile) -> str:
    if taken.size > LONGEST:
        message = f"{taken.file.name} is too long to be compared: {LONGEST >> 20} MB are the most."
        raise ReelError(message)
    with closing(text_reader(taken)) as opened:
        return opened.read()
