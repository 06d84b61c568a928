"""`python -m teamplay`."""

import sys

from teamplay.cli import main

sys.exit(main())
