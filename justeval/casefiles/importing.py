"""A stranger's file -> a checked file of cases, whole or not at all.

In: a path, what the user says of it, where the cases go. Out: the file of cases and what was
found. Rows stream through; every problem of the file is told at once, and then nothing is written.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from collections.abc import Mapping as MappingOf
from dataclasses import dataclass, field, replace
from pathlib import Path

from justeval.casefiles.converting import Converter
from justeval.casefiles.gathering import Gathering
from justeval.casefiles.map_files import read_map_file
from justeval.casefiles.mapping import Mapping, mapping_of_pairs
from justeval.casefiles.opening import ReadOptions, open_source
from justeval.casefiles.profiles import fitting_profiles, load_profile, mapping_beside
from justeval.casefiles.proposing import propose
from justeval.casefiles.records import (
    NotPlainError,
    OtherBeginningError,
    Problems,
    Source,
    SourceInfo,
)
from justeval.casefiles.resolving import Resolved, resolve
from justeval.casefiles.templates import check_template
from justeval.casefiles.writing import OUT_FORMATS, CaseWriter, Ids
from justeval.errors import CaseFileError, Problem, UsageError

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What a user says of a file and of its columns.

    `pairs` are ours = theirs, `unit` and `codes` are about the term, `keep` are own columns to
    keep, `rows` says which row counts where several belong to a case. `template` is the text of
    one that writes facts. They go before what a profile or a file beside says.
    """

    read: ReadOptions = field(default_factory=ReadOptions)
    profile: str = ""
    pairs: MappingOf[str, str] = field(default_factory=dict)
    unit: str = ""
    codes: MappingOf[str, str] = field(default_factory=dict)
    keep: tuple[str, ...] | None = None
    rows: str = ""
    template: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    """A file with the mapping that will be used, and where that comes from. `problems` are those
    of its names of columns; with any, its rows can be checked but are no cases."""

    source: Source
    resolved: Resolved
    mapped_by: str
    advice: tuple[str, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import came to. `joined` are rows that belong to a case of another row, `left_out`
    those that `where` leaves out."""

    info: SourceInfo
    resolved: Resolved
    mapped_by: str
    out: Path
    cases: int
    with_term: int
    languages: MappingOf[str, int]
    kinds: MappingOf[str, int]
    left_out: int
    joined: int


def open_with_mapping(path: Path, options: ImportOptions, whole: bool = False) -> Opened:
    """Opens a file and finds its mapping: from options, a profile, a file beside, or names.

    Raises UsageError or CaseFileError where a column is missing or a name unknown.
    """
    opened = _open(path, options, whole)
    if opened.problems:
        raise CaseFileError(opened.problems)
    return opened


def _open(path: Path, options: ImportOptions, whole: bool) -> Opened:
    """A file and its mapping, with what is wrong with the names of its columns."""
    source = open_source(path, options.read, whole)
    proposal = propose(source, fitting_profiles(source.info))
    beside = mapping_beside(path)
    if options.profile:
        mapping, by = load_profile(options.profile), f"profile {options.profile}"
    elif beside is not None:
        mapping, by = read_map_file(beside), beside.name
    else:
        mapping, by = Mapping(proposal.rules), "the names of the columns"
    if options.pairs or options.unit or options.codes:
        told = mapping_of_pairs(options.pairs, options.unit, options.codes)
        taken = {name for rule in told.values() for name in rule.columns}
        others = {
            ours: rule
            for ours, rule in mapping.rules.items()
            if options.profile or beside or not taken.intersection(rule.columns)
        }
        mapping, by = replace(mapping, rules=others).with_rules(told), f"--map and {by}"
    if options.template:
        check_template(options.template)
        rules = {name: rule for name, rule in mapping.rules.items() if name != "facts"}
        mapping = replace(mapping, template=options.template, rules=rules)
    if options.keep is not None:
        mapping = replace(mapping, keep=options.keep)
    if options.rows:
        mapping = replace(mapping, rows=replace(mapping.rows, keep=options.rows))
    resolved = resolve(mapping, source.info)
    problems = [*source.faults, *resolved.missing]
    if resolved.missing:
        advice = [] if options.profile else [*proposal.advice]
        advice += [f"another sheet, --sheet {name!r}" for name in source.info.sheets[:6]]
        problems += [Problem(str(path), f"perhaps {', or '.join(advice)}")] if advice else []
    return Opened(source, resolved, by, proposal.advice, tuple(problems))


def import_cases(
    path: Path, out: Path, options: ImportOptions | None = None, progress: Progress | None = None
) -> Imported:
    """Reads a file into a file of cases.

    Raises CaseFileError with every problem of the file; nothing is written then.
    """
    told = options or ImportOptions()
    _check_out(path, out)
    try:
        return _both_ways(_open(path, told, False), out, progress)
    except OtherBeginningError as error:
        if told.read.encoding and isinstance(error.__cause__, UnicodeDecodeError):
            message = f"{path}: not {told.read.encoding} text throughout; name another encoding"
            raise CaseFileError(message) from error
    try:
        return _both_ways(_open(path, told, True), out, progress)
    except OtherBeginningError as error:
        raise CaseFileError(f"{path}: changed while it was read") from error


def _both_ways(opened: Opened, out: Path, progress: Progress | None) -> Imported:
    """The fast way; the careful way where the file is not plain."""
    try:
        return _attempt(opened, out, True, progress)
    except NotPlainError:
        return _attempt(opened, out, False, progress)


def _check_out(path: Path, out: Path) -> None:
    if out.suffix.lower() not in OUT_FORMATS:
        raise UsageError(f"--out {out}: use {' or '.join(OUT_FORMATS)}")
    if not out.parent.is_dir():
        raise UsageError(f"--out {out}: the folder {out.parent} does not exist")
    if out.exists() and path.exists() and out.samefile(path):
        raise UsageError(f"--out {out}: is the file itself; choose another name")


def _attempt(opened: Opened, out: Path, fast: bool, progress: Progress | None) -> Imported:
    source, resolved = opened.source, opened.resolved
    problems = Problems()
    for problem in opened.problems:
        problems.add(problem.place, problem.message)
    converter = Converter(source, resolved, problems)
    case_id = resolved.rules.get("case_id")
    id_column = (case_id and case_id.column) or "case_id"
    gathering = Gathering(converter.schema, resolved.mapping.rows.keep)
    ids = Ids(source, id_column)
    count = 0
    with CaseWriter(out, converter.schema, _told_of(opened)) as writer:
        for batch in source.batches(resolved.read, problems, fast):
            cases = converter.cases(batch)
            count += cases.cells.num_rows
            if gathering.wanted:
                gathering.add(cases.cells)
            else:
                ids.add(cases)
            if not problems.count and not gathering.wanted:
                writer.write(cases.cells)
            if progress is not None:
                progress(count)
        ids.check(problems)
        if not count and not problems.count:
            problems.add(str(source.info.path), "no cases in it; one row is one case")
        problems.raise_if_any(source.info.path)
        for cells in gathering.kept():
            writer.write(cells)
        writer.commit()
    return Imported(
        info=source.info,
        resolved=resolved,
        mapped_by=opened.mapped_by,
        out=out,
        cases=writer.rows,
        with_term=writer.with_term,
        languages=dict(writer.languages),
        kinds=dict(writer.kinds),
        left_out=converter.left_out,
        joined=count - writer.rows,
    )


def _told_of(opened: Opened) -> dict[str, str]:
    """What is written into a Parquet file about where it comes from."""
    return {
        "justeval.source": opened.source.info.path.name,
        "justeval.read_as": opened.source.info.described().split(": ", 1)[-1],
        "justeval.mapping": json.dumps(dict(opened.resolved.shown()), ensure_ascii=False),
        "justeval.mapped_by": opened.mapped_by,
    }
