import type { Micros } from '../../primitives/instants.ts'

/** Parts of a balance. Those of cash except `pending_credit` sum to the total; the two of an outcome sum to the net quantity. */
const BUCKETS = [
  'available',
  'reserved',
  'withdrawal_hold',
  'pending_debit',
  'pending_credit',
  'settled',
  'unsettled',
] as const
export type Bucket = (typeof BUCKETS)[number]
export type OutcomeBucket = 'settled' | 'unsettled'
export type MoneyBucket = Exclude<Bucket, OutcomeBucket>

const TRANSACTION_KINDS = [
  'deposit',
  'withdrawal',
  'reservation',
  'fill',
  'settlement',
  'reversal',
  'adjustment',
  'resolution',
] as const
export type TransactionKind = (typeof TRANSACTION_KINDS)[number]

/** One line of a transaction. The lines of one transaction sum to 0 per asset; outcomes are assets too. */
export type LedgerEntry = {
  readonly ledger_sequence: number
  readonly kind: TransactionKind
  readonly account_id: string
  /** A cash asset or an outcome. */
  readonly asset_id: string
  readonly bucket: Bucket
  /** In the asset's smallest unit, or at the quantity scale of the outcome's market. */
  readonly amount: number
  /** Cause of the line: a fill, an order or an operator's act. */
  readonly reference_id: string
  /** Sequence of its event. */
  readonly engine_sequence: number
  readonly at: Micros
}

/** Accounts of the house: fees, matched money that waits for confirmation, and the outside world. */
export const HOUSE = {
  fees: 'acct_house_fees',
  clearing: 'acct_house_clearing',
  external: 'acct_house_external',
  receivable: 'acct_house_receivable',
} as const

/** Returns the id of the house account that holds the money of a complementary market's sets, and owes their outcomes. */
export function poolAccountId(market_id: string): string {
  return `acct_house_pool_${market_id}`
}

/** Whether an account is one of the house's own. */
export function isHouse(account_id: string): boolean {
  return account_id.startsWith('acct_house_')
}
