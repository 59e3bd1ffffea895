import type { Micros } from '../../primitives/instants.ts'
import type { ReviewState } from '../../vocabulary/review.ts'
import { ASSESSMENT_KINDS, type AssessmentKind } from '../../vocabulary/review.ts'

/** What of a published record decides whether it is the current one. */
export type AssessmentFacts = {
  readonly record_id: string
  /** All revisions of one record; a withdrawal is a revision. */
  readonly chain_id: string
  readonly revision: number
  readonly kind: AssessmentKind
  /** disputed stays current, shown with its dispute. */
  readonly review_state: ReviewState
  readonly effective_from: Micros
  readonly effective_to: Micros | null
  readonly published_at: Micros
  /** The record restates the band of another kind's record while it is in force. */
  readonly overrides: boolean
}

/**
 * The record in force at an instant by what was published up to it (methodology 4.13, 4.17): of each chain its newest visible
 * revision; of those approved or disputed and effective then, an override first, then committee before analyst before model, then
 * the latest effective_from, then the latest published.
 * @param kind one kind alone; null: by precedence
 * @returns null: there is none
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
  const counts = review_state === 'approved' || review_state === 'disputed'
  return counts && effective_from <= at && (effective_to === null || at < effective_to)
}

function byPrecedence(a: AssessmentFacts, b: AssessmentFacts): number {
  const place = ({ kind }: AssessmentFacts) => ASSESSMENT_KINDS.indexOf(kind)
  return (
    Number(b.overrides) - Number(a.overrides) ||
    place(a) - place(b) ||
    b.effective_from - a.effective_from ||
    b.published_at - a.published_at
  )
}
