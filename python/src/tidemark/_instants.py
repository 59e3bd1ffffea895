"""Instants as integers of microseconds since 1970-01-01T00:00:00Z, and durations of fixed length."""

from datetime import datetime, timezone
from re import compile as pattern

from .errors import client_error

Micros = int
"""Microseconds, of an instant or a duration."""

SECOND: Micros = 1_000_000
MINUTE: Micros = 60 * SECOND
HOUR: Micros = 60 * MINUTE
DAY: Micros = 24 * HOUR

_INSTANT = pattern(r"(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?Z")
_DURATION = pattern(r"P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")


def parse_instant(text: object, field: str = "instant") -> Micros:
    """Reads an instant in UTC with up to six fraction digits."""
    match = _INSTANT.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise ValueError(f"{field} is {text!r}; expected an instant such as 2026-01-01T00:00:00Z")
    day, time, fraction = match.groups()
    whole = datetime.strptime(f"{day}T{time}+0000", "%Y-%m-%dT%H:%M:%S%z")
    return int(whole.timestamp()) * SECOND + int((fraction or "").ljust(6, "0"))


def optional_instant(text: object, field: str = "instant") -> Micros | None:
    """Reads an instant that may be missing."""
    return None if text is None else parse_instant(text, field)


def format_instant(instant: Micros) -> str:
    """Writes an instant as the service does: without a fraction, in milliseconds or in microseconds."""
    seconds, micros = divmod(instant, SECOND)
    text = datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    fraction = "" if micros == 0 else f".{micros // 1000:03d}" if micros % 1000 == 0 else f".{micros:06d}"
    return f"{text}{fraction}Z"


def micros_of(value: datetime, field: str = "instant") -> Micros:
    """Returns the microseconds of a datetime, which has a time zone."""
    if value.tzinfo is None or value.utcoffset() is None:
        raise client_error("VALIDATION_INSTANT_INVALID", f"{field} is {value}; expected a datetime with a time zone")
    since = value - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return (since.days * 86_400 + since.seconds) * SECOND + since.microseconds


def instant_text(value: datetime, field: str = "instant") -> str:
    """Returns a datetime as the service takes it: in UTC."""
    return format_instant(micros_of(value, field))


def parse_duration(text: object, field: str = "duration") -> Micros:
    """Reads an ISO 8601 duration of fixed length, such as PT5S or P2D."""
    match = _DURATION.fullmatch(text) if isinstance(text, str) else None
    if match is None or not any(match.groups()):
        raise ValueError(f"{field} is {text!r}; expected a duration of fixed length such as PT5S or P2D")
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return weeks * 7 * DAY + days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND
