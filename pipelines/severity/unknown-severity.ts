import type { Instant } from '../../primitives/instants.ts'
import { SEVERITY_COMPONENTS } from './methodology.ts'
import { type AssessmentType, SEVERITY_METHODOLOGY_REFERENCE, SEVERITY_MODEL } from './severity-record.ts'

/** Why an event has no assessment in force: one waits for a person, or there is none. */
export type UnknownReason = 'PENDING_REVIEW' | 'NO_APPROVED_ASSESSMENT'

/** What is answered for an event without an assessment in force: UNKNOWN with the reason, which is not SEV-0. */
export function unknownSeverity(
  event_id: string,
  assessment_type: AssessmentType,
  as_of: Instant,
  reason: UnknownReason,
) {
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
    confidence: '0.0000',
    reason_codes: [reason],
    rationale: null,
    event_time_window: { start: null, end: null },
    observation_cutoff_at: assessment_type === 'observed' ? as_of : null,
    forecast_horizon_end: null,
    ...SEVERITY_METHODOLOGY_REFERENCE,
    issuer: SEVERITY_MODEL,
    evidence: [],
    effective_from: as_of,
    effective_to: null,
    published_at: null,
    review_state: null,
    override: null,
    dispute: null,
    withdrawal: null,
  } as const
}
