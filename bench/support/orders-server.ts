import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { recoverTypedDataAddress } from 'viem'
import { createApiServer } from '../../api/server/create-api-server.ts'
import { attachStream } from '../../api/stream/attach-stream.ts'
import { streamProjections } from '../../api/stream/projections.ts'
import { streamRequests } from '../../api/stream/requests.ts'
import { tradingPorts } from '../../api/trading-ports.ts'
import { keccakText } from '../../client/signing/typed-signer.ts'
import { invariant } from '../../primitives/errors.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { ORDER_TYPE, type OrderToSign, orderMessage } from '../../protocol/order/order-terms.ts'
import { canonicalRequest } from '../../protocol/signing/canonical-request.ts'
import { typedDomain } from '../../protocol/signing/typed-data.ts'
import { fakeHandlers } from '../../test/support/fake-handlers.ts'
import { fakeReader } from '../../test/support/fake-reader.ts'
import { keyEncryptionKey } from '../../trading/auth/seal-secret.ts'
import { createSignatureVerifier } from '../../trading/auth/signature-verifier.ts'
import { startEngine } from '../../trading/service/start-engine.ts'
import { createPool } from '../../trading/store/create-pool.ts'
import { LOAD_ENVIRONMENT, type LoadAccount } from '../load/load-world.ts'
import { decideRestingOrders } from './decide-resting-orders.ts'
import { HeldCore } from './held-core.ts'
import { NaiveOrders } from './naive-orders.ts'

/** Settings of an orders server, received as a message from its parent. */
export type OrdersServer = {
  readonly kind: 'ours' | 'naive'
  readonly url: string
  readonly sealing: string
  readonly accounts: readonly LoadAccount[]
  /** Orders that the naive server will receive. */
  readonly orders: number
  /** Database connections of the naive server. */
  readonly connections: number
  /** Whether our engine cancels all orders of an account in one pass. */
  readonly is_unsliced?: boolean
}

// Requests its settings, because a message sent before this process listens would be lost.
const told = once(process, 'message')
process.send!('listening')
const [asked] = (await told) as [OrdersServer]

/** Serves the API with its engine in one process, as `tidemark up` does. */
async function serveOurs({ url, sealing, is_unsliced = false }: OrdersServer): Promise<number> {
  const pool = createPool({ url, name: 'bench', by_index: true })
  const { core } = new HeldCore(is_unsliced ? Number.POSITIVE_INFINITY : null)
  const engine = await startEngine({ pool, now: wallClock, holder: 'bench', address: null, core })
  await engine.leading
  const verifier = await createSignatureVerifier({ environment: LOAD_ENVIRONMENT })
  const trading = tradingPorts({
    pool,
    engine: engine.client,
    verifier,
    sealing: keyEncryptionKey(sealing, 'bench'),
  })
  const app = await createApiServer({
    reader: fakeReader(),
    handlers: fakeHandlers(),
    environment: LOAD_ENVIRONMENT,
    rate_limits: 'off',
    trading,
  })
  const reader = fakeReader()
  attachStream({ http_server: app.server, reader, project: streamProjections(reader), requests: streamRequests(app) })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

/**
 * Serves the design that most people would start with: JSON by the framework, the request's HMAC, viem's recovery of the order's
 * signer, and one transaction per order with SELECT ... FOR UPDATE. It decides nothing: the rows that it writes are given.
 */
async function serveNaive({ url, accounts, orders, connections }: OrdersServer): Promise<number> {
  const decided = decideRestingOrders(orders)
  const naive = await NaiveOrders.connect(url, connections)
  const secrets = new Map(accounts.map(({ key_id, secret }) => [key_id, Buffer.from(secret, 'hex')]))
  const domain = typedDomain(ORDER_TYPE.name, LOAD_ENVIRONMENT, keccakText)
  const types = { [ORDER_TYPE.name]: [...ORDER_TYPE.fields] }
  let next = 0
  const app = fastify({ keepAliveTimeout: 72_000 })
  app.setErrorHandler((error, _request, reply) => {
    process.stderr.write(`${String(error)}\n`)
    return reply.code(500).send({ error: { code: 'INTERNAL_ERROR' } })
  })
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.post('/v1/orders', async (request, reply) => {
    const bytes = request.body as Buffer
    checkRequest(secrets, request.headers, bytes)
    const order = JSON.parse(bytes.toString()) as OrderToSign & { readonly order_signature: `0x${string}` }
    const message = orderMessage(order, keccakText)
    const signature = order.order_signature
    const signer = await recoverTypedDataAddress({ domain, types, primaryType: ORDER_TYPE.name, message, signature })
    invariant(signer.toLowerCase() === order.signer.toLowerCase(), 'the order is signed')
    const { place, rows } = decided[next++]!
    await naive.place({ place, rows }, 1)
    return reply.code(201).send({ data: rows.orders[0] })
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

function checkRequest(
  secrets: ReadonlyMap<string, Buffer>,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Buffer,
): void {
  const [key_id, timestamp, nonce, signature] = ['key', 'timestamp', 'nonce', 'signature'].map((name) =>
    String(headers[`svc-access-${name}`]),
  ) as [string, string, string, string]
  const text = canonicalRequest({
    method: 'POST',
    path: '/v1/orders',
    query: '',
    body_sha256: createHash('sha256').update(body).digest('hex'),
    timestamp,
    nonce,
    key_id,
    environment: LOAD_ENVIRONMENT,
  })
  const mac = createHmac('sha256', secrets.get(key_id)!).update(text).digest()
  invariant(timingSafeEqual(mac, Buffer.from(signature, 'hex')), 'the request is signed')
}

process.on('disconnect', () => process.exit(0))
process.send!({ port: await (asked.kind === 'ours' ? serveOurs(asked) : serveNaive(asked)) })
