"""What an answer must be before it is believed: error objects, records, lists that end, and answers about what was sent."""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from .errors import TidemarkError

EMPTY_PAGES_MAX = 100
"""Empty pages in a row after which a list counts as endless."""

_CODE = re.compile(r"[A-Z][A-Z0-9_]*")


def misshapen(what: str, status: int | None = 200, data: Any = None) -> TidemarkError:
    """Makes the error of an answer that is not of this API; the request is not repeated."""
    error = {"code": "SERVICE_UNAVAILABLE", "message": f"the answer is not this API's: {what}"}
    return TidemarkError(error, status, data)


def error_object(value: Any, retry_after: str | None = None) -> Mapping[str, Any] | None:
    """Returns an error object, whose `retry_after_ms` is a wait that can be kept; None: the value is no error object.

    Without such a wait the field is left out. `retry_after`: the header of the same answer.
    """
    if not isinstance(value, dict) or not isinstance(value.get("message"), str):
        return None
    if not isinstance(value.get("code"), str) or _CODE.fullmatch(value["code"]) is None:
        return None
    wait_ms = _stated_ms(value.get("retry_after_ms")) or _header_ms(retry_after)
    facts = {name: fact for name, fact in value.items() if name != "retry_after_ms"}
    return facts if wait_ms is None else {**facts, "retry_after_ms": wait_ms}


def _stated_ms(value: Any) -> int | float | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number and 0 < value < math.inf else None


def _header_ms(text: str | None) -> int | float | None:
    if text is None or re.fullmatch(r"[0-9]{1,15}(\.[0-9]{1,15})?", text) is None:
        return None
    return _stated_ms(float(text) * 1000)


def record_of(envelope: Any, is_list: bool = False) -> Any:
    """Returns the record of an answer, or the bytes of one that is no JSON. `is_list`: the answer has several records."""
    if isinstance(envelope, bytes):
        return envelope
    data = envelope.get("data") if isinstance(envelope, dict) else None
    if not isinstance(data, list if is_list else dict):
        raise misshapen(f"expected an object with {'a list' if is_list else 'a record'} as data")
    return data


class PageCheck:
    """Check of the pages of one list, which must end."""

    def __init__(self) -> None:
        self._seen: set[str] = {""}
        self._empty = 0

    def page_of(self, envelope: Any) -> tuple[list[Any], str | None]:
        """Returns the records of a page and the cursor of the next one."""
        items = record_of(envelope, is_list=True)
        if not all(isinstance(item, dict) for item in items):
            raise misshapen("expected a list of records")
        page = envelope.get("page") or {}
        cursor = page.get("next_cursor") if isinstance(page, dict) else page
        if cursor is None:
            return items, None
        self._empty = self._empty + 1 if not items else 0
        if not isinstance(cursor, str) or cursor in self._seen or self._empty > EMPTY_PAGES_MAX:
            raise misshapen(f"next_cursor is {cursor!r}; expected None, or a cursor with which the list goes on")
        self._seen.add(cursor)
        return items, cursor


def _itself(*names: str) -> dict[str, str]:
    return {name: name for name in names}


_ORDER = {
    **_itself("account_id", "market_id", "outcome_id", "side", "client_order_id", "limit_price"),
    "quantity": "original_quantity",
}
_TRANSFER = _itself("account_id", "direction", "asset_id", "amount", "destination")


def check_about(operation_id: str, arguments: Mapping[str, Any], body: Any, record: Any) -> None:
    """Raises TidemarkError if the answer to a write is about something else than what was sent."""
    if operation_id == "place_order":
        _compare(record, body, _ORDER)
    elif operation_id == "amend_order":
        _compare(record.get("replacement"), body, _ORDER)
    elif operation_id == "request_transfer":
        _compare(record, body, _TRANSFER)
    elif operation_id == "cancel_order":
        _compare(record, arguments, _itself("order_id"))
    elif operation_id in ("place_orders", "amend_orders"):
        _compare_items(record, body["orders"], "order" if operation_id == "place_orders" else "replacement")
    elif operation_id == "mass_quote":
        _compare_items(record.get("orders"), body["orders"], "order")


def _compare_items(items: Any, sent: Iterable[Mapping[str, Any]], name: str) -> None:
    asked = list(sent)
    count = len(items) if isinstance(items, list) else None
    _compare({"orders": count}, {"orders": len(asked)}, _itself("orders"))
    for index, (item, order) in enumerate(zip(items, asked, strict=True)):
        _compare(item, {"index": index}, _itself("index"))
        if item.get("status") == "accepted":
            _compare(item.get(name), order, _ORDER)


def _compare(answer: Any, sent: Mapping[str, Any], fields: Mapping[str, str]) -> None:
    found: Mapping[str, Any] = answer if isinstance(answer, dict) else {}
    for name, repeated in fields.items():
        if _plain(sent.get(name)) != _plain(found.get(repeated)):
            what = f"{repeated} is {found.get(repeated)!r}; sent: {sent.get(name)!r}"
            raise misshapen(f"{what}; ask what came of it, and do not send it again", None, answer)


def _plain(value: Any) -> str:
    """Writes a value as a text; zeros at the end of a fraction have no meaning."""
    text = str(value)
    return text.rstrip("0").rstrip(".") if re.fullmatch(r"-?[0-9]+\.[0-9]*", text) else text
