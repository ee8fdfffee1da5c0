"""`python -m justeval_api` is `justeval serve`."""

from __future__ import annotations

import sys

from justeval.cli import main

if __name__ == "__main__":
    sys.exit(main(["serve", *sys.argv[1:]]))
