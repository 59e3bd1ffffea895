import { invariant } from '../../primitives/errors.ts'
import { minus, times } from '../../primitives/safe-integers.ts'
import type { Side } from '../../vocabulary/order.ts'
import { HOUSE } from '../ledger/entries.ts'
import { takeTrade } from '../ledger/position.ts'
import { refreshRequirement } from '../ledger/requirement.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import { refuse } from '../market/refuse.ts'
import type { Position } from '../order/order.ts'
import type { ResolutionRow, SettlementRow } from '../projections/rows.ts'
import { type Closing, NOT_SPLIT } from '../projections/settlement-rows.ts'
import type { Execution } from './execution.ts'
import { type Facts, type PaidBefore, positionKey } from './facts.ts'
import { layOut, repayHouse } from './house-outlay.ts'
import { recordSettlement } from './move-settlement.ts'
import { payoutUnits, redemptionOf } from './payouts.ts'
import { takeSlice } from './planned-ends.ts'
import { keepResolution, newestOf } from './record-resolution.ts'
import { knownResolution, marketOf } from './resolution-commands.ts'
import type { OutcomePayout, PaidResolution, PayResolution } from './settlement-commands.ts'
import { accountOf, type Market, type Outcome, poolOf, positionOf } from './state.ts'
import { unpaidPositions } from './unpaid-positions.ts'

/** A revision that is being paid. */
type Paying = {
  readonly execution: Execution
  readonly facts: Facts
  readonly row: ResolutionRow
  readonly market: Market
  /** By outcome_id: the payout as written, and at `payoutScale`. */
  readonly payouts: Payouts
  /** Payouts from the pool of a complementary market: those of the first revision that paid. The house pays the difference. */
  readonly from_pool: Payouts
}

type Payouts = ReadonlyMap<string, { readonly payout: string; readonly units: number }>

const NOTHING_LEFT: PaidResolution = { paid: 0, waiting: 0, done: true }

/**
 * Pays up to `limit` positions of a final resolution, and no more than the slice of the batch allows. A position whose trades are all settled is closed at its payout; a
 * correction moves the difference to what was paid before. A superseded revision pays nothing.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID; nothing has changed
 */
export function payResolution(
  execution: Execution,
  facts: Facts,
  { resolution_id, limit }: PayResolution,
): PaidResolution {
  if (!Number.isInteger(limit) || limit < 1) refuse('limit', String(limit), 'a whole number of at least 1')
  const row = knownResolution(facts, { resolution_id })
  if (row.finality !== 'final') refuse('resolution.finality', row.finality, 'final')
  if (newestOf(facts, row.market_id) !== row) return NOTHING_LEFT
  const paying = payingOf(execution, facts, row)
  const portion = takeSlice(execution, Math.min(limit, payableIn(paying)))
  const corrected = payDifferences(paying, portion)
  const paid = corrected + payPositions(paying, portion - corrected)
  const left = leftOf(paying)
  const paid_at = left.done ? (row.paid_at ?? execution.now) : null
  if (paid > 0 || paid_at !== row.paid_at) {
    keepResolution(execution, facts, { ...row, paid_count: row.paid_count + paid, paid_at })
  }
  return { paid, ...left }
}

/** Returns the answer to a repeated act; it pays nothing. */
export function paidBefore(execution: Execution, facts: Facts, { resolution_id }: PayResolution): PaidResolution {
  const row = knownResolution(facts, { resolution_id })
  if (newestOf(facts, row.market_id) !== row) return NOTHING_LEFT
  return { paid: 0, ...leftOf(payingOf(execution, facts, row)) }
}

function payingOf(execution: Execution, facts: Facts, row: ResolutionRow): Paying {
  const market = marketOf(execution, row)
  const first = firstPaidOf(facts, row)
  return { execution, facts, row, market, payouts: payoutsOf(market, row), from_pool: payoutsOf(market, first) }
}

function payoutsOf({ terms }: Market, { payouts }: ResolutionRow): Payouts {
  const written = payouts as readonly OutcomePayout[]
  return new Map(
    written.map((payout) => [payout.outcome_id, { payout: payout.payout, units: payoutUnits(terms, payout) }]),
  )
}

/** Returns the first revision that paid anything, or the given one: a revision pays sets, all later ones differences to it. */
function firstPaidOf(facts: Facts, row: ResolutionRow): ResolutionRow {
  let first = row
  for (const other of facts.resolutions.values()) {
    if (other.market_id === row.market_id && other.paid_count > 0 && other.revision < first.revision) first = other
  }
  return first
}

function leftOf({ facts, row, market }: Paying): Omit<PaidResolution, 'paid'> {
  const { ready, waiting } = unpaidPositions(market)
  const earlier = facts.paid_before.get(row.resolution_id)
  const corrected = row.revision === 1 || (earlier?.is_whole === true && earlier.positions.size === 0)
  return { waiting: waiting.size, done: waiting.size === 0 && ready.size === 0 && corrected }
}

/** Greatest number of positions that may be paid now. */
function payableIn({ facts, row, market }: Paying): number {
  return readyIn(market).size + (facts.paid_before.get(row.resolution_id)?.positions.size ?? 0)
}

/** Returns the positions that can be paid now: none of a complementary market while its pool waits for a settlement. */
function readyIn(market: Market): Set<Position> {
  const { ready, waiting } = unpaidPositions(market)
  return market.terms.complementary && waiting.size > 0 ? new Set() : ready
}

function payPositions(paying: Paying, limit: number): number {
  const { market } = paying
  const ready = readyIn(market)
  let paid = 0
  for (const position of ready) {
    if (paid === limit) break
    // Its orders are being canceled; until then they count on what it holds.
    const { buys, sells } = position.is_mirrored ? position.complement! : position
    if (buys.oldest !== null || sells.oldest !== null) continue
    const pay = market.terms.complementary ? payHolding : payPosition
    pay(paying, market.outcomes.get(position.outcome_id)!, position)
    ready.delete(position)
    paid += 1
  }
  return paid
}

/**
 * Closes a position at the payout as a trade with the house would: holdings are sold, shorts bought back from their collateral.
 */
function payPosition(paying: Paying, outcome: Outcome, position: Position): void {
  const { execution } = paying
  const { units } = paying.payouts.get(outcome.outcome_id)!
  const { net_quantity } = position
  const { side, quantity, amount, price } = redemptionOf(position.terms, net_quantity, units)
  const settlement = beginPayout(paying, position, 'resolution_payout', side, quantity, amount)
  const house = positionOf(accountOf(execution.state, HOUSE.receivable), outcome)
  takeTrade(position, side, price, quantity)
  takeTrade(house, side === 'BUY' ? 'SELL' : 'BUY', price, quantity)
  house.settled_quantity += net_quantity
  for (const changed of [position, house]) execution.touchPosition(changed)
  execution.begin('resolution', settlement.settlement_id)
  execution.outcome(position.account_id, outcome.outcome_id, 'unsettled', -net_quantity)
  execution.outcome(house.account_id, outcome.outcome_id, 'settled', net_quantity)
  const rise = refreshRequirement(position, null, execution.changes.orders)
  execution.money(position.money, 'available', -rise)
  execution.money(position.money, 'reserved', rise)
  movePending(paying, position, side, amount)
  recordPayout(paying, position, settlement, net_quantity, side === 'SELL' ? amount : -amount, 0)
}

/**
 * Pays a holding of a complementary market from the pool, which takes the outcome back. What a correction between two portions changed is
 * the house's, so that the pool ends at 0.
 */
function payHolding(paying: Paying, outcome: Outcome, position: Position): void {
  const { execution, market } = paying
  const { units } = paying.payouts.get(outcome.outcome_id)!
  const { account_id } = position
  const { quantity, amount, price } = redemptionOf(position.terms, position.net_quantity, units)
  const settlement = beginPayout(paying, position, 'resolution_payout', 'SELL', quantity, amount)
  takeTrade(position, 'SELL', price, quantity)
  const pool = positionOf(poolOf(execution.state, market), outcome)
  pool.net_quantity += quantity
  pool.settled_quantity += quantity
  pool.source_fill_sequence = settlement.engine_sequence
  for (const changed of [position, pool]) execution.touchPosition(changed)
  execution.begin('resolution', settlement.settlement_id)
  execution.outcome(account_id, outcome.outcome_id, 'unsettled', -quantity)
  execution.outcome(pool.account_id, outcome.outcome_id, 'settled', quantity)
  const drawn = times(paying.from_pool.get(outcome.outcome_id)!.units, quantity)
  execution.money(pool.money, 'available', -drawn)
  execution.money(market.clearing, 'available', drawn)
  refreshRequirement(position.is_mirrored ? position.complement! : position, null, execution.changes.orders)
  movePending(paying, position, 'SELL', amount)
  recordPayout(paying, position, settlement, quantity, amount, 0)
}

function payDifferences(paying: Paying, limit: number): number {
  const earlier = paying.facts.paid_before.get(paying.row.resolution_id)
  let paid = 0
  for (const [key, before] of earlier?.positions ?? []) {
    if (paid === limit) return paid
    earlier!.positions.delete(key)
    payDifference(paying, before)
    paid += 1
  }
  return paid
}

/**
 * Books the change that a correction makes to an earlier payment: only money moves, and the house pays what the account cannot
 * return.
 */
function payDifference(paying: Paying, before: PaidBefore): void {
  const { execution } = paying
  const { account_id, outcome_id, net_quantity } = before
  const position = accountOf(execution.state, account_id).positions.get(outcome_id)
  invariant(position !== undefined, `a position of ${account_id} in ${outcome_id} was paid`)
  const { units } = paying.payouts.get(outcome_id)!
  const difference = minus(times(units, net_quantity), before.amount)
  if (difference === 0) {
    recordPayout(paying, position, null, net_quantity, 0, 0)
    return
  }
  const [side, amount]: [Side, number] = difference > 0 ? ['SELL', difference] : ['BUY', -difference]
  const settlement = beginPayout(paying, position, 'resolution_correction', side, Math.abs(net_quantity), amount)
  position.realized_pnl += difference
  execution.touchPosition(position)
  execution.begin('resolution', settlement.settlement_id)
  movePending(paying, position, side, amount)
  const shortfall = layOut(execution, position)
  const { settlement_id } = settlement
  const laid_out = repayHouse(execution, position, shortfall, 'resolution', settlement_id)
  recordPayout(paying, position, settlement, net_quantity, difference, laid_out)
}

/** Books payout money as pending until its settlement is confirmed, like that of a trade. */
function movePending({ execution, market }: Paying, { money }: Position, side: Side, amount: number): void {
  if (side === 'BUY') {
    execution.money(money, 'available', -amount)
    execution.money(money, 'pending_debit', amount)
  } else {
    execution.money(money, 'pending_credit', amount)
    execution.money(market.clearing, 'pending_credit', -amount)
  }
}

/** Records a payout as a settlement without a fill, which a rail settles like any other. */
function beginPayout(
  { execution, facts, row }: Paying,
  { account_id, market_id, outcome_id, terms }: Position,
  kind: 'resolution_payout' | 'resolution_correction',
  side: Side,
  quantity: number,
  notional: number,
): SettlementRow {
  const { now, state } = execution
  return recordSettlement(execution, facts, {
    settlement_id: `stl_${state.engine_sequence + 1}`,
    kind,
    account_id,
    fill_id: null,
    resolution_id: row.resolution_id,
    market_id,
    outcome_id,
    asset_id: terms.settlement_asset_id,
    side,
    quantity,
    notional,
    fee: 0,
    short_credit: 0,
    ...closingOf(terms, kind, side, quantity, notional),
    segments: null,
    state: 'pending',
    rail: null,
    attempt_count: 0,
    attempt_id: null,
    reversal_id: null,
    projection_version: 0,
    engine_sequence: 0,
    created_at: now,
    updated_at: now,
    confirmed_at: null,
  })
}

/** Returns what a payout closes, and the money that its confirmation moves, as a complementary market records them. */
function closingOf(
  { complementary }: MarketTerms,
  kind: 'resolution_payout' | 'resolution_correction',
  side: Side,
  quantity: number,
  amount: number,
): Closing {
  if (!complementary) return NOT_SPLIT
  const [debit_amount, credit_amount] = side === 'BUY' ? [amount, 0] : [0, amount]
  return { closed_quantity: kind === 'resolution_payout' ? quantity : 0, closing_fee: 0, debit_amount, credit_amount }
}

function recordPayout(
  { execution, facts, row, payouts }: Paying,
  { account_id, outcome_id, market_id }: Position,
  settlement: SettlementRow | null,
  net_quantity: number,
  amount: number,
  shortfall: number,
): void {
  const { state, now, changes } = execution
  facts.paid_positions.add(positionKey(account_id, outcome_id))
  changes.payouts.push({
    resolution_id: row.resolution_id,
    account_id,
    outcome_id,
    market_id,
    net_quantity,
    payout: payouts.get(outcome_id)!.payout,
    amount,
    shortfall,
    settlement_id: settlement?.settlement_id ?? null,
    engine_sequence: settlement?.engine_sequence ?? state.engine_sequence,
    at: now,
  })
}
