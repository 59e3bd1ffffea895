import type { EngineClient } from '../../trading/service/engine-client.ts'
import type { Pool } from '../../trading/store/create-pool.ts'
import { type OperatorReads, operatorReads } from '../../trading/store/operator/operator-reads.ts'
import type { Settings } from '../configuration.ts'
import { openDatabase, type Reading } from './open-database.ts'
import { lazyEngine } from './open-engine.ts'

/** What a command of an operator works with. */
export type TradingPorts = {
  /** Opened when it is first asked. */
  readonly client: EngineClient
  readonly reads: OperatorReads
  readonly pool: Pool
}

/**
 * Opens the trading database of the settings for the time of `work`.
 * @throws {ServiceError} SERVICE_UNAVAILABLE; what `work` throws
 */
export async function withTrading<T>(
  settings: Settings,
  work: (ports: TradingPorts) => Promise<T>,
  reading: Reading = {},
): Promise<T> {
  const database = await openDatabase(settings, reading)
  const { pool } = database
  const client = lazyEngine(pool)
  try {
    return await work({ client, pool, reads: operatorReads(pool) })
  } finally {
    await client.close()
    await database.stop()
  }
}
