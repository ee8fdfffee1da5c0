"""Profiles: mappings of published files that ship with justeval, and a user's own.

In: a name or a path. Out: a Mapping. A profile is a YAML file like the one beside a user's file;
print one, edit it, and give its path instead of its name.
"""

from __future__ import annotations

from pathlib import Path

from justeval.casefiles.map_files import read_map_file
from justeval.casefiles.mapping import Columns, Mapping
from justeval.casefiles.records import SourceInfo
from justeval.errors import UsageError

FOLDER = Path(__file__).parent / "profiles"
BESIDE = ".map.yaml"


def profile_names() -> list[str]:
    """Names of the profiles that ship with justeval, sorted."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def profile_path(name_or_path: str) -> Path:
    """The file of a profile. Raises UsageError where there is none."""
    shipped = FOLDER / f"{name_or_path}.yaml"
    if name_or_path in profile_names():
        return shipped
    own = Path(name_or_path)
    if name_or_path and own.is_file():
        return own
    known = ", ".join(profile_names())
    raise UsageError(f"no profile {name_or_path!r}: it is neither a file here nor one of {known}")


def load_profile(name_or_path: str) -> Mapping:
    """A profile by name or path. Raises UsageError, or CaseFileError if it cannot be used."""
    return read_map_file(profile_path(name_or_path))


def fitting_profiles(info: SourceInfo) -> list[str]:
    """The shipped profiles all of whose columns a file has; at least three."""
    columns = Columns(info.columns)
    fitting = []
    for name in profile_names():
        named = [rule.columns for rule in load_profile(name).rules.values() if rule.columns]
        try:
            if len(named) >= 3 and all(columns.first_of(names) for names in named):
                fitting.append(name)
        except UsageError:  # two columns differ by case alone
            continue
    return fitting


def mapping_beside(path: Path) -> Path | None:
    """The `FILE.map.yaml` beside a file, if it is there."""
    beside = path.with_name(path.name + BESIDE)
    return beside if beside.is_file() else None
