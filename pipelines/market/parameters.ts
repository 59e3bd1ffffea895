import type { Decimal } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'

/** Parameters of marks and freshness (methodology index-1 §3, 4), decoded. Spreads are probabilities, depths contracts. */
export type MarkParameters = {
  readonly stale_after: Micros
  readonly max_carry: Micros
  readonly s_tight: Decimal
  readonly s_micro: Decimal
  readonly s_wide: Decimal
  readonly q_min: Decimal
  readonly book_max_age: Micros
  readonly t_recent: Micros
  readonly t_last: Micros
}

/** Parameters of the outlier filter (methodology index-1 §6), decoded. */
export type OutlierParameters = {
  readonly enabled: boolean
  /** Number of accepted marks kept. */
  readonly window: number
  /** Number of marks needed before the filter acts. */
  readonly min_n: number
  readonly k: Decimal
  readonly floor: Decimal
  readonly confirm_n: number
  readonly band: Decimal
  readonly venue_band: Decimal
  readonly window_max_age: Micros
}
