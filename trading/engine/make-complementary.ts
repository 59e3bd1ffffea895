import { poolAccountId } from '../ledger/entries.ts'
import { AVERAGE_SCALE, takeTrade } from '../ledger/position.ts'
import { type MarketTerms, marketTerms } from '../market/market-terms.ts'
import { refuse } from '../market/refuse.ts'
import type { Position } from '../order/order.ts'
import { openHouseAccount } from './account-commands.ts'
import type { Execution } from './execution.ts'
import { publishMarket } from './market-status.ts'
import { massCancel } from './mass-cancel.ts'
import type { ActOf } from './move-settlement.ts'
import { moveSettledSets } from './pool.ts'
import { type Account, accountOf, addOutcome, type Market, positionOf } from './state.ts'
import type { MakeComplementary } from './submission.ts'

/** Orders and settlements that a paused market waits for before both of its outcomes can share a ladder. */
type Waiting = { readonly is_done: boolean; readonly orders_left: number; readonly settlements_left: number }

/** A price of 1, at `AVERAGE_SCALE`. */
const ONE = 10 ** AVERAGE_SCALE

/**
 * Turns a market with two books into a complementary one. The first call cancels what rests; a call that finds neither orders nor
 * settlements under way changes the market. Equal quantities of both outcomes become money, and n short of one outcome become n of the
 * other, paid from their collateral: what each outcome pays to an account stays the same.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the market is not paused, has other outcomes or an unsymmetric grid, or is
 *   complementary; nothing has changed
 */
export function makeComplementary(execution: Execution, { market_id }: MakeComplementary, act: ActOf): Waiting {
  const market = execution.state.markets.get(market_id) ?? refuse('market_id', market_id, 'a listed market')
  const terms = termsAfter(execution, market)
  const settlements_left = openSettlements(market)
  if (market.orders.size > 0) {
    const scope = { account_id: null, market_ids: [market_id], cancel_on_pause_only: false }
    massCancel(execution, { ...scope, reason: 'CANCEL_ALL', origin: null })
  }
  const orders_left = market.orders.size
  if (orders_left > 0 || settlements_left > 0) return { is_done: false, orders_left, settlements_left }
  shareLadder(execution, market, terms, act)
  return { is_done: true, orders_left, settlements_left }
}

function termsAfter({ state }: Execution, market: Market): MarketTerms {
  const { market_id, status, terms, listed, outcomes } = market
  if (terms.complementary) refuse('market_id', market_id, 'a market that is not complementary yet')
  if (status !== 'paused') refuse('market.status', status, 'paused')
  if (outcomes.size !== 2) refuse('market.outcomes', String(outcomes.size), '2 outcomes')
  return marketTerms({ ...listed.terms, complementary: true }, state.assets.get(terms.settlement_asset_id)!.scale)
}

function openSettlements({ outcomes }: Market): number {
  const positions = [...outcomes.values()].flatMap((outcome) => outcome.positions)
  return positions.reduce((sum, { open_settlements }) => sum + open_settlements, 0)
}

function shareLadder(execution: Execution, market: Market, terms: MarketTerms, act: ActOf): void {
  const { state } = execution
  const before = [...market.outcomes.values()]
  openHouseAccount(execution, poolAccountId(market.market_id))
  market.terms = terms
  market.listed = { ...market.listed, terms: { ...market.listed.terms, complementary: true } }
  market.outcomes.clear()
  for (const { outcome_id, label, mark, mark_observation_id, payout } of before)
    addOutcome(market, { outcome_id, label, mark, mark_observation_id, payout })
  const holders = before.flatMap(({ positions }) => positions.map(({ account_id }) => account_id))
  for (const account_id of new Set(holders)) exchangePositions(execution, market, accountOf(state, account_id))
  publishMarket(execution, market, act)
}

/** Replaces an account's two positions by a holding of at most one outcome. */
function exchangePositions(execution: Execution, market: Market, account: Account): void {
  const outcomes = [...market.outcomes.values()]
  const before = outcomes.map(({ outcome_id }) => account.positions.get(outcome_id) ?? null)
  for (const { outcome_id } of outcomes) account.positions.delete(outcome_id)
  const first = positionOf(account, outcomes[0]!)
  const after = [first, first.complement!]
  after.forEach((position, n) => {
    if (before[n] !== null) carryOver(execution, before[n]!, position)
  })
  const [held_first, held_second] = before.map((position) => position?.net_quantity ?? 0)
  openHoldings(before, after)
  const sets = held_first! - held_second! >= 0 ? -held_second! : -held_first!
  execution.begin('adjustment', market.market_id)
  const released = before.reduce((sum, position) => sum + (position?.requirement ?? 0), 0)
  execution.money(first.money, 'available', released)
  execution.money(first.money, 'reserved', -released)
  moveSettledSets(execution, market, first, first.money, sets)
  execution.touchPosition(first)
}

/** Carries over everything that an exchange leaves as it is; the old object is written no more. */
function carryOver({ changes }: Execution, before: Position, after: Position): void {
  const index = changes.positions.indexOf(before)
  if (index >= 0) changes.positions.splice(index, 1)
  after.settled_quantity = before.settled_quantity
  after.realized_pnl = before.realized_pnl
  after.source_fill_sequence = before.source_fill_sequence
  after.projection_version = before.projection_version
  after.engine_sequence = before.engine_sequence
}

/** A short quantity becomes a holding of the other outcome at 1 - its average; equal holdings of both are closed at prices that sum to 1. */
function openHoldings(before: readonly (Position | null)[], after: readonly Position[]): void {
  before.forEach((position, n) => {
    if (position === null || position.net_quantity === 0) return
    const { net_quantity: net, average_entry_price: average } = position
    if (net > 0) takeTrade(after[n]!, 'BUY', average ?? 0, net)
    else takeTrade(after[1 - n]!, 'BUY', ONE - (average ?? 0), -net)
  })
  const [first, second] = [after[0]!, after[1]!]
  const both = Math.min(first.net_quantity, second.net_quantity)
  if (both === 0) return
  const price = first.average_entry_price ?? 0
  takeTrade(first, 'SELL', price, both)
  takeTrade(second, 'SELL', ONE - price, both)
}
