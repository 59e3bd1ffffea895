import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reasonsOfRecord, type StatedReasons } from '../../../pipelines/index/state-reasons.ts'
import { QUALITY_STATES } from '../../../vocabulary/index-level.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { minute, recordedAt } from './quotes.ts'

/** Records of this release and of earlier ones: each state with each set of reasons. */
const REASONS = [
  [],
  ['FROZEN'],
  ['OVERROUND:0.01'],
  ['ENGINE_MISMATCH:level', 'FROZEN'],
  ['VENUE_DISPERSION'],
  ['RESTATED'],
]
const records = QUALITY_STATES.flatMap((state) =>
  REASONS.flatMap((reason_codes) =>
    ['0.700000', '1.000000'].flatMap((coverage_ratio) =>
      [[], ['con_a']].map((missing_constituent_ids): Row & StatedReasons => ({
        quality_state: state,
        underlying_quality_state: state === 'corrected' ? 'valid' : state,
        correction_reason: state === 'corrected' ? 'RESTATED' : null,
        coverage_ratio,
        reason_codes,
        missing_constituent_ids,
      })),
    ),
  ),
)

test('SQL names the reasons of a state as the API does, in every record', async () => {
  const warehouse = await openWarehouse({ root: join(tempFolder(), 'warehouse'), create: true })
  const rows = records.map((record, n) => ({
    ...record,
    observation_id: `iob_${n}`,
    revision: 1,
    index_id: 'idx_a',
    index_version_id: 'idv_a',
    tick_at: minute(n),
    record_hash: 'none',
    inputs: [],
  }))
  const stamp = recordedAt(10_000)
  await warehouse.append('index_observation', rows, { app_id: 'test', app_sequence: 1, stamp, operation: 'TEST' })
  const session = await openReadSession(warehouse, { as_of: null })
  for (const view of ['index_observation', 'index_observation_history']) {
    const shown = await session.query(`select reason_codes from ${view} order by tick_at`)
    expect(shown.map(({ reason_codes }) => reason_codes)).toEqual(records.map(reasonsOfRecord))
  }
  await session.close()
  await warehouse.close()
})
