"""The parts that every feature stands on."""
