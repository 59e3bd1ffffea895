import { authenticatorOf, requestParts } from '../../api/private/authenticator-of.ts'
import { checkBody } from '../../api/private/body-checks.ts'
import { bodyReader } from '../../api/server/body-reader.ts'
import { envelopeText, metaText } from '../../api/server/envelope.ts'
import type { Exchange } from '../../api/server/exchange.ts'
import type { TradingPorts } from '../../api/trading-ports.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { ORDER_TYPE, orderMessage } from '../../protocol/order/order-terms.ts'
import { OrderRequest } from '../../protocol/requests/order-request.ts'
import { checkedEoaSignature, type EoaSignature } from '../../trading/auth/eoa-signature.ts'
import { createKeccak256, keccakOfText } from '../../trading/auth/keccak.ts'
import { createNativeRecover } from '../../trading/auth/native-recover.ts'
import { createTypedHasher } from '../../trading/auth/typed-hasher.ts'
import { FrameReader, FrameWriter } from '../../trading/service/frames.ts'
import { LOAD_ENVIRONMENT, type LoadWorld } from '../load/load-world.ts'
import { ORDERS_PATH, signedHeaders } from '../load/send-orders.ts'
import type { SignedLoad } from '../load/sign-orders.ts'
import { decideRestingOrders } from './decide-resting-orders.ts'
import { rounded } from './rounds.ts'

const ROUNDS = 5
/** Requests whose nonces are kept at once: those of as many connections. */
const TOGETHER = 64

/** Steps of a signed order in the API: each is measured alone, by the functions that serve a request. */
const STEPS = ['parse', 'authenticate', 'nonce', 'identity', 'typed_data', 'recover', 'link', 'answer'] as const
type Steps = Readonly<Record<(typeof STEPS)[number], () => unknown>>

/**
 * Measures the steps of an order one by one. Each is run over all orders, with the least processor time of several rounds.
 * @returns microseconds of an order by step
 */
export async function measureOrderSteps(
  trading: TradingPorts,
  world: LoadWorld,
  orders: readonly SignedLoad[],
): Promise<Readonly<Record<(typeof STEPS)[number], number>>> {
  const least = Object.fromEntries(STEPS.map((step) => [step, Number.POSITIVE_INFINITY])) as Record<
    (typeof STEPS)[number],
    number
  >
  for (let round = 0; round < ROUNDS; round += 1) {
    const steps = await stepsOf(trading, world, orders)
    for (const step of STEPS) {
      const before = process.cpuUsage()
      await steps[step]()
      const { user, system } = process.cpuUsage(before)
      least[step] = Math.min(least[step], rounded((user + system) / orders.length))
    }
  }
  return least
}

/** Prepares the input of each step, so that its own work alone is measured. Requests are signed now: each nonce serves once. */
async function stepsOf(trading: TradingPorts, world: LoadWorld, orders: readonly SignedLoad[]): Promise<Steps> {
  const read = bodyReader(OrderRequest)
  const bodies = orders.map(({ body }) => read(body) as OrderRequest)
  const exchanges = orders.map((order) => exchangeOf(world, order))
  const known = { ...trading, nonces: { open: async () => undefined, keep: async () => 0 } }
  const authenticate = authenticatorOf(known, LOAD_ENVIRONMENT, wallClock)
  const keccak = await createKeccak256()
  const ofText = keccakOfText(keccak)
  const hasher = createTypedHasher(ORDER_TYPE, LOAD_ENVIRONMENT, keccak)
  const digests = bodies.map((body) => hasher.digest(orderMessage(body, ofText)))
  const signatures = bodies.map(({ order_signature }) => checkedEoaSignature(order_signature) as EoaSignature)
  const recover = await createNativeRecover()
  const decided = decideRestingOrders(orders.length)
  const data = decided.map(({ rows }) => JSON.stringify(rows.orders[0]))
  const { nonces } = trading
  return {
    parse: () => orders.forEach(({ body }) => void checkBody('place_order', read(body))),
    authenticate: async () => {
      for (const [n, exchange] of exchanges.entries())
        await authenticate(requestParts(exchange, orders[n]!.body), { scopes: ['orders:write'] })
    },
    nonce: async () => {
      const keep = (exchange: Exchange) =>
        nonces.keep({ key_id: 'key_bench', nonce: `${exchange.request.raw.headers['svc-access-nonce']}` }, wallClock())
      for (let n = 0; n < exchanges.length; n += TOGETHER) await Promise.all(exchanges.slice(n, n + TOGETHER).map(keep))
    },
    identity: () => bodies.forEach((body) => void sha256Hex(canonicalJson(body))),
    typed_data: () => bodies.forEach((body) => void hasher.digest(orderMessage(body, ofText))),
    recover: () => digests.forEach((digest, n) => void recover(digest, signatures[n]!)),
    link: () => overLink(decided.map(({ place }) => place)),
    answer: () => data.forEach((text) => void envelopeText(text, '', metaText(META))),
  }
}

const META = {
  ...{ request_id: '0199a5a0-0000-7000-8000-000000000000', published_at: 1_790_000_000_000_000, as_of: null },
  ...{ max_age_ms: undefined, correction_chain: '', stale: null },
}

function exchangeOf({ accounts }: LoadWorld, { account, body }: SignedLoad): Exchange {
  const { secret } = accounts[account]!
  const named = Object.entries(signedHeaders(accounts[account]!, Buffer.from(secret, 'hex'), body))
  const headers = Object.fromEntries(named.map(([name, value]) => [name.toLowerCase(), value]))
  return { request: { raw: { method: 'POST', url: ORDERS_PATH, headers } }, ip: '127.0.0.1' } as unknown as Exchange
}

/** Writes each submission for the engine's link and reads it again. */
async function overLink(submissions: readonly unknown[]): Promise<void> {
  const reader = new FrameReader()
  const writer = new FrameWriter({ destroyed: false, write: (frames) => reader.push(frames as Buffer).length > 0 })
  for (const submission of submissions) {
    writer.send(submission)
    await Promise.resolve()
  }
  await new Promise(setImmediate)
}
