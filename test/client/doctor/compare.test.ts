import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstUnequal, sameNumber } from '../../../client/doctor/compare.ts'
import { createSampler } from '../../../client/doctor/sample.ts'

test('equal JSON values have no difference, in either order of asking', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => firstUnequal(value, structuredClone(value)) === null))
})

test('any two JSON values that print differently differ', () => {
  const wrapped = fc.record({ a: fc.string(), b: fc.array(fc.integer(), { maxLength: 3 }) })
  fc.assert(
    fc.property(
      wrapped,
      wrapped,
      (a, b) => (firstUnequal(a, b) === null) === (JSON.stringify(a) === JSON.stringify(b)),
    ),
  )
})

test('a difference names its field; ignored names and paths are left out', () => {
  const [first, second] = [{ a: [{ b: 1, at: 2 }] }, { a: [{ b: 1, at: 3 }] }]
  expect(firstUnequal(first, second)).toEqual({ field: 'a[0].at', first: 2, second: 3 })
  expect(firstUnequal(first, second, new Set(['at']))).toBeNull()
  expect(firstUnequal(first, second, new Set(['a[0].at']))).toBeNull()
  expect(firstUnequal({ a: null }, {})).toEqual({ field: 'a', first: null, second: undefined })
})

test('numbers compare by value, null only with null', () => {
  expect(sameNumber('0.50', '0.5')).toBe(true)
  expect(sameNumber('0.5', '0.500000001')).toBe(false)
  expect(sameNumber(null, '0')).toBe(false)
})

test('the seed alone decides the order, and other items do not change it', () => {
  const keys = fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 20 })
  fc.assert(
    fc.property(keys, fc.nat(), (items, seed) => {
      const order = createSampler(seed).shuffled(items, (item) => item)
      expect([...order].sort()).toEqual([...items].sort())
      const fewer = items.slice(1)
      expect(createSampler(seed).shuffled(fewer, (item) => item)).toEqual(order.filter((item) => item !== items[0]))
    }),
  )
})

test('a spread takes from each group before it takes a second one', () => {
  const items = ['a1', 'a2', 'a3', 'b1', 'c1']
  const spread = createSampler(1).spread(
    items,
    3,
    (item) => item,
    (item) => item[0]!,
  )
  expect(spread.map((item) => item[0]).sort()).toEqual(['a', 'b', 'c'])
})
