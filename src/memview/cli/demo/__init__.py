"""A made-up store to try everything on, and a small agent that keeps writing into it."""
