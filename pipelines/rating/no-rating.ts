import { RATING_COMPONENTS } from '../../vocabulary/rating.ts'

/**
 * Returns the answer for a market without a rating in force: not rated, with the reason. There is no record, so
 * confidence, issuer and effective time are absent.
 */
export function noRating(market_id: string) {
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
    outlook: null,
    watch_status: null,
    confidence: null,
    reason_codes: ['NO_APPROVED_RATING'],
    rationale: null,
    methodology_id: null,
    methodology_version: null,
    issuer: null,
    evidence: [],
    effective_from: null,
    effective_to: null,
    observation_cutoff_at: null,
    published_at: null,
    review_state: null,
    override: null,
    dispute: null,
    withdrawal: null,
  } as const
}
