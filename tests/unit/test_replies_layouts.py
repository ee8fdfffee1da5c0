"""How an answer is wrapped and written down: objects, lines, tables, tags, prose; and thinking."""

import json

import pytest

from justeval.replies import read_reply

FIELDS = {"charge": "theft", "guilty": "yes", "penalty": "imprisonment", "months": 36}
ANSWER = json.dumps(FIELDS)
ZH = '{"罪名":"盗窃罪","是否有罪":"是","刑罚类型":"有期徒刑","刑期":36}'


def other(months):
    return json.dumps(FIELDS | {"months": months})


READ_36 = {
    "fence": f"```json\n{ANSWER}\n```",
    "fence without a language": f"```\n{ANSWER}\n```",
    "fence never closed": f"```json\n{ANSWER}",
    "missing brace in a fence": f"```json\n{ANSWER[:-1]}\n```",
    "missing brace before a paragraph": f"{ANSWER[:-1]}\n\nThis is a proposal only.",
    "missing brace and a new line": f"{ANSWER[:-1]}\n",
    "doubled braces": f"{{{ANSWER}}}",
    "text in text": json.dumps(ANSWER),
    "text in a field": json.dumps({"answer": f"```json\n{ANSWER}\n```"}),
    "list of one": f"[{ANSWER}]",
    "escaped": ANSWER.replace('"', '\\"'),
    "escaped with line ends": json.dumps(FIELDS, indent=1).replace('"', '\\"').replace("\n", "\\n"),
    "single quotes": str(FIELDS),
    "python": str(FIELDS | {"guilty": True, "note": None}),
    "no quotes": "{charge: theft, guilty: yes, penalty: imprisonment, months: 36}",
    "curly quotes": "{“guilty”: “yes”, “penalty”: “imprisonment”, “months”: 36}",
    "missing commas": ANSWER.replace(", ", "\n"),
    "missing comma on one line": '{"guilty": "yes" "penalty": "prison" "months": 36}',
    "equal signs": "{guilty = yes, penalty = imprisonment, months = 36}",
    "missing quotation mark": '{"guilty": "yes,\n "penalty": "imprisonment",\n "months": 36}',
    "word after a quotation mark": '{"guilty":"yes","penalty":"imprisonment","months":"36" months}',
    "inner quotes": '{"reason": "he said "no" twice", "guilty": "yes", "months": 36}',
    "comment block": ANSWER.replace("36", "36 /* months */"),
    "comment hash": '{"guilty": "yes", # plea\n "penalty": "prison",\n "months": 36 # months\n}',
    "comment agrees": ANSWER.replace("}", " // 3 years\n}"),
    "html entities": ANSWER.replace('"', "&quot;"),
    "html": f"<p>{ANSWER}</p><br>",
    "html table": "<table><tr><td>penalty</td><td>prison</td></tr>"
    "<tr><td>months</td><td>36</td></tr></table>",
    "tags": "<answer><guilty>yes</guilty><months>36</months></answer>",
    "table": "| penalty | months |\n|:---|---:|\n| imprisonment | 36 |",
    "table of two columns": "| Item | Answer |\n|---|---|\n| Penalty | prison |\n| Months | 36 |\n",
    "lines": "Guilty: yes\nPenalty: imprisonment\nMonths: 36\n",
    "lines that end in a unit": "Guilty: yes\nPenalty: imprisonment\nMonths: 36 months",
    "lines that end in a mark": "**Guilty: yes**\n**Penalty: imprisonment**\n**Months: 36**",
    "bold keys": "**Guilty:** yes\n**Penalty:** imprisonment\n**Months:** 36\n",
    "numbered lines": "1. Guilty: yes\n2. Penalty: imprisonment\n3. Months: 36\n",
    "value below its key": "**Guilty**:\nyes\n\n**Months**:\n36\n",
    "one line": "guilty: yes, penalty: imprisonment, months: 36.",
    "yaml": "guilty: yes\npenalty: imprisonment\nsentence:\n  years: 3\n  months: 0\n",
    "call": "answer(guilty='yes', penalty='imprisonment', months=36)",
    "zero-width": ANSWER.replace("36", "\u200b36").replace(" ", "\u00a0"),
    "prose": "The defendant is found guilty and sentenced to 36 months of imprisonment.",
    "prose beside a guideline": "The guideline range is 30 to 37 months. I impose 36 months.",
    "short prose": "36 months",
    "term in a list": ANSWER.replace("36", "[36]"),
    "term in an object": ANSWER.replace("36", '{"years": 3}'),
    "unit beside the term": '{"guilty":"yes","penalty":"prison","term":3,"unit":"years"}',
    "unit in the object": '{"sentence":{"type":"prison","length":3,"unit":"years"},"guilty":"yes"}',
    "unit in the key": '{"guilty":"yes","penalty":"prison","term_years":3}',
    "years and months": '{"guilty":"yes","penalty":"prison","years":3,"months":0}',
    "years again": '{"guilty":"yes","penalty":"prison","years":3,"months":36}',
    "key in camel case": ANSWER.replace('"months"', '"sentenceMonths"'),
    "key misspelt": ANSWER.replace("penalty", "penatly").replace("months", "monthes"),
    "capital keys": ANSWER.replace("months", "MONTHS"),
    "agreeing duplicates": ANSWER.replace("}", ', "months": "36 months"}'),
    "the same object twice": f"{ANSWER}\n{ANSWER}",
    "the same term written otherwise": f"{ANSWER}\n\n{other('3 years')}",
    "draft and final": f"Draft: {other(30)}\nFinal answer: {ANSWER}",
    "corrected": f"{other(30)}\nCorrection, after the plea:\n{ANSWER}",
    "thinking": f"<think>perhaps {other(24)}</think>{ANSWER}",
    "thinking, only its end": f"first I thought of 24 months</think>\n{ANSWER}",
    "thinking by channel": "<|channel|>analysis<|message|>24<|end|><|start|>assistant"
    f"<|channel|>final<|message|>{ANSWER}<|return|>",
    "thinking in brackets": f"[THINK]24 months[/THINK]{ANSWER}",
    "thinking after": f"{ANSWER}<think>24 months?</think>",
    "thinking in a field": ANSWER.replace("{", '{"thinking": "24 months would be too low", '),
    "refusal of advice, then the answer": f"I cannot give legal advice, but here it is: {ANSWER}",
    "other case in a note": ANSWER.replace("}", ', "notes": "24 months in another case"}'),
    "prior sentence": f"{ANSWER}\n\nHe was previously sentenced to 12 months.",
    "statute": f"{ANSWER}\n\nThe statutory maximum is a term of 20 years.",
    "supervised release": f"{ANSWER}\n\nA term of supervised release of 3 years follows.",
    "what others asked for": f"{ANSWER}\n\nThe government asked for 48 months in prison.",
    "what might have been": f"{ANSWER}\n\nIf he had denied it, I would impose 60 months.",
    "a disclaimer": f"{ANSWER}\n\nI am an AI and cannot provide legal advice.",
    "years of service": f"{ANSWER}\n\nA sentence of 36 months fits, given 10 years of service.",
    "total of the counts": '{"counts":[{"charge":"a","months":20},{"charge":"b","months":20}],'
    '"guilty":"yes","penalty":"prison","total_months":36}',
    "term above its counts": '{"counts":[{"charge":"a","months":20},{"charge":"b","months":20}],'
    '"guilty":"yes","penalty":"prison","months":36}',
    "objects by count and the total in the text": '{"charge":"a","months":20,"penalty":"prison"}\n'
    '{"charge":"b","months":20,"penalty":"prison"}\n\nThat is 36 months in total.',
    "terms by count and the total in the text": ANSWER.replace(
        "36", '"20 months on count one, 20 months on count two"'
    )
    + "\n\nTotal: 36 months.",
    "objects by count and a total": '{"charge":"a","months":20}\n{"charge":"b","months":20}\n'
    '{"guilty":"yes","penalty":"prison","total_months":36}',
}


@pytest.mark.parametrize("name", READ_36)
def test_one_term_is_found_however_it_is_written(name):
    read = read_reply(READ_36[name])
    assert read.months == 36, read
    assert read.status == (
        "ok" if name in ("thinking in a field", "other case in a note") else "repaired"
    )


NOT_READ = {
    "two objects": ("ambiguous", f"{ANSWER}\n{other(30)}"),
    "a table of two rows": ("ambiguous", "|charge|months|\n|---|---|\n|a|20|\n|b|16|\n"),
    "one object a charge": (
        "ambiguous",
        ANSWER.replace("theft", "a") + "\n" + ANSWER.replace("theft", "b"),
    ),
    "charges as keys": ("ambiguous", '{"theft":{"months":20},"fraud":{"months":20}}'),
    "a list of counts": (
        "ambiguous",
        '{"counts":[{"charge":"a","months":20},{"charge":"b","months":20}],"guilty":"yes"}',
    ),
    "unlike duplicates": ("ambiguous", ANSWER.replace("}", ', "months": 30}')),
    "range as a list": ("ambiguous", ANSWER.replace("36", "[24, 36]")),
    "range as an object": ("ambiguous", ANSWER.replace("36", '{"min": 24, "max": 36}')),
    "range without quotes": ("ambiguous", ANSWER.replace("36", "24 to 36")),
    "product without quotes": ("ambiguous", ANSWER.replace("36", "3*12")),
    "remark on the unit": ("ambiguous", ANSWER.replace("36}", "3 // years\n}")),
    "number under a sentence": ("ambiguous", '{"guilty":"yes","sentence":36}'),
    "bare number": ("ambiguous", "36"),
    "number of something": ("ambiguous", ANSWER.replace("36", '"36 credits"')),
    "prose with two terms": ("ambiguous", "I impose 24 months. In the end I impose 36 months."),
    "remark with another term": ("contradictory", ANSWER.replace("}", " // 4 years\n}")),
    "prose against the object": ("contradictory", f"{ANSWER}\n\nI therefore impose 48 months."),
    "explanation against the term": (
        "contradictory",
        ANSWER.replace("}", ', "explanation": "The sentence is 4 years."}'),
    ),
    "prose against the object, the word after it": (
        "contradictory",
        f"{ANSWER}\n\nConsidering everything, a 48-month sentence is appropriate.",
    ),
    "eleven years for eleven months": (
        "contradictory",
        f"{ANSWER}\n\nThirty-six years of imprisonment is what he deserves.",
    ),
    "life in the prose": ("contradictory", f"{ZH}\n\n综上，判处无期徒刑。"),
    "total below its parts": (
        "contradictory",
        '{"counts":[{"months":20},{"months":16}],"total_months":12,"penalty":"prison"}',
    ),
    "total above the sum": (
        "contradictory",
        '{"counts":[{"months":20},{"months":16}],"total_months":60,"penalty":"prison"}',
    ),
    "penalty against the term": (
        "contradictory",
        ANSWER.replace("imprisonment", "3 years prison")[:-3] + "3}",
    ),
    "refusal": ("refused", "I'm sorry, but I can't help with that."),
    "refusal in Chinese": ("refused", "抱歉，我不能对具体案件作出判断。"),
    "refusal with a range": ("refused", "我无法作出判决。该罪一般处三年以上十年以下有期徒刑。"),
    "refusal in JSON": ("refused", '{"error": "I cannot assist with this request."}'),
    "refusal beside an empty form": (
        "refused",
        'I cannot do this.\n{"charge": "", "guilty": "", "penalty": "", "months": ""}',
    ),
    "provider's refusal": ("refused", "PROHIBITED_CONTENT"),
    "empty form": (
        "unparsable",
        '{"charge": null, "guilty": null, "penalty": null, "months": null}',
    ),
    "page of an error": ("unparsable", "<html><body><h1>502 Bad Gateway</h1></body></html>"),
    "empty fence": ("unparsable", "```json\n```"),
    "law only": ("unparsable", "盗窃罪一般处三年以下有期徒刑、拘役或者管制。"),
    "opinion": ("unparsable", "Somewhere between two and three years, I would say."),
    "other JSON": ("unparsable", '{"choices": []}'),
    "list of numbers": ("unparsable", "[36, 24]"),
    "null": ("unparsable", "null"),
    "unclosed thinking": ("truncated", f"<think>{ANSWER}"),
}


@pytest.mark.parametrize("name", NOT_READ)
def test_no_number_is_taken_where_there_is_a_doubt(name):
    status, text = NOT_READ[name]
    read = read_reply(text)
    assert (read.status, read.months) == (status, None), read


@pytest.mark.parametrize(
    ("reply", "finish", "status"),
    [
        (None, "stop", "empty"),
        ("", "stop", "empty"),
        (" \n\u3000", None, "empty"),
        (None, "length", "truncated"),
        (None, "content_filter", "refused"),
        ("<think>so 24 months</think>", "stop", "empty"),
        ("<think>so 24 months</think>", "length", "truncated"),
        ("<think>so 24", "length", "truncated"),
        (ANSWER, "length", "ok"),  # the object is whole
        (ANSWER, None, "ok"),
        (ANSWER[:-1], "stop", "truncated"),  # the number touches the end
        (ANSWER[:-1], None, "truncated"),
        (f"{ANSWER[:-1]}\n", "length", "truncated"),
        ("Months: 36", "stop", "truncated"),  # the number touches the end
        ("刑期：三十", "stop", "truncated"),
        ("刑期：36个月", "stop", "repaired"),
        ("Months: 36\n", "stop", "repaired"),
        ("Months: 36", "length", "truncated"),
        ("| penalty | months |\n| - | - |\n| prison | 3", "stop", "truncated"),
        ("| penalty | months |\n| - | - |\n| prison | 36 |", "stop", "repaired"),
        (f"Draft: {ANSWER}\nFinal answer: ", "length", "truncated"),
        (f"Draft: {ANSWER}", None, "truncated"),
        (f'Draft: {ANSWER}\nFinal answer: {{"guilty": "yes"', "length", "truncated"),
        ("Months: 36", None, "truncated"),
        ("三年", "length", "truncated"),
        ("三年", None, "truncated"),
        ("0.7", "length", "truncated"),
        ("I impose 36 months.", "length", "truncated"),
        (f"{ANSWER}\n\nBecause he", "length", "repaired"),  # only the explanation is cut
    ],
)
def test_how_a_reply_ended_counts(reply, finish, status):
    assert read_reply(reply, finish).status == status
