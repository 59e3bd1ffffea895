import { formatMicros, MICROS_PER_DAY, type Micros, toMicros } from '../../primitives/instants.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import { type AccountSummary, PNL_PERIODS, type PnlPeriod } from '../../protocol/resources/account-summary.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import { unrealizedPnl, valueAtMark } from './position.ts'
import type { BalanceRow, PositionRow } from './rows.ts'

/** A balance after a batch, and the scale of its asset. */
export type MoneyAt = Pick<
  BalanceRow,
  'asset_id' | 'total' | 'reserved' | 'withdrawal_hold' | 'pending_settlement_debit' | 'pending_settlement_credit'
> & { readonly scale: number }

/** A position after a batch, and the mark of its instant. */
export type PositionAt = Pick<
  PositionRow,
  'outcome_id' | 'market_id' | 'net_quantity' | 'average_entry_price' | 'realized_pnl' | 'requirement'
> & { readonly event_id: string | null; readonly market_terms: MarketTerms; readonly mark: number | null }

/** Facts of an account at one instant, and of the beginnings of its periods. */
export type SummaryFacts = {
  readonly account_id: string
  readonly as_of: Micros
  readonly money: readonly MoneyAt[]
  readonly positions: readonly PositionAt[]
  readonly periods: readonly PeriodFacts[]
}
type PeriodFacts = {
  readonly period: PnlPeriod
  readonly from: Micros
  /** Positions at its beginning. */
  readonly positions: readonly PositionAt[]
  /** Fees since then, by asset_id. */
  readonly fees: ReadonlyMap<string, number>
}

const EXPOSURES_MAX = 1000

/** Returns when the periods of an instant began, in UTC. @param opened instant at which the account was opened */
export function periodStarts(at: Micros, opened: Micros): { readonly period: PnlPeriod; readonly from: Micros }[] {
  const days = Math.floor(at / MICROS_PER_DAY)
  const starts = {
    day: days * MICROS_PER_DAY,
    // The first day of the epoch was a Thursday.
    week: (days - ((days + 3) % 7)) * MICROS_PER_DAY,
    month: toMicros(`${formatMicros(at).slice(0, 7)}-01T00:00:00Z`),
    all: opened,
  }
  return PNL_PERIODS.map((period) => ({ period, from: starts[period] }))
}

/** Returns the public form of an account's summary. Sums are of the values that the positions show, to the last digit. */
export function accountSummary(facts: SummaryFacts): AccountSummary {
  const exposed = facts.positions.filter(({ net_quantity, requirement }) => net_quantity !== 0 || requirement !== 0)
  const markets = grouped(exposed, ({ market_id }) => market_id)
  const shown = markets.slice(0, EXPOSURES_MAX)
  const of_events = exposed.filter(({ event_id }) => event_id !== null)
  const events = grouped(of_events, ({ event_id, market_terms }) => `${event_id} ${market_terms.settlement_asset_id}`)
  return {
    account_id: facts.account_id,
    as_of: formatMicros(facts.as_of),
    assets: facts.money.map((money) => assetSummary(money, facts)),
    markets: shown.map((positions) => ({
      market_id: positions[0]!.market_id,
      event_id: positions[0]!.event_id,
      ...exposureOf(positions),
    })),
    events: events
      .slice(0, EXPOSURES_MAX)
      .map((positions) => ({ event_id: positions[0]!.event_id!, ...exposureOf(positions) })),
    exposures_left_out: markets.length - shown.length,
  }
}

function assetSummary(money: MoneyAt, facts: SummaryFacts): AccountSummary['assets'][number] {
  const { asset_id, scale, total, reserved, withdrawal_hold, pending_settlement_debit, pending_settlement_credit } =
    money
  const decimal = (value: number | bigint) => fromScaled(BigInt(value), scale)
  const held = ofAsset(facts.positions, asset_id)
  const holdings = sumOf(held.map(netValue))
  const owned = BigInt(total - pending_settlement_debit + pending_settlement_credit)
  return {
    asset_id,
    total: decimal(total),
    buying_power: decimal(total - reserved - withdrawal_hold - pending_settlement_debit),
    reserved: decimal(reserved),
    withdrawal_hold: decimal(withdrawal_hold),
    pending_settlement_debit: decimal(pending_settlement_debit),
    pending_settlement_credit: decimal(pending_settlement_credit),
    holdings_value: holdings === null ? null : decimal(holdings),
    projected_equity: holdings === null ? null : decimal(owned + holdings),
    missing_mark_outcome_ids: unmarked(held),
    pnl: facts.periods.map((period) => periodPnl(period, held, asset_id, decimal)),
  }
}

function periodPnl(
  { period, from, positions, fees }: PeriodFacts,
  now: readonly PositionAt[],
  asset_id: string,
  decimal: (value: number | bigint) => string,
): AccountSummary['assets'][number]['pnl'][number] {
  const then = ofAsset(positions, asset_id)
  const realized = realizedOf(now) - realizedOf(then)
  const [after, before] = [unrealizedOf(now), unrealizedOf(then)]
  const change = after === null || before === null ? null : after - before
  const fee = BigInt(fees.get(asset_id) ?? 0)
  return {
    period,
    from: formatMicros(from),
    realized_pnl: decimal(realized),
    unrealized_pnl_change: change === null ? null : decimal(change),
    fees: decimal(fee),
    total_pnl: change === null ? null : decimal(realized + change - fee),
    missing_mark_outcome_ids: [...new Set([...unmarked(now), ...unmarked(then)])].sort(),
  }
}

function exposureOf(positions: readonly PositionAt[]) {
  const { settlement_asset_id, asset_scale } = positions[0]!.market_terms
  const decimal = (value: bigint) => fromScaled(value, asset_scale)
  const values = positions.map(netValue)
  const net = sumOf(values)
  const gross = sumOf(values.map((value) => (value !== null && value < 0n ? -value : value)))
  return {
    asset_id: settlement_asset_id,
    net_value: net === null ? null : decimal(net),
    gross_value: gross === null ? null : decimal(gross),
    reserved: decimal(BigInt(positions.reduce((sum, { requirement }) => sum + requirement, 0))),
    missing_mark_outcome_ids: unmarked(positions),
  }
}

/** Returns the groups in the order of their first positions. */
function grouped(positions: readonly PositionAt[], keyOf: (position: PositionAt) => string): PositionAt[][] {
  const groups = new Map<string, PositionAt[]>()
  for (const position of positions) {
    const key = keyOf(position)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [position])
    else group.push(position)
  }
  return [...groups.values()]
}

function ofAsset(positions: readonly PositionAt[], asset_id: string): PositionAt[] {
  return positions.filter(({ market_terms }) => market_terms.settlement_asset_id === asset_id)
}

/** Returns what a position is worth; null: something is held and has no mark. */
function netValue({ market_terms, net_quantity, mark }: PositionAt): bigint | null {
  if (net_quantity === 0) return 0n
  return mark === null ? null : valueAtMark(market_terms, net_quantity, mark)
}

function unrealizedOf(positions: readonly PositionAt[]): bigint | null {
  return sumOf(
    positions.map((position) =>
      position.net_quantity === 0 ? 0n : unrealizedPnl(position, { terms: position.market_terms, mark: position.mark }),
    ),
  )
}

function realizedOf(positions: readonly PositionAt[]): bigint {
  return positions.reduce((sum, { realized_pnl }) => sum + BigInt(realized_pnl), 0n)
}

/** Returns the sum; null if a value is missing, which never counts as zero. */
function sumOf(values: readonly (bigint | null)[]): bigint | null {
  let sum = 0n
  for (const value of values) {
    if (value === null) return null
    sum += value
  }
  return sum
}

function unmarked(positions: readonly PositionAt[]): string[] {
  return positions
    .filter(({ net_quantity, mark }) => net_quantity !== 0 && mark === null)
    .map(({ outcome_id }) => outcome_id)
    .sort()
}
