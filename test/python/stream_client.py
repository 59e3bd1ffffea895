"""A client of the private stream written from its documentation alone: the package websockets, nothing of the server."""

import hashlib
import json
import secrets
import time

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

TOPICS = (
    "account.order",
    "account.fill",
    "account.position",
    "account.balance",
    "account.settlement",
    "account.risk",
)
ID_FIELDS = {
    "account.order": ("order_id",),
    "account.fill": ("adjustment_id", "fill_id"),
    "account.position": ("position_id",),
    "account.balance": ("balance_id",),
    "account.settlement": ("settlement_id",),
    "account.risk": ("account_id",),
}


def auth_message(client, **changes):
    """`auth` of a key: a request with the method WS, the path /v1/ws, no query and no body is signed."""
    signed = {"timestamp": str(int(time.time() * 1000)), "nonce": secrets.token_hex(12), **changes}
    text = "\n".join(
        [
            "SVC-Access-Signature-Version:v1",
            "method:WS",
            "path:/v1/ws",
            "query:",
            f"body_sha256:{hashlib.sha256(b'').hexdigest()}",
            f"timestamp:{signed['timestamp']}",
            f"nonce:{signed['nonce']}",
            f"key_id:{client.key_id}",
            f"environment:{client.environment}",
        ]
    )
    return {
        "op": "auth",
        "id": "auth",
        "key_id": client.key_id,
        "timestamp": signed["timestamp"],
        "nonce": signed["nonce"],
        "signature_version": "v1",
        "signature": client.signature(text),
    }


class Connection:
    """One connection. What is not asked for at once is kept in `said`."""

    def __init__(self, url):
        self.socket = connect(url, compression=None, max_size=None)
        self.said = []
        self.taken = 0
        self.welcome = self.until(lambda message: message["type"] == "welcome")

    def send(self, message):
        self.socket.send(json.dumps(message))

    def read(self, timeout=10):
        message = json.loads(self.socket.recv(timeout=timeout))
        self.said.append(message)
        return message

    def until(self, fits, timeout=10):
        """The next message that fits."""
        end = time.monotonic() + timeout
        while True:
            message = self.read(max(0.01, end - time.monotonic()))
            if fits(message):
                return message

    def ask(self, message):
        self.send(message)
        return self.until(lambda said: said.get("id") == message["id"])

    def sign_in(self, client):
        return self.ask(auth_message(client))

    def new(self):
        """What was said since the last call."""
        said, self.taken = self.said[self.taken :], len(self.said)
        return said

    def drain(self, quiet=0.25):
        """Reads until nothing has come for so long."""
        try:
            while True:
                self.read(quiet)
        except TimeoutError:
            return

    def cut(self):
        """Ends the connection without a word, as a broken line does."""
        self.socket.socket.close()

    def closed(self, timeout):
        """Code and reason of the end, waited for; and how long it took."""
        began = time.monotonic()
        try:
            while True:
                self.read(timeout)
        except ConnectionClosed as error:
            return error.rcvd.code, error.rcvd.reason, time.monotonic() - began


class Gap(Exception):
    """Something was lost: nothing that is there counts any longer."""


class Topic:
    """What is had of one topic, over any number of connections."""

    def __init__(self, name, epoch=None, position=0):
        self.name = name
        self.epoch = epoch
        self.position = position
        self.resources = {}
        self.versions = {}
        self.event_ids = []
        self.kinds = []
        self.repeated = 0
        self.complete = None

    @property
    def resume(self):
        return {} if self.epoch is None else {"resume": {"epoch": self.epoch, "after_seq": self.position}}

    def put(self, data, version):
        field = next(name for name in ID_FIELDS[self.name] if name in data)
        name = (field, data[field])
        if self.versions.get(name, -1) >= version:
            return False
        self.versions[name] = version
        self.resources[name] = data
        return True

    def hear(self, message):
        kind = message["type"]
        if kind == "subscribed":
            self.epoch = message["epoch"]
            self.position = message["seq"]
            if message["mode"] == "snapshot":
                self.resources.clear()
                self.versions.clear()
        elif kind == "gap":
            raise Gap(message["reason"])
        elif kind == "snapshot":
            self.put(message["data"], message["projection_version"])
        elif kind == "snapshot_end":
            self.complete = message["complete"]
        elif kind == "event":
            self.advance(message)

    def advance(self, message):
        if message["seq"] <= self.position:
            self.repeated += 1
            return
        if message["prev_seq"] > self.position:
            raise Gap(f"{message['prev_seq']} comes before {message['seq']}, and {self.position} is had")
        self.position = message["seq"]
        self.event_ids.append(message["event_id"])
        self.kinds.append(message["kind"])
        self.put(message["data"], message["projection_version"])


def subscribe(connection, topic, **filters):
    """Follows a topic from where it was; waits for the answer, and for the whole snapshot where there is one."""
    message = {"op": "subscribe", "id": f"{topic.name} {secrets.token_hex(4)}", "topic": topic.name}
    answer = connection.ask({**message, **filters, **topic.resume})
    if answer["type"] == "subscribed" and answer["mode"] == "snapshot":
        connection.until(lambda said: said["type"] == "snapshot_end" and said["sid"] == answer["sid"])
    return answer


def hear_all(connection, topics):
    """Takes in what was said since the last call."""
    for message in connection.new():
        name = str(message.get("sid", "")).split(":")[0]
        if name in topics:
            topics[name].hear(message)
