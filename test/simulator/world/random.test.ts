import fc from 'fast-check'
import { expect, test } from 'vitest'
import { integerRoot } from '../../../simulator/world/integer-root.ts'
import { clampLogit, LOGIT_MAX, MILLION, oddsOf, probabilityOf } from '../../../simulator/world/logistic.ts'
import { createRandom } from '../../../simulator/world/random.ts'

test('the first numbers of a stream are these on every machine', () => {
  const random = createRandom('seed', 'stream')
  expect([1, 2, 3, 4].map(() => random.below(1_000_000))).toEqual([9934, 872030, 654053, 235959])
})

test('another label is another stream', () => {
  const of = (label: string) => {
    const random = createRandom('seed', label)
    return Array.from({ length: 20 }, () => random.below(1_000))
  }
  expect(of('a')).toEqual(of('a'))
  expect(of('a')).not.toEqual(of('b'))
})

test('a step has about the standard deviation that it is asked for, and no drift', () => {
  const random = createRandom('steps')
  const steps = Array.from({ length: 20_000 }, () => random.step(1_000))
  const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length
  const variance = steps.reduce((sum, step) => sum + (step - mean) ** 2, 0) / steps.length
  expect(Math.abs(mean)).toBeLessThan(30)
  expect(Math.abs(Math.sqrt(variance) - 1_000)).toBeLessThan(25)
  expect(Math.max(...steps.map(Math.abs))).toBeLessThanOrEqual(3_000)
})

test('log-odds of 0 are one half; ln 3 are three quarters', () => {
  expect(probabilityOf(0)).toBe(500_000)
  expect(oddsOf(0)).toBe(MILLION)
  // ln 3 = 1.098612: odds 3, probability 0.75, within the table's step
  expect(Math.abs(oddsOf(1_098_612) - 3_000_000)).toBeLessThan(50)
  expect(Math.abs(probabilityOf(1_098_612) - 750_000)).toBeLessThan(10)
})

test('probabilities rise with log-odds, lie inside (0, 1) and mirror each other', () => {
  const logit = fc.integer({ min: -LOGIT_MAX - 1_000, max: LOGIT_MAX + 1_000 })
  fc.assert(
    fc.property(logit, logit, (a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a]
      expect(probabilityOf(low)).toBeLessThanOrEqual(probabilityOf(high))
      expect(probabilityOf(a)).toBeGreaterThan(0)
      expect(probabilityOf(a)).toBeLessThan(MILLION)
      expect(Math.abs(probabilityOf(a) + probabilityOf(-a) - MILLION)).toBeLessThan(20)
      expect(Math.abs(clampLogit(a))).toBeLessThanOrEqual(LOGIT_MAX)
    }),
  )
})

test('an integer root is the greatest whole number whose square fits', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 50 }), (value) => {
      const root = integerRoot(value)
      expect(root * root).toBeLessThanOrEqual(value)
      expect((root + 1) * (root + 1)).toBeGreaterThan(value)
    }),
  )
})
