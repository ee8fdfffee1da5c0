"""What README and docs show is what the commands print.

In: README.md and docs/*.md. Blocks marked `console` hold lines `$ command` and what is printed
then; `...` on a line of its own stands for any lines. They run in order, each document in an empty
folder of its own, in which the files stand that the document shows (`csv file=mine.csv`). `console
exit=1` says with what code the last command ends. Blocks marked `pycon` run as doctests. Blocks
marked `sh` need a key or a network and are only parsed.

    python -m tests.contract.test_docs --write     puts the printed output in place
"""

from __future__ import annotations

import contextlib
import difflib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from justeval import demo
from justeval.cli import main
from justeval.cli.app import app
from justeval.models.records import Answer, Endpoint, Parameters
from justeval.models.simulated import SimulatedModel
from justeval.prompts import Messages

ROOT = Path(__file__).parents[2]
DOCUMENTS = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
OTHER_PROGRAMS = ("cat", "head", "ls")
PRIVATE = re.compile(r"(_API_KEY|_proxy|^SSL_CERT_.*|^REQUESTS_CA_BUNDLE)$", re.I)
ANY_LINES = "..."

MASKS = {
    "RUN": r"\b\d{8}T\d{6}-[0-9a-f]{8}\b",
    "TIME": r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?",
    "VERSION": r"\b\d+\.\d+(?:\.\d+)+\b|(?<=linearmodels )\d+\.\d+|(?<=\": \")\d+\.\d+(?=\")",
    "HASH": r"\b[0-9a-f]{24,64}\b",
    "MS": r"\b[\d,]+(?= ms\b)|(?<=\"latency_ms\":)[\d.]+",
    "DISK": r"\b[\d,]+(?= GB free)",
    "MACHINE": r"\b\d+ cores, \w+ \w+",
}
PROGRESS = re.compile(r"^\S.*: [\d,]+/[\d,]+, .*\d/s, .* left")
LONG_NUMBER = re.compile(r"-?\d+\.\d{7,}(?:e-?\d+)?|-?\d(?:\.\d+)?e-\d+")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, `key=value` words, text, and where the text stands."""

    language: str
    words: dict[str, str]
    body: str
    start: int


def blocks_of(text: str) -> list[Block]:
    """All fenced blocks of a document, in order."""
    fence = re.compile(r"^(`{3,})([^\n`]*)\n(.*?)^\1[ \t]*$", re.M | re.S)
    found = []
    for match in fence.finditer(text):
        language, *words = match[2].split() or [""]
        pairs = dict(word.split("=", 1) for word in words)
        found.append(Block(language, pairs, match[3], match.start(3)))
    return found


def steps_of(body: str) -> list[tuple[str, list[str]]]:
    """The commands of a console block, each with the lines shown after it."""
    steps: list[tuple[str, list[str]]] = []
    goes_on = False
    for line in body.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        elif goes_on:
            steps[-1] = (f"{steps[-1][0]}\n{line}", [])
        else:
            steps[-1][1].append(line)
        goes_on = line.endswith("\\") and not steps[-1][1]
    return steps


def masked(line: str) -> str:
    """A line in which what differs from run to run has a name, and long numbers are rounded."""
    for name, pattern in MASKS.items():
        line = re.sub(pattern, name, line)
    return LONG_NUMBER.sub(lambda number: f"{float(number[0]):.5g}", line)


def _places(shown: Sequence[str], printed: Sequence[str]) -> list[int] | None:
    """Where each piece between `...` lines begins in what was printed; None where one is not."""
    pieces = _pieces(shown)
    places, at = [], 0
    for number, piece in enumerate(pieces):
        first, last = number == 0, number == len(pieces) - 1
        low = at if first else max(at, len(printed) - len(piece)) if last else at
        high = at if first else len(printed) - len(piece)
        if last and first:
            high = low if len(printed) == len(piece) else -1
        found = (i for i in range(low, high + 1) if printed[i : i + len(piece)] == piece)
        place = next(found, None)
        if place is None:
            return None
        places.append(place)
        at = place + len(piece)
    return places


def _pieces(lines: Sequence[str]) -> list[list[str]]:
    pieces: list[list[str]] = [[]]
    for line in lines:
        if line == ANY_LINES:
            pieces.append([])
        else:
            pieces[-1].append(line)
    return pieces


def matches(shown: Sequence[str], printed: Sequence[str]) -> bool:
    """Whether the printed lines are those shown, apart from what is masked or left out."""
    return _places([masked(x) for x in shown], [masked(x) for x in printed]) is not None


def refreshed(shown: list[str], printed: list[str]) -> list[str]:
    """The lines to show now: as they were where they hold, else printed, cut at the same places."""
    if matches(shown, printed) or ANY_LINES not in shown:
        return shown if matches(shown, printed) else printed
    pieces = _pieces(shown)
    at, out = len(pieces[0]), list(printed[: len(pieces[0])])
    end = len(printed) - len(pieces[-1])
    for piece in pieces[1:-1]:
        likeness = difflib.SequenceMatcher(b="\n".join(piece))
        best, place = -1.0, at
        for i in range(at, max(at, end - len(piece)) + 1):
            likeness.set_seq1("\n".join(printed[i : i + len(piece)]))
            if likeness.ratio() > best:
                best, place = likeness.ratio(), i
        out += [ANY_LINES, *printed[place : place + len(piece)]]
        at = place + len(piece)
    return [*out, ANY_LINES, *printed[end:]] if pieces[-1] else [*out, ANY_LINES]


def run(command: str) -> tuple[int, list[str]]:
    """The exit code of a command and what a terminal would show of it, without progress."""
    program, *words = shlex.split(command.replace("\\\n", " "))
    if program == "justeval":
        screen = io.StringIO()
        with contextlib.redirect_stdout(screen), contextlib.redirect_stderr(screen):
            code = main(words)
        text = screen.getvalue()
    else:
        assert program in OTHER_PROGRAMS, f"{program}: use one of {', '.join(OTHER_PROGRAMS)}"
        done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
        code, text = done.returncode, done.stdout + done.stderr
    lines = [line.rstrip() for line in text.splitlines() if not PROGRESS.match(line)]
    while lines and not lines[-1]:
        lines.pop()
    return code, lines


def run_python(body: str) -> None:
    """Runs a doctest."""
    test = doctest.DocTestParser().get_doctest(body, {}, "pycon", None, 0)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert not said, "".join(said)


@contextlib.contextmanager
def empty_folder(blocks: Sequence[Block]) -> Iterator[Path]:
    """A working folder with the files of a document, away from keys and proxies."""
    kept = dict(os.environ)
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        for block in blocks:
            if "file" in block.words:
                path = Path(block.words["file"])
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.body, encoding="utf-8")
        for variable in kept:
            if PRIVATE.search(variable):
                del os.environ[variable]
        os.environ |= {"COLUMNS": "80", "LC_ALL": "C"}
        try:
            yield Path(name)
        finally:
            os.environ.clear()
            os.environ.update(kept)


def played(text: str) -> Iterator[tuple[Block, list[tuple[str, list[str], int, list[str]]]]]:
    """Runs a document: each console block with its commands, lines shown, code, lines printed."""
    blocks = blocks_of(text)
    with empty_folder(blocks):
        for block in blocks:
            if block.language == "pycon":
                run_python(block.body)
            elif block.language == "console":
                yield block, [(c, shown, *run(c)) for c, shown in steps_of(block.body)]


def rewritten(text: str) -> str:
    """A document with the output of its commands put in place."""
    out, at = [], 0
    for block, steps in played(text):
        lines = []
        for command, shown, _, printed in steps:
            gap = [""] if shown and not shown[-1] else []
            lines += [f"$ {command}", *refreshed(_trimmed(shown), printed), *gap]
        out += [text[at : block.start], "".join(f"{line}\n" for line in lines)]
        at = block.start + len(block.body)
    return "".join(out) + text[at:]


def _trimmed(lines: list[str]) -> list[str]:
    """Lines without the empty ones at the end, which set the next command apart."""
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines


class WithoutServer:
    """A simulated model asked in this process: the same replies as over HTTP, in less time."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.model = SimulatedModel.from_profile(name.removeprefix("simulated-"))

    async def ask(self, messages: Messages, parameters: Parameters) -> Answer:
        return Answer(*self.model.reply(messages, parameters.temperature))

    async def close(self) -> None:
        pass


@contextlib.contextmanager
def opened_without_server(endpoints: Sequence[Endpoint], profiles: Sequence[str]) -> Iterator:
    """Stands in for `justeval.models.opening.opened`."""
    yield lambda endpoint: WithoutServer(endpoint.name)


def command_of(words: Sequence[str]) -> tuple[click.Command, list[str]]:
    """The command that words name, and the words left for it; `list|show` names two."""
    command: click.Command = app
    words = list(words)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        names = words.pop(0).split("|")
        found = [command.get_command(click.Context(command), name) for name in names]
        assert None not in found, f"no command {' or '.join(names)} in justeval {command.name}"
        command = found[0] or command
    return command, words


def outside_blocks(text: str) -> str:
    """A document without its fenced blocks."""
    for block in reversed(blocks_of(text)):
        text = text[: block.start] + text[block.start + len(block.body) :]
    return text


def anchors_of(document: Path) -> set[str]:
    """What a link may name behind `#`: the headings in small letters with hyphens."""
    headings = re.findall(r"^#+ (.*)$", outside_blocks(document.read_text(encoding="utf-8")), re.M)
    return {
        re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings
    }


def commands_below(group: click.Group, words: tuple[str, ...] = ()) -> Iterator[str]:
    """All commands, as they are typed."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands_below(command, (*words, name))
        else:
            yield " ".join((*words, name))


def each_document(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(name, DOCUMENTS, ids=lambda path: path.name)


@each_document("document")
def test_commands_print_what_the_document_shows(document, monkeypatch):
    monkeypatch.setattr(demo, "opened", opened_without_server)
    check(document)


@pytest.mark.slow
def test_the_demo_prints_the_same_over_http():
    check(ROOT / "README.md")


def check(document: Path) -> None:
    """Runs a document and compares."""
    for block, steps in played(document.read_text(encoding="utf-8")):
        for number, (command, shown, code, printed) in enumerate(steps, start=1):
            shown = _trimmed(shown)
            if not matches(shown, printed):
                before, after = [masked(x) for x in shown], [masked(x) for x in printed]
                changed = "\n".join(difflib.unified_diff(before, after, "shown", "printed", n=1))
                raise AssertionError(
                    f"{document.name}: $ {command}\n{changed}\n"
                    "if this is right: python -m tests.contract.test_docs --write"
                )
            wanted = int(block.words.get("exit", 0)) if number == len(steps) else 0
            assert code == wanted, f"{document.name}: $ {command} ended with {code}"


@each_document("document")
def test_commands_that_need_a_key_are_written_rightly(document):
    for block in blocks_of(document.read_text(encoding="utf-8")):
        for line in block.body.replace("\\\n", " ").splitlines() if block.language == "sh" else ():
            words = shlex.split(line, comments=True)
            if words[:1] == ["justeval"]:
                command, rest = command_of(words[1:])
                command.make_context(str(command.name), rest)


@each_document("document")
def test_commands_in_a_sentence_exist(document):
    text = outside_blocks(document.read_text(encoding="utf-8"))
    for said in re.findall(r"`justeval ([^`]+)`", text):
        command, rest = command_of(said.split())
        options = {name for parameter in command.params for name in parameter.opts}
        used = {word for word in rest if word.startswith("--")} - {"--help", "--version"}
        assert used <= options, f"{document.name}: `justeval {said}` has no {used - options}"


@each_document("document")
def test_no_command_stands_in_a_block_that_is_not_run(document):
    for block in blocks_of(document.read_text(encoding="utf-8")):
        if block.language not in ("console", "sh", "pycon"):
            stray = [x for x in block.body.splitlines() if x.startswith(("justeval ", "$ "))]
            assert not stray, f"{document.name}: mark the block console or sh: {stray[0]}"


@each_document("document")
def test_links_lead_to_files(document):
    text = outside_blocks(document.read_text(encoding="utf-8"))
    for target, anchor in re.findall(r"\]\(([^)#:\s]+)#?([^)\s:]*)\)", text):
        file = document.parent / target
        assert file.exists(), f"{document.name}: no file {target}"
        assert not anchor or anchor in anchors_of(file), f"{document.name}: no {target}#{anchor}"


def test_every_command_is_documented():
    text = "\n".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
    missing = [command for command in commands_below(app) if f"justeval {command}" not in text]
    assert not missing


def test_an_ellipsis_stands_for_any_lines():
    printed = ["a", "b 1 ms", "c", "d"]
    assert matches(["a", "b 20 ms", "c", "d"], printed)
    assert matches(["a", "...", "d"], printed)
    assert matches(["...", "c", "..."], printed)
    assert not matches(["a", "b 1 ms", "c"], printed)
    assert not matches(["a", "...", "c"], printed)
    assert refreshed(["a", "...", "c x", "...", "e"], printed) == ["a", "...", "c", "...", "d"]
    assert refreshed(["a", "b"], printed) == printed


def write(documents: Sequence[Path]) -> None:
    """Puts the printed output into documents."""
    for document in documents:
        text = document.read_text(encoding="utf-8")
        new = rewritten(text)
        if new != text:
            document.write_text(new, encoding="utf-8")
        print(f"{document.relative_to(ROOT)}: {'written' if new != text else 'as it was'}")


if __name__ == "__main__":
    if "--write" not in sys.argv:
        raise SystemExit("usage: python -m tests.contract.test_docs --write [FILE...]")
    named = [Path(word).resolve() for word in sys.argv[1:] if word != "--write"]
    write(named or DOCUMENTS)
