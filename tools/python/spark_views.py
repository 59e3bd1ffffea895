"""Translates the queries of our views into Spark's SQL and prints the module that the Python package ships.

usage: python spark_views.py DIGEST < SOURCE     (tools/docs/spark-views.ts gives both)

sqlglot translates; the rules below are what it leaves. A function that Spark is not known to have ends the run, so a view that
Spark cannot answer is found when it is written.
"""

import json
import re
import sys

import sqlglot
from sqlglot import ErrorLevel, exp
from sqlglot.transforms import eliminate_qualify

SLOT = "slot__"
INSTANT = "instant__at"


def main(digest: str) -> None:
    source = json.load(sys.stdin)
    asked = source["relations"] + source["views"]
    names = {item["name"] for item in asked} | {f"rows__{table}" for table in source["schemas"]}
    bodies = {item["name"]: translate(item["query"], names) for item in asked}
    views = {item["name"]: (item["tables"], item["columns"]) for item in source["views"]}
    print(HEAD.format(digest=digest), end="")
    print_table("QUERIES", "dict[str, str]", "Query of each view, and of the rows that it reads; {name} stands for a query.", bodies)
    print_table("VIEWS", "dict[str, tuple[list[str], list[str]]]", "Tables and columns of each view.", views)
    schemas = {table: {item["name"]: spark_type(item["type"]) for item in schema["fields"]} for table, schema in source["schemas"].items()}
    print_table("SCHEMAS", "dict[str, dict[str, str]]", "Columns of each table with their types; published_date is of the log.", schemas)


HEAD = '''"""Views of a warehouse in Spark's SQL, made from the queries of `tidemark sql` by `npm run docs`.

source: {digest}
"""
'''


PLAIN = {"integer": "INT", "long": "BIGINT"}


def spark_type(kind) -> str:
    """Returns a column type of Delta's schema as Spark's SQL writes it."""
    if isinstance(kind, str):
        return PLAIN.get(kind, kind.upper())
    if kind["type"] == "array":
        return f"ARRAY<{spark_type(kind['elementType'])}>"
    fields = [f"`{item['name']}`: {spark_type(item['type'])}" for item in kind["fields"]]
    return f"STRUCT<{', '.join(fields)}>"


def print_table(name: str, kind: str, meaning: str, items: dict) -> None:
    print(f"\n{name}: {kind} = {{")
    for key, value in items.items():
        print(f"    {key!r}: {value!r},")
    print(f'}}\n"""{meaning}"""')


def translate(query: str, names: set[str]) -> str:
    tree = sqlglot.parse_one(query, read="duckdb")
    name_slots(tree, names)
    for select in list(tree.find_all(exp.Select)):
        filter_by_window(select)
        replace_columns(select)
        unnest_lists(select)
    tree = tree.transform(in_spark)
    unknown = {node.name.upper() for node in tree.find_all(exp.Anonymous)} - ADDED
    if unknown:
        raise SystemExit(f"{', '.join(sorted(unknown))} is not known to Spark; translate it in tools/python/spark_views.py")
    return re.sub(rf"{SLOT}(\w+)", r"{\1}", tree.sql("spark", unsupported_level=ErrorLevel.RAISE))


def name_slots(tree: exp.Expression, names: set[str]) -> None:
    """Marks the relations that other queries define, and the instant."""
    own = {cte.alias for cte in tree.find_all(exp.CTE)}
    for table in tree.find_all(exp.Table):
        if table.name in names - own:
            table.set("this", exp.to_identifier(SLOT + table.name))
    for column in tree.find_all(exp.Column):
        if column.name == INSTANT:
            column.replace(exp.column(f"{SLOT}t"))


def filter_by_window(select: exp.Select) -> None:
    """Moves `qualify` into a query around its own; a star there leaves the added column out."""
    if not select.args.get("qualify"):
        return
    outer = eliminate_qualify(select.copy())
    if any(isinstance(item, exp.Star) for item in outer.expressions):
        inner = outer.args["from_"].this.this.expressions
        outer.set("expressions", [exp.Star(except_=[exp.column(item.alias) for item in inner if item.alias == "_w"])])
    select.args.clear()
    for name, value in outer.args.items():
        select.set(name, value)


def replace_columns(select: exp.Select) -> None:
    """Writes `* replace (x as a)` as a star without the column, and the column after it."""
    for star in [item for item in select.expressions if item.find(exp.Star) and item.is_star]:
        inner = star if isinstance(star, exp.Star) else star.this
        replaced = inner.args.get("replace") or []
        if replaced:
            inner.set("replace", None)
            without = inner.args.get("except_") or []
            inner.set("except_", [*without, *(exp.column(item.alias) for item in replaced)])
            select.set("expressions", [*select.expressions, *replaced])


def unnest_lists(select: exp.Select) -> None:
    """Writes the unnested lists of a query as one lateral view, of which `generate_subscripts` is the place from 1."""
    lists = [item for item in select.expressions if isinstance(item.unalias(), exp.Explode)]
    if not lists:
        return
    arrays = [item.unalias().this for item in lists]
    whole = arrays[0] if len(arrays) == 1 else exp.func("ARRAYS_ZIP", *arrays)
    generator = exp.func("POSEXPLODE", whole)
    for item in lists:
        value = exp.column("unnested")
        if len(lists) > 1:
            value = exp.Dot(this=value, expression=exp.to_identifier(str(lists.index(item)), quoted=True))
        item.replace(exp.alias_(value, item.alias))
    for item in select.expressions:
        call = item.unalias()
        if isinstance(call, exp.Anonymous) and call.name == "generate_subscripts":
            item.replace(exp.alias_(exp.column("place") + 1, item.alias))
    columns = [exp.to_identifier("place"), exp.to_identifier("unnested")]
    alias = exp.TableAlias(this=exp.to_identifier("unnested_list"), columns=columns)
    select.append("laterals", exp.Lateral(this=generator, view=True, alias=alias))


ADDED = {"ARRAYS_OVERLAP", "ARRAYS_ZIP", "ARRAY_POSITION", "COLLECT_SET", "GET", "POSEXPLODE", "SIZE", "UNIX_MILLIS"}
"""Functions of Spark that the rules of this file write."""


def in_spark(node: exp.Expression) -> exp.Expression:
    """Returns what Spark has in the place of one expression."""
    if isinstance(node, exp.UnixToTime):
        return exp.func("UNIX_MILLIS", node.this)
    if isinstance(node, exp.Length):  # our queries take the length of lists alone
        return exp.func("SIZE", node.this)
    if isinstance(node, exp.ArrayOverlaps):
        return exp.func("ARRAYS_OVERLAP", node.this, node.expression)
    if isinstance(node, exp.Bracket):  # beyond the end: null, and not an error
        return exp.func("GET", node.this, *node.expressions)
    if isinstance(node, exp.Tuple) and isinstance(node.parent, exp.ArgMax):
        return exp.func("STRUCT", *node.expressions)
    if isinstance(node, exp.ArrayAgg) and node.find(exp.Distinct):
        [value] = node.find(exp.Distinct).expressions
        return exp.func("ARRAY_SORT", exp.func("COLLECT_SET", value))
    if isinstance(node, exp.Array) and isinstance(node.expressions[0] if node.expressions else None, exp.Comprehension):
        [each] = node.expressions
        return exp.Transform(this=each.args["iterator"], expression=exp.Lambda(this=each.this, expressions=[each.expression]))
    if isinstance(node, exp.Anonymous) and node.name == "list_unique":
        return exp.func("SIZE", exp.ArrayDistinct(this=exp.ArrayCompact(this=in_spark(node.expressions[0]))))
    if isinstance(node, exp.Anonymous) and node.name == "list_position":
        return exp.func("NULLIF", exp.func("ARRAY_POSITION", *node.expressions), exp.Literal.number(0))
    return node


if __name__ == "__main__":
    main(*sys.argv[1:])
