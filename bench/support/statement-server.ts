import type { AddressInfo } from 'node:net'
import { createApiServer } from '../../api/server/create-api-server.ts'
import { tradingPorts } from '../../api/trading-ports.ts'
import { fakeHandlers } from '../../test/support/fake-handlers.ts'
import { fakeReader } from '../../test/support/fake-reader.ts'
import { keyEncryptionKey } from '../../trading/auth/seal-secret.ts'
import { createSignatureVerifier } from '../../trading/auth/signature-verifier.ts'
import { connectEngine } from '../../trading/service/connect-engine.ts'
import { createPool } from '../../trading/store/create-pool.ts'

/** Serves the private API over a trading database, in a process whose memory is its own. Its parent asks `memory`, then disconnects. */
export type StatementServer = { readonly url: string; readonly sealing: string; readonly environment: string }

const { url, sealing, environment } = JSON.parse(process.argv[2]!) as StatementServer
const pool = createPool({ url, size: 8, name: 'bench', by_index: true })
const engine = connectEngine({ pool })
const verifier = await createSignatureVerifier({ environment })
const trading = tradingPorts({ pool, engine, verifier, sealing: keyEncryptionKey(sealing, 'bench') })
const app = await createApiServer({
  reader: fakeReader(),
  handlers: fakeHandlers(),
  environment,
  rate_limits: 'off',
  trading,
})
await app.listen({ host: '127.0.0.1', port: 0 })
process.send!({ base_url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` })
process.on('message', () => {
  const { maxRSS } = process.resourceUsage()
  process.send!({ rss_mb: Math.round(process.memoryUsage().rss / 2 ** 20), max_rss_mb: Math.round(maxRSS / 1024) })
})
process.on('disconnect', () => process.exit(0))
