/**
 * Roles of the people in a roster.
 *   analyst        submits assessments
 *   committee      approves assessments and proposals
 *   observer       disputes assessments
 *   oversight      signs material changes, and vetoes
 *   operator       runs the service
 *   runner         signs impact reports
 *   administrator  signs rosters
 */
export const ROSTER_ROLES = [
  'analyst',
  'committee',
  'observer',
  'oversight',
  'operator',
  'runner',
  'administrator',
] as const
export type RosterRole = (typeof ROSTER_ROLES)[number]

/** Kinds of content that a proposal can change. */
export const PROPOSAL_KINDS = ['roster', 'policy', 'eligibility_policy', 'index_version'] as const
export type ProposalKind = (typeof PROPOSAL_KINDS)[number]

/** Kinds that the service accepts. Versions of indexes are decided by the same rules, but are not offered yet. */
export const OFFERED_KINDS = ['roster', 'policy', 'eligibility_policy'] as const satisfies readonly ProposalKind[]

/** States of a proposal. Each of the last six is final, except that an effective emergency may lapse. */
export const PROPOSAL_STATES = [
  'draft',
  'proposed',
  'consulting',
  'approved',
  'queued',
  'effective',
  'rejected',
  'cancelled',
  'vetoed',
  'expired',
  'lapsed',
] as const
export type ProposalState = (typeof PROPOSAL_STATES)[number]

/** Classes of change, which decide signatures and notice. A roster has a threshold of its own. */
export const CHANGE_CLASSES = ['text', 'parameter', 'material', 'emergency', 'policy', 'roster'] as const
export type ChangeClass = (typeof CHANGE_CLASSES)[number]

/** Acts of governance. */
export const GOVERNANCE_ACTS = [
  'attest',
  'draft',
  'propose',
  'vote',
  'comment',
  'recuse',
  'veto',
  'cancel',
  'ratify',
  'approve',
  'reject',
  'queue',
  'activate',
  'expire',
  'lapse',
] as const
export type GovernanceActName = (typeof GOVERNANCE_ACTS)[number]

/** Acts that the service performs when they are due; it signs nothing. */
export const SERVICE_ACTS = ['approve', 'reject', 'queue', 'activate', 'expire', 'lapse'] as const
export type ServiceActName = (typeof SERVICE_ACTS)[number]

/** Votes of a member. */
export const VOTE_CHOICES = ['approve', 'dissent'] as const
export type VoteChoice = (typeof VOTE_CHOICES)[number]
