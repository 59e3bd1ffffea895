import { expect, test } from 'vitest'
import { simulateHistory } from './support/simulation.ts'

const SEEDS = Number(process.env.TIDEMARK_RUNS ?? 25)
const FIRST = Number(process.env.TIDEMARK_SEED ?? 1)

test('submissions do what a slow and plain core does, in histories of every kind', () => {
  let fills = 0
  for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
    const history = simulateHistory(seed, 60)
    expect({ seed, difference: history.difference }).toEqual({ seed, difference: null })
    fills += history.fills
  }
  expect(fills).toBeGreaterThan(SEEDS)
}, 120_000)

test('the same seed is the same history', () => {
  expect(simulateHistory(3, 40)).toEqual(simulateHistory(3, 40))
})
