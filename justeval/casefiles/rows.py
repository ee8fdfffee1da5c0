"""A file of any format -> rows of named cells with their places, for tables of predictions.

In: a path. Out: the rows in order, and in their places those that are broken.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from justeval.casefiles.opening import ReadOptions, open_source, read_batches
from justeval.casefiles.records import Problems
from justeval.cases.rows import Row


def file_rows(path: Path, options: ReadOptions | None = None) -> Iterator[Row]:
    """The rows of a file, every cell as text or None.

    Raises CaseFileError where the file as a whole cannot be read.
    """
    source = open_source(path, options, whole=True)
    columns = source.info.columns
    problems = Problems(shown=1_000_000)
    told = 0
    for batch in read_batches(source, columns, problems):
        for problem in problems.found[told:]:
            yield Row(problem.place, {}, problem.message)
        told = len(problems.found)
        lists = [batch.column(i) for i in range(len(columns))]
        for number, *cells in zip(batch.numbers, *lists, strict=True):
            yield Row(source.place(number), dict(zip(columns, cells, strict=True)))
    for problem in problems.found[told:]:
        yield Row(problem.place, {}, problem.message)
