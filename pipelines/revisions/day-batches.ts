import { MICROS_PER_DAY, type Micros } from '../../primitives/instants.ts'
import type { Batch } from './batches.ts'

/**
 * Splits records with their own stamps into commits: one per UTC day, because a data file is in the folder of its day. They
 * depend on the archive alone, never on the warehouse.
 * @param stamps published_at of every valid record, in commit order, ascending
 */
export function dayBatches(stamps: readonly Micros[]): Batch[] {
  const batches: Batch[] = []
  for (let from = 0; from < stamps.length; ) {
    const day = Math.floor(stamps[from]! / MICROS_PER_DAY)
    let to = from + 1
    while (to < stamps.length && stamps[to]! < (day + 1) * MICROS_PER_DAY) to += 1
    batches.push({ sequence: batches.length + 1, from, to, turn: day * MICROS_PER_DAY })
    from = to
  }
  return batches
}
