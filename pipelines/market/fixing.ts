import { Decimal, sumDecimals, ZERO } from '../../primitives/decimal.ts'

/** One partition of a fixing window: its trades, and the M1..M3 mark at its end where there is one. */
export type FixingPartition = {
  readonly trades: readonly { readonly price: Decimal; readonly quantity: Decimal }[]
  readonly mark: Decimal | null
}

/**
 * Computes the settlement value (methodology index-1 §11): per partition the volume-weighted median of its trades, else its
 * mark, else it is dropped; the mean after dropping `trim` partitions at each end. Unrounded.
 * @returns null when fewer than `minimum` partitions have a value: no fixing
 */
export function fixingValue(
  partitions: readonly FixingPartition[],
  rule: { readonly minimum: number; readonly trim: number },
): Decimal | null {
  const values = partitions
    .map((partition) => weightedMedian(partition.trades) ?? partition.mark)
    .filter((value) => value !== null)
  if (values.length < rule.minimum) return null
  const kept = values.sort((a, b) => a.cmp(b)).slice(rule.trim, values.length - rule.trim)
  return sumDecimals(kept).div(kept.length)
}

/** Returns the first price with cumulative size above half; at exactly half the mean with the next price. null without trades. */
export function weightedMedian(
  trades: readonly { readonly price: Decimal; readonly quantity: Decimal }[],
): Decimal | null {
  const sorted = mergePrices(trades)
  const half = sumDecimals(sorted.map((trade) => trade.quantity)).div(2)
  let cumulative = ZERO
  for (const [i, trade] of sorted.entries()) {
    cumulative = cumulative.plus(trade.quantity)
    if (cumulative.gt(half)) return trade.price
    if (cumulative.eq(half)) return trade.price.plus(sorted[i + 1]?.price ?? trade.price).div(2)
  }
  return null
}

function mergePrices(trades: readonly { readonly price: Decimal; readonly quantity: Decimal }[]) {
  const sizes = new Map<string, { price: Decimal; quantity: Decimal }>()
  for (const { price, quantity } of trades) {
    const known = sizes.get(price.toFixed())
    sizes.set(price.toFixed(), { price, quantity: known === undefined ? quantity : known.quantity.plus(quantity) })
  }
  return [...sizes.values()].filter((trade) => trade.quantity.gt(0)).sort((a, b) => a.price.cmp(b.price))
}

/** Returns the plain volume-weighted average price: shown beside a fixing, never published as one. null without trades. */
export function volumeWeightedAverage(
  trades: readonly { readonly price: Decimal; readonly quantity: Decimal }[],
): Decimal | null {
  const size = sumDecimals(trades.map((trade) => trade.quantity))
  return size.isZero() ? null : sumDecimals(trades.map((trade) => trade.price.times(trade.quantity))).div(size)
}

/**
 * Returns the USD needed to move a touch to `limit`: every ask below it is bought at its price, or every bid above it sold at 1
 * - price.
 */
export function costToMove(
  levels: readonly { readonly price: Decimal; readonly quantity: Decimal }[],
  side: 'buy' | 'sell',
  limit: Decimal,
): Decimal {
  const taken = levels.filter((level) => (side === 'buy' ? level.price.lt(limit) : level.price.gt(limit)))
  return sumDecimals(
    taken.map(({ price, quantity }) => (side === 'buy' ? price : new Decimal(1).minus(price)).times(quantity)),
  )
}
