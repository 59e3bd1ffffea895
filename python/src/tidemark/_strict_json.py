"""JSON that no two parsers read differently: an object has each key once."""

import json
from typing import Any


class DoubledKeyError(ValueError):
    """An object has a key twice, so that one hash or signature would cover two documents."""


def parse_strict(text: str | bytes) -> Any:
    """Parses a JSON text, or raises ValueError; a doubled key is named."""
    return json.loads(text, object_pairs_hook=_each_once)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise DoubledKeyError(f"has the key {json.dumps(key)} twice; allowed: each key once in an object")
        found[key] = value
    return found
