"""Samples to train a model on, out of a kit's own history (REEL §8): nothing is made up for them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING

from reel_cli.errors import ReelError
from reel_cli.exchange.leakage import find_leaks, is_about_memory, is_taken_up
from reel_cli.exchange.phrases import fold
from reel_cli.exchange.prompts import CONSOLIDATION_PARTS, find_prompt, part_texts
from reel_cli.flows.ask_page import ask_checkpoint, ask_moment
from reel_cli.flows.pack import pack_then
from reel_cli.flows.tape_view import read_session, standing_sessions
from reel_cli.flows.transcript import tell_entries
from reel_cli.kit.checkpoint_file import read_checkpoint
from reel_cli.kit.git import CommitTree, Repository
from reel_cli.kit.history import Commit, read_log
from reel_cli.kit.ledger_file import read_ledger
from reel_cli.kit.markdown import split_sections
from reel_cli.kit.past import PastGlance
from reel_cli.kit.review_file import parse_proposal
from reel_cli.kit.ring0 import Ring0, read_in_force
from reel_cli.kit.ring_files import is_proposal_file
from reel_cli.kit.snapshot import Snapshot
from reel_cli.model import training
from reel_cli.model.memory import FIELDS, Level, Memory, where_of
from reel_cli.model.tape import Kind, Session, parse_source, session_path
from reel_cli.model.training import Refused, Sample
from reel_cli.pack.recognise import holds_frame

if TYPE_CHECKING:
    from reel_cli.tokens import Tokenizer

LONGEST = 16
"""In messages: a longer conversation becomes several samples."""
LONG_WORD, SHARED = 5, 2
"""What a reply brings back shows by so many words of so many letters that nobody had just said."""
BACK = "This comes back to you:"
HELD = "This is what you hold to be so:"
LAST = 1 << 62
"""Past every message's number."""
RITUAL = 3
"""So many checkpoints of which not one reports anything are a ritual."""

Turn = tuple[str, str, int]
"""Who (user or assistant) said what, up to which numbered message."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """All samples that the kit has, and those that break a principle of training."""

    samples: Sequence[Sample]
    refused: Sequence[Refused]
    sessions: Sequence[str]


def gather_samples(
    snapshot: Snapshot, ring0: Ring0, repository: Repository | None, tokenizer: "Tokenizer"
) -> Gathered:
    """Find what of a kit's history is a sample of one of the six kinds.

    `ring0` is in force now; what was loaded then is packed from the commits of `repository`. Raises ReelError
    where the tape or the history cannot be read.
    """
    maker = _Maker(snapshot, ring0, repository, tokenizer)
    samples, refused = [], []
    for sample in maker.make():
        why = _fault(sample, ring0.text)
        if why:
            refused.append(Refused(sample, why))
        else:
            samples.append(sample)
    pages = [sample for sample in samples if sample.kind == training.CHECKPOINT]
    if len(pages) >= RITUAL and not maker.reporting:
        # they would teach a ritual (REEL §10.6)
        refused += [Refused(page, "no checkpoint reports a drift, a doubt or a change") for page in pages]
        samples = [sample for sample in samples if sample.kind != training.CHECKPOINT]
    return Gathered(samples, refused, maker.sessions)


def _fault(sample: Sample, identity: str) -> str:
    """Which principle of training a sample breaks (REEL §8.3, §10); "" for none."""
    heard = [identity]
    for role, text in sample.messages:
        if role != "assistant":
            heard.append(text)
            continue
        leaks = [] if is_about_memory(identity) else find_leaks(text)
        for leak in leaks:
            if leak.sure and not is_taken_up(leak, "\n".join(heard)):
                return f'it speaks of how memory is kept: "{leak.words}"'
        if holds_frame(text) or find_prompt(text) is not None:
            return "the reply repeats what reel said"
    return ""


class _Maker:
    """Makes the samples of one kit, kind by kind."""

    def __init__(
        self, snapshot: Snapshot, ring0: Ring0, repository: Repository | None, tokenizer: "Tokenizer"
    ) -> None:
        self.snapshot = snapshot
        self.ring0 = ring0
        self.repository = repository
        self.tokenizer = tokenizer
        self.sessions = standing_sessions(snapshot)
        self.lived: Mapping[str, Session] = {name: read_session(snapshot, name) for name in self.sessions}
        self.reporting = 0
        """How many checkpoints report a drift, a doubt, or a change to who the persona is."""
        self.log: Sequence[Commit] = read_log(repository) if repository is not None else ()

    def make(self) -> Iterator[Sample]:
        for name in self.sessions:
            for turns in _windows(_turns(self.lived[name])):
                yield Sample(training.SOLO, _plain(turns), (name,))
        yield from self._loaded()
        yield from self._consolidations()
        yield from self._checkpoints()
        yield from self._retrievals()
        yield from self._contradictions()

    # -- with what was remembered then ---------------------------------------------------------

    def _loaded(self) -> Iterator[Sample]:
        for name in self.sessions:
            turns = _windows(_turns(self.lived[name]))
            system = (_given(self.lived[name]) or self._packed(name)) if turns else ""
            if system:
                yield Sample(training.LOADED, [("system", system), *_plain(turns[0])], (name,))

    def _packed(self, session: str) -> str:
        """The bundle of the kit as it was before a session; "" where there was nothing to remember yet."""
        past = self._before(session, "record", session_path(session))
        bundle = pack_then(past) if past is not None else None
        remembers = bundle is not None and any(item.ring in ("3", "4") for item in bundle.loaded)
        return bundle.text if bundle is not None and remembers else ""

    def _before(self, session: str, op: str, path: str) -> PastGlance | None:
        """The kit before a commit brought a file of a session; None where its history does not tell."""
        if self.repository is None:
            return None
        made = [
            at
            for at, commit in enumerate(self.log[:-1])
            if commit.op == op and session in commit.values("Reel-Session")
        ]
        for at in reversed(made):
            tree = CommitTree(self.repository, self.log[at + 1].id)
            with CommitTree(self.repository, self.log[at].id) as after:
                brought = tree.read(path) is None and after.read(path) is not None
            if brought:
                kit = self.repository.root / self.repository.prefix
                return PastGlance(tree, kit.name, kit)
        return None

    # -- pages ---------------------------------------------------------------------------------

    def _consolidations(self) -> Iterator[Sample]:
        for memory in self.snapshot.memories.values():
            span = memory.source[0] if len(memory.source) == 1 else None
            if memory.level not in (Level.L1, Level.L2) or span is None or span.session not in self.lived:
                continue
            try:
                ask = ask_moment(self.snapshot, self.ring0, self.tokenizer, span)
            except ReelError:
                # a stretch that no longer fits is no sample of this window
                continue
            page = _page(memory, self.snapshot.settings.name)
            if page:
                yield Sample(
                    training.CONSOLIDATION, [("user", ask.prompt), ("assistant", page)], (span.session,)
                )

    def _checkpoints(self) -> Iterator[Sample]:
        for path in self.snapshot.checkpoints:
            session = path.removeprefix("checkpoints/").rpartition(".yaml")[0].rpartition(".")[0]
            if session not in self.lived:
                continue
            fields = read_checkpoint(self.snapshot.text(path) or "", path)
            reply = fields.get("reply", "").strip()
            past = self._before(session, "checkpoint", path)
            turns = _windows(_turns(self.lived[session]))
            if not reply or past is None or not turns:
                continue
            label = part_texts()["happened"][0]
            only = None if f"{label}\n" in reply else "checkpoint"
            ring0 = read_in_force(past, past.commit.repo, past.commit.rev)
            try:
                day = date.fromisoformat(session[:10])
                ask = ask_checkpoint(past, ring0, day, session=session, only=only)
            except (ReelError, ValueError):
                continue
            said = _plain(turns[-1])
            quiet = {"coherence": "yes", "drift_detected": "no", "ring_0_update_suggested": "no"}
            self.reporting += any(fields.get(key, calm) != calm for key, calm in quiet.items())
            yield Sample(training.CHECKPOINT, [*said, ("user", ask.prompt), ("assistant", reply)], (session,))

    # -- what comes back -----------------------------------------------------------------------

    def _retrievals(self) -> Iterator[Sample]:
        done = set()
        for entry in read_ledger(self.snapshot):
            for name in entry.on.split():
                memory = self.snapshot.memories.get(name)
                key = (entry.session, name)
                if entry.do not in ("recall", "reference") or memory is None or key in done:
                    continue
                if entry.session not in self.lived or entry.session in memory.sessions:
                    continue
                done.add(key)
                told = self._source(memory)
                pair = _brings_back(_turns(self.lived[entry.session]), f"{memory.body} {told}")
                if told and pair is not None:
                    messages = [("system", f"{BACK}\n\n{told}"), *pair]
                    yield Sample(training.RETRIEVAL, messages, (entry.session,))

    def _source(self, memory: Memory) -> str:
        """What a memory was made of, word for word, its beginning."""
        for span in where_of(memory):
            session = self.lived.get(span.session)
            shown = session.shown() if session is not None else []
            entries = [e for e in shown if not span.last or span.first <= (e.number or 0) <= span.last]
            if entries:
                told = tell_entries(self.snapshot, span.session, entries[:LONGEST])
                return "".join(unit for _, unit in told).strip()
        return ""

    def _contradictions(self) -> Iterator[Sample]:
        for path in self.snapshot.list("review"):
            if not is_proposal_file(path):
                continue
            proposal = parse_proposal(self.snapshot.text(path) or "", path)
            if len(proposal.sides) < 2:
                continue
            older, newer = proposal.sides
            memory = self.snapshot.memories.get(newer.where)
            spans = where_of(memory) if memory is not None else ()
            span = spans[0] if spans else parse_source(newer.where)
            if span is None or span.session not in self.lived:
                continue
            last = span.last or LAST
            turns = [turn for turn in _turns(self.lived[span.session]) if span.first <= turn[2] <= last]
            pair = _brings_back(turns, older.says)
            if pair is not None:
                messages = [("system", f"{HELD} {older.says}"), *pair]
                yield Sample(training.CONTRADICTION, messages, (span.session,))


def _turns(session: Session) -> list[Turn]:
    """What was said, as shown, user and assistant in turn; it begins with the user."""
    turns: list[Turn] = []
    for entry in session.shown():
        role, text, number = entry.message.role, entry.message.text.strip(), entry.number or 0
        if role not in ("user", "assistant") or not text or (not turns and role == "assistant"):
            continue
        if turns and turns[-1][0] == role:
            turns[-1] = (role, f"{turns[-1][1]}\n\n{text}", number)
        else:
            turns.append((role, text, number))
    return turns


def _given(session: Session) -> str:
    """The bundle that the conversation began with, as the tape has it; "" where it has none."""
    pieces = []
    for entry in session.entries:
        if entry.message.kind is Kind.SAID:
            break
        if entry.message.kind is Kind.BUNDLE:
            pieces.append(entry.message.text.strip())
    return "\n\n".join(pieces)


def _windows(turns: Sequence[Turn]) -> list[Sequence[Turn]]:
    """Stretches of whole cycles, none longer than `LONGEST`."""
    whole = turns[: len(turns) - len(turns) % 2]
    return [whole[at : at + LONGEST] for at in range(0, len(whole), LONGEST)]


def _plain(turns: Sequence[Turn]) -> list[tuple[str, str]]:
    return [(role, text) for role, text, _ in turns]


def _brings_back(turns: Sequence[Turn], about: str) -> list[tuple[str, str]] | None:
    """The first reply with words of what it is about that the turn before it lacks; after that turn."""
    known = _words(about)
    for (asked, heard, _), (role, reply, _) in pairwise(turns):
        if (asked, role) == ("user", "assistant") and len((_words(reply) & known) - _words(heard)) >= SHARED:
            return [("user", heard), ("assistant", reply)]
    return None


def _words(text: str) -> set[str]:
    plain = ("".join(c for c in word if c.isalnum()) for word in fold(text).split())
    return {word for word in plain if len(word) >= LONG_WORD}


def _page(memory: Memory, name: str) -> str:
    """A memory as a reply, under the labels that the prompt asks for; "" where it lacks some of them."""
    held = split_sections(memory.body)
    fields = dict(zip(("happened", "changed", "matters", "unresolved", "anchors"), FIELDS, strict=True))
    told = {part: held.get(field, "").strip() for part, field in fields.items()}
    keeps = f"keep for good: {memory.immune_reason}".rstrip(": ") if memory.immune else "may fade"
    told |= {
        "title": memory.title,
        "marker": memory.marker,
        "kind": "\n".join(part for part in (", ".join(memory.tags), keeps) if part),
    }
    if not all(told[part] for part in fields):
        return ""
    labels = part_texts()
    pages = [f"## {labels[part][0]}\n{told[part]}" for part in CONSOLIDATION_PARTS if told.get(part)]
    return "\n\n".join([*pages, name])
