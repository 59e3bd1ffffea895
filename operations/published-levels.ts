import { type Instant, toMicros } from '../primitives/instants.ts'
import { statement } from '../warehouse/queries/statements.ts'
import { openReadSession } from '../warehouse/read/session.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { readDefinition } from './apply-definitions.ts'
import { isDefinitionFile } from './replay-index.ts'

/** The official level of one tick. */
export type PublishedLevel = {
  readonly tick_at: Instant
  readonly level: string | null
  readonly quality_state: string
}

/**
 * Official levels of the index that a replay target names, in [from, to) and as known at as_of (null: now): what a replay is
 * compared with. Empty where the index is not published.
 * @param request.target  a definition file or INDEX[@VERSION]
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_DEFINITION_INVALID for a file
 */
export async function publishedLevels(request: {
  readonly target: string
  readonly from: Instant
  readonly to: Instant
  readonly as_of: Instant | null
  readonly warehouse: Warehouse
}): Promise<readonly PublishedLevel[]> {
  const { target, from, to, warehouse } = request
  const index_id = isDefinitionFile(target) ? (await readDefinition(target)).index.index_id : target.split('@')[0]!
  const as_of = request.as_of === null ? null : toMicros(request.as_of, 'as_of')
  const session = await openReadSession(warehouse, { as_of, tables: ['index_observation'] })
  try {
    const rows = await session.query(statement('observations_of_index'), { index_id, from, to })
    return rows.map((row) => ({
      tick_at: String(row.tick_at),
      level: (row.level ?? null) as string | null,
      quality_state: String(row.quality_state),
    }))
  } finally {
    await session.close()
  }
}
