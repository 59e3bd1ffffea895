import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyDefinitions } from '../../../operations/index/apply-definitions.ts'
import { computeIndexes } from '../../../operations/index/compute-indexes.ts'
import { correctIndex } from '../../../operations/index/correct-index.ts'
import { publishMarks } from '../../../operations/marks/publish-marks.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { onceInRun } from '../../support/run/once-in-run.ts'
import { END, type HarborCommit, harborCommits, lateRows, START } from './harbor-rows.ts'

/**
 * A small world with one of everything: two linked versions, pooled legs, one outcome of three, a complement, carried marks, a
 * fixing with corrected and voided trades, a roll whose schedule moves, a settled market, and (by `addLateData`) a correction.
 */
export const HARBOR_RANGE = { from: formatMicros(START), to: formatMicros(END) } as const
export const HARBOR_INDEXES = ['idx_harbor', 'idx_pier'] as const

/** Makes the warehouse in `folder`, a copy of one that is built once in a run, and returns its folder. */
export async function harborWarehouse(folder: string): Promise<string> {
  const root = join(folder, 'warehouse')
  cpSync(await onceInRun('harbor', buildHarbor), root, { recursive: true })
  return root
}

async function buildHarbor(folder: string): Promise<string> {
  const root = join(folder, 'warehouse')
  const warehouse = await openWarehouse({ root, create: true })
  await fillHarbor(warehouse, folder).finally(() => warehouse.close())
  return root
}

/** Writes it under the recorded clock; its definition files are put into `folder`. */
export async function fillHarbor(warehouse: Warehouse, folder: string, commits = harborCommits()): Promise<void> {
  for (const [place, commit] of commits.entries()) await append(warehouse, commit, place, 'recorded')
  await applyDefinitions({ files: definitions(folder), clock: 'recorded', warehouse })
  await computeIndexes({ index_ids: HARBOR_INDEXES, ...HARBOR_RANGE, clock: 'recorded', warehouse })
  await publishMarks({ ...HARBOR_RANGE, interval: 'PT1H', clock: 'recorded', warehouse })
}

/** Adds records that arrived too late, and the corrections that they cause. */
export async function addLateData(warehouse: Warehouse): Promise<void> {
  const now = await warehouse.now()
  for (const [place, commit] of lateRows(now).entries()) await append(warehouse, commit, 1_000_000 + place, 'wall')
  for (const index_id of HARBOR_INDEXES)
    await correctIndex({ index_id, from: null, to: null, reason: 'LATE_DATA', warehouse })
}

export async function append(
  warehouse: Warehouse,
  { table, rows, at }: HarborCommit,
  app_sequence: number,
  clock: 'wall' | 'recorded',
): Promise<void> {
  const stamp = clock === 'wall' ? ({ kind: 'wall' } as const) : ({ kind: 'recorded', at } as const)
  await warehouse.append(table, rows, { app_id: 'harbor', app_sequence, stamp, operation: 'TEST' })
}

function definitions(folder: string): string[] {
  mkdirSync(folder, { recursive: true })
  return Object.entries({ harbor: HARBOR, pier: PIER }).map(([name, definition]) => {
    const file = join(folder, `${name}.yaml`)
    writeFileSync(file, definition)
    return file
  })
}

const PARAMETERS =
  'admission.grace: PT1M, fresh.stale_after: PT1H, fresh.max_carry: PT4H, mark.book_max_age: PT1H, mark.t_recent: PT2H, mark.t_last: PT6H, quality.min_confidence: "0.30"'

const HARBOR = `
index: { index_id: idx_harbor, slug: harbor, symbol: HARBOR, name: Harbor, family: coast, base_value: "1000", base_date: 2026-02-01T00:00:00Z, tags: [linked] }
methodology: { methodology_id: mth_harbor, version: "1.0.0", name: Harbor, parameters: { mode: chain_linked, ${PARAMETERS} } }
versions:
  - version: "1"
    effective_from: 2026-02-01T00:00:00Z
    calculation_frequency: PT1H
    minimum_coverage_ratio: "0.60"
    constituents:
      - { constituent_id: con_a, venue_id: v, source_market_id: A, target_weight: "0.3" }
      - { constituent_id: con_b, venue_id: v, source_market_id: B, target_weight: "0.3", normalization: inverse }
      - { constituent_id: con_c, target_weight: "0.4", normalization: logodds_pool, legs: [{ venue_id: v, source_market_id: C, pool_weight: "0.6" }, { venue_id: w, source_market_id: C, pool_weight: "0.4" }] }
  - version: "2"
    effective_from: 2026-02-01T06:00:00Z
    calculation_frequency: PT1H
    minimum_coverage_ratio: "0.60"
    approved_by: committee
    change_summary: [adds the race]
    constituents:
      - { constituent_id: con_a, venue_id: v, source_market_id: A, target_weight: "0.2" }
      - { constituent_id: con_b, venue_id: v, source_market_id: B, target_weight: "0.3", normalization: inverse }
      - { constituent_id: con_c, target_weight: "0.3", normalization: logodds_pool, legs: [{ venue_id: v, source_market_id: C, pool_weight: "0.6" }, { venue_id: w, source_market_id: C, pool_weight: "0.4" }] }
      - { constituent_id: con_d, venue_id: v, source_market_id: D, outcome: X, target_weight: "0.2", normalization: multi_outcome_sum_to_one, outcomes: [X, Y, Z] }
`

const PIER = `
index: { index_id: idx_pier, slug: pier, symbol: PIER, name: Pier, family: pier, base_value: "100", base_date: 2026-02-01T00:00:00Z, tags: [gauge] }
methodology: { methodology_id: mth_pier, version: "1.0.0", name: Pier, parameters: { mode: gauge, ${PARAMETERS} } }
versions:
  - version: "1"
    effective_from: 2026-02-01T00:00:00Z
    calculation_frequency: PT1H
    minimum_coverage_ratio: "0.50"
    roll: { target_days: "30", stop_days: "3" }
    fixing: { at: "06:00", partitions: 3, partition: PT10M, minimum: 2, trim: 0 }
    constituents:
      - { constituent_id: con_f, venue_id: v, source_market_id: F, target_weight: "0.4" }
      - { constituent_id: con_r, target_weight: "0.3", normalization: constant_maturity, legs: [{ venue_id: v, source_market_id: R1 }, { venue_id: v, source_market_id: R2 }] }
      - { constituent_id: con_s, venue_id: v, source_market_id: S, target_weight: "0.3" }
`
