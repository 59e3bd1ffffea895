/** States of review of a rating or an assessment. */
export const REVIEW_STATES = ['draft', 'under_review', 'approved', 'superseded', 'disputed', 'withdrawn'] as const
export type ReviewState = (typeof REVIEW_STATES)[number]

/** Issuers of a rating or an assessment, in order of precedence. */
export const ASSESSMENT_KINDS = ['committee', 'analyst', 'model'] as const
export type AssessmentKind = (typeof ASSESSMENT_KINDS)[number]

/** analyst: submits and proposes; committee: also approves, decides and withdraws; observer: files disputes, as all may. */
export const COMMITTEE_ROLES = ['analyst', 'committee', 'observer'] as const
export type CommitteeRole = (typeof COMMITTEE_ROLES)[number]

/** States of a dispute about a record. */
export const DISPUTE_STATES = ['open', 'upheld', 'rejected'] as const
export type DisputeState = (typeof DISPUTE_STATES)[number]

/** Tiers of evidence: A official or instrumental, B an agency or several independent wires, C one outlet, D unverified. */
export const EVIDENCE_TIERS = ['A', 'B', 'C', 'D'] as const
export type EvidenceTier = (typeof EVIDENCE_TIERS)[number]
