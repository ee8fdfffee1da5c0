"""A GGUF file -> the name that it is served under, which says what is in the file.

In: an endpoint `local:PATH.gguf`. Out: the same endpoint, its name on the server ending in the
file's hash: replies of two files of one name are never taken for each other's, and a file that was
moved is still the same model.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from justeval.errors import UsageError
from justeval.models.records import Endpoint

MAGIC = b"GGUF"
HASH_DIGITS = 12


def served_by_file(endpoint: Endpoint) -> Endpoint:
    """The endpoint as its file's server serves it: NAME@HASH. Raises UsageError for no GGUF."""
    assert endpoint.file is not None
    path = Path(endpoint.file)
    try:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise UsageError(f"--model local:{path}: no GGUF file; name a model in that format")
            file.seek(0)
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise UsageError(f"--model local:{path}: cannot be read ({error.strerror})") from None
    return replace(endpoint, served_name=f"{path.stem}@{sha256[:HASH_DIGITS]}")
