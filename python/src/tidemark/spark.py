"""Views of a warehouse as of an instant, as table functions of Spark SQL (docs/spark.md).

`python -m tidemark.spark WAREHOUSE [VIEW ...]` prints the statements that `register` runs, for spark-sql and other clients.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from . import warehouse as _warehouse
from ._generated.spark_views import QUERIES, SCHEMAS, VIEWS
from ._instants import Micros, format_instant, instant_text, micros_of
from .errors import client_error
from .verify.tables import decode_row, market_ids
from .verify.tables import recompute as recompute_rows


def register(spark: Any, path: str | Path, *, views: Sequence[str] | None = None) -> list[str]:
    """Creates the function `<view>_as_of(t TIMESTAMP)` of each view in a Spark session, and returns their names.

    `views`: those to create, such as market_quote or market_quote_history; left out: all. A function answers as
    `tidemark sql --as-of` does. It refuses a `t` through which its tables were not sealed when it was created.
    """
    names = []
    for name, statement in _statements(path, views):
        spark.sql(statement)
        names.append(name)
    return names


def _statements(path: str | Path, views: Sequence[str] | None) -> Iterator[tuple[str, str]]:
    for view in VIEWS if views is None else views:
        if view not in VIEWS:
            raise client_error("VALIDATION_USAGE_INVALID", f"view is {view!r}; expected one of {', '.join(VIEWS)}")
    tables = _Tables(path)
    for view in VIEWS if views is None else views:
        yield f"{view}_as_of", _function(view, tables)


class _Tables:
    """Tables of a warehouse with their columns and seals, each read once."""

    def __init__(self, path: str | Path) -> None:
        self._root = str(path) if "://" in str(path) else str(Path(path).absolute())
        self._warehouse = _warehouse.open(path)
        self._names = set(self._warehouse.tables())
        self._known: dict[str, tuple[list[str], Micros]] = {}

    def _of(self, table: str) -> tuple[list[str], Micros]:
        if table not in self._known:
            self._known[table] = self._warehouse.final_schema(table)
        return self._known[table]

    def final_through(self, tables: Sequence[str]) -> Micros | None:
        """Returns the instant through which answers from these tables are final; None: none of them was ever written."""
        return min((self._of(table)[1] for table in tables if table in self._names), default=None)

    def rows(self, table: str, bound: str) -> str:
        """Selects the rows of a table from the days up to an instant; a column that it lacks is null."""
        schema = {name: kind for name, kind in SCHEMAS[table].items() if name != "published_date"}
        found = self._of(table)[0] if table in self._names else []
        columns = ", ".join(
            f"`{name}`" if name in found else f"CAST(NULL AS {kind}) AS `{name}`" for name, kind in schema.items()
        )
        if not found:
            return f"(SELECT {columns} WHERE FALSE)"
        # A day more, because TO_DATE counts days in the zone of the session.
        folder = f"{re.sub('^s3://', 's3a://', self._root)}/{table}".replace("`", "``")
        return f"(SELECT {columns} FROM delta.`{folder}` WHERE published_date <= DATE_ADD(TO_DATE({bound}), 1))"


def _function(view: str, tables: _Tables) -> str:
    """Returns the statement that creates the function of a view."""
    sources, names = VIEWS[view]
    final_through = tables.final_through(sources)
    bound, refused = "t", "FALSE"
    if final_through is not None:
        error = _text(f"VALIDATION_AS_OF_UNAVAILABLE: {view} is final through {format_instant(final_through)}; t is ")
        refusal = f"RAISE_ERROR(CONCAT({error}, CAST(t AS STRING), {_text(_ADVICE)}))"
        bound = f"IF(t <= TIMESTAMP_MICROS({final_through}), t, {refusal})"
        refused = f"IF(t <= TIMESTAMP_MICROS({final_through}), FALSE, {refusal})"

    def query(name: str) -> str:
        def fill(slot: re.Match[str]) -> str:
            if slot[1] == "t":
                return "t"
            if slot[1].startswith("rows__"):
                return tables.rows(slot[1].removeprefix("rows__"), bound)
            return f"({query(slot[1])})"

        return re.sub(r"\{(\w+)\}", fill, QUERIES[name])

    columns = ", ".join(f"`{name}`" for name in names)
    # The second part has no row. It makes Spark refuse `t` also where the first part reads none.
    nothing = f"SELECT {', '.join('NULL' for _ in names)} FROM VALUES (0) AS seal(checked) WHERE {refused}"
    return (
        f"CREATE OR REPLACE TEMPORARY FUNCTION {view}_as_of(t TIMESTAMP) RETURNS TABLE RETURN\n"
        f"SELECT {columns} FROM ({query(view)}) UNION ALL {nothing}"
    )


_ADVICE = "; ask tidemark sql --as-of for it, which seals, then create the functions again"


def _text(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def recompute(spark: Any, path: str | Path, *, as_of: datetime, start: datetime, end: datetime) -> Any:
    """Returns the levels of every index from `start` to before `end` as a DataFrame, computed by the second implementation.

    It reads versions, methodologies, quotes, resolutions, states and trades as known at `as_of`, and no level. Each index is
    computed by one task. A level is that of the first publication: a later revision counts no record that came too late.
    """
    register(spark, path, views=_READ)
    t = f"TIMESTAMP '{instant_text(as_of)}'"
    versions = spark.sql(_VERSIONS.format(t=t)).cache()
    legs = versions.mapInPandas(_legs, "index_id STRING, market_id STRING").distinct()
    legs.createOrReplaceTempView("_tidemark_legs")
    rows = versions
    for kind, query in _RECORDS.items():
        found = spark.sql(query.format(t=t, clocks=_CLOCKS)).selectExpr(
            "market_id", f"'{kind}' AS kind", "TO_JSON(row) AS row"
        )
        rows = rows.unionByName(found.join(legs, "market_id").select("index_id", "kind", "row"))
    micros = micros_of(start, "start"), micros_of(end, "end")
    schema = ", ".join(f"{name} {kind}" for name, kind in _LEVELS.items())
    levels = rows.groupBy("index_id").applyInPandas(lambda group: _levels(group, *micros), schema)
    return levels.selectExpr(
        *(f"TIMESTAMP_MICROS({name}) AS {name}" if name.endswith("_at") else name for name in _LEVELS)
    )


_READ = (
    *("index_definition", "index_version", "methodology", "public_trade"),
    *("market_quote_history", "market_resolution_history", "market_history"),
)
_VERSIONS = """
SELECT v.index_id, 'version' AS kind, TO_JSON(STRUCT(
  v.index_id, v.index_version_id, v.version, v.mode, v.definition, v.constituents, v.calculation_frequency,
  CAST(v.minimum_coverage_ratio AS STRING) AS minimum_coverage_ratio, m.parameters,
  UNIX_MICROS(v.effective_from) AS effective_from, UNIX_MICROS(v.effective_to) AS effective_to,
  d.base_value, UNIX_MICROS(d.base_date) AS base_date
)) AS row
FROM index_version_as_of({t}) AS v
JOIN index_definition_as_of({t}) AS d ON d.index_id = v.index_id
JOIN methodology_as_of({t}) AS m ON m.methodology_id = v.methodology_id AND m.version = v.methodology_version
"""
_CLOCKS = """revision, UNIX_MICROS(source_at) AS source_at, UNIX_MICROS(received_at) AS received_at,
  UNIX_MICROS(GREATEST(received_at, published_at)) AS known_at"""
_RECORDS = {
    "quote": """SELECT market_id, STRUCT(
  market_id, outcome_id, source_series_id, record_id, {clocks}, bid, ask, bid_depth, ask_depth, last_trade,
  reported_probability, UNIX_MICROS(confirmed_at) AS confirmed_at, UNIX_MICROS(last_trade_at) AS last_trade_at
) AS row FROM market_quote_history_as_of({t})""",
    "resolution": """SELECT market_id, STRUCT(
  market_id, source_series_id, resolution_id, {clocks}, finality, payouts, evidence
) AS row FROM market_resolution_history_as_of({t})""",
    "state": """SELECT market_id, STRUCT(
  market_id, {clocks}, status, UNIX_MICROS(schedule.closes_at) AS closes_at,
  UNIX_MICROS(schedule.expected_resolution_at) AS expected_resolution_at
) AS row FROM market_history_as_of({t})""",
    "trade": """SELECT market_id, STRUCT(
  market_id, outcome_id, source_series_id, trade_id, {clocks}, price, quantity
) AS row FROM public_trade_as_of({t}) WHERE correction_kind IS DISTINCT FROM 'void'""",
}
_LEVELS = {
    "index_id": "STRING",
    "tick_at": "BIGINT",
    "index_version": "STRING",
    "level": "DECIMAL(18,4)",
    "source_cutoff_at": "BIGINT",
    "quality_state": "STRING",
    "coverage_ratio": "DECIMAL(18,6)",
    "confidence": "DECIMAL(18,4)",
    "missing_constituent_ids": "ARRAY<STRING>",
}
"""Columns of the computed levels; instants are microseconds until the last step, because pandas has them with nanoseconds."""


def _legs(batches: Iterator[Any]) -> Iterator[Any]:
    import pandas

    for batch in batches:
        found = [(row.index_id, market) for row in batch.itertuples() for market in market_ids(decode_row(row.row))]
        yield pandas.DataFrame(found, columns=["index_id", "market_id"])


def _levels(group: Any, start: Micros, end: Micros) -> Any:
    import pandas

    rows = ((kind, decode_row(text)) for kind, text in zip(group["kind"], group["row"], strict=True))
    index_id = group["index_id"].iloc[0]
    found = [
        (
            *(index_id, tick.tick_at, tick.version, None if tick.level is None else Decimal(tick.level)),
            *(tick.source_cutoff_at, tick.quality_state, Decimal(tick.coverage_ratio), Decimal(tick.confidence)),
            list(tick.missing_constituent_ids),
        )
        for tick in recompute_rows(rows, start, end)
    ]
    return pandas.DataFrame(found, columns=list(_LEVELS), dtype=object)


def main(arguments: Sequence[str]) -> None:
    """Prints the statements for a warehouse."""
    if not arguments:
        sys.exit("usage: python -m tidemark.spark WAREHOUSE [VIEW ...]")
    for _, statement in _statements(arguments[0], arguments[1:] or None):
        print(f"{statement};")


if __name__ == "__main__":
    main(sys.argv[1:])
