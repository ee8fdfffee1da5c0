"""Reply text -> Prediction, or the reason why not.

In: the raw text of a reply, or its raw fields as a table holds them. Out: schema.Prediction. A
number is accepted only where the reply states one term without doubt; all words of a language
stand in `justeval/languages/`. The policy is in `docs/replies.md`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from justeval.replies.language import Language, load_language, parse_language, shipped_languages
from justeval.replies.reading import default_reader, reader_of
from justeval.schema import Prediction

__all__ = [
    "Language",
    "load_language",
    "parse_language",
    "read_fields",
    "read_reply",
    "shipped_languages",
]


def read_reply(
    reply: str | None,
    finish_reason: str | None = "stop",
    *,
    bounded: bool = True,
    languages: Sequence[Language] | None = None,
) -> Prediction:
    """What a reply states, or the reason why it states nothing. Never raises.

    `finish_reason` is the provider's word on why the reply ended: "length" is a cut reply, None
    is unknown. `bounded=False` turns off the bounds on a term (600 months, detention 12), for the
    as-published reading. `languages` replaces those that ship with justeval.
    """
    reader = default_reader() if languages is None else reader_of(tuple(languages))
    return reader.read(reply, finish_reason, bounded)


def read_fields(fields: Mapping[str, object], *, bounded: bool = True) -> Prediction:
    """What the raw fields of a reply state: guilty, penalty, months, probability, decision, charge.

    Values are text as the reply gave it ("是", "有期徒刑", "36"), numbers or None. A number as
    text counts as plain, since a table has no other; otherwise the rules are those of
    `read_reply`. A row whose fields are all blank is "empty". Never raises.
    """
    return default_reader().fields(fields, bounded)
