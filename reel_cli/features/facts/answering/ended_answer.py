"""Answers to questions by facts that are over: that it is so, since when, and by which words."""

from collections.abc import Collection, Sequence

from reel_cli.core.tape.search.query import name_words, words
from reel_cli.core.values.search import ENDED_FACT, Question
from reel_cli.core.values.source import parse_source
from reel_cli.features.facts.answering.fact_answer import has_dose, rank_answer
from reel_cli.features.facts.answering.fact_line import FactLine
from reel_cli.features.facts.answering.fact_question import MEDICINE, AskedFact, read_question
from reel_cli.features.facts.answering.own_questions import list_own_keys
from reel_cli.features.facts.replaced.ended_values import EndedFact
from reel_cli.features.facts.statement import state_plainly

_MOST_JOINED = 4
"""Number of facts told in the one line, at most, where more than one answers."""
_OF_OTHERS = ("relationships/", "people/")
"""Beginnings of the IDs of facts that are about somebody else."""


def answer_by_end(question: Question, ended: Sequence[EndedFact]) -> tuple[str, str] | None:
    """Return the ID and line of what is over and would answer a question; None where nothing would for sure.

    A fact must have every word of the thing that is asked about.
    """
    if question.notes is not None or not ended:
        return None
    people = name_words([(role, name) for role, name in question.names.items() if name])
    asked = read_question(question.text, people, question.asker)
    keys = list_own_keys(question.text)
    if any("user" not in people[word] for word in words(question.text) if word in people):
        # a fact is of the user, or names somebody else itself
        return None
    ranked = [(_rank(asked, keys, one, question), one) for one in ended if _stands(question, one)]
    most = max((rank for rank, _ in ranked), default=0)
    best = [one for rank, one in ranked if rank == most][-_MOST_JOINED:] if most else []
    if not best or (len(best) > 1 and asked.kind != MEDICINE):
        return None
    return f"{ENDED_FACT}{best[-1].id}", "; ".join(one.line() for one in best)


def _rank(asked: AskedFact, keys: Collection[str], one: EndedFact, question: Question) -> int:
    """Return how well a fact answered a question until it was over; 0 where it did not."""
    user = question.names.get("user", "")
    past = [(state_plainly(was, user), "") for was in one.noted]
    fact = FactLine(f"fact {one.id}", one.key.replace("_", " ").casefold(), one.statement, past)
    if keys:
        return int(question.asker != "assistant" and " ".join(words(fact.key)) in keys)
    if asked.guesses or asked.lacking(fact.words(past=True)):
        return 0
    if asked.kind == MEDICINE:
        mine = asked.whose != "assistant" and not one.id.startswith(_OF_OTHERS)
        return int(has_dose(fact) and (mine or bool(asked.content)))
    return rank_answer(asked, fact)


def _stands(question: Question, one: EndedFact) -> bool:
    """Return whether a fact was said in the sessions that are searched; one of no chat is if all are."""
    if question.sessions is None:
        return True
    sources = (parse_source(was.source) for was in one.noted)
    return any(source is not None and source.session in question.sessions for source in sources)
