"""The command line: `justeval VERB` or `justeval NOUN VERB`.

A command translates words into calls; nothing is computed here. This is the one place that maps
errors to exit codes: 0 done, 1 failed, 2 usage, 3 finished with requests unanswered, 130 stopped.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import click

from justeval.cli.app import app
from justeval.errors import JustevalError, TableError

STOPPED = 130
_MOST_TOLD = 200
"""Problems of a table that are told one by one."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code. Errors are one line on standard error,
    or one a problem where a table made elsewhere has several."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        result = app.main(words, prog_name="justeval", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "", err=True)
        return 2
    except click.ClickException as error:
        return _failed(words, "UsageError", _usage_line(error), 2)
    except (click.Abort, KeyboardInterrupt) as stop:
        click.echo(str(stop) or "stopped", err=True)
        return STOPPED
    except TableError as error:
        code = _failed(words, error.kind, str(error), error.exit_code)
        for problem in error.problems[1:_MOST_TOLD]:
            click.echo(f"  {problem}", err=True)
        return code
    except JustevalError as error:
        return _failed(words, error.kind, str(error), error.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    return result if isinstance(result, int) else 0


def _failed(words: Sequence[str], kind: str, message: str, code: int) -> int:
    click.echo(f"justeval: {message}", err=True)
    if "--json" in words:
        click.echo(json.dumps({"error": {"kind": kind, "message": message}}, ensure_ascii=False))
    return code


def _usage_line(error: click.ClickException) -> str:
    """A usage error as one line that names the command."""
    message = " ".join(error.format_message().split())
    context = getattr(error, "ctx", None)
    if context is None:
        return message
    return f"{message.rstrip('.')}; see `{context.command_path} --help`"
