"""Differences between what was published and what is recomputed."""

import json
from decimal import Decimal

from .._instants import Micros, format_instant, parse_instant


class Difference(Exception):
    """First step of a recomputation that differs from what was published."""

    def __init__(self, step: str, stated: object, found: object) -> None:
        super().__init__(f"{step}: published {_shown(stated)}, recomputed {_shown(found)}")
        self.step, self.stated, self.found = step, stated, found


def need(step: str, stated: object, found: object) -> None:
    """Compares a published value with its recomputation."""
    if stated != found or isinstance(stated, bool) != isinstance(found, bool):
        raise Difference(step, stated, found)


def need_instant(step: str, stated: object, found: Micros | None) -> None:
    """Compares a published instant, whatever its digits, with its recomputation in microseconds."""
    if (None if stated is None else parse_instant(stated, step)) != found:
        raise Difference(step, stated, None if found is None else format_instant(found))


def _shown(value: object) -> str:
    """Returns a value as JSON, so that a text differs from a number."""
    return str(value) if isinstance(value, Decimal) else json.dumps(value, default=str, ensure_ascii=False)
