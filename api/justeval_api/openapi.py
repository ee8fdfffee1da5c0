"""The description of the API as a file: `python -m justeval_api.openapi [FILE]`.

In: the routes. Out: `api/openapi.json`, from which the page's types are made.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from justeval_api.app import create_app

CHECKOUT_FILE = Path(__file__).resolve().parents[1] / "openapi.json"


def openapi_text() -> str:
    """The description as JSON text, the same for the same routes."""
    return json.dumps(create_app().openapi(), ensure_ascii=False, indent=1) + "\n"


def main(words: list[str]) -> int:
    """Writes the description to a file, by default the one of the checkout."""
    target = Path(words[0]) if words else CHECKOUT_FILE
    target.write_text(openapi_text(), encoding="utf-8")
    print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
