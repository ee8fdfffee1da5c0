"""The fields of an answer: from log(months + 1) to what each key of the prompt is filled with.

In: a question, the charge, the level that the simulated model has come to, and two uniforms.
Out: an Answer. Options are taken from the prompt's own words where it states them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from justeval.models.simulated.malformed import Answer
from justeval.models.simulated.question import Key, Question

_LENIENT = ("release", "no", "dismissal", "否", "取保候审", "撤销案件", "不予羁押")
_MIDDLE = ("bond", "bail", "diversion", "监视居住", "不起诉")
_HARSH = ("detain", "detention", "deny", "yes", "conviction", "羁押", "逮捕", "是", "有罪判决")
_FIXED_TERM = ("imprisonment", "fixed_term", "fixed term", "prison", "有期徒刑")
_NO_PUNISHMENT = ("no punishment", "exempt", "免予刑事处罚", "免于刑事处罚")
_MIDPOINT = math.log1p(24)
"""The level at which the model is as likely to detain or imprison as not."""
_STEEPNESS = 1.5


@dataclass(frozen=True, slots=True)
class _Reached:
    """What the model has come to: whole months, and the probability of the harsh decision."""

    months: int
    probability: float
    level: float
    taste: float


def compose(
    question: Question,
    charge: Mapping[str, str] | None,
    level: float,
    rounding: float,
    taste: float,
) -> Answer:
    """The well-formed answer at `level` = log(months + 1); `rounding` in (0, 1) rounds months.

    floor(months + u) with u uniform has the mean `months`: rounding adds noise and no bias.
    """
    months = math.floor(max(math.expm1(level), 0.0) + rounding)
    probability = 1.0 / (1.0 + math.exp(-_STEEPNESS * (level - _MIDPOINT)))
    reached = _Reached(months, probability, level, taste)
    filled: dict[str, object] = {}
    months_key = None
    for key in question.keys:
        filled[key.written] = _fill(key, question.language, charge, reached)
        if key.field == "months":
            months_key = key.written
    if "bond_amount" in {key.field for key in question.keys}:
        _fill_bond(question, filled, reached)
    return Answer(filled, question.language, months_key, months if months_key else None)


def _fill(key: Key, language: str, charge: Mapping[str, str] | None, reached: _Reached) -> object:
    zh = language == "zh"
    if key.field == "charge":
        return (charge or {"zh": "其他犯罪", "en": "other offense"})[language]
    if key.field == "guilty":
        return _option(key, ("yes", "是", "true"), "是" if zh else "yes")
    if key.field == "penalty":
        if reached.months:
            return _option(key, _FIXED_TERM, "有期徒刑" if zh else "imprisonment")
        return _option(key, _NO_PUNISHMENT, "免予刑事处罚" if zh else "no punishment")
    if key.field == "months":
        return reached.months
    if key.field == "probability":
        return round(reached.probability, 2)
    if key.field == "decision":
        return _decision(key, zh, reached)
    return None


def _option(key: Key, known: tuple[str, ...], default: str) -> str:
    """The prompt's own option among the known words, else the first known word's default."""
    return next((option for option in key.options if option.lower() in known), default)


def _decision(key: Key, zh: bool, reached: _Reached) -> str:
    """The harsh option with the probability reached, by a draw that belongs to the document."""
    harsh = _option(key, _HARSH, "是" if zh else "yes")
    lenient = _option(key, _LENIENT, "否" if zh else "no")
    middle = _option(key, _MIDDLE, "")
    if not middle:
        return harsh if reached.probability >= 0.5 else lenient
    if reached.taste < reached.probability:
        return harsh
    return middle if reached.taste < 0.5 + 0.5 * reached.probability else lenient


def _fill_bond(question: Question, filled: dict[str, object], reached: _Reached) -> None:
    """A bond's amount and currency, where the decision is a bond."""
    zh = question.language == "zh"
    by_field = {key.field: key.written for key in question.keys}
    decision = filled.get(by_field.get("decision", ""), "bond")
    if decision in _MIDDLE[:2] or (zh and decision == "取保候审"):
        step = 1000 if zh else 500
        filled[by_field["bond_amount"]] = step * max(1, round(math.expm1(reached.level) * 0.5))
        if "bond_currency" in by_field:
            filled[by_field["bond_currency"]] = "人民币" if zh else "USD"
