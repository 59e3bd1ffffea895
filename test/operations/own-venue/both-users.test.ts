import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ownOrderBookOf, ownPriceOf } from '../../../api/own-venue/own-resources.ts'
import { bookRow } from '../../../operations/own-venue/book-row.ts'
import { VenueRowMaker } from '../../../operations/own-venue/venue-row-maker.ts'
import { VenueState } from '../../../operations/own-venue/venue-state.ts'
import { quantize } from '../../../primitives/scaled.ts'
import type { BookEvent, TradeCorrectionEvent, TradeEvent } from '../../../trading/engine/events.ts'
import { PublicMarkets } from '../../../trading/public-market/fold-events.ts'
import type { PublicMarketRead } from '../../../trading/store/read/public-reads.ts'
import { type Batch, LISTED_AT, LISTINGS, randomBatches } from '../../trading/public-market/random-events.ts'

const AT = LISTED_AT + 1_000
const NOTHING_STORED = {
  market: 0,
  market_eligibility: 0,
  market_quote: 0,
  order_book: 0,
  public_trade: 0,
  market_resolution: 0,
}
const [{ market_id, outcomes }] = LISTINGS as [(typeof LISTINGS)[number]]
const OUTCOME = { market_id, outcome_id: outcomes[0]!.outcome_id }

/** Gives the same events to the API's live view and to the rows of the warehouse. */
function bothUsers(quantity_scale = 1) {
  const listings = LISTINGS.map((listing) => ({ ...listing, terms: { price_scale: 1, quantity_scale } }))
  const live = new PublicMarkets()
  for (const listing of listings) live.list(listing)
  const state = new VenueState()
  const listed = { terms: {}, listing: null }
  state.list(listings.map((listing) => ({ ...listing, listed }) as unknown as PublicMarketRead))
  const facts = { payouts: [], evidence: [], supersedes_id: null, proposed_at: AT, dispute_window_ends_at: AT }
  const resolutions = new Map(
    Array.from({ length: 21 }, (_, nth) => [
      `res_${nth}`,
      { ...facts, resolution_id: `res_${nth}`, proposed_at: AT + nth },
    ]),
  )
  const maker = new VenueRowMaker(state, NOTHING_STORED, resolutions as never, AT)
  return {
    apply({ at, events }: Batch) {
      live.apply(at, events)
      maker.add({ at, events })
    },
    /** Top of book and last trade of an outcome, as the API shows them. */
    shown: (outcome_id: string) => {
      const { market } = live.outcome(outcome_id)!
      const { price } = ownPriceOf(market, [], AT, AT)
      return price.outcomes.find((outcome) => outcome.outcome_id === outcome_id)!
    },
    book: (outcome_id: string) => ownOrderBookOf(live.outcome(outcome_id)!, 100, false),
    /** The newest quote that the warehouse is given. */
    stored: (outcome_id: string) => maker.rows.market_quote.findLast((row) => row.outcome_id === outcome_id),
    storedBook: (outcome_id: string) => bookRow(state.outcome(outcome_id).outcome, AT),
  }
}

const trade = (engine_sequence: number): TradeEvent => ({
  ...OUTCOME,
  kind: 'trade',
  engine_sequence,
  at: AT,
  trade_id: `trd_${engine_sequence}`,
  price: 4,
  quantity: 10,
  aggressor_side: 'BUY',
})
const voidOf = (voided: TradeEvent, engine_sequence: number): TradeCorrectionEvent => ({
  ...voided,
  kind: 'trade_correction',
  engine_sequence,
  at: AT + 1_000,
  correction: 'void',
  record_id: `${voided.trade_id}.void`,
  revision: 2,
  supersedes_record_id: voided.trade_id,
  superseded_price: voided.price,
  traded_at: voided.at,
})

describe('the API and the warehouse agree', () => {
  test('on the last trade when another one of the same price and instant is voided', () => {
    const both = bothUsers()
    const [first, last] = [trade(1), trade(2)]
    both.apply({ at: AT, events: [first, last] })
    both.apply({ at: AT + 1_000, events: [voidOf(first, 3)] })
    expect(both.shown(OUTCOME.outcome_id).last_trade).toBe('0.400000000')
    expect(both.stored(OUTCOME.outcome_id)).toMatchObject({ last_trade: '0.400000000', source_sequence: 2 })
    both.apply({ at: AT + 2_000, events: [voidOf(last, 4)] })
    expect(both.shown(OUTCOME.outcome_id).last_trade).toBeNull()
    expect(both.stored(OUTCOME.outcome_id)).toMatchObject({ last_trade: null, source_sequence: 4 })
  })

  test('on the sizes of a market with finer quantities than the warehouse stores, apart from its last digit', () => {
    const both = bothUsers(7)
    const level = (engine_sequence: number, side: 'BUY' | 'SELL', price: number, quantity: number): BookEvent => {
      return { ...OUTCOME, kind: 'book', engine_sequence, at: AT, side, price, quantity, order_count: 1 }
    }
    both.apply({ at: AT, events: [level(1, 'BUY', 4, 123_456_785), level(2, 'SELL', 6, 4), level(3, 'SELL', 7, 26)] })
    const { bids, asks } = both.book(OUTCOME.outcome_id)
    expect(bids).toMatchObject([{ quantity: '12.3456785' }])
    expect(asks).toMatchObject([{ quantity: '0.0000004' }, { quantity: '0.0000026' }])
    // The tiny order rests, so it is the best ask of both, though its stored size is rounded to 0.
    expect(both.shown(OUTCOME.outcome_id)).toMatchObject({ best_ask: '0.600000000', ask_depth: '0.0000004' })
    expect(both.stored(OUTCOME.outcome_id)).toMatchObject({ ask: '0.600000000', ask_depth: '0.000000' })
    expect(both.storedBook(OUTCOME.outcome_id)).toMatchObject({
      bids: [{ quantity: '12.345678' }],
      asks: [{ quantity: '0.000000' }, { quantity: '0.000003' }],
    })
  })

  test('after whatever an engine may commit', () => {
    fc.assert(
      fc.property(randomBatches, fc.constantFrom(0, 1, 6, 7), (batches, quantity_scale) => {
        const both = bothUsers(quantity_scale)
        for (const batch of batches) both.apply(batch)
        for (const { outcome_id } of LISTINGS.flatMap((listing) => listing.outcomes)) {
          const [shown, stored] = [both.shown(outcome_id), both.stored(outcome_id)]
          const six = (text: unknown) => (text == null ? null : quantize(String(text), 6))
          expect([stored?.bid ?? null, stored?.ask ?? null]).toEqual([shown.best_bid, shown.best_ask])
          expect(stored?.last_trade ?? null).toBe(shown.last_trade)
          expect([six(stored?.bid_depth), six(stored?.ask_depth)]).toEqual([six(shown.bid_depth), six(shown.ask_depth)])
        }
      }),
    )
  })
})
