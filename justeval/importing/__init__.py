"""Replies and predictions made elsewhere: the published files, exchanged prompts, own tables.

In: other people's files. Out: a run's folder, or predictions to analyze.
"""

from __future__ import annotations

from justeval.importing.biasbench import import_biasbench
from justeval.importing.exchange import export_prompts, import_replies
from justeval.importing.judifair import import_judifair
from justeval.importing.table import TableOptions, read_table
from justeval.importing.table_run import import_table
from justeval.importing.versions import import_versions

__all__ = [
    "TableOptions",
    "export_prompts",
    "import_biasbench",
    "import_judifair",
    "import_replies",
    "import_table",
    "import_versions",
    "read_table",
]
