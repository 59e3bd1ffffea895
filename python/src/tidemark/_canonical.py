"""The RFC 8785 form of JSON values without floating point, and hashes of it."""

import hashlib
import json
from collections.abc import Mapping, Sequence


def canonical_json(value: object) -> str:
    """Writes a value of texts, integers, booleans, nulls, lists and objects in the form of RFC 8785."""
    if isinstance(value, float):
        raise ValueError(f"{value!r} is floating point; expected a decimal string")
    if value is None or isinstance(value, (str, bool, int)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        # RFC 8785 3.2.3: names are sorted by their UTF-16 code units.
        names = sorted(value, key=lambda name: str(name).encode("utf-16-be"))
        return "{" + ",".join(f"{canonical_json(str(name))}:{canonical_json(value[name])}" for name in names) + "}"
    if isinstance(value, Sequence):
        return "[" + ",".join(canonical_json(item) for item in value) + "]"
    raise ValueError(f"{type(value).__name__} has no form in JSON; expected text, integer, list, object or null")


def sha256_hex(text: str) -> str:
    """Returns the SHA-256 of a text as lower-case hex."""
    return hashlib.sha256(text.encode()).hexdigest()
