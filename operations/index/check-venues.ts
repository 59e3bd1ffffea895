import type { Definition } from '../../pipelines/index/definition.ts'
import { VENUE_TERMS } from '../../pipelines/venues/terms.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { nearestWord } from '../../primitives/nearest-word.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'

const NAMED_VENUES = new Set([OWN_VENUE, ...VENUE_TERMS.map(({ venue_id }) => venue_id)])

/**
 * Rejects versions with a leg whose venue is a misspelling of a known one: its marks would be missing at every tick. Known are the
 * venues with terms, our own, and those with stored quotes. Any other name may be a venue of an archive that is imported later.
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
  for (const { venue_id, constituent_id, version } of legs) {
    const nearest = known.includes(venue_id) ? null : nearestWord(venue_id, known)
    if (nearest === null) continue
    throw new ServiceError(
      'VALIDATION_DEFINITION_INVALID',
      `venue_id of constituent ${constituent_id} in version ${version} is ${JSON.stringify(venue_id)} (did you mean ${nearest}?); allowed: ${known.join(', ')}, or the venue of an archive`,
      { field: 'venue_id', value: venue_id, constituent_id, version },
    )
  }
}
