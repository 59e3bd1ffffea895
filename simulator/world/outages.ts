import { MICROS_PER_DAY, MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { VenueId, WorldOptions } from './options.ts'
import { createRandom } from './random.ts'

/** A time [from, to) in which nobody gets anything from a venue, although it trades on. */
export type Outage = { readonly from: Micros; readonly to: Micros }

const MINUTE = 60 * MICROS_PER_SECOND
const HOUR = 60 * MINUTE

/** The outages of a venue in time order: one on the first day, one on about every third later one, 10 to 45 minutes long. */
export function planOutages({ seed, start, days }: WorldOptions, venue_id: VenueId): Outage[] {
  const random = createRandom(seed, 'outages', venue_id)
  return Array.from({ length: days }, (_, day) => {
    const from = start + day * MICROS_PER_DAY + 2 * HOUR + random.below(18 * 3600) * MICROS_PER_SECOND
    const to = from + random.between(10, 45) * MINUTE
    return { from, to, happens: day === 0 || random.chance(330_000) }
  }).flatMap(({ from, to, happens }) => (happens ? [{ from, to }] : []))
}
