import type { Leg } from '../../pipelines/index/version.ts'
import { refusedValue, ServiceError } from '../../primitives/errors.ts'
import { didYouMean } from '../../primitives/nearest-word.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'

/** A leg with the constituent and the version that name it. */
export type NamedLeg = Leg & {
  readonly constituent_id: string
  readonly version: string
  /** Returns the line of a field of the leg; null: it was read from no file. */
  readonly lineOf: (field: string) => number | null
}

/** A leg that can never have a mark, with the field that is wrong. */
export type LegFault = { readonly leg: NamedLeg; readonly field: string; readonly fault: ServiceError }

/** Most markets of a venue that an error lists. */
const LISTED_MAX = 20

/**
 * Returns legs whose market the warehouse does not know, by a record or by a quote: their marks would be missing at every tick. Of a
 * market without a record, an outcome is known by its quotes.
 */
export async function marketFaults(legs: readonly NamedLeg[], session: ReadSession): Promise<readonly LegFault[]> {
  const market_ids = [...new Set(legs.map(({ market_id }) => market_id))]
  const described = outcomesByMarket(
    await session.query(readSql(import.meta.url, '../sql/outcomes_of_markets.sql'), { market_ids }),
  )
  const quoted = outcomesByMarket(
    await session.query(readSql(import.meta.url, 'sql/quoted_outcomes_of_markets.sql'), { market_ids }),
  )
  const undescribed = legs.filter(({ market_id }) => !described.has(market_id))
  const unknown = undescribed.filter(({ market_id }) => !quoted.has(market_id))
  const known = await marketsOfVenues(unknown, session)
  return undescribed.flatMap((leg): readonly LegFault[] => {
    const outcomes = quoted.get(leg.market_id)
    if (outcomes === undefined)
      return [{ leg, field: 'source_market_id', fault: unknownMarket(leg, known.get(leg.venue_id) ?? []) }]
    return outcomes.has(leg.outcome_id) ? [] : [{ leg, field: 'outcome', fault: unknownOutcome(leg) }]
  })
}

/** Returns the venues' own ids of the stored markets of each venue. */
async function marketsOfVenues(
  legs: readonly NamedLeg[],
  session: ReadSession,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const markets = new Map<string, readonly string[]>()
  for (const venue_id of new Set(legs.map((leg) => leg.venue_id))) {
    const rows = await session.query(readSql(import.meta.url, 'sql/markets_of_venues.sql'), { venue_ids: [venue_id] })
    markets.set(
      venue_id,
      rows.map((row) => String(row.source_market_id)),
    )
  }
  return markets
}

function outcomesByMarket(rows: readonly Row[]): ReadonlyMap<string, ReadonlySet<string>> {
  const outcomes = new Map<string, Set<string>>()
  for (const { market_id, outcome_id } of rows) {
    const of_market = outcomes.get(String(market_id)) ?? new Set()
    outcomes.set(String(market_id), of_market.add(String(outcome_id)))
  }
  return outcomes
}

function unknownMarket(leg: NamedLeg, known: readonly string[]): ServiceError {
  const { venue_id, source_market_id } = leg
  const alike = mostAlike(source_market_id, known).join(', ')
  const some =
    known.length > LISTED_MAX ? `one of ${known.length} markets of ${venue_id}, such as ${alike}` : known.join(', ')
  const allowed = known.length === 0 ? `a market that was imported; ${venue_id} has none` : some
  return new ServiceError(
    'VALIDATION_DEFINITION_INVALID',
    `source_market_id of ${placeOf(leg)} is ${JSON.stringify(source_market_id)}${didYouMean(source_market_id, known)}; allowed: ${allowed}, or any with --allow-unknown`,
    { field: 'source_market_id', value: source_market_id, constituent_id: leg.constituent_id, version: leg.version },
  )
}

/** Number of markets that an error names where there are too many to list. */
const NAMED_MAX = 3

/** Returns the words whose beginning is most like that of a word: ids of a venue's related markets begin alike. */
function mostAlike(word: string, known: readonly string[]): readonly string[] {
  const measured = known.map((one) => ({ one, shared: sharedBeginning(word.toLowerCase(), one.toLowerCase()) }))
  return measured
    .sort((a, b) => b.shared - a.shared)
    .slice(0, NAMED_MAX)
    .map(({ one }) => one)
}

function sharedBeginning(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}

function unknownOutcome(leg: NamedLeg): ServiceError {
  const allowed = 'an outcome with stored quotes, or any with --allow-unknown'
  return refusedValue('VALIDATION_DEFINITION_INVALID', `outcome of ${placeOf(leg)}`, leg.outcome, allowed)
}

function placeOf({ constituent_id, version }: NamedLeg): string {
  return `constituent ${constituent_id} in version ${version}`
}
