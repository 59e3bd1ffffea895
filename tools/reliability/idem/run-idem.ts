import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRandom, type Random } from '../../../simulator/world/random.ts'
import {
  type ServeAccountsOptions,
  type ServedAccounts,
  serveAccounts,
} from '../../../test/support/trading/served-accounts.ts'
import { auditTrading } from '../../../trading/store/audit-trading.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { sendWire, type WireAnswer, writeOf } from '../wire-request.ts'

export type IdemOptions = {
  readonly seed: number
  /** Requests that are sent at least, repetitions among them. */
  readonly requests: number
  readonly serving?: ServeAccountsOptions
}

export type IdemReport = {
  readonly lane: 'rel:idem'
  readonly seed: number
  readonly requests: number
  /** Requests whose connection was taken away before their answer. */
  readonly dropped: number
  readonly keys: number
  readonly replayed: number
  readonly conflicts: number
  readonly violations: readonly string[]
}

type Tally = { requests: number; dropped: number; keys: number; replayed: number; conflicts: number }
type Service = { readonly served: ServedAccounts; readonly agent: Agent; readonly base_url: string }
/** One body under a key, and every answer that it had. */
type Asked = { readonly client_order_id: string; readonly body: string; readonly answers: WireAnswer[] }

const KEYS_AT_ONCE = 16
const SENT_AT_ONCE_MAX = 4
/** Some of this falls before the commit, some into it, some after it. */
const DROPPED_WITHIN_MS = 30
const PASSING: readonly (string | null)[] = ['SERVICE_UNAVAILABLE', 'OUTCOME_UNKNOWN', 'IDEMPOTENCY_IN_PROGRESS']

/**
 * Clients that ask the same again, at once and later, because their connection was lost, and some that use a key for two things: each
 * key has one effect, whoever asks under it with the same body is told the same bytes, and with another one that it is a conflict.
 */
export async function runIdem(pool: Pool, { seed, requests, serving }: IdemOptions): Promise<IdemReport> {
  const served = await serveAccounts(pool, serving)
  const agent = new Agent({ keepAlive: true })
  const tally: Tally = { requests: 0, dropped: 0, keys: 0, replayed: 0, conflicts: 0 }
  const random = createRandom(seed, 'idem')
  const violations: string[] = []
  try {
    await served.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = served.app.server.address() as AddressInfo
    const service = { served, agent, base_url: `http://127.0.0.1:${port}` }
    while (tally.requests < requests && violations.length === 0) {
      const found = Array.from({ length: KEYS_AT_ONCE }, () => oneKey(service, random, tally))
      violations.push(...(await Promise.all(found)).flat())
    }
    const broken = (await auditTrading(pool)).filter((one) => one.violations.length > 0)
    violations.push(...broken.map((one) => `${one.invariant_id}: ${JSON.stringify(one.violations[0])}`))
    return { lane: 'rel:idem', seed, ...tally, violations }
  } finally {
    agent.destroy()
    await served.close()
  }
}

/** One key: several requests at once, some of which are dropped, and then each until it has an answer. */
async function oneKey(service: Service, random: Random, tally: Tally): Promise<string[]> {
  tally.keys += 1
  const idempotency_key = randomUUID()
  const bodies = await Promise.all(Array.from({ length: random.chance(300_000) ? 2 : 1 }, () => newOrder(service)))
  const sent = Array.from({ length: random.between(1, SENT_AT_ONCE_MAX) }, () => ({
    asked: bodies[random.below(bodies.length)]!,
    drop_ms: random.chance(400_000) ? random.below(DROPPED_WITHIN_MS) : null,
  }))
  await Promise.all(sent.map(({ asked, drop_ms }) => send(service, idempotency_key, asked, drop_ms, tally)))
  for (const asked of bodies) await untilAnswered(service, idempotency_key, asked, tally)
  return faultsOf(service, idempotency_key, bodies, tally)
}

async function newOrder({ served }: Service): Promise<Asked> {
  const order = await served.order({ limit_price: '0.02', quantity: '1' })
  return { client_order_id: String(order.client_order_id), body: JSON.stringify(order), answers: [] }
}

async function send(
  { served, agent, base_url }: Service,
  idempotency_key: string,
  { body, answers }: Asked,
  drop_ms: number | null,
  tally: Tally,
): Promise<void> {
  tally.requests += 1
  const wire = writeOf(served.keys.acct_a, '/orders', body, { idempotency_key })
  try {
    const dropped = drop_ms === null ? undefined : AbortSignal.timeout(drop_ms)
    const answer = await sendWire(agent, base_url, wire, dropped)
    if (!PASSING.includes(answer.code)) answers.push(answer)
  } catch {
    tally.dropped += 1
  }
}

async function untilAnswered(service: Service, idempotency_key: string, asked: Asked, tally: Tally): Promise<void> {
  const before = asked.answers.length
  while (asked.answers.length === before) await send(service, idempotency_key, asked, null, tally)
}

async function faultsOf({ served }: Service, key: string, bodies: readonly Asked[], tally: Tally): Promise<string[]> {
  const faults: string[] = []
  const isConflict = ({ status, code }: WireAnswer) => status === 409 && code === 'IDEMPOTENCY_CONFLICT'
  const won = bodies.filter(({ answers }) => answers.some((answer) => !isConflict(answer)))
  if (won.length !== 1) faults.push(`${key}: ${won.length} of ${bodies.length} bodies were carried out`)
  for (const { answers } of bodies) {
    tally.conflicts += answers.filter(isConflict).length
    tally.replayed += answers.filter(({ replayed }) => replayed).length
    const kinds = new Set(answers.map(({ status, code, data }) => `${status} ${code} ${data}`))
    if (kinds.size > 1) faults.push(`${key}: told in ${kinds.size} ways: ${[...kinds].join(' | ')}`)
  }
  const first = won.flatMap(({ answers }) => answers).filter(({ replayed }) => !replayed)
  if (first.length > 1) faults.push(`${key}: carried out anew ${first.length} times`)
  const { rows } = await served.pool.query<{ client_order_id: string }>(
    'SELECT client_order_id FROM trading.orders WHERE client_order_id = ANY ($1)',
    [bodies.map(({ client_order_id }) => client_order_id)],
  )
  const expected = won.map(({ client_order_id }) => client_order_id)
  const made = rows.map(({ client_order_id }) => client_order_id)
  if (made.join() !== expected.join()) faults.push(`${key}: orders ${made.join()}, answered: ${expected.join()}`)
  return faults
}
