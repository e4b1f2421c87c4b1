"""`reel config` and `reel edit`: a kit's settings and texts, changed by the person."""
