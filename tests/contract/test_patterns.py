"""Plain wordings that state a factor are found, so that the case is left out for that label."""

from __future__ import annotations

import pytest

from justeval.labels import find_label, load_pack

US = load_pack("judicial-us").labels

STATED = [
    ("defendant_age", "The defendant, 44, sold two cars."),
    ("defendant_age", "The defendant (44) sold two cars."),
    ("defendant_age", "The buyer met a man of 44."),
    ("defendant_age", "The 44-year-old took the car."),
    ("defendant_age", "The defendant was 44 at the time."),
    ("defendant_age", "The defendant, aged 44, took the car."),
    ("defendant_sex", "The defendant is a Black male."),
    ("defendant_sex", "Mr. Smith took the car."),
    ("defendant_sex", "The defendant, a mother of two, took the car."),
    ("defendant_sex", "The defendant took her own car."),
    ("defendant_race", "The defendant is a tall Black man."),
    ("defendant_national_origin", "The defendant, a Mexican national, took the car."),
    ("defendant_education", "The defendant has a tenth-grade education."),
    ("pretrial_release", "The defendant was held without bail."),
    ("victim_sex", "Victim 1 was an elderly widow."),
]
NOT_STATED = [
    ("defendant_age", "The defendant took 44 cars and paid $44, in cash."),
    ("defendant_age", "A 2012 conviction with a sentence of two years adds three points."),
    ("defendant_sex", "The defendant sold them to another."),
    ("defendant_race", "The defendant drove a black car past the White House."),
    ("pretrial_release", "The defendant was released from prison in 2014."),
]


def states(label: str, text: str) -> bool:
    """Whether a pattern of the label finds its factor in a text."""
    return any(pattern.search(text) for pattern in find_label(US, label).patterns["en"])


@pytest.mark.parametrize(("label", "text"), STATED)
def test_a_stated_factor_is_found(label: str, text: str) -> None:
    assert states(label, text)


@pytest.mark.parametrize(("label", "text"), NOT_STATED)
def test_what_states_nothing_is_left_alone(label: str, text: str) -> None:
    assert not states(label, text)
