import type { FillRow, SettlementRow } from '../projections/rows.ts'

/** Signed changes of a fill; quantity at the market's scale, money in asset units. */
export type Deltas = { readonly quantity: number; readonly notional: number; readonly fee: number }

/** A fill with its settlement state, the changes to it and the totals after them. */
export type AdjustedFill = {
  readonly adjustment_id: string
  readonly fill: FillRow
  readonly settlement: SettlementRow
  readonly deltas: Deltas
  readonly after: Deltas
}
