"""The persona's heartbeat: how dreaming stands, what broke the thread, and whether a dream is due."""
