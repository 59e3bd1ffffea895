import { once } from 'node:events'
import { readDefinition } from '../../operations/apply-definitions.ts'
import { makeWarehouse } from '../../operations/make-warehouse.ts'
import { removeEarlierRun, runSample, type SampleRun } from '../../operations/run-sample.ts'
import { sampleDefinitions } from '../../operations/sample/sample-worlds.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import type { Invocation } from '../command.ts'
import type { UpFlags } from '../commands/up.ts'
import type { Environment } from '../config.ts'
import { describeFailure } from '../exit.ts'
import { prepareWorld } from '../live/prepare-world.ts'
import { runLive } from '../live/run-live.ts'
import { SAMPLE_TOOLS } from '../sample-tools.ts'
import { type ApiProcess, startApiProcess } from './api-process.ts'
import { printSample } from './print-sample.ts'
import { type Ready, writeReadyFile } from './ready-file.ts'

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
  if (options.fresh === true) await removeEarlierRun(settings.home, settings.warehouse)
  const api = await startApi(run)
  try {
    await tellReady(run, api)
    await fill(run)
    await goOn(run)
    if (!signal.aborted) await once(signal, 'abort')
  } finally {
    await api.close()
  }
}

function startApi({ options, settings, environment, output }: UpRun): Promise<ApiProcess> {
  return startApiProcess({
    warehouse: settings.warehouse,
    host: options.host ?? settings.host,
    port: options.port ?? settings.port,
    environment,
    on_problem: (error) => output.note(problemText(error)),
    on_note: (line) => output.note(line),
  })
}

async function tellReady({ options, settings, output }: UpRun, { base_url, stream_url }: ApiProcess): Promise<void> {
  const { environment } = settings
  const ready: Ready = { base_url, stream_url, environment, temporal: null, sandbox_accounts: [] }
  if (options.readyFile !== undefined) await writeReadyFile(options.readyFile, ready)
  await (output.json ? output.record({ event: 'ready', ...ready }) : output.line(`ready ${base_url}`))
}

/** What there is before the clock goes on. A warehouse with later data has no room for the sample, and does without. */
async function fill(run: UpRun): Promise<void> {
  const { options, settings, output, signal } = run
  const { home, warehouse: root } = settings
  const on_step = (step: string) => output.note(`… ${step}`)
  const prepare = async (warehouse: Parameters<typeof prepareWorld>[0]['warehouse']) =>
    void (await prepareWorld({ home, warehouse, signal, on_step }))
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

async function goOn({ settings, output, signal }: UpRun): Promise<void> {
  const { home, warehouse: root } = settings
  const sample = await sampleIndexIds()
  const warehouse = await openWarehouse({ root, create: true })
  try {
    await runLive({
      home,
      warehouse,
      // The sample is about a week that is over.
      follows: (index_id) => !sample.has(index_id),
      signal,
      on_step: (step) => output.note(`… ${step}`),
      on_problem: (error) => output.note(problemText(error)),
      on_tick: (tick) => void (output.json && output.record({ event: 'tick', ...tick })),
    })
  } finally {
    await warehouse.close()
  }
}

async function sampleIndexIds(): Promise<ReadonlySet<string>> {
  const definitions = await Promise.all(sampleDefinitions().map(readDefinition))
  return new Set(definitions.map(({ index }) => index.index_id))
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
