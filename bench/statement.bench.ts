/**
 * Measures the statement of an account with a million ledger entries over signed HTTP: a first page of 100, a page from a random instant
 * on, and all of it streamed as CSV and Parquet. Beside them, in turns, a read that asks for one row (`/v1/account/policy`), which shows
 * how busy the machine was, and the naive way to a page: to sum every entry before it.
 * Goals: a first page at most 50 ms (p99); streaming at most 300 MB of memory, of the whole process.
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type RequestKey, signRequest } from '../client/signing/sign-request.ts'
import { invariant } from '../primitives/errors.ts'
import { formatMicros } from '../primitives/instants.ts'
import { wallClock } from '../primitives/wall-clock.ts'
import { issueApiKey } from '../service/trading/issue-api-key.ts'
import { SubmissionMaker } from '../test/support/trading/submissions.ts'
import { keyEncryptionKey } from '../trading/auth/seal-secret.ts'
import { startEngine } from '../trading/service/start-engine.ts'
import type { Pool } from '../trading/store/create-pool.ts'
import type { BenchRow } from './bench-row.ts'
import { multiplyEntries } from './support/ledger-history.ts'
import { rounded, spread } from './support/rounds.ts'
import type { StatementServer } from './support/statement-server.ts'
import { withTradingDatabase } from './support/trading-database.ts'

const ENTRIES = 1_000_000
const READS = 300
const WARM_UP = 30
const NAIVE_READS = 3
const LAUNCH = fileURLToPath(new URL('../test/support/launch-child.mjs', import.meta.url))
const SERVER = fileURLToPath(new URL('./support/statement-server.ts', import.meta.url))
const SEALING = '5e'.repeat(32)
const ENVIRONMENT = 'bench'
const STATEMENT = '/v1/account/statement'
const NAIVE = `SELECT * FROM (
  SELECT e.*, sum(amount) OVER (PARTITION BY asset_id, bucket ORDER BY ledger_sequence, line)
  FROM trading.ledger_entry e WHERE account_id = 'acct_a'
) AS summed WHERE at >= $1 ORDER BY ledger_sequence, line LIMIT 100`

export async function run(): Promise<BenchRow[]> {
  return withTradingDatabase(async ({ pool, url }) => {
    const key = await prepare(pool)
    await multiplyEntries(pool, ENTRIES)
    // Compiled, as the API's process is: the compiler's memory is not that of the service.
    const asked = { url, sealing: SEALING, environment: ENVIRONMENT } satisfies StatementServer
    const child = fork(LAUNCH, [SERVER, JSON.stringify(asked)], { execArgv: [] })
    try {
      const [{ base_url }] = (await once(child, 'message')) as [{ base_url: string }]
      const memory = async () => {
        child.send('memory')
        return ((await once(child, 'message')) as [{ rss_mb: number; max_rss_mb: number }])[0]
      }
      const pages = await measurePages(pool, (target) => answer(base_url, key, target))
      const before = await memory()
      const tables: BenchRow[] = []
      for (const type of ['text/csv', 'application/vnd.apache.parquet'])
        tables.push(await measureTable(base_url, key, type, memory))
      return [...pages, ...tables.map((row) => ({ ...row, details: { ...row.details, rss_before_mb: before.rss_mb } }))]
    } finally {
      child.disconnect()
      await once(child, 'exit')
    }
  })
}

/** Makes an account with one filled order, and a key. */
async function prepare(pool: Pool): Promise<RequestKey> {
  const maker = new SubmissionMaker('statement')
  const engine = await startEngine({ pool, now: wallClock, holder: 'bench', address: null })
  await engine.leading
  const owner_address = `0x${Buffer.from('acct_a').toString('hex').padStart(40, '0')}`
  const { command, secret } = await issueApiKey(
    {
      ...{ account_id: 'acct_a', owner_address, signer: owner_address, key_id: `key_${'0'.repeat(16)}` },
      ...{ environment: ENVIRONMENT, label: 'bench', scopes: ['account:read'], ip_allowlist: [] },
      ...{ public_key: null, expires_at: null, now: wallClock() },
    },
    keyEncryptionKey(SEALING, 'bench'),
  )
  const orders = [maker.place('acct_b', { side: 'SELL', quantity: '10' }), maker.place('acct_a', { quantity: '10' })]
  for (const one of [...maker.setUp(['acct_a', 'acct_b'], '1000000'), maker.operate(command), ...orders]) {
    const { error } = await engine.client.submit(one)
    invariant(error === null, `the bench is set up: ${error?.message}`)
  }
  await engine.stop()
  const { key_id, environment } = command.key
  return { key_id, environment, algorithm: 'hmac-sha256', secret: secret! }
}

function answer(base_url: string, key: RequestKey, target: string, accept = 'application/json'): Promise<Response> {
  const signed = signRequest({ method: 'GET', target, body: '' }, key)
  return fetch(`${base_url}${target}`, { headers: { ...signed, accept, 'accept-encoding': 'identity' } })
}

async function measurePages(pool: Pool, ask: (target: string) => Promise<Response>): Promise<BenchRow[]> {
  const { rows } = await pool.query<{ first: number; last: number }>(
    "SELECT min(at) AS first, max(at) AS last FROM trading.ledger_entry WHERE reference_id LIKE 'ord_x%'",
  )
  const { first, last } = rows[0]!
  const instantOf = (n: number) => formatMicros(first + Math.floor(((n * 0.618_034) % 1) * (last - first)))
  const taken = { first: [] as number[], middle: [] as number[], bare: [] as number[] }
  for (let n = 0; n < READS + WARM_UP; n += 1) {
    const times = {
      first: await timed(() => ask(`${STATEMENT}?limit=100`)),
      middle: await timed(() => ask(`${STATEMENT}?booked_after=${instantOf(n)}&limit=100`)),
      bare: await timed(() => ask('/v1/account/policy')),
    }
    if (n < WARM_UP) continue
    for (const name of ['first', 'middle', 'bare'] as const) taken[name].push(times[name])
  }
  const bare = spread(taken.bare)
  const details = { entries: ENTRIES, reads: READS, bare_p50_ms: bare.p50, bare_p99_ms: bare.p99 }
  const naive_ms = await naivePage(pool, instantOf)
  return (['first', 'middle'] as const).map((name) => {
    const { p50, p99 } = spread(taken[name])
    const own = { ...details, p50_ms: p50, naive_page_ms: naive_ms }
    return { figure: `statement.${name}_page.p99`, value: p99, unit: 'ms', goal: { at_most: 50 }, details: own }
  })
}

async function timed(work: () => Promise<Response>): Promise<number> {
  const started = performance.now()
  const response = await work()
  const text = await response.text()
  invariant(response.status === 200, `statement: ${response.status} ${text}`)
  return performance.now() - started
}

/** Returns the median time of a page by summing all entries before it, in milliseconds. */
async function naivePage(pool: Pool, instantOf: (n: number) => string): Promise<number> {
  const taken: number[] = []
  for (let n = 0; n < NAIVE_READS; n += 1) {
    const started = performance.now()
    await pool.query(NAIVE, [instantOf(n)])
    taken.push(performance.now() - started)
  }
  return rounded(taken.toSorted((a, b) => a - b)[Math.floor(NAIVE_READS / 2)]!)
}

async function measureTable(
  base_url: string,
  key: RequestKey,
  type: string,
  memory: () => Promise<{ rss_mb: number; max_rss_mb: number }>,
): Promise<BenchRow> {
  const started = performance.now()
  const response = await answer(base_url, key, STATEMENT, type)
  invariant(response.status === 200, `statement: ${response.status}`)
  let [bytes, lines] = [0, 0]
  for await (const chunk of response.body!) {
    bytes += chunk.length
    if (type === 'text/csv') for (const byte of chunk) if (byte === 10) lines += 1
  }
  const seconds = rounded((performance.now() - started) / 1000)
  invariant(type !== 'text/csv' || lines > ENTRIES, `the table has ${lines} lines`)
  const { max_rss_mb } = await memory()
  const figure = `statement.${type === 'text/csv' ? 'csv' : 'parquet'}.max_rss`
  const details = {
    entries: ENTRIES,
    seconds,
    megabytes: rounded(bytes / 1e6),
    entries_per_s: Math.round(ENTRIES / seconds),
  }
  return { figure, value: max_rss_mb, unit: 'MB', goal: { at_most: 300 }, details }
}
