"""View of a purge, planned or done: first of all what cannot be undone."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.shell import quote, quote_path
from reel_cli.core.tape.erasure.fingerprint import LEAST_WORDS
from reel_cli.core.values.change import name_some, one_line, tell_many

if TYPE_CHECKING:
    from reel_cli.core.files.kit_files import Retold
    from reel_cli.features.purge.leftovers import Leftovers, OtherSpelling
    from reel_cli.features.purge.plan import PurgeResult
    from reel_cli.features.purge.scan import Trace
    from reel_cli.features.purge.survey import MadeOf, Stand, Survey
    from reel_cli.terminal.console import Console
    from reel_cli.terminal.open_kit import OpenKit

SHOWN = 12
"""Maximum number of files named one by one; more are counted."""
EVERY = 1 << 30
NUMBERS = 8
SEALED = 3
_PAGE = "Older commits keep what its page told of it, the names in it too."
_NAME = 'To remove a name from all of that for good:  reel purge --match "NAME"'


def survey_as_json(found: "Survey") -> Mapping[str, object]:
    """Return the survey as JSON."""
    from reel_cli.features.purge.survey import as_json

    return as_json(found)


def tell_going(opened: "OpenKit", found: "Survey", most: int) -> Iterator[str]:
    """Yield what goes, and what of it stays; of each list at most so many."""
    name = opened.snapshot.settings.name
    what = f"The chat {found.aim.session}, as it was said," if found.aim.session else "This text"
    yield f"{what} is removed from {name} for good. No undo, restore or older commit brings it back."
    for stand in found.stands[:most]:
        yield _place(stand)
    if len(found.stands) > most:
        yield f"and {tell_many(len(found.stands) - most, 'more file')}; --json names them all"
    if found.commit_messages:
        yield f"{tell_many(found.commit_messages, 'commit message')}, or the name of a commit's author"
    for ref in found.refs:
        yield f"the git reference {ref}"
    if found.shared[0]:
        shared, said = found.shared
        was = "message was" if said == 1 else "messages were"
        yield f"{shared:,} of its {said:,} {was} said in other chats too; there they stay."
    if found.beside:
        yield "copies outside the history: edits you put aside, older versions, prompts and caches"
    yield from tell_cut_words(opened, found)
    for told, command in name_parts(found, found.leftovers):
        yield told
        yield f"  {command}"
    yield from _facts(opened, found, most)
    yield from _made(found, most)
    if found.woven:
        yield from _retold(found, most)


def tell_cut_words(opened: "OpenKit", found: "Survey") -> Iterator[str]:
    """Yield the longer words that the text is a part of: *Vos* cuts the name *Voss* as well."""
    if found.aim.session:
        return
    from reel_cli.features.purge.leftovers import longer_words

    settings, wanted = opened.snapshot.settings, found.aim.wanted
    texts = [opened.snapshot.text(stand.path) or "" for stand in found.stands]
    words = dict.fromkeys(word for text in texts for word in longer_words(wanted, text))
    if words:
        yield f"It is part of longer words, and is cut out of them too: {name_some(list(words), NUMBERS)}"
    for name, whose in ((settings.name, "the persona's name"), (settings.user or "", "your name")):
        if longer_words(wanted, name):
            yield f"“{name}” is {whose}: it changes everywhere. Purge more of the words around it instead."


def name_parts(found: "Survey", left: "Leftovers") -> Iterator[tuple[str, str]]:
    """Yield for each part of a name that stays where it stands alone: that it does, and how it goes."""
    for part in left.parts:
        where = f"on {tell_many(part.lines, 'line')}" if part.lines else "in older versions"
        if found.aim.hidden:
            # what was typed unseen is shown in no part either
            yield f"A word of it alone stands {where}, and stays. To purge that too:", "reel purge --match -"
            continue
        told = f"“{part.word}” alone stands {where}, and stays. To purge that too:"
        yield told, f"reel purge --match {quote(part.word)}"


def _made(found: "Survey", most: int) -> Iterator[str]:
    """Yield the memories and notes that came of it, and that its page stays in older commits."""
    if found.made_of:
        yield "Memories made from it:"
        for one in found.made_of[:most]:
            yield f"  {_memory(found, one)}: {_loses(found, one)}"
        yield f"  To see one:  reel memory show {found.made_of[0].id}"
        yield f"  To let {'it' if len(found.made_of) == 1 else 'them'} go too:  reel forget {_ids(found)}"
        yield '  To remove other words too:  reel purge --match "THE WORDS"'
    if found.came.notes:
        yield from _notes(found, most)
    if found.had_page:
        yield _PAGE
        yield f"  {_NAME}"


def list_facts(opened: "OpenKit", found: "Survey") -> Sequence[str]:
    """Return the facts known from a chat, which go with it, those that keep somebody safe first."""
    if not found.aim.session:
        return ()
    from reel_cli.core.kit.known_facts import read_known
    from reel_cli.core.values.talk import parse_source

    try:
        held = read_known(opened.snapshot).held
    except ReelError:
        # the file itself is among those named
        return ()
    rows = [
        row
        for row in held
        if (span := parse_source(row.source)) is not None and span.session == found.aim.session
    ]
    rows.sort(key=lambda row: not row.protects)
    return [f"{row.key}{', which keeps somebody safe' if row.protects else ''}" for row in rows]


def _facts(opened: "OpenKit", found: "Survey", most: int) -> Iterator[str]:
    if rows := list_facts(opened, found):
        yield "Facts known from it, which go with it:"
        yield from (f"  {row}" for row in rows[:most])
        if len(rows) > most:
            yield f"  and {len(rows) - most:,} more"
        yield '  To keep one, note it afterwards:  reel fact add KIND NAME "VALUE"'


def _retold(found: "Survey", most: int = SHOWN) -> Iterator[str]:
    yield "Said in other words, and stays; read it there:"
    for passage in found.woven[:most]:
        yield f"  {_woven(found, passage)}"
    if len(found.woven) > most:
        yield f"  and {len(found.woven) - most:,} more"


def written_otherwise(found: "Survey", left: "Leftovers") -> str:
    """Return the other spellings, each with its first file, in one line; of a hidden text the files alone."""
    if found.aim.hidden:
        return name_some([_standing(one) for one in left.spellings], NUMBERS)
    return name_some([f"{one_line(one.form, 70)} ({_standing(one)})" for one in left.spellings], NUMBERS)


def _standing(one: "OtherSpelling") -> str:
    if not one.places:
        return "in older versions"
    more = f" and {tell_many(len(one.places) - 1, 'more file')}" if one.places[1:] else ""
    return f"{one_line(one.places[0], 70)}{more}"


def to_purge(found: "Survey", left: "Leftovers") -> str:
    """Return the command that purges the other spellings, or the first if they differ in more than case."""
    from reel_cli.core.tape.erasure.target import PurgeTarget

    text = found.aim.wanted.texts[0]
    if all(PurgeTarget((text,), any_case=True).stands_in(one) for one in left.forms):
        # what was typed unseen gets into no shell's history
        return f"reel purge --match {'-' if found.aim.hidden else quote(text)} --any-case"
    # whole: a command with an ellipsis in it finds nothing, nor does one without a soft hyphen
    form = next((one for one in left.forms if one.isprintable()), None)
    if form is None or found.aim.hidden:
        place = next((one.places[0] for one in left.spellings if one.places), "an older version")
        return f"reel purge --match -   (paste it as it stands in {one_line(place, 70)})"
    return f"reel purge --match {quote(form)}"


def _memory(found: "Survey", one: "MadeOf") -> str:
    return f"{one.id}  {one_line(found.aim.wanted.replace(one.title)[0], 60)}"


def _woven(found: "Survey", one: "Retold") -> str:
    place = f"{one.path}, line {one.line:,}" if one.line else one.path
    name, words = (found.aim.wanted.replace(text)[0] for text in (one.title, one.words))
    return f"{place}: {one_line(f'{name}: {words}' if words and name != one.title else name, 90)}"


def _ids(found: "Survey") -> str:
    return " ".join(one.id for one in found.made_of)


def _notes(found: "Survey", most: int = SHOWN) -> Iterator[str]:
    yield "Notes that came of it (they stay):"
    for item in found.came.notes[:most]:
        yield f"  {item.section}: {one_line(found.aim.wanted.replace(item.text)[0], 80)}"
    if len(found.came.notes) > most:
        yield f"  and {len(found.came.notes) - most:,} more"
    yield "  To take them out:  reel edit now"


def _loses(found: "Survey", one: "MadeOf") -> str:
    if not one.loses:
        return "stays; read whether it says the same in other words"
    if found.aim.session:
        return "its quotation goes, its other words stay; read it"
    return "these words are cut out; the memory stays, and its other words too"


def _place(stand: "Stand") -> str:
    where = stand.path
    if stand.whole:
        where += ": all of it"
    elif stand.messages:
        word = "message" if len(stand.messages) == 1 else "messages"
        where += f": {word} {_numbers(stand.messages)}"
    elif stand.lines:
        where += f": line{'' if len(stand.lines) == 1 else 's'} {_numbers(stand.lines)}"
    elif stand.commits:
        where += ": only in history"
    count = f"in {tell_many(stand.commits, 'commit')}" if stand.commits else "not committed yet"
    return f"{where}, {count}"


def tell_changes(found: "Survey") -> Iterator[str]:
    """Yield what changes beside."""
    yield "What changes with it:"
    yield f"the kit's history is written anew from the first change with it on (of {found.commits:,} in all)"
    if found.uncommitted:
        paths = list(found.uncommitted)
        yield f"taken into the kit's history first, as they are not in it yet: {name_some(paths, 3)}"
    if found.loose:
        named = name_some(list(found.loose), 3)
        yield f"rewritten where they are, and not added to the kit's history: {named}"
    waits = f", nor {tell_waiting(found)}" if found.waiting else ""
    yield "afterwards, reel undo cannot take back what was done before it"
    yield f".reel is emptied: reel makes caches again, but not the prompts and bundles in it{waits}"
    if found.stashed:
        yield f"{tell_many(found.stashed, 'edit')} that you put aside with git stash: deleted"
    yield "git forgets which versions it had open before, and what it fetched from other copies"


def tell_waiting(found: "Survey") -> str:
    """Return how many prompts were handed out whose answers cannot be kept after the purge."""
    whose = "whose answer was" if found.waiting == 1 else "whose answers were"
    return f"{tell_many(found.waiting, 'prompt')} {whose} not kept yet"


def nowhere(found: "Survey", *, by_text: bool) -> ReelError:
    """Return the error for when there is nothing to purge."""
    message = "That text is nowhere in this kit or its history; nothing was changed."
    how = "check the spelling" if by_text else "it was purged before"
    left = found.leftovers
    if left.spellings:
        message = "It is nowhere as you wrote it; nothing was changed. It is there in another spelling:"
        message = f"{message} {written_otherwise(found, left)}."
        how = f"to purge that:  {to_purge(found, left)}"
    if unsearched := sealed_files(left):
        message += f" Not searched, because they are not text: {unsearched}."
    if found.written.holding:
        where = name_some([call_trace(trace) for trace in found.written.holding], SHOWN)
        message += f" Files that reel wrote outside the kit have it: {where}."
        how = "delete them, or write them again"
    if found.written.came:
        where = name_some([call_trace(trace) for trace in found.written.came], SHOWN)
        message += f" Files of yours that chats or answers came from have it: {where}."
    return ReelError(message, hint=how)


def sealed_files(left: "Leftovers") -> str:
    """Return the files that nobody can look into, the first by name; "" if there are none."""
    named = [name_some([one_line(path, 70) for path in left.sealed], SEALED)] if left.sealed else []
    return ", ".join([*named, *([tell_many(left.older, "older file")] if left.older else [])])


def tell_out_of_reach(found: "Survey", most: int) -> Iterator[str]:
    """Yield where it may still be; of each list at most so many."""
    yield "Where it may still be, out of reel's reach:"
    left = found.leftovers
    if left.spellings:
        yield f"in another spelling, which stays: {written_otherwise(found, left)}"
        yield f"  To purge that:  {to_purge(found, left)}"
    for session in found.same:
        yield f"{session}, a second recording of the same chat; to purge it too:  reel purge {session}"
    if unsearched := sealed_files(left):
        yield f"inside {unsearched}: not text, so it cannot be searched"
    for trace in found.theirs:
        yield f"{call_trace(trace)}: it is yours, so reel does not change it"
    if found.written.came:
        yield "files that chats were recorded from, or answers; they are yours, so reel does not touch them:"
        yield from _several([call_trace(trace) for trace in found.written.came], most)
    yield from _written(found, most)
    for remote in found.remotes:
        address = one_line(remote.address, 70)
        yield f"the remote {remote.name} ({address}): before you pull from it, type"
        yield f"  git push --force --all {remote.name}"
        yield f"  git push --force --tags {remote.name}"
        yield "  (reel never does that. Its host may keep old commits; ask it to delete them)"
    if found.backup is not None:
        yield f"the backup {found.backup.file} of {found.backup.at[:10]}: delete it, and make another"
    yield "other copies of the kit: clone them again; pulling from an old one would bring it all back"
    yield "the app you chatted in, what you pasted elsewhere, and your shell's history"
    yield tell_mark(found)


def tell_mark(found: "Survey") -> str:
    """Return whether what is purged is known again when it is recorded once more."""
    if found.prints:
        return "A mark stays in its place, by which reel record leaves it out; nobody can read it from that."
    if found.shared[0]:
        return "No mark is kept of what is in other chats too: it would be left out of those."
    return (
        f"The chats it was in stay without it. But reel keeps no mark to know so short a text by (under"
        f" {LEAST_WORDS} words), since it could be guessed from one: another chat may bring it back."
    )


def _written(found: "Survey", most: int) -> Iterator[str]:
    """Yield the files that reel wrote outside the kit: those with the text, and those it cannot look into."""
    written = found.written
    backup = found.backup.file if found.backup is not None else None
    sealed = [path for path in written.sealed if path != backup]
    if written.holding or sealed:
        yield "files that reel wrote outside the kit; delete them, or write them again afterwards:"
        yield from _several([call_trace(trace) for trace in written.holding], most)
        yield from _several([f"{path}: not text, so it cannot be searched" for path in sealed], most)
    for path in written.away:
        yield f"{path}, which reel wrote: it cannot be read now"


def _several(lines: Sequence[str], most: int) -> Iterator[str]:
    yield from (f"  {one_line(line, 150)}" for line in lines[:most])
    if len(lines) > most:
        yield f"  and {len(lines) - most:,} more; --json names them all"


def show_done(opened: "OpenKit", found: "Survey", done: "PurgeResult", *, let_go: bool) -> None:
    """Report that it is gone, that it was proven, and what is left to do."""
    console = opened.console
    told = f"{tell_many(done.rewritten, 'commit')} rewritten; the newest is {done.commit[:7]}."
    console.result(console.wrap(f"Purged. {told}", console.out))
    for path in done.kept:
        console.say(f"{path} was edited meanwhile; your text was kept, and it may still be there.")
    own = [trace for trace in done.left if not trace.theirs and trace.where not in done.kept]
    if own:
        console.say(f"It is still in {', '.join(call_trace(trace) for trace in own)}: check it.")
    elif not done.kept:
        console.say(f"Every git object and every file of the kit was searched again: {_words(found, done)}.")
    if unsearched := sealed_files(done.leftovers):
        console.say(f"Not searched, because they are not text: {unsearched}.")
    for trace in done.left:
        if trace.theirs:
            console.say(f"Still there, for you to change: {call_trace(trace)}.")
    if found.written.came:
        named = name_some([call_trace(trace) for trace in found.written.came], SHOWN)
        console.say(f"It is still in files of yours that chats or answers came from: {named}.")
    if found.aim.session is None and done.prints == 0:
        console.say("It can be recorded again from another chat: a text this short leaves no mark.")
    if let_go:
        console.say(f"Let go: {found.came.count()}. To bring {found.came.it()} back:  reel undo")
    _what_stays(console, found, done.leftovers, let_go=let_go)
    _tell_copies(console, found)
    console.next_step("Begin a new chat with it in your app: the old one still knows what is gone.")
    console.next_step("To check the recorded chats:  reel tape verify")


def _tell_copies(console: "Console", found: "Survey") -> None:
    """Name the copies outside the kit, with the commands that update or delete them."""
    for remote in found.remotes:
        console.next_step(f"For {remote.name}:  git push --force --all {remote.name}")
    if written := [path for path in found.written.paths if found.backup is None or path != found.backup.file]:
        console.say("Files that reel wrote outside the kit may still have it. To delete them:")
        for path in written:
            console.next_step(f"  rm {quote_path(path)}")
    if found.backup is not None:
        console.next_step(f"The old backup still has it:  rm {found.backup.file}")


def _words(found: "Survey", done: "PurgeResult") -> str:
    """Return how the search ended, and nothing that was not searched for."""
    if found.aim.session:
        apart = ", but for what other chats have too" if found.shared[0] or found.same else ""
        return f"none has a long message or a quotation of that chat{apart}"
    return "as you wrote it, it is in none of them" if done.leftovers.spellings else "it is in none of them"


def _what_stays(console: "Console", found: "Survey", left: "Leftovers", *, let_go: bool) -> None:
    """Name what a person may want to purge next."""
    if left.spellings:
        console.say(f"It is still there in another spelling: {written_otherwise(found, left)}.")
        console.next_step(f"To purge that too:  {to_purge(found, left)}")
    for told, command in name_parts(found, left):
        console.say(told)
        console.next_step(f"  {command}")
    for session in found.same:
        console.say(f"{session} has the same chat and stays. To purge it too:  reel purge {session}")
    if found.aim.session:
        _what_came(console, found, let_go=let_go)


def _what_came(console: "Console", found: "Survey", *, let_go: bool) -> None:
    """Name what was made of a purged chat and stays, with the commands that let go of it."""
    gone = {*(one.id for one in found.came.memories), *found.came.lines} if let_go else set[str]()
    stays = [one for one in found.made_of if one.id not in gone]
    if stays:
        console.say("What was made from it stays, in other words:")
        for one in stays[:SHOWN]:
            console.say(f"  {_memory(found, one)}")
        if len(stays) > SHOWN:
            console.say(f"  and {len(stays) - SHOWN:,} more")
        console.next_step(f"To read one:  reel memory show {stays[0].id}")
    if found.came.notes and not let_go:
        for line in _notes(found):
            console.say(line)
    if found.came and not let_go:
        for command in found.came.commands():
            console.next_step(command)
    if found.had_page:
        console.say(_PAGE)
    if stays or found.had_page:
        console.next_step('To remove words of it too:  reel purge --match "THE WORDS"')
    for line in _retold(found) if found.woven else ():
        console.say(line)


def call_trace(trace: "Trace") -> str:
    """Return a file with the lines that have it."""
    if not trace.lines:
        return trace.where
    if not trace.lines[1:]:
        return f"{trace.where}:{trace.lines[0]}"
    return f"{trace.where}, lines {_numbers(trace.lines)}"


def _numbers(numbers: Sequence[int]) -> str:
    return name_some([str(number) for number in numbers], NUMBERS)
