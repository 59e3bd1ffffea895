import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LegData } from '../../../../pipelines/index/admission.ts'
import { LATE_DATA_GRACE } from '../../../../pipelines/index/admit.ts'
import type { ExactOptions } from '../../../../pipelines/index/exact/chain.ts'
import { decodeParameters, resolveParameters } from '../../../../pipelines/index/parameters.ts'
import type { IndexSpec } from '../../../../pipelines/index/version.ts'
import { Decimal } from '../../../../primitives/decimal.ts'
import { legData } from '../../../support/index-world.ts'
import { SEED } from '../../../support/seed.ts'
import { sized } from '../../../support/sized.ts'
import { MINUTE, SECOND, START } from './support/random-data.ts'
import { legOf, randomPlainSpec, randomSpec, versionOfParameters } from './support/random-spec.ts'
import { randomWorld } from './support/random-world.ts'
import { exactTexts, type Legs, referenceTexts } from './support/step-texts.ts'

const TO = START + 32 * MINUTE
const gates = fc.option(fc.record({ halt: fc.nat(20), scheduled: fc.nat(20) }), { nil: null })
const links = fc.dictionary(
  fc.constantFrom('idv_random_0', 'idv_random_1'),
  fc.constantFrom('777.5', '1234.123456789012'),
)

test('every field of every tick equals the reference, over random versions and inputs', () => {
  fc.assert(
    fc.property(randomSpec, randomWorld, gates, links, fc.boolean(), (spec, legs, gate, published, late) => {
      expectSame(spec, legs, {
        to: TO,
        published_links: new Map(Object.entries(published).map(([id, k]) => [id, new Decimal(k)])),
        ...(late ? { grace_override: LATE_DATA_GRACE } : {}),
        ...(gate === null ? {} : { gate: gateOf(gate) }),
      })
    }),
    { numRuns: sized(30, 400), seed: SEED, endOnFailure: true },
  )
}, 400_000)

/** Plain constituents: a hazard roll has no logarithm of a price above 1. */
const minutely = randomPlainSpec.map((spec) => ({
  ...spec,
  versions: spec.versions.map((version) => ({ ...version, frequency: MINUTE })),
}))

test('prices far outside [0, 1] change the way sums are held, not a single string', () => {
  fc.assert(
    fc.property(minutely, randomWorld, fc.constantFrom(-3, 7, 1e6), (spec, legs, factor) => {
      const wild = new Map([...legs].map(([name, leg]) => [name, withTrades(leg, factor)]))
      expectSame(spec, wild, { to: TO })
    }),
    { numRuns: sized(6, 60), seed: SEED, endOnFailure: true },
  )
}, 120_000)

test.each(['two_limbs', 'bigint'] as const)(
  'held in %s, the sums give the same strings',
  (path) => {
    fc.assert(
      fc.property(randomSpec, randomWorld, (spec, legs) => {
        expect(exactTexts(spec, legs, { to: TO, path })).toEqual(exactTexts(spec, legs, { to: TO }))
      }),
      { numRuns: sized(5, 40), seed: SEED, endOnFailure: true },
    )
  },
  120_000,
)

describe('the boundary age belongs to the better class; a microsecond more does not', () => {
  const BOOK = { bid: '0.60', ask: '0.61', last_trade: '0.605', last_trade_at: START - 3 * MINUTE }
  const WIDE = { ...BOOK, ask: '0.75' }
  const REPORTED = { reported_probability: '0.3' }
  const NARROW = {
    'fresh.stale_after': 'PT2M',
    'fresh.max_carry': 'PT10M',
    'mark.book_max_age': 'PT1M',
    'mark.t_recent': 'PT4M',
    'mark.t_last': 'PT5M',
    'outlier.enabled': 'false',
  }

  test.each([
    ['book_max_age', BOOK, 1],
    ['stale_after', REPORTED, 2],
    ['t_recent (trade is 3 minutes older)', WIDE, 1],
    ['t_last (trade is 3 minutes older)', BOOK, 2],
    ['max_carry', REPORTED, 10],
  ] as const)('%s', (_, quote, minutes) => {
    const spec = one(NARROW)
    const facts = [0, 1].map((more) => {
      const legs = new Map([['a', legData([{ ...quote, source_at: START - more }])]])
      expectSame(spec, legs, { to: TO })
      return JSON.parse(exactTexts(spec, legs, { to: TO })[minutes]!)
    })
    expect(facts[0]).not.toEqual({ ...facts[1], confidence: facts[0].confidence })
  })
})

test('a confidence on a rounding tie is the formula’s, to whichever side its 34 digits fall', () => {
  // Reported values (c_rule 0.50) of 50 equal weights: confidence = 0.5 - ages / 8640000, a tie of 4 decimals where the sum
  // of ages is an odd multiple of 432 s. No single c has a finite expansion then, so each side depends on all of them.
  const names = Array.from({ length: 50 }, (_, i) => `leg${i}`)
  const spec = one({ 'quality.min_confidence': '0', 'quality.max_fallback_weight': '1' }, names)
  for (let seed = 1; seed <= sized(3, 20); seed++) {
    const ages = names.map((_, i) => (i * seed * 7) % 31)
    const sum = ages.reduce((total, age) => total + age, 0)
    ages[0] = ages[0]! + ((1296 - (sum % 864)) % 864)
    const legs = new Map(
      names.map((name, i) => [name, legData([{ reported_probability: '0.5', source_at: START - ages[i]! * SECOND }])]),
    )
    expectSame(spec, legs, { to: START + MINUTE })
  }
})

test('a confidence exactly on its threshold is not below it', () => {
  // One reported value that is 0.2 of max_carry old: 0.5 x 0.8 = 0.4.
  const spec = one({ 'quality.min_confidence': '0.4', 'fresh.max_carry': 'PT10M', 'fresh.stale_after': 'PT5M' })
  const legs = new Map([['a', legData([{ reported_probability: '0.5', source_at: START }])]])
  const states = exactTexts(spec, legs, { to: START + 4 * MINUTE }).map((text) => JSON.parse(text).quality_state)
  expect(states).toEqual(['valid', 'valid', 'valid', 'indicative'])
  expectSame(spec, legs, { to: START + 4 * MINUTE })
})

/** An index of equal, plain constituents under the given parameters. */
function one(texts: Record<string, string>, names: readonly string[] = ['a']): IndexSpec {
  const version = versionOfParameters(decodeParameters(resolveParameters(texts)))
  const constituents = names.map((name, i) => ({
    ...version.constituents[0]!,
    constituent_id: `con_${String(i).padStart(3, '0')}` as const,
    legs: [legOf(name)],
    target_weight: new Decimal(1).div(names.length),
  }))
  return {
    index_id: 'idx_one',
    unit: 'index_points',
    base_value: new Decimal(1000),
    base_date: START,
    versions: [{ ...version, constituents }],
  }
}

/** The same leg with last trades and reported values multiplied: nothing a venue should send. */
function withTrades(leg: LegData, factor: number): LegData {
  const scaled = (column: Float64Array | undefined) => column?.map((value) => value * factor)
  const { last_trade, reported_probability, ...quotes } = leg.quotes
  return {
    ...leg,
    quotes: {
      ...quotes,
      ...(last_trade === undefined ? {} : { last_trade: scaled(last_trade)! }),
      ...(reported_probability === undefined ? {} : { reported_probability: scaled(reported_probability)! }),
    },
  }
}

function gateOf({ halt, scheduled }: { halt: number; scheduled: number }) {
  return (tick: number) => ({ halted: tick === START + halt * MINUTE, scheduled: tick < START + scheduled * MINUTE })
}

/** Names the first tick that differs: the whole lists are too long to read. */
function expectSame(spec: IndexSpec, legs: Legs, options: ExactOptions): void {
  const exact = exactTexts(spec, legs, options)
  const reference = referenceTexts(spec, legs, options)
  const first = reference.findIndex((text, i) => text !== exact[i])
  if (first >= 0) expect(parsed(exact[first])).toEqual(parsed(reference[first]))
  expect(exact.length).toBe(reference.length)
}

function parsed(text: string | undefined): unknown {
  return text?.startsWith('{') === true ? JSON.parse(text) : text
}
