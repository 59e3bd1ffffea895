import { beforeEach, describe, expect, test } from 'vitest'
import { binaryArrays, binaryRows } from '../../../trading/store/binary-rows.ts'
import { copyRows } from '../../../trading/store/copy-rows.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { type BatchWriter, openWriter } from '../support/batch-writer.ts'

const database = withDatabase()
let writer: BatchWriter

beforeEach(async () => {
  writer = await openWriter((await database()).pool)
  return () => writer.connection.close()
})

const TYPES = ['text', 'json', 'bool', 'int2', 'int4', 'int8', 'timestamptz'] as const
const COLUMNS = TYPES.map((udt_name) => ({ column_name: `a_${udt_name}`, udt_name }))
const NAMES = COLUMNS.map(({ column_name }) => column_name).join(', ')
const TEXT = `COPY copied (${NAMES}) FROM STDIN (FORMAT binary)`
const LONG = 'ü"\\\n\t€ 😀 '.repeat(20_000)

describe('rows by COPY', () => {
  beforeEach(async () => {
    const made = COLUMNS.map(({ column_name, udt_name }) => `${column_name} ${udt_name}`).join(', ')
    await writer.connection.client.query(`CREATE TEMP TABLE copied (place serial, ${made})`)
    return () => writer.connection.client.query('DROP TABLE copied')
  })

  const copied = async () => (await writer.connection.client.query(`SELECT ${NAMES} FROM copied ORDER BY place`)).rows
  const row = (...values: readonly unknown[]) => Object.fromEntries(TYPES.map((type, n) => [`a_${type}`, values[n]]))

  const manyKinds = () => {
    const { MAX_SAFE_INTEGER: most } = Number
    return [
      row('plain', { a: [1, null, '"'] }, true, 32_767, 2_147_483_647, most, 1_790_000_000_123_456),
      row('', [], false, -32_768, -2_147_483_648, -most, -1),
      row(LONG, LONG, true, -1, -1, -1, 946_684_800_000_000),
      row('é', 'text', false, 0, 0, 0, 946_684_799_999_999),
      row('x'.repeat(48), 0, false, 1, 1, 4_294_967_296, 0),
      row('x'.repeat(49), 1, false, 1, 1, -4_294_967_297, 1),
      row(...TYPES.map(() => null)),
    ]
  }

  test('hold what they were given: ends of ranges, texts of all kinds, nulls, and what is missing', async () => {
    const rows = manyKinds()
    await copyRows(writer.connection.client, TEXT, binaryRows(COLUMNS)([...rows, {}]))
    expect(await copied()).toEqual([...rows, row(...TYPES.map(() => null))])
  })

  test('as arrays, one a column, they hold the same; of no rows each is empty', async () => {
    const arrays = TYPES.map((type, n) => `$${n + 1}::${type}[]`).join(', ')
    const text = `INSERT INTO copied (${NAMES}) SELECT * FROM unnest(${arrays})`
    const put = (rows: readonly object[]) => writer.connection.client.query(text, [...binaryArrays(COLUMNS)(rows)])
    await put([])
    expect(await copied()).toEqual([])
    const rows = manyKinds()
    await put([...rows, {}])
    expect(await copied()).toEqual([...rows, row(...TYPES.map(() => null))])
  })

  test('many more than a buffer begins with are all there', async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => row(`text ${n}`, { n }, n % 2 === 0, n, n, n, n))
    await copyRows(writer.connection.client, TEXT, binaryRows(COLUMNS)(rows))
    expect(await copied()).toEqual(rows)
  })

  test('that are refused fail their statement alone: what is sent behind them is answered', async () => {
    const { client } = writer.connection
    const rows = binaryRows(COLUMNS)([row('a', {}, true, 1, 1, 1, 1)])
    const outcomes = await Promise.allSettled([
      client.query('BEGIN'),
      client.query('SELECT 1 / 0'),
      copyRows(client, TEXT, rows),
      copyRows(client, 'COPY nowhere FROM STDIN (FORMAT binary)', rows),
      client.query('ROLLBACK'),
      copyRows(client, TEXT.replace(', a_json', ''), rows),
      client.query('SELECT 1'),
    ])
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, false, false, false, true, false, true])
    expect(outcomes[2]).toMatchObject({ reason: { code: '25P02' } })
    expect(await copied()).toEqual([])
  })

  test('a column of a type that is not known is a bug', () => {
    expect(() => binaryRows([{ column_name: 'scopes', udt_name: '_text' }])).toThrow('_text')
    expect(() => binaryArrays([{ column_name: 'scopes', udt_name: '_text' }])).toThrow('_text')
  })
})

test('a batch of many orders, filled and resting, is all there and holds every invariant', async () => {
  const maker = new SubmissionMaker()
  await writer.write(...maker.setUp(['acct_a', 'acct_b']))
  const orders = Array.from({ length: 40 }, (_, n) => {
    const side = n % 2 === 0 ? 'BUY' : 'SELL'
    const resting = n % 2 === 0 ? '0.40' : '0.60'
    return maker.place(n % 2 === 0 ? 'acct_a' : 'acct_b', {
      side,
      limit_price: n % 8 < 4 ? '0.50' : resting,
      quantity: '3',
      labels: { note: 'ü "\\\n' },
    } as object)
  })
  await writer.write(...orders.slice(0, 19))
  await writer.write(...orders.slice(19))
  const { rows } = await writer.pool.query(`
    SELECT (SELECT count(*) FROM trading.orders) AS orders, (SELECT count(*) FROM trading.order_nonce) AS nonces,
           (SELECT count(*) FROM trading.fill) AS fills, (SELECT count(*) FROM trading.settlement) AS settlements`)
  expect(rows).toEqual([{ orders: 40, nonces: 40, fills: 20, settlements: 20 }])
  expect(await writer.broken()).toEqual([])
})
