import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fairPrice } from '../../../service/sandbox/fair-price.ts'
import {
  planQuotes,
  priceText,
  type Quote,
  type RestingOrder,
  wantedQuotes,
} from '../../../service/sandbox/maker-quotes.ts'
import { takeOf } from '../../../service/sandbox/run-traders.ts'

const MARKET = { market_id: 'mkt_a', outcome_ids: ['out_yes', 'out_no'] } as const
const instants = fc.integer({ min: 1_700_000_000, max: 2_000_000_000 })

const resting = (quote: Quote, order_id: string, remaining = quote.quantity): RestingOrder => ({
  order_id,
  outcome_id: quote.outcome_id,
  side: quote.side,
  limit_price: priceText(quote.price_cents),
  original_quantity: `${quote.quantity}.00`,
  remaining_quantity: `${remaining}.00`,
})

describe('what makers want', () => {
  test('the seed and the clock alone decide; another seed, other prices', () => {
    expect(wantedQuotes('tide', 0, MARKET, 1_800_000_000)).toEqual(wantedQuotes('tide', 0, MARKET, 1_800_000_000))
    const fairs = (seed: string) =>
      Array.from({ length: 20 }, (_, n) => fairPrice(seed, 'mkt_a', 1_800_000_000 + n * 600))
    expect(fairs('tide')).not.toEqual(fairs('ebb'))
  })

  test('prices stay in the range, move by little, and no maker would meet itself or the other', () => {
    fc.assert(
      fc.property(instants, (at_s) => {
        expect(Math.abs(fairPrice('tide', 'mkt_a', at_s) - fairPrice('tide', 'mkt_a', at_s + 1))).toBeLessThanOrEqual(1)
        const quotes = [0, 1].flatMap((maker) => wantedQuotes('tide', maker, MARKET, at_s))
        expect(quotes.every(({ price_cents }) => price_cents >= 1 && price_cents <= 99)).toBe(true)
        for (const outcome_id of MARKET.outcome_ids) {
          const of = (side: string) =>
            quotes.filter((quote) => quote.outcome_id === outcome_id && quote.side === side).map((q) => q.price_cents)
          expect(Math.max(...of('BUY'))).toBeLessThan(Math.min(...of('SELL')))
        }
      }),
    )
  })
})

describe('what a maker does', () => {
  const wanted = wantedQuotes('tide', 0, MARKET, 1_800_000_000)
  const [first, second] = wanted as [Quote, Quote, ...Quote[]]

  test('with empty books: everything is placed', () => {
    expect(planQuotes(wanted, [])).toEqual({ cancel: [], place: wanted })
  })

  test('what rests already is kept, whoever of its runs placed it: a restart does nothing', () => {
    expect(
      planQuotes(
        wanted,
        wanted.map((quote, n) => resting(quote, `ord_${n}`)),
      ),
    ).toEqual({ cancel: [], place: [] })
  })

  test('what is off its price, worn to less than half or there twice is taken back', () => {
    const off = resting({ ...first, price_cents: first.price_cents - 1 }, 'ord_off')
    const worn = resting(second, 'ord_worn', Math.floor(second.quantity / 2) - 1)
    const twice = [resting(first, 'ord_1'), resting(first, 'ord_2')]
    const plan = planQuotes([first, second], [off, worn, ...twice])
    expect(plan).toEqual({ cancel: ['ord_off', 'ord_worn', 'ord_2'], place: [second] })
  })

  test('where none of several is kept, all are canceled by one request', () => {
    const moved = [first, second].map((quote, n) =>
      resting({ ...quote, price_cents: quote.price_cents - 1 }, `ord_${n}`),
    )
    expect(planQuotes([first], moved)).toEqual({ cancel: 'all', place: [first] })
    expect(planQuotes([first], moved.slice(0, 1))).toEqual({ cancel: ['ord_0'], place: [first] })
  })
})

test('the taker crosses the best quote, as often one way as the other', () => {
  const takes = Array.from({ length: 2_000 }, (_, turn) => takeOf('tide', [MARKET], turn, 1_800_000_000))
  const buys = takes.filter(({ side }) => side === 'BUY')
  expect(buys.length).toBeGreaterThan(900)
  expect(buys.length).toBeLessThan(1_100)
  const quotes = wantedQuotes('tide', 0, MARKET, 1_800_000_000)
  for (const { outcome_id, side, price_cents } of takes) {
    const against = quotes.filter((quote) => quote.outcome_id === outcome_id && quote.side !== side)
    const reached = against.filter((quote) =>
      side === 'BUY' ? quote.price_cents <= price_cents : quote.price_cents >= price_cents,
    )
    expect(reached.length).toBeGreaterThan(0)
  }
})
