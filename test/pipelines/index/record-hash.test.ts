import { expect, test } from 'vitest'
import golden from '../../../datasets/golden/methodology-examples.json' with { type: 'json' }
import { recordHash, recordJson } from '../../../pipelines/index/record-hash.ts'

const { record } = golden.examples.E17.input
const FIELDS = Object.keys(record) as (keyof typeof record)[]

test('the hash covers exactly the seventeen fields', () => {
  expect(FIELDS).toHaveLength(17)
  expect(Object.keys(JSON.parse(recordJson(record)) as object)).toEqual([...FIELDS].sort())
  const stored = {
    ...record,
    published_at: '2026-11-21T00:01:03Z',
    row_ordinal: 4,
    record_hash: 'x',
    index_version: '1',
  }
  expect(recordHash(stored)).toBe(recordHash(record))
})

const CHANGED: { readonly [field: string]: unknown } = {
  revision: 2,
  input_observation_ids: ['obs_b1', 'obs_a1', 'obs_c1', 'obs_d0', 'obs_e1'],
  missing_constituent_ids: ['con_a'],
  supersedes_id: 'iob_demo_1',
  source_cutoff_at: null,
  calculated_at: '2026-11-21T00:01:02.000001Z',
  level: '39.61110',
}

test.each(FIELDS)('another %s is another hash', (field) => {
  const changed = { ...record, [field]: field in CHANGED ? CHANGED[field] : `${String(record[field])}x` }
  expect(recordHash(changed as typeof record)).not.toBe(recordHash(record))
})

test('a row may leave out what is null, and print an instant with an empty fraction', () => {
  const { supersedes_id: _, ...short } = record
  expect(recordHash(short)).toBe(recordHash(record))
  expect(recordHash({ ...record, calculated_at: '2026-11-21T00:01:02.000Z' })).toBe(recordHash(record))
})

test('a stale observation before the first level has nulls, not empty text', () => {
  const early = { ...record, level: null, source_cutoff_at: null, calculated_at: null }
  expect(recordJson(early)).toContain('"level":null')
  expect(recordJson(early)).toContain('"calculated_at":null')
})
