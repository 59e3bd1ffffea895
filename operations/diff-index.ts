import { type Instant, type Micros, toMicros } from '../primitives/instants.ts'
import { openReadSession } from '../warehouse/read/session.ts'
import type { TableName } from '../warehouse/tables.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { loadIndex } from './index/load-index.ts'
import { loadPublished, type PublishedTick } from './index/load-published.ts'

/** What one side of a comparison shows for a tick. */
export type DiffSide = {
  readonly observation_id: string
  readonly revision: number
  readonly level: string | null
  readonly quality_state: string
  readonly correction_reason: string | null
}

export type IndexChange = {
  readonly tick_at: Instant
  /** became_known: no record before; superseded: another record is current; state_changed: superseded, same level, other state. */
  readonly change: 'became_known' | 'superseded' | 'state_changed'
  readonly before: DiffSide | null
  readonly after: DiffSide
}

const TABLES: readonly TableName[] = ['methodology', 'index_definition', 'index_version', 'index_observation']

/**
 * What the answer to "all current levels of this index" gained between two instants of knowledge.
 * @throws {ServiceError} INDEX_NOT_FOUND, VALIDATION_AS_OF_IN_FUTURE
 */
export async function diffIndex(request: { index_id: string; as_of: Instant; with: Instant; warehouse: Warehouse }) {
  const [earlier, later] = [toMicros(request.as_of, 'as_of'), toMicros(request.with, 'with')].sort((a, b) => a - b) as [
    Micros,
    Micros,
  ]
  const before = await publishedAsOf(request.warehouse, request.index_id, earlier, false)
  const after = await publishedAsOf(request.warehouse, request.index_id, later, true)
  const changes = [...after].flatMap(([tick, row]) => changeOf(before.get(tick), row) ?? [])
  return { index_id: request.index_id, as_of: request.as_of, with: request.with, changes }
}

async function publishedAsOf(
  warehouse: Warehouse,
  index_id: string,
  as_of: Micros,
  required: boolean,
): Promise<ReadonlyMap<Micros, PublishedTick>> {
  const session = await openReadSession(warehouse, { as_of, tables: TABLES })
  try {
    if (required) await loadIndex(session, index_id)
    return await loadPublished(session, index_id)
  } finally {
    await session.close()
  }
}

function changeOf(before: PublishedTick | undefined, after: PublishedTick): IndexChange | null {
  if (before?.observation_id === after.observation_id) return null
  const left = before === undefined ? null : side(before)
  const right = side(after)
  const same_level = left !== null && left.level === right.level && left.quality_state !== right.quality_state
  const change = left === null ? 'became_known' : same_level ? 'state_changed' : 'superseded'
  return { tick_at: String(after.row.tick_at), change, before: left, after: right }
}

function side({ row, observation_id, revision }: PublishedTick): DiffSide {
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  return {
    observation_id,
    revision,
    level: text(row.level),
    quality_state: String(row.quality_state),
    correction_reason: text(row.correction_reason),
  }
}
