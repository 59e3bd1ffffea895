import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { makeWarehouse } from '../../operations/make-warehouse.ts'
import { removeEarlierRun, runSample, type SampleRun } from '../../operations/run-sample.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { aborted } from '../../workflows/aborted.ts'
import type { Invocation } from '../command.ts'
import type { UpFlags } from '../commands/up.ts'
import type { Environment, Settings } from '../config.ts'
import { describeFailure } from '../exit.ts'
import { followedIndexes } from '../live/followed-indexes.ts'
import { prepareWorld } from '../live/prepare-world.ts'
import { runLive } from '../live/run-live.ts'
import type { ServedWorld } from '../live/serve-world.ts'
import { SAMPLE_TOOLS } from '../sample-tools.ts'
import { haveSandboxIndex } from '../sandbox/sandbox-index.ts'
import type { PlannedAccount } from '../sandbox/sandbox-plan.ts'
import type { OpenedTemporal } from '../temporal/open-temporal.ts'
import { ownVenueWork } from '../trading/own-venue-work.ts'
import { openWorkerTrading, type WorkerTrading } from '../trading/worker-trading.ts'
import { type ApiProcess, startApiProcess } from './api-process.ts'
import { printSample } from './print-sample.ts'
import { type Ready, readyAccount, withoutSecrets, writeReadyFile } from './ready-file.ts'
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
  const sample = await makeSample(run, {})
  await showSample(run, sample)
}

/**
 * The whole service until the signal is aborted: page and API in a process of their own, at once; the sample week where there is
 * none; then a world that goes on with the clock. Ends what it started.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the port is taken; and what making the sample throws
 */
export async function runService(run: UpRun): Promise<void> {
  const { options, settings, signal } = run
  if (options.fresh === true) {
    await removeEarlierRun(settings.home, settings.warehouse)
    await removeTrading(settings)
  }
  const temporal = openServiceTemporal(run)
  const trading = openServiceTrading(run)
  const started: { close(): Promise<void> }[] = [temporal, trading]
  try {
    const api = await startApi(run, trading.environment)
    started.push(api)
    const [server, sandbox] = await Promise.all([temporal.within(READY_WAIT_MS), trading.sandbox])
    const ready = (found: OpenedTemporal | null) =>
      readyOf(settings, api, found, sandbox?.plan.accounts.slice(0, sandboxAccounts(run)) ?? [])
    await tellReady(run, ready(server))
    const told = tellTemporal(run, ready, temporal, server)
    await trading.trade(api.base_url)
    await fill(run)
    await goOn({ ...run, environment: trading.environment }, temporal, trading)
    if (!signal.aborted) await once(signal, 'abort')
    await told
  } finally {
    await Promise.all(started.map((one) => one.close()))
  }
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

/** What there is before the clock goes on. A warehouse with later data has no room for the sample, and does without. */
async function fill(run: UpRun): Promise<void> {
  const { options, settings, output, signal } = run
  const { home, warehouse: root } = settings
  const on_step = (step: string) => output.note(`… ${step}`)
  const prepare = async (warehouse: Parameters<typeof prepareWorld>[0]['warehouse']) =>
    void (await prepareWorld({ home, warehouse, signal, on_step, with_committee: sandboxAccounts(run) > 0 }))
  if (!options.sampleData) return makeWarehouse(root, prepare)
  try {
    await showSample(
      run,
      await makeSample({ ...run, options: { ...options, fresh: false } }, { before_correction: prepare }),
    )
  } catch (error) {
    if (!isServiceError(error, 'VALIDATION_CLOCK_REFUSED')) throw error
    output.note(`the sample week is left out: ${error.message}`)
  }
}

async function goOn(run: UpRun, temporal: ServiceTemporal, trading: ServiceTrading): Promise<void> {
  const { settings, output, signal } = run
  const { home, cache, warehouse: root } = settings
  const tell = (error: unknown) => output.note(problemText(error))
  const warehouse = await openWarehouse({ root, create: true })
  const traded = openOwnTrading(run, trading)
  try {
    const sandbox = await trading.sandbox
    if (sandbox !== null) await haveSandboxIndex(home, warehouse, sandbox.markets).catch(tell)
    await runLive({
      home,
      warehouse,
      follows: await followedIndexes(),
      temporal: temporal.opened,
      // Backfills, replays, upkeep and settlement have a process of their own, so that none of them delays a tick.
      queues: traded === null ? ['live'] : ['live', 'venue'],
      own_venue: await ownVenueWork(traded, warehouse, listingPolicy(run), output, tell),
      cache,
      signal,
      on_step: (step) => output.note(`… ${step}`),
      on_problem: (error) => output.note(problemText(error)),
      on_note: (text) => output.note(text),
      on_tick: (tick) => void (output.json && output.record({ event: 'tick', ...tick })),
      on_served: (served, over) => workInBulk(run, temporal, trading, served, over),
    })
  } finally {
    await traded?.close()
    await warehouse.close()
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
  temporal: ServiceTemporal,
  trading: ServiceTrading,
  { base_urls }: ServedWorld,
  signal: AbortSignal,
): Promise<void> {
  const server = await Promise.race([temporal.opened, aborted(signal).then(() => null)])
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

function makeSample(
  { options, settings, output, signal }: UpRun,
  hooks: Pick<Parameters<typeof runSample>[0], 'before_correction'>,
): Promise<SampleRun> {
  const { home, warehouse: warehouse_root } = settings
  const on_step = (step: string) => output.note(`… ${step}`)
  return runSample({
    home,
    warehouse_root,
    fresh: options.fresh ?? false,
    tools: SAMPLE_TOOLS,
    signal,
    on_step,
    ...hooks,
  })
}

async function showSample({ options, output, settings, usual_warehouse }: UpRun, sample: SampleRun): Promise<void> {
  if (!output.json) return printSample(output, sample, settings.warehouse, usual_warehouse)
  await (options.once === true ? output.document(sample) : output.record({ event: 'sample', ...sample }))
}

function problemText(error: unknown): string {
  const { code, message } = describeFailure(error).error
  return `${message} (${code}); it is tried again`
}
