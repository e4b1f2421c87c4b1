"""Budget of a bundle: the room that stays free for the conversation, and each ring's range."""

from collections.abc import Mapping
from typing import NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.values.bundle import Share
from reel_cli.core.values.settings import SMALL_WINDOW, WHOLE, Settings, name_limit

LEAST_LIVE_HINTED = WHOLE // 10
"""Share for the conversation below which a hint proposes something else."""


class Budget(NamedTuple):
    """The token limits of a bundle: `room` is `cap - live`; `ranges` are each ring's least and most."""

    window: int
    cap: int
    live: int
    ranges: Mapping[str, tuple[int, int]]
    boot: Mapping[str, int] = {}
    """Tokens for each part of a warm start."""
    facts: int = 0
    """Tokens for facts."""
    domain: int = 0
    """Tokens for rows of domain data."""
    shelf: int = 0
    """Tokens for files on the shelf."""
    stream: int = 0
    """Tokens for a kept conversation, of which its last messages take up to `overlap`."""
    overlap: int = 0
    buffer: int = 0
    """Tokens for a conversation's beginning, word for word."""
    template: int = 0
    """Tokens that the model's chat template puts around the bundle."""
    like: int = 0
    """The window it is packed like, where the place it is for leaves less room than its own; else 0."""

    @property
    def room(self) -> int:
        """Return the tokens that the whole bundle may take."""
        return self.cap - self.live - self.template

    @property
    def held_to(self) -> str:
        """Return the word for what the bundle is held to: `cap` where that is below the window."""
        return name_limit(self.cap, self.window)

    @property
    def small(self) -> bool:
        """Return whether the room is so small that the bundle is packed for survival (REEL §6.3)."""
        return (self.like or self.cap) <= SMALL_WINDOW

    @property
    def buffer_beside_summary(self) -> int:
        """Return the tokens for the beginning beside a summary: half if room is short, as both tell of it."""
        return self.buffer // 2 if self.small else self.buffer

    def share(self, ring: str, tokens: int, lifted: int = 0) -> Share:
        """Return a ring's tokens with its range, which may be passed by so many as it is `lifted`."""
        least, most = self.ranges[ring]
        return Share(tokens, least, most, lifted)


def plan_budget(settings: Settings, window: int | None = None, live: int | None = None) -> Budget:
    """Return the budget for one bundle; `window` is window and cap at once, `live` a share of `WHOLE`.

    Raises ReelError when nothing would be left for one of the two.
    """
    window, cap = (window, window) if window else (settings.window, min(settings.window, settings.cap))
    share = settings.live if live is None else live
    if not 0 <= share < WHOLE:
        message = "The conversation's share must be from 0 to below 1."
        raise ReelError(message, hint="write it like  --live 0.5")
    free = -(-cap * share // WHOLE)
    return Budget(
        window=window,
        cap=cap,
        live=free,
        ranges={ring: span.tokens(cap) for ring, span in settings.ranges.items()},
        boot=_boot_shares(settings, cap),
        facts=cap * settings.facts_share // WHOLE,
        domain=cap * min(settings.domain_share, settings.ranges["3"].high) // WHOLE,
        shelf=cap * min(settings.shelf_share, settings.ranges["3"].high) // WHOLE,
        stream=cap * min(settings.keep_share, settings.ranges["3"].high) // WHOLE,
        overlap=free * settings.keep_overlap // WHOLE,
        buffer=cap * min(settings.buffer_share, settings.ranges["3"].high) // WHOLE,
        template=settings.template_fixed + settings.template_message,
    )


def shrink(budget: Budget, settings: Settings, room: int, live: int | None = None) -> Budget:
    """Return the budget with the shares of a window that would leave `room` tokens; the facts keep theirs."""
    if room >= budget.room:
        return budget
    like = room * WHOLE // (WHOLE - (settings.live if live is None else live))
    less = plan_budget(settings, max(like, 1), live)
    return less._replace(
        window=budget.window, cap=budget.cap, live=budget.live, facts=budget.facts, like=max(like, 1)
    )


def _boot_shares(settings: Settings, cap: int) -> dict[str, int]:
    """Return a warm start's shares, in tokens: together at most ring 3's most, from which they are taken."""
    total, most = sum(settings.boot.values()), settings.ranges["3"].high
    kept = min(total, most)
    return {part: cap * share * kept // (WHOLE * max(total, 1)) for part, share in settings.boot.items()}


def name_window(tokens: int) -> str:
    """Return a window's size as people say it: `2K`, `128K`, `1M`, else the number."""
    for unit, name in ((1024 * 1024, "M"), (1024, "K")):
        if tokens % unit == 0:
            return f"{tokens // unit}{name}"
    return f"{tokens:,}"


class NoRoomError(ReelError):
    """An error for a bundle whose required parts do not fit into its tokens."""


def no_room(budget: Budget, needs: Mapping[str, int]) -> NoRoomError:
    """Return the error for parts that must be in a bundle and do not fit; it names every number."""
    parts = [f"{what} ({tokens:,})" for what, tokens in needs.items() if tokens]
    listed = " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
    total = sum(needs.values())
    message = (
        f"{listed[:1].upper()}{listed[1:]} need {total:,} tokens;"
        f" {an(name_window(budget.cap))} {budget.held_to} leaves {budget.room:,}."
    )
    share = (budget.cap - budget.template - total) * 100 // budget.cap * (WHOLE // 100)
    if share >= LEAST_LIVE_HINTED:
        left = budget.cap - budget.template - -(-budget.cap * share // WHOLE)
        live = f"{share / WHOLE:.2f}".rstrip("0")
        return NoRoomError(
            message, hint=f"reel pack --live {live}  leaves {left:,}, once; or shorten the longest of them"
        )
    enough = max(1024, 1 << (2 * total - 1).bit_length())
    return NoRoomError(
        message, hint=f"take a larger {budget.held_to} ({name_window(enough)} would do), or shorten them"
    )


def an(size: str) -> str:
    """Return the size with its spoken article: an 8K, an 11K and an 18K, a 32K."""
    number = "".join(c for c in size if c.isdigit())
    vowel = number.startswith("8") or (number[:2] in ("11", "18") and len(number) % 3 == 2)
    return f"{'an' if vowel else 'a'} {size}"
