import type { TapeLevel } from './tape.ts'

/** Total of a price level. */
export type LevelTotal = Pick<TapeLevel, 'quantity' | 'order_count'>

export const EMPTY_LEVEL: LevelTotal = { quantity: 0, order_count: 0 }

/**
 * Returns the most that can have left a price level in a batch, other than by trades.
 *
 * A book shows the net change of a level, and how many orders stand there. Orders that only joined, or only left, are told by both. If
 * the two disagree, an order was replaced or cut, and any part of the level may have left: infinity.
 * @param traded quantity that trades of the batch took from the level
 */
export function leftAtMost(before: LevelTotal, after: LevelTotal, traded: number): number {
  const change = after.quantity - (before.quantity - traded)
  const orders = after.order_count - before.order_count
  if (traded > 0 && change === 0) return 0
  if (change > 0 && orders > 0) return 0
  if (change < 0 && orders < 0) return -change
  return Number.POSITIVE_INFINITY
}

/** Returns what arrived at a price level in a batch and still rests there, or was taken in the same batch. */
export function arrived(before: LevelTotal, after: LevelTotal, taken: number): number {
  return after.quantity - before.quantity + taken
}
