import { expect, test } from 'vitest'
import { runHistory } from '../../support/governance-histories.ts'
import { sized } from '../../support/sized.ts'

const HISTORIES = sized(120, 400)

test(`${HISTORIES} random histories agree with the rules told in another way, and reach every state`, () => {
  const seen = new Set<string>()
  let refused = 0
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const history = runHistory(seed)
    for (const state of history.states) seen.add(state)
    refused += history.refused
  }
  // Nobody sees `approved`: the service queues such a proposal in the same pass.
  expect([...seen].sort()).toEqual([
    'cancelled',
    'consulting',
    'effective',
    'expired',
    'lapsed',
    'proposed',
    'queued',
    'rejected',
    'vetoed',
  ])
  expect(refused).toBeGreaterThan(HISTORIES)
}, 120_000)
