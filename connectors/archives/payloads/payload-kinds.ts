import { PAYLOAD_VENUES, type PayloadVenue } from '../../../pipelines/venues/payload-venues.ts'

/** Kinds of payload archives: one per venue, and `payloads` for several venues in one folder. */
export const PAYLOAD_KINDS = [...PAYLOAD_VENUES, 'payloads'] as const
export type PayloadKind = PayloadVenue | 'payloads'

/** Type guard for a kind of payload archive. */
export function isPayloadKind(kind: string): kind is PayloadKind {
  return PAYLOAD_KINDS.some((known) => known === kind)
}

/** Returns the venues whose payloads an archive of a kind may hold. */
export function venuesOfKind(kind: PayloadKind): readonly PayloadVenue[] {
  return kind === 'payloads' ? PAYLOAD_VENUES : [kind]
}

/** Returns whether the archive is a feed of natural hazards, with alerts and no markets. */
export function isHazardKind(kind: PayloadKind): boolean {
  return kind === 'gdacs' || kind === 'usgs'
}
