"""`reel log`, `diff`, `undo`, `why` and `backup`."""
