"""Build everything twice, under different circumstances, and compare every output byte for byte.

    python -m bench.same_bytes [--languages en hu] [--until npmi] [--processor] [--keep FOLDER]

The second build has other cores, partitions, locale, time zone, hash seed and folder. With
`--processor` it also does without the wide vectors and the BLAS kernels of this processor, as an
older machine would; docs/architecture.md says which outputs may differ then.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ruamel.yaml import YAML

from pipeline.engine import Engine, InProcessEngine
from pipeline.layout import Layout
from pipeline.settings import IN_PROCESS, load_settings
from pipeline.stage import Job, Stage
from pipeline.stages import TABLE, all_stages
from wordkin.files import files_below, link_or_copy, sha256
from wordkin.ranges import Whole

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")

OLD_PROCESSOR = {
    "OPENBLAS_CORETYPE": "Nehalem",
    "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3",
    "NUMBA_CPU_NAME": "nehalem",
}
"""What makes libraries compute as on a processor of 2008."""


class Circumstances(NamedTuple):
    """What a result must not depend on."""

    folder: str
    cores: int
    task_memory_mib: int
    environment: Mapping[str, str]


FIRST = Circumstances("first", 1, 1024, {"LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0"})
# Turkish has another small letter for I, and Kathmandu is 5:45 hours from Greenwich.
SECOND = Circumstances(
    "második építés",
    3,
    256,
    {
        "LC_ALL": "tr_TR.UTF-8",
        "TZ": "Asia/Kathmandu",
        "PYTHONHASHSEED": "4711",
        "JAVA_TOOL_OPTIONS": "-Duser.language=tr -Duser.country=TR -Duser.timezone=Asia/Kathmandu",
    },
)


def copy_project(root: Path, target: Path, languages: Sequence[str], memory: int) -> None:
    """Copy what a build starts from: settings, gold sets, raw text and downloads."""
    names = [root / "params.yaml", *sorted((root / "eval").glob("*.yaml"))]
    for code in languages:
        layout = Layout(root, code)
        given = [place for place in (layout.raw, layout.fetched) if place.is_dir()]
        names += [path for place in given for path in files_below(place)]
    for path in names:
        there = target / path.relative_to(root)
        there.parent.mkdir(parents=True, exist_ok=True)
        link_or_copy(path, there)
    yaml, settings = YAML(), target / "params.yaml"
    params = yaml.load(settings.read_text(encoding="utf-8"))
    params["spark"]["task_memory_mib"] = memory
    settings.unlink()  # It may be a link to the project's own.
    yaml.dump(params, settings)


def start_build(
    root: Path,
    languages: Sequence[str],
    stages: Sequence[Stage],
    given: Circumstances,
    more: Mapping[str, str],
) -> None:
    """Build in a process of its own, under these circumstances."""
    environment = {**os.environ, **given.environment, **more}
    environment |= dict.fromkeys(THREADS, str(given.cores))
    settings = load_settings(root / "params.yaml")
    if settings.spark.with_environment().master != IN_PROCESS:
        environment["WORDKIN_SPARK_MASTER"] = f"local[{given.cores}]"
    command = [sys.executable, "-m", "bench.same_bytes", "--build", str(root)]
    command += ["--cores", str(given.cores), "--until", stages[-1].name, "--languages", *languages]
    done = subprocess.run(command, env=environment, check=False)
    if done.returncode:
        raise SystemExit(f"The build in {root} failed: see above.")


@dataclass(frozen=True)
class CutJob(Job):
    """A job that cuts its work into as many tasks as there are cores, without Spark too.

    No work is too small for Spark: the engines are compared.
    """

    cores: int = 1

    @contextmanager
    def engine(self, is_small: bool = False) -> Iterator[Engine]:
        """The engine of the settings; in this process, with so many cores."""
        if self.settings.spark.with_environment().master == IN_PROCESS:
            yield InProcessEngine(self.cores)
        else:
            with super().engine() as engine:
                yield engine


def build(root: Path, languages: Sequence[str], stages: Sequence[Stage], cores: int) -> None:
    """Run the stages."""
    settings = load_settings(root / "params.yaml")
    for code in languages:
        for stage in stages:
            stage.run(CutJob(stage.name, Layout(root, code), settings, cores=cores))


class Compared(NamedTuple):
    """The outputs of a stage in two builds: files, bytes, one hash of all, and what differs."""

    stage: str
    files: int
    bytes: int
    digest: str
    different: list[str]


def outputs(stage: Stage, layout: Layout) -> Iterator[tuple[str, Path]]:
    """Every file that a stage wrote, its metrics included, by its path in the project."""
    for place in (*map(layout.place, stage.writes), layout.metrics(stage.name)):
        for path in [place] if place.is_file() else files_below(place):
            yield path.relative_to(layout.root).as_posix(), path


def compare(
    first: Path, second: Path, languages: Sequence[str], stages: Sequence[Stage]
) -> Iterator[Compared]:
    """Compare the outputs of the stages."""
    for stage in stages:
        digest, count, size, different = hashlib.sha256(), 0, 0, []
        for code in languages:
            one, other = (dict(outputs(stage, Layout(root, code))) for root in (first, second))
            for name in sorted(one.keys() | other.keys()):
                if name not in one or name not in other:
                    different.append(f"{name} (only in one of them)")
                    continue
                count, size = count + 1, size + one[name].stat().st_size
                here = sha256(one[name])
                digest.update(f"{name} {here}\n".encode())
                if here != sha256(other[name]):
                    different.append(name)
        yield Compared(stage.name, count, size, digest.hexdigest()[:16], different)


def show(comparisons: Sequence[Compared]) -> bool:
    """Print one line per stage, and what differs; returns whether nothing does."""
    print(f"  {'stage':<14} {'files':>6} {'MB':>9}  {'SHA-256':<16}")
    for stage, files, size, digest, different in comparisons:
        verdict = f"  {len(different)} differ" if different else ""
        print(f"  {stage:<14} {files:>6,} {size / 1e6:>9,.1f}  {digest}{verdict}")
        for name in different[:20]:
            print(f"      {name}")
    total = sum(compared.files for compared in comparisons)
    wrong = sum(len(compared.different) for compared in comparisons)
    print(f"{total:,} files in both builds, {wrong:,} different.")
    return total > 0 and not wrong


def share_downloads(first: Layout, second: Layout) -> None:
    """Copy what the first build downloaded to the second one."""
    for path in files_below(first.fetched):
        there = second.fetched / path.relative_to(first.fetched)
        # What the project had fetched is there already, as a link to the same file.
        if not there.exists():
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, there)


def build_twice(
    root: Path,
    work: Path,
    languages: Sequence[str],
    stages: Sequence[Stage],
    more: Mapping[str, str],
) -> list[Compared]:
    """Build twice below `work`; `more` is what else differs in the second build."""
    places: list[Path] = []
    for given, extra in ((FIRST, {}), (SECOND, more)):
        place = work / given.folder
        copy_project(root, place, languages, given.task_memory_mib)
        for code in languages if places else ():
            # What was downloaded need not be downloaded again: its hashes are declared.
            share_downloads(Layout(places[0], code), Layout(place, code))
        start_build(place, languages, stages, given, extra)
        places.append(place)
    return list(compare(places[0], places[1], languages, stages))


def main(arguments: Sequence[str] | None = None) -> int:
    """Build twice and compare; 1 if anything differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--root", type=Path, default=Path(), help="the project")
    parser.add_argument("--languages", nargs="+", help="default: all of params.yaml")
    parser.add_argument("--processor", action="store_true", help="also as on an old processor")
    parser.add_argument("--keep", type=Path, help="build below this folder, and keep both builds")
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--cores", type=Whole(1, 1024), default=1, help=argparse.SUPPRESS)
    names = list(TABLE)
    parser.add_argument("--until", choices=names, default=names[-1], help="only up to this stage")
    given = parser.parse_args(arguments)
    stages = all_stages()[: names.index(given.until) + 1]
    root = (given.build or given.root).resolve()
    settings = load_settings(root / "params.yaml")
    languages = given.languages or list(settings.languages)
    if given.build:
        build(root, languages, stages, given.cores)
        return 0
    began = time.perf_counter()
    with TemporaryDirectory() as temporary:
        work = given.keep.resolve() if given.keep else Path(temporary)
        more = OLD_PROCESSOR if given.processor else {}
        same = show(build_twice(root, work, languages, stages, more))
    print(f"{time.perf_counter() - began:,.0f} s")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
