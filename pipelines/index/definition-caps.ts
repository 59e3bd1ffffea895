import { type Decimal, sumDecimals } from '../../primitives/decimal.ts'
import { invalid } from './definition-error.ts'
import type { Caps, Constituent } from './version.ts'

/** Returns the group that an event cap limits: the declared one, else the event of the constituent's own market. */
export function eventGroup(constituent: Constituent): string {
  return constituent.group_event ?? constituent.legs[constituent.own]!.event_id
}

/** Returns the group that a venue cap limits: the venue of its legs; null, outside every group, if they trade at several. */
export function venueGroup({ legs, own }: Constituent): string | null {
  const { venue_id } = legs[own]!
  return legs.every((leg) => leg.venue_id === venue_id) ? venue_id : null
}

/** Returns the single cap of a constituent: the lower of its own and the version's; null = none. */
export function singleCap({ weight_cap }: Constituent, { single }: Caps): Decimal | null {
  if (weight_cap === null || single === null) return weight_cap ?? single
  return weight_cap.lt(single) ? weight_cap : single
}

/**
 * Checks fixed weights against the caps: caps shape weights made by a rule and check fixed ones (methodology index-1 §8).
 * @param at path of the version in the file, for messages
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID names the constituent or group, its weight and its cap
 */
export function checkCaps(constituents: readonly Constituent[], caps: Caps, at: string): void {
  for (const constituent of constituents) {
    const cap = singleCap(constituent, caps)
    if (cap !== null && constituent.target_weight.gt(cap)) {
      const field = `${at}.constituents[${constituent.constituent_id}].target_weight`
      throw invalid(field, constituent.target_weight.toFixed(), `at most the cap of ${cap.toFixed()}`)
    }
  }
  checkGroups(constituents, caps.event, eventGroup, `${at}.constituents of event`)
  checkGroups(constituents, caps.venue, venueGroup, `${at}.constituents of venue`)
}

function checkGroups(
  constituents: readonly Constituent[],
  cap: Decimal | null,
  groupOf: (constituent: Constituent) => string | null,
  field: string,
): void {
  if (cap === null) return
  for (const group of new Set(constituents.map(groupOf))) {
    if (group === null) continue
    const members = constituents.filter((constituent) => groupOf(constituent) === group)
    const sum = sumDecimals(members.map((constituent) => constituent.target_weight))
    if (sum.gt(cap))
      throw invalid(`${field} ${group}: target_weight`, sum.toFixed(), `at most the cap of ${cap.toFixed()}`)
  }
}
