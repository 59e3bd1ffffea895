import { invariant } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { MARKET_STATUSES } from '../../protocol/enums.ts'
import { type Balance, emptyBalance } from '../ledger/balance.ts'
import type { FeeSchedule } from '../ledger/fees.ts'
import { emptyPosition, type Position } from '../ledger/position.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import { OrderBook } from '../matching/order-book.ts'
import type { Order, SelfTradeMode } from '../order/order.ts'
import { ExpiryQueue } from './expiry-queue.ts'

export type MarketStatus = (typeof MARKET_STATUSES)[number]

/** Fraction digits of a mark. */
export const MARK_SCALE = 8

/** How far from the last mark a limit price may be, and how much of one outcome an account may hold. */
export type AccountPolicy = {
  readonly policy_id: string
  readonly policy_version: number
  readonly self_trade_prevention: SelfTradeMode
  /** Quantity that would cross zero is cut off, or the whole order refused. */
  readonly reduce_only_crossing: 'cap' | 'reject'
  /** In contracts, as a decimal; null: no limit. */
  readonly position_limit: string | null
  /** Distance of a limit price from the mark, as a decimal; null: no band. */
  readonly price_band: string | null
}

export type Account = {
  readonly account_id: string
  /** A blocked account places no orders; it may cancel. */
  blocked: boolean
  policy: AccountPolicy
  readonly balances: Map<string, Balance>
  readonly positions: Map<string, Position>
  /** Working orders by id. */
  readonly orders: Map<string, Order>
}

export type Outcome = {
  readonly outcome_id: string
  readonly market: Market
  readonly book: OrderBook
  /** The last mark at scale 8; null: none was delivered. */
  mark: number | null
}

export type Market = {
  readonly market_id: string
  readonly terms: MarketTerms
  readonly outcomes: Map<string, Outcome>
  status: MarketStatus
  fees: FeeSchedule
}

/** All that the engine knows. Changed only by `apply`; rebuilt from the database after a restart. */
export type EngineState = {
  /** Stamp of the last batch. */
  clock: Micros
  engine_sequence: number
  ledger_sequence: number
  readonly assets: Map<string, { readonly asset_id: string; readonly scale: number }>
  readonly accounts: Map<string, Account>
  readonly markets: Map<string, Market>
  /** Working orders of all accounts. */
  readonly orders: Map<string, Order>
  readonly expiries: ExpiryQueue
}

/** An engine that knows nothing yet. */
export function emptyState(): EngineState {
  return {
    clock: 0,
    engine_sequence: 0,
    ledger_sequence: 0,
    assets: new Map(),
    accounts: new Map(),
    markets: new Map(),
    orders: new Map(),
    expiries: new ExpiryQueue(),
  }
}

/** A known account. @throws {InvariantError} where it is none */
export function accountOf(state: EngineState, account_id: string): Account {
  const account = state.accounts.get(account_id)
  invariant(account !== undefined, `account ${account_id} is known`)
  return account
}

/** The outcome that an order is of. @throws {InvariantError} where it is not listed */
export function outcomeOf(
  state: EngineState,
  { market_id, outcome_id }: Pick<Order, 'market_id' | 'outcome_id'>,
): Outcome {
  const outcome = state.markets.get(market_id)?.outcomes.get(outcome_id)
  invariant(outcome !== undefined, `outcome ${outcome_id} is listed`)
  return outcome
}

/** The account's money in an asset; made where it has none yet. */
export function balanceOf(account: Account, asset_id: string): Balance {
  const known = account.balances.get(asset_id)
  if (known !== undefined) return known
  const made = emptyBalance(account.account_id, asset_id)
  account.balances.set(asset_id, made)
  return made
}

/** The account's position in an outcome; made where it has none yet. */
export function positionOf(account: Account, { outcome_id, market }: Outcome): Position {
  const known = account.positions.get(outcome_id)
  if (known !== undefined) return known
  const made = emptyPosition(account.account_id, market.market_id, outcome_id, market.terms)
  account.positions.set(outcome_id, made)
  return made
}

/** Gives a market its outcomes, each with an empty book. */
export function listOutcomes(market: Pick<Market, 'outcomes'> & Market, outcome_ids: readonly string[]): void {
  for (const outcome_id of outcome_ids) {
    market.outcomes.set(outcome_id, {
      outcome_id,
      market,
      book: new OrderBook(market.terms, market.market_id, outcome_id),
      mark: null,
    })
  }
}
