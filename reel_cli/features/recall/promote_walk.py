"""Promotion of a moment that was recalled: to a memory, through an exchange, or to an example."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.exchange.exchange import find_waiting
from reel_cli.core.exchange.open_ask import Ask
from reel_cli.core.files.exemplar_file import exemplar_path
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.shell import quote
from reel_cli.core.stage_chain import remove_syntax
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.tape.voices import is_own, other_voices, persona_names
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import one_line
from reel_cli.core.values.search import WORKING_NOTE
from reel_cli.core.values.talk import SourceRange
from reel_cli.features.memory.exemplars import Draft, plan_add_in_use, quote_tape, require_approved_rotation
from reel_cli.features.page.ask_memory import ask_moment
from reel_cli.features.page.waiting_page import pending, rest_prompt
from reel_cli.features.page.walk import page_walk
from reel_cli.features.recall.moments import first_of_chat
from reel_cli.features.recall.open_recollection import note_recalls, open_recollection, tell_troubles
from reel_cli.terminal.converse import ExchangeOptions, converse, ring0_in_force

if TYPE_CHECKING:
    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.core.tokens.counter import Tokenizer
    from reel_cli.features.recall.moments import Moment
    from reel_cli.features.recall.recall_answer import RecallRequest
    from reel_cli.terminal.open_kit import OpenKit

_NO_CHAT = "This memory names no recorded chat, so it cannot be kept again."
_NO_MOMENT = "This is a note on where things stand, and no moment of a chat, so there is nothing to keep."
TITLE_WORDS = 7
"""Words of what was said that make the title if none is given."""


def ask_promotion(snapshot: Snapshot, ring0: "Ring0", tokenizer: "Tokenizer", moment: "Moment") -> "Ask":
    """Return the ask that makes a moment a memory; its source are the shown messages.

    Raises ReelError where it is not on the tape, or a memory stands for just these messages already.
    """
    span = _span(moment)
    for memory in snapshot.memories.values():
        if span in memory.source:
            message = f"{memory.title} ({memory.id}) is already the memory of this moment."
            raise ReelError(message, hint=f"read it with  reel memory show {memory.id}")
    return ask_moment(snapshot, ring0, tokenizer, span)


def draft_example(snapshot: Snapshot, moment: "Moment") -> Draft:
    """Return the exchange around a moment, word for word, with its first words as title.

    That is what the person said and the persona's answer. Raises ReelError where nobody answered.
    """
    span = exchange_around(snapshot, _span(moment), moment.message or 0)
    return replace(quote_tape(snapshot, span), title=usual_title(snapshot, span))


def exchange_around(snapshot: Snapshot, span: SourceRange, message: int) -> SourceRange:
    """Return the exchange of a message: what the person said, up to the persona's answer."""
    shown = read_session(snapshot, span.session).shown()
    place = next((i for i, entry in enumerate(shown) if entry.number == message), None)
    if place is None:
        text = f"Message {message} is no longer part of chat {span.session}."
        raise ReelError(text)
    others = other_voices(shown, persona_names(snapshot))
    own = [is_own(entry.message, others) for entry in shown]
    asked = [entry.message.role == "user" for entry in shown]
    first = last = place
    while first > 0 and not asked[first]:
        first -= 1
    while last + 1 < len(shown) and not own[last]:
        last += 1
    if not (asked[first] and own[last]):
        text = "Only one of the two spoke in this moment, so it is no example of how the persona answers."
        raise ReelError(text, hint="choose another moment with  --hit 2")
    numbers = [entry.number or 0 for entry in shown[first : last + 1]]
    return SourceRange(span.session, min(numbers), max(numbers))


def usual_title(snapshot: Snapshot, span: SourceRange) -> str:
    """Return the first words of what was lived, for a title."""
    said = read_session(snapshot, span.session).numbered()[span.first].message.text
    words = one_line(remove_syntax(said) or "A moment").split()
    return " ".join(words[:TITLE_WORDS]).rstrip(".,;:!?") + ("…" if len(words) > TITLE_WORDS else "")


def _span(moment: "Moment") -> SourceRange:
    if moment.session is None or moment.span is None:
        raise ReelError(_NO_CHAT, hint="choose another moment with  --hit 2")
    return SourceRange(moment.session, *moment.span)


@dataclass(frozen=True, slots=True)
class PromoteRequest:
    """The moment that is meant: the query's `hit`-th; no query if a prompt waits for its reply."""

    query: str
    wish: "RecallRequest"
    hit: int = 1
    title: str = ""
    prompt: bool = False
    reply: str | None = None


def promote_moment(opened: "OpenKit", what: str, asked: PromoteRequest, manner: ExchangeOptions) -> None:
    """Make the moment a `memory` or an `exemplar`."""
    if not manner.dry_run:
        opened.require_repository()
    if what == "memory":
        _memory(opened, asked, manner)
        return
    if asked.prompt or asked.reply is not None:
        message = "An example is taken as it was said; no model is asked."
        raise UsageError(message, hint="leave out --prompt and --reply")
    _exemplar(opened, asked, manner)


def await_reply(opened: "OpenKit", prompt: str) -> bool:
    """Make a moment's prompt the one that the next reply belongs to; False where reel knows it no more.

    Several can wait for their replies, and a reply given without a query belongs to the newest.
    """
    for value in opened.state.exchanges().values():
        ask = Ask.load(value)
        if ask is None or ask.op != "promote":
            continue
        if prompt.split() in (ask.prompt.split(), rest_prompt(opened, ask).split()):
            opened.state.save_exchange(ask.name, ask.stored)
            return True
    return False


def _memory(opened: "OpenKit", asked: PromoteRequest, manner: ExchangeOptions) -> None:
    def due() -> Ask:
        if not asked.query:
            waiting = pending(opened, "promote", None)
            if waiting is None:
                message = "No prompt about a moment waits for a reply."
                raise UsageError(message, hint="say which moment:  reel recall QUERY --promote")
            return waiting
        moment = find_moment(opened, asked, manner)
        if not manner.as_json and asked.reply is None:
            opened.console.say(f"{moment.text}\n")
        tokenizer = get_tokenizer(opened.snapshot.settings.tokenizer)
        fresh = ask_promotion(opened.snapshot, ring0_in_force(opened), tokenizer, moment)
        return find_waiting(opened.state, Ask, fresh.name) or fresh

    question = "" if opened.sends else "Make this moment a memory?"
    walk = replace(page_walk(opened, manner, "recall --promote", due, due), question=lambda _: question)
    converse(opened, walk, manner, prompt=asked.prompt, reply=asked.reply)


def _exemplar(opened: "OpenKit", asked: PromoteRequest, manner: ExchangeOptions) -> None:
    from reel_cli.terminal.change_report import as_sentence

    if not asked.query:
        message = "Say which moment."
        raise UsageError(message, hint="reel recall QUERY --promote exemplar")
    require_approved_rotation(opened.snapshot, opened.repository)
    console = opened.console
    draft = draft_example(opened.snapshot, find_moment(opened, asked, manner))
    draft = replace(draft, title=asked.title or draft.title)
    if not (manner.yes or manner.dry_run):
        if not console.interactive:
            message = "Nothing was kept: without a terminal, reel cannot ask you."
            raise ReelError(
                message, hint="add --yes to keep it without a question, or --dry-run to only look"
            )
        console.say(f"{draft.text}\n")
        if not asked.title:
            draft = replace(draft, title=console.ask("What is its title?", draft.title))
        if not console.confirm("Keep this as an example?"):
            console.say("Nothing was changed.")
            return
    change, slug = plan_add_in_use(opened.snapshot, draft, added=opened.now().date().isoformat())
    told = as_sentence(change.told)
    if manner.dry_run:
        console.result((change.writes[exemplar_path(slug)] or b"").decode())
        console.say(f"{told} Nothing was changed (--dry-run).")
        return
    applied = opened.commit(change.also({}, ("Reel-Session", draft.source.partition("#")[0])))
    if manner.as_json:
        console.result_json({"commit": applied.commit, "exemplar": slug})
        return
    console.result(told)
    console.next_step("Next:  reel pack --explain")


def find_moment(opened: "OpenKit", asked: PromoteRequest, manner: ExchangeOptions) -> "Moment":
    """Return the moment that is meant; raises ReelError if nothing is certain enough."""
    with open_recollection(opened) as recollection:
        wish = replace(asked.wish, limit=max(asked.hit, asked.wish.limit or 0))
        found = recollection.recall(asked.query, wish)
        tell_troubles(opened, recollection.told)
        if asked.hit > len(found.moments):
            if found.moments:
                message = f"Only {len(found.moments)} moments were found."
                raise ReelError(message, hint=f"see them with  reel recall {quote(asked.query)}")
            message = "Nothing was found that is certain enough to keep."
            raise ReelError(
                message, hint=f"to see what came near:  reel recall {quote(asked.query)} --explain"
            )
        chosen = found.moments[asked.hit - 1]
        if chosen.session is None:
            note = (chosen.hit.note or "").startswith(WORKING_NOTE)
            every = recollection.recall(asked.query, replace(asked.wish, limit=None))
            other = first_of_chat(every.moments)
            hint = f"choose a moment of a chat with  --hit {other}" if other else None
            raise ReelError(_NO_MOMENT if note else _NO_CHAT, hint=hint)
        if not manner.dry_run:
            note_recalls(opened, recollection, [recollection.only(found, chosen)])
    return chosen
