import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { consoleRoutes } from '../../../api/console/console-routes.ts'
import { type ServedApi, serveApi } from '../../../api/serve.ts'
import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { PATIENT_QUERIES } from '../../support/patient-queries.ts'

const SECOND: Micros = 1_000_000
const IDS = ['idx_one', 'idx_two'] as const
export type LiveIndexId = (typeof IDS)[number]

/** A warehouse of two indexes whose levels are written by hand, and the real service with its page before it. */
export type LiveWarehouse = {
  readonly root: string
  readonly api: ServedApi
  /** Publishes a level whose inputs end so many seconds ago. */
  publish(index_id: LiveIndexId, level: string, seconds_ago: number): Promise<void>
  close(): Promise<void>
}

export async function startLiveWarehouse(root: string): Promise<LiveWarehouse> {
  const warehouse = await openWarehouse({ root, create: true })
  await commit(warehouse, 'index_definition', IDS.map(definitionRow), 1)
  const api = await serveApi({
    warehouse_root: root,
    host: '127.0.0.1',
    port: 0,
    environment: 'test',
    rate_limits: 'off',
    extra: await consoleRoutes(),
    query_limits: PATIENT_QUERIES,
  })
  let count = 0
  return {
    root,
    api,
    async publish(index_id, level, seconds_ago) {
      count += 1
      const at = (await warehouse.now()) - seconds_ago * SECOND
      await commit(warehouse, 'index_observation', [levelRow(index_id, level, at, count)], count)
    },
    async close() {
      await api.close()
      await warehouse.close()
    },
  }
}

/** Changes a byte in the middle of the data file with the first level of an index; gives what repairs it. */
export async function damageFirstLevel({ root }: LiveWarehouse): Promise<{ file: string; repair(): Promise<void> }> {
  const names = await readdir(join(root, 'index_observation'), { recursive: true })
  const files = names.filter((name) => name.endsWith('.zstd.parquet'))
  if (files.length !== 1) throw new RangeError(`index_observation has ${files.length} data files, not the first alone`)
  const file = join('index_observation', files[0]!)
  const bytes = await readFile(join(root, file))
  const damaged = Buffer.from(bytes)
  damaged[bytes.length >> 1]! ^= 0xff
  await writeFile(join(root, file), damaged)
  return { file, repair: () => writeFile(join(root, file), bytes) }
}

async function commit(warehouse: Warehouse, table: 'index_definition' | 'index_observation', rows: Row[], n: number) {
  await warehouse.append(table, rows, { app_id: 'test', app_sequence: n, stamp: { kind: 'wall' }, operation: 'TEST' })
}

function definitionRow(index_id: LiveIndexId): Row {
  const name = index_id.slice('idx_'.length)
  return {
    index_id,
    revision: 1,
    slug: name,
    symbol: name.toUpperCase(),
    name: `Index ${name}`,
    status: 'active',
    unit: 'index_points',
    base_value: '1000.0000',
    base_date: '2026-01-01T00:00:00Z',
  }
}

function levelRow(index_id: LiveIndexId, level: string, at: Micros, n: number): Row {
  const instant = formatMicros(at)
  return {
    observation_id: `iob_${String(n).padStart(32, '0')}`,
    revision: 1,
    index_id,
    index_version_id: 'idv_test',
    methodology_id: 'mth_test',
    methodology_version: '1.0.0',
    tick_at: instant,
    level,
    unit: 'index_points',
    calculated_at: instant,
    source_cutoff_at: instant,
    quality_state: 'valid',
    coverage_ratio: '1.000000',
    confidence: '1.0000',
    link_factor: '1.000000000000',
    reason_codes: [],
    missing_constituent_ids: [],
    excluded_inputs: [],
    input_observation_ids: [],
    calculation_run_id: 'run_test',
    record_hash: 'a'.repeat(64),
    inputs: [],
  }
}
