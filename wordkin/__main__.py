"""`python -m wordkin`: the command line."""

import sys

from wordkin.cli import main

if __name__ == "__main__":
    sys.exit(main())
