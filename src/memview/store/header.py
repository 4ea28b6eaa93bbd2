"""What the header of a store's file says: whose it is, and which schema it has. Whoever only looks needs no more."""

from __future__ import annotations

APPLICATION_ID = 0x6D6D7677
"""Says that a file is a memview store ("mmvw")."""

VERSION = 1
"""The schema version that this program writes and reads: the number of the last migration (`memview.store.schema`)."""
