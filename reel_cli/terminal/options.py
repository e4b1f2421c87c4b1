"""Options that several commands take, each said once."""

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for a program.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what it would do; change nothing.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Keep it without a review.")]
Sure = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the record.")]
Copy = Annotated[bool, typer.Option("--copy", help="Copy it instead of printing it.")]
Prompt = Annotated[bool, typer.Option("--prompt", help="Only print the prompt.")]
Reply = Annotated[
    str | None, typer.Option("--reply", metavar="FILE|-", help="The model's reply, from a file or stdin.")
]
Brief = Annotated[
    bool, typer.Option("--brief", help="A short page: what happened, what matters, three notes, no facts.")
]
At = Annotated[
    str | None,
    typer.Option("--at", metavar="DATE|REV", help="As it was at a day's end (2026-03-01), or in a commit."),
]
Boot = Annotated[
    bool | None,
    typer.Option("--boot/--no-boot", help="Begin with the story, SHARED-CONTEXT.md and the last messages."),
]
With = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="FILTER",
        help="Rows to include: 'quests where status = \"open\"'. May be repeated.",
    ),
]
For = Annotated[
    str | None,
    typer.Option(
        "--for",
        metavar="PLACE",
        help="Fit it to the place where you paste it: chatgpt, sillytavern, ollama …; --for list shows all.",
    ),
]
Cue = Annotated[
    str, typer.Option("--cue", metavar="TEXT", help="Topic of the coming chat; it chooses examples.")
]
ByTokenizer = Annotated[
    str | None,
    typer.Option(
        "--tokenizer",
        metavar="NAME|FILE",
        help="How tokens are counted: o200k_base, cl100k_base, or your model's own file (model.gguf).",
    ),
]
Like = Annotated[
    str | None,
    typer.Option("--like", metavar="RULES", help="Rules to count by if the file's own are not known."),
]
Margin = Annotated[
    str | None,
    typer.Option("--margin", metavar="SHARE", help="Safety margin on each count: 8%."),
]
