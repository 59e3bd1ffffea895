import type { Revised } from '../../primitives/append-only.ts'
import { deriveId, type EligibilityId } from '../../primitives/ids.ts'
import { instantText } from '../text/instant-text.ts'
import { type Eligibility, eligibilityOf } from '../venues/eligibility.ts'
import type { ReferenceRecord } from '../venues/record.ts'
import type { Facts } from './economic-difference.ts'
import type { Identities } from './identities.ts'
import type { RevisionRule } from './plan-revisions.ts'

/** Returns a decision in one canonical text. */
export function eligibilityFacts({ status, policy_id, policy_version, reason_codes }: Eligibility): Facts {
  return { kind: status, content: [policy_id, policy_version, ...reason_codes].join('|') }
}

/**
 * Returns the rule of decisions about markets, one per description of a market. A market's chain has a revision for its first
 * description and for every one whose decision differs from the one before.
 */
export function eligibilityRule(ids: Identities): RevisionRule<ReferenceRecord> {
  const factsOf = (r: ReferenceRecord) => eligibilityFacts(eligibilityOf(r.venue_id))
  return {
    chainOf: (r) => ids.marketId(r.venue_id, r.source_market_id),
    idOf: eligibilityId,
    factsOf,
    reasonOf: () => 'DECISION_CHANGED',
    addsNothing(previous, record) {
      const { kind, content } = factsOf(record)
      return kind === previous.kind && content === previous.content
    },
  }
}

/** Returns a row of `market_eligibility`. */
export function eligibilityRow(record: ReferenceRecord, revised: Revised, ids: Identities) {
  return {
    eligibility_id: eligibilityId(record),
    ...revised,
    market_id: ids.marketId(record.venue_id, record.source_market_id),
    ...eligibilityOf(record.venue_id),
    evaluated_at: record.received_at,
  }
}

function eligibilityId({ venue_id, source_market_id, received_at }: ReferenceRecord): EligibilityId {
  return deriveId('elg', venue_id, source_market_id, instantText(received_at))
}
