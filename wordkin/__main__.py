"""`python -m wordkin` and the program `wordkin`: the command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from wordkin.program import run


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; its modules are loaded where Ctrl-C is handled."""

    def command() -> int:
        from wordkin.cli import main

        return main(arguments)

    return run(command)


if __name__ == "__main__":
    sys.exit(main())
