"""A messy memory and the truth about it: real conversations and junk, found by the library and cleaned by keys."""
