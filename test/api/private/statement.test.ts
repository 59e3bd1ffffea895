import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RequestKey, signRequest } from '../../../client/signing/sign-request.ts'
import { createTradingClient } from '../../../client/trading/trading-client.ts'
import type { StatementEntry } from '../../../protocol/resources/statement-entry.ts'
import { openMemoryDatabase, readRows } from '../../../warehouse/duckdb/memory-database.ts'
import { asTexts, parseCsv } from '../../support/csv-table.ts'
import { tidemark } from '../../support/run-cli.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { bustCommand } from '../../support/trading/bust-command.ts'
import { assertDescribed, assertRefused } from '../../support/trading/match-private.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import {
  type AccountName,
  MARKET_ID,
  type ServedAccounts,
  serveAccounts,
} from '../../support/trading/served-accounts.ts'
import { concluding, submitting } from '../../support/trading/settling.ts'

/** Lists of an account that are also tables. */
const LISTS = {
  orders: '/orders',
  fills: '/fills',
  settlements: '/settlements',
  adjustments: '/adjustments',
  transfers: '/account/transfers',
  statement: '/account/statement',
} as const

type HmacKey = Extract<RequestKey, { readonly secret: string }>

const database = withDatabase()
const folder = tempFolder()
let served: ServedAccounts

const read = async (url: string, account: AccountName = 'acct_a') => {
  const got = await served.call({ method: 'GET', url: `/v1/account/statement${url}`, key: served.keys[account] })
  assertDescribed('list_statement', got)
  return got
}
const list = async (url = '', account: AccountName = 'acct_a'): Promise<readonly StatementEntry[]> =>
  (await read(url, account)).body.data
const place = async (account: AccountName, wanted: Parameters<ServedAccounts['order']>[0]): Promise<void> => {
  const body = await served.order(wanted, account)
  const got = await served.call({ method: 'POST', url: '/v1/orders', body, key: served.keys[account] })
  expect(got.status, got.text).toBe(201)
}
const table = (url: string, accept: string) => tableOf('/account/statement', url, accept)
const tableOf = (path: string, query: string, accept: string) => {
  const target = `/v1${path}${query}`
  const headers = { ...signRequest({ method: 'GET', target, body: '' }, served.keys.acct_a), accept }
  return served.app.inject({ method: 'GET', url: target, headers })
}

/** acct_a buys 15 from acct_b at 0.40 and at 0.45, and one of the settlements is confirmed. */
beforeAll(async () => {
  served = await serveAccounts((await database()).pool)
  await place('acct_b', { side: 'SELL', limit_price: '0.40', quantity: '10' })
  await place('acct_b', { side: 'SELL', limit_price: '0.45', quantity: '5' })
  await place('acct_a', { limit_price: '0.50', quantity: '15' })
  const { rows } = await served.pool.query<{ settlement_id: string }>(
    "SELECT settlement_id FROM trading.settlement WHERE account_id = 'acct_a' ORDER BY engine_sequence LIMIT 1",
  )
  const ids = rows.map(({ settlement_id }) => settlement_id)
  await served.act(submitting(ids))
  await served.act(concluding(ids))
}, 180_000)
afterAll(() => served.close())

test('a deposit, an order, its fills and a settlement, to the last digit', async () => {
  const entries = await list()
  const story = entries.map(({ kind, asset_id, bucket, amount, total_after, fee }) =>
    [kind, asset_id === 'asset_usd' ? 'usd' : 'yes', bucket, amount, total_after, fee].join(' '),
  )
  // 15 x 0.50 and the fee 0.02 x 0.50 x 15 are reserved; 10 x 0.40 + 0.08 and 5 x 0.45 + 0.045 become due, the first is paid.
  expect(story).toEqual([
    'deposit usd available 100000.000000 100000.000000 ',
    'order usd available -7.650000 99992.350000 ',
    'order usd reserved 7.650000 100000.000000 ',
    'fill usd available 1.020000 100001.020000 0.080000',
    'fill usd reserved -5.100000 99995.920000 ',
    'fill usd pending_settlement_debit 4.080000 100000.000000 ',
    'fill yes unsettled_quantity 10.00 10.00 ',
    'fill usd available 0.255000 100000.255000 0.045000',
    'fill usd reserved -2.550000 99997.705000 ',
    'fill usd pending_settlement_debit 2.295000 100000.000000 ',
    'fill yes unsettled_quantity 5.00 15.00 ',
    'settlement yes unsettled_quantity -10.00 5.00 ',
    'settlement yes settled_quantity 10.00 15.00 ',
    'settlement usd pending_settlement_debit -4.080000 99995.920000 ',
  ])
  const [settled, filled] = [entries.at(-1)!, entries.find(({ fee }) => fee !== null)!]
  expect(settled).toMatchObject({ account_id: 'acct_a', market_id: MARKET_ID, fill_id: filled.fill_id, fee: null })
  const fill = (await served.call({ method: 'GET', url: `/v1/fills/${filled.fill_id}` })).body.data
  const { amount, schedule_id, schedule_version } = fill.fee
  expect(filled).toMatchObject({ fee: amount, schedule_id, schedule_version, order_id: fill.order_id })
})

test('a fill without a fee shows 0 and its schedule; entries of the kind fee charge one', async () => {
  const shown = (await list('?kind=fill', 'acct_b')).filter(({ fee }) => fee !== null)
  expect(shown.map(({ fee, schedule_id, schedule_version }) => [fee, schedule_id, schedule_version])).toEqual([
    ['0.000000', 'fee_1', 1],
    ['0.000000', 'fee_1', 1],
  ])
  expect(await list('?kind=fee', 'acct_b')).toEqual([])
  expect(await list('?kind=fee')).toHaveLength(2)
})

describe('as of an instant', () => {
  test('the statement ends there, and its sums are the balance of then', async () => {
    const entries = await list()
    const [, second] = [...new Set(entries.map(({ booked_at }) => booked_at))]
    const then = await list(`?as_of=${second}`)
    expect(then).toEqual(entries.filter(({ booked_at }) => booked_at <= second!))
    const [balance] = (await served.call({ method: 'GET', url: `/v1/balances?as_of=${second}` })).body.data
    const last = then.findLast(({ asset_id }) => asset_id === 'asset_usd')!
    expect(last.total_after).toBe(balance.total)
  })

  test('later pages do not show what was booked after the first', async () => {
    const first = await read('?limit=2')
    await place('acct_a', { limit_price: '0.10', quantity: '1' })
    const entries: StatementEntry[] = [...first.body.data]
    for (let cursor = first.body.page.next_cursor; cursor !== null; ) {
      const page = await read(`?limit=2&cursor=${cursor}`)
      entries.push(...page.body.data)
      cursor = page.body.page.next_cursor
    }
    const now = await list()
    expect(now.length).toBeGreaterThan(entries.length)
    expect(entries).toEqual(now.slice(0, entries.length))
  })

  test('a cursor is of its account; an empty range and an unknown kind are refused', async () => {
    const { next_cursor } = (await read('?limit=2')).body.page
    const ask = (url: string, account: AccountName = 'acct_a') =>
      served.call({ method: 'GET', url: `/v1/account/statement${url}`, key: served.keys[account] })
    assertRefused('list_statement', await ask(`?limit=2&cursor=${next_cursor}`, 'acct_b'), 'VALIDATION_CURSOR_INVALID')
    assertRefused('list_statement', await ask('?kind=gift'), 'VALIDATION_PARAMETER_INVALID')
    const empty = '?booked_after=2026-01-02T00:00:00Z&booked_before=2026-01-01T00:00:00Z'
    assertRefused('list_statement', await ask(empty), 'VALIDATION_RANGE_INVALID')
    expect(await list('', 'acct_empty')).toEqual([])
  })
})

describe('as a table', () => {
  test('CSV has the records of JSON', async () => {
    const entries = await list('?kind=fill')
    const answer = await table('?kind=fill', 'text/csv')
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
    ])
    const [names, ...lines] = answer.body.trimEnd().split('\r\n')
    expect(names!.split(',')).toEqual(Object.keys(entries[0]!))
    expect(lines).toEqual(
      entries.map((entry) =>
        Object.values(entry)
          .map((value) => value ?? '')
          .join(','),
      ),
    )
  })

  test('Parquet has the records of JSON; limit asks for one page and names the next', async () => {
    const entries = await list()
    const file = join(folder, 'statement.parquet')
    writeFileSync(file, (await table('', 'application/vnd.apache.parquet')).rawPayload)
    const { connection, close } = await openMemoryDatabase()
    const rows = await readRows(connection, `select * from read_parquet('${file}')`)
    close()
    expect(
      rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, text(value)]))),
    ).toEqual(
      entries.map((entry) => Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, text(value)]))),
    )
    const page = await table('?limit=3', 'text/csv')
    expect(page.body.trimEnd().split('\r\n')).toHaveLength(4)
    expect(await list(`?limit=3&cursor=${page.headers['svc-next-cursor']}`)).toEqual(entries.slice(3, 6))
  })
})

describe('every list of an account', () => {
  let base_url: string
  beforeAll(async () => {
    const [fill] = (await served.call({ method: 'GET', url: '/v1/fills', key: served.keys.acct_a })).body.data
    await served.act(bustCommand(fill.fill_id))
    const body = { account_id: 'acct_a', direction: 'deposit', asset_id: 'asset_usd', amount: '10', destination: null }
    await served.call({ method: 'POST', url: '/v1/account/transfers', body, key: served.keys.acct_a })
    base_url = await served.app.listen({ host: '127.0.0.1', port: 0 })
  })

  test.each(Object.keys(LISTS) as (keyof typeof LISTS)[])('%s: a table has the records of JSON', async (list_name) => {
    const path = LISTS[list_name]
    const got = await served.call({ method: 'GET', url: `/v1${path}`, key: served.keys.acct_a })
    const records = got.body.data as readonly Readonly<Record<string, unknown>>[]
    expect(records.length).toBeGreaterThan(0)
    const [names, ...lines] = parseCsv((await tableOf(path, '', 'text/csv')).body)
    const rows = lines.map((cells) => Object.fromEntries(cells.map((cell, at) => [names![at], cell])))
    expect(rows).toEqual(records.map(asTexts))
    const first = await tableOf(path, '?limit=1', 'text/csv')
    expect(parseCsv(first.body)).toEqual([names, lines[0]])
  })

  test('a list without tables is refused as one', async () => {
    const answer = await tableOf('/balances', '', 'text/csv')
    expect([answer.statusCode, answer.json().error.code]).toEqual([406, 'VALIDATION_ACCEPT_UNSUPPORTED'])
  })

  test('the client reads the bytes of a table; what is none is refused before anything is sent', async () => {
    const client = createTradingClient({ ...(served.keys.acct_a as HmacKey), account_id: 'acct_a', base_url })
    const bytes = await client.table('fills', 'csv', { market_id: MARKET_ID })
    expect(Buffer.from(bytes).toString()).toBe((await tableOf('/fills', '', 'text/csv')).body)
    expect(
      Buffer.from(await client.table('statement', 'parquet'))
        .subarray(0, 4)
        .toString(),
    ).toBe('PAR1')
    await expect(client.table('fills', 'csv', { market_id: 'nonsense' })).rejects.toMatchObject({ status: 400 })
    await expect(client.table('balances' as never, 'csv')).rejects.toMatchObject({
      message: 'list is "balances"; allowed: orders, fills, adjustments, settlements, statement, transfers',
    })
  })

  test('the command writes the same, as of an instant and filtered, in each format', async () => {
    const [key_file, out] = [join(folder, 'ready.json'), join(folder, 'rows')]
    const { environment } = served.keys.acct_a
    const sandbox_accounts = (['acct_b', 'acct_a'] as const).map((account_id) => ({
      account_id,
      ...served.keys[account_id],
    }))
    writeFileSync(key_file, JSON.stringify({ base_url, environment, sandbox_accounts }))
    const run = (name: string, ...argv: readonly string[]) =>
      tidemark(['account', name, '--key-file', key_file, '--account', 'acct_a', ...argv])
    const entries = await list('?kind=fill')
    const as_of = entries[2]!.booked_at
    const known = await list(`?kind=fill&as_of=${as_of}`)
    const written = await run('statement', '--filter', 'kind=fill', '--as-of', as_of, '--out', `${out}.jsonl`)
    expect(written).toMatchObject({ exit_code: 0, stdout: `${known.length} records written to ${out}.jsonl\n` })
    const lines = readFileSync(`${out}.jsonl`, 'utf8').trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(known)
    for (const [name, path] of Object.entries(LISTS)) {
      if (name === 'transfers') continue // the command of that name is the operator's
      expect((await run(name)).stdout, name).toBe((await tableOf(path, '', 'text/csv')).body)
    }
    expect(await run('fills', '--out', `${out}.parquet`)).toMatchObject({ exit_code: 0 })
    expect(readFileSync(`${out}.parquet`).subarray(0, 4).toString()).toBe('PAR1')
    const refused = await tidemark(['account', 'fills', '--key-file', key_file, '--account', 'acct_z'])
    expect(refused).toMatchObject({ exit_code: 2, stderr: expect.stringContaining('allowed: acct_b, acct_a') })
  })
})

function text(value: unknown): string | null {
  return value === null ? null : String(value)
}
