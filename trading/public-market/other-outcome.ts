import { invariant } from '../../primitives/errors.ts'
import type { PublicOutcome } from './public-market.ts'

/** Returns the other outcome of a complementary market. */
export function otherOutcome(outcome: PublicOutcome): PublicOutcome {
  const other = outcome.market.outcomes.find((one) => one !== outcome)
  invariant(other !== undefined, `${outcome.outcome_id} belongs to a complementary market, which has two outcomes`)
  return other
}
