import type { DefinedVersion, Definition } from '../../pipelines/index/definition.ts'
import { type Mistake, mistakesError } from '../../pipelines/index/definition-mistakes.ts'
import type { Constituent } from '../../pipelines/index/version.ts'
import { VENUE_TERMS } from '../../pipelines/venues/terms.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { didYouMean, nearestWord } from '../../primitives/nearest-word.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import { type LegFault, marketFaults, type NamedLeg } from './check-markets.ts'

/**
 * Rejects versions with legs that can never have a mark; the error lists all of them, with their lines.
 * @param unknown_markets  whether markets may be named that the warehouse does not know yet
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID
 */
export async function checkLegs(
  definition: Pick<Definition, 'versions'>,
  session: ReadSession,
  unknown_markets: 'allowed' | 'refused' = 'allowed',
): Promise<void> {
  const mistakes = await legMistakes(definition, session, unknown_markets)
  if (mistakes.length > 0) throw mistakesError(definition.versions[0]?.source?.name ?? null, mistakes)
}

/** A version whose legs are checked: a decoded one, or a draft of a faulty file with the paths of its constituents. */
type CheckedVersion = Pick<DefinedVersion, 'source'> & {
  readonly version: Pick<DefinedVersion['version'], 'version' | 'constituents'>
  readonly places?: readonly string[]
}

/** Returns the legs of versions that can never have a mark, as mistakes of their file. */
export async function legMistakes(
  { versions }: { readonly versions: readonly CheckedVersion[] },
  session: ReadSession,
  unknown_markets: 'allowed' | 'refused',
): Promise<readonly Mistake[]> {
  const legs = namedLegs({ versions })
  const faults = [
    ...(await venueFaults(legs, session)),
    ...(await outcomeFaults(legs, session)),
    ...(unknown_markets === 'refused' ? await marketFaults(legs, session) : []),
  ]
  const found = new Set<NamedLeg>()
  // The first fault of a leg explains the others: nothing is known of the markets of a misspelled venue.
  return faults.flatMap(({ leg, field, fault }) => {
    if (found.has(leg)) return []
    found.add(leg)
    return [{ line: leg.lineOf(field), fault }]
  })
}

const NAMED_VENUES = new Set([OWN_VENUE, ...VENUE_TERMS.map(({ venue_id }) => venue_id)])

/**
 * Returns legs whose venue is a misspelling of a known one: their marks would be missing at every tick. Known are the venues with
 * terms, our own, and those with stored quotes. Any other name may be a venue of an archive that is imported later.
 */
async function venueFaults(legs: readonly NamedLeg[], session: ReadSession): Promise<readonly LegFault[]> {
  if (legs.every(({ venue_id }) => NAMED_VENUES.has(venue_id))) return []
  const stored = await session.query(readSql(import.meta.url, 'sql/venues_of_quotes.sql'))
  const known = [...new Set([...NAMED_VENUES, ...stored.map((row) => String(row.venue_id))])].sort()
  return legs.flatMap((leg) => {
    const { venue_id, constituent_id, version } = leg
    const nearest = known.includes(venue_id) ? null : nearestWord(venue_id, known)
    if (nearest === null) return []
    const fault = new ServiceError(
      'VALIDATION_DEFINITION_INVALID',
      `venue_id of constituent ${constituent_id} in version ${version} is ${JSON.stringify(venue_id)} (did you mean ${nearest}?); allowed: ${known.join(', ')}, or the venue of an archive`,
      { field: 'venue_id', value: venue_id, constituent_id, version },
    )
    return [{ leg, field: 'venue_id', fault }]
  })
}

/**
 * Returns legs whose outcome their stored market does not have: their marks would be missing at every tick. A market that nothing
 * describes yet may be imported later.
 */
async function outcomeFaults(legs: readonly NamedLeg[], session: ReadSession): Promise<readonly LegFault[]> {
  const market_ids = [...new Set(legs.map(({ market_id }) => market_id))]
  const rows = await session.query(readSql(import.meta.url, '../sql/outcomes_of_markets.sql'), { market_ids })
  return legs.flatMap((leg) => {
    const { market_id, outcome_id, outcome, constituent_id, version } = leg
    const known = rows.filter((row) => row.market_id === market_id)
    if (known.length === 0 || known.some((one) => one.outcome_id === outcome_id)) return []
    const labels = new Map(known.map((one) => [String(one.outcome), String(one.label)]))
    const allowed = [...labels].map(([name, label]) => (name === label ? name : `${name} (${label})`))
    const fault = new ServiceError(
      'VALIDATION_DEFINITION_INVALID',
      `outcome of constituent ${constituent_id} in version ${version} is ${JSON.stringify(outcome)}${nearestOutcome(outcome, labels)}; allowed: ${allowed.join(', ')}`,
      { field: 'outcome', value: outcome, constituent_id, version },
    )
    return [{ leg, field: 'outcome', fault }]
  })
}

/** Returns the hint of the nearest outcome, by its name or label; those that differ in case alone are nearest. */
function nearestOutcome(outcome: string, labels: ReadonlyMap<string, string>): string {
  const isSame = (one: string) => one.toLowerCase() === outcome.toLowerCase()
  const same = [...labels].find(([name, label]) => isSame(name) || isSame(label))
  return same === undefined ? didYouMean(outcome, [...labels.keys()]) : ` (did you mean ${same[0]}?)`
}

function namedLegs({ versions }: { readonly versions: readonly CheckedVersion[] }): NamedLeg[] {
  return versions.flatMap(({ version, source, places }) =>
    version.constituents.flatMap((constituent, at) =>
      constituent.legs.map((leg, i) => {
        const { constituent_id } = constituent
        const whole = places?.[at] ?? `versions[${version.version}].constituents[${constituent_id}]`
        const place = `${whole}${partOf(constituent, i)}`
        const lineOf = (field: string) => source?.lineOf(`${place}.${field}`) ?? null
        return { ...leg, constituent_id, version: version.version, lineOf }
      }),
    ),
  )
}

/** Returns the path of a leg inside its constituent. */
function partOf({ normalization }: Constituent, ordinal: number): string {
  if (normalization === 'multi_outcome_sum_to_one') return `.outcomes[${ordinal}]`
  return normalization === 'logodds_pool' || normalization === 'constant_maturity' ? `.legs[${ordinal}]` : ''
}
