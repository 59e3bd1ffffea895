import { describe, expect, test } from 'vitest'
import { classifyFreshness, inputConfidence } from '../../../pipelines/market/freshness.ts'
import { C_RULE, type Mark } from '../../../pipelines/market/mark.ts'
import { DAY, d, MINUTE, mark, NOW, parameters } from '../../support/index-world.ts'

const P = parameters()
const aged = (age: number, rest: Partial<Mark> = {}) => mark('0.5', NOW - age, rest)

describe('class', () => {
  test.each([
    [0, 'fresh'],
    [15 * MINUTE, 'fresh'],
    [15 * MINUTE + 1, 'stale'],
    [DAY, 'stale'],
    [DAY + 1, 'missing'],
  ] as const)('age %i microseconds: %s; the boundary belongs to the better class', (age, expected) => {
    expect(classifyFreshness(aged(age), NOW, P)).toBe(expected)
    expect(classifyFreshness(aged(age, { rule: 'M7' }), NOW, P)).toBe(expected)
  })

  test('ages count from the confirmation, not from the source', () => {
    expect(classifyFreshness(aged(2 * DAY, { confirmed_at: NOW - MINUTE }), NOW, P)).toBe('fresh')
  })

  test('a settled mark stays settled and a frozen one stale, at any age; none is missing', () => {
    for (const age of [0, DAY, 400 * DAY]) {
      expect(classifyFreshness(aged(age, { rule: 'M0' }), NOW, P)).toBe('settled')
      expect(classifyFreshness(aged(age, { rule: 'frozen' }), NOW, P)).toBe('stale')
    }
    expect(classifyFreshness(null, NOW, P)).toBe('missing')
  })
})

describe('confidence', () => {
  test.each([
    [0, '0.9'],
    [DAY / 2, '0.45'],
    [DAY, '0'],
    [2 * DAY, '0'],
  ])('decays in a line to zero at max_carry: age %i gives %s', (age, expected) => {
    expect(inputConfidence(aged(age, { c_rule: C_RULE.M2 }), NOW, P).toFixed()).toBe(expected)
  })

  test('of a settled mark does not decay', () => {
    expect(inputConfidence(aged(400 * DAY, { rule: 'M0', c_rule: C_RULE.M0 }), NOW, P).eq(d('1'))).toBe(true)
  })
})
