import { availableOf } from '../ledger/balance.ts'
import { HOUSE, isHouse } from '../ledger/entries.ts'
import { refreshRequirement } from '../ledger/requirement.ts'
import { refuse } from '../market/refuse.ts'
import { wholeAtScale } from '../order/written-decimal.ts'
import { cancelWorking } from './cancel-order.ts'
import type { AddAccount, AddAsset, BlockAccount, MoveMoney, PendingSettlement, SetPolicy } from './commands.ts'
import type { Execution } from './execution.ts'
import { type Account, type AccountPolicy, accountOf, balanceOf, type EngineState } from './state.ts'

/** No limits; for the accounts of the house. */
const HOUSE_POLICY: AccountPolicy = {
  policy_id: 'pol_house',
  policy_version: 1,
  self_trade_prevention: 'cancel_taker',
  reduce_only_crossing: 'cap',
  position_limit: null,
  price_band: null,
}

/** Makes an asset known, and the accounts of the house with the first one. */
export function addAsset({ state }: Execution, { asset_id, scale }: AddAsset): void {
  if (state.assets.has(asset_id)) refuse('asset_id', asset_id, 'an asset that is not known yet')
  state.assets.set(asset_id, { asset_id, scale })
  for (const account_id of Object.values(HOUSE)) {
    if (!state.accounts.has(account_id)) openAccount(state, account_id, HOUSE_POLICY)
  }
}

/** Opens an account. @throws {ServiceError} VALIDATION_USAGE_INVALID: the id is used, or the house's */
export function addAccount({ state }: Execution, { account_id, policy }: AddAccount): void {
  if (isHouse(account_id) || state.accounts.has(account_id))
    refuse('account_id', account_id, 'an id that is not used yet')
  openAccount(state, account_id, policy)
}

/** From now on; orders that work already are left as they are. */
export function setPolicy({ state }: Execution, { account_id, policy }: SetPolicy): void {
  accountOf(state, account_id).policy = policy
}

/** A blocked account's working orders are canceled; it may still withdraw. */
export function blockAccount(execution: Execution, { account_id, blocked }: BlockAccount): void {
  const account = accountOf(execution.state, account_id)
  account.blocked = blocked
  if (!blocked) return
  for (const order of [...account.orders.values()]) cancelWorking(execution, order, 'CANCEL_ALL')
}

/**
 * Money from the world outside, or to it.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: no positive amount at the asset's scale, or more than is available
 */
export function moveMoney(execution: Execution, command: MoveMoney): void {
  const { kind, account_id, asset_id, transfer_id } = command
  const asset = execution.state.assets.get(asset_id)
  if (asset === undefined) refuse('asset_id', asset_id, 'an asset that is known')
  const amount = wholeAtScale(command.amount, asset.scale)
  if (amount === null || amount === 0) {
    refuse('amount', command.amount, `a decimal above 0 with at most ${asset.scale} fraction digits`)
  }
  const signed = kind === 'deposit' ? amount : -amount
  if (signed < 0 && amount > availableOf(balanceOf(accountOf(execution.state, account_id), asset_id))) {
    refuse('amount', command.amount, 'at most what is available')
  }
  execution.book(kind === 'deposit' ? 'deposit' : 'withdrawal', transfer_id, [
    { account_id, asset_id, bucket: 'available', amount: signed },
    { account_id: HOUSE.external, asset_id, bucket: 'available', amount: -signed },
  ])
}

/**
 * The rail has confirmed one side of a fill: pending money becomes money, and the fee the house's. What a short seller is paid
 * stays reserved with the position.
 */
export function confirmSettlement(execution: Execution, settlement: PendingSettlement): void {
  const { settlement_id, account_id, market_id, outcome_id, side, quantity, notional, fee, short_credit } = settlement
  const account = accountOf(execution.state, account_id)
  const position = account.positions.get(outcome_id)!
  const asset_id = execution.state.markets.get(market_id)!.terms.settlement_asset_id
  const money = { asset_id, bucket: 'available' } as const
  const signed = side === 'BUY' ? quantity : -quantity
  position.settled_quantity += signed
  execution.touchPosition(position)
  const moved = [
    { account_id, asset_id: outcome_id, bucket: 'unsettled', amount: -signed },
    { account_id, asset_id: outcome_id, bucket: 'settled', amount: signed },
    { account_id: HOUSE.fees, ...money, amount: fee },
  ] as const
  if (side === 'BUY') {
    execution.book('settlement', settlement_id, [
      ...moved,
      { account_id, asset_id, bucket: 'pending_debit', amount: -(notional + fee) },
      { account_id: HOUSE.clearing, ...money, amount: notional },
    ])
    return
  }
  const proceeds = notional - fee
  position.pending_short_credit -= short_credit
  const rise = refreshRequirement(position, null)
  execution.book('settlement', settlement_id, [
    ...moved,
    { account_id, asset_id, bucket: 'pending_credit', amount: -proceeds },
    { account_id: HOUSE.clearing, asset_id, bucket: 'pending_credit', amount: proceeds },
    { account_id, ...money, amount: proceeds - rise },
    { account_id, asset_id, bucket: 'reserved', amount: rise },
    { account_id: HOUSE.clearing, ...money, amount: -notional },
  ])
}

function openAccount(state: EngineState, account_id: string, policy: AccountPolicy): void {
  const account: Account = {
    account_id,
    blocked: false,
    policy,
    balances: new Map(),
    positions: new Map(),
    orders: new Map(),
  }
  state.accounts.set(account_id, account)
}
