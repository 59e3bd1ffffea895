import { type TradingPorts, tradingPorts } from '../../api/trading-ports.ts'
import { createSignatureVerifier } from '../../trading/auth/signature-verifier.ts'
import { connectEngine } from '../../trading/service/connect-engine.ts'
import { createPool } from '../../trading/store/create-pool.ts'
import type { Settings } from '../configuration.ts'
import { openKeyEncryptionKey } from './key-encryption-key.ts'
import { knownDatabase } from './open-database.ts'

/** What an API process trades through. */
export type ApiTrading = { readonly ports: TradingPorts; close(): Promise<void> }

/** Connections of one API process to the trading database: reads alone. */
const POOL_SIZE = 12

/**
 * The trading database of DATABASE_URL, else the one that an engine has made below the home, and its engine, wherever that runs. None
 * of them has to answer yet: until then private routes are 503. null: there is no such database.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the key-encryption key cannot be read
 */
export async function openApiTrading(settings: Settings): Promise<ApiTrading | null> {
  const { environment, evm_rpc_url } = settings
  const url = knownDatabase(settings)
  if (url === null) return null
  const sealing = await openKeyEncryptionKey(settings)
  const verifier = await createSignatureVerifier({ environment, rpc_url: evm_rpc_url === '' ? null : evm_rpc_url })
  const pool = createPool({ url, size: POOL_SIZE, name: 'tidemark api', by_index: true })
  const engine = connectEngine({ pool })
  return {
    ports: tradingPorts({ pool, engine, verifier, sealing }),
    close: async () => {
      await engine.close()
      await verifier.close()
      await pool.end()
    },
  }
}
