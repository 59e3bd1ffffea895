import { ServiceError } from '../../../primitives/errors.ts'
import { formatMicros, type Instant, type Micros } from '../../../primitives/instants.ts'
import { fromScaled } from '../../../primitives/scaled.ts'
import type { Transfer } from '../../../protocol/resources/transfer.ts'
import { AVERAGE_SCALE } from '../../ledger/position.ts'
import type { MarketListing } from '../../market/market-listing.ts'
import type { ListedTerms } from '../../market/market-terms.ts'
import type { AccountPolicy } from '../../order/account-policy.ts'
import type { ActRow, OperatorKeyRow } from '../../projections/rows.ts'
import { transferResource } from '../../projections/transfer.ts'
import type { TransferRow } from '../../projections/transfer-rows.ts'
import type { Pool } from '../create-pool.ts'
import { readSql } from '../read-sql.ts'
import { type FillSide, type FillSideRow, fillSide } from './fill-views.ts'

const FOLDER = new URL('./', import.meta.url)

/** Reads for operators: all accounts, as of the last committed batch. Money and quantities are decimals. */
export type OperatorReads = {
  listAccounts(): Promise<readonly AccountRead[]>
  /** @throws {ServiceError} ACCOUNT_NOT_FOUND */
  readAccount(account_id: string): Promise<WholeAccount>
  listMarkets(): Promise<readonly MarketRead[]>
  /** @throws {ServiceError} MARKET_NOT_FOUND */
  readMarket(market_id: string): Promise<MarketRead>
  /** @throws {ServiceError} FILL_NOT_FOUND */
  readFill(fill_id: string): Promise<FillRead>
  /** The fill and the other side of its match. @throws {ServiceError} FILL_NOT_FOUND */
  readFillSides(fill_id: string): Promise<readonly [own: FillSide, other: FillSide]>
  /** Reads what was done to a key and with it, newest first. @throws {ServiceError} API_KEY_NOT_FOUND */
  readKeyLog(key_id: string, limit: number): Promise<readonly KeyLogEntry[]>
  /** Folds all accounts' fills up to an instant. */
  foldFills(as_of: Instant): Promise<readonly OutcomeRead[]>
  listFees(): Promise<readonly FeeScheduleRead[]>
  listAssets(): Promise<readonly AssetRead[]>
  /** Deposits and withdrawals that accounts asked for, oldest first. */
  listTransfers(filter: TransferFilter): Promise<readonly Transfer[]>
  /** @throws {ServiceError} TRANSFER_NOT_FOUND */
  readTransfer(transfer_id: string): Promise<Transfer>
  /** Keys with which operators sign, in the order of their registration; the first is the root. */
  listOperatorKeys(): Promise<readonly OperatorKeyRead[]>
  /** Acts, newest first, as far as they match. */
  listActs(filter: ActFilter): Promise<readonly ActRead[]>
}

/** null: any. */
type ActFilter = {
  readonly act_id: string | null
  readonly kind: string | null
  readonly actor: string | null
  readonly limit: number
  /** false: acts of people alone. */
  readonly services: boolean
}

/** An act with everything that its signatures cover. */
type ActRead = Pick<ActRow, 'act_id' | 'actor' | 'reason' | 'command_hash' | 'signatures'> & {
  readonly at: Instant
  /** null: nobody signed it. */
  readonly issued_at: Instant | null
  readonly command: Readonly<Record<string, unknown>>
}

export type OperatorKeyRead = {
  readonly operator_key_id: string
  readonly operator_id: string
  readonly public_key: string
  readonly environment: string
  readonly registered_at: Instant
  readonly revoked_at: Instant | null
}
type BalanceRead = {
  readonly asset_id: string
  readonly total: string
  readonly available: string
  readonly reserved: string
  readonly withdrawal_hold: string
  readonly pending_settlement_debit: string
  readonly pending_settlement_credit: string
}
type AccountRead = {
  readonly account_id: string
  readonly owner_address: string | null
  readonly label: string
  readonly blocked: boolean
  readonly policy: AccountPolicy
  readonly created_at: Instant
  readonly balances: readonly BalanceRead[]
}
type PositionRead = {
  readonly market_id: string
  readonly outcome_id: string
  readonly net_quantity: string
  readonly average_entry_price: string | null
  readonly realized_pnl: string
}
/** Sums over the fills of all accounts of one outcome. */
type OutcomeRead = {
  readonly market_id: string
  readonly outcome_id: string
  readonly trades: number
  readonly volume: string
}
type KeyRead = {
  readonly key_id: string
  readonly label: string
  readonly environment: string
  readonly algorithm: string
  readonly scopes: readonly string[]
  readonly ip_allowlist: readonly string[]
  readonly secret_version: number
  readonly created_at: Instant
  readonly expires_at: Instant | null
  readonly revoked_at: Instant | null
  readonly revoke_reason: string | null
}
type WholeAccount = AccountRead & {
  readonly positions: readonly PositionRead[]
  readonly keys: readonly KeyRead[]
}
export type MarketRead = {
  readonly market_id: string
  readonly event_id: string | null
  readonly status: string
  readonly title: string | null
  readonly outcomes: readonly { readonly outcome_id: string; readonly label: string }[]
  readonly rules: unknown
  readonly schedule: unknown
  /** Listed value; null: the default. */
  readonly dispute_window: string | null
  readonly trading_parameters: ListedTerms
  readonly schedule_id: string
  readonly schedule_version: number
  readonly created_at: Instant
  readonly updated_at: Instant
}
/** A change of a key, or its requests of one minute, outcome and address. */
type KeyLogEntry = {
  readonly action: string
  readonly occurred_at: Instant
  readonly last_at: Instant
  readonly count: number
  readonly outcome: string
  readonly ip: string | null
  readonly method: string | null
  readonly path: string | null
  readonly request_id: string | null
  readonly by_key_id: string | null
  readonly actor: string | null
  readonly reason: string | null
}
type KeyLogRow = Omit<KeyLogEntry, 'occurred_at' | 'last_at'> & {
  readonly occurred_at: Micros
  readonly last_at: Micros
}
type FillRead = { readonly fill_id: string; readonly account_id: string }
export type FeeScheduleRead = {
  readonly schedule_id: string
  readonly schedule_version: number
  readonly taker_rate: string
  readonly maker_rate: string
  readonly effective_from: Instant
  readonly market_ids: readonly string[]
}
/** null: any. */
type TransferFilter = {
  readonly until: Instant
  readonly transfer_id: string | null
  readonly account_id: string | null
  readonly is_open: boolean
  readonly limit: number
}
type AssetRead = { readonly asset_id: string; readonly scale: number }

type Money = 'total' | 'reserved' | 'withdrawal_hold' | 'pending_settlement_debit' | 'pending_settlement_credit'
type AccountRow = Omit<AccountRead, 'created_at' | 'balances'> & {
  readonly created_at: Micros
  readonly balances: readonly (AssetRead & Readonly<Record<Money, number>>)[]
}
type PositionRow = Omit<PositionRead, 'net_quantity' | 'average_entry_price' | 'realized_pnl'> & {
  readonly net_quantity: number
  readonly average_entry_price: number | null
  readonly realized_pnl: number
  readonly terms: { readonly asset_scale: number; readonly quantity_scale: number }
}
type OutcomeRow = {
  readonly market_id: string
  readonly outcome_id: string
  readonly trades: number
  readonly volume: number
  readonly terms: { readonly quantity_scale: number }
}
type KeyRow = Omit<KeyRead, 'created_at' | 'expires_at' | 'revoked_at'> & {
  readonly created_at: Micros
  readonly expires_at: Micros | null
  readonly revoked_at: Micros | null
}
type Presented = 'title' | 'rules' | 'schedule' | 'dispute_window'
type MarketRow = Omit<MarketRead, 'created_at' | 'updated_at' | 'trading_parameters' | Presented> & {
  readonly listed: { readonly terms: ListedTerms; readonly listing: MarketListing | null }
  readonly created_at: Micros
  readonly updated_at: Micros
}

/** Every transfer, however late it was requested. */
const ANY_TRANSFER = { until: 'infinity', transfer_id: null, account_id: null, is_open: false } as const

/** Creates the reads over a pool of the trading database. */
export function operatorReads(pool: Pool): OperatorReads {
  const rows = async <T>(name: string, ...values: readonly (string | number | boolean | null)[]): Promise<T[]> =>
    (await pool.query(readSql(name, FOLDER), [...values])).rows as T[]
  const listTransfers = async ({ until, transfer_id, account_id, is_open, limit }: TransferFilter) =>
    (
      await rows<TransferRow & { readonly asset_scale: number }>(
        'transfers',
        until,
        transfer_id,
        account_id,
        is_open,
        limit,
      )
    ).map(({ asset_scale, ...row }) => transferResource(row, asset_scale))
  return {
    listAccounts: async () => (await rows<AccountRow>('accounts', null)).map(accountRead),
    readAccount: async (account_id) => {
      const [account] = await rows<AccountRow>('accounts', account_id)
      if (account === undefined) {
        throw new ServiceError('ACCOUNT_NOT_FOUND', `account is ${account_id}; allowed: an existing account`)
      }
      const [positions, keys] = await Promise.all([
        rows<PositionRow>('positions', account_id),
        rows<KeyRow>('keys', account_id),
      ])
      return { ...accountRead(account), positions: positions.map(positionRead), keys: keys.map(keyRead) }
    },
    listMarkets: async () => (await rows<MarketRow>('markets', null)).map(marketRead),
    readMarket: async (market_id) => {
      const [market] = await rows<MarketRow>('markets', market_id)
      if (market !== undefined) return marketRead(market)
      throw new ServiceError('MARKET_NOT_FOUND', `market is ${market_id}; allowed: a listed market`)
    },
    readFill: async (fill_id) => {
      const [fill] = await rows<FillRead>('fill', fill_id)
      if (fill !== undefined) return fill
      throw new ServiceError('FILL_NOT_FOUND', `fill is ${fill_id}; allowed: a fill of this service`)
    },
    readFillSides: async (fill_id) => {
      const [own, other] = (await rows<FillSideRow>('fill_sides', fill_id)).map(fillSide)
      if (own !== undefined && other !== undefined) return [own, other]
      throw new ServiceError('FILL_NOT_FOUND', `fill is ${fill_id}; allowed: a fill of this service`)
    },
    readKeyLog: async (key_id, limit) => {
      const found = await rows<KeyLogRow>('key_log', key_id, limit)
      if (found.length === 0) throw new ServiceError('API_KEY_NOT_FOUND', `key is ${key_id}; allowed: an issued key`)
      return found.map(keyLogEntry)
    },
    foldFills: async (as_of) => (await rows<OutcomeRow>('folded_fills', as_of)).map(outcomeRead),
    listFees: async () =>
      (await rows<Omit<FeeScheduleRead, 'effective_from'> & { effective_from: Micros }>('fees')).map((row) => ({
        ...row,
        effective_from: formatMicros(row.effective_from),
      })),
    listAssets: () => rows<AssetRead>('assets'),
    listTransfers,
    readTransfer: async (transfer_id) => {
      const [transfer] = await listTransfers({ ...ANY_TRANSFER, transfer_id, limit: 1 })
      if (transfer !== undefined) return transfer
      throw new ServiceError('TRANSFER_NOT_FOUND', `transfer is ${transfer_id}; allowed: one that an account asked for`)
    },
    listOperatorKeys: async () => (await rows<OperatorKeyRow>('operator_keys')).map(operatorKeyRead),
    listActs: async ({ act_id, kind, actor, limit, services }) =>
      (
        await rows<Omit<ActRead, 'at' | 'issued_at'> & Pick<ActRow, 'at' | 'issued_at'>>(
          'acts',
          act_id,
          kind,
          actor,
          limit,
          services,
        )
      ).map(({ at, issued_at, ...act }) => ({
        ...act,
        at: formatMicros(at),
        issued_at: issued_at === null ? null : formatMicros(issued_at),
      })),
  }
}

function operatorKeyRead({ registered_at, revoked_at, ...row }: OperatorKeyRow): OperatorKeyRead {
  const ended = revoked_at === null ? null : formatMicros(revoked_at)
  return { ...row, registered_at: formatMicros(registered_at), revoked_at: ended }
}

function accountRead({ created_at, balances, ...row }: AccountRow): AccountRead {
  return { ...row, created_at: formatMicros(created_at), balances: balances.map(balanceRead) }
}

function balanceRead(row: AccountRow['balances'][number]): BalanceRead {
  const { asset_id, scale, total, reserved, withdrawal_hold, pending_settlement_debit } = row
  const amount = (value: number) => fromScaled(BigInt(value), scale)
  return {
    asset_id,
    total: amount(total),
    available: amount(total - reserved - withdrawal_hold - pending_settlement_debit),
    reserved: amount(reserved),
    withdrawal_hold: amount(withdrawal_hold),
    pending_settlement_debit: amount(pending_settlement_debit),
    pending_settlement_credit: amount(row.pending_settlement_credit),
  }
}

function outcomeRead({ volume, terms, ...outcome }: OutcomeRow): OutcomeRead {
  return { ...outcome, volume: fromScaled(BigInt(volume), terms.quantity_scale) }
}

function positionRead({ terms, ...row }: PositionRow): PositionRead {
  const { net_quantity, average_entry_price, realized_pnl } = row
  return {
    ...row,
    net_quantity: fromScaled(BigInt(net_quantity), terms.quantity_scale),
    average_entry_price: average_entry_price === null ? null : fromScaled(BigInt(average_entry_price), AVERAGE_SCALE),
    realized_pnl: fromScaled(BigInt(realized_pnl), terms.asset_scale),
  }
}

function keyRead(row: KeyRow): KeyRead {
  const at = (micros: Micros | null) => (micros === null ? null : formatMicros(micros))
  const { created_at, expires_at, revoked_at } = row
  return { ...row, created_at: formatMicros(created_at), expires_at: at(expires_at), revoked_at: at(revoked_at) }
}

function keyLogEntry({ occurred_at, last_at, ...row }: KeyLogRow): KeyLogEntry {
  return { ...row, occurred_at: formatMicros(occurred_at), last_at: formatMicros(last_at) }
}

function marketRead({ listed, created_at, updated_at, ...row }: MarketRow): MarketRead {
  const { listing, terms } = listed
  return {
    ...row,
    title: listing?.title ?? null,
    rules: listing?.rules ?? null,
    schedule: listing?.schedule ?? null,
    dispute_window: listing?.dispute_window ?? null,
    trading_parameters: terms,
    created_at: formatMicros(created_at),
    updated_at: formatMicros(updated_at),
  }
}
