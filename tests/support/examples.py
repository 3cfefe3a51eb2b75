"""How many random examples a test tries."""

from __future__ import annotations

from hypothesis import settings

FAST, FEW = "fast", 20
"""The profile of `make test-fast`, and its number of examples."""


def at_most(number: int) -> int:
    """So many examples, or the few of `make test-fast`."""
    fast = settings.get_current_profile_name() == FAST
    return min(number, FEW) if fast else number
