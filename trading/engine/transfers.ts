import { MICROS_PER_DAY } from '../../primitives/instants.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import { TRANSFERS } from '../../protocol/limits.ts'
import { OPEN_TRANSFER_STATES, type TransferDirection, type TransferState } from '../../vocabulary/transfer.ts'
import { availableOf } from '../ledger/balance.ts'
import { refuse } from '../market/refuse.ts'
import { wholeAtScale } from '../order/written-decimal.ts'
import { transferResource } from '../projections/transfer.ts'
import type { TransferRow } from '../projections/transfer-rows.ts'
import { answered, refused } from './answers.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { accountOf, balanceOf, type EngineState, houseBalance } from './state.ts'
import type { Answer, CancelTransfer, Refusal, RequestTransfer } from './submission.ts'
import type { ConcludeTransfer, SeenTransfer } from './transfer-commands.ts'

type Asset = { readonly asset_id: string; readonly scale: number }

/** Requests a transfer. A withdrawal is held at once, so it can never be spent meanwhile; a deposit moves nothing yet. */
export function requestTransfer(execution: Execution, facts: Facts, submission: RequestTransfer): Answer {
  const { identity, direction, asset_id, destination } = submission
  const { account_id, command_id } = identity
  const { state, now } = execution
  const asset = state.assets.get(asset_id)
  const amount = asset === undefined ? null : wholeAtScale(submission.amount, asset.scale)
  if (asset === undefined || amount === null || amount === 0) return refused(amountInvalid(submission, asset))
  const refusal =
    limitExceeded(execution, facts, account_id, direction, asset, amount) ??
    (direction === 'withdrawal' ? notCovered(state, account_id, asset_id, amount, submission.amount) : null)
  if (refusal !== null) return refused(refusal)
  const engine_sequence = execution.nextSequence()
  const row: TransferRow = {
    transfer_id: `trf_${engine_sequence}`,
    ...{ account_id, direction, asset_id, amount, command_id },
    destination: direction === 'withdrawal' ? destination : null,
    state: direction === 'withdrawal' ? 'held' : 'requested',
    ...{ requested_at: now, updated_at: now },
    ...{ external_reference: null, reason: null },
    ...{ projection_version: 1, engine_sequence },
  }
  keep(execution, facts, row)
  if (direction === 'withdrawal') hold(execution, row, 1)
  return answered(201, transferResource(row, asset.scale), `/v1/account/transfers/${row.transfer_id}`)
}

/** Cancels an open transfer of the account; what was held is available again. */
export function cancelTransfer(execution: Execution, facts: Facts, submission: CancelTransfer): Answer {
  const { identity, transfer_id, reason } = submission
  const row = facts.transfers.get(transfer_id)
  if (row === undefined || row.account_id !== identity.account_id) return refused(transferNotFound(transfer_id))
  const { scale } = execution.state.assets.get(row.asset_id)!
  if (!isOpen(row)) {
    const message = `transfer ${transfer_id} is ${row.state}; allowed: ${OPEN_TRANSFER_STATES.join(', ')}`
    return refused({ code: 'TRANSFER_NOT_OPEN', message }, transferResource(row, scale))
  }
  const ended = move(execution, facts, row, { state: 'canceled', reason })
  if (row.direction === 'withdrawal') hold(execution, ended, -1)
  return answered(200, transferResource(ended, scale))
}

/**
 * Ends a transfer as the rail told it: a confirmed one moves money between the account and the outside world, of a failed withdrawal
 * the money is available again. The same end told again changes nothing.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the transfer is not known, ended in another way, or is another than was signed
 */
export function concludeTransfer(execution: Execution, facts: Facts, command: ConcludeTransfer): object {
  const { transfer_id, result, external_reference, failure } = command
  const row = facts.transfers.get(transfer_id) ?? refuse('transfer_id', transfer_id, 'a transfer that was requested')
  if (!isOpen(row)) refuse('transfer_id', transfer_id, `an open transfer: this one is ${row.state}`)
  if (command.transfer !== undefined) requireSeen(execution.state, row, command.transfer)
  const { direction, asset_id, amount, account_id } = row
  if (direction === 'deposit' && result === 'confirmed') requireExact(execution.state, account_id, asset_id, amount)
  const reason = result === 'failed' ? failure : null
  const ended = move(execution, facts, row, { state: result, reason, external_reference })
  if (result === 'confirmed') settle(execution, ended)
  else if (direction === 'withdrawal') hold(execution, ended, -1)
  return { transfer_id, state: result }
}

/** Refuses an act whose operators saw other terms than the transfer has. */
function requireSeen(state: EngineState, row: TransferRow, seen: SeenTransfer): void {
  const { scale } = state.assets.get(row.asset_id)!
  const { account_id, direction, asset_id, destination } = row
  const terms = { account_id, direction, asset_id, amount: fromScaled(BigInt(row.amount), scale), destination }
  for (const field of ['account_id', 'direction', 'asset_id', 'amount', 'destination'] as const) {
    if (seen[field] !== terms[field]) refuse(`transfer.${field}`, String(seen[field]), `${terms[field]}, as requested`)
  }
}

/** Returns the refusal of a transfer that the account does not have; another account's is not revealed. */
function transferNotFound(transfer_id: string): Refusal {
  return { code: 'TRANSFER_NOT_FOUND', message: `transfer ${transfer_id} is not one of the account's` }
}

function isOpen({ state }: TransferRow): boolean {
  return OPEN_TRANSFER_STATES.includes(state)
}

function amountInvalid({ asset_id, amount }: RequestTransfer, asset: Asset | undefined): Refusal {
  const known = `asset_id is ${asset_id}; allowed: an asset of GET /v1/balances`
  const message =
    asset === undefined ? known : `amount is ${amount}; allowed: above 0 with at most ${asset.scale} fraction digits`
  return { code: 'TRANSFER_AMOUNT_INVALID', message, facts: { field: asset === undefined ? 'asset_id' : 'amount' } }
}

/** Returns which limit a further transfer would exceed; null: none. */
function limitExceeded(
  { now }: Execution,
  facts: Facts,
  account_id: string,
  direction: TransferDirection,
  { asset_id, scale }: Asset,
  amount: number,
): Refusal | null {
  const own = [...facts.transfers.values()].filter((row) => row.account_id === account_id)
  const of_day = own.filter(({ requested_at }) => requested_at > now - MICROS_PER_DAY)
  const open = own.filter(isOpen).length
  if (open >= TRANSFERS.open_max) return exceeded(`${open} transfers are open, the maximum`)
  if (of_day.length >= TRANSFERS.of_day_max)
    return exceeded(`${of_day.length} transfers were requested within a day, the maximum`)
  const moved = of_day
    .filter(
      (row) => row.direction === direction && row.asset_id === asset_id && (isOpen(row) || row.state === 'confirmed'),
    )
    .reduce((sum, row) => sum + row.amount, amount)
  const units_max = TRANSFERS.amount_of_day_max * 10 ** scale
  return moved <= units_max
    ? null
    : exceeded(`${direction}s of a day would exceed ${TRANSFERS.amount_of_day_max} of ${asset_id}, the maximum`)
}

function exceeded(message: string): Refusal {
  return { code: 'TRANSFER_LIMIT_EXCEEDED', message }
}

function notCovered(
  state: EngineState,
  account_id: string,
  asset_id: string,
  amount: number,
  written: string,
): Refusal | null {
  const balance = accountOf(state, account_id).balances.get(asset_id)
  if (balance !== undefined && amount <= availableOf(balance)) return null
  const message = `the account has less than ${written} of ${asset_id} available; allowed: at most what is available`
  return { code: 'BALANCE_INSUFFICIENT_COLLATERAL', message }
}

/** @throws {ServiceError} VALIDATION_USAGE_INVALID: the asset could no longer be counted exactly */
function requireExact(state: EngineState, account_id: string, asset_id: string, amount: number): void {
  const total = accountOf(state, account_id).balances.get(asset_id)?.total ?? 0
  const external = houseBalance(state, 'external', asset_id)
  if (Number.isSafeInteger(total + amount) && Number.isSafeInteger(external.total - amount)) return
  refuse('amount', String(amount), 'what keeps all deposits of the asset below 2^53 of its smallest unit')
}

/** Moves the money of a withdrawal into the hold, or back. */
function hold(execution: Execution, { account_id, asset_id, amount, transfer_id }: TransferRow, sign: 1 | -1): void {
  const balance = balanceOf(accountOf(execution.state, account_id), asset_id)
  execution.begin('withdrawal', transfer_id)
  execution.money(balance, 'available', -sign * amount)
  execution.money(balance, 'withdrawal_hold', sign * amount)
}

function settle(execution: Execution, { direction, account_id, asset_id, amount, transfer_id }: TransferRow): void {
  const balance = balanceOf(accountOf(execution.state, account_id), asset_id)
  const signed = direction === 'deposit' ? amount : -amount
  execution.begin(direction, transfer_id)
  execution.money(balance, direction === 'deposit' ? 'available' : 'withdrawal_hold', signed)
  execution.money(houseBalance(execution.state, 'external', asset_id), 'available', -signed)
}

function move(
  execution: Execution,
  facts: Facts,
  row: TransferRow,
  end: { readonly state: TransferState; readonly reason: string | null; readonly external_reference?: string | null },
): TransferRow {
  const moved = {
    ...row,
    ...end,
    updated_at: execution.now,
    projection_version: row.projection_version + 1,
    engine_sequence: execution.nextSequence(),
  }
  keep(execution, facts, moved)
  return moved
}

/** Keeps a transfer for the batch, and publishes its state. */
function keep(execution: Execution, facts: Facts, row: TransferRow): void {
  facts.transfers.set(row.transfer_id, row)
  execution.changes.transfers.set(row.transfer_id, row)
  const { transfer_id, account_id, direction, asset_id, amount, state, projection_version, engine_sequence } = row
  execution.publish({
    ...{ kind: 'transfer', engine_sequence, at: execution.now, account_id },
    ...{ transfer_id, direction, asset_id, amount, state, projection_version },
  })
}
