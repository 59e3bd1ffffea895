"""JSON that no two parsers read differently: an object has each key once, and each number has one value."""

import json
import math
import re
from typing import Any

_EXACT_MAX = 2**53 - 1
"""Greatest integer that a double holds, with its neighbors: other parsers round a greater one."""

_DEPTH_MAX = 500
"""Deepest nesting. Some libraries raise Python's own limit, and the parser then overflows the stack of the process."""
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")


class DoubledKeyError(ValueError):
    """An object has a key twice, so that one hash or signature would cover two documents."""


def parse_strict(text: str | bytes) -> Any:
    """Parses a JSON text, or raises ValueError; a doubled key is named."""
    _check_depth(text if isinstance(text, str) else text.decode("latin-1"))
    return json.loads(
        text,
        object_pairs_hook=_each_once,
        parse_constant=_refused,
        parse_int=lambda digits: _exact(digits, int(digits)),
        parse_float=lambda digits: _exact(digits, float(digits)),
    )


def _check_depth(text: str) -> None:
    if text.count("[") + text.count("{") <= _DEPTH_MAX:
        return
    depth = 0
    for bracket in _BRACKET.finditer(_TEXT.sub("", text)):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > _DEPTH_MAX:
            raise ValueError(f"is nested deeper than {_DEPTH_MAX}")


def _exact(digits: str, value: Any) -> Any:
    if math.isinf(value) or (float(value).is_integer() and abs(value) > _EXACT_MAX):
        raise ValueError(f"{digits[:40]} is a number that parsers round")
    return value


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise DoubledKeyError(f"has the key {json.dumps(key)} twice; allowed: each key once in an object")
        found[key] = value
    return found
