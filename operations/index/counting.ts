import type { IndexSpec } from '../../pipelines/index/version.ts'
import { type Instant, MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'

/**
 * Rule by which records count from their publication on, whenever they were received: true: all, as the recorded clock demands; an
 * instant: all until then; false: only those that were published live. Every other record counts from its receipt.
 */
export type KnownAtTick = boolean | Instant

/** Parameters of counted_from.sql. */
export type CountingParameters = { readonly publication_until: Instant; readonly live_within_us: Micros }

/** A record published within this time of its receipt was published live, and counted from then on (docs/archives.md, "Admission"). */
const LIVE_WITHIN: Micros = 60 * MICROS_PER_SECOND

/** Returns the parameters by which records count. */
export function countingParameters(known_at_tick: KnownAtTick): CountingParameters {
  const until = typeof known_at_tick === 'string' ? known_at_tick : known_at_tick ? ALWAYS : NEVER
  return { publication_until: until, live_within_us: LIVE_WITHIN }
}

const ALWAYS: Instant = '2199-12-31T00:00:00Z'
const NEVER: Instant = '1700-01-01T00:00:00Z'

/** Returns the expression of counted_from.sql, for the slot of the texts that read records. */
export function countedFrom(): string {
  return readSql(import.meta.url, 'sql/counted_from.sql')
}

/**
 * Returns how the records of an index count in every computation of its past: until it left the recorded clock all of them from their
 * publication on (methodology §3).
 */
export async function countingOf(session: ReadSession, { index_id, versions }: IndexSpec): Promise<KnownAtTick> {
  const [row] = await session.query(readSql(import.meta.url, 'sql/recorded_until.sql'), {
    index_id,
    version_ids: versions.map(({ index_version_id }) => index_version_id),
    graces: versions.map(({ methodology }) => String(methodology.parameters.grace)),
  })
  return typeof row?.recorded_until === 'string' ? row.recorded_until : false
}
