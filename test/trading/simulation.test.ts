import { expect, test } from 'vitest'
import { sized } from '../support/sized.ts'
import { simulateHistory } from './support/simulation.ts'

const SEEDS = Number(process.env.TIDEMARK_RUNS ?? sized(12, 25))
const FIRST = Number(process.env.TIDEMARK_SEED ?? 1)

test.each(['two books', 'one ladder'] as const)(
  'submissions do what a slow and plain core does, in histories of every kind: %s',
  (kind) => {
    const seen = { fills: 0, payments: 0, reversed: 0, failed: 0, outlays: 0, limited: 0, triggered: 0 }
    const split = { merged: 0, passed: 0, minted: 0, trimmed: 0 }
    for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
      const history = simulateHistory(seed, kind === 'one ladder' ? 100 : 80, kind)
      expect({ seed, difference: history.difference }).toEqual({ seed, difference: null })
      for (const count of Object.keys(seen) as (keyof typeof seen)[]) seen[count] += history[count]
      for (const count of Object.keys(split) as (keyof typeof split)[]) split[count] += history[count]
    }
    // Every kind of end has come about, or nothing was compared.
    const counted = kind === 'one ladder' ? { ...seen, ...split } : seen
    expect(Object.entries(counted).filter(([, count]) => count * 5 < SEEDS)).toEqual([])
  },
  120_000,
)

test('the same seed is the same history', () => {
  expect(simulateHistory(3, 40)).toEqual(simulateHistory(3, 40))
  expect(simulateHistory(3, 40, 'one ladder')).toEqual(simulateHistory(3, 40, 'one ladder'))
})
