import { toMicros } from '../../primitives/instants.ts'
import { termsOf } from '../venues/terms.ts'
import { complementPrice } from './price-view.ts'
import type { StandingPrices } from './standing-prices.ts'
import type { StoredQuote, StoredTrade } from './stored-records.ts'

/**
 * The last trade of a price view: the newest valid one of the tape, of whatever source series, as trades, history and candles show
 * it. Only an outcome without a known trade shows the one that its quote states.
 */

/** Returns the trades whose venue permits to publish single trades: the tape that everyone can read. */
export function publicTape<T extends StoredTrade>(trades: readonly T[]): T[] {
  return trades.filter(({ venue_id }) => termsOf(venue_id)?.public_trades !== false)
}

/** Returns the last trade of an outcome, by either name in a complementary market; undefined: none is known. */
export function tradeOfOutcome<T extends StoredTrade>(trades: readonly T[], outcome_id: string): T | undefined {
  const tape = trades.filter(
    (trade) => trade.outcome_id === outcome_id || trade.complementary_outcome_id === outcome_id,
  )
  const last = newestTrade(tape)
  if (last === null || last.outcome_id === outcome_id) return last ?? undefined
  return { ...last, outcome_id, price: complementPrice(last.price) }
}

/** Returns the newest of the last trades of a market's outcomes; null: there is none. */
export function newestTrade<T extends StoredTrade>(trades: readonly T[]): T | null {
  return trades.reduce<T | null>((best, trade) => (best === null || isLater(trade, best) ? trade : best), null)
}

function isLater(a: StoredTrade, b: StoredTrade): boolean {
  const by_time = toMicros(a.source_at) - toMicros(b.source_at) || toMicros(a.received_at) - toMicros(b.received_at)
  return by_time !== 0 ? by_time > 0 : a.trade_id > b.trade_id
}

/** Returns a quote with the last trade of the tape in place of the one that it repeats: it may lag behind, and hears of no void. */
export function quoteWithTrade<Q extends StoredQuote>(quote: Q, trade: StoredTrade | undefined): Q {
  if (trade === undefined) return quote
  return { ...quote, last_trade: trade.price, last_trade_at: trade.source_at, last_trade_id: trade.trade_id }
}

/** Returns the prices of an outcome that has no quote with its last trade, which is an observation of its own. */
export function pricesWithTrade(prices: StandingPrices, trade: StoredTrade | undefined): StandingPrices {
  if (trade === undefined) return prices
  return {
    ...prices,
    touch: { ...prices.touch, last_trade: trade.price },
    last_trade_at: trade.source_at,
    source_ids: [...prices.source_ids, `${trade.trade_id}.last_trade`],
  }
}
