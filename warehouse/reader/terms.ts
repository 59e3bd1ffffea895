/** What may be served of a source; for those who serve and may not import the rules themselves. */
export { termsOf, VENUE_TERMS, type VenueTerms } from '../../pipelines/venues/terms.ts'
