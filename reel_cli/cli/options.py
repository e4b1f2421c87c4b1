"""Options that several commands take, each said once."""

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Answer a program.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what it would do; change nothing.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Keep it without a review.")]
Prompt = Annotated[bool, typer.Option("--prompt", help="Only print the prompt.")]
Reply = Annotated[
    str | None, typer.Option("--reply", metavar="FILE|-", help="The model's reply, from a file or stdin.")
]
Format = Annotated[
    str, typer.Option("--format", metavar="NAME", help="auto, lmstudio, messages, markdown or text.")
]
Cue = Annotated[
    str, typer.Option("--cue", metavar="TEXT", help="What the talk is about to be; chooses examples.")
]
