"""Answers of a service that leaves fields out, or shows a quote as of another market."""

import unittest
from collections.abc import Mapping
from typing import Any

from tidemark.verify.levels import LevelVerifier


class GivenAnswers:
    """Gives every read the same answer."""

    def __init__(self, data: object) -> None:
        self._data = data

    def get(self, path: str, query: Mapping[str, Any]) -> dict[str, Any]:
        return {"data": self._data, "page": {"next_cursor": None, "has_more": False}}


class AnswersOfALiar(unittest.TestCase):
    def test_a_quote_of_another_market_is_behind_no_level(self) -> None:
        quote = dict.fromkeys(("bid", "ask", "bid_depth", "ask_depth", "last_trade", "last_trade_at"))
        at = "2026-01-01T00:00:00Z"
        shown = {"market_id": "mkt_a", "observation_id": "obs_a.bid", "revision": 1, "source_at": at, "received_at": at}
        shown |= {"published_at": at, "quote": quote | {"reported_probability": None, "confirmed_at": None}}
        late = 2**51
        for market_id, is_found in (("mkt_a", True), ("mkt_b", False)):
            verifier = LevelVerifier(GivenAnswers(shown), "idx_a")
            self.assertEqual(verifier._quote(market_id, "obs_a.bid", late) is not None, is_found)

    def test_a_level_without_a_field_is_a_difference(self) -> None:
        checked = LevelVerifier(GivenAnswers([]), "idx_a").check({"observation_id": "iob_a"})
        self.assertEqual(checked.difference and checked.difference.step, "answers")


if __name__ == "__main__":
    unittest.main()
