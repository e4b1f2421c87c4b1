"""`kit.yaml`: read as strings, typed here by field."""

import json
import re
from collections.abc import Callable, Mapping, Sequence

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.yaml_text import Plain, parse_mapping, render_scalar
from reel_cli.core.tokens.choice import Choice, parse_choice, render_margin
from reel_cli.core.values.review import HANDED_IN
from reel_cli.core.values.settings import (
    PROTOCOL,
    WHOLE,
    Range,
    Settings,
    default_ages,
    default_boot,
    default_kept,
    default_ranges,
    parse_days,
    parse_tokens,
)

_MAJOR = re.compile(r"(?:REEL[/ ]?)?v?(\d+)(?:\.\d+)*", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~/-]*)?")
"""No name and password, no query: an address is shown, and the kit that holds it may be given away."""
_SESSIONS = re.compile(r"([0-9]{1,4}) ?sessions?", re.ASCII)
_NEVER = ("never", "off", "no", "false")
"""YAML reads a bare `off` as no, and reel reads strings."""
_YES, _NO = ("yes", "true", "on"), ("no", "false", "off")
_LEAVE_OUT = "write it so, or leave the line out and it is as usual"
LONGEST_LABEL = 30
LEAST_LIVE = WHOLE * 40 // 100


def parse_settings(text: str, *, fallback_name: str) -> Settings:
    """Type `kit.yaml`; what it does not say has the protocol's default.

    Raises ReelError for a value that makes no sense, StateError for a newer major version.
    """
    fields = parse_mapping(text, "kit.yaml")
    usual = Settings(name=fallback_name)
    protocol = _text(fields, "protocol") or PROTOCOL
    _check_protocol(protocol)
    window = _tokens(fields, "window", usual.window)
    cap = _tokens(fields, "cap", window)
    if cap > window:
        message = f"kit.yaml: cap ({cap:,}) is above window ({window:,})."
        raise ReelError(message, hint="lower cap, or raise window if the model can hold more")
    live = _share(fields, "live", usual.live)
    if not LEAST_LIVE <= live < WHOLE:
        message = "kit.yaml: live must be from 0.4 to below 1: the conversation needs room."
        raise ReelError(message, hint="for one bundle only, use  reel pack --live")
    checkpoint = _section(fields, "checkpoint")
    prune = _section(fields, "prune")
    maintain = _section(fields, "maintain")
    usual_every = usual.maintain_every_days, usual.maintain_every_sessions
    every_days, every_sessions = _every(_text(maintain, "every"), usual_every, "maintain.every")
    dream = _section(fields, "dream")
    usual_dream = usual.dream_every_days, usual.dream_every_sessions
    dream_days, dream_sessions = _every(_text(dream, "every"), usual_dream, "dream.every")
    index = _section(fields, "index")
    recall = _section(fields, "recall")
    boot = _section(fields, "boot")
    facts = _section(fields, "facts")
    behavior = _section(fields, "behavior")
    base, least, most = _token_policy(_section(behavior, "token_policy"))
    domain = _section(fields, "domain")
    shelf = _section(fields, "shelf")
    keep = _section(fields, "keep")
    intake = _section(fields, "intake")
    buffer = _section(fields, "buffer")
    via = _via(fields)
    template = _section(fields, "template")
    return Settings(
        name=_text(fields, "name") or fallback_name,
        user=_text(fields, "user") or usual.user,
        protocol=protocol,
        window=window,
        cap=cap,
        tokenizer=_tokenizer(fields, usual.tokenizer),
        template_fixed=_count(template, "fixed", usual.template_fixed, "template.fixed"),
        template_message=_count(template, "message", usual.template_message, "template.message"),
        live=live,
        ranges=_ranges(fields),
        author=_text(fields, "author") or None,
        timezone=_text(fields, "timezone") or None,
        checkpoint_turns=_count(checkpoint, "turns", usual.checkpoint_turns, "checkpoint.turns"),
        idle_sessions=_count(prune, "idle_sessions", usual.idle_sessions, "prune.idle_sessions"),
        maintain_every_days=every_days,
        maintain_every_sessions=every_sessions,
        dream_every_days=dream_days,
        dream_every_sessions=dream_sessions,
        dream_threshold=_share(dream, "threshold", usual.dream_threshold, "dream.threshold"),
        dream_over=_over(dream, usual.dream_over),
        loss_limit=_share(maintain, "loss_limit", usual.loss_limit, "maintain.loss_limit"),
        ages=_ages(fields),
        anchor_similarity=_share(fields, "anchor_similarity", usual.anchor_similarity),
        index_per_session=_count(index, "per_session", usual.index_per_session, "index.per_session"),
        index_per_session_cold=_count(
            index, "per_session_cold", usual.index_per_session_cold, "index.per_session_cold"
        ),
        embeddings=_embeddings(_text(recall, "embeddings")),
        embedding_model=_text(recall, "model"),
        boot={part: _share(boot, part, share, f"boot.{part}") for part, share in default_boot().items()},
        boot_always=_flag(boot, "always", "boot.always"),
        facts_share=_share(facts, "share", usual.facts_share, "facts.share"),
        facts_most=_count(facts, "most", usual.facts_most, "facts.most"),
        facts_sure=_share(facts, "sure", usual.facts_sure, "facts.sure"),
        list_tolerance=_share(behavior, "list_tolerance", usual.list_tolerance, "behavior.list_tolerance"),
        reply_base=base,
        reply_min=least,
        reply_max=most,
        adapter=_adapter(_text(fields, "adapter")),
        facts_asked=_flag(facts, "ask", "facts.ask", usual=usual.facts_asked),
        facts_early=_count(facts, "early", usual.facts_early, "facts.early"),
        facts_every=_count(facts, "every", usual.facts_every, "facts.every"),
        intake_most=_count(intake, "most", usual.intake_most, "intake.most"),
        intake_keep=_count(intake, "keep", usual.intake_keep, "intake.keep"),
        intake_asked=_flag(intake, "ask", "intake.ask", usual=usual.intake_asked),
        intake_lines=_flag(intake, "lines", "intake.lines", usual=usual.intake_lines),
        intake_label=_label(_text(intake, "label"), usual.intake_label),
        domain_share=_share(domain, "share", usual.domain_share, "domain.share"),
        domain_with=_lines(domain, "with", "domain.with"),
        shelf_share=_share(shelf, "share", usual.shelf_share, "shelf.share"),
        shelf_hot=_share(shelf, "hot", usual.shelf_hot, "shelf.hot"),
        directives_limit=_tokens(
            _section(fields, "directives"), "limit", usual.directives_limit, "directives.limit"
        ),
        keep_at=_share(keep, "at", usual.keep_at, "keep.at"),
        keep_share=_share(keep, "share", usual.keep_share, "keep.share"),
        keep_overlap=_share(keep, "overlap", usual.keep_overlap, "keep.overlap"),
        buffer_cycles=_count(buffer, "cycles", usual.buffer_cycles, "buffer.cycles"),
        buffer_share=_share(buffer, "share", usual.buffer_share, "buffer.share"),
        via=_off(_text(via, "to")),
        via_model=_text(via, "model"),
        via_allow=tuple(host.lower() for host in _lines(via, "allow", "via.allow")),
        shelf_keep=_kept(_section(shelf, "keep")),
        mcp_trust=_trusted(_section(fields, "mcp")),
        shelf_defer=_count(shelf, "defer", usual.shelf_defer, "shelf.defer"),
        shelf_idle=_count(shelf, "idle", usual.shelf_idle, "shelf.idle"),
        shelf_long=_count(shelf, "long", usual.shelf_long, "shelf.long"),
    )


def _check_protocol(protocol: str) -> None:
    found = _MAJOR.fullmatch(protocol.strip())
    if not found:
        message = f"kit.yaml: {protocol!r} is not a protocol this reel knows."
        raise ReelError(message, hint=f"write  protocol: {PROTOCOL}")
    if int(found[1]) > 1:
        message = f"This kit is of protocol version {protocol}; this reel knows {PROTOCOL}."
        raise StateError(message, hint="update reel:  pip install --upgrade reel-cli")


def _text(fields: Mapping[str, Plain], key: str) -> str:
    value = fields.get(key, "")
    if not isinstance(value, str):
        message = f"kit.yaml: {key} should be one value on its line."
        raise ReelError(message)
    return value.strip()


def _section(fields: Mapping[str, Plain], key: str) -> Mapping[str, Plain]:
    value = fields.get(key, {})
    if value == "":
        return {}
    if not isinstance(value, dict):
        message = f"kit.yaml: {key} should hold `name: value` lines, indented."
        raise ReelError(message)
    return value


def _typed(  # noqa: PLR0913 (one field, and all that is told of it)
    fields: Mapping[str, Plain],
    key: str,
    what: str,
    read: Callable[[str], int],
    default: int,
    shown: str = "",
) -> int:
    text = _text(fields, key)
    if not text:
        return default
    try:
        return read(text)
    except (ReelError, ValueError):
        message = f"kit.yaml: {shown or key} is {text!r}, which is not {what}."
        raise ReelError(message, hint=_LEAVE_OUT) from None


def _tokens(fields: Mapping[str, Plain], key: str, default: int, shown: str = "") -> int:
    return _typed(fields, key, "a size like 8k or 32768", parse_tokens, default, shown)


def _tokenizer(fields: Mapping[str, Plain], usual: str) -> str:
    """How tokens are counted, on one line; `file`, `like` and `margin` may stand apart."""
    value = fields.get("tokenizer", "")
    if not isinstance(value, dict):
        return _text(fields, "tokenizer") or usual
    what, like, margin = (_text(value, key) for key in ("file", "like", "margin"))
    if like and not margin:
        message = "kit.yaml: tokenizer.like wants a margin, for it is only near."
        raise ReelError(
            message, hint="write it like  tokenizer: {file: model.gguf, like: llama-bpe, margin: 8%}"
        )
    share = _share(value, "margin", 0, "tokenizer.margin")
    if not what:
        # near an encoding that needs no file
        what, like = like or usual, ""
    return str(Choice(what, like, share))


def render_tokenizer(tokenizer: str) -> str:
    """A setting for `tokenizer:`, as it is written on its line."""
    choice = parse_choice(tokenizer)
    if not choice.like and not choice.margin:
        return render_scalar(choice.what)
    fields = {"file": choice.what, "like": choice.like} if choice.is_file else {"like": choice.what}
    fields["margin"] = render_margin(choice.margin)
    written = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items() if value]
    return "{" + ", ".join(written) + "}"


def _embeddings(text: str) -> str:
    if text.lower() in ("", "off", "no", "false"):
        return "off"
    if text == "static":
        return text
    if not _ADDRESS.fullmatch(text):
        message = f"kit.yaml: recall.embeddings is {text!r}, which is not off, static or an address."
        raise ReelError(message, hint="an address looks like http://localhost:1234/v1")
    return text


def _token_policy(fields: Mapping[str, Plain]) -> tuple[int, int, int]:
    """How long replies are to be in tokens, and between which bounds; 0 for what is not said."""
    shown = "behavior.token_policy"
    base, least, most = (
        _typed(fields, key, "a size like 900 or 2k", parse_tokens, 0, f"{shown}.{key}")
        for key in ("base", "min", "max")
    )
    if (most and least > most) or (base and (base < least or (most and base > most))):
        message = f"kit.yaml: {shown} should have min, base and max in that order of size."
        raise ReelError(message, hint="write it like  token_policy: {base: 900, min: 400, max: 1200}")
    return base, least, most


def _label(text: str, usual: str) -> str:
    """What a line begins with: words, and nothing that would end it."""
    plain = " ".join(text.rstrip(":").split()) or usual
    if len(plain) > LONGEST_LABEL or not all(char.isalnum() or char in " '-" for char in plain):
        message = f"kit.yaml: intake.label is {text!r}, which is no word or two."
        raise ReelError(message, hint="write it like  intake: {label: Merke}")
    return plain


def _via(fields: Mapping[str, Plain]) -> Mapping[str, Plain]:
    """Where prompts go over a wire; a word alone is the server."""
    value = fields.get("via", {})
    return {"to": value} if isinstance(value, str) else _section(fields, "via")


def _off(text: str) -> str:
    """What is switched on by naming it."""
    return "" if text.lower() in ("paste", *_NEVER) else text


def _adapter(text: str) -> str:
    return "" if text.lower() in ("none", "null", "~", *_NO) else text


def _every(text: str, usual: tuple[int, int], shown: str) -> tuple[int, int]:
    """How often something comes: days and sessions, 0 for the one that does not count."""
    if not text:
        return usual
    if text in _NEVER:
        return 0, 0
    if sessions := _SESSIONS.fullmatch(text):
        return 0, int(sessions[1])
    try:
        return parse_days(text), 0
    except ReelError:
        message = f"kit.yaml: {shown} is {text!r}, which says neither how often nor never."
        raise ReelError(message, hint="write it as 30d, 4w, 10 sessions or never") from None


def _over(dream: Mapping[str, Plain], usual: int) -> int:
    """Over how many sessions the heartbeat is taken."""
    number = _count(dream, "over", usual, "dream.over")
    if not number:
        message = "kit.yaml: dream.over is 0; a share of no sessions says nothing."
        raise ReelError(message, hint="to be asked for no dreams, write  dream: {every: never}")
    return number


def _ages(fields: Mapping[str, Plain]) -> dict[str, int]:
    usual = default_ages()
    section = _section(fields, "ages")
    for level in section:
        if level not in usual:
            message = f"kit.yaml: ages.{level} is not one of {', '.join(usual)}."
            raise ReelError(message, hint="a memory of L4 is as small as one gets")
    ages = {
        level: _typed(section, level, "an age like 30d, 6m or 2y", parse_days, days, f"ages.{level}")
        for level, days in usual.items()
    }
    if not ages["L1"] <= ages["L2"] <= ages["L3"]:
        told = ", ".join(f"{level} {days:,} days" for level, days in ages.items())
        message = f"kit.yaml: ages should grow from L1 to L3; they are {told}."
        raise ReelError(message, hint="one that is not given has its default: 30d, 6m, 2y")
    return ages


def _share(fields: Mapping[str, Plain], key: str, default: int, shown: str = "") -> int:
    return _typed(fields, key, "a share like 0.5 or 50%", parse_share, default, shown)


def _flag(fields: Mapping[str, Plain], key: str, shown: str, *, usual: bool = False) -> bool:
    """Yes or no, however YAML writes it; the usual where nothing is said."""
    text = _text(fields, key).lower() or ("yes" if usual else "no")
    if text not in (*_YES, *_NO, ""):
        message = f"kit.yaml: {shown} is {text!r}, which is neither yes nor no."
        raise ReelError(message)
    return text in _YES


def _lines(fields: Mapping[str, Plain], key: str, shown: str) -> tuple[str, ...]:
    """One text, or a list of them."""
    value = fields.get(key, "")
    told = [value] if isinstance(value, str) else value
    if not isinstance(told, list) or not all(isinstance(one, str) for one in told):
        message = f"kit.yaml: {shown} should be a list of texts."
        raise ReelError(message)
    return tuple(one for one in told if isinstance(one, str) and one.strip())


def _trusted(fields: Mapping[str, Plain]) -> tuple[str, ...]:
    """What may be kept without a person's word, of what a model hands in through a tool."""
    told = _lines(fields, "trust", "mcp.trust")
    for one in told:
        if one not in HANDED_IN:
            message = f"kit.yaml: mcp.trust names {one!r}, which is not one of {', '.join(HANDED_IN)}."
            raise ReelError(message, hint="write it like  mcp: {trust: [remember]}")
    return told


def _kept(fields: Mapping[str, Plain]) -> dict[str, Sequence[str]]:
    """What must be kept, by kind; a kind that is named has what is given, even if that is nothing."""
    usual = default_kept()
    for kind, patterns in usual.items():
        # an empty value is no list yet
        if (given := fields.get(kind, list(patterns))) != "":
            usual[kind] = _lines({kind: given}, kind, f"shelf.keep.{kind}")
    own = {kind: _lines(fields, kind, f"shelf.keep.{kind}") for kind in fields if kind not in usual}
    return {**usual, **own}


def _count(fields: Mapping[str, Plain], key: str, default: int, shown: str) -> int:
    text = _text(fields, key)
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        message = f"kit.yaml: {shown} is {text!r}, which is not a whole number."
        raise ReelError(message, hint=_LEAVE_OUT)
    return int(text)


def parse_share(text: str) -> int:
    """Read `0.5` or `50%` as a share of `WHOLE`; ValueError when it is neither, or not from 0 to 1."""
    plain = text.strip()
    percent = plain.endswith("%")
    value = float(plain.rstrip("%")) / (100 if percent else 1)
    if not 0 <= value <= 1:
        raise ValueError(text)
    return round(value * WHOLE)


def _ranges(fields: Mapping[str, Plain]) -> dict[str, Range]:
    ranges = default_ranges()
    for ring, value in _section(fields, "ranges").items():
        bounds = value if isinstance(value, list) else str(value).replace("–", "-").split("-")
        try:
            low, high = (parse_share(str(bound)) for bound in bounds)
        except ValueError:
            message = f"kit.yaml: ranges.{ring} should be two shares, like [0.05, 0.08]."
            raise ReelError(message) from None
        if ring not in ranges or low > high:
            message = f"kit.yaml: ranges.{ring} is not a range of ring 0 to 4, low before high."
            raise ReelError(message)
        ranges[ring] = Range(low, high)
    return ranges
