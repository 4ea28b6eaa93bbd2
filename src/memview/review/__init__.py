"""What a reviewer asks of a memory: what is new, what repeats, what contradicts, what is stale, what is secret.

Library functions first, so that the command line, a script and the screen give the same answer.
"""
