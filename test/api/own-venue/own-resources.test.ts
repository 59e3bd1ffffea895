import { describe, expect, test } from 'vitest'
import { isOwnStale, ownOrderBookOf, ownPriceOf } from '../../../api/own-venue/own-resources.ts'
import { QUALITY_OF_STATUS } from '../../../pipelines/market/quality-label.ts'
import { toMicros } from '../../../primitives/instants.ts'
import type { EngineEvent } from '../../../trading/engine/events.ts'
import { PublicMarkets } from '../../../trading/public-market/fold-events.ts'
import type { PublicLevel } from '../../../trading/public-market/public-market.ts'
import { MARKET_STATUSES } from '../../../vocabulary/market.ts'
import type { Side } from '../../../vocabulary/order.ts'
import type { Row } from '../../../warehouse/schema.ts'

const AT = toMicros('2026-01-01T00:00:00Z')
const LISTING = {
  market_id: 'mkt_1',
  status: 'open',
  terms: { price_scale: 2, quantity_scale: 1 },
  outcomes: [
    { outcome_id: 'out_yes', label: 'Yes' },
    { outcome_id: 'out_no', label: 'No' },
  ],
  created_at: AT,
} as const

type Level = PublicLevel & { readonly side: Side }

function market() {
  const markets = new PublicMarkets()
  markets.list(LISTING)
  let engine_sequence = 100
  const book = (entry: Level): EngineEvent => {
    engine_sequence += 1
    return { kind: 'book', engine_sequence, at: AT, market_id: 'mkt_1', outcome_id: 'out_yes', ...entry }
  }
  return { markets, book, own: markets.market('mkt_1')! }
}

describe('the price view', () => {
  const marks: Row[] = []
  const trade = (outcome_id: string, price: number): EngineEvent => ({
    kind: 'trade',
    engine_sequence: 200,
    at: AT,
    trade_id: 'trd_200',
    market_id: 'mkt_1',
    outcome_id,
    price,
    quantity: 10,
    aggressor_side: 'BUY',
  })

  test('is the touch of each own book and its last trade; no side is taken from the other outcome', () => {
    const { markets, book, own } = market()
    markets.apply(AT, [
      trade('out_yes', 52),
      book({ side: 'BUY', price: 51, quantity: 35, order_count: 2 }),
      book({ side: 'SELL', price: 54, quantity: 5, order_count: 1 }),
      book({ side: 'SELL', price: 60, quantity: 500, order_count: 1 }),
    ])
    const { price } = ownPriceOf(own, marks, AT, AT)
    expect(price.outcomes[0]).toMatchObject({
      best_bid: '0.510000000',
      best_ask: '0.540000000',
      midpoint: '0.525000000',
      spread: '0.030000000',
      last_trade: '0.520000000',
      bid_depth: '3.500000',
      ask_depth: '0.500000',
      derived: false,
      source_observation_ids: [],
    })
    expect(price.outcomes[1]).toMatchObject({ best_bid: null, best_ask: null, last_trade: null, derived: false })
    expect(price).toMatchObject({
      venue_id: 'tidemark',
      source_sequence: 103,
      market_status: 'open',
      quality_state: 'valid',
    })
  })

  test.each(MARKET_STATUSES)('of a market that is %s says what its prices are worth', (status) => {
    const { markets, own } = market()
    markets.apply(AT, [
      trade('out_yes', 52),
      { kind: 'market', engine_sequence: 300, at: AT, market_id: 'mkt_1', status, reason: 'test', actor: 'tester' },
    ])
    expect(ownPriceOf(own, marks, AT, AT).price).toMatchObject({
      market_status: status,
      quality_state: QUALITY_OF_STATUS[status],
      source_sequence: 300,
    })
  })

  test('is stale where nobody has confirmed it for a minute, and suspended without any price; the book says the same', () => {
    const { own, markets, book } = market()
    const minutes = (count: number) => AT + count * 60_000_000
    const [yes] = own.outcomes
    const labels = (at: number) => {
      const is_stale = isOwnStale(own, minutes(1), at)
      return [
        ownPriceOf(own, marks, minutes(1), at).price.outcomes[0]!.quality_state,
        ownOrderBookOf(yes!, 10, is_stale).quality_state,
      ]
    }
    expect(labels(minutes(1))).toEqual(['suspended', 'suspended'])
    markets.apply(AT, [book({ side: 'BUY', price: 51, quantity: 35, order_count: 2 })])
    expect(labels(minutes(2))).toEqual(['valid', 'valid'])
    expect(labels(minutes(2) + 1)).toEqual(['stale', 'stale'])
  })
})
