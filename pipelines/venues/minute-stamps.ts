import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'

type Received = { readonly received_at: Micros }

/** published_at under the recorded clock of everything received in one UTC minute, by the minute. */
export type MinuteStamps = ReadonlyMap<number, Micros>

/** Returns the UTC minute of an instant, counted from 1970. */
export function minuteOf(micros: Micros): number {
  return Math.floor(micros / (60 * MICROS_PER_SECOND))
}

/**
 * Makes the recorded clock of streams: everything received in one UTC minute is published at the latest receipt in it, so never
 * before its receipt and never in a later minute. Stamps ascend: a minute that comes again after a later one (split between
 * batches, or a record that a reader held back) is published a microsecond after the last.
 * @param received lists of receipts, in any order
 * @param after    the last stamp given so far
 */
export function minuteStamps(received: readonly (readonly Received[])[], after: Micros): Map<number, Micros> {
  const latest = new Map<number, Micros>()
  for (const list of received) {
    // Neighbors are mostly of one minute, which is looked up once.
    let [minute, last_of_minute] = [Number.NaN, Number.NEGATIVE_INFINITY]
    for (const { received_at } of list) {
      if (minuteOf(received_at) !== minute) {
        if (!Number.isNaN(minute)) latest.set(minute, last_of_minute)
        minute = minuteOf(received_at)
        last_of_minute = latest.get(minute) ?? received_at
      }
      last_of_minute = Math.max(last_of_minute, received_at)
    }
    if (!Number.isNaN(minute)) latest.set(minute, last_of_minute)
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
 * Returns published_at of each record under that clock.
 * @param sorted by received_at, each in a minute with a stamp
 */
export function stampsOf(sorted: readonly Received[], stamps: MinuteStamps): Micros[] {
  return sorted.map(({ received_at }) => stamps.get(minuteOf(received_at))!)
}
