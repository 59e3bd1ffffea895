"""Outlier filter of a leg (section 6). It is causal: no later record changes an earlier verdict."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from .._decimals import median
from .._instants import Micros
from .marks import carried, is_same_observation
from .parameters import Parameters
from .records import Mark

_MAD_SCALE = Decimal("1.4826")


@dataclass(frozen=True)
class FilterMemory:
    """Accepted and pending marks, oldest first, one a source observation."""

    accepted: tuple[Mark, ...] = ()
    pending: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """Decision about one mark. `mark` may enter an index; `held_back` is a pending one, with what it was compared with."""

    mark: Mark | None
    memory: FilterMemory
    held_back: Mark | None = None
    reference: Decimal | None = None
    limit: Decimal | None = None


def judge(
    mark: Mark | None,
    memory: FilterMemory,
    cutoff: Micros,
    p: Parameters,
    resolved: bool,
    peers: Sequence[Mark] = (),
) -> Verdict:
    """Decides about the mark of a leg. `peers`: marks that other venues' filters accept for the same question at this tick."""
    if mark is None or mark.rule in ("M0", "frozen"):
        return Verdict(mark, replace(memory, pending=()))
    if memory.accepted and is_same_observation(memory.accepted[-1], mark):
        return Verdict(mark, replace(memory, accepted=_with(memory.accepted, mark)))
    if resolved or not p.outlier_enabled:
        return Verdict(mark, FilterMemory(_window(memory.accepted, p, mark), ()))
    window = [
        known
        for known in memory.accepted[-p.outlier_window :]
        if cutoff - known.confirmed_at <= p.outlier_window_max_age
    ]
    if len(window) < p.outlier_min_n:
        return Verdict(mark, FilterMemory(_window(memory.accepted, p, mark), ()))
    middle = median(known.value for known in window)
    deviation = median(abs(known.value - middle) for known in window)
    limit = p.outlier_k * max(_MAD_SCALE * deviation, p.outlier_floor)
    if memory.pending:
        limit = limit / 2
    if abs(mark.value - middle) <= limit:
        return Verdict(mark, FilterMemory(_window(memory.accepted, p, mark), ()))
    seen = bool(memory.pending) and is_same_observation(memory.pending[-1], mark)
    pending = (memory.pending if seen else (*memory.pending, mark))[-p.outlier_confirm_n :]
    values = [known.value for known in pending]
    confirmed = len(pending) == p.outlier_confirm_n and max(values) - min(values) <= p.outlier_band
    if confirmed or any(abs(mark.value - peer.value) <= p.outlier_venue_band for peer in peers):
        return Verdict(mark, FilterMemory(_window(memory.accepted, p, *pending), pending))
    usable = memory.accepted[-1]
    in_time = cutoff - usable.confirmed_at <= p.max_carry
    stand_in = carried(usable, "M7") if in_time else None
    return Verdict(stand_in, FilterMemory(memory.accepted, pending), mark, middle, limit)


def _window(accepted: tuple[Mark, ...], p: Parameters, *marks: Mark) -> tuple[Mark, ...]:
    """Adds accepted marks to the window, which is what the next tick remembers (section 16).

    A run of pending marks may show an observation again after another one: as in the run, it then counts again.
    """
    if len(marks) == 1:
        return _with(accepted, marks[0])[-p.outlier_window :]
    new = tuple(mark for mark in marks if not any(is_same_observation(known, mark) for known in accepted))
    return (*accepted, *new)[-p.outlier_window :]


def _with(marks: tuple[Mark, ...], mark: Mark) -> tuple[Mark, ...]:
    """Adds a mark; the same observation seen again keeps its place and takes the newest confirmation."""
    for place, known in enumerate(marks):
        if is_same_observation(known, mark):
            newest = replace(known, confirmed_at=max(known.confirmed_at, mark.confirmed_at))
            return (*marks[:place], newest, *marks[place + 1 :])
    return (*marks, mark)
