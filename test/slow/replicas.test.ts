import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, type RequestOptions, request as secureRequest } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestKey } from '../../client/trading/credentials.ts'
import { RATE_CLASSES } from '../../protocol/limits.ts'
import type { ReadyAccount } from '../../service/up/ready-file.ts'
import { readOf, type WireRequest, writeOf } from '../../tools/reliability/wire-request.ts'
import { startTopology, type Topology } from '../../tools/topology/start-topology.ts'
import { tidemark } from '../support/run-cli.ts'
import { startService, until } from '../support/service-process.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { temporalBinary } from '../workflows/support/temporal.ts'

/** Everything of deploy/compose.yaml as processes, behind nginx with its shipped file. */
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`
const HAS_NGINX = spawnSync('sh', ['-c', 'command -v nginx'], { env: { PATH } }).status === 0
const STARTS_MS = 240_000
const TAKEOVER_MS = 60_000
/** Time for which nginx sends nothing to a replica that it could not reach: fail_timeout of its file, and some more. */
const AWAY_MS = 6_000
const READY: WireRequest = { method: 'GET', target: '/readyz', headers: {}, body: '' }
/** Pause of a caller between its requests, so that the load stays below the limits of its key. */
const PAUSE_MS = 150
const home = join(tempFolder(), 'home')
const environment = 'sandbox'
let topology: Topology
let account: ReadyAccount
let agent: Agent

beforeAll(async () => {
  if (!HAS_NGINX) return
  const sandbox = await startService(home, ['--sandbox-accounts', '1', '--no-temporal'])
  account = sandbox.ready.sandbox_accounts[0]!
  const has_markets = async () => {
    const answer = await fetch(`${sandbox.ready.base_url}/v1/markets?limit=2`)
    return answer.status === 200 && ((await answer.json()) as { data: unknown[] }).data.length === 2
  }
  await until(has_markets, STARTS_MS, sandbox.notes)
  await sandbox.stop('SIGTERM')
  const folder = tempFolder()
  topology = await startTopology({ home, folder, number: 40, temporal_binary: await temporalBinary(), environment })
  agent = new Agent({ ca: readFileSync(topology.proxy_certificate), servername: 'api.example', keepAlive: true })
}, 600_000)
afterAll(async () => {
  agent?.destroy()
  await topology?.stop()
}, STARTS_MS)

type Answer = { readonly status: number; readonly text: string }

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
  return { status: answer.status, text: await answer.text() }
}

/** Answer through the proxy; status 0: no answer. */
function ask({ method, target, headers, body }: WireRequest): Promise<Answer> {
  const { promise, resolve } = withResolvers<Answer>()
  const length = { 'Content-Length': `${Buffer.byteLength(body)}` }
  const options: RequestOptions = { method, agent, headers: { Host: 'api.example', ...headers, ...length } as never }
  const asked = secureRequest(`${topology.proxy_url}${target}`, options, (response) => {
    let text = ''
    response.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    response.on('end', () => resolve({ status: response.statusCode!, text }))
  })
  asked.on('error', (error) => resolve({ status: 0, text: error.message }))
  asked.end(body)
  return promise
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** Sends a bounded load while `work` runs. @returns answers that are neither a success nor a refusal that names a wait */
async function underLoad(makes: readonly (() => WireRequest)[], work: () => Promise<void>): Promise<Load> {
  let is_over = false
  const load = { answered: 0, failed: [] as string[] }
  const caller = async (make: () => WireRequest) => {
    while (!is_over) {
      const { status, text } = await ask(make())
      if (status === 200) load.answered += 1
      else load.failed.push(`${status} ${text.slice(0, 200)}`)
      await sleep(PAUSE_MS)
    }
  }
  const callers = makes.map(caller)
  await work().finally(() => {
    is_over = true
  })
  await Promise.all(callers)
  return load
}
type Load = { readonly answered: number; readonly failed: readonly string[] }

const dataOf = ({ text }: Answer) => JSON.stringify((JSON.parse(text) as { data: unknown }).data)

/** Sends a signal to a process and waits until another one runs in its place and answers. */
async function restart(name: string, signal: NodeJS.Signals): Promise<void> {
  const process = topology.processes.get(name)!
  const before = process.pid()
  process.signal(signal)
  await until(() => process.pid() !== null && process.pid() !== before, STARTS_MS)
  await process.answers()
}

test('nginx is left out by name where it is not installed', () => {
  if (!HAS_NGINX) console.warn('replicas are not tried: nginx is not installed')
  expect(typeof HAS_NGINX).toBe('boolean')
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
    const { status } = await askReplica('api-2', again)
    expect(status).toBe(200)
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

  test('a rolling restart of both fails no read', async () => {
    await until(async () => (await ask(read('/balances'))).status === 200, TAKEOVER_MS)
    // A write whose connection the ending process closes is answered 502: nginx never sends one again, its caller does.
    const makes = [() => publicRead('/markets?limit=1'), () => read('/balances')]
    const { answered, failed } = await underLoad(makes, async () => {
      for (const name of ['api-1', 'api-2']) {
        await restart(name, 'SIGTERM')
        await until(async () => (await askReplica(name, READY)).status === 200, STARTS_MS)
        await sleep(AWAY_MS)
      }
    })
    expect(failed).toEqual([])
    expect(answered).toBeGreaterThan(10)
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

  test('the other one leads after kill -9, and callers reach it at its own address', async () => {
    const killed = await leading()
    const took_ms = await gap(() => killed.signal('SIGKILL'))
    console.log(`gap of writes after kill -9 of the leader: ${took_ms.toFixed(0)} ms`)
    expect(took_ms).toBeLessThan(TAKEOVER_MS)
    await killed.answers()
  })

  test('the other one leads while it is stopped past its lease, and it leads no more when it goes on', async () => {
    const stopped = await leading()
    const took_ms = await gap(() => stopped.signal('SIGSTOP'))
    console.log(`gap of writes after SIGSTOP of the leader: ${took_ms.toFixed(0)} ms`)
    expect(took_ms).toBeLessThan(TAKEOVER_MS)
    stopped.signal('SIGCONT')
    await stopped.answers()
    expect((await leading()).name).not.toBe(stopped.name)
    expect((await ask(cancelAll())).status).toBe(200)
  })

  test('kill -9 of a replica and of each worker, and every process is back', async () => {
    for (const name of ['standby', 'api-1', 'worker-live', 'worker-bulk']) await restart(name, 'SIGKILL')
    await until(async () => (await ask(cancelAll())).status === 200, TAKEOVER_MS)
  })

  test('the audits of trading and of the warehouse are green afterwards', async () => {
    const given = { DATABASE_URL: topology.database_url, TIDEMARK_HOME: home }
    for (const argv of [['audit', '--trading'], ['audit']]) {
      const { exit_code, stdout, stderr } = await tidemark(argv, { environment: given })
      expect([argv, exit_code, `${stdout}${stderr}`]).toEqual([argv, 0, expect.any(String)])
    }
  })
})
