"""How near the measures come to people, and to what others published.

    python -m bench.quality [--lang en] [--gold MEN WS-353-rel]

Takes the figures of the last `dvc repro` (eval/<lang>/metrics.json): Spearman over all pairs, and
its ratio to the best and the median figure of eval/published.yaml for the same gold set. Those were
measured elsewhere, mostly on a hundred times the text: the ratio tells what is left to gain.
"""

from __future__ import annotations

import argparse
import json
import statistics
from pathlib import Path

from pipeline.judging.published import read_published
from pipeline.layout import Layout


def main() -> None:
    """Print a line for each gold set and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--lang", default="en")
    parser.add_argument("--gold", nargs="+", default=["MEN", "WS-353-rel"])
    given = parser.parse_args()
    path = Layout(Path(), given.lang).eval / "metrics.json"
    if not path.is_file():
        parser.error(f"there is no {path}: run make run first")
    measured = json.loads(path.read_text(encoding="utf-8"))["gold"]
    systems = read_published(Path("eval/published.yaml"))["systems"]
    print(f"{'gold set':12}{'measure':10}{'Spearman':>9}{'/ best':>8}{'/ median':>10}  elsewhere")
    for name in given.gold:
        if name not in measured:
            parser.error(f"{name} is not in {path}: there is {', '.join(measured)}")
        others = [
            entry["scores"][name]["spearman"]
            for entry in systems
            if entry["language"] == given.lang and "spearman" in entry["scores"].get(name, {})
        ]
        for measure, found in measured[name].items():
            if isinstance(found, dict):
                print(f"{name:12}{measure:10}{beside(found['spearman_all'], others)}")


def beside(value: float, others: list[float]) -> str:
    """A figure and its ratios to the best and the middle one of others."""
    if not others:
        return f"{value:9.3f}"
    best, middle = max(others), statistics.median(others)
    return f"{value:9.3f}{value / best:8.2f}{value / middle:10.2f}  {middle:.3f} to {best:.3f}"


if __name__ == "__main__":
    main()
