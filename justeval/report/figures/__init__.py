"""Figures as inline SVG: coefficient plots with 95 % intervals, inconsistency bars.

    curve         one effect in every specification
    svg           elements, scales, text that fits
    coefficients  effects of values with their intervals     bars  inconsistency a label

In: tables of the report. Out: panels, one an actor, with a title and a description for readers who
cannot see them. Colors come from the page; shapes carry the meaning without them.
"""

from __future__ import annotations

from justeval.report.figures.bars import inconsistency_panels
from justeval.report.figures.coefficients import coefficient_panels
from justeval.report.figures.curve import curve_panels
from justeval.report.figures.svg import Panel

__all__ = ["Panel", "coefficient_panels", "curve_panels", "inconsistency_panels"]
