"""Files that unpack to more than they are: refused before they are unpacked.

In: an uploaded file. Out: nothing, or an error. The sizes are those that a zip or a Parquet file
states of itself; readers stop at them, so that a false statement gains nothing.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

from justeval_api.errors import InvalidError, TooLargeError
from justeval_api.settings import Limits

MOST_MEMBERS = 2_000
ZIP_MAGIC = b"PK\x03\x04"
PARQUET_MAGIC = b"PAR1"


def check_archive(path: Path, limits: Limits) -> None:
    """Raises TooLargeError for a file that unpacks to more than the service takes."""
    with path.open("rb") as file:
        magic = file.read(4)
    if magic == ZIP_MAGIC:
        _check_zip(path, limits)
    elif magic == PARQUET_MAGIC:
        _check_parquet(path, limits)


def _check_zip(path: Path, limits: Limits) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise InvalidError("the file is a damaged zip") from None
    unpacked = sum(member.file_size for member in members)
    packed = max(1, path.stat().st_size)
    if len(members) > MOST_MEMBERS:
        raise TooLargeError(f"more than {MOST_MEMBERS:,} files in a zip")
    if unpacked > limits.unpacked_bytes or unpacked > packed * limits.unpacked_ratio:
        raise TooLargeError(f"it unpacks to {unpacked:,} bytes from {packed:,}")


def _check_parquet(path: Path, limits: Limits) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        about = pq.read_metadata(path)
    except (pa.ArrowException, OSError):
        return  # no Parquet: the reader says so in its own words
    if about.num_rows > limits.rows:
        raise TooLargeError(f"more than {limits.rows:,} rows; split the file")
    unpacked = sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups))
    if unpacked > limits.unpacked_bytes:
        raise TooLargeError(f"it unpacks to {unpacked:,} bytes")
