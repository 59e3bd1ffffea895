import { termsOf, type VenueTerms } from '../../warehouse/reader/terms.ts'

/** Returns a venue: its id, and which of its data its terms permit to publish. */
export function venueOf(venue_id: string) {
  const terms = termsOf(venue_id)
  return {
    venue_id,
    name: venue_id,
    index_eligible: terms?.index_eligible ?? true,
    redistribution: redistributionOf(terms),
  }
}

/** Reports whether a venue's prices may be published; a source without terms is published on its importer's responsibility. */
export function pricesArePublic(venue_id: string): boolean {
  return termsOf(venue_id)?.public_prices ?? true
}

/** Reports whether a venue's single trades may be published. */
export function tradesArePublic(venue_id: string): boolean {
  return termsOf(venue_id)?.public_trades ?? true
}

function redistributionOf(terms: VenueTerms | null): string {
  if (terms === null) return 'no terms known'
  const parts = [terms.public_prices ? 'prices' : null, terms.public_trades ? 'trades' : null].filter(Boolean)
  const said = parts.length === 0 ? 'nothing' : parts.join(' and ')
  return terms.attribution === null ? `${said} public` : `${said} public, attributed to ${terms.attribution}`
}
