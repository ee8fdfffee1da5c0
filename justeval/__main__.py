"""`python -m justeval` is the command `justeval`."""

from justeval.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
