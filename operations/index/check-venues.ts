import type { Definition } from '../../pipelines/index/definition.ts'
import { VENUE_TERMS } from '../../pipelines/venues/terms.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { nearestWord } from '../../primitives/nearest-word.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'

const NAMED_VENUES = new Set([OWN_VENUE, ...VENUE_TERMS.map(({ venue_id }) => venue_id)])

/**
 * Rejects versions with a leg of a venue that is neither one of ours nor one whose quotes are stored: its marks would be
 * missing at every tick.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID names the constituent, the venue and the nearest known one
 */
export async function checkVenues({ versions }: Pick<Definition, 'versions'>, session: ReadSession): Promise<void> {
  const legs = versions.flatMap(({ version }) =>
    version.constituents.flatMap(({ constituent_id, legs }) =>
      legs.map(({ venue_id }) => ({ venue_id, constituent_id, version: version.version })),
    ),
  )
  if (legs.every(({ venue_id }) => NAMED_VENUES.has(venue_id))) return
  const stored = await session.query(readSql(import.meta.url, 'sql/venues_of_quotes.sql'))
  const known = [...new Set([...NAMED_VENUES, ...stored.map((row) => String(row.venue_id))])].sort()
  const unknown = legs.find(({ venue_id }) => !known.includes(venue_id))
  if (unknown === undefined) return
  const { venue_id, constituent_id, version } = unknown
  const nearest = nearestWord(venue_id, known)
  const suggestion = nearest === null ? '' : ` (did you mean ${nearest}?)`
  throw new ServiceError(
    'VALIDATION_DEFINITION_INVALID',
    `venue_id of constituent ${constituent_id} in version ${version} is ${JSON.stringify(venue_id)}${suggestion}; allowed: ${known.join(', ')}, or a venue with stored quotes`,
    { field: 'venue_id', value: venue_id, constituent_id, version },
  )
}
