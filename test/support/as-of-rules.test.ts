import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currentRows, historyOrder, knownRows, latestLevel, type PublishedLevel } from './as-of-rules.ts'

const row = (observation_id: string, tick_at: number, revision: number, published_at: number, rest = {}) => ({
  observation_id,
  index_id: 'idx_demo',
  tick_at,
  revision,
  published_at,
  row_ordinal: 0,
  ...rest,
})

describe('what was known', () => {
  const rows = [row('o1', 10, 1, 11), row('o2', 20, 1, 21)]

  test('an instant is inclusive: the row published at T is known at T', () => {
    expect(latestLevel(rows, 10)).toBeNull()
    expect(latestLevel(rows, 11)?.observation_id).toBe('o1')
    expect(latestLevel(rows, 21)?.observation_id).toBe('o2')
  })

  test('of one chain the greatest revision is current, then the later commit, then the later place in it', () => {
    const chain = [
      row('a', 10, 1, 11),
      row('b', 10, 2, 12),
      row('c', 10, 2, 13),
      row('d', 10, 2, 13, { row_ordinal: 1 }),
    ]
    expect(currentRows(chain, 99).map((r) => r.observation_id)).toEqual(['d'])
    expect(currentRows(chain, 12).map((r) => r.observation_id)).toEqual(['b'])
  })

  test('chains of two indexes never mix', () => {
    const both = [row('a', 10, 1, 11), row('b', 10, 2, 12, { index_id: 'idx_other' })]
    expect(currentRows(both, 99)).toHaveLength(2)
  })
})

test('history is in order of publication, ties by id', () => {
  const rows = [row('o3', 1, 1, 5), row('o1', 9, 1, 5), row('o2', 3, 1, 4)]
  expect([...rows].sort(historyOrder).map((r) => r.observation_id)).toEqual(['o2', 'o1', 'o3'])
})

/** A log: commits in strictly increasing time, each a few rows; revisions of a chain count up. */
const log: fc.Arbitrary<PublishedLevel[]> = fc
  .array(fc.array(fc.nat(6), { minLength: 1, maxLength: 3 }), { maxLength: 12 })
  .map((commits) => {
    const revisions = new Map<number, number>()
    return commits.flatMap((ticks, commit) =>
      [...new Set(ticks)].map((tick, row_ordinal) => {
        const revision = (revisions.get(tick) ?? 0) + 1
        revisions.set(tick, revision)
        return row(`o${commit}_${row_ordinal}`, tick, revision, commit * 10, { row_ordinal })
      }),
    )
  })

test('a later publication never changes what was known before it', () => {
  fc.assert(
    fc.property(log, fc.nat(130), (rows, as_of) => {
      const before = rows.filter((r) => r.published_at <= as_of)
      expect(currentRows(rows, as_of)).toEqual(currentRows(before, as_of))
      expect(latestLevel(rows, as_of)).toEqual(latestLevel(before, as_of))
    }),
  )
})

test('the answer does not depend on the order in which rows are read', () => {
  const shuffled = log.chain((rows) =>
    fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
  )
  fc.assert(
    fc.property(shuffled, fc.nat(130), ([rows, other], as_of) => {
      expect(currentRows(other, as_of)).toEqual(currentRows(rows, as_of))
    }),
  )
})

test('one row per chain that is known, and it is the last one of that chain', () => {
  fc.assert(
    fc.property(log, fc.nat(130), (rows, as_of) => {
      const current = currentRows(rows, as_of)
      const known = knownRows(rows, as_of)
      expect(current.map((r) => r.tick_at)).toEqual([...new Set(known.map((r) => r.tick_at))].sort((a, b) => a - b))
      for (const head of current)
        expect(known.filter((r) => r.tick_at === head.tick_at).every((r) => r.revision <= head.revision)).toBe(true)
    }),
  )
})
