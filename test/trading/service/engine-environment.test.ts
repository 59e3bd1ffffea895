import { expect, test } from 'vitest'
import { newEd25519Key } from '../../../client/signing/new-ed25519-key.ts'
import { connectEngine } from '../../../trading/service/connect-engine.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { tidemark } from '../../support/run-cli.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { startLeading } from '../support/engine-faults.ts'

/** The environment of an engine: who may register the first operator, and which databases it starts on. */
const database = withDatabase()

function registration(environment: string) {
  const { public_key } = newEd25519Key()
  const key = { operator_key_id: `opk_${environment}`, operator_id: 'ann', public_key, environment }
  return new SubmissionMaker().operate({ kind: 'register_operator_key', ...key, approved_by: null })
}

const environmentsOf = async (pool: Pool) =>
  (await pool.query('SELECT environment FROM trading.operator_key')).rows.map(({ environment }) => environment)

const FOREIGN = {
  code: 'VALIDATION_USAGE_INVALID',
  message: 'TIDEMARK_ENVIRONMENT is sandbox; allowed: production, that of the running engine',
}

test('a key of another environment reaches no decision, in the process of the engine and over its link', async () => {
  const { pool } = await database()
  const engine = await startLeading(pool, { environment: 'production', address: '127.0.0.1:0' })
  const link = await connectEngine({ pool })
  for (const client of [engine.client, link]) {
    await expect(client.submit(registration('sandbox'))).rejects.toMatchObject(FOREIGN)
  }
  expect(await environmentsOf(pool)).toEqual([])
  expect((await link.submit(registration('production'))).error).toBeNull()
  expect(await environmentsOf(pool)).toEqual(['production'])
  await link.close()
  await engine.stop()
})

test('a shell without the variable makes no sandbox of a database whose engine is of production', async () => {
  const { pool, url } = await database()
  const engine = await startLeading(pool, { environment: 'production', address: '127.0.0.1:0' })
  const environment = { DATABASE_URL: url, TIDEMARK_HOME: tempFolder() }
  const add = ['asset', 'add', 'asset_usd', '--scale', '6', '--reason', 'first', '--actor', 'ann', '--json']
  const refused = await tidemark(add, { environment: { ...environment, TIDEMARK_ENVIRONMENT: '' } })
  expect([refused.exit_code, JSON.parse(refused.stdout).error]).toMatchObject([2, FOREIGN])
  expect(await environmentsOf(pool)).toEqual([])
  const done = await tidemark(add, { environment: { ...environment, TIDEMARK_ENVIRONMENT: 'production' } })
  expect(done.exit_code).toBe(0)
  expect(await environmentsOf(pool)).toEqual(['production'])
  await engine.stop()
})

test('an engine does not start on a database whose operators are of another environment', async () => {
  const { pool, url } = await database()
  const engine = await startLeading(pool, { environment: 'production' })
  expect((await engine.client.submit(registration('production'))).error).toBeNull()
  await engine.stop()
  const message = 'TIDEMARK_ENVIRONMENT is sandbox; allowed: production, that of the operators of this database'
  await expect(startLeading(pool, { environment: 'sandbox' })).rejects.toMatchObject({ message })
  const environment = { DATABASE_URL: url, TIDEMARK_HOME: tempFolder(), TIDEMARK_ENVIRONMENT: '' }
  const run = await tidemark(['engine', '--json'], { environment })
  expect([run.exit_code, run.stdout]).toEqual([2, expect.stringContaining(message)])
  const again = await startLeading(pool, { environment: 'production' })
  await again.stop()
})
