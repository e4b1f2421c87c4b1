"""A frozen reading of a kit: every operation decides on this and nothing else."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from reel_cli.errors import ReelError
from reel_cli.kit import exemplar_file, index_file, memory_file, settings_file
from reel_cli.kit.index_file import Index
from reel_cli.kit.tree import Tree
from reel_cli.model.exemplar import ActiveSet, Exemplar
from reel_cli.model.memory import Memory
from reel_cli.model.settings import Settings
from reel_cli.model.tape import SESSION_ID, session_order

IDENTITY = "ring0/identity.md"
DIRECTIVES = "ring0/directives.md"
WORKING = "ring2/working.md"
INDEX = "ring4/index.md"
ACTIVE = "ring1/active.yaml"
EVENTS = "tape/events.md"


class Snapshot:
    """A kit as one tree holds it; each file is read at most once, and remembered as read.

    What was read is what the transaction later compares with the disk, so an edit made while a
    person was deciding is noticed.
    """

    def __init__(self, tree: Tree, name: str) -> None:
        """Read from `tree`; `name` is what to call the kit in messages."""
        self.tree = tree
        self.name = name
        self._bytes: dict[str, bytes | None] = {}

    def read(self, path: str) -> bytes | None:
        """The file's bytes, or None; the same answer however often it is asked."""
        if path not in self._bytes:
            self._bytes[path] = self.tree.read(path)
        return self._bytes[path]

    def text(self, path: str) -> str | None:
        """The file as text; ReelError naming the file when it is not UTF-8."""
        data = self.read(path)
        if data is None:
            return None
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            message = f"{path}, line {line}: this is not UTF-8 text."
            raise ReelError(message, hint="save the file as UTF-8") from None

    def list(self, folder: str) -> Sequence[str]:
        """Every file below a folder of the kit, sorted."""
        return self.tree.list(folder)

    def seen(self) -> Mapping[str, bytes | None]:
        """Every path read so far, with the bytes it had."""
        return dict(self._bytes)

    @cached_property
    def settings(self) -> Settings:
        """`kit.yaml`, typed; refuses a newer major version of the protocol."""
        return settings_file.parse_settings(self.text("kit.yaml") or "", fallback_name=self.name)

    @cached_property
    def memories(self) -> Mapping[str, Memory]:
        """Ring 3 by ID, oldest first."""
        found = [
            memory_file.parse_memory(self.text(path) or "", path)
            for path in self.list("ring3")
            if path.endswith(".md") and Path(path).name.startswith("M-")
        ]
        return {memory.id: memory for memory in sorted(found, key=lambda m: m.order)}

    @cached_property
    def index(self) -> Index:
        """Ring 4: its lines, and those that do not parse."""
        return index_file.parse_index(self.text(INDEX) or "")

    @cached_property
    def exemplars(self) -> Mapping[str, Exemplar]:
        """The ring 1 pool by slug, in order of slug."""
        found = [
            exemplar_file.parse_exemplar(self.text(path) or "", path)
            for path in self.list("ring1")
            if path.endswith(".md")
        ]
        return {exemplar.slug: exemplar for exemplar in found}

    @cached_property
    def active(self) -> ActiveSet:
        """The anchor and the active set."""
        return exemplar_file.parse_active(self.text(ACTIVE) or "", ACTIVE)

    @cached_property
    def sessions(self) -> Sequence[str]:
        """The sessions on the tape, in the order they were had."""
        names = (Path(path).stem for path in self.list("tape") if path != EVENTS)
        return sorted((n for n in names if SESSION_ID.fullmatch(n)), key=session_order)

    @cached_property
    def checkpoints(self) -> Sequence[str]:
        """The checkpoint files' kit paths, oldest first."""

        def order(path: str) -> tuple[str, int, int]:
            session, _, number = Path(path).stem.rpartition(".")
            return (*session_order(session), int(number))

        return sorted(
            (
                p
                for p in self.list("checkpoints")
                if p.endswith(".yaml")
                and SESSION_ID.fullmatch(Path(p).stem.rpartition(".")[0])
                and Path(p).stem.rpartition(".")[2].isdigit()
            ),
            key=order,
        )
