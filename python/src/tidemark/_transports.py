"""The two transports of the clients, over httpx."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from types import TracebackType
from typing import Any, Generic, TypeVar
from urllib.request import getproxies

import httpx

from ._answers import PageCheck, check_about, record_of
from ._bounded import bounded, bounded_transport
from ._core import (
    PARQUET,
    Call,
    Operation,
    PageSize,
    Received,
    RetryRule,
    Sent,
    checked_base_url,
    unreachable,
)
from .errors import TidemarkError
from .history import Table, table_of_parquet
from .signing import Key

Item = TypeVar("Item")


class _Base:
    """Settings that both transports have."""

    def __init__(self, base_url: str, key: Key | None, retries: RetryRule) -> None:
        self.base_url = checked_base_url(base_url)
        self.key = key
        self.retries = retries

    def _call(
        self,
        operation: Operation,
        arguments: Mapping[str, Any],
        body: Any = None,
        idempotency_key: str | None = None,
        accept: str | None = None,
        page: PageSize | None = None,
        final: frozenset[str] = frozenset(),
    ) -> Call:
        given = {name: value for name, value in arguments.items() if value is not None}
        return Call(
            operation,
            given,
            body,
            self.key,
            self.retries,
            accept,
            idempotency_key=idempotency_key,
            page=page,
            final=final,
        )


def _own_transport() -> httpx.BaseTransport | None:
    """None lets httpx take the proxies of the environment, and then each read alone is bounded."""
    return None if getproxies() else bounded_transport()


class SyncTransport(_Base):
    """Transport that blocks its thread."""

    def __init__(
        self,
        base_url: str,
        *,
        key: Key | None = None,
        retries: RetryRule = RetryRule(),
        timeout_s: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        super().__init__(base_url, key, retries)
        self._timeout_s = timeout_s
        self._http = httpx.Client(
            base_url=self.base_url,
            timeout=timeout_s,
            transport=transport or _own_transport(),
            follow_redirects=False,
        )

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self):  # type: ignore[no-untyped-def]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _envelope(self, call: Call) -> Any:
        """Sends a call until it has an answer, or an error that no retry mends."""
        while True:
            try:
                return call.answer(self._attempt(call))
            except TidemarkError as error:
                wait = call.wait_s(error)
                if wait is None:
                    raise
                time.sleep(wait)

    def _attempt(self, call: Call) -> Received:
        sent = call.request()
        try:
            with (
                bounded(self._timeout_s),
                self._http.stream(sent.method, sent.target, headers=dict(sent.headers), content=sent.body) as response,
            ):
                body = call.answer_body(response.status_code)
                for part in response.iter_bytes():
                    body.add(part)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise unreachable(self.base_url, error) from error
        return Received(response.status_code, response.headers, body.whole())

    def _one(
        self, operation: Operation, arguments: Mapping[str, Any], body: Any = None, idempotency_key: str | None = None
    ) -> Any:
        envelope = self._envelope(self._call(operation, arguments, body, idempotency_key))
        record = record_of(envelope, operation.records)
        check_about(operation.operation_id, arguments, body, record)
        return record

    def read(self, path: str, query: Mapping[str, Any] | None = None, final: frozenset[str] = frozenset()) -> Any:
        """Returns the whole answer of any path that is read, as a path of the contract such as /v1/time.

        `final`: codes after which the request is not repeated, also where they may pass.
        """
        given = dict(query or {})
        return self._envelope(self._call(Operation("read", "GET", path, tuple(given)), given, final=final))


class Pages(Generic[Item]):
    """List of a service: iterate over its records, which are asked for page by page."""

    def __init__(self, transport: SyncTransport, operation: Operation, arguments: Mapping[str, Any]) -> None:
        self._transport, self._operation, self._arguments = transport, operation, arguments

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page

    def pages(self) -> Iterator[list[Item]]:
        """Yields the list page by page."""
        arguments = {k: v for k, v in self._arguments.items() if v is not None}
        size = self._operation.page_size(arguments)
        check = PageCheck()
        while True:
            call = self._transport._call(self._operation, arguments, page=size)
            envelope = self._transport._envelope(call)
            size.note_passed()
            items, cursor = check.page_of(envelope)
            yield items
            if cursor is None:
                return
            arguments["cursor"] = cursor


class History(Pages[Item]):
    """List that is also answered as a table: every record of the filter as of one instant."""

    def to_table(self) -> Table:
        """Asks for the table as Parquet."""
        call = self._transport._call(self._operation, self._arguments, accept=PARQUET)
        operation = self._operation
        return table_of_parquet(self._transport._envelope(call), operation.decimals, operation.instants)

    def to_arrow(self, decimals: str = "decimal128") -> Any:
        """Returns a pyarrow.Table. `decimals`: decimal128 or strings."""
        return self.to_table().to_arrow(decimals)

    def to_polars(self, decimals: str = "decimal128") -> Any:
        """Returns a polars.DataFrame."""
        return self.to_table().to_polars(decimals)

    def to_pandas(self, decimals: str = "decimal128") -> Any:
        """Returns a pandas.DataFrame."""
        return self.to_table().to_pandas(decimals)

    def to_duckdb(self, connection: Any = None) -> Any:
        """Returns a DuckDB relation, on the connection or else the default one."""
        return self.to_table().to_duckdb(connection)


class AsyncTransport(_Base):
    """Transport of asyncio."""

    def __init__(
        self,
        base_url: str,
        *,
        key: Key | None = None,
        retries: RetryRule = RetryRule(),
        timeout_s: float = 60.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        super().__init__(base_url, key, retries)
        self._timeout_s = timeout_s
        self._http = httpx.AsyncClient(
            base_url=self.base_url, timeout=timeout_s, transport=transport, follow_redirects=False
        )

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def __aenter__(self):  # type: ignore[no-untyped-def]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _envelope(self, call: Call) -> Any:
        """Sends a call until it has an answer, or an error that no retry mends."""
        while True:
            try:
                return call.answer(await self._attempt(call))
            except TidemarkError as error:
                wait = call.wait_s(error)
                if wait is None:
                    raise
                await asyncio.sleep(wait)

    async def _attempt(self, call: Call) -> Received:
        sent = call.request()
        try:
            return await asyncio.wait_for(self._received(call, sent), self._timeout_s)
        except (httpx.HTTPError, httpx.InvalidURL, asyncio.TimeoutError) as error:
            raise unreachable(self.base_url, error) from error

    async def _received(self, call: Call, sent: Sent) -> Received:
        async with self._http.stream(
            sent.method, sent.target, headers=dict(sent.headers), content=sent.body
        ) as response:
            body = call.answer_body(response.status_code)
            async for part in response.aiter_bytes():
                body.add(part)
        return Received(response.status_code, response.headers, body.whole())

    async def _one(
        self, operation: Operation, arguments: Mapping[str, Any], body: Any = None, idempotency_key: str | None = None
    ) -> Any:
        envelope = await self._envelope(self._call(operation, arguments, body, idempotency_key))
        record = record_of(envelope, operation.records)
        check_about(operation.operation_id, arguments, body, record)
        return record


class AsyncPages(Generic[Item]):
    """The same as Pages, for asyncio."""

    def __init__(self, transport: AsyncTransport, operation: Operation, arguments: Mapping[str, Any]) -> None:
        self._transport, self._operation, self._arguments = transport, operation, arguments

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page:
                yield item

    async def pages(self) -> AsyncIterator[list[Item]]:
        """Yields the list page by page."""
        arguments = {k: v for k, v in self._arguments.items() if v is not None}
        size = self._operation.page_size(arguments)
        check = PageCheck()
        while True:
            call = self._transport._call(self._operation, arguments, page=size)
            envelope = await self._transport._envelope(call)
            size.note_passed()
            items, cursor = check.page_of(envelope)
            yield items
            if cursor is None:
                return
            arguments["cursor"] = cursor


class AsyncHistory(AsyncPages[Item]):
    """The same as History, for asyncio."""

    async def to_table(self) -> Table:
        """Asks for the table as Parquet."""
        call = self._transport._call(self._operation, self._arguments, accept=PARQUET)
        operation = self._operation
        return table_of_parquet(await self._transport._envelope(call), operation.decimals, operation.instants)

    async def to_arrow(self, decimals: str = "decimal128") -> Any:
        """Returns a pyarrow.Table. `decimals`: decimal128 or strings."""
        return (await self.to_table()).to_arrow(decimals)

    async def to_polars(self, decimals: str = "decimal128") -> Any:
        """Returns a polars.DataFrame."""
        return (await self.to_table()).to_polars(decimals)

    async def to_pandas(self, decimals: str = "decimal128") -> Any:
        """Returns a pandas.DataFrame."""
        return (await self.to_table()).to_pandas(decimals)

    async def to_duckdb(self, connection: Any = None) -> Any:
        """Returns a DuckDB relation, on the connection or else the default one."""
        return (await self.to_table()).to_duckdb(connection)
