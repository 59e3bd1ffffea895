import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { removeEarlierRun } from '../../operations/remove-earlier-run.ts'
import { runSample } from '../../operations/run-sample.ts'
import type { SampleRun } from '../../operations/sample/report-sample.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { aborted } from '../../workflows/aborted.ts'
import type { Invocation } from '../command.ts'
import type { UpFlags } from '../commands/up.ts'
import type { Environment, Settings } from '../config.ts'
import { describeFailure } from '../exit.ts'
import { assessWorld } from '../live/assess-world.ts'
import { followedIndexes } from '../live/followed-indexes.ts'
import { runLive } from '../live/run-live.ts'
import type { ServedWorld } from '../live/serve-world.ts'
import { SAMPLE_TOOLS } from '../sample-tools.ts'
import { haveSandboxIndex } from '../sandbox/sandbox-index.ts'
import type { PlannedAccount } from '../sandbox/sandbox-plan.ts'
import type { OpenedTemporal } from '../temporal/open-temporal.ts'
import { ownVenueWork } from '../trading/own-venue-work.ts'
import { openWorkerTrading, type WorkerTrading } from '../trading/worker-trading.ts'
import { type ApiProcess, startApiProcess } from './api-process.ts'
import { type Filled, fillWarehouse, reportFilled } from './fill-warehouse.ts'
import { printSample } from './print-sample.ts'
import { type Ready, readyAccount, withoutSecrets, writeReadyFile } from './ready-file.ts'
import { requirePort } from './require-port.ts'
import { beginTemporal, noTemporal, type ServiceTemporal } from './service-temporal.ts'
import { beginTrading, removeTrading, type ServiceTrading } from './service-trading.ts'
import { startBulkWorker } from './worker-process.ts'

export type UpRun = Invocation<UpFlags> & {
  readonly environment: Environment
  /** The warehouse that a command finds by itself. */
  readonly usual_warehouse: string
}

/** Makes the sample week and shows it. */
export async function makeSampleOnce(run: UpRun): Promise<void> {
  const { options, settings, output, signal } = run
  const on_step = (step: string) => output.note(`… ${step}`)
  const { home, warehouse: warehouse_root } = settings
  const fresh = options.fresh ?? false
  await showSample(run, await runSample({ ...SAMPLE_TOOLS, home, warehouse_root, fresh, signal, on_step }))
}

/**
 * The whole service until the signal is aborted: page and API in a process of their own, at once; beside their start the sample week
 * where there is none; then a world that goes on with the clock, and what nobody waits for last. Ends what it started.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the port is taken; and what making the sample throws
 */
export async function runService(given: UpRun): Promise<void> {
  const { options, settings } = given
  await requirePort(options.host ?? settings.host, options.port ?? settings.port)
  if (options.fresh === true) {
    await removeEarlierRun(settings.home, settings.warehouse)
    await removeTrading(settings)
  }
  const ending = new AbortController()
  const run = { ...given, signal: AbortSignal.any([given.signal, ending.signal]) }
  const temporal = openServiceTemporal(run)
  const trading = openServiceTrading(run)
  const filling = fillWarehouse(run)
  void settled(filling) // it is waited for below, when the rest has started
  const started: { close(): Promise<void> }[] = [temporal, trading, { close: () => settled(filling) }]
  try {
    const api = await startApi(run, trading.environment)
    started.push(api)
    const [server, sandbox] = await Promise.all([temporal.within(READY_WAIT_MS), trading.sandbox])
    const ready = (found: OpenedTemporal | null) =>
      readyOf(settings, api, found, sandbox?.plan.accounts.slice(0, sandboxAccounts(run)) ?? [])
    await tellReady(run, ready(server))
    const told = tellTemporal(run, ready, temporal, server)
    await trading.trade(api.base_url)
    await goOn({ ...run, environment: trading.environment }, await filling, temporal, trading)
    if (!given.signal.aborted) await once(given.signal, 'abort')
    await told
  } finally {
    ending.abort()
    await Promise.all(started.map((one) => one.close()))
  }
}

/** Waits for work whose failure is told elsewhere. */
async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(() => undefined)
}

/** A script that starts the service sees the server in the first ready file where it starts in the usual time. */
const READY_WAIT_MS = 3_000

function openServiceTemporal({ options, settings, environment, output, signal }: UpRun): ServiceTemporal {
  if (!options.temporal) return noTemporal()
  return beginTemporal({
    settings,
    environment,
    signal,
    on_step: (step) => output.note(`… ${step}`),
    on_problem: (error) => output.note(problemText(error)),
    on_note: (text) => output.note(text),
  })
}

/** Those of a sandbox; with no sample data there is none unless it is asked for. */
function sandboxAccounts({ options }: UpRun): number {
  return options.sandboxAccounts ?? (options.sampleData ? SANDBOX_ACCOUNTS : 0)
}

const SANDBOX_ACCOUNTS = 2

function openServiceTrading(run: UpRun): ServiceTrading {
  const { settings, environment, output, signal } = run
  return beginTrading({
    settings,
    environment,
    sandbox_accounts: sandboxAccounts(run),
    signal,
    on_problem: (error) => output.note(problemText(error)),
    on_note: (text) => output.note(text),
  })
}

function startApi({ options, settings, output }: UpRun, environment: Environment): Promise<ApiProcess> {
  return startApiProcess({
    warehouse: settings.warehouse,
    host: options.host ?? settings.host,
    port: options.port ?? settings.port,
    environment,
    on_problem: (error) => output.note(problemText(error)),
    on_note: (line) => output.note(line),
  })
}

async function tellReady({ options, output }: UpRun, ready: Ready): Promise<void> {
  if (options.readyFile !== undefined) await writeReadyFile(options.readyFile, ready)
  await (output.json
    ? output.record({ event: 'ready', ...withoutSecrets(ready) })
    : output.line(`ready ${ready.base_url}`))
}

function readyOf(
  { environment }: Settings,
  { base_url, stream_url }: ApiProcess,
  server: OpenedTemporal | null,
  accounts: readonly PlannedAccount[],
): Ready {
  const temporal = server && { address: server.address, ui_url: server.ui_url, namespace: server.namespace }
  return { base_url, stream_url, environment, temporal, sandbox_accounts: accounts.map(readyAccount) }
}

/** A server that serves later than the service is told when it does. */
async function tellTemporal(
  { options, output }: UpRun,
  ready: (server: OpenedTemporal) => Ready,
  temporal: ServiceTemporal,
  told: OpenedTemporal | null,
): Promise<void> {
  if (told !== null) return
  const server = await temporal.opened
  if (server === null) return
  const now = ready(server)
  if (options.readyFile !== undefined) await writeReadyFile(options.readyFile, now)
  if (output.json) await output.record({ event: 'temporal', ...now.temporal })
}

async function goOn(run: UpRun, filled: Filled, temporal: ServiceTemporal, trading: ServiceTrading): Promise<void> {
  const { settings, output, signal } = run
  const { home, cache, warehouse: root } = settings
  const tell = (error: unknown) => output.note(problemText(error))
  const warehouse = await openWarehouse({ root, create: true })
  const traded = openOwnTrading(run, trading)
  const last = onceBegun(() => doLast(run, filled, warehouse, trading))
  // A server takes over, and its worker starts, when nothing is left that somebody waits for.
  const server = last.done.then(() => temporal.opened)
  try {
    await runLive({
      home,
      warehouse,
      world: filled.world,
      follows: await followedIndexes(),
      temporal: server,
      // Backfills, replays, upkeep and settlement have a process of their own, so that none of them delays a tick.
      queues: traded === null ? ['live'] : ['live', 'venue'],
      own_venue: await ownVenueWork(traded, warehouse, listingPolicy(run), output, tell),
      cache,
      signal,
      on_step: (step) => output.note(`… ${step}`),
      on_problem: tell,
      on_note: (text) => output.note(text),
      on_tick: (tick) => void (output.json && output.record({ event: 'tick', ...tick })),
      on_served: (served, over) => workInBulk(run, server, trading, served, over),
      afterwards: last.begin,
    })
  } finally {
    if (last.has_begun()) await last.done
    await traded?.close()
    await warehouse.close()
  }
}

type Once = { readonly done: Promise<void>; readonly has_begun: () => boolean; readonly begin: () => Promise<void> }

/** Work that is begun by whoever asks first; others may wait for it. @param work never throws */
function onceBegun(work: () => Promise<void>): Once {
  let begun = false
  let tellDone: (value: Promise<void>) => void
  const done = new Promise<void>((resolve) => {
    tellDone = resolve
  })
  const begin = () => {
    if (!begun) tellDone(work())
    begun = true
    return done
  }
  return { done, has_begun: () => begun, begin }
}

/** What nobody waits for: what is said of the markets, and the report of the sample. Each is done whatever becomes of the others. */
async function doLast(run: UpRun, filled: Filled, warehouse: Warehouse, trading: ServiceTrading): Promise<void> {
  const { settings, output, signal } = run
  const { home } = settings
  const works = [
    async () => {
      const sandbox = await trading.sandbox
      if (sandbox !== null) await haveSandboxIndex(home, warehouse, sandbox.markets)
    },
    () => assessWorld({ home, warehouse, signal, with_committee: sandboxAccounts(run) > 0 }),
    async () => {
      if (filled.sample !== null) await showSample(run, await reportFilled(run, warehouse, filled.sample))
    },
  ]
  for (const work of works) {
    if (signal.aborted) return
    await work().catch((error: unknown) => {
      if (!signal.aborted) output.note(problemText(error))
    })
  }
}

/** The trading database of this service, whose data this process stores too. */
function openOwnTrading({ settings, output }: UpRun, { environment }: ServiceTrading): WorkerTrading | null {
  const database_url = environment.DATABASE_URL ?? ''
  if (database_url === '') return null
  return openWorkerTrading({ ...settings, database_url }, (error) => output.note(problemText(error)))
}

/** A sandbox lists some of the simulated markets, unless another policy is set. */
function listingPolicy(run: UpRun): string {
  const { listing_policy } = run.settings
  return listing_policy === '' && sandboxAccounts(run) > 0 ? SANDBOX_LISTING : listing_policy
}

const SANDBOX_LISTING = fileURLToPath(new URL('../../datasets/listing/sandbox.yaml', import.meta.url))

/** Once a server serves, until the signal is aborted. */
async function workInBulk(
  { settings, environment, output }: UpRun,
  opened: Promise<OpenedTemporal | null>,
  trading: ServiceTrading,
  { base_urls }: ServedWorld,
  signal: AbortSignal,
): Promise<void> {
  const server = await Promise.race([opened, aborted(signal).then(() => null)])
  if (server === null || signal.aborted) return
  const on_problem = (error: unknown) => output.note(problemText(error))
  const on_note = (line: string) => output.note(line)
  const options = { settings, environment, server, base_urls, on_problem, on_note }
  try {
    const worker = await startBulkWorker(options)
    trading.settleElsewhere(true)
    await aborted(signal)
    trading.settleElsewhere(false)
    await worker.close()
  } catch (error) {
    on_problem(error)
  }
}

async function showSample({ options, output, settings, usual_warehouse }: UpRun, sample: SampleRun): Promise<void> {
  if (!output.json) return printSample(output, sample, settings.warehouse, usual_warehouse)
  await (options.once === true ? output.document(sample) : output.record({ event: 'sample', ...sample }))
}

function problemText(error: unknown): string {
  const { code, message } = describeFailure(error).error
  return `${message} (${code}); it is tried again`
}
