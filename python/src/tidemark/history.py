"""Tables of histories: decimals as decimal128 or as text, instants as microseconds in UTC."""

import io
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from .errors import client_error, missing_extra

DIGITS_MAX = 38
"""Digits of a decimal128."""


class Table:
    """Records of a history, as columns."""

    def __init__(self, table: pa.Table, decimals: Sequence[str] = (), instants: Sequence[str] = ()) -> None:
        """`decimals`, `instants`: columns that hold them as text."""
        self._decimals = [name for name in decimals if name in table.column_names]
        for name in instants:
            if name in table.column_names:
                table = _replaced(table, name, table.column(name).cast(pa.timestamp("us", "UTC")))
        self._table = table

    def to_arrow(self, decimals: str = "decimal128") -> pa.Table:
        """Returns a pyarrow.Table. `decimals`: decimal128 or strings.

        A decimal column that comes as text gets the scale of its longest fraction. One with more than 38 digits stays text.
        """
        if decimals not in ("decimal128", "strings"):
            raise client_error("VALIDATION_USAGE_INVALID", f"decimals is {decimals!r}; expected decimal128 or strings")
        if decimals == "strings":
            return _with_text_decimals(self._table)
        table = self._table
        for name in self._decimals:
            table = _replaced(table, name, _decimal_column(table.column(name)))
        return table

    def to_polars(self, decimals: str = "decimal128") -> Any:
        """Returns a polars.DataFrame."""
        try:
            import polars
        except ImportError as error:
            raise missing_extra("polars", "polars") from error
        return polars.from_arrow(self.to_arrow(decimals))

    def to_pandas(self, decimals: str = "decimal128") -> Any:
        """Returns a pandas.DataFrame, whose decimals are decimal.Decimal or text."""
        try:
            import pandas  # noqa: F401
        except ImportError as error:
            raise missing_extra("pandas", "pandas") from error
        return self.to_arrow(decimals).to_pandas(timestamp_as_object=False)

    def to_duckdb(self, connection: Any = None) -> Any:
        """Returns a DuckDB relation, on the connection or else the default one."""
        return duckdb_relation(self.to_arrow(), connection)


def duckdb_relation(table: pa.Table, connection: Any = None) -> Any:
    """Returns a duckdb.DuckDBPyRelation of a table, on the connection or else the default one."""
    try:
        import duckdb
    except ImportError as error:
        raise missing_extra("duckdb", "duckdb") from error
    return (duckdb if connection is None else connection).from_arrow(table)


def table_of_parquet(data: bytes, decimals: Sequence[str] = (), instants: Sequence[str] = ()) -> Table:
    """Reads a history from a Parquet file, in which the columns named are text."""
    return Table(pq.read_table(io.BytesIO(data)), decimals, instants)


def _replaced(table: pa.Table, name: str, column: pa.ChunkedArray) -> pa.Table:
    place = table.column_names.index(name)
    return table.set_column(place, pa.field(name, column.type, table.schema.field(place).nullable), column)


def _decimal_column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Returns the column as decimal128, exactly; a column that has more digits than fit stays as it is."""
    values = [None if text is None else Decimal(text) for text in column.to_pylist()]
    scale = max((-int(value.as_tuple().exponent) for value in values if value is not None), default=0)
    try:
        return pa.chunked_array([pa.array(values, pa.decimal128(DIGITS_MAX, max(scale, 0)))])
    except pa.ArrowInvalid:
        return column


def _with_text_decimals(table: pa.Table) -> pa.Table:
    for place, field in enumerate(table.schema):
        if pa.types.is_decimal(field.type):
            # Arrow's own cast writes small values with an exponent.
            values = [None if value is None else format(value, "f") for value in table.column(place).to_pylist()]
            text = pa.chunked_array([pa.array(values, pa.string())])
            table = table.set_column(place, pa.field(field.name, pa.string(), field.nullable), text)
    return table
