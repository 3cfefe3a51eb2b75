"""How close the measures come to people, and to published figures.

    python -m bench.quality [--lang en] [--gold MEN WS-353-rel]

Shows the figures of the last `dvc repro` (eval/<lang>/metrics.json): Spearman over all pairs, and
its ratio to the best and to the median figure of eval/published.yaml for the same gold set. Those
were measured elsewhere, mostly on a hundred times as much text: the ratio shows what there is to
gain.
"""

from __future__ import annotations

import argparse
import json
import statistics
from pathlib import Path

from pipeline.judge.published import read_published
from pipeline.layout import Layout


def main() -> None:
    """Print one line per gold set and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--lang", default="en", help="the language, en by default")
    parser.add_argument(
        "--gold", nargs="+", default=["MEN", "WS-353-rel"], help="the gold sets to show"
    )
    given = parser.parse_args()
    layout = Layout(Path(), given.lang)
    path = layout.metrics("evaluate")
    if not path.is_file():
        parser.error(f"{path} is missing: run make run first")
    metrics = json.loads(path.read_text(encoding="utf-8"))["gold"]
    systems = read_published(layout.published)["systems"]
    print(f"{'gold set':12}{'measure':10}{'Spearman':>9}{'/ best':>8}{'/ median':>10}  published")
    for name in given.gold:
        if name not in metrics:
            parser.error(f"{path} has no gold set {name}: choose from {', '.join(metrics)}")
        published = [
            system["scores"][name]["spearman"]
            for system in systems
            if system["language"] == given.lang and "spearman" in system["scores"].get(name, {})
        ]
        for measure, figures in metrics[name].items():
            if isinstance(figures, dict):
                print(f"{name:12}{measure:10}{compared(figures['spearman_all'], published)}")


def compared(value: float, published: list[float]) -> str:
    """A figure, and its ratios to the best and to the median published one."""
    if not published:
        return f"{value:9.3f}"
    best, median = max(published), statistics.median(published)
    return f"{value:9.3f}{value / best:8.2f}{value / median:10.2f}  {median:.3f} to {best:.3f}"


if __name__ == "__main__":
    main()
