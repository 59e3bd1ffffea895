import { isObject } from '../../primitives/canonical-json.ts'
import { notAllowed } from '../../primitives/errors.ts'
import type { VoteChoice } from '../../vocabulary/governance.ts'
import { VOTE_CHOICES } from '../../vocabulary/governance.ts'
import type { GovernanceAct } from './acts.ts'
import { type Change, proposalIdOf } from './proposal.ts'

/** Longest rationale, reason or comment, in characters. */
const TEXT_MAX = 4000

/** Returns the change that an act proposes. @throws {ServiceError} VALIDATION_DEFINITION_INVALID: details that do not belong to the act */
export function changeOf({ kind, subject_id, details }: GovernanceAct): Change {
  const { base_hash, content, impact_digest, emergency } = details
  if (!isObject(content)) throw invalid('content', content, 'an object')
  const change = {
    kind,
    base_hash: hashOrNull('base_hash', base_hash),
    content: content as Change['content'],
    rationale: textOf(details, 'rationale'),
    impact_digest: hashOrNull('impact_digest', impact_digest),
    emergency: emergency === null ? null : textOf(details, 'emergency'),
  }
  const proposal_id = proposalIdOf(change)
  if (subject_id !== proposal_id) throw invalid('subject_id', subject_id, `${proposal_id}, the hash of the proposal`)
  return change
}

/** Returns the choice of a vote. */
export function choiceOf({ choice }: GovernanceAct['details']): VoteChoice {
  const known = VOTE_CHOICES.find((name) => name === choice)
  if (known !== undefined) return known
  throw invalid('choice', choice, VOTE_CHOICES.join(', '))
}

/** Returns a text of an act's details. */
export function textOf(details: GovernanceAct['details'], field: string): string {
  const value = details[field]
  if (typeof value === 'string' && value.length >= 1 && value.length <= TEXT_MAX) return value
  throw invalid(field, value, `a text of 1 to ${TEXT_MAX} characters`)
}

/** Returns a hash of an act's details. */
export function hashOrNull(field: string, value: unknown): string | null {
  if (value === null || (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value))) return value
  throw invalid(field, value, 'a SHA-256 as 64 lower-case hex digits, or null')
}

function invalid(field: string, value: unknown, allowed: string) {
  const seen = (JSON.stringify(value) ?? 'missing').slice(0, 80)
  return notAllowed('VALIDATION_DEFINITION_INVALID', `${field} of the act`, seen, allowed)
}
