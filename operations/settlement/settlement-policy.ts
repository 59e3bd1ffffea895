/** Policy for batching, retrying and abandoning settlements. */
export type SettlementPolicy = {
  /** Window in which settlements are batched. */
  readonly window_ms: number
  /** Attempts in one command of the engine, for which arriving orders wait. */
  readonly batch_max: number
  /** Settlements that one window takes at most; the rest is the next one's. */
  readonly window_max: number
  /** Longest time a rail may take to answer. */
  readonly rail_ms: number
  /** Interval between two looks at an attempt in progress. */
  readonly look_ms: number
  /** After the first failure; it doubles from failure to failure. */
  readonly backoff_first_ms: number
  readonly backoff_max_ms: number
  /** A settlement that failed so often waits for an operator. */
  readonly attempts_max: number
  /** Positions that one command pays. */
  readonly payouts_max: number
}

export const SETTLEMENT_POLICY: SettlementPolicy = {
  window_ms: 2_000,
  batch_max: 100,
  window_max: 4_000,
  rail_ms: 5_000,
  look_ms: 1_000,
  backoff_first_ms: 2_000,
  backoff_max_ms: 60_000,
  attempts_max: 6,
  payouts_max: 200,
}
