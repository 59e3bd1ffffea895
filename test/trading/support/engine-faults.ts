import { wallClock } from '../../../primitives/wall-clock.ts'
import { ENGINE_CORE, type EngineCore } from '../../../trading/service/engine-core.ts'
import { type EngineOptions, type StartedEngine, startEngine } from '../../../trading/service/start-engine.ts'
import { auditTrading } from '../../../trading/store/audit-trading.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { connectEngineDatabase } from '../../../trading/store/engine-connection.ts'
import { loadState } from '../../../trading/store/load-state.ts'
import { dumpState } from '../../support/trading/dump-state.ts'

/** Invariants that do not hold, with what breaks them. */
export async function violations(pool: Pool) {
  return (await auditTrading(pool, { without: ['O10'] })).filter((one) => one.violations.length > 0)
}

/** An engine of this process that leads; it is for the caller to stop. */
export async function startLeading(pool: Pool, options: Partial<EngineOptions> = {}): Promise<StartedEngine> {
  const engine = await startEngine({ pool, now: wallClock, holder: 'test', address: null, ...options })
  await engine.leading
  return engine
}

/** Stops an engine; what it had in memory then, and what another one reads. A running one goes on: its GTD orders expire. */
export async function stopAndReload(pool: Pool, engine: StartedEngine) {
  const memory = engine.state()!
  await engine.stop()
  const connection = await connectEngineDatabase(pool)
  const { state } = await loadState(connection, ENGINE_CORE.rebuild).finally(() => connection.close())
  return { memory: dumpState(memory), reloaded: dumpState(state) }
}

/** Ends the server's side of the connection that the engine of a database writes through. */
export async function endEngineBackend(pool: Pool): Promise<void> {
  await pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'tidemark engine' AND datname = current_database()`)
}

/** A core with a planted fault: its table refuses the row of an order at 0.13. */
export const REFUSED_ROWS: EngineCore = {
  ...ENGINE_CORE,
  finish: (state, now, changes) => {
    const rows = ENGINE_CORE.finish(state, now, changes)
    const orders = rows.orders.map((row) => (row.limit_price === '0.13' ? { ...row, filled_quantity: -1 } : row))
    return { ...rows, orders }
  },
}
