import { plus } from '../../primitives/safe-integers.ts'
import type { StatementBucket, StatementKind } from '../../vocabulary/ledger.ts'
import type { Bucket, TransactionKind } from '../ledger/entries.ts'
import type { LedgerRow } from './rows.ts'

/** Line of the ledger in an account, as a statement reads it. */
export type StatementLine = Omit<LedgerRow, 'account_id' | 'kind' | 'bucket'> & {
  readonly kind: TransactionKind
  readonly bucket: Bucket
  /** Money; false: an outcome. */
  readonly is_cash: boolean
  /** Fraction digits of the amount. */
  readonly scale: number
  /** Market of an outcome; null: money. */
  readonly market_id: string | null
  /** No entry in its asset is before it in its transaction. */
  readonly is_first: boolean
}

/** Records that caused a transaction; null: none of the kind. */
export type StatementCause = {
  readonly market_id: string | null
  readonly outcome_id: string | null
  readonly order_id: string | null
  readonly fill_id: string | null
  readonly trade_id: string | null
  readonly settlement_id: string | null
  readonly adjustment_id: string | null
  readonly resolution_id: string | null
  readonly transfer_id: string | null
  readonly fee: number | null
  readonly fee_scale: number | null
  readonly schedule_id: string | null
  readonly schedule_version: number | null
}

/** A line with what the account had after it. */
export type RunningLine = StatementLine & { readonly bucket_after: number; readonly total_after: number }
export type StatementEntryRead = RunningLine & StatementCause

/** Amounts before the first line of a page, by asset and bucket (`asset_id bucket`); missing: nothing. */
export type Bases = ReadonlyMap<string, number>

const KINDS: Readonly<Record<TransactionKind, StatementKind>> = {
  reservation: 'order',
  fill: 'fill',
  settlement: 'settlement',
  reversal: 'reversal',
  resolution: 'payout',
  adjustment: 'adjustment',
  deposit: 'deposit',
  withdrawal: 'withdrawal',
}

/** Fields of a balance or position, by bucket. */
const FIELDS: Readonly<Record<Bucket, StatementBucket>> = {
  available: 'available',
  reserved: 'reserved',
  withdrawal_hold: 'withdrawal_hold',
  pending_debit: 'pending_settlement_debit',
  pending_credit: 'pending_settlement_credit',
  settled: 'settled_quantity',
  unsettled: 'unsettled_quantity',
}

/** Returns the cause of an entry. */
export function statementKind({ kind }: Pick<StatementLine, 'kind'>): StatementKind {
  return KINDS[kind]
}

/** Returns the field of the balance or position that an entry changes. */
export function statementBucket({ bucket }: Pick<StatementLine, 'bucket'>): StatementBucket {
  return FIELDS[bucket]
}

/** Returns the first line of each asset, in order. */
export function firstOfAssets(lines: readonly StatementLine[]): StatementLine[] {
  const first = new Map<string, StatementLine>()
  for (const line of lines) if (!first.has(line.asset_id)) first.set(line.asset_id, line)
  return [...first.values()]
}

/** Returns the first line of each transaction, in order. */
export function transactionsOf<L extends StatementLine>(lines: readonly L[]): L[] {
  return lines.filter(({ ledger_sequence }, place) => lines[place - 1]?.ledger_sequence !== ledger_sequence)
}

/** Adds the lines up: all buckets but claims make up the total of an asset. */
export function runningEntries(lines: readonly StatementLine[], bases: Bases): RunningLine[] {
  const buckets = new Map(bases)
  const totals = new Map<string, number>()
  for (const [key, amount] of bases) {
    const [asset_id, bucket] = key.split(' ') as [string, Bucket]
    if (isOwned(bucket)) totals.set(asset_id, plus(totals.get(asset_id) ?? 0, amount))
  }
  return lines.map((line) => {
    const { asset_id, bucket, amount } = line
    const key = `${asset_id} ${bucket}`
    const bucket_after = plus(buckets.get(key) ?? 0, amount)
    const total_after = plus(totals.get(asset_id) ?? 0, isOwned(bucket) ? amount : 0)
    buckets.set(key, bucket_after)
    totals.set(asset_id, total_after)
    return { ...line, bucket_after, total_after }
  })
}

/** Whether a bucket is part of the total: a claim is money that the account does not have yet. */
function isOwned(bucket: Bucket): boolean {
  return bucket !== 'pending_credit'
}

/** Adds the causes of lines. A fee, of a fill also 0, is shown once, on the transaction's first entry in money. @param causes by ledger_sequence */
export function withCauses(
  lines: readonly RunningLine[],
  causes: ReadonlyMap<number, StatementCause>,
): StatementEntryRead[] {
  return lines.map((line) => {
    const { fee, schedule_id, schedule_version, ...cause } = causes.get(line.ledger_sequence)!
    const outcome_id = line.is_cash ? cause.outcome_id : line.asset_id
    const of = { ...cause, market_id: line.market_id ?? cause.market_id, outcome_id }
    const is_charged = fee !== null && (fee !== 0 || line.kind === 'fill') && line.is_cash && line.is_first
    const charged = is_charged ? { fee, schedule_id, schedule_version } : NO_FEE
    return { ...line, ...of, ...charged }
  })
}

const NO_FEE = { fee: null, schedule_id: null, schedule_version: null } as const
