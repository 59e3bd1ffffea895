import { admitLeg } from '../../pipelines/index/admission.ts'
import { type MarkedOutcome, MarketMarker, type MarkRecord } from '../../pipelines/index/market-marks.ts'
import { decodeParameters, resolveParameters } from '../../pipelines/index/parameters.ts'
import type { Leg } from '../../pipelines/index/version.ts'
import { ONE } from '../../primitives/decimal.ts'
import type { EventId, MarketId, OutcomeId } from '../../primitives/ids.ts'
import type { Micros } from '../../primitives/instants.ts'
import { ticksIn } from '../../primitives/ranges.ts'
import { statement } from '../../warehouse/queries/statements.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { loadLegData } from '../index/load-leg-data.ts'

/** Marks of markets follow the default parameters of the index methodology. */
export const MARK_TEXTS = resolveParameters({})
export const MARK_PARAMETERS = decodeParameters(MARK_TEXTS)

type Marked = { readonly marker: MarketMarker; readonly legs: readonly Leg[]; last: Micros | null }
export type MarksOfTick = { readonly tick_at: Micros; readonly records: readonly MarkRecord[] }

/**
 * The marks of every market, tick by tick; what a tick needs of the ticks before it is remembered. What came before the first
 * tick asked for is taken in from max_carry before it on: no mark older than that is ever used.
 */
export class LiveMarks {
  readonly #step: Micros
  readonly #markets = new Map<string, Marked>()

  /** @param step distance of the ticks, which are its multiples since the epoch */
  constructor(step: Micros) {
    this.#step = step
  }

  /**
   * The marks of the ticks in [from, to) that differ from the tick before, market by market.
   * @param session       shows every row that counts for these ticks
   * @param known_at_tick true: a row counts from its publication on; false: from its receipt
   */
  async take(session: ReadSession, from: Micros, to: Micros, known_at_tick: boolean): Promise<MarksOfTick[]> {
    const legs = (await session.query(statement('quoted_outcomes'))).map(legOf)
    const data = await loadLegData(session, legs, { trades: false, known_at_tick })
    return this.#group(legs).flatMap((market) => {
      const admitted = market.legs.map((leg) => admitLeg(data.get(leg.key)!, MARK_PARAMETERS.grace))
      const told: MarksOfTick[] = []
      const begin = market.last === null ? from - MARK_PARAMETERS.max_carry : market.last + 1
      for (const tick_at of ticksIn({ from: begin, to }, this.#step)) {
        const inputs = admitted.map((admit) => admit(tick_at))
        const records = market.marker.tick(tick_at, inputs)
        market.last = tick_at
        if (tick_at >= from && records.length > 0) told.push({ tick_at, records })
      }
      return told
    })
  }

  #group(legs: readonly Leg[]): Marked[] {
    const groups = new Map<string, Leg[]>()
    for (const leg of legs) {
      const key = `${leg.market_id} ${leg.source_series_id}`
      const known = groups.get(key)
      if (known === undefined) groups.set(key, [leg])
      else known.push(leg)
    }
    return [...groups].map(([key, group]) => this.#marked(`${key} ${group.map((leg) => leg.outcome_id)}`, group))
  }

  #marked(key: string, legs: readonly Leg[]): Marked {
    const known = this.#markets.get(key)
    if (known !== undefined) return known
    const made: Marked = { marker: new MarketMarker(legs.map(outcomeOf), MARK_PARAMETERS), legs, last: null }
    this.#markets.set(key, made)
    return made
  }
}

function outcomeOf(leg: Leg): MarkedOutcome {
  const { venue_id, source_series_id, source_market_id, market_id, outcome_id } = leg
  return { venue_id, source_series_id, source_market_id, market_id, outcome_id }
}

function legOf(row: Row): Leg {
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
