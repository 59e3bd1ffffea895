import { FIRST_REVISION } from '../../primitives/append-only.ts'
import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { fromScaled, quantize } from '../../primitives/scaled.ts'
import type { MarketSizes } from '../../trading/store/venue/venue-reads.ts'
import { METRIC_FIELDS } from '../../vocabulary/market.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Row } from '../../warehouse/schema.ts'
import { QUANTITY } from '../../warehouse/tables/columns.ts'

/** Sizes of a market as a row of `market_metric` states them. */
export type StoredSizes = Pick<Row, 'volume_24h' | 'open_interest' | 'liquidity_notional'>

/** Returns the sizes of a market as they are stored: contracts, each of which pays at most 1, and the worth of resting orders. */
export function storedSizes({ terms, volume, open_interest, liquidity }: MarketSizes): StoredSizes {
  const { price_scale, quantity_scale } = terms
  const at = (whole: string, scale: number) =>
    fromScaled(quantize(fromScaled(BigInt(whole), scale), QUANTITY.scale), QUANTITY.scale)
  return {
    volume_24h: at(volume, quantity_scale),
    open_interest: at(open_interest, quantity_scale),
    liquidity_notional: at(liquidity, price_scale + quantity_scale),
  }
}

/** Whether both state the same sizes; before the first row nothing is stated. */
export function isSameSizes(a: StoredSizes | undefined, b: StoredSizes): boolean {
  return METRIC_FIELDS.every((field) => a?.[field] === b[field])
}

/** Whether a size is stated that is not 0. */
export function hasSize(sizes: StoredSizes): boolean {
  return METRIC_FIELDS.some((field) => Number(sizes[field] ?? 0) !== 0)
}

/** Returns the row of `market_metric` for the sizes of a market at a batch. */
export function metricRow(sizes: MarketSizes, received: Micros): Row {
  const { market_id, at } = sizes
  const received_at = Math.max(received, at)
  return {
    metric_id: deriveId('mtc', OWN_VENUE, market_id, formatMicros(at), formatMicros(received_at)),
    ...FIRST_REVISION,
    venue_id: OWN_VENUE,
    source_market_id: market_id,
    market_id,
    ...storedSizes(sizes),
    source_at: at,
    received_at,
  }
}
