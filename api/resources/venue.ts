import { termsOf, type VenueTerms } from '../../warehouse/reader/terms.ts'

/** A venue as the service knows it: its id, and what its terms let out. */
export function venueOf(venue_id: string) {
  const terms = termsOf(venue_id)
  return {
    venue_id,
    name: venue_id,
    index_eligible: terms?.index_eligible ?? true,
    redistribution: redistributionOf(terms),
  }
}

/** A source without terms of its own is served: whoever imports it answers for it. */
export function pricesArePublic(venue_id: string): boolean {
  return termsOf(venue_id)?.public_prices ?? true
}

/** As pricesArePublic, for single trades. */
export function tradesArePublic(venue_id: string): boolean {
  return termsOf(venue_id)?.public_trades ?? true
}

function redistributionOf(terms: VenueTerms | null): string {
  if (terms === null) return 'no terms known'
  const parts = [terms.public_prices ? 'prices' : null, terms.public_trades ? 'trades' : null].filter(Boolean)
  const said = parts.length === 0 ? 'nothing' : parts.join(' and ')
  return terms.attribution === null ? `${said} public` : `${said} public, attributed to ${terms.attribution}`
}
