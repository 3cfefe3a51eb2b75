"""`python -m bench.fuzz`: open damaged bundles and read damaged text until the time is over.

The tests do the same with fixed seeds. Here each run has new ones, printed so that a failure can be
repeated: `python -m bench.fuzz --seed 12345`.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.support.bundles import make_bundle
from tests.support.hostile_bundles import fuzz_archive, fuzz_folder
from tests.support.hostile_text import fuzz_text
from wordkin.pack import ARCHIVES, pack
from wordkin.ranges import SEED, Whole

PER_ROUND = 200


def main() -> None:
    """Fuzz in rounds, each with its own seed, and print how the trials ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=Whole(1), default=5, help="how long (default: 5)")
    parser.add_argument("--seed", type=SEED, help="the first seed (default: a new one)")
    given = parser.parse_args()
    seed = time.time_ns() % 10**9 if given.seed is None else given.seed
    ends: Counter[str] = Counter()
    end = time.monotonic() + 60 * given.minutes
    while time.monotonic() < end:
        print(f"seed {seed}: {dict(ends)}", flush=True)
        with tempfile.TemporaryDirectory() as temporary:
            folder = make_bundle(Path(temporary))
            ends += fuzz_folder(folder, seed, PER_ROUND)
            ends += fuzz_text(Path(temporary), seed, PER_ROUND)
            for ending in ARCHIVES:
                archive = Path(temporary) / f"bundle{ending}"
                pack(folder, archive)
                ends += fuzz_archive(archive, seed, PER_ROUND)
        seed += 1
    print(dict(ends))


if __name__ == "__main__":
    main()
