import { invariant } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { ENGINE } from '../../protocol/limits.ts'
import type { MarketStatus } from '../../vocabulary/market.ts'
import { type Balance, emptyBalance } from '../ledger/balance.ts'
import { HOUSE, poolAccountId } from '../ledger/entries.ts'
import type { FeeSchedule } from '../ledger/fees.ts'
import { emptyPosition } from '../ledger/position.ts'
import type { MarketListing } from '../market/market-listing.ts'
import type { ListedTerms, MarketTerms } from '../market/market-terms.ts'
import { MatchingBook } from '../matching/matching-book.ts'
import type { AccountPolicy } from '../order/account-policy.ts'
import type { AccountOrders, Counter, Order, Position } from '../order/order.ts'
import type { Protection } from '../order/protection.ts'
import { DueQueue } from './due-queue.ts'
import type { NewKey } from './submission.ts'

/** Fraction digits of a mark. */
export const MARK_SCALE = 8

/** A signer of an account: its API key, and the end of its authorization. */
type SignerAuthorization = {
  readonly signer: string
  readonly api_key_id: string
  readonly expires_at: Micros | null
}

export type Account = {
  readonly account_id: string
  readonly owner_address: string | null
  readonly label: string
  readonly created_at: Micros
  /** A blocked account places no orders; it may cancel. */
  blocked: boolean
  policy: AccountPolicy
  /** Time-out of the dead-man's switch; null: not armed. */
  cancel_after_ms: number | null
  readonly authorizations: SignerAuthorization[]
  /** By asset_id. */
  readonly balances: Map<string, Balance>
  /** By outcome_id. */
  readonly positions: Map<string, Position>
  /** Working orders: all, and by market_id. */
  readonly open_orders: AccountOrders
  readonly open_orders_by_market: Map<string, Counter>
  /** Orders in the book, by client_order_id. */
  readonly working_by_client_id: Map<string, Order>
  /** Orders in the book that mass quotes placed, by `quoteSetKey`, oldest first; sets without orders are left out. */
  readonly quote_sets: Map<string, Set<Order>>
  /** Protections in force, by market_id. */
  readonly protections: Map<string, Protection>
}

export type ApiKey = Omit<NewKey, 'material'> & {
  material: string
  secret_version: number
  /** Material before the last rotation, and the end of its validity. */
  previous_material: string | null
  previous_until: Micros | null
  readonly created_at: Micros
  revoked_at: Micros | null
  revoke_reason: string | null
}

export type Outcome = {
  readonly outcome_id: string
  readonly market: Market
  /** The other outcome of a complementary market; null: the outcome has a book of its own. */
  complement: Outcome | null
  /** Whether it is the second outcome of a complementary market, whose orders rest on the ladder of the first. */
  readonly is_mirrored: boolean
  /** Both outcomes of a complementary market share one book. */
  readonly book: MatchingBook
  /** Orders in the book, by slot; entries of free slots are meaningless. */
  readonly resting: Order[]
  readonly label: string
  /** All positions in the outcome; some may be empty. */
  readonly positions: Position[]
  /** Last mark at scale 8; null: none yet. */
  mark: number | null
  /** Published record of the mark. */
  mark_observation_id: string | null
  /** Payout of a final resolution for one contract; null: not resolved. */
  payout: string | null
}

/**
 * Positions that a resolution has yet to pay: those that may be paid now, and those that wait for a settlement. Collected when the first
 * portion is paid and updated by `noteUnpaid`, so that a portion costs what it pays and not what the market holds.
 */
export type UnpaidPositions = { readonly ready: Set<Position>; readonly waiting: Set<Position> }

export type Market = {
  readonly market_id: string
  terms: MarketTerms
  listed: { readonly terms: ListedTerms; readonly listing: MarketListing | null }
  readonly outcomes: Map<string, Outcome>
  /** Resting orders, oldest first. */
  readonly orders: Set<Order>
  readonly created_at: Micros
  updated_at: Micros
  status: MarketStatus
  fees: FeeSchedule
  /** The house's balances in the settlement asset: matched money waiting for confirmation, and fees. */
  readonly clearing: Balance
  readonly fee_income: Balance
  /** Positions yet to be paid; null: not collected yet. */
  unpaid: UnpaidPositions | null
}

/** Orders that wait for the slices of following batches, and how many of them are processed. */
export type Backlog = { orders: Order[]; done: number }

/** Complete state of the engine. Changed only by applying commands; rebuilt from the database after a restart. */
export type EngineState = {
  /** Stamp of the last batch. */
  clock: Micros
  engine_sequence: number
  ledger_sequence: number
  readonly assets: Map<string, { readonly asset_id: string; readonly scale: number }>
  readonly accounts: Map<string, Account>
  readonly markets: Map<string, Market>
  /** Newest version of each schedule, by schedule_id. */
  readonly fee_schedules: Map<string, FeeSchedule>
  readonly keys: Map<string, ApiKey>
  /** Working orders of all accounts. */
  readonly orders: Map<string, Order>
  readonly expiries: DueQueue<Order>
  readonly switches: DueQueue<Account>
  /** Orders whose end is planned, in the order of the plans. */
  readonly planned_ends: Backlog
  /** Orders that have yet to be suspended, or to be open again, as their market is. */
  readonly lagging: Backlog
  /** Greatest number of orders that the clock, mass cancels and pauses change in one batch, and what is left of it. */
  slice_max: number
  slice_left: number
  /** Identity of the history, as cursors of the private stream name it; empty before the first commit. */
  history: string
}

/** Returns the state of a new engine. */
export function emptyState(): EngineState {
  return {
    clock: 0,
    engine_sequence: 0,
    ledger_sequence: 0,
    assets: new Map(),
    accounts: new Map(),
    markets: new Map(),
    fee_schedules: new Map(),
    keys: new Map(),
    orders: new Map(),
    expiries: new DueQueue(),
    switches: new DueQueue(),
    planned_ends: { orders: [], done: 0 },
    lagging: { orders: [], done: 0 },
    slice_max: ENGINE.slice_max,
    slice_left: 0,
    history: '',
  }
}

/** Returns a known account. @throws {InvariantError} the account is unknown */
export function accountOf(state: EngineState, account_id: string): Account {
  const account = state.accounts.get(account_id)
  invariant(account !== undefined, `account ${account_id} is known`)
  return account
}

/** Returns the outcome of an order or a position. @throws {InvariantError} the outcome is not listed */
export function outcomeOf(
  state: EngineState,
  { market_id, outcome_id }: Pick<Position, 'market_id' | 'outcome_id'>,
): Outcome {
  const outcome = state.markets.get(market_id)?.outcomes.get(outcome_id)
  invariant(outcome !== undefined, `outcome ${outcome_id} is listed`)
  return outcome
}

/** Returns the account's balance in an asset, which is created on first use. */
export function balanceOf(account: Account, asset_id: string): Balance {
  const known = account.balances.get(asset_id)
  if (known !== undefined) return known
  const made = emptyBalance(account.account_id, asset_id)
  account.balances.set(asset_id, made)
  return made
}

/** Returns a balance of a house account. */
export function houseBalance(state: EngineState, which: keyof typeof HOUSE, asset_id: string): Balance {
  return balanceOf(accountOf(state, HOUSE[which]), asset_id)
}

/** Returns the account's position in the outcome, which is created on first use, with that in the complementary outcome. */
export function positionOf(account: Account, outcome: Outcome): Position {
  const known = account.positions.get(outcome.outcome_id)
  if (known !== undefined) return known
  const made = openPosition(account, outcome)
  if (outcome.complement === null) return made
  made.complement = openPosition(account, outcome.complement)
  made.complement.complement = made
  return made
}

function openPosition(account: Account, { outcome_id, is_mirrored, market, positions }: Outcome): Position {
  const money = balanceOf(account, market.terms.settlement_asset_id)
  const open_orders = { account: account.open_orders, market: openOrdersIn(account, market.market_id) }
  const ids = { market_id: market.market_id, outcome_id, is_mirrored, holder: positions.length }
  const made = emptyPosition(money, ids, market.terms, open_orders)
  made.protection = account.protections.get(market.market_id) ?? null
  account.positions.set(outcome_id, made)
  positions.push(made)
  return made
}

function openOrdersIn({ open_orders_by_market }: Account, market_id: string): Counter {
  const known = open_orders_by_market.get(market_id) ?? { count: 0 }
  open_orders_by_market.set(market_id, known)
  return known
}

/** Adds a market's next outcome with an empty book; the second of a complementary market shares the book of the first. */
export function addOutcome(
  market: Market,
  facts: Pick<Outcome, 'outcome_id' | 'label' | 'mark' | 'mark_observation_id' | 'payout'>,
): void {
  const [first] = market.terms.complementary ? market.outcomes.values() : []
  const positions: Position[] = []
  const outcome: Outcome = {
    ...facts,
    market,
    positions,
    complement: first ?? null,
    is_mirrored: first !== undefined,
    book: first?.book ?? new MatchingBook(market.terms, positions),
    resting: first?.resting ?? [],
  }
  if (first !== undefined) first.complement = outcome
  market.outcomes.set(outcome.outcome_id, outcome)
}

/** Returns the outcome on whose book an outcome's orders rest: itself, or the first of a complementary market. */
export function ladderOf(outcome: Outcome): Outcome {
  return outcome.is_mirrored ? outcome.complement! : outcome
}

/** Returns the account that holds the money of a complementary market's sets. */
export function poolOf(state: EngineState, { market_id }: Pick<Market, 'market_id'>): Account {
  return accountOf(state, poolAccountId(market_id))
}

/** Returns the working orders of an account that pass a test, oldest first. */
export function workingOrdersOf(account: Account, passes: (order: Order) => boolean = () => true): Order[] {
  const found: Order[] = []
  for (const { buys, sells } of account.positions.values()) {
    for (const side of [buys, sells])
      for (let order = side.oldest; order !== null; order = order.newer) if (passes(order)) found.push(order)
  }
  return found.sort((a, b) => a.accepted_sequence - b.accepted_sequence)
}
