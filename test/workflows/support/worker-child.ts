import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openConnector } from '../../../connectors/venues/open-connector.ts'
import type { VenueConnector } from '../../../connectors/venues/venue-connector.ts'
import { invariant } from '../../../primitives/errors.ts'
import { toMicros } from '../../../primitives/instants.ts'
import type { VenueId } from '../../../simulator/world/options.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { runWorker } from '../../../workflows/worker/run-worker.ts'
import { CACHE } from './cache.ts'
import { fakePorts } from './fake-ports.ts'
import { flaky } from './flaky.ts'

/** A worker as a process of its own, for tests that kill it. Says `ready` when it works. */
export type ChildOptions = {
  readonly address: string
  readonly root: string
  readonly home: string
  /** Base URL of each venue. */
  readonly base_urls: Readonly<Partial<Record<VenueId, string>>>
  /** The venues' clock, which stands still. */
  readonly now: string
  /** Delay before each read of a venue, in milliseconds. */
  readonly pause_ms: number
  /** Activities that are made to fail; null: none. Each execution is a letter in the file: `.`, or `F` where it failed. */
  readonly fails: { readonly ratio: number; readonly seed: number; readonly file: string } | null
}

const { address, root, home, base_urls, now, pause_ms, fails } = JSON.parse(process.argv[2]!) as ChildOptions
const warehouse = await openWarehouse({ root })
const http = { attempts_max: 3, backoff_first_ms: 1, backoff_max_ms: 5, breaker_failures: 1_000_000 }
const connectors = new Map(
  Object.entries(base_urls).map(([venue_id, base_url]) => {
    const options = { now: () => toMicros(now), limits: [], http, page_max: 200 }
    return [venue_id, slow(openConnector(venue_id as VenueId, options, base_url))]
  }),
)
const connectorOf = (venue_id: string): VenueConnector => {
  const found = connectors.get(venue_id)
  invariant(found !== undefined, `no connector of ${venue_id}`)
  return found
}
const note =
  ({ file }: { readonly file: string }) =>
  (failed: boolean) =>
    appendFileSync(file, failed ? 'F' : '.')
await runWorker({
  server: { address, ui_url: null, namespace: 'default' },
  cache: CACHE,
  queues: ['bulk'],
  ports: fakePorts(warehouse, home, { connectorOf }),
  signal: new AbortController().signal,
  on_ready: () => process.stdout.write('ready\n'),
  ...(fails !== null && { interceptors: flaky(fails.ratio, fails.seed, note(fails)).interceptors }),
})

function slow(connector: VenueConnector): VenueConnector {
  return {
    ...connector,
    async *read(...args) {
      await sleep(pause_ms)
      yield* connector.read(...args)
    },
  }
}
