"""Exports: what they are called and what they are."""

from __future__ import annotations

ENDINGS = {
    "json": "json",
    "csv": "zip",
    "xlsx": "xlsx",
    "html": "html",
    "md": "md",
    "stata": "zip",
    "parquet": "parquet",
}

MEDIA_TYPES = {
    "json": "application/json",
    "csv": "application/zip",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "html": "text/html; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "stata": "application/zip",
    "parquet": "application/vnd.apache.parquet",
}
