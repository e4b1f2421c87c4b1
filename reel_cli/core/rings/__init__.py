"""What the rings hold, as features ask for it: losses, pins, pointers."""
