import type { FastifyInstance } from 'fastify'
import { privateKeyToAccount } from 'viem/accounts'
import { type ApiServerOptions, createApiServer } from '../../../api/server/create-api-server.ts'
import type { ApiLogger } from '../../../api/server/exchange.ts'
import type { RateLimits, RouteHandlers } from '../../../api/server/handler.ts'
import { type TradingPorts, tradingPorts } from '../../../api/trading-ports.ts'
import { targetRules } from '../../../api/webhooks/webhook-target.ts'
import { signOrder } from '../../../client/signing/sign-order.ts'
import { type RequestKey, signRequest } from '../../../client/signing/sign-request.ts'
import { signerAddress } from '../../../client/signing/typed-signer.ts'
import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { WantedOrder } from '../../../protocol/order/order-terms.ts'
import { SCOPES } from '../../../protocol/signing/scopes.ts'
import { issueApiKey } from '../../../service/trading/issue-api-key.ts'
import { performOperatorAct } from '../../../service/trading/operator-act.ts'
import { keyEncryptionKey } from '../../../trading/auth/seal-secret.ts'
import { createSignatureVerifier } from '../../../trading/auth/signature-verifier.ts'
import type { OperatorCommand } from '../../../trading/engine/submission.ts'
import type { EngineClient } from '../../../trading/service/engine-client.ts'
import { startEngine } from '../../../trading/service/start-engine.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import type { Reader } from '../../../warehouse/reader/reader.ts'
import { fakeHandlers } from '../fake-handlers.ts'
import { type FakeReader, fakeReader } from '../fake-reader.ts'
import { POLICY } from './submissions.ts'

/** An API with the real engine over a real database, and accounts that may sign. */

export const ENVIRONMENT = 'sandbox'
export const SEALING = keyEncryptionKey('5e'.repeat(32), 'test')
const ACTOR = { actor: 'tester', reason: 'test' }
export const MARKET_ID = 'mkt_http'
export const OUTCOME_ID = 'out_http_yes'
export const PRIVATE_KEYS = { acct_a: '0a', acct_b: '0b', acct_empty: '0c' } as const
export type AccountName = keyof typeof PRIVATE_KEYS

export type Call = {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With /v1 and query. */
  readonly url: string
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: unknown
  /** null: not signed. Default: the key of acct_a with every scope. */
  readonly key?: RequestKey | null
  readonly headers?: Readonly<Record<string, string>>
  readonly idempotency_key?: string | null
  readonly nonce?: string
  readonly timestamp_ms?: number
}
export type Got = {
  readonly status: number
  /** Result of JSON.parse, untyped, so that a test can read any field. */
  readonly body: ReturnType<typeof JSON.parse>
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
}

export type ServedAccounts = {
  readonly app: FastifyInstance
  readonly engine: EngineClient
  readonly pool: Pool
  readonly trading: TradingPorts
  readonly keys: Readonly<Record<AccountName, RequestKey>>
  call(call: Call): Promise<Got>
  /** Signs an order of an account for the market. */
  order(wanted?: Partial<WantedOrder>, account?: AccountName): Promise<Record<string, unknown>>
  act(command: OperatorCommand): Promise<unknown>
  /** A key of an account, as an operator makes it. */
  newKey(key: Partial<NewTestKey>): Promise<RequestKey>
  close(): Promise<void>
}
export type NewTestKey = {
  readonly key_id: string
  readonly account_id: string
  readonly environment: string
  readonly scopes: readonly string[]
  readonly ip_allowlist: readonly string[]
  readonly expires_at: Micros | null
}

export type ServeAccountsOptions = {
  readonly rate_limits?: Partial<RateLimits> | 'off'
  readonly engine?: (real: EngineClient) => EngineClient
  /** An engine that runs elsewhere, and is closed by whoever made it; left out: one of its own. */
  readonly client?: EngineClient
  readonly reader?: FakeReader
  /** Public data and the routes that show it; left out: an empty warehouse. */
  readonly public_data?: { readonly reader: Reader; readonly handlers: RouteHandlers }
  readonly account_reads?: ApiServerOptions['account_reads']
  readonly now?: () => Micros
  readonly deposit?: string
  /** Where smart accounts live; left out: nowhere. */
  readonly rpc_url?: () => string | null
  /** Hosts that may receive webhooks though they are private. */
  readonly webhook_hosts?: readonly string[]
  readonly logger?: ApiLogger
}

let made = 0
const unique = (name: string): string => {
  made += 1
  return `${name}${made}`
}

export async function serveAccounts(pool: Pool, options: ServeAccountsOptions = {}): Promise<ServedAccounts> {
  const { rate_limits = 'off', now = wallClock, deposit = '100000', rpc_url = null } = options
  const started =
    options.client === undefined
      ? await startEngine({ pool, now: wallClock, holder: 'test', address: null })
      : { client: options.client, leading: null, stop: async () => undefined }
  await started.leading
  const verifier = await createSignatureVerifier({ environment: ENVIRONMENT, rpc_url })
  const engine = options.engine?.(started.client) ?? started.client
  const webhook_targets = targetRules(options.webhook_hosts ?? [])
  const trading = tradingPorts({ pool, engine, verifier, sealing: SEALING, webhook_targets })
  const app = await createApiServer({
    reader: options.public_data?.reader ?? fakeReader({ now, ...options.reader }),
    handlers: options.public_data?.handlers ?? fakeHandlers(),
    environment: ENVIRONMENT,
    cursor_secret: Buffer.alloc(32, 7),
    now,
    rate_limits,
    trading,
    ...(options.logger !== undefined && { logger: options.logger }),
    ...(options.account_reads !== undefined && { account_reads: options.account_reads }),
  })
  const act = (command: OperatorCommand) => performOperatorAct(started.client, ACTOR, command)
  const newTestKey = async (given: Partial<NewTestKey>): Promise<RequestKey> => {
    const account_id = given.account_id ?? 'acct_a'
    const owner_address = addressOf(account_id as AccountName)
    const { command, secret } = await issueApiKey(
      {
        account_id,
        owner_address,
        signer: owner_address,
        key_id: given.key_id ?? `key_${unique('x').padStart(16, '0')}`,
        environment: given.environment ?? ENVIRONMENT,
        label: 'test',
        scopes: given.scopes ?? SCOPES,
        ip_allowlist: given.ip_allowlist ?? [],
        public_key: null,
        expires_at: null,
        now: wallClock(),
      },
      SEALING,
    )
    await act(command)
    // Set afterwards: a key that has ended is not issued.
    if (given.expires_at) await pool.query(SET_END, [command.key.key_id, formatMicros(given.expires_at)])
    trading.keys.forget?.()
    const { key_id, environment } = command.key
    return { key_id, environment, algorithm: 'hmac-sha256', secret: secret! }
  }
  // As the service does at its start: a request that is signed before it is refused.
  await trading.nonces.open(now())
  await setUp(act, deposit)
  const keys = {
    acct_a: await newTestKey({ account_id: 'acct_a' }),
    acct_b: await newTestKey({ account_id: 'acct_b' }),
    acct_empty: await newTestKey({ account_id: 'acct_empty' }),
  }
  return {
    app,
    engine: started.client,
    pool,
    trading,
    keys,
    act,
    newKey: newTestKey,
    // Signed by the clock of the API, which a test may have stopped: a time that is ahead of it is refused.
    call: (call) => send(app, { key: keys.acct_a, timestamp_ms: Math.floor(now() / 1000), ...call }),
    order: (wanted = {}, account = 'acct_a') => signedOrder(wanted, account),
    close: async () => {
      await app.close()
      await started.stop()
      await verifier.close()
    },
  }
}

const SET_END = 'UPDATE trading.api_key SET expires_at = $2 WHERE key_id = $1'

async function setUp(act: (command: OperatorCommand) => Promise<unknown>, deposit: string): Promise<void> {
  await act({ kind: 'add_asset', asset_id: 'asset_usd', scale: 6 })
  await act({
    kind: 'add_market',
    market_id: MARKET_ID,
    outcome_ids: [OUTCOME_ID, 'out_http_no'],
    terms: {
      price_min: '0.01',
      price_max: '0.99',
      price_increment: '0.01',
      quantity_increment: '0.01',
      minimum_quantity: '1',
      settlement_asset_id: 'asset_usd',
      shorting_permitted: true,
    },
    fees: { schedule_id: 'fee_1', schedule_version: 1, taker_rate: '0.02', maker_rate: '0' },
  })
  await act({ kind: 'move_market', market_id: MARKET_ID, to: 'open' })
  for (const account_id of Object.keys(PRIVATE_KEYS) as AccountName[]) {
    const owner_address = addressOf(account_id)
    await act({ kind: 'add_account', account_id, policy: POLICY, owner_address, label: account_id })
    if (account_id === 'acct_empty') continue
    const transfer_id = `tr_${account_id}`
    await act({ kind: 'deposit', transfer_id, account_id, asset_id: 'asset_usd', amount: deposit })
  }
}

/** Returns the signer of an account, its owner. */
export function signerOf(account: AccountName) {
  return { kind: 'eoa', account: privateKeyToAccount(`0x${PRIVATE_KEYS[account].repeat(32)}`) } as const
}

function addressOf(account: AccountName): string {
  return signerAddress(signerOf(account)).toLowerCase()
}

async function signedOrder(wanted: Partial<WantedOrder>, account: AccountName): Promise<Record<string, unknown>> {
  const order = {
    account_id: account,
    market_id: MARKET_ID,
    outcome_id: OUTCOME_ID,
    side: 'BUY',
    limit_price: '0.50',
    quantity: '10',
    client_order_id: unique('c'),
    maximum_fee: '1000',
    maximum_notional: '100000',
    ...wanted,
  } as const
  return { ...(await signOrder(order, signerOf(account), ENVIRONMENT)) }
}

/** Sends a request, signed where it has a key. */
export async function send(app: FastifyInstance, call: Call): Promise<Got> {
  const { method, url, body, key = null, nonce, timestamp_ms } = call
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  const writes = method !== 'GET' && method !== 'HEAD'
  const has_body = writes && method !== 'DELETE'
  const idempotency_key = call.idempotency_key === undefined ? unique('idem-') : call.idempotency_key
  const signed =
    key === null
      ? {}
      : signRequest(
          {
            method,
            target: url,
            body: text,
            ...(nonce !== undefined && { nonce }),
            ...(timestamp_ms !== undefined && { timestamp_ms }),
          },
          key,
        )
  const headers = {
    ...(has_body && { 'content-type': 'application/json' }),
    ...(writes && idempotency_key !== null && { 'idempotency-key': idempotency_key }),
    ...signed,
    ...call.headers,
  }
  const answer = await app.inject({ method, url, headers, ...(has_body && { payload: text }) })
  const json = answer.body === '' ? null : JSON.parse(answer.body)
  return { status: answer.statusCode, body: json, text: answer.body, headers: answer.headers }
}
