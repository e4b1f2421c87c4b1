"""The kit on disk: trees, snapshots, file formats, the transaction, git."""
