import type { DecimalString } from '../../primitives/decimal.ts'
import { fromScaled, quantize } from '../../primitives/scaled.ts'
import type { MarketTerms } from '../market/market-terms.ts'

/** Sizes of a market as an answer or a stored record states them. */
export type PublishedSizes = {
  readonly market_id: string
  /** Instant that they are of: the stamp of an engine batch. */
  readonly observed_at: string
  readonly volume_24h: DecimalString | null
  readonly open_interest: DecimalString | null
}

/** Sizes of a market as its accounts' fills make them: whole numbers at the market's quantity_scale. */
export type SizesOfFills = {
  readonly terms: Pick<MarketTerms, 'quantity_scale'>
  readonly volume: string
  readonly open_interest: string
}

/** A published size that differs from the fold of the fills. */
export type SizeDifference = {
  readonly market_id: string
  readonly observed_at: string
  readonly field: 'volume_24h' | 'open_interest'
  readonly published: string
  readonly of_fills: string
}

/** Fraction digits of a published quantity. */
const DIGITS = 6

/** Returns the sizes that differ; a size that is not published differs from every one. */
export function compareSizes(published: PublishedSizes, fills: SizesOfFills): SizeDifference[] {
  const { market_id, observed_at } = published
  const pairs = [
    ['volume_24h', published.volume_24h, fills.volume],
    ['open_interest', published.open_interest, fills.open_interest],
  ] as const
  return pairs.flatMap(([field, shown, whole]) => {
    const expected = fromScaled(BigInt(whole), fills.terms.quantity_scale)
    if (shown !== null && quantize(shown, DIGITS) === quantize(expected, DIGITS)) return []
    return [{ market_id, observed_at, field, published: shown ?? 'null', of_fills: expected }]
  })
}
