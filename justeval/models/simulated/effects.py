"""The planted effects: a YAML file that says what a simulated model does, checked against packs.

In: the name of a profile that ships with justeval, or the path of a file. Out: a Profile.

    name: mine                  # served as simulated-mine; default: the name of the file
    seed: 1
    base_noise_sd: 0.15         # spread of documents around what their text makes expected
    noise_sd: 0.06              # spread of the texts of one document
    noise_share: 1.0            # share of texts that are moved by it
    temperature_sd: 0.05        # spread of repeated answers, at a temperature above 0
    malformed_share: 0.03
    respond_share: 1.0          # share of documents that respond to an effect
    packs: [own-pack.yaml]      # default: every pack that ships with justeval
    effects:                    # on log(months + 1), against 0 for the values that are not named
      defendant_wealth: {penniless: 0.10}
      defendant_age: {per_log: -0.05}     # a numeric label: per unit of log(value / reference)
    interactions:               # beyond both effects, where a text states both values
      defendant_wealth×defendant_sex: {penniless×female: 0.15}
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from justeval.errors import InputError, LabelPackError, Problem, UsageError
from justeval.labels import Label, load_pack
from justeval.labels.located import Located, read_located
from justeval.models.simulated.interactions import LARGEST_EFFECT, Interactions, read_interactions
from justeval.resources import pack_names

PROFILES = Path(__file__).with_name("profiles")
_NUMBERS = {
    "base_noise_sd": (0.15, 0.0, 3.0),
    "noise_sd": (0.06, 0.0, 3.0),
    "noise_share": (1.0, 0.0, 1.0),
    "temperature_sd": (0.05, 0.0, 3.0),
    "malformed_share": (0.03, 0.0, 1.0),
    "respond_share": (1.0, 0.0, 1.0),
}
"""Each number of a profile: default, lowest and highest value."""
_FIELDS = {"name", "seed", "packs", "effects", "interactions", *_NUMBERS}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z")


@dataclass(frozen=True, slots=True)
class Effect:
    """A label's effect on log(months + 1): by value id, or per unit of log(value / reference)."""

    by_value: Mapping[str, float]
    per_log: float = 0.0
    reference_number: float = 1.0

    def of(self, value: str, number: float | None) -> float:
        """The effect of one value."""
        if number is None:
            return self.by_value.get(value, 0.0)
        return self.per_log * math.log(number / self.reference_number) if number > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Profile:
    """What one simulated model does; the fields are those of its file (see the module)."""

    name: str
    seed: int
    base_noise_sd: float
    noise_sd: float
    noise_share: float
    temperature_sd: float
    malformed_share: float
    respond_share: float
    effects: Mapping[str, Effect]
    labels: tuple[Label, ...]
    interactions: Interactions = field(default_factory=dict)


def profile_names() -> list[str]:
    """Names of the profiles that ship with justeval, sorted."""
    return sorted(path.stem for path in PROFILES.glob("*.yaml"))


def load_profile(name_or_path: str) -> Profile:
    """A profile by name (`neutral`, `simulated-neutral`) or by the path of an effects file.

    Raises UsageError if there is none such, InputError that names file, line and field if it
    cannot be used.
    """
    shipped = PROFILES / f"{name_or_path.removeprefix('simulated-')}.yaml"
    own = Path(name_or_path)
    if shipped.parent == PROFILES and shipped.is_file():
        return _Reader(shipped).profile()
    if own.is_file():
        return _Reader(own).profile()
    raise UsageError(
        f"no effects file {name_or_path!r}: it is neither a file here nor one of "
        f"{', '.join(profile_names())}"
    )


def _read(path: Path) -> Located:
    """The YAML with its lines; what is wrong with it is no matter of label packs here."""
    try:
        return read_located(path)
    except LabelPackError as error:
        if path.is_file() and not path.read_bytes().strip():
            raise InputError(
                f"{path}: the file is empty; write at least `effects: {{}}`"
            ) from error
        raise InputError(error.problems) from error


class _Reader:
    """One effects file; collects all that is wrong with it before it gives up."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self.located = _read(path)
        if not isinstance(self.located.data, dict):
            raise InputError(f"{path}: must be a mapping with `effects:` and other fields")
        self.data: dict[str, object] = self.located.data

    def wrong(self, where: tuple[str | int, ...], message: str) -> None:
        self.problems.append(Problem(self.located.place(where), message))

    def profile(self) -> Profile:
        """The profile, or InputError with all problems."""
        for key in self.data:
            if key not in _FIELDS:
                self.wrong((key,), f"unknown field; known are {', '.join(sorted(_FIELDS))}")
        labels = self._labels()
        name, seed = self._name(), self._seed()
        numbers = {key: self._number(key) for key in _NUMBERS}
        effects = self._effects(labels)
        interactions = read_interactions(self.data.get("interactions", {}), labels, self.wrong)
        if self.problems:
            raise InputError(self.problems)
        return Profile(
            name=name,
            seed=seed,
            effects=effects,
            labels=labels,
            interactions=interactions,
            **numbers,
        )

    def _name(self) -> str:
        name = self.data.get("name", self.path.stem)
        if not isinstance(name, str) or not _NAME.match(name):
            self.wrong(("name",), f"{name!r}: use letters, digits, `.`, `_` and `-`")
        return str(name)

    def _seed(self) -> int:
        seed = self.data.get("seed", 1)
        if isinstance(seed, bool) or not isinstance(seed, int):
            self.wrong(("seed",), f"{seed!r}: must be a whole number")
            return 0
        return seed

    def _number(self, key: str) -> float:
        default, low, high = _NUMBERS[key]
        value = self.data.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.wrong((key,), f"{value!r}: must be a number")
        elif not low <= value <= high:
            self.wrong((key,), f"{value!r}: must lie between {low:g} and {high:g}")
        else:
            return float(value)
        return default

    def _labels(self) -> tuple[Label, ...]:
        packs = self.data.get("packs", pack_names())
        if not isinstance(packs, list) or not all(isinstance(pack, str) for pack in packs):
            self.wrong(("packs",), "must be a list of names of packs or of pack files")
            return ()
        return tuple(label for pack in packs for label in load_pack(self._pack(pack)).labels)

    def _pack(self, pack: str) -> str:
        """A pack file may be named as seen from the effects file."""
        beside = self.path.parent / pack
        return str(beside) if pack not in pack_names() and beside.is_file() else pack

    def _effects(self, labels: tuple[Label, ...]) -> dict[str, Effect]:
        raw = self.data.get("effects")
        if not isinstance(raw, dict):
            self.wrong(("effects",), "must be a mapping from labels to effects; {} for none")
            return {}
        effects = {}
        for label_id, sizes in raw.items():
            known = [label for label in labels if label.id == label_id]
            if not known:
                self.wrong(("effects", label_id), "no such label; see `justeval labels list`")
            elif not isinstance(sizes, dict):
                self.wrong(("effects", label_id), "must be a mapping from values to numbers")
            else:
                effects[label_id] = self._effect(known, sizes)
        return effects

    def _effect(self, known: list[Label], sizes: dict[str, object]) -> Effect:
        label = known[0]
        allowed = [value.id for one in known if not one.numeric for value in one.values]
        allowed += ["per_log"] if any(one.numeric for one in known) else []
        checked: dict[str, float] = {}
        for value, size in sizes.items():
            where = ("effects", label.id, value)
            if value not in allowed:
                self.wrong(where, f"no such value; allowed are {', '.join(dict.fromkeys(allowed))}")
            elif isinstance(size, bool) or not isinstance(size, int | float):
                self.wrong(where, f"{size!r}: must be a number on log(months + 1), e.g. 0.10")
            elif not abs(size) <= LARGEST_EFFECT:
                self.wrong(where, f"{size!r}: must lie between -3 and 3 on log(months + 1)")
            else:
                checked[value] = float(size)
        numeric = next((one for one in known if one.numeric), None)
        reference = numeric.value(numeric.reference).number if numeric else None
        return Effect(checked, checked.pop("per_log", 0.0), reference or 1.0)
