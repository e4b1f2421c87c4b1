"""Side of a speaker's label: user, assistant or system."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_USER = frozenset({"you", "user", "human", "me"})
_ASSISTANT = frozenset({"assistant", "ai", "bot", "model", "chatbot", "llm", "ai assistant"})
_SYSTEM = frozenset({"system", "developer", "system prompt"})
_AMBIGUOUS = frozenset({"me", "ai", "bot", "model", "llm", "chatbot"})
"""Words that begin a line of any list as well (`Model: X1`)."""
_PRODUCTS = re.compile(
    r"(?:[\w.-]{1,40}/)?"
    r"(?:chat\s?gpt|gpt|claude|gemini|bard|copilot|llama|mistral|mixtral|ministral|magistral|devstral|codestral"
    r"|qwen|qwq|deepseek|grok|kimi|phi|gemma|granite|nemotron|smollm|olmo|glm|hunyuan|ernie|minimax|command-[ra]"
    r"|perplexity|le chat|meta ai)"
    r"(?:[ -]?[\w.@-]+){0,3}"
)
_LONGEST_LABEL = 40
_MOST_WORDS = 4
_UNLIKE_NAMES = frozenset(',;!?"“”…=/\\{}<>|`')


@dataclass(frozen=True)
class People:
    """The names a person gave, in any case; they weigh more than the words for roles."""

    user_names: frozenset[str]
    persona_names: frozenset[str]
    as_written: tuple[str, ...] = ()
    """Every name as it is spelled, the longest first: a label is one of these before it is anything else."""

    @classmethod
    def named(cls, user_names: Sequence[str], persona_names: Sequence[str]) -> "People":
        """Return the people with the kit's names, as written there."""
        users = frozenset(fold_label(name) for name in user_names) - {""}
        personas = frozenset(fold_label(name) for name in persona_names) - users - {""}
        spelled = {" ".join(name.split()) for name in (*user_names, *persona_names)} - {""}
        return cls(users, personas, tuple(sorted(spelled, key=lambda name: (-len(name), name))))

    def side(self, folded: str) -> str | None:
        """Return `user`, `assistant` or `system`; None for an unknown name."""
        if folded in self.user_names:
            return "user"
        if folded in self.persona_names:
            return "assistant"
        for side, words in (("user", _USER), ("assistant", _ASSISTANT), ("system", _SYSTEM)):
            if folded in words:
                return side
        return "assistant" if _PRODUCTS.fullmatch(folded) else None

    def speaks_by_role(self, folded: str) -> bool:
        """Return whether the label is only a word for a role, and nobody's name."""
        return folded in _USER | _ASSISTANT | _SYSTEM and folded not in self.user_names | self.persona_names


def fold_label(label: str) -> str:
    """Return a label for comparing: case and inner spaces folded."""
    return " ".join(label.casefold().split())


def is_ambiguous(folded: str) -> bool:
    """Return whether the word for a role begins lines of ordinary lists as well."""
    return folded in _AMBIGUOUS


def is_name_like(label: str) -> bool:
    """Return whether an unknown label could be a name: short, few words, no punctuation of sentences."""
    return (
        0 < len(label) <= _LONGEST_LABEL
        and len(label.split()) <= _MOST_WORDS
        and not label[0].islower()
        and any(c.isalpha() for c in label)
        and _UNLIKE_NAMES.isdisjoint(label)
    )
