import { type TradingPorts, tradingPorts } from '../../api/trading-ports.ts'
import { targetRules } from '../../api/webhooks/webhook-target.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { createSignatureVerifier } from '../../trading/auth/signature-verifier.ts'
import { SANDBOX } from '../../trading/engine/authorize-act.ts'
import { connectEngine } from '../../trading/service/connect-engine.ts'
import { createPool } from '../../trading/store/create-pool.ts'
import type { Settings } from '../configuration.ts'
import { describeFailure } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { readChainAddress } from '../sandbox/chain/chain-file.ts'
import { engineSecurity } from './engine-security.ts'
import { openKeyEncryptionKey, requireSealing } from './key-encryption-key.ts'
import { recordNamed } from './named-database.ts'
import { knownDatabase } from './open-database.ts'
import { watchDatabase } from './watch-database.ts'

/** Trading connections of an API process. */
export type ApiTrading = {
  readonly ports: TradingPorts
  /** Address of the database. */
  readonly url: string
  close(): Promise<void>
}

/** Database connections of one API process, for reads only. */
const POOL_SIZE = 12

/**
 * Opens the trading database of DATABASE_URL, else the embedded one in the home, and its engine, wherever that runs. Neither must be
 * available yet: until then private routes answer 503. Returns null if there is no such database.
 * @throws {ServiceError} what openKeyEncryptionKey throws
 */
export async function openApiTrading(settings: Settings, output: Pick<Output, 'log'>): Promise<ApiTrading | null> {
  const { environment } = settings
  const url = knownDatabase(settings)
  if (url === null) return null
  recordNamed(settings)
  const pool = createPool({ url, size: POOL_SIZE, name: 'tidemark api', by_index: true })
  const note = (text: string) => output.log('info', text)
  const sealing = await openKeyEncryptionKey(settings, { pool, note }).catch(async (error: unknown) => {
    await pool.end()
    throw error
  })
  const verifier = await createSignatureVerifier({ environment, rpc_url: chainOf(settings) })
  // The database may not have answered when the key was opened.
  const onAnswer = () =>
    requireSealing(settings, pool, sealing).catch((error: unknown) => {
      if (!isServiceError(error)) throw error
      const { message, code } = describeFailure(error).error
      output.log('error', message, { code })
    })
  const endWatch = watchDatabase({ pool, output, onAnswer })
  const engine = connectEngine({ pool, security: engineSecurity(settings) })
  const webhook_targets = targetRules(settings.webhook_allowed_hosts)
  return {
    ports: tradingPorts({ pool, engine, verifier, sealing, webhook_targets }),
    url,
    close: async () => {
      endWatch()
      await engine.close()
      await verifier.close()
      await pool.end()
    },
  }
}

/** Returns where smart accounts live: the configured chain, or in a sandbox the one that may run beside it. */
function chainOf({ environment, evm_rpc_url, home }: Settings): string | null | (() => string | null) {
  if (evm_rpc_url !== '') return evm_rpc_url
  return environment === SANDBOX ? () => readChainAddress(home) : null
}
