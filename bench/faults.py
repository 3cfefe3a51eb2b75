"""`python -m bench.faults`: let steps in the file system fail, and print how each command ended.

    python -m bench.faults [--most 25] [npmi counts 'export csv' ...]

The tests do the same with few faults per command (tests/pipeline/test_faults.py).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.project import build, make_project
from tests.support.root import ROOT
from wordkin.ranges import Whole


def main() -> int:
    """Inject the faults; 1 if one of them did harm."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--most", type=Whole(2), default=25, help="faults per command")
    parser.add_argument("names", nargs="*", help="stages and commands (default: all)")
    given = parser.parse_args()
    faults = tolerated = problems = 0
    with TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        build(make_project(root))
        command = [sys.executable, "-m", "tests.support.faulty_stages", str(root), str(given.most)]
        running = subprocess.Popen(
            [*command, *given.names], cwd=ROOT, text=True, stdout=subprocess.PIPE
        )
        assert running.stdout
        print(f"{'command':<22} {'faults':>7} {'refused':>8} {'done':>6} {'harm':>6}")
        for report in map(json.loads, running.stdout):
            faults += report["faults"]
            tolerated += report["tolerated"]
            problems += len(report["problems"])
            refused = report["faults"] - report["tolerated"]
            print(
                f"{report['name']:<22} {report['faults']:>7} {refused:>8} "
                f"{report['tolerated']:>6} {len(report['problems']):>6}",
                flush=True,
            )
            for problem in report["problems"]:
                print(f"    {problem}")
    print(
        f"{faults:,} faults: {faults - tolerated:,} ended in a sentence, {tolerated:,} were "
        f"got round, {problems:,} did harm."
    )
    return 1 if problems or running.wait() else 0


if __name__ == "__main__":
    sys.exit(main())
