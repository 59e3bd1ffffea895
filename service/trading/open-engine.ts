import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { wallClock } from '../../primitives/wall-clock.ts'
import { connectEngine } from '../../trading/service/connect-engine.ts'
import { type EngineClient, UNREACHED } from '../../trading/service/engine-client.ts'
import { type StartedEngine, startEngine } from '../../trading/service/start-engine.ts'
import type { Pool } from '../../trading/store/create-pool.ts'
import { readLease } from '../../trading/store/lease.ts'
import type { Settings } from '../configuration.ts'
import { engineSecurity } from './engine-security.ts'

const LOOK_MS = 200

/** Returns the display name of this process as lease holder. */
export function engineHolder(): string {
  return `${hostname()}:${process.pid}`
}

/**
 * Connects to the leading engine, else starts one in this process while it is needed: trading state changes only under the lease.
 */
async function openEngine(pool: Pool, settings: Settings): Promise<EngineClient> {
  const { environment } = settings
  const security = engineSecurity(settings)
  if (await isServed(pool)) return connectEngine({ pool, security })
  const engine = await startEngine({ pool, now: wallClock, holder: engineHolder(), address: null, environment })
  if (await leadsOrYields(engine, pool)) return engine.client
  await engine.stop()
  return connectEngine({ pool, security })
}

/** Returns false if another engine took the lease meanwhile. */
async function leadsOrYields(engine: StartedEngine, pool: Pool): Promise<boolean> {
  const leading = engine.leading.then(() => true)
  for (;;) {
    const leads = await Promise.race([leading, sleep(LOOK_MS).then(() => null)])
    if (leads !== null) return true
    if (await isServed(pool)) return false
  }
}

async function isServed(pool: Pool): Promise<boolean> {
  const lease = await readLease(pool)
  return lease !== null && !lease.is_free && lease.address !== null
}

/** Creates an engine client that connects on first use; an engine of this process is of the environment. */
export function lazyEngine(pool: Pool, settings: Settings): EngineClient {
  let opened: Promise<EngineClient> | null = null
  let client: EngineClient | null = null
  const open = async (): Promise<EngineClient> => {
    opened ??= openEngine(pool, settings)
    client = await opened
    return client
  }
  return {
    submit: async (submission) => (await open()).submit(submission),
    status: () => client?.status() ?? UNREACHED,
    close: async () => {
      if (opened !== null) await (await opened).close()
    },
  }
}
