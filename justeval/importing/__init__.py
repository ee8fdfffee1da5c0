"""Replies and predictions made elsewhere: the published files, exchanged prompts, own tables.

In: other people's files. Out: a run's folder, or predictions to analyze.
"""

from __future__ import annotations

from justeval.importing.exchange import export_prompts, import_replies
from justeval.importing.judifair import import_judifair
from justeval.importing.table import TableOptions, read_table

__all__ = ["TableOptions", "export_prompts", "import_judifair", "import_replies", "read_table"]
