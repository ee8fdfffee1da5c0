"""Marked spans exchanged: the right form for each value, or a reason; never a guess."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from justeval.cases import Case, Span
from justeval.labels import Label, load_labels
from justeval.variants import Skipped, Variant, versions_of

MakeCase = Callable[..., Case]
MakeLabel = Callable[..., Label]
SEX_EN = load_labels("judicial-us:defendant_sex")[0]
SEX_ZH = load_labels("judicial-cn:defendant_sex")[0]


def marked(text: str, label: str = "defendant_sex", language: str = "en") -> Case:
    """A case from a text whose spans stand in brackets: `[her]`, or `[her|him]` with its row."""
    facts, spans = "", []
    for i, piece in enumerate(text.replace("]", "[").split("[")):
        word, _, beside = piece.partition("|")
        if i % 2:
            spans.append(Span(len(facts), len(facts) + len(word), beside))
        facts += word
    return Case("c1", facts, language, spans={label: tuple(spans)})


def texts(case: Case, label: Label) -> dict[str | None, str]:
    found = versions_of(case, label)
    assert not isinstance(found, Skipped), found.reason
    return {variant.value: variant.text for variant in found}


def reason(case: Case, label: Label) -> str:
    found = versions_of(case, label)
    assert isinstance(found, Skipped)
    assert found.kind == "form"
    return found.reason


EXCHANGED = {
    "The police saw [him] there": ("him", "her", "them"),
    "The police saw [them] there": ("him", "her", "them"),
    "It cut [himself] badly": ("himself", "herself", "themself"),
    "Then [he was] arrested": ("he was", "she was", "they were"),
    "[She has] a job": ("He has", "She has", "They have"),
    "[HE IS] GUILTY": ("HE IS", "SHE IS", "THEY ARE"),
    "The car was [hers] alone": ("his", "hers", "theirs"),
    "Once [their] car stopped": ("his", "her", "their"),
    "A [Man] came": ("Man", "Woman", "Person"),
    "[Mr.] Doe came": ("Mr.", "Ms.", "Mx."),
    # At the end of a sentence the word stands before no noun, so it is no determiner.
    "They followed [her].": ("him", "her", "them"),
    "They followed [her]": ("him", "her", "them"),
    "The car was [his];": ("his", "hers", "theirs"),
    "(with [her])": ("him", "her", "them"),
    # A verb in the past, or a modal one, has one form for he and they.
    "[He] met the owner": ("He", "She", "They"),
    "[She] left": ("He", "She", "They"),
    "Then [they] quickly entered. It was late and was dark": ("he", "she", "they"),
    "[He]'d run": ("He", "She", "They"),
    # The span says which row it means, by a form that stands there.
    "Then [her|their] car": ("his", "her", "their"),
    "They gave [her|him] money": ("him", "her", "them"),
    "What was [His|theirs] was lost": ("His", "Hers", "Theirs"),
}


@pytest.mark.parametrize("text", EXCHANGED)
def test_a_marked_word_takes_the_form_of_each_value(text: str) -> None:
    before, rest = text.split("[")
    after = rest.split("]")[1]
    male, female, non_binary = EXCHANGED[text]
    assert texts(marked(text), SEX_EN) == {
        "male": before + male + after,
        "female": before + female + after,
        "non_binary": before + non_binary + after,
    }


REFUSED = {
    "Then [her] car": (
        "the marked 'her' at 5 stands in several rows of forms (him/her/them, his/her/their); "
        'say which in the span, e.g. [5, 8, "him"]'
    ),
    "Then [His] car": (
        "the marked 'His' at 5 stands in several rows of forms (his/her/their, his/hers/theirs); "
        'say which in the span, e.g. [5, 8, "her"]'
    ),
    "They saw [her]...": "the marked 'her' at 9 stands in several rows of forms (him/her/them, h",
    "They saw [her], then": "the marked 'her' at 9 stands in several rows of forms (him/her/them,",
    "Then [he] was seen": (
        "the marked 'he' at 5 stands beside 'they', whose verb differs; "
        "mark the verb too, as in 'he was'"
    ),
    "[She] leaves": "the marked 'She' at 0 stands beside 'they', whose verb differs; mark the v",
    "Then [they] leave": "the marked 'they' at 5 stands beside 'they', whose verb differs; ",
    "[He] met Mr. Doe and was seen": "the marked 'He' at 0 stands beside 'they', whose verb dif",
    "[He]'s gone": "the marked 'He' at 0 stands beside 'they', whose verb differs; mark the verb",
    "Was [he] armed?": "the marked 'he' at 4 stands beside 'they', whose verb differs; mark the",
    "[they] need help": "the marked 'they' at 0 stands beside 'they', whose verb differs; mark",
    "Police saw [he], fled": "the marked 'he' at 11 stands beside 'they', whose verb differs;",
    "The [nurse] left": "the marked 'nurse' at 4 stands in no row of the label's forms",
    "Then [her|car] car": "the marked 'her' at 5 beside 'car' stands in no row of the label",
    "Then [he went] off": "the marked 'he went' at 5 stands in no row of the label's forms",
}


@pytest.mark.parametrize("text", REFUSED)
def test_an_unclear_word_is_refused_with_its_reason(text: str) -> None:
    assert reason(marked(text), SEX_EN).startswith(REFUSED[text])


def test_one_unclear_span_leaves_the_label_out_of_the_case() -> None:
    assert "'he' at 29" in reason(marked("[He was] seen. Police say that [he] runs."), SEX_EN)


def test_a_pronoun_is_free_of_its_verb_where_no_value_is_plural(make_label: MakeLabel) -> None:
    forms = {"en": ({"male": "he", "female": "she"}, {"male": "his", "female": "her"})}
    label = make_label({"male": "A man.", "female": "A woman."}, forms=forms)
    case = marked("[He] was seen in [his] car.", "folder")
    assert texts(case, label)["female"] == "She was seen in her car."


CHINESE = {
    "经查，[他]将[她]的手机取走": ("他", "她", "TA"),
    "[男]，某公司职员": ("男", "女", "非二元性别"),
    "一名[女子]进入店内": ("男子", "女子", "非二元性别者"),
}


@pytest.mark.parametrize("text", CHINESE)
def test_chinese_forms_are_exchanged(text: str) -> None:
    found = texts(marked(text, language="zh"), SEX_ZH)
    pieces = text.replace("]", "[").split("[")
    for value, form in zip(found, CHINESE[text], strict=True):
        expected = "".join(form if i % 2 else piece for i, piece in enumerate(pieces))
        assert found[value] == expected


def test_a_marked_number_takes_the_numbers_of_a_numeric_label() -> None:
    (label,) = load_labels("judicial-us:defendant_age")
    found = texts(marked("The defendant, aged [34], left.", label.id), label)
    assert list(found.values()) == [f"The defendant, aged {n}, left." for n in (35, 50, 65)]
    assert "'thirty' at" in reason(marked("The defendant, [thirty], left.", label.id), label)


def test_a_case_with_spans_is_not_searched_for_the_patterns() -> None:
    case = marked("The defendant is male. Witnesses saw [him] there.")
    assert isinstance(versions_of(case, SEX_EN), list)
    unmarked = Case("c1", case.facts, "en")
    found = versions_of(unmarked, SEX_EN)
    assert isinstance(found, Skipped)
    assert found.kind == "stated"


def test_spans_of_one_label_leave_the_others_alone(make_label: MakeLabel) -> None:
    found = versions_of(marked("Witnesses saw [him]."), make_label())
    assert isinstance(found, list)
    assert found[0].text == "The folder is blue.\nWitnesses saw him."


words = st.sampled_from(["him", "himself", "their", "He was", "hers", "Mr.", "MAN"])
between = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="[]|"), max_size=9)


@given(pieces=st.lists(st.tuples(between, words), min_size=1, max_size=5), tail=between)
def test_between_the_spans_nothing_changes(pieces: list[tuple[str, str]], tail: str) -> None:
    gaps = [f"{gap} " for gap, _ in pieces]
    case = marked(
        "".join(f"{gap}[{word}]" for gap, (_, word) in zip(gaps, pieces, strict=True)) + tail
    )
    found = versions_of(case, SEX_EN)
    if isinstance(found, Skipped):
        # "his" is not among the words: only "their" could stand in several rows, and it does not.
        pytest.fail(found.reason)
    for variant in found:
        assert isinstance(variant, Variant)
        rest = variant.text
        for gap in gaps:
            assert gap in rest
            rest = rest.split(gap, 1)[1]
        assert variant.text.startswith(gaps[0])
        assert variant.text.endswith(tail)
        spans = case.spans["defendant_sex"]
        assert variant.text[: variant.edit_start] == case.facts[: spans[0].start]
        assert variant.text[variant.edit_end :] == case.facts[spans[-1].end :]
    male, female, non_binary = (variant.text for variant in found)
    assert len({male, female, non_binary}) == 3
    # Read again with the spans where they now are, each version gives back all three.
    again = marked_again(found[1], case)
    assert [variant.text for variant in versions_of(again, SEX_EN)] == [male, female, non_binary]  # type: ignore[union-attr]


FEMALE = {"him": "her", "himself": "herself", "their": "her", "He was": "She was", "hers": "hers",
          "Mr.": "Ms.", "MAN": "WOMAN"}  # fmt: skip


def marked_again(variant: Variant, case: Case) -> Case:
    """The female version as a case of its own, its spans moved by the lengths of the forms."""
    shift, spans = 0, []
    for span in case.spans["defendant_sex"]:
        word = case.facts[span.start : span.end]
        start = span.start + shift
        shift += len(FEMALE[word]) - len(word)
        beside = {"him": "him", "their": "their"}.get(word, "")
        spans.append(Span(start, start + len(FEMALE[word]), beside))
    return Case("c1", variant.text, "en", spans={"defendant_sex": tuple(spans)})
