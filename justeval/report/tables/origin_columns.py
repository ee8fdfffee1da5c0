"""The columns of findings, of what was left out and why, of the run, and of the definitions.

In: nothing. Out: entries for `columns.COLUMNS`.
"""

from __future__ import annotations

from justeval.report.tables.refined import Entry

ORIGIN_COLUMNS: dict[str, Entry] = {
    "finding": ("Finding", "text", "", "what is wrong with the data"),
    "effect_of": ("Effect of", "text", "", "value whose effect is shown"),
    "findings.label": ("Label", "text", "", "id of the label in its pack"),
    "findings.value": ("Value", "text", "", "value of the label that the finding is about"),
    "findings.replies": ("Replies", "count", "rows", "replies concerned, one a row of the table"),
    "findings.documents": ("Documents", "count", "documents", "documents concerned"),
    "findings.coef": (
        "Effect", "coef", "log points", "effect on log(months + 1) with all replies",
    ),
    "findings.p": ("p", "small_p", "", "p of that effect"),
    "coef_without": (
        "Effect without", "coef", "log points", "the same without the flagged replies",
    ),
    "p_without": ("p without", "small_p", "", "p of the effect without the flagged replies"),
    "advice": ("What to do", "text", "", "what it is, how it moves the estimate, what to do"),
    "flagged.label": ("Label id", "text", "", "id of the label in its pack"),
    "flagged.coef": ("Effect", "coef", "log points", "effect on log(months + 1), all replies"),
    "flagged.p": ("p", "small_p", "", "p of that effect"),
    "flagged.documents": ("Documents", "count", "documents", "documents in the regression"),
    "documents_without": (
        "Documents without", "count", "documents", "documents without the flagged replies",
    ),
    "label_p_without": ("Label p without", "p", "", "label p without the flagged replies"),
    "reason": ("Reason", "text", "", "why"),
    "rows": ("Rows", "count", "rows", "predictions left out of the main sample"),
    "status": ("Status", "text", "", "what became of the reply"),
    "statuses.readable": ("Readable", "yes_no", "", "whether the status carries a number"),
    "statuses.replies": ("Replies", "count", "replies", "distinct replies with that status"),
    "kind": ("Kind", "text", "", "kind of reason for not asking"),
    "labels": ("Labels", "count", "labels", "labels concerned"),
    "pairs": ("Pairs", "count", "pairs", "pairs of a case and a label that were not asked"),
    "example": ("Example", "text", "", "the reason as one of these pairs states it"),
    "run_id": ("Run", "text", "", "id of the run"),
    "created_at": ("Created", "text", "", "when the run was planned, UTC"),
    "case_set": ("Case set", "text", "", "case set that was asked about"),
    "runs.documents": ("Documents", "count", "documents", "documents that the run asks about"),
    "runs.labels": ("Labels", "count", "labels", "labels of the run, placebo labels among them"),
    "runs.models": ("Models", "text", "", "models asked"),
    "temperature": ("Temperature", "level", "", "sampling temperature"),
    "max_tokens": ("Max tokens", "count", "tokens", "longest reply asked for"),
    "seed": ("Seed", "level", "", "seed sent to the provider"),
    "order_seed": ("Order seed", "level", "", "seed of the order of asking"),
    "repetitions": ("Repetitions", "count", "", "times that each text was asked"),
    "prompt": ("Prompt", "text", "", "prompt by its id"),
    "prompt_sha256": ("Prompt hash", "text", "", "SHA-256 of the prompt"),
    "requests": ("Requests", "count", "requests", "requests of the run"),
    "answered": ("Answered", "count", "requests", "requests that have an answer"),
    "complete": ("Complete", "yes_no", "", "whether every request has an answer"),
    "justeval": ("justeval", "text", "", "version that analyzed"),
    "engine": ("Engine", "text", "", "engine of the regressions"),
    "as_published": ("As published", "yes_no", "", "whether read as the JustEva paper did"),
    "longest_months": ("Longest", "level", "months", "longest term in the main sample"),
    "number": ("No.", "count", "", "order of the statements"),
    "subject": ("About", "text", "", "model that the statement is about, or all"),
    "statement": ("Statement", "text", "", "what may be claimed from this, and what not"),
    "table": ("Table", "text", "", "table"),
    "column": ("Column", "text", "", "column as files name it"),
    "column_title": ("Title", "text", "", "column as the page names it"),
    "unit": ("Unit", "text", "", "unit of its numbers"),
    "definition": ("Definition", "text", "", "what it holds"),
}  # fmt: skip
