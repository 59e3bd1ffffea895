/** States of review of a rating or an assessment. */
export const REVIEW_STATES = ['draft', 'under_review', 'approved', 'superseded', 'disputed', 'withdrawn'] as const
export type ReviewState = (typeof REVIEW_STATES)[number]

/** States of a record that readers see while it is effective; a disputed one is shown with its dispute. */
export const IN_FORCE_STATES: readonly ReviewState[] = ['approved', 'disputed']

/** States of a record that is or may become in force. */
export const KEPT_STATES: readonly ReviewState[] = [...IN_FORCE_STATES, 'under_review']

/** States of a record that awaits a person. */
export const WAITING_STATES: readonly ReviewState[] = ['draft', 'under_review', 'disputed']

/** Issuers of a rating or an assessment, in order of precedence. */
export const ASSESSMENT_KINDS = ['committee', 'analyst', 'model'] as const
export type AssessmentKind = (typeof ASSESSMENT_KINDS)[number]

/** States of a dispute about a record. */
export const DISPUTE_STATES = ['open', 'upheld', 'rejected'] as const
export type DisputeState = (typeof DISPUTE_STATES)[number]

/** Tiers of evidence: A official or instrumental, B an agency or several independent wires, C one outlet, D unverified. */
export const EVIDENCE_TIERS = ['A', 'B', 'C', 'D'] as const
export type EvidenceTier = (typeof EVIDENCE_TIERS)[number]
