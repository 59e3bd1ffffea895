import { expect, test } from 'vitest'
import { statementsOf } from '../../../warehouse/reader/history/field-chains.ts'
import type { Row } from '../../../warehouse/schema.ts'

const record = (revision: number, changes: Row = {}): Row => ({
  observation_id: `mrk_${revision}.mark`,
  revision,
  supersedes_id: revision === 1 ? null : `mrk_${revision - 1}.mark`,
  correction_reason: revision === 1 ? null : 'LATE_DATA',
  value: '1.000000',
  derivation_rule: null,
  source_observation_ids: ['res_1.payout'],
  quality_state: 'valid',
  source_at: '2026-01-01T00:00:00Z',
  ...changes,
})

const numbers = (chain: readonly Row[]) =>
  statementsOf(chain).map(({ observation_id, revision, supersedes_id }) => [observation_id, revision, supersedes_id])

test('a row that left a value as it was is no revision of it', () => {
  expect(numbers([record(1), record(2), record(3)])).toEqual([['mrk_1.mark', 1, null]])
})

test('a changed value supersedes the record that stated the one before', () => {
  const chain = [record(1), record(2), record(3, { value: '0.000000' }), record(4, { value: '0.000000' }), record(5)]
  expect(numbers(chain)).toEqual([
    ['mrk_1.mark', 1, null],
    ['mrk_3.mark', 2, 'mrk_1.mark'],
    ['mrk_5.mark', 3, 'mrk_3.mark'],
  ])
})

test('other sources, another rule and another label are changes, a later receipt is none', () => {
  const changes: Row[] = [{ derivation_rule: 'M1' }, { source_observation_ids: [] }, { quality_state: 'stale' }]
  for (const change of changes) expect(statementsOf([record(1), record(2, change)])).toHaveLength(2)
  expect(statementsOf([record(1), record(2, { received_at: '2026-01-01T00:01:00Z' })])).toHaveLength(1)
})
