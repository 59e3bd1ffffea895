import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMicros } from '../../../primitives/instants.ts'
import { NewestTrades, TRADES_KEPT } from '../../../warehouse/reader/newest-trades.ts'
import type { Row } from '../../../warehouse/schema.ts'

const at = (minute: number) => formatMicros(Date.UTC(2026, 0, 1) * 1000 + minute * 60_000_000)

const row = (id: number, minute: number, published: number, changes: Row = {}): Row => ({
  trade_id: `trd_${id}_${published}`,
  revision: 1,
  venue_id: 'tiny',
  market_id: 'mkt_1',
  outcome_id: 'out_1',
  source_trade_id: `t${id}`,
  correction_kind: null,
  source_at: at(minute),
  received_at: at(published),
  published_at: at(published),
  row_ordinal: 0,
  ...changes,
})
const last = (trades: NewestTrades) => trades.ofMarket('mkt_1').map(({ trade }) => trade?.trade_id ?? null)

test('the last trade is the newest by its own instant, whenever it was published', () => {
  const trades = new NewestTrades()
  for (const one of [row(1, 5, 6), row(2, 9, 10), row(3, 7, 11)]) trades.add(one)
  expect(last(trades)).toEqual(['trd_2_10'])
  expect(trades.ofMarket('mkt_2')).toEqual([])
})

test('a void brings back the trade before; a correction takes the place of what it corrects', () => {
  const trades = new NewestTrades()
  for (const one of [row(1, 5, 6), row(2, 9, 10)]) trades.add(one)
  trades.add(row(1, 5, 11, { revision: 2, price: '0.4' }))
  trades.add(row(2, 9, 12, { revision: 2, correction_kind: 'void' }))
  expect(last(trades)).toEqual(['trd_1_11'])
  trades.add(row(1, 5, 13, { revision: 3, correction_kind: 'void' }))
  expect(last(trades)).toEqual([null])
})

test('as long as fewer are voided than are kept, memory has what all rows give', () => {
  const draw = fc.array(fc.record({ id: fc.nat(20), minute: fc.nat(60), void: fc.nat(9) }), { maxLength: 60 })
  fc.assert(
    fc.property(draw, (drawn) => {
      const trades = new NewestTrades()
      const current = new Map<number, Row>()
      let voids = 0
      drawn.forEach((one, n) => {
        const correction_kind = one.void === 0 && current.has(one.id) && voids < TRADES_KEPT - 1 ? 'void' : null
        if (correction_kind === null && current.has(one.id)) return
        voids += correction_kind === null ? 0 : 1
        const minute = current.has(one.id) ? null : one.minute
        const source_at = minute === null ? current.get(one.id)!.source_at! : at(minute)
        const report = row(one.id, 0, 100 + n, { source_at, correction_kind, revision: minute === null ? 2 : 1 })
        if (current.get(one.id)?.correction_kind === 'void') return
        current.set(one.id, report)
        trades.add(report)
      })
      const valid = [...current.values()].filter(({ correction_kind }) => correction_kind === null)
      const order = ({ source_at, published_at }: Row) => `${source_at} ${published_at}`
      const newest = valid.sort((a, b) => (order(a) < order(b) ? 1 : -1))[0]
      expect(last(trades)).toEqual(current.size === 0 ? [] : [newest?.trade_id ?? null])
    }),
  )
})
