"""A chat that is part of a thread or is not, and how the thread is called, as it waits in `reel review`."""

from contextlib import suppress
from datetime import date

from reel_cli.core.errors import ReelError
from reel_cli.core.files.review_file import review_path
from reel_cli.core.kit.proposal_kind import ProposalInWords, ProposalKind
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.values.change import Change, for_screen
from reel_cli.core.values.review import Proposal, ReviewKind
from reel_cli.core.values.talk import SESSION_ID
from reel_cli.features.threads.naming.files import NAMES, NamedThread, parse_named, put_named, render_named

TRAILER = "Reel-Thread"
BELONGS, NOT_PART = "belongs", "not"


def propose_thread(said: NamedThread, session: str, made: str) -> Proposal:
    """Return the proposal to note what a page said of a thread; its text is the entry of the file."""
    title = f"The chat {tell_thread(said, said.key)}"
    return Proposal(f"{session}-thread", ReviewKind.THREAD, session, made, title, render_named(said))


def tell_thread(said: NamedThread, name: str) -> str:
    """Return a chat's verb and object, on one line; `name` is the thread's until now."""
    return f"{_verb(said)} “{name}”" + _renamed(said, ", to be called")


def _verb(said: NamedThread) -> str:
    return "is no part of" if said.others else "goes on with"


def _renamed(said: NamedThread, words: str) -> str:
    """Return the clause that tells the new name; "" where none was given."""
    return f"{words} “{said.theme}”" if said.theme else ""


def _said_in(proposal: Proposal) -> NamedThread:
    found = parse_named(proposal.text, review_path(proposal.id))
    if len(found) != 1:
        message = f"{review_path(proposal.id)} should name one thread."
        raise ReelError(message, hint=f"drop it with  reel review reject {proposal.id}")
    return found[0]


def _tell(snapshot: Snapshot, proposal: Proposal) -> ProposalInWords:
    said = _said_in(proposal)
    before = next(
        (one for one in parse_named(snapshot.text(NAMES) or "") if one.means(said.key)), NamedThread(said.key)
    )
    chat = _chat(proposal.session)
    what = f"{chat} {_verb(said)} “{before.name}”"
    why = f"{snapshot.settings.name} says so on its page" + _renamed(said, ", and would call that")
    lines = [f"{chat[:1].upper()}{chat[1:]} {'is no part of it' if said.others else 'is part of it'}."]
    if said.is_none:
        lines = ["It is no thread."]
    if said.theme and said.theme != before.name:
        lines.append(f"It is called “{said.theme}”, until now “{before.name}”.")
    return ProposalInWords(what, why, "\n".join(lines) + "\n", path=NAMES)


def _accept(snapshot: Snapshot, proposal: Proposal, _today: str, _word: str) -> Change:
    """Return the change that notes it in the file; raises ReelError where that cannot be read."""
    said = _said_in(proposal)
    text = put_named(snapshot.text(NAMES) or "", said)
    parse_named(text)
    session = proposal.session
    about = (("Reel-Session", session),) if SESSION_ID.fullmatch(session) else ()
    items = ((BELONGS, said.members), (NOT_PART, said.others))
    trailers = (*about, *((TRAILER, f"{how} {item}") for how, given in items for item in given))
    writes: dict[str, bytes | None] = {NAMES: text.encode(), review_path(proposal.id): None}
    if said.is_none:
        # as a person edited it
        return Change("review", for_screen(f"“{said.key}” is no thread", "no thread"), writes, trailers)
    summary = for_screen(f"the chat {_verb(said)} “{said.name}”", f"a chat {_verb(said)} a thread")
    return Change("review", summary, writes, trailers)


def _chat(session: str) -> str:
    """Return a chat by its day; by its name where that has none."""
    with suppress(ValueError):
        return f"the chat of {day_in_words(date.fromisoformat(session[:10]))}"
    return f"chat {session}"


THREADS = ProposalKind(ReviewKind.THREAD, _tell, _accept, names=lambda proposal: [_said_in(proposal).name])
