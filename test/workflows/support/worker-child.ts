import { setTimeout as sleep } from 'node:timers/promises'
import { openConnector } from '../../../connectors/venues/open-connector.ts'
import { toMicros } from '../../../primitives/instants.ts'
import type { VenueId } from '../../../simulator/world/options.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { runWorker } from '../../../workflows/worker/run-worker.ts'
import { CACHE } from './cache.ts'
import { fakePorts } from './fake-ports.ts'

/** A worker as a process of its own, for tests that kill it. Says `ready` when it works. */
export type ChildOptions = {
  readonly address: string
  readonly root: string
  readonly home: string
  readonly venue_id: VenueId
  readonly base_url: string
  /** The venue's clock, which stands still. */
  readonly now: string
  /** How long each read of the venue waits first. */
  readonly pause_ms: number
}

const { address, root, home, venue_id, base_url, now, pause_ms } = JSON.parse(process.argv[2]!) as ChildOptions
const warehouse = await openWarehouse({ root })
const http = { attempts_max: 3, backoff_first_ms: 1, backoff_max_ms: 5, breaker_failures: 1_000_000 }
const connector = openConnector(venue_id, { now: () => toMicros(now), limits: [], http, page_max: 200 }, base_url)
await runWorker({
  server: { address, ui_url: null, namespace: 'default' },
  cache: CACHE,
  queues: ['bulk'],
  ports: fakePorts(warehouse, home, { connectorOf: () => ({ ...connector, read: slowRead }) }),
  signal: new AbortController().signal,
  on_ready: () => process.stdout.write('ready\n'),
})

async function* slowRead(...args: Parameters<typeof connector.read>): ReturnType<typeof connector.read> {
  await sleep(pause_ms)
  yield* connector.read(...args)
}
