import type { Definition } from '../../pipelines/index/definition.ts'
import { VENUE_TERMS } from '../../pipelines/venues/terms.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { didYouMean, nearestWord } from '../../primitives/nearest-word.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import { checkMarkets, type NamedLeg } from './check-markets.ts'

/**
 * Rejects versions with a leg that can never have a mark.
 * @param unknown_markets  whether markets may be named that the warehouse does not know yet
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, as `checkVenues`, `checkOutcomes` and `checkMarkets`
 */
export async function checkLegs(
  definition: Pick<Definition, 'versions'>,
  session: ReadSession,
  unknown_markets: 'allowed' | 'refused' = 'allowed',
): Promise<void> {
  const legs = namedLegs(definition)
  await checkVenues(legs, session)
  await checkOutcomes(legs, session)
  if (unknown_markets === 'refused') await checkMarkets(legs, session)
}

const NAMED_VENUES = new Set([OWN_VENUE, ...VENUE_TERMS.map(({ venue_id }) => venue_id)])

/**
 * Rejects versions with a leg whose venue is a misspelling of a known one: its marks would be missing at every tick. Known are the
 * venues with terms, our own, and those with stored quotes. Any other name may be a venue of an archive that is imported later.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID names the constituent, the venue and the nearest known one
 */
async function checkVenues(legs: readonly NamedLeg[], session: ReadSession): Promise<void> {
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

/**
 * Rejects versions with a leg whose outcome its stored market does not have: its mark would be missing at every tick. A market that
 * nothing describes yet may be imported later.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID names the constituent, the outcome and those of the market
 */
async function checkOutcomes(legs: readonly NamedLeg[], session: ReadSession): Promise<void> {
  const market_ids = [...new Set(legs.map(({ market_id }) => market_id))]
  const rows = await session.query(readSql(import.meta.url, '../sql/outcomes_of_markets.sql'), { market_ids })
  for (const { market_id, outcome_id, outcome, constituent_id, version } of legs) {
    const known = rows.filter((row) => row.market_id === market_id)
    if (known.length === 0 || known.some((one) => one.outcome_id === outcome_id)) continue
    const allowed = known.map((one) => String(one.outcome))
    throw new ServiceError(
      'VALIDATION_DEFINITION_INVALID',
      `outcome of constituent ${constituent_id} in version ${version} is ${JSON.stringify(outcome)}${nearestOutcome(outcome, allowed)}; allowed: ${allowed.join(', ')}`,
      { field: 'outcome', value: outcome, constituent_id, version },
    )
  }
}

/** Returns the hint of the nearest outcome; names that differ in case alone are nearest. */
function nearestOutcome(outcome: string, known: readonly string[]): string {
  const same = known.find((one) => one.toLowerCase() === outcome.toLowerCase())
  return same === undefined ? didYouMean(outcome, known) : ` (did you mean ${same}?)`
}

function namedLegs({ versions }: Pick<Definition, 'versions'>): NamedLeg[] {
  return versions.flatMap(({ version }) =>
    version.constituents.flatMap(({ constituent_id, legs }) =>
      legs.map((leg) => ({ ...leg, constituent_id, version: version.version })),
    ),
  )
}
