import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { Row } from '../schema.ts'
import { type KnownRow, knownRow } from './placed-row.ts'

/** Trades kept for each outcome: the newest one may be voided, and then the one before it is the last trade. */
export const TRADES_KEPT = 8

/** Columns by which trades follow each other, before (published_at, row_ordinal). */
const TIME_ORDER = ['source_at'] as const
/** Columns by which reports of one trade follow each other (the current key of the table). */
const CHAIN_ORDER = ['received_at', 'revision'] as const

/** Trades of one outcome that memory knows. */
type OutcomeTrades = {
  /** Newest first. */
  kept: Row[]
  first_published_at: Micros
  /** Publication of the last row about a trade of the outcome, a void included. */
  changed_at: Micros
}

/** Stored form of an outcome's trades. */
export type OutcomeState = OutcomeTrades & { readonly market_id: string; readonly outcome_id: string }

/** The last trades of one outcome: the newest valid one, null if there is none, and since when this has been known. */
export type LastTrade = { readonly trade: Row | null } & Omit<OutcomeTrades, 'kept'>

/** The newest valid trades of each outcome; memory grows with the number of outcomes, not with history. */
export class NewestTrades {
  readonly #by_market = new Map<string, Map<string, OutcomeTrades>>()

  /** Adds a row of `public_trade` that is a trade or a correction of one. */
  add(row: Row): void {
    const published_at = toMicros(row.published_at)
    const outcome = this.note(row, published_at, published_at)
    const same = outcome.kept.find((trade) => isSameTrade(trade, row))
    if (same !== undefined && isLater(same, row, CHAIN_ORDER)) return
    const others = outcome.kept.filter((trade) => trade !== same)
    if (row.correction_kind === 'void') outcome.kept = others
    else outcome.kept = [...others, row].sort((a, b) => (isLater(a, b, TIME_ORDER) ? -1 : 1)).slice(0, TRADES_KEPT)
  }

  /** Records when the first and the last row about an outcome's trades were published. */
  note(of: Row, first_published_at: Micros, changed_at: Micros): OutcomeTrades {
    const outcome = this.#outcome(of)
    outcome.first_published_at = Math.min(outcome.first_published_at, first_published_at)
    outcome.changed_at = Math.max(outcome.changed_at, changed_at)
    return outcome
  }

  /** Returns the last trade of every outcome of a market that has had one. */
  ofMarket(market_id: string): readonly LastTrade[] {
    const outcomes = [...(this.#by_market.get(market_id)?.values() ?? [])]
    return outcomes.map(({ kept, ...known }) => ({ trade: kept[0] ?? null, ...known }))
  }

  /** Yields what is known of each outcome. */
  *outcomes(): Iterable<OutcomeState> {
    for (const [market_id, outcomes] of this.#by_market)
      for (const [outcome_id, known] of outcomes) yield { market_id, outcome_id, ...known }
  }

  restore({ kept, ...known }: OutcomeState): void {
    this.note(known, known.first_published_at, known.changed_at).kept = kept
  }

  #outcome({ market_id, outcome_id }: Row): OutcomeTrades {
    const market = this.#by_market.get(String(market_id)) ?? new Map<string, OutcomeTrades>()
    this.#by_market.set(String(market_id), market)
    const never = { kept: [], first_published_at: Number.POSITIVE_INFINITY, changed_at: Number.NEGATIVE_INFINITY }
    const known = market.get(String(outcome_id)) ?? never
    market.set(String(outcome_id), known)
    return known
  }
}

function isSameTrade(a: Row, b: Row): boolean {
  return a.venue_id === b.venue_id && a.source_trade_id === b.source_trade_id
}

function isLater(a: Row, b: Row, columns: readonly string[]): boolean {
  const [left, right]: [KnownRow, KnownRow] = [
    knownRow('public_trade', a, columns),
    knownRow('public_trade', b, columns),
  ]
  const at = left.order.findIndex((value, place) => value !== right.order[place])
  return at >= 0 && left.order[at]! > right.order[at]!
}
