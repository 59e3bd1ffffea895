import type { Micros } from '../../../primitives/instants.ts'

/** Quotes that are named by their ids, with what narrows the search. */
export type QuotesAsked = {
  readonly record_ids: readonly string[]
  /** Markets that they are of. */
  readonly market_ids: readonly string[]
  /** Earliest source_at of them. */
  readonly source_from: Micros
  /** Latest source_at of them: later files are not read. */
  readonly source_to: Micros
  readonly as_of: Micros
}

/** Payloads of a venue that were received at an instant. `content_hash`: only this one, with its body; null: all. */
export type PayloadsAsked = {
  readonly venue_id: string
  readonly received_at: Micros
  readonly content_hash: string | null
}

/** One index and the half-open range of its line. */
export type LineAsked = { readonly index_id: string; readonly from: Micros; readonly to: Micros }
