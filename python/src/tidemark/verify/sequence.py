"""Order and completeness of a history: which levels should be in it."""

from typing import Any

from .._instants import Micros, format_instant, parse_instant
from .differences import need
from .records import Version

_ONE_A_RUN = ("stale", "suspended")
"""States of which an unbroken run has one level, at its first tick (methodology index-2, 12)."""


class LevelSequence:
    """Levels of one history, in its order."""

    def __init__(self) -> None:
        self.versions: list[Version] = []
        # Newest revision of each tick, with its id and state.
        self._last: dict[Micros, tuple[int, str, str]] = {}

    def need_next(self, record: Any) -> None:
        """Checks that a level is the next revision of its tick: a history has each once, and leaves none out."""
        tick = parse_instant(record["tick_at"], "tick_at")
        revision, before, _ = self._last.get(tick, (0, None, ""))
        need("revision in the list", record["revision"], revision + 1)
        need("supersedes_id in the list", record["supersedes_id"], before)
        self._last[tick] = (record["revision"], record["observation_id"], record["quality_state"])

    def gaps(self) -> str | None:
        """Returns the line about ticks that have no level and need one, up to the last level; None: there are none."""
        if not self._last:
            return None
        expected = self._ticks(max(self._last))
        missing, state = [], ""
        for tick in expected:
            if tick in self._last:
                state = self._last[tick][2]
            elif state not in _ONE_A_RUN:
                missing.append(tick)
        if not missing:
            return None
        return f"{len(missing)} of {len(expected)} ticks have no level, the first at {format_instant(missing[0])}"

    def _ticks(self, last: Micros) -> list[Micros]:
        found: list[Micros] = []
        for version in self.versions:
            first = -(-version.effective_from // version.frequency) * version.frequency
            end = last + 1 if version.effective_to is None else min(last + 1, version.effective_to)
            found.extend(range(first, end, version.frequency))
        return found
