"""`make bench`: the speed of this build, one table after the other."""

from __future__ import annotations

import subprocess
import sys

MODULES = ("bench.tokens", "bench.counts", "bench.matrices", "bench.clue", "bench.web")


def main() -> int:
    """Run each benchmark in a separate process, so that none inherits another's memory."""
    worst = 0
    for module in MODULES:
        print(f"== {module}", flush=True)
        worst = max(worst, subprocess.run([sys.executable, "-m", module], check=False).returncode)
        print(flush=True)
    return worst


if __name__ == "__main__":
    sys.exit(main())
