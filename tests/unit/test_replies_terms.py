"""What stands in the field of a term: known values, each with its arithmetic or its reason."""

import json

import pytest

from justeval.replies import read_reply

DAY = 1 / 30
"""Months; a month has 30 days, a year 52 weeks."""


def zh(term, penalty="有期徒刑"):
    fields = {"罪名": "盗窃罪", "是否有罪": "是", "刑罚类型": penalty, "刑期": term}
    return json.dumps(fields, ensure_ascii=False)


def en(term, penalty="imprisonment"):
    return json.dumps({"charge": "theft", "guilty": "yes", "penalty": penalty, "months": term})


STATED_ZH = {
    "三年零六个月": 42,
    "3年6月": 42,
    "3年又6个月": 42,
    "一年半": 18,
    "两年半": 30,
    "半年": 6,
    "一个半月": 1.5,
    "三点五年": 42,
    "零点五年": 6,
    "1.5年": 18,
    "十二个月零十五日": 12 + 15 * DAY,
    "百二十个月": 120,
    "一百零八个月": 108,
    "一二〇个月": 120,
    "两百四十个月": 240,
    "廿四个月": 24,
    "卅六个月": 36,
    "叁拾陆个月": 36,
    "壹年陸個月": 18,
    "36 个 月": 36,
    "**36**": 36,
    "共36个月": 36,
    "36个月。": 36,
    "五年（即60个月）": 60,
    "3年=36个月": 36,
    "3年/36个月": 36,
    "36+10+8=54": 54,  # the total of the sum is stated
    "3*12=36个月": 36,
    "判处有期徒刑三年，剥夺政治权利一年，并处罚金2万元": 36,
    "15年，并处没收财产": 180,
    "36个月（自2020年1月1日起至2022年12月31日止）": 36,  # dates are no terms
    "盗窃罪二年，诈骗罪三年，数罪并罚决定执行四年": 48,
    "总和刑期五年，决定执行有期徒刑四年": 48,
    "3个罪名，36个月": 36,  # counts of charges are no terms
    "有期徒刑（不适用缓刑）36个月": 36,
}
STATED_EN = {
    "a year and a half": 18,
    "two and a half years": 30,
    "2½ years": 30,
    "3 1/2 years": 42,
    "half a year": 6,
    "a year and a day": 12 + DAY,
    "twelve (12) months and one (1) day": 12 + DAY,
    "1 year, 1 month, and 1 day": 13 + DAY,
    "90 days": 3,
    "26 weeks": 6,
    "36 (thirty-six) months": 36,
    "three (3) years": 36,
    "three point five years": 42,
    "a hundred and twenty months": 120,
    "one hundred six months": 106,
    "two dozen months": 24,
    "36 mths": 36,
    "3yr": 36,
    "3y6m": 42,
    "36 (months)": 36,
    "3 years or 36 months": 36,
    "3 years (36)": 36,
    "months: 36": 36,
    "1.5e2": 150,
    "36 months with credit for 6 months served": 36,
    "36 months, 100 hours of community service": 36,
    "36 months and 5000 fine": 36,
    "36 months, special assessment $100": 36,
    "20 years, eligible for parole after 10 years": 240,
    "36 months on count 1": 36,
    "36 months each on counts 1 and 2, concurrent": 36,
    "20 months on count one and 16 months on count two, to run concurrently": 20,
    "20 months on count one, 16 months on count two, consecutively": 36,  # 20 + 16
    "20 and a half months": 20.5,
    "total of 48 months (24 months on count one, 24 months on count two, consecutive)": 48,
}


@pytest.mark.parametrize("text", STATED_ZH)
def test_chinese_term(text):
    read = read_reply(zh(text))
    assert (read.status, read.penalty) == ("repaired", "fixed_term")
    assert read.months == pytest.approx(STATED_ZH[text], abs=1e-9)


@pytest.mark.parametrize("text", STATED_EN)
def test_english_term(text):
    read = read_reply(en(text))
    assert (read.status, read.penalty) == ("repaired", "fixed_term")
    assert read.months == pytest.approx(STATED_EN[text], abs=1e-9)


NOT_ONE_ZH = {
    "ambiguous": [
        *("3-5年", "3年至5年", "三到五年", "6到8", "36~48", "24个月或36个月", "三年以上十年以下"),
        *("约36个月", "36个月左右", "不低于三年", "三年多", "三年有余", "近三年", "十余年", ">36"),
        *("三四年", "百二", "一百二个月", "三年六", "3，5", "3；6", "3 6", "3点5年", "两点"),
        *("36+12", "36*1", "36/2", "36%", "36个月-6个月", "36个月减去6个月", "3年，减刑至2年"),
        *("盗窃罪二年，诈骗罪三年", "每罪12个月", "从三年减为两年", "可能36个月", "三年（起刑点）"),
        *("36个月（判二缓五）", "36, 缓刑48"),
    ],
    "contradictory": ["3年（30个月）", "5年(50个月)", "3*12=30", "无期", "三个月拘役", "0个月"],
    "out_of_range": ["-12", "−12", "NaN", "-Infinity", "∞", "601", "60年", "1e3", "1,200"],
    "unparsable": ["待定", "无法确定", "数月", "几个月", "有期徒刑", "第三年", "3月5日", "无", "-"],
}
NOT_ONE_EN = {
    "ambiguous": [
        *("24 to 36 months", "24-36", "24–36 months", "twelve to eighteen months", "12 or 18"),
        *("between 2 and 3 years", "one or two years", "up to 36 months", "at least 36 months"),
        *("36 months or more", "36 months minimum", "about 36", "~36", "36+", "36?", "36ish"),
        *("36 lashes", "36 moons", "36th", "a36", "36²", "36/month", "36 months max", "maybe 36"),
        *("36 months less 6 months", "time served plus 12 months", "36 months on each count"),
        *("20 months on count one, 16 months on count two", "24 months on count 1, 24 on count 2"),
        *(
            "three (4) years",
            "mandatory minimum of 5 years",
            "25 years to life",
            "1.2.3",
            "twenty ten",
        ),
    ],
    "contradictory": ["2 years (36 months)", "3 years, i.e. 30 months", "zero", "0"],
    "out_of_range": ["-5", "nan", "inf", "1e400", "100 years", "999"],
    "unparsable": ["several years", "a few months", "months", "$36,000 fine", "n/a", "none", "?"],
}


@pytest.mark.parametrize(
    ("status", "text"), [(status, text) for status, texts in NOT_ONE_ZH.items() for text in texts]
)
def test_chinese_text_that_states_no_one_term(status, text):
    read = read_reply(zh(text))
    assert (read.status, read.months) == (status, None)
    assert read.guilty is True


@pytest.mark.parametrize(
    ("status", "text"), [(status, text) for status, texts in NOT_ONE_EN.items() for text in texts]
)
def test_english_text_that_states_no_one_term(status, text):
    read = read_reply(en(text))
    assert (read.status, read.months) == (status, None)
    assert read.guilty is True


@pytest.mark.parametrize(
    ("text", "term", "probation"),
    [
        ("判三缓五", 36, 60),
        ("判3缓5", 36, 60),
        ("二年缓三年", 24, 36),
        ("有期徒刑二年，缓刑三年", 24, 36),
        ("6个月缓刑1年", 6, 12),
        ("有期徒刑一年六个月，宣告缓刑，缓刑考验期二年", 18, 24),
        ("36个月（判三缓五）", 36, 60),
        ("12 months imprisonment, suspended for 24 months", 12, 24),
    ],
)
def test_suspended_term_is_the_term_and_not_the_time_of_probation(text, term, probation):
    read = read_reply(zh(text))
    assert (read.penalty, read.months, read.probation_months) == ("probation", term, probation)


@pytest.mark.parametrize(
    ("text", "term", "probation"),
    [
        ("36 months followed by 3 years of supervised release", 36, 36),
        ("12 months imprisonment and 24 months probation", 12, 24),
        ("36 months in prison, 2 years probation", 36, 24),
    ],
)
def test_probation_beside_prison_leaves_the_penalty_prison(text, term, probation):
    read = read_reply(en(text))
    assert (read.penalty, read.months, read.probation_months) == ("fixed_term", term, probation)


@pytest.mark.parametrize("months", [36, 36.0, 36.5, 0.5, 1e2, 600])
def test_plain_number_is_ok(months):
    assert read_reply(zh(months)).status == "ok"
    assert read_reply(en(months)).months == months


def test_bounds_can_be_turned_off_for_the_published_reading():
    """The published samples bound nothing while reading; the main sample bounds later."""
    for text in (zh(9999), zh(75, "拘役"), en("100 years")):
        assert read_reply(text).status == "out_of_range"
        assert read_reply(text, bounded=False).months is not None
    for text in (zh(-1), zh("NaN")):
        assert read_reply(text, bounded=False).status == "out_of_range"


def test_detention_is_bounded_by_twelve_months():
    assert read_reply(zh(12, "拘役")).months == 12
    assert read_reply(zh(13, "拘役")).status == "out_of_range"
    assert read_reply(zh(13, "拘役缓刑")).status == "out_of_range"
