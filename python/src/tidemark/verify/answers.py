"""Where a verification reads: a service, or a file of answers that were saved from one."""

import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, Protocol
from urllib.parse import urlencode

from .._core import TOO_LARGE, PageSize
from .._generated.sync_client import Client
from .._instants import parse_instant
from .._strict_json import parse_strict
from ..errors import TidemarkError, client_error

Query = Mapping[str, Any]

_LEVEL = re.compile(r"/v1/indexes/(\w+)/prices/(\w+)\?expand=inputs")
_PAGE = re.compile(r"/v1/indexes/(\w+)/prices\?(?:.*&)?expand=inputs%2Cquotes(?:&.*)?")


class Answers(Protocol):
    """Answers of the public API by path and query."""

    def get(self, path: str, query: Query) -> dict[str, Any]:
        """Returns a whole answer, or raises TidemarkError."""


class ServedAnswers:
    """Answers of a running service."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def get(self, path: str, query: Query) -> dict[str, Any]:
        """Asks the service. A page that is too large is refused after the wait that it states: the caller asks for less."""
        return self._ask(path, query, _TURNS)

    def _ask(self, path: str, query: Query, turns: int) -> dict[str, Any]:
        final = TOO_LARGE if query.get("limit", 1) > 1 else frozenset()
        try:
            found: dict[str, Any] = self._client.read(path, query, final)
            return found
        except TidemarkError as error:
            is_limited = error.code == "RATE_LIMIT_EXCEEDED" and "retry_after_ms" in error.error
            if error.code in final or is_limited:
                time.sleep(_stated_wait_s(error))
            if not is_limited or turns == 1:
                raise
        return self._ask(path, query, turns - 1)


_TURNS = 10
"""Calls for one answer while the rate limit refuses them: the requests of a verification take tokens from each other."""

_WAIT_MAX_MS = 60_000
"""Longest wait of an answer that is followed, as of a whole call."""


def _stated_wait_s(error: TidemarkError) -> float:
    """Returns the wait that a refusal states. One that is no number, or too long, is raised as an answer that does not come."""
    stated = error.error.get("retry_after_ms", 0)
    if isinstance(stated, (int, float)) and 0 <= stated <= _WAIT_MAX_MS:
        return stated / 1000
    message = f"{error}; its retry_after_ms is {stated!r}, expected 0 to {_WAIT_MAX_MS}"
    raise client_error("SERVICE_UNAVAILABLE", message, retryable=True) from error


class KeptAnswers:
    """Answers of another source, which are also written to a file of one JSON object a line."""

    def __init__(self, source: Answers, file: Path) -> None:
        self._source = source
        # A link stays, and the file it names is replaced; a pipe or a device is written into.
        self._target = file.resolve() if file.is_file() or not file.exists() else None
        self._path = file
        if self._target is not None:
            self._path = self._target.with_name(f"{self._target.name}.{os.getpid()}.partial")
        # Written line by line, so that a killed verification keeps what it has read.
        self._file = self._path.open("w", encoding="utf-8", buffering=1)
        self._kept: dict[str, str] = {}
        self._lock = Lock()

    def get(self, path: str, query: Query) -> dict[str, Any]:
        """Asks the source, and keeps the answer or the refusal."""
        target = _target(path, query)
        try:
            answer = self._source.get(path, query)
        except TidemarkError as error:
            if error.status in (403, 404) or error.code in TOO_LARGE:
                self._keep({"target": target, "error": dict(error.error), "status": error.status})
            raise
        self._keep({"target": target, "answer": answer})
        return answer

    def _keep(self, line: dict[str, Any]) -> None:
        with self._lock:
            kind = "answer" if "answer" in line else "error"
            # A refusal for time may be followed by an answer, which then counts.
            if self._kept.get(line["target"]) not in ("answer", kind):
                self._kept[line["target"]] = kind
                self._file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Finishes the file, which replaces an earlier one; without any answer that one stays."""
        self._file.close()
        if self._target is not None and "answer" in self._kept.values():
            self._path.replace(self._target)
        elif self._target is not None:
            self._path.unlink()


class SavedAnswers:
    """Answers of a file that KeptAnswers wrote; nothing is asked of a service."""

    def __init__(self, file: Path) -> None:
        with file.open(encoding="utf-8") as lines:
            items = [_saved_line(line, f"line {number} of {file}") for number, line in enumerate(lines, 1)]
        self._by_target: dict[str, dict[str, Any]] = {item["target"]: item for item in items}

    def has(self, path: str, query: Query) -> bool:
        """Reports whether an answer, or a refusal, is in the file."""
        return _target(path, query) in self._by_target

    def levels(self, index_id: str) -> list[str]:
        """Returns the ids of an index's levels that are in the file, in its order."""
        found = (_LEVEL.fullmatch(target) for target in self._by_target)
        return [match[2] for match in found if match is not None and match[1] == index_id]

    def pages(self, index_id: str) -> Iterator[Any]:
        """Yields the levels of an index, with inputs and quotes, of the pages that are in the file, in its order."""
        for target, item in self._by_target.items():
            match = _PAGE.fullmatch(target)
            if match is not None and match[1] == index_id and "answer" in item:
                yield from item["answer"]["data"]

    def index_ids(self) -> list[str]:
        """Returns the ids of the indexes with a level in the file, in its order."""
        found = (_LEVEL.fullmatch(target) or _PAGE.fullmatch(target) for target in self._by_target)
        return list(dict.fromkeys(match[1] for match in found if match is not None))

    def get(self, path: str, query: Query) -> dict[str, Any]:
        """Returns a saved answer."""
        target = _target(path, query)
        item = self._by_target.get(target)
        if item is None:
            raise client_error("OBSERVATION_NOT_SAVED", f"{target} is not in the file, which was cut short or changed")
        if "error" in item:
            raise TidemarkError(item["error"], item["status"])
        answer: dict[str, Any] = item["answer"]
        return answer


def _saved_line(line: str, place: str) -> dict[str, Any]:
    """Reads a line that KeptAnswers wrote, or raises TidemarkError."""
    try:
        item = parse_strict(line)
    except ValueError as error:
        raise client_error("ANSWERS_INVALID", f"{place} is not JSON ({error}); the file may be cut short") from error
    has_answer = isinstance(item, dict) and isinstance(item.get("target"), str)
    if not has_answer or not ("answer" in item or ("error" in item and "status" in item)):
        raise client_error("ANSWERS_INVALID", f"{place} is not an answer that --save wrote")
    found: dict[str, Any] = item
    return found


def _target(path: str, query: Query) -> str:
    given = {name: str(value) for name, value in sorted(query.items()) if value is not None}
    return path if not given else f"{path}?{urlencode(given)}"


def read(answers: Answers, path: str, query: Query | None = None) -> Any:
    """Returns the data of one answer."""
    return answers.get(path, query or {})["data"]


def find(answers: Answers, path: str, query: Query | None = None) -> Any:
    """Returns the data of one answer; None: the service has no such public record."""
    try:
        return read(answers, path, query)
    except TidemarkError as error:
        if (error.code.endswith("_NOT_FOUND") and error.code != "ROUTE_NOT_FOUND") or error.code == "SOURCE_NOT_PUBLIC":
            return None
        raise


def items(answers: Answers, path: str, query: Query | None = None, records_max: int | None = None) -> Iterator[Any]:
    """Yields every record of a list; a page that is too large for the service is asked for again with half the records."""
    size = PageSize() if records_max is None else PageSize(records_max)
    asked: dict[str, Any] = dict(query or {})
    while True:
        answer = _page(answers, path, asked, size)
        size.note_passed()
        yield from answer["data"]
        cursor = (answer.get("page") or {}).get("next_cursor")
        if cursor is None:
            return
        asked = {**asked, "cursor": cursor}


def trades_in_force(answers: Answers, market_id: str, query: Query) -> list[Any]:
    """Returns the newest record of each trade of a market, without those that were voided."""
    current: dict[str, Any] = {}
    for trade in items(answers, f"/v1/markets/{market_id}/trades", query):
        name = f"{trade['source_series_id']} {trade['source_trade_id']}"
        known = current.get(name)
        if known is None or parse_instant(trade["received_at"]) >= parse_instant(known["received_at"]):
            current[name] = trade
    return [trade for trade in current.values() if (trade.get("correction") or {}).get("kind") != "void"]


def _page(answers: Answers, path: str, query: Query, size: PageSize) -> dict[str, Any]:
    while True:
        try:
            return answers.get(path, {**query, "limit": size.records})
        except TidemarkError as error:
            if error.code not in TOO_LARGE or not size.halve():
                raise
