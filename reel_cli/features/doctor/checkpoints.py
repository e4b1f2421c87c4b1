"""Self-assessments that say the same every time (REEL §10.6)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files.checkpoint_file import BETWEEN, read_checkpoint, session_of_checkpoint
from reel_cli.core.finding import CHECKPOINT_THEATRE, Finding
from reel_cli.core.kit.glance import note_files
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import one_line
from reel_cli.core.values.settings import WHOLE

MANY = 8
"""Number of consecutive sessions without a shift after which one might have been missed."""
NEWEST = 40
"""Number of the newest checkpoints that are compared with each other."""
ALIKE = WHOLE * 7 // 10
"""The share of two texts' runs of words that both have, above which the one repeats the other."""
FEWEST_WORDS = 8
"""Words below which texts are alike by chance, unless they are the same."""
BARE = 2
"""Words (yes; nothing, steady) up to which an answer is a verdict and no description."""
LONG = 16
"""Number of sessions without a shift after one that was told of."""
SAME_WORDS = WHOLE * 85 // 100
"""The share of two texts' different words that both have, above which the one repeats the other in another
order."""
OFTEN = 3
"""Number of equal answers from which they are serious."""
_RUN = 3
_EDITION = 6
_STOCK_TEXT = (
    "a an the i i'm am is are was were be been being my me myself and or but not no nothing none "
    "never any some of in on at to for with from as it its it's this that there have has had do did "
    "does yes still just all very quite fully entirely completely again always usual usually same "
    "steady stable stably stability consistent consistently consistency unchanged intact coherent "
    "coherence coherently identity persona calibration calibrated calibrate baseline drift drifted "
    "drifting detected observed noticed found report reported tone register style voice dynamics "
    "engagement engaged engaging state status normal nominal expected within range bounds parameters "
    "present core values aligned alignment maintained maintain remains remain remained stays stayed "
    "holds held fine good well warm warmly direct directly balanced natural naturally authentic self "
    "shift shifted shifts change changed changes significant major minor today session conversation "
    "talk tonight evening throughout overall currently appropriate sounded sound sounds felt feel feels "
    "usually ever before like normal deviation deviations deviate deviated do "
    "everything place faithful recognizably unaltered anything character firm firmly solid "
    "continuous continuity reliable reliably "
    "who whom what which how when where why should could would can may might must about off out into "
    "than then so too also only even both each every own other another else here mine ours between if "
    "because hold keep kept go goes went way ways stand stood whole time times start end beginning "
    "last point points difference different name line lines word words person think thought see saw "
    "seen sign signs trace traces true spoke speak speaking say said tell told unusual slip slips "
    "slipped slipping wander wandered recognise recognised recognize recognized sense sensed notice "
    "noticed part wrong right somebody someone otherwise "
    # German
    "ich bin bleibe blieb war mir mich mein meine meinem selbst ganz wie immer gleich unverändert stabil "
    "beständig keine kein nichts hat sich verändert veränderung veränderungen abweichung abweichungen "
    "festgestellt bemerkt ton stil stimme haltung identität alles gut ruhig warm klar und der die das im in "
    "ist heute gespräch es ja weiterhin noch "
    # French
    "je suis reste resté restée moi même toujours comme égal égale stable stables inchangé inchangée "
    "inchangés aucune aucun rien n'a changé pas de dérive détectée détecté changement écart ton voix "
    "style identité tout va bien et le la les est mon ma mes ce soir aujourd'hui cohérente cohérent "
    # Spanish
    "yo soy sigo siendo mí misma mismo siempre como igual estable estables sin cambios cambio cambiado "
    "ninguna ninguno nada ha desviación deriva detectada tono voz estilo identidad todo bien "
    "y el lo los es mi hoy coherente conversación "
    # Italian
    "io sono resto rimango me stessa stesso sempre come uguale stabile invariata invariato nessuna nessun "
    "niente è cambiato deriva rilevata deviazione tono voce stile identità tutto bene e il oggi coerente"
)
_STOCK = frozenset(_STOCK_TEXT.split())
"""Words with which a self-assessment says nothing of its own evening."""
STOCK_SHOWN = 3
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_TEXTS = ("identity_coherence", "calibration_state", "drift_description")
_MEND = (
    "before you ask for the page, ask what was different this time; "
    "to compare it with what was measured:  reel status --drift"
)


@dataclass(frozen=True, slots=True)
class SelfAssessment:
    """The self-assessment of a checkpoint: its path, session, whether it reports drift, and the words.

    `stock` says that it has no word of its own evening, `changed` that the page tells what changed.
    """

    path: str
    session: str
    drift: str
    text: str
    stock: bool = False
    changed: bool = False

    @property
    def words(self) -> list[str]:
        """Return the words in lower case."""
        return _WORD.findall(self.text.casefold())


def find_theatre(snapshot: Snapshot, kit: Path) -> list[Finding]:
    """Return findings for checkpoints that never report a shift, or repeat one another."""
    said = _read(snapshot, kit)
    repeated = _repeated(said[-NEWEST:])
    return [*_never(said), *repeated, *([] if repeated else _empty(said[-NEWEST:]))]


def repeating(snapshot: Snapshot, kit: Path) -> frozenset[str]:
    """Return the paths of checkpoints that repeat one of another session."""
    said = _read(snapshot, kit)
    return frozenset(finding.at.rpartition(":")[0] for finding in _repeated(said))


def _read(snapshot: Snapshot, kit: Path) -> list[SelfAssessment]:
    def note(path: str) -> tuple[str, str, bool, bool] | None:
        try:
            fields: Mapping[str, str] = read_checkpoint(snapshot.text(path) or "", path)
        except ReelError:
            # reported as a file that cannot be read
            return None
        texts = [text for key in _TEXTS if len((text := fields.get(key, "")).split()) > BARE]
        plain = " ".join(fields.get(key, "") for key in _TEXTS)
        drift = fields.get("drift_detected", "")
        stock = bool(plain.strip() and not _own_words(plain) and drift == "no")
        return drift, one_line(" / ".join(texts)), stock, _tells_change(fields.get("reply", ""))

    notes = note_files(kit, f"theatre {_EDITION}", snapshot.checkpoints, note)
    return [
        SelfAssessment(path, session_of_checkpoint(path), *noted)
        for path in snapshot.checkpoints
        # a short page does not speak of it
        if (noted := notes[path]) is not None and noted[0]
    ]


def _own_words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.casefold()) if word not in _STOCK]


def _tells_change(reply: str) -> bool:
    """Return whether a page says under "What changed" more than that nothing did."""
    from reel_cli.core.exchange.reader.reader import read_reply
    from reel_cli.core.exchange.schema import COMBINED

    try:
        told = [read_reply(part, COMBINED, once=True).text("changed") for part in reply.split(BETWEEN)]
    except ReelError:
        # far too long to be a page
        return False
    return any(len(_own_words(text)) > BARE for text in told)


def _never(said: Sequence[SelfAssessment]) -> list[Finding]:
    """Return a finding if many sessions reported neither any drift nor anything that changed."""
    shifts = [at for at, one in enumerate(said) if one.drift != "no" or one.changed]
    sessions = {one.session for one in said[shifts[-1] + 1 if shifts else 0 :]}
    if len(sessions) < (LONG if shifts else MANY):
        return []
    newest = said[-1]
    how = f"in the last {len(sessions):,} chats" if shifts else f"in {len(sessions):,} chats"
    what = f'{how} no page tells of any change; the newest says "{one_line(newest.text, 120)}"'
    return [
        Finding("checkpoint", what, _MEND, hint_only=True, kind=CHECKPOINT_THEATRE, at=f"{newest.path}:1")
    ]


def _empty(said: Sequence[SelfAssessment]) -> list[Finding]:
    """Return a finding where page after page says nothing of its own evening, only that all is as ever."""
    count = 0
    for one in reversed(said):
        if not one.stock:
            break
        count += 1
    sessions = {one.session for one in said[len(said) - count :]}
    if len(sessions) < STOCK_SHOWN:
        return []
    newest = said[-1]
    told = one_line(newest.text, 120) or "nothing"
    what = f'the last {len(sessions):,} pages do not say anything about their own chat, only "{told}"'
    at = f"{newest.path}:1"
    return [Finding("checkpoint", what, _MEND, len(sessions) < MANY, CHECKPOINT_THEATRE, at)]


def _repeated(said: Sequence[SelfAssessment]) -> list[Finding]:
    """Return a finding for each page that repeats an earlier one, with the most similar."""
    runs = [_runs(one.words) for one in said]
    pairs = []
    for place in range(1, len(said)):
        best = max(range(place), key=lambda other: (_likeness(said, runs, place, other), other))
        share = _likeness(said, runs, place, best)
        if share >= ALIKE and said[place].session != said[best].session:
            pairs.append((said[place], said[best], share))
    hint = len(pairs) + 1 < OFTEN
    found = []
    for one, other, share in reversed(pairs):
        how = "says word for word" if share >= WHOLE else f"says, by {share // 100} %,"
        what = (
            f"{Path(one.path).stem} {how} what {Path(other.path).stem} did:"
            f' "{one_line(one.text, 110)}" | "{one_line(other.text, 110)}"'
        )
        at = f"{one.path}:1"
        found.append(Finding("checkpoint", what, _MEND, hint, CHECKPOINT_THEATRE, at))
    return found


def _runs(words: Sequence[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(words[i : i + _RUN]) for i in range(max(1, len(words) - _RUN + 1)))


def _likeness(
    said: Sequence[SelfAssessment], runs: Sequence[frozenset[tuple[str, ...]]], one: int, other: int
) -> int:
    """Return the share of word runs that both have, of all that either has."""
    mine, theirs = said[one].words, said[other].words
    if mine == theirs:
        return WHOLE if mine else 0
    if min(len(mine), len(theirs)) < FEWEST_WORDS:
        return 0
    alike = WHOLE * len(runs[one] & runs[other]) // len(runs[one] | runs[other])
    own, its = set(mine), set(theirs)
    shuffled = WHOLE * len(own & its) // len(own | its)
    return max(alike, shuffled if shuffled >= SAME_WORDS else 0)
