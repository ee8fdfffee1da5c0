"""What is found in a case set before money is spent, and what is passed over."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from justeval.casefiles.checks import examine
from justeval.casefiles.checks.duplicates import similarity, sketch_of
from justeval.casefiles.checks.personal import is_card_number, is_identity_number
from justeval.cases import Case, load_cases
from justeval.inference.detectable import detectable
from justeval.labels import Label, load_labels

MakeCase = Callable[..., Case]
FACTS = (
    "On May 3 the defendant entered a closed shop by a back window, took two cameras worth $900 "
    "from a drawer, and sold both of them to a dealer in the next town. "
)


def found(facts: str, kind: str, language: str = "en") -> list[str]:
    """What one case is found to have."""
    case = Case("c1", facts, language)
    return [finding.message for finding in examine([case]).of_kind(kind)]


@pytest.mark.parametrize("name", ["us-sentencing", "cn-sentencing"])
def test_the_shipped_sets_have_no_findings(name: str) -> None:
    assert examine(load_cases(name).cases).findings == ()


CUT = {
    FACTS + "Then he": "ends without a full stop: …'aler in the next town. Then he'",
    FACTS + "Then he went ...": "ends with 'nt ...'",
    "x" * 32_766 + ".": "exactly 32,767 characters, as many as a field of that size holds",
}


@pytest.mark.parametrize("text", CUT)
def test_documents_that_end_in_the_middle(text: str) -> None:
    assert found(text, "cut") == [CUT[text]]


@pytest.mark.parametrize("end", [".", "!", '."', "。", "。”", "．）.", "…."])
def test_documents_that_end_with_a_sentence(end: str) -> None:
    assert found(FACTS + "Then he left" + end, "cut") == []


def test_documents_that_are_too_short() -> None:
    assert found("He stole it.", "short") == ["12 characters"]
    assert found("被告人李某盗窃手机一部，价值三千余元。", "short", "zh") == ["19 characters"]
    assert found(FACTS, "short") == []


def test_languages_mixed(make_case: MakeCase) -> None:
    zh = "被告人李某在某商场盗窃手机一部，价值三千元，后被抓获。"
    cases = [
        make_case(case_id="a", facts=FACTS),
        make_case(case_id="b", facts=FACTS + FACTS),
        make_case(case_id="c", facts=zh, language="zh"),
        make_case(case_id="d", facts=zh, language="en"),
        make_case(case_id="e", facts=zh[:20] + FACTS[:60], language="zh"),
    ]
    told = {f.case_id: f.message for f in examine(cases).of_kind("language")}
    assert told == {
        "c": "is in zh, most of the set is in en",
        "d": "is said to be in en, its text is in zh",
        "e": "is in zh, most of the set is in en",
    }
    assert found(zh[:20] + FACTS[:60], "language", "zh") == [
        "55% of its text is Chinese, the rest in Latin letters"
    ]


def test_near_duplicates_are_found_and_others_are_not(make_case: MakeCase) -> None:
    other = (
        "The accused drove a stolen truck across a bridge at night and left it in the river. " * 3
    )
    long = FACTS + other
    cases = [
        make_case(case_id="a", facts=long),
        make_case(case_id="b", facts=long),
        make_case(case_id="c", facts=long.replace("two cameras", "three cameras")),
        make_case(case_id="d", facts=other),
        make_case(case_id="e", facts=FACTS),
    ]
    told = {f.case_id: f.message for f in examine(cases).of_kind("duplicate")}
    assert told["b"] == "the same text as a (100% in common)"
    assert told["c"].startswith("nearly the text of a (8")
    assert set(told) == {"b", "c"}


def test_the_estimate_of_common_text_is_near_the_truth() -> None:
    words = [f"word{i}" for i in range(2_000)]
    one, other = " ".join(words[:1_800]), " ".join(words[200:])
    runs = [{text[i : i + 12] for i in range(len(text) - 11)} for text in (one, other)]
    truth = len(runs[0] & runs[1]) / len(runs[0] | runs[1])
    # Three standard errors of a share estimated from 128 hashes.
    assert similarity(sketch_of(one), sketch_of(other)) == pytest.approx(truth, abs=0.12)


TOLD = [
    (FACTS + "He was sentenced to 36 months.", "en"),
    (FACTS + "The court sentenced the defendant to five years.", "en"),
    (FACTS + "The judge imposed a below-guidelines sentence.", "en"),
    (FACTS + "She received a 24-month prison term.", "en"),
    (FACTS + "The jury acquitted her of all charges.", "en"),
    (FACTS + "He got three years in prison.", "en"),
    (FACTS + "The judge gave him 36 months of imprisonment.", "en"),
    ("被告人李某犯盗窃罪，判处有期徒刑六个月，并处罚金。", "zh"),
    ("经审理查明……判决如下：被告人无罪。", "zh"),
]
NOT_TOLD = [
    (FACTS + "In 2010 he was sentenced to 24 months for burglary.", "en"),
    (FACTS + "A prior burglary: he was sentenced to 24 months.", "en"),
    (FACTS + "The offense is punishable by up to 20 years.", "en"),
    (FACTS + "The statute sets a maximum sentence of five years.", "en"),
    (FACTS + "He got three years of schooling and received 12 months of therapy.", "en"),
    (FACTS + "His accomplice was sentenced to 12 months.", "en"),
    ("被告人李某曾因盗窃罪被判处有期徒刑六个月，又盗窃手机一部。", "zh"),
    ("李某因犯抢劫罪于2010年被判处有期徒刑三年，刑满释放。", "zh"),
    ("其行为应当判处三年以下有期徒刑。", "zh"),
]


@pytest.mark.parametrize(("facts", "language"), TOLD)
def test_facts_that_give_the_outcome_away(facts: str, language: str) -> None:
    assert len(found(facts, "outcome", language)) == 1


@pytest.mark.parametrize(("facts", "language"), NOT_TOLD)
def test_earlier_convictions_and_the_law_are_no_outcome(facts: str, language: str) -> None:
    assert found(facts, "outcome", language) == []


# 11010519491231002X is the example of the standard GB 11643; 4111 ... is the card industry's test
# number; 123-45-6789 has the shape of a Social Security number.
PERSONAL = {
    "其身份证号为11010519491231002X。": "1 identity number (first at character 6)",
    "公民身份号码：110105194912310021。": "1 identity number (first at character 7)",
    "身份证号 110105194912310021": "1 identity number (first at character 5)",
    "电话010-62345678。": "1 telephone number (first at character 2)",
    "Tel. +49 30 901820 at noon.": "1 telephone number (first at character 5)",
    "电话13812345678，又13912345678。": "2 mobile numbers (first at character 2)",
    "SSN 123-45-6789.": "1 Social Security number (first at character 4)",
    "Call (212) 736-5000 now.": "1 telephone number (first at character 5)",
    "Card 4111 1111 1111 1111.": "1 payment card number (first at character 5)",
    "Write to jane.doe@court.gov.": "1 e-mail address (first at character 9)",
}


@pytest.mark.parametrize("facts", PERSONAL)
def test_personal_data_are_told_by_kind_and_never_repeated(facts: str) -> None:
    (message,) = found(facts, "personal")
    assert message == PERSONAL[facts]


@pytest.mark.parametrize(
    "facts",
    [
        "卷宗号110105194912310021。",  # the check digit is wrong
        "案号为（2018）京0105刑初1234号，金额138123456.78元。",
        "000-12-3456, 666-12-3456 and 900-12-3456 are no Social Security numbers.",
        "Call 212-555-0143, a number of stories.",
        "Invoice 4111 1111 1111 1112, docket 1:18-cr-00123-ABC-1.",
        "Write to someone@example.com.",
    ],
)  # fmt: skip
def test_numbers_that_only_look_alike_are_passed_over(facts: str) -> None:
    assert found(facts, "personal") == []


def test_check_digits_have_their_published_examples() -> None:
    assert is_identity_number("11010519491231002X")
    assert not is_identity_number("110105194912310020")
    assert is_card_number("4111111111111111")
    assert not is_card_number("0000000000000000")


def test_coverage_counts_what_a_run_would_leave_out(
    make_case: MakeCase, make_label: Callable[..., Label]
) -> None:
    import re

    label = make_label(
        excluded_charges=("theft",),
        requires=("victim",),
        patterns={"en": (re.compile("blue folder"),)},
    )
    cases = [
        make_case(case_id="a", extra={"victim": True}),
        make_case(case_id="b", charge="grand theft"),
        make_case(case_id="c"),
        make_case(case_id="d", facts="It lay in a blue folder.", extra={"victim": "yes"}),
        make_case(case_id="e", extra={"victim": "no"}),
        make_case(case_id="f", language="zh"),
    ]
    (coverage,) = examine(cases, [label]).coverage
    assert (coverage.documents, coverage.applies) == (6, 1)
    assert coverage.left_out == {
        "charge": 1, "unknown": 1, "stated": 1, "requirement": 1, "language": 1
    }  # fmt: skip
    assert coverage.stated == ("d",)
    assert coverage.share == pytest.approx(1 / 6)


def test_coverage_of_the_shipped_set() -> None:
    labels = load_labels("judicial-us:victim_sex")
    (coverage,) = examine(load_cases("us-sentencing").cases, labels).coverage
    assert coverage.applies + sum(coverage.left_out.values()) == 60


def test_the_smallest_effect_has_a_closed_form() -> None:
    # G = 100, one label: (t_99(0.975) + t_99(0.8)) 0.3 / 10 = (1.98422 + 0.84527) 0.03
    one = detectable(100)
    assert one.effect == pytest.approx(0.0848845, abs=2e-7)
    assert one.percent == pytest.approx(100 * (2.718281828459045**0.0848845 - 1), abs=1e-3)
    many = detectable(100, 46)
    assert many.effect is not None and many.effect > one.effect
    assert many.changed_needed == 11
    assert detectable(5).effect is None
    assert detectable(400, spread=0.6).effect == pytest.approx(one.effect, rel=0.01)
