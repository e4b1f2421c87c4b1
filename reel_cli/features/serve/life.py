"""The life in the browser: a year of it, each memory with what can be done about it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from reel_cli.features.serve.page_maker import PageMaker
    from reel_cli.features.serve.reading import ServedKit


class LifePages:
    """The pages of the years and of single memories."""

    def __init__(self, make: "PageMaker") -> None:
        """Answer with pages that `make` makes."""
        self._make = make

    def list_routes(self) -> "Sequence[Route]":
        """Return the paths, and what answers each."""
        from starlette.routing import Route

        return [Route("/life", self.show_life), Route("/memory/{name}", self.show_memory)]

    def show_life(self, request: "Request") -> "Response":
        """Show the months of a year; each memory is read when it is opened."""
        asked = request.query_params.get("year", "")
        return self._make.answer(lambda kit: self._make.page(kit, "life.html", page=kit.read_year(asked)))

    def show_memory(self, request: "Request") -> "Response":
        """Show one memory, with what can be done about it; alone, for a place on another page."""
        name = request.path_params["name"]
        template = "memory_part.html" if "part" in request.query_params else "memory.html"

        def show(kit: "ServedKit") -> "Response":
            found = kit.find_memory(name)
            return self._make.page(kit, template, one=found) if found else self._make.missing(kit)

        return self._make.answer(show)
