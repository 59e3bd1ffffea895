"""Tables of a warehouse as known at an instant, read from its files without a server (docs/warehouse.md)."""

import hashlib
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.fs as fs
import pyarrow.parquet as pq

from ._instants import Micros, format_instant, micros_of, parse_instant
from .errors import TidemarkError, client_error, missing_extra
from .history import Table

_DOMAIN = "tidemark"
_COMMIT = re.compile(r"(\d{20})\.json")
_ANNOUNCEMENT = re.compile(r"commit-\d+-(?:([a-z_]+)-)?[0-9a-f]{8}-")


def open(path: str | Path, *, as_of: str | datetime | None = None) -> "Warehouse":
    """Opens a warehouse: a folder, or an s3:// address.

    With `as_of` each table shows exactly what was published at or before that instant. A table that is not sealed through it
    is refused, because its answer could still change. Without `as_of` a table shows what is there now, and promises nothing.
    """
    root = str(path)
    if "://" in root:
        filesystem, folder = fs.FileSystem.from_uri(root)
    else:
        filesystem, folder = fs.LocalFileSystem(), str(Path(root).absolute())
    if "\0" in root or not folder or filesystem.get_file_info(f"{folder}/warehouse.json").type != fs.FileType.File:
        raise client_error(
            "VALIDATION_INPUT_UNREADABLE", f"{root} is no warehouse; expected a folder with warehouse.json"
        )
    _require_format(filesystem, f"{folder}/warehouse.json")
    return Warehouse(filesystem, folder, _micros(as_of))


_FORMAT = 1


def _require_format(filesystem: fs.FileSystem, file: str) -> None:
    with filesystem.open_input_stream(file) as stream:
        content = stream.read()
    try:
        marker = json.loads(content)
    except ValueError:
        marker = None
    found = marker.get("format") if isinstance(marker, dict) else None
    if isinstance(found, int) and found > _FORMAT:
        message = f"{file} has format {found}, which a later release wrote; expected {_FORMAT}"
        raise client_error("WAREHOUSE_SCHEMA_CHANGED", message)
    if found != _FORMAT:
        raise client_error("WAREHOUSE_CORRUPT", f"{file} is damaged")


def _micros(as_of: str | datetime | None) -> Micros | None:
    if isinstance(as_of, datetime):
        return micros_of(as_of, "as_of")
    try:
        return None if as_of is None else parse_instant(as_of, "as_of")
    except ValueError as error:
        raise client_error("VALIDATION_INSTANT_INVALID", str(error)) from error


@dataclass
class _Log:
    """State of the log of one table: its data files and its seal."""

    files: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Size and SHA-256 of each data file, by its path."""
    schema: str | None = None
    sealed_through: Micros = 0

    def apply(self, action: Mapping[str, Any]) -> None:
        """Applies one action of a commit or a checkpoint."""
        if action.get("add"):
            add = action["add"]
            self.files[unquote(add["path"])] = (add["size"], dict(add["tags"])["tidemark.sha256"])
        elif action.get("remove"):
            self.files.pop(unquote(action["remove"]["path"]), None)
        elif action.get("metaData"):
            self.schema = action["metaData"]["schemaString"]
        elif action.get("domainMetadata") and action["domainMetadata"]["domain"] == _DOMAIN:
            self.sealed_through = json.loads(action["domainMetadata"]["configuration"])["sealed_through"] or 0


_CHECKED: set[tuple[str, str, str]] = set()
"""Data files that had the bytes of their log: kind of the store, path and hash."""
_PIECE_BYTES = 1 << 20


def _damaged(file: str, seen: str) -> TidemarkError:
    return client_error("WAREHOUSE_CORRUPT", f"data file {file} is damaged: {seen}")


class Warehouse:
    """Tables of a warehouse, as known at one instant."""

    def __init__(self, filesystem: fs.FileSystem, folder: str, as_of: Micros | None) -> None:
        self._fs, self._folder, self._as_of = filesystem, folder, as_of

    def tables(self) -> list[str]:
        """Returns the names of the tables that have a log."""
        found = self._fs.get_file_info(fs.FileSelector(self._folder, recursive=False))
        names = sorted(item.base_name for item in found if item.type == fs.FileType.Directory)
        return [name for name in names if self._exists(f"{name}/_delta_log")]

    def dataset(self, table: str) -> tuple[ds.Dataset, pc.Expression | None]:
        """Returns the data files of a table as an Arrow data set, and the filter that leaves out what came later."""
        log = self._sealed_log(table)
        schema = _arrow_schema(log.schema)
        paths = [self._checked(f"{table}/{file}", *stated) for file, stated in log.files.items()]
        found = ds.dataset(paths, schema=schema, format="parquet", filesystem=self._fs)
        if self._as_of is None:
            return found, None
        return found, pc.field("published_at") <= pa.scalar(self._as_of, pa.timestamp("us", "UTC"))

    def arrow(self, table: str, decimals: str = "decimal128") -> Any:
        """Returns a table as a pyarrow.Table. `decimals`: decimal128 or strings."""
        found, known = self.dataset(table)
        return Table(found.to_table(filter=known)).to_arrow(decimals)

    def polars(self, table: str) -> Any:
        """Returns a table as a polars.LazyFrame, which reads the columns and rows that a query needs."""
        try:
            import polars
        except ImportError as error:
            raise missing_extra("polars", "polars") from error
        found, known = self.dataset(table)
        frame = polars.scan_pyarrow_dataset(found)
        if known is None:
            return frame
        stamp = polars.lit(self._as_of).cast(polars.Datetime("us", "UTC"))
        return frame.filter(polars.col("published_at") <= stamp)

    def duckdb(self, connection: Any = None, tables: Sequence[str] | None = None) -> Any:
        """Returns a DuckDB connection that has each table as a view of its name.

        `tables` names those to show, and one that is not sealed through `as_of` is refused. Left out, such tables have no view.
        """
        try:
            import duckdb
        except ImportError as error:
            raise missing_extra("duckdb", "duckdb") from error
        database = duckdb.connect() if connection is None else connection
        database.execute("set TimeZone = 'UTC'")
        for table in self.tables() if tables is None else tables:
            try:
                found, _ = self.dataset(table)
            except TidemarkError as error:
                if tables is None and error.code == "VALIDATION_AS_OF_UNAVAILABLE":
                    continue
                raise
            database.register(f"_{table}", found)
            limit = "" if self._as_of is None else f" where published_at <= make_timestamptz({self._as_of})"
            database.execute(f'create or replace temp view "{table}" as select * from "_{table}"{limit}')
        return database

    def sealed_through(self, table: str) -> str | None:
        """Returns the instant through which a table is sealed: nothing will be published at or before it any more."""
        through = max(self._mark(table), self._log(table).sealed_through)
        return format_instant(through) if through else None

    def _sealed_log(self, table: str) -> _Log:
        """Reads the log of a table; refuses one that is not sealed through `as_of`."""
        if self._as_of is None:
            return self._log(table)
        log, final_through = self._final_log(table)
        if final_through >= self._as_of:
            return log
        if self._as_of > time.time_ns() // 1000:
            raise client_error(
                "VALIDATION_AS_OF_IN_FUTURE",
                f"as_of is {format_instant(self._as_of)}; allowed: an instant that is past",
            )
        raise client_error(
            "VALIDATION_AS_OF_UNAVAILABLE",
            f"{table} is sealed through {format_instant(final_through)}; "
            f"as_of is {format_instant(self._as_of)}: its answer could still change",
            retryable=True,
        )

    def _final_log(self, table: str) -> tuple[_Log, Micros]:
        """Reads the log of a table, and the instant through which its answers are final.

        A commit that is under way may have an earlier stamp than the seal mark, so the mark counts only without one.
        """
        mark = self._mark(table)
        pending = self._announced(table)
        log = self._log(table)
        return log, max(log.sealed_through, 0 if pending else mark)

    def final_schema(self, table: str) -> tuple[list[str], Micros]:
        """Returns the columns of a table, and the microsecond through which its answers are final; 0: none is."""
        log, final_through = self._final_log(table)
        return [item["name"] for item in json.loads(log.schema or '{"fields": []}')["fields"]], final_through

    def _mark(self, table: str) -> Micros:
        """Returns the seal mark of a table: the greatest name in its folder; 0 where there is none."""
        names = self._names(f"{table}/_sealed")
        return max((int(name) for name in names if name.isdigit()), default=0)

    def _announced(self, table: str) -> list[str]:
        """Returns the announcements of commits under way, which may have an earlier stamp than the seal mark."""
        return [name for name in self._names(".unfinished") if _announces(name, table)]

    def _log(self, table: str) -> _Log:
        folder = f"{table}/_delta_log"
        if not self._exists(folder):
            raise client_error(
                "VALIDATION_USAGE_INVALID", f"table is {table!r}; expected one of {', '.join(self.tables())}"
            )
        log, version = _Log(), -1
        if self._exists(f"{folder}/_last_checkpoint"):
            version = json.loads(self._bytes(f"{folder}/_last_checkpoint"))["version"]
            rows = pq.read_table(pa.BufferReader(self._bytes(f"{folder}/{version:020d}.checkpoint.parquet")))
            for row in rows.to_pylist():
                log.apply(row)
        numbers = (int(match[1]) for name in self._names(folder) if (match := _COMMIT.fullmatch(name)))
        for number in sorted(number for number in numbers if number > version):
            for line in self._bytes(f"{folder}/{number:020d}.json").decode().splitlines():
                log.apply(json.loads(line))
        return log

    def _checked(self, file: str, size: int, sha256: str) -> str:
        """Returns the path of a data file. Its bytes are compared with the log once in a process, because they never change."""
        path = f"{self._folder}/{file}"
        if (self._fs.type_name, path, sha256) in _CHECKED:
            return path
        found = self._fs.get_file_info(path)
        if found.type != fs.FileType.File:
            raise _damaged(file, "it is missing")
        if found.size != size:
            raise _damaged(file, f"it has {found.size} bytes, its log says {size}")
        digest = hashlib.sha256()
        with self._fs.open_input_stream(path) as stream:
            while piece := stream.read(_PIECE_BYTES):
                digest.update(piece)
        if digest.hexdigest() != sha256:
            raise _damaged(file, "its bytes do not have the hash its log states")
        _CHECKED.add((self._fs.type_name, path, sha256))
        return path

    def _exists(self, path: str) -> bool:
        return bool(self._fs.get_file_info(f"{self._folder}/{path}").type != fs.FileType.NotFound)

    def _names(self, path: str) -> list[str]:
        selector = fs.FileSelector(f"{self._folder}/{path}", allow_not_found=True, recursive=False)
        return [item.base_name for item in self._fs.get_file_info(selector)]

    def _bytes(self, path: str) -> bytes:
        with self._fs.open_input_stream(f"{self._folder}/{path}") as file:
            data: bytes = file.read()
            return data


def _announces(name: str, table: str) -> bool:
    """Tests the name of an unfinished file for an announcement of a commit to a table, or to a table that it does not name."""
    match = _ANNOUNCEMENT.match(name)
    return match is not None and match[1] in (None, table)


_PLAIN = {
    "string": pa.string(),
    "long": pa.int64(),
    "integer": pa.int32(),
    "short": pa.int16(),
    "byte": pa.int8(),
    "double": pa.float64(),
    "float": pa.float32(),
    "boolean": pa.bool_(),
    "binary": pa.binary(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us", "UTC"),
    "timestamp_ntz": pa.timestamp("us"),
}


def _arrow_schema(text: str | None) -> pa.Schema:
    """Returns the columns of a table; those that a file lacks are null in its rows. The partition column is in no file."""
    if text is None:
        raise client_error("WAREHOUSE_CORRUPT", "the log has no schema; run tidemark audit")
    fields = [_arrow_field(item) for item in json.loads(text)["fields"] if item["name"] != "published_date"]
    return pa.schema(fields)


def _arrow_field(item: Mapping[str, Any]) -> pa.Field:
    return pa.field(item["name"], _arrow_type(item["type"]), item["nullable"])


def _arrow_type(kind: Any) -> pa.DataType:
    if isinstance(kind, str):
        decimal = re.fullmatch(r"decimal\((\d+),\s*(\d+)\)", kind)
        return pa.decimal128(int(decimal[1]), int(decimal[2])) if decimal else _PLAIN[kind]
    if kind["type"] == "array":
        return pa.list_(_arrow_type(kind["elementType"]))
    if kind["type"] == "map":
        return pa.map_(_arrow_type(kind["keyType"]), _arrow_type(kind["valueType"]))
    return pa.struct([_arrow_field(item) for item in kind["fields"]])
