import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createTradingClient, type TradingClient } from '../../client/index.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { databaseFolder } from '../../service/trading/open-database.ts'
import { startPostgres } from '../../trading/store/start-postgres.ts'
import { type CliResult, tidemarkProcess } from '../support/run-cli.ts'
import { type Service, startService } from '../support/service-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidemark-drill-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const home = join(folder, 'home')
const target = join(folder, 'backups')
const OPTIONS = ['--no-temporal', '--sandbox-accounts', '1']
const passphrase = join(folder, 'passphrase')
writeFileSync(passphrase, 'correct horse battery staple\n', { mode: 0o600 })

/** Order whose acceptance reached its client. `acknowledged_at` is the clock of this machine, which the warehouse has too. */
type Acknowledged = { readonly order_id: string; readonly client_order_id: string; readonly acknowledged_at: Micros }

function clientOf({ ready }: Service): TradingClient {
  const { owner_private_key, ...account } = ready.sandbox_accounts[0]!
  const { base_url, environment } = ready
  return createTradingClient({ ...account, base_url, environment, signer_private_key: owner_private_key })
}

/** Places orders that rest, one after the other, until it is told to end. */
async function place(service: Service, ending: AbortSignal, found: Acknowledged[]): Promise<void> {
  const client = clientOf(service)
  // Far from the makers: what rests here stays.
  const market = { market_id: 'mkt_sandbox_tunnel', outcome_id: 'out_sandbox_tunnel_yes' }
  const terms = { ...market, side: 'BUY', limit_price: '0.02', quantity: '1.00', maximum_fee: '1.00' } as const
  while (!ending.aborted) {
    const { order_id, client_order_id } = await client.placeOrder(terms)
    found.push({ order_id, client_order_id: client_order_id!, acknowledged_at: wallClock() })
  }
}

async function run(...argv: readonly string[]): Promise<CliResult> {
  const result = await tidemarkProcess([...argv, '--json'])
  expect(result.exit_code, `${argv.join(' ')}: ${result.stderr}`).toBe(0)
  return result
}

/** Returns the orders of a stopped home, by their ids. */
async function ordersIn(restored: string): Promise<Map<string, string>> {
  const database = await startPostgres({ folder: databaseFolder(restored) })
  try {
    const { rows } = await database.pool.query('SELECT order_id, client_order_id FROM trading.orders')
    return new Map(rows.map(({ order_id, client_order_id }) => [order_id, client_order_id]))
  } finally {
    await database.stop()
  }
}

test('a service under load is backed up three times; what was acknowledged before each instant is restored, once', async () => {
  const service = await startService(home, OPTIONS)
  const ending = new AbortController()
  const found: Acknowledged[] = []
  const placing = place(service, ending.signal, found)
  const backups: {
    backup_id: string
    backed_up_through: string
    written_bytes: number
    bytes: number
    log: object | null
  }[] = []
  for (let n = 1; n <= 3; n++) {
    await expect.poll(() => found.length, { timeout: 60_000 }).toBeGreaterThan(n * 30)
    const { stdout } = await run('backup', target, '--home', home, '--passphrase-file', passphrase)
    backups.push(JSON.parse(stdout))
  }
  const before = found.length
  await expect.poll(() => found.length, { timeout: 60_000 }).toBeGreaterThan(before)
  ending.abort()
  await placing
  await service.stop('SIGINT')
  expect(backups[2]!.written_bytes).toBeLessThan(backups[2]!.bytes / 2)
  let restored = home
  for (const [n, { backup_id, backed_up_through, log }] of backups.entries()) {
    restored = join(folder, `restored-${n}`)
    await run('restore', target, '--backup', backup_id, '--home', restored, '--passphrase-file', passphrase)
    const orders = await ordersIn(restored)
    const through = toMicros(backed_up_through)
    const owed = found.filter(({ acknowledged_at }) => acknowledged_at <= through)
    expect(owed.length).toBeGreaterThan(n * 30)
    expect(owed.filter(({ order_id, client_order_id }) => orders.get(order_id) !== client_order_id)).toEqual([])
    const named = [...orders.values()].filter((name) => found.some(({ client_order_id }) => client_order_id === name))
    expect(new Set(named).size).toBe(named.length)
    await run('audit', '--home', restored)
    await run('audit', '--trading', '--home', restored)
    // Without sample data nothing is published until some minutes after the start, and there may be no log yet.
    if (log !== null) await run('log', 'verify', '--home', restored)
  }
  const again = await startService(restored, OPTIONS)
  try {
    const last = found
      .filter(({ acknowledged_at }) => acknowledged_at <= toMicros(backups[2]!.backed_up_through))
      .at(-1)!
    expect(await clientOf(again).order(last.order_id)).toMatchObject({ status: 'open' })
    const more: Acknowledged[] = []
    const stop = new AbortController()
    const trading = place(again, stop.signal, more)
    await expect.poll(() => more.length, { timeout: 60_000 }).toBeGreaterThan(0)
    stop.abort()
    await trading
  } finally {
    await again.stop('SIGINT')
  }
}, 900_000)
