"""Reads every table of a warehouse with delta-rs and with Polars and prints what they see as JSON.

usage: python read_warehouse.py WAREHOUSE
output: {table: {"delta_rs": answer, "polars": answer, "stated_bounds": {column: {"min", "max"}},
         "skipped_by_bounds": [...], "write_refused": sentence or null}}
answer: {"rows": n, "columns": {path: {"nulls": n, ...}}} with, by the column's type,
    decimal  "type", "sum_scaled" (exact), "min", "max"     instant  "type", "sum", "min", "max" in microseconds
    integer  "sum"      boolean  "true" (how many)          text     "sha256"      list  "items" (how many)

Lists and structs are unnested: `inputs[].target_weight` is every target weight of every input. Decimals are summed exactly
(Python integers scaled by the column's scale), instants are compared as integers, texts by the hash of their sorted UTF-8.
"""

import hashlib
import json
import os
import sys
from decimal import Context, Decimal

import deltalake
import polars
import pyarrow as pa
import pyarrow.compute as pc

EXACT = Context(prec=200)


def main(root: str) -> None:
    tables = sorted(name for name in os.listdir(root) if os.path.isdir(os.path.join(root, name, "_delta_log")))
    print(json.dumps({table: look_at(os.path.join(root, table)) for table in tables}))


def look_at(path: str) -> dict:
    return {
        "delta_rs": describe(pa.table(deltalake.DeltaTable(path).to_pyarrow_table())),
        "polars": describe(polars.read_delta(path).to_arrow()),
        "stated_bounds": stated_bounds(path),
        "skipped_by_bounds": skipped_by_bounds(path),
        "write_refused": write_refused(path),
    }


def describe(table: pa.Table) -> dict:
    columns: dict = {}
    for name in table.column_names:
        if name != "published_date":  # the partition column: in the log, not in the data files
            walk(name, table.column(name).combine_chunks(), columns)
    return {"rows": table.num_rows, "columns": columns}


def walk(path: str, array: pa.Array, columns: dict) -> None:
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
    kind = array.type
    if pa.types.is_struct(kind):
        present = array.drop_null()
        for field, child in zip(kind, present.flatten()):
            walk(f"{path}.{field.name}", child, columns)
    elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
        columns[path] = {"nulls": array.null_count, "items": len(array.flatten())}
        walk(f"{path}[]", array.flatten(), columns)
    else:
        integers = pa.types.is_timestamp(kind)
        values = [value.value if integers else value.as_py() for value in array.drop_null()]
        columns[path] = {"nulls": array.null_count, **summary(kind, values)}


def summary(kind: pa.DataType, values: list) -> dict:
    if pa.types.is_decimal(kind):
        total = sum((int(v.scaleb(kind.scale, EXACT)) for v in values), 0)
        bounds = {"min": plain(min(values)), "max": plain(max(values))} if values else {}
        return {"type": f"decimal({kind.precision},{kind.scale})", "sum_scaled": str(total), **bounds}
    if pa.types.is_timestamp(kind):
        bounds = {"min": min(values), "max": max(values)} if values else {}
        return {"type": f"timestamp[{kind.unit},{kind.tz}]", "sum": str(sum(values)), **bounds}
    if pa.types.is_integer(kind):
        return {"sum": str(sum(values))}
    if pa.types.is_boolean(kind):
        return {"true": sum(values)}
    text = "\n".join(sorted(values, key=lambda v: v.encode()))
    return {"sha256": hashlib.sha256(text.encode()).hexdigest()}


def plain(value: Decimal) -> str:
    return format(value, "f")


def stated_bounds(path: str) -> dict:
    """Least and greatest value of each decimal and instant column by the statistics in the log alone, as delta-rs reads them."""
    actions = pa.table(deltalake.DeltaTable(path).get_add_actions(flatten=True))
    bounds: dict = {}
    for name in actions.column_names:
        side, _, column = name.partition(".")
        kind = actions.schema.field(name).type
        if side not in ("min", "max") or not (pa.types.is_decimal(kind) or pa.types.is_timestamp(kind)):
            continue
        values = [v.value if pa.types.is_timestamp(kind) else v.as_py() for v in actions.column(name).combine_chunks().drop_null()]
        if values:
            value = min(values) if side == "min" else max(values)
            bounds.setdefault(column, {})[side] = value if isinstance(value, int) else plain(value)
    return bounds


def skipped_by_bounds(path: str) -> list:
    """Decimal and instant columns where a filter by the least or greatest value finds no row: files wrongly left out."""
    dataset = deltalake.DeltaTable(path).to_pyarrow_dataset()
    lost = []
    for field in dataset.schema:
        if not (pa.types.is_decimal(field.type) or pa.types.is_timestamp(field.type)):
            continue
        column = dataset.to_table(columns=[field.name]).column(field.name)
        for bound, value in pc.min_max(column).items():
            if value.is_valid and dataset.count_rows(filter=pc.field(field.name) == value) == 0:
                lost.append(f"{field.name}: {bound}")
    return lost


def write_refused(path: str) -> "str | None":
    table = deltalake.DeltaTable(path)
    try:
        deltalake.write_deltalake(path, pa.table(table.to_pyarrow_table()), mode="append")
    except Exception as error:  # noqa: BLE001 - the sentence is what the test looks at
        return f"{type(error).__name__}: {error}"
    return None


if __name__ == "__main__":
    main(sys.argv[1])
