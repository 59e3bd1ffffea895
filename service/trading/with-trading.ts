import type { EngineClient } from '../../trading/service/engine-client.ts'
import type { Pool } from '../../trading/store/create-pool.ts'
import { type OperatorReads, operatorReads } from '../../trading/store/operator/operator-reads.ts'
import type { Settings } from '../configuration.ts'
import { openDatabase, type Reading } from './open-database.ts'
import { lazyEngine } from './open-engine.ts'

/** Trading connections of an operator command. */
export type TradingPorts = {
  /** Connects on first use. */
  readonly client: EngineClient
  readonly reads: OperatorReads
  readonly pool: Pool
}

/**
 * Opens the trading database while `work` runs. A read opens it with `only_existing`.
 * @throws {ServiceError} SERVICE_UNAVAILABLE; errors of `work`
 */
export async function withTrading<T>(
  settings: Settings,
  work: (ports: TradingPorts) => Promise<T>,
  reading: Reading = {},
): Promise<T> {
  const database = await openDatabase(settings, reading)
  const { pool } = database
  const client = lazyEngine(pool, settings)
  try {
    return await work({ client, pool, reads: operatorReads(pool) })
  } finally {
    await client.close()
    await database.stop()
  }
}
