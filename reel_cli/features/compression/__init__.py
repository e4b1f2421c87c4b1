"""The compression of memories, measured: how much is left, and how much was changed (SRIP-11 §III.6, §VI)."""
