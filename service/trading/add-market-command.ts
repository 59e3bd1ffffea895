import { ServiceError } from '../../primitives/errors.ts'
import type { OperatorCommand } from '../../trading/engine/submission.ts'
import type { FeeScheduleRead } from '../../trading/store/operator/operator-reads.ts'
import type { MarketToList } from './market-file.ts'

type AddMarket = Extract<OperatorCommand, { readonly kind: 'add_market' }>

/**
 * Returns the command that lists a market. The file must repeat the current rates of an existing fee schedule; only `tidemark fees set`
 * changes them.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID: other rates
 */
export function addMarketCommand(market: MarketToList, schedules: readonly FeeScheduleRead[]): AddMarket {
  const { market_id, event_id = null, title, outcomes, rules = null, schedule = null, trading_parameters } = market
  const { dispute_window = null } = market
  return {
    kind: 'add_market',
    market_id,
    outcome_ids: outcomes.map(({ outcome_id }) => outcome_id),
    terms: trading_parameters,
    fees: feesOf(market.fees, schedules),
    listing: {
      event_id,
      title,
      outcome_labels: Object.fromEntries(outcomes.map(({ outcome_id, label }) => [outcome_id, label])),
      rules,
      schedule,
      ...(dispute_window !== null && { dispute_window }),
    },
  }
}

function feesOf(asked: MarketToList['fees'], schedules: readonly FeeScheduleRead[]): AddMarket['fees'] {
  const { schedule_id, taker_rate, maker_rate = '0' } = asked
  const known = schedules.filter((schedule) => schedule.schedule_id === schedule_id)
  const newest = known.reduce<FeeScheduleRead | null>(
    (best, schedule) => (best === null || schedule.schedule_version > best.schedule_version ? schedule : best),
    null,
  )
  if (newest === null) return { schedule_id, schedule_version: 1, taker_rate, maker_rate }
  const { schedule_version, taker_rate: known_taker, maker_rate: known_maker } = newest
  if (known_taker === taker_rate && known_maker === maker_rate) {
    return { schedule_id, schedule_version, taker_rate, maker_rate }
  }
  throw new ServiceError(
    'VALIDATION_DEFINITION_INVALID',
    `market.fees is ${schedule_id} with rates ${taker_rate} and ${maker_rate}; allowed: those of its version ${schedule_version}, ` +
      `${known_taker} and ${known_maker}, until \`tidemark fees set\` changes them`,
    { schedule_id },
  )
}
