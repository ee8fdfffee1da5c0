"""A stated term comes back, in whatever way it is written.

The writers below share no code and no table with the reader: their words are spelled out here.
"""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from justeval.replies import read_reply

ZH = "零一二三四五六七八九"
ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def in_chinese(number: int) -> str:
    """1 to 999, as a judgment writes it."""
    hundreds, rest = divmod(number, 100)
    tens, ones = divmod(rest, 10)
    text = f"{ZH[hundreds]}百" if hundreds else ""
    if tens:
        text += ("" if tens == 1 and not hundreds else ZH[tens]) + "十"
    elif hundreds and ones:
        text += "零"
    return text + (ZH[ones] if ones else "")


def in_english(number: int, hyphen: str = "-", joiner: str = " and ") -> str:
    """1 to 999."""
    hundreds, rest = divmod(number, 100)
    parts = [f"{ONES[hundreds]} hundred"] if hundreds else []
    if rest >= 20:
        tens, ones = divmod(rest, 10)
        parts.append(TENS[tens - 2] + (hyphen + ONES[ones] if ones else ""))
    elif rest:
        parts.append(ONES[rest])
    return joiner.join(parts)


def wide(number: int) -> str:
    return "".join(chr(ord(digit) + 0xFEE0) for digit in str(number))


def capital(text: str) -> str:
    """The numerals of bank and court forms."""
    return text.translate(str.maketrans("一二三四五六七八九十百零", "壹贰叁肆伍陆柒捌玖拾佰零"))


def zh_years(months: int, numeral=str, between: str = "") -> str:
    years, rest = divmod(months, 12)
    if not years or not rest:
        return f"{numeral(years)}年" if years else f"{numeral(rest)}个月"
    return f"{numeral(years)}年{between}{numeral(rest)}个月"


def en_years(months: int, numeral=str, between: str = " ") -> str:
    years, rest = divmod(months, 12)
    parts = [f"{numeral(years)} year{'s' * (years != 1)}"] if years else []
    parts += [f"{numeral(rest)} month{'s' * (rest != 1)}"] if rest else []
    return between.join(parts)


def zh_object(term: object) -> str:
    fields = {"罪名": "盗窃罪", "是否有罪": "是", "刑罚类型": "有期徒刑", "刑期": term}
    return json.dumps(fields, ensure_ascii=False)


def en_object(term: object) -> str:
    return json.dumps({"charge": "theft", "guilty": "yes", "penalty": "prison", "months": term})


ZH_WAYS = {
    "number": lambda m: zh_object(m),
    "text": lambda m: zh_object(str(m)),
    "decimal": lambda m: zh_object(float(m)),
    "months": lambda m: zh_object(f"{m}个月"),
    "months spaced": lambda m: zh_object(f"{m} 个月"),
    "short months": lambda m: zh_object(f"{m}月"),
    "traditional": lambda m: zh_object(f"{m}個月"),
    "numeral": lambda m: zh_object(f"{in_chinese(m)}个月"),
    "bare numeral": lambda m: zh_object(in_chinese(m)),
    "capitals": lambda m: zh_object(f"{capital(in_chinese(m))}个月"),
    "full width": lambda m: zh_object(wide(m) + "个月"),
    "years and months": lambda m: zh_object(zh_years(m)),
    "years and months in numerals": lambda m: zh_object(zh_years(m, in_chinese)),
    "years 零 months": lambda m: zh_object(zh_years(m, in_chinese, "零")),
    "years 又 months": lambda m: zh_object(zh_years(m, str, "又")),
    "kind before": lambda m: zh_object(f"有期徒刑{zh_years(m)}"),
    "kind after": lambda m: zh_object(f"{m}个月有期徒刑"),
    "fine beside": lambda m: zh_object(f"{zh_years(m, in_chinese)}，并处罚金人民币12,000元"),
    "restated": lambda m: zh_object(f"{m}个月（{zh_years(m)}）"),
    "restated by a word": lambda m: zh_object(f"{zh_years(m)}，即{m}个月"),
    "fence": lambda m: f"```json\n{zh_object(m)}\n```",
    "prose around": lambda m: f"判决如下：\n{zh_object(m)}\n以上意见供参考。",
    "unquoted": lambda m: zh_object("@").replace('"@"', f"{m}个月"),
    "full-width marks": lambda m: f"｛“是否有罪”：“是”，“刑罚类型”：“有期徒刑”，“刑期”：{m}｝",
    "escaped": lambda m: zh_object(m).replace('"', '\\"'),
    "trailing comma": lambda m: zh_object(m)[:-1] + ",}",
    "nested": lambda m: f'{{"判决结果": {zh_object(m)}}}',
    "object of units": lambda m: zh_object({"年": m // 12, "月": m % 12}),
    "thinking": lambda m: f"<think>先考虑{m + 5}个月</think>\n{zh_object(m)}",
    "lines": lambda m: f"罪名：盗窃罪\n是否有罪：是\n刑罚类型：有期徒刑\n刑期：{m}个月\n",
    "table": lambda m: f"| 刑罚类型 | 刑期 |\n|---|---|\n| 有期徒刑 | {m} |\n",
    "judgment": lambda m: f"被告人犯盗窃罪，判处有期徒刑{zh_years(m, in_chinese)}。",
    "final of two": lambda m: f"初稿：{zh_object(m + 7)}\n最终答案：{zh_object(m)}",
    "total": lambda m: json.dumps(
        {"刑罚类型": "有期徒刑", "刑期": [m, m], "决定执行刑期": m}, ensure_ascii=False
    ),
}

EN_WAYS = {
    "number": lambda m: en_object(m),
    "text": lambda m: en_object(str(m)),
    "decimal": lambda m: en_object(float(m)),
    "months": lambda m: en_object(f"{m} months"),
    "glued": lambda m: en_object(f"{m}months"),
    "abbreviated": lambda m: en_object(f"{m} mo."),
    "hyphen": lambda m: en_object(f"{m}-month"),
    "words": lambda m: en_object(f"{in_english(m)} months"),
    "words spaced": lambda m: en_object(f"{in_english(m, ' ', ' ')} months"),
    "capital words": lambda m: en_object(f"{in_english(m).upper()} MONTHS"),
    "bare words": lambda m: en_object(in_english(m)),
    "words with digits": lambda m: en_object(f"{in_english(m)} ({m}) months"),
    "years and months": lambda m: en_object(en_years(m)),
    "years, months": lambda m: en_object(en_years(m, str, ", ")),
    "years and months joined": lambda m: en_object(en_years(m, str, " and ")),
    "years in words": lambda m: en_object(en_years(m, in_english, " and ")),
    "short years": lambda m: en_object(f"{m // 12}y{m % 12}m" if m >= 12 else f"{m}m"),
    "restated": lambda m: en_object(f"{m} months ({en_years(m, str, ', ')})"),
    "that is": lambda m: en_object(f"{en_years(m, str, ', ')}, i.e. {m} months"),
    "custody": lambda m: en_object(f"{m} months' imprisonment"),
    "sentenced": lambda m: en_object(f"sentenced to {m} months in federal prison"),
    "supervised": lambda m: en_object(f"{m} months followed by 3 years of supervised release"),
    "fine beside": lambda m: en_object(f"{m} months and a fine of $12,000"),
    "fence": lambda m: f"Here it is:\n```json\n{en_object(m)}\n```",
    "single quotes": lambda m: en_object(m).replace('"', "'"),
    "unquoted": lambda m: en_object("@").replace('"@"', f"{m} months"),
    "comment": lambda m: en_object(m).replace("}", " // as a number of months\n}"),
    "text in text": lambda m: json.dumps(en_object(m)),
    "list": lambda m: f"[{en_object(m)}]",
    "object of units": lambda m: en_object({"years": m // 12, "months": m % 12}),
    "value and unit": lambda m: en_object({"value": m, "unit": "months"}),
    "key in words": lambda m: en_object(m).replace('"months"', '"sentence_in_months"'),
    "key misspelt": lambda m: en_object(m).replace('"months"', '"monhts"'),
    "lines": lambda m: f"Charge: theft\nGuilty: yes\nPenalty: imprisonment\nMonths: {m}\n",
    "markdown": lambda m: f"- **Penalty:** imprisonment\n- **Months:** {m}\n",
    "tags": lambda m: f"<answer><penalty>prison</penalty><months>{m}</months></answer>",
    "judgment": lambda m: f"The defendant is sentenced to {m} months of imprisonment.",
    "total of counts": lambda m: en_object(
        f"{m} months on count one, {m} months on count two, concurrent"
    ),
}


def test_each_language_has_at_least_twenty_ways():
    assert len(ZH_WAYS) >= 20 and len(EN_WAYS) >= 20


@settings(max_examples=15, deadline=None)
@pytest.mark.parametrize("way", ZH_WAYS)
@given(months=st.integers(1, 300))
def test_chinese_term_comes_back(way, months):
    text = ZH_WAYS[way](months)
    read = read_reply(text)
    assert read.months == months, (text, read)
    assert read.status in ("ok", "repaired") and read.penalty == "fixed_term"


@settings(max_examples=15, deadline=None)
@pytest.mark.parametrize("way", EN_WAYS)
@given(months=st.integers(1, 300))
def test_english_term_comes_back(way, months):
    text = EN_WAYS[way](months)
    read = read_reply(text)
    assert read.months == months, (text, read)
    assert read.status in ("ok", "repaired")


@given(months=st.integers(1, 600).map(float) | st.floats(1, 600).map(lambda x: round(x, 2)))
def test_a_plain_number_is_ok_and_not_rounded(months):
    for text in (zh_object(months), en_object(months)):
        read = read_reply(text)
        assert (read.status, read.months) == ("ok", months)
