import { isGoverned } from '../../pipelines/governance/index-change.ts'
import type { IndexVersion } from '../../pipelines/index/version.ts'
import { versionRecord } from '../../pipelines/index/version-record.ts'
import { proFormaRecord } from '../../pipelines/selection/pro-forma.ts'
import { dueSteps, type RebalanceStep } from '../../pipelines/selection/schedule.ts'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Instant, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { refuseUngoverned } from '../governance/governed-home.ts'
import { readGovernance } from '../governance/read-governance.ts'
import { announcedVersion, readProFormas } from './read-pro-formas.ts'
import { loadSelectable, type SelectableIndex } from './select-index.ts'
import { selectRebalance } from './select-rebalance.ts'

/** Step of a rebalance that was done, or why it was not. */
export type RebalanceReport = {
  readonly index_id: string
  readonly step: RebalanceStep['step']
  readonly effective_from: Instant
  readonly outcome: 'done' | 'awaits_proposal' | 'refused'
  readonly message: string | null
}

/**
 * Announces and publishes what the schedules of indexes demand. It may run in several processes and be interrupted anywhere: each
 * composition is announced once and frozen, and each version is published once, with exactly what was announced. The version of a
 * governed index is published by its proposal.
 */
export async function runRebalances(warehouse: Warehouse, signal?: AbortSignal): Promise<readonly RebalanceReport[]> {
  const { state } = await readGovernance(warehouse)
  const reports: RebalanceReport[] = []
  for (const index_id of await scheduledIndexes(warehouse)) {
    signal?.throwIfAborted()
    const is_governed = isGoverned(state, index_id)
    const found = await loadSelectable(warehouse, index_id)
    const announced = await readProFormas(warehouse, { index_id, as_of: null })
    const instants = new Set(announced.map(({ effective_from }) => toMicros(effective_from)))
    const known = { newest: found.versions.at(-1)!.effective_from, announced: instants, is_governed }
    for (const due of dueSteps(found.base.rebalance!, known, await warehouse.now())) {
      const row = announced.find((one) => toMicros(one.effective_from) === due.effective_from) ?? null
      reports.push(await runStep(warehouse, found, { due, row, is_governed }))
    }
  }
  return reports
}

async function scheduledIndexes(warehouse: Warehouse): Promise<readonly string[]> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['index_version'] })
  try {
    const rows = await session.query(readSql(import.meta.url, 'sql/selected_indexes.sql'))
    return rows.map(({ index_id }) => String(index_id))
  } finally {
    await session.close()
  }
}

type Step = { readonly due: RebalanceStep; readonly row: Row | null; readonly is_governed: boolean }

/** A step that cannot be done is reported; it ends no other index's. */
async function runStep(warehouse: Warehouse, found: SelectableIndex, step: Step): Promise<RebalanceReport> {
  const { due, row, is_governed } = step
  const { index_id } = found.index
  const report = { index_id, step: due.step, effective_from: formatMicros(due.effective_from) }
  if (due.step === 'publish' && is_governed)
    return {
      ...report,
      outcome: 'awaits_proposal',
      message: 'the version of a governed index is published by its proposal',
    }
  try {
    if (due.step === 'announce') await announce(warehouse, found, step)
    else await publishVersion(warehouse, found, row!)
    return { ...report, outcome: 'done', message: null }
  } catch (error) {
    if (isServiceError(error)) return { ...report, outcome: 'refused', message: error.message }
    throw error
  }
}

async function announce(warehouse: Warehouse, found: SelectableIndex, { due, is_governed }: Step): Promise<void> {
  const selected = await selectRebalance(warehouse, found.base, found.index, due.effective_from)
  const base_version_id = found.base.version.index_version_id
  const row = proFormaRecord({ ...selected, is_governed, base_version_id })
  const step = { app_id: `ANNOUNCE/${row.pro_forma_id}`, app_sequence: 1, stamp: { kind: 'wall' } } as const
  await warehouse.append('index_pro_forma', [row], { ...step, operation: 'ANNOUNCE_REBALANCE' })
}

async function publishVersion(warehouse: Warehouse, { index, base }: SelectableIndex, row: Row): Promise<void> {
  const announced = announcedVersion(index, base.version.methodology, row)
  await refuseUngoverned(warehouse, [{ index_id: index.index_id, is_published: true, is_invented: false }])
  await refuseOvertaken(warehouse, announced.defined.version)
  const version = versionRecord(announced.defined, base.version.index_version_id, announced.ratings)
  const step = { app_id: `PUBLISH/${String(row.pro_forma_id)}`, app_sequence: 1, stamp: { kind: 'wall' } } as const
  await warehouse.append('index_version', [version], { ...step, operation: 'PUBLISH_REBALANCE' })
}

/** Refuses a version that begins before published levels. @throws {ServiceError} VALIDATION_VERSION_OVERLAP */
async function refuseOvertaken(warehouse: Warehouse, { index_id, version, effective_from }: IndexVersion) {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['index_observation'] })
  try {
    const [row] = await session.query(readSql(import.meta.url, '../index/sql/last_tick_of_index.sql'), { index_id })
    if (typeof row?.tick_at !== 'string' || toMicros(row.tick_at) < effective_from) return
    throw new ServiceError(
      'VALIDATION_VERSION_OVERLAP',
      `version ${version} of ${index_id} takes effect at ${formatMicros(effective_from)}; allowed: an instant after the last published level's tick (${row.tick_at})`,
    )
  } finally {
    await session.close()
  }
}
