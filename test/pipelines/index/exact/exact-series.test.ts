import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LATE_DATA_GRACE } from '../../../../pipelines/index/admit.ts'
import { MINUTE, START } from './support/random-data.ts'
import { randomSpec } from './support/random-spec.ts'
import { randomWorld } from './support/random-world.ts'
import { exactTexts, referenceTexts } from './support/step-texts.ts'

const RUNS = Number(process.env.EXACT_RUNS ?? 400)
const gates = fc.option(fc.record({ halt: fc.nat(20), scheduled: fc.nat(20) }), { nil: null })

test('every field of every tick equals the reference, over random versions and inputs', () => {
  fc.assert(
    fc.property(randomSpec, randomWorld, gates, fc.boolean(), (spec, legs, gate, late) => {
      const options = {
        to: START + 32 * MINUTE,
        ...(late ? { grace_override: LATE_DATA_GRACE } : {}),
        ...(gate === null ? {} : { gate: gateOf(gate) }),
      }
      expectSame(exactTexts(spec, legs, options), referenceTexts(spec, legs, options))
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})

function gateOf({ halt, scheduled }: { halt: number; scheduled: number }) {
  return (tick: number) => ({ halted: tick === START + halt * MINUTE, scheduled: tick < START + scheduled * MINUTE })
}

/** Names the first tick that differs: the whole lists are too long to read. */
function expectSame(exact: readonly string[], reference: readonly string[]): void {
  const first = reference.findIndex((text, i) => text !== exact[i])
  if (first >= 0) expect(parsed(exact[first])).toEqual(parsed(reference[first]))
  expect(exact.length).toBe(reference.length)
}

function parsed(text: string | undefined): unknown {
  return text?.startsWith('{') === true ? JSON.parse(text) : text
}
