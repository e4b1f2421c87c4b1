"""What a purge erased: how it is found, recognized and kept out of later recordings."""
