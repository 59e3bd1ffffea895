import { PAYLOAD_VENUES, type PayloadVenue } from '../../../pipelines/venues/payload-venues.ts'

/** Kinds of archives of payloads: one a venue, and `payloads` for several venues in one folder. */
export const PAYLOAD_KINDS = [...PAYLOAD_VENUES, 'payloads'] as const
export type PayloadKind = PayloadVenue | 'payloads'

/** Type guard for a kind of archive of payloads. */
export function isPayloadKind(kind: string): kind is PayloadKind {
  return PAYLOAD_KINDS.some((known) => known === kind)
}

/** The venues whose payloads an archive of a kind may hold. */
export function venuesOfKind(kind: PayloadKind): readonly PayloadVenue[] {
  return kind === 'payloads' ? PAYLOAD_VENUES : [kind]
}

/** True for a feed of natural hazards, whose archive has alerts and no markets. */
export function isHazardKind(kind: PayloadKind): boolean {
  return kind === 'gdacs' || kind === 'usgs'
}
