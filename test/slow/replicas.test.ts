import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTradingClient } from '../../client/index.ts'
import { requestKey } from '../../client/trading/credentials.ts'
import { RATE_CLASSES } from '../../protocol/limits.ts'
import type { ReadyAccount } from '../../service/up/ready-file.ts'
import { readOf, type WireRequest, writeOf } from '../../tools/reliability/wire-request.ts'
import { checkLevels } from '../../tools/topology/drill/checks.ts'
import { listen } from '../../tools/topology/drill/listen.ts'
import { runDrill } from '../../tools/topology/drill/run-drill.ts'
import { type BrokenTopology, startBroken } from '../../tools/topology/drill/start-broken.ts'
import {
  type Answer,
  ask as askProxy,
  faultsOf,
  fetchThrough,
  HOST,
  type Listener,
  type Proxied,
  underLoad,
} from '../../tools/topology/proxied.ts'
import type { Topology } from '../../tools/topology/start-topology.ts'
import { until } from '../support/service-process.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { temporalBinary } from '../workflows/support/temporal.ts'

/** Everything of deploy/compose.yaml as processes, behind nginx with its shipped file. */
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`
const HAS_NGINX = spawnSync('sh', ['-c', 'command -v nginx'], { env: { PATH } }).status === 0
const STARTS_MS = 240_000
const TAKEOVER_MS = 60_000
/** Time for which nginx sends nothing to a replica that it could not reach: fail_timeout of its file, and some more. */
const AWAY_MS = 6_000
const SEED = 1
const MINUTES = 3
const READY: WireRequest = { method: 'GET', target: '/readyz', headers: {}, body: '' }
/** Pause of a caller between its requests, so that the load stays below the limits of its key. */
const PAUSE_MS = 150
const environment = 'sandbox'
let broken: BrokenTopology
let topology: Topology
let account: ReadyAccount
let proxy: Proxied

beforeAll(async () => {
  if (!HAS_NGINX) return
  const home = join(tempFolder(), 'home')
  const temporal_binary = await temporalBinary()
  broken = await startBroken({ home, folder: tempFolder(), number: 40, temporal_binary, environment })
  topology = broken.topology
  account = topology.accounts[0]!
  const ca = readFileSync(topology.proxy_certificate)
  proxy = { proxy_url: topology.proxy_url, ca, agent: new Agent({ ca, servername: HOST, keepAlive: true }) }
  await until(async () => (await ask(READY)).status === 200, STARTS_MS)
}, 600_000)
afterAll(async () => {
  proxy?.agent.destroy()
  await broken?.stop()
}, STARTS_MS)

const key = () => requestKey({ ...account, environment })
const publicRead = (path: string): WireRequest => ({ method: 'GET', target: `/v1${path}`, headers: {}, body: '' })
const read = (path: string) => readOf(key(), path)
const cancelAll = () =>
  writeOf(key(), '/orders/cancel-all', { account_id: account.account_id, cancel_on_pause_only: true })

/** Answer of one replica, past the proxy. */
async function askReplica(name: string, { method, target, headers, body }: WireRequest): Promise<Answer> {
  const url = new URL(target, topology.processes.get(name)!.health_url!)
  const asked = { method, headers: headers as Record<string, string>, ...(body === '' ? {} : { body }) }
  const answer = await fetch(url, asked)
  const is_replay = answer.headers.get('svc-idempotent-replay') === 'true'
  return { status: answer.status, text: await answer.text(), is_replay }
}

const ask = (wire: WireRequest) => askProxy(proxy, wire)
const dataOf = ({ text }: Answer) => JSON.stringify((JSON.parse(text) as { data: unknown }).data)

/** Sends a signal to a process and waits until another one runs in its place and answers. */
async function restart(name: string, signal: NodeJS.Signals): Promise<void> {
  const process = topology.processes.get(name)!
  const before = process.pid()
  process.signal(signal)
  await until(() => process.pid() !== null && process.pid() !== before, STARTS_MS)
  await process.answers()
}

/** An outcome of an own market; orders at this price rest, because the makers quote elsewhere. */
const OUTCOME = { market_id: 'mkt_sandbox_tunnel', outcome_id: 'out_sandbox_tunnel_yes' }
const TERMS = { ...OUTCOME, side: 'BUY', limit_price: '0.02', quantity: '1.00', maximum_fee: '1.00' } as const
/** Restarts both replicas under reads, writes and streams, and compares what the listeners received. */
async function restartUnderLoad(): Promise<void> {
  const followed = listen(proxy, key(), {
    market_id: OUTCOME.market_id,
    outcomes: [OUTCOME.outcome_id, OUTCOME.outcome_id],
  })
  const { orders, books, levels, all: listeners } = followed
  const placed: string[] = []
  const callers = [
    () => ask(publicRead('/markets?limit=1')),
    () => ask(read('/balances')),
    () => ask(cancelAll()),
    () => placeResting(placed),
  ]
  try {
    await until(() => listeners.every(({ begun }) => begun.length > 0), STARTS_MS)
    const load = await underLoad(callers, PAUSE_MS, rollingRestart)
    const [last, ...before] = placed.reverse()
    await until(() => orders.every(({ told }) => toldOrders(told).has(last!)), STARTS_MS)
    console.log(`rolling restart: ${load.answered} answered, ${load.failed.length} failed`)
    expect(load.failed).toEqual([])
    expect(placed.length).toBeGreaterThan(10)
    expect(listeners.flatMap(faultsOf)).toEqual([])
    // Each replica ended once, so no listener kept its first connection.
    expect(listeners.filter(({ begun }) => begun.length < 2).map(({ name }) => name)).toEqual([])
    for (const { told } of orders) expect(before.filter((id) => !toldOrders(told).has(id))).toEqual([])
    await until(() => new Set(books.map(({ told }) => told.at(-1)?.seq)).size === 1, STARTS_MS)
    const seqs = books.map(({ told }) => told.map(({ seq }) => seq))
    const from = Math.max(...seqs.map(([first]) => first!))
    expect(new Set(seqs.map((all) => all.filter((seq) => seq >= from).join())).size).toBe(1)
    await until(() => levels.every(({ told }) => told.length > 0), STARTS_MS)
    expect(await checkLevels(topology, followed)).toEqual({ name: 'levels', found: [] })
  } finally {
    for (const { close } of listeners) close()
    await ask(writeOf(key(), '/orders/cancel-all', { account_id: account.account_id }))
  }
}

const toldOrders = (told: Listener['told']) => new Set(told.map(({ data }) => (data as { order_id: string }).order_id))

/** Places an order through the proxy with one attempt. */
async function placeResting(placed: string[]): Promise<{ status: number; text: string }> {
  const { owner_private_key, ...credentials } = account
  const client = createTradingClient({
    ...credentials,
    base_url: topology.proxy_url,
    environment,
    signer_private_key: owner_private_key,
    fetch: fetchThrough(proxy),
    retry: { attempts_max: 1 },
  })
  try {
    placed.push((await client.placeOrder(TERMS)).order_id)
    return { status: 200, text: '' }
  } catch (error) {
    return { status: (error as { status?: number | null }).status ?? 0, text: String(error) }
  }
}

async function rollingRestart(): Promise<void> {
  for (const name of ['api-1', 'api-2']) {
    await restart(name, 'SIGTERM')
    await until(async () => (await askReplica(name, READY)).status === 200, STARTS_MS)
    await sleep(AWAY_MS)
  }
}

test('nginx is left out by name where it is not installed', () => {
  if (!HAS_NGINX) console.warn('replicas are not tried: nginx is not installed')
  expect(typeof HAS_NGINX).toBe('boolean')
})

test('a listener that lost an event, received one twice or began anew is named', () => {
  const event = (seq: number, prev_seq: number) => ({ event_id: `e${seq}`, seq, prev_seq, data: {} })
  const begun = [
    { mode: 'snapshot', epoch: 'a' },
    { mode: 'resumed', epoch: 'a' },
  ]
  const heard = {
    name: 'L',
    topic: 'index.price',
    told: [event(1, 0), event(4, 1)],
    begun,
    gaps: [],
    close: () => undefined,
  }
  expect(faultsOf(heard)).toEqual([])
  expect(faultsOf({ ...heard, told: [event(1, 0), event(4, 3)] })).toHaveLength(1)
  expect(faultsOf({ ...heard, told: [event(1, 0), event(1, 0)] })).toHaveLength(2)
  expect(faultsOf({ ...heard, begun: [begun[0]!, { mode: 'snapshot', epoch: 'b' }] })).toHaveLength(2)
  expect(faultsOf({ ...heard, gaps: [{ reason: 'retention' }] })).toHaveLength(1)
})

describe.runIf(HAS_NGINX)('two replicas', () => {
  test.each(['/markets?limit=100', '/indexes?limit=10', '/events?limit=10'])(
    '%s: the same public answer',
    async (path) => {
      const ofBoth = async () => {
        const [one, two] = await Promise.all(['api-1', 'api-2'].map((name) => askReplica(name, publicRead(path))))
        expect([one!.status, two!.status]).toEqual([200, 200])
        return [dataOf(one!), dataOf(two!)]
      }
      await expect.poll(async () => new Set(await ofBoth()).size).toBe(1)
    },
  )

  test.each(['/balances', '/orders?limit=5', '/fills?limit=5', '/account/policy', '/account/statement?limit=5'])(
    '%s: the same private answer',
    async (path) => {
      const [one, two] = await Promise.all(['api-1', 'api-2'].map((name) => askReplica(name, read(path))))
      expect([one!.status, two!.status]).toEqual([200, 200])
      expect(dataOf(two!)).toBe(dataOf(one!))
    },
  )

  test('a cursor of one works at the other', async () => {
    const first = JSON.parse((await askReplica('api-1', publicRead('/markets?limit=1'))).text) as {
      page: { next_cursor: string }
    }
    const next = publicRead(`/markets?limit=1&cursor=${encodeURIComponent(first.page.next_cursor)}`)
    const [own, other] = [await askReplica('api-1', next), await askReplica('api-2', next)]
    expect([own.status, other.status]).toEqual([200, 200])
    expect(dataOf(other)).toBe(dataOf(own))
  })

  test('a write that one carried out is replayed by the other', async () => {
    const wire = cancelAll()
    expect((await askReplica('api-1', wire)).status).toBe(200)
    const again = writeOf(key(), '/orders/cancel-all', wire.body, {
      idempotency_key: `${wire.headers['Idempotency-Key']}`,
    })
    const answers = [await askReplica('api-2', again), await askReplica('api-2', cancelAll())]
    expect(answers.map(({ status, is_replay }) => ({ status, is_replay }))).toEqual([
      { status: 200, is_replay: true },
      { status: 200, is_replay: false },
    ])
  })

  test('limits by key hold behind the proxy: all its requests reach one replica', async () => {
    const { rate, burst } = RATE_CLASSES.account_read.keyed
    const from = performance.now()
    const answers = await Promise.all(Array.from({ length: 10 * burst }, () => ask(read('/balances'))))
    const most = burst + (rate * (performance.now() - from)) / 1000
    const statuses = answers.map(({ status }) => status)
    expect([...new Set(statuses)].sort()).toEqual([200, 429])
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(most)
  })

  test('a rolling restart of both fails no request, and listeners lose nothing and receive nothing twice', async () => {
    await until(async () => (await ask(read('/balances'))).status === 200, TAKEOVER_MS)
    await restartUnderLoad()
  })
})

describe.runIf(HAS_NGINX)('engine and standby, linked with TLS by their advertised addresses', () => {
  /** Milliseconds without an accepted write, from the fault on. */
  async function gap(fault: () => void): Promise<number> {
    expect((await ask(cancelAll())).status).toBe(200)
    const from = performance.now()
    fault()
    for (;;) {
      const { status } = await ask(cancelAll())
      const took_ms = performance.now() - from
      if (status === 200 || took_ms > TAKEOVER_MS) return took_ms
      await sleep(20)
    }
  }
  const leader = async () => {
    for (const name of ['engine', 'standby']) {
      const { health_url } = topology.processes.get(name)!
      const text = await (await fetch(new URL('/readyz', health_url!))).text()
      if (text.includes('"leading"')) return name
    }
    return null
  }
  const leading = async () => {
    let name: string | null = null
    await until(async () => {
      name = await leader().catch(() => null)
      return name !== null
    }, TAKEOVER_MS)
    return topology.processes.get(name!)!
  }

  async function kill(): Promise<void> {
    const killed = await leading()
    const took_ms = await gap(() => killed.signal('SIGKILL'))
    console.log(`gap of writes after kill -9 of the leader: ${took_ms.toFixed(0)} ms`)
    expect(took_ms).toBeLessThan(TAKEOVER_MS)
    await killed.answers()
  }

  async function pause(): Promise<void> {
    const stopped = await leading()
    const took_ms = await gap(() => stopped.signal('SIGSTOP'))
    console.log(`gap of writes after SIGSTOP of the leader: ${took_ms.toFixed(0)} ms`)
    expect(took_ms).toBeLessThan(TAKEOVER_MS)
    stopped.signal('SIGCONT')
    await stopped.answers()
    expect((await leading()).name).not.toBe(stopped.name)
    expect((await ask(cancelAll())).status).toBe(200)
  }

  test('the other one leads after kill -9, and callers reach it at its own address', kill)
  test('the other one leads while it is stopped past its lease, and it leads no more when it goes on', pause)
})

test.runIf(HAS_NGINX)(
  'faults one after the other: nothing acknowledged is lost or doubled, no message is lost, and every check holds',
  async () => {
    const on_note = (text: string) => console.log(text)
    const { faults, orders, checks } = await runDrill({ ...broken, seed: SEED, minutes: MINUTES, on_note })
    expect(checks.filter(({ found }) => found.length > 0)).toEqual([])
    expect(faults.length).toBeGreaterThan(3)
    expect(orders.acknowledged).toBeGreaterThan(50)
  },
  900_000,
)
