"""The calculation of an index from every record of its legs: ticks, versions and links (sections 3 to 12, 16)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from .._decimals import CONFIDENCE, MARK, RATIO, exact, plain, published
from .._instants import Micros
from .admission import Admitted, admit
from .fixing import fixing_mark, is_fixing_tick
from .level import GAUGE, Gate, Input, Sums, decide_state, first_factor, level_text, linked_factor, sums_of
from .marks import freeze_instant, freshness_of, is_crossed, raw_mark, remember
from .normalize import FRESHNESS, LegValue, Value, confidence_of_legs, normalize
from .outlier import FilterMemory, Verdict, judge
from .records import Constituent, Index, Leg, LegRecords, Mark, Version

HAMPEL = "HAMPEL_5"

Records = Mapping[str, LegRecords]
"""Records by the key of their leg."""


@dataclass(frozen=True)
class LegMemory:
    """Marks of earlier ticks and the state of the filter of one leg."""

    earlier: tuple[Mark, ...] = ()
    filter: FilterMemory = field(default_factory=FilterMemory)


@dataclass(frozen=True)
class Memory:
    """Everything that a tick remembers for the next one."""

    legs: Mapping[str, LegMemory] = field(default_factory=dict)
    pools: Mapping[str, frozenset[str]] = field(default_factory=dict)
    last_level: tuple[str, Micros] | None = None


@dataclass(frozen=True)
class Evaluation:
    """Values of the constituents of a version at one cutoff, and their sums."""

    values: tuple[Value, ...]
    inputs: tuple[Input, ...]
    sums: Sums
    fixing_failed: bool
    memory: Memory
    legs: Mapping[str, LegValue]


@dataclass(frozen=True)
class Tick:
    """Result of one tick, as published."""

    tick_at: Micros
    version: str
    level: str | None
    source_cutoff_at: Micros | None
    quality_state: str
    coverage_ratio: str
    confidence: str
    link_factor: Decimal | None
    missing_constituent_ids: tuple[str, ...]
    reason_codes: tuple[str, ...]
    excluded_inputs: tuple[Mapping[str, str], ...]
    source_ids: tuple[str, ...]


def evaluate(
    version: Version,
    records: Records,
    memory: Memory,
    cutoff: Micros,
    grace: Micros | None,
    admits: Version | None = None,
) -> Evaluation:
    """Computes marks, filters, values and sums of a version at a cutoff (steps 2 to 6 of section 16).

    `admits`: version whose inputs are admitted, where it is another one: at a link both compositions have the same inputs.
    """
    p, admitting = version.parameters, admits or version
    admitted = {
        leg.key: admit(records.get(leg.key, LegRecords()), cutoff, grace, admitting.parameters.settles_from_final)
        for constituent in version.constituents
        for leg in constituent.legs
    }
    legs: dict[str, LegValue] = {}
    remembered: dict[str, LegMemory] = {}
    for constituent in version.constituents:
        for key, (value, kept) in _leg_values(constituent, admitted, memory, cutoff, version).items():
            legs[key], remembered[key] = value, kept
    failed = is_fixing_tick(admitting.fixing, cutoff) and _apply_fixings(admitting, records, legs, cutoff, grace)
    values = tuple(
        normalize(c, legs, cutoff, p, version.roll, memory.pools.get(c.constituent_id, frozenset()), _ends(admitted))
        for c in version.constituents
    )
    inputs = tuple(input_of(c, v, legs, cutoff, version) for c, v in zip(version.constituents, values, strict=True))
    pools = {c.constituent_id: v.still_out for c, v in zip(version.constituents, values, strict=True) if v.still_out}
    return Evaluation(values, inputs, sums_of(inputs), failed, Memory(remembered, pools, memory.last_level), legs)


def _ends(admitted: Mapping[str, Admitted]) -> Callable[[Leg], Micros | None]:
    """Returns where to find the end of a contract: the version, else the market record."""

    def end_of(leg: Leg) -> Micros | None:
        market = admitted[leg.key].market
        return leg.expected_resolution_at or (None if market is None else market.expected_resolution_at)

    return end_of


def _leg_values(
    constituent: Constituent,
    admitted: Mapping[str, Admitted],
    memory: Memory,
    cutoff: Micros,
    version: Version,
) -> dict[str, tuple[LegValue, LegMemory]]:
    """Judges the legs of a constituent; pending legs of a pool again with the marks that other venues' filters accept."""
    p = version.parameters
    raw: dict[str, Mark | None] = {}
    verdicts: dict[str, Verdict] = {}

    def verdict_of(leg: Leg, peers: Sequence[Mark] = ()) -> Verdict:
        known = memory.legs.get(leg.key, LegMemory())
        market = admitted[leg.key].market
        resolved = market is not None and market.status == "resolved"
        return judge(raw[leg.key], known.filter, cutoff, p, resolved, peers)

    for leg in constituent.legs:
        raw[leg.key] = raw_mark(admitted[leg.key], memory.legs.get(leg.key, LegMemory()).earlier, cutoff, p)
        verdicts[leg.key] = verdict_of(leg)
    found: dict[str, tuple[LegValue, LegMemory]] = {}
    for leg in constituent.legs:
        verdict = verdicts[leg.key]
        if verdict.held_back is not None and constituent.normalization == "logodds_pool":
            peers = [
                verdicts[other.key].mark
                for other in constituent.legs
                if other.venue_id != leg.venue_id and verdicts[other.key].held_back is None
            ]
            verdict = verdict_of(leg, [mark for mark in peers if mark is not None])
        earlier = remember(memory.legs.get(leg.key, LegMemory()).earlier, raw[leg.key])
        found[leg.key] = (_leg_value(verdict, admitted[leg.key], cutoff, version), LegMemory(earlier, verdict.memory))
    return found


def _leg_value(verdict: Verdict, admitted: Admitted, cutoff: Micros, version: Version) -> LegValue:
    freshness = freshness_of(verdict.mark, cutoff, version.parameters)
    if verdict.held_back is not None and verdict.mark is not None:
        freshness = "stale"
    return LegValue(
        mark=None if freshness == "missing" else verdict.mark,
        freshness=freshness,
        held_back=verdict.held_back,
        reference=verdict.reference,
        limit=verdict.limit,
        reasons=_leg_reasons(verdict, admitted),
    )


def _leg_reasons(verdict: Verdict, admitted: Admitted) -> tuple[str, ...]:
    """Returns why a leg has no better mark."""
    if verdict.held_back is not None:
        return ("OUTLIER_PENDING",)
    if verdict.mark is not None and verdict.mark.rule == "M0":
        return ()
    if freeze_instant(admitted.resolution, admitted.market) is not None:
        return ("FROZEN",)
    paused = admitted.market is not None and admitted.market.status == "paused"
    crossed = not paused and admitted.quote is not None and is_crossed(admitted.quote)
    return ("CROSSED_BOOK",) if crossed else ()


def _apply_fixings(
    version: Version, records: Records, legs: dict[str, LegValue], cutoff: Micros, grace: Micros | None
) -> bool:
    """Replaces marks by fixings; returns whether one of them could not be made."""
    assert version.fixing is not None
    failed = False
    for key, value in legs.items():
        if value.mark is None or value.mark.rule == "M0":
            continue
        mark = fixing_mark(records.get(key, LegRecords()), version.fixing, cutoff, grace, version.parameters)
        if mark is None:
            failed = True
        else:
            legs[key] = replace(value, mark=mark, freshness="fresh")
    return failed


def input_of(
    constituent: Constituent, value: Value, legs: Mapping[str, LegValue], cutoff: Micros, version: Version
) -> Input:
    """Returns the input of a level that a constituent gives (section 5)."""
    used = [legs[leg.key] for leg in value.used]
    marks = [item.mark for item in used if item.mark is not None]
    weakest = min(marks, key=lambda mark: mark.c_rule, default=None)
    freshness = max((item.freshness for item in used), key=FRESHNESS.index, default="missing")
    reasons = dict.fromkeys([*(r for leg in constituent.legs for r in legs[leg.key].reasons), *value.reasons])
    return Input(
        weight=constituent.target_weight,
        x=value.x,
        confidence=confidence_of_legs(value.used, legs, cutoff, version.parameters),
        freshness="settled" if value.settled else freshness,
        rule=None if weakest is None else weakest.rule,
        reasons=tuple(reasons),
        provisional=any(mark.rule == "frozen" for mark in marks),
        pending=any(legs[leg.key].held_back is not None for leg in constituent.legs),
    )


def excluded_inputs(version: Version, evaluation: Evaluation) -> tuple[Mapping[str, str], ...]:
    """Lists the inputs that were left out, with what they were compared with."""
    found: list[Mapping[str, str]] = []
    for constituent, value in zip(version.constituents, evaluation.values, strict=True):
        for leg in constituent.legs:
            item = evaluation.legs[leg.key]
            if item.held_back is not None and item.reference is not None and item.limit is not None:
                found.append(
                    _excluded(constituent, item.held_back, HAMPEL, item.reference, published(item.limit, MARK))
                )
        for out in value.excluded:
            found.append(_excluded(constituent, out.mark, out.rule, out.reference, plain(out.threshold)))
    return tuple(found)


def _excluded(constituent: Constituent, mark: Mark, rule: str, reference: Decimal, threshold: str) -> Mapping[str, str]:
    return {
        "constituent_id": constituent.constituent_id,
        "observation_id": mark.source_ids[0],
        "rule": rule,
        "raw_value": published(mark.value, MARK),
        "reference_value": published(reference, MARK),
        "threshold": threshold,
    }


def conclude(
    version: Version, evaluation: Evaluation, cutoff: Micros, k: Decimal | None, gate: Gate = Gate()
) -> tuple[Tick, Memory]:
    """Returns the result of a tick and what the next one remembers (step 7)."""
    sums, inputs = evaluation.sums, evaluation.inputs
    state = decide_state(
        inputs, sums, version.minimum_coverage_ratio, version.parameters, gate, evaluation.fixing_failed
    )
    last = evaluation.memory.last_level
    shown = last if state == "stale" else None
    if state not in ("suspended", "stale") and k is not None and sums.s is not None:
        shown = last = (level_text(k, sums.s), cutoff)
    reasons = {reason for item in inputs for reason in item.reasons}
    if evaluation.fixing_failed:
        reasons.add("FIXING_UNAVAILABLE")
    used = [evaluation.legs[leg.key].mark for value in evaluation.values for leg in value.used]
    tick = Tick(
        tick_at=cutoff,
        version=version.version,
        level=None if shown is None else shown[0],
        source_cutoff_at=cutoff if state == "suspended" else None if shown is None else shown[1],
        quality_state=state,
        coverage_ratio=published(sums.coverage_ratio, RATIO),
        confidence=published(sums.confidence, CONFIDENCE),
        link_factor=k,
        missing_constituent_ids=tuple(
            c.constituent_id for c, item in zip(version.constituents, inputs, strict=True) if item.x is None
        ),
        reason_codes=tuple(sorted(reasons)),
        excluded_inputs=excluded_inputs(version, evaluation),
        source_ids=tuple(sorted({source for mark in used if mark is not None for source in mark.source_ids})),
    )
    return tick, replace(evaluation.memory, last_level=last)


@dataclass
class _Factor:
    """K on its way through the versions: the first one, and the one in force."""

    first: Decimal | None = None
    now: Decimal | None = None


def replay(
    index: Index,
    records: Records,
    to: Micros,
    gate: Callable[[Micros], Gate] = lambda _: Gate(),
    published_links: Mapping[str, Decimal] | None = None,
    grace: Callable[[Version], Micros | None] = lambda version: version.parameters.grace,
) -> Iterator[Tick]:
    """Computes every tick before `to`. A refused link raises LinkRefused. `published_links`: K by version that rules."""
    links = published_links or {}
    factor = _Factor()
    memory = Memory()
    for number, version in enumerate(index.versions):
        start, end = version.effective_from, min(to, version.effective_to or to)
        if start >= to:
            return
        before = index.versions[number - 1] if number > 0 else None
        _enter(index, version, before, records, memory, factor, links, grace)
        tick = -(-start // version.frequency) * version.frequency
        while tick < end:
            result, memory = _step(index, version, records, memory, factor, tick, gate(tick), grace(version), links)
            yield result
            tick += version.frequency


@exact
def _enter(
    index: Index,
    version: Version,
    before: Version | None,
    records: Records,
    memory: Memory,
    factor: _Factor,
    links: Mapping[str, Decimal],
    grace: Callable[[Version], Micros | None],
) -> None:
    """Sets K for a version at its start (section 10)."""
    if not version.parameters.chain_linked:
        factor.first, factor.now = GAUGE, GAUGE
    elif before is not None and factor.now is not None and factor.first is not None:
        at = version.effective_from
        if version.index_version_id in links:
            factor.now = links[version.index_version_id]
            return
        old = evaluate(before, records, memory, at, grace(version), version)
        new = evaluate(version, records, memory, at, grace(version))
        factor.now = linked_factor(factor.now, old.sums.s, new.sums.s, factor.first, version.parameters)
    else:
        at = index.base_date if before is None else version.effective_from
        _try_base(index, version, evaluate(version, records, memory, at, grace(version)), factor, links)


def _try_base(
    index: Index, version: Version, evaluation: Evaluation, factor: _Factor, links: Mapping[str, Decimal]
) -> None:
    """Sets the first K where the evaluation has a level."""
    state = decide_state(evaluation.inputs, evaluation.sums, version.minimum_coverage_ratio, version.parameters)
    if state not in ("suspended", "stale") and evaluation.sums.s is not None:
        published_k = links.get(version.index_version_id)
        factor.first = factor.now = published_k or first_factor(index.base_value, evaluation.sums.s)


@exact
def _step(
    index: Index,
    version: Version,
    records: Records,
    memory: Memory,
    factor: _Factor,
    tick: Micros,
    gate: Gate,
    grace: Micros | None,
    links: Mapping[str, Decimal],
) -> tuple[Tick, Memory]:
    evaluation = evaluate(version, records, memory, tick, grace)
    if factor.now is None:
        _try_base(index, version, evaluation, factor, links)
    return conclude(version, evaluation, tick, factor.now, gate)
