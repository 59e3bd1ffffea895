import { beforeEach, expect, test } from 'vitest'
import { readPacked } from '../../../trading/store/read-packed.ts'
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
      const odd = `UPDATE trading.account SET label = E'a, "b" \\\\ \\n\\t (c) \\u00e9', owner_address = ''`
      await writer.tamper(odd)
    }
    const { rows } = await writer.connection.client.query(`SELECT * FROM trading.${table} ORDER BY ctid`)
    expect(rows.length).toBeGreaterThan(0)
    expect(await readPacked(writer.connection, `trading.${table}`, 'ORDER BY ctid')).toEqual(rows)
  },
)
