import { durationMicros, formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import type { FeeSchedule } from '../../../protocol/resources/fee-schedule.ts'
import { accountSummary } from '../../../trading/projections/account-summary.ts'
import type { FeeScheduleRead } from '../../../trading/store/read/trading-reads.ts'
import { missing } from '../../missing-resource.ts'
import { type PrivateAnswer, type PrivateHandlers, type PrivateRequest, shown } from '../private-request.ts'
import { partOf, shownPage, textOrNull } from './parameters.ts'
import { settledAsOf } from './settled-as-of.ts'

export const SUMMARY_READ_ROUTES = {
  get_account_summary: getAccountSummary,
  list_equity_history: listEquityHistory,
  list_fee_schedules: listFeeSchedules,
} as const satisfies Partial<PrivateHandlers>

async function getAccountSummary(request: PrivateRequest): Promise<PrivateAnswer> {
  const { trading, caller } = request
  const { head, facts } = await trading.reads.summary(caller.account_id, await settledAsOf(request))
  return shown(accountSummary(facts), { head })
}

async function listEquityHistory(request: PrivateRequest): Promise<PrivateAnswer> {
  const { trading, caller, now } = request
  const instants = instantsOf(request).filter((at) => at <= now)
  await settledAsOf({ ...request, as_of: instants.at(-1) ?? null })
  const { points } = await trading.reads.equity(caller.account_id, textOrNull(request, 'asset_id'), instants)
  return shown(points)
}

/** Returns the multiples of the interval in the range; the shape of the request bounds their number. */
function instantsOf({ parameters }: PrivateRequest): Micros[] {
  const [start, end] = [toMicros(`${parameters.start_time}`), toMicros(`${parameters.end_time}`)]
  const interval = durationMicros(parameters.interval)
  const first = Math.ceil(start / interval)
  const count = Math.max(0, Math.ceil(end / interval) - first)
  return Array.from({ length: count }, (_, n) => (first + n) * interval)
}

async function listFeeSchedules(request: PrivateRequest): Promise<PrivateAnswer> {
  const { trading } = request
  const market_id = textOrNull(request, 'market_id')
  if (market_id !== null && !(await trading.reads.hasMarket(market_id))) throw missing('traded_market', market_id)
  const page = await trading.reads.feeSchedules(textOrNull(request, 'schedule_id'), market_id, partOf(request))
  return shownPage(request, page, {
    keyOf: ({ schedule_id, schedule_version }) => [schedule_id, schedule_version],
    recordOf: feeScheduleOf,
  })
}

function feeScheduleOf(row: FeeScheduleRead): FeeSchedule {
  const { schedule_id, schedule_version, taker_rate, maker_rate, at, superseded_at, market_count } = row
  return {
    ...{ schedule_id, schedule_version, taker_rate, maker_rate },
    effective_from: formatMicros(at),
    superseded_at: superseded_at === null ? null : formatMicros(superseded_at),
    market_count,
  }
}
