import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import golden from '../../../datasets/golden/methodology-examples.json' with { type: 'json' }
import { decodeDefinition } from '../../../pipelines/index/definition.ts'
import { poolParts } from '../../../pipelines/index/pool-finality.ts'
import {
  d,
  definitionFile,
  HOUR,
  legData,
  legsByKey,
  NOW,
  resolution,
  series,
  specOf,
} from '../../support/index-world.ts'
import { exactTexts, referenceTexts } from './exact/support/step-texts.ts'

const { E7b } = golden.examples
const { legs, weights, near } = E7b.input
const FINALITY = { 'pool.finality': 'majority', settle_from: 'final_at' }

function course(
  { marks, final }: { marks: readonly (string | null)[]; final: readonly number[] },
  finality = FINALITY,
) {
  const file = definitionFile(
    [
      {
        target_weight: '1',
        normalization: 'logodds_pool',
        legs: legs.map((venue, i) => ({ venue_id: venue, source_market_id: venue, pool_weight: weights[i]! })),
      },
    ],
    { parameters: { 'quality.min_confidence': '0', 'quality.max_fallback_weight': '1', ...finality } },
  )
  const records = legs.map((venue, i) => {
    const mark = marks[i] ?? null
    if (mark === null) return [venue, legData([])] as const
    const settled = final.includes(i)
    return [
      venue,
      settled
        ? legData([], { resolutions: [resolution(NOW, mark, { final_at: NOW })] })
        : legData([{ reported_probability: mark, source_at: NOW }]),
    ] as const
  })
  return { file, records: Object.fromEntries(records) }
}
const levelOf = (item: Parameters<typeof course>[0]) => {
  const { file, records } = course(item)
  return series(file, records, { to: NOW + 1 })[0]!.result
}

describe('E7b, a pool that one venue cannot settle', () => {
  test.each(E7b.input.courses.map((item, i) => [item, E7b.expected.courses[i]!] as const))('%j', (item, want) => {
    const result = levelOf(item)
    const [input] = result.constituents
    expect(input!.x?.toFixed(6) ?? null).toBe(want.x)
    expect(input!.freshness === 'settled').toBe(want.settled)
    expect(result.quality_state).toBe(want.state)
    const excluded = want.conflicts.map(({ leg, reference }) => ({
      constituent_id: 'con_a',
      observation_id: `res_${NOW}`,
      rule: 'FINALITY_CONFLICT',
      raw_value: `${item.marks[leg]}.000000`,
      reference_value: reference,
      threshold: '0.1',
    }))
    expect(result.excluded_inputs).toEqual(excluded)
    expect(result.reason_codes).toEqual(want.conflicts.length === 0 ? [] : ['FINALITY_CONFLICT'])
  })

  test.each(E7b.input.courses.map((item, i) => [item, E7b.expected.courses[i]!] as const))(
    'both engines: %j',
    (item, want) => {
      const { file, records } = course(item)
      const spec = specOf(decodeDefinition(file))
      const data = new Map([...legsByKey(spec)].map(([key, leg]) => [key, records[leg.source_market_id]!] as const))
      const texts = exactTexts(spec, data, { to: NOW + 1 })
      expect(texts).toEqual(referenceTexts(spec, data, { to: NOW + 1 }))
      const { level } = JSON.parse(texts[0]!) as { level: string | null }
      expect(level).toBe(want.x === null ? null : d(want.x).times(d('100')).toFixed(4))
    },
  )

  test('with pool.finality any one venue settles it: 0', () => {
    const { file, records } = course({ marks: ['0.98', '0.97', '0'], final: [2] }, { 'pool.finality': 'any' } as never)
    expect(series(file, records, { to: NOW + 1 })[0]!.result.constituents[0]!.x!.toFixed(6)).toBe('0.000000')
  })
})

const weight = fc.integer({ min: 1, max: 9 }).map((n) => d(String(n)))
const leg = fc.record({ p: fc.constantFrom('0', '1', '0.5', '0.93', '0.97', null), weight, final: fc.boolean() })
const pool = fc
  .array(leg, { minLength: 1, maxLength: 5 })
  .map((items) => items.map((item, i) => ({ ...item, key: `k${i}`, p: item.p === null ? null : d(item.p) })))

test('no set of legs with half of the weight or less settles a pool, and one with more always does if it agrees', () => {
  fc.assert(
    fc.property(pool, (items) => {
      const parts = poolParts(items, 'majority', d(near))
      const sum = (keys: (item: (typeof items)[number]) => boolean) =>
        items.filter(keys).reduce((total, item) => total + Number(item.weight.toFixed()), 0)
      const whole = sum(() => true)
      const agreeing = items
        .filter(({ p, final }) => final && p !== null)
        .map(({ p }) => sum((other) => other.final && other.p?.eq(p!) === true))
      expect(parts.settled).toBe(agreeing.some((share) => share * 2 > whole))
      if (parts.settled) expect(sum(({ key }) => parts.counted.has(key)) * 2).toBeGreaterThan(whole)
    }),
  )
})

test('each leg with a mark counts or is on record, live legs always count, and the order does not matter', () => {
  fc.assert(
    fc.property(pool, (items) => {
      const parts = poolParts(items, 'majority', d(near))
      for (const { key, p, final } of items) {
        const both = [parts.counted.has(key), parts.conflicting.has(key)]
        if (p === null) expect(both).toEqual([false, false])
        else if (!final) expect(both).toEqual([!parts.settled, false])
        else expect(both.filter(Boolean)).toHaveLength(1)
      }
      const turned = poolParts([...items].reverse(), 'majority', d(near))
      expect([turned.settled, [...turned.counted].sort()]).toEqual([parts.settled, [...parts.counted].sort()])
    }),
  )
})

describe('settle_from', () => {
  const proposed = resolution(NOW, '1', { finality: 'proposed', final_at: null })
  const final = resolution(NOW, '1', { revision: 2, received_at: NOW + 2 * HOUR, final_at: NOW + 2 * HOUR })
  const data = {
    con_a: legData([{ reported_probability: '0.6', source_at: NOW - HOUR }], { resolutions: [proposed, final] }),
  }
  const levels = (parameters: Record<string, string>) => {
    const file = definitionFile([{ target_weight: '1', normalization: 'probability_0_1' }], {
      parameters,
      version: { effective_from: '2026-11-20T22:00:00Z', calculation_frequency: 'PT1H' },
      base_date: '2026-11-20T22:00:00Z',
    })
    // A correction admits what is known now, whenever it was received.
    const steps = series(file, data, { to: NOW + 4 * HOUR, grace: Number.MAX_SAFE_INTEGER / 4 })
    return steps.map(({ result }) => result.constituents[0]!.x?.toFixed(2) ?? null)
  }

  test('final_at: a restated level does not use a resolution before it was final', () => {
    expect(levels({ settle_from: 'final_at' })).toEqual([null, '0.60', '0.60', '0.60', '1.00', '1.00'])
  })

  test('source_at, or nothing: it settles from the instant of the proposal, as before', () => {
    const before = [null, '0.60', '1.00', '1.00', '1.00', '1.00']
    expect([levels({ settle_from: 'source_at' }), levels({})]).toEqual([before, before])
  })

  test('the parameters are part of the methodology', () => {
    const of = (parameters: Record<string, string>) =>
      decodeDefinition(definitionFile([{ target_weight: '1', normalization: 'inverse' }], { parameters })).methodology
    expect(of(FINALITY).content_hash).not.toBe(of({}).content_hash)
  })
})
