import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { Batch } from './batches.ts'

type Received = { readonly received_at: Micros }

/** published_at under the recorded clock of everything that was received in one UTC minute, by the minute. */
export type MinuteStamps = ReadonlyMap<number, Micros>

/** The UTC minute that an instant lies in, counted from 1970. */
export function minuteOf(micros: Micros): number {
  return Math.floor(micros / (60 * MICROS_PER_SECOND))
}

/**
 * The recorded clock of streams: what was received in one UTC minute is published at the latest receipt among it, so never
 * before it was received and never in a later minute. Stamps ascend: where a minute comes again after a later one (a
 * minute that one batch does not hold, a record that a reader held back), it is published a microsecond after the last.
 * @param received lists of what was received, in any order
 * @param after    the last stamp given so far
 */
export function minuteStamps(received: readonly (readonly Received[])[], after: Micros): Map<number, Micros> {
  const latest = new Map<number, Micros>()
  for (const list of received) {
    for (const { received_at } of list) {
      const minute = minuteOf(received_at)
      latest.set(minute, Math.max(latest.get(minute) ?? received_at, received_at))
    }
  }
  let last = after
  const stamps = new Map<number, Micros>()
  for (const [minute, received_at] of [...latest].sort(([a], [b]) => a - b)) {
    last = Math.max(received_at, last + 1)
    stamps.set(minute, last)
  }
  return stamps
}

/**
 * The commits of one table under that clock: one a minute.
 * @param sorted by received_at, each of a minute that has a stamp
 */
export function minuteBatches(sorted: readonly Received[], stamps: MinuteStamps): Batch[] {
  const batches: Batch[] = []
  for (let from = 0; from < sorted.length; ) {
    const minute = minuteOf(sorted[from]!.received_at)
    let to = from + 1
    while (to < sorted.length && minuteOf(sorted[to]!.received_at) === minute) to += 1
    batches.push({ sequence: batches.length + 1, from, to, recorded_at: stamps.get(minute)! })
    from = to
  }
  return batches
}
