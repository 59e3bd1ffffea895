import { notAllowed, ServiceError } from '../../primitives/errors.ts'
import { durationMicros, formatMicros, type Micros } from '../../primitives/instants.ts'
import { type ChangeClass, IMPACT_KINDS, SCHEDULED_REBALANCE } from '../../vocabulary/governance.ts'
import { checkEligibilityPolicy, decidesAlike, type EligibilityPolicy } from '../eligibility/policy.ts'
import { baseHashOf, contentOfHash, isBaseOf } from './base-of-change.ts'
import { contentDifferences, describeDifferences } from './content-differences.ts'
import {
  checkPolicyDocument,
  checkRosterDocument,
  type PolicyDocument,
  type RosterDocument,
  recordHash,
} from './documents.ts'
import { agreedAttestation, hasImpact } from './impact/agreed-impact.ts'
import { checkIndexChange, isStatusKind, proposalOfHash, startOf, targetOf } from './index-change.ts'
import { type ClassRule, noticeAfterApproval, stricterRule } from './policy.ts'
import {
  type Change,
  type GovernanceState,
  type Proposal,
  policyInForce,
  proposalIdOf,
  rosterInForce,
} from './proposal.ts'
import { isScheduledRebalance, refuseUnscheduled } from './scheduled-rebalance.ts'

/** Longest time until a roster, or the first policy, is signed. */
const FIRST_LIFETIME = durationMicros('P30D')

/**
 * Returns the proposal that a change becomes.
 * @param by the proposer, and the instant of the record
 * @throws {ServiceError} GOVERNANCE_BASE_STALE, GOVERNANCE_IMPACT_REQUIRED, REVIEW_STATE_CONFLICT, VALIDATION_DEFINITION_INVALID
 */
export function planProposal(
  state: GovernanceState,
  change: Change,
  by: { readonly actor_id: string; readonly at: Micros; readonly is_draft: boolean },
): Proposal {
  const { at, is_draft, actor_id } = by
  const proposal_id = proposalIdOf(change)
  const known = state.proposals.get(proposal_id)
  if (known !== undefined && (known.state !== 'draft' || known.proposed_by !== actor_id || is_draft))
    throw new ServiceError('REVIEW_STATE_CONFLICT', `${proposal_id} is ${known.state}; allowed: a new proposal`, {
      proposal_id,
    })
  const target = targetOf(change.kind, change.content)
  checkBase(state, target, change)
  checkContent(state, change, at)
  const change_class = is_draft && change.kind === 'index_version' ? 'material' : classOf(state, change)
  const rule = ruleOf(state, change_class, change)
  if (!is_draft && rule?.impact === 'required') requireImpact(state, change)
  const comment_ends_at = at + durationMicros(rule?.comment ?? 'PT0S')
  const vote = durationMicros(rule?.vote ?? 'PT0S')
  const expires_at = at + lifetimeOf(state)
  const notice = noticeAfterApproval({ change_class, rule })
  checkStart(change, { earliest: Math.max(comment_ends_at, at + vote) + notice, expires_at })
  checkEmergencyStart(state, change, at)
  return {
    ...change,
    proposal_id,
    target,
    change_class,
    rule,
    revision: (known?.revision ?? 0) + 1,
    state: is_draft ? 'draft' : comment_ends_at > at ? 'consulting' : 'proposed',
    reason: null,
    proposed_by: actor_id,
    proposed_at: at,
    comment_ends_at,
    vote_ends_at: vote === 0 ? null : at + vote,
    is_prolonged: false,
    effective_at: null,
    enacted_at: null,
    expires_at,
    lapses_at: null,
    returned: null,
    votes: [],
    ratifications: [],
    recused: [],
  }
}

/** Refuses a change of a record that another one has replaced, and shows what that one changed. */
function checkBase(state: GovernanceState, target: string, change: Change): void {
  const { kind, base_hash } = change
  const head = baseHashOf(state, change)
  // The versions that were applied before the roster are known by their hashes alone.
  if (kind === 'eligibility_policy' && head === null) return
  if (isBaseOf(state, { kind, target }, base_hash)) return
  const [before, after] = [contentOfHash(state, target, base_hash), contentOfHash(state, target, head)]
  const named = proposalOfHash(state, target, base_hash)
  const allowed = head === null ? allowedFirst(target, named) : `${head}, the hash of the ${target} in force`
  const difference =
    before === null || after === null ? '' : `; it differs in ${describeDifferences(contentDifferences(before, after))}`
  throw new ServiceError(
    'GOVERNANCE_BASE_STALE',
    `base_hash is ${base_hash ?? 'none'}; allowed: ${allowed}${difference}`,
    {
      field: 'base_hash',
      value: base_hash ?? 'none',
    },
  )
}

/** Returns the only base of a first change, and the end of the change that was named instead. */
function allowedFirst(target: string, named: Proposal | null): string {
  const ended = named === null ? '' : `; ${named.proposal_id}, which has that content, is ${named.state}`
  return `none, because no ${target} is in force${ended}`
}

function checkContent(state: GovernanceState, change: Change, at: Micros): void {
  const { kind, content, emergency } = change
  const roster = rosterInForce(state)
  if ((kind === 'roster' || kind === 'policy' || kind === 'eligibility_policy') && emergency !== null)
    throw notAllowed('VALIDATION_DEFINITION_INVALID', 'emergency', emergency, `none, for a ${kind}`)
  if (kind === 'roster') {
    checkRosterDocument(content as unknown as RosterDocument, roster, at)
    return
  }
  if (roster === null) throw new ServiceError('REVIEW_STATE_CONFLICT', 'roster is missing; allowed: a roster first')
  if (kind === 'eligibility_policy') {
    checkEligibility(state, change)
    return
  }
  if (kind !== 'policy') {
    checkIndexChange(state, change)
    return
  }
  checkPolicyDocument(content as unknown as PolicyDocument, policyInForce(state), { roster: roster.document, at })
}

/** Refuses an eligibility policy that does not follow its base; one that was applied before the roster is known by its hash alone. */
function checkEligibility({ eligibility }: GovernanceState, { content, base_hash }: Change): void {
  const document = content as unknown as EligibilityPolicy
  const known = eligibility.get(document.policy_id)
  const before = { ...document, version: document.version - 1, rules: document.rules }
  const base = base_hash === null ? null : { document: known ?? before, record_hash: base_hash }
  checkEligibilityPolicy(document, base)
}

/** Returns the class of a change of an eligibility policy: text, if it decides alike. */
function classOfEligibility({ eligibility }: GovernanceState, { content }: Change): ChangeClass {
  const document = content as unknown as EligibilityPolicy
  const known = eligibility.get(document.policy_id)
  return known !== undefined && decidesAlike(known, document) ? 'text' : 'material'
}

/**
 * Returns the class of a change, which nobody declares.
 * @throws {ServiceError} GOVERNANCE_IMPACT_REQUIRED
 */
export function classOf(state: GovernanceState, change: Change): ChangeClass {
  switch (change.kind) {
    case 'index_version':
      return classOfVersion(state, change)
    case 'index_adoption':
      return 'text'
    case 'eligibility_policy':
      return classOfEligibility(state, change)
    case 'index_status':
      return change.emergency === null ? 'material' : 'emergency'
    case 'methodology':
      return classOfMethodology(state, change)
    case 'restatement':
      return 'late_restatement'
    default:
      return change.kind
  }
}

/** A methodology with other parameters is material, though no level changes until a version names it. */
function classOfMethodology(state: GovernanceState, { kind, content, base_hash }: Change): ChangeClass {
  const base = contentOfHash(state, targetOf(kind, content), base_hash)
  const parameters = (of: Change['content']) => recordHash(of.parameters ?? {})
  return base !== null && parameters(base) === parameters(content) ? 'text' : 'material'
}

/** Refuses a change without an impact, if its kind has one. @throws {ServiceError} GOVERNANCE_IMPACT_REQUIRED */
function requireImpact(state: GovernanceState, change: Change): void {
  if (IMPACT_KINDS.some((kind) => kind === change.kind)) agreedAttestation(state, change)
}

/**
 * Returns the class of a version: that of the impact report that enough runners have signed. A version that the schedule of its base
 * makes needs no report. A new index changes no published level, and is material.
 * @throws {ServiceError} GOVERNANCE_IMPACT_REQUIRED: a runner is missing, or one disagrees
 */
function classOfVersion(state: GovernanceState, change: Change): ChangeClass {
  if (isScheduledRebalance(state, change)) return SCHEDULED_REBALANCE
  const has_impact = hasImpact(state, change)
  if (change.base_hash === null && !has_impact) return 'material'
  if (!has_impact) refuseUnscheduled(state, change)
  const { change_class } = agreedAttestation(state, change)
  return change.emergency === null ? change_class : 'emergency'
}

/** Returns the rule of a class; a policy change waits the longer of the old and the new delay. */
export function ruleOf(
  state: GovernanceState,
  change_class: ChangeClass,
  { content }: Pick<Change, 'content'>,
): ClassRule | null {
  if (change_class === 'roster') return null
  const before = policyInForce(state)?.document
  if (change_class === 'cessation') return cessationRule(before!)
  if (change_class !== 'policy') return before!.classes[change_class] ?? before!.classes.material
  const { classes } = content as unknown as PolicyDocument
  // No index is governed before the first policy, so nothing waits for it.
  if (before === undefined) return { ...classes.policy, comment: 'PT0S', vote: 'PT0S', notice: 'PT0S' }
  return stricterRule(before.classes.policy, classes.policy)
}

/** Shortest notice of the end of an index. */
const CESSATION_NOTICE = 'P30D'

/** An index ends with the signatures of a material change, and a longer notice. */
function cessationRule({ classes: { material } }: PolicyDocument): ClassRule {
  const is_longer = durationMicros(material.notice) >= durationMicros(CESSATION_NOTICE)
  return is_longer ? material : { ...material, notice: CESSATION_NOTICE }
}

/** Refuses a version that begins before its notice can end, a status that begins too late, and a notice that outlasts the proposal. */
function checkStart(
  { kind, content }: Change,
  { earliest, expires_at }: { readonly earliest: Micros; readonly expires_at: Micros },
): void {
  if (kind === 'index_version' && startOf(content) < earliest)
    throw notAllowed(
      'VALIDATION_DEFINITION_INVALID',
      'effective_from',
      String(content.effective_from),
      `${formatMicros(earliest)} or later, when its notice can have ended`,
    )
  if (kind === 'roster' || kind === 'policy') return
  const expiry = `before ${formatMicros(expires_at)}, when the proposal expires`
  if (isStatusKind(kind) && startOf(content) >= expires_at)
    throw notAllowed('VALIDATION_DEFINITION_INVALID', 'effective_from', String(content.effective_from), expiry)
  if (earliest < expires_at) return
  const allowed = `one that ends after ${formatMicros(earliest)}, when the notice of a ${kind} can have ended`
  throw notAllowed('VALIDATION_DEFINITION_INVALID', 'proposal_lifetime', formatMicros(expires_at), allowed)
}

/** Refuses an emergency that could lapse before its version begins: nothing would end that version. */
function checkEmergencyStart(state: GovernanceState, { kind, content, emergency }: Change, at: Micros): void {
  if (kind !== 'index_version' || emergency === null) return
  const latest = at + durationMicros(policyInForce(state)!.document.emergency_lapse)
  if (startOf(content) <= latest) return
  const allowed = `${formatMicros(latest)} or before, so that it begins before it can lapse`
  throw notAllowed('VALIDATION_DEFINITION_INVALID', 'effective_from', String(content.effective_from), allowed)
}

function lifetimeOf(state: GovernanceState): Micros {
  const policy = policyInForce(state)
  return policy === null ? FIRST_LIFETIME : durationMicros(policy.document.proposal_lifetime)
}

/** Returns the hash of what a proposal puts in force. */
export function contentHashOf({ content }: Change): string {
  return recordHash(content)
}
