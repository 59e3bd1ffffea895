import { Command } from 'commander'
import { expect, test } from 'vitest'
import { onTrading } from '../../../cli/trading/on-engine.ts'
import { withTrading } from '../../../service/trading/with-trading.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'

const database = withDatabase()

async function wholeTables(pool: Pool): Promise<string> {
  return (await pool.query('SHOW enable_seqscan')).rows[0].enable_seqscan
}

test('commands of operators read a few rows by indexes, also settling that goes on for long; an audit reads whole tables', async () => {
  const environment = { DATABASE_URL: (await database()).url, TIDEMARK_HOME: tempFolder() }
  const told: string[] = []
  const output = { of: () => output }
  const context = { environment, output, signal: new AbortController().signal, finish: () => undefined }
  const command = onTrading(new Command('read'), context as never, async ({ settings }, { pool }) => {
    told.push(await wholeTables(pool), await withTrading(settings, ({ pool: ofAudit }) => wholeTables(ofAudit)))
    return 0
  })
  await command.parseAsync([], { from: 'user' })
  expect(told).toEqual(['off', 'on'])
})
