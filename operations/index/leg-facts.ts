import type { LegData } from '../../pipelines/index/admission.ts'
import type { Leg } from '../../pipelines/index/version.ts'
import { withFinalInstants } from '../../pipelines/market/final-instants.ts'
import { freezeInstants } from '../../pipelines/market/freeze.ts'
import type { Trade } from '../../pipelines/market/quote.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import { type CountingParameters, countedFrom, countingParameters, type KnownAtTick } from './counting.ts'
import { readLegRows } from './leg-records.ts'
import { groupRows, resolutionOf, stateOf, tradeOf } from './load-leg-data.ts'

type MarketFacts = {
  readonly resolutions: readonly Row[]
  readonly states: readonly Row[]
  readonly outcomes: readonly Row[]
}
type Facts = Pick<LegData, 'resolutions' | 'states' | 'trades'>
type LegKnown = { readonly market: MarketFacts; readonly facts: Facts }

const NO_FACTS: MarketFacts = { resolutions: [], states: [], outcomes: [] }

/** Statuses, resolutions and outcomes of markets, and the trades that fixings read; a market is read again when it has news. */
export class LegFacts {
  readonly #counting: CountingParameters
  readonly #markets = new Map<string, MarketFacts>()
  readonly #legs = new Map<string, LegKnown>()
  readonly #wanted = new Set<string>()
  #trades = new Map<string, readonly Row[]>()
  /** Every instant known to freeze a leg, by leg. */
  readonly #instants = new Map<string, readonly Micros[]>()
  /** Instants that became known to freeze a leg since they were last taken. */
  readonly #new_instants = new Map<string, readonly Micros[]>()

  constructor(known_at_tick: KnownAtTick = true) {
    this.#counting = countingParameters(known_at_tick)
  }

  /** Has markets read by the next reading. */
  want(market_ids: Iterable<string>): void {
    for (const id of market_ids) this.#wanted.add(id)
  }

  has(market_id: string): boolean {
    return this.#markets.has(market_id)
  }

  /** The outcomes of a market in its own order: outcome_id, label, event_id. */
  outcomesOf(market_id: string): readonly Row[] {
    return this.#markets.get(market_id)?.outcomes ?? []
  }

  async readWanted(open: () => Promise<ReadSession>): Promise<void> {
    if (this.#wanted.size === 0) return
    const market_ids = [...this.#wanted]
    const session = await open()
    const rows = await readLegRows(session, { market_ids, ...this.#counting }, false)
    const outcomes = await session.query(readSql(import.meta.url, '../sql/outcomes_of_markets.sql'), { market_ids })
    const [resolutions, states, labels] = [rows.resolutions, rows.states, outcomes].map((found) => groupRows(found))
    for (const id of market_ids) {
      this.#markets.set(id, {
        resolutions: resolutions!.get(id) ?? [],
        states: states!.get(id) ?? [],
        outcomes: labels!.get(id) ?? [],
      })
    }
    this.#wanted.clear()
  }

  /** Reads the trades of markets in [from, to): before a stretch with fixings, each time anew. */
  async readTrades(session: ReadSession, market_ids: readonly string[], from: Micros, to: Micros): Promise<void> {
    const range = { trades_from: formatMicros(from), trades_to: formatMicros(to) }
    const params = { market_ids, ...this.#counting, ...range }
    const rows = await session.query(
      readSql(import.meta.url, 'sql/trades_of_markets.sql', { counted_from: countedFrom() }),
      params,
    )
    this.#trades = groupRows(rows)
    this.#legs.clear()
  }

  /** Drops the trades. */
  dropTrades(): void {
    if (this.#trades.size === 0) return
    this.#trades = new Map()
    this.#legs.clear()
  }

  /** For storing: every instant known to freeze a leg. */
  instants(): ReadonlyMap<string, readonly Micros[]> {
    return this.#instants
  }

  restoreInstants(instants: ReadonlyMap<string, readonly Micros[]>): void {
    for (const [key, known] of instants) this.#instants.set(key, known)
  }

  /** Returns the known records of a leg. */
  of(leg: Leg): Facts {
    const market = this.#markets.get(leg.market_id) ?? NO_FACTS
    const known = this.#legs.get(leg.key)
    if (known?.market === market) return known.facts
    const facts = this.#factsOf(leg, market)
    this.#legs.set(leg.key, { market, facts })
    this.#learn(leg.key, freezeInstants(facts))
    return facts
  }

  /** The instants that became known to freeze legs since the last call, by leg. */
  takeNewInstants(): ReadonlyMap<string, readonly Micros[]> {
    const taken = new Map(this.#new_instants)
    this.#new_instants.clear()
    return taken
  }

  merge(other: LegFacts): void {
    for (const [id, market] of other.#markets) if (!this.#markets.has(id)) this.#markets.set(id, market)
    for (const [key, instants] of other.#instants) if (!this.#instants.has(key)) this.#instants.set(key, instants)
  }

  #learn(key: string, instants: readonly Micros[]): void {
    const before = this.#instants.get(key)
    this.#instants.set(key, instants)
    const news = before === undefined ? [] : instants.filter((instant) => !before.includes(instant))
    if (news.length > 0) this.#new_instants.set(key, news)
  }

  #factsOf(leg: Leg, market: MarketFacts): Facts {
    const ofSeries = (row: Row) => row.source_series_id === (leg.source_series_id ?? '')
    return {
      resolutions: withFinalInstants(
        market.resolutions.filter(ofSeries).map((row) => resolutionOf(row, leg.outcome_id)),
      ),
      states: market.states.map(stateOf),
      trades: this.#tradesOf(leg, ofSeries),
    }
  }

  #tradesOf(leg: Leg, ofSeries: (row: Row) => boolean): readonly Trade[] {
    const rows = this.#trades.get(leg.market_id) ?? []
    return rows.filter((row) => row.outcome_id === leg.outcome_id && ofSeries(row)).map(tradeOf)
  }
}
