import type { Instant } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'

/** One published record of a tick, without its inputs. */
export type PublishedLevel = {
  readonly observation_id: string
  readonly tick_at: Instant
  readonly revision: number
  readonly level: string | null
  readonly quality_state: string
  /** Q1..Q5 of methodology §12, also where quality_state is `corrected`. */
  readonly underlying_quality_state: string
  readonly correction_reason: string | null
  readonly published_at: Instant
}

/** Ticks of one index in [from, to). */
export type PublishedRange = { readonly index_id: string; readonly from: Instant; readonly to: Instant }

/**
 * Current levels of an index by tick, ascending, as a session shows them: what a replay is compared with. Empty where the
 * index is not published.
 */
export async function publishedLevels(
  session: ReadSession,
  range: PublishedRange,
): Promise<ReadonlyMap<Instant, PublishedLevel>> {
  const rows = await session.query(readSql(import.meta.url, 'sql/published_levels_of_index.sql'), range)
  return new Map(rows.map((row) => [String(row.tick_at), publishedLevel(row)]))
}

/** Every revision of the ticks that were published more than once, ascending by tick and revision. */
export async function publishedRevisions(
  session: ReadSession,
  range: PublishedRange,
): Promise<readonly PublishedLevel[]> {
  return (await session.query(readSql(import.meta.url, 'sql/revisions_of_index.sql'), range)).map(publishedLevel)
}

function publishedLevel(row: Row): PublishedLevel {
  return {
    observation_id: String(row.observation_id),
    tick_at: String(row.tick_at),
    revision: row.revision as number,
    level: (row.level ?? null) as string | null,
    quality_state: String(row.quality_state),
    underlying_quality_state: String(row.underlying_quality_state),
    correction_reason: (row.correction_reason ?? null) as string | null,
    published_at: String(row.published_at),
  }
}
