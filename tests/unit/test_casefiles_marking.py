"""Spans are proposed word by word, a person accepts, facts stay; and a pack to start from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from justeval.casefiles.marking import propose_spans, read_accepted
from justeval.casefiles.new_pack import new_pack
from justeval.cases import Case, Span
from justeval.errors import CaseFileError, UsageError
from justeval.labels import load_labels, read_pack

SEX_EN = load_labels("judicial-us:defendant_sex")
SEX_ZH = load_labels("judicial-cn:defendant_sex")


def proposed(facts: str, language: str = "en") -> list[str]:
    labels = SEX_ZH if language == "zh" else SEX_EN
    case = Case("c1", facts, language)
    found = list(propose_spans([case], labels))
    assert all(case.facts[p.start : p.end] == p.word for p in found)
    return [p.word for p in found]


WORDS = {
    ("He met him. The jacket was his.", "en"): ["He", "him", "his"],
    ("Then he was seen; the theory of his heist held.", "en"): ["he was", "his"],
    ("Mr. Doe, a man, hurt himself.", "en"): ["Mr.", "man", "himself"],
    ("The shepherd has other themes.", "en"): [],
    ("他伙同其他人，将他人财物交给她，吉他也在。", "zh"): ["他", "她"],
    ("被告人王先生到案。", "zh"): ["先生"],
}


@pytest.mark.parametrize(("facts", "language"), WORDS)
def test_words_of_the_forms_are_proposed_and_their_likes_are_not(facts: str, language: str) -> None:
    assert proposed(facts, language) == WORDS[facts, language]


def test_a_proposal_shows_its_context_and_the_rows_it_may_stand_in() -> None:
    case = Case("c1", "The police saw her there.", "en")
    (proposal,) = propose_spans([case], SEX_EN)
    assert proposal.as_json() == {
        "case_id": "c1",
        "label": "defendant_sex",
        "start": 15,
        "end": 18,
        "word": "her",
        "context": "The police saw [[her]] there.",
        "rows": ["him/her/them", "his/her/their"],
        "accept": None,
        "beside": None,
    }


def test_what_is_marked_already_is_not_proposed_again() -> None:
    case = Case("c1", "He left.", "en", spans={"defendant_sex": (Span(0, 2),)})
    assert list(propose_spans([case], SEX_EN)) == []


LINE = {"case_id": "c1", "label": "defendant_sex", "start": 0, "end": 2, "word": "He"}


def accepted(tmp_path: Path, *lines: dict[str, Any] | str) -> Any:
    path = tmp_path / "marks.jsonl"
    texts = [x if isinstance(x, str) else json.dumps({**LINE, "accept": True, **x}) for x in lines]
    path.write_text("\n".join(texts) + "\n")
    return read_accepted(path, [Case("c1", "He left. The coat was his.", "en")])


def test_accepted_lines_become_spans(tmp_path: Path) -> None:
    found = accepted(
        tmp_path,
        {},
        {"start": 22, "end": 25, "word": "his", "beside": "theirs", "rows": ["a", "b"]},
        {"accept": False},
        {"accept": None},
        "",
    )
    assert found.spans == {"c1": {"defendant_sex": [[0, 2], [22, 25, "theirs"]]}}
    assert (found.accepted, found.refused, found.open) == (2, 1, 1)


FAULTS = {
    "{": "no valid JSON",
    "[]": "needs case_id, label",
    '{"case_id": "c1"}': "needs case_id, label, start, end, word, accept",
    json.dumps({**LINE, "case_id": "c9", "accept": True}): "case 'c9' is not in the file",
    json.dumps({**LINE, "start": 1, "accept": True}): "'He' does not stand at 1",
    json.dumps({**LINE, "accept": "yes"}): "accept is 'yes'; say true, false or null",
    json.dumps({**LINE, "accept": True, "rows": ["a", "b"]}): "stands in several rows (a, b)",
}


@pytest.mark.parametrize("line", FAULTS)
def test_a_damaged_line_is_named(line: str, tmp_path: Path) -> None:
    with pytest.raises(CaseFileError) as caught:
        accepted(tmp_path, {}, line)
    assert "marks.jsonl line 2: " in str(caught.value)
    assert FAULTS[line] in str(caught.value)


@pytest.mark.parametrize("languages", [["en"], ["zh"], ["en", "zh"], ["fr", "en"]])
def test_a_new_pack_is_sound_as_it_stands(languages: list[str], write: Callable[..., Path]) -> None:
    pack = read_pack(write(new_pack("my-labels", languages)))
    assert pack.languages == tuple(languages)
    assert [label.kind for label in pack.labels] == ["categorical", "numeric"]
    assert all(label.patterns for label in pack.labels[:1])


@pytest.mark.parametrize(
    ("name", "languages"), [("My labels", ["en"]), ("x", []), ("x", ["en"] * 2)]
)
def test_a_pack_that_cannot_be_is_refused(name: str, languages: list[str]) -> None:
    with pytest.raises(UsageError, match="--"):
        new_pack(name, languages)
