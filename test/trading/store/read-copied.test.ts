import { beforeEach, expect, test } from 'vitest'
import { readCopied } from '../../../trading/store/read-copied.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { type BatchWriter, openWriter } from '../support/batch-writer.ts'

const database = withDatabase()
let writer: BatchWriter

beforeEach(async () => {
  writer = await openWriter((await database()).pool)
  const maker = new SubmissionMaker()
  await writer.write(...maker.setUp(['acct_a', 'acct_b']))
  await writer.write(
    maker.place('acct_a', { side: 'SELL' }),
    maker.place('acct_b'),
    maker.place('acct_b', { limit_price: '0.01' }),
  )
  return () => writer.connection.close()
})

/** Nulls, booleans, instants, whole numbers, JSON, empty texts, quotes, backslashes, line ends: as the library reads them. */
test.each(['orders', 'market', 'account', 'fill', 'api_key', 'signer_authorization', 'balance', 'position'])(
  'rows of %s are those of a plain query',
  async (table) => {
    if (table === 'account') {
      const odd = `UPDATE trading.account SET label = E'a, "b" \\\\ \\n\\t (c) \\u00e9', owner_address = E'\\\\N'`
      await writer.tamper(odd)
    }
    const { rows } = await writer.connection.client.query(`SELECT * FROM trading.${table} ORDER BY ctid`)
    expect(rows.length).toBeGreaterThan(0)
    expect(await copied(table, Object.keys(rows[0]))).toEqual(rows)
  },
)

test('what fails for one row is told when all have passed, and the connection goes on', async () => {
  const { client } = writer.connection
  let taken = 0
  const refused = readCopied(writer.connection, 'trading.orders', [], 'ORDER BY ctid', () => {
    taken += 1
    if (taken === 2) throw new Error('no second one')
  })
  await expect(refused).rejects.toThrow('no second one')
  expect(taken).toBe(2)
  const { rows } = await client.query('SELECT 1 AS one')
  expect(rows).toEqual([{ one: 1 }])
})

test('a statement that the server refuses is refused', async () => {
  const missing = readCopied(writer.connection, 'trading.orders', [], 'WHERE nothing', () => undefined)
  await expect(missing).rejects.toThrow('nothing')
})

async function copied(table: string, columns: readonly string[]): Promise<object[]> {
  const read: object[] = []
  await readCopied<Record<string, unknown>>(
    writer.connection,
    `trading.${table}`,
    columns.slice(3, 5),
    'ORDER BY ctid',
    (row) => {
      read.push(Object.fromEntries(columns.map((column) => [column, row[column]])))
    },
  )
  return read
}
