import type { AddressInfo } from 'node:net'
import { ROUTE_HANDLERS } from '../../../api/routes/handlers.ts'
import { createApiServer } from '../../../api/server/create-api-server.ts'
import { attachStream } from '../../../api/stream/attach-stream.ts'
import { streamProjections } from '../../../api/stream/projections.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { EngineClient } from '../../../trading/service/engine-client.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { fakeReader } from '../../support/fake-reader.ts'
import { StreamClient } from '../stream/stream-client.ts'
import { followVenue } from './own-world.ts'

/** Answer with its body as JSON.parse returns it, untyped, so that a test can read any field. */
export type Got = {
  readonly status: number
  readonly body: ReturnType<typeof JSON.parse>
  readonly etag: string | null
}

export type ServedVenue = Awaited<ReturnType<typeof serveVenue>>

/** Warehouse content of a test: rows of markets and of their marks, oldest first; a test may add more. */
export type Stored = {
  readonly markets?: readonly Row[]
  readonly events?: readonly Row[]
  /** Versions of the index idx_1. */
  readonly versions?: readonly Row[]
  readonly marks?: readonly Row[]
  /** Most events read of what was said before the process began; left out: all. */
  readonly events_max?: number
  /** How far the warehouse is behind the clock, in milliseconds; default 0. */
  readonly behind_ms?: number
  /** The engine that seals instants. */
  readonly client?: Pick<EngineClient, 'submit'>
}

/** The market of the tests as the warehouse has it, learned some time ago. */
export const STORED_MARKET: Row = {
  market_id: 'mkt_1',
  event_id: 'evt_1',
  title: 'One',
  status: 'scheduled',
  outcome_type: 'binary',
  outcomes: [
    { outcome_id: 'out_yes', label: 'Yes' },
    { outcome_id: 'out_no', label: 'No' },
  ],
  venue_mapping: { venue_id: 'tidemark', source_market_id: 'mkt_1', source_outcome_ids: ['out_yes', 'out_no'] },
  source_at: '2026-01-01T00:00:00.000000Z',
  published_at: '2026-01-01T00:00:00.000000Z',
}

/** An API process over a trading database: its HTTP server and its stream, over a warehouse that knows next to nothing. */
export async function serveVenue(
  pool: Pool,
  { markets = [], events = [], versions = [], marks = [], behind_ms = 0, events_max, client }: Stored = {},
) {
  const followed = followVenue(pool, { events_max, client })
  const catalog = {
    events: () => events,
    event: (event_id: string) => events.find((row) => row.event_id === event_id) ?? null,
    markets: () => markets,
    index: (index_id: string) => (index_id === 'idx_1' ? { index_id } : null),
    version: (version_id: string) => versions.find((row) => row.index_version_id === version_id) ?? null,
    market: (market_id: string) => markets.find((row) => row.market_id === market_id) ?? null,
  }
  const plain = fakeReader({ catalog })
  const newest = (rows: readonly Row[]) => [...new Map(rows.map((row) => [row.outcome_id, row])).values()]
  const latest = () => newest(marks).map((row, place) => ({ row, seq: place + 1 }))
  const marksAt = async (_market_id: string, as_of: number) =>
    newest(marks.filter(({ published_at }) => toMicros(published_at) <= as_of))
  const reader = {
    ...plain,
    instant: () => wallClock() - behind_ms * 1000,
    latest: { ...plain.latest, marks: latest },
    history: { ...plain.history, marks: marksAt },
  }
  const app = await createApiServer({
    reader,
    handlers: ROUTE_HANDLERS,
    own_venue: followed.venue,
    environment: 'test',
    rate_limits: 'off',
    cursor_secret: Buffer.alloc(32, 7),
  })
  const failures: unknown[] = []
  const stream = attachStream({
    http_server: app.server,
    reader,
    own_venue: followed.venue,
    project: streamProjections(reader),
    onFailure: (error) => failures.push(error),
    limits: { closing_ms: 0, flush_ms: 1 },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const place = `127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const get = async (path: string): Promise<Got> => {
    const response = await fetch(`http://${place}/v1${path}`)
    return { status: response.status, body: JSON.parse(await response.text()), etag: response.headers.get('etag') }
  }
  return {
    ...followed,
    stream_failures: failures,
    get,
    connect: () => StreamClient.open(`ws://${place}/v1/ws`),
    async stop() {
      await stream.close()
      app.server.closeAllConnections()
      await app.close()
      await followed.close()
    },
  }
}
