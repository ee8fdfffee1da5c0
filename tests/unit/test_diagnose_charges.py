"""Which charges can be about the same matter."""

from __future__ import annotations

import numpy as np
import pytest

from justeval.diagnose.charges import Relation, charge_words


def unrelated(left, right):
    relation = Relation((left, right))
    return bool(relation.unrelated(np.array([0]), np.array([1]))[0])


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("盗窃罪", "入户盗窃"),
        ("故意伤害罪", "故意杀人罪"),
        ("走私、贩卖、运输、制造毒品罪", "贩卖毒品罪"),
        ("妨害社会管理秩序罪 扰乱公共秩序罪 寻衅滋事罪", "寻衅滋事罪"),
        ("bank robbery (18 U.S.C. § 2113(a))", "armed robbery"),
        ("first-degree murder", "Murder"),
        ("盗窃罪", "theft"),  # two languages: nothing can be said
        ("其他犯罪", "盗窃罪"),  # says nothing
        ("other offense", "wire fraud"),
    ],
)
def test_wording_is_no_misfit(left, right):
    assert not unrelated(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("盗窃罪", "故意杀人罪"),
        ("危险驾驶罪", "诈骗罪"),
        ("wire fraud (18 U.S.C. § 1343)", "bank robbery (18 U.S.C. § 2113(a))"),
        ("murder in the second degree", "theft in the second degree"),
    ],
)
def test_other_matters_are(left, right):
    assert unrelated(left, right)


def test_an_unknown_charge_is_never_unrelated():
    relation = Relation(("盗窃罪", "诈骗罪"))
    assert relation.unrelated(np.array([-1, 0, 0]), np.array([0, -1, 1])).tolist() == [
        False,
        False,
        True,
    ]


def test_words_that_say_nothing_are_left_out():
    assert charge_words("Conspiracy to commit an offense against the United States") == frozenset()
    assert charge_words("犯罪") == frozenset()
