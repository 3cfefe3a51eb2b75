"""`python -m bench.fuzz`: open damaged bundles and read damaged text until the time is over.

The tests do the same with fixed seeds. Here each run has new ones, printed so that a failure can be
repeated: `python -m bench.fuzz --seed 12345`.
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from pathlib import Path

import click

from tests.support.bundles import make_bundle
from tests.support.hostile_bundles import fuzz_archive, fuzz_folder
from tests.support.hostile_text import fuzz_text
from wordkin.pack import ENDING, pack
from wordkin.ranges import SEED, Whole

PER_ROUND = 200


@click.command(help=__doc__)
@click.option("--minutes", type=Whole(1), default=5, show_default=True, help="How long.")
@click.option("--seed", type=SEED, help="The first seed; a new one if it is not given.")
def main(minutes: int, seed: int | None) -> None:
    """Fuzz in rounds, each with its own seed, and print how the trials ended."""
    seed = time.time_ns() % 10**9 if seed is None else seed
    ends: Counter[str] = Counter()
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        print(f"seed {seed}: {dict(ends)}", flush=True)
        with tempfile.TemporaryDirectory() as temporary:
            folder = make_bundle(Path(temporary))
            ends += fuzz_folder(folder, seed, PER_ROUND)
            ends += fuzz_text(Path(temporary), seed, PER_ROUND)
            archive = Path(temporary) / f"bundle{ENDING}"
            pack(folder, archive)
            ends += fuzz_archive(archive, seed, PER_ROUND)
        seed += 1
    print(dict(ends))


if __name__ == "__main__":
    main()
