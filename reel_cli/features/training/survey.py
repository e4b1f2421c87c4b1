"""Survey of a kit's history for training data, kind by kind (REEL §8)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import FORGOT, RATIFIED, RATIFIED_BY, parse_forgotten
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.history import Commit, read_log
from reel_cli.core.git.repository import Repository
from reel_cli.core.git.revisions import first_parents
from reel_cli.core.kit.approved_rings import Ring0, read_in_force
from reel_cli.core.kit.past import PastGlance
from reel_cli.core.kit.snapshot import DIRECTIVES, IDENTITY, Snapshot
from reel_cli.core.pack.build_bundle import BundleRequest, pack_snapshot
from reel_cli.core.stage_chain import remove_syntax, scene_tags
from reel_cli.core.tape.tape_view import read_session, retracted, standing_sessions
from reel_cli.core.tape.voices import as_heard, other_voices, persona_names
from reel_cli.core.tokens.counter import Tokenizer, get_tokenizer
from reel_cli.core.values.bundle import Bundle
from reel_cli.core.values.talk import Session
from reel_cli.features.doctor.leakage import known_ids
from reel_cli.features.training.check import NOTHING_BUT_SYNTAX, why_unfit
from reel_cli.features.training.policy import Sample, SampleKind

if TYPE_CHECKING:
    from reel_cli.features.training.recalls import ChatRecalls

Turn = tuple[str, str]
"""A role (user or assistant) and what it said."""
MEMORIES = frozenset({"3", "4", "story", "facts"})
"""The parts of a bundle that are memories."""


@dataclass
class SampleSurvey:
    """The samples that may be learned from, what was refused and why, and what the kit lacks."""

    samples: list[Sample] = field(default_factory=list)
    refused: Counter[tuple[SampleKind, str]] = field(default_factory=Counter)
    lacking: dict[SampleKind, list[str]] = field(default_factory=dict)
    cleaned: Counter[SampleKind] = field(default_factory=Counter)
    """How many samples of each kind had scene tags or message headers, which are not in them (REEL §5.2)."""

    def lack(self, kind: SampleKind, what: str) -> None:
        """Record a lack that prevents more samples of a kind."""
        self.lacking.setdefault(kind, []).append(what)

    def count(self) -> Mapping[SampleKind, int]:
        """Return how many samples there are of each kind."""
        return {kind: sum(sample.kind is kind for sample in self.samples) for kind in SampleKind}


class Source:
    """A kit and its history, as samples are made from them."""

    def __init__(self, snapshot: Snapshot, kit: Path, repo: Repository, window: int | None) -> None:
        """Keep the sources; `window` (tokens) limits samples, by default the kit's own."""
        self.snapshot, self.kit, self.repo, self.window = snapshot, kit, repo, window
        self.settings = snapshot.settings
        self.recalls: ChatRecalls | None = None
        """Memories that came back in chats; None where that is not asked."""
        self.gathered = SampleSurvey()
        self.room = window or self.settings.cap
        self.tokenizer: Tokenizer = get_tokenizer(self.settings.tokenizer)
        self.personas = persona_names(snapshot)
        self.sessions = list(standing_sessions(snapshot))
        self.commits: Sequence[Commit] = read_log(repo)[::-1]
        """All commits, the oldest first."""
        self._in_force: dict[tuple[int, str, str], Ring0] = {}
        self._tags: dict[str, frozenset[str]] = {}

    @cached_property
    def ring0(self) -> Ring0:
        """Return the ring 0 that is approved now."""
        return read_in_force(self.snapshot, self.repo)

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset((*known_ids(self.snapshot), *self.sessions, *self.let_go))

    @cached_property
    def let_go(self) -> frozenset[str]:
        """Return the memories a person let go and has not brought back: nothing of them is taught."""
        told = (c.values(FORGOT) for c in self.commits if c.op == "forget")
        gone = (parse_forgotten(value) for values in told for value in values)
        return frozenset(one.id for one in gone if one is not None) - set(self.snapshot.memories)

    @cached_property
    def recorded(self) -> Mapping[str, str]:
        """Return the commit in which each session was first recorded."""
        found: dict[str, str] = {}
        for commit in self.commits:
            if commit.op in ("record", "keep"):
                for session in commit.values("Reel-Session"):
                    found.setdefault(session, commit.id)
        return found

    @property
    def steps(self) -> int:
        """Return the number of steps for progress."""
        return len(self.sessions) + len(self.snapshot.checkpoints)

    def session(self, name: str) -> Session | None:
        """Return a session of the tape; None if it cannot be read."""
        try:
            return read_session(self.snapshot, name)
        except ReelError:
            return None

    def before(self, commit: str) -> Snapshot | None:
        """Return the kit before a commit, read whole; None if history does not reach so far."""
        tree = self._tree_before(commit)
        return Snapshot(tree, self._name) if tree is not None else None

    def ring0_before(self, commit: str) -> Ring0:
        """Return the ring 0 approved before a commit; the present one if history ends later."""
        tree = self._tree_before(commit)
        if tree is None:
            return self.ring0
        # the approved text changes only with an approval or a draft
        place = self._places.get(commit, 0)
        key = (self._ratified[place], tree.ids.get(IDENTITY, ""), tree.ids.get(DIRECTIVES, ""))
        if key not in self._in_force:
            self._in_force[key] = read_in_force(Snapshot(tree, self._name), self.repo, tree.rev)
        return self._in_force[key]

    def _tree_before(self, commit: str) -> CommitTree | None:
        parent = self._parents.get(commit)
        return CommitTree(self.repo, parent) if parent is not None else None

    @cached_property
    def _parents(self) -> Mapping[str, str]:
        return first_parents(self.repo)

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {commit.id: place for place, commit in enumerate(self.commits)}

    @cached_property
    def _ratified(self) -> Sequence[int]:
        """Return, before each commit, how many approved ring 0: by decision, or as the first session."""
        counts, count, lived = [], 0, False
        for commit in self.commits:
            counts.append(count)
            ratifies = bool(commit.values(RATIFIED_BY) or commit.values(RATIFIED))
            first = not lived and bool(commit.values("Reel-Session"))
            lived = lived or first
            count += ratifies or first
        return counts

    def at(self, commit: str) -> CommitTree:
        """Return the kit's files as a commit left them."""
        return CommitTree(self.repo, commit)

    @property
    def _name(self) -> str:
        return self.kit.resolve().name

    def bundle_then(self, session: str) -> Bundle | None:
        """Return the bundle that a session would have begun with; None if that is unknown."""
        commit = self.recorded.get(session)
        tree = self._tree_before(commit) if commit is not None else None
        if commit is None or tree is None:
            return None
        past = PastGlance(tree, self._name, self.kit)
        if not (retracted(self.snapshot) - retracted(past)).isdisjoint(past.sessions):
            # it would teach what came of a chat that was taken back since
            return None
        try:
            return pack_snapshot(past, BundleRequest(window=self.window), self.ring0_before(commit))
        except (ReelError, OSError):
            # the kit could not be packed then, or not for so small a window
            return None

    def offer(self, sample: Sample) -> None:
        """Add a sample without scene tags and message headers, or record why it is none to learn from."""
        also = frozenset[str]().union(*map(self._scene_tags, sample.sessions))
        lived = [(role, remove_syntax(text, also)) for role, text in sample.messages]
        made = replace(
            sample,
            messages=tuple((role, _clean(text)) for role, text in lived),
            tokens=sum(self.tokenizer.count(text) for _, text in lived),
        )
        if not all(text.strip() for _, text in lived):
            why = NOTHING_BUT_SYNTAX
        else:
            why = why_unfit(made, self._known) if made.tokens <= self.room else "too long for the window"
        if why:
            self.gathered.refused[made.kind, why] += 1
            return
        self.gathered.samples.append(made)
        self.gathered.cleaned[made.kind] += lived != list(sample.messages)

    def _scene_tags(self, session: str) -> frozenset[str]:
        """Return the names of a chat's own scene tags, which its pages and stretches may have alone."""
        if session not in self._tags:
            lived = self.session(session)
            shown = lived.shown() if lived is not None else ()
            self._tags[session] = scene_tags(entry.message.text for entry in shown)
        return self._tags[session]

    def refuse(self, kind: SampleKind, why: str) -> None:
        """Record that something is none to learn from."""
        self.gathered.refused[kind, why] += 1

    def fitting(self, head: Sequence[Turn], turns: Sequence[Turn], tail: Sequence[Turn] = ()) -> list[Turn]:
        """Return as many of the turns as the window holds beside those before and after them; [] for none.

        Without a tail the end is left out, else the beginning: what came last is what is answered.
        """
        room = self.room - sum(self.tokenizer.count(text) for _, text in (*head, *tail))
        kept: list[Turn] = []
        for turn in reversed(turns) if tail else turns:
            room -= self.tokenizer.count(turn[1])
            if room < 0:
                break
            kept.append(turn)
        return whole_turns(kept[::-1] if tail else kept, closed=not tail)


def turns_of(session: Session, personas: Sequence[str]) -> list[Turn]:
    """Return what was said, in turns: one role after the other, beginning with the user.

    `personas` are the persona's names; what others answer in a group chat is said to it.
    """
    shown = session.shown()
    others = other_voices(shown, personas)
    return whole_turns([as_heard(entry.message, others) for entry in shown], closed=False)


def whole_turns(said: Iterable[Turn], *, closed: bool = True) -> list[Turn]:
    """Return each role's words joined, from the user's first; `closed`: to the persona's last."""
    turns: list[Turn] = []
    for role, text in said:
        if role not in ("user", "assistant") or not text.strip() or (not turns and role != "user"):
            continue
        if turns and turns[-1][0] == role:
            turns[-1] = (role, f"{turns[-1][1]}\n\n{text}")
        else:
            turns.append((role, text))
    if closed and turns and turns[-1][0] == "user":
        turns.pop()
    return turns


def _clean(text: str) -> str:
    """Return a text that any JSON reader takes: no lone surrogates."""
    return text.encode("utf-8", "replace").decode("utf-8")
