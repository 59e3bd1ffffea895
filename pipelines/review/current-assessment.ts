import type { Micros } from '../../primitives/instants.ts'
import { ASSESSMENT_KINDS, type AssessmentKind, IN_FORCE_STATES, type ReviewState } from '../../vocabulary/review.ts'

/** Facts of a published record that decide whether it is the current one. */
export type AssessmentFacts = {
  readonly record_id: string
  /** All revisions of one record; a withdrawal is a revision. */
  readonly chain_id: string
  readonly revision: number
  readonly kind: AssessmentKind
  /** A disputed record stays current, shown with its dispute. */
  readonly review_state: ReviewState
  readonly effective_from: Micros
  readonly effective_to: Micros | null
  readonly published_at: Micros
  /** Ordinal of the record in its commit, which decides between records of one instant that are equal in all else. */
  readonly row_ordinal: number
  /** Whether the record overrides the band of another kind's record while it is in force. */
  readonly overrides: boolean
}

/**
 * Returns the record in force at an instant, from what was published up to it (methodology rating-1 §13): of each chain its
 * newest visible revision; among those approved or disputed and effective then, an override first, then committee before
 * analyst before model, then the greatest (effective_from, published_at, revision). `inForceSql` of warehouse/read says the same.
 * @param kind restricts to one kind; null: by precedence
 * @returns null if there is none
 */
export function currentAssessment<F extends AssessmentFacts>(
  records: readonly F[],
  as_of: Micros,
  kind: AssessmentKind | null = null,
): F | null {
  const heads = new Map<string, F>()
  for (const record of records) {
    if (record.published_at > as_of) continue
    const known = heads.get(record.chain_id)
    if (known === undefined || record.revision > known.revision) heads.set(record.chain_id, record)
  }
  const in_force = [...heads.values()].filter(
    (record) => isInForce(record, as_of) && (kind ?? record.kind) === record.kind,
  )
  return in_force.sort(byPrecedence)[0] ?? null
}

function isInForce({ review_state, effective_from, effective_to }: AssessmentFacts, at: Micros): boolean {
  return IN_FORCE_STATES.includes(review_state) && effective_from <= at && (effective_to === null || at < effective_to)
}

function byPrecedence(a: AssessmentFacts, b: AssessmentFacts): number {
  const rank = ({ kind }: AssessmentFacts) => ASSESSMENT_KINDS.indexOf(kind)
  return Number(b.overrides) - Number(a.overrides) || rank(a) - rank(b) || laterFirst(a, b)
}

/** Orders records of one rank: the greatest (effective_from, published_at, revision, row_ordinal) first. */
export function laterFirst(a: AssessmentFacts, b: AssessmentFacts): number {
  return (
    b.effective_from - a.effective_from ||
    b.published_at - a.published_at ||
    b.revision - a.revision ||
    b.row_ordinal - a.row_ordinal
  )
}
