import { expect, test } from 'vitest'
import { createIdentities } from '../../../pipelines/revisions/identities.ts'
import { planRevisions } from '../../../pipelines/revisions/plan-revisions.ts'
import { tradeRule } from '../../../pipelines/revisions/trade-revisions.ts'
import type { TradeRecord } from '../../../pipelines/venues/record.ts'

const AT = Date.UTC(2026, 0, 1) * 1000
const SECOND = 1_000_000
const TRADE: TradeRecord = {
  file: 'f',
  line: 1,
  venue_id: 'kalshi',
  source_series_id: null,
  source_market_id: 'M',
  outcome: 'YES',
  source_at: AT + 250_000,
  received_at: AT + SECOND,
  price: '0.5',
  quantity: '10',
  aggressor_side: 'BUY',
  source_trade_id: 't1',
  source_sequence: null,
  correction_kind: null,
}

/** Decisions about reports of one trade, each received a second after the one before. */
function decided(...changes: readonly Partial<TradeRecord>[]) {
  const rule = tradeRule(createIdentities())
  const reports = changes.map((change, n) => ({ ...TRADE, received_at: AT + (n + 1) * SECOND, line: n + 1, ...change }))
  const decisions = planRevisions(reports, reports.map(rule.chainOf), new Map(), rule)
  return decisions.map((one) => (typeof one === 'string' ? one : (one.correction_reason ?? one.revision)))
}

test.each([
  ['word for word', {}],
  ['in whole seconds', { source_at: AT }],
  ['by the instant of its settlement', { source_at: AT + 5 * SECOND }],
  ['without its side', { aggressor_side: null }],
])('a report repeated %s is a duplicate', (_, change) => {
  expect(decided({}, change)).toEqual([1, 'duplicate'])
  expect(decided(change, {})).toEqual([1, 'duplicate'])
})

test.each([
  ['another quantity', { quantity: '5' }, 'SOURCE_CORRECTION'],
  ['another price', { price: '0.51' }, 'SOURCE_CORRECTION'],
  ['the other side', { aggressor_side: 'SELL' as const }, 'SOURCE_CORRECTION'],
  ['a time far off', { source_at: AT + 6 * SECOND }, 'SOURCE_CORRECTION'],
  ['a void', { correction_kind: 'void' as const }, 'TRADE_VOIDED'],
])('%s is a revision', (_, change, reason) => {
  expect(decided({}, change)).toEqual([1, reason])
})
