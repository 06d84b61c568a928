"""`python -m teamplay`."""

import sys

from teamplay.cli import main

if __name__ == "__main__":
    sys.exit(main())
