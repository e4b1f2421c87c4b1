"""The rings as features ask for them: losses, pins, pointers."""
