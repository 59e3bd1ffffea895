"""Rules by which the stream follows a subscription, without a network."""

import json
import threading
import unittest
from unittest.mock import patch

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import serve

import tidemark
from tidemark.stream import _Subscription


class Streams(unittest.TestCase):
    def setUp(self):
        self.stream = tidemark.Stream("http://service")
        self.subscription = _Subscription("market.trade", {}, sid="s", epoch="e", cursor=3)
        self.stream._subscriptions.append(self.subscription)

    def event(self, prev_seq, seq):
        message = {"type": "event", "sid": "s", "kind": "trade", "prev_seq": prev_seq, "seq": seq, "data": {"n": seq}}
        return self.stream._follow(message)

    def test_a_message_has_the_cursor_after_it_and_a_repetition_is_dropped(self):
        self.assertIsNone(self.event(2, 3))
        self.assertEqual(self.event(3, 5).resume, {"epoch": "e", "after_seq": 5})
        snapshot = {"type": "snapshot", "sid": "s", "seq": 4, "data": {}}
        self.assertEqual(self.stream._follow(snapshot).resume, {"epoch": "e", "after_seq": 5})
        self.assertEqual(self.subscription.message("1")["resume"], {"epoch": "e", "after_seq": 5})

    def test_a_missing_message_ends_the_connection_and_a_gap_moves_the_cursor(self):
        with self.assertRaises(ConnectionClosed):
            self.event(4, 5)
        gap = self.stream._follow({"type": "gap", "sid": "s", "from_seq": 3, "to_seq": 4, "reason": "slow_consumer"})
        self.assertEqual(gap.reason, "slow_consumer")
        self.assertEqual(self.event(4, 5).seq, 5)

    def test_a_heartbeat_tells_of_a_lost_message(self):
        beat = {"type": "heartbeat", "subscriptions": [{"sid": "s", "last_seq": 3}, {"sid": "other", "last_seq": 9}]}
        self.assertIsNone(self.stream._follow(beat))
        beat["subscriptions"][0]["last_seq"] = 4
        with self.assertRaises(ConnectionClosed):
            self.stream._follow(beat)


class FakeService:
    """Topic of a service: a connection may subscribe to it once, and begins with a snapshot."""

    def __init__(self):
        self.seq = 1
        self.subscribed = []

    def __call__(self, socket):
        socket.send(json.dumps({"type": "welcome", "heartbeat_ms": 15_000}))
        for text in socket:
            name = json.loads(text)["id"]
            if socket in self.subscribed:
                error = {"code": "VALIDATION_MESSAGE_INVALID", "message": "allowed: once per connection"}
                socket.send(json.dumps({"type": "error", "id": name, "error": error}))
                continue
            self.subscribed.append(socket)
            begin = {"type": "subscribed", "id": name, "sid": "s", "mode": "snapshot", "epoch": "e", "seq": self.seq}
            state = {"type": "snapshot", "sid": "s", "seq": self.seq, "data": {"n": self.seq}}
            for message in (begin, state):
                socket.send(json.dumps(message))

    def publish(self):
        self.seq += 1
        event = {"type": "event", "sid": "s", "kind": "published", "prev_seq": self.seq - 1, "seq": self.seq}
        for socket in self.subscribed:
            socket.send(json.dumps({**event, "data": {"n": self.seq}}))


class TwoListeners(unittest.TestCase):
    def setUp(self):
        self.service = FakeService()
        self.server = serve(self.service, "127.0.0.1", 0)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.socket.getsockname()[1]}"

    def test_of_one_topic_each_begin_with_the_state_and_the_end_of_one_leaves_the_other(self):
        with tidemark.Stream(self.url) as other:
            with tidemark.Stream(self.url) as one:
                for stream in (one, other):
                    stream.subscribe("index.price")
                self.assertEqual([next(iter(stream)).kind for stream in (one, other)], ["snapshot", "snapshot"])
                self.service.publish()
                self.assertEqual([next(iter(stream)).data for stream in (one, other)], [{"n": 2}, {"n": 2}])
            self.service.subscribed.pop(0)
            self.service.publish()
            self.assertEqual(next(iter(other)).data, {"n": 3})

    def test_on_one_connection_are_refused_by_name_and_the_first_goes_on(self):
        with tidemark.Stream(self.url) as stream:
            stream.subscribe("index.price")
            with self.assertRaises(tidemark.TidemarkError) as refused:
                stream.subscribe("index.price")
            self.assertEqual(refused.exception.code, "VALIDATION_MESSAGE_INVALID")
            self.assertEqual(next(iter(stream)).kind, "snapshot")
            self.service.publish()
            self.assertEqual(next(iter(stream)).data, {"n": 2})

    def test_a_message_that_is_too_long_is_an_error_and_no_reason_to_connect_again(self):
        with patch("tidemark.stream.JSON_BYTES_MAX", 1_000), tidemark.Stream(self.url) as stream:
            stream.subscribe("index.price")
            self.assertEqual(next(iter(stream)).kind, "snapshot")
            (socket,) = self.service.subscribed
            socket.send(json.dumps({"type": "event", "sid": "s", "data": "x" * 1_000}))
            with self.assertRaises(tidemark.TidemarkError) as refused:
                next(iter(stream))
            self.assertIn("more than 1000 bytes", str(refused.exception))
            self.assertEqual(len(self.service.subscribed), 1)


if __name__ == "__main__":
    unittest.main()
