import { describe, expect, test } from 'vitest'
import { decodeDefinition } from '../../../pipelines/index/definition.ts'
import type { ConstituentFile } from '../../../pipelines/index/definition-schema.ts'
import { buildObservation } from '../../../pipelines/index/observation.ts'
import {
  type PreviewedLevel,
  previewResolution,
  previewVoid,
} from '../../../pipelines/robustness/resolution-preview.ts'
import type { Micros } from '../../../primitives/instants.ts'
import {
  definitionFile,
  legData,
  legsByKey,
  MINUTE,
  marketState,
  NOW,
  type QuoteText,
  resolution,
  SECOND,
  series,
  specOf,
} from '../../support/index-world.ts'

const LEG = (source_market_id: string, rest: object = {}) => ({ venue_id: 'test', source_market_id, ...rest })
const QUOTES: Readonly<Record<string, QuoteText>> = {
  con_a: { bid: '0.42', ask: '0.44', bid_depth: '100', ask_depth: '100' },
  con_b: { bid: '0.60', ask: '0.62', bid_depth: '100', ask_depth: '100' },
  one: { bid: '0.70', ask: '0.72', bid_depth: '100', ask_depth: '100' },
  two: { bid: '0.68', ask: '0.70', bid_depth: '100', ask_depth: '100' },
  three: { bid: '0.66', ask: '0.68', bid_depth: '100', ask_depth: '100' },
}

/**
 * Computes an index whose one market becomes final after its first minute, and previews that from the record before.
 * @returns the level that was previewed, and the level that came
 */
function resolveReally(
  constituents: readonly Partial<ConstituentFile>[],
  market: string,
  payout: '0' | '1',
  parameters: Record<string, string> = {},
) {
  const file = definitionFile(constituents, { parameters: { 'outlier.enabled': 'false', ...parameters } })
  const quotes = (texts: QuoteText) => [{ ...texts, source_at: NOW - SECOND, confirmed_at: NOW + 30 * SECOND }]
  const resolved_at: Micros = NOW + MINUTE
  const records = Object.fromEntries(
    Object.entries(QUOTES).map(([name, texts]) => [
      name,
      legData([...quotes(texts), { ...texts, source_at: NOW + MINUTE - SECOND }], {
        resolutions: name === market ? [resolution(resolved_at, payout)] : [],
      }),
    ]),
  )
  const steps = series(file, records, { to: NOW + 2 * MINUTE, grace: 0 })
  const [before, after] = [steps.at(-2)!.result, steps.at(-1)!.result]
  const spec = specOf(decodeDefinition(file))
  const leg = [...legsByKey(spec).values()].find(({ source_market_id }) => source_market_id === market)!
  const publication = { ...{ index_id: 'idx_demo', unit: 'index_points', calculated_at: NOW }, ...FIRST }
  const record = buildObservation(before, publication) as unknown as PreviewedLevel
  const winner = payout === '1' ? leg.outcome_id : 'out_other'
  const rules = { version: spec.versions[0]!, expectedResolution: () => null }
  return { previewed: previewResolution(record, rules, leg.market_id, winner), came: after, record }
}

const FIRST = { revision: 1, supersedes_id: null, correction_reason: null }

const PLAIN = [
  { constituent_id: 'con_a', target_weight: '0.6' },
  { constituent_id: 'con_b', target_weight: '0.4' },
]

test.each(['0', '1'] as const)(
  'asked twice: the level previewed for a payout of %s is the level that comes',
  (payout) => {
    const { previewed, came, record } = resolveReally(PLAIN, 'con_a', payout)
    expect(record.level).not.toBeNull()
    expect(previewed.level).toBe(came.level)
    expect(previewed.constituents).toEqual([
      { constituent_id: 'con_a', before: '0.430000', after: payout === '1' ? '1.000000' : '0.000000' },
    ])
  },
)

test('an inverse constituent gains what its market loses', () => {
  const inverse = [{ ...PLAIN[0], normalization: 'inverse' as const }, PLAIN[1]!]
  const { previewed, came } = resolveReally(inverse, 'con_a', '0')
  expect(previewed.level).toBe(came.level)
  expect(previewed.constituents[0]!.after).toBe('1.000000')
})

const POOL = [
  {
    constituent_id: 'con_pool',
    normalization: 'logodds_pool' as const,
    target_weight: '0.5',
    legs: [LEG('one', { pool_weight: '1' }), LEG('two', { pool_weight: '1' }), LEG('three', { pool_weight: '1' })],
  },
  { constituent_id: 'con_b', target_weight: '0.5' },
]

test('one venue of a pool settles it, or conflicts with a majority that has not agreed', () => {
  for (const finality of ['any', 'majority']) {
    const { previewed, came } = resolveReally(POOL, 'one', '0', { 'pool.finality': finality })
    expect([finality, previewed.level]).toEqual([finality, came.level])
    expect(previewed.constituents[0]!.after).toBe(finality === 'any' ? '0.000000' : '0.680083')
  }
})

test('a market that the index does not hold moves nothing; a record without a level has no preview', () => {
  const { record } = resolveReally(PLAIN, 'con_a', '1')
  const rules = {
    version: specOf(decodeDefinition(definitionFile(PLAIN))).versions[0]!,
    expectedResolution: () => null,
  }
  expect(previewResolution(record, rules, 'mkt_elsewhere', 'out_elsewhere')).toEqual({
    level: record.level,
    move: '0.0000',
    constituents: [],
  })
  const suspended = { ...record, level: null, quality_state: 'suspended', underlying_quality_state: 'suspended' }
  expect(previewResolution(suspended, rules, 'mkt_elsewhere', 'out_elsewhere').level).toBeNull()
})

/** An index before and after one of its markets is void, and the preview of it. @param payout null: nothing is paid */
function voidReally(constituents: readonly Partial<ConstituentFile>[], market: string, payout: string | null) {
  const file = definitionFile(constituents, { parameters: { 'outlier.enabled': 'false' } })
  const at: Micros = NOW + MINUTE
  const records = Object.fromEntries(
    Object.entries(QUOTES).map(([name, texts]) => {
      const quotes = [{ ...texts, source_at: NOW - SECOND, confirmed_at: NOW + 2 * MINUTE }]
      const is_void = name === market
      const resolutions = is_void && payout !== null ? [resolution(at, payout)] : []
      return [name, legData(quotes, { resolutions, states: is_void ? [marketState(at, 'voided')] : [] })]
    }),
  )
  const steps = series(file, records, { to: NOW + 2 * MINUTE, grace: 0 })
  const [before, after] = [steps.at(-2)!.result, steps.at(-1)!.result]
  const spec = specOf(decodeDefinition(file))
  const leg = [...legsByKey(spec).values()].find(({ source_market_id }) => source_market_id === market)!
  const publication = { ...{ index_id: 'idx_demo', unit: 'index_points', calculated_at: NOW }, ...FIRST }
  const record = buildObservation(before, publication) as unknown as PreviewedLevel
  const rules = { version: spec.versions[0]!, expectedResolution: () => null }
  const of = (one: PreviewedLevel, outcomes = 2) => previewVoid(one, rules, leg.market_id, outcomes)
  return { record, of, came: after }
}

describe('a void market', () => {
  test.each([
    [PLAIN, 'con_a'],
    [POOL, 'one'],
    [[{ ...PLAIN[0], normalization: 'inverse' as const }, PLAIN[1]!], 'con_a'],
  ])('asked twice: equal shares settle its legs, and frozen marks keep the level (%#)', (constituents, market) => {
    const paid = voidReally(constituents, market, '0.5')
    const [shares] = paid.of(paid.record)
    expect(shares).toMatchObject({ payout_rule: 'equal_shares', payout: '0.500000', reason: null })
    expect(shares!.level).toBe(paid.came.level)
    const unpaid = voidReally(constituents, market, null)
    const [, none] = unpaid.of(unpaid.record)
    expect(none).toMatchObject({ payout_rule: 'none', payout: null, move: '0.0000', reason: null })
    expect(none!.level).toBe(unpaid.came.level)
    expect(unpaid.came.quality_state).not.toBe('valid')
    expect(none!.constituents).toHaveLength(1)
  })

  test('without another fresh input an unpaid void leaves no level', () => {
    const alone = voidReally([{ constituent_id: 'con_a', target_weight: '1' }], 'con_a', null)
    expect(alone.of(alone.record)[1]).toMatchObject({ level: null, move: null, reason: 'NO_FRESH_INPUT' })
    expect(alone.came.quality_state).toBe('stale')
  })

  test('shares that are not exact, and marks that the record does not state, are said so', () => {
    const { record, of } = voidReally(PLAIN, 'con_a', null)
    expect(of(record, 3)[0]).toMatchObject({ payout: null, level: null, reason: 'PAYOUTS_NOT_EXACT' })
    const [first, ...rest] = record.inputs
    const pending = { ...record, inputs: [{ ...first!, pending: true }, ...rest] }
    const legs = first!.legs.map((leg) => ({ ...leg, mark_rule: 'fixing' as const }))
    const fixing = { ...record, inputs: [{ ...first!, legs }, ...rest] }
    for (const one of [pending, fixing]) expect(of(one)[1]).toMatchObject({ level: null, reason: 'MARK_NOT_STATED' })
    const elsewhere = { ...record, inputs: [first!, { ...rest[0]!, pending: true }] }
    expect(of(elsewhere)[1]!.level).toBe(record.level)
  })

  test('a settled leg stays settled, and a record without a level has no preview', () => {
    const { record, of } = voidReally(PLAIN, 'con_a', null)
    const [first, ...rest] = record.inputs
    const legs = first!.legs.map((leg) => ({ ...leg, freshness_class: 'settled' as const, mark_rule: 'M0' as const }))
    const settled = { ...record, inputs: [{ ...first!, freshness_class: 'settled' as const, legs }, ...rest] }
    expect(of(settled)[1]).toMatchObject({ level: record.level, constituents: [] })
    const suspended = { ...record, level: null, quality_state: 'suspended', underlying_quality_state: 'suspended' }
    expect(of(suspended).map(({ level, reason }) => [level, reason])).toEqual([
      [null, null],
      [null, null],
    ])
  })
})
