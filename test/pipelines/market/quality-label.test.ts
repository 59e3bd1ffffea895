import { expect, test } from 'vitest'
import { qualityOf, worstQuality } from '../../../pipelines/market/quality-label.ts'
import { QUALITY_STATES, QUALITY_WORST_FIRST } from '../../../vocabulary/index-level.ts'
import { MARKET_STATUSES } from '../../../vocabulary/market.ts'

const FRESH = { has_value: true, is_stale: false, status: null, stated: null }

/** The label by what is wrong: nothing there, too old, the market's status, the record's own label. */
const TABLE = [
  ['a fresh price of an open market', { status: 'open', stated: 'valid' }, 'valid'],
  ['a corrected record', { stated: 'corrected' }, 'corrected'],
  ['a price that is too old', { is_stale: true, status: 'open' }, 'stale'],
  ['nothing at all', { has_value: false }, 'suspended'],
  ['nothing at all, long ago', { has_value: false, is_stale: true }, 'suspended'],
  ['nothing at all after the close', { has_value: false, status: 'closed' }, 'stale'],
  ['nothing at all before the opening', { has_value: false, status: 'scheduled' }, 'indicative'],
  ['a paused market', { status: 'paused' }, 'suspended'],
  ['a paused market, long ago', { status: 'paused', is_stale: true }, 'suspended'],
  ['a market before its opening', { status: 'scheduled' }, 'indicative'],
  ['a closed market', { status: 'closed' }, 'stale'],
  ['a degraded record', { stated: 'degraded' }, 'degraded'],
  ['a degraded record that is too old', { stated: 'degraded', is_stale: true }, 'stale'],
  ['a suspended record', { stated: 'suspended', is_stale: true }, 'suspended'],
  ['a price beside a mark that the outlier filter holds back', { status: 'open', of_mark: 'indicative' }, 'indicative'],
  ['a price beside a mark that is carried', { stated: 'valid', of_mark: 'stale' }, 'stale'],
  ['a price beside the mark of a pause that is over', { status: 'open', of_mark: 'suspended' }, 'valid'],
  ['an old price beside a valid mark', { is_stale: true, of_mark: 'valid' }, 'stale'],
  ['a status and a label that nobody knows', { status: 'odd', stated: 'odd' }, 'valid'],
] as const

test.each(TABLE)('%s', (_, facts, expected) => {
  expect(qualityOf({ ...FRESH, ...facts })).toBe(expected)
})

test('what is old is at best stale, and what is missing never valid, whatever else is said of it', () => {
  for (const status of [null, ...MARKET_STATUSES]) {
    for (const stated of [null, ...QUALITY_STATES]) {
      expect(qualityOf({ has_value: false, is_stale: false, status, stated })).not.toBe('valid')
      for (const has_value of [true, false]) {
        expect(['stale', 'suspended']).toContain(qualityOf({ has_value, is_stale: true, status, stated }))
      }
    }
  }
})

test('the worst label of some counts; every state has its place in the order', () => {
  expect([...QUALITY_WORST_FIRST].sort()).toEqual([...QUALITY_STATES].sort())
  expect(worstQuality(['valid', 'stale', 'indicative'])).toBe('stale')
  expect(worstQuality([])).toBe('valid')
})
