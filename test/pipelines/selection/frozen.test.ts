import { describe, expect, test } from 'vitest'
import { awaitedComposition, compositionText, replacements } from '../../../pipelines/selection/frozen.ts'

const frozen = (from: string, at: string, composition: string, is_governed = false) => ({
  pro_forma_id: `pfm_${from}`,
  ...{ effective_from: day(from), published_at: day(at), composition, is_governed },
})
const version = (from: string, at: string, composition: string, is_governed = false) => ({
  ...{ index_version_id: `idv_${from}`, version: from },
  ...{ effective_from: day(from), published_at: day(at), composition, is_governed },
})
const day = (of_month: string) => `2026-06-${of_month}T14:00:00Z`
const FIRST = version('01', '01', 'a')
const ANNOUNCED = frozen('10', '08', 'b')

describe('an announced composition', () => {
  test.each([
    ['awaits its start', [FIRST], null],
    ['is published with exactly it', [FIRST, version('10', '10', 'b')], null],
    ['is replaced by another from the same start', [FIRST, version('10', '09', 'c')], '10'],
    ['is replaced by a later publication from the same start', [FIRST, version('10', '12', 'c')], '10'],
    ['is passed over by a later start', [FIRST, version('12', '09', 'c')], '12'],
    ['is followed by a version after its own', [FIRST, version('10', '10', 'b'), version('12', '11', 'c')], null],
    ['is not published, and a version follows after its start', [FIRST, version('12', '11', 'c')], null],
    ['was announced after a version from a later start', [FIRST, version('12', '07', 'c')], null],
    ['is replaced by a version that members approved', [FIRST, version('10', '09', 'c', true)], null],
  ])('%s', (_name, versions, by) => {
    const found = replacements([frozen('01', '01', 'a'), ANNOUNCED], versions)
    expect(found.map((one) => [one.frozen.pro_forma_id, one.by.version])).toEqual(by === null ? [] : [['pfm_10', by]])
  })

  test('of a governed index may be replaced: its proposal says so', () => {
    expect(replacements([{ ...ANNOUNCED, is_governed: true }], [FIRST, version('10', '09', 'c')])).toEqual([])
  })

  test.each([
    ['the earliest that no version has reached', [ANNOUNCED, frozen('20', '09', 'd')], [FIRST], null, 'pfm_10'],
    ['none once its version is published', [ANNOUNCED], [FIRST, version('10', '10', 'b')], null, null],
    ['none behind published levels', [ANNOUNCED], [FIRST], day('10'), null],
    ['one after the last level', [ANNOUNCED], [FIRST], day('09'), 'pfm_10'],
    ['none of a governed index', [{ ...ANNOUNCED, is_governed: true }], [FIRST], null, null],
  ])('is awaited: %s', (_name, announced, versions, last_tick, awaited) => {
    expect(awaitedComposition(announced, versions, last_tick)?.pro_forma_id ?? null).toBe(awaited)
  })
})

test('compositions are equal by definition and weights, in any order of the weights', () => {
  const of = (definition: unknown, ...weights: readonly [string, string][]) =>
    compositionText(
      definition,
      weights.map(([constituent_id, target_weight]) => ({ constituent_id, target_weight })),
    )
  const text = of({ version: '1' }, ['con_a', '0.4'], ['con_b', '0.6'])
  expect(of({ version: '1' }, ['con_b', '0.6'], ['con_a', '0.4'])).toBe(text)
  expect(of({ version: '1' }, ['con_b', '0.4'], ['con_a', '0.6'])).not.toBe(text)
  expect(of({ version: '2' }, ['con_a', '0.4'], ['con_b', '0.6'])).not.toBe(text)
})
