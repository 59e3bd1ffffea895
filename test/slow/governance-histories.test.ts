import { expect, test } from 'vitest'
import { runHistory } from '../support/governance-histories.ts'

test('100,000 random histories of governance agree with the rules told in another way', () => {
  let refused = 0
  for (let seed = 10_001; seed <= 110_000; seed += 1) refused += runHistory(seed).refused
  expect(refused).toBeGreaterThan(100_000)
}, 7_200_000)
