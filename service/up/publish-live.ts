import { fileURLToPath } from 'node:url'
import { waitFor } from '../../operations/live/wait-for.ts'
import { createBackoff } from '../../primitives/backoff.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { aborted } from '../../workflows/aborted.ts'
import { DEFAULT_OWNER } from '../../workflows/schedules.ts'
import { reportRetry } from '../exit-codes.ts'
import { assessWorld } from '../live/assess-world.ts'
import { followedIndexes } from '../live/followed-indexes.ts'
import { runLive } from '../live/run-live.ts'
import type { ServedWorld } from '../live/serve-world.ts'
import { haveSandboxIndex } from '../sandbox/sandbox-index.ts'
import { ownVenueWork } from '../trading/own-venue-work.ts'
import { openWorkerTrading, type WorkerTrading } from '../trading/worker-trading.ts'
import { keepLog } from '../transparency/keep-log.ts'
import { showSample } from './print-sample.ts'
import { type SeededWarehouse, writeSampleReport } from './seed-warehouse.ts'
import type { ServiceTemporal } from './start-temporal.ts'
import type { ServiceTrading } from './start-trading.ts'
import type { UpRun } from './up-options.ts'
import { sandboxAccounts } from './up-options.ts'
import { startBulkWorker } from './worker-process.ts'

/** Parts of the service that run beside publication. */
export type Parts = {
  readonly temporal: ServiceTemporal
  readonly trading: ServiceTrading
  readonly calm: { readonly open: () => void }
}

/**
 * Publishes the live world until the signal is aborted. Opens `calm` when everything that users wait for is done.
 */
export async function publishLive(
  run: UpRun,
  filled: SeededWarehouse,
  { temporal, trading, calm }: Parts,
): Promise<void> {
  const { settings, output, signal } = run
  const { home, cache, warehouse: root } = settings
  const problemOf = (part: string) => (error: unknown) => reportRetry(output, part, error)
  const warehouse = await openWarehouse({ root, create: true })
  const traded = openOwnTrading(run, trading)
  let last: Promise<void> | null = null
  let logging: Promise<void> | null = null
  const afterwards = () => {
    last ??= runDeferred(run, filled, warehouse, trading).then(calm.open)
    logging ??= last.then(() => keepLog({ warehouse, settings, signal, on_problem: problemOf('transparency log') }))
    return last
  }
  try {
    await runLive({
      home,
      warehouse,
      world: filled.world,
      follows: await followedIndexes(),
      temporal: temporal.opened,
      // Backfills, replays, upkeep and settlement have a process of their own, so that none of them delays a tick.
      owner: settings.schedule_owner || DEFAULT_OWNER,
      queues: traded === null ? ['publish', 'ingest'] : ['publish', 'ingest', 'venue'],
      own_venue: await ownVenueWork(traded, warehouse, listingPolicy(run), output, problemOf('listings')),
      cache,
      signal,
      output,
      on_step: (step) => output.note(`… ${step}`),
      on_problem: problemOf('publication'),
      on_note: (text) => output.problem(text),
      on_tick: (tick) => void (output.json && output.record({ event: 'tick', ...tick })),
      on_served: (served, over) => workInBulk(run, temporal, trading, served, over),
      afterwards,
    })
  } finally {
    await last
    await logging
    await traded?.close()
    await warehouse.close()
  }
}

/** Runs the work that no user waits for: sandbox index, assessments, sample report. A failure of one does not stop the others. */
async function runDeferred(
  run: UpRun,
  filled: SeededWarehouse,
  warehouse: Warehouse,
  trading: ServiceTrading,
): Promise<void> {
  const { settings, output, signal } = run
  const { home } = settings
  const works = [
    async () => {
      const sandbox = await trading.sandbox
      if (sandbox !== null) await haveSandboxIndex(home, warehouse, sandbox.markets)
    },
    () => assessWorld({ home, warehouse, signal, with_committee: sandboxAccounts(run) > 0 }),
    async () => {
      if (filled.sample !== null) await showSample(run, await writeSampleReport(run, warehouse, filled.sample))
    },
  ]
  for (const work of works) {
    if (signal.aborted) return
    await work().catch((error: unknown) => {
      if (!signal.aborted) reportRetry(output, 'deferred work', error)
    })
  }
}

/** Opens the trading database of this service, whose market data this process stores. */
function openOwnTrading({ settings, output }: UpRun, { environment }: ServiceTrading): WorkerTrading | null {
  const database_url = environment.DATABASE_URL ?? ''
  if (database_url === '') return null
  return openWorkerTrading({ ...settings, database_url }, (error) => reportRetry(output, 'trading database', error))
}

/** Returns the listing policy; a sandbox without one lists some of the simulated markets. */
function listingPolicy(run: UpRun): string {
  const { listing_policy } = run.settings
  return listing_policy === '' && sandboxAccounts(run) > 0 ? SANDBOX_LISTING : listing_policy
}

const SANDBOX_LISTING = fileURLToPath(new URL('../../datasets/listing/sandbox.yaml', import.meta.url))

/** Line of a worker about an outage, with its code. */
const OUTAGE = /^warn: (.+; retrying) \((\w+)\)$/

/** Runs a bulk worker from when a Temporal server is available until the signal is aborted. */
async function workInBulk(
  { settings, environment, output, board }: UpRun,
  temporal: ServiceTemporal,
  trading: ServiceTrading,
  { base_urls, fault_urls }: ServedWorld,
  signal: AbortSignal,
): Promise<void> {
  board.serves(fault_urls)
  const server = await Promise.race([temporal.opened, aborted(signal).then(() => null)])
  if (server === null || signal.aborted) return
  const on_problem = (error: unknown) => reportRetry(output, 'worker', error)
  // An outage is a problem of this process too: the same sentence is shown once.
  const on_note = (line: string) => {
    const [, text, code] = OUTAGE.exec(line) ?? []
    if (text === undefined) output.relay('worker', line)
    else output.problem(text, { code })
  }
  const options = { settings, environment, board, server, base_urls, on_problem, on_note }
  const backoff = createBackoff()
  while (!signal.aborted) {
    try {
      const worker = await startBulkWorker(options)
      trading.leaveSettlementToWorkers(true)
      await aborted(signal)
      trading.leaveSettlementToWorkers(false)
      await worker.close()
    } catch (error) {
      // Its server may be starting again at this moment; nobody else would start it.
      on_problem(error)
      await waitFor(backoff.next(), signal)
    }
  }
}
