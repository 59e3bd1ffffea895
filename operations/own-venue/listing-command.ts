import { plainText } from '../../primitives/plain-text.ts'
import type { OperatorCommand } from '../../trading/engine/submission.ts'
import type { ListedTerms } from '../../trading/market/market-terms.ts'
import type { FeeScheduleRead } from '../../trading/store/operator/operator-reads.ts'
import { type ListingPolicy, listedMarketId, listedOutcomeId, referenceUrn } from './listing-policy.ts'
import type { ReferenceMarket } from './reference-markets.ts'

type AddMarket = Extract<OperatorCommand, { readonly kind: 'add_market' }>

/** The command that lists a market for a reference: its event, texts, rules and schedule, and the terms of the policy. */
export function listingCommand(
  reference: ReferenceMarket,
  { trading_parameters, fees, dispute_window }: ListingPolicy,
  schedules: readonly FeeScheduleRead[],
): AddMarket {
  const { market_id, event_id, title, outcomes, rules, schedule } = reference
  const sources = (rules?.resolution_sources ?? []) as readonly string[]
  return {
    kind: 'add_market',
    market_id: listedMarketId(market_id),
    outcome_ids: outcomes.map(({ outcome_id }) => listedOutcomeId(outcome_id)),
    terms: termsOf(reference, trading_parameters),
    fees: feesInForce(fees, schedules),
    listing: {
      event_id,
      // Venues name their markets; what we list has no characters that make a text look like another one.
      title: plainText(title),
      outcome_labels: Object.fromEntries(
        outcomes.map(({ outcome_id, label }) => [listedOutcomeId(outcome_id), plainText(label)]),
      ),
      rules: { ...rules, resolution_sources: [referenceUrn(market_id), ...sources] },
      schedule,
      dispute_window,
    },
  }
}

/** Only two outcomes can share a ladder. */
function termsOf({ outcomes }: ReferenceMarket, { complementary = false, ...terms }: ListedTerms): ListedTerms {
  return complementary && outcomes.length === 2 ? { ...terms, complementary } : terms
}

/** The newest version of the schedule; where it is not known, its first one. */
function feesInForce(asked: ListingPolicy['fees'], schedules: readonly FeeScheduleRead[]): AddMarket['fees'] {
  const versions = schedules.filter(({ schedule_id }) => schedule_id === asked.schedule_id)
  const newest = versions.toSorted((a, b) => a.schedule_version - b.schedule_version).at(-1)
  const { schedule_id, schedule_version, taker_rate, maker_rate } = newest ?? { ...asked, schedule_version: 1 }
  return { schedule_id, schedule_version, taker_rate, maker_rate }
}
