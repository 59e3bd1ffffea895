"""Answers of a service that leaves fields out, or shows a quote as of another market."""

import os
import tempfile
import unittest
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest import mock

import httpx

from tidemark import Client, TidemarkError
from tidemark.verify.answers import KeptAnswers, SavedAnswers, ServedAnswers
from tidemark.verify.differences import Difference
from tidemark.verify.levels import LevelVerifier, verify_index, verify_saved
from tidemark.verify.records import Leg, Version
from tidemark.verify.sequence import LevelSequence

SAVED = Path(__file__).parent / "data" / "saved-levels.jsonl"


class GivenAnswers:
    """Gives every read the same answer."""

    def __init__(self, data: object) -> None:
        self._data = data

    def get(self, path: str, query: Mapping[str, Any]) -> dict[str, Any]:
        return {"data": self._data, "page": {"next_cursor": None, "has_more": False}}


class RefusedAnswers:
    """Refuses every read with the same error, as a client or as a source of answers."""

    def __init__(self, **error: object) -> None:
        self._error = {"code": "QUERY_TIMEOUT", "message": "too slow", "retryable": True, **error}

    def get(self, path: str, query: Mapping[str, Any]) -> dict[str, Any]:
        raise TidemarkError(self._error, 503)

    def read(self, path: str, query: Mapping[str, Any], final: frozenset[str]) -> dict[str, Any]:
        return self.get(path, query)


class StatedWaits(unittest.TestCase):
    def test_a_wait_that_is_broken_or_too_long_is_no_answer(self) -> None:
        for stated in (31_536_000_000, -5, "x", None, float("nan")):
            answers = ServedAnswers(cast(Client, RefusedAnswers(retry_after_ms=stated)))
            with self.subTest(stated), mock.patch("time.sleep") as sleep, self.assertRaises(TidemarkError) as caught:
                answers.get("/v1/indexes", {"limit": 2})
            sleep.assert_not_called()
            self.assertEqual((caught.exception.code, caught.exception.retryable), ("SERVICE_UNAVAILABLE", True))
            self.assertIn(f"retry_after_ms is {stated!r}", str(caught.exception))

    def test_a_refusal_without_a_wait_is_one_of_a_page_that_is_too_large(self) -> None:
        refusal = {"error": {"code": "VALIDATION_QUERY_LIMIT", "message": "too much", "retryable": False}}
        transport = httpx.MockTransport(lambda _request: httpx.Response(422, json=refusal))
        answers = ServedAnswers(Client("http://service.test", transport=transport))
        with self.assertRaises(TidemarkError) as caught:
            answers.get("/v1/indexes", {"limit": 200})
        self.assertEqual(caught.exception.code, "VALIDATION_QUERY_LIMIT")

    def test_a_wait_in_bounds_is_waited(self) -> None:
        answers = ServedAnswers(cast(Client, RefusedAnswers(retry_after_ms=1500)))
        with mock.patch("time.sleep") as sleep, self.assertRaises(TidemarkError) as caught:
            answers.get("/v1/indexes", {"limit": 2})
        sleep.assert_called_once_with(1.5)
        self.assertEqual(caught.exception.code, "QUERY_TIMEOUT")

    def test_a_rate_limit_is_asked_again_after_its_wait_but_not_for_ever(self) -> None:
        client = RefusedAnswers(code="RATE_LIMIT_EXCEEDED", retry_after_ms=200)
        with mock.patch("time.sleep") as sleep, self.assertRaises(TidemarkError) as caught:
            ServedAnswers(cast(Client, client)).get("/v1/indexes", {"limit": 2})
        self.assertEqual([call.args for call in sleep.call_args_list], [(0.2,)] * 10)
        self.assertEqual(caught.exception.code, "RATE_LIMIT_EXCEEDED")


class SavedFiles(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.file = self.root / "answers.jsonl"
        self.file.write_text("earlier")

    def test_an_earlier_file_stays_until_there_is_an_answer(self) -> None:
        kept = KeptAnswers(RefusedAnswers(), self.file)
        with self.assertRaises(TidemarkError):
            kept.get("/v1/markets", {})
        kept.close()
        self.assertEqual(self.file.read_text(), "earlier")
        self.assertEqual(os.listdir(self.root), [self.file.name])

    def test_a_link_stays_and_its_file_is_replaced(self) -> None:
        link = self.root / "link"
        link.symlink_to(self.file.name)
        kept = KeptAnswers(GivenAnswers([1]), link)
        kept.get("/v1/markets", {})
        self.assertEqual(self.file.read_text(), "earlier")
        kept.close()
        self.assertTrue(link.is_symlink())
        self.assertIn("/v1/markets", self.file.read_text())

    def test_a_pipe_is_written_into(self) -> None:
        pipe = self.root / "pipe"
        os.mkfifo(pipe)
        with ThreadPoolExecutor(1) as pool:
            read = pool.submit(pipe.read_text)
            kept = KeptAnswers(GivenAnswers([1]), pipe)
            kept.get("/v1/markets", {})
            kept.close()
            self.assertIn("/v1/markets", read.result())
        self.assertTrue(pipe.is_fifo())


class Gaps(unittest.TestCase):
    def test_a_run_of_stale_or_suspended_ticks_has_one_level(self) -> None:
        sequence = LevelSequence()
        version = SimpleNamespace(effective_from=0, effective_to=None, frequency=3_600_000_000)
        sequence.versions = [cast(Version, version)]
        for hour, state in ((0, "valid"), (1, "stale"), (4, "suspended"), (6, "degraded"), (8, "valid")):
            level = {"revision": 1, "supersedes_id": None, "observation_id": f"iob_{hour}", "quality_state": state}
            sequence.need_next({**level, "tick_at": f"1970-01-01T0{hour}:00:00Z"})
        self.assertEqual(sequence.gaps(), "1 of 9 ticks have no level, the first at 1970-01-01T07:00:00Z")


class AnswersOfALiar(unittest.TestCase):
    def test_a_quote_of_another_market_or_outcome_is_behind_no_level(self) -> None:
        quote = dict.fromkeys(("bid", "ask", "bid_depth", "ask_depth", "last_trade", "last_trade_at"))
        at = "2026-01-01T00:00:00Z"
        place = {"market_id": "mkt_a", "outcome_id": "out_a"}
        shown = {**place, "observation_id": "obs_a.bid", "revision": 1, "source_at": at, "received_at": at}
        shown |= {"published_at": at, "quote": quote | {"reported_probability": None, "confirmed_at": None}}
        late = 2**51
        leg = Leg(key="a", venue_id="kalshi", **place)
        self.assertIsNotNone(LevelVerifier(GivenAnswers(shown), "idx_a")._quote(leg, "obs_a.bid", late))
        for field in ("market_id", "outcome_id", "observation_id"):
            verifier = LevelVerifier(GivenAnswers({**shown, field: "other_b"}), "idx_a")
            with self.subTest(field=field), self.assertRaisesRegex(Difference, f"{field} of the quote obs_a.bid"):
                verifier._quote(leg, "obs_a.bid", late)

    def test_a_level_without_a_field_is_a_difference(self) -> None:
        checked = LevelVerifier(GivenAnswers([]), "idx_a").check({"observation_id": "iob_a"})
        self.assertEqual(checked.difference and checked.difference.step, "answers")


class ExpandedAnswers:
    """Answers of a service whose list has inputs and quotes, made of answers that were saved one by one."""

    def __init__(self, index_id: str) -> None:
        self._saved = SavedAnswers(SAVED)
        self._path = f"/v1/indexes/{index_id}/prices"
        self._levels = [
            self._saved.get(f"{self._path}/{name}", {"expand": "inputs"})["data"]
            for name in self._saved.levels(index_id)
        ]
        self.asked: list[str] = []

    def get(self, path: str, query: Mapping[str, Any]) -> dict[str, Any]:
        self.asked.append(path)
        if path != self._path or "expand" not in query:
            return self._saved.get(path, query)
        start = int(query.get("cursor", 0))
        end = start + min(query["limit"], 4)
        data = [{**record, "quotes": self._quotes(record)} for record in self._levels[start:end]]
        is_last = end >= len(self._levels)
        return {"data": data, "page": {"next_cursor": None if is_last else str(end), "has_more": not is_last}}

    def _quotes(self, record: Mapping[str, Any]) -> list[dict[str, Any]]:
        found = []
        for leg in (leg for item in record["inputs"] for leg in item["legs"]):
            for name in leg["source_observation_ids"][:1]:
                if name.startswith("obs_"):
                    shown = self._saved.get(f"/v1/markets/{leg['market_id']}/prices/{name}", {})["data"]
                    fields = (
                        "revision",
                        "market_id",
                        "outcome_id",
                        "source_at",
                        "received_at",
                        "published_at",
                        "quote",
                    )
                    found.append({"observation_id": name, **{field: shown[field] for field in fields}})
        return found


class LevelsOfAPage(unittest.TestCase):
    def test_levels_and_quotes_come_with_the_pages(self) -> None:
        index_id = SavedAnswers(SAVED).index_ids()[0]
        answers = ExpandedAnswers(index_id)
        checked = list(verify_index(answers, index_id))
        self.assertEqual([item.difference for item in checked], [None] * len(checked))
        self.assertEqual(len(checked), len(SavedAnswers(SAVED).levels(index_id)))
        alone = [path for path in answers.asked if "/prices/" in path]
        self.assertEqual(alone, [])

    def test_a_file_of_pages_is_recomputed_whole_or_by_tick_and_observation(self) -> None:
        index_id = SavedAnswers(SAVED).index_ids()[0]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "pages.jsonl"
            kept = KeptAnswers(ExpandedAnswers(index_id), file)
            whole = list(verify_index(kept, index_id))
            kept.close()
            saved = SavedAnswers(file)
            self.assertEqual(saved.index_ids(), [index_id])
            self.assertEqual(len(list(verify_saved(saved, index_id, None))), len(whole))
            last = whole[-1].record
            for found in (
                list(verify_saved(saved, index_id, last["tick_at"])),
                list(verify_saved(saved, index_id, None, last["observation_id"])),
            ):
                self.assertIn(last["observation_id"], [item.record["observation_id"] for item in found])
                self.assertEqual([item.difference for item in found], [None] * len(found))


if __name__ == "__main__":
    unittest.main()
