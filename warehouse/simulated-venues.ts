import { join } from 'node:path'
import { ServiceError } from '../primitives/errors.ts'
import { refuseLaterFormat } from '../primitives/later-format.ts'
import { openStore } from './store/open-store.ts'

/** Object of the warehouse that names the venues whose data in it is invented. */
export const SIMULATED_VENUES = 'simulated-venues.json'

/** Notes that a warehouse has invented data of some venues; venues that were noted before stay noted. */
export async function noteSimulatedVenues(root: string, venue_ids: readonly string[]): Promise<void> {
  const known = await readSimulatedVenues(root)
  const all = new Set([...known, ...venue_ids])
  if (all.size === known.size) return
  const text = `${JSON.stringify({ format: 1, venue_ids: [...all].sort() })}\n`
  await (await openStore(root)).replace(SIMULATED_VENUES, Buffer.from(text))
}

/**
 * Returns the venues whose data in a warehouse is invented, real markets of the same venue included; none without a note.
 * @throws {ServiceError} WAREHOUSE_CORRUPT
 */
export async function readSimulatedVenues(root: string): Promise<ReadonlySet<string>> {
  const bytes = await (await openStore(root)).get(SIMULATED_VENUES)
  if (bytes === null) return new Set()
  const venue_ids = venueIdsIn(bytes.toString())
  if (venue_ids !== null) return new Set(venue_ids)
  const file = join(root, SIMULATED_VENUES)
  refuseLaterFormat(bytes.toString(), file, 1, 'WAREHOUSE_SCHEMA_CHANGED')
  const allowed = '{"format":1,"venue_ids":[...]}, or no such file'
  throw new ServiceError('WAREHOUSE_CORRUPT', `${file} is damaged; allowed: ${allowed}`, { file: SIMULATED_VENUES })
}

function venueIdsIn(text: string): readonly string[] | null {
  try {
    const { format, venue_ids } = JSON.parse(text) as { format?: unknown; venue_ids?: unknown }
    const is_list = Array.isArray(venue_ids) && venue_ids.every((id) => typeof id === 'string')
    return format === 1 && is_list ? (venue_ids as string[]) : null
  } catch {
    return null
  }
}
