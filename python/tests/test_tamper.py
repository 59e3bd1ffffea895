"""Changes one published value after the other: each is noticed, unless the documents name it as taken as published."""

import contextlib
import copy
import io
import json
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tidemark._instants import DAY, format_instant, parse_instant
from tidemark.errors import TidemarkError
from tidemark.verify.__main__ import main
from tidemark.verify.answers import SavedAnswers
from tidemark.verify.composition import check_weights
from tidemark.verify.differences import Difference
from tidemark.verify.levels import LevelVerifier, verify_saved

SAVED = Path(__file__).parent / "data" / "saved-levels.jsonl"
INDEX = "idx_sample_lowport"
HISTORY = f"/v1/indexes/{INDEX}/prices?"
TAKEN = {"correction_reason", "input_digest", "window_observation_ids"}
"""Fields of a level that may hold another value of their kind: docs/python.md, "Verify", names them. Exclusions are others."""
TAKEN_OF_VERSION = {
    *("market_mapping", "eligibility_status", "eligibility_reason_codes", "rating_assessment_id_at_selection"),
    *("outcome", "source_series_id", "pool_weight"),
}
"""Fields of a constituent that rest on records of its market, or that a constituent of one leg does not use."""


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yields every value that holds no other, and every empty list, with its path."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from leaves(item, (*path, key))
    if not isinstance(value, dict | list) or value == []:
        yield path, value


def other_than(value: Any) -> Any:
    """Returns another value of the same kind; of instants a later one, of decimals one with another last digit."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, list):
        return ["OTHER"]
    if value is None:
        return "1"
    if value.endswith("Z") and "T" in value:
        return f"2031{value[4:]}"
    return value[:-1] + ("1" if value[-1] != "1" else "2")


def changed(record: Any, path: tuple[Any, ...]) -> Any:
    """Returns a copy of a record with another value at a path."""
    copied = copy.deepcopy(record)
    inner = copied
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = other_than(inner[path[-1]])
    return copied


class Tampered(SavedAnswers):
    """Saved answers of which one was changed."""

    def get(self, path: str, query: Any) -> dict[str, Any]:
        try:
            return super().get(path, query)
        except TidemarkError as error:
            if error.code != "OBSERVATION_NOT_SAVED":
                raise
            raise TidemarkError({"code": "PRICE_NOT_FOUND", "message": "as a service would answer"}, 404) from error

    def replace(self, target: str, answer: Any) -> None:
        self._by_target[target] = {"target": target, "answer": answer}

    def answer(self, target: str) -> Any:
        return self._by_target[target]["answer"]

    def targets(self, part: str) -> list[str]:
        return [target for target in self._by_target if part in target]


def steps(answers: Tampered, tick_at: str | None) -> list[str]:
    found = verify_saved(answers, INDEX, tick_at)
    return [checked.difference.step for checked in found if checked.difference is not None]


class ChangedLevels(unittest.TestCase):
    def setUp(self) -> None:
        self.answers = Tampered(SAVED)
        records = [self.answers.answer(target)["data"] for target in self.answers.targets("?expand=inputs")]
        self.revised = next(record for record in records if record["revision"] == 2)
        self.history = self.answers.targets(HISTORY)[0]

    def test_every_value_of_a_level(self) -> None:
        verifier = LevelVerifier(self.answers, INDEX)
        self.assertIsNone(verifier.check(self.revised).difference)
        unnoticed = set()
        for path, _ in leaves(self.revised):
            if path[0] == "excluded_inputs" and path[-1] != "constituent_id":
                continue  # what was left out rests on records that the level does not name
            if verifier.check(changed(self.revised, path)).difference is None:
                unnoticed.add(next(key for key in reversed(path) if isinstance(key, str)))
        self.assertEqual(unnoticed, TAKEN)

    def test_every_value_of_the_list(self) -> None:
        answer = self.answers.answer(self.history)
        first = answer["data"][0]
        for path, _ in leaves(first):
            if path == ("observation_id",):  # the answer about another id is not in the file
                continue
            with self.subTest(path=path):
                self.answers.replace(self.history, {**answer, "data": [changed(first, path)]})
                self.assertEqual(steps(self.answers, None), [f"{path[0]} in the list"])

    def test_a_revision_that_was_left_out(self) -> None:
        answer = self.answers.answer(self.history)
        kept = [item for item in answer["data"] if item["tick_at"] == self.revised["tick_at"]]
        self.assertEqual([item["revision"] for item in kept], [1, 2])
        self.answers.replace(self.history, {**answer, "data": kept[1:]})
        self.assertEqual(steps(self.answers, None), ["revision in the list"])

    def test_every_value_of_a_composition(self) -> None:
        target = next(t for t in self.answers.targets("/constituents") if self.revised["index_version_id"] in t)
        answer = self.answers.answer(target)
        unnoticed = set()
        for path, _ in leaves(answer["data"][0]):
            self.answers.replace(target, {**answer, "data": [changed(answer["data"][0], path), *answer["data"][1:]]})
            if not steps(self.answers, self.revised["tick_at"]):
                unnoticed.add(path[0] if path[0] == "market_mapping" else path[-1])
        self.assertEqual(unnoticed, TAKEN_OF_VERSION)


class MadeByARule(unittest.TestCase):
    """Weights that the rule `equal` and its caps give, and the same with a hundredth moved."""

    def test_weights(self) -> None:
        version = {
            "version": "1",
            "index_version_id": "idv_a",
            "definition": {"weighting": {"rule": "equal"}, "caps": {"venue": "0.40"}},
        }
        venues = {"con_a": "kalshi", "con_b": "kalshi", "con_c": "manifold", "con_d": "polymarket"}
        weights = ["0.2000000000", "0.2000000000", "0.3000000000", "0.3000000000"]
        check_weights(Tampered(SAVED), version, {}, [*map(constituent, venues.items(), weights)])
        moved = ["0.2100000000", "0.2000000000", "0.2900000000", "0.3000000000"]
        with self.assertRaisesRegex(Difference, 'weight of con_a: published "0.2100000000", recomputed "0.2000000000"'):
            check_weights(Tampered(SAVED), version, {}, [*map(constituent, venues.items(), moved)])


class MadeOfRecords(unittest.TestCase):
    """Weights by traded volume and by rating, and the same with a hundredth moved."""

    def setUp(self) -> None:
        rule = {"rule": "sqrt_volume", "rating_multiplier": True}
        self.version = {
            "version": "1",
            "index_version_id": "idv_a",
            "definition": {"weighting": rule},
            "effective_from": "2026-03-01T00:00:00Z",
            "published_at": "2026-02-28T00:00:00Z",
        }

    def check(self, first: str, second: str) -> None:
        named = [(("con_a", "kalshi"), first), (("con_b", "kalshi"), second)]
        markets = ("mkt_a", "mkt_b")
        made = [
            {**constituent(*one), "market_id": market, "rating_assessment_id_at_selection": f"rat_{market}"}
            for one, market in zip(named, markets, strict=True)
        ]
        for item in made:
            item["legs"] = [{**item["legs"][0], "market_id": item["market_id"]}]
        check_weights(TradedAnswers(), self.version, {}, made)

    def test_weights(self) -> None:
        # Median daily volumes 9 and 16, roots 3 and 4, multipliers 0.6 and 0.9: 1.8 and 3.6.
        self.check("0.3333333333", "0.6666666667")
        with self.assertRaisesRegex(Difference, 'weight of con_a: published "0.3433333333"'):
            self.check("0.3433333333", "0.6566666667")


class TradedAnswers:
    """Trades of two markets, each of 30 days, and their ratings; one trade is large, one restated, one voided."""

    def get(self, path: str, query: Any) -> dict[str, Any]:
        if path.startswith("/v1/ratings/"):
            market = path.removeprefix("/v1/ratings/rat_")
            return {"data": {"market_id": market, "band": "MR3" if market == "mkt_a" else "MR2"}}
        quantity = "18" if "mkt_a" in path else "32"
        days = (parse_instant("2026-01-23T12:00:00Z") + day * DAY for day in range(33))
        trades = [trade(str(at), format_instant(at), quantity) for at in days]
        late = "2026-02-27T00:00:00Z"
        trades += [{**trades[0], "received_at": late}, {**trade("large", trades[1]["source_at"], "999")}]
        trades += [{**trades[-1], "received_at": late, "correction": {"kind": "void"}}]
        return {"data": trades, "page": {"next_cursor": None, "has_more": False}}


def trade(name: str, at: str, quantity: str) -> dict[str, Any]:
    """Makes a public trade at a price of a half."""
    facts = {"source_trade_id": name, "source_series_id": None, "source_at": at, "received_at": at, "correction": None}
    return {**facts, "price": "0.5", "quantity": quantity}


def constituent(named: tuple[str, str], weight: str) -> dict[str, Any]:
    """Makes a published constituent of one leg."""
    leg = {"venue_id": named[1], "market_id": "mkt_a", "outcome_id": "out_a"}
    weights = {"target_weight": weight, "effective_weight_at_publication": weight}
    facts = {"constituent_id": named[0], "index_version_id": "idv_a", "normalization": "inverse", "weight_cap": None}
    return {**facts, **weights, **leg, "legs": [leg], "definition": {}}


class WrongUse(unittest.TestCase):
    """Mistakes of whoever calls the command: one line, exit code 2, no traceback."""

    def run_main(self, *arguments: str) -> tuple[int, str]:
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
            try:
                code = main(arguments)
            except SystemExit as exit_:
                code = int(exit_.code or 0)
        return code, errors.getvalue().strip().splitlines()[-1]

    def test_each_is_one_line(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            cut, other, missing = Path(folder, "cut.jsonl"), Path(folder, "other.jsonl"), Path(folder, "no", "x.jsonl")
            text = SAVED.read_text(encoding="utf-8")
            cut.write_text(text[:5_000], encoding="utf-8")
            other.write_text(json.dumps({"data": []}) + "\n", encoding="utf-8")
            cases = {
                ("--file", str(missing)): "No such file",
                ("--file", str(cut)): "ANSWERS_INVALID: line 1 of .* is not JSON",
                ("--file", str(other)): "ANSWERS_INVALID: line 1 of .* is not an answer that --save wrote",
                ("--base-url", "127.0.0.1:9"): "VALIDATION_USAGE_INVALID",
                ("--base-url", "http://127.0.0.1:9", "--save", str(missing)): "No such file",
                ("--file", str(SAVED), "--tick", "2025-12-05"): "tick is '2025-12-05'; expected an instant",
                ("--file", str(SAVED), "--tick", "2020-01-01T00:00:00Z"): "no level has tick",
            }
            for arguments, expected in cases.items():
                with self.subTest(arguments=arguments):
                    code, line = self.run_main(*arguments)
                    self.assertRegex(line, expected)
                    self.assertEqual(code, 2)

    def test_a_file_knows_its_indexes_and_ticks(self) -> None:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            self.assertEqual(main(["--file", str(SAVED), "--quiet"]), 0)
            self.assertEqual(main(["--file", str(SAVED), "--tick", "2025-12-05T09:00:00Z", "--quiet"]), 0)
        self.assertEqual(printed.getvalue(), "17 of 17 levels reproduced\n2 of 2 levels reproduced\n")


if __name__ == "__main__":
    unittest.main()
