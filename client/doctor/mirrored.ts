import { complementPrice } from '../../pipelines/market/price-view.ts'
import type { Market } from '../../protocol/resources/market.ts'
import type { OrderBook } from '../../protocol/resources/order-book.ts'
import type { Trade } from '../../protocol/resources/trade.ts'
import { LADDER_RULE } from '../../vocabulary/market.ts'

/** Returns the other outcome of a complementary market; null: the outcome has a book of its own. */
export function complementOf({ outcomes }: Pick<Market, 'outcomes'>, outcome_id: string): string | null {
  // A service from before complementary markets does not name the field.
  return outcomes.find((outcome) => outcome.outcome_id === outcome_id)?.complementary_outcome_id ?? null
}

/** Returns the tape of one outcome from the tape of its market: a trade that met orders of both outcomes is on both. */
export function tapeOfOutcome(tape: readonly Trade[], market: Pick<Market, 'outcomes'>, outcome_id: string): Trade[] {
  const other = complementOf(market, outcome_id)
  return tape.flatMap((trade) => {
    if (trade.outcome_id === outcome_id) return [trade]
    const is_shared = trade.outcome_id === other && (trade.match_kind ?? null) !== null
    return is_shared ? [mirroredTrade(trade, outcome_id)] : []
  })
}

function mirroredTrade(trade: Trade, outcome_id: string): Trade {
  const aggressor_side = trade.aggressor_side === 'BUY' ? 'SELL' : 'BUY'
  const price = complementPrice(trade.price)
  return { ...trade, outcome_id, price, aggressor_side, derived: true, derivation_rule: LADDER_RULE }
}

type Levels = OrderBook['bids']

/** Returns both sides of a book as the book of the other outcome of a complementary market has them. */
export function mirroredSides({ bids, asks }: Pick<OrderBook, 'bids' | 'asks'>): Pick<OrderBook, 'bids' | 'asks'> {
  return { bids: asks.map(mirroredLevel), asks: bids.map(mirroredLevel) }
}

function mirroredLevel({ price, parts, ...level }: Levels[number]): Levels[number] {
  const flipped = parts.map((part) => {
    return { ...part, derived: !part.derived, derivation_rule: part.derived ? null : LADDER_RULE }
  })
  const sorted = [...flipped.filter(({ derived }) => !derived), ...flipped.filter(({ derived }) => derived)]
  return { ...level, price: complementPrice(price), derived: sorted.some(({ derived }) => derived), parts: sorted }
}
