import fc from 'fast-check'
import { expect, test } from 'vitest'
import golden from '../../../datasets/golden/methodology-examples.json' with { type: 'json' }
import { missingInputBound } from '../../../pipelines/robustness/missing-input.ts'
import { Decimal, formatDecimal } from '../../../primitives/decimal.ts'
import { d } from '../../support/index-world.ts'
import { basisOf, RULES } from './robustness-world.ts'

const { E1, E2, E3 } = golden.examples

/** Weights of E1 with the values of an example. */
function rowsOf(x: Readonly<Record<string, string | null>>) {
  return Object.entries(E1.expected.weights).map(([id, w]) => [w, x[id] ?? null] as const)
}

test('E3 a missing input leaves numerator and denominator, and its bound is that of the example', () => {
  const bound = missingInputBound(basisOf(rowsOf(E3.input.x)))!
  const missing = bound.inputs[3]!
  expect(bound.level).toBe(E3.expected.gauge_level)
  expect([missing.level_without, missing.move]).toEqual([E3.expected.gauge_level, '0.0000'])
  expect([missing.level_if_zero, missing.level_if_one]).toEqual(E3.expected.bound)
})

test('each input is left out alone, and the one that moves the level most is named', () => {
  const bound = missingInputBound(
    basisOf([
      ['0.4', '0.5'],
      ['0.3', '0.5'],
      ['0.2', '0.9'],
      ['0.1', '0.1'],
    ]),
  )!
  expect(bound.level).toBe('54.0000')
  expect(bound.inputs.map(({ level_without, move, move_bp }) => [level_without, move, move_bp])).toEqual([
    ['56.6667', '2.6667', '493.83'],
    ['55.7143', '1.7143', '317.46'],
    ['45.0000', '-9.0000', '1666.67'],
    ['58.8889', '4.8889', '905.35'],
  ])
  expect(bound.largest!.constituent_id).toBe('con_c')
  expect(bound.indispensable_ids).toEqual([])
})

test('of equal moves the first is the largest', () => {
  const rows = [
    ['0.25', '0.4'],
    ['0.25', '0.6'],
    ['0.5', '0.5'],
  ] as const
  expect(missingInputBound(basisOf(rows))!.largest).toMatchObject({ constituent_id: 'con_a', move: '3.3333' })
})

test('an input without which too little weight is usable, or nothing fresh, leaves the index without a level', () => {
  const heavy = missingInputBound(
    basisOf([
      ['0.6', '0.5'],
      ['0.4', '0.2'],
    ]),
  )!
  expect(
    heavy.inputs.map(({ quality_state, level_without, reason_codes }) => [quality_state, level_without, reason_codes]),
  ).toEqual([
    ['suspended', null, ['CONSTITUENT_MISSING', 'COVERAGE_LOW', 'USABLE_WEIGHT_LOW']],
    ['degraded', '50.0000', ['CONSTITUENT_MISSING', 'COVERAGE_LOW']],
  ])
  expect(heavy.indispensable_ids).toEqual(['con_a'])
  const stale = missingInputBound(
    basisOf([
      ['0.3', '0.5'],
      ['0.7', '0.2', 'stale'],
    ]),
  )!
  expect([stale.inputs[0]!.quality_state, stale.inputs[0]!.level_without]).toEqual(['stale', null])
  expect(stale.inputs[0]!.reason_codes).toEqual(['CONSTITUENT_MISSING', 'COVERAGE_LOW', 'NO_FRESH_INPUT'])
})

test('the limits belong to the better side, and nothing usable has no bound', () => {
  const at = missingInputBound(
    basisOf([
      ['0.5', '0.5'],
      ['0.5', '0.2'],
    ]),
  )!
  expect(at.inputs.map(({ quality_state }) => quality_state)).toEqual(['degraded', 'degraded'])
  const covered = missingInputBound(
    basisOf([
      ['0.2', '0.5'],
      ['0.8', '0.2'],
    ]),
  )!
  expect(covered.inputs[0]!.reason_codes).toEqual(['CONSTITUENT_MISSING'])
  expect(missingInputBound(basisOf([['1', null]]))).toBeNull()
  expect(
    missingInputBound(
      basisOf([
        ['0.5', '0'],
        ['0.5', '0'],
      ]),
    )!.inputs[0]!.move_bp,
  ).toBeNull()
})

const constituent = fc.record({
  w: fc.integer({ min: 1, max: 1000 }),
  x: fc.option(fc.integer({ min: 0, max: 1_000_000 }), { freq: 6 }),
  freshness: fc.constantFrom('fresh' as const, 'stale' as const, 'settled' as const),
})

test('asked twice: a level without an input is that of a basis in which it is missing, within its bounds', () => {
  fc.assert(
    fc.property(fc.array(constituent, { minLength: 1, maxLength: 6 }), (rows) => {
      const basis = {
        k: d('100'),
        rules: RULES,
        constituents: rows.map(({ w, x, freshness }, i) => ({
          constituent_id: `con_${i}`,
          w: d(`${w}`).div(10_000),
          x: x === null ? null : d(`${x}`).div(1_000_000),
          freshness: x === null ? ('missing' as const) : freshness,
        })),
      }
      const bound = missingInputBound(basis)
      if (bound === null) return
      for (const [i, input] of bound.inputs.entries()) {
        const rest = basis.constituents.filter((c, other) => other !== i && c.x !== null)
        const [above, below] = [
          rest.reduce((sum, c) => sum.plus(c.w.times(c.x!)), new Decimal(0)),
          rest.reduce((sum, c) => sum.plus(c.w), new Decimal(0)),
        ]
        const whole = basis.constituents.reduce((sum, c) => sum.plus(c.w), new Decimal(0))
        const fresh = rest.some((c) => c.freshness !== 'stale')
        const lives = below.times(2).gte(whole) && fresh
        expect(input.level_without).toBe(lives ? formatDecimal(above.div(below).times(100), 4) : null)
        for (const text of [bound.level, input.level_without ?? bound.level]) {
          expect(d(input.level_if_zero).lte(text) && d(text).lte(input.level_if_one)).toBe(true)
        }
        expect(input.level_without === null).toBe(bound.indispensable_ids.includes(input.constituent_id))
        const most = d(bound.largest?.move ?? '0').abs()
        expect(
          d(input.move ?? '0')
            .abs()
            .lte(most),
        ).toBe(true)
      }
    }),
    { numRuns: 100 },
  )
})

test('E2 the level of the example is that of its basis', () => {
  expect(missingInputBound(basisOf(rowsOf(E2.input.x)))!.level).toBe(E2.expected.gauge_level)
})
