"""The random numbers of the kernels that train vectors, in plain Python."""

from __future__ import annotations


class PlainRandom:
    """The kernel's random numbers, with Python's whole numbers."""

    def __init__(self, state: int) -> None:
        self.state = state

    def bits(self) -> int:
        x = self.state
        x ^= x >> 12
        x = (x ^ (x << 25)) % 2**64
        x ^= x >> 27
        self.state = x
        return x * 0x2545F4914F6CDD1D % 2**64

    def below(self, limit: int) -> int:
        return (self.bits() >> 33) % limit

    def share(self) -> float:
        return (self.bits() >> 11) / 2**53
