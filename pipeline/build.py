"""`python -m pipeline run`: plain `dvc repro`, once per language, side by side.

DVC decides what has to run and runs it. Here its output becomes one line per stage.
"""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

from tqdm import tqdm

from pipeline.layout import Layout
from pipeline.memory import machine_mib, usable_cores
from pipeline.settings import Settings
from pipeline.stages import TABLE, all_stages
from wordkin.errors import InputError
from wordkin.program import say

_STARTS = re.compile(r"Running stage '(\w+)@\S+':")
_SKIPPED = re.compile(r"Stage '(\w+)@\S+' (didn't change, skipping|is cached)")
_BUSY = re.compile(r"is busy, it is being blocked by")
_CHATTER = re.compile(
    r"\s*$|> |\w+ \S+ … \(|(?:Generating|Updating) lock file|To track the changes|\s+git add"
    r"|To enable auto|\s+dvc config|Use `dvc push`|Data and pipelines are up to date"
    r"|ERROR: failed to reproduce"
)
"""What DVC says beside the lines of the stages, and what a stage says when it starts."""


def build(root: Path, settings: Settings) -> None:
    """Run what has changed in all languages; an InputError when a stage fails."""
    began = time.monotonic()
    languages = list(settings.languages)
    lanes = side_by_side(root, settings)
    with (
        tqdm(total=len(TABLE) * len(languages), unit=" stages", leave=False, disable=None) as bar,
        ThreadPoolExecutor(lanes) as pool,
    ):
        done = itertools.count(1)
        builds = [Language(root, code, bar, done, alone=lanes == 1) for code in languages]
        list(pool.map(Language.run, builds))
    if failed := [build.fault for build in builds if build.fault]:
        raise InputError(f"{' '.join(failed)} Set it right and run make run again.")
    ran = sum(build.ran for build in builds)
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    say(f"built {ran} stages in {minutes} min {seconds} s" if ran else "everything is up to date")


def side_by_side(root: Path, settings: Settings) -> int:
    """How many languages are built at once: as many as there are cores, if the memory allows."""
    largest = max(
        stage.needed_mib(Layout(root, language, settings.storage), settings)
        for stage in all_stages()
        for language in settings.languages
    )
    return max(1, min(usable_cores(), len(settings.languages), machine_mib() // largest))


class Language:
    """The build of one language by DVC.

    Attributes
    ----------
    ran : int
        How many stages have run.
    fault : str
        The stage that failed, in a sentence; empty if none did.
    """

    def __init__(
        self, root: Path, code: str, bar: tqdm[NoReturn], done: Iterator[int], alone: bool
    ) -> None:
        self.ran = 0
        self.fault = ""
        self._root, self._code, self._bar, self._alone = root, code, bar, alone
        self._done = done
        self._stage = ""

    def run(self) -> None:
        """Build, and say what each stage has done."""
        for line in self._output():
            if found := _SKIPPED.match(line):
                self._advance()
            elif found := _STARTS.match(line):
                self._stage = found[1]
                self._bar.set_postfix_str(f"{self._code}: {self._stage}")
            elif _BUSY.search(line):
                self.fault = f"Another build is running in {self._root}: wait until it has ended."
            elif not _CHATTER.match(line):
                self._say(line)

    def _output(self) -> Iterator[str]:
        """The lines that DVC and the stages print."""
        environment = dict(os.environ)
        folder = Path(sys.executable).parent
        environment["PATH"] = f"{folder}{os.pathsep}{environment.get('PATH', '')}"
        if not self._alone:
            # Threads that wait must not spin on a core that another language needs.
            environment = {
                "OMP_WAIT_POLICY": "passive", "OPENBLAS_NUM_THREADS": "1", **environment
            }  # fmt: skip
        command = [sys.executable, "-m", "dvc", "--wait-for-lock", "repro"]
        with subprocess.Popen(
            [*command, f"{list(TABLE)[-1]}@{self._code}"],
            cwd=self._root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ) as process:
            assert process.stdout
            for line in process.stdout:
                yield line.rstrip()
        if process.returncode and not self.fault:
            where = f"The stage {self._stage}" if self._stage else "The build"
            self.fault = f"{where} of '{self._code}' failed, as said above."

    def _say(self, line: str) -> None:
        """Print a line; the summary of a stage has its number among all stages."""
        if line.startswith(f"{self._stage} {self._code}: "):
            self.ran += 1
            line = f"[{self._advance():2}/{self._bar.total}] {line}"
        self._bar.write(line, file=sys.stderr)

    def _advance(self) -> int:
        """Note that one more stage is done or has nothing to do; how many are, of all languages."""
        self._bar.update()
        return next(self._done)
