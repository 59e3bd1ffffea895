import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'

export const INDEX_ID = 'idx_bench'
const ID_DIGITS = 32

/** Warehouse with one index, open for writing its levels. */
export async function oneIndex(root: string): Promise<Warehouse> {
  const warehouse = await openWarehouse({ root, create: true })
  const definition: Row = {
    index_id: INDEX_ID,
    revision: 1,
    slug: 'bench',
    symbol: 'BENCH',
    name: 'Bench',
    status: 'active',
    unit: 'index_points',
    base_value: '1000.0000',
    base_date: '2026-01-01T00:00:00Z',
  }
  await warehouse.append('index_definition', [definition], {
    app_id: 'bench',
    app_sequence: 1,
    stamp: { kind: 'wall' },
    operation: 'BENCH',
  })
  return warehouse
}

/** Commits the level of tick `n`, calculated now. */
export async function appendLevel(warehouse: Warehouse, n: number, now: Micros): Promise<void> {
  const at = formatMicros(now)
  const id = (prefix: string) => `${prefix}_${String(n).padStart(ID_DIGITS, '0')}`
  const level: Row = {
    observation_id: id('iob'),
    revision: 1,
    index_id: INDEX_ID,
    index_version_id: 'idv_bench_1',
    index_version: '1',
    methodology_id: 'mth_bench',
    methodology_version: '1.0.0',
    tick_at: formatMicros(now - (now % 1000) + n),
    level: `${1000 + (n % 500)}.2500`,
    unit: 'index_points',
    calculated_at: at,
    source_cutoff_at: at,
    quality_state: 'valid',
    underlying_quality_state: 'valid',
    coverage_ratio: '1.000000',
    confidence: '0.9000',
    link_factor: '1.000000000000',
    reason_codes: [],
    missing_constituent_ids: [],
    excluded_inputs: [],
    input_observation_ids: [id('obs')],
    calculation_run_id: id('run'),
    record_hash: `sha256:${'0'.repeat(64)}`,
    inputs: [],
  }
  await warehouse.append('index_observation', [level], {
    app_id: 'bench',
    app_sequence: n + 1,
    stamp: { kind: 'wall' },
    operation: 'BENCH',
  })
}
