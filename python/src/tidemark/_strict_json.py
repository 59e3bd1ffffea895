"""JSON that no two parsers read differently: an object has each key once, and each number has one value."""

import json
import math
from typing import Any

_EXACT_MAX = 2**53 - 1
"""Greatest integer that a double holds, with its neighbors: other parsers round a greater one."""


class DoubledKeyError(ValueError):
    """An object has a key twice, so that one hash or signature would cover two documents."""


def parse_strict(text: str | bytes) -> Any:
    """Parses a JSON text, or raises ValueError; a doubled key is named."""
    return json.loads(
        text,
        object_pairs_hook=_each_once,
        parse_constant=_refused,
        parse_int=lambda digits: _exact(digits, int(digits)),
        parse_float=lambda digits: _exact(digits, float(digits)),
    )


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
