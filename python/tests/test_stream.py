"""Rules by which the stream follows a subscription, without a network."""

import unittest

from websockets.exceptions import ConnectionClosed

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


if __name__ == "__main__":
    unittest.main()
