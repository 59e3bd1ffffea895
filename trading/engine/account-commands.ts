import { availableOf } from '../ledger/balance.ts'
import { HOUSE, isHouse } from '../ledger/entries.ts'
import { ASSET_SCALE_MAX } from '../market/market-terms.ts'
import { refuse } from '../market/refuse.ts'
import { type AccountPolicy, USUAL_RULES } from '../order/account-policy.ts'
import { EVERY_ORDER } from '../order/cancel-filter.ts'
import { wholeAtScale } from '../order/written-decimal.ts'
import type { AddAccount, AddAsset, BlockAccount, MoveMoney, SetPolicy } from './commands.ts'
import type { Execution } from './execution.ts'
import { massCancel } from './mass-cancel.ts'
import { type Account, balanceOf, houseBalance } from './state.ts'

const HOUSE_POLICY: AccountPolicy = { policy_id: 'pol_house', policy_version: 1, ...USUAL_RULES }

/** Adds an asset; the first one also opens the accounts of the house. @throws {ServiceError} VALIDATION_USAGE_INVALID */
export function addAsset(execution: Execution, { asset_id, scale }: AddAsset): void {
  const { state, changes } = execution
  if (state.assets.has(asset_id)) refuse('asset_id', asset_id, 'an asset that is not known yet')
  if (!Number.isInteger(scale) || scale < 0 || scale > ASSET_SCALE_MAX)
    refuse('scale', String(scale), `0 to ${ASSET_SCALE_MAX}`)
  state.assets.set(asset_id, { asset_id, scale })
  changes.assets.push({ asset_id, scale })
  for (const account_id of Object.values(HOUSE)) {
    if (!state.accounts.has(account_id)) openHouseAccount(execution, account_id)
  }
}

/** Opens an account of the house. */
export function openHouseAccount(execution: Execution, account_id: string): void {
  openAccount(execution, { account_id, policy: HOUSE_POLICY, owner_address: null, label: account_id })
}

/** Opens an account. @throws {ServiceError} VALIDATION_USAGE_INVALID: the id is used, or the house's */
export function addAccount(execution: Execution, command: AddAccount): void {
  const { account_id, policy, owner_address = null, label = '' } = command
  const { state } = execution
  if (isHouse(account_id)) refuse('account_id', account_id, 'an id that does not begin as those of the house')
  if (state.accounts.has(account_id)) refuse('account_id', account_id, 'an id that is not used yet')
  requireLimits(policy)
  publishAccount(execution, openAccount(execution, { account_id, policy, owner_address, label }))
}

/**
 * Puts an account's next policy version in force. Working orders keep theirs.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the account is not known, the version is not the next of its policy's, or a limit is
 *   negative or no decimal
 */
export function setPolicy(execution: Execution, { account_id, policy }: SetPolicy): void {
  const account = knownAccount(execution, account_id)
  const { policy_id, policy_version } = account.policy
  if (policy.policy_id === policy_id && policy.policy_version <= policy_version) {
    refuse('policy_version', String(policy.policy_version), `above ${policy_version}, the one in force`)
  }
  requireLimits(policy)
  account.policy = policy
  recordPolicy(execution, account)
  publishAccount(execution, account)
}

const LIMIT = /^(0|[1-9]\d{0,14})(\.\d{1,8})?$/

/** @throws {ServiceError} VALIDATION_USAGE_INVALID: a limit is negative or no decimal */
function requireLimits({ position_limit, price_band }: AccountPolicy): void {
  for (const [field, limit] of Object.entries({ position_limit, price_band })) {
    if (limit !== null && !LIMIT.test(limit))
      refuse(field, limit, 'none, or a decimal from 0 to below 10^15 with at most 8 fraction digits')
  }
}

/** Blocks or unblocks an account. Blocking cancels its working orders; withdrawals stay allowed. */
export function blockAccount(execution: Execution, { account_id, blocked }: BlockAccount): void {
  const account = knownAccount(execution, account_id)
  account.blocked = blocked
  publishAccount(execution, account)
  if (!blocked) return
  massCancel(execution, { ...EVERY_ORDER, account_id, reason: 'CANCEL_ALL', origin: null })
}

/** Publishes an account as it is now, without its orders and money. */
export function publishAccount(execution: Execution, account: Account): void {
  const { account_id, blocked, policy, cancel_after_ms, open_orders } = account
  const { policy_id, policy_version } = policy
  execution.changes.accounts.add(account)
  execution.publish({
    engine_sequence: execution.nextSequence(),
    at: execution.now,
    kind: 'account',
    account_id,
    blocked,
    policy_id,
    policy_version,
    cancel_after_ms,
    cancel_after_at: open_orders.cancel_after_at,
  })
}

/**
 * Returns a client's account. Those of the house change by trading alone, so that the books can be checked.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the account is not known, or the house's
 */
export function knownAccount({ state }: Execution, account_id: string): Account {
  if (isHouse(account_id)) refuse('account_id', account_id, "a client's account: this one is of the house")
  return state.accounts.get(account_id) ?? refuse('account_id', account_id, 'an account that is known')
}

/**
 * Books a deposit or a withdrawal.
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
  const balance = balanceOf(knownAccount(execution, account_id), asset_id)
  if (signed < 0 && amount > availableOf(balance)) refuse('amount', command.amount, 'at most what is available')
  const external = houseBalance(execution.state, 'external', asset_id)
  // The outside world's balance mirrors all holdings of the asset: if it can be counted exactly, so can every other.
  const is_exact = Number.isSafeInteger(balance.total + signed) && Number.isSafeInteger(external.total - signed)
  if (!is_exact)
    refuse('amount', command.amount, 'what keeps all deposits of the asset below 2^53 of its smallest unit')
  execution.begin(kind === 'deposit' ? 'deposit' : 'withdrawal', transfer_id)
  execution.money(balance, 'available', signed)
  execution.money(external, 'available', -signed)
}

function openAccount(
  execution: Execution,
  facts: Pick<Account, 'account_id' | 'policy' | 'owner_address' | 'label'>,
): Account {
  const account: Account = {
    ...facts,
    created_at: execution.now,
    blocked: false,
    cancel_after_ms: null,
    authorizations: [],
    balances: new Map(),
    positions: new Map(),
    open_orders: { count: 0, cancel_after_at: null },
    open_orders_by_market: new Map(),
    working_by_client_id: new Map(),
    quote_sets: new Map(),
    protections: new Map(),
  }
  execution.state.accounts.set(account.account_id, account)
  execution.changes.accounts.add(account)
  recordPolicy(execution, account)
  return account
}

function recordPolicy({ changes, now }: Execution, { account_id, policy }: Account): void {
  const { policy_id, policy_version } = policy
  changes.policies.push({ account_id, policy_id, policy_version, policy, at: now })
}
