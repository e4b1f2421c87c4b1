"""`review/<id>.md`: one proposal that waits for a person's word."""

from reel_cli.errors import ReelError
from reel_cli.kit import front_matter
from reel_cli.kit.yaml_text import render_scalar
from reel_cli.model.review import Proposal, ReviewKind


def review_path(proposal_id: str) -> str:
    """The kit path of a proposal."""
    return f"review/{proposal_id}.md"


def render_proposal(proposal: Proposal) -> str:
    """The file: who proposed what, then the text itself."""
    fields = {
        "kind": proposal.kind.value,
        "title": render_scalar(proposal.title),
        "session": render_scalar(proposal.session),
        "made": render_scalar(proposal.made),
    }
    for key in ("role", "source", "why"):
        value: str = getattr(proposal, key)
        if value:
            fields[key] = render_scalar(value)
    return front_matter.render(fields, proposal.text)


def parse_proposal(text: str, path: str) -> Proposal:
    """Read one proposal; ReelError naming the file where its kind is unknown."""
    document = front_matter.split(text, path)
    kind = document.text("kind")
    if kind not in (ReviewKind.IDENTITY.value, ReviewKind.EXEMPLAR.value):
        message = f"{path}: a proposal of kind {kind!r} is not known."
        raise ReelError(message)
    name = path.rpartition("/")[2].removesuffix(".md")
    return Proposal(
        id=name,
        kind=ReviewKind(kind),
        session=document.text("session"),
        made=document.text("made"),
        title=document.text("title") or name,
        text=document.body,
        role=document.text("role"),
        source=document.text("source"),
        why=document.text("why"),
    )
