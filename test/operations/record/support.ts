import { setTimeout as sleep } from 'node:timers/promises'
import type { VenueConnector } from '../../../connectors/venues/venue-connector.ts'
import type { VenueStream } from '../../../connectors/ws/venue-stream.ts'
import type { FeedPlan } from '../../../operations/live/feed-plan.ts'
import type { RecordingLimits } from '../../../operations/record/recording-files.ts'
import { MICROS_PER_DAY, MICROS_PER_SECOND, type Micros } from '../../../primitives/instants.ts'
import type { SimulatedClock } from '../../../simulator/server/simulated-clock.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'

export const LIMITS: RecordingLimits = {
  file_bytes_max: 64_000_000,
  file_span_max: MICROS_PER_DAY,
  total_bytes_max: null,
  when_full: 'stop',
  free_bytes_min: 0,
}

/** One read, then the streams alone: nothing depends on this machine's timers. */
export const ONE_READ: FeedPlan = {
  first: ['catalogue', 'markets', 'trades', 'resolutions'],
  first_back: 2 * MICROS_PER_DAY,
  readings: [],
  silence: 45 * MICROS_PER_SECOND,
}

/** A clock of receipts that never states an instant twice: two followers that ask the same get the same receipts. */
export function ticking(clock: SimulatedClock): () => Micros {
  let [instant, ticks] = [0, 0]
  return () => {
    const now = clock.now()
    ticks = now === instant ? ticks + 1 : 0
    instant = now
    return now + ticks
  }
}

/** Streams that connectors opened, so that a test can wait for what was sent. */
export type OpenedStreams = {
  readonly watched: (connector: VenueConnector) => VenueConnector
  arrived(): Promise<void>
}

/** Watches connectors that follow a venue at the same time. @param followers their number */
export function openedStreams(followers: number): OpenedStreams {
  const current = new Map<number, readonly VenueStream[]>()
  let opened = 0
  const isOpen = () =>
    current.size >= followers &&
    [...current.values()].flat().every(({ state }) => state === 'open' || state === 'closed')
  return {
    watched: (connector) => {
      const number = opened
      opened += 1
      return {
        ...connector,
        get confirmed_at() {
          return connector.confirmed_at
        },
        openStreams: () => {
          const streams = connector.openStreams()
          current.set(number, streams)
          return streams
        },
        close: () => {
          current.delete(number)
          return connector.close()
        },
      }
    },
    async arrived() {
      while (!isOpen()) await sleep(5)
      await Promise.all([...current.values()].flat().map((stream) => stream.confirm()))
    },
  }
}

/** Tables of records, and what of their rows depends on when and by whom they were written. */
const TABLES = ['event', 'market', 'market_quote', 'order_book', 'market_metric', 'public_trade', 'market_resolution']
const OF_THE_WRITING = '^(published_at|confirms_id|confirmed_at|row_ordinal|commit_.*)$'

/** Every row of every table, without confirmations and without what the writing adds. */
export async function allRows(warehouse: Warehouse): Promise<Readonly<Record<string, readonly Row[]>>> {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const found: [string, readonly Row[]][] = []
    for (const table of TABLES) {
      const rows = await session.query(`select * from ${table}_history`)
      const kept = rows.filter((row) => (row.confirms_id ?? null) === null).map(withoutWriting)
      found.push([table, kept.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))])
    }
    return Object.fromEntries(found)
  } finally {
    await session.close()
  }
}

function withoutWriting(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !new RegExp(OF_THE_WRITING).test(column)))
}

/** The payloads that are stored. */
export async function allPayloads(warehouse: Warehouse): Promise<readonly Row[]> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['venue_payload'] })
  try {
    return await session.query('select endpoint, request, received_at, content_hash from venue_payload order by all')
  } finally {
    await session.close()
  }
}
