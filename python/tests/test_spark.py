"""Statements for Spark, without Spark."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

from tidemark import TidemarkError, spark
from tidemark._generated.spark_views import VIEWS


class Statements(unittest.TestCase):
    """A warehouse whose table market_quote lacks a column and is sealed."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "warehouse.json").write_text('{"format":1}')
        log = self.root / "market_quote/_delta_log"
        log.mkdir(parents=True)
        self.seal = self.root / "market_quote/_sealed"
        self.seal.mkdir()
        (self.seal / "1700000000000001").touch()
        fields = [{"name": "bid", "type": "decimal(18,9)", "nullable": True}]
        action = {"metaData": {"schemaString": json.dumps({"fields": fields})}}
        (log / f"{0:020d}.json").write_text(json.dumps(action))

    def statement(self, view):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            spark.main([str(self.root), view])
        return printed.getvalue()

    def test_every_view_has_a_whole_statement(self):
        for view in VIEWS:
            text = self.statement(view)
            self.assertIn(f"FUNCTION {view}_as_of(t TIMESTAMP)", text)
            self.assertNotRegex(text, r"[{}]")

    def test_a_function_holds_the_seal_and_the_columns_that_the_table_has(self):
        text = self.statement("market_quote_history")
        self.assertIn("t <= TIMESTAMP_MICROS(1700000000000001)", text)
        self.assertIn("is final through 2023-11-14T22:13:20.000001Z", text)
        self.assertIn("SELECT CAST(NULL AS STRING) AS `record_id`", text)
        self.assertIn("`bid`, CAST(NULL AS DECIMAL(18,9)) AS `ask`", text)
        self.assertIn(f"delta.`{self.root}/market_quote` WHERE published_date <=", text)

    def test_a_commit_under_way_may_be_older_than_the_seal_mark(self):
        (self.root / ".unfinished").mkdir()
        (self.root / ".unfinished/commit-1-market_quote-00000000-x").touch()
        self.assertIn("t <= TIMESTAMP_MICROS(0)", self.statement("market_quote"))

    def test_a_table_that_was_never_written_is_empty_and_has_no_seal(self):
        text = self.statement("schedule_act")
        self.assertIn("WHERE FALSE", text)
        self.assertNotIn("TIMESTAMP_MICROS", text)

    def test_an_unknown_view_is_refused(self):
        with self.assertRaisesRegex(TidemarkError, "view is 'market_quotes'; expected one of market_quote"):
            self.statement("market_quotes")


if __name__ == "__main__":
    unittest.main()
