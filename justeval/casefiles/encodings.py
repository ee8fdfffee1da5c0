"""How a file's bytes are to be read as text: by its byte-order mark, else by trying.

In: bytes. Out: a codec's name and how sure that is. UTF-8 is tried first. What is not UTF-8 is
GB18030 where its high bytes stand in pairs that decode to everyday Chinese characters, the most
common ones among them, and Latin-1 (as Windows writes it) where they stand alone or in twos among
ASCII letters; anything else is not guessed: the user names it.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from justeval.errors import CaseFileError, UsageError

SAMPLE = 1 << 22
"""Bytes that are looked at first: 4 MiB, which hold a header of 27,000 columns."""
_CHUNK = 1 << 22
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8 with byte-order mark"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_NAMES = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 with byte-order mark",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16 (little endian)",
    "utf-16-be": "UTF-16 (big endian)",
    "gb18030": "GB18030",
    "cp1252": "Windows-1252",
    "latin-1": "Latin-1",
}
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_IN_WORDS = re.compile(
    rb"(?<=[A-Za-z])[\xc0-\xff]{1,2}(?![\x80-\xff])|(?<![\x80-\xff])[\xc0-\xff]{1,2}(?=[A-Za-z])"
)
"""Accented letters as Latin-1 has them: one or two beside an ASCII letter."""
_HANZI = re.compile("[\u4e00-\u9fff]")
_COMMON = frozenset(
    "的一是不了人在有他这中大来上个到说们为和地出时要就可以会对生下得子自年之后作里用道行所然家事成方多经么"
    "去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日月元被告处罚刑犯罪盗窃公安机关"
    "审查明某案抓获民警驾驶车交被害手价值币供述判决院区市县"
)
"""Of every text in simplified Chinese some 40 % are these characters; of Japanese, Korean and
traditional Chinese read as GB18030 below 5 %."""
_COMMON_SHARE = 0.12
_WINDOWS = re.compile(rb"[\x80-\x9f]")
"""Bytes that are letters and quotation marks to Windows, and none to Latin-1."""
_HIGH = re.compile(rb"[\x80-\xff]")
_LINE_END = re.compile(rb"[\r\n]")
_AROUND = 200
"""Bytes around one beyond ASCII that are looked at: a line, or so much of it."""
_WRITTEN = re.compile(
    "[\t\n\r\x20-\x7e\u00a0-\u00ff\u2010-\u2026\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]"
)
"""Characters of everyday English and Chinese texts."""
_EVERYDAY = re.compile(rb"(?:[\xb0-\xd7][\xa1-\xfe]|[\xa1\xa3][\xa1-\xfe])")
"""The 3,755 everyday characters of GB 2312 and its punctuation, full-width forms included."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """A codec, its name for people, and a note where it was guessed."""

    codec: str
    name: str
    note: str = ""

    @property
    def is_utf8(self) -> bool:
        """Whether the bytes are UTF-8, with or without a mark."""
        return self.codec in ("utf-8", "utf-8-sig")


def named_encoding(name: str, path: Path | None = None) -> Encoding:
    """The encoding that a user names; a byte-order mark of that encoding in the file is no text.

    Raises UsageError where there is no such encoding.
    """
    try:
        codec = codecs.lookup(name)
        "".encode(codec.name)
    except (LookupError, ValueError) as error:
        raise UsageError(
            f"--encoding {name}: unknown; for example utf-8, utf-16, gb18030, latin-1, big5"
        ) from error
    python_name = {"iso8859-1": "latin-1"}.get(codec.name, codec.name)
    marked = _marked(_head(path, 4)) if path is not None else None
    if marked is not None and marked.codec.removesuffix("-sig") in python_name:
        return marked
    return Encoding(python_name, _NAMES.get(python_name, name))


def _head(path: Path, size: int) -> bytes:
    with path.open("rb") as stream:
        return stream.read(size)


def _marked(head: bytes) -> Encoding | None:
    """The encoding that a byte-order mark states."""
    for mark, codec, name in _MARKS:
        if head.startswith(mark):
            return Encoding(codec, name)
    return None


def detect_encoding(path: Path, whole: bool = False) -> Encoding:
    """The encoding of a file, from its first 4 MiB; from all of it if `whole`.

    Raises CaseFileError where the bytes are no text, or text of an encoding that is not known.
    """
    with path.open("rb") as stream:
        head = stream.read(SAMPLE)
        rest = bool(stream.read(1))
    marked = _marked(head)
    if marked is not None:
        return marked
    unmarked = _utf16(head)
    if unmarked:
        return Encoding(unmarked, _NAMES[unmarked], "UTF-16 without a byte-order mark")
    if not whole and _decodes(head, "utf-8", final=not rest):
        return Encoding("utf-8", "UTF-8")
    return _by_its_bytes(path, whole)


def _utf16(head: bytes) -> str:
    """UTF-16 without a mark: zero bytes at every second place only, or everyday text by it."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd >= 4 and odd * 20 >= len(head) and odd > 20 * even:
        return "utf-16-le"
    if even >= 4 and even * 20 >= len(head) and even > 20 * odd:
        return "utf-16-be"
    if even + odd < 4 or _decodes(head, "utf-8", final=False):
        return ""
    for codec in ("utf-16-le", "utf-16-be"):
        text = head[: 1 << 16].decode(codec, "replace")
        if len(_WRITTEN.findall(text)) >= 0.98 * len(text):
            return codec
    return ""


def _decodes(data: bytes, codec: str, final: bool) -> bool:
    try:
        codecs.getincrementaldecoder(codec)().decode(data, final)
    except UnicodeDecodeError:
        return False
    return True


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            yield chunk


def _by_its_bytes(path: Path, whole: bool) -> Encoding:
    """Tries UTF-8, GB18030 and Latin-1; `whole` makes sure that all of the file can be read so."""
    valid, invalid, where = _utf8_characters(path)
    if not invalid:
        return Encoding("utf-8", "UTF-8")
    if valid > 3 * invalid:
        raise CaseFileError(
            f"{path}: UTF-8 text with {invalid:,} or more damaged characters, the first near byte "
            f"{where:,}; mend them, or name another encoding with --encoding"
        )
    lines = _lines_with_high_bytes(path)
    runs = _HIGH_RUN.findall(lines)
    paired = sum(len(run) for run in runs if len(run) > 1)
    total = sum(map(len, runs)) or 1
    everyday = 2 * sum(len(_EVERYDAY.findall(run)) for run in runs)
    accents = sum(map(len, _IN_WORDS.findall(lines))) >= 0.6 * total
    pairs = paired >= 0.6 * total and everyday >= 0.6 * paired
    if pairs and not accents and _reads_as_chinese(lines) and _reads_as(path, "gb18030", whole):
        return Encoding("gb18030", "GB18030", "GB18030 by its bytes; --encoding names another")
    if (accents or paired < 0.4 * total) and 0 not in lines:
        for codec in ("cp1252", "latin-1"):  # the first has all printable characters of the second
            if _reads_as(path, codec, whole):
                name = _NAMES["cp1252" if _WINDOWS.search(lines) else "latin-1"]
                note = f"{name} by its bytes; look at accents, --encoding names another"
                return Encoding(codec, name, note)
    raise CaseFileError(
        f"{path}: neither UTF-8 (byte {where:,} is none) nor, by its bytes, UTF-16, GB18030 or "
        "Latin-1 text; if it is text, name its encoding, e.g. --encoding big5"
    )


def _reads_as_chinese(lines: bytes) -> bool:
    """Whether text read as GB18030 has the characters that Chinese cannot do without."""
    signs = _HANZI.findall(lines.decode("gb18030", "replace"))
    common = sum(sign in _COMMON for sign in signs)
    return len(signs) < 8 or common >= _COMMON_SHARE * len(signs)


def _utf8_characters(path: Path) -> tuple[int, int, int]:
    """Characters beyond ASCII that are UTF-8, those that are not, and where the first stands.

    Counting ends some megabytes behind the first that is none.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    valid = position = 0
    for chunk in chain(_chunks(path), [b""]):
        held = decoder.getstate()[0]
        try:
            text = decoder.decode(chunk, not chunk)
        except UnicodeDecodeError as error:
            text = (held + chunk).decode("utf-8", "replace")
            invalid = text.count("\ufffd")
            valid += _beyond_ascii(text) - invalid
            return valid, invalid, position - len(held) + error.start
        valid += _beyond_ascii(text)
        position += len(chunk)
    return valid, 0, -1


def _beyond_ascii(text: str) -> int:
    return 0 if text.isascii() else len(text) - len(text.encode("ascii", "ignore"))


def _lines_with_high_bytes(path: Path) -> bytes:
    """Up to 4 MiB of what stands around bytes beyond ASCII: their lines, cut where those are long.

    A run of such bytes is never cut.
    """
    found: list[bytes] = []
    size = 0
    for chunk in _chunks(path):
        at = 0
        while (high := _HIGH.search(chunk, at)) and size < SAMPLE:
            ends = [end.end() for end in _LINE_END.finditer(chunk, at, high.start())]
            start = max(at, high.start() - _AROUND, *ends[-1:])
            end = _LINE_END.search(chunk, high.start())
            at = end.start() if end else len(chunk)
            found.append(chunk[start:at])
            size += at - start
    return b"\n".join(found)


def _reads_as(path: Path, codec: str, whole: bool) -> bool:
    """Whether the first bytes, or all, are text of an encoding."""
    decoder = codecs.getincrementaldecoder(codec)()
    try:
        for chunk in _chunks(path):
            decoder.decode(chunk)
            if not whole:
                return True
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        return False
    return True
