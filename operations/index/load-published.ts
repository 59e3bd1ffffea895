import { type Decimal, parseDecimal } from '../../primitives/decimal.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import { evidenceIdOf } from './load-leg-data.ts'

/** The current official observation of one tick, without its inputs. */
export type PublishedTick = {
  readonly observation_id: string
  readonly revision: number
  readonly calculated_at: Micros | undefined
  readonly published_at: Micros
  readonly row: Row
}

const ALL_TIME = { from: '1700-01-01T00:00:00Z', to: '2199-12-31T00:00:00Z' }

/** Loads the current official observations of an index, by tick. */
export async function loadPublished(
  session: ReadSession,
  index_id: string,
): Promise<ReadonlyMap<Micros, PublishedTick>> {
  const rows = await session.query(readSql(import.meta.url, '../sql/observations_of_index.sql'), {
    index_id,
    ...ALL_TIME,
  })
  return new Map(rows.map((row) => [toMicros(row.tick_at), publishedTick(row)]))
}

function publishedTick(row: Row): PublishedTick {
  return {
    observation_id: String(row.observation_id),
    revision: row.revision as number,
    calculated_at: typeof row.calculated_at === 'string' ? toMicros(row.calculated_at) : undefined,
    published_at: toMicros(row.published_at),
    row,
  }
}

/** Loads the id of the stated resolution by the id of each one that only confirms it, as marks name them. */
export async function loadConfirmedEvidence(session: ReadSession): Promise<ReadonlyMap<string, string>> {
  const rows = await session.query(readSql(import.meta.url, 'sql/confirmed_resolutions.sql'))
  return new Map(
    rows.map((row) => [
      evidenceIdOf(row.evidence, row.resolution_id),
      evidenceIdOf(row.confirmed_evidence, row.confirmed_id),
    ]),
  )
}

/** Loads the published link factor (K) of each version of an index. */
export async function loadLinks(session: ReadSession, index_id: string): Promise<ReadonlyMap<string, Decimal>> {
  const rows = await session.query(readSql(import.meta.url, 'sql/links_of_index.sql'), { index_id })
  return new Map(rows.map((row) => [String(row.index_version_id), parseDecimal(row.link_factor, 'link_factor')]))
}
