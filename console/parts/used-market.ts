import type { Static } from 'typebox'
import type { Constituent } from '../../protocol/resources/constituent.ts'
import type { IndexInput } from '../../protocol/resources/index-observation.ts'

/** Input of one constituent to a level. */
export type Input = Static<typeof IndexInput>

/** Market that a row of a constituent names. */
export type UsedMarket = {
  readonly market_id: string | null
  readonly outcome_id: string | null
  /** Venue of the marks used, `several`, or null: unknown. */
  readonly venue_id: string | null
}

/**
 * Returns the market whose mark entered a level, which need not be that of the constituent's own leg: a pool may use one leg alone. If
 * no mark entered, it is the own market; of several, the own market with the venue that they share.
 */
export function usedMarket(constituent: Constituent, input: Input | null): UsedMarket {
  const { market_id, outcome_id, legs, market_mapping } = constituent
  const used = input?.legs ?? []
  const venues = new Set(
    used.map(
      (leg) => legs.find((one) => one.market_id === leg.market_id)?.venue_id ?? market_mapping?.venue_id ?? null,
    ),
  )
  const [first] = used
  const venue_id =
    venues.size > 1 ? 'several' : first === undefined ? (market_mapping?.venue_id ?? null) : [...venues][0]!
  if (used.length !== 1) return { market_id, outcome_id, venue_id }
  return { market_id: first!.market_id, outcome_id: first!.outcome_id, venue_id }
}
