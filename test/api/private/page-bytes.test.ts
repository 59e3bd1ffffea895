import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PrivateRequest } from '../../../api/private/private-request.ts'
import { boundedTexts } from '../../../api/private/routes/bounded-texts.ts'
import { shownPage } from '../../../api/private/routes/parameters.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { COST_BYTES, PAGE_BYTES_MAX } from '../../../protocol/limits.ts'
import { queryUpTo } from '../../../trading/store/read/query-up-to.ts'
import { assertRefused } from '../../support/trading/match-private.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { type Got, type ServedAccounts, serveAccounts } from '../../support/trading/served-accounts.ts'
import { whileHeld } from '../../support/trading/while-held.ts'

const asItIs = (value: object) => value

describe('the texts of a page', () => {
  test('are the longest start whose array has at most the bytes of the limit, at least one record', () => {
    const records = fc.array(fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 20 }) }), { maxLength: 8 })
    fc.assert(
      fc.property(records, fc.integer({ min: 2, max: 200 }), (rows, bytes_max) => {
        const texts = boundedTexts(rows, asItIs, bytes_max)
        const bytesOf = (count: number) => Buffer.byteLength(JSON.stringify(rows.slice(0, count)))
        expect(`[${texts.join(',')}]`).toBe(JSON.stringify(rows.slice(0, texts.length)))
        if (texts.length > 1) expect(bytesOf(texts.length)).toBeLessThanOrEqual(bytes_max)
        if (texts.length < rows.length) expect(bytesOf(texts.length + 1)).toBeGreaterThan(bytes_max)
        expect(texts.length).toBeGreaterThanOrEqual(Math.min(1, rows.length))
      }),
    )
  })

  test('build no record after the one that has no room', () => {
    let built = 0
    const count = (value: object) => {
      built += 1
      return value
    }
    boundedTexts(
      Array.from({ length: 100 }, () => ({})),
      count,
      10,
    )
    // [{},{},{}] has 10 bytes.
    expect(built).toBe(4)
  })
})

test.each([
  ['fewer rows than asked for', 3, 5, false, null],
  ['as many rows as asked for', 5, 5, false, null],
  ['one row more than asked for', 6, 5, false, 4],
  ['fewer rows, because the read ended early', 3, 5, true, 2],
  ['as many rows, where the read ended early', 5, 5, true, 4],
])('the page of %s', (_, count, limit, cut, last) => {
  const head = { epoch: '0', at: 7, engine_sequence: 1, ledger_sequence: 1 }
  const rows = Array.from({ length: count }, (_, n) => ({ n }))
  const request = { parameters: { limit } } as unknown as PrivateRequest
  const answer = shownPage(request, { head, rows, cut }, { keyOf: ({ n }) => [n], recordOf: asItIs })
  expect(JSON.parse(answer.data!)).toHaveLength(Math.min(count, limit))
  expect(answer.next).toEqual(last === null ? null : { as_of: 7, key: [last] })
  expect(answer.is_cut).toBe(cut && count < limit)
})

const database = withDatabase()
const BUCKET = { rate: 1, burst: 10_000 }
/** Turns so few that three reads meet every limit of an account. */
const ONE_EACH = { of_account_at_once_max: 1, waiting_of_account_max: 1 }
/** Instant at which the clock stands; null: it runs. */
let stopped: number | null = null
/** 16 labels of the longest kind: more than 5 KB an order. */
const LABELS = Object.fromEntries(
  Array.from({ length: 16 }, (_, n) => [`${'l'.repeat(62)}${String(n).padStart(2, '0')}`, 'x'.repeat(256)]),
)
/** A batch of more would have too long a body. */
const OF_BATCH = 35
const BATCHES = 7
const ORDERS = BATCHES * OF_BATCH
let served: ServedAccounts

beforeAll(async () => {
  const limits = { keyed: BUCKET, anonymous: null }
  const rate_limits = { account_read: limits, order_write: limits }
  served = await serveAccounts((await database()).pool, {
    rate_limits,
    account_reads: ONE_EACH,
    now: () => stopped ?? wallClock(),
  })
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const wanted = Array.from({ length: OF_BATCH }, () => served.order({ limit_price: '0.555' }))
    const orders = (await Promise.all(wanted)).map((order) => ({ ...order, labels: LABELS }))
    const got = await served.call({ method: 'POST', url: '/v1/orders/batch', body: { orders } })
    expect(got.status, got.text.slice(0, 300)).toBeLessThan(300)
  }
}, 180_000)
afterAll(() => served.close())

const page = (query: string): Promise<Got> => served.call({ method: 'GET', url: `/v1/orders?status=rejected${query}` })
const dataBytes = ({ text }: Got) => text.lastIndexOf(',"page":') - '{"data":'.length

describe('a page of long orders', () => {
  test('ends at page_bytes_max with a cursor, and the pages together have every order once', async () => {
    const found: string[] = []
    let pages = 0
    for (let cursor = ''; ; ) {
      const got = await page(`&limit=1000${cursor}`)
      expect(got.status, got.text.slice(0, 300)).toBe(200)
      pages += 1
      expect(dataBytes(got)).toBeLessThanOrEqual(PAGE_BYTES_MAX)
      found.push(...got.body.data.map(({ order_id }: { order_id: string }) => order_id))
      const { next_cursor, has_more } = got.body.page
      expect(has_more).toBe(next_cursor !== null)
      if (next_cursor === null) break
      // One more would not have fitted.
      const longest = Math.max(...got.body.data.map((order: object) => JSON.stringify(order).length))
      expect(dataBytes(got) + longest + 1).toBeGreaterThan(PAGE_BYTES_MAX - 2 * longest)
      cursor = `&cursor=${next_cursor}`
    }
    expect(pages).toBe(2)
    expect(found).toHaveLength(ORDERS)
    expect(new Set(found).size).toBe(ORDERS)
  })

  test('costs a token for each begun 128 KiB, which its headers say and its key pays', async () => {
    stopped = wallClock()
    const short = await page('&limit=5')
    expect(short.headers['svc-ratelimit-cost']).toBe('1')
    const before = Number(short.headers['svc-ratelimit-remaining'])
    const got = await page('&limit=1000')
    const cost = Math.ceil(Buffer.byteLength(got.text) / COST_BYTES)
    expect(cost).toBeGreaterThanOrEqual(8)
    expect(got.headers).toMatchObject({
      'svc-ratelimit-cost': String(cost),
      'svc-ratelimit-remaining': String(before - cost),
    })
  })
})

describe('reads of an account at the same time', () => {
  test('wait for their turn or are refused; those of another account and writes are not', async () => {
    stopped = null
    const read = (key = served.keys.acct_a) => served.call({ method: 'GET', url: '/v1/orders?limit=1000', key })
    const cancel = {
      method: 'POST',
      url: '/v1/orders/cancel-all',
      body: { account_id: 'acct_a', scope: 'all_open_orders' },
    }
    const reads = await whileHeld(served.pool, 'orders', async () => {
      const begun = [read(), read(), read()]
      // One reads and one waits until the table is free: the first to be answered is refused.
      await Promise.race(begun)
      return begun
    })
    const others = [read(served.keys.acct_b), served.call(cancel as Parameters<typeof served.call>[0])]
    const statuses = (await Promise.all(reads)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 200, 429])
    const refused = (await Promise.all(reads)).find(({ status }) => status === 429)!
    assertRefused('list_orders', refused, 'RATE_LIMIT_EXCEEDED')
    expect((await Promise.all(others)).filter(({ status }) => status >= 300)).toEqual([])
  })
})

describe('rows of a statement', () => {
  const LONG = 'SELECT repeat($1::text, 1000) AS text FROM generate_series(1, $2)'
  /** A row on the wire: length, number of columns, and the one column with its length. */
  const ROW_BYTES = 4 + 2 + 4 + 1000
  const read = async (rows: number, bytes_max: number) => {
    const client = await served.pool.connect()
    try {
      await client.query('BEGIN')
      const found = await queryUpTo<{ text: string }>(
        client,
        { name: 'long_rows', text: LONG, values: ['x', rows] },
        bytes_max,
      )
      // The connection takes the next statement.
      expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
      await client.query('COMMIT')
      return { count: found.rows.length, cut: found.cut }
    } finally {
      client.release()
    }
  }

  test.each([
    ['all, where they have the bytes of the limit', 3, 3 * ROW_BYTES, { count: 3, cut: false }],
    ['those before the byte that is too many', 3, 3 * ROW_BYTES - 1, { count: 2, cut: true }],
    ['one, however long', 3, 1, { count: 1, cut: true }],
    ['none', 0, 1, { count: 0, cut: false }],
    ['those of several rounds', 450, 350 * ROW_BYTES, { count: 350, cut: true }],
    ['a whole number of rounds', 200, 1000 * ROW_BYTES, { count: 200, cut: false }],
  ])('%s', async (_, rows, bytes_max, expected) => {
    expect(await read(rows, bytes_max)).toEqual(expected)
  })

  test('a fault is told, and ends the connection', async () => {
    const client = await served.pool.connect()
    const statement = { name: 'broken_rows', text: 'SELECT 1 / (n - 150) FROM generate_series(1, $1) n', values: [400] }
    await expect(queryUpTo(client, statement, 1_000_000)).rejects.toMatchObject({ code: '22012' })
    client.release(true)
  })
})
