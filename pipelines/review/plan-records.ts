import { FIRST_REVISION } from '../../primitives/append-only.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, MICROS_PER_DAY, type Micros } from '../../primitives/instants.ts'
import { type Actor, checkRole } from './acts.ts'
import type { ReviewRow, ReviewSubject, Value } from './subject.ts'

/** Longest duration of an override, in days. */
const OVERRIDE_DAYS_MAX = 30

export type OverrideProposal = {
  readonly actor: Actor
  readonly act_id: string
  readonly acted_at: Micros
  readonly reason_code: string
  readonly narrative: string
  readonly proposed_value: string
  readonly starts_at: Micros
  readonly expires_at: Micros
}

/**
 * Returns the record that an override proposes, under review: the one in force with another grade, for a limited time.
 * @param base the record in force
 * @throws {ServiceError} REVIEW_NOT_ALLOWED, VALIDATION_RANGE_INVALID
 */
export function planOverride(subject: ReviewSubject, base: ReviewRow, proposal: OverrideProposal): ReviewRow {
  checkRole('override', proposal.actor)
  checkGrade(subject, proposal.proposed_value)
  checkTimes(proposal)
  const { actor, act_id, proposed_value, starts_at, expires_at } = proposal
  const override = {
    override_id: deriveId('ovr', act_id),
    authority: actor.actor_id,
    reason_code: proposal.reason_code,
    narrative: proposal.narrative,
    previous_value: String(base[subject.grade_field]),
    proposed_value,
    starts_at: formatMicros(starts_at),
    expires_at: formatMicros(expires_at),
  }
  return anew(subject, base, act_id, {
    ...restate(subject, base, proposed_value),
    override,
    issuer: { kind: 'committee', issuer_id: actor.actor_id, model_version: null },
    reason_codes: [`OVERRIDE:${proposal.reason_code}`],
    rationale: proposal.narrative,
    effective_from: override.starts_at,
    effective_to: override.expires_at,
    review_state: 'under_review',
    proposed_by: actor.actor_id,
  })
}

/**
 * Returns the record that replaces a disputed one after the dispute is upheld: the committee's, approved, effective from now.
 * @param until end of the decision; null: until it is withdrawn or superseded
 */
export function planDecision(
  subject: ReviewSubject,
  disputed: ReviewRow,
  decision: {
    readonly actor: Actor
    readonly act_id: string
    readonly acted_at: Micros
    readonly grade: string
    readonly text: string
    readonly until: Micros | null
  },
): ReviewRow {
  checkGrade(subject, decision.grade)
  const { actor, act_id, acted_at, until } = decision
  if (until !== null && until <= acted_at)
    throw notAllowed(
      'VALIDATION_RANGE_INVALID',
      'until',
      formatMicros(until),
      `an instant after now (${formatMicros(acted_at)})`,
    )
  return anew(subject, disputed, act_id, {
    ...restate(subject, disputed, decision.grade),
    issuer: { kind: 'committee', issuer_id: actor.actor_id, model_version: null },
    reason_codes: ['DISPUTE_UPHELD'],
    rationale: decision.text,
    effective_from: formatMicros(acted_at),
    effective_to: until === null ? null : formatMicros(until),
    review_state: 'approved',
    proposed_by: actor.actor_id,
  })
}

/** Returns the record that restores the model's assessment when an override has ended. @param base the model's record in force */
export function planRestored(
  subject: ReviewSubject,
  base: ReviewRow,
  ended: { readonly act_id: string; readonly at: string },
): ReviewRow {
  const codes = (base.reason_codes ?? []) as readonly string[]
  return anew(subject, base, ended.act_id, {
    reason_codes: [...codes.filter((code) => code !== 'OVERRIDE_EXPIRED'), 'OVERRIDE_EXPIRED'],
    effective_from: ended.at,
    effective_to: null,
    review_state: 'approved',
    proposed_by: null,
  })
}

/** Returns the first record of a new chain, with every field of `base` that is not set anew. */
export function anew(
  subject: ReviewSubject,
  base: Readonly<Record<string, Value>>,
  act_id: string,
  changes: Readonly<Record<string, Value>>,
): ReviewRow {
  const { published_at: _at, row_ordinal: _ordinal, ...kept } = base
  const chain_id = deriveId(subject.chain_prefix, act_id)
  return {
    ...kept,
    ...Object.fromEntries(subject.program_fields.map((name) => [name, null])),
    ...FIRST_REVISION,
    chain_id,
    [subject.id_field]: deriveId(subject.id_prefix, chain_id, 1),
    override: null,
    dispute: null,
    withdrawal: null,
    act_id,
    ...changes,
  } as unknown as ReviewRow
}

function restate(subject: ReviewSubject, base: ReviewRow, grade: string): Readonly<Record<string, Value>> {
  return {
    ...subject.restated(base, grade),
    [subject.grade_field]: grade,
    [subject.previous_field]: base[subject.grade_field],
    previous_score: base.score,
  }
}

function checkGrade({ grade_field, grades }: ReviewSubject, grade: string): void {
  if (!grades.includes(grade)) throw notAllowed('VALIDATION_RANGE_INVALID', grade_field, grade, grades.join(', '))
}

function checkTimes({ starts_at, expires_at, acted_at }: OverrideProposal): void {
  const latest = starts_at + OVERRIDE_DAYS_MAX * MICROS_PER_DAY
  if (expires_at <= starts_at || expires_at > latest)
    throw notAllowed(
      'VALIDATION_RANGE_INVALID',
      'expires_at',
      formatMicros(expires_at),
      `after ${formatMicros(starts_at)} and not after ${formatMicros(latest)}`,
    )
  if (expires_at <= acted_at)
    throw notAllowed(
      'VALIDATION_RANGE_INVALID',
      'expires_at',
      formatMicros(expires_at),
      `after now (${formatMicros(acted_at)})`,
    )
}
