"""Reads Arrow IPC files with pyarrow and with Polars and prints what they see, one line of JSON a file.

usage: python read_arrow.py FILE...
output: {"pyarrow": {"schema": {column: type}, "rows": [...]}, "polars": {...}}, values in one plain form:
    decimals and integers as text, instants and times as text with microseconds, dates as text, lists and structs nested
"""

import datetime
import decimal
import json
import sys

import polars
import pyarrow.ipc


def plain(value):
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, datetime.datetime):
        moment = value if value.tzinfo is None else value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return moment.isoformat(timespec="microseconds")
    if isinstance(value, datetime.time):
        return value.isoformat(timespec="microseconds")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, bool) or value is None or isinstance(value, (str, float)):
        return value
    return str(value)


def main(path):
    with pyarrow.ipc.open_file(path) as file:
        table = file.read_all()
    table.validate(full=True)
    frame = polars.read_ipc(path)
    answers = {
        "pyarrow": {
            "schema": {field.name: str(field.type) for field in table.schema},
            "rows": [plain(row) for row in table.to_pylist()],
        },
        "polars": {
            "schema": {name: str(kind) for name, kind in frame.schema.items()},
            "rows": [plain(row) for row in frame.to_dicts()],
        },
    }
    print(json.dumps(answers))


for file in sys.argv[1:]:
    main(file)
