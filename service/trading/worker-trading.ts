import { SETTLEMENT_POLICY } from '../../operations/settlement/settlement-policy.ts'
import type { SettlementPorts } from '../../operations/settlement/settlement-ports.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { connectEngine } from '../../trading/service/connect-engine.ts'
import type { EngineClient } from '../../trading/service/engine-client.ts'
import { custodialRail } from '../../trading/settlement/custodial-rail.ts'
import { createPool, type Pool } from '../../trading/store/create-pool.ts'
import { settlementWork } from '../../trading/store/settlement/settlement-work.ts'
import type { Settings } from '../configuration.ts'
import { engineSecurity } from './engine-security.ts'
import { recordNamed } from './named-database.ts'
import { knownDatabase } from './open-database.ts'

/** Trading connections of a worker process. */
export type WorkerTrading = {
  readonly pool: Pool
  /** Client of the leading engine, wherever it runs. */
  readonly client: EngineClient
  readonly settlement: (signal: AbortSignal) => SettlementPorts
  close(): Promise<void>
}

const POOL_SIZE = 8

/** Returns the settlement ports of a database and an engine, with the custodial rail. */
export function settlementPorts(
  { pool, client }: Pick<WorkerTrading, 'pool' | 'client'>,
  on_problem: (error: unknown) => void,
  signal: AbortSignal,
): SettlementPorts {
  const [work, rail] = [settlementWork(pool), custodialRail()]
  return { work, client, rail, policy: SETTLEMENT_POLICY, now: wallClock, signal, on_problem }
}

/**
 * Opens the trading database and its engine; neither must be available yet. Returns null if there is no such database.
 */
export function openWorkerTrading(settings: Settings, on_problem: (error: unknown) => void): WorkerTrading | null {
  const url = knownDatabase(settings)
  if (url === null) return null
  recordNamed(settings)
  const pool = createPool({ url, size: POOL_SIZE, name: 'tidemark worker', by_index: true })
  const client = connectEngine({ pool, security: engineSecurity(settings) })
  return {
    pool,
    client,
    settlement: (signal) => settlementPorts({ pool, client }, on_problem, signal),
    close: async () => {
      await client.close()
      await pool.end()
    },
  }
}
