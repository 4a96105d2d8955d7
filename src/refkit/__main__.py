"""``python -m refkit`` is the command ``refkit``."""

import sys

from refkit.cli import main

if __name__ == "__main__":
    sys.exit(main())
