"""How grave a case is, read out of its text: the base from which the simulated model answers.

In: a text without label sentences, and the reading rules (`rules.yaml`). Out: base months and the
name of the charge. Whoever sees only the text sees all that the simulated model sees.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

_RULES = Path(__file__).with_name("rules.yaml")
_LEVEL = re.compile(r"(?i:\b(total |final |adjusted |)offense level\b)[^.;\d]{0,40}?(\d{1,2})\b")
_HISTORY = re.compile(r"(?i:\bcriminal history category\b)[^.;]{0,30}?\b(VI|IV|V|III|II|I|[1-6])\b")
_HISTORY_LEVELS = {
    "I": (0.0, 0.0),
    "II": (1.0, 1.0),
    "III": (2.0, 2.0),
    "IV": (4.0, 3.0),
    "V": (6.0, 4.0),
    "VI": (7.0, 5.0),
}
"""By how many offense levels a history lengthens the range: up to level 22, from level 30 on."""
_LONGEST_BY_TABLE = 330.0
_ROMAN = {"1": "I", "2": "II", "3": "III", "4": "IV", "5": "V", "6": "VI"}


@dataclass(frozen=True, slots=True)
class Charge:
    """A kind of offense that the rules know: words by which it is seen, months it starts from."""

    names: Mapping[str, str]
    pattern: re.Pattern[str]
    months: float


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number that scales the months: (largest found / reference) ** power, within `limits`."""

    pattern: re.Pattern[str]
    units: Mapping[str, float]
    reference: float
    power: float
    limits: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Circumstance:
    """Words that multiply the months."""

    pattern: re.Pattern[str]
    factor: float


@dataclass(frozen=True, slots=True)
class Severity:
    """What a text says of the gravity; `months` is None where nothing known stands in it.

    `longest` bounds the months with base noise, so that no noise of a text carries an answer over
    the bound of a main sample (300 and 470 months in the sets that ship with justeval).
    """

    months: float | None
    charge: Mapping[str, str] | None
    longest: float


@dataclass(frozen=True, slots=True)
class Rules:
    """The reading rules: charges, quantities, circumstances, and the words of answers."""

    charges: tuple[Charge, ...]
    quantities: tuple[Quantity, ...]
    circumstances: tuple[Circumstance, ...]
    shortest_months: float
    longest_months: float
    unknown_months: tuple[float, float]

    def severity(self, text: str) -> Severity:
        """Base months of a text: the sentencing table's where it names a level, else by words."""
        charge = self._charge(text)
        names = None if charge is None else charge.names
        table = guideline_months(text)
        if table is not None:
            return Severity(table, names, _LONGEST_BY_TABLE)
        if charge is None:
            return Severity(None, None, self.longest_months)
        months = charge.months
        for quantity in self.quantities:
            months *= _scale(quantity, text)
        for circumstance in self.circumstances:
            if circumstance.pattern.search(text):
                months *= circumstance.factor
        bounded = min(max(months, self.shortest_months), self.longest_months)
        return Severity(bounded, names, self.longest_months)

    def _charge(self, text: str) -> Charge | None:
        """The charge whose words are met most, early ones counting up to three times late ones.

        What a defendant did before stands towards the end of a case.
        """
        best: tuple[float, Charge | None] = (0.0, None)
        for charge in self.charges:
            places = [match.start() for match in charge.pattern.finditer(text)]
            weight = sum(1.5 - place / len(text) for place in places)
            if weight > best[0]:
                best = (weight, charge)
        return best[1]


def guideline_months(text: str) -> float | None:
    """Months near the midpoint of the U.S. sentencing table; None where no offense level stands.

    The table is close to a ladder in e = offense level + the levels of the history
    (`_HISTORY_LEVELS`): 37 exp(0.109 (e - 20)) months from e = 13 on, 7 + 2 (e - 9) below that, at
    least 3. Life has no midpoint; the ladder ends at 400 months. Without a stated history the
    category is I.
    """
    levels = _LEVEL.findall(text)
    if not levels:
        return None
    totals = [number for kind, number in levels if kind.strip().lower() in ("total", "final")]
    level = int((totals or [number for _, number in levels])[-1])
    history = _HISTORY.search(text)
    category = _ROMAN.get(history.group(1), history.group(1)) if history else "I"
    low, high = _HISTORY_LEVELS[category]
    step = min(level, 43) + low + (high - low) * min(max((level - 22) / 8, 0.0), 1.0)
    if step < 13:
        return max(3.0, 7.0 + 2.0 * (step - 9))
    return min(37.0 * math.exp(0.109 * (step - 20)), 400.0)


def _scale(quantity: Quantity, text: str) -> float:
    found = [
        float(number.replace(",", "").replace("，", "")) * quantity.units.get(unit.lower(), 1.0)
        for number, unit in quantity.pattern.findall(text)
    ]
    if not found or max(found) <= 0:
        return 1.0
    low, high = quantity.limits
    factor = math.pow(max(found) / quantity.reference, quantity.power)
    return min(max(factor, low), high)


@lru_cache(maxsize=1)
def load_rules() -> Rules:
    """The reading rules that ship with justeval."""
    data = yaml.safe_load(_RULES.read_text(encoding="utf-8"))
    return Rules(
        charges=tuple(_charge_rule(item) for item in data["charges"]),
        quantities=tuple(_quantity_rule(item) for item in data["quantities"]),
        circumstances=tuple(
            Circumstance(re.compile(item["pattern"]), float(item["factor"]))
            for item in data["circumstances"]
        ),
        shortest_months=float(data["shortest_months"]),
        longest_months=float(data["longest_months"]),
        unknown_months=(float(data["unknown_months"][0]), float(data["unknown_months"][1])),
    )


def _charge_rule(item: Mapping[str, Any]) -> Charge:
    zh = "|".join(re.escape(word) for word in item["words"]["zh"])
    en = "|".join(re.escape(word) for word in item["words"]["en"])
    pattern = re.compile("|".join([zh, rf"(?i:\b(?:{en}))"]))
    return Charge(dict(item["name"]), pattern, float(item["months"]))


def _quantity_rule(item: Mapping[str, Any]) -> Quantity:
    low, high = item["limits"]
    return Quantity(
        pattern=re.compile(item["pattern"]),
        units={str(unit): float(factor) for unit, factor in item.get("units", {}).items()},
        reference=float(item["reference"]),
        power=float(item["power"]),
        limits=(float(low), float(high)),
    )
