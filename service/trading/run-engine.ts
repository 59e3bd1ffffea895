import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { wallClock } from '../../primitives/wall-clock.ts'
import { type EngineStatus, UNREACHED } from '../../trading/service/engine-client.ts'
import { type StartedEngine, startEngine } from '../../trading/service/start-engine.ts'
import type { Pool } from '../../trading/store/create-pool.ts'
import { isDatabaseAway } from '../../trading/store/database-failure.ts'
import { describeFailure } from '../exit-codes.ts'
import type { Invocation } from '../invocation.ts'
import { createEngineMetrics, type EngineMetrics } from '../metrics/engine-metrics.ts'
import { logMetrics } from '../metrics/log-metrics.ts'
import { type ProcessAdmin, serveAdmin } from '../metrics/process-admin.ts'
import type { Output } from '../output.ts'
import { engineSecurity } from './engine-security.ts'
import { recordNamed } from './named-database.ts'
import { openDatabase } from './open-database.ts'
import { engineHolder } from './open-engine.ts'
import { watchDatabase } from './watch-database.ts'

/** Flags of `tidemark engine`. */
export type EngineFlags = {
  readonly attached?: boolean
  readonly home?: string
  readonly killpoint?: string
  readonly metricsPort?: number
}

type Run = Invocation<EngineFlags>

/** First output line of an engine process. */
export type EngineReady = {
  readonly address: string | null
  readonly phase: EngineStatus['phase']
  readonly metrics_url: string
}

/** Minimum time between two notes of the same fault. */
const FAULT_NOTE_MS = 5_000
const LOOK_MS = 20
const WORKING: readonly EngineStatus['phase'][] = ['leading', 'standby']

/**
 * Runs an engine until the signal is aborted. Its first output line has its address and whether it leads or stands by.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: no database; VALIDATION_USAGE_INVALID: an address that cannot be listened at
 */
export async function runEngine(run: Run): Promise<void> {
  const database = await openDatabase(run.settings)
  recordNamed(run.settings)
  const endWatch = watchDatabase({ pool: database.pool, output: run.output })
  try {
    let engine: StartedEngine | null = null
    const metrics = createEngineMetrics({
      status: () => engine?.client.status() ?? UNREACHED,
      state: () => engine?.state() ?? null,
    })
    logMetrics(metrics.set, run.output)
    const admin = await openAdmin(run, metrics, () => engine?.client.status() ?? UNREACHED)
    try {
      engine = await begin(run, database.pool, metrics)
      await reportStarted(run, engine, admin.metrics_url)
      if (!run.signal.aborted) await once(run.signal, 'abort')
    } finally {
      await engine?.stop()
      admin.close()
    }
  } finally {
    endWatch()
    await database.stop()
  }
}

/** Serves the admin address: an engine that leads or stands by does its work. */
function openAdmin(
  { options, settings }: Run,
  { set }: EngineMetrics,
  status: () => EngineStatus,
): Promise<ProcessAdmin> {
  const address = { name: 'metrics-port', host: settings.metrics_host, port: options.metricsPort ?? 0 }
  const readiness = () => {
    const { phase, epoch, engine_sequence } = status()
    return { ready: WORKING.includes(phase), phase, epoch, engine_sequence }
  }
  return serveAdmin({ address, metrics: set, readiness })
}

function begin({ settings, options, output }: Run, pool: Pool, metrics: EngineMetrics): Promise<StartedEngine> {
  const noteFault = faultNotes(output)
  return startEngine({
    pool,
    now: wallClock,
    holder: engineHolder(),
    address: settings.engine_address,
    advertised_address: settings.engine_advertised_address || null,
    security: engineSecurity(settings),
    environment: settings.environment,
    onBatch: metrics.onBatch,
    onFault: (error) => {
      metrics.onFault(error)
      noteFault(error)
    },
    onTakeover: ({ epoch, gap_ms }) =>
      output.note(`engine: leads with epoch ${epoch}, ${(gap_ms / 1000).toFixed(1)} s after a leader was last seen`),
    onDeposed: ({ epoch, holder }) => output.note(`engine: ${holder} took the lease with epoch ${epoch}; standing by`),
    onRefused: callerNotes(output),
    ...(options.killpoint === undefined ? {} : { killpoint: options.killpoint }),
  })
}

async function reportStarted({ output, signal }: Run, engine: StartedEngine, metrics_url: string): Promise<void> {
  const { address } = engine
  const phase = await settled(engine, signal)
  const said: EngineReady = { address, phase, metrics_url }
  await (output.json ? output.record(said) : output.line(`ready ${phase} at ${address}`))
  if (!output.json) output.note(`metrics ${metrics_url}`)
}

/** Waits until the engine leads or stands by. */
async function settled({ client }: StartedEngine, signal: AbortSignal): Promise<EngineStatus['phase']> {
  while (!WORKING.includes(client.status().phase) && !signal.aborted) await sleep(LOOK_MS)
  return client.status().phase
}

/** Notes faults, but not that the database is away: its watch says that once. */
function faultNotes(output: Output): (error: unknown) => void {
  const isDue = onceInAWhile()
  return (error) => {
    if (isDatabaseAway(error)) return
    const { message, code } = describeFailure(error).error
    if (isDue(message)) output.log('error', `engine: ${message}; restarting`, { code })
  }
}

function callerNotes(output: Output): (message: string) => void {
  const isDue = onceInAWhile()
  return (message) => {
    if (isDue(message)) output.log('warn', `engine: ${message}`)
  }
}

/** Tells whether a message was not said a moment ago. */
function onceInAWhile(): (message: string) => boolean {
  const reported = new Map<string, number>()
  return (message) => {
    const now = performance.now()
    if (now - (reported.get(message) ?? Number.NEGATIVE_INFINITY) < FAULT_NOTE_MS) return false
    reported.set(message, now)
    return true
  }
}
