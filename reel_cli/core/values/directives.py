"""The limit of the directives' length: they are in every prompt (Memory Keep §I.2)."""

from reel_cli.core.errors import ReelError


def require_short_directives(tokens: int, limit: int) -> None:
    """Refuse directives of more than `limit` tokens; ReelError naming by how much they are over."""
    if tokens <= limit:
        return
    message = (
        f"ring0/directives.md takes {tokens:,} tokens, {tokens - limit:,} over its limit of {limit:,}:"
        " it is in every prompt."
    )
    raise ReelError(message, hint="shorten it, or raise directives.limit in kit.yaml")
