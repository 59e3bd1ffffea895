import { beforeAll, expect, test } from 'vitest'
import { tidemark } from '../../support/run-cli.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { type TestDatabase, withDatabase } from '../../support/trading/postgres.ts'

/** What operators read of accounts and acts. */
const fresh = withDatabase()
let database: TestDatabase
let environment: Record<string, string>

beforeAll(async () => {
  database = await fresh()
  environment = { DATABASE_URL: database.url, TIDEMARK_HOME: tempFolder() }
  await done('asset', 'add', 'asset_usd', '--scale', '6', ...BECAUSE)
  await done('account', 'create', 'acct_north', '--label', 'North', ...BECAUSE)
  await done('account', 'deposit', 'acct_north', '1000.00', ...BECAUSE)
})

const BECAUSE = ['--reason', 'a test', '--actor', 'desk-lead']

async function done(...argv: readonly string[]): Promise<unknown> {
  const { exit_code, stdout } = await tidemark([...argv, '--json'], { environment })
  expect([exit_code, stdout]).toEqual([0, expect.any(String)])
  return JSON.parse(stdout)
}

test('a balance is printed with all its parts: they add up to the total', async () => {
  const held = 'UPDATE trading.balance SET withdrawal_hold = withdrawal_hold + $1 WHERE account_id = $2'
  await database.pool.query(held, [40_250_000, 'acct_north'])
  for (const command of [['list'], ['show', 'acct_north']]) {
    const { stdout } = await tidemark(['account', ...command], { environment })
    const lines = stdout.split('\n').map((line) => line.trim().split(/ {2,}/))
    const names = lines.find((line) => line.includes('withdrawal hold'))!
    const values = lines.find((line) => line.includes('asset_usd'))!
    const of = (name: string) => Number(values[names.indexOf(name)]!.replace('.', ''))
    expect(of('withdrawal hold')).toBe(40_250_000)
    expect(of('available') + of('reserved') + of('withdrawal hold')).toBe(of('total') - of('pending debit'))
  }
  await database.pool.query(held, [-40_250_000, 'acct_north'])
})

test('acts are those of people, unless those of services are asked for; the limit counts what is shown', async () => {
  for (const [n, actor] of ['workflow:marks', 'sandbox', 'workflow:marks'].entries()) {
    await database.pool.query(
      `INSERT INTO trading.operator_act (act_id, batch_sequence, at, actor, reason, command)
       SELECT $1, batch_sequence, at, $2, reason, command FROM trading.operator_act ORDER BY batch_sequence DESC LIMIT 1`,
      [`act_step_${n}`, actor],
    )
  }
  const actors = async (...flags: readonly string[]) =>
    ((await done('operator', 'acts', ...flags)) as { actor: string }[]).map(({ actor }) => actor)
  const people = await actors('--limit', '2')
  expect([people.length, new Set(people)]).toEqual([2, new Set(['desk-lead'])])
  expect((await actors('--services', '--limit', '500')).filter((actor) => actor !== 'desk-lead')).toHaveLength(3)
  expect(await actors('--by', 'workflow:marks')).toHaveLength(2)
  expect(await actors('act_step_1')).toEqual(['sandbox'])
})
