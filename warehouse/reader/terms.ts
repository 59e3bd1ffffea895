/** Serving terms of a source, for the API, which may not import `pipelines`. */
export { OWN_VENUE } from '../../pipelines/venues/own-venue.ts'
export { termsOf, VENUE_TERMS, type VenueTerms } from '../../pipelines/venues/terms.ts'
