import { type FeeSchedule, feeSchedule } from '../ledger/fees.ts'
import { refuse } from '../market/refuse.ts'
import type { Execution } from './execution.ts'
import type { OperatorCommand } from './submission.ts'

export type SetFees = Extract<OperatorCommand, { kind: 'set_fees' }>

/**
 * Puts the next version of a fee schedule in force for the named markets. Working orders keep theirs.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: a rate out of bounds, a market that is not listed
 */
export function setFees(
  execution: Execution,
  { schedule_id, taker_rate, maker_rate, market_ids }: SetFees,
): FeeSchedule {
  const { state, changes } = execution
  const markets = market_ids.map((id) => state.markets.get(id) ?? refuse('market_id', id, 'a listed market'))
  const schedule_version = (state.fee_schedules.get(schedule_id)?.schedule_version ?? 0) + 1
  const schedule = useSchedule(execution, feeSchedule(schedule_id, schedule_version, { taker_rate, maker_rate }))
  for (const market of markets) {
    market.fees = schedule
    market.updated_at = execution.now
    changes.markets.add(market)
  }
  return schedule
}

/**
 * Returns the known schedule of this id and version, or adds this one as the next.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the version is known with other rates, or is not the next
 */
export function useSchedule({ state, now, changes }: Execution, schedule: FeeSchedule): FeeSchedule {
  const { schedule_id, schedule_version } = schedule
  const newest = state.fee_schedules.get(schedule_id)
  if (newest?.schedule_version === schedule_version) {
    if (sameRates(newest, schedule)) return newest
    refuse(
      'schedule_version',
      String(schedule_version),
      `${schedule_version + 1} for rates that are not those in force`,
    )
  }
  const next = (newest?.schedule_version ?? 0) + 1
  if (schedule_version !== next) refuse('schedule_version', String(schedule_version), String(next))
  state.fee_schedules.set(schedule_id, schedule)
  changes.fee_schedules.push({ ...schedule, at: now })
  return schedule
}

function sameRates(a: FeeSchedule, b: FeeSchedule): boolean {
  return a.taker_rate * b.divisor === b.taker_rate * a.divisor && a.maker_rate * b.divisor === b.maker_rate * a.divisor
}
