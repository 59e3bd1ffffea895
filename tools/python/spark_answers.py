"""Asks the functions of tidemark.spark in a Spark session and prints what they answer, one JSON object a line.

usage: python spark_answers.py < JOB
job:   {"warehouse", "views": {name: [its own instants]}, "instants": [those of all], "refused": instant or null,
        "recomputed": {"as_of", "start", "end"} or null, "notes": {name: {"table", "sql"}}}
lines: {"view", "rows": {instant: [row]}, "refused": message or null}, {"note", "rows": {instant: [row]}}, {"recomputed": [row]}

Decimals are printed as texts, instants in RFC 3339. A note is answered by DuckDB and Polars, without Spark.
"""

import json
import os
import sys
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import duckdb
from delta import configure_spark_with_delta_pip
from pyspark.sql import SparkSession

import tidemark
import tidemark.spark
from tidemark._instants import instant_text


def main() -> None:
    job = json.load(sys.stdin)
    for name, note in job["notes"].items():
        print_line(note=name, rows={at: rows_of(note_answer(job["warehouse"], note, at)) for at in job["instants"]})
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = session()
    for view in job["views"]:
        print_line(view=view, **answers(spark, job, view))
    if job["recomputed"]:
        span = {name: datetime.fromisoformat(text.replace("Z", "+00:00")) for name, text in job["recomputed"].items()}
        print_line(recomputed=rows_of(tidemark.spark.recompute(spark, job["warehouse"], **span).toArrow()))
    spark.stop()


def session() -> SparkSession:
    """Starts Spark with Delta Lake, whose jars it fetches once into the cache; small, because the tables are."""
    cache = Path(os.environ.get("TIDEMARK_CACHE") or Path.home() / ".cache" / "tidemark")
    settings = {
        "spark.jars.ivy": cache / "spark-ivy",
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.session.timeZone": "America/Los_Angeles",  # answers do not depend on it
        "spark.sql.shuffle.partitions": 1,
        "spark.sql.codegen.wholeStage": "false",
        "spark.databricks.delta.snapshotPartitions": 1,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.warehouse.dir": cache / "spark-warehouse",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, str(value))
    spark = configure_spark_with_delta_pip(builder).getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def answers(spark: SparkSession, job: dict, view: str) -> dict:
    [function] = tidemark.spark.register(spark, job["warehouse"], views=[view])
    instants = list(dict.fromkeys(job["instants"] + job["views"][view]))
    each = [f"SELECT '{at}' AS `asked at`, * FROM {function}(TIMESTAMP '{at}')" for at in instants]
    rows: dict = {at: [] for at in instants}
    for row in rows_of(spark.sql(" UNION ALL ".join(each)).toArrow()):
        rows[row.pop("asked at")].append(row)
    return {"rows": rows, "refused": refusal(spark, function, job["refused"])}


def refusal(spark: SparkSession, function: str, at: str) -> "str | None":
    try:
        spark.sql(f"SELECT COUNT(*) FROM {function}(TIMESTAMP '{at}')").collect()
    except Exception as error:  # noqa: BLE001 - the sentence is what the test looks at
        return str(error)
    return None


def note_answer(warehouse: str, note: dict, at: str):
    """Answers a note of docs/warehouse.md as of an instant: its SQL in DuckDB, or its filter in Polars."""
    known = tidemark.open(warehouse, as_of=at)
    if note["sql"] is None:
        return known.polars(note["table"]).collect().to_arrow()
    database = known.duckdb(duckdb.connect(), tables=[note["table"]])
    return database.sql(note["sql"]).to_arrow_table()


def rows_of(table) -> list:
    return [plain(row) for row in table.to_pylist()]


def plain(value):
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, datetime):
        return instant_text(value)
    if isinstance(value, date):
        return value.isoformat()
    return format(value, "f") if isinstance(value, Decimal) else value


def print_line(**line) -> None:
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
