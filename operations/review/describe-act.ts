import { type Act, type ActName, type Actor, actIdOf, signedText } from '../../pipelines/review/acts.ts'
import { type ReviewRow, type ReviewSubject, recordIdOf, type Value } from '../../pipelines/review/subject.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { invariant } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Signer } from './signing.ts'

/** Effect of an act, decided from published records. */
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

/** An act with everything that its recording writes. */
export type DescribedAct = {
  readonly act_id: string
  readonly act_row: Row
  readonly rows: readonly ReviewRow[]
}

export type By = {
  readonly actor: Actor
  readonly acted_at: Micros
  /** null: the service itself, which signs nothing. */
  readonly signer: Signer | null
}

/** The act that a draft becomes by somebody at an instant, signed, with the records that follow from it. */
export function describeAct(subject: ReviewSubject, draft: Draft, { actor, acted_at, signer }: By): DescribedAct {
  const act: Act = {
    act: draft.act,
    subject: subject.table,
    subject_id: draft.subject_id,
    record_id: draft.head === null ? null : recordIdOf(subject, draft.head),
    details: draft.details,
    actor_id: actor.actor_id,
    acted_at,
  }
  const [act_id, signed_text] = [actIdOf(act), signedText(act)]
  const rows = draft.rows({ act_id, actor, acted_at })
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
    acted_at: formatMicros(acted_at),
    records: canonicalJson(rows),
  }
  return { act_id, act_row, rows }
}
