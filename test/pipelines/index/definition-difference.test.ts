import { describe, expect, test } from 'vitest'
import { decodeDefinition } from '../../../pipelines/index/definition.ts'
import { compositionDifferences, settingDifferences } from '../../../pipelines/index/definition-difference.ts'
import { levelDifference } from '../../../pipelines/index/level-difference.ts'
import { compositionRows } from '../../../report/composition-rows.ts'
import { definitionFile } from '../../support/index-world.ts'

const versions = (...args: Parameters<typeof definitionFile>) =>
  decodeDefinition(definitionFile(...args)).versions.map(({ version }) => version)
const half = [
  { constituent_id: 'con_a', target_weight: '0.5' },
  { constituent_id: 'con_b', target_weight: '0.5' },
]

describe('what two definitions say differently', () => {
  test('nothing where they are the same', () => {
    expect(settingDifferences(versions(half), versions(half))).toEqual([])
    expect(compositionDifferences(versions(half), versions(half))).toEqual([])
  })

  test('each rule that differs by name, with the hash of the methodology', () => {
    const after = versions(half, { parameters: { 'outlier.k': '7' }, version: { minimum_coverage_ratio: '0.9' } })
    const found = settingDifferences(versions(half), after)
    expect(found.map(({ name }) => name)).toEqual(['content_hash', 'minimum_coverage_ratio', 'outlier.k'])
    expect(found.slice(1)).toEqual([
      { name: 'minimum_coverage_ratio', before: '0.800000', after: '0.900000' },
      { name: 'outlier.k', before: '5', after: '7' },
    ])
  })

  test('a parameter that is off is null, not zero', () => {
    const after = versions(half, { parameters: { 'cap.single': '0.5' } })
    expect(settingDifferences(versions(half), after)).toContainEqual({ name: 'cap.single', before: null, after: '0.5' })
  })

  test('weights version by version, who joined, and another reading of the same constituent', () => {
    const rest = {
      versions: [
        {
          version: '2',
          effective_from: '2026-11-22T00:00:00Z',
          constituents: [
            { constituent_id: 'con_a', venue_id: 'test', source_market_id: 'con_a', target_weight: '0.7' },
            { constituent_id: 'con_c', venue_id: 'test', source_market_id: 'con_c', target_weight: '0.3' },
          ],
        },
      ],
    }
    const inverted = [half[0]!, { ...half[1]!, normalization: 'inverse' as const }]
    expect(compositionDifferences(versions(half), versions(inverted, rest))).toEqual([
      {
        constituent_id: 'con_a',
        before: '0.5000000000',
        after: '0.5000000000, then 0.7000000000',
        reading_changed: false,
        terms: [],
      },
      {
        constituent_id: 'con_b',
        before: '0.5000000000',
        after: '0.5000000000',
        reading_changed: true,
        terms: [{ name: 'normalization', before: 'probability_0_1', after: 'inverse' }],
      },
      { constituent_id: 'con_c', before: null, after: '0.3000000000', reading_changed: false, terms: [] },
    ])
  })

  test('another pool weight, by the leg that has it', () => {
    const pool = (pool_weight: string) =>
      versions([
        {
          ...{ constituent_id: 'con_a', target_weight: '1', normalization: 'logodds_pool' },
          legs: [
            { venue_id: 'one', source_market_id: 'm', pool_weight },
            { venue_id: 'two', source_market_id: 'm', expected_resolution_at: '2027-01-01T00:00:00Z' },
          ],
        },
      ])
    const [found] = compositionDifferences(pool('1'), pool('2'))
    expect(found).toMatchObject({ before: found!.after, reading_changed: true })
    expect(found!.terms).toEqual([
      {
        name: 'legs',
        before: 'one//m/YES x 1, two//m/YES x 1 until 2027-01-01T00:00:00Z',
        after: 'one//m/YES x 2, two//m/YES x 1 until 2027-01-01T00:00:00Z',
      },
    ])
    expect(compositionRows([found!])).toEqual([['con_a', 'leg one//m/YES', 'x 1', 'x 2']])
  })
})

test('a difference is exact, and null where a level is missing', () => {
  expect(levelDifference('99.9999', '100.0000')).toBe('0.0001')
  expect(levelDifference('100.0000', '99.9999')).toBe('-0.0001')
  expect(levelDifference('100.0000', '100.0000')).toBe('0.0000')
  expect(levelDifference(null, '100.0000')).toBe(null)
})
