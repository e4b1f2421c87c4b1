"""The preview of a purge: in some twenty lines, of each list the first and the rest counted, or whole."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from reel_cli.core.ports import bring
from reel_cli.core.shell import quote_path
from reel_cli.core.values.change import name_some, one_line, tell_many
from reel_cli.features.purge.view import (
    EVERY,
    SHOWN,
    call_trace,
    list_facts,
    name_parts,
    sealed_files,
    tell_changes,
    tell_cut_words,
    tell_going,
    tell_mark,
    tell_out_of_reach,
    tell_waiting,
    to_purge,
    written_otherwise,
)

if TYPE_CHECKING:
    from reel_cli.core.files.kit_files import Retold
    from reel_cli.features.purge.survey import Survey
    from reel_cli.terminal.open_kit import OpenKit

MOST_LINES = 20
"""Lines above which a preview is shortened."""
_NAMED = 3
_IDS = 6
"""Memories up to which the command that forgets them names all."""
_LONGEST = 60


def explain(opened: "OpenKit", found: "Survey", stream: TextIO, again: str = "") -> None:
    """Show what is purged, what goes with it, and what reel does not reach.

    `again` is the command that shows all of it; with "" all is shown, else lists are cut where it is long.
    """
    console = opened.console
    show = console.result if stream is console.out else console.say
    aim = found.aim
    elsewhere = [line for reach in bring("purge_reaches") for line in reach(opened, aim.wanted, aim.session)]
    most = SHOWN if again else EVERY
    blocks = [
        list(tell_going(opened, found, most)),
        list(tell_changes(found)),
        list(tell_out_of_reach(found, most)),
    ]
    blocks += [[line] for line in elsewhere]
    if again and sum(map(len, blocks)) > MOST_LINES:
        head, cut = blocks[0][0], list(tell_cut_words(opened, found))
        blocks = [*_shorten(opened, found, head, cut), *blocks[3:], [f"To see all of it:  {again}"]]
    lines = ["", total] if (total := tell_sum(found)) else []
    for block in blocks:
        if block:
            lines += ["", block[0], *(f"  {line}" for line in block[1:])]
    for line in lines[1:]:
        bare = line.lstrip(" ")
        indent = line[: len(line) - len(bare)]
        show(console.wrap(bare, stream, indent=indent, hang="  ") if bare else "")


def tell_sum(found: "Survey") -> str:
    """Return in one line where it stands and how much keeps it, so that not all has to be heard."""
    places = [tell_many(len(found.stands), "file")] if found.stands else []
    places += [tell_many(found.commit_messages, "commit message")] if found.commit_messages else []
    told = [f"In short: it stands in {name_some(places, _NAMED)} of the kit"] if places else []
    if count := len(found.made_of):
        told.append(f"{count:,} {'memory was' if count == 1 else 'memories were'} made from it")
    if count := len({trace.where for trace in (*found.theirs, *found.written.came)}):
        told.append(f"{tell_many(count, 'file')} of yours {'keeps' if count == 1 else 'keep'} it")
    return f"{'; '.join(told)}." if told else ""


def _shorten(opened: "OpenKit", found: "Survey", head: str, cut: Sequence[str]) -> list[list[str]]:
    """Return the preview's blocks; `cut` says which longer words lose something."""
    return [[head, *_goes(opened, found, cut)], list(_with_it(found)), list(_out_of_reach(found))]


def _goes(opened: "OpenKit", found: "Survey", cut: Sequence[str]) -> Iterator[str]:
    if found.stands:
        files = [one.path for one in found.stands]
        yield f"{tell_many(len(files), 'file')}: {name_some(files, _NAMED)}"
    places = [tell_many(found.commit_messages, "commit message")] if found.commit_messages else []
    places += [f"the git reference {ref}" for ref in found.refs]
    places += ["copies outside the history, such as prompts and caches"] if found.beside else []
    if places:
        yield name_some(places, _NAMED)
    if found.shared[0]:
        yield f"{found.shared[0]:,} of its {found.shared[1]:,} messages stay, where other chats have them too"
    yield from cut
    for told, command in list(name_parts(found, found.leftovers))[:2]:
        yield f"{told}  {command}"
    if facts := list_facts(opened, found):
        yield f"facts that go with it: {name_some(facts, _NAMED)}"
    if made := found.made_of:
        named = [f"{one.id} ({one_line(found.aim.wanted.replace(one.title)[0], 40)})" for one in made]
        way = f".  reel forget {' '.join(one.id for one in made)}" if len(made) <= _IDS else ""
        yield f"memories made from it, which keep their other words: {name_some(named, _NAMED)}{way}"
    if notes := found.came.notes:
        texts = [f"“{one_line(found.aim.wanted.replace(item.text)[0], _LONGEST)}”" for item in notes]
        yield f"notes that came of it, which stay: {name_some(texts, 2)}.  reel edit now"
    if found.had_page:
        yield 'older commits keep what its page told, names too.  reel purge --match "NAME"'
    if woven := found.woven:
        lines = [_place(found, one) for one in woven]
        yield f"may still tell of it, in other words: {name_some(list(dict.fromkeys(lines)), _NAMED)}"


def _place(found: "Survey", one: "Retold") -> str:
    """Return where a passage stands: its line, else its name, without the words that are purged."""
    if one.line:
        return f"{one.path}, line {one.line:,}"
    name = one_line(found.aim.wanted.replace(one.title)[0], 40)
    return f"{one.path} (“{name}”)" if name else one.path


def _with_it(found: "Survey") -> Iterator[str]:
    yield "What changes with it:"
    yield f"the kit's history is written anew from the first change with it on (of {found.commits:,} in all)"
    yield "afterwards, reel undo cannot take back what was done before it"
    if found.uncommitted:
        named = name_some(list(found.uncommitted), _NAMED)
        yield f"taken into the kit's history first, as they are not in it yet: {named}"
    if found.loose:
        named = name_some(list(found.loose), 3)
        yield f"rewritten where they are, and not added to the kit's history: {named}"
    waits = f", with {tell_waiting(found)}" if found.waiting else ""
    stash = f"; {tell_many(found.stashed, 'edit')} in git stash deleted" if found.stashed else ""
    yield f".reel is emptied{waits}{stash}"


def _out_of_reach(found: "Survey") -> Iterator[str]:
    yield "Where it may still be, out of reel's reach:"
    left, written = found.leftovers, found.written
    if left.spellings:
        yield f"in another spelling: {written_otherwise(found, left)}.  {to_purge(found, left)}"
    for session in found.same[:1]:
        yield f"a second recording of the same chat.  reel purge {session}"
    if unsearched := sealed_files(left):
        yield f"inside {unsearched}: not text, so it cannot be searched"
    yours = [call_trace(trace) for trace in (*found.theirs, *written.came)]
    if yours:
        yield f"files of yours, which reel does not touch: {name_some(yours, _NAMED)}"
    if own := [*map(call_trace, written.holding), *written.sealed, *written.away]:
        yield f"files that reel wrote outside the kit: {name_some(own, _NAMED)}"
    for remote in found.remotes:
        push = f"git push --force --all {remote.name}  &&  git push --force --tags {remote.name}"
        yield f"the remote {remote.name} ({one_line(remote.address, 40)}); before you pull from it:  {push}"
    if found.backup is not None:
        yield f"the backup of {found.backup.at[:10]}.  rm {quote_path(found.backup.file)}"
    yield "other copies of the kit, the app you chatted in, what you pasted, your shell's history"
    yield tell_mark(found)
