import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SEED } from '../../../support/seed.ts'
import { allOf, expectSound, payload, RECEIVED, reader, reasons, sides, stream, streamBooks } from './payloads.ts'

const snapshot = (seq: number, msg: object = {}, sid = 1) => ({
  type: 'orderbook_snapshot',
  sid,
  seq,
  msg: {
    market_ticker: 'KXA-1',
    market_id: '9b0f6b43-5b68-4f9f-9f02-9a2d1b8ac1a1',
    yes_dollars_fp: [
      ['0.0800', '300.00'],
      ['0.2200', '333.00'],
    ],
    no_dollars_fp: [
      ['0.5400', '20.00'],
      ['0.5600', '146.00'],
    ],
    ...msg,
  },
})
const delta = (seq: number, side: string, price_dollars: string, delta_fp: string, msg: object = {}, sid = 1) => ({
  type: 'orderbook_delta',
  sid,
  seq,
  msg: { market_ticker: 'KXA-1', price_dollars, delta_fp, side, ...msg },
})

describe('orderbook_snapshot and orderbook_delta', () => {
  test('a snapshot is the whole book of both outcomes, with its sequence', () => {
    const [first] = stream([snapshot(2)])
    expect(sides(first!)).toEqual([
      ['YES', '0.220000000', '0.440000000'],
      ['NO', '0.560000000', '0.780000000'],
    ])
    expect(first!.quotes[0]!.book).toMatchObject({ source_sequence: 2, confirmed_at: null })
    expect(streamBooks([snapshot(2)])[1]).toMatchObject([
      {
        outcome: 'YES',
        source_sequence: 2,
        asks_derived: true,
        bids: [{ price: '0.220000000' }, { price: '0.080000000' }],
        asks: [
          { price: '0.440000000', quantity: '146.000000' },
          { price: '0.460000000', quantity: '20.000000' },
        ],
      },
      { outcome: 'NO', bids: [{ price: '0.560000000' }, { price: '0.540000000' }] },
    ])
  })

  test('the change is signed, not a total; a level is removed when its quantity reaches 0', () => {
    const steps = stream([
      snapshot(1),
      delta(2, 'yes', '0.2200', '-33.00'),
      delta(3, 'yes', '0.2200', '-300.00'),
      delta(4, 'no', '0.5650', '1.50'),
    ])
    const yes = steps
      .slice(1)
      .map(({ quotes }) => [quotes[0]!.book!.bid, quotes[0]!.book!.bid_depth, quotes[0]!.book!.ask])
    expect(yes).toEqual([
      ['0.220000000', '300.000000', '0.440000000'],
      ['0.080000000', '300.000000', '0.440000000'],
      ['0.080000000', '300.000000', '0.435000000'],
    ])
  })

  test.each([
    ['cut', '{"type":"orderbook_delta","sid":1,"se', 'BAD_JSON'],
    ['of no type', '{"api_version":9}', 'MISSING_FIELD'],
  ])(
    'a message that is %s may have changed any book: nothing is known of it until the next whole one',
    (_how, text, reason) => {
      const one = reader()
      const read = (frame: unknown, n: number) =>
        allOf(one.read(payload('ws', frame, { received_at: RECEIVED + n * 1_000_000, file: `${n}.json` })))
      read(snapshot(1), 0)
      expect(reasons(read(text, 1))).toEqual([reason])
      expect(read(delta(2, 'yes', '0.2200', '-33.00'), 2).quotes).toEqual([])
      read(snapshot(3), 3)
      expect(read(delta(4, 'yes', '0.2200', '-33.00'), 4).quotes).toHaveLength(2)
    },
  )

  test('cents and contracts of the old form, alone or beside the new', () => {
    const old = {
      yes: [
        [8, 300],
        [22, 333],
      ],
      no: [
        [54, 20],
        [56, 146],
      ],
    }
    const both = stream([snapshot(1, old), delta(2, 'yes', '0.2300', '5.00', { price: 23, delta: 5 })])
    const alone = stream([
      snapshot(1, { ...old, yes_dollars_fp: undefined, no_dollars_fp: undefined }),
      { ...delta(2, 'yes', '', ''), msg: { market_ticker: 'KXA-1', price: 23, delta: 5, side: 'yes' } },
    ])
    expect(alone.map(({ quotes }) => sides({ quotes }))).toEqual(both.map(({ quotes }) => sides({ quotes })))
    expect(both[1]!.quotes[0]!.book).toMatchObject({ bid: '0.230000000', bid_depth: '5.000000' })
    const against = stream([snapshot(1), delta(2, 'yes', '0.2300', '5.00', { delta: -5 })])
    expect(against.map(reasons)).toEqual([[], ['FIELDS_DISAGREE']])
  })

  test('an absent side is empty', () => {
    const [{ quotes }] = stream([snapshot(1, { no_dollars_fp: undefined })]) as [ReturnType<typeof allOf>]
    expect(sides({ quotes })[0]).toEqual(['YES', '0.220000000', null])
  })

  test('quotes where the best levels moved, and once a minute while the book stirs below them', () => {
    const frames = [snapshot(1), delta(2, 'yes', '0.0800', '1.00'), delta(3, 'yes', '0.2300', '1.00')]
    expect(stream(frames).map(({ quotes }) => quotes.length)).toEqual([2, 0, 2])
    expect(stream(frames, 60).map(({ quotes }) => quotes.length)).toEqual([2, 2, 2])
  })

  test('a book that stirs below its best levels is quoted again before it counts as too old', () => {
    const stirs = Array.from({ length: 60 }, (_, nth) =>
      delta(nth + 2, 'yes', '0.0800', nth % 2 === 0 ? '1.00' : '-1.00'),
    )
    const quoted = stream([snapshot(1), ...stirs], 7).flatMap(({ quotes }, nth) => (quotes.length > 0 ? [nth * 7] : []))
    const gaps = quoted.slice(1).map((second, nth) => second - quoted[nth]!)
    expect(quoted.length).toBeGreaterThan(12)
    // A quote is due after half a minute, and comes with the next message.
    expect(Math.max(...gaps)).toBeLessThanOrEqual(35)
  })

  test('whole books: the last state of each minute, when the minute has ended', () => {
    const books = streamBooks(
      [
        snapshot(1),
        delta(2, 'yes', '0.2200', '1.00'),
        delta(3, 'yes', '0.2200', '1.00'),
        delta(4, 'yes', '0.2200', '1.00'),
        delta(5, 'yes', '0.2200', '1.00'),
      ],
      25,
    )
    expect(books.map((given) => given.filter(({ outcome }) => outcome === 'YES'))).toMatchObject([
      [],
      [],
      [],
      [{ source_sequence: 3, source_at: RECEIVED + 50_000_000, bids: [{ quantity: '335.000000' }, {}] }],
      [],
      [{ source_sequence: 5, source_at: RECEIVED + 100_000_000, bids: [{ quantity: '337.000000' }, {}] }],
    ])
  })

  test('a lost book is recorded as it was until then, and again when it restarts', () => {
    const books = streamBooks([
      snapshot(1),
      delta(2, 'yes', '0.2200', '1.00'),
      delta(4, 'yes', '0.2200', '1.00'),
      snapshot(5),
    ])
    expect(books.map((given) => given.map(({ outcome, source_sequence }) => `${outcome} ${source_sequence}`))).toEqual([
      [],
      [],
      ['YES 2', 'NO 2'],
      [],
      ['YES 5', 'NO 5'],
    ])
  })

  test('ts_ms before ts before the receipt', () => {
    const at = (msg: object) => stream([snapshot(1, msg)])[0]!.quotes[0]!.source_at
    expect(at({ ts_ms: 1_772_000_000_123, ts: 1_772_000_000 })).toBe(1_772_000_000_123_000)
    expect(at({ ts: '2026-02-25T06:13:20Z' })).toBe(1_772_000_000_000_000)
    expect(at({})).toBe(RECEIVED)
  })

  test('a message of a clock that runs ahead changes the book although its own quote is refused', () => {
    const steps = stream([
      snapshot(1),
      delta(2, 'yes', '0.3000', '5.00', { ts_ms: RECEIVED / 1000 + 60_000 }),
      delta(3, 'yes', '0.3100', '5.00'),
      delta(4, 'yes', '0.3100', '-5.00'),
    ])
    expect(steps.map(reasons)).toEqual([[], ['SOURCE_AFTER_RECEIVED'], [], []])
    expect(sides(steps[3]!)[0]![1]).toBe('0.300000000')
  })
})

describe('sequence: a hole makes every book of the subscription unknown until its next whole one', () => {
  test('the gap is named once, later changes have no base, a snapshot begins anew', () => {
    const steps = stream([
      snapshot(1),
      delta(3, 'yes', '0.3000', '5.00'),
      delta(4, 'yes', '0.3000', '5.00'),
      snapshot(5),
      delta(6, 'yes', '0.3000', '5.00'),
    ])
    expect(steps.map(reasons)).toEqual([[], ['SEQUENCE_GAP'], ['NO_BASE_BOOK'], [], []])
    expect(steps[1]!.quotes).toEqual([])
    expect(sides(steps[4]!)[0]![1]).toBe('0.300000000')
  })

  test('the sequence is per subscription: other markets of it are lost too, other subscriptions are not', () => {
    const b = { market_ticker: 'KXB-1' }
    const steps = stream([
      snapshot(1),
      snapshot(2, b),
      snapshot(7, { market_ticker: 'KXC-1' }, 2),
      delta(4, 'yes', '0.3000', '5.00'),
      delta(5, 'yes', '0.3000', '5.00', b),
      delta(8, 'yes', '0.3000', '5.00', { market_ticker: 'KXC-1' }, 2),
    ])
    expect(steps.map(reasons)).toEqual([[], [], [], ['SEQUENCE_GAP'], ['NO_BASE_BOOK'], []])
  })

  test('a hole before a snapshot spares that snapshot only', () => {
    const b = { market_ticker: 'KXB-1' }
    const steps = stream([snapshot(1), snapshot(4, b), delta(5, 'yes', '0.3', '5', b), delta(6, 'yes', '0.3', '5')])
    expect(steps.map(reasons)).toEqual([[], [], [], ['NO_BASE_BOOK']])
  })

  test('P13: the last message again is no change; a smaller number is another connection', () => {
    const twice = stream([
      snapshot(1),
      delta(2, 'yes', '0.22', '1'),
      delta(2, 'yes', '0.22', '1'),
      delta(3, 'yes', '0.22', '1'),
    ])
    expect(twice.map(reasons)).toEqual([[], [], [], []])
    expect(twice[3]!.quotes[0]!.book!.bid_depth).toBe('335.000000')
    const back = stream([
      snapshot(5),
      delta(6, 'yes', '0.3', '5'),
      delta(2, 'yes', '0.3', '5'),
      delta(3, 'yes', '0.3', '5'),
    ])
    expect(back.map(reasons)).toEqual([[], [], ['SEQUENCE_GAP'], ['NO_BASE_BOOK']])
  })

  test('combinations count in the sequence and give nothing', () => {
    const combo = { market_ticker: 'KXMVE-1' }
    const steps = stream([
      snapshot(1),
      snapshot(2, combo),
      delta(3, 'yes', '0.3', '5', combo),
      delta(4, 'yes', '0.3', '5'),
    ])
    expect(steps.map(reasons)).toEqual([[], [], [], []])
    expect(steps.map(({ quotes }) => quotes.length)).toEqual([2, 0, 0, 2])
  })

  test('acknowledgements count where they are next; a subscription that begins or ends is forgotten', () => {
    const counted = stream([snapshot(1), { type: 'ok', id: 2, sid: 1, seq: 2 }, delta(3, 'yes', '0.3', '5')])
    const repeated = stream([snapshot(1), { type: 'ok', id: 2, sid: 1, seq: 1, msg: {} }, delta(2, 'yes', '0.3', '5')])
    expect([...counted, ...repeated].flatMap(reasons)).toEqual([])
    const subscribed = { type: 'subscribed', id: 1, msg: { channel: 'orderbook_delta', sid: 1 } }
    expect(stream([snapshot(1), subscribed, delta(2, 'yes', '0.3', '5')]).map(reasons)).toEqual([
      [],
      [],
      ['NO_BASE_BOOK'],
    ])
    const unsubscribed = { type: 'unsubscribed', sid: 1, seq: 2 }
    expect(stream([snapshot(1), unsubscribed, delta(3, 'yes', '0.3', '5')]).map(reasons)[2]).toEqual(['NO_BASE_BOOK'])
  })

  test.each([
    ['more is taken away than rests there', delta(2, 'yes', '0.2200', '-333.01'), 'BOOK_MISMATCH'],
    ['a side is neither yes nor no', delta(2, 'maybe', '0.2200', '1'), 'BAD_FLAG'],
    ['a price is 0', delta(2, 'yes', '0.0000', '1'), 'MISSING_FIELD'],
    ['a change is missing', delta(2, 'yes', '0.2200', ''), 'MISSING_FIELD'],
    ['the market is missing', delta(2, 'yes', '0.2200', '1', { market_ticker: null }), 'MISSING_FIELD'],
    ['the sequence is missing', { ...delta(2, 'yes', '0.2200', '1'), seq: null }, 'MISSING_FIELD'],
  ])('where %s the book is unknown from then on', (_, broken, reason) => {
    const steps = stream([snapshot(1), broken, delta(3, 'yes', '0.2200', '1')])
    expect(steps.map(reasons).slice(0, 2)).toEqual([[], [reason]])
    expect(['NO_BASE_BOOK', 'SEQUENCE_GAP']).toContain(reasons(steps[2]!)[0])
    expect(steps[2]!.quotes).toEqual([])
  })
})

test('property: the rebuilt book is what an independent count of the same changes gives', () => {
  const change = fc.record({
    side: fc.constantFrom('yes' as const, 'no' as const),
    tick: fc.integer({ min: 1, max: 12 }),
    units: fc.integer({ min: -500, max: 500 }),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const counts = { yes: new Map<number, number>(), no: new Map<number, number>() }
      const frames: object[] = [snapshot(1, { yes_dollars_fp: [], no_dollars_fp: [] })]
      const expected = [[[], []]]
      for (const { side, tick, units } of changes) {
        const total = (counts[side].get(tick) ?? 0) + units
        if (total < 0) continue
        counts[side].set(tick, total)
        const price = `0.0${String(tick).padStart(2, '0')}0`
        frames.push(delta(frames.length + 1, side, price, (units / 100).toFixed(2)))
        expected.push([counts.yes, counts.no].map(levelsOf) as never)
      }
      const one = reader()
      const read = frames.map((frame, n) => {
        const received_at = RECEIVED + n * 60_000_000
        const records = one.read(payload('ws', frame, { received_at }))
        expectSound(records, received_at)
        expect(reasons(records)).toEqual([])
        return records
      })
      const books = [...read.slice(1), one.finish!()].map((records) => allOf(records).books.map(({ bids }) => bids))
      expect(books).toEqual(expected)
    }),
    { seed: SEED, numRuns: 100 },
  )
})

/** Counted hundredths of contracts by tick, as bids best first. */
function levelsOf(counts: ReadonlyMap<number, number>) {
  const resting = [...counts].filter(([, count]) => count > 0).sort(([a], [b]) => b - a)
  return resting.map(([tick, count]) => ({
    price: `0.0${String(tick).padStart(2, '0')}000000`,
    quantity: `${(count / 100).toFixed(2)}0000`,
  }))
}
