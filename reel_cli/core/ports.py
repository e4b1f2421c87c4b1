"""Ports: values that features bring to the core, found in the table of features and imported when asked for.

The core names no feature. It asks a port, and the table says which features bring something to it:

| port | what is brought |
| --- | --- |
| `answers` | the `Schema` of a prompt's reply, so that an answer to another prompt is recognized |
| `imported` | a function from a memory that came from elsewhere to all that it says |
| `tokenizers` | a function from a `Choice` that names a file to a tokenizer |
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

TABLE = "reel_cli.features.table"


def bring(port: str) -> Iterator[Any]:
    """Import and yield what each feature brings to a port, in the table's order."""
    for feature in import_module(TABLE).FEATURES:
        for place in feature.brings.get(port, ()):
            module, _, name = place.partition(":")
            yield getattr(import_module(f"reel_cli.features.{feature.name}.{module}"), name)
