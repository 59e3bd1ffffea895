import { once } from 'node:events'
import { createServer } from 'node:net'
import { addressRefused } from '../../api/address-refused.ts'
import { removeEarlierRun } from '../../operations/sample/remove-earlier-run.ts'
import { runSample } from '../../operations/sample/run-sample.ts'
import type { Environment, Settings } from '../configuration.ts'
import type { PlannedAccount } from '../sandbox/sandbox-plan.ts'
import type { OpenedTemporal } from '../temporal/open-temporal.ts'
import { type ApiProcess, startApiProcess } from './api-process.ts'
import { problemText } from './problem-text.ts'
import { publishLive } from './publish-live.ts'
import { type Ready, readyAccount, withoutSecrets, writeReadyFile } from './ready-file.ts'
import { SAMPLE_TOOLS } from './sample-tools.ts'
import { sandboxAccounts } from './sandbox-accounts.ts'
import { seedWarehouse } from './seed-warehouse.ts'
import { showSample } from './show-sample.ts'
import { noTemporal, type ServiceTemporal, startTemporal } from './start-temporal.ts'
import { removeTrading, type ServiceTrading, startTrading } from './start-trading.ts'
import type { UpRun } from './up-options.ts'

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
  await requirePort(settings.host, settings.port)
  if (options.fresh === true) {
    await removeEarlierRun(settings.home, settings.warehouse)
    await removeTrading(settings)
  }
  const ending = new AbortController()
  const run = { ...given, signal: AbortSignal.any([given.signal, ending.signal]) }
  const calm = openGate()
  const temporal = openServiceTemporal(run, calm.opened)
  const trading = openServiceTrading(run)
  const filling = seedWarehouse(run)
  void settled(filling) // it is waited for below, when the rest has started
  const started: { close(): Promise<void> }[] = [temporal, trading, { close: () => settled(filling) }]
  try {
    const api = await startApi(run, trading.environment)
    started.push(api)
    const sandbox = await trading.sandbox
    const ready = (found: OpenedTemporal | null) =>
      readyOf(settings, api, found, sandbox?.plan.accounts.slice(0, sandboxAccounts(run)) ?? [])
    await tellReady(run, ready(null))
    const told = tellTemporal(run, ready, temporal)
    await trading.trade(api.base_url)
    await publishLive({ ...run, environment: trading.environment }, await filling, { temporal, trading, calm })
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

/** What others wait for: it is opened once. */
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
    on_problem: (error) => output.note(problemText(error)),
    on_note: (text) => output.note(text),
  })
}

function openServiceTrading(run: UpRun): ServiceTrading {
  const { settings, environment, output, signal } = run
  return startTrading({
    settings,
    environment,
    sandbox_accounts: sandboxAccounts(run),
    signal,
    on_problem: (error) => output.note(problemText(error)),
    on_note: (text) => output.note(text),
  })
}

function startApi({ settings, output }: UpRun, environment: Environment): Promise<ApiProcess> {
  return startApiProcess({
    warehouse: settings.warehouse,
    host: settings.host,
    port: settings.port,
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

/** A server serves later than the service, and is told when it does. */
async function tellTemporal(
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
 * Refuses a port that cannot be listened at before anything is started or deleted for it.
 * @param port 0: any
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export async function requirePort(host: string, port: number): Promise<void> {
  const server = createServer()
  try {
    await once(server.listen({ host, port }), 'listening')
  } catch (error) {
    throw addressRefused({ name: 'port', host, port }, error as Error)
  }
  server.close()
  await once(server, 'close')
}
