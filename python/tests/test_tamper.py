"""Changes one published value after the other: each is noticed, unless the documents name it as taken as published."""

import contextlib
import copy
import io
import json
import re
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tidemark._instants import DAY, format_instant, parse_instant
from tidemark.errors import TidemarkError
from tidemark.verify.__main__ import main
from tidemark.verify.answers import SavedAnswers, _target
from tidemark.verify.composition import check_weights
from tidemark.verify.differences import Difference
from tidemark.verify.levels import LevelVerifier, verify_saved

SAVED = Path(__file__).parent / "data" / "saved-levels.jsonl"
INDEX = "idx_sample_lowport"
HISTORY = f"/v1/indexes/{INDEX}/prices?"
TAKEN = {"correction_reason", "input_digest", "window_observation_ids"}
"""Fields of a level that may hold another value of their kind: docs/python.md, "Verify", names them. Exclusions are others."""
TAKEN_OF = {
    "versions": {
        *("status", "link_at", "level_at_link"),
        *("governance", "proposal_id", "announced_at", "effective_at"),
    },
    "methodologies": {"name", "status", "published_at", "supersedes_version", "document_uri", "text_uri"},
    "constituents": {
        *("eligibility_reason_codes", "rating_assessment_id_at_selection"),
        *("market_mapping.mapping_id", "market_mapping.source_event_id", "market_mapping.valid_to"),
    },
    "prices": {
        *("revision", "supersedes_id", "correction_reason", "quality_state", "schema_version"),
        *("source_market_id", "source_observation_ids"),
        *("derived", "derivation_rule", "tick_at", "calculated_at", "methodology_id", "methodology_version"),
    },
    "resolution": {
        *("resolution_id", "revision", "supersedes_id", "correction_reason", "winning_outcome_ids"),
        *("resolved_at", "confirmed_at", "dispute_window_ends_at", "resolver.kind", "resolver.resolver_id"),
        *("evidence.kind", "evidence.source_uri", "evidence.observed_at", "evidence.content_hash"),
    },
}
"""Fields of the records behind a level that may hold another value of their kind. The documents name them too."""

LIST = (Path(__file__).parents[2] / "docs/python.md").read_text(encoding="utf-8").split("**Taken as published**")[1]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yields every value that holds no other, and every empty list, with its path."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from leaves(item, (*path, key))
    if not isinstance(value, dict | list) or value == []:
        yield path, value


def other_than(value: Any) -> Any:
    """Returns another value of the same kind; of instants a later one, of decimals one with another first fraction digit."""
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
    digits = re.fullmatch(r"(\d+\.)(\d)(\d*)", value)
    if digits is not None:
        return f"{digits[1]}{9 - int(digits[2])}{digits[3]}"
    return value[:-1] + ("1" if value[-1] != "1" else "2")


def changed(record: Any, path: tuple[Any, ...]) -> Any:
    """Returns a copy of a record with another value at a path."""
    copied = copy.deepcopy(record)
    inner = copied
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = other_than(inner[path[-1]])
    return copied


def kind_of(target: str) -> str:
    """Returns the last word of a path that is no id: the kind of its records."""
    words = re.findall(r"/(methodologies|versions|constituents|prices|resolution)(?=[/?]|$)", target)
    return str(words[0] if words[0] == "methodologies" else words[-1])


Change = tuple[bool, str, tuple[Any, ...], Any]
"""Whether the value is missing, the answer, the path in it, and a level that rests on it."""
VALUES_EACH = 8


class Tampered(SavedAnswers):
    """Saved answers of which one was changed."""

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self.asked: set[str] = set()

    def get(self, path: str, query: Any) -> dict[str, Any]:
        self.asked.add(_target(path, query))
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

    def rename(self, one: str, other: str) -> None:
        self._by_target = {target.replace(one, other): item for target, item in self._by_target.items()}

    def targets(self, part: str) -> list[str]:
        return [target for target in self._by_target if part in target]


def steps(answers: Tampered, tick_at: str | None) -> list[str]:
    found = verify_saved(answers, INDEX, tick_at)
    return [checked.difference.step for checked in found if checked.difference is not None]


class ChangedLevels(unittest.TestCase):
    maxDiff = None

    def setUp(self) -> None:
        self.answers = Tampered(SAVED)
        self.records = [self.answers.answer(target)["data"] for target in self.answers.targets("?expand=inputs")]
        self.revised = next(record for record in self.records if record["revision"] == 2)
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

    def test_every_value_of_the_records_behind_levels(self) -> None:
        fields: dict[tuple[str, str], list[Change]] = {}
        for record in self.records:
            self.answers.asked.clear()
            self.assertFalse(self.is_noticed(record))
            for target in sorted(self.answers.asked):
                for path, value in leaves(self.answers.answer(target)["data"]):
                    field = ".".join(key for key in path if isinstance(key, str))
                    fields.setdefault((kind_of(target), field), []).append((value in (None, []), target, path, record))
        unnoticed: dict[str, set[str]] = {}
        for (kind, field), found in fields.items():
            # A value that is missing shows less than another one; values of versions that are not in use show nothing.
            tried = sorted(found, key=lambda change: change[0])[:: -(-len(found) // VALUES_EACH)]
            if not any(self.is_change_noticed(*change) for change in tried):
                unnoticed.setdefault(kind, set()).add(field)
        self.assertEqual(unnoticed, TAKEN_OF)
        named = re.findall(r"`([\w.]+)`", LIST.split("\n\n`tidemark.verify.log`")[0])
        listed = TAKEN.union(*TAKEN_OF.values())
        self.assertEqual({field.split(".")[-1] for field in listed} - set(named), set())

    def is_change_noticed(self, _is_missing: bool, target: str, path: tuple[Any, ...], record: Any) -> bool:
        answer = self.answers.answer(target)
        self.answers.replace(target, {**answer, "data": changed(answer["data"], path)})
        try:
            return self.is_noticed(record)
        finally:
            self.answers.replace(target, answer)

    def is_noticed(self, record: Any) -> bool:
        """Reports whether a level differs, or leads to a record that there is not."""
        try:
            return LevelVerifier(self.answers, INDEX).check(record).difference is not None
        except TidemarkError:
            return True

    def test_answers_of_another_index(self) -> None:
        other = "idx_sample_regatta"
        self.answers.rename(INDEX, other)
        (found,) = {str(checked.difference) for checked in verify_saved(self.answers, other, None)}
        self.assertEqual(found, f'index_id of version 1: published "{INDEX}", recomputed "{other}"')

    def test_a_level_listed_twice(self) -> None:
        answer = self.answers.answer(self.history)
        first = answer["data"][0]
        self.answers.replace(self.history, {**answer, "data": [first, first]})
        self.assertEqual(steps(self.answers, None), ["revision in the list"])


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
                ("--file", str(SAVED), "--tick", "2020-01-01T00:00:00Z"): "no level of tick 2020",
            }
            for arguments, expected in cases.items():
                with self.subTest(arguments=arguments):
                    code, line = self.run_main(*arguments)
                    self.assertRegex(line, expected)
                    self.assertEqual(code, 2)

    def test_nothing_to_recompute_is_no_success(self) -> None:
        code, line = self.run_main("--file", str(SAVED), "--index", "idx_other")
        self.assertEqual((code, line), (2, "there is no level of idx_other"))

    def test_a_file_knows_its_indexes_and_ticks(self) -> None:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            self.assertEqual(main(["--file", str(SAVED), "--quiet"]), 0)
            self.assertEqual(main(["--file", str(SAVED), "--tick", "2025-12-05T09:00:00Z", "--quiet"]), 0)
        self.assertEqual(
            printed.getvalue().splitlines(),
            [
                f"note: {INDEX}: 87 of 103 ticks have no level, the first at 2025-12-01T06:00:00Z",
                "17 of 17 levels reproduced",
                "2 of 2 levels reproduced",
            ],
        )


if __name__ == "__main__":
    unittest.main()
