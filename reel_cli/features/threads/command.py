"""`reel memory threads`: what was spoken of again and again, and how it went on."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from reel_cli.core.frozen import frozen
from reel_cli.terminal.options import AsJson

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.features.threads.clusters import Cluster
    from reel_cli.features.threads.edges.edge import Edge
    from reel_cli.features.threads.survey import ThreadSurvey
    from reel_cli.terminal.console import Console
    from reel_cli.terminal.open_kit import OpenKit


def register(memory: typer.Typer) -> None:
    """Add the command to `reel memory`."""
    memory.command("threads", epilog='Example:  reel memory threads "the flat"')(threads)


def threads(
    ctx: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="One of them, with all that hangs on it.")
    ] = "",
    svg: Annotated[bool, typer.Option("--svg", help="A picture of them, as SVG.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="One with its clusters of ribs and their figures.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List what came up again and again; with a name, tell that one.

    Any word that two chats have can be followed.
    """
    from reel_cli.core.errors import ReelError, UsageError
    from reel_cli.core.shell import quote

    opened: OpenKit = ctx.obj.open_kit()
    console = opened.console
    if svg and as_json:
        message = "--svg and --json do not go together."
        raise UsageError(message, hint="leave out one of them")
    if explain and not name:
        message = "--explain needs the name of a thread."
        raise UsageError(message, hint="reel memory threads  lists them")
    found = _read(opened, name, clusters=as_json or explain, edges=as_json)
    if name and not found.threads:
        message = f'"{name}" does not come up in two chats.'
        raise ReelError(message, hint="reel memory threads  lists what does")
    if as_json:
        told = zip(found.threads, found.clusters, found.edges, strict=True)
        more = {"rib_points": found.ribs} if found.ribs else {}
        console.result_json({"threads": [_as_json(*one) | more for one in told]})
    elif svg:
        from reel_cli.features.threads.picture import draw_threads

        console.result(draw_threads(opened.snapshot, found.threads))
    elif not found.threads:
        console.say("No matter came up in three chats yet.")
    elif name:
        _tell_one(opened, found.threads[0])
        if explain:
            _tell_clusters(console, found.threads[0], found.clusters[0])
        if found.threads[0].memories:
            console.next_step(f"Read one:  reel memory show {found.threads[0].memories[0].id}")
    else:
        rows = [
            (one.thread.name, _count_chats(one), _span(one), _newest(opened.snapshot, one))
            for one in found.threads
        ]
        console.result(console.listing(rows, 3))
        first = quote(found.threads[0].thread.name)
        console.next_step(f"One from its beginning:  reel memory threads {first}")


@frozen
class FoundThreads:
    """The threads that are asked for; clusters and edges of each, and the rib points of one, where wanted."""

    threads: "Sequence[ThreadSurvey]"
    clusters: "Sequence[Sequence[Cluster]]" = ()
    edges: "Sequence[Sequence[Edge]]" = ()
    ribs: "Sequence[Mapping[str, Any]]" = ()


def _read(opened: "OpenKit", name: str, *, clusters: bool, edges: bool) -> FoundThreads:
    """Return the threads of the recorded chats, or the one of a name; ReelError where they cannot be read."""
    from reel_cli.features.threads.describe_ribs import describe_ribs
    from reel_cli.features.threads.edges.find_edges import find_thread_edges
    from reel_cli.features.threads.naming.files import NAMES, parse_named
    from reel_cli.features.threads.survey import cut_thread, open_lattice, read_pages, survey_threads

    snapshot = opened.snapshot
    # a file that cannot be read is told of here, where its words would count
    parse_named(snapshot.text(NAMES) or "")
    pages = read_pages(snapshot)
    with (
        opened.console.counting("Reading the recorded chats") as progress,
        open_lattice(opened.root, snapshot, progress) as lattice,
    ):
        found = survey_threads(lattice, snapshot, name, pages)
        cut = [cut_thread(lattice, one, snapshot) for one in found] if clusters else []
        return FoundThreads(
            found,
            cut,
            find_thread_edges(lattice, snapshot, pages, found, cut) if edges else (),
            describe_ribs(lattice, snapshot, found[0]) if edges and name and found else (),
        )


def _count_chats(one: "ThreadSurvey") -> str:
    return "1 chat" if len(one.thread.chats) == 1 else f"{len(one.thread.chats)} chats"


def _span(one: "ThreadSurvey") -> str:
    chats = one.thread.chats
    first, last = chats[0][:10], chats[-1][:10]
    return first if first == last else f"{first} to {last}"


def _newest(snapshot: "Snapshot", one: "ThreadSurvey") -> str:
    """Return the page of its newest chat, or the first thing said of it there.

    Its other words where no page tells of it.
    """
    from reel_cli.features.threads.survey import read_passages

    if not one.memories:
        return ", ".join(one.thread.terms[1:])
    newest = one.thread.chats[-1]
    page = next((memory for memory in reversed(one.memories) if newest in memory.sessions), None)
    told = f"{page.title} ({page.id})" if page else f"“{read_passages(snapshot, one, [newest], 40)[newest]}”"
    return f"last: {told}"


def _tell_one(opened: "OpenKit", one: "ThreadSurvey") -> None:
    from reel_cli.features.threads.phases import PLAIN
    from reel_cli.features.threads.survey import read_passages

    console, persona = opened.console, opened.snapshot.settings.name
    console.result(f"{one.thread.name}: {_span(one)}, {_count_chats(one)}")
    by_chat = {span: memory for memory in one.memories for span in memory.sessions}
    passages = read_passages(opened.snapshot, one, [c for c in one.thread.chats if c not in by_chat])
    seen = list(dict.fromkeys(PLAIN[phase] for phase in one.phases.values()))
    differ = len(seen) > 1
    rows = []
    for chat in one.thread.chats:
        memory = by_chat.get(chat)
        told = f"{memory.title} ({memory.id})" if memory else f"“{passages[chat]}”"
        phase = PLAIN[one.phases[chat]] if chat in one.phases else ""
        rows.append((chat[:10], phase, told) if differ else (chat[:10], told))
    console.result(console.listing(rows, 2 if differ else 1))
    if differ:
        console.say(f"{', '.join(seen).capitalize()}: how sure of itself {persona} was in that chat.")
    elif seen:
        console.say(f"{persona} was {seen[0]} in all of them.")


def _tell_clusters(console: "Console", one: "ThreadSurvey", clusters: "Sequence[Cluster]") -> None:
    """Show the clusters of a thread, each with its theme, its phases and how alike its ribs are."""
    ribs = "1 rib" if len(one.ribs) == 1 else f"{len(one.ribs):,} ribs"
    if not clusters:
        console.result(f"{ribs}, too few for a cluster")
        return
    count = "1 cluster" if len(clusters) == 1 else f"{len(clusters):,} clusters"
    console.result(f"{ribs} in {count}")
    rows = []
    for cluster in clusters:
        # by the protocol's names, which --json has as well
        phases = ", ".join(f"{many} {phase}" for phase, many in cluster.phases.items() if phase)
        first, last = (rib.session[:10] for rib in (cluster.ribs[0], cluster.ribs[-1]))
        told = f"with {', '.join(cluster.theme)}" if cluster.theme else "with no theme of its own"
        rows.append((f"{first} to {last}", phases, f"cohesion {cluster.cohesion:.2f}", told))
    console.result(console.listing(rows, 3))


def _as_json(one: "ThreadSurvey", clusters: "Sequence[Cluster]", edges: "Sequence[Edge]") -> dict[str, Any]:
    return {
        "name": one.thread.name,
        **({"named": True} if one.thread.said else {}),
        "terms": list(one.thread.terms),
        "sessions": list(one.thread.chats),
        "memories": [memory.id for memory in one.memories],
        "phases": {chat: phase.value for chat, phase in one.phases.items()},
        "weight": one.thread.weight,
        "ribs": [rib.id for rib in one.ribs],
        "clusters": [
            {
                "id": cluster.id,
                "theme": ", ".join(cluster.theme),
                "ribs": [rib.id for rib in cluster.ribs],
                "phases": dict(cluster.phases),
                "cohesion": cluster.cohesion,
            }
            for cluster in clusters
        ],
        "edges": [
            {
                "from": edge.start,
                "to": edge.end,
                "type": edge.type.value,
                "weight": edge.weight,
                "reason": edge.reason,
            }
            for edge in edges
        ],
    }
