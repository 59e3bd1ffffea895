import { expect, test } from 'vitest'
import { KeyActivityCounters } from '../../../trading/auth/key-activity.ts'

const AT = 1_790_000_040_000_000

test('requests are counted by key, minute, outcome and address', () => {
  const counters = new KeyActivityCounters()
  const note = (key_id: string, after_s: number, ip: string, refusal: 'expired' | null = null) =>
    counters.note({ key_id, at: AT + after_s * 1_000_000, ip, refusal })
  note('key_1', 1, '10.0.0.1')
  note('key_1', 59, '10.0.0.1')
  note('key_1', 60, '10.0.0.1')
  note('key_1', 2, '10.0.0.2')
  note('key_1', 2, '10.0.0.1', 'expired')
  note('key_2', 2, '10.0.0.1')
  const taken = counters.take().map((row) => [row.key_id, (row.minute - AT) / 1e6, row.outcome, row.ip, row.count])
  expect(taken).toEqual([
    ['key_1', 0, 'used', '10.0.0.1', 2],
    ['key_1', 60, 'used', '10.0.0.1', 1],
    ['key_1', 0, 'used', '10.0.0.2', 1],
    ['key_1', 0, 'expired', '10.0.0.1', 1],
    ['key_2', 0, 'used', '10.0.0.1', 1],
  ])
  expect([counters.size, counters.take()]).toEqual([0, []])
})

test('wrong signatures take one counter of a key and minute, from however many addresses', () => {
  const counters = new KeyActivityCounters()
  for (let n = 0; n < 5_000; n += 1)
    counters.note({ key_id: 'key_1', at: AT, ip: `10.0.${n >> 8}.${n & 255}`, refusal: 'wrong_signature' })
  expect(counters.take()).toMatchObject([{ ip: '', count: 5_000 }])
})

test('nothing is lost beyond the bounds, and no more counters are kept', () => {
  const counters = new KeyActivityCounters()
  for (let key = 0; key < 3_000; key += 1)
    for (let n = 0; n < 30; n += 1) counters.note({ key_id: `key_${key}`, at: AT, ip: `10.0.0.${n}`, refusal: null })
  expect(counters.size).toBeLessThanOrEqual(20_000 + 3_000)
  const taken = counters.take()
  expect(taken.reduce((sum, { count }) => sum + count, 0)).toBe(90_000)
  expect(taken.filter(({ key_id }) => key_id === 'key_0')).toHaveLength(21)
})
