import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openKeyEncryptionKey } from '../../cli/trading/key-encryption-key.ts'
import { openDatabase } from '../../cli/trading/open-database.ts'
import { connectEngine } from '../../trading/service/connect-engine.ts'
import { auditTrading } from '../../trading/store/audit-trading.ts'
import type { Pool } from '../../trading/store/create-pool.ts'
import { type LoadOptions, loadOptions } from './load-options.ts'
import { makeLoadWorld } from './load-world.ts'
import { residentMiB, riseOf } from './memory.ts'
import { type Sent, sendOrders } from './send-orders.ts'
import { type ServedProcesses, startProcesses } from './served-processes.ts'
import { signOrders } from './sign-orders.ts'

/**
 * `npm run load -- [--seconds 300] [--rate 1000] [--seed tide] [--kill]`: signed orders at a steady rate against engine and API as
 * processes of their own, in an empty database; then every promise of the books is checked, and that each acknowledged order is
 * there. Prints one JSON line, keeps it in reports/reliability/load.json, and ends with 1 where a goal is missed.
 */
const GOALS = { p99_ms: 100, rss_rise: 0.05 }
/** One key may send 50 orders a second: far from that, so that a moment's delay is no refusal. */
const RATE_OF_ACCOUNT = 10
const REPORTS = fileURLToPath(new URL('../../reports/reliability/', import.meta.url))
/** Memory that a process takes while it warms up says nothing. */
const WARM_UP = 0.2

type Memory = Record<'engine' | 'api' | 'postgres', number[]>

async function main(options: LoadOptions): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'tidemark-load-'))
  const settings = { home, database_url: '', key_encryption_key: '', key_encryption_key_file: join(home, 'kek') }
  const database = await openDatabase(settings)
  try {
    process.env.TIDEMARK_KEY_ENCRYPTION_KEY_FILE = settings.key_encryption_key_file
    const sealing = await openKeyEncryptionKey(settings)
    const processes = await startProcesses(home, database.url)
    try {
      const client = connectEngine({ pool: database.pool })
      const accounts = Math.max(8, Math.ceil(options.rate / RATE_OF_ACCOUNT))
      const world = await makeLoadWorld(client, sealing, accounts)
      await client.close()
      process.stderr.write(`signing ${options.rate * options.seconds} orders of ${accounts} accounts\n`)
      const orders = await signOrders(world, options.rate * options.seconds, options.seed)
      const { sent, memory } = await measure(processes, world.accounts, orders, options)
      return report(options, sent, memory, await checks(database.pool, sent))
    } finally {
      await processes.close()
    }
  } finally {
    await database.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

async function measure(
  processes: ServedProcesses,
  accounts: Parameters<typeof sendOrders>[1],
  orders: Parameters<typeof sendOrders>[2],
  { seconds, rate, kill }: LoadOptions,
): Promise<{ readonly sent: readonly Sent[]; readonly memory: Memory }> {
  const memory: Memory = { engine: [], api: [], postgres: [] }
  let killed: Promise<void> | null = null
  const sent = await sendOrders(processes.base_url, accounts, orders, rate, (second) => {
    if (kill && second === Math.floor(seconds / 2)) killed = processes.killAll()
    if (kill || second < seconds * WARM_UP) return
    for (const [name, pid] of Object.entries(processes.pids())) {
      const mib = residentMiB(pid)
      if (mib !== null) memory[name as keyof Memory].push(mib)
    }
  })
  await killed
  return { sent, memory }
}

type Checks = { readonly violations: readonly string[]; readonly lost: number; readonly orders: number }

/** Every promise of the books, and that each order that was acknowledged is there. */
async function checks(pool: Pool, sent: readonly Sent[]): Promise<Checks> {
  const audited = await auditTrading(pool)
  const { rows } = await pool.query<{ order_id: string }>('SELECT order_id FROM trading.orders')
  const stored = new Set(rows.map(({ order_id }) => order_id))
  const lost = sent.filter(({ status, order_id }) => status === 201 && !stored.has(order_id ?? '')).length
  const violations = audited.filter((one) => one.violations.length > 0).map(({ invariant_id }) => invariant_id)
  return { violations, lost, orders: stored.size }
}

function report(options: LoadOptions, sent: readonly Sent[], memory: Memory, found: Checks): number {
  const accepted = sent.filter(({ status }) => status === 201)
  const times = accepted.map(({ took_ms }) => took_ms).sort((a, b) => a - b)
  const at = (share: number) => round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? null)
  const refusals = countBy(
    sent.filter(({ status }) => status !== 201).map(({ status, code }) => `${status} ${code ?? '-'}`),
  )
  const rss_rise = Object.fromEntries(Object.entries(memory).map(([name, series]) => [name, round(riseOf(series), 4)]))
  const rss_mib = Object.fromEntries(
    Object.entries(memory).map(([name, series]) => [name, round(series.at(-1) ?? null)]),
  )
  const errors = sent.length - accepted.length
  const ok =
    found.lost === 0 &&
    found.violations.length === 0 &&
    (options.kill || (errors === 0 && (at(0.99) ?? 1e9) < GOALS.p99_ms && isFlat(memory)))
  const line = {
    command: 'load',
    ...options,
    sent: sent.length,
    accepted: accepted.length,
    errors,
    refusals,
    p50_ms: at(0.5),
    p99_ms: at(0.99),
    max_ms: at(1),
    rss_mib,
    rss_rise,
    ...found,
    ok,
  }
  mkdirSync(REPORTS, { recursive: true })
  writeFileSync(join(REPORTS, 'load.json'), `${JSON.stringify(line)}\n`)
  process.stdout.write(`${JSON.stringify(line)}\n`)
  return ok ? 0 : 1
}

/** Postgres fills its buffers; what may not grow is what we wrote. */
function isFlat({ engine, api }: Memory): boolean {
  return [engine, api].every((series) => riseOf(series) < GOALS.rss_rise)
}

function countBy(keys: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1
  return counts
}

function round(value: number | null, digits = 1): number | null {
  return value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits
}

process.exit(await main(loadOptions(process.argv.slice(2))))
