import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bookRule } from '../../../../pipelines/revisions/book-revisions.ts'
import { createIdentities } from '../../../../pipelines/revisions/identities.ts'
import { inCommitOrder, type KnownRevision, planRevisions } from '../../../../pipelines/revisions/plan-revisions.ts'
import { createPolymarketReader } from '../../../../pipelines/venues/polymarket/polymarket-reader.ts'
import type { BookRecord, VenueRecords } from '../../../../pipelines/venues/record.ts'
import { toMicros } from '../../../../primitives/instants.ts'
import { SEED } from '../../../support/seed.ts'
import { type Body, change, clobBook, gammaMarket, lastTrade, payload, priceChange } from './support/payloads.ts'
import { bookMessage, WS } from './support/stream.ts'

const NOON = toMicros('2026-10-01T12:00:00Z')

/** A reader of messages at seconds after noon, each received as it was sent, and all books that it has given. */
function recording() {
  const reader = createPolymarketReader(toMicros('2026-10-02T00:00:00Z'))
  const books: BookRecord[] = []
  const take = (records: VenueRecords) => {
    books.push(...(records.books ?? []))
    return records
  }
  take(reader.read(payload('GET /markets', [gammaMarket()], { received_at: NOON - 1 })))
  return {
    books,
    say(second: number, message: Body, received_after = 0) {
      const received_at = NOON + (second + received_after) * 1_000_000
      const timestamp = String((NOON + second * 1_000_000) / 1000)
      return take(reader.read(payload(WS, { ...message, timestamp }, { received_at })))
    },
    read(second: number, body: Body) {
      return take(reader.read(payload('GET /book', body, { received_at: NOON + second * 1_000_000 })))
    },
    finish: () => take(reader.finish!()),
  }
}

const second = ({ source_at }: BookRecord) => (source_at - NOON) / 1_000_000
const bids = (book: BookRecord) => book.bids.map(({ price, quantity }) => `${+quantity}@${+price}`).join(' ')
const shown = (books: readonly BookRecord[]) => books.map((book) => `${second(book)}: ${bids(book)}`)
const buy = (price: string, size: string, more: Body = {}) => priceChange([change('BUY', price, size, more)])

test('a book is recorded as of the last message of each minute in which it changed', () => {
  const stream = recording()
  stream.say(1, bookMessage({ bids: [{ price: '0.3', size: '5' }] }))
  stream.say(10, buy('0.3', '7'))
  stream.say(59.999, buy('0.2', '1'))
  expect(stream.books).toEqual([])
  stream.say(60, buy('0.3', '9'))
  expect(shown(stream.books)).toEqual(['59.999: 7@0.3 1@0.2'])
  stream.say(200, buy('0.3', '0'))
  stream.finish()
  expect(shown(stream.books)).toEqual(['59.999: 7@0.3 1@0.2', '60: 9@0.3 1@0.2', '200: 1@0.2'])
  expect(stream.books[2]).toMatchObject({ outcome: 'YES', price_unit: 'probability', asks_derived: false, line: 1 })
})

test('a whole book ends the minute before it like any change, and of two in one minute the later counts', () => {
  const stream = recording()
  stream.say(1, bookMessage({ bids: [{ price: '0.3', size: '5' }] }))
  stream.say(30, bookMessage({ bids: [{ price: '0.3', size: '6' }] }))
  stream.say(61, bookMessage({ bids: [{ price: '0.3', size: '8' }] }))
  stream.finish()
  expect(shown(stream.books)).toEqual(['30: 6@0.3', '61: 8@0.3'])
})

test('a lost book is recorded as it was before, unless it was already wrong', () => {
  const lost = recording()
  lost.say(1, bookMessage({ bids: [{ price: '0.3', size: '5' }] }))
  lost.say(2, buy('0.3', 'many'))
  expect(shown(lost.books)).toEqual(['1: 5@0.3'])

  const ticked = recording()
  ticked.say(1, bookMessage({ bids: [{ price: '0.3', size: '5' }] }))
  ticked.say(2, { ...lastTrade(), event_type: 'tick_size_change' })
  ticked.finish()
  expect(shown(ticked.books)).toEqual(['1: 5@0.3'])

  const wrong = recording()
  wrong.say(1, bookMessage({ bids: [{ price: '0.3', size: '5' }] }))
  wrong.say(61, buy('0.2', '4', { best_bid: '0.3' }))
  expect(wrong.say(62, buy('0.2', '4', { best_bid: '0.25' })).quarantine?.[0]?.reason).toBe('BOOK_MISMATCH')
  wrong.finish()
  expect(shown(wrong.books)).toEqual(['1: 5@0.3'])
})

test('changes without a base give no book; the next whole one begins anew', () => {
  const stream = recording()
  expect(stream.say(1, buy('0.3', '5')).quarantine?.[0]?.reason).toBe('NO_BASE_BOOK')
  stream.finish()
  expect(stream.books).toEqual([])
  stream.say(70, bookMessage({ bids: [{ price: '0.3', size: '5' }] }))
  stream.finish()
  expect(shown(stream.books)).toEqual(['70: 5@0.3'])
})

test('a change received before its instant gives no book, and does not alter the recorded one', () => {
  const stream = recording()
  stream.say(1, bookMessage({ bids: [{ price: '0.3', size: '5' }] }))
  expect(stream.say(10, buy('0.3', '9'), -5).quarantine?.[0]?.reason).toBe('SOURCE_AFTER_RECEIVED')
  stream.finish()
  expect(shown(stream.books)).toEqual(['1: 5@0.3'])
})

test('a book that was asked for is given at once, beside those of the stream', () => {
  const stream = recording()
  stream.say(1, bookMessage({ bids: [{ price: '0.3', size: '5' }] }))
  stream.read(3, clobBook({ bids: [{ price: '0.3', size: '6' }], timestamp: String((NOON + 2_000_000) / 1000) }))
  expect(shown(stream.books)).toEqual(['2: 6@0.3'])
  stream.finish()
  expect(shown(stream.books)).toEqual(['2: 6@0.3', '1: 5@0.3'])
})

test('a book that was asked for about the instant of an open moment follows it, as it was received', () => {
  const stream = recording()
  stream.say(1, bookMessage({ bids: [{ price: '0.3', size: '5' }] }))
  stream.read(3, clobBook({ bids: [{ price: '0.3', size: '5' }], timestamp: String((NOON + 1_000_000) / 1000) }))
  expect(stream.books.map(({ received_at }) => (received_at - NOON) / 1_000_000)).toEqual([1, 3])
  stream.say(9, buy('0.3', '7'))
  stream.finish()
  expect(shown(stream.books)).toEqual(['1: 5@0.3', '1: 5@0.3', '9: 7@0.3'])
})

test('books of one instant are given in the order of receipt, so a session stores the rows that an import does', () => {
  const step = fc.record({ after: fc.nat({ max: 40 }), size: fc.integer({ min: 1, max: 3 }), asked: fc.boolean() })
  const ids = createIdentities()
  const rule = bookRule(ids)
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const stream = recording()
      stream.say(0, bookMessage({ bids: [{ price: '0.3', size: '9' }] }))
      let [now, changed, held] = [0, 0, 9]
      for (const { after, size, asked } of steps) {
        now += after + 1
        if (!asked) {
          stream.say(now, buy('0.3', String(size)))
          changed = now
          held = size
          continue
        }
        const timestamp = String((NOON + changed * 1_000_000) / 1000)
        stream.read(now, clobBook({ bids: [{ price: '0.3', size: String(held) }], timestamp }))
      }
      stream.finish()
      const together = inCommitOrder(stream.books)
      const placed = planRevisions(together, together.map(rule.chainOf), new Map(), rule)
      const known = new Map<string, KnownRevision[]>()
      for (const book of stream.books) {
        const chain = rule.chainOf(book)
        const [decision] = planRevisions([book], [chain], known, rule)
        expect(decision).toEqual(placed[together.indexOf(book)])
        if (typeof decision !== 'object') continue
        const { revision } = decision
        const row = { id: rule.idOf(book), revision, received_at: book.received_at, ...rule.factsOf(book) }
        known.set(chain, [...(known.get(chain) ?? []), row])
      }
    }),
    { seed: SEED, numRuns: 200 },
  )
})

test('at most one book a minute, each what a map of totals says at its instant', () => {
  const step = fc.record({
    after: fc.nat({ max: 40 }),
    price: fc.integer({ min: 1, max: 29 }),
    size: fc.nat({ max: 3 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const stream = recording()
      stream.say(0, bookMessage({ bids: [] }))
      const levels = new Map<number, number>()
      const expected = new Map([[0, '']])
      let now = 0
      for (const { after, price, size } of steps) {
        now += after
        stream.say(now, buy(`0.${String(price).padStart(2, '0')}`, String(size)))
        if (size === 0) levels.delete(price)
        else levels.set(price, size)
        const best_first = [...levels].sort(([a], [b]) => b - a)
        expected.set(now, best_first.map(([at, total]) => `${total}@${at / 100}`).join(' '))
      }
      stream.finish()
      const last = new Map([...expected.keys()].map((at) => [Math.floor(at / 60), at]))
      expect(shown(stream.books)).toEqual([...last.values()].map((at) => `${at}: ${expected.get(at)}`))
    }),
    { seed: SEED, numRuns: 200 },
  )
})

test('changes below the best levels quote a book again before it counts as too old', () => {
  const stream = recording()
  stream.say(0, bookMessage({ bids: [{ price: '0.3', size: '5' }] }))
  const quoted = Array.from({ length: 60 }, (_, nth) => (nth + 1) * 7).flatMap((at) => {
    const [quote] = stream.say(at, buy('0.2', `${at}`)).quotes ?? []
    return quote === undefined ? [] : [{ at, quote }]
  })
  const gaps = quoted.map(({ at }, nth) => at - (quoted[nth - 1]?.at ?? 0))
  expect(quoted.length).toBeGreaterThan(10)
  expect(Math.max(...gaps)).toBeLessThanOrEqual(35)
  for (const { at, quote } of quoted) {
    expect(quote).toMatchObject({ source_at: NOON + at * 1_000_000, book: { bid: '0.300000000' } })
  }
})
