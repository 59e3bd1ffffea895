import { admitLeg, type LegData } from '../../pipelines/index/admission.ts'
import {
  type MarkedOutcome,
  MarketMarker,
  type MarkMemory,
  type MarkRecord,
} from '../../pipelines/index/market-marks.ts'
import { decodeParameters, resolveParameters } from '../../pipelines/index/parameters.ts'
import { admissionInstants } from '../../pipelines/index/quiet-ticks.ts'
import type { Leg } from '../../pipelines/index/version.ts'
import { freezeInstants } from '../../pipelines/market/freeze.ts'
import { ONE } from '../../primitives/decimal.ts'
import type { EventId, MarketId, OutcomeId } from '../../primitives/ids.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import { isFirstAfter, isWithheld, type Span } from '../pause/schedule-acts.ts'
import { tickFrom } from './mark-ticks.ts'

/** Marks of markets follow the default parameters of the index methodology. */
export const MARK_TEXTS = resolveParameters({})
export const MARK_PARAMETERS = decodeParameters(MARK_TEXTS)

export type MarksOfTick = { readonly tick_at: Micros; readonly records: readonly MarkRecord[] }

/** The markers of all markets as far as one tick. */
export type MarksMemory = {
  readonly taken_to: Micros | null
  readonly markets: ReadonlyMap<string, readonly MarkMemory[]>
}

/**
 * Marks of every market, tick by tick, with the memory that a tick needs of earlier ones. Records before the first tick count from
 * max_carry before it on: no older mark is ever used.
 */
export class LiveMarks {
  readonly #step: Micros
  readonly #markets = new Map<string, MarketMarker>()
  readonly #restored: MarksMemory['markets']
  #taken_to: Micros | null

  /** @param step distance of the ticks, which are its multiples since the epoch */
  constructor(step: Micros, memory: MarksMemory = { taken_to: null, markets: new Map() }) {
    this.#step = step
    this.#taken_to = memory.taken_to
    this.#restored = memory.markets
  }

  /** Exclusive end of the ticks taken so far; null before the first. */
  get taken_to(): Micros | null {
    return this.#taken_to
  }

  /**
   * Returns the marks of the ticks in [from, to) that differ from the tick before, market by market. A market has none before its first
   * record.
   * @param legs outcomes of markets and series, those of one together, in the market's own order
   * @param data everything that these ticks see of the legs, by key
   * @param withheld spans whose ticks are not published; the first tick after one has every mark
   */
  take(
    legs: readonly Leg[],
    data: ReadonlyMap<string, LegData>,
    { from, to, withheld = [] }: MarkTicks,
  ): MarksOfTick[] {
    const begin = this.#taken_to ?? from - MARK_PARAMETERS.max_carry
    const changed = groups(legs).flatMap((market) => this.#takeMarket(market, data, { begin, from, to, withheld }))
    this.#taken_to = Math.max(begin, to)
    return changed
  }

  memory(): MarksMemory {
    return { taken_to: this.#taken_to, markets: new Map([...this.#markets].map(([key, made]) => [key, made.memory()])) }
  }

  #takeMarket(
    legs: readonly Leg[],
    data: ReadonlyMap<string, LegData>,
    { begin, from, to, withheld }: Required<MarkTicks> & { readonly begin: Micros },
  ): MarksOfTick[] {
    const marker = this.#marker(legs)
    const known = legs.map((leg) => data.get(leg.key)!)
    const admitted = known.map((records) => admitLeg(records, MARK_PARAMETERS.grace))
    const changed: MarksOfTick[] = []
    // A market without memory has no marks before its first record.
    const first = this.#taken_to === null ? Math.max(begin, firstRecordAt(known)) : begin
    const news = newsOf(known)
    for (let tick_at = tickFrom(first, this.#step); tick_at < to; ) {
      const inputs = admitted.map((admit) => admit(tick_at))
      const records = marker.tick(tick_at, inputs, isFirstAfter(withheld, tick_at, this.#step))
      if (tick_at >= from && records.length > 0 && !isWithheld(withheld, tick_at)) changed.push({ tick_at, records })
      const next = tick_at + this.#step
      // Ticks at which nothing is new and no age reaches a limit repeat this one.
      const quiet = Math.min(marker.quietUntil(), news(tick_at), nextEnd(withheld, tick_at), to)
      tick_at = next < to ? Math.max(next, tickFrom(quiet, this.#step)) : next
    }
    known.forEach((records, place) => {
      marker.trim(place, freezeInstants(records))
    })
    return changed
  }

  #marker(legs: readonly Leg[]): MarketMarker {
    const key = `${groupOf(legs[0]!)} ${legs.map((leg) => leg.outcome_id)}`
    const known = this.#markets.get(key)
    if (known !== undefined) return known
    const made = new MarketMarker(legs.map(outcomeOf), MARK_PARAMETERS, this.#restored.get(key) ?? null)
    this.#markets.set(key, made)
    return made
  }
}

/** Ticks in [from, to) that are taken. */
type MarkTicks = { readonly from: Micros; readonly to: Micros; readonly withheld?: readonly Span[] }

/** First end of a withheld span after an instant. */
function nextEnd(withheld: readonly Span[], at: Micros): Micros {
  return Math.min(...withheld.flatMap(({ to }) => (to > at ? [to] : [])))
}

/** Returns a function of ascending ticks: the first instant after the tick at which a record becomes admissible, or infinity. */
function newsOf(legs: readonly LegData[]): (tick_at: Micros) => Micros {
  let instants: Float64Array | null = null
  let next = 0
  return (tick_at) => {
    instants ??= admissionInstants(legs, MARK_PARAMETERS.grace)
    while (next < instants.length && instants[next]! <= tick_at) next += 1
    return instants[next] ?? Number.POSITIVE_INFINITY
  }
}

function groups(legs: readonly Leg[]): Leg[][] {
  const found = new Map<string, Leg[]>()
  for (const leg of legs) {
    const known = found.get(groupOf(leg))
    if (known === undefined) found.set(groupOf(leg), [leg])
    else known.push(leg)
  }
  return [...found.values()]
}

/** When the first record of some legs is about; none: infinity. */
function firstRecordAt(legs: readonly LegData[]): Micros {
  let first = Number.POSITIVE_INFINITY
  for (const { quotes, other, resolutions } of legs) {
    for (const { source_at } of [quotes, ...(other === null ? [] : [other])])
      for (const at of source_at) first = Math.min(first, at)
    for (const { source_at } of resolutions) first = Math.min(first, source_at)
  }
  return first
}

function groupOf(leg: Leg): string {
  return `${leg.market_id} ${leg.source_series_id}`
}

function outcomeOf(leg: Leg): MarkedOutcome {
  const { venue_id, source_series_id, source_market_id, market_id, outcome_id } = leg
  return { venue_id, source_series_id, source_market_id, market_id, outcome_id }
}

/** An outcome of a market and series as a leg: a row with the market's names and the outcome's id and label. */
export function markedLeg(row: Row): Leg {
  const source_series_id = (row.source_series_id ?? null) as string | null
  return {
    key: `${row.outcome_id} ${source_series_id}`,
    venue_id: String(row.venue_id),
    source_series_id,
    source_market_id: String(row.source_market_id),
    outcome: String(row.outcome),
    market_id: row.market_id as MarketId,
    outcome_id: row.outcome_id as OutcomeId,
    event_id: row.event_id as EventId,
    pool_weight: ONE,
    expected_resolution_at: null,
  }
}
