import type { EligibilityStatus } from '../../vocabulary/market.ts'
import { isIndexEligible, termsOf } from './terms.ts'

/** The policy that decides by the terms of a market's source alone (docs/venue-terms.md), and its version. */
const ELIGIBILITY_POLICY = { policy_id: 'pol_source_terms', policy_version: '1' } as const

/** Reason a market is not eligible. */
type EligibilityReason =
  /** Its prices may not be served, so a level made from them could not be reproduced. */
  | 'PRICES_NOT_PUBLIC'
  /** The terms of its source exclude it from indexes. */
  | 'SOURCE_NOT_ELIGIBLE'

export type Eligibility = {
  readonly status: EligibilityStatus
  readonly policy_id: string
  readonly policy_version: string
  /** Empty if it is eligible. */
  readonly reason_codes: readonly EligibilityReason[]
}

/** Decides whether indexes may use the markets of a source. A change of the terms needs another version of the policy. */
export function eligibilityOf(venue_id: string): Eligibility {
  if (isIndexEligible(venue_id)) return { status: 'eligible', ...ELIGIBILITY_POLICY, reason_codes: [] }
  const reason = termsOf(venue_id)?.public_prices === false ? 'PRICES_NOT_PUBLIC' : 'SOURCE_NOT_ELIGIBLE'
  return { status: 'ineligible', ...ELIGIBILITY_POLICY, reason_codes: [reason] }
}
