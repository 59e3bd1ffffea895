import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineStatus } from '../../trading/service/engine-client.ts'
import { type StartedEngine, startEngine, wallClock } from '../../trading/service/start-engine.ts'
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

/** What a started engine says of itself, once. */
export type EngineSaid = { readonly address: string | null; readonly phase: EngineStatus['phase'] }

/** The same fault is told once in so long. */
const FAULT_NOTE_MS = 5_000
const LOOK_MS = 20

/**
 * One engine process until the signal is aborted. The first line on standard output says where it listens, and whether it leads or
 * stands by.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: no database, or no place to listen at
 */
export async function runEngine(run: Run): Promise<void> {
  const database = await openDatabase(run.settings)
  try {
    const engine = await begin(run, database.pool)
    try {
      await tell(run, engine)
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

async function tell({ output, signal }: Run, engine: StartedEngine): Promise<void> {
  const { address } = engine
  const phase = await settled(engine, signal)
  const said: EngineSaid = { address, phase }
  await (output.json ? output.record(said) : output.line(`ready ${phase} at ${address}`))
  if (phase === 'standby') void engine.leading.then(() => output.note(`leading at ${address}`))
}

/** Waits until it leads or stands by. */
async function settled({ client }: StartedEngine, signal: AbortSignal): Promise<EngineStatus['phase']> {
  while (!['leading', 'standby'].includes(client.status().phase) && !signal.aborted) await sleep(LOOK_MS)
  return client.status().phase
}

function faultNotes(output: Output): (error: unknown) => void {
  const told = new Map<string, number>()
  return (error) => {
    const { message } = describeFailure(error).error
    const now = performance.now()
    if (now - (told.get(message) ?? Number.NEGATIVE_INFINITY) < FAULT_NOTE_MS) return
    told.set(message, now)
    output.note(`engine: ${message}; it begins anew`)
  }
}
