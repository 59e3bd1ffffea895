import type { Instant } from '../../primitives/instants.ts'
import { RATING_COMPONENTS } from './methodology.ts'
import { RATING_METHODOLOGY_REFERENCE, RATING_MODEL } from './rating-record.ts'

/** What is answered for a market without a rating in force at an instant: not rated, with the reason, and no invented score. */
export function noRating(market_id: string, as_of: Instant) {
  return {
    rating_id: null,
    chain_id: null,
    revision: null,
    supersedes_id: null,
    correction_reason: null,
    market_id,
    band: 'NR',
    score: null,
    component_scores: Object.fromEntries(RATING_COMPONENTS.map((name) => [name, null])),
    outlook: 'stable',
    watch_status: 'none',
    confidence: '0.0000',
    reason_codes: ['NO_APPROVED_RATING'],
    rationale: null,
    ...RATING_METHODOLOGY_REFERENCE,
    issuer: RATING_MODEL,
    evidence: [],
    effective_from: as_of,
    effective_to: null,
    observation_cutoff_at: as_of,
    published_at: null,
    review_state: null,
    override: null,
    dispute: null,
    withdrawal: null,
  } as const
}
