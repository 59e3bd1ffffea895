import type {
  BookEvent,
  EngineEvent,
  MarketEvent,
  ResolutionEvent,
  TradeCorrectionEvent,
  TradeEvent,
} from '../../../trading/engine/events.ts'
import type { PublicListing, PublicMarket } from '../../../trading/public-market/public-market.ts'
import type { Side } from '../../../vocabulary/order.ts'

/** The public state of one market as plain values, to compare. */
export function viewOf({ market_id, status, payouts, sequence, at, trade_sequence, outcomes }: PublicMarket) {
  const views = outcomes.map(({ outcome_id, book, last_trade, sequence }) => ({
    outcome_id,
    sequence,
    book,
    last_trade: last_trade && {
      record_id: last_trade.record_id,
      price: last_trade.price,
      quantity: last_trade.quantity,
      traded_at: last_trade.traded_at,
    },
  }))
  return { market_id, status, payouts, sequence, at, trade_sequence, outcomes: views }
}

/** The same, looked up anew in the whole history: slow, and without any state of its own. */
export function twinOf(listing: PublicListing, history: readonly EngineEvent[]): ReturnType<typeof viewOf> {
  const { market_id } = listing
  const mine = history.filter((event) => 'market_id' in event && event.market_id === market_id)
  const moves = mine.filter((event): event is MarketEvent => event.kind === 'market')
  const finals = mine.filter(
    (event): event is ResolutionEvent => event.kind === 'resolution' && event.finality === 'final',
  )
  const traded = mine.filter(isTraded)
  const touching = mine.filter((event) => event.kind === 'book' || event.kind === 'market' || isTraded(event))
  return {
    market_id,
    status: moves.at(-1)?.status ?? listing.status,
    payouts: finals.at(-1)?.payouts ?? [],
    sequence: touching.at(-1)?.engine_sequence ?? 0,
    at: touching.at(-1)?.at ?? listing.created_at,
    trade_sequence: traded.at(-1)?.engine_sequence ?? 0,
    outcomes: listing.outcomes.map(({ outcome_id }) => outcomeTwin(listing, outcome_id, mine)),
  }
}

function outcomeTwin({ created_at }: PublicListing, outcome_id: string, mine: readonly EngineEvent[]) {
  const events = mine.filter((event) => 'outcome_id' in event && event.outcome_id === outcome_id)
  const changes = events.filter((event): event is BookEvent => event.kind === 'book')
  const trade = events.findLast((event): event is TradeEvent => event.kind === 'trade')
  const records = events.filter(isTraded).filter(({ trade_id }) => trade_id === trade?.trade_id)
  const voided = records.findIndex((record) => record.kind === 'trade_correction' && record.correction === 'void')
  // After a void nothing changes the last trade but the next one.
  const counted = voided < 0 ? records : records.slice(0, voided + 1)
  const last = voided < 0 ? counted.at(-1) : undefined
  return {
    outcome_id,
    sequence: Math.max(0, ...[changes.at(-1), counted.at(-1)].map((event) => event?.engine_sequence ?? 0)),
    book: {
      bids: sideTwin(changes, 'BUY').sort((a, b) => b.price - a.price),
      asks: sideTwin(changes, 'SELL').sort((a, b) => a.price - b.price),
      sequence: changes.at(-1)?.engine_sequence ?? 0,
      at: changes.at(-1)?.at ?? created_at,
    },
    last_trade:
      last === undefined
        ? null
        : {
            record_id: last.kind === 'trade' ? last.trade_id : last.record_id,
            price: last.price,
            quantity: last.quantity,
            traded_at: last.kind === 'trade' ? last.at : last.traded_at,
          },
  }
}

function sideTwin(changes: readonly BookEvent[], side: Side) {
  const of_side = changes.filter((event) => event.side === side)
  const prices = [...new Set(of_side.map(({ price }) => price))]
  const newest = prices.map((wanted) => of_side.findLast(({ price }) => price === wanted)!)
  return newest
    .filter(({ quantity }) => quantity > 0)
    .map(({ price, quantity, order_count }) => ({ price, quantity, order_count }))
}

/** Returns the events that a database restores a fold with: a history's newest public events, as public_places.sql selects them. */
export function placesOf(listings: readonly PublicListing[], history: readonly EngineEvent[]): EngineEvent[] {
  const newest = listings.flatMap(({ market_id, outcomes }) => [
    history.findLast((event) => event.kind === 'market' && event.market_id === market_id),
    ...outcomes.flatMap(({ outcome_id }) =>
      (['book', 'trade'] as const).map((kind) =>
        history.findLast((event) => event.kind === kind && event.outcome_id === outcome_id),
      ),
    ),
  ])
  const all = history.filter(({ kind }) => kind === 'trade_correction' || kind === 'resolution')
  const found = [...newest.filter((event) => event !== undefined), ...all]
  return found.sort((a, b) => a.engine_sequence - b.engine_sequence)
}

function isTraded(event: EngineEvent): event is TradeEvent | TradeCorrectionEvent {
  return event.kind === 'trade' || event.kind === 'trade_correction'
}
