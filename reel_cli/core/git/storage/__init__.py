"""git's objects and its index of files, read and written without a work tree."""
