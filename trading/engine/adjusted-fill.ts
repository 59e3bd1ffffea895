import type { FillRow, SettlementRow } from '../projections/rows.ts'

/** What an adjustment changes of a fill: signed; quantity at the market's scale, money in asset units. */
export type Deltas = { readonly quantity: number; readonly notional: number; readonly fee: number }

/** A fill, how far its money is, what changes of it, and what it comes to then. */
export type AdjustedFill = {
  readonly adjustment_id: string
  readonly fill: FillRow
  readonly settlement: SettlementRow
  readonly deltas: Deltas
  readonly after: Deltas
}
