import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeptCommits, type OwnCommit } from '../../../api/own-venue/kept-commits.ts'
import { bookForm, type RowForm, tradeForm } from '../../../api/own-venue/row-forms.ts'
import { formatMicros, MICROS_PER_SECOND, toMicros } from '../../../primitives/instants.ts'
import { type BookChange, PublicMarkets, type TradeChange } from '../../../trading/public-market/fold-events.ts'

const AT = toMicros('2026-01-01T00:00:00Z')
const markets = new PublicMarkets()
markets.list({
  market_id: 'mkt_1',
  status: 'open',
  terms: { price_scale: 2, quantity_scale: 1 },
  created_at: AT,
  outcomes: [{ outcome_id: 'out_yes', label: 'Yes' }],
})
const outcome = markets.outcome('out_yes')!

type Sequenced = { readonly seq: number }
type Added<Row extends Sequenced> = {
  readonly at: number
  readonly changes: number
  readonly commit: OwnCommit<Row>
}

/** Batches a second apart, their rows numbered with gaps. */
function added<Row extends Sequenced>(sizes: readonly number[], rowOf: (seq: number) => Row): Added<Row>[] {
  let seq = 100
  return sizes.map((size, place) => {
    const at = AT + place * MICROS_PER_SECOND
    const rows = Array.from({ length: size }, () => {
      seq += 3
      return rowOf(seq)
    })
    return { at, changes: size, commit: { table: 'own', published_at: formatMicros(at), rows } }
  })
}

const bookRow = (seq: number): BookChange => ({
  outcome,
  levels: [{ side: 'BUY', price: seq % 100, quantity: seq, order_count: 1 }],
  seq,
  prev_seq: seq - 3,
  is_empty: seq % 2 === 0,
  status: 'open',
})
const tradeRow = (seq: number): TradeChange => {
  const correction = seq % 2 === 0 ? null : ({ kind: 'void', supersedes_record_id: `trd_${seq - 3}` } as const)
  const ids = { record_id: `trd_${seq}.1`, trade_id: `trd_${seq}`, outcome_id: 'out_yes', engine_sequence: seq }
  const facts = {
    price: 40,
    quantity: seq,
    aggressor_side: 'SELL',
    traded_at: AT + seq,
    at: AT + seq,
    correction,
    segments: null,
    derived: false,
  } as const
  return { trade: { ...ids, market: outcome.market, ...facts }, seq, prev_seq: seq - 3 }
}

const FOREVER = { changes_max: 1_000, open_max: 5, pack: 3 }
const NEVER = 0
const lastSeq = ({ rows }: OwnCommit) => rows.at(-1)!.seq
const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 40 })

function keptOf<Row extends Sequenced>(all: readonly Added<Row>[], form: RowForm<Row>, limits = FOREVER) {
  const kept = new KeptCommits('own', form, limits)
  for (const entry of all) kept.add(entry, NEVER)
  return kept
}

test('what was packed comes back as it was, markets and outcomes themselves among it', () => {
  const both = <Row extends Sequenced>(rowOf: (seq: number) => Row, form: RowForm<Row>) =>
    fc.property(sizes, (many) => {
      const all = added(many, rowOf)
      expect(keptOf(all, form).list(NEVER)).toEqual(all.map(({ commit }) => commit))
    })
  fc.assert(both(bookRow, bookForm(markets)))
  fc.assert(both(tradeRow, tradeForm(markets)))
  const [first] = keptOf(added([1, 1, 1, 1, 1, 1, 1, 1, 1], bookRow), bookForm(markets)).list(NEVER)
  expect(first!.rows[0]!.outcome).toBe(outcome)
})

test('of a place all that is after it is there, and the commit before it where any is kept', () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 90, max: 600 }), (many, after_seq) => {
      const all = added(many, bookRow)
      const listed = keptOf(all, bookForm(markets)).list(NEVER, after_seq)
      expect(listed).toEqual(all.slice(-listed.length).map(({ commit }) => commit))
      const before = all.filter(({ commit }) => lastSeq(commit) <= after_seq).length
      expect(listed.length).toBeGreaterThanOrEqual(all.length - before + Math.min(before, 1))
    }),
  )
})

test('asked for what is new, it gives little of what is old', () => {
  const all = added(Array(300).fill(1), bookRow)
  const kept = keptOf(all, bookForm(markets))
  expect(kept.list(NEVER).length).toBe(300)
  expect(kept.list(NEVER, lastSeq(all[298]!.commit)).length).toBeLessThanOrEqual(8)
  expect(kept.list(NEVER, lastSeq(all[150]!.commit)).length).toBeLessThanOrEqual(152)
})

test('more than may be kept is let go from the oldest on', () => {
  const limits = { changes_max: 50, open_max: 5, pack: 3 }
  const all = added(Array(300).fill(1), bookRow)
  const listed = keptOf(all, bookForm(markets), limits).list(NEVER)
  expect(listed.length).toBeGreaterThan(45)
  expect(listed.length).toBeLessThanOrEqual(50 + limits.pack)
  expect(listed).toEqual(all.slice(-listed.length).map(({ commit }) => commit))
})

test('what is older than it is kept for is neither given nor kept', () => {
  const kept = new KeptCommits('own', bookForm(markets), FOREVER)
  const all = added(Array(300).fill(1), bookRow)
  for (const entry of all) kept.add(entry, entry.at - 20 * MICROS_PER_SECOND)
  const oldest = all[280]!.at
  const listed = kept.list(oldest)
  expect(listed.length).toBeGreaterThanOrEqual(20)
  expect(listed.length).toBeLessThan(20 + FOREVER.pack)
  expect(kept.list(NEVER).length).toBeLessThan(20 + FOREVER.open_max + 2 * FOREVER.pack)
  expect(kept.list(all[299]!.at + 1)).toEqual([])
})
