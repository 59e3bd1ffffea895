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

/** Beginning of the names of the invented people of a sandbox. */
export const SANDBOX_ACTOR_PREFIX = 'sandbox_'

/**
 * Kinds of content that a proposal can change.
 *   eligibility_policy  which markets may enter indexes
 *   index_version   a new version of an index, or a new index
 *   index_adoption  puts the published version of an index under governance, unchanged
 *   index_status    suspends, reinstates or archives an index
 *   cessation       ends an index, with its final value and substitute
 *   methodology     a methodology, which changes no level until a version names it
 *   restatement     corrects levels after the time in which a correction needs no vote
 */
export const PROPOSAL_KINDS = [
  'roster',
  'policy',
  'eligibility_policy',
  'index_version',
  'index_adoption',
  'index_status',
  'cessation',
  'methodology',
  'restatement',
] as const
export type ProposalKind = (typeof PROPOSAL_KINDS)[number]

/** Kinds of signed documents, whose records are those of the acts. */
export const DOCUMENT_KINDS = PROPOSAL_KINDS.slice(0, 3)

/** Kinds that change what an index publishes. */
export const INDEX_KINDS = ['index_version', 'index_adoption', 'index_status', 'cessation'] as const

/** Most levels of one restatement: a day of minutes. */
export const RESTATED_TICKS_MAX = 1440

/** Marks of who decided a version: `none` one person with `index apply`, `governed` an approved proposal. */
export const GOVERNANCE_MARKS = ['none', 'governed'] as const

/** Reason of a change that was approved, but could no longer be carried out. */
export const PRECONDITION_BROKEN = 'PRECONDITION_BROKEN'

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

/** States of a proposal whose change took effect, also where a lapse took it back. */
export const ENACTED_STATES: readonly ProposalState[] = ['effective', 'lapsed']

/** Classes of a version by its replay, the least strict first. */
export const VERSION_CLASSES = ['text', 'parameter', 'material'] as const
export type VersionClassName = (typeof VERSION_CLASSES)[number]

/** Class of a version that the schedule of the one before makes. */
export const SCHEDULED_REBALANCE = 'scheduled_rebalance'

/** Classes of change, which decide signatures and notice. A roster has a threshold of its own. */
export const CHANGE_CLASSES = [
  ...VERSION_CLASSES,
  SCHEDULED_REBALANCE,
  'late_restatement',
  'emergency',
  'cessation',
  'policy',
  'roster',
] as const
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

/**
 * Engines that a runner may compute an impact with: both give the same report.
 *   exact      scaled integers, in bulk where the versions are plain
 *   reference  34-digit decimals, the definition of every level
 */
export const IMPACT_ENGINES = ['exact', 'reference'] as const
export type ImpactEngine = (typeof IMPACT_ENGINES)[number]

/** Kinds of change that runners can sign an impact of. */
export const IMPACT_KINDS = [
  'index_version',
  'methodology',
  'eligibility_policy',
  'index_status',
  'cessation',
] as const satisfies readonly ProposalKind[]
export type ImpactKind = (typeof IMPACT_KINDS)[number]

/** Agreement of the runners of a change, by the last report of each. */
export const IMPACT_AGREEMENTS = ['one_runner', 'agreed', 'disputed'] as const
export type ImpactAgreement = (typeof IMPACT_AGREEMENTS)[number]
