import type { Micros } from '../../../primitives/instants.ts'
import type { BulkBlock, Reading, TickBlock } from './bulk-block.ts'
import { HALF_MARK } from './numerator.ts'
import type { TightBooks } from './tight-books.ts'
import { C_M1 } from './units.ts'

/*
 * The innermost loops of the bulk replay: one new tight row per tick, added to the sums of its tick. They stop at the first
 * tick without a new row, with another kind of row, or with a mark too far from the others of the outlier filter's window.
 * Written for the machine: few columns, 32-bit integers (| 0), one comparison per rule, constants in local variables; a
 * NO_MARK falls below every lower bound.
 */

/** Least and greatest mark of a window, kept up to date, and the largest distance allowed between two of them. */
export type MarkBounds = { low: number; high: number; readonly room: number }

/** A leg's rows from the next ordinal on, and the first tick of the block that must not be taken from them. */
export type TightRows = TightBooks & {
  ordinal: number
  readonly end: number
  readonly bounds: MarkBounds
  readonly reading: Reading
}

/** Takes rows from a tick on, several of one minute too; returns the first tick not taken. */
export function takeTightRows(
  rows: TightRows,
  { first, step }: TickBlock,
  from: number,
  { age, max_carry }: { readonly age: Micros; readonly max_carry: Micros },
  { numerator, confidence }: BulkBlock,
): number {
  const { admitted, marks, end, bounds, reading } = rows
  const { room } = bounds
  const { signed_weight } = reading
  const slope = reading.weight * C_M1
  const half = HALF_MARK
  let low = bounds.low | 0
  let high = bounds.high | 0
  let ordinal = rows.ordinal | 0
  let taken = ordinal
  let i = from | 0
  let cutoff = first + i * step
  let base = max_carry - cutoff
  let next = admitted[ordinal]!
  for (; i < end; i++) {
    let at = next
    if (!(at <= cutoff)) break
    next = admitted[ordinal + 1]!
    while (next <= cutoff) {
      ordinal += 1
      at = next
      next = admitted[ordinal + 1]!
    }
    if (cutoff - at > age) break
    const mark = marks[ordinal]!
    if (mark < low) {
      if (mark < 0 || high - mark > room) break
      low = mark
    }
    if (mark > high) {
      if (mark - low > room) break
      high = mark
    }
    numerator[i] = numerator[i]! + signed_weight * (mark - half)
    confidence[i] = confidence[i]! + slope * (base + at)
    ordinal += 1
    taken = ordinal
    cutoff += step
    base -= step
  }
  bounds.low = low
  bounds.high = high
  rows.ordinal = taken
  return i
}

/**
 * Takes rows of two legs at once, from the block's first tick on, which halves the memory traffic of the sums: exactly one row of
 * each per tick, each known to be young enough. Bounds may come out wider than the rows taken, which only sends more
 * marks the general way.
 */
export function takePairedRows(
  one: TightRows,
  two: TightRows,
  { first, step }: TickBlock,
  max_carry: Micros,
  { numerator, confidence }: BulkBlock,
): number {
  const { admitted: admitted1, marks: marks1, bounds: bounds1 } = one
  const { admitted: admitted2, marks: marks2, bounds: bounds2 } = two
  const weight1 = one.reading.signed_weight
  const weight2 = two.reading.signed_weight
  const slope1 = one.reading.weight * C_M1
  const slope2 = two.reading.weight * C_M1
  const half = HALF_MARK
  let low1 = bounds1.low | 0
  let high1 = bounds1.high | 0
  let low2 = bounds2.low | 0
  let high2 = bounds2.high | 0
  const end = Math.min(one.end, two.end) | 0
  let ordinal1 = one.ordinal | 0
  let ordinal2 = two.ordinal | 0
  let cutoff = first
  let base = max_carry - cutoff
  let at1 = admitted1[ordinal1]!
  let at2 = admitted2[ordinal2]!
  let i = 0
  for (; i < end; i++) {
    const next1 = admitted1[ordinal1 + 1]!
    const next2 = admitted2[ordinal2 + 1]!
    if (!(at1 <= cutoff && cutoff < next1 && at2 <= cutoff && cutoff < next2)) break
    const mark1 = marks1[ordinal1]!
    const mark2 = marks2[ordinal2]!
    if (mark1 < low1 || mark1 > high1) {
      if (!widen(bounds1, mark1)) break
      low1 = bounds1.low | 0
      high1 = bounds1.high | 0
    }
    if (mark2 < low2 || mark2 > high2) {
      if (!widen(bounds2, mark2)) break
      low2 = bounds2.low | 0
      high2 = bounds2.high | 0
    }
    numerator[i] = numerator[i]! + (weight1 * (mark1 - half) + weight2 * (mark2 - half))
    confidence[i] = confidence[i]! + (slope1 * (base + at1) + slope2 * (base + at2))
    at1 = next1
    at2 = next2
    ordinal1 += 1
    ordinal2 += 1
    cutoff += step
    base -= step
  }
  one.ordinal = ordinal1
  two.ordinal = ordinal2
  return i
}

function widen(bounds: MarkBounds, mark: number): boolean {
  const low = Math.min(bounds.low, mark)
  const high = Math.max(bounds.high, mark)
  if (mark < 0 || high - low > bounds.room) return false
  bounds.low = low
  bounds.high = high
  return true
}
