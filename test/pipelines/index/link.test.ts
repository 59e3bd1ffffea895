import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatLevel } from '../../../pipelines/index/level.ts'
import { baseFactor, compositionStep, linkFactor } from '../../../pipelines/index/link.ts'
import { d, parameters } from '../../support/index-world.ts'
import { refusal } from '../../support/refusal.ts'

const { link } = parameters()
const K = d('2000')

test('the base has 12 decimals; a base of zero is refused', () => {
  expect(baseFactor(d('1000'), d('0.3'), '1').toFixed()).toBe('3333.333333333333')
  const { message } = refusal('INDEX_LINK_UNSTABLE', () => baseFactor(d('1000'), d('0'), '1'))
  expect(message).toBe('version 1: S at base_date is 0; allowed: an S above 0')
})

describe('unstable', () => {
  test('S at link.min_s links, a digit below it does not, on either side', () => {
    expect(linkFactor(K, K, d('0.05'), d('0.05'), link, '2').toFixed()).toBe('2000')
    for (const [s_old, s_new, side] of [
      ['0.0499999', '0.05', 'old'],
      ['0.05', '0.0499999', 'new'],
    ] as const) {
      const { message } = refusal('INDEX_LINK_UNSTABLE', () => linkFactor(K, K, d(s_old), d(s_new), link, '2'))
      expect(message).toBe(
        `version 2: S of the ${side} composition is 0.049999900000 at the link; allowed: at least link.min_s 0.05`,
      )
    }
  })

  test('a composition without a value cannot be linked', () => {
    const { message } = refusal('INDEX_LINK_UNSTABLE', () => linkFactor(K, K, d('0.5'), null, link, '2'))
    expect(message).toContain('S of the new composition is missing at the link')
  })
})

describe('gearing', () => {
  test('K may move from a fifth to five times the first one, ends included', () => {
    expect(linkFactor(K, K, d('0.5'), d('0.1'), link, '2').toFixed()).toBe('10000')
    expect(linkFactor(K, K, d('0.1'), d('0.5'), link, '2').toFixed()).toBe('400')
  })

  test('beyond it the link is refused, with the numbers', () => {
    const { message } = refusal('INDEX_GEARING_LIMIT', () => linkFactor(K, K, d('0.5'), d('0.0999'), link, '2'))
    expect(message).toBe('version 2: link factor 10010.01001001001 is 5.005005 times the first one; allowed: 0.2 to 5')
    refusal('INDEX_GEARING_LIMIT', () => linkFactor(K, K, d('0.0999'), d('0.5'), link, '2'))
    // It is the first K that counts, not the previous one.
    refusal('INDEX_GEARING_LIMIT', () => linkFactor(d('9000'), K, d('0.5'), d('0.4'), link, '2'))
  })
})

test('a link moves nothing: the level is the same before and after, to its last digit', () => {
  const s = fc.integer({ min: 50_000_000, max: 999_999_999 }).map((n) => d(String(n)).div(1e9))
  const k = fc.integer({ min: 1_000_000, max: 99_999_999_999 }).map((n) => d(String(n)).div(1e6))
  fc.assert(
    fc.property(k, s, s, (k_old, s_old, s_new) => {
      const ratio = s_old.div(s_new)
      fc.pre(ratio.gte('0.2') && ratio.lte('5'))
      const before = k_old.times(s_old)
      // A level whose fifth decimal is an exact tie may round the other way once K has its 12 decimals.
      const places = before.times(10_000)
      fc.pre(places.minus(places.floor()).minus('0.5').abs().gt('1e-7'))
      const k_new = linkFactor(k_old, k_old, s_old, s_new, link, '2')
      expect(formatLevel(k_new, s_new)).toBe(formatLevel(k_old, s_old))
      expect(k_new.decimalPlaces()).toBeLessThanOrEqual(12)
    }),
    { numRuns: 500 },
  )
})

test('in gauge mode the change of composition is shown as a step', () => {
  expect(compositionStep(d('0.40'), d('0.375')).toFixed()).toBe('-2.5')
})
