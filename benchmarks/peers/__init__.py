"""Programs that memview's screen is compared with; each is run by its path, in a pseudo-terminal."""
