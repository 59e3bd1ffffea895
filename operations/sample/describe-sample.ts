import type { Instant } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { readDefinition } from '../index/apply-definitions.ts'
import { INDEX_TABLES, type ListedIndex, readLatestLevels } from '../index/list-indexes.ts'
import { SAMPLE_STORY } from './sample-story.ts'
import { sampleDefinitions } from './sample-worlds.ts'

/** Counts of one venue's current records, and of its payloads as received. */
type VenueRecords = {
  readonly venue_id: string
  readonly payloads: number
  readonly markets: number
  readonly quotes: number
  readonly books: number
  readonly trades: number
  readonly resolutions: number
}

/** A venue's statement about the resolution of an outcome; payout null = it named none. */
type ResolutionStatement = {
  readonly venue_id: string
  readonly source_market_id: string
  readonly finality: string
  readonly payout: string | null
  readonly source_at: Instant
  readonly published_at: Instant
}

export type SampleDescription = {
  readonly venues: readonly VenueRecords[]
  /** Each with its latest level, in the order of their ids. */
  readonly indexes: readonly ListedIndex[]
  /** In the order of publication. */
  readonly dispute: readonly ResolutionStatement[]
}

const TABLES = ['venue_payload', 'market', 'market_quote', 'order_book', 'public_trade', 'market_resolution'] as const

/** Describes the sample's warehouse now: its venues, its indexes and the course of the disputed resolution. */
export async function describeSample(warehouse: Warehouse): Promise<SampleDescription> {
  const definitions = await Promise.all(sampleDefinitions().map(readDefinition))
  const constituents = definitions.flatMap(({ versions }) => versions.flatMap(({ version }) => version.constituents))
  const disputed = constituents.find(({ constituent_id }) => constituent_id === SAMPLE_STORY.constituent_id)!
  const session = await openReadSession(warehouse, { as_of: null, tables: [...TABLES, ...INDEX_TABLES] })
  try {
    const listed = await readLatestLevels(session, null)
    return {
      venues: (await session.query(
        readSql(import.meta.url, 'sql/records_of_venues.sql'),
      )) as unknown as readonly VenueRecords[],
      indexes: listed.filter(({ index_id }) => definitions.some(({ index }) => index.index_id === index_id)),
      dispute: (await session.query(readSql(import.meta.url, 'sql/resolution_course_of_outcomes.sql'), {
        market_ids: disputed.legs.map(({ market_id }) => market_id),
        outcome_ids: disputed.legs.map(({ outcome_id }) => outcome_id),
      })) as unknown as readonly ResolutionStatement[],
    }
  } finally {
    await session.close()
  }
}
