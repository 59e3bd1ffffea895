import { createLevelSequence, type LevelGaps } from '../../pipelines/index/level-sequence.ts'
import type { BuiltObservation } from '../../pipelines/index/observation.ts'
import { type VerifyFailure, type VerifyReport, verifyObservation, verifyReport } from '../../pipelines/index/verify.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { unapprovedRevisions } from '../governance/audit-restatements.ts'
import { unapprovedVersions } from '../governance/unapproved-versions.ts'
import { loadIndex } from './load-index.ts'
import { loadVerificationRecords } from './verification-records.ts'

/** Exactly these observations, or every revision of one index, or (neither given) of all. */
export type VerifyRequest = {
  readonly observation_ids?: readonly string[] | undefined
  readonly index_id?: string | undefined
  readonly warehouse: Warehouse
  readonly signal?: AbortSignal | undefined
}

/**
 * Recomputes published observations from public records only, each to the last digit.
 * @throws {ServiceError} OBSERVATION_NOT_FOUND: one that is named, or there is no level at all; INDEX_NOT_FOUND
 */
export async function verifyObservations(request: VerifyRequest): Promise<VerifyReport> {
  const session = await openReadSession(request.warehouse, { as_of: null })
  try {
    const failures: VerifyFailure[] = []
    const gaps: LevelGaps[] = []
    let checked = 0
    for (const [index_id, wanted] of await targets(session, request)) {
      const outcome = await verifyIndex(session, index_id, wanted, request.signal)
      checked += outcome.checked
      failures.push(...outcome.failures)
      if (outcome.gaps !== null) gaps.push(outcome.gaps)
    }
    return verifyReport({ checked, failures, gaps }, request.index_id)
  } finally {
    await session.close()
  }
}

/** Index ids with the observations wanted of each; null = all. */
async function targets(
  session: ReadSession,
  { observation_ids, index_id }: VerifyRequest,
): Promise<ReadonlyMap<string, readonly string[] | null>> {
  if (observation_ids === undefined) {
    const ids =
      index_id === undefined
        ? (await session.query(readSql(import.meta.url, 'sql/index_ids.sql'))).map((row) => String(row.index_id))
        : [index_id]
    return new Map(ids.map((id) => [id, null]))
  }
  const found = new Map<string, string[]>()
  for (const observation_id of observation_ids) {
    const [row] = await session.query(readSql(import.meta.url, 'sql/index_of_observation.sql'), { observation_id })
    if (row === undefined)
      throw new ServiceError('OBSERVATION_NOT_FOUND', `observation ${observation_id} does not exist`, {
        observation_id,
      })
    found.set(String(row.index_id), [...(found.get(String(row.index_id)) ?? []), observation_id])
  }
  return found
}

async function verifyIndex(
  session: ReadSession,
  index_id: string,
  wanted: readonly string[] | null,
  signal?: AbortSignal,
): Promise<{ checked: number; failures: VerifyFailure[]; gaps: LevelGaps | null }> {
  const { spec, inactive } = await loadIndex(session, index_id)
  const recordsFor = await loadVerificationRecords(session, spec)
  const versions = new Map(spec.versions.map((version) => [version.index_version_id as string, version]))
  const rows = await session.query(readSql(import.meta.url, 'sql/observation_history_of_index.sql'), { index_id })
  const chosen = wanted === null ? rows : rows.filter((row) => wanted.includes(String(row.observation_id)))
  const unapproved = await unapprovedVersions(session, index_id)
  const unapproved_late = await unapprovedRevisions(session, spec)
  const failures = chosen.flatMap((row) => {
    signal?.throwIfAborted()
    const fault = unapproved.get(String(row.index_version_id))
    if (fault !== undefined) return [{ observation_id: String(row.observation_id), ...governanceMismatch(fault) }]
    const late = unapproved_late.get(String(row.observation_id))
    if (late !== undefined) return [{ observation_id: String(row.observation_id), ...lateMismatch(late) }]
    const version = versions.get(String(row.index_version_id))!
    const mismatch = verifyObservation(row as unknown as BuiltObservation, version, recordsFor(version, row, rows))
    return mismatch === null ? [] : [{ observation_id: String(row.observation_id), ...mismatch }]
  })
  const sequence = createLevelSequence()
  for (const row of wanted === null ? rows : []) sequence.add(row as unknown as BuiltObservation)
  return { checked: chosen.length, failures, gaps: sequence.gaps(index_id, spec.versions, inactive) }
}

function governanceMismatch(actual: string) {
  return { step: 'governance', expected: 'a version that was approved and announced before it began', actual }
}

function lateMismatch(actual: string) {
  return { step: 'governance', expected: 'a late revision that was approved with this value', actual }
}
