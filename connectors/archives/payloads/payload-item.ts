import { isUtf8 } from 'node:buffer'
import type { RedactionRule } from '../../../pipelines/venues/outcomes.ts'
import { isPayloadVenue } from '../../../pipelines/venues/payload-venues.ts'
import { Quarantined, type QuarantineItem, type Refusal } from '../../../pipelines/venues/quarantine.ts'
import type { VenuePayload } from '../../../pipelines/venues/record.ts'
import { sourceTime } from '../../../pipelines/venues/source-times.ts'
import { VENUE_READERS } from '../../../pipelines/venues/venue-readers.ts'
import type { Micros } from '../../../primitives/instants.ts'
import type { Recorded } from './payload-form.ts'

/** One payload of an archive, or the reason its text was rejected. */
export type PayloadItem =
  | { readonly payload: VenuePayload; readonly redactions?: readonly RedactionRule[] }
  | { readonly quarantined: QuarantineItem; readonly unreadable?: UnreadablePayload }

/** An answer or message that is not text in UTF-8. */
export type UnreadablePayload = Omit<VenuePayload, 'text'> & {
  readonly bytes: Buffer
  /** Whether its endpoint names accounts, which cannot be removed from it: such bytes are not kept. */
  readonly names_accounts: boolean
}

/** Longest line or document with a payload, in bytes. */
export const PAYLOAD_BYTES_MAX = 64 * 1024 * 1024

/**
 * Reads a payload of a file into the form in which it may be kept.
 * @param read  reads its form; `Quarantined` becomes an item
 * @param file  the file's name; in a file of lines `name:line`
 * @param now   the wall clock: nothing can have been received later
 */
export function payloadItem(read: () => Recorded, file: string, now: Micros): PayloadItem {
  try {
    const { venue_id, endpoint, request, received_at, text } = read()
    if (received_at === null) throw new Quarantined('NO_RECEIPT')
    if (received_at > now) throw new Quarantined('RECEIVED_IN_FUTURE')
    const payload = { venue_id, endpoint, request, received_at: sourceTime(received_at, received_at, 0), file, text }
    return isPayloadVenue(venue_id) ? VENUE_READERS[venue_id].keep(payload) : { payload }
  } catch (error) {
    if (error instanceof Quarantined) return { quarantined: quarantinedAt(file, error.refusal) }
    throw error
  }
}

/** Makes the item of an answer or message as its bytes arrived; bytes that are not UTF-8 are quarantined with it. */
export function receivedItem(received: Omit<VenuePayload, 'text'>, bytes: Buffer): PayloadItem {
  const { file, ...recorded } = received
  const text = bytes.toString('utf8')
  const item = payloadItem(() => ({ ...recorded, text }), file, received.received_at)
  if (isUtf8(bytes) || 'quarantined' in item) return item
  const { request } = item.payload
  const unreadable = { ...received, request, bytes, names_accounts: item.redactions !== undefined }
  return { quarantined: quarantinedAt(file, { reason: 'BAD_ENCODING' }), unreadable }
}

/** Makes the item of a rejected payload. */
export function quarantinedAt(file: string, { reason, advice }: Refusal): QuarantineItem {
  return locateItem({ file, line: 1, path: '$', reason, ...(advice !== undefined && { advice }) })
}

/** Returns an item with the place readers look for: the file's name and, in a file of lines, the payload's line. */
export function locateItem(item: QuarantineItem): QuarantineItem {
  const [, name, line] = /^(.*):(\d+)$/s.exec(item.file) ?? []
  return name === undefined ? item : { ...item, file: name, line: Number(line) }
}
