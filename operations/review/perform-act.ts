import { type Act, type ActName, type Actor, actIdOf, signedText } from '../../pipelines/review/acts.ts'
import { type Member, memberOfKey } from '../../pipelines/review/roster.ts'
import { type ReviewRow, type ReviewSubject, recordIdOf, type Value } from '../../pipelines/review/subject.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { invariant, ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { openAppendGuard, PlanOvertaken } from '../import/append-guard.ts'
import { finishActs } from './finish-acts.ts'
import { stampOf, withSession } from './review-session.ts'
import type { Signer } from './signing.ts'

/** Who acts, and where. */
export type ReviewPorts = {
  readonly warehouse: Warehouse
  readonly roster: readonly Member[]
  /** null: the service itself, which signs nothing. */
  readonly signer: Signer | null
  /** The instant of the act, which its records are then stamped with; null: now, by the wall clock. */
  readonly at: Micros | null
}

/** What an act is to do, decided from what is published. */
export type Draft = {
  readonly act: ActName
  readonly subject_id: string
  /** The record acted upon; null: the act begins a chain. */
  readonly head: ReviewRow | null
  readonly details: Readonly<Record<string, Value>>
  /** The rows that follow; the first is the act's own step. */
  readonly rows: (by: {
    readonly act_id: string
    readonly actor: Actor
    readonly acted_at: Micros
  }) => readonly ReviewRow[]
}

/** What an act has published. */
export type Performed = { readonly act_id: string; readonly records: readonly ReviewRow[] }

/** Actor of what the service does by itself. */
export const SERVICE: Actor = { actor_id: 'tidemark', roles: [] }

/**
 * Performs one act of review: it is decided, signed, recorded, and its records are published. The act is appended only where nobody
 * has made the same step; an interruption between the two leaves the act, from which the next one publishes its records.
 * @throws {ServiceError} REVIEW_NOT_ALLOWED, REVIEW_STATE_CONFLICT, and what `decide` throws
 */
export async function performAct(
  subject: ReviewSubject,
  ports: ReviewPorts,
  decide: (session: ReadSession, by: { readonly actor: Actor; readonly now: Micros }) => Promise<Draft>,
): Promise<Performed> {
  const { warehouse, signer } = ports
  const guard = await openAppendGuard(warehouse, ['assessment_act'])
  await finishActs(subject, ports)
  const now = ports.at ?? (await warehouse.now())
  const actor: Actor = signer === null ? SERVICE : memberOfKey(ports.roster, signer.public_key, now)
  const draft = await withSession(warehouse, subject, (session) => decide(session, { actor, now }))
  const { act_row, rows, act_id } = describeAct(subject, draft, { actor, now, signer })
  const step = { app_id: act_id, app_sequence: 1, stamp: stampOf(ports.at), operation: 'REVIEW_ACT' }
  try {
    await guard.append('assessment_act', [act_row], step)
  } catch (error) {
    if (error instanceof PlanOvertaken) throw actedFirst(subject, draft)
    throw error
  }
  await warehouse.append(subject.table, rows, { ...step, operation: 'REVIEW' })
  return { act_id, records: rows }
}

type By = { readonly actor: Actor; readonly now: Micros; readonly signer: Signer | null }

function describeAct(subject: ReviewSubject, draft: Draft, { actor, now, signer }: By) {
  const act: Act = {
    act: draft.act,
    subject: subject.table,
    subject_id: draft.subject_id,
    record_id: draft.head === null ? null : recordIdOf(subject, draft.head),
    details: draft.details,
    actor_id: actor.actor_id,
    acted_at: now,
  }
  const [act_id, signed_text] = [actIdOf(act), signedText(act)]
  const rows = draft.rows({ act_id, actor, acted_at: now })
  const [first] = rows
  invariant(first !== undefined, `act ${draft.act} makes no record`)
  const act_row: Row = {
    act_id,
    subject: subject.table,
    subject_id: draft.subject_id,
    chain_id: first.chain_id,
    revision: first.revision,
    act: draft.act,
    actor_id: actor.actor_id,
    roles: actor.roles,
    public_key: signer?.public_key ?? null,
    signed_text,
    signature: signer?.sign(signed_text) ?? null,
    acted_at: formatMicros(now),
    records: canonicalJson(rows),
  }
  return { act_row, rows, act_id }
}

function actedFirst(subject: ReviewSubject, { act, head }: Draft): ServiceError {
  const record_id = head === null ? 'the same record' : recordIdOf(subject, head)
  return new ServiceError('REVIEW_STATE_CONFLICT', `somebody else acted on ${record_id} first; ${act} was not done`, {
    record_id,
  })
}
