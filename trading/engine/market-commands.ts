import { feeSchedule } from '../ledger/fees.ts'
import { marketTerms } from '../market/market-terms.ts'
import { refuse } from '../market/refuse.ts'
import type { Order } from '../order/order.ts'
import { floorAtScale } from '../order/written-decimal.ts'
import type { AddMarket, MoveMarket, SetMark } from './commands.ts'
import type { Execution } from './execution.ts'
import { useSchedule } from './fee-commands.ts'
import { finishPauses, markPaused } from './pause-orders.ts'
import { houseBalance, listOutcomes, MARK_SCALE, type Market, type MarketStatus } from './state.ts'
import { endOrder, moveOrder, takeOut } from './working-orders.ts'

/** Where a market may go (decisions 4 "Market moves"). */
export const MARKET_MOVES: Readonly<Record<MarketStatus, readonly MarketStatus[]>> = {
  scheduled: ['open'],
  open: ['paused', 'closed'],
  paused: ['open', 'closed'],
  closed: ['resolving'],
  resolving: ['resolved', 'voided', 'closed'],
  resolved: ['archived'],
  voided: ['archived'],
  archived: [],
}

/** Lists a market: scheduled, until it is opened. @throws {ServiceError} VALIDATION_USAGE_INVALID */
export function addMarket(execution: Execution, command: AddMarket): void {
  const { market_id, outcome_ids, actor, reason, terms, listing = null } = command
  const { state, now } = execution
  if (state.markets.has(market_id)) refuse('market_id', market_id, 'an id that is not listed yet')
  checkOutcomes(execution, outcome_ids)
  const asset = state.assets.get(terms.settlement_asset_id)
  if (asset === undefined) refuse('settlement_asset_id', terms.settlement_asset_id, 'an asset that is known')
  const { schedule_id, schedule_version, ...rates } = command.fees
  const measured = marketTerms(terms, asset.scale)
  const market: Market = {
    market_id,
    terms: measured,
    listed: { terms, listing },
    outcomes: new Map(),
    created_at: now,
    updated_at: now,
    status: 'scheduled',
    fees: useSchedule(execution, feeSchedule(schedule_id, schedule_version, rates)),
    clearing: houseBalance(state, 'clearing', asset.asset_id),
    fee_income: houseBalance(state, 'fees', asset.asset_id),
  }
  listOutcomes(market, outcome_ids)
  state.markets.set(market_id, market)
  tellMarket(execution, market, actor, reason)
}

/**
 * Moves a market. Paused: orders with cancel_on_pause are marked, and canceled in the batches that follow; the others are suspended
 * in their places. Open again: they go on. Closed: everything that rests is canceled.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID where the move is not in the table
 */
export function moveMarket(execution: Execution, { market_id, to, actor, reason }: MoveMarket): void {
  const market = execution.state.markets.get(market_id)
  if (market === undefined) refuse('market_id', market_id, 'a listed market')
  if (!MARKET_MOVES[market.status].includes(to)) {
    refuse('status', to, MARKET_MOVES[market.status].join(', ') || `nothing: the market is ${market.status}`)
  }
  if (market.status === 'paused') finishPauses(execution)
  market.status = to
  market.updated_at = execution.now
  tellMarket(execution, market, actor, reason)
  const resting = [...execution.state.orders.values()].filter(({ intent }) => intent.market_id === market_id)
  if (to === 'paused') for (const order of resting) pauseOrder(execution, order)
  if (to === 'open') for (const order of resting) resumeOrder(execution, order)
  if (to === 'closed') for (const order of resting) closeOrder(execution, order)
}

/** A price of reference, for bands and P&L. @throws {ServiceError} VALIDATION_USAGE_INVALID */
export function setMark(execution: Execution, { market_id, outcome_id, mark }: SetMark): void {
  const market = execution.state.markets.get(market_id)
  const outcome = market?.outcomes.get(outcome_id)
  if (market === undefined || outcome === undefined)
    refuse('outcome_id', outcome_id, `an outcome of market ${market_id}`)
  outcome.mark = mark === null ? null : floorAtScale(mark, MARK_SCALE)
  execution.changes.markets.add(market)
}

function checkOutcomes({ state }: Execution, outcome_ids: readonly string[]): void {
  if (outcome_ids.length < 2) refuse('outcome_ids', outcome_ids.join(), 'at least two outcomes')
  const seen = new Set<string>()
  const listed = (id: string) => [...state.markets.values()].some(({ outcomes }) => outcomes.has(id))
  for (const outcome_id of outcome_ids) {
    if (seen.has(outcome_id) || listed(outcome_id)) refuse('outcome_id', outcome_id, 'an id that is not listed yet')
    seen.add(outcome_id)
  }
}

function tellMarket(execution: Execution, market: Market, actor: string, reason: string): void {
  const { market_id, status } = market
  execution.changes.markets.add(market)
  const engine_sequence = execution.nextSequence()
  execution.tell({ engine_sequence, at: execution.now, kind: 'market', market_id, status, actor, reason })
}

function pauseOrder(execution: Execution, order: Order): void {
  if (order.intent.cancel_on_pause) markPaused(execution, order)
  else moveOrder(execution, order, 'suspended')
}

function resumeOrder(execution: Execution, order: Order): void {
  if (order.status === 'suspended') moveOrder(execution, order, order.filled_quantity > 0 ? 'partially_filled' : 'open')
}

function closeOrder(execution: Execution, order: Order): void {
  takeOut(execution, order)
  endOrder(execution, order, 'canceled', 'MARKET_CLOSED')
}
