import { checkAge } from '../../pipelines/governance/authority.ts'
import { memberOfKey, type Roster } from '../../pipelines/governance/roster.ts'
import { checkNewAct } from '../../pipelines/review/new-act.ts'
import { parseAct, type SignedAct } from '../../pipelines/review/signed-act.ts'
import type { ReviewRow, ReviewSubject } from '../../pipelines/review/subject.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type AppendGuard, openAppendGuard } from '../import/append-guard.ts'
import { describeAct } from './describe-act.ts'
import { draftOfAct } from './draft-of-act.ts'
import { finishActs } from './finish-acts.ts'
import { actedFirst, type Performed, recordAct } from './perform-act.ts'
import { attemptOfSigned, onRecord } from './record-refusal.ts'
import { withSession } from './review-session.ts'
import { isSignedBy } from './signing.ts'

type SignedActPorts = {
  readonly warehouse: Warehouse
  readonly roster: Roster
  readonly facts?: string | null
}

/**
 * Performs an act that its actor has signed elsewhere: its effect is derived again from published records and must be exactly as signed.
 * A repeated act has no further effect and the same answer. A refusal is recorded.
 * @throws {ServiceError} REVIEW_NOT_ALLOWED, REVIEW_STATE_CONFLICT, VALIDATION_DEFINITION_INVALID, what the act's operation throws
 */
export async function performSignedAct(
  subject: ReviewSubject,
  ports: SignedActPorts,
  signed: SignedAct,
): Promise<Performed> {
  const { warehouse, roster } = ports
  const guard = await openAppendGuard(warehouse, ['assessment_act'])
  await finishActs(subject, { warehouse, at: null })
  const recorded = onRecord(warehouse, () => attemptOfSigned(subject, signed, roster))
  return recorded(() => perform(subject, ports, signed, guard))
}

async function perform(
  subject: ReviewSubject,
  ports: SignedActPorts,
  signed: SignedAct,
  guard: AppendGuard,
): Promise<Performed> {
  const { warehouse, roster } = ports
  const { act_id, ...act } = parseAct(signed.signed_text)
  const known = await findAct(warehouse, subject, act_id)
  if (known !== null) return known
  const now = await warehouse.now()
  if (act.subject !== subject.table) throw notAllowed('REVIEW_NOT_ALLOWED', 'subject', act.subject, subject.table)
  checkAge(act.acted_at, now)
  checkSignature(signed)
  memberOfKey(roster, signed.public_key, now)
  const actor = memberOfKey(roster, signed.public_key, act.acted_at)
  if (actor.actor_id !== act.actor_id)
    throw notAllowed('REVIEW_NOT_ALLOWED', 'actor_id', act.actor_id, `${actor.actor_id}, whose key it is`)
  checkNewAct(act)
  const draft = await withSession(warehouse, subject, (session) =>
    draftOfAct(session, subject, act, { facts: ports.facts ?? null }),
  )
  const signer = { public_key: signed.public_key, sign: () => signed.signature }
  const described = describeAct(subject, draft, { actor, acted_at: act.acted_at, signer })
  if (described.act_id !== act_id) throw actedFirst(subject, draft)
  return recordAct(subject, { warehouse, at: null }, guard, draft, described)
}

/** An act that is recorded, with its records; null: nobody has performed it. */
export async function findAct(warehouse: Warehouse, subject: ReviewSubject, act_id: string): Promise<Performed | null> {
  const [found] = await withSession(warehouse, subject, (session) =>
    session.query(readSql(import.meta.url, 'sql/act_by_id.sql'), { act_id }),
  )
  return found === undefined ? null : { act_id, records: JSON.parse(String(found.records)) as ReviewRow[] }
}

/** Refuses a text that its key has not signed. @throws {ServiceError} REVIEW_NOT_ALLOWED */
export function checkSignature({ signed_text, signature, public_key }: SignedAct): void {
  if (!isSignedBy(signed_text, signature, public_key))
    throw notAllowed(
      'REVIEW_NOT_ALLOWED',
      'signature',
      `${signature.slice(0, 16)}…`,
      'the signature of exactly signed_text by the key',
    )
}
