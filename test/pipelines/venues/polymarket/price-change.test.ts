import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SEED } from '../../../support/seed.ts'
import {
  AT,
  type Body,
  change,
  clobBook,
  complete,
  knowingReader,
  lastTrade,
  ms,
  NO_TOKEN,
  payload,
  priceChange,
  refusals,
} from './support/payloads.ts'
import { bookMessage, streaming, touches, WS } from './support/stream.ts'

describe('price_change', () => {
  test('size is the new total at the level, "0" deletes', () => {
    const fed = streaming()
    expect(touches(fed(priceChange([change('BUY', '0.301', '7')])))).toEqual([
      'YES 7.000000@0.301000000 99.170000@0.305000000',
    ])
    expect(touches(fed(priceChange([change('BUY', '0.301', '0')], 2)))).toEqual([
      'YES 57.500000@0.300000000 99.170000@0.305000000',
    ])
    expect(touches(fed(priceChange([change('SELL', '0.304', '1.5')], 3)))).toEqual([
      'YES 57.500000@0.300000000 1.500000@0.304000000',
    ])
  })

  test('a quote is of its message’s time and confirmed by nothing; it is given where best prices or depths change only', () => {
    const fed = streaming()
    const [quote] = fed(priceChange([change('BUY', '0.302', '5')], 40)).quotes
    expect([quote?.source_at, quote?.book?.confirmed_at, quote?.path]).toEqual([
      Number(ms(40)) * 1000,
      null,
      'price_changes[0]',
    ])
    expect(fed(priceChange([change('BUY', '0.1', '5')], 41)).quotes).toEqual([])
    expect(fed(priceChange([change('BUY', '0.302', '5.000')], 42)).quotes).toEqual([])
  })

  test('one message carries both tokens (BUY 0.302 on one is SELL 0.698 on the other) in any order: applied by asset_id', () => {
    const yes = change('BUY', '0.302', '5', { best_bid: '0.302', best_ask: '0.305' })
    const no = change('SELL', '0.698', '5', { asset_id: NO_TOKEN, best_bid: '0.695', best_ask: '0.698' })
    const expected = ['YES 5.000000@0.302000000 99.170000@0.305000000', 'NO 99.170000@0.695000000 5.000000@0.698000000']
    expect(touches(streaming()(priceChange([yes, no])))).toEqual(expected)
    expect(touches(streaming()(priceChange([no, yes])))).toEqual(expected.toReversed())
  })

  test('several levels of one token in one message are one change: one quote, one check', () => {
    const entries = [
      change('BUY', '0.302', '5', { best_bid: '0.302', best_ask: '0.305' }),
      change('BUY', '0.301', '0', { best_bid: '0.302', best_ask: '0.305' }),
      change('BUY', '0.302', '6', { best_bid: '0.302', best_ask: '0.305' }),
    ]
    expect(touches(streaming()(priceChange(entries)))).toEqual(['YES 6.000000@0.302000000 99.170000@0.305000000'])
  })

  test.each([
    ['cut', '{"event_type":"price_change","market":"0x', 'BAD_JSON'],
    ['of no type', { api_version: 9 }, 'UNKNOWN_SHAPE'],
    ['no object', [7], 'UNKNOWN_SHAPE'],
  ])(
    'a message that is %s may have changed any book: each is dropped until its next whole one',
    (_how, body, reason) => {
      const fed = streaming()
      expect(refusals(fed(body)).map((text) => text.split(' ').at(-1))).toEqual([reason])
      const later = [priceChange([change('BUY', '0.1', '5')], 2), priceChange([change('BUY', '0.1', '6')], 3)]
      expect(later.flatMap((message) => touches(fed(message)))).toEqual([])
      fed(bookMessage({ timestamp: ms(4) }))
      expect(touches(fed(priceChange([change('BUY', '0.302', '5')], 5)))).toHaveLength(1)
    },
  )

  test('a message of a type that is not known says nothing of the books', () => {
    const fed = streaming()
    expect(refusals(fed({ event_type: 'something_new' }))).toEqual(['$ UNKNOWN_SHAPE'])
    expect(touches(fed(priceChange([change('BUY', '0.302', '5')], 2)))).toHaveLength(1)
  })

  test('a mismatch of best_bid or best_ask is a gap: the book is dropped until the next whole one', () => {
    const fed = streaming()
    const wrong = change('BUY', '0.2', '5', { best_bid: '0.303', best_ask: '0.305' })
    const found = fed(priceChange([wrong]))
    expect([refusals(found), found.quotes]).toEqual([['price_changes[0] BOOK_MISMATCH'], []])
    expect(refusals(fed(priceChange([change('BUY', '0.302', '5')], 2)))).toEqual(['price_changes[0] NO_BASE_BOOK'])
    fed(bookMessage({ timestamp: ms(3) }))
    expect(touches(fed(priceChange([change('BUY', '0.302', '5')], 4)))).toEqual([
      'YES 5.000000@0.302000000 99.170000@0.305000000',
    ])
  })

  test('the other token’s book stays when one is dropped', () => {
    const fed = streaming()
    fed(priceChange([change('BUY', '0.2', '5', { best_ask: '0.4' })]))
    const no = change('SELL', '0.698', '5', { asset_id: NO_TOKEN })
    expect(touches(fed(priceChange([no], 2)))).toEqual(['NO 99.170000@0.695000000 5.000000@0.698000000'])
  })

  test('best_bid 0 and best_ask 1 mean an empty side', () => {
    const fed = streaming()
    fed(bookMessage({ bids: [{ price: '0.3', size: '1' }], asks: [], timestamp: ms(1) }))
    const found = fed(priceChange([change('BUY', '0.3', '0', { best_bid: '0', best_ask: '1' })], 2))
    expect([refusals(found), touches(found)]).toEqual([[], ['YES null@null null@null']])
    const wrong = change('BUY', '0.3', '1', { best_bid: '0', best_ask: '1' })
    expect(refusals(fed(priceChange([wrong], 3)))).toEqual(['price_changes[0] BOOK_MISMATCH'])
  })

  test('a change without a book is quarantined as NO_BASE_BOOK, of an unknown token as UNKNOWN_OUTCOME', () => {
    const entries = [change('BUY', '0.3', '1'), change('BUY', '0.3', '1', { asset_id: '5' })]
    expect(refusals(knowingReader()(WS, [priceChange(entries)]))).toEqual([
      '$[0].price_changes[0] NO_BASE_BOOK',
      '$[0].price_changes[1] UNKNOWN_OUTCOME',
    ])
  })

  test.each([
    ['BAD_VALUE', { price: 'x' }, {}],
    ['VALUE_OUT_OF_RANGE', { price: '1.2' }, {}],
    ['MISSING_FIELD', { size: '' }, {}],
    ['BAD_FLAG', { side: 'HOLD' }, {}],
    ['FIELDS_DISAGREE', {}, { market: '0x7' }],
    ['BAD_DATE', {}, { timestamp: '5' }],
  ] as const)('a change that cannot be read (%s) leaves the book unknown', (reason, entry, message) => {
    const fed = streaming()
    const found = fed(priceChange([change('BUY', '0.3', '1', entry)], 1, message))
    expect(refusals(found)).toEqual([`price_changes[0] ${reason}`])
    expect(refusals(fed(priceChange([change('BUY', '0.3', '1')], 2)))).toEqual(['price_changes[0] NO_BASE_BOOK'])
  })

  test('a change received before its instant is in the book, but no quote', () => {
    const fed = streaming()
    expect(refusals(fed(priceChange([change('BUY', '0.302', '5')], 5000)))).toEqual([
      'price_changes[0] SOURCE_AFTER_RECEIVED',
    ])
    expect(touches(fed(priceChange([change('BUY', '0.303', '4')], 3)))).toEqual([
      'YES 4.000000@0.303000000 99.170000@0.305000000',
    ])
  })

  test('a message of the older form, with changes of one token, gives what the newer one gives', () => {
    const newer = streaming()(priceChange([change('BUY', '0.302', '5')], 20))
    const { asset_id, ...entry } = change('BUY', '0.302', '5') as Record<string, unknown>
    const { price_changes: _, ...message } = priceChange([], 20) as Record<string, unknown>
    const older = streaming()({ ...message, asset_id, changes: [entry] })
    expect([refusals(older), older.quotes]).toEqual([[], newer.quotes])
    expect(refusals(streaming()({ event_type: 'price_change', asset_id }))).toEqual(['$ UNKNOWN_SHAPE'])
  })

  test('P11: equal and decreasing milliseconds keep the order of arrival; the book’s time is the newest that it contains', () => {
    const fed = streaming()
    const at = (after: number, size: string) => fed(priceChange([change('BUY', '0.302', size)], after)).quotes[0]
    const quotes = [at(20, '5'), at(20, '6'), at(4, '7'), at(21, '8')]
    expect(quotes.map((q) => [q?.book?.bid_depth, (q!.source_at - Number(ms(0)) * 1000) / 1000])).toEqual([
      ['5.000000', 20],
      ['6.000000', 20],
      ['7.000000', 20],
      ['8.000000', 21],
    ])
  })

  test('in a burst a level can be added, changed and removed: of one frame and instant the last state counts', () => {
    const burst = [
      priceChange([change('BUY', '0.302', '5')], 6),
      priceChange([change('BUY', '0.302', '9')], 6),
      priceChange([change('BUY', '0.302', '0')], 6),
      priceChange([change('BUY', '0.303', '2')], 7),
    ]
    const { quotes } = streaming()(burst)
    expect(quotes.map((q) => [q.path, q.book?.bid, q.book?.bid_depth])).toEqual([
      ['$[2].price_changes[0]', '0.301000000', '25.333333'],
      ['$[3].price_changes[0]', '0.303000000', '2.000000'],
    ])
  })
})

describe('a book read by request', () => {
  const gap = priceChange([change('BUY', '0.2', '5', { best_bid: '0.4' })], 10)

  test('a mismatch = gap, reload /book: it is the new base where it is not older than the gap', () => {
    const fed = knowingReader()
    fed(WS, bookMessage())
    fed(WS, gap)
    fed('GET /book', clobBook({ timestamp: ms(9) }))
    expect(refusals(fed(WS, priceChange([change('BUY', '0.302', '5')], 11)))).toEqual(['price_changes[0] NO_BASE_BOOK'])
    fed('GET /book', clobBook({ timestamp: ms(20) }))
    const contained = priceChange([change('BUY', '0.301', '0', { best_bid: '0.3' })], 15)
    expect(fed(WS, contained)).toMatchObject({ quotes: [], quarantine: [] })
    expect(touches(fed(WS, priceChange([change('BUY', '0.302', '5')], 21)))).toEqual([
      'YES 5.000000@0.302000000 99.170000@0.305000000',
    ])
  })

  test('it does not replace a book that the stream has', () => {
    const fed = knowingReader()
    fed(WS, bookMessage())
    fed('GET /book', clobBook({ timestamp: ms(20), bids: [] }))
    expect(touches(fed(WS, priceChange([change('SELL', '0.305', '1')], 21)))).toEqual([
      'YES 25.333333@0.301000000 1.000000@0.305000000',
    ])
  })
})

describe('properties', () => {
  const level = fc.record({
    side: fc.constantFrom('BUY', 'SELL') as fc.Arbitrary<'BUY' | 'SELL'>,
    price: fc.integer({ min: 1, max: 20 }).map((n) => `0.${String(n * 5).padStart(3, '0')}`),
    size: fc.integer({ min: 0, max: 3 }).map(String),
  })
  const changes = fc.array(level, { maxLength: 40 })

  test('the rebuilt book is what a map of totals says', () => {
    fc.assert(
      fc.property(changes, (entries) => {
        const fed = knowingReader()
        fed(WS, bookMessage({ bids: [], asks: [] }))
        const totals = new Map<string, string>()
        const found = entries.flatMap(({ side, price, size }, i) => {
          totals.set(`${side}${price}`, size)
          return fed(WS, priceChange([change(side, price, size)], i), { received_at: AT + i * 1000 }).quotes
        })
        const best = (side: string, pick: (prices: string[]) => string | undefined) =>
          pick(
            [...totals]
              .flatMap(([key, size]) => (key.startsWith(side) && size !== '0' ? [key.slice(side.length)] : []))
              .sort(),
          )
        const expected = [best('BUY', (prices) => prices.at(-1)), best('SELL', (prices) => prices[0])]
        const last = found.at(-1)?.book
        expect([last?.bid, last?.ask].map((price) => price ?? undefined)).toEqual(
          expected.map((price) => price?.padEnd(11, '0')),
        )
      }),
      { seed: SEED, numRuns: 300 },
    )
  })

  test('how messages are packed into frames does not change the book that they leave', () => {
    fc.assert(
      fc.property(changes, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (entries, cuts) => {
        const messages = entries.map(({ side, price, size }, i) => priceChange([change(side, price, size)], i))
        const alone = knowingReader()
        const packed = knowingReader()
        for (const fed of [alone, packed]) fed(WS, bookMessage({ bids: [], asks: [] }))
        const frames: Body[][] = [[]]
        for (const [i, message] of messages.entries()) {
          if (cuts[i]) frames.push([])
          frames.at(-1)!.push(message)
        }
        const a = messages.flatMap((message) => touches(alone(WS, message)))
        const b = frames.flatMap((frame) => touches(packed(WS, frame)))
        expect(b.at(-1)).toEqual(a.at(-1))
      }),
      { seed: SEED, numRuns: 200 },
    )
  })

  test('the same payloads give the same records', () => {
    const payloads = [bookMessage(), lastTrade(), priceChange([change('BUY', '0.302', '5')], 3)].map((m) =>
      payload(WS, m),
    )
    const run = () => {
      const fed = knowingReader()
      return payloads.map((p) => complete(fed(p.endpoint, p.text)))
    }
    expect(run()).toEqual(run())
  })
})
