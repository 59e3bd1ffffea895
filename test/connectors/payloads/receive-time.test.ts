import { expect, test } from 'vitest'
import { timeInName } from '../../../connectors/archives/payloads/receive-time.ts'
import { formatMicros } from '../../../primitives/instants.ts'

const NOON = '2026-02-01T12:00:00Z'

test.each([
  ['g_20260201T120000Z.json', NOON],
  ['2026-02-01T12-00-00Z.json.gz', NOON],
  ['g_20260201_120000.json', NOON],
  ['g_20260201T120000.json', NOON],
  ['g_20260201120000.json', NOON],
  ['g_2026-02-01_12.00.00.json', NOON],
  ['g_2026-02-01T14:00:00+0200.json', NOON],
  ['20260201T120000.123Z_g.json', '2026-02-01T12:00:00.123Z'],
  ['day/1769947200.json', NOON],
  ['g_1769947200.5.json', '2026-02-01T12:00:00.500Z'],
  ['g_1769947200123.json', '2026-02-01T12:00:00.123Z'],
  ['g_1769947200123456.json', '2026-02-01T12:00:00.123456Z'],
  ['g_1769947200123456789.json', '2026-02-01T12:00:00.123456Z'],
])('%s was received at %s', (name, instant) => {
  expect(formatMicros(timeInName(name) ?? expect.fail('no instant'))).toBe(instant)
})

test.each([
  '1.197931750.jsonl.gz',
  'g_20261301T120000Z.json',
  'KXHIGHNY-26FEB01-B41.5.json',
  '2026-02-01.json',
  'book.json',
])('%s names no instant', (name) => {
  expect(timeInName(name)).toBeNull()
})
