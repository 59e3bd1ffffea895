"""Both clients without their input and output: requests as they are sent, answers as they are read, and when to repeat."""

import json
import random
import re
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from ._answers import error_object, misshapen
from ._instants import instant_text
from ._strict_json import DoubledKeyError, parse_strict
from .errors import TidemarkError, client_error
from .signing import Key, aligned_ms, sign_request

PAGE_LIMIT = 1000
"""Records of a page of a list whose own limit is not known."""

PARQUET = "application/vnd.apache.parquet"

TOO_LARGE = frozenset(("QUERY_TIMEOUT", "VALIDATION_QUERY_LIMIT"))
"""Codes of a read that was refused for its time, memory or records: a smaller page may pass."""

_PASSED_MIN = 4
_PASSING_STATUS = frozenset((429, 503, 504))
_PASSING_CODES = frozenset(("IDEMPOTENCY_IN_PROGRESS", "AUTH_TIMESTAMP_OUT_OF_WINDOW"))
JSON_BYTES_MAX = 64 * 1024 * 1024
"""Most bytes of a JSON answer, and of a message of a stream."""

_BACKOFF_FIRST_S, _BACKOFF_MAX_S = 0.1, 5.0
_STATED_FIRST_S, _STATED_MAX_S = 0.025, 1.0
"""Least wait where one is stated; doubled each time, so that a service that keeps refusing is asked less often."""


@dataclass
class PageSize:
    """Records to ask for in the next page of a list, which begins with the largest page."""

    records_max: int = PAGE_LIMIT
    records: int = field(init=False)
    passed: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.records = self.records_max

    def halve(self) -> bool:
        """Halves the page after a read that was too large; False: it has one record already."""
        self.passed = 0
        is_one = self.records <= 1
        self.records = max(1, self.records // 2)
        return not is_one

    def note_passed(self) -> None:
        """Notes a page that was read; after some, the page is doubled."""
        self.passed += 1
        if self.passed % _PASSED_MIN == 0:
            self.records = min(self.records_max, self.records * 2)


@dataclass(frozen=True)
class RetryRule:
    """Limits of the retries of one call."""

    attempts_max: int = 8
    within_s: float = 60.0


@dataclass(frozen=True)
class Operation:
    """Endpoint of the contract. Names are those of its parameters, by where they are sent."""

    operation_id: str
    method: str
    path: str
    query: tuple[str, ...] = ()
    idempotent_key: bool = False
    private: bool = False
    text: bool = False
    """The answer is bytes or plain text, not JSON."""
    page_max: int = PAGE_LIMIT
    page_max_with: tuple[tuple[str, int], ...] = ()
    """Greatest page of a list, and the smaller ones with a parameter that adds to its records."""
    records: bool = False
    """The answer has several records, and no pages."""
    table: bool = False
    """The list is also answered as a table."""
    decimals: tuple[str, ...] = ()
    instants: tuple[str, ...] = ()
    """Columns of the table that are decimals, and those that are instants; the service sends both as text."""

    def page_size(self, arguments: Mapping[str, Any]) -> "PageSize":
        """Returns the size of the pages of a list: `limit`, or else the most that the arguments allow."""
        asked = arguments.get("limit")
        if asked is None:
            return PageSize(min([self.page_max, *(most for name, most in self.page_max_with if arguments.get(name))]))
        if isinstance(asked, bool) or not isinstance(asked, int):
            raise client_error("VALIDATION_USAGE_INVALID", f"limit is {asked!r}; expected an integer")
        return PageSize(asked)


@dataclass(frozen=True)
class Sent:
    """Request as it goes over the wire."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Received:
    """Answer as it came over the wire."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Body:
    """Body of an answer, part by part as it comes."""

    def __init__(self, bytes_max: int | None) -> None:
        self._bytes_max = bytes_max
        self._parts = bytearray()

    def add(self, part: bytes) -> None:
        """Adds a part; raises TidemarkError beyond the bound: another attempt would cost the same."""
        if self._bytes_max is not None and len(self._parts) + len(part) > self._bytes_max:
            raise misshapen(f"it has more than {self._bytes_max} bytes", None)
        self._parts += part

    def whole(self) -> bytes:
        """Returns all parts."""
        return bytes(self._parts)


@dataclass
class Call:
    """One call of an operation, with all its attempts: each has a signature and nonce of its own, and the same Idempotency-Key."""

    operation: Operation
    arguments: Mapping[str, Any]
    body: Any = None
    key: Key | None = None
    rule: RetryRule = field(default_factory=RetryRule)
    accept: str | None = None
    clock_offset_ms: int = 0
    failed: int = 0
    refusals: int = 0
    started_s: float = field(default_factory=time.monotonic)
    idempotency_key: str | None = None
    page: PageSize | None = None
    """Size of the page that is asked for; None: the call has no pages."""
    final: frozenset[str] = frozenset()
    """Codes after which nothing is repeated."""

    def __post_init__(self) -> None:
        if self.operation.private and self.key is None:
            raise client_error(
                "AUTH_CREDENTIALS_INVALID", f"{self.operation.operation_id} needs a key; pass key=Key(...)"
            )
        if self.operation.idempotent_key and self.idempotency_key is None:
            self.idempotency_key = secrets.token_hex(16)

    def request(self) -> Sent:
        """Returns the request of the next attempt."""
        body = b"" if self.body is None else json.dumps(self.body, ensure_ascii=False, separators=(",", ":")).encode()
        headers = {} if self.accept is None else {"Accept": self.accept}
        if body:
            headers["Content-Type"] = "application/json"
        if self.idempotency_key is not None:
            headers["Idempotency-Key"] = self.idempotency_key
        target = self._target()
        if self.key is not None:
            now_ms = time.time_ns() // 1_000_000 + self.clock_offset_ms
            headers |= sign_request(
                self.operation.method, target, body, self.key, now_ms, idempotency_key=self.idempotency_key
            )
        return Sent(self.operation.method, target, headers, body)

    def _target(self) -> str:
        arguments = self.arguments if self.page is None else {**self.arguments, "limit": self.page.records}
        query = [
            (name, _query_text(name, arguments[name]))
            for name in self.operation.query
            if arguments.get(name) is not None
        ]
        path = self.operation.path
        for name, value in arguments.items():
            place = "{" + name + "}"
            if place in path and str(value) in ("", ".", ".."):
                raise client_error("VALIDATION_USAGE_INVALID", f"{name} is {value!r}; expected an id")
            path = path.replace(place, quote(str(value), safe=""))
        if any(part in (".", "..") for part in path.split("/")):
            raise client_error("VALIDATION_USAGE_INVALID", f"path is {path!r}; expected one without . and .. as parts")
        return path if not query else f"{path}?{urlencode(query, quote_via=quote)}"

    def answer_body(self, status: int) -> "Body":
        """Makes the body of an answer, which has a bound unless it is a table."""
        is_table = self.accept is not None and 200 <= status < 300
        return Body(None if is_table else JSON_BYTES_MAX)

    def answer(self, received: Received) -> Any:
        """Returns the body of an answer, or raises the error that it states."""
        if 200 <= received.status < 300:
            if self.operation.text or self.accept is not None:
                return received.body
            return _parsed(received)
        if 300 <= received.status < 400:
            to = received.headers.get("location") or "another address"
            raise misshapen(f"it redirects to {to}; expected an address that answers itself", received.status)
        envelope = _parsed(received)
        retry_after = received.headers.get("retry-after")
        stated = error_object(envelope.get("error"), retry_after) if isinstance(envelope, dict) else None
        if stated is None:
            raise misshapen(f"it is a {received.status} without an error object", received.status)
        raise TidemarkError(stated, received.status, envelope.get("data"))

    def wait_s(self, error: TidemarkError) -> float | None:
        """Returns the wait before the next attempt; None: the call has failed."""
        if error.code in self.final:
            return None
        if error.code in TOO_LARGE and self.page is not None and self.page.halve():
            wait = self._least_s(error) or _BACKOFF_FIRST_S
            return wait if wait <= self.rule.within_s else None
        self.refusals += 1
        least = self._least_s(error)
        if error.code != "RATE_LIMIT_EXCEEDED" or least is None:
            # A rate limit that names its wait is no failure: it ends by itself.
            self.failed += 1
        if error.code == "AUTH_TIMESTAMP_OUT_OF_WINDOW":
            self.clock_offset_ms = aligned_ms(error.error.get("server_time_ms"))
        passes = (
            error.retryable if error.status is None else error.status in _PASSING_STATUS or error.code in _PASSING_CODES
        )
        is_last = self.rule.attempts_max <= 1 or self.failed >= self.rule.attempts_max
        if not passes or is_last or not self._may_repeat(error):
            return None
        backoff = _doubled(_BACKOFF_FIRST_S, _BACKOFF_MAX_S, self.failed) * (0.5 + random.random() / 2)
        wait = backoff if least is None else least
        return wait if time.monotonic() - self.started_s + wait <= self.rule.within_s else None

    def _least_s(self, error: TidemarkError) -> float | None:
        """Returns the wait that an error states, and at least the one that its refusals ask for; None: it states none."""
        stated = error.error.get("retry_after_ms")
        if stated is None:
            return None
        return max(float(stated) / 1000, _doubled(_STATED_FIRST_S, _STATED_MAX_S, self.refusals))

    def _may_repeat(self, error: TidemarkError) -> bool:
        """Tests whether a repetition is harmless: a write without an Idempotency-Key is repeated only after an answer."""
        return self.operation.method == "GET" or self.idempotency_key is not None or error.status is not None


def _doubled(first_s: float, max_s: float, count: int) -> float:
    return min(max_s, first_s * 2.0 ** min(max(0, count - 1), 30))


def unreachable(base_url: str, error: Exception) -> TidemarkError:
    """Makes the error of a call that got no answer."""
    return client_error(
        "SERVICE_UNAVAILABLE", f"{base_url} does not answer: {error or type(error).__name__}", retryable=True
    )


def checked_base_url(base_url: str) -> str:
    """Returns an address without a slash at its end."""
    if "@" in base_url:
        # Neither the user nor the password may stand in an error.
        shown = re.sub(r"^(.*//)?.*@", r"\1***@", base_url, flags=re.DOTALL)
        message = f"base_url is {shown!r}; expected an http or https address without user and password"
        raise client_error("VALIDATION_USAGE_INVALID", message)
    if not base_url.startswith(("http://", "https://")) or not urlsplit(base_url).netloc:
        raise client_error("VALIDATION_USAGE_INVALID", f"base_url is {base_url!r}; expected an http or https address")
    address = base_url.rstrip("/")
    if address.endswith("/v1"):
        raise client_error("VALIDATION_USAGE_INVALID", f"base_url is {base_url!r}; expected the address without /v1")
    return address


def _query_text(name: str, value: Any) -> str:
    if isinstance(value, datetime):
        return instant_text(value, name)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(str(item) for item in value)
    return str(value)


def _parsed(received: Received) -> Any:
    try:
        return parse_strict(received.body)
    except DoubledKeyError as error:
        message = f"answered {received.status} with a body that {error}"
        raise TidemarkError({"code": "SERVICE_UNAVAILABLE", "message": message}, received.status) from error
    except (ValueError, RecursionError) as error:
        message = f"answered {received.status} without JSON"
        raise TidemarkError({"code": "SERVICE_UNAVAILABLE", "message": message}, received.status) from error
