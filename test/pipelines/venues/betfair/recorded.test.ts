import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { BookRecord, VenuePayload, VenueRecords } from '../../../../pipelines/venues/record.ts'
import { toMicros } from '../../../../primitives/instants.ts'
import { recordedData } from '../../../support/recorded-data.ts'
import { readAll } from './messages.ts'

const folder = recordedData('betfair_stream')

const FILES = [
  { file: '1.200806927.jsonl.gz', messages: 18_529, books: 1_172, quotes: 1_098, references: 8, trades: 11_323 },
  { file: '1.197931750.jsonl.gz', messages: 166, books: 30, quotes: 18, references: 3, trades: 809 },
  { file: 'BASIC-1.132153978.jsonl.gz', messages: 480, books: 0, quotes: 1_208, references: 13, trades: 0 },
] as const

const lines = new Map<string, readonly string[]>()
function linesOf(file: string): readonly string[] {
  const text = () => gunzipSync(readFileSync(join(folder, file))).toString('utf8')
  const found = lines.get(file) ?? text().trimEnd().split('\n')
  lines.set(file, found)
  return found
}

/** The recordings do not say when a message was received: it is taken as had when it was published. */
function payloadsOf(file: string): VenuePayload[] {
  return linesOf(file).map((text) => {
    const received_at = JSON.parse(text).pt * 1000
    return { venue_id: 'betfair', endpoint: 'stream mcm', request: null, received_at, file, text }
  })
}

const read = new Map<string, Required<Omit<VenueRecords, 'outcomes' | 'changed' | 'zeros'>>>()
function recordsOf(file: string): Required<Omit<VenueRecords, 'outcomes' | 'changed' | 'zeros'>> {
  const records = read.get(file) ?? readAll(payloadsOf(file))
  read.set(file, records)
  return records
}

type Side = Map<number, number>
type NaiveRunner = { atb: Side; atl: Side }

type Folded = { readonly pt: number; readonly runners: ReadonlyMap<number, NaiveRunner>; readonly ends_minute: boolean }

/** A second reading of the stream that shares nothing with the reader: doubles in maps, the whole market kept after every message. */
function* naiveFold(file: string): Generator<Folded> {
  const runners = new Map<number, NaiveRunner>()
  const messages = linesOf(file).map((text) => JSON.parse(text))
  for (const [n, { pt, mc }] of messages.entries()) {
    for (const { img, rc = [], marketDefinition } of mc) {
      if (img === true) runners.clear()
      for (const { id } of [...(marketDefinition?.runners ?? []), ...rc]) {
        if (!runners.has(id)) runners.set(id, { atb: new Map(), atl: new Map() })
      }
      for (const change of rc) {
        for (const side of ['atb', 'atl'] as const) {
          for (const [odds, size] of change[side] ?? []) {
            if (size === 0) runners.get(change.id)![side].delete(odds)
            else runners.get(change.id)![side].set(odds, size)
          }
        }
      }
      const next = messages[n + 1]?.pt ?? Number.POSITIVE_INFINITY
      yield { pt, runners, ends_minute: minuteOf(next) !== minuteOf(pt) }
    }
  }
}

const minuteOf = (ms: number) => Math.floor(ms / 60_000)

function printed(side: Side, sign: 1 | -1) {
  return [...side]
    .sort(([a], [b]) => sign * (a - b))
    .map(([odds, size]) => ({ price: odds.toFixed(9), quantity: size.toFixed(6) }))
}

const ladders = ({ atb, atl }: NaiveRunner) => ({ bids: printed(atb, -1), asks: printed(atl, 1) })
const laddersOf = ({ bids, asks }: BookRecord) => ({ bids, asks })

describe('three recorded markets', () => {
  test.each(FILES)('$file: $messages messages are read without quarantine', ({ file, ...counts }) => {
    const { books, quotes, references, quarantine, trades } = recordsOf(file)
    expect(quarantine).toEqual([])
    expect({
      messages: linesOf(file).length,
      books: books.length,
      quotes: quotes.length,
      references: references.length,
      trades: trades.length,
    }).toEqual(counts)
  })

  test.each(FILES.slice(0, 2))('$file: the last books are the last state of the stream', ({ file }) => {
    const last = new Map<string, unknown>()
    for (const { runners, ends_minute } of naiveFold(file)) {
      if (ends_minute) for (const [id, runner] of runners) last.set(String(id), ladders(runner))
    }
    const rebuilt = new Map(recordsOf(file).books.map((book) => [book.outcome, laddersOf(book)]))
    expect(rebuilt.size).toBeGreaterThan(1)
    expect(rebuilt).toEqual(last)
  })

  test.each(FILES.slice(0, 2))('$file: every minute has the books of its last message, of every runner', ({ file }) => {
    const minutes = new Map<string, unknown>()
    let shown = false
    for (const { pt, runners, ends_minute } of naiveFold(file)) {
      shown ||= [...runners.values()].some(({ atb, atl }) => atb.size + atl.size > 0)
      if (!shown || !ends_minute) continue
      for (const [id, runner] of runners)
        minutes.set(`${minuteOf(pt)} ${id}`, { source_at: pt * 1000, ...ladders(runner) })
    }
    const rebuilt = recordsOf(file).books.map((book) => {
      const key = `${minuteOf(book.source_at / 1000)} ${book.outcome}`
      return [key, { source_at: book.source_at, ...laddersOf(book) }] as const
    })
    expect(rebuilt.length).toBe(minutes.size)
    expect(new Map(rebuilt)).toEqual(minutes)
  })

  test.each(FILES.slice(0, 2))(
    '$file: the overround is that of the best back odds, missing where one is',
    ({ file }) => {
      const at = new Map<number, BookRecord[]>()
      for (const book of recordsOf(file).books) at.set(book.source_at, [...(at.get(book.source_at) ?? []), book])
      let stated = 0
      for (const books of at.values()) {
        const best = books.map(({ bids }) => bids[0]?.price ?? null)
        for (const { overround, price_unit } of books) {
          expect(price_unit).toBe('decimal_odds')
          expect(overround === null).toBe(best.includes(null))
          if (overround === null) continue
          stated += 1
          const sum = best.reduce((total, odds) => total + 1 / Number(odds), 0)
          expect(Number(overround)).toBeCloseTo(sum - 1, 8)
          expect(Number(overround)).toBeGreaterThan(-0.02)
        }
      }
      expect(stated).toBeGreaterThan(10)
    },
  )

  test.each(FILES)('$file: probabilities leave for all runners or none, with their books, and sum to 1', ({ file }) => {
    const { quotes: all, books } = recordsOf(file)
    const quotes = all.filter(({ reported_probability }) => reported_probability !== null)
    const known = new Map(books.map((book) => [`${book.source_at} ${book.outcome}`, book]))
    const sums = new Map<number, number>()
    for (const { source_at, outcome, reported_probability, book, raw_value } of quotes) {
      const { overround, bids } = known.get(`${source_at} ${outcome}`)!
      const expected = 1 / Number(bids[0]!.price) / (1 + Number(overround))
      expect(Number(reported_probability)).toBeCloseTo(expected, 7)
      expect(reported_probability).toMatch(/^0\.\d{9}$/)
      expect([book, raw_value]).toEqual([null, null])
      sums.set(source_at, (sums.get(source_at) ?? 0) + Number(reported_probability))
    }
    for (const sum of sums.values()) expect(sum).toBeCloseTo(1, 7)
  })

  test.each(FILES)(
    '$file: trades are what the totals of each of the odds grew by, at the price that the odds say',
    ({ file }) => {
      const [totals, grown] = [new Map<string, number>(), new Map<string, number>()]
      for (const { mc } of linesOf(file).map((text) => JSON.parse(text))) {
        for (const { img, rc = [] } of mc) {
          if (img === true) totals.clear()
          for (const { id, trd = [] } of rc) {
            for (const [odds, size] of trd) {
              const key = `${id} ${(1 / odds).toFixed(7)} ${odds}`
              const more = size - (totals.get(key) ?? 0)
              if (img !== true && more > 0) grown.set(key, (grown.get(key) ?? 0) + more)
              totals.set(key, size)
            }
          }
        }
      }
      const traded = new Map<string, number>()
      for (const { outcome, price, quantity, source_trade_id } of recordsOf(file).trades) {
        const odds = Number(source_trade_id.split(' ').at(-3))
        const key = `${outcome} ${Number(price).toFixed(7)} ${odds}`
        traded.set(key, (traded.get(key) ?? 0) + Number(quantity) / odds)
      }
      expect([...traded.keys()].sort()).toEqual([...grown.keys()].sort())
      for (const [key, stake] of grown) expect(traded.get(key), key).toBeCloseTo(stake, 2)
    },
  )

  test('a stream of last prices gives each, at the time of its message, as the price of a contract that pays 1', () => {
    const file = 'BASIC-1.132153978.jsonl.gz'
    const stated = linesOf(file).flatMap((text) => {
      const { pt, mc } = JSON.parse(text)
      return mc.flatMap(({ rc = [] }: { rc?: { id: number; ltp: number }[] }) =>
        rc.map(({ id, ltp }) => [String(id), pt * 1000, (1 / ltp).toFixed(9)]),
      )
    })
    const found = recordsOf(file).quotes.map(({ outcome, source_at, book }) => {
      expect(book).toMatchObject({ bid: null, ask: null, last_trade_at: source_at })
      return [outcome, source_at, book!.last_trade]
    })
    expect(found).toEqual(stated)
  })

  test('OPEN > SUSPENDED > OPEN in play > SUSPENDED > CLOSED is open, paused, open, paused, resolved', () => {
    const { references } = recordsOf('1.200806927.jsonl.gz')
    const steps = references.map(({ status, description }) => `${status} ${description ?? ''}`.trim())
    expect(steps.filter((step, n) => step !== steps[n - 1])).toEqual([
      'open',
      'paused',
      'open in play',
      'paused in play',
      'resolved in play',
    ])
  })

  test('no probability leaves while the market is not open', () => {
    const { quotes, references } = recordsOf('1.200806927.jsonl.gz')
    const statusAt = (at: number) => references.filter(({ source_at }) => source_at <= at).at(-1)!.status
    expect(new Set(quotes.map(({ source_at }) => statusAt(source_at)))).toEqual(new Set(['open']))
  })

  test.each([
    ['1.200806927.jsonl.gz', '228749', 2, '2022-07-11T14:47:01Z'],
    ['1.197931750.jsonl.gz', '37947503', 6, '2022-04-19T18:29:41Z'],
    ['BASIC-1.132153978.jsonl.gz', '12115648', 12, '2017-06-14T18:57:59Z'],
  ])('%s: runner %s of %i that ran is paid 1, the others 0', (file, winner, ran, settled) => {
    const { resolutions } = recordsOf(file)
    expect(resolutions).toHaveLength(1)
    const { finality, payouts, source_at } = resolutions[0]!
    expect([finality, source_at, payouts.length]).toEqual(['final', toMicros(settled), ran])
    expect(payouts.filter(({ payout }) => payout !== '0.000000000')).toEqual([
      { outcome: winner, payout: '1.000000000' },
    ])
  })

  test('"no img in BASIC": last prices only give no book and no probability, statuses and the result all the same', () => {
    const { references, resolutions } = recordsOf('BASIC-1.132153978.jsonl.gz')
    expect(references.at(-1)).toMatchObject({ status: 'resolved', title: '1m Hcap', event_title: 'Ham 14th Jun' })
    expect(references[0]!.outcomes).toHaveLength(14)
    expect(resolutions[0]!.payouts.map(({ outcome }) => outcome)).not.toContain('11198538')
  })

  test('gaps of hours in an open market are no fault and make no record', () => {
    const times = recordsOf('1.200806927.jsonl.gz').books.map(({ source_at }) => source_at)
    const gaps = times.slice(1).map((time, n) => time - times[n]!)
    expect(Math.max(...gaps)).toBeGreaterThan(3_600_000_000)
    expect(Math.min(...gaps)).toBe(0)
  })

  test('the catalogue names the market, its event and its runners; the stream keeps the names', () => {
    const text = readFileSync(join(folder, 'catalogue-1.197931750.json'), 'utf8')
    const stream = payloadsOf('1.197931750.jsonl.gz')
    const received_at = toMicros('2022-04-19T18:20:00Z')
    const file = 'catalogue-1.197931750.json'
    const catalogue = { ...stream[0]!, endpoint: 'listMarketCatalogue', received_at, file, text }
    const { references, quarantine } = readAll([catalogue, ...stream])
    expect(quarantine).toEqual([])
    expect(references.map(({ status }) => status)).toEqual([null, 'open', 'paused', 'resolved'])
    for (const reference of references) {
      expect(reference).toMatchObject({
        title: 'OR 280m',
        event_title: 'Sheffield 19th Apr',
        source_event_id: '31389771',
        category: 'Greyhound Racing',
        closes_at: toMicros('2022-04-19T18:26:00Z'),
        outcomes: ['44331354', '37947503', '36276560', '42930960', '40095374', '39823721'],
      })
      expect(reference.resolution_question).toMatch(/^44331354 1\. Paradise Mission, 37947503 2\. Sandwood Jet, /)
      expect(reference.resolution_criteria).toContain('ALL BETS ARE PLACED ON TRAP NUMBERS')
    }
  })

  test('the same payloads give the same records', () => {
    const file = '1.197931750.jsonl.gz'
    expect(readAll(payloadsOf(file))).toEqual(recordsOf(file))
  })
})
