import { memberOfKey, type Roster } from '../../pipelines/governance/roster.ts'
import type { Actor } from '../../pipelines/review/acts.ts'
import { checkNewAct } from '../../pipelines/review/new-act.ts'
import type { Wish } from '../../pipelines/review/refusal.ts'
import type { SignedAct } from '../../pipelines/review/signed-act.ts'
import { type ReviewRow, type ReviewSubject, recordIdOf } from '../../pipelines/review/subject.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type AppendGuard, openAppendGuard, PlanOvertaken } from '../import/append-guard.ts'
import { type DescribedAct, type Draft, describeAct } from './describe-act.ts'
import { finishActs } from './finish-acts.ts'
import { attemptOf, onRecord } from './record-refusal.ts'
import { stampOf, withSession } from './review-session.ts'
import type { Signer } from './signing.ts'

/** The acting member and the warehouse. */
export type ReviewPorts = {
  readonly warehouse: Warehouse
  readonly roster: Roster
  /** null: the service itself, which signs nothing. */
  readonly signer: Signer | null
  /** The instant of the act, which its records are then stamped with; null: now, by the wall clock. */
  readonly at: Micros | null
  /** Facts whose hosts may be evidence of a rating; null or left out: the published ones. */
  readonly facts?: string | null
  /** Hands the signed act to the review of its chain, which performs it; left out: it is performed here. */
  readonly deliver?: ((signed: SignedAct, chain_id: string) => Promise<Performed>) | undefined
}

/** Records that an act has published. */
export type Performed = { readonly act_id: string; readonly records: readonly ReviewRow[] }

type Decide = (session: ReadSession, by: { readonly actor: Actor; readonly now: Micros }) => Promise<Draft>

/** Actor of what the service does by itself. */
export const SERVICE: Actor = { actor_id: 'tidemark', roles: [] }

/**
 * Performs one act of review: it is decided, signed, recorded, and its records are published. The act is appended only where nobody
 * has made the same step; an interruption between the two leaves the act, from which the next one publishes its records. What is
 * refused is recorded as well, signed, with the reason.
 * @param wish what is asked for, as a refusal keeps it
 * @throws {ServiceError} REVIEW_NOT_ALLOWED, REVIEW_STATE_CONFLICT, and what `decide` throws
 */
export async function performAct(
  subject: ReviewSubject,
  ports: ReviewPorts,
  wish: Wish,
  decide: Decide,
): Promise<Performed> {
  const { warehouse, signer, roster } = ports
  const guard = await openAppendGuard(warehouse, ['assessment_act'])
  await finishActs(subject, ports)
  const now = ports.at ?? (await warehouse.now())
  const attempt = signer === null ? null : () => attemptOf(subject, wish, { signer, roster, acted_at: now })
  const recorded = onRecord(warehouse, attempt)
  const { draft, described } = await recorded(() => decideAct(subject, ports, now, decide))
  if (signer !== null && ports.deliver !== undefined) {
    const { signed_text, signature, public_key } = described.act_row as SignedAct
    return ports.deliver({ signed_text, signature, public_key }, described.rows[0]!.chain_id)
  }
  return recorded(() => recordAct(subject, ports, guard, draft, described))
}

async function decideAct(subject: ReviewSubject, ports: ReviewPorts, now: Micros, decide: Decide) {
  const { warehouse, signer, roster } = ports
  const actor: Actor = signer === null ? SERVICE : memberOfKey(roster, signer.public_key, now)
  const draft = await withSession(warehouse, subject, (session) => decide(session, { actor, now }))
  if (signer !== null) checkNewAct(draft)
  return { draft, described: describeAct(subject, draft, { actor, acted_at: now, signer }) }
}

/**
 * Appends an act, and then the records that follow from it. @param guard opened before the draft's records were read
 * @throws {ServiceError} REVIEW_STATE_CONFLICT: somebody has made the same step
 */
export async function recordAct(
  subject: ReviewSubject,
  { warehouse, at }: Pick<ReviewPorts, 'warehouse' | 'at'>,
  guard: AppendGuard,
  draft: Draft,
  { act_id, act_row, rows }: DescribedAct,
): Promise<Performed> {
  const step = { app_id: act_id, app_sequence: 1, stamp: stampOf(at), operation: 'REVIEW_ACT' }
  try {
    await guard.append('assessment_act', [act_row], step)
  } catch (error) {
    if (error instanceof PlanOvertaken) throw actedFirst(subject, draft)
    throw error
  }
  await warehouse.append(subject.table, rows, { ...step, operation: 'REVIEW' })
  return { act_id, records: rows }
}

/** The refusal of an act upon a record that another act has changed since. */
export function actedFirst(subject: ReviewSubject, { act, head }: Pick<Draft, 'act' | 'head'>): ServiceError {
  const record_id = head === null ? 'the same record' : recordIdOf(subject, head)
  return new ServiceError(
    'REVIEW_STATE_CONFLICT',
    `${record_id} was changed by another act first; ${act} was not done`,
    {
      record_id,
    },
  )
}
