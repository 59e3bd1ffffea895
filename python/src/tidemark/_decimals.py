"""Decimals of 34 significant digits, rounded half even: every formula is defined over them (methodology, section 1)."""

from collections.abc import Callable, Iterable
from decimal import ROUND_HALF_EVEN, Context, Decimal, DivisionByZero, InvalidOperation, Overflow, localcontext
from functools import wraps
from re import compile as pattern
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

ZERO = Decimal(0)
ONE = Decimal(1)

CONTEXT = Context(
    prec=34,
    rounding=ROUND_HALF_EVEN,
    Emin=-999_999,
    Emax=999_999,
    traps=[InvalidOperation, DivisionByZero, Overflow],
)
"""Context of every calculation."""

_WIDE = Context(prec=120, rounding=ROUND_HALF_EVEN, Emin=-999_999, Emax=999_999, traps=[InvalidOperation])
_DECIMAL = pattern(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")

WEIGHT, MARK, PAYOUT, RATIO, CONFIDENCE, LEVEL, LINK, CONTRIBUTION = 10, 6, 6, 6, 4, 4, 12, 12
"""Published scales, in fraction digits (section 2)."""


def exact(function: Callable[P, R]) -> Callable[P, R]:
    """Runs a function under the context of every calculation, whatever context its caller has."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        with localcontext(CONTEXT):
            return function(*args, **kwargs)

    return run


def parse_decimal(text: object, field: str = "decimal") -> Decimal:
    """Reads a decimal of section 2. Numbers of JSON are refused: floating point has lost their digits."""
    if not isinstance(text, str) or _DECIMAL.fullmatch(text) is None:
        raise ValueError(f"{field} is {text!r}; expected a decimal string such as '0.25'")
    return Decimal(text)


def optional_decimal(text: object, field: str = "decimal") -> Decimal | None:
    """Reads a decimal that may be missing."""
    return None if text is None else parse_decimal(text, field)


def rounded(value: Decimal, scale: int) -> Decimal:
    """Rounds half even to a number of fraction digits. Negative zero becomes zero."""
    found = value.quantize(Decimal(1).scaleb(-scale), context=_WIDE)
    return abs(found) if found.is_zero() else found


def published(value: Decimal, scale: int) -> str:
    """Writes a value as it is published: rounded, with trailing zeros."""
    return format(rounded(value, scale), "f")


def plain(value: Decimal) -> str:
    """Writes a value with the digits that it has, without an exponent and trailing zeros."""
    text = format(abs(value) if value.is_zero() else value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def total(values: Iterable[Decimal]) -> Decimal:
    """Adds values in their order."""
    return sum(values, ZERO)


def median(values: Iterable[Decimal]) -> Decimal:
    """Returns the middle value; of an even number the mean of the two middle ones."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 == 1 else (ordered[middle - 1] + ordered[middle]) / 2
