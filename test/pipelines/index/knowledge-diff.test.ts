import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyChanges,
  type KnownRecord,
  type KnownRecords,
  levelChange,
  recordChanges,
} from '../../../pipelines/index/knowledge-diff.ts'

const record = (id: string, value: string): KnownRecord => ({ id, value })
const known = (records: Readonly<Record<string, string>>): KnownRecords =>
  new Map(Object.entries(records).map(([id, value]) => [id, record(id, value)]))

test('a record is added, revised or removed, and an equal one is no change', () => {
  const changes = recordChanges('constituent', known({ a: '1', b: '1', c: '1' }), known({ b: '2', c: '1', d: '1' }))
  expect(changes.map(({ subject_id, change, changed_fields }) => [subject_id, change, changed_fields])).toEqual([
    ['a', 'removed', []],
    ['b', 'revised', ['value']],
    ['d', 'added', []],
  ])
  const applied = applyChanges(known({ a: '1', b: '1', c: '1' }), changes)
  expect(applied).toEqual(known({ b: '2', c: '1', d: '1' }))
})

const level = (revision: number, x: string): KnownRecord => ({
  tick_at: '2026-01-01T00:00:00Z',
  observation_id: `iob_${revision}`,
  level: x,
  inputs: [
    { constituent_id: 'con_a', normalized_value: x },
    { constituent_id: 'con_b', normalized_value: '0.5' },
  ],
})

test('a revised level names the inputs that caused it, and shows none in its records', () => {
  const change = levelChange(level(1, '0.4'), level(2, '0.6'))!
  expect(change).toMatchObject({ subject_id: '2026-01-01T00:00:00Z', change: 'revised' })
  expect(change.changed_fields).toEqual(['observation_id', 'level'])
  expect(change.changed_inputs).toEqual([
    {
      constituent_id: 'con_a',
      changed_fields: ['normalized_value'],
      before: { constituent_id: 'con_a', normalized_value: '0.4' },
      after: { constituent_id: 'con_a', normalized_value: '0.6' },
    },
  ])
  expect('inputs' in change.after!).toBe(false)
  expect(levelChange(null, level(1, '0.4'))).toMatchObject({ change: 'added', before: null, changed_inputs: [] })
  expect(levelChange(level(1, '0.4'), level(1, '0.4'))).toBeNull()
})

test('a constituent that entered or left a level is a changed input', () => {
  const [before, after] = [level(1, '0.4'), { ...level(2, '0.4'), inputs: [{ constituent_id: 'con_c' }] }]
  expect(
    levelChange(before, after)!.changed_inputs.map(({ constituent_id, before, after }) => [
      constituent_id,
      before !== null,
      after !== null,
    ]),
  ).toEqual([
    ['con_a', true, false],
    ['con_b', true, false],
    ['con_c', false, true],
  ])
})

const revision = fc.record({
  tick: fc.integer({ min: 0, max: 5 }),
  value: fc.integer({ min: 0, max: 2 }),
  at: fc.integer({ min: 0, max: 20 }),
})

/** The slow way: current(T) of every tick, from all revisions. */
function answerAt(rows: readonly { tick: number; value: number; at: number }[], as_of: number): KnownRecords {
  const answer = new Map<string, KnownRecord>()
  for (const [n, { tick, value, at }] of rows.entries()) if (at <= as_of) answer.set(`${tick}`, { tick, value, n })
  return answer
}

test('asked twice: the changes applied to the answer at the earlier instant are the answer at the later one', () => {
  fc.assert(
    fc.property(fc.array(revision, { maxLength: 20 }), fc.nat(20), fc.nat(20), (unsorted, one, two) => {
      const rows = [...unsorted].sort((a, b) => a.at - b.at)
      const [from, to] = [Math.min(one, two), Math.max(one, two)]
      const [before, after] = [answerAt(rows, from), answerAt(rows, to)]
      const changes = recordChanges('level', before, after)
      expect(new Map([...applyChanges(before, changes)].sort())).toEqual(new Map([...after].sort()))
      // The rule by which a service finds them: current records that were published in between.
      const published = [...after].filter(([, { n }]) => rows[n as number]!.at > from).map(([tick]) => tick)
      expect(changes.map(({ subject_id }) => subject_id)).toEqual(published.sort())
    }),
    { numRuns: 200 },
  )
})
