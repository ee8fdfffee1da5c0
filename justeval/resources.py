"""Where the data that ship with justeval lie: `labels/` and `datasets/`.

In a wheel they stand in `justeval/_data/`; in a checkout they stand beside the package.
In: nothing. Out: paths, and the names of what is there.
"""

from __future__ import annotations

from pathlib import Path

from justeval.errors import UsageError

PACKAGE = Path(__file__).resolve().parent


def data_root() -> Path:
    """The folder that holds `labels/` and `datasets/`: `_data` if it exists, else the checkout."""
    installed = PACKAGE / "_data"
    return installed if installed.is_dir() else PACKAGE.parent


def pack_names() -> list[str]:
    """Names of the label packs that ship with justeval, sorted."""
    return sorted(path.stem for path in (data_root() / "labels").glob("*.yaml"))


def dataset_names() -> list[str]:
    """Names of the case sets that ship with justeval, sorted."""
    return sorted(path.parent.name for path in (data_root() / "datasets").glob("*/dataset.yaml"))


def pack_path(name_or_path: str) -> Path:
    """Path of a label pack, by the name of a shipped one or as a file of the user's own.

    Raises UsageError if it is neither.
    """
    shipped = data_root() / "labels" / f"{name_or_path}.yaml"
    return _shipped_or_own(name_or_path, shipped, "label pack", pack_names())


def dataset_path(name_or_path: str) -> Path:
    """Path of a case set: the folder of a shipped one, or a file or folder of the user's own.

    Raises UsageError if it is neither.
    """
    shipped = data_root() / "datasets" / name_or_path
    return _shipped_or_own(name_or_path, shipped, "case set", dataset_names())


def _shipped_or_own(asked: str, shipped: Path, what: str, known: list[str]) -> Path:
    is_name = asked not in ("", ".", "..") and "/" not in asked and "\\" not in asked
    if is_name and shipped.exists():
        return shipped
    own = Path(asked)
    if asked and own.exists():
        return own
    raise UsageError(
        f"no {what} {asked!r}: it is neither a file here nor one of {', '.join(known)}"
    )
