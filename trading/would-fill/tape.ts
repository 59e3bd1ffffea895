import type { Micros } from '../../primitives/instants.ts'
import type { MarketStatus } from '../../vocabulary/market.ts'
import type { Side } from '../../vocabulary/order.ts'
import type { BookEvent, EngineEvent, TradeCorrectionEvent, TradeEvent } from '../engine/events.ts'
import { publicTrade } from '../public-market/fold-events.ts'
import { tradeOn } from '../public-market/mirror-trade.ts'
import type { PublicLevel, PublicMarket, PublicOutcome, PublicTrade } from '../public-market/public-market.ts'

/** New total of a price level. */
export type TapeLevel = Pick<PublicLevel, 'price' | 'quantity' | 'order_count'> & { readonly side: Side }

/** A public trade, in the price and with the aggressor that it had on the book of the outcome. */
export type TapeTrade = Pick<PublicTrade, 'trade_id' | 'price' | 'quantity' | 'aggressor_side'>

/** Newest quantity of an earlier trade; 0: it was undone. */
export type TapeCorrection = Pick<PublicTrade, 'trade_id' | 'quantity'>

/** Public record of one engine batch on the book of one outcome. */
export type TapeBatch = {
  readonly at: Micros
  /** engine_sequence of the last of its events. */
  readonly last_sequence: number
  /** Price levels as the batch leaves them: between its events a book has no public state. */
  readonly levels: readonly TapeLevel[]
  /** Trades in their order; those before the market stopped trading, if it did. */
  readonly trades: readonly TapeTrade[]
  readonly corrections: readonly TapeCorrection[]
  /** Status after the batch, if it changed; null: it did not. */
  readonly status: MarketStatus | null
  /** Whether the market stopped trading in the batch. */
  readonly is_stopped: boolean
}

/** Reads a batch's public events as those of one outcome's book; a trade of the other outcome counts if both meet on one ladder. */
export function tapeBatch(outcome: PublicOutcome, at: Micros, events: readonly EngineEvent[]): TapeBatch {
  const { market, outcome_id } = outcome
  const of_market = events.filter((event) => 'market_id' in event && event.market_id === market.market_id)
  const moves = of_market.filter((event) => event.kind === 'market')
  const end = moves.find(({ status }) => status !== 'open')
  const until = end?.engine_sequence ?? Number.POSITIVE_INFINITY
  const traded = of_market.filter(isTrade).flatMap((event) => onBook(market, outcome_id, event))
  return {
    at,
    last_sequence: of_market.at(-1)?.engine_sequence ?? 0,
    levels: of_market.filter((event): event is BookEvent => event.kind === 'book' && event.outcome_id === outcome_id),
    trades: traded.filter(({ engine_sequence }) => engine_sequence < until),
    corrections: of_market.filter(isCorrection).map(({ trade_id, quantity, correction }) => {
      return { trade_id, quantity: correction === 'void' ? 0 : quantity }
    }),
    status: moves.at(-1)?.status ?? null,
    is_stopped: end !== undefined,
  }
}

function onBook(market: PublicMarket, outcome_id: string, event: TradeEvent): readonly PublicTrade[] {
  const trade = publicTrade(market, event)
  return trade.outcome_id === outcome_id || trade.segments !== null ? [tradeOn(trade, { outcome_id })] : []
}

function isTrade(event: EngineEvent): event is TradeEvent {
  return event.kind === 'trade'
}

function isCorrection(event: EngineEvent): event is TradeCorrectionEvent {
  return event.kind === 'trade_correction'
}
