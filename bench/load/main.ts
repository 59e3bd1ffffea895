import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openKeyEncryptionKey } from '../../service/trading/key-encryption-key.ts'
import { openDatabase } from '../../service/trading/open-database.ts'
import { endedWith } from '../../tools/reliability/ended-with.ts'
import { connectEngine } from '../../trading/service/connect-engine.ts'
import { auditTrading } from '../../trading/store/audit-trading.ts'
import type { Pool } from '../../trading/store/create-pool.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { cpuSeconds } from './cpu-seconds.ts'
import { type LoadOptions, loadOptions } from './load-options.ts'
import { type LoadWorld, makeLoadWorld } from './load-world.ts'
import { residentMiB } from './memory.ts'
import { type Checks, type Measured, p99Of, report } from './report.ts'
import { type Sent, sendOrders } from './send-orders.ts'
import { type ServedProcesses, startProcesses } from './served-processes.ts'
import { type Settling, startSettling } from './settling.ts'
import { type SignedLoad, signOrders } from './sign-orders.ts'
import { type LoadStreams, openStreams } from './streams.ts'

/**
 * `npm run load -- [--seconds 300] [--warm-up-seconds 15] [--rate 1000] [--private-streams 1000] [--public-streams 1000] [--settle]
 * [--kill]`: sends signed orders at a steady rate to engine and API in separate processes over an empty database; then checks every
 * invariant of the books and that each acknowledged order is stored. Prints one JSON line, writes it to
 * reports/reliability/load.json, and exits with 1 if a goal is missed.
 */
/** Orders per second and account; far below the limit of 50 per key, so that a short delay causes no refusal. */
const RATE_OF_ACCOUNT = 10
/** Share of a run in which caches fill, so memory is not recorded. */
const FILLING = 0.2

type Running = {
  readonly processes: ServedProcesses
  readonly streams: LoadStreams | null
  readonly settling: Settling | null
}

async function main(options: LoadOptions): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'tidemark-load-'))
  const opened: (() => Promise<void>)[] = [async () => rmSync(home, { recursive: true, force: true })]
  // Something that is still starting when a signal arrives is closed once it has started.
  const open = async <T>(starting: Promise<T>, close: (started: T) => Promise<void>): Promise<T> => {
    opened.push(() => starting.then(close, () => undefined))
    return await starting
  }
  const close = async () => {
    for (let one = opened.pop(); one !== undefined; one = opened.pop()) await one()
  }
  return await endedWith(close, () => run(home, open, options))
}

type Open = <T>(starting: Promise<T>, close: (started: T) => Promise<void>) => Promise<T>

async function run(home: string, open: Open, options: LoadOptions): Promise<number> {
  const settings = { home, database_url: '', key_encryption_key: '', key_encryption_key_file: join(home, 'kek') }
  const database = await open(openDatabase(settings), (started) => started.stop())
  process.env.TIDEMARK_KEY_ENCRYPTION_KEY_FILE = settings.key_encryption_key_file
  // Public streams need a warehouse to read, even an empty one.
  await (await openWarehouse({ root: join(home, 'warehouse'), create: true })).close()
  const processes = await open(startProcesses(home, database.url), (started) => started.close())
  const client = connectEngine({ pool: database.pool })
  const accounts = Math.max(8, Math.ceil(options.rate / RATE_OF_ACCOUNT), options.private_streams)
  const note = (text: string) => process.stderr.write(`${text}\n`)
  const sealing = await openKeyEncryptionKey(settings, { pool: database.pool, note })
  const world = await makeLoadWorld(client, sealing, accounts, options.markets)
  await client.close()
  // Started before the measurement, so that its start-up is not measured.
  const settling = options.settle ? startSettling(home, database) : null
  if (settling !== null) await open(Promise.resolve(settling), (started) => started.close())
  const [warming, count] = [options.rate * options.warm_up_seconds, options.rate * options.seconds]
  process.stderr.write(`signing ${warming + count} orders of ${accounts} accounts\n`)
  const orders = await signOrders(world, warming + count, options.seed)
  const streams = await open(openStreams(processes.base_url(), world, options), async (started) => started?.close())
  const warm_up = await sendOrders(processes.base_url, world.accounts, orders.slice(0, warming), options.rate)
  const measured = await measure({ processes, streams, settling }, world, orders.slice(warming), options)
  process.stderr.write(`checking the books; p99 was ${p99Of(measured)} ms\n`)
  return report(options, { ...measured, warm_up }, await checks(database.pool, [...warm_up, ...measured.sent]))
}

async function measure(
  running: Running,
  { accounts }: LoadWorld,
  orders: readonly SignedLoad[],
  { seconds, rate, kill }: LoadOptions,
): Promise<Omit<Measured, 'warm_up'>> {
  const { processes, streams, settling } = running
  const memory: Record<string, number[]> = {}
  let killed: Promise<void> | null = null
  await streams?.measure()
  const [cpu_before, begun] = [cpuOf(running), performance.now()]
  const sent = await sendOrders(processes.base_url, accounts, orders, rate, (second) => {
    if (kill && second === Math.floor(seconds / 2)) killed = processes.killAll()
    // Fails while the database is down.
    void settling?.sample().catch(() => undefined)
    if (kill || second < seconds * FILLING) return
    for (const [name, pid] of Object.entries(pidsOf(running))) {
      const mib = residentMiB(pid)
      if (mib !== null) memory[name] = [...(memory[name] ?? []), mib]
    }
  })
  const [took_s, cpu_after] = [(performance.now() - begun) / 1000, cpuOf(running)]
  await killed
  const settlement = (await settling?.drain()) ?? null
  return {
    sent,
    memory,
    // The CPU time of a killed process is lost.
    cpu_s: Object.fromEntries(
      Object.entries(cpu_after).map(([name, after]) => [name, kill ? null : spent(cpu_before[name], after)]),
    ),
    took_s,
    streams: (await streams?.report()) ?? null,
    settlement,
  }
}

function pidsOf({ processes, streams, settling }: Running): Readonly<Record<string, number>> {
  return {
    ...processes.pids(),
    ...(settling !== null && { settlement: settling.pid }),
    ...(streams !== null && { sockets: streams.pid }),
    load: process.pid,
  }
}

function cpuOf(running: Running): Record<string, number | null> {
  const { load: _, ...others } = pidsOf(running)
  const { user, system } = process.cpuUsage()
  const seconds = Object.entries(others).map(([name, pid]) => [name, cpuSeconds(pid)] as const)
  return { ...Object.fromEntries(seconds), load: (user + system) / 1e6 }
}

function spent(before: number | null | undefined, after: number | null): number | null {
  return after === null ? null : Math.round((after - (before ?? 0)) * 10) / 10
}

/** Checks every invariant of the books, and that each acknowledged order is stored. */
async function checks(pool: Pool, sent: readonly Sent[]): Promise<Checks> {
  const audited = await auditTrading(pool)
  const { rows } = await pool.query<{ order_id: string }>('SELECT order_id FROM trading.orders')
  const stored = new Set(rows.map(({ order_id }) => order_id))
  const lost = sent.filter(({ status, order_id }) => status === 201 && !stored.has(order_id ?? '')).length
  const violations = audited.filter((one) => one.violations.length > 0).map(({ invariant_id }) => invariant_id)
  return { violations, lost, orders: stored.size }
}

process.exit(await main(loadOptions(process.argv.slice(2))))
