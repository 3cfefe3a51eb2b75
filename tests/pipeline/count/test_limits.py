"""What cannot be counted is refused before any work, with advice that works."""

from __future__ import annotations

import pytest

from pipeline.count.limits import check_exact, check_memory
from pipeline.count.weights import weights_of
from wordkin.errors import InputError


def test_a_window_whose_sums_would_not_be_exact_is_refused_with_one_that_fits() -> None:
    check_exact(5_692_000_000, 10, "harmonic")
    check_exact(5_692_000_000, 50, "uniform")
    check_exact(5_692_000_000, 50, "linear")
    with pytest.raises(InputError, match="window of at most 18, or linear"):
        check_exact(5_692_000_000, 20, "harmonic")
    check_exact(5_692_000_000, 18, "harmonic")


def test_more_memory_than_the_machine_has_is_refused_with_what_fits() -> None:
    weights, _ = weights_of(10, "harmonic")
    check_memory(15_000, weights, 1024, 2, 4096)
    check_memory(100_000, weights, 4096, 2, 16 * 1024)
    with pytest.raises(InputError, match=r"task_memory_mib to at most (\d+)\.") as refused:
        check_memory(100_000, weights, 8192, 2, 16 * 1024)
    fits = int(str(refused.value).split()[-1].rstrip("."))
    check_memory(100_000, weights, fits, 2, 16 * 1024)
    with pytest.raises(InputError, match=r"at most"):
        check_memory(100_000, weights, fits + 1, 2, 16 * 1024)
    with pytest.raises(InputError, match=r"spark\.master to local\[4\] and .* to 64\."):
        check_memory(15_000, weights, 1024, 32, 4096)
    with pytest.raises(InputError, match="counting takes at least"):
        check_memory(15_000, weights, 64, 1, 1024)
