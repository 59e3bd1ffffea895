import { invariant } from '../../primitives/errors.ts'
import { feeSchedule } from '../ledger/fees.ts'
import { marketTerms } from '../market/market-terms.ts'
import { refuse } from '../market/refuse.ts'
import type { Order } from '../order/order.ts'
import { floorAtScale } from '../order/written-decimal.ts'
import { cancelWorking } from './cancel-order.ts'
import type { AddMarket, MoveMarket, SetMark } from './commands.ts'
import type { Execution } from './execution.ts'
import { listOutcomes, MARK_SCALE, type Market, type MarketStatus } from './state.ts'
import { endOrder, moveOrder, takeOut } from './working-orders.ts'

/** Where a market may go (decisions 4 "Market moves"). */
export const MARKET_MOVES: Readonly<Record<MarketStatus, readonly MarketStatus[]>> = {
  scheduled: ['open', 'voided'],
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
  const { market_id, outcome_ids, actor, reason } = command
  const { state } = execution
  if (state.markets.has(market_id)) refuse('market_id', market_id, 'an id that is not listed yet')
  const asset = state.assets.get(command.terms.settlement_asset_id)
  if (asset === undefined) refuse('settlement_asset_id', command.terms.settlement_asset_id, 'an asset that is known')
  const { schedule_id, schedule_version, ...rates } = command.fees
  const market: Market = {
    market_id,
    terms: marketTerms(command.terms, asset.scale),
    outcomes: new Map(),
    status: 'scheduled',
    fees: feeSchedule(schedule_id, schedule_version, rates),
  }
  listOutcomes(market, outcome_ids)
  state.markets.set(market_id, market)
  execution.tell({ kind: 'market', market_id, status: 'scheduled', actor, reason })
}

/**
 * Moves a market. Paused: orders with cancel_on_pause are canceled, the others suspended in their places. Open again: they go on.
 * Closed: everything that rests is canceled.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID where the move is not in the table
 */
export function moveMarket(execution: Execution, { market_id, to, actor, reason }: MoveMarket): void {
  const market = execution.state.markets.get(market_id)
  if (market === undefined) refuse('market_id', market_id, 'a listed market')
  if (!MARKET_MOVES[market.status].includes(to)) {
    refuse('status', to, MARKET_MOVES[market.status].join(', ') || `nothing: the market is ${market.status}`)
  }
  market.status = to
  execution.tell({ kind: 'market', market_id, status: to, actor, reason })
  const resting = [...execution.state.orders.values()].filter((order) => order.market_id === market_id)
  if (to === 'paused') for (const order of resting) pauseOrder(execution, order)
  if (to === 'open') for (const order of resting) resumeOrder(execution, order)
  if (to === 'closed') for (const order of resting) closeOrder(execution, order)
}

/** A price of reference, for bands and P&L. */
export function setMark({ state }: Execution, { market_id, outcome_id, mark }: SetMark): void {
  const outcome = state.markets.get(market_id)?.outcomes.get(outcome_id)
  invariant(outcome !== undefined, `a mark is of a listed outcome, not ${outcome_id}`)
  outcome.mark = mark === null ? null : floorAtScale(mark, MARK_SCALE)
}

function pauseOrder(execution: Execution, order: Order): void {
  if (order.cancel_on_pause) cancelWorking(execution, order, 'CANCEL_ON_PAUSE')
  else moveOrder(execution, order, 'suspended')
}

function resumeOrder(execution: Execution, order: Order): void {
  if (order.status === 'suspended') moveOrder(execution, order, order.filled_quantity > 0 ? 'partially_filled' : 'open')
}

function closeOrder(execution: Execution, order: Order): void {
  takeOut(execution, order)
  endOrder(execution, order, 'canceled', 'MARKET_CLOSED')
}
