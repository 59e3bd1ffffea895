import { describe, expect, test } from 'vitest'
import { checkHistory, type Operation, type Version } from '../../../tools/reliability/elle/check-history.ts'
import { runElle } from '../../../tools/reliability/elle/run-elle.ts'
import { runElleWithKills } from '../../../tools/reliability/elle/run-elle-with-kills.ts'
import { sized } from '../../support/sized.ts'
import { FAST, withDatabase } from '../../support/trading/postgres.ts'

const database = withDatabase()
const KILLS = sized(1, 2)

test('what clients are told while they trade is one order, that of the log', async () => {
  const { pool } = await database()
  const report = await runElle(pool, { seed: 1, operations: sized(120, 250) })
  expect(report.violations).toEqual([])
  expect(report.reads).toBeGreaterThan(sized(35, 80))
  expect(report.versions).toBeGreaterThan(sized(45, 100))
}, 120_000)

test('and so it is while whoever leads is ended, and another one goes on', async () => {
  const report = await runElleWithKills({ seed: 1, operations: sized(80, 150), kills: KILLS, postgres: FAST })
  expect(report.violations).toEqual([])
  expect(report.kills).toBeGreaterThanOrEqual(KILLS)
  expect(report.versions).toBeGreaterThan(sized(25, 50))
}, 180_000)

describe('the checker sees', () => {
  const LOG: readonly Version[] = [
    { resource: 'balance a', version: 1, engine_sequence: 10 },
    { resource: 'balance a', version: 2, engine_sequence: 20 },
  ]
  const read = (client: number, from: number, sequence: number, version: number, text = `v${version}`): Operation => ({
    client,
    sent_at: from,
    answered_at: from + 1,
    name: '/balances',
    kind: 'read',
    sequence,
    seen: [{ resource: 'balance a', version, text }],
  })
  const kinds = (operations: readonly Operation[]) => checkHistory(operations, LOG).map((found) => found.split(':')[0])

  test('nothing where all is well, also of requests at once', () => {
    expect(kinds([read(1, 0, 20, 2), read(2, 0.5, 15, 1), read(1, 2, 25, 2)])).toEqual([])
  })

  test.each([
    [
      'a read that goes back behind what another client was told',
      [read(1, 0, 20, 2), read(2, 5, 15, 1)],
      'G-real-time',
    ],
    ['a stale value at a new place', [read(1, 0, 20, 1)], 'G-read'],
    ['a value before it was committed', [read(1, 0, 19, 2)], 'G-read'],
    ['two values of one version', [read(1, 0, 20, 2), read(2, 5, 20, 2, 'other')], 'G-same'],
  ])('%s', (_, operations, expected) => {
    expect(kinds(operations)).toEqual([expected])
  })

  test('a read that misses a write that was answered before', () => {
    const write: Operation = { ...read(1, 0, 20, 2), kind: 'write', seen: [] }
    expect(kinds([write, read(2, 3, 12, 1)])).toEqual(['G-real-time'])
  })
})
