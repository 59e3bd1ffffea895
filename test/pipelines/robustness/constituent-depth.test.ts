import { expect, test } from 'vitest'
import { constituentDepth } from '../../../pipelines/robustness/constituent-depth.ts'
import { bandOfLevel, robustnessOfLevel } from '../../../pipelines/robustness/level-robustness.ts'
import type { PublishedInput, PublishedLevel } from '../../../pipelines/robustness/published-level.ts'
import type { MarkRule } from '../../../vocabulary/index-level.ts'
import { depth } from './robustness-world.ts'

const OUTCOME = { market_id: 'mkt_a', outcome_id: 'out_a' } as const

/** A published input of one leg, with the rule and value of its mark. */
function input(mark_rule: MarkRule, value: string, rest: Partial<PublishedInput> = {}): PublishedInput {
  return {
    constituent_id: 'con_a',
    target_weight: '1.0000000000',
    normalization: 'probability_0_1',
    normalized_value: value,
    freshness_class: 'fresh',
    legs: [{ ...OUTCOME, mark_rule, value }],
    ...rest,
  }
}

type Level = readonly [price: string, quantity: string]

function books(bids: readonly Level[], asks: readonly Level[], price_unit = 'probability') {
  const side = (levels: readonly Level[]) => levels.map(([price, quantity]) => ({ price, quantity }))
  return new Map([['out_a', { bids: side(bids), asks: side(asks), price_unit }]])
}

const BOOK = books([['0.60', '300']], [['0.66', '100']])

test.each([
  ['M1', '0.630000', null],
  ['M1', '0.630001', 'DEPTH_NOT_OF_TICK'],
  ['M4', '0.630000', null],
  // (0.60 x 100 + 0.66 x 300) / 400
  ['M2', '0.645000', null],
  ['M2', '0.615000', 'DEPTH_NOT_OF_TICK'],
  ['M3', '0.600000', null],
  ['M3', '0.660000', null],
  ['M3', '0.660001', 'DEPTH_NOT_OF_TICK'],
  ['M5', '0.630000', 'MARK_NOT_FROM_BOOK'],
  ['M6', '0.630000', 'MARK_NOT_FROM_BOOK'],
  ['M7', '0.630000', 'MARK_NOT_FROM_BOOK'],
  ['frozen', '0.630000', 'MARK_NOT_FROM_BOOK'],
] as const)('a book is the one behind a mark of %s if it gives it: %s', (rule, value, reason) => {
  expect(constituentDepth(input(rule, value), BOOK).reason).toBe(reason)
})

test('a book that is missing, one-sided, crossed or in odds is no depth', () => {
  const of_book = (stored: ReturnType<typeof books>) => constituentDepth(input('M1', '0.630000'), stored).reason
  expect(of_book(new Map())).toBe('DEPTH_NOT_STORED')
  expect(of_book(books([['0.60', '1']], []))).toBe('DEPTH_NOT_OF_TICK')
  expect(of_book(books([['0.63', '1']], [['0.63', '1']]))).toBe('DEPTH_CROSSED')
  expect(of_book(books([['0.60', '1']], [['0.66', '1']], 'decimal_odds'))).toBe('PRICE_UNIT_NOT_PROBABILITY')
})

test('the depth of an inverse constituent is mirrored', () => {
  expect(constituentDepth(input('M1', '0.630000', { normalization: 'inverse' }), BOOK)).toEqual(
    depth(['0.34x100'], ['0.40x300']),
  )
  expect(constituentDepth(input('M1', '0.630000'), BOOK)).toEqual(depth(['0.60x300'], ['0.66x100']))
})

test.each(['logodds_pool', 'multi_outcome_sum_to_one', 'constant_maturity'] as const)(
  '%s has no depth of its own',
  (normalization) => {
    expect(constituentDepth(input('M1', '0.630000', { normalization }), BOOK).reason).toBe('SEVERAL_LEGS')
  },
)

const RULES = { minimum_coverage_ratio: '0.80', usable_min: '0.50' }
const LEVEL: PublishedLevel = {
  level: '63.0000',
  link_factor: '100.000000000000',
  quality_state: 'valid',
  underlying_quality_state: 'valid',
  inputs: [input('M1', '0.630000')],
}

test('a record without a level of its own tick has no bound, cost or band', () => {
  expect(robustnessOfLevel(LEVEL, RULES, BOOK, 100)!.missing_input.level).toBe(LEVEL.level)
  expect(bandOfLevel(LEVEL, RULES, BOOK, '0')).toMatchObject({ bid: { level: '60.0000' }, ask: { level: '66.0000' } })
  for (const underlying_quality_state of ['stale', 'suspended', null]) {
    const quality_state = underlying_quality_state ?? 'stale'
    const unpriced = { ...LEVEL, quality_state, underlying_quality_state }
    expect(robustnessOfLevel(unpriced, RULES, BOOK, 100)).toBeNull()
    expect(bandOfLevel(unpriced, RULES, BOOK, '1')).toBeNull()
  }
  expect(robustnessOfLevel({ ...LEVEL, level: null, link_factor: null }, RULES, BOOK, 100)).toBeNull()
})
