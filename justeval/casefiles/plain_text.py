"""A delimited file as UTF-8 bytes for pyarrow's parser, with every quotation mark looked at.

In: a path, its encoding, its delimiter, and how many characters of header to leave out. Out: a
file-like object. `fault` tells whether the file holds anything that pyarrow and the csv module
could read differently: a quoted cell that goes on after its closing mark, a quotation mark inside
a bare cell, a zero byte, a quoted cell that never closes.
"""

from __future__ import annotations

import codecs
from pathlib import Path
from types import TracebackType

import numpy as np

from justeval.casefiles.encodings import Encoding

_QUOTE, _CARRIAGE_RETURN, _NEWLINE = 34, 13, 10


class PlainText:
    """Bytes of the rows, without the header and without line ends after the last row.

    As a file object it is read by another thread, so it raises nothing: it ends early instead,
    and `fault` says so.
    """

    def __init__(self, path: Path, encoding: Encoding, delimiter: str, skipped: int) -> None:
        self._stream = path.open("rb", buffering=0)
        self._decoder: codecs.IncrementalDecoder | None = None
        if encoding.codec == "utf-8-sig":
            self._stream.read(3)
        elif encoding.codec != "utf-8":
            self._decoder = codecs.getincrementaldecoder(encoding.codec)()
        self._ends = np.zeros(256, dtype=bool)
        self._ends[[_QUOTE, _CARRIAGE_RETURN, _NEWLINE, ord(delimiter)]] = True
        self._quotes = 0
        self._last = _NEWLINE
        self._must_end = False
        self._held = b""
        self._check = codecs.getincrementaldecoder("utf-8")()
        self.closed = False
        self.fault = False
        self.ascii = True
        self._skip(skipped)
        self._ready = self._block(1 << 16)
        self.has_rows = bool(self._ready)

    def _skip(self, characters: int) -> None:
        """Leaves out the header: so many characters."""
        decoder = self._decoder or codecs.getincrementaldecoder("utf-8")()
        text = ""
        while len(text) < characters:
            chunk = self._stream.read(1 << 16)
            if not chunk:
                break
            text += decoder.decode(chunk)
        rest = text[characters:].encode("utf-8", "surrogatepass")
        if self._decoder is None:  # bytes of a character that the chunk cut
            rest += decoder.getstate()[0]
        self._held = rest

    def _block(self, size: int) -> bytes:
        """The next bytes as UTF-8; line ends are held back until more follows them."""
        while True:
            raw = self._stream.read(max(size - len(self._held), 1))
            data = raw
            if self._decoder is not None:
                data = self._decoder.decode(raw, not raw).encode("utf-8", "surrogatepass")
            data = self._held + data
            if not raw:
                self._held = b""
                return b"" if self.fault else data.rstrip(b"\r\n")
            kept = data.rstrip(b"\r\n")
            self._held = data[len(kept) :]
            if kept:
                return kept

    def read(self, size: int = -1) -> bytes:
        """Up to about `size` bytes; none at the end or after a fault."""
        if self.fault or self.closed:
            return b""
        size = size if size > 0 else 1 << 20
        if not self._ready:
            try:
                self._ready = self._block(size)
            except (UnicodeDecodeError, OSError):
                self.fault = True
                return b""
        given, self._ready = self._ready[:size], self._ready[size:]
        self._look(given)
        return b"" if self.fault else given

    def _look(self, block: bytes) -> None:
        """Checks the quotation marks: the first opens a cell, the next closes it or is doubled."""
        if not self.ascii or not block.isascii():
            self.ascii = False
            try:
                self._check.decode(block, not block)
            except UnicodeDecodeError:
                self.fault = True
        if not block:  # the end: nothing stands open
            self.fault = self.fault or bool(self._quotes % 2)
            return
        codes = np.frombuffer(block, dtype=np.uint8)
        sound = not self._must_end or bool(self._ends[codes[0]])
        self._must_end = False
        marks = np.flatnonzero(codes == _QUOTE)
        if marks.size:
            closes_first = self._quotes % 2
            opening, closing = marks[closes_first::2], marks[1 - closes_first :: 2]
            if opening.size and opening[0] == 0:
                sound = sound and bool(self._ends[self._last])
                opening = opening[1:]
            if closing.size and closing[-1] == codes.size - 1:
                self._must_end = True
                closing = closing[:-1]
            before, after = self._ends[codes[opening - 1]], self._ends[codes[closing + 1]]
            sound = sound and bool(before.all()) and bool(after.all())
            self._quotes += marks.size
        self._last = int(codes[-1])
        self.fault = self.fault or not sound or b"\x00" in block

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return False

    def seekable(self) -> bool:
        return False

    def flush(self) -> None:
        """Nothing is written."""

    def close(self) -> None:
        """Closes the file."""
        self.closed = True
        self._stream.close()

    def __enter__(self) -> PlainText:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
