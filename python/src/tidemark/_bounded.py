"""Connections that read and write until one instant: a bound of each read alone lets a slow service hold a call for ever."""

import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import httpcore
import httpx

_end_s: ContextVar[float | None] = ContextVar("end_s", default=None)


@contextmanager
def bounded(timeout_s: float) -> Iterator[None]:
    """Bounds everything that this thread sends and receives within the block."""
    token = _end_s.set(time.monotonic() + timeout_s)
    try:
        yield
    finally:
        _end_s.reset(token)


def bounded_transport() -> httpx.HTTPTransport:
    """Makes the usual transport, whose connections obey `bounded`."""
    transport = httpx.HTTPTransport()
    # httpx takes no backend, and offers no other bound of a whole call.
    transport._pool._network_backend = _Backend(transport._pool._network_backend)
    return transport


def _left_s(timeout_s: float | None, late: type[Exception]) -> float | None:
    end_s = _end_s.get()
    if end_s is None:
        return timeout_s
    left_s = end_s - time.monotonic()
    if left_s <= 0:
        raise late("the time of the call is over")
    return left_s if timeout_s is None else min(timeout_s, left_s)


class _Stream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left_s(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _left_s(timeout, httpcore.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        left_s = _left_s(timeout, httpcore.ConnectTimeout)
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, left_s))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Backend(httpcore.NetworkBackend):
    def __init__(self, backend: httpcore.NetworkBackend) -> None:
        self._backend = backend

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        left_s = _left_s(timeout, httpcore.ConnectTimeout)
        return _Stream(self._backend.connect_tcp(host, port, left_s, local_address, socket_options))

    def sleep(self, seconds: float) -> None:
        self._backend.sleep(seconds)
