"""Versions whose texts differ in more than the label."""

from __future__ import annotations

import pyarrow as pa
import pytest

from justeval.diagnose import diagnose, flagged_rows
from justeval.diagnose.texts import text_faults
from justeval.schema import PREDICTIONS, VARIANTS

EN = "On a certain day the defendant took a bicycle from the yard of a school and sold it."
ZH = "经审理查明，被告人于某日在学校院内窃得自行车一辆，后将其出售，到案后如实供述。"


def versions(facts=EN, values=("a", "b", "c"), case="c1", label="sex", opening=True, bare=True):
    rows = [[f"{case}", case, None, None, False, facts, 0, 0]] if bare else []
    for value in values:
        sentence = f"The defendant is {value}." if facts == EN else f"被告人为{value}。"
        text = f"{sentence}\n{facts}" if opening else f"{facts}\n{sentence}"
        start = 0 if opening else len(facts) + 1
        end = start + len(sentence)
        rows.append([f"{case}{label}{value}", case, label, value, value == "a", text, start, end])
    return rows


def table(*groups):
    rows = [dict(zip(VARIANTS.names, row, strict=True)) for group in groups for row in group]
    return pa.Table.from_pylist(rows, VARIANTS)


def faults(*groups):
    return [(f.kind, f.case_id, f.label, f.value) for f in text_faults(table(*groups))]


def changed(rows, value, change):
    for row in rows:
        if row[3] == value:
            row[5] = change(row[5])
    return rows


@pytest.mark.parametrize("facts", [EN, ZH])
@pytest.mark.parametrize("opening", [True, False])
@pytest.mark.parametrize("bare", [True, False])
def test_sound_versions_have_no_fault(facts, opening, bare):
    assert faults(versions(facts, opening=opening, bare=bare)) == []


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("text_empty", lambda text: "  \n"),
        ("text_cut", lambda text: text[:-20]),
        ("text_differs", lambda text: text.replace("bicycle", "car")),
        ("text_language", lambda text: ZH * 3),
    ],
)
@pytest.mark.parametrize("bare", [True, False])
def test_one_faulty_version_is_found(kind, change, bare):
    assert faults(changed(versions(bare=bare), "b", change)) == [(kind, "c1", "sex", "b")]


def test_a_version_in_english_among_chinese_ones():
    rows = changed(versions(ZH), "c", lambda text: EN + EN)
    assert faults(rows) == [("text_language", "c1", "sex", "c")]


def test_with_two_values_the_bare_case_says_which_one_is_wrong():
    rows = changed(versions(values=("a", "b")), "a", lambda text: text.replace("school", "shop"))
    assert faults(rows) == [("text_differs", "c1", "sex", "a")]


def test_without_a_bare_case_the_other_labels_say_it():
    wrong = changed(
        versions(values=("a", "b"), bare=False), "b", lambda text: text.replace("school", "shop")
    )
    others = [versions(values=("a", "b"), label=f"l{k}", bare=False) for k in range(2)]
    assert faults(wrong, *others) == [("text_differs", "c1", "sex", "b")]


def test_two_texts_that_differ_with_no_witness_are_one_fault_of_the_document():
    rows = changed(
        versions(values=("a", "b"), bare=False), "b", lambda text: text.replace("school", "shop")
    )
    assert faults(rows) == [("text_differs", "c1", "sex", None)]


def test_marked_spans_are_judged_by_what_stands_around_them():
    def exchanged(word):
        text = f"A person came in. {word} took a bicycle. It was sold."
        return ["v" + word, "c1", "sex", word, word == "He", text, 18, 18 + len(word)]

    facts = "A person came in. They took a bicycle. It was sold."
    bare = ["bare", "c1", None, None, False, facts, 0, 0]
    sound = [bare, exchanged("He"), exchanged("She"), exchanged("They")]
    assert faults(sound) == []
    sound[2][5] = sound[2][5].replace("sold", "lost")
    assert faults(sound) == [("text_differs", "c1", "sex", "She")]


def test_texts_without_spans_are_judged_by_their_length():
    rows = versions()
    for row in rows[1:]:
        row[6] = row[7] = None
    assert faults(rows) == []
    rows[2][5] = rows[2][5][:30]
    assert faults(rows) == [("text_cut", "c1", "sex", "b")]


def test_two_values_with_the_same_text_are_one_fault_of_the_document():
    rows = versions()
    rows[2][5:] = rows[3][5:]
    assert faults(rows) == [("duplicate", "c1", "sex", None)]


def test_texts_asked_elsewhere_are_not_looked_at():
    rows = versions()
    for row in rows:
        row[5] = None
    assert faults(rows) == []


def test_the_replies_to_a_faulty_text_are_flagged_for_every_model():
    predictions = [
        {
            "run_id": "r", "model": model, "case_id": case, "label": "sex", "value": value,
            "is_reference": value == "a", "repetition": 0, "status": "ok", "months": 12.0,
        }
        for model in ("m", "n") for case in ("c1", "c2") for value in ("a", "b", "c")
    ]  # fmt: skip
    texts = table(changed(versions(), "b", lambda text: text[:-9]), versions(case="c2"))
    diagnosis = diagnose(pa.Table.from_pylist(predictions, PREDICTIONS), {}, 300.0, texts)
    assert [(f.kind, f.model, f.value, f.replies) for f in diagnosis.findings] == [
        ("text_cut", None, "b", 2)
    ]
    assert flagged_rows(diagnosis).tolist() == [1, 7]
