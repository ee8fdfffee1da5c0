"""Each mistake in a pack is named with file, line and field, all of a file at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from justeval.errors import LabelPackError
from justeval.labels import read_pack

Write = Callable[..., Path]


def problems_of(path: Path) -> list[str]:
    with pytest.raises(LabelPackError) as caught:
        read_pack(path)
    return [str(problem).removeprefix(f"{path} ") for problem in caught.value.problems]


# What is replaced in the sound pack, by what, and how the mistake is named.
MISTAKES = {
    "unknown field": (
        "    actor: file\n", "    actor: file\n    color: blue\n",
        "line 9, field labels[0].color: unknown field; known are actor, ",
    ),
    "unknown field of the pack": (
        "languages: [en]", "languages: [en]\nlicence: none",
        "line 3, field licence: unknown field; known are charge_groups, ",
    ),
    "unknown field of a value": (
        "sentence: {en: The folder is red.}", "sentence: {en: Red.}\n        colour: red",
        "line 20, field labels[0].values[1].colour: unknown field; known are id, name, sentence",
    ),
    "missing sentence": (
        "      - id: red\n        sentence: {en: The folder is red.}\n", "      - id: red\n",
        "line 18, field labels[0].values[1].sentence: must be a mapping with one text for each of ",
    ),
    "sentence in another language": (
        "{en: The folder is red.}", "{zh: 红}",
        "line 19, field labels[0].values[1].sentence: no text in en; the pack names that language",
    ),
    "missing actor": (
        "    actor: file\n", "",
        "line 6, field labels[0].actor: missing: actor must be text",
    ),
    "boolean label id": (
        "id: folder", "id: yes",
        "line 6, field labels[0].id: YAML reads this as true or false; put it in quotes",
    ),
    "boolean value id": (
        "id: red", "id: no",
        "line 18, field labels[0].values[1].id: YAML reads this as true or false; put it in quotes",
    ),
    "boolean reference": (
        "reference: blue", "reference: no",
        "line 14, field labels[0].reference: YAML reads this as true or false; put it in quotes",
    ),
    "number as id": (
        "id: red", "id: 12",
        "line 18, field labels[0].values[1].id: 12: use small letters, digits and _",
    ),
    "date as id": (
        "id: red", "id: 2024-02-31",
        "line 18, field labels[0].values[1].id: YAML cannot read '2024-02-31'",
    ),
    "one value": (
        "      - id: red\n        sentence: {en: The folder is red.}\n", "",
        "line 16, field labels[0].values: 1 value; a comparison needs at least 2. Add a value",
    ),
    "no values": (
        "    values:\n      - id: blue\n        sentence: {en: The folder is blue.}\n"
        "      - id: red\n        sentence: {en: The folder is red.}\n", "",
        "line 6, field labels[0].values: 0 values; a comparison needs at least 2. Add a value",
    ),
    "a value twice": (
        "id: red", "id: blue",
        "line 16, field labels[0].values: value id 'blue' stands twice; values must differ",
    ),
    "a sentence twice": (
        "The folder is red.", "The folder is blue.",
        "line 16, field labels[0].values: sentence in en 'The folder is blue.' stands twice",
    ),
    "duplicate label id": (
        "id: age", "id: folder",
        "line 20, field labels[1].id: label 'folder' stands twice; rename one",
    ),
    "wrong category": (
        "category: procedure", "category: process",
        "line 9, field labels[0].category: 'process': category is one of substance, procedure",
    ),
    "wrong kind": (
        "    kind: numeric", "    kind: number",
        "line 24, field labels[1].kind: 'number': kind is one of categorical, numeric",
    ),
    "wrong place": (
        "    actor: file", "    place: middle\n    actor: file",
        "line 8, field labels[0].place: 'middle': place is one of opening, closing",
    ),
    "demographic in words": (
        "demographic: false", "demographic: nope",
        "line 10, field labels[0].demographic: demographic must be true or false, not 'nope'",
    ),
    "bad regular expression": (
        "'\\bfolder\\b'", "'(folder'",
        "line 13, field labels[0].patterns.en[0]: '(folder' is no regular expression: missing ), ",
    ),
    "pattern that matches anything": (
        "'\\bfolder\\b'", "'(folder)?'",
        "line 13, field labels[0].patterns.en[0]: '(folder)?' matches the empty text",
    ),
    "patterns without a language": (
        "patterns:\n      en: ['\\bfolder\\b']", "patterns: ['\\bfolder\\b']",
        "line 12, field labels[0].patterns: must be a mapping from a language to a list of ",
    ),
    "unknown charge group": (
        "excluded_charges: [thefts]", "excluded_charges: [frauds]",
        "line 11, field labels[0].excluded_charges[0]: 'frauds' is no charge group; known: thefts",
    ),
    "charge group of bare words": (
        "thefts: [theft]", "thefts: [no]",
        "line 4, field charge_groups.thefts: must be a list of texts (quote words like ",
    ),
    "numeric without range": (
        "    range: [18, 75]\n", "",
        "line 20, field labels[1].range: a numeric label needs its range, two rising positive ",
    ),
    "falling range": (
        "range: [18, 75]", "range: [75, 18]",
        "line 25, field labels[1].range: a numeric label needs its range, two rising positive ",
    ),
    "number outside the range": (
        "asked: [25, 45]", "asked: [25, 90]",
        "line 26, field labels[1].asked[1]: 90 lies outside the range 18 to 75",
    ),
    "one number": (
        "asked: [25, 45]", "asked: [25]",
        "line 26, field labels[1].asked: must be a list of at least two numbers, e.g. [25, 45, 65]",
    ),
    "no slot for the number": (
        "is {value} years", "is N years",
        "line 27, field labels[1].sentence.en: must contain {value} exactly once",
    ),
    "values of a numeric label": (
        "    range: [18, 75]\n", "    range: [18, 75]\n    values: []\n",
        "line 26, field labels[1].values: belongs to a categorical label; this one is numeric",
    ),
    "range of a categorical label": (
        "    actor: file\n", "    actor: file\n    range: [18, 75]\n",
        "line 9, field labels[0].range: belongs to a numeric label; this one is categorical",
    ),
    "unknown reference": (
        "reference: blue", "reference: green",
        "line 14, field labels[0].reference: 'green' is none of the values blue, red",
    ),
    "no reference": (
        "    reference: blue\n", "",
        "line 6, field labels[0].reference: missing; it is one of the values blue, red",
    ),
    "forms that lack a value": (
        "    reference: blue\n", "    reference: blue\n    forms: {en: [{blue: it}]}\n",
        "line 15, field labels[0].forms.en[0]: needs one form for each of blue, red",
    ),
    "key twice": (
        "    actor: file\n", "    actor: file\n    actor: judge\n",
        "line 9: 'actor' stands twice; keep one of them",
    ),
    "key that is no text": (
        "    actor: file\n", "    actor: file\n    [a, b]: file\n",
        "line 9: a key must be text",
    ),
    "unknown tag": (
        "actor: file", "actor: !file x",
        "line 8, field labels[0].actor: YAML cannot read 'x'",
    ),
    "broken YAML": (
        "languages: [en]", "languages: [en",
        "line 3: not valid YAML: ",
    ),
    "tabs": (
        "    actor: file", "\tactor: file",
        "line 8: not valid YAML: ",
    ),
    "control character": (
        "actor: file", "actor: fi\x00le",
        "line 8: not valid YAML: ",
    ),
    "alias that holds itself": (
        "languages: [en]", "languages: &x [*x]",
        "line 2: not valid YAML: an alias holds itself",
    ),
    "no languages": (
        "languages: [en]\n", "",
        "line 1, field languages: name at least one language, e.g. [en]",
    ),
    "labels that are no list": (
        "labels:\n", "labels: none\nothers:\n",
        "line 5, field labels: a pack needs a list of at least one label",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_with_file_line_and_field(
    mistake: str, write: Write, own_pack: str
) -> None:
    old, new, message = MISTAKES[mistake]
    assert own_pack.count(old) >= 1, "the sound pack has changed"
    found = problems_of(write(own_pack.replace(old, new, 1)))
    assert any(problem.startswith(message) for problem in found), found
    assert all("\n" not in problem for problem in found)


WHOLE_FILES = {
    "empty": ("", ": the file is empty; a pack needs `pack:` and `labels:`"),
    "only a comment": ("# nothing\n", ": the file is empty; a pack needs `pack:` and `labels:`"),
    "a list": ("- a\n", "line 1: a pack is a mapping with `pack:`, `languages:` and `labels:`"),
    "two documents": ("pack: a\n---\npack: b\n", "line 2: not valid YAML: "),
    "not UTF-8": (
        "pack: a\ntitle: 被告人\n".encode("gbk"),
        "line 2: not UTF-8 text at byte 15; save it as UTF-8",
    ),
}


@pytest.mark.parametrize("kind", WHOLE_FILES)
def test_a_file_that_is_no_pack_is_named(kind: str, write: Write) -> None:
    text, message = WHOLE_FILES[kind]
    path = write(text)
    found = [problem.removeprefix(str(path)) for problem in problems_of(path)]
    assert found[0].startswith(message), found


def test_all_mistakes_of_a_file_are_named_at_once(write: Write, own_pack: str) -> None:
    text = own_pack
    for old, new in [("id: red", "id: no"), ("category: procedure", "category: x")]:
        text = text.replace(old, new, 1)
    text = text.replace("    range: [18, 75]\n", "")
    path = write(text)
    found = problems_of(path)
    assert [re.match(r"line \d+, field ([\w.\[\]]+)", problem)[1] for problem in found] == [  # type: ignore[index]
        "labels[0].values[1].id", "labels[0].category", "labels[1].range",
    ]  # fmt: skip
    with pytest.raises(LabelPackError) as caught:
        read_pack(path)
    assert str(caught.value).startswith(f"{path} line 18, field labels[0].values[1].id: ")
    assert str(caught.value).endswith("(and 2 more)")
