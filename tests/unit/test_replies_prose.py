"""Sentences of running text: one term where one is decided on, and none where there is a doubt."""

from __future__ import annotations

import pytest

from justeval.replies import read_reply

ONE_TERM = {
    "The court sentences the defendant to 24 months in the custody of the Bureau of Prisons.": 24,
    "The defendant shall serve 24 months in a federal institution for this offense.": 24,
    "I would impose a sentence of 24 months.": 24,
    "The guidelines range is 37 to 46 months. I impose a sentence of 40 months.": 40,
    "The prosecution asked for 48 months; I impose 30 months.": 30,
    "I impose 30 months; the prosecution asked for 48 months.": 30,
    "The sentence is 30 months. He was previously sentenced to 12 months.": 30,
    "Sentence: 30 months. Statutory maximum: 20 years.": 30,
    "Normally 36 months, but given the plea the sentence is 24 months.": 24,
    "The sentence is 24 months with credit for 6 months served.": 24,
    "The defendant shall serve 6 months in jail followed by 24 months of probation.": 6,
    "The court sentences the defendant to 24 months on Count 1 and 36 months on Count 2, to run "
    "concurrently.": 36,
    "The defendant is sentenced to 24 months on Count 1 and 36 months on Count 2, to run "
    "consecutively.": 60,
    "He is sentenced to 24 months on Count 1 and 36 months on Count 2, 50 months in total.": 50,
    "Count 1: 24 months\nCount 2: 36 months\nTotal: 60 months\n": 60,
    "The court imposes 12 months and 1 day.": 12.03,
    "The court imposes 1½ years.": 18,
    "Sentence: 300 months (25 years)": 300,
    "判处被告人张三有期徒刑十个月，刑期从2024年1月1日起至2024年10月31日止。": 10,
    "判处被告人李四有期徒刑一年二个月（14个月）。": 14,
    "判处有期徒刑十年（其中诈骗罪八年，盗窃罪三年）。": 120,
    "诈骗罪三年，盗窃罪二年，总和刑期五年，决定执行有期徒刑四年。": 48,
    "处三年以上十年以下有期徒刑，酌情判处有期徒刑四年。": 48,
    "判处有期徒刑二年六个月，附加剥夺政治权利一年。": 30,
    "曾因盗窃被判处有期徒刑一年。现判处有期徒刑二年。": 24,
}

NO_TERM = {
    "I sentence the defendant to 24 months on Count 1. I sentence him to 36 months on Count 2.",
    "The defendant is sentenced to 24 months on Count 1 and 36 months on Count 2.",
    "The defendant is sentenced to 24 months on each count of the indictment.",
    "The defendant receives 24 months for theft and 12 months for assault.",
    "The sentence is 24 months minus 6 months already served.",
    "A sentence of between 18 and 24 months is appropriate.",
    "We would impose between 18 and 24 months.",
    "The sentence is life imprisonment with a minimum of 25 years.",
    "Sentence: 25 years to life",
    "Sentence: 300 months (26 years)",
    "The court imposes a term of 24 months (3 years).",
    "Defendant 1: 24 months. Defendant 2: 36 months.",
    "30 months? Maybe 36.",
    "判处被告人李四有期徒刑一年二个月（16个月）。",
    "判处有期徒刑三年，即四十个月。",
    "判处被告人甲有期徒刑二年，判处被告人乙有期徒刑三年。",
    "第一被告人判处有期徒刑十年，第二被告人判处有期徒刑五年。",
    "判处有期徒刑三年或四年。",
    "判处有期徒刑不超过三年。",
    "刑期为十八个月至二十四个月之间。",
    "根据刑法第二百六十四条，处三年以下有期徒刑。",
    "如果认罪认罚，判处有期徒刑一年；否则二年。",
    "基准刑36个月，减少12个月。",
}


@pytest.mark.parametrize("reply", ONE_TERM)
def test_the_term_that_is_decided_on(reply):
    read = read_reply(reply)
    assert (read.status, read.months) == ("repaired", pytest.approx(ONE_TERM[reply], abs=0.01))


@pytest.mark.parametrize("reply", sorted(NO_TERM))
def test_no_number_where_the_text_leaves_a_doubt(reply):
    read = read_reply(reply)
    assert read.status not in ("ok", "repaired")
    assert read.months is None
    assert read.reason


@pytest.mark.parametrize(
    ("reply", "penalty", "months"),
    [
        ("免予刑事处罚。", "exempt", 0),
        ("判处罚金人民币一万元。", "fine", 0),
        ("被告人无罪。", "acquittal", 0),
        ("判处无期徒刑，剥夺政治权利终身。", "life", None),
        ("判处死刑，缓期二年执行。", "death_suspended", None),
        ("A sentence of life imprisonment is imposed on the defendant in this case today.", "life",
         None),
    ],
)  # fmt: skip
def test_a_penalty_without_a_term(reply, penalty, months):
    read = read_reply(reply)
    assert (read.status, read.penalty, read.months) == ("repaired", penalty, months)


@pytest.mark.parametrize("reply", ["That is fine.", "Fine.", "The fine is not appropriate."])
def test_a_word_that_is_also_a_penalty_is_none(reply):
    assert read_reply(reply).months is None


def test_terms_of_counts_beside_an_object_do_not_contradict_their_joint_term():
    reply = (
        '{"months": 60, "penalty": "imprisonment"} Sentenced to 36 months on count 1 and 24 on 2.'
    )
    assert read_reply(reply).months in (None, 60)
    clear = reply.replace("24 on 2", "24 months on count 2")
    assert read_reply(clear).months == 60
