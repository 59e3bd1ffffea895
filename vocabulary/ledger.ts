/** Causes of the entries of a statement. */
export const STATEMENT_KINDS = [
  'order',
  'fill',
  'settlement',
  'reversal',
  'payout',
  'adjustment',
  'deposit',
  'withdrawal',
] as const
export type StatementKind = (typeof STATEMENT_KINDS)[number]

/** Parts of a balance and of a position that an entry changes, under the names of their fields. */
export const STATEMENT_BUCKETS = [
  'available',
  'reserved',
  'withdrawal_hold',
  'pending_settlement_debit',
  'pending_settlement_credit',
  'settled_quantity',
  'unsettled_quantity',
] as const
export type StatementBucket = (typeof STATEMENT_BUCKETS)[number]
