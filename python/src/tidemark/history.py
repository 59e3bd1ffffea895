"""Tables of histories: decimals as decimal128 or as text, instants as microseconds in UTC."""

import io
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from .errors import client_error, missing_extra


class Table:
    """Records of a history, as columns."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def to_arrow(self, decimals: str = "decimal128") -> pa.Table:
        """Returns a pyarrow.Table. `decimals`: decimal128 or strings."""
        if decimals not in ("decimal128", "strings"):
            raise client_error("VALIDATION_USAGE_INVALID", f"decimals is {decimals!r}; expected decimal128 or strings")
        return self._table if decimals == "decimal128" else _with_text_decimals(self._table)

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


def table_of_parquet(data: bytes) -> Table:
    """Reads a history from a Parquet file."""
    return Table(pq.read_table(io.BytesIO(data)))


def _with_text_decimals(table: pa.Table) -> pa.Table:
    for place, field in enumerate(table.schema):
        if pa.types.is_decimal(field.type):
            # Arrow's own cast writes small values with an exponent.
            values = [None if value is None else format(value, "f") for value in table.column(place).to_pylist()]
            text = pa.chunked_array([pa.array(values, pa.string())])
            table = table.set_column(place, pa.field(field.name, pa.string(), field.nullable), text)
    return table
