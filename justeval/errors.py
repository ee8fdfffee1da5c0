"""The tree of errors: every failure that a user can cause or meet, with its exit code.

    JustevalError                 exit 1   something failed
    ├── UsageError                exit 2   a name, option or argument that does not exist
    ├── InputError                exit 1   a file that does not hold what it should
    │   ├── LabelPackError                 ... a pack of labels
    │   ├── CaseFileError                  ... a file of cases
    │   ├── TableError                     ... a table of predictions made elsewhere
    │   └── RunError                       ... the folder of a run
    ├── ProviderError             exit 1   a model that cannot be asked
    │   └── PermanentProviderError         ... and will not answer if asked again
    ├── EstimationError           exit 1   data from which nothing can be estimated
    └── UnansweredError           exit 3   the run is finished, some requests have no answer

A message is one line: place, value, rule and way out. The command line prints it and exits with
`exit_code`; nothing else in the library decides an exit code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class JustevalError(Exception):
    """Base of all errors of this library; `str(error)` is one clear line."""

    exit_code = 1

    @property
    def kind(self) -> str:
        """The name under which the error appears in JSON, e.g. `UsageError`."""
        return type(self).__name__


class UsageError(JustevalError):
    """A command, option or name that does not exist or does not fit."""

    exit_code = 2


class ProviderError(JustevalError):
    """A model that could not be asked, or did not answer with a usable message."""


class PermanentProviderError(ProviderError):
    """A refusal that asking again cannot cure: no key, no credit, no such model."""


class EstimationError(JustevalError):
    """Data from which the quantity asked for cannot be estimated."""


class UnansweredError(JustevalError):
    """A run that has ended while some of its requests have no answer."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with an input: where it stands, what it is, what is allowed."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class InputError(JustevalError):
    """A file that does not hold what it should; `problems` lists all that is wrong with it."""

    def __init__(self, problems: Sequence[Problem] | str) -> None:
        self.problems: tuple[Problem, ...] = (
            (Problem("", problems),) if isinstance(problems, str) else tuple(problems)
        )
        first = str(self.problems[0]) if self.problems else "unknown problem"
        more = len(self.problems) - 1
        super().__init__(first if more < 1 else f"{first} (and {more} more)")


class LabelPackError(InputError):
    """A label pack that cannot be used."""


class CaseFileError(InputError):
    """A file of cases that cannot be used."""


class TableError(InputError):
    """A table of predictions that cannot be used."""


class RunError(InputError):
    """A folder that is not a run, or a run that cannot be used as asked."""
