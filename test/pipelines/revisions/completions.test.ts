import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createIdentities } from '../../../pipelines/revisions/identities.ts'
import { METRIC_RULE, metricRow } from '../../../pipelines/revisions/metric-revisions.ts'
import {
  inCommitOrder,
  type KnownRevision,
  ofClock,
  type Placed,
  planRevisions,
  type RevisionRule,
} from '../../../pipelines/revisions/plan-revisions.ts'
import { quoteRow, quoteRule } from '../../../pipelines/revisions/quote-revisions.ts'
import type { MetricRecord, QuoteBook, QuoteRecord } from '../../../pipelines/venues/record.ts'
import type { DecimalString } from '../../../primitives/decimal.ts'

const ids = createIdentities()
const QUOTES = quoteRule(ids)
const NOTHING: QuoteBook = {
  ...{ bid: null, ask: null, bid_depth: null, ask_depth: null, last_trade: null, last_trade_at: null },
  ...{ source_sequence: null, confirmed_at: null },
}

function quote(source_at: number, received_at: number, book: Partial<QuoteBook>): QuoteRecord {
  return {
    ...{ file: 'x', line: received_at, venue_id: 'v', source_series_id: null, source_market_id: 'm', outcome: 'YES' },
    ...{ is_final: false, raw_value: null, reported_probability: null, text: '', source_at, received_at },
    book: { ...NOTHING, ...book },
  }
}

type Said = MetricRecord | QuoteRecord

/** A warehouse in miniature: it keeps each record with its place and its id. */
class Store<T extends Said> {
  readonly chains = new Map<string, (KnownRevision & { readonly placed: Placed })[]>()
  readonly rule: RevisionRule<T>
  readonly idOf: (record: T, placed: Placed) => string

  constructor(rule: RevisionRule<T>, idOf: (record: T, placed: Placed) => string) {
    this.rule = rule
    this.idOf = idOf
  }

  import(records: readonly T[]): (string | Placed)[] {
    const sorted = inCommitOrder(records)
    const decisions = planRevisions(sorted, sorted.map(this.rule.chainOf), this.chains, this.rule)
    sorted.forEach((record, n) => {
      const placed = decisions[n]!
      if (typeof placed === 'string') return
      const id = this.idOf(record, placed)
      const chain = this.rule.chainOf(record)
      const row = { id, revision: placed.revision, received_at: record.received_at, placed }
      this.chains.set(chain, [...(this.chains.get(chain) ?? []), { ...row, ...this.rule.factsOf(record) }])
    })
    return decisions
  }

  /** Facts of the row of the greatest (received_at, revision) of each chain. */
  current(): Record<string, string> {
    const newest = (rows: readonly KnownRevision[]) =>
      [...rows].sort((a, b) => b.received_at - a.received_at || b.revision - a.revision)[0]!
    return Object.fromEntries([...this.chains].map(([chain, rows]) => [chain, newest(rows).content]))
  }
}

const quoteStore = (rule = QUOTES) => new Store(rule, (q, placed) => quoteRow(q, placed, ids).record_id)
const BOOK: Partial<QuoteBook> = { bid: '0.4', ask: '0.6' }
const TRADED = { ...BOOK, last_trade: '0.5', last_trade_at: 1 }
const FULL = { ...TRADED, bid_depth: '7' }

describe('a quote of the same receipt', () => {
  const reasons = (decisions: (string | Placed)[]) =>
    decisions.map((placed) => (typeof placed === 'string' ? placed : placed.correction_reason))

  test('that states more completes the stored one, once, under an id of its own', () => {
    const store = quoteStore()
    for (const [said, decision] of [
      [BOOK, null],
      [TRADED, 'COMPLETED'],
      [FULL, 'COMPLETED'],
      [TRADED, 'duplicate'],
      [BOOK, 'duplicate'],
      [FULL, 'duplicate'],
    ] as const) {
      expect(reasons(store.import([quote(1, 2, said)]))).toEqual([decision])
    }
    const [rows = []] = [...store.chains.values()]
    expect(rows[0]!.id).toBe(QUOTES.idOf(quote(1, 2, BOOK)))
    expect(new Set(rows.map(({ id }) => id)).size).toBe(3)
    expect(rows.map(({ placed }) => placed.supersedes_id)).toEqual([null, rows[0]!.id, rows[1]!.id])
  })

  test('that states another value, or another side of the book, is in conflict', () => {
    for (const other of [
      { ...TRADED, bid: '0.3' },
      { ...TRADED, last_trade: '0.4' },
    ]) {
      const store = quoteStore()
      store.import([quote(1, 2, { ...BOOK, last_trade: '0.5' })])
      expect(store.import([quote(1, 2, other)])).toEqual(['conflict'])
    }
    const one_sided = quoteStore()
    one_sided.import([quote(1, 2, { bid: '0.4' })])
    expect(one_sided.import([quote(1, 2, BOOK)])).toEqual(['conflict'])
  })

  test('completes an earlier revision too, which then stays behind', () => {
    const store = quoteStore()
    store.import([quote(1, 2, BOOK), quote(1, 3, { ...BOOK, bid: '0.3' })])
    const [placed] = store.import([quote(1, 2, TRADED)])
    expect(placed).toEqual({ revision: 3, supersedes_id: null, correction_reason: null, is_completion: true })
    expect(Object.values(store.current())).toEqual(['|0.3|0.6||||'])
  })

  test('leaves what is stored under the recorded clock', () => {
    const store = quoteStore(ofClock(QUOTES, 'recorded'))
    store.import([quote(1, 2, BOOK)])
    expect(store.import([quote(1, 2, TRADED)])).toEqual(['conflict'])
    expect(store.import([quote(1, 3, TRADED)])).toMatchObject([{ correction_reason: 'COMPLETED' }])
  })
})

test('sizes complete each other in the same way', () => {
  const size = (volume_24h: string | null, liquidity_notional: string | null): MetricRecord => ({
    ...{ file: 'x', line: 1, venue_id: 'v', source_market_id: 'm', source_at: 1, received_at: 2, open_interest: null },
    volume_24h: volume_24h as DecimalString | null,
    liquidity_notional: liquidity_notional as DecimalString | null,
  })
  const store = new Store(METRIC_RULE, (m, placed) => metricRow(m, placed, ids).metric_id)
  expect(store.import([size('5', null)])).toMatchObject([{ revision: 1 }])
  expect(store.import([size('5', '9')])).toMatchObject([{ revision: 2, correction_reason: 'COMPLETED' }])
  expect([size('5', null), size(null, '9'), size('5', '9')].flatMap((one) => store.import([one]))).toEqual(
    Array(3).fill('duplicate'),
  )
  expect(store.import([size('6', '9')])).toEqual(['conflict'])
  expect(new Set([...store.chains.values()].flat().map(({ id }) => id)).size).toBe(2)
})

test('imports of any parts in any order end in the facts of one import of all of them, and repeat nothing', () => {
  // One book at each receipt, stated with or without its last trade and its depth.
  const said = fc
    .record({
      at: fc.nat(1),
      received: fc.integer({ min: 2, max: 4 }),
      more: fc.nat(2),
      part: fc.nat(3),
      turn: fc.nat(),
    })
    .map(({ at, received, more, part, turn }) => {
      const bid = received === 3 ? { bid: '0.3' } : {}
      return { part, turn, quote: quote(at, received, { ...[BOOK, TRADED, FULL][more]!, ...bid }) }
    })
  fc.assert(
    fc.property(fc.array(said, { maxLength: 16 }), (records) => {
      const whole = quoteStore()
      expect(whole.import(records.map((one) => one.quote))).not.toContain('conflict')
      const parts = quoteStore()
      const shuffled = [...records].sort((a, b) => a.turn - b.turn)
      for (const part of [0, 1, 2, 3]) {
        parts.import(shuffled.filter((one) => one.part === part).map((one) => one.quote))
      }
      expect(parts.current()).toEqual(whole.current())
      expect(parts.import(records.map((one) => one.quote)).every((decision) => typeof decision === 'string')).toBe(true)
      const rows = [...parts.chains.values()]
      expect(new Set(rows.flat().map(({ id }) => id)).size).toBe(rows.flat().length)
      for (const chain of rows)
        expect(Math.max(...chain.map(({ revision }) => revision))).toBeLessThanOrEqual(chain.length)
    }),
  )
})
