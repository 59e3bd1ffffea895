import { Agent } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
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
  /** Ends whoever leads, and has somebody lead again; again and again while clients work. Left out: nobody is ended. */
  readonly kill?: () => Promise<void>
  /** Minimum number of kills. */
  readonly kills?: number
}

export type ElleReport = {
  readonly lane: 'rel:elle'
  readonly seed: number
  readonly operations: number
  readonly reads: number
  readonly versions: number
  readonly kills: number
  /** Writes of which it was told that nobody leads, or that nobody knows. */
  readonly unanswered: number
  readonly violations: readonly string[]
}

const CLIENTS = 8
const VIOLATIONS_TOLD = 20
/** From one kill's end to the next. */
const KILL_AFTER_MS = { min: 200, max: 3_000 }
const ACCOUNTS = ['acct_a', 'acct_b'] as const
type Account = (typeof ACCOUNTS)[number]

/**
 * Clients of two accounts that trade with each other and read orders, positions and balances meanwhile; what they were told must be one
 * order, that of the engine's log.
 */
export async function runElle(pool: Pool, options: ElleOptions): Promise<ElleReport> {
  const { seed, operations, serving, kill, kills = 0 } = options
  const served = await serveAccounts(pool, serving)
  const agent = new Agent({ keepAlive: true })
  try {
    await served.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = served.app.server.address() as AddressInfo
    const history: Operation[] = []
    let killed = 0
    const unanswered = { count: 0 }
    const is_over = () => history.length >= operations && killed >= kills
    const killer = async (ended: AbortSignal) => {
      const random = createRandom(seed, 'kills')
      while (kill !== undefined && !is_over()) {
        await sleep(random.between(KILL_AFTER_MS.min, KILL_AFTER_MS.max), null, { signal: ended }).catch(() => null)
        if (ended.aborted) return
        await kill()
        killed += 1
      }
    }
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      const random = createRandom(seed, 'elle', client)
      const ports = {
        served,
        agent,
        base_url: `http://127.0.0.1:${port}`,
        client,
        account: ACCOUNTS[client % 2]!,
        unanswered,
      }
      const working: string[] = []
      while (!is_over()) history.push(await operate(ports, random, working))
    })
    const ended = new AbortController()
    const killing = killer(ended.signal)
    await Promise.all([Promise.all(clients).finally(() => ended.abort()), killing])
    const log = await versions(pool)
    const violations = checkHistory(history, log).slice(0, VIOLATIONS_TOLD)
    const reads = history.filter(({ kind }) => kind === 'read').length
    const counts = { operations: history.length, reads, versions: log.length, kills: killed }
    return { lane: 'rel:elle', seed, ...counts, unanswered: unanswered.count, violations }
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
  readonly unanswered: { count: number }
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
  if (answer.status >= 500) ports.unanswered.count += 1
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
