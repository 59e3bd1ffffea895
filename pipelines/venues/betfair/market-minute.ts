import type { Micros } from '../../../primitives/instants.ts'
import { normalizeOdds } from '../../market/overround.ts'
import type { BookRecord, Origin, QuoteRecord, VenueRecords } from '../record.ts'
import { BETFAIR } from './endpoints.ts'
import type { Ladder } from './ladders.ts'
import type { Market } from './market-memory.ts'

/** A whole market at one instant. */
export type MarketMoment = {
  readonly origin: Origin
  /** Its message was counted as one within a minute, until the moment turns out to be the last of it. */
  is_within: boolean
  readonly source_market_id: string
  readonly source_at: Micros
  readonly received_at: Micros
  readonly is_open: boolean
  readonly is_one_of_all: boolean
  /** Runners that were not removed. */
  readonly runners: readonly { readonly outcome: string; readonly ladder: Ladder | null }[]
}

/**
 * Returns the market after a message. A message about any of its runners confirms the others: the stream sends changes only.
 */
export function marketMoment(market: Market, origin: Origin, source_at: Micros, received_at: Micros): MarketMoment {
  const { ladder_kind: kind } = market
  const runners = [...market.runners.values()].filter(({ is_removed }) => !is_removed)
  return {
    origin,
    is_within: false,
    source_market_id: market.id,
    source_at,
    received_at,
    is_open: market.terms?.status === 'OPEN',
    is_one_of_all: market.terms?.is_one_of_all ?? false,
    runners: runners.map(({ label, levels }) => ({ outcome: label, ladder: kind === null ? null : levels[kind] })),
  }
}

/**
 * Returns the records of a market's minute, from its last moment: the book of every runner in odds, each with the market's
 * overround; and, if the market is open and every runner can be backed, the probability of every runner, its best back odds'
 * share of all. So a probability never appears without the overround taken out of it, and the odds of a suspended or closed
 * market, at which nobody can bet, give no probabilities.
 */
export function minuteRecords(moment: MarketMoment): Required<Pick<VenueRecords, 'books' | 'quotes'>> {
  const best = moment.runners.map(({ ladder }) => ladder?.bids[0]?.price ?? null)
  const normalized = moment.is_one_of_all ? normalizeOdds(best) : null
  const books = moment.runners.flatMap(({ outcome, ladder }) =>
    ladder === null ? [] : [bookRecord(moment, outcome, ladder, normalized?.overround ?? null)],
  )
  if (normalized === null || !moment.is_open) return { books, quotes: [] }
  const quotes = moment.runners.map(({ outcome }, n) => quoteRecord(moment, outcome, normalized.probabilities[n]!))
  return { books, quotes }
}

function bookRecord(
  moment: MarketMoment,
  outcome: string,
  ladder: Ladder,
  overround: BookRecord['overround'],
): BookRecord {
  const source_sequence = null // `clk` is a token without an order
  return {
    ...whereOf(moment, outcome),
    source_sequence,
    price_unit: 'decimal_odds',
    ...ladder,
    asks_derived: false,
    overround,
  }
}

function quoteRecord(moment: MarketMoment, outcome: string, reported_probability: string): QuoteRecord {
  return { ...whereOf(moment, outcome), reported_probability, raw_value: null, is_final: false, text: '', book: null }
}

function whereOf({ origin, source_market_id, source_at, received_at }: MarketMoment, outcome: string) {
  return { ...origin, venue_id: BETFAIR, source_series_id: null, source_market_id, outcome, source_at, received_at }
}
