"""What of a reply is the answer: thinking is taken out, and what only wraps the answer is opened.

In: the raw text of a reply. Out: the text that counts as the answer, and whether thinking was
left open. Reasoning is never an answer, whatever numbers stand in it.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from itertools import islice

from justeval.replies.folding import WIDTH

_NAMES = (
    r"think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|inner_monologue"
    r"|seed:think|chain_of_thought|cot|reason|deliberation"
)
_TAG = re.compile(
    rf"<(?i:/?(?:{_NAMES}) ?>|\|(?:begin|end)_of_thought\|>)"
    r"|\[/?THINK\]|◁/?think▷"
)
_TAGS_AT_MOST = 200
_STEMS = (
    "think",
    "thought",
    "reason",
    "refl",
    "scratch",
    "analysis",
    "inner_",
    "seed:",
    "chain_",
    "cot",
    "delib",
)
_OPENINGS = (*(f"<{stem}" for stem in _STEMS), *(f"</{stem}" for stem in _STEMS), "_of_thought|>")
_OTHER_MARKS = ("think]", "think▷")
_FINAL_CHANNEL = re.compile(r"<\|channel\|>final(?:<\|[a-z]+\|>[^<]{0,20})?<\|message\|>")
_SPECIAL = re.compile(r"<\|[a-z_]{1,24}\|>")
_ESCAPED = re.compile(r"[{,\[]\s*(?:\\[nrt]\s*)*\\+[\"']|^\s*\\+\"")
_ESCAPE = re.compile(r"\\+([\"'/nrt])")
_BREAKS = {"n": "\n", "r": "\n", "t": " "}
_MARKUP = re.compile(r"<\s*/?\s*(?:td|tr|th|table|p|div|br|html|body|span|b|strong|li|ul)\b", re.I)
_CELL_END = re.compile(r"</t[dh]\s*>\s*<t[dh][^<>]{0,100}>", re.IGNORECASE)
_ROW_END = re.compile(r"</tr\s*>|</p\s*>|<br\s*/?>|</div\s*>|</li\s*>", re.IGNORECASE)
_HTML_TAG = re.compile(r"</?[a-zA-Z!][^<>]{0,200}>")
_WRAPPED = re.compile(
    r"<((?:final[ _]?)?answer|output|response|result)>((?:[^<]|<(?!/?\1>))*)</\1>\s*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Spoken:
    """The answer's text; `open`: thinking without its end; `thought`: there was thinking."""

    text: str
    open: bool = False
    thought: bool = False


def without_thinking(text: str) -> Spoken:
    """The text outside of thinking. A closing mark alone ends thinking that began unmarked."""
    channel = [match.end() for match in _FINAL_CHANNEL.finditer(text)]
    if channel:
        return Spoken(_SPECIAL.split(text[channel[-1] :])[0], thought=True)
    if "<|channel|>" in text:
        return Spoken("", open=True, thought=True)
    if text.startswith("analysis") and "assistantfinal" in text:
        return Spoken(text.rsplit("assistantfinal", 1)[1], thought=True)
    if not _may_think(text):
        return Spoken(text)
    kept: list[str] = []
    depth, start, thought = 0, 0, False
    for match in islice(_TAG.finditer(text), _TAGS_AT_MOST):
        thought = True
        ends = "/" in match.group() or "|end" in match.group()
        if not ends:
            if depth == 0:
                kept.append(text[start : match.start()])
            depth += 1
        elif depth == 0:
            kept = []
        depth = max(0, depth - 1) if ends else depth
        start = match.end()
    if depth == 0:
        kept.append(text[start:])
    return Spoken("\n".join(kept), open=depth > 0, thought=thought)


def unwrapped(text: str) -> str | None:
    """What stands in the one pair of tags that marks the answer at the end, None without it."""
    if "</" not in text:
        return None
    marked = list(islice(_WRAPPED.finditer(text), 2))
    if len(marked) != 1 or marked[0].end() != len(text):
        return None
    return marked[0][2]


def _may_think(text: str) -> bool:
    """A quick look for marks of thinking, before the slower search."""
    if "<" not in text and "[" not in text and "◁" not in text:
        return False
    lowered = text.lower()
    marks = (*_OPENINGS, *_OTHER_MARKS) if "<" in text else _OTHER_MARKS
    return any(mark in lowered for mark in marks)


def opened(text: str) -> str:
    """The text with its wrapping undone: escaped quotation marks, HTML, full-width forms."""
    if "\\" in text:
        for _ in range(2):
            if not _ESCAPED.search(text):
                break
            text = _ESCAPE.sub(lambda match: _BREAKS.get(match[1], match[1]), text)
    if "&" in text and ";" in text:
        text = html.unescape(text)
    if ("</" in text or "<br" in text) and _MARKUP.search(text):
        text = _ROW_END.sub("\n", _CELL_END.sub(" | ", text))
        text = _HTML_TAG.sub(" ", text)
    return text.translate(WIDTH)
