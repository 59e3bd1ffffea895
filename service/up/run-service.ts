import { once } from 'node:events'
import { createServer } from 'node:net'
import { removeEarlierRun } from '../../operations/sample/remove-earlier-run.ts'
import { runSample } from '../../operations/sample/run-sample.ts'
import { addressRefused } from '../../primitives/address-refused.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { isObjectStore } from '../../warehouse/store/s3/s3-location.ts'
import type { Environment, Settings } from '../configuration.ts'
import { describeFailure, reportRetry } from '../exit-codes.ts'
import type { ProcessAdmin } from '../metrics/process-admin.ts'
import type { PlannedAccount } from '../sandbox/sandbox-plan.ts'
import type { OpenedTemporal } from '../temporal/open-temporal.ts'
import { prepareKey } from '../trading/key-encryption-key.ts'
import { type ApiProcess, startApiProcess } from './api-process.ts'
import { noteInventedData, refuseRealData } from './invented-data.ts'
import { showSample } from './print-sample.ts'
import { publishLive } from './publish-live.ts'
import { type Ready, readyAccount, withoutSecrets, writeReadyFile } from './ready-file.ts'
import { sampleToolsOf } from './sample-tools.ts'
import { seedWarehouse, skippedSample } from './seed-warehouse.ts'
import { noTemporal, type ServiceTemporal, startTemporal } from './start-temporal.ts'
import { removeTrading, type ServiceTrading, startTrading } from './start-trading.ts'
import { openUpAdmin } from './up-admin.ts'
import type { UpRun } from './up-options.ts'
import { sandboxAccounts } from './up-options.ts'

/** Creates and prints the sample week; a home with a roster of its own is left as it is. */
export async function makeSampleOnce(run: UpRun): Promise<void> {
  const { options, settings, output, signal } = run
  const on_step = (step: string) => output.note(`… ${step}`)
  const { home, warehouse: warehouse_root } = settings
  const fresh = options.fresh ?? false
  await refuseRealData(settings)
  const sample = await runSample({ ...sampleToolsOf(run), home, warehouse_root, fresh, signal, on_step }).catch(
    (error: unknown) => {
      if (!isServiceError(error, 'GOVERNANCE_REQUIRED')) throw error
      return error
    },
  )
  if (!isServiceError(sample)) return showSample(run, sample)
  await (output.json ? output.document({ sample: null, skipped: sample.message }) : output.line(skippedSample(sample)))
}

/**
 * Runs the whole service until the signal is aborted. The API process starts at once, while the sample week is created if it is missing;
 * then the live world runs, and work that no user waits for comes last. Stops everything it started.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the port is taken; errors of creating the sample
 */
export async function runService(given: UpRun): Promise<void> {
  const { options, settings, output } = given
  await requirePort(settings.host, settings.port)
  await refuseRealData(settings)
  if (options.fresh === true) {
    await removeEarlierRun(settings.home, settings.warehouse)
    await removeTrading(settings)
  }
  const ending = new AbortController()
  const run = { ...given, signal: AbortSignal.any([given.signal, ending.signal]) }
  // Before the API process reads it: homes of earlier releases have no such note.
  await noteInventedData(run, settings.warehouse)
  let is_ready = false
  const admin = await openUpAdmin(run, () => is_ready)
  const calm = openGate()
  await prepareKey(settings, (text) => output.note(text))
  const temporal = openServiceTemporal(run, calm.opened)
  const trading = openServiceTrading(run)
  const filling = seedWarehouse(run)
  void settled(filling) // awaited below, when the rest has started
  const started: { close(): Promise<void> }[] = [temporal, trading, { close: () => settled(filling) }]
  try {
    // An object store cannot rename, so it is filled in place: what is asked meanwhile would end the recorded clock of the sample.
    if (isObjectStore(settings.warehouse)) await filling
    const api = await startApi(run, trading.environment)
    started.push(api)
    const sandbox = await trading.sandbox
    const ready = (found: OpenedTemporal | null) =>
      readyOf(settings, api, admin, found, sandbox?.plan.accounts.slice(0, sandboxAccounts(run)) ?? [])
    await publishReady(run, ready(null))
    is_ready = true
    const published = publishTemporal(run, ready, temporal)
    await trading.trade(api.base_url)
    await publishLive({ ...run, environment: trading.environment }, await filling, { temporal, trading, calm })
    if (!given.signal.aborted) await once(given.signal, 'abort')
    await published
  } catch (error) {
    // Closing takes some seconds, in which nothing is answered any more.
    if (!run.signal.aborted) output.problem(`stopping: ${describeFailure(error).error.message}`)
    throw error
  } finally {
    ending.abort()
    await Promise.all(started.map((one) => one.close()))
    admin.close()
  }
}

/** Waits for work whose failure is reported elsewhere. */
async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(() => undefined)
}

/** Creates a gate that others wait for and that opens once. */
function openGate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

function openServiceTemporal(
  { options, settings, environment, output, signal }: UpRun,
  after: Promise<void>,
): ServiceTemporal {
  if (!options.temporal) return noTemporal()
  return startTemporal({
    settings,
    environment,
    signal,
    after,
    on_step: (step) => output.note(`… ${step}`),
    on_problem: (error) => reportRetry(output, 'Temporal server', error),
    on_note: (text) => output.note(text),
  })
}

function openServiceTrading(run: UpRun): ServiceTrading {
  const { settings, environment, board, output, signal } = run
  return startTrading({
    settings,
    environment,
    board,
    sandbox_accounts: sandboxAccounts(run),
    signal,
    on_problem: (error) => reportRetry(output, 'trading', error),
    on_note: (line) => output.relay('engine', line),
    note: (text) => output.note(text),
  })
}

function startApi({ settings, board, output }: UpRun, environment: Environment): Promise<ApiProcess> {
  return startApiProcess({
    warehouse: settings.warehouse,
    host: settings.host,
    port: settings.port,
    environment,
    board,
    on_problem: (error) => reportRetry(output, 'API', error),
    on_note: (line) => output.relay('api', line),
  })
}

async function publishReady({ options, output }: UpRun, ready: Ready): Promise<void> {
  if (options.readyFile !== undefined) await writeReadyFile(options.readyFile, ready)
  await (output.json
    ? output.record({ event: 'ready', ...withoutSecrets(ready) })
    : output.line(`ready ${ready.base_url}`))
  if (output.json) return
  output.note(`admin ${ready.admin_url}`)
  output.note(`metrics ${ready.metrics_url}; those of all processes: ${new URL('/targets', ready.metrics_url).href}`)
  output.note(`faults of the simulated venues, for rehearsals: ${new URL('/faults', ready.metrics_url).href}`)
}

function readyOf(
  { environment }: Settings,
  { base_url, stream_url, admin_url }: ApiProcess,
  { metrics_url }: ProcessAdmin,
  server: OpenedTemporal | null,
  accounts: readonly PlannedAccount[],
): Ready {
  const temporal = server && { address: server.address, ui_url: server.ui_url, namespace: server.namespace }
  const addresses = { base_url, stream_url, admin_url, metrics_url }
  return {
    ...addresses,
    environment,
    temporal,
    sandbox_accounts: accounts.map((one) => readyAccount(one, environment)),
  }
}

/** Publishes the Temporal server when it is available, which is after the service is ready. */
async function publishTemporal(
  { options, output }: UpRun,
  ready: (server: OpenedTemporal) => Ready,
  temporal: ServiceTemporal,
): Promise<void> {
  const server = await temporal.opened
  if (server === null) return
  const now = ready(server)
  if (options.readyFile !== undefined) await writeReadyFile(options.readyFile, now)
  if (output.json) await output.record({ event: 'temporal', ...now.temporal })
}

/**
 * Checks that a port can be listened on, before anything is started or deleted.
 * @param port 0: any
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
async function requirePort(host: string, port: number): Promise<void> {
  const server = createServer()
  try {
    await once(server.listen({ host, port }), 'listening')
  } catch (error) {
    throw addressRefused({ name: 'port', host, port }, error as Error)
  }
  server.close()
  await once(server, 'close')
}
