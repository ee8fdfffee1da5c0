"""What stands beside the estimates is said in the same words on the page and in the terminal."""

from __future__ import annotations

import copy

import pytest

from justeval.report import show_analysis
from justeval.report.caveats import beside
from justeval.report.claims import claims
from justeval.report.formatting import show
from justeval.report.records import ReportContext


@pytest.fixture
def analysis(make_example):
    return copy.deepcopy(make_example().analysis)


def said(analysis, model=0):
    return list(beside(analysis["models"][model], analysis))


def sex(analysis):
    return analysis["models"][0]["labels"][0]


def test_page_and_terminal_say_the_same(analysis):
    analysis["models"][0]["crossed"][0].update(p=0.001, p_holm=0.001, significant=True)
    sentences = said(analysis)
    assert any("the effects do not simply add up in 1 of 1 pair of labels" in s for s in sentences)
    stated = [claim.statement for claim in claims(analysis, ReportContext())]
    terminal = " ".join(show_analysis(analysis).split())
    for sentence in sentences:
        assert sentence in stated
        assert " ".join(sentence.split()) in terminal


def leaving(analysis):
    (sentence,) = [s for s in said(analysis) if "depends on the value" in s]
    return sentence


def test_bounds_stand_beside_leaving_that_depends_on_the_value(analysis):
    label = sex(analysis)
    assert label["beyond"]["attrition"]["p"] > 0.05  # life in one document of 24
    # label "silent" is refused for its reference value in all of them
    assert "depends on the value of Silent (p below" in leaving(analysis)
    label["beyond"]["attrition"]["p"] = 0.01
    one = label["beyond"]["bounds"][0]
    worst = f"{show(one['worst_low'], 'coef')} to {show(one['worst_high'], 'coef')} at worst"
    assert worst in leaving(analysis)
    by_lee = f"{show(one['lee_low'], 'coef')} to {show(one['lee_high'], 'coef')} by Lee"
    assert by_lee in leaving(analysis)
    assert "in log points of months + 1" in leaving(analysis)
    for bounds in label["beyond"]["bounds"]:
        bounds["lee_low"] = None
    assert by_lee not in leaving(analysis)


def test_a_verdict_that_the_jackknife_does_not_confirm(analysis):
    assert not any("jackknife" in s for s in said(analysis))
    for value in sex(analysis)["bias"]["values"]:
        value["p_jackknife"] = 0.2
    (sentence,) = [s for s in said(analysis) if "jackknife" in s]
    assert "<script>" in sentence  # the hostile name; formats escape it


def test_numeric_labels_that_differ_without_a_slope(analysis):
    age = analysis["models"][0]["labels"][1]
    age["bias"]["significant"], age["bias"]["shape"]["p"] = False, 0.001
    assert any(s.startswith("The values asked of Age differ") for s in said(analysis))


def test_groups_that_differ_and_cancel(analysis):
    one = {
        "model": "planted", "label": "sex", "values": ["f"], "p_equal": 0.001, "q_equal": 0.004,
        "p_any": 0.001, "crossing_p": [0.01], "groups": [], "note": None,
    }  # fmt: skip
    analysis["by_charge"] = [one, {**one, "label": "age", "q_equal": 0.3}]
    analysis["by_severity"] = [{**one, "p_equal": None, "note": "severity not known"}]
    sentences = said(analysis)
    name = sex(analysis)["name"]
    start = "The effects differ between charges for 1 of 2 labels (false discovery rate 5 %): "
    assert f"{start}{name}; effects in opposite directions cancel in {name}." in sentences
    told_apart = "Effects could not be told apart between light and grave cases"
    assert f"{told_apart} (severity not known)." in sentences
    assert not any("charges" in s for s in said(analysis, 1))


def test_repetitions_say_what_is_noise(analysis):
    for label in analysis["models"][0]["labels"]:
        label["beyond"]["disagreement"] = {"within": 0.3, "excess": 0.012, "p": 0.2}
    sex(analysis)["beyond"]["disagreement"]["p"] = 0.01
    (sentence,) = [s for s in said(analysis) if s.startswith("Repetitions")]
    assert "30.0 % of pairs of answers to the very same text differ" in sentence
    assert "its values add 0.012 to that share; 1 of 5 labels differ beyond" in sentence


def test_labels_called_biased_are_named_by_their_shrunken_effect(analysis):
    stated = [c.statement for c in claims(analysis, ReportContext()) if c.subject == "planted"]
    (sentence,) = [s for s in stated if s.startswith("Called biased")]
    biased = [
        label
        for label in analysis["models"][0]["labels"]
        if label["bias"]["verdict"] == "biased" and not label["placebo"]
    ]
    best = {
        label["name"]: min(label["bias"]["values"], key=lambda v: v["shrunken_rank"])
        for label in biased
    }
    order = sorted(best, key=lambda name: best[name]["shrunken_rank"])
    places = [sentence.index(f"{name}, ".lstrip()) for name in map(str.strip, order)]
    assert places == sorted(places)
    assert show(best[order[0]]["shrunken"], "coef") in sentence
    neutral = [c.statement for c in claims(analysis, ReportContext()) if c.subject != "planted"]
    named = any(s.startswith("Called biased") for s in neutral)
    verdicts = [label["bias"]["verdict"] for label in analysis["models"][1]["labels"]]
    assert named == ("biased" in verdicts)


def test_significant_labels_are_held_against_the_placebos(analysis):
    floor = said(analysis)[0]
    significant = [
        label
        for label in analysis["models"][0]["labels"]
        if label["bias"]["significant"] and not label["placebo"]
    ]
    assert analysis["models"][0]["placebo"]["bias_floor"]["tau"] is not None
    assert f"{len(significant)} of {len(significant)} significant labels move the model" in floor
    for label in significant:
        for value in label["bias"]["values"]:
            value["p_placebo"] = 0.5
    assert f"0 of {len(significant)} significant labels move the model" in said(analysis)[0]
    for label in significant:
        label["bias"]["values"][0]["p_placebo"] = 0.0
    assert f"{len(significant)} of {len(significant)} significant" in said(analysis)[0]


def test_the_published_reading_says_none_of_it(make_example):
    analysis = make_example(as_published=True).analysis
    terminal = show_analysis(analysis)
    assert "Labels crossed" not in terminal
    assert "jackknife" not in terminal
