import { type Instant, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/** One level as it was known at one instant. */
type LevelAnswer = {
  readonly as_of: Instant
  readonly level: string | null
  readonly quality_state: string
  readonly revision: number
  readonly correction_reason: string | null
}

/** One question, asked as of three instants: before a correction, after it, and before it once more. */
export type ComparedLevel = {
  readonly index_id: string
  readonly tick_at: Instant
  readonly answers: readonly LevelAnswer[]
}

type Published = Omit<LevelAnswer, 'as_of'> & { readonly published_at: Instant }

/**
 * The level of a corrected tick as of its first publication, as of its correction, and as of its first publication once
 * more: the third answer equals the first. Null where the tick has not been corrected.
 * @param known_at an instant before the correction at which the first level was known
 */
export async function compareLevels(
  warehouse: Warehouse,
  tick: { readonly index_id: string; readonly tick_at: Instant; readonly known_at: Instant },
): Promise<ComparedLevel | null> {
  const { index_id, tick_at, known_at } = tick
  const corrected = await askLevel(warehouse, index_id, tick_at, null)
  if (corrected === null || corrected.correction_reason === null) return null
  const answers: LevelAnswer[] = []
  for (const as_of of [known_at, corrected.published_at, known_at]) {
    const { published_at: _, ...known } = (await askLevel(warehouse, index_id, tick_at, as_of))!
    answers.push({ as_of, ...known })
  }
  return { index_id, tick_at, answers }
}

async function askLevel(
  warehouse: Warehouse,
  index_id: string,
  tick_at: Instant,
  as_of: Instant | null,
): Promise<Published | null> {
  const session = await openReadSession(warehouse, {
    as_of: as_of === null ? null : toMicros(as_of),
    tables: ['index_observation'],
  })
  try {
    const [row] = await session.query(readSql(import.meta.url, 'sql/level_of_tick.sql'), { index_id, tick_at })
    return row === undefined ? null : (row as unknown as Published)
  } finally {
    await session.close()
  }
}
