"""The library's words for a person at a terminal -> words for a client of the service.

In: a message. Out: the same without the paths of this machine, and with the API's names of options
in place of the command line's.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from justeval.resources import PACKAGE, data_root

_OPTION = re.compile(r"--([a-z][a-z-]*[a-z])")
_OTHER_NAMES = {
    "base-url": "address", "cases": "dataset", "map": "mapping", "model": "models",
    "prompt": "prompts",
}  # fmt: skip


def without_paths(text: str, root: Path) -> str:
    """A message in which a path below the service's folders is its last part alone."""
    roots = {root, root.resolve(), data_root(), PACKAGE, Path(tempfile.gettempdir())}
    for path in sorted((str(root) for root in roots), key=len, reverse=True):
        if len(path) > 1:
            text = re.sub(rf"{re.escape(path)}(?:/[^\s/:,;'\"]+)*/?", _last_part, text)
    return text


def for_clients(text: str, root: Path) -> str:
    """A message without paths, with the API's names of options."""
    return _OPTION.sub(_named, without_paths(text, root))


def _last_part(found: re.Match[str]) -> str:
    return found.group(0).rstrip("/").rpartition("/")[2]


def _named(found: re.Match[str]) -> str:
    option = found.group(1)
    return _OTHER_NAMES.get(option, option.replace("-", "_"))
