import { execFile } from 'node:child_process'
import { createPool } from '../../../trading/store/create-pool.ts'
import { tidemark } from '../programs.ts'
import { faultsOf } from '../proxied.ts'
import type { Topology } from '../start-topology.ts'
import type { Listeners } from './listen.ts'
import type { Told } from './load.ts'

/** Result of one check after the faults; `found` is empty if it holds. */
export type Check = { readonly name: string; readonly found: readonly string[] }

type StoredOrder = { readonly order_id: string; readonly client_order_id: string; readonly status: string }

/** Compares what callers were told with the database: nothing acknowledged is lost, nothing is there twice. */
export async function checkOrders({ database_url }: Topology, { acknowledged, unknown }: Told): Promise<Check> {
  const pool = createPool({ url: database_url, size: 1 })
  const { rows } = await pool
    .query<StoredOrder>(
      `SELECT order_id, client_order_id, status FROM trading.orders WHERE client_order_id LIKE 'drill-%'`,
    )
    .finally(() => pool.end())
  const by_name = new Map<string, StoredOrder[]>()
  for (const row of rows) by_name.set(row.client_order_id, [...(by_name.get(row.client_order_id) ?? []), row])
  const twice = [...by_name].filter(([, orders]) => orders.length > 1).map(([name]) => `${name} is there twice`)
  const lost = [...acknowledged].flatMap(([name, { order_id, is_canceled }]) => {
    const stored = by_name.get(name)?.find((order) => order.order_id === order_id)
    if (stored === undefined) return [`${name} was acknowledged as ${order_id} and is not there`]
    return is_canceled && stored.status !== 'canceled' ? [`${name} was canceled and is ${stored.status}`] : []
  })
  const strange = [...by_name.keys()].filter((name) => !acknowledged.has(name) && !unknown.has(name))
  return { name: 'orders', found: [...twice, ...lost, ...strange.map((name) => `nobody sent ${name}`)] }
}

/** Names messages that listeners lost, received twice or out of order, and orders that no listener received. */
export function checkStreams({ all, orders, tickers }: Listeners, account_orders: readonly string[]): Check {
  const missing = orders.flatMap(({ name, told }) => {
    const ids = new Set(told.map(({ data }) => (data as { order_id: string }).order_id))
    return account_orders.filter((order_id) => !ids.has(order_id)).map((order_id) => `${name}: nothing of ${order_id}`)
  })
  const last = new Set(tickers.map(({ told }) => told.at(-1)?.seq))
  const apart = last.size > 1 ? [`tickers end at ${[...last].join(', ')}`] : []
  return { name: 'streams', found: [...all.flatMap(faultsOf), ...missing, ...apart] }
}

type Level = { readonly observation_id: string; readonly index_id: string; readonly published_at: string }

/** Compares the levels that each listener received with those that are stored: each arrives once. */
export async function checkLevels(topology: Topology, { levels }: Listeners): Promise<Check> {
  const statement = 'select observation_id, index_id, published_at from index_observation_history order by published_at'
  const { stdout } = await command(topology, ['sql', '--format', 'ndjson', statement])
  const stored = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Level)
  const found = levels.flatMap(({ name, told }) => {
    const ids = told.map(({ data }) => (data as Level).observation_id)
    const first = stored.findIndex(({ observation_id }) => observation_id === ids[0])
    const owed = first < 0 ? [] : stored.slice(first)
    const lost = owed.filter(({ observation_id }) => !ids.includes(observation_id))
    // The newest may be on their way.
    const late = lost.filter(({ published_at }) => Date.now() - Date.parse(published_at) > LATE_MS)
    return [
      ...(ids.length === 0 ? [`${name}: no level at all`] : []),
      ...late.map(({ observation_id, index_id }) => `${name}: nothing of ${observation_id} of ${index_id}`),
    ]
  })
  return { name: 'levels', found }
}

const LATE_MS = 30_000

/** Runs the checks that an operator runs. */
export async function checkByCommands(topology: Topology): Promise<Check[]> {
  const checks: Check[] = []
  const base_urls = ['api-1', 'api-2'].map((name) => new URL('/', topology.processes.get(name)!.health_url!).origin)
  const doctors = base_urls.map((base_url) =>
    ['doctor', '--base-url', base_url, '--budget', '30s', '--key-file', topology.ready_file].concat('--json'),
  )
  for (const argv of [...doctors, ['audit'], ['audit', '--trading'], ['log', 'verify']]) {
    const { exit_code, stdout, stderr } = await command(topology, argv)
    if (exit_code === 0 && argv[0] === 'doctor') checks.push({ name: 'doctor compared', found: notCompared(stdout) })
    checks.push({
      name: argv.slice(0, 3).join(' '),
      found: exit_code === 0 ? [] : [`exit ${exit_code}`, stdout, stderr],
    })
  }
  return checks
}

/** Checks of doctor that must have compared something: balances, orders and events of the accounts. */
const COMPARED = ['A1', 'A23', 'A24']

function notCompared(stdout: string): string[] {
  const { checks } = JSON.parse(stdout) as { checks: { id: string; result: string }[] }
  const compared = checks.filter(({ result }) => result === 'ok').map(({ id }) => id)
  return COMPARED.filter((id) => !compared.includes(id)).map((id) => `${id} compared nothing`)
}

export type Ended = { readonly exit_code: number; readonly stdout: string; readonly stderr: string }

/** Runs a command of ours with the settings of the topology. */
export function command({ environment }: Topology, argv: readonly string[]): Promise<Ended> {
  const {
    file,
    argv: words,
    environment: env,
  } = tidemark({ argv, environment: { ...environment, TIDEMARK_LOG_FORMAT: 'text' } })
  return new Promise((resolve) => {
    execFile(file, words, { env, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      resolve({ exit_code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr })
    })
  })
}
