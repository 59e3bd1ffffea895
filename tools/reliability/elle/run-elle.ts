import { Agent } from 'node:http'
import type { AddressInfo } from 'node:net'
import { invariant } from '../../../primitives/errors.ts'
import { createRandom, type Random } from '../../../simulator/world/random.ts'
import {
  type ServeAccountsOptions,
  type ServedAccounts,
  serveAccounts,
} from '../../../test/support/trading/served-accounts.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { readOf, sendWire, type WireAnswer, writeOf } from '../wire-request.ts'
import { checkHistory, type Operation, type Seen, type Version } from './check-history.ts'

export type ElleOptions = {
  readonly seed: number
  readonly operations: number
  readonly serving?: ServeAccountsOptions
}

export type ElleReport = {
  readonly lane: 'rel:elle'
  readonly seed: number
  readonly operations: number
  readonly reads: number
  readonly versions: number
  readonly violations: readonly string[]
}

const CLIENTS = 8
const VIOLATIONS_TOLD = 20
const ACCOUNTS = ['acct_a', 'acct_b'] as const
type Account = (typeof ACCOUNTS)[number]

/**
 * Clients of two accounts that trade with each other and read orders, positions and balances meanwhile; what they were told must be one
 * order, that of the engine's log.
 */
export async function runElle(pool: Pool, { seed, operations, serving }: ElleOptions): Promise<ElleReport> {
  const served = await serveAccounts(pool, serving)
  const agent = new Agent({ keepAlive: true })
  try {
    await served.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = served.app.server.address() as AddressInfo
    const history: Operation[] = []
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      const random = createRandom(seed, 'elle', client)
      const ports = { served, agent, base_url: `http://127.0.0.1:${port}`, client, account: ACCOUNTS[client % 2]! }
      const working: string[] = []
      while (history.length < operations) history.push(await operate(ports, random, working))
    })
    await Promise.all(clients)
    const log = await versions(pool)
    const violations = checkHistory(history, log).slice(0, VIOLATIONS_TOLD)
    const reads = history.filter(({ kind }) => kind === 'read').length
    return { lane: 'rel:elle', seed, operations: history.length, reads, versions: log.length, violations }
  } finally {
    agent.destroy()
    await served.close()
  }
}

type Ports = {
  readonly served: ServedAccounts
  readonly agent: Agent
  readonly base_url: string
  readonly client: number
  readonly account: Account
}

async function operate(ports: Ports, random: Random, working: string[]): Promise<Operation> {
  const chance = random.below(10)
  if (chance < 3) return place(ports, random, working)
  const last = working.at(-1)
  if (chance < 4 && last !== undefined) {
    working.pop()
    return write(ports, `/orders/${last}/cancel`, {})
  }
  return read(ports, ['/orders?limit=100', '/positions', '/balances'][chance % 3]!)
}

/** Prices meet: some execute, some rest, and what a holding covers of resting sales moves with fills of others. */
async function place(ports: Ports, random: Random, working: string[]): Promise<Operation> {
  const side = random.chance(500_000) ? 'BUY' : 'SELL'
  const wanted = { side, limit_price: `0.${random.between(48, 52)}`, quantity: String(random.between(1, 5)) } as const
  const operation = await write(ports, '/orders', await ports.served.order(wanted, ports.account))
  for (const { resource } of operation.seen) working.push(resource.slice('order '.length))
  return { ...operation, seen: [] }
}

type Answered = {
  readonly data?: Record<string, unknown> | readonly Record<string, unknown>[]
  readonly meta?: { readonly stream_cursor?: { readonly seq: number } }
}

/** A refusal tells nothing of when it was. */
async function write(ports: Ports, path: string, content: unknown): Promise<Operation> {
  const sent_at = performance.now()
  const answer = await send(ports, writeOf(ports.served.keys[ports.account], path, content))
  const { data } = JSON.parse(answer.text) as Answered
  const order = answer.status < 300 ? (data as Record<string, unknown>) : null
  const seen = order === null ? [] : [{ resource: `order ${order.order_id}`, version: Number(order.version), text: '' }]
  return {
    client: ports.client,
    sent_at,
    answered_at: performance.now(),
    name: path,
    kind: 'write',
    sequence: order === null ? 0 : Number(order.engine_sequence),
    seen: path === '/orders' ? seen : [],
  }
}

async function read(ports: Ports, path: string): Promise<Operation> {
  const sent_at = performance.now()
  const answer = await send(ports, readOf(ports.served.keys[ports.account], path))
  invariant(answer.status === 200, `a read is answered: ${answer.text}`)
  const { data, meta } = JSON.parse(answer.text) as Answered
  const sequence = meta?.stream_cursor?.seq
  invariant(sequence !== undefined, `an answer says what it is as of: ${answer.text}`)
  const seen = (data as readonly Record<string, unknown>[]).map(seenOf)
  return { client: ports.client, sent_at, answered_at: performance.now(), name: path, kind: 'read', sequence, seen }
}

function send({ agent, base_url }: Ports, wire: Parameters<typeof sendWire>[2]): Promise<WireAnswer> {
  return sendWire(agent, base_url, wire)
}

/** Without what is of the answer (`as_of`) and not of the resource. */
function seenOf({ as_of: _, ...row }: Record<string, unknown>): Seen {
  const text = JSON.stringify(row)
  if ('order_id' in row) return { resource: `order ${row.order_id}`, version: Number(row.version), text }
  const [kind, id] = 'outcome_id' in row ? ['position', row.outcome_id] : ['balance', row.asset_id]
  return { resource: `${kind} ${row.account_id} ${id}`, version: Number(row.projection_version), text }
}

async function versions(pool: Pool): Promise<readonly Version[]> {
  const { rows } = await pool.query<Version>(`
    SELECT CASE kind WHEN 'order' THEN 'order ' || (body ->> 'order_id')
                     ELSE kind || ' ' || account_id || ' ' || coalesce(body ->> 'outcome_id', body ->> 'asset_id') END AS resource,
           coalesce(body ->> 'version', body ->> 'projection_version')::bigint AS version, engine_sequence
    FROM trading.engine_event WHERE kind IN ('order', 'position', 'balance') ORDER BY engine_sequence`)
  return rows
}
