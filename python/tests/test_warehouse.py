"""Tables of a warehouse that is read from its files."""

import hashlib
import json
import tempfile
import unittest
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import tidemark
from tidemark import TidemarkError


class Warehouses(unittest.TestCase):
    """A table of two commits, of which the second was published later; an old file lacks a column."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "warehouse.json").write_text('{"format":1}')
        for part in ("t/_delta_log", "t/_sealed", ".unfinished"):
            (self.root / part).mkdir(parents=True)
        fields = [
            {"name": "value", "type": "decimal(18,9)", "nullable": True},
            {"name": "later", "type": "string", "nullable": True},
            {"name": "published_at", "type": "timestamp", "nullable": True},
            {"name": "published_date", "type": "date", "nullable": True},
        ]
        schema = json.dumps({"type": "struct", "fields": fields})
        self.commit(0, 1_000_000, {"value": [Decimal("0.1")]}, {"metaData": {"schemaString": schema}})
        self.commit(1, 2_000_000, {"value": [Decimal("0.2")], "later": ["x"]})

    def commit(self, version, stamp, columns, *actions):
        arrays = {name: pa.array(v, pa.decimal128(18, 9) if name == "value" else None) for name, v in columns.items()}
        arrays["published_at"] = pa.array([stamp], pa.timestamp("us", "UTC"))
        file = self.root / f"t/part {version}.parquet"
        pq.write_table(pa.table(arrays), file)
        tags = {"tidemark.sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
        clock = {"sealed_through": stamp}
        domain = {"domain": "tidemark", "configuration": json.dumps(clock), "removed": False}
        lines = [
            {"commitInfo": {}},
            {"domainMetadata": domain},
            *actions,
            {"add": {"path": f"part%20{version}.parquet", "size": file.stat().st_size, "tags": tags}},
        ]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (self.root / f"t/_delta_log/{version:020d}.json").write_text(text)

    def values(self, as_of):
        return tidemark.open(self.root, as_of=as_of).arrow("t", "strings").column("value").to_pylist()

    def test_a_table_shows_what_was_published(self):
        self.assertEqual(self.values("1970-01-01T00:00:01Z"), ["0.100000000"])
        self.assertEqual(self.values("1970-01-01T00:00:02Z"), ["0.100000000", "0.200000000"])
        self.assertEqual(self.values(datetime(1970, 1, 1, 0, 0, 1, tzinfo=timezone.utc)), ["0.100000000"])
        with self.assertRaises(TidemarkError):
            self.values(datetime(1970, 1, 1, 0, 0, 1))
        later = tidemark.open(self.root).arrow("t").column("later").to_pylist()
        self.assertEqual(later, [None, "x"])

    def test_an_instant_that_is_not_sealed_is_refused(self):
        with self.assertRaises(TidemarkError) as caught:
            self.values("1970-01-01T00:00:03Z")
        self.assertEqual(caught.exception.code, "VALIDATION_AS_OF_UNAVAILABLE")
        (self.root / "t/_sealed/3000000").touch()
        self.assertEqual(len(self.values("1970-01-01T00:00:03Z")), 2)
        self.assertRaisesRegex(TidemarkError, "VALIDATION_AS_OF_IN_FUTURE", self.values, "2200-01-01T00:00:00Z")

    def test_a_commit_under_way_is_waited_for(self):
        (self.root / "t/_sealed/3000000").touch()
        other = self.root / ".unfinished/commit-2500000-other_table-0123abcd-1"
        other.touch()
        self.assertEqual(len(self.values("1970-01-01T00:00:03Z")), 2)
        (self.root / ".unfinished/commit-2500000-t-0123abcd-1").touch()
        with self.assertRaises(TidemarkError):
            self.values("1970-01-01T00:00:03Z")

    def test_a_data_file_must_have_the_bytes_of_its_log(self):
        file = self.root / "t/part 0.parquet"
        whole = file.read_bytes()
        changed = whole[:20] + bytes([whole[20] ^ 1]) + whole[21:]
        cases = ((changed, "do not have the hash"), (whole + b"x", f"{len(whole) + 1} bytes"), (None, "is missing"))
        for content, seen in cases:
            file.unlink(missing_ok=True)
            if content is not None:
                file.write_bytes(content)
            with self.subTest(seen), self.assertRaises(TidemarkError) as caught:
                tidemark.open(self.root).arrow("t")
            self.assertEqual(caught.exception.code, "WAREHOUSE_CORRUPT")
            self.assertRegex(str(caught.exception), f"t/part 0.parquet is damaged: .*{seen}")
        file.write_bytes(whole)
        self.assertEqual(len(self.values("1970-01-01T00:00:02Z")), 2)

    def test_a_warehouse_of_a_later_format_is_not_called_damaged(self):
        for text, code in (('{"format":1001}', "WAREHOUSE_SCHEMA_CHANGED"), ('{"format":', "WAREHOUSE_CORRUPT")):
            (self.root / "warehouse.json").write_text(text)
            with self.assertRaises(TidemarkError) as caught:
                tidemark.open(self.root)
            self.assertEqual(caught.exception.code, code)

    def test_a_folder_that_is_no_warehouse_is_refused(self):
        with self.assertRaises(TidemarkError) as caught:
            tidemark.open(self.root / "t")
        self.assertEqual(caught.exception.code, "VALIDATION_INPUT_UNREADABLE")


if __name__ == "__main__":
    unittest.main()
