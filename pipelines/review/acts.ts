import { canonicalJson } from '../../primitives/canonical-json.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { ROSTER_ROLES, type RosterRole } from '../../vocabulary/governance.ts'
import type { ReviewSubject, Value } from './subject.ts'

/** Acts of people; `expire` is performed by the service. */
export const ACTS = [
  'submit',
  'approve',
  'return',
  'dispute',
  'reject_dispute',
  'uphold_dispute',
  'withdraw',
  'override',
  'expire',
] as const
export type ActName = (typeof ACTS)[number]

/** Actor of a review. */
export type Actor = { readonly actor_id: string; readonly roles: readonly RosterRole[] }

/** One act, as signed. */
export type Act = {
  readonly act: ActName
  readonly subject: ReviewSubject['table']
  /** mkt_... or evt_... */
  readonly subject_id: string
  /** The record acted upon; null: the act creates the first record of its chain. */
  readonly record_id: string | null
  readonly details: Readonly<Record<string, Value>>
  readonly actor_id: string
  readonly acted_at: Micros
}

/** Returns the exact text that an actor signs: RFC 8785, so that everybody derives the same bytes. */
export function signedText({ acted_at, ...act }: Act): string {
  return canonicalJson({ statement: 'tidemark.review.v1', ...act, acted_at: formatMicros(acted_at) })
}

/** Returns the id of an act, derived from the signed text: the same text is the same act. */
export function actIdOf(act: Act): string {
  return deriveId('act', signedText(act))
}

const ALLOWED: Readonly<Record<ActName, readonly RosterRole[] | 'service'>> = {
  submit: ['analyst', 'committee'],
  override: ['analyst', 'committee'],
  approve: ['committee'],
  return: ['committee'],
  dispute: ROSTER_ROLES,
  reject_dispute: ['committee'],
  uphold_dispute: ['committee'],
  withdraw: ['committee'],
  expire: 'service',
}

/** Refuses an act for which the actor has no role. @throws {ServiceError} REVIEW_NOT_ALLOWED */
export function checkRole(act: ActName, { actor_id, roles }: Actor): void {
  const allowed = ALLOWED[act]
  if (allowed === 'service' || roles.some((role) => allowed.includes(role))) return
  throw new ServiceError(
    'REVIEW_NOT_ALLOWED',
    `actor is ${actor_id} with the roles ${roles.join(', ')}; allowed to ${act}: ${allowed.join(', ')}`,
    { field: 'actor', value: actor_id },
  )
}
