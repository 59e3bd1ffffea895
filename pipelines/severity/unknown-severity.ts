import type { AssessmentType } from '../../vocabulary/severity.ts'
import { SEVERITY_COMPONENTS } from '../../vocabulary/severity.ts'

/** Reason for having no assessment in force: one awaits review, or there is none. */
export type UnknownReason = 'PENDING_REVIEW' | 'NO_APPROVED_ASSESSMENT'

/**
 * Returns the answer for an event without an assessment in force: UNKNOWN with the reason, which is not SEV-0. There is no
 * record, so confidence, issuer and effective time are absent.
 */
export function unknownSeverity(event_id: string, assessment_type: AssessmentType, reason: UnknownReason) {
  return {
    assessment_id: null,
    chain_id: null,
    revision: null,
    supersedes_id: null,
    correction_reason: null,
    event_id,
    assessment_type,
    level: 'UNKNOWN',
    score: null,
    score_range: null,
    component_scores: Object.fromEntries(SEVERITY_COMPONENTS.map((name) => [name, null])),
    confidence: null,
    reason_codes: [reason],
    rationale: null,
    event_time_window: null,
    observation_cutoff_at: null,
    forecast_horizon_end: null,
    methodology_id: null,
    methodology_version: null,
    issuer: null,
    evidence: [],
    effective_from: null,
    effective_to: null,
    published_at: null,
    review_state: null,
    override: null,
    dispute: null,
    withdrawal: null,
  } as const
}
