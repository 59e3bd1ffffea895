"""Live messages of a service, followed by the rules of docs/stream.md, with resume after a lost connection."""

import itertools
import json
import random
import secrets
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from ._answers import error_object, misshapen
from ._core import JSON_BYTES_MAX, checked_base_url
from ._strict_json import parse_strict
from .errors import TidemarkError, client_error
from .signing import SIGNATURE_VERSION, Key, canonical_request

_WHOLE_STATES = frozenset(("index.status", "market.ticker"))
"""Topics whose events carry whole states, so that a missed one is not a gap."""

_ANSWERS = ("subscribed", "authenticated", "auth_ok", "error")
_RECONNECTS_MAX = 8
_TOO_LONG = 1009


@dataclass(frozen=True)
class Message:
    """Snapshot or event of a subscription."""

    topic: str
    kind: str
    """`snapshot`, or the kind of an event."""
    data: Any
    seq: int
    sid: str
    raw: Mapping[str, Any]
    resume: Mapping[str, Any]
    """Cursor after this message; pass it to subscribe to go on from here, also in another process."""


@dataclass(frozen=True)
class Gap:
    """Messages that could not be sent; a snapshot follows where the topic has one."""

    topic: str
    reason: str
    raw: Mapping[str, Any]


@dataclass
class _Subscription:
    topic: str
    filters: Mapping[str, str]
    sid: str = ""
    epoch: str | None = None
    cursor: int = 0
    in_snapshot: bool = False
    """A snapshot of several messages is being received; its end is a message of its own."""

    def begin(self, answer: Mapping[str, Any]) -> None:
        """Takes over where the service begins."""
        self.sid = answer["sid"]
        self.epoch = answer.get("epoch")
        self.cursor = answer["seq"]
        self.in_snapshot = self._has_end and answer.get("mode") == "snapshot"

    def lose(self, gap: Mapping[str, Any]) -> None:
        """Continues after messages that were lost."""
        self.cursor = gap["to_seq"]
        self.in_snapshot = self._has_end

    @property
    def _has_end(self) -> bool:
        return self.topic.startswith("account.")

    def message(self, name: str) -> dict[str, Any]:
        asked: dict[str, Any] = {"op": "subscribe", "id": name, "topic": self.topic, **self.filters}
        if self.epoch is not None:
            asked["resume"] = {"epoch": self.epoch, "after_seq": self.cursor}
        return asked


class Stream:
    """One connection to a service; iterate over it for messages.

    A lost connection is made again, and each subscription resumes after the last message that was yielded. Messages that a
    server repeats are dropped. What cannot be resumed is yielded as a Gap.
    """

    def __init__(self, base_url: str, *, key: Key | None = None, timeout_s: float = 45.0) -> None:
        self._url = "ws" + checked_base_url(base_url).removeprefix("http") + "/v1/ws"
        self._key, self._timeout_s = key, timeout_s
        self._ids = itertools.count(1)
        self._subscriptions: list[_Subscription] = []
        self._waiting: list[dict[str, Any]] = []
        self._socket: ClientConnection | None = None

    def subscribe(self, topic: str, resume: Mapping[str, Any] | None = None, **filters: str) -> None:
        """Subscribes to a topic, with the filters that it has, such as index_id. `resume`: that of an earlier message."""
        if self._socket is None:
            self._connect()
        subscription = _Subscription(topic, filters)
        if resume is not None:
            subscription.epoch, subscription.cursor = resume["epoch"], resume["after_seq"]
        self._ask(subscription)
        self._subscriptions.append(subscription)

    def close(self) -> None:
        """Closes the connection."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def __enter__(self) -> "Stream":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[Message | Gap]:
        while True:
            try:
                message = self._next()
            except (ConnectionClosed, TimeoutError, OSError) as error:
                _check_size(error)
                self._reconnect()
                continue
            try:
                found = self._follow(message)
            except (KeyError, TypeError, AttributeError) as error:
                raise misshapen(f"a message of type {message.get('type')!r} lacks what it must have", None) from error
            if found is not None:
                yield found

    def _next(self) -> dict[str, Any]:
        if self._waiting:
            return self._waiting.pop(0)
        return self._receive()

    def _receive(self) -> dict[str, Any]:
        if self._socket is None:
            raise client_error("VALIDATION_USAGE_INVALID", "the stream has no subscription; call subscribe first")
        text = self._socket.recv(timeout=self._timeout_s)
        try:
            message: dict[str, Any] = parse_strict(text)
        except (ValueError, RecursionError) as error:
            raise misshapen("a message is not JSON", None) from error
        if not isinstance(message, dict):
            raise misshapen("a message is no object", None)
        return message

    def _connect(self) -> None:
        self._socket = connect(self._url, compression=None, max_size=JSON_BYTES_MAX)
        _check_address(self._url, self._socket)
        welcome = self._receive()
        if welcome.get("type") != "welcome":
            raise client_error("SERVICE_UNAVAILABLE", f"{self._url} does not answer like this stream")
        if self._key is not None:
            self._answer_to(self._auth(self._key))

    def _auth(self, key: Key) -> dict[str, Any]:
        timestamp_ms, nonce = time.time_ns() // 1_000_000, secrets.token_urlsafe(24)
        text = canonical_request("WS", "/v1/ws", b"", timestamp_ms, nonce, key)
        return {
            "op": "auth",
            "id": self._name(),
            "key_id": key.key_id,
            "timestamp": str(timestamp_ms),
            "nonce": nonce,
            "signature_version": SIGNATURE_VERSION,
            "signature": key.sign(text),
        }

    def _name(self) -> str:
        return str(next(self._ids))

    def _answer_to(self, message: dict[str, Any]) -> dict[str, Any]:
        """Sends a message and returns its answer; other messages wait for their turn."""
        assert self._socket is not None
        self._socket.send(json.dumps(message))
        while True:
            said = self._receive()
            if said.get("id") != message["id"]:
                self._waiting.append(said)
                continue
            if said.get("type") == "error":
                raise _stated(said)
            return said

    def _ask(self, subscription: _Subscription) -> None:
        subscription.begin(self._answer_to(subscription.message(self._name())))

    def _reconnect(self) -> None:
        """Connects again and resumes every subscription."""
        self.close()
        self._waiting.clear()
        for attempt in range(_RECONNECTS_MAX):
            time.sleep(min(5.0, 0.1 * 2**attempt) * (0.5 + random.random() / 2))
            try:
                self._connect()
                for subscription in self._subscriptions:
                    self._ask(subscription)
                return
            except (ConnectionClosed, InvalidHandshake, TimeoutError, OSError) as error:
                self.close()
                _check_size(error)
        raise client_error("SERVICE_UNAVAILABLE", f"{self._url} does not answer; {_RECONNECTS_MAX} connections failed")

    def _follow(self, message: dict[str, Any]) -> Message | Gap | None:
        """Applies the rules of a subscription to a message; None: it brings nothing."""
        kind = message.get("type")
        if kind == "heartbeat":
            self._compare(message)
            return None
        subscription = next((item for item in self._subscriptions if item.sid == message.get("sid")), None)
        if subscription is None:
            return None
        if kind == "error":
            raise _stated(message)
        if kind == "gap":
            subscription.lose(message)
            return Gap(subscription.topic, str(message.get("reason")), message)
        if kind == "snapshot":
            subscription.cursor = max(subscription.cursor, message["seq"])
            return _message(subscription, "snapshot", message)
        if kind == "snapshot_end":
            subscription.in_snapshot = False
            subscription.cursor = max(subscription.cursor, message["seq"])
        if kind != "event" or message["seq"] <= subscription.cursor:
            return None
        if subscription.topic not in _WHOLE_STATES and message["prev_seq"] > subscription.cursor:
            raise ConnectionClosed(None, None)
        subscription.cursor = message["seq"]
        return _message(subscription, message["kind"], message)

    def _compare(self, heartbeat: Mapping[str, Any]) -> None:
        """Compares cursors with those of a heartbeat: a cursor behind means that a message was lost."""
        for stated in heartbeat.get("subscriptions", ()):
            subscription = next((item for item in self._subscriptions if item.sid == stated.get("sid")), None)
            if subscription is None or subscription.in_snapshot:
                continue
            if stated["last_seq"] > subscription.cursor:
                raise ConnectionClosed(None, None)


def _check_size(error: Exception) -> None:
    """Refuses to connect again after a message that is too long: the next connection would bring it again."""
    closed = error.sent if isinstance(error, ConnectionClosed) else None
    if closed is not None and closed.code == _TOO_LONG:
        raise misshapen(f"a message has more than {JSON_BYTES_MAX} bytes", None) from error


def _stated(message: Mapping[str, Any]) -> TidemarkError:
    """Makes the error that a message states."""
    error = error_object(message.get("error"))
    return misshapen("it is an error without a code or message", None) if error is None else TidemarkError(error)


def _check_address(url: str, socket: ClientConnection) -> None:
    """Refuses a connection that was redirected, before anything is signed on it."""
    asked, request = urlsplit(url), socket.request
    if request is None:
        return
    host = request.headers.get("Host") or ""
    reached, usual = urlsplit(f"//{host}"), 443 if asked.scheme == "wss" else 80
    if request.path == asked.path and (reached.hostname, reached.port or usual) == (
        asked.hostname,
        asked.port or usual,
    ):
        return
    socket.close()
    raise misshapen(f"{url} redirects to {host}{request.path}; expected an address that answers itself", None)


def _message(subscription: _Subscription, kind: str, message: dict[str, Any]) -> Message:
    resume = {"epoch": subscription.epoch, "after_seq": subscription.cursor}
    return Message(subscription.topic, kind, message["data"], message["seq"], subscription.sid, message, resume)
