import { ownerOfKey, type Roster } from '../../pipelines/governance/roster.ts'
import { type Attempt, refusalRow, type Wish, wishText } from '../../pipelines/review/refusal.ts'
import { parseAct, type SignedAct } from '../../pipelines/review/signed-act.ts'
import type { ReviewSubject } from '../../pipelines/review/subject.ts'
import { isServiceError, type ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { isSignedBy, type Signer } from './signing.ts'

/** Runs work; a refusal is recorded before it is thrown. */
export type OnRecord = <T>(work: () => Promise<T>) => Promise<T>

/**
 * @param attempt made, and signed, only where it was refused; null: the service itself acts, whose refusals are its own matter
 */
export function onRecord(warehouse: Warehouse, attempt: (() => Attempt) | null): OnRecord {
  return async (work) => {
    try {
      return await work()
    } catch (error) {
      if (attempt !== null && isRefusal(error)) await record(warehouse, attempt(), error)
      throw error
    }
  }
}

/** Returns a local request for an act, signed so that its author can be proved. */
export function attemptOf(
  subject: ReviewSubject,
  wish: Wish,
  by: { readonly signer: Signer; readonly roster: Roster; readonly acted_at: Micros },
): Attempt {
  const { signer, roster, acted_at } = by
  const { public_key } = signer
  const actor_id = ownerOfKey(roster, public_key)
  const signed_text = wishText(subject.table, wish, { actor_id, acted_at })
  const { act, record_id } = wish
  const signature = signer.sign(signed_text)
  return { subject: subject.table, act, record_id, actor_id, public_key, signed_text, signature, acted_at }
}

/** Returns a request that was signed elsewhere; it names a member only if the signature is valid. */
export function attemptOfSigned(subject: ReviewSubject, signed: SignedAct, roster: Roster): Attempt {
  return attemptOfText(subject.table, signed, roster, parseAct)
}

type ParsedAct = {
  readonly act: string
  /** Record or proposal acted on. */
  readonly record_id?: string | null
  readonly subject_id: string
  readonly acted_at: Micros
}

/** Returns a signed request of any mechanism. @param parse reads its text */
export function attemptOfText(
  subject: Attempt['subject'],
  { signed_text, signature, public_key }: SignedAct,
  roster: Roster,
  parse: (signed_text: string) => ParsedAct,
): Attempt {
  const read = actOf(signed_text, parse)
  const { act = null, acted_at = null } = read ?? {}
  const record_id = read?.record_id === undefined ? (read?.subject_id ?? null) : read.record_id
  const is_theirs = isSignedBy(signed_text, signature, public_key)
  const actor_id = is_theirs ? ownerOfKey(roster, public_key) : null
  return { subject, act, record_id, actor_id, public_key, signed_text, signature, acted_at }
}

function actOf(signed_text: string, parse: (signed_text: string) => ParsedAct) {
  try {
    return parse(signed_text)
  } catch (error) {
    if (isServiceError(error)) return null
    throw error
  }
}

/** Whether the request was refused because it is not allowed or names something unknown; any other error is a fault of the service. */
function isRefusal(error: unknown): error is ServiceError {
  return isServiceError(error) && /^(REVIEW|VALIDATION|GOVERNANCE)_|_NOT_FOUND$/.test(error.code)
}

/** By the wall clock, also where acts are replayed at recorded instants: `acted_at` has the act's. */
async function record(warehouse: Warehouse, attempt: Attempt, error: ServiceError): Promise<void> {
  const row = refusalRow(attempt, error)
  const step = {
    app_id: row.refusal_id,
    app_sequence: 1,
    stamp: { kind: 'wall' },
    operation: 'REVIEW_REFUSAL',
  } as const
  await warehouse.append('refused_act', [row], step)
}
