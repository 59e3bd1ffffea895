"""The one class of errors that a service or this package answers a call with."""

import re
from collections.abc import Mapping
from typing import Any

from ._generated.error_stages import STAGE_OF

_UNSAFE = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]")
"""Characters that a terminal obeys, or that turn the order of what follows."""


def escaped_text(text: str) -> str:
    """Writes such characters as escapes."""
    return _UNSAFE.sub(lambda one: f"\\u{ord(one[0]):04x}", text)


class TidemarkError(Exception):
    """Refused or unanswered call. `status` is None where no HTTP answer came.

    `data` is what a refusal carries beside its error: the rejected order, or the latest projection of one that has changed.
    `message` is the text alone, and `stage` the check of a request that found the fault, from 1 on; None: no check of a request.
    `error` has every fact of the error object, such as `server_time_ms` or `digest`.
    """

    def __init__(self, error: Mapping[str, Any], status: int | None = None, data: Any = None) -> None:
        self.message = escaped_text(str(error.get("message", "")))
        super().__init__(self.message)
        self.error: Mapping[str, Any] = error
        self.code: str = str(error.get("code", "UNKNOWN"))
        self.status = status
        self.retryable: bool = bool(error.get("retryable", False))
        self.request_id: str | None = error.get("request_id")
        self.stage: int | None = STAGE_OF.get(self.code)
        violations = error.get("field_violations")
        self.field_violations: list[Mapping[str, str]] = violations if isinstance(violations, list) else []
        self.data = data

    def __str__(self) -> str:
        return f"{self.code}: {self.args[0]}"


def client_error(code: str, message: str, retryable: bool = False) -> TidemarkError:
    """Makes an error of the client itself: nothing was sent, or no answer came."""
    return TidemarkError({"code": code, "message": message, "retryable": retryable, "request_id": None})


def missing_extra(extra: str, package: str) -> TidemarkError:
    """Makes the error of a call that needs a package of an extra."""
    # The message names no `tidemark[...]`: in the public index that is another project.
    message = f"package {package} is missing; run pip install {package}: it is in the extra [{extra}] of the wheel"
    return client_error("EXTRA_MISSING", message)
