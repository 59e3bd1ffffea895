export { termsOf, VENUE_TERMS, type VenueTerms } from '../../pipelines/venues/terms.ts'

/** Serving terms of a source, for the API, which may not import `pipelines`. */
