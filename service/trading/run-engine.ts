import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { wallClock } from '../../primitives/wall-clock.ts'
import type { EngineStatus } from '../../trading/service/engine-client.ts'
import { type StartedEngine, startEngine } from '../../trading/service/start-engine.ts'
import type { Pool } from '../../trading/store/create-pool.ts'
import { describeFailure } from '../exit-codes.ts'
import type { Invocation } from '../invocation.ts'
import type { Output } from '../output.ts'
import { openDatabase } from './open-database.ts'
import { engineHolder } from './open-engine.ts'

/** Flags of `tidemark engine`. */
export type EngineFlags = {
  readonly attached?: boolean
  readonly home?: string
  readonly killpoint?: string
}

type Run = Invocation<EngineFlags>

/** First output line of an engine process. */
export type EngineReady = { readonly address: string | null; readonly phase: EngineStatus['phase'] }

/** Minimum time between two notes of the same fault. */
const FAULT_NOTE_MS = 5_000
const LOOK_MS = 20

/**
 * Runs an engine until the signal is aborted. Its first output line has its address and whether it leads or stands by.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: no database, or the address cannot be listened on
 */
export async function runEngine(run: Run): Promise<void> {
  const database = await openDatabase(run.settings)
  try {
    const engine = await begin(run, database.pool)
    try {
      await reportStarted(run, engine)
      if (!run.signal.aborted) await once(run.signal, 'abort')
    } finally {
      await engine.stop()
    }
  } finally {
    await database.stop()
  }
}

function begin({ settings, options, output }: Run, pool: Pool): Promise<StartedEngine> {
  return startEngine({
    pool,
    now: wallClock,
    holder: engineHolder(),
    address: settings.engine_address,
    onFault: faultNotes(output),
    ...(options.killpoint === undefined ? {} : { killpoint: options.killpoint }),
  })
}

async function reportStarted({ output, signal }: Run, engine: StartedEngine): Promise<void> {
  const { address } = engine
  const phase = await settled(engine, signal)
  const said: EngineReady = { address, phase }
  await (output.json ? output.record(said) : output.line(`ready ${phase} at ${address}`))
  if (phase === 'standby') void engine.leading.then(() => output.note(`leading at ${address}`))
}

/** Waits until the engine leads or stands by. */
async function settled({ client }: StartedEngine, signal: AbortSignal): Promise<EngineStatus['phase']> {
  while (!['leading', 'standby'].includes(client.status().phase) && !signal.aborted) await sleep(LOOK_MS)
  return client.status().phase
}

function faultNotes(output: Output): (error: unknown) => void {
  const reported = new Map<string, number>()
  return (error) => {
    const { message } = describeFailure(error).error
    const now = performance.now()
    if (now - (reported.get(message) ?? Number.NEGATIVE_INFINITY) < FAULT_NOTE_MS) return
    reported.set(message, now)
    output.note(`engine: ${message}; restarting`)
  }
}
