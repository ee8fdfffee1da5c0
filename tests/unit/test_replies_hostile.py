"""Any text in: a status out, no exception, in bounded time; and no number from a cut reply."""

import json
import math
import random
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from justeval.replies import read_fields, read_reply
from justeval.schema import PENALTIES, READABLE, STATUSES

FINISH = st.sampled_from(["stop", "length", None, "content_filter", "", "tool_calls", "STOP"])
ANSWER = '{"罪名":"盗窃罪","是否有罪":"是","刑罚类型":"有期徒刑","刑期":36}'
PIECES = [
    *'{}[]":,;|\\/*`\n\t #=-+~.%$()',
    *"0123456789十三年月日半两零缓判无死",
    *("个月", "有期徒刑", "刑期", "months", "years", "guilty", "to", "至", "life", "null", "true"),
    *("NaN", "<think>", "</think>", "```json", "“", "”", "：", "，", "\\n", '\\"', "&quot;", "½"),
    *("and", "a", "half", "I cannot", "最终", "判处", "sentenced to", "\ud800", "\x00", "😀", "٣"),
]


def checked(read):
    assert read.status in STATUSES
    assert read.penalty is None or read.penalty in PENALTIES
    for number in (read.months, read.probation_months, read.bond_amount, read.risk_score):
        assert number is None or (math.isfinite(number) and number >= 0)
        assert number is None or read.status in READABLE
    assert read.months is None or read.months <= 600
    assert read.probability is None or 0 <= read.probability <= 1
    for text in (read.charge, read.decision, read.reason, read.bond_currency):
        assert text is None or text.encode("utf-8") is not None
    return read


@settings(max_examples=400, deadline=None)
@given(text=st.text(alphabet=st.characters(), max_size=400) | st.none(), finish=FINISH)
def test_any_text_gets_a_status(text, finish):
    checked(read_reply(text, finish))


@settings(max_examples=600, deadline=None)
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=60), finish=FINISH)
def test_any_text_of_telling_pieces_gets_a_status(pieces, finish):
    checked(read_reply("".join(pieces), finish))


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.sampled_from(PIECES) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["刑期", "months", "years", "penalty", "guilty", "total", "缓刑", "x"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@settings(max_examples=300, deadline=None)
@given(value=JSON, finish=FINISH)
def test_any_json_gets_a_status(value, finish):
    checked(read_reply(json.dumps(value, ensure_ascii=False), finish))


CELL = st.none() | st.text(max_size=30) | st.floats() | st.integers() | st.booleans()


@settings(max_examples=300, deadline=None)
@given(
    fields=st.dictionaries(
        st.sampled_from(["guilty", "penalty", "months", "probability", "decision", "charge"]),
        CELL | st.sampled_from(PIECES),
    )
)
@example(fields={"decision": "\ud800"})
def test_any_fields_get_a_status(fields):
    checked(read_fields(fields))


def hostile():
    """Texts of 100,000 characters and more that make careless readers slow."""
    rng = random.Random(20261104)
    units = [
        *"{[\"'<(-.:|,#\n\t ￥｛一半罰😀\0",
        *('{"a":', '{"', '{"a', "{a:", "{#", "1,", "1.", '\\"', "\\", "/*", "<think>", "<a>"),
        *("three years ", "one ", "and ", "a half and ", "三年", "一二三四五六七八九十百千万"),
        *(
            "判处三年，",
            "判处三年。",
            "sentenced to 36 months. ",
            "months:",
            "刑期：36\n",
            "I cannot ",
        ),
        *("| 刑期 | 36 |\n", "<td>刑期</td>", "<months>36</months>", "&quot;", ANSWER, "死刑缓"),
        *("<think></think>", "one hundred and ", "36 months or ", "\u200b", '{"刑期":', "`"),
    ]
    texts = {repr(unit): unit * (100_000 // len(unit)) for unit in units}
    for value in ("三年", "1", "一", "one and ", "3 ", "((", "- ", "半", "1/2 ", "to "):
        texts[f"field of {value!r}"] = json.dumps({"刑期": value * (390 // len(value))})
    texts["open string"] = '{"a":"' + '"' * 99_990
    texts["escapes"] = '{"a":"' + '\\"' * 49_990
    texts["spaces in a value"] = '{"months": ' + " " * 99_980
    texts["digits in a value"] = '{"months":' + "1" * 99_980 + "}"
    texts["deep objects"] = '{"a":' * 900 + "1" + "}" * 900
    texts["deep lists"] = '{"months":' + "[" * 900 + "1" + "]" * 900 + "}"
    texts["long list"] = '{"months":36,"x":[' + "1," * 49_000 + "1]}"
    texts["many keys"] = "{" + "".join(f'"k{i}":{i},' for i in range(9000)) + '"刑期":36}'
    texts["repeated keys"] = "{" + '"刑期":36,' * 9000 + "}"
    for name, letters in {
        "marks": '{}[]":,\\01年月个a\n',
        "words": "判处有期徒刑三年六个月，。缓",
    }.items():
        texts[f"random {name}"] = "".join(rng.choices(letters, k=100_000))
    return texts


HOSTILE = hostile()


def cpu_ms(call):
    """Best processor time of five calls, in milliseconds."""
    times = []
    for _ in range(5):
        start = time.process_time()
        call()
        times.append((time.process_time() - start) * 1000)
    return min(times)


def squares():
    return sum(number * number for number in range(100_000))


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_read_in_bounded_time(name):
    """5 ms where 100,000 squares take 5 ms; a machine that others slow down is tried again."""
    read_reply(ANSWER)
    for _ in range(4):
        before = cpu_ms(squares)
        taken = cpu_ms(lambda: read_reply(HOSTILE[name]))
        pace = max(1.0, before / 5.0, cpu_ms(squares) / 5.0)
        if taken < 5.0 * pace:
            break
    assert taken < 5.0 * pace, f"{taken:.1f} ms at pace {pace:.1f}"
    for finish in ("length", None, "stop"):
        checked(read_reply(HOSTILE[name], finish))


WHOLE = {
    "plain": (ANSWER, 36),
    "pretty": (json.dumps(json.loads(ANSWER), ensure_ascii=False, indent=2), 36),
    "fenced": (f"好的。\n```json\n{ANSWER}\n```\n说明：判处有期徒刑36个月（即三年）。", 36),
    "words": (ANSWER.replace("36", '"十三年六个月"'), 162),
    "unquoted": (ANSWER.replace("36", "3年6个月"), 42),
    "english": ('{"guilty": "yes", "penalty": "prison", "months": "one hundred and six"}', 106),
    "thousands": ('{"guilty": "yes", "penalty": "prison", "months": 120, "fine": 12,000}', 120),
    "thinking": (f"<think>先看12个月，{ANSWER.replace('36', '12')}</think>{ANSWER}", 36),
    "parts": ('{"罪名":[{"罪名":"甲","刑期":20},{"罪名":"乙","刑期":15}],"决定执行刑期":30}', 30),
    "units": ('{"刑罚类型": "有期徒刑", "刑期": {"年": 13, "月": 6}}', 162),
    "decimal": ('{"guilty": "yes", "penalty": "prison", "months": 13.25}', 13.25),
    "escaped": (ANSWER.replace('"', '\\"'), 36),
    "text": (json.dumps(ANSWER, ensure_ascii=False), 36),
    "single": ("{'guilty': 'yes', 'penalty': 'prison', 'months': 136}", 136),
    "full width": ("｛“是否有罪”：“是”，“刑罚类型”：“有期徒刑”，“刑期”：１３６｝", 136),
    "nested": ('{"判决结果": {"刑罚类型": "有期徒刑", "刑期": "136"}}', 136),
    "comment": ('{"penalty": "prison", "months": 136, // in months\n "guilty": "yes"}', 136),
    "total last": ('{"刑罚类型": "有期徒刑", "刑期": [120, 16], "总刑期": 130}', 130),
}


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("finish", ["stop", "length", None])
def test_cut_reply_never_gives_another_number(name, finish):
    """At whatever character a reply with an object breaks off, whatever the provider says."""
    whole, months = WHOLE[name]
    assert read_reply(whole).months == months
    for end in range(len(whole)):
        read = read_reply(whole[:end], finish)
        assert read.months in (None, months), (whole[:end], read)


LINES = "罪名：盗窃罪\n是否有罪：是\n刑罚类型：有期徒刑\n刑期：13年6个月\n"
PROSE = "The defendant is sentenced to one hundred and sixty-two months of imprisonment."


TABLE = "| 刑罚类型 | 刑期 |\n|---|---|\n| 有期徒刑 | 162 |\n"
DRAFT = f"初稿：{ANSWER.replace('36', '99')}\n最终答案：{ANSWER}"


@pytest.mark.parametrize(
    "whole", [LINES, TABLE, DRAFT, PROSE, "十三年六个月", "0.73", "162 months"]
)
@pytest.mark.parametrize("finish", ["length", None])
def test_cut_lines_and_prose_never_give_another_number(whole, finish):
    """Nothing closes a line or a sentence: only a provider's word tells that it was not cut."""
    full = read_reply(whole)
    for end in range(len(whole)):
        read = read_reply(whole[:end], finish)
        assert read.months in (None, full.months), (whole[:end], read)
        assert read.probability in (None, full.probability), (whole[:end], read)


@pytest.mark.parametrize("end", range(len(ANSWER)))
def test_cut_answer_is_truncated_and_keeps_whole_fields(end):
    """A cut object has no term; guilt and penalty stand once their fields are whole."""
    read = read_reply(ANSWER[:end], "length")
    assert read.status == "truncated"
    assert read.guilty is (True if '"是"' in ANSWER[:end] else None)
    assert read.penalty == ("fixed_term" if '"有期徒刑"' in ANSWER[:end] else None)
