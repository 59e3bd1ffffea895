import { notAllowed, ServiceError } from '../../primitives/errors.ts'
import { durationMicros, formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { ChangeClass } from '../../vocabulary/governance.ts'
import { checkEligibilityPolicy, decidesAlike, type EligibilityPolicy } from '../eligibility/policy.ts'
import {
  checkPolicyDocument,
  checkRosterDocument,
  type PolicyDocument,
  type RosterDocument,
  recordHash,
} from './documents.ts'
import { type ClassRule, type RuledClass, stricterRule } from './policy.ts'
import {
  type Change,
  changeIdOf,
  type GovernanceState,
  type Proposal,
  policyInForce,
  proposalIdOf,
  rosterInForce,
} from './proposal.ts'
import { targetOf, textOf } from './read-change.ts'

/** Longest time until a roster, or the first policy, is signed. */
const FIRST_LIFETIME = durationMicros('P30D')

/** Runners who sign one digest before a change is proposed. */
const RUNNERS = 2

/**
 * Returns the proposal that a change becomes.
 * @param by the proposer, and the instant of the record
 * @throws {ServiceError} GOVERNANCE_BASE_STALE, REVIEW_STATE_CONFLICT, VALIDATION_DEFINITION_INVALID
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
  const comment_ends_at = at + durationMicros(rule?.comment ?? 'PT0S')
  const vote = durationMicros(rule?.vote ?? 'PT0S')
  checkStart(change, rule, Math.max(comment_ends_at, at + vote))
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
    expires_at: at + lifetimeOf(state),
    lapses_at: null,
    votes: [],
    ratifications: [],
    recused: [],
  }
}

/** Refuses a change of a record that another one has replaced. */
function checkBase({ heads }: GovernanceState, target: string, { base_hash }: Change): void {
  const head = heads.get(target)
  if ((head ?? null) === base_hash || (head === undefined && !['roster', 'policy'].includes(target))) return
  const message = `base_hash is ${base_hash ?? 'none'}; allowed: ${head ?? 'none'}, the hash of the ${target} in force`
  throw new ServiceError('GOVERNANCE_BASE_STALE', message, { field: 'base_hash', value: base_hash ?? 'none' })
}

function checkContent(state: GovernanceState, change: Change, at: Micros): void {
  const { kind, content, emergency } = change
  const roster = rosterInForce(state)
  if (kind !== 'index_version' && emergency !== null)
    throw notAllowed('VALIDATION_DEFINITION_INVALID', 'emergency', emergency, `none, for a ${kind}`)
  if (kind === 'roster') {
    checkRosterDocument(content as unknown as RosterDocument, roster, at)
    return
  }
  if (roster === null) throw new ServiceError('REVIEW_STATE_CONFLICT', 'roster is missing; allowed: a roster first')
  if (kind === 'eligibility_policy') checkEligibility(state, change)
  if (kind === 'policy')
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
 * Returns the class of a change: that of the impact report that enough runners have signed.
 * @throws {ServiceError} REVIEW_STATE_CONFLICT: a runner is missing, or one disagrees
 */
function classOf(state: GovernanceState, change: Change): ChangeClass {
  const { attestations } = state
  if (change.kind === 'eligibility_policy') return classOfEligibility(state, change)
  if (change.kind !== 'index_version') return change.kind
  const signed = [
    ...(attestations.get(changeIdOf({ ...change, content_hash: contentHashOf(change) })) ?? new Map()).values(),
  ]
  const [first] = signed
  const agree = signed.filter(
    ({ impact_digest, change_class }) => impact_digest === change.impact_digest && change_class === first!.change_class,
  )
  if (agree.length < RUNNERS || agree.length < signed.length)
    throw notAllowed(
      'REVIEW_STATE_CONFLICT',
      'impact_digest',
      `${change.impact_digest ?? 'none'}, signed by ${agree.length} of ${signed.length} runners`,
      `a digest that ${RUNNERS} runners have signed and none disputes`,
    )
  return change.emergency === null ? first!.change_class : 'emergency'
}

/** Returns the rule of a class; a policy change waits the longer of the old and the new delay. */
function ruleOf(state: GovernanceState, change_class: ChangeClass, { content }: Change): ClassRule | null {
  if (change_class === 'roster') return null
  const before = policyInForce(state)?.document
  if (change_class !== 'policy') return before!.classes[change_class satisfies RuledClass]
  const { classes } = content as unknown as PolicyDocument
  // No index is governed before the first policy, so nothing waits for it.
  if (before === undefined) return { ...classes.policy, comment: 'PT0S', vote: 'PT0S', notice: 'PT0S' }
  return stricterRule(before.classes.policy, classes.policy)
}

/** Refuses a version that would begin before its notice can end. */
function checkStart({ kind, content }: Change, rule: ClassRule | null, decided_at: Micros): void {
  if (kind !== 'index_version') return
  const earliest = decided_at + durationMicros(rule?.notice ?? 'PT0S')
  const begins = textOf(content, 'effective_from')
  if (toMicros(begins, 'effective_from') >= earliest) return
  const allowed = `${formatMicros(earliest)} or later, when its notice can have ended`
  throw notAllowed('VALIDATION_DEFINITION_INVALID', 'effective_from', begins, allowed)
}

function lifetimeOf(state: GovernanceState): Micros {
  const policy = policyInForce(state)
  return policy === null ? FIRST_LIFETIME : durationMicros(policy.document.proposal_lifetime)
}

/** Returns the hash of what a proposal puts in force. */
export function contentHashOf({ content }: Change): string {
  return recordHash(content)
}
