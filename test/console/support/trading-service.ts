import { join } from 'node:path'
import { consoleRoutes } from '../../../api/console/console-routes.ts'
import { serveApi } from '../../../api/serve.ts'
import { tradingPorts } from '../../../api/trading-ports.ts'
import { ownVenueSession } from '../../../operations/own-venue/own-venue-session.ts'
import { createSignatureVerifier } from '../../../trading/auth/signature-verifier.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { createVenueReads } from '../../../trading/store/venue/venue-reads.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { PATIENT_QUERIES } from '../../support/patient-queries.ts'
import {
  type AccountName,
  ENVIRONMENT,
  PRIVATE_KEYS,
  SEALING,
  type ServedAccounts,
  serveAccounts,
} from '../../support/trading/served-accounts.ts'

export const MARKET_ID = 'mkt_tide'
export const [YES, NO] = ['out_tide_yes', 'out_tide_no'] as const
const TITLE = 'Will the tide reach the upper mark by Friday?'

/** The real service with its page: engine, database, warehouse with what the venue stores, API, streams. */
export type TradingService = {
  readonly base_url: string
  readonly served: ServedAccounts
  /** The text of a ready file of these accounts. */
  readyText(accounts: readonly AccountName[], environment?: string): string
  /** An order of an account, placed behind the page's back. */
  place(account: AccountName, wanted: Parameters<ServedAccounts['order']>[0]): Promise<void>
  close(): Promise<void>
}

const WHOLE_TEST_MS = 3_600_000

export async function startTradingService(
  pool: Pool,
  folder: string,
  environment = ENVIRONMENT,
  complementary = false,
): Promise<TradingService> {
  const served = await serveAccounts(pool)
  await listMarket(served, complementary)
  const warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  const ending = new AbortController()
  const ports = { warehouse, reads: createVenueReads(pool), signal: ending.signal, linger_ms: 50 }
  const session = ownVenueSession({ session_ms: WHOLE_TEST_MS }, ports)
  const verifier = await createSignatureVerifier({ environment })
  const api = await serveApi({
    warehouse_root: join(folder, 'warehouse'),
    host: '127.0.0.1',
    port: 0,
    environment,
    rate_limits: 'off',
    extra: await consoleRoutes(),
    query_limits: PATIENT_QUERIES,
    trading: tradingPorts({ pool, engine: served.engine, verifier, sealing: SEALING }),
  })
  return {
    base_url: api.base_url,
    served,
    readyText: (accounts, of = environment) => {
      const sandbox_accounts = accounts.map((account_id) => readyAccount(served, account_id))
      return JSON.stringify({ base_url: api.base_url, environment: of, sandbox_accounts })
    },
    async place(account, wanted) {
      const body = await served.order({ market_id: MARKET_ID, outcome_id: YES, ...wanted }, account)
      await served.call({ method: 'POST', url: '/v1/orders', body, key: served.keys[account] })
    },
    async close() {
      ending.abort()
      await session
      await api.close()
      await verifier.close()
      await warehouse.close()
      await served.close()
    },
  }
}

async function listMarket({ act }: ServedAccounts, complementary: boolean): Promise<void> {
  const terms = {
    price_min: '0.01',
    price_max: '0.99',
    price_increment: '0.01',
    quantity_increment: '0.01',
    minimum_quantity: '1',
    settlement_asset_id: 'asset_usd',
    shorting_permitted: true,
    ...(complementary ? { complementary } : {}),
  }
  const fees = { schedule_id: 'fee_1', schedule_version: 1, taker_rate: '0.02', maker_rate: '0' }
  const listing = {
    event_id: null,
    title: TITLE,
    outcome_labels: { [YES]: 'Yes', [NO]: 'No' },
    rules: null,
    schedule: null,
  }
  await act({ kind: 'add_market', market_id: MARKET_ID, outcome_ids: [YES, NO], terms, fees, listing })
  await act({ kind: 'move_market', market_id: MARKET_ID, to: 'open' })
}

function readyAccount({ keys }: ServedAccounts, account_id: AccountName): object {
  const { key_id, secret } = keys[account_id] as { key_id: string; secret: string }
  return { account_id, key_id, secret, owner_private_key: `0x${PRIVATE_KEYS[account_id].repeat(32)}` }
}
