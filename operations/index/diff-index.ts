import type { IndexDescription, IndexSpec } from '../../pipelines/index/version.ts'
import { type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { loadIndex } from './load-index.ts'
import { loadPublished, type PublishedTick } from './load-published.ts'

/** One side of a comparison at a tick. */
type DiffSide = {
  readonly observation_id: string
  readonly revision: number
  readonly level: string | null
  readonly quality_state: string
  readonly correction_reason: string | null
}

type IndexChange = {
  readonly tick_at: Instant
  /** became_known: no record before; superseded: another record is current; state_changed: superseded, same level, other state. */
  readonly change: 'became_known' | 'superseded' | 'state_changed'
  readonly before: DiffSide | null
  readonly after: DiffSide
}

/** A tick's current record at each of the two instants. */
export type KnownTick = {
  readonly tick_at: Instant
  readonly before: DiffSide | null
  readonly after: DiffSide
  /** null: the same record. */
  readonly change: IndexChange['change'] | null
}

export type KnowledgeRequest = {
  readonly index_id: string
  readonly as_of: Instant
  readonly with: Instant
  readonly warehouse: Warehouse
}

/** An index as known at two instants. */
export type KnowledgeDiff = {
  readonly index: IndexDescription
  readonly spec: IndexSpec
  readonly earlier: Micros
  readonly later: Micros
  /** Every tick known at the later instant, ascending. */
  readonly ticks: readonly KnownTick[]
  /** Those whose record is another one. */
  readonly changes: readonly IndexChange[]
}

/** Tables that the published levels of an index are read from. */
export const LEVEL_TABLES: readonly TableName[] = [
  'methodology',
  'index_definition',
  'index_version',
  'index_observation',
]

/**
 * Compares the current levels of an index as known at two instants, in whichever order they are given.
 * @throws {ServiceError} INDEX_NOT_FOUND, VALIDATION_AS_OF_IN_FUTURE
 */
export async function diffIndex(request: KnowledgeRequest): Promise<KnowledgeDiff> {
  const instants = [toMicros(request.as_of, 'as_of'), toMicros(request.with, 'with')]
  const [earlier, later] = instants.sort((a, b) => a - b) as [Micros, Micros]
  const before = await publishedAsOf(request, earlier, false)
  const { index, published } = await publishedAsOf(request, later, true)
  const ticks = [...published].map(([tick, row]) => knownTick(before.published.get(tick), row))
  return { index: index!.index, spec: index!.spec, earlier, later, ticks, changes: changesOf(ticks) }
}

function changesOf(ticks: readonly KnownTick[]): readonly IndexChange[] {
  return ticks.flatMap(({ tick_at, before, after, change }) =>
    change === null ? [] : [{ tick_at, change, before, after }],
  )
}

async function publishedAsOf({ warehouse, index_id }: KnowledgeRequest, as_of: Micros, required: boolean) {
  const session = await openReadSession(warehouse, { as_of, tables: LEVEL_TABLES })
  try {
    const index = required ? await loadIndex(session, index_id) : null
    return { index, published: await loadPublished(session, index_id) }
  } finally {
    await session.close()
  }
}

function knownTick(before: PublishedTick | undefined, after: PublishedTick): KnownTick {
  const left = before === undefined ? null : side(before)
  const right = side(after)
  return { tick_at: String(after.row.tick_at), before: left, after: right, change: changeOf(left, right) }
}

function changeOf(before: DiffSide | null, after: DiffSide): IndexChange['change'] | null {
  if (before === null) return 'became_known'
  if (before.observation_id === after.observation_id) return null
  const same_level = before.level === after.level && before.quality_state !== after.quality_state
  return same_level ? 'state_changed' : 'superseded'
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
