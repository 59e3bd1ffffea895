import { type Micros } from '../../primitives/instants.ts'
import { type MarketStatus, type TradeCorrection } from '../../vocabulary/market.ts'
import { type Side } from '../../vocabulary/order.ts'

/** What rests at one price, in whole numbers at the market's scales. */
export type OwnLevel = { readonly price: number; readonly quantity: number; readonly order_count: number }

/** The book of one outcome: each side best first. */
export type OwnBook = {
  readonly bids: OwnLevel[]
  readonly asks: OwnLevel[]
  /** engine_sequence of its last event; 0: it had none. */
  sequence: number
  /** Of its last event, or of the listing. */
  at: Micros
}

export type OwnTrade = {
  /** Of this record: of a correction it is another one than of the trade. */
  readonly record_id: string
  readonly trade_id: string
  readonly market: OwnMarket
  readonly outcome_id: string
  readonly price: number
  readonly quantity: number
  readonly aggressor_side: Side
  readonly engine_sequence: number
  readonly traded_at: Micros
  readonly at: Micros
  readonly correction: { readonly kind: TradeCorrection; readonly supersedes_record_id: string } | null
}

export type OwnOutcome = {
  readonly outcome_id: string
  readonly label: string
  readonly market: OwnMarket
  readonly book: OwnBook
  /** null also where the last one is void, until the next. */
  last_trade: OwnTrade | null
}

/** A market listed here, as the engine's events have left it. */
export type OwnMarket = {
  readonly market_id: string
  readonly price_scale: number
  readonly quantity_scale: number
  /** In the order of the market. */
  readonly outcomes: readonly OwnOutcome[]
  status: MarketStatus
  /** engine_sequence of the last event of its books, trades or status. */
  sequence: number
  at: Micros
  /** The same of its trades and their corrections alone; 0: none. */
  trade_sequence: number
}

/** What a market is listed with. */
export type OwnListing = Pick<OwnMarket, 'market_id' | 'price_scale' | 'quantity_scale'> & {
  readonly status: MarketStatus
  readonly outcomes: readonly { readonly outcome_id: string; readonly label: string }[]
  readonly created_at: Micros
}

/** A market before its first event. */
export function newOwnMarket({ outcomes, created_at, ...facts }: OwnListing): OwnMarket {
  const listed: OwnOutcome[] = []
  const market: OwnMarket = {
    ...facts,
    outcomes: listed,
    sequence: 0,
    at: created_at,
    trade_sequence: 0,
  }
  for (const { outcome_id, label } of outcomes) {
    const book: OwnBook = { bids: [], asks: [], sequence: 0, at: created_at }
    listed.push({ outcome_id, label, market, book, last_trade: null })
  }
  return market
}
