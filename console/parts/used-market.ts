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
  const { market_id, outcome_id, legs, market_mapping, venue } = constituent
  const own_venue = venue?.venue_id ?? market_mapping?.venue_id ?? null
  const used = input?.legs ?? []
  const venueOf = (id: string) =>
    id === market_id ? own_venue : (legs.find((leg) => leg.market_id === id)?.venue_id ?? null)
  const venues = new Set(used.map((leg) => venueOf(leg.market_id)))
  const venue_id = venues.size > 1 ? 'several' : used.length === 0 ? own_venue : [...venues][0]!
  if (used.length !== 1) return { market_id, outcome_id, venue_id }
  return { market_id: used[0]!.market_id, outcome_id: used[0]!.outcome_id, venue_id }
}
