"""The one shape of every answer that is no success, and the statuses of all errors.

    ServiceError            500
    ├── HostError           400   an address that is none of this service
    ├── InvalidError        422   a request that cannot be understood as it stands
    ├── UnauthorizedError   401   no token, or another one
    ├── ForbiddenError      403   another site, or something that only the local user may do
    ├── NotFoundError       404   no such thing
    ├── ConflictError       409   not possible in the state that it is in
    ├── TooLargeError       413   more than the service takes
    ├── UnsupportedError    415   a kind of file that cannot be read
    ├── BusyError           503   not now
    └── WorkError                 an error of a worker process, with the kind that it had there

The errors of the library keep their kind and words, without the paths of this machine. Of anything
else a client learns nothing but a reference to the service's log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus

from justeval.errors import (
    EstimationError,
    InputError,
    JustevalError,
    Problem,
    RunError,
    UsageError,
)


class ServiceError(JustevalError):
    """A request that fails; `detail` lists every single problem."""

    status = HTTPStatus.INTERNAL_SERVER_ERROR

    def __init__(self, message: str, detail: Sequence[Problem] = ()) -> None:
        super().__init__(message)
        self.detail = tuple(detail)


class HostError(ServiceError):
    """A host that is none of this service."""

    status = HTTPStatus.BAD_REQUEST


class InvalidError(ServiceError):
    """A request that cannot be understood as it stands."""

    status = HTTPStatus.UNPROCESSABLE_ENTITY


class UnauthorizedError(ServiceError):
    """No token, or another one."""

    status = HTTPStatus.UNAUTHORIZED


class ForbiddenError(ServiceError):
    """A request from another site, or one that only the local user may make."""

    status = HTTPStatus.FORBIDDEN


class NotFoundError(ServiceError):
    """A thing that does not exist."""

    status = HTTPStatus.NOT_FOUND


class ConflictError(ServiceError):
    """Something that is not possible in the state that the thing is in."""

    status = HTTPStatus.CONFLICT


class TooLargeError(ServiceError):
    """More than the service takes."""

    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


class UnsupportedError(ServiceError):
    """A kind of file that cannot be read."""

    status = HTTPStatus.UNSUPPORTED_MEDIA_TYPE


class BusyError(ServiceError):
    """Not now, perhaps later."""

    status = HTTPStatus.SERVICE_UNAVAILABLE


class WorkError(ServiceError):
    """An error of the library that was raised in a worker process."""

    def __init__(self, kind: str, message: str, detail: Sequence[Problem], status: int) -> None:
        super().__init__(message, detail)
        self.raised_as = kind
        self.raised_status = HTTPStatus(status)

    @property
    def kind(self) -> str:
        return self.raised_as

    def with_names(self, names: Mapping[str, str]) -> WorkError:
        """The same error with names of files as the client knows them."""

        def named(text: str) -> str:
            for path, name in names.items():
                text = text.replace(path, name)
            return text

        detail = [Problem(named(p.place), named(p.message)) for p in self.detail]
        return WorkError(self.kind, named(str(self)), detail, int(self.raised_status))


def status_of(error: JustevalError) -> HTTPStatus:
    """The status of any error: the library's own are a matter of what was asked."""
    if isinstance(error, WorkError):
        return error.raised_status
    if isinstance(error, ServiceError):
        return error.status
    if isinstance(error, RunError):
        return HTTPStatus.CONFLICT
    if isinstance(error, (UsageError, InputError, EstimationError)):
        return HTTPStatus.UNPROCESSABLE_ENTITY
    return HTTPStatus.INTERNAL_SERVER_ERROR


def error_body(kind: str, message: str, detail: Sequence[Problem] = ()) -> Mapping[str, object]:
    """The JSON of an error."""
    problems = [{"place": problem.place, "message": problem.message} for problem in detail]
    return {"error": {"kind": kind, "message": message, "detail": problems}}
