import type { BackfillPorts } from '../../../operations/backfill/backfill-types.ts'
import { formatMicros, MICROS_PER_DAY } from '../../../primitives/instants.ts'
import type { VenueId, VenuePast, WorldOptions } from '../../../simulator/world/options.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { MINUTE, START } from '../../simulator/support/small-world.ts'
import { type ServedVenue, serveVenue } from '../../support/served-venue.ts'
import { sized } from '../../support/sized.ts'

export const DAYS = sized(2, 3)
/** A few markets: most end within these days. */
export const WORLD: WorldOptions = {
  seed: 'past',
  start: START,
  days: DAYS,
  markets: sized(3, 6),
  interval: sized(20, 10) * MINUTE,
}
export const FROM = formatMicros(START)
export const TO = formatMicros(START + DAYS * MICROS_PER_DAY)
/** All of it is listed; half of it below Kalshi's historical endpoints alone. */
const PAST: VenuePast = { remembers: 10 * MICROS_PER_DAY, historical_after: ((DAYS + 1) / 2) * MICROS_PER_DAY }

export const RECORDS = ['market_quote', 'public_trade', 'order_book', 'market_resolution', 'market', 'event'] as const

/** The venue half a day after the end of its world. */
export function servePast(
  venue_id: VenueId,
  past: VenuePast = PAST,
  world: WorldOptions = WORLD,
): Promise<ServedVenue> {
  return serveVenue(venue_id, world, START + world.days * MICROS_PER_DAY + MICROS_PER_DAY / 2, past)
}

export function portsOf(served: ServedVenue, warehouse: Warehouse, signal?: AbortSignal) {
  const connector = served.connect({ page_max: 200 })
  const ports: BackfillPorts = { warehouse, connectorOf: () => connector, signal }
  return { ports, close: () => connector.close() }
}

/** Every revision of every record, without when it was published. */
export async function recordsOf(warehouse: Warehouse): Promise<Record<string, Row[]>> {
  const session = await openReadSession(warehouse, { as_of: null })
  const tables: Record<string, Row[]> = {}
  try {
    for (const table of RECORDS) {
      tables[table] = await session.query(
        `select * exclude (row_ordinal, published_at) from ${table}_history order by all`,
      )
    }
  } finally {
    await session.close()
  }
  return tables
}
