import { expect, test } from 'vitest'
import { simulateHistory } from './support/simulation.ts'

const SEEDS = Number(process.env.TIDEMARK_RUNS ?? 25)
const FIRST = Number(process.env.TIDEMARK_SEED ?? 1)

test('submissions do what a slow and plain core does, in histories of every kind', () => {
  const seen = { fills: 0, payments: 0, reversed: 0, failed: 0, outlays: 0, limited: 0 }
  for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
    const history = simulateHistory(seed, 60)
    expect({ seed, difference: history.difference }).toEqual({ seed, difference: null })
    for (const count of Object.keys(seen) as (keyof typeof seen)[]) seen[count] += history[count]
  }
  // Every kind of end has come about, or nothing was compared.
  expect(Object.entries(seen).filter(([, count]) => count * 5 < SEEDS)).toEqual([])
}, 120_000)

test('the same seed is the same history', () => {
  expect(simulateHistory(3, 40)).toEqual(simulateHistory(3, 40))
})
