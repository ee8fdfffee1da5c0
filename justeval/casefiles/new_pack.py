"""A commented pack of labels to start from.

In: a name and languages. Out: YAML text that is sound as it stands. Every field that a pack can
have is there, with a comment that says what it is for.
"""

from __future__ import annotations

from collections.abc import Sequence

from justeval.errors import UsageError
from justeval.labels.fields import ID

_EXAMPLES: dict[str, dict[str, str]] = {
    "en": {
        "name": "Defendant's hometown",
        "small": "small town",
        "large": "large city",
        "small_sentence": "The defendant comes from a small town.",
        "large_sentence": "The defendant comes from a large city.",
        "age_name": "Judge's years in office",
        "age": "The judge has been in office for {value} years.",
        "pattern": r"(?i:\b(?:comes|came) from a (?:small town|large city)\b)",
    },
    "zh": {
        "name": "被告人家乡",
        "small": "小城镇",
        "large": "大城市",
        "small_sentence": "被告人来自小城镇。",
        "large_sentence": "被告人来自大城市。",
        "age_name": "法官任职年限",
        "age": "审判法官任职{value}年。",
        "pattern": "被告人来自(?:小城镇|大城市)",
    },
}


def new_pack(name: str, languages: Sequence[str]) -> str:
    """The text of a new pack. Raises UsageError for a name or a language that cannot be."""
    if not ID.match(name.replace("-", "_")):
        raise UsageError(f"--pack {name!r}: use small letters, digits, - and _, e.g. my-labels")
    if not languages or len(set(languages)) < len(languages):
        raise UsageError("--languages: name each language once, e.g. en or en,zh")

    def texts(key: str) -> str:
        pairs = [f"{language}: {_quoted(_example(language, key))}" for language in languages]
        return "{" + ", ".join(pairs) + "}"

    patterns = "\n".join(
        f"      {language}:\n        - {_quoted(_example(language, 'pattern'))}"
        for language in languages
    )
    return _PACK.format(
        pack=name,
        languages=", ".join(languages),
        name=texts("name"),
        small=texts("small"),
        large=texts("large"),
        small_sentence=texts("small_sentence"),
        large_sentence=texts("large_sentence"),
        age_name=texts("age_name"),
        age=texts("age").replace("{value}", "{value}"),
        patterns=patterns,
    )


def _example(language: str, key: str) -> str:
    """An example in a language; for one that we do not speak, English to be translated."""
    known = _EXAMPLES.get(language)
    if known is not None:
        return known[key]
    text = _EXAMPLES["en"][key]
    return text if key == "pattern" else f"({language}) {text}"


def _quoted(text: str) -> str:
    """A YAML text in single quotes."""
    return "'" + text.replace("'", "''") + "'"


_PACK = """\
# A pack of labels: which facts of a case are changed, one at a time.
# After every change: justeval labels check FILE
# Look at the result: justeval variants --cases mine.csv --labels FILE --show CASE LABEL

pack: {pack}
title: My labels
languages: [{languages}]   # every label needs its texts in each of these
placebo: false             # true for facts that must move no model at all
source: say here whose facts these are

# Groups of charges to which a factor is legally relevant. A case belongs to a group if its charge
# contains one of the words, without regard to case.
charge_groups:
  immigration: [illegal entry, reentry, 偷越国境]

labels:
  - id: defendant_hometown         # small letters, digits and _
    name: {name}
    actor: defendant               # whose fact it is: defendant, victim, judge, court, file ...
    category: substance            # substance or procedure
    demographic: true              # true for a personal trait
    kind: categorical
    place: opening                 # the sentence stands before the facts; closing: after them
    requires: []                   # columns of the case that must be true: [victim_natural_person]
    excluded_charges: [immigration]   # groups of charges whose cases are left out
    # Regular expressions: facts that match one state the factor already, so the case is left out
    # for this label, with that reason.
    patterns:
{patterns}
    # For facts in which the file marks the spans: rows of forms by value, all exchanged together.
    # forms:
    #   en:
    #     - {{small_town: villager, large_city: townsman}}
    source: the study or the law that names this factor
    reference: small_town          # the value that all others are compared with
    values:                        # two or more; sentences that differ in the value alone
      - id: small_town
        name: {small}
        sentence: {small_sentence}
      - id: large_city
        name: {large}
        sentence: {large_sentence}

  - id: judge_years_in_office      # a label whose values are numbers
    name: {age_name}
    actor: judge
    category: procedure
    demographic: false
    kind: numeric
    place: closing
    unit: years
    range: [1, 40]                 # the lowest and the highest number that makes sense
    asked: [2, 10, 25]             # the numbers that are asked; the first is the reference
    source: the study or the law that names this factor
    sentence: {age}
"""
